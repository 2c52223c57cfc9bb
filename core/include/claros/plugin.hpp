// SPDX-License-Identifier: BSD-3-Clause
/// @file plugin.hpp  The contract between a plugin library and the host: one exported C symbol, `claros_plugin`.
///
/// The first three members of ClarosPlugin never move, so that a host of any version can read them and say what
/// is wrong. After the host has checked magic, ABI version, struct size and fingerprint, everything is C++.
#pragma once

#include <claros/component.hpp>
#include <claros/context.hpp>
#include <claros/kind.hpp>
#include <claros/parameters.hpp>

#include <cstddef>
#include <cstdint>

#define CLAROS_STRINGIZE_(x) #x
#define CLAROS_STRINGIZE(x) CLAROS_STRINGIZE_(x)

#if defined(__SANITIZE_ADDRESS__)
#define CLAROS_SANITIZER_TAG "address"
#elif defined(__SANITIZE_THREAD__)
#define CLAROS_SANITIZER_TAG "thread"
#else
#define CLAROS_SANITIZER_TAG "none"
#endif

/// What two builds must share to exchange C++ objects: compiler ABI, standard library and its string ABI, pointer
/// and index width, sanitizer. Compared as text.
#define CLAROS_FINGERPRINT                                                        \
  "cxxabi " CLAROS_STRINGIZE(__GXX_ABI_VERSION) "; libstdc++ cxx11abi " CLAROS_STRINGIZE( \
      _GLIBCXX_USE_CXX11_ABI) "; pointer " CLAROS_STRINGIZE(__SIZEOF_POINTER__) "; index 8; sanitizer " CLAROS_SANITIZER_TAG

namespace claros {

inline constexpr std::uint32_t kPluginMagic = 0x534F4C43;  // "CLOS"
/// Raised whenever an interface of core changes incompatibly.
inline constexpr std::uint32_t kPluginAbi = 1;

}  // namespace claros

extern "C" {
struct ClarosPlugin {
  std::uint32_t magic;        ///< claros::kPluginMagic
  std::uint32_t abi;          ///< claros::kPluginAbi that the plugin was compiled against
  std::uint32_t struct_size;  ///< sizeof(ClarosPlugin) that the plugin was compiled against
  claros::Kind kind;
  const char* fingerprint;    ///< CLAROS_FINGERPRINT
  const char* name;           ///< lower-case words joined by '-'; unique within the kind
  const char* aliases;        ///< further names, separated by spaces; may be empty
  const char* version;        ///< of the plugin, "1.0.0"
  const char* summary;        ///< one sentence
  const char* description;    ///< the mathematics, some lines; what it needs
  const char* citation;       ///< where it comes from (paper, equation); may be empty
  /// Made with `new` from options filled by `parameters`; throws claros::Error. The host calls destroy.
  claros::Component* (*create)(const void* options, const claros::Context& context);
  void (*destroy)(claros::Component*);
  const claros::ParameterList* (*parameters)();
};
}

/// Defines the exported symbol. `Class` is constructible from (const Class::Options&, const claros::Context&) and
/// has `static const claros::ParameterList& parameters()`.
///
///     CLAROS_PLUGIN(NuclearBall, .kind = claros::Kind::set, .name = "nuclear-ball", .aliases = "",
///                   .version = "1.0.0", .summary = "...", .description = "...", .citation = "...")
#define CLAROS_PLUGIN(Class, kind_, name_, aliases_, version_, summary_, description_, citation_)            \
  extern "C" __attribute__((visibility("default"))) const ClarosPlugin claros_plugin = {                    \
      claros::kPluginMagic, claros::kPluginAbi, sizeof(ClarosPlugin), kind_, CLAROS_FINGERPRINT, name_,      \
      aliases_, version_, summary_, description_, citation_,                                                 \
      [](const void* options, const claros::Context& context) -> claros::Component* {                        \
        return new Class(*static_cast<const Class::Options*>(options), context);                             \
      },                                                                                                     \
      [](claros::Component* component) { delete component; },                                                \
      []() -> const claros::ParameterList* { return &Class::parameters(); }};
