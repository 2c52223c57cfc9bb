// SPDX-License-Identifier: BSD-3-Clause
#include "schedule.hpp"

#include <claros/error.hpp>
#include <claros/sdk/estimators/epoch_numbers.hpp>
#include <claros/sdk/losses/fold_fused.hpp>
#include <shared/algorithms/known_constants.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace claros;
using sdk::positive, sdk::shown;

std::vector<ParameterRow<ScheduleOptions>> schedule_rows() {
  using O = ScheduleOptions;
  const EnumWords<ByTheory> theory{{ByTheory::theory, "theory"}};
  return {
      row("form", &O::form,
          one_of<SlidingForm>({{SlidingForm::automatic, "auto"},
                               {SlidingForm::restarted, "restarted"},
                               {SlidingForm::convex, "convex"}}),
          "restarted: every N_t steps begin anew where the last ones ended, for f of strong convexity s on "
          "what matters; convex: one sequence for any convex f; auto: "
          "restarted where s or N_t is given, or s known"),
      row("gamma", &O::gamma, number_or(above_to(0, 1), theory),
          "weight of x_k in y_k; theory: 2/(k+1), convex 3/(k+2)", "gamma_k"),
      row("beta", &O::beta, number_or(above(0), theory),
          "curvature of the subproblem; theory: 3L/k, convex 3L/(k+1), along estimates 4L/(k+2)", "beta_k"),
      row("eta", &O::eta, number_or(above(0), theory),
          "Frank-Wolfe gap at which the subproblem ends; theory: 8 L delta_0 "
          "2^-t / (s N_t k), convex L D^2/(k(k+1))",
          "eta_tk"),
      row("length", &O::length, number_or(integers(at_least(1)), theory),
          "steps from restart to restart; theory: 8 sqrt(L/s)", "N_t"),
      row("batch", &O::batch, one_of<Batches>({{Batches::own, "own"}, {Batches::theory, "theory"}}),
          "own: the gradient estimator's; theory: with variance that of SCGS, else of STORC, 5200 N_t L/s "
          "where components are convex and 8000 N_t (L+l)(1+l/s)/s "
          "where they are lower-smooth, L of one component. A batch of n or more is the full gradient",
          "m_tk"),
      row("batch_scale", &O::batch_scale, above(0), "multiplies the batch of the theory"),
      row("batch_most", &O::batch_most, sdk::counts_or_shares(0),
          "cap of the batch of the theory, 1/20 being n/20; 0: none"),
      row("smoothness", &O::smoothness, at_least(0),
          "L of f; 0: the objective's own, and where it has none, along full gradients, what the steps meet",
          "L"),
      row("strong_convexity", &O::strong_convexity, at_least(0),
          "s, the strong convexity of f on the differences that matter; 0: the objective's own", "s"),
      row("initial_gap", &O::initial_gap, at_least(0),
          "a bound of f(theta_0) - f*; 0: f(theta_0) less the objective's lower bound", "delta_0"),
      row("diameter", &O::diameter, at_least(0),
          "of the convex form: a bound of the distance of start and solution; 0: the set's diameter", "D"),
      row("component_smoothness", &O::term_smoothness, at_least(0),
          "of batch = theory of STORC: L of one component; 0: the objective's own", "L"),
      row("lower_smoothness", &O::lower_smoothness, at_least(0),
          "of batch = theory of STORC: l, with which f_i + (l/2)||x||^2 is convex; 0: the objective's own",
          "l"),
      row("variance", &O::variance, at_least(0),
          "of batch = theory of SCGS: a bound of E||grad f_i - grad f||^2; 0: not given", "sigma^2")};
}

namespace {

std::optional<double> by_hand(const NumberOr<ByTheory>& option) {
  return option.is_number() ? std::optional(option.number()) : std::nullopt;
}

/// <grad f(x + t d) - grad f(x), d> / (t ||d||^2) towards the vertex x + d of the linearisation, a first
/// estimate of L. If f is linear there, the curvature that a step over the whole set would need.
double curvature_at(const Problem& problem, const Element& x) {
  constexpr double kShort = 1e-3, kFlat = 1e-6;
  Element g(x.shape()), d, ahead;
  problem.objective->add_gradient(x, Batch::all(), 1.0, g);
  sdk::fold_fused(g);
  (void)problem.linear_oracle->minimize(g, {}, d);
  d.add(-1.0, x);
  const double square = inner(d, d), slope = std::abs(inner(g, d));
  if (!(square > 0.0)) return 1.0;  // a set of one point, or the vertex itself
  ahead.assign_sum(1.0, x, kShort, d);
  Element there(x.shape());
  problem.objective->add_gradient(ahead, Batch::all(), 1.0, there);
  sdk::fold_fused(there);
  const double met = (inner(there, d) - inner(g, d)) / (kShort * square), least = kFlat * slope / square;
  return met > least ? met : least > 0.0 ? least : 1.0;
}

}  // namespace

Schedule::Schedule(ScheduleOptions options)
    : options_(std::move(options)),
      gamma_(by_hand(options_.gamma)),
      beta_(by_hand(options_.beta)),
      eta_(by_hand(options_.eta)) {}

void Schedule::start(const Problem& problem, const Element& x0) {
  exact_ = problem.estimator->exact();
  find_constants(problem, x0);
  searches_ = exact_ && !c_.L && !(beta_ && eta_ && !needs_length());
  if (searches_) c_.L = curvature_at(problem, x0);
  require_constants();
  set_length();
}

void Schedule::set_length() {
  N_ = !restarts_       ? 0
       : needs_length() ? sdk::Theory::at_least(8.0 * std::sqrt(*c_.L / *c_.s))
                        : options_.length.number();
}

