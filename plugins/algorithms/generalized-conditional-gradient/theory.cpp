// SPDX-License-Identifier: BSD-3-Clause
#include "theory.hpp"

#include <claros/error.hpp>
#include <claros/sdk/estimators/epoch_numbers.hpp>
#include <shared/algorithms/known_constants.hpp>

#include <cmath>
#include <utility>

using namespace claros;
using sdk::positive, sdk::shown;

std::vector<ParameterRow<TheoryOptions>> theory_rows() {
  using O = TheoryOptions;
  return {
      row("eta", &O::eta,
          number_or<Eta>(above_to(0, 1),
                         {{Eta::automatic, "auto"}, {Eta::theory, "theory"}, {Eta::agnostic, "agnostic"}}),
          "weight of V_t in the next point; theory: alpha/(2 beta), along full gradients alpha/beta; "
          "agnostic: 2/(t+2); auto: theory where alpha is known, else agnostic",
          "eta_t"),
      row("beta", &O::beta, number_or<Beta>(above(0), {{Beta::theory, "theory"}}),
          "smoothness of f and the smoother; theory: the sum of theirs", "beta"),
      row("length", &O::length,
          number_or<Numbers>(integers(at_least(1)), {{Numbers::own, "own"}, {Numbers::theory, "theory"}}),
          "steps of an epoch; own: the gradient estimator's; theory: (8 beta/(3 alpha)) ln 8", "T - 1"),
      row("batch", &O::batch, one_of<Numbers>({{Numbers::own, "own"}, {Numbers::theory, "theory"}}),
          "own: the gradient estimator's numbers; theory: those of SVRGCG, 32 beta_G^2/alpha^2 a step, and "
          "of an expectation (or with variance) snapshots of (32 sigma^2/(alpha C_0)) 2^(s-1) "
          "draws in epoch s. n or more is the full gradient",
          "k_t"),
      row("strong_convexity", &O::strong_convexity, at_least(0),
          "alpha of f and the smoother together; 0: the sum of their own", "alpha"),
      row("smoothness", &O::smoothness, at_least(0), "of f and every component; 0: the objective's own",
          "beta_G"),
      row("smoother_smoothness", &O::smoother_smoothness, at_least(0), "of the smoother; 0: its own",
          "beta_R"),
      row("variance", &O::variance, at_least(0),
          "of batch = theory, for sampled snapshots: a bound of E||grad f_i - grad f||^2; 0: not given",
          "sigma^2"),
      row("initial_gap", &O::initial_gap, at_least(0),
          "the same, and of expected_error: a bound of the value at the start less the least; 0: from the "
          "objective's lower bound",
          "C_0"),
      row("expected_error", &O::expected_error, at_least(0),
          "the run ends after the epochs that leave this expected error: log2(C_0/eps) + 2 of an "
          "expectation, log_{12/5}(2 C_0/eps) + 1 of a finite sum; 0: no such end",
          "eps")};
}

namespace {

/// The modulus of one convex term; 0 if no more is known.
std::optional<double> modulus(const Constants& c) {
  return c.strong_convexity ? c.strong_convexity : c.convex ? std::optional(0.0) : std::nullopt;
}

/// The value of the whole objective at x0 less its lower bound, if that is known.
std::optional<double> known_gap(const Problem& p, const Element& x0, const Constants& f, const Constants& R) {
  if (!f.lower_bound || !R.lower_bound || p.penalty) return std::nullopt;  // no lower bound of h is known
  const double gap =
      p.objective->value(x0) + (p.smoother ? p.smoother->value(x0) : 0.0) - *f.lower_bound - *R.lower_bound;
  return std::isfinite(gap) && gap > 0.0 ? std::optional(gap) : std::nullopt;
}

}  // namespace

Theory::Theory(TheoryOptions options) : options_(std::move(options)) {}

void Theory::start(const Problem& problem, const Element& x0, double mu) {
  const bool exact = problem.estimator->exact();
  samples_ = options_.batch == Numbers::theory && !exact;
  c_ = exact ? 1.0 : 2.0;
  components_ = problem.objective->terms();
  samples_snapshots_ = samples_ && (components_ == kUnbounded || options_.variance > 0.0);
  find_constants(problem, x0, mu);
  require_constants(problem.smoother);
  const bool agnostic = options_.eta == Eta::agnostic || (options_.eta == Eta::automatic && !alpha_);
  eta_ = agnostic ? std::nullopt
                  : std::optional(options_.eta.is_number() ? options_.eta.number() : *alpha_ / (c_ * *beta_));
  length_ = options_.length.is_number() ? options_.length.number()
            : options_.length == Numbers::theory
                ? sdk::Theory::at_least(8.0 / 3.0 * std::log(8.0) * *beta_ / *alpha_)
                : 0;
  batch_ = samples_ ? sdk::Theory::at_least(32.0 * std::pow(*beta_G_ / *alpha_, 2)) : 0;
  require_steps();
  plan_epochs(problem.smoother);
}

