// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/component_abilities.hpp"

#include <claros/compose/plan.hpp>
#include <claros/domain.hpp>
#include <claros/expectation.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/io/memory_data.hpp>
#include <claros/io/training.hpp>
#include <claros/state/state.hpp>

#include <array>
#include <memory>
#include <span>
#include <string_view>

namespace claros::cli {

namespace {

struct Ability {
  std::string_view id, words;
};

constexpr std::array kAbilities{
    Ability{LinearOracle::kAbility, "linear oracle"},
    Ability{BlockOracle::kAbility, "linear oracle of single blocks"},
    Ability{Faces::kAbility, "minimal faces"},
    Ability{"claros.sdk.spectral-sum/1", "factors"},
    Ability{"claros.sdk.split-set/1", "linear oracles of the parts"},
    Ability{ProximalOracle::kAbility, "proximal oracle"},
    Ability{Membership::kAbility, "membership"},
    Ability{Start::kAbility, "start point"},
    Ability{SpectralGap::kAbility, "eigengap of the gradient"},
    Ability{Separable::kAbility, "separable proximal step"},
    Ability{LazyProximal::kAbility, "lazy proximal steps"},
    Ability{Restrictable::kAbility, "restriction to coordinates"},
    Ability{LossOfImage::kAbility, "a loss of images"},
    Ability{Conjugate::kAbility, "conjugate"},
    Ability{LambdaMax::kAbility, "the largest useful lambda"},
    Ability{Domain::kAbility, "a domain of its own"},
    Ability{Curvature::kAbility, "Hessian products"},
    Ability{Certified::kAbility, "lower bound of the minimum"},
    Ability{HeldOut::kAbility, "held-out data"},
    Ability{MeasuredExpectation::kAbility, "what an expectation is measured on"},
    Ability{Predictor::kAbility, "predictions by id"},
    Ability{LinearPredictor::kAbility, "predictions by row"},
    Ability{FreeTail::kAbility, "free coordinates"},
    Ability{TermConstants::kAbility, "smoothness of every component"},
    Ability{TermCoefficients::kAbility, "component gradients as coefficients"},
    Ability{Rescaled::kAbility, "solution in the units of the data"},
    Ability{Dataset::kAbility, "data"},
    Ability{State::kAbility, "state for resume"},
};

std::string in_words(std::string_view id) {
  for (const Ability& ability : kAbilities)
    if (ability.id == id) return std::string(ability.words);
  return std::string(id);
}

std::vector<std::shared_ptr<const Dataset>> small_data() {
  constexpr std::array numbers{1.0, 0.0, 0.0, 1.0};
  constexpr std::array<std::int32_t, 2> diagonal{0, 1};
  const auto values = std::span(numbers).first<2>();
  return {nullptr, data_from_rows(numbers, 2, 2, values),
          data_from_triplets(diagonal, diagonal, values, 2, 2)};
}

std::shared_ptr<Component> sample(const Catalog& catalog, const PluginEntry& entry) {
  for (const auto& data : small_data()) {
    Context context;
    context.data = data;
    try {
      return create_example(catalog, entry, context);
    } catch (const Error&) {
      // It needs other data, or a setting without a default or example.
    }
  }
  return nullptr;
}

std::vector<Need> needs_of(const PluginEntry& entry, Component& component) {
  std::vector<Need> needs;
  if (entry.kind == Kind::algorithm) needs = static_cast<Algorithm&>(component).needs();
  if (entry.kind == Kind::estimator) needs = static_cast<GradientEstimator&>(component).needs();
  for (Need& need : needs) need.ability = in_words(need.ability);
  return needs;
}

}  // namespace

std::optional<Abilities> abilities_of(const Catalog& catalog, const PluginEntry& entry) {
  const auto component = sample(catalog, entry);
  if (!component) return {};
  Abilities result{{}, needs_of(entry, *component)};
  for (const Ability& ability : kAbilities)
    if (component->ability(ability.id)) result.offered.emplace_back(ability.words);
  return result;
}

}  // namespace claros::cli
