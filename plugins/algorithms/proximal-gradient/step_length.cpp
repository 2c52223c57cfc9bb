// SPDX-License-Identifier: BSD-3-Clause
#include "step_length.hpp"

#include "contraction.hpp"

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <shared/algorithms/full_step.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace claros;

namespace {

double needed(const std::optional<double>& value, const std::string& what, const std::string& word,
              const std::string& key) {
  if (value && *value > 0.0 && std::isfinite(*value)) return *value;
  throw Error(ErrorKind::usage, "step",
              "'" + word + "' needs " + what + ", which the objective does not state",
              "give step = NUMBER" + (key.empty() ? std::string() : ", or " + key + " = NUMBER"));
}

}  // namespace

void StepLength::start(Objective& f, const GradientEstimator& estimator, double mu, double value,
                       Index rank) {
  f_ = &f;
  exact_ = estimator.exact();
  first_ = before_ = value;
  epoch_ = 0;
  guess_ = false;
  advice_.clear();
  found_ = exact_ && options_.step == StepWord::automatic;
  if (found_ && options_.decay != sdk::Decay::none)
    throw Error(ErrorKind::usage, "decay",
                "with the full gradient 'auto' finds the lengths of its steps on the way",
                "give step = NUMBER or 1/L, or leave the decay out");
  if (options_.step == StepWord::theory)
    theory(mu);
  else if (options_.step == StepWord::low_rank_theory)
    low_rank_theory(rank);
  else if (options_.step == StepWord::one_over_L)
    step_ = 1.0 / needed(f.constants().smoothness, "the smoothness L of f", "1/L", "objective.smoothness");
  else if (options_.step == StepWord::automatic)
    step_ = exact_ ? first_length() : stochastic(estimator);
  else
    step_ = options_.step.number();
  if (!(step_ > 0.0 && std::isfinite(step_)))
    throw Error(ErrorKind::usage, "step",
                "'" + (options_.step.written().empty() ? std::string("auto") : options_.step.written()) +
                    "' gives a step of " + print_real(step_) +
                    " because the objective reports a smoothness that is not positive",
                "give step = NUMBER");
}

double StepLength::term_smoothness(const std::string& word) const {
  if (auto* known = query<TermConstants>(*f_)) return std::ranges::max(known->term_smoothness());
  return needed(f_->constants().term_smoothness, "the smoothness of one component", word, "");
}

/// With batches L(b) = n(b-1)/(b(n-1)) L + (n-b)/(b(n-1)) L_max is the expected smoothness of a batch of b
/// (Gazagnadou, Gower, Salmon: Optimal mini-batch and step sizes for SAGA, ICML 2019).
double StepLength::stochastic(const GradientEstimator& estimator) const {
  const double largest = term_smoothness("auto");
  const auto b = static_cast<double>(std::max<Index>(1, estimator.batch_size())),
             n = static_cast<double>(f_->terms());
  if (f_->terms() == kUnbounded || b < 2.0 || n < 2.0) return 1.0 / (3.0 * largest);
  const double whole = f_->constants().smoothness.value_or(largest);
  return 1.0 / (3.0 * (n * (b - 1.0) * whole + std::max(n - b, 0.0) * largest) / (b * (n - 1.0)));
}

double StepLength::first_length() {
  const sdk::FirstLength first = sdk::first_length(*f_);
  guess_ = first.guess;
  return first.length;
}

/// Qu, Li, Xu 2017, Theorems 1 and 2: beta is 1/(16 L), halved until an epoch long enough has alpha <= 0.4
/// (1/3 at mu = 0, at once), and at most 1/max(mu, L - mu). The epoch m is the smallest one with alpha <=
/// 1/2. The m = 10 L / s of the remarks after Theorem 2 guarantees nothing: alpha is 2.47 there. The mu here
/// is the convexity that F lacks, of the penalty and of the loss itself (gamma_w of the corrected Lasso,
/// Corollary 4). L and the strong convexity that remains after it are those of the theorems' convex F.
void StepLength::theory(double mu) {
  const Constants c = f_->constants();
  const double lacking = c.convex ? 0.0 : std::max(0.0, c.lower_smoothness.value_or(0.0)), all = mu + lacking;
  const double L = term_smoothness("theory") + lacking;
  const double left = needed(c.strong_convexity, "the (restricted) strong convexity", "theory",
                             "objective.strong_convexity") -
                      mu;
  if (!(left > all))
    throw Error(ErrorKind::usage, "step",
                "'theory' needs more strong convexity than f and the penalty are weakly convex: what the "
                "penalty leaves of it, " +
                    print_real(left) + ", is not above " + print_real(all),
                "give step = NUMBER");
  constexpr double kLongest = 0.4, kContraction = 0.5;
  step_ = std::min(1.0 / (16.0 * L), 1.0 / std::max(all, L - all));
  while (!(0.0 < contraction(L, left, all, step_, 1e18).alpha &&
           contraction(L, left, all, step_, 1e18).alpha <= kLongest))
    step_ *= 0.5;
  // alpha(m) = longest + first / m
  const double longest = contraction(L, left, all, step_, 1e18).alpha,
               first = contraction(L, left, all, step_, 1.0).alpha - longest;
  epoch_ = static_cast<Index>(std::min(std::ceil(first / (kContraction - longest) * (1.0 - 1e-9)), 0x1p53));
  const Contraction last = contraction(L, left, all, step_, static_cast<double>(epoch_));
  advice_ = "theory of Prox-SVRG: beta = " + print_real(step_) + ", m = " + std::to_string(epoch_) +
            ", alpha = " + print_real(last.alpha) + ", chi = " + print_real(last.chi) +
            ": an epoch takes the distance to alpha of it, down to the "
            "statistical tolerance chi eps^2 / (1 - alpha)";
}

void StepLength::low_rank_theory(Index rank) {
  const LowRankStep step = LowRankStep::of(
      low_rank_, rank,
      needed(f_->constants().smoothness, "the smoothness of f", "low-rank-theory", "objective.smoothness"),
      f_->shape());
  step_ = step.length;
  advice_ =
      "theory of projections of rank " + std::to_string(rank) + ": eta = " + print_real(step.length) +
      " for a start within R_0/2 = " + print_real(0.5 * step.radius) +
      " of the optimum, of at most its rank, and batches of at least (sigma tau / (G R_0))^2 and, where "
      "B bounds the gradient of every term, " +
      print_real(step.batch) + ", so that their error is at most delta/(8 r)";
}

std::optional<double> StepLength::at(Index t) const {
  if (found_) return std::nullopt;
  return options_.at(t, step_);
}

// Above the first value, in its units. SAG at a good step overshoots by about s L n before it settles: its
// mean gradient is n steps old. With rows of correlation 0.4 that is a factor of several hundred.
constexpr double kFar = 1e6;

std::string StepLength::divergence(double value, Index t, bool momentum) {
  if (found_) return {};
  const double from = std::exchange(before_, value);
  const double rounding = 1e-9 * std::max(std::abs(first_), std::abs(from));
  const bool rose = exact_ && !momentum ? value > from + rounding
                                        : value > first_ + kFar * std::abs(first_) && value > from;
  if (!rose) return {};
  const auto L = f_->constants().smoothness;
  return "the objective rose from " + print_real(exact_ && !momentum ? from : first_) + " to " +
         print_real(value) + " with steps of " + print_real(*at(t)) +
         ": too long; with the full gradient it must be below 2/L" + (L ? " = " + print_real(2.0 / *L) : "");
}

void StepLength::state(StateVisitor& v) { v("value before", before_); }
