// SPDX-License-Identifier: BSD-3-Clause
/// @file step_length.hpp  The options of a step length that may decay.
#pragma once

#include <claros/api.hpp>
#include <claros/parameters.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

enum class Decay { none, sqrt, inverse };

/// The length of the first step, a number or one of the words `Word`, and how later steps shorten.
template <class Word>
struct StepLengthOptions {
  NumberOr<Word> step = Word::automatic;
  Decay decay = Decay::none;
  Index decay_steps = 1;

  /// The length of step t, if the first one has the length `first`.
  double at(Index t, double first) const {
    if (decay == Decay::none) return first;
    const double slowed = 1.0 + static_cast<double>(t) / static_cast<double>(decay_steps);
    return first / (decay == Decay::sqrt ? std::sqrt(slowed) : slowed);
  }
};

/// The rows of these options; the first one has the words, the meaning and the symbol that are given.
template <class Word>
std::vector<ParameterRow<StepLengthOptions<Word>>> step_length_rows(EnumWords<Word> words,
                                                                    std::string meaning, std::string symbol) {
  using O = StepLengthOptions<Word>;
  return {row("step", &O::step, number_or<Word>(above(0), std::move(words)), std::move(meaning),
              std::move(symbol)),
          row("decay", &O::decay,
              one_of<Decay>({{Decay::none, "none"}, {Decay::sqrt, "sqrt"}, {Decay::inverse, "inverse"}}),
              "the step after t steps is s, s / sqrt(1 + t/T) or s / (1 + t/T); noise that does not vanish "
              "(sg) asks for one"),
          row("decay_steps", &O::decay_steps, at_least(1), "T of the decay", "T")};
}

}  // namespace claros::sdk
