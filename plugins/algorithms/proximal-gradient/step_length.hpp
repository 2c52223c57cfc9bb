// SPDX-License-Identifier: BSD-3-Clause
/// @file step_length.hpp  How long the steps of a proximal gradient method are.
#pragma once

#include "low_rank_theory.hpp"

#include <claros/gradient_estimator.hpp>
#include <claros/parameters.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/step_length.hpp>

#include <optional>
#include <string>
#include <vector>

enum class StepWord { automatic, one_over_L, theory, low_rank_theory };
using StepLengthOptions = claros::sdk::StepLengthOptions<StepWord>;

inline std::vector<claros::ParameterRow<StepLengthOptions>> step_length_rows() {
  return claros::sdk::step_length_rows<StepWord>(
      {{StepWord::automatic, "auto"},
       {StepWord::one_over_L, "1/L"},
       {StepWord::theory, "theory"},
       {StepWord::low_rank_theory, "low-rank-theory"}},
      "step length s; auto: with the full gradient as long as the curvature that is met "
      "allows, with batches of b 1/(3 L(b)), L(b) the expected smoothness; 1/L: of f; theory: "
      "of Prox-SVRG, at most 1/(16 L) with L of one component, and epochs so long (128 L / "
      "strong convexity + 2 where all is convex) that each halves the distance to the minimum; "
      "low-rank-theory: of sg and a matrix of which rank values are kept, as long as all projections "
      "keep that rank with constant probability",
      "beta");
}

/// s_t, and the message if it is too long.
class StepLength {
 public:
  StepLength(StepLengthOptions options, LowRankTheoryOptions low_rank)
      : options_(std::move(options)), low_rank_(low_rank) {}

  /// Throws Error(usage) if the step needs a constant that is not known. Here `mu` is the weak convexity of
  /// the penalty, `value` that of the objective at the start of the run.
  void start(claros::Objective& f, const claros::GradientEstimator& estimator, double mu, double value,
             claros::Index rank);
  /// The length of step t; empty if it is found on the way (FullStep).
  std::optional<double> at(claros::Index t) const;
  /// True if it is the same for all t.
  bool is_constant() const noexcept { return !found_ && options_.decay == claros::sdk::Decay::none; }
  /// The first length to try, if lengths are found on the way.
  double first() const noexcept { return step_; }
  /// True if no step is longer than 1/L: beyond it momentum may diverge although plain steps do not.
  bool is_safe() const noexcept {
    return exact_ && (!options_.step.is_number() && !(options_.step == StepWord::low_rank_theory));
  }
  /// True if that may be too long.
  bool is_guess() const noexcept { return guess_; }
  /// The epoch's length that theory asks for; 0: the estimator's own.
  claros::Index epoch() const noexcept { return epoch_; }
  /// The choice of `theory` and its guarantee; empty otherwise.
  const std::string& advice() const noexcept { return advice_; }
  bool is_theory() const { return options_.step == StepWord::theory; }
  /// The reason why the run should end, given the value after t steps; empty while all is well. With the full
  /// gradient a step below 2/L never raises the objective (momentum may). With batches, only a million times
  /// the first value is a sure sign.
  std::string divergence(double value, claros::Index t, bool momentum);

  void state(claros::StateVisitor& v);  ///< the rest `start` finds

 private:
  double stochastic(const claros::GradientEstimator& estimator) const;
  double first_length();
  void theory(double mu);
  void low_rank_theory(claros::Index rank);
  double term_smoothness(const std::string& word) const;

  StepLengthOptions options_;
  LowRankTheoryOptions low_rank_;
  claros::Objective* f_ = nullptr;  ///< its constants may be expensive: asked for when needed
  double step_ = 0.0;
  bool exact_ = false, found_ = false, guess_ = false;
  claros::Index epoch_ = 0;
  std::string advice_;
  double first_ = 0.0, before_ = 0.0;
};