void Schedule::raise(double L) {
  c_.L = L;
  set_length();
}

void Schedule::find_constants(const Problem& problem, const Element& x0) {
  const Constants known = problem.objective->constants();
  c_ = {};
  most_ = sdk::counted(options_.batch_most, problem.objective->terms(), "batch_most");
  c_.L = positive(options_.smoothness, known.smoothness);
  c_.s = positive(options_.strong_convexity, known.strong_convexity);
  c_.component_L = positive(options_.term_smoothness, known.term_smoothness);
  c_.D = positive(options_.diameter, problem.linear_oracle->diameter(problem.objective->shape()));
  const auto l = positive(options_.lower_smoothness, known.lower_smoothness);
  c_.lower_known = known.convex || l;
  c_.lower = known.convex && options_.lower_smoothness == 0.0 ? 0.0 : l.value_or(0.0);
  restarts_ = options_.form == SlidingForm::restarted ||
              (options_.form == SlidingForm::automatic && (c_.s || options_.length.is_number()));
  if (!restarts_) return;
  const bool asked = !eta_ || (options_.batch == Batches::theory && !is_storc());
  if (options_.initial_gap > 0.0)
    c_.delta0 = options_.initial_gap;
  else if (const double gap =
               asked && known.lower_bound ? problem.objective->value(x0) - *known.lower_bound : -1.0;
           std::isfinite(gap))
    c_.delta0 = gap;
}

void Schedule::require_constants() const {
  const bool theory = options_.batch == Batches::theory, scgs = theory && !is_storc();
  sdk::MissingConstants missing;
  missing.need(!beta_ || !eta_ || needs_length() || scgs, c_.L.has_value(), "the smoothness L of f",
               "smoothness");
  missing.need(restarts_ && (!eta_ || needs_length() || theory), c_.s.has_value(), "its strong convexity s",
               "strong_convexity");
  missing.need(restarts_ && (!eta_ || scgs), c_.delta0 >= 0.0, "a bound delta_0 of f(theta_0) - f*",
               "initial_gap");
  missing.need(!restarts_ && (!eta_ || scgs), c_.D.has_value(), "the diameter D of the set", "diameter");
  missing.need(is_storc(), c_.component_L.has_value(), "the smoothness of one component",
               "component_smoothness");
  missing.need(is_storc(), c_.lower_known, "the lower smoothness l of components that are not convex",
               "lower_smoothness");
  missing.require(std::string("give these, or gamma, beta, eta") +
                  (restarts_ ? " and length as numbers, or form = convex" : " as numbers"));
  if (is_storc() && !restarts_)
    throw Error(ErrorKind::usage, "batch",
                "the batches of STORC belong to the restarted form, and the strong convexity s is not known",
                "give strong_convexity, or variance for the batches of SCGS");
  if (c_.L && c_.s && *c_.s > *c_.L * (1.0 + 1e-9))
    throw Error(ErrorKind::usage, "smoothness",
                "L = " + print_real(*c_.L) + " is below the strong convexity s = " + print_real(*c_.s) +
                    ", as no function has them",
                "give smoothness and strong_convexity of the same f");
}

double Schedule::gamma(Index k) const {
  const auto i = static_cast<double>(k);
  return gamma_ ? *gamma_ : restarts_ ? 2.0 / (i + 1.0) : 3.0 / (i + 2.0);
}

double Schedule::beta(Index k) const {
  const auto i = static_cast<double>(k);
  return beta_       ? *beta_
         : restarts_ ? 3.0 * *c_.L / i
         : exact_    ? 3.0 * *c_.L / (i + 1.0)
                     : 4.0 * *c_.L / (i + 2.0);
}

double Schedule::eta(Index t, Index k) const {
  const auto i = static_cast<double>(k);
  if (eta_) return *eta_;
  if (!restarts_) return *c_.L * *c_.D * *c_.D / (i * (i + 1.0));
  return 8.0 * *c_.L * c_.delta0 * std::exp2(-static_cast<double>(t)) / (*c_.s * static_cast<double>(N_) * i);
}

double Schedule::storc_batch() const {
  const double L = *c_.component_L, s = *c_.s, l = c_.lower, N = static_cast<double>(N_);
  return l == 0.0 ? 5200.0 * N * L / s : 8000.0 * N * (L + l) * (1.0 + l / s) / s;
}

double Schedule::scgs_batch(Index t, Index k) const {
  const double i = static_cast<double>(k), L = *c_.L, sigma2 = options_.variance;
  if (!restarts_) return sigma2 * std::pow(i + 2.0, 3) / (L * L * *c_.D * *c_.D);
  return *c_.s * sigma2 * static_cast<double>(N_) * (i + 1.0) * (i + 1.0) *
         std::exp2(static_cast<double>(t)) / (4.0 * L * L * c_.delta0);
}

Index Schedule::batch(Index t, Index k) const {
  if (options_.batch != Batches::theory || exact_) return 0;
  const Index m =
      sdk::Theory::at_least(options_.batch_scale * (is_storc() ? storc_batch() : scgs_batch(t, k)));
  return most_ ? std::min(m, most_) : m;
}

std::string Schedule::told() const {
  std::string text =
      restarts_ ? "sliding, restarted: N_t = " + std::to_string(N_) : std::string("sliding, convex form");
  text += shown(searches_ ? "L, unknown, at first" : "L", c_.L);
  if (restarts_) text += shown("s", c_.s) + (c_.delta0 >= 0.0 ? shown("delta_0", c_.delta0) : std::string());
  if (!restarts_) text += shown("D", c_.D);
  if (options_.batch == Batches::theory && !exact_)
    text += "; first batch m = " + std::to_string(batch(1, 1)) + (is_storc() ? " (STORC)" : " (SCGS)");
  return text;
}
