// SPDX-License-Identifier: BSD-3-Clause
/// @file fault.hpp  The checks of CLAROS_PLUGIN when it is compiled: whether the class is what its kind says.
#pragma once

#include <claros/component.hpp>
#include <claros/context.hpp>
#include <claros/kind.hpp>
#include <claros/parameters.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace claros {

class Algorithm;
class Dataset;
class GradientEstimator;
class LinearOracle;
class Loss;
class Objective;
class ProximalOracle;

/// The facts that an author states about a plugin, by name or in this order. They are literals: Claros reads
/// them from the file without running it.
struct PluginFacts {
  Kind kind = static_cast<Kind>(0xFF);
  const char* name = "";  ///< this and what follows as in ClarosPlugin
  const char* aliases = "";
  const char* version = "1.0.0";
  const char* summary = "";
  const char* description = "";
  const char* citation = "";
  const char* guidance = "";
  const char* specification = "";
};

namespace detail {

/// The faults visible in types that keep a class from being a plugin.
enum class PluginFault {
  none,
  no_kind,
  no_name,
  no_component,
  no_objective,
  no_smoother,
  no_loss,
  no_estimator,
  no_algorithm,
  no_data,
  no_set,
  no_penalty,
  offers_nothing,
  no_options,
  no_parameters,
  no_constructor
};

template <class Class>
constexpr bool kOverridesAbility = !requires {
  requires std::same_as<decltype(&Class::ability), void* (Component::*)(std::string_view) noexcept>;
};
template <class Class>
constexpr bool kHasOptions = requires {
  typename Class::Options;
};
template <class Class>
constexpr bool kHasParameters = requires {
  { Class::parameters() } -> std::same_as<const ParameterList&>;
};
template <class Class>
constexpr bool is_made_from_options() {
  // For an abstract class the compiler says better what is missing.
  if constexpr (kHasOptions<Class> && !std::is_abstract_v<Class>)
    return std::is_constructible_v<Class, const typename Class::Options&, const Context&>;
  return true;
}

/// A set or a penalty may offer an oracle that it holds through its own `ability`. It must not itself derive
/// from a class that has another kind.
template <class Class>
constexpr PluginFault kind_fault(Kind kind) {
  constexpr bool is_objective = std::is_base_of_v<Objective, Class>, is_loss = std::is_base_of_v<Loss, Class>,
                 is_estimator = std::is_base_of_v<GradientEstimator, Class>,
                 is_algorithm = std::is_base_of_v<Algorithm, Class>,
                 is_data = std::is_base_of_v<Dataset, Class>,
                 is_linear = std::is_base_of_v<LinearOracle, Class>,
                 is_proximal = std::is_base_of_v<ProximalOracle, Class>, overrides = kOverridesAbility<Class>,
                 is_other = is_objective || is_loss || is_estimator || is_algorithm || is_data;
  using enum PluginFault;
  const PluginFault offers = overrides ? none : offers_nothing;
  switch (kind) {
    case Kind::objective:
      return is_objective ? none : no_objective;
    case Kind::smoother:
      return is_objective ? none : no_smoother;
    case Kind::loss:
      return is_loss ? none : no_loss;
    case Kind::estimator:
      return is_estimator ? none : no_estimator;
    case Kind::algorithm:
      return is_algorithm ? none : no_algorithm;
    case Kind::data:
      return is_data ? offers : no_data;
    case Kind::set:
      return !is_other && (is_linear || is_proximal || overrides) ? offers : no_set;
    case Kind::penalty:
      return !is_other && (is_proximal || (overrides && !is_linear)) ? offers : no_penalty;
  }
  return no_kind;
}

/// The first fault.
template <class Class>
constexpr PluginFault plugin_fault(const PluginFacts& facts) {
  using enum PluginFault;
  if (!std::is_base_of_v<Component, Class>) return no_component;
  if (const PluginFault fault = kind_fault<Class>(facts.kind); fault != none) return fault;
  if (facts.name[0] == '\0') return no_name;
  if (!kHasOptions<Class>) return no_options;
  if (!kHasParameters<Class>) return no_parameters;
  return is_made_from_options<Class>() ? none : no_constructor;
}

/// The functions of the descriptor; for a class that is not a plugin none is made, so that the assertion says
/// all there is to say.
template <class Class, bool sound>
struct PluginFunctions {
  static Component* create(const void* options, const Context& context) {
    return new Class(*static_cast<const typename Class::Options*>(options), context);
  }
  static const ParameterList* parameters() { return &Class::parameters(); }
};
template <class Class>
struct PluginFunctions<Class, false> {
  static Component* create(const void*, const Context&) { return nullptr; }
  static const ParameterList* parameters() { return nullptr; }
};

}  // namespace detail
}  // namespace claros
