// SPDX-License-Identifier: BSD-3-Clause
/// @file fixture.hpp  A sound plugin and its descriptor, for fixtures that spoil one thing each.
#pragma once

#include <claros/plugin.hpp>

#define FIXTURE_EXPORT extern "C" __attribute__((visibility("default")))

/// A component without any interface. A negative radius cannot be given, a radius above 100 is refused by
/// throwing.
class Fixture final : public claros::Component {
 public:
  struct Options {
    double radius = 1.0;
  };
  static const claros::ParameterList& parameters() {
    static const claros::ParameterTable<Options> table{
        claros::row("radius", &Options::radius, claros::above(0.0), "radius of the ball")};
    return table;
  }
  Fixture(const Options& options, const claros::Context&) {
    if (options.radius > 100.0)
      throw claros::Error(claros::ErrorKind::data, "fixture", "the radius exceeds the data", "lower it");
  }
  /// Its own, so that the compiler takes it for a set that offers what it holds.
  void* ability(std::string_view) noexcept override { return nullptr; }
};

/// The descriptor of set/<name>, changed by `spoil`.
template <class Spoil>
constexpr ClarosPlugin spoiled(const char* name, Spoil spoil) {
  ClarosPlugin plugin{claros::kPluginMagic,
                      claros::kPluginAbi,
                      sizeof(ClarosPlugin),
                      claros::Kind::set,
                      CLAROS_FINGERPRINT,
                      name,
                      "",
                      "1.0.0",
                      "A fixture.",
                      "A fixture of the tests.",
                      "",
                      "",
                      "",
                      [](const void* options, const claros::Context& context) -> claros::Component* {
                        return new Fixture(*static_cast<const Fixture::Options*>(options), context);
                      },
                      [](claros::Component* component) { delete component; },
                      []() -> const claros::ParameterList* { return &Fixture::parameters(); }};
  spoil(plugin);
  return plugin;
}