void Theory::plan_epochs(bool smoothed) {
  epochs_ = 0;
  if (options_.expected_error == 0.0) return;
  if (!samples_ || options_.length != Numbers::theory || options_.eta.is_number() || !eta_)
    throw Error(ErrorKind::usage, "expected_error",
                "the number of epochs is a theorem of SVRGCG, whose eta, batch and length are the theory's",
                "give estimator.use = svrg, eta, batch and length = theory, or leave expected_error out");
  const double ratio = *C0_ / options_.expected_error;
  epochs_ = sdk::Theory::at_least(samples_snapshots_ ? std::log2(ratio) + 2.0
                                                     : std::log(2.0 * ratio) / std::log(2.4) + 1.0);
  delta_ = (smoothed ? 7.0 / 32.0 : 7.0 / 16.0) * options_.expected_error / *alpha_;
}

void Theory::find_constants(const Problem& problem, const Element& x0, double mu) {
  const Constants f = problem.objective->constants(),
                  R = problem.smoother ? problem.smoother->constants()
                                       : Constants{.convex = true, .smoothness = 0.0, .lower_bound = 0.0};
  beta_f_ = positive(options_.smoothness, f.smoothness ? f.smoothness : f.term_smoothness);
  beta_G_ = positive(options_.smoothness, f.term_smoothness);
  beta_R_ = problem.smoother ? positive(options_.smoother_smoothness, R.smoothness) : std::nullopt;
  if (options_.beta.is_number())
    beta_ = options_.beta.number();
  else
    beta_ = !beta_f_ || (problem.smoother && !beta_R_) ? std::nullopt
                                                       : std::optional(*beta_f_ + beta_R_.value_or(0.0));
  const auto of_f = modulus(f), of_R = modulus(R);
  const double own = of_f && of_R ? *of_f + *of_R - mu : 0.0;
  alpha_ = positive(options_.strong_convexity, own);
  C0_ = options_.initial_gap > 0.0                            ? std::optional(options_.initial_gap)
        : samples_snapshots_ || options_.expected_error > 0.0 ? known_gap(problem, x0, f, R)
                                                              : std::nullopt;
}

void Theory::require_constants(bool smoothed) const {
  const bool strong = options_.eta == Eta::theory || options_.length == Numbers::theory || samples_;
  sdk::MissingConstants missing;
  missing.need(strong, alpha_.has_value(), "the strong convexity alpha of f and the smoother, above 0",
               "strong_convexity");
  missing.need(!beta_ || samples_, samples_ ? beta_G_.has_value() : beta_f_.has_value(),
               std::string("the smoothness beta_G of ") + (samples_ ? "every component" : "f"), "smoothness");
  missing.need(!beta_ && smoothed, beta_R_.has_value(), "the smoothness beta_R of the smoother",
               "smoother_smoothness");
  missing.need(samples_snapshots_, options_.variance > 0.0,
               "the variance sigma^2 of one component's gradient", "variance");
  missing.need(samples_snapshots_ || options_.expected_error > 0.0, C0_.has_value(),
               "a bound C_0 of the value at the start less the least", "initial_gap");
  missing.require("give these, or eta and beta as numbers, with length and batch = own");
  if (alpha_ && beta_ && *alpha_ > *beta_ * (1.0 + 1e-9) && (strong || options_.eta == Eta::automatic))
    throw Error(ErrorKind::usage, "strong_convexity",
                "alpha = " + print_real(*alpha_) + " is above the smoothness beta = " + print_real(*beta_) +
                    ", as no function has them",
                "give strong_convexity and beta of the same f and smoother");
}

/// Smoothing that is too fine asks for steps that move nothing.
void Theory::require_steps() const {
  constexpr double kLeast = 1e-9;
  if (!eta_ || *eta_ >= kLeast) return;
  throw Error(ErrorKind::usage, "eta",
              "the steps vanish: eta = " + print_real(*eta_) + shown("alpha", alpha_) + shown("beta", beta_) +
                  shown("of it the smoother's", beta_R_) + ": to halve the error takes ln 2/eta = " +
                  print_real(std::log(2.0) / *eta_) + " steps at least",
              "raise the smoothing parameter, or give eta");
}

double Theory::eta(Index t) const { return eta_ ? *eta_ : 2.0 / (static_cast<double>(t) + 2.0); }

Index Theory::snapshot(Index s) const {
  if (!samples_snapshots_) return 0;
  const Index k = sdk::Theory::at_least(32.0 * options_.variance / (*alpha_ * *C0_) *
                                        std::exp2(static_cast<double>(s - 1)));
  return components_ != kUnbounded && k >= components_ ? 0 : k;
}

std::string Theory::told() const {
  std::string text = "generalized conditional gradient: " +
                     (eta_ ? "eta = " + print_real(*eta_) : std::string("eta = 2/(t+2)")) +
                     shown("alpha", alpha_) + shown("beta", beta_);
  text += shown("of it the smoother's", beta_R_);
  if (length_) text += ", " + std::to_string(length_) + " steps an epoch";
  if (batch_) text += ", k_t = " + std::to_string(batch_);
  if (samples_snapshots_)
    text += ", first snapshot of " +
            (snapshot(1) ? std::to_string(snapshot(1)) + " draws" : std::string("all components"));
  if (epochs_)
    text += ", S = " + std::to_string(epochs_) + " epochs for eps = " + print_real(options_.expected_error) +
            ", delta = " + print_real(delta_) + " of a step";
  return text;
}
