// SPDX-License-Identifier: BSD-3-Clause
/// @file step_rule.hpp  How far algorithms with a linear oracle step towards its vertex.
#pragma once

#include <claros/domain.hpp>
#include <claros/element/element.hpp>
#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/parameters.hpp>
#include <claros/state/state.hpp>
#include <shared/losses/image_search.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

namespace claros::sdk {

enum class Step {
  automatic,
  constant,
  normalized,
  agnostic,
  inverse_sqrt,
  inverse,
  short_step,
  line_search,
  adaptive,
  monotonic,
  theory
};

/// All rules by their words, in the order of the help.
inline const EnumWords<Step>& step_words() {
  static const EnumWords<Step> words{{Step::automatic, "auto"},
                                     {Step::constant, "constant"},
                                     {Step::normalized, "normalized"},
                                     {Step::agnostic, "agnostic"},
                                     {Step::inverse_sqrt, "inverse-sqrt"},
                                     {Step::inverse, "inverse"},
                                     {Step::short_step, "short"},
                                     {Step::line_search, "line-search"},
                                     {Step::adaptive, "adaptive"},
                                     {Step::monotonic, "monotonic"},
                                     {Step::theory, "theory"}};
  return words;
}
/// Some of them, in that order.
inline WordRange<Step> steps(std::initializer_list<Step> rules) {
  EnumWords<Step> words;
  for (const Step rule : rules) words.emplace_back(rule, word_of(step_words(), rule));
  return one_of<Step>(std::move(words));
}

/// Parameters of a step rule; include the rows of `step_rows()` in an algorithm's table.
struct StepOptions {
  Step step = Step::automatic;
  double weight = 0.0;      ///< constant; 0: not given
  double eta = 0.0;         ///< normalized; 0: not given
  double offset = 2.0;      ///< l of l/(t+l)
  double scale = 1.0;       ///< c of c/t and of c/sqrt(t)
  double smoothness = 0.0;  ///< L for the short step; 0: from the objective
};

inline std::vector<ParameterRow<StepOptions>> step_rows() {
  return {
      row("step", &StepOptions::step, one_of<Step>(step_words()),
          "rule for the weight of x <- x + weight (v - x); auto: constant when weight is given, normalized "
          "when eta is, else agnostic; theory: normalized with "
          "eta = epsilon/L of the gradient estimator, for T = L (f(x_1) - f*)/epsilon^2 steps"),
      row("weight", &StepOptions::weight, between(0, 1), "weight of the constant rule; 0: not given"),
      row("eta", &StepOptions::eta, at_least(0),
          "travel of a normalized step: the weight is eta / D, at most 1; 0: not given", "eta"),
      row("offset", &StepOptions::offset, above(0), "l of the agnostic rule l / (t + l), t from 0", "l"),
      row("scale", &StepOptions::scale, above(0), "c of the rules c / sqrt(t + 1) and c / (t + 1)", "c"),
      row("smoothness", &StepOptions::smoothness, at_least(0),
          "L of the short step and of batch = theory; 0: as the objective states it", "L"),
  };
}

/// The step to choose a weight for: from x_t towards v, along d = v - x. Its slope is <g, x - v> for the
/// gradient g or its estimate.
struct StepQuery {
  Index t = 0;  ///< counts from 0
  double slope = 0.0;
  double diameter = 0.0;
  const Element* x = nullptr;
  const Element* v = nullptr;
  Objective* objective = nullptr;
  std::function<double()> squared_distance;  ///< ||v - x||^2, called by the rules that need it
};

namespace detail {

/// v - x, made from x so that its image follows: v is the cheap increment.
inline Element direction(const StepQuery& query) {
  Element d(*query.x);
  d.scale(-1.0);
  d.add(1.0, *query.v);
  return d;
}

/// d/dgamma f(x + gamma d).
inline double slope_at(const StepQuery& query, const Element& d, double gamma) {
  Element point(*query.x);
  point.add(gamma, d);
  Element g(d.shape());
  query.objective->add_gradient(point, Batch::all(), 1.0, g);
  return inner(g, d);
}

inline double value_at(const StepQuery& query, const Element& d, double gamma) {
  Element point(*query.x);
  point.add(gamma, d);
  return query.objective->value(point);
}

}  // namespace detail

/// Weights gamma_t in [0, 1] of x <- x + gamma (v - x), t from 0:
///
///     constant      weight
///     normalized    eta / D                              (Shen et al. 2019, Algorithm 1)
///     theory        the same, eta from the algorithm's theory (set_eta)
///     agnostic      l / (t + l), l = 2                   (Jaggi 2013, Algorithm 1)
///     inverse-sqrt  c / sqrt(t + 1)
///     inverse       c / (t + 1)
///     short         min(1, <g, x-v> / (L ||x-v||^2))     (Demyanov, Rubinov 1970)
///     line-search   argmin of f(x + gamma d): exact when f is quadratic along d, else by safeguarded secant
///                   steps on the derivative
///     adaptive      backtracking on a local L            (Pedregosa et al. 2020, Algorithm 2)
///     monotonic     l / (t + l), halved for good as often as f would rise or leave its domain
///                                                        (Carderera, Besancon, Pokutta 2021, Algorithm 1)
///     auto          constant when a weight is given, normalized when eta is, else agnostic
///
/// If f has a domain (Domain), the weight of every rule is halved until the point lies in it.
class StepRule {
 public:
  /// Throws Error(usage) when the rule lacks a number that it needs.
  explicit StepRule(const StepOptions& options) : options_(options), rule_(options.step) {
    if (rule_ == Step::automatic)
      rule_ = options.weight > 0 ? Step::constant : options.eta > 0 ? Step::normalized : Step::agnostic;
    if (rule_ == Step::constant && options.weight == 0)
      throw Error(ErrorKind::usage, "weight", "the constant step rule needs a weight in (0, 1]",
                  "give weight");
    if (rule_ == Step::normalized && options.eta == 0)
      throw Error(ErrorKind::usage, "eta", "the normalized step rule needs eta > 0", "give eta");
  }
  Step rule() const noexcept { return rule_; }
  /// True if the rule calls `squared_distance`.
  bool uses_distance() const noexcept { return rule_ == Step::short_step || rule_ == Step::adaptive; }
  /// To be called before the first step: forgets the state. Throws Error(usage) when f lacks a number that
  /// the rule needs.
  void start(const Objective& f) {
    local_ = 0.0;
    share_ = 1.0;
    if (rule_ == Step::short_step) (void)smoothness(f);
  }
  /// eta of `theory`, after `start`.
  void set_eta(double eta) noexcept { options_.eta = eta; }

