// SPDX-License-Identifier: BSD-3-Clause
/// @file step_length.hpp  The lengths of the steps of three-operator splitting.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/parameters.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/step_length.hpp>

#include <vector>

enum class StepWord { automatic, one_over_L, line_search };
using StepLengthOptions = claros::sdk::StepLengthOptions<StepWord>;

inline std::vector<claros::ParameterRow<StepLengthOptions>> step_length_rows() {
  return claros::sdk::step_length_rows<StepWord>(
      {{StepWord::automatic, "auto"}, {StepWord::one_over_L, "1/L"}, {StepWord::line_search, "line-search"}},
      "step length; 1/L: L the smoothness of f; line-search: of the full gradient, from one that is "
      "too long down to where f lies below its parabola, and never longer again; auto: with the full "
      "gradient 1/L, and line-search where L is not known; with batches 1/(3 L_max), L_max of one component",
      "gamma");
}

/// gamma_t. Lengths that are found on the way follow Pedregosa, Gidel 2018, Algorithm 1: a step from x to x_h
/// is good if
///   f(x_h) <= f(x) + <grad f(x), x_h - x> + ||x_h - x||^2 / (2 gamma);
/// else it is made again at gamma/2. Before the first step gamma is doubled while its steps are good, so that
/// it begins one halving too long.
class StepLength {
 public:
  explicit StepLength(StepLengthOptions options) : options_(std::move(options)) {}

  /// Throws Error(usage) if the step needs a constant that is not known.
  void start(claros::Objective& f, bool exact);
  double at(claros::Index t) const { return options_.at(t, gamma_); }
  /// True if the step from x along g to `to` is to be made again, at the length that `at` then gives.
  bool again(const claros::Element& x, const claros::Element& g, const claros::Element& to);
  /// True if gamma_t is the same for all t.
  bool is_constant() const noexcept { return !searches_ && options_.decay == claros::sdk::Decay::none; }

  void state(claros::StateVisitor& v);

 private:
  bool is_good(const claros::Element& x, const claros::Element& g, const claros::Element& to) const;

  StepLengthOptions options_;
  claros::Objective* f_ = nullptr;
  double gamma_ = 1.0;
  bool searches_ = false, grows_ = false;
};
