// SPDX-License-Identifier: BSD-3-Clause
/// @file plugin.hpp  The contract between a plugin library and the host: one exported C symbol,
/// `claros_plugin`.
///
/// The first three members of ClarosPlugin never move, so that a host of any version can read them and say
/// what is wrong. After the host has checked magic, ABI version, struct size and fingerprint, everything is
/// C++.
#pragma once

#include <claros/component.hpp>
#include <claros/context.hpp>
#include <claros/kind.hpp>
#include <claros/parameters.hpp>
#include <claros/plugin/fault.hpp>

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

/// The properties that two builds must share to exchange C++ objects: compiler ABI, standard library and its
/// string ABI, pointer and index width, sanitizer. They are compared as text.
// clang-format off
#define CLAROS_FINGERPRINT                                                                    \
  "cxxabi " CLAROS_STRINGIZE(__GXX_ABI_VERSION)                                               \
  "; libstdc++ cxx11abi " CLAROS_STRINGIZE(_GLIBCXX_USE_CXX11_ABI)                            \
  "; pointer " CLAROS_STRINGIZE(__SIZEOF_POINTER__) "; index 8; sanitizer " CLAROS_SANITIZER_TAG
// clang-format on

namespace claros {

inline constexpr std::uint32_t kPluginMagic = 0x534F4C43;  // "CLOS"
/// Raised whenever an interface of core changes incompatibly.
inline constexpr std::uint32_t kPluginAbi = 3;

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
  const char* version;        ///< the version of the plugin, "1.0.0"
  const char* summary;        ///< one sentence
  const char* description;    ///< the mathematics, some lines; what it needs
  const char* citation;       ///< where it comes from (paper, equation); may be empty
  const char* guidance;       ///< when to use it, and when not, in sentences; may be empty
  const char* specification;  ///< words of a `claros run` that meets its target in a second; may be empty
  /// Made with `new` from options filled by `parameters`; throws claros::Error. The host calls destroy.
  claros::Component* (*create)(const void* options, const claros::Context& context);
  void (*destroy)(claros::Component*);
  const claros::ParameterList* (*parameters)();
};
}

#define CLAROS_PLUGIN_ASSERT_(fault_, what_) \
  static_assert(claros_plugin_fault_ != claros::detail::PluginFault::fault_, "CLAROS_PLUGIN: " what_);

/// Defines the exported symbol. `Class` has three properties:
/// - It derives from the interface of its kind: claros::Objective, Loss, GradientEstimator, Algorithm or
///   Dataset. A set derives from LinearOracle, ProximalOracle or both, a penalty from ProximalOracle.
/// - It is constructible from (const Class::Options&, const claros::Context&).
/// - It has `static const claros::ParameterList& parameters()`.
///
/// The macro checks these as far as types show them, with one sentence for the first fault. The other
/// arguments are claros::PluginFacts, by name or in their order:
///
///     CLAROS_PLUGIN(NuclearBall, .kind = claros::Kind::set, .name = "nuclear-ball", .version = "1.0.0",
///                   .summary = "...", .description = "...", .citation = "...", ...)
///     CLAROS_PLUGIN(NuclearBall, Kind::set, "nuclear-ball", "aliases", "1.0.0", "summary", "description",
///     "citation", "guidance", "specification")
#define CLAROS_PLUGIN(Class, ...)                                                                           \
  namespace {                                                                                               \
  constexpr claros::PluginFacts claros_plugin_facts_{__VA_ARGS__};                                          \
  constexpr claros::detail::PluginFault claros_plugin_fault_ =                                              \
      claros::detail::plugin_fault<Class>(claros_plugin_facts_);                                            \
  using ClarosPluginFunctions_ =                                                                            \
      claros::detail::PluginFunctions<Class, claros_plugin_fault_ == claros::detail::PluginFault::none>;    \
  }                                                                                                         \
  CLAROS_PLUGIN_ASSERT_(no_kind,                                                                            \
                        "what is it? The first thing to say is .kind = claros::Kind::set, or another kind") \
  CLAROS_PLUGIN_ASSERT_(no_name, "it has no name: .name = \"my-ball\", lower-case words joined by '-'")     \
  CLAROS_PLUGIN_ASSERT_(no_component, "the class does not derive from claros::Component")                   \
  CLAROS_PLUGIN_ASSERT_(                                                                                    \
      no_objective,                                                                                         \
      "Kind::objective, and the class does not derive from claros::Objective (sdk::ArrayObjective does)")   \
  CLAROS_PLUGIN_ASSERT_(                                                                                    \
      no_smoother,                                                                                          \
      "Kind::smoother, and the class does not derive from claros::Objective (sdk::ArraySmoother does)")     \
  CLAROS_PLUGIN_ASSERT_(                                                                                    \
      no_loss,                                                                                              \
      "Kind::loss, and the class does not derive from claros::Loss (sdk::LossOf of your struct does)")      \
  CLAROS_PLUGIN_ASSERT_(no_estimator,                                                                       \
                        "Kind::estimator, and the class does not derive from claros::GradientEstimator "    \
                        "(sdk::EpochEstimator does)")                                                       \
  CLAROS_PLUGIN_ASSERT_(                                                                                    \
      no_algorithm,                                                                                         \
      "Kind::algorithm, and the class does not derive from claros::Algorithm (sdk::PointAlgorithm does)")   \
  CLAROS_PLUGIN_ASSERT_(                                                                                    \
      no_data, "Kind::data, and the class does not derive from claros::Dataset (sdk::HeldData does)")       \
  CLAROS_PLUGIN_ASSERT_(no_set,                                                                             \
                        "Kind::set, and the class has neither a claros::LinearOracle nor a "                \
                        "claros::ProximalOracle, or is something "                                          \
                        "else (sdk::OracleSet and sdk::ArraySet are sets)")                                 \
  CLAROS_PLUGIN_ASSERT_(no_penalty,                                                                         \
                        "Kind::penalty, and the class has no claros::ProximalOracle, or is something else " \
                        "(sdk::ArrayPenalty and "                                                           \
                        "sdk::EntrywisePenalty are penalties)")                                             \
  CLAROS_PLUGIN_ASSERT_(offers_nothing,                                                                     \
                        "the class offers none of its abilities: override `ability` with claros::offer")    \
  CLAROS_PLUGIN_ASSERT_(no_options, "the class names no Options: using Options = ::Options;")               \
  CLAROS_PLUGIN_ASSERT_(no_parameters, "the class has no static const claros::ParameterList& parameters()") \
  CLAROS_PLUGIN_ASSERT_(no_constructor,                                                                     \
                        "the class is not made from (const Options&, const claros::Context&)")              \
  extern "C" __attribute__((visibility("default")))                                                         \
  const ClarosPlugin claros_plugin = {claros::kPluginMagic,                                                 \
                                      claros::kPluginAbi,                                                   \
                                      sizeof(ClarosPlugin),                                                 \
                                      claros_plugin_facts_.kind,                                            \
                                      CLAROS_FINGERPRINT,                                                   \
                                      claros_plugin_facts_.name,                                            \
                                      claros_plugin_facts_.aliases,                                         \
                                      claros_plugin_facts_.version,                                         \
                                      claros_plugin_facts_.summary,                                         \
                                      claros_plugin_facts_.description,                                     \
                                      claros_plugin_facts_.citation,                                        \
                                      claros_plugin_facts_.guidance,                                        \
                                      claros_plugin_facts_.specification,                                   \
                                      ClarosPluginFunctions_::create,                                       \
                                      [](claros::Component* component) { delete component; },               \
                                      ClarosPluginFunctions_::parameters};