  double weight(const StepQuery& query) {
    const double gamma = by_rule(query);
    const bool bounded = query.x && query.v && query.objective && claros::query<Domain>(*query.objective);
    return bounded ? step_in_domain(*query.objective, *query.x, detail::direction(query), gamma) : gamma;
  }

  void state(StateVisitor& v) {
    v("local smoothness", local_);
    v("share", share_);
    v.require(share_ > 0.0 && share_ <= 1.0, "share", "no product of halves");
  }

 private:
  double by_rule(const StepQuery& query) {
    const double t = static_cast<double>(query.t);
    if (rule_ == Step::constant) return options_.weight;
    if (rule_ == Step::normalized || rule_ == Step::theory)
      return std::min(1.0, options_.eta / query.diameter);
    if (rule_ == Step::agnostic) return options_.offset / (t + options_.offset);
    if (rule_ == Step::inverse_sqrt) return std::min(1.0, options_.scale / std::sqrt(t + 1.0));
    if (rule_ == Step::inverse) return std::min(1.0, options_.scale / (t + 1.0));
    if (rule_ == Step::short_step) return short_step(query);
    if (rule_ == Step::line_search) return line_search(query);
    if (rule_ == Step::monotonic) return monotonic(query, options_.offset / (t + options_.offset));
    return adaptive(query);
  }

  double smoothness(const Objective& f) const {
    const double L = options_.smoothness > 0 ? options_.smoothness : f.constants().smoothness.value_or(0.0);
    if (!(L > 0 && std::isfinite(L)))
      throw Error(ErrorKind::usage, "step",
                  "the short step needs the smoothness L, which the objective does not state",
                  "give smoothness, or use step = adaptive");
    return L;
  }

  double short_step(const StepQuery& query) const {
    const double squared = query.squared_distance();
    return squared > 0 ? std::clamp(query.slope / (smoothness(*query.objective) * squared), 0.0, 1.0) : 0.0;
  }

  double line_search(const StepQuery& query) const {
    const Element d = detail::direction(query);
    const double most = step_in_domain(*query.objective, *query.x, d, 1.0);
    return most *
           least_on_segment([&](double share) { return most * detail::slope_at(query, d, most * share); });
  }

  double adaptive(const StepQuery& query) {
    constexpr double kGrow = 2.0, kShrink = 0.9;
    constexpr int kMostDoublings = 100;
    const Element d = detail::direction(query);
    const double squared = query.squared_distance(), value = query.objective->value(*query.x);
    if (!(query.slope > 0) || squared == 0) return 0.0;
    if (local_ == 0.0) {
      const double probe = step_in_domain(*query.objective, *query.x, d,
                                          1e-3);  // first guess: the curvature along the first direction
      if (probe == 0.0) return 0.0;
      local_ = std::max(
          std::abs(detail::slope_at(query, d, probe) - detail::slope_at(query, d, 0.0)) / (probe * squared),
          1e-300);
    } else {
      local_ *= kShrink;
    }
    for (int k = 0; k < kMostDoublings; ++k, local_ *= kGrow) {
      const double gamma = std::min(1.0, query.slope / (local_ * squared));
      const double model = value - gamma * query.slope + 0.5 * gamma * gamma * local_ * squared;
      if (detail::value_at(query, d, gamma) <= model + 1e-14 * std::abs(value)) return gamma;
    }
    local_ = 0.0;  // no curvature near the guess explains this: rounding may, or a first guess along a flat
                   // direction
    return 0.0;
  }

  /// Steps that only rounding could tell from none are not taken, and halve nothing.
  double monotonic(const StepQuery& query, double longest) {
    constexpr double kShortest = 1e-12;
    const Element d = detail::direction(query);
    const double value = query.objective->value(*query.x);
    for (double share = share_; share * longest > kShortest; share *= 0.5)
      if (detail::value_at(query, d, share * longest) <= value) return (share_ = share) * longest;
    return 0.0;
  }

  StepOptions options_;
  Step rule_;
  double share_ = 1.0;  ///< of l / (t + l), that `monotonic` has come to
  double local_ = 0.0;  ///< the smoothness that `adaptive` has reached
};

}  // namespace claros::sdk
