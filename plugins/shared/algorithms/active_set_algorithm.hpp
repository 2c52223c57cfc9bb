// SPDX-License-Identifier: BSD-3-Clause
/// @file active_set_algorithm.hpp  Base of Frank-Wolfe methods that keep their vertices.
#pragma once

#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <shared/algorithms/active_set.hpp>
#include <shared/algorithms/hull_minimiser.hpp>
#include <shared/algorithms/oracle_tolerance.hpp>
#include <shared/algorithms/step_rule.hpp>

#include <limits>
#include <string>
#include <vector>

namespace claros::sdk {

/// How f is minimised over the hull of the active set, where it is quadratic.
enum class Corrections { direct, pairwise };

struct ActiveSetOptions {
  Step step = Step::line_search;
  double smoothness = 0.0;
  double oracle_tolerance = 0.02;
  double lazy = 0.5;
  Corrections corrections = Corrections::pairwise;
};

inline std::vector<ParameterRow<ActiveSetOptions>> active_set_rows(const Range& lazy,
                                                                   const std::string& lazy_text) {
  return {row("step", &ActiveSetOptions::step, steps({Step::line_search, Step::short_step, Step::adaptive}),
              "rule for the length of a step, at most that at which a vertex leaves: line-search (without a "
              "pass over the data where f is a loss of A x), "
              "short (slope / (L ||d||^2)), adaptive (a local L by backtracking)"),
          row("smoothness", &ActiveSetOptions::smoothness, at_least(0),
              "L of the short step; 0: as the objective states it", "L"),
          row("oracle_tolerance", &ActiveSetOptions::oracle_tolerance, above_to(0, 1),
              "relative accuracy of the linear oracle in the run, at most; that of the last gap if less"),
          row("lazy", &ActiveSetOptions::lazy, lazy, lazy_text, "1/K")};
}

inline std::string lazy_text() {
  return "a step goes among the vertices that are there, without a linear minimisation, as long as its slope "
         "is at least this share of the last Frank-Wolfe gap; 0: never";
}

/// Options of methods that minimise f over the hull of their vertices.
inline std::vector<ParameterRow<ActiveSetOptions>> corrective_rows(const Range& lazy,
                                                                   const std::string& lazy_text) {
  auto rows = active_set_rows(lazy, lazy_text);
  rows.push_back(row(
      "corrections", &ActiveSetOptions::corrections,
      one_of<Corrections>({{Corrections::direct, "direct"}, {Corrections::pairwise, "pairwise"}}),
      "how f is minimised over the hull of the active set where f is a quadratic loss of A x: direct (after "
      "every gradient, by a quadratic program over the weights, to a tenth of `lazy` times the gap; `step` "
      "plays no part), or pairwise (by pairwise steps, as every other f)"));
  return rows;
}

/// x = sum_k w_k v_k over vertices v_k of C that stay until a step takes their weight. Let g = grad f(x) and
/// s = argmin over C of <g, u>. In the active set, a is the vertex of largest <g, v> and l that of smallest.
/// A step goes along one of
///     toward    s - x    for gamma in [0, 1]
///     away      x - a    up to w_a / (1 - w_a)
///     exchange  s - a    up to w_a
/// The derived class chooses which (`choose`). With lazy steps (Braun, Pokutta, Zink 2017; Tsuji, Tanaka,
/// Pokutta 2022, section 4), l takes the place of s as long as its slope is at least `lazy` of the last
/// Frank-Wolfe gap. Such a step needs no linear minimisation. If f is a loss of A x it does not read the data
/// either, since <g, v> is a product of images.
class ActiveSetAlgorithm : public PointAlgorithm {
 public:
  using Options = ActiveSetOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{}, {active_set_rows(between(0, 1), lazy_text())}};
    return table;
  }
  ActiveSetAlgorithm(const Options& options, const Context&)
      : options_(options),
        rule_({.step = options.step, .smoothness = options.smoothness}),
        tolerance_(options.oracle_tolerance) {}

  std::vector<Need> needs() const override {
    return {need::set<LinearOracle>("every step minimises a linear function over the set"),
            need::exact_estimator("the vertex to leave is chosen by exact inner products with the gradient")};
  }
  Takes takes() const override {
    return {
        .set = true,
        .reason = "every step minimises the linear model of f alone over the set, without a proximal step"};
  }
  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("direct", direct_);
    v.require(!direct_ || (loss_ && loss_->is_quadratic()), "direct", "not of a quadratic loss");
    if (direct_) {
      hull_.state(v, *loss_, x().shape());
    } else {
      if (v.loading()) begin_steps(Element(x().shape()));
      v("active set", set_);
    }
    v("step rule", rule_);
    v("oracle", tolerance_);
    v("promise", promise_);
    v("steps of the oracle", calls_);
    v.require(calls_ >= 0, "steps of the oracle", "negative");
  }

 protected:
  enum class Direction { toward, away, exchange };
  /// The slopes of the directions, at least 0, with s the vertex of the oracle, or l if `lazy`.
  struct Slopes {
    double toward = 0.0;    ///< <g, x - s>
    double away = 0.0;      ///< <g, a - x>
    double exchange = 0.0;  ///< <g, a - s>
    double within = 0.0;    ///< <g, a - l>
    bool lazy = false;
  };
  /// The direction of the next step. The target of `exchange` is l if `within()`, else s.
  virtual Direction choose(const Slopes& slopes) const = 0;
  /// True if vertices are exchanged only among those of the active set.
  virtual bool within() const { return false; }

 private:
  void begin() override {
    loss_ = query<LossOfImage>(*problem().objective);
    rule_.start(*problem().objective);
    direct_ = options_.corrections == Corrections::direct && loss_ && loss_->is_quadratic();
    hull_.start();
    tolerance_.start();
    promise_ = std::numeric_limits<double>::infinity();
    calls_ = 0;
    if (direct_) return;
    begin_steps(x());
  }

  void begin_steps(const Element& x0) {
    set_.start(x0, loss_ ? loss_->map() : nullptr, sdk::quadratic_curvature(loss_));
  }

  bool move_without_gradient() override {
    if (direct_ || !loss_ || !is_lazy()) return false;
    if (!set_.is_scored()) {
      const auto z = x().image(loss_->map());
      gradient_.resize(z.size());
      loss_->image_gradient({}, z, gradient_);
      set_.make_scores([&](Index k) { return dot(gradient_, set_.image(k)); });
    }
    return move_lazily();
  }

  void move(const Element& g) override {
    if (direct_) return move_directly(g);
    set_.make_scores([&](Index k) { return set_.vertex(k).product(g); });
    if (!loss_ && is_lazy() && move_lazily()) return;
    const double at_x = set_.score_of_point();
    (void)tolerance_.minimize(*problem().linear_oracle, g, at_x, vertex_);
    const double value = inner(g, vertex_), high = set_.score(set_.worst()), low = set_.score(set_.best());
    promise_ = at_x - value;
    if (++calls_ % kRefresh == 0 || x().columns() > 2 * set_.size() + kRefresh) set_.refresh(x());
    const Slopes slopes{promise_, high - at_x, high - value, high - low, false};
    const Direction direction = choose(slopes);
    const bool stays = direction == Direction::away || (direction == Direction::exchange && within());
    const Index from = set_.worst(), to = stays ? set_.best() : set_.find_or_add(vertex_, value);
    (void)go(direction, from, to, slopes, promise_);
  }

  void move_directly(const Element& g) {
    const auto step = hull_.step(problem(), *loss_, g, tolerance_, options_.lazy, x());
    promise_ = step.gap;
    ++calls_;
    report_step(0.5 * step.change, step.gap);
    if (!hull_.is_full()) return;
    direct_ = false;
    set_.start(hull_.hull().vertices(), hull_.hull().weights(), loss_->map());
  }

  bool is_lazy() const { return options_.lazy > 0.0 && promise_ < std::numeric_limits<double>::infinity(); }

  bool move_lazily() {
    const double at_x = set_.score_of_point(), high = set_.score(set_.worst()), low = set_.score(set_.best());
    const Slopes slopes{at_x - low, high - at_x, high - low, high - low, true};
    const Direction direction = choose(slopes);
    const double slope = promised(direction, slopes);
    if (!(slope >= options_.lazy * promise_) || !(slope > 0.0)) return false;
    return go(direction, set_.worst(), set_.best(), slopes, std::numeric_limits<double>::quiet_NaN()) > 0.0;
  }

  double promised(Direction direction, const Slopes& s) const {
    return direction == Direction::toward ? s.toward
           : direction == Direction::away ? s.away
           : within()                     ? s.within
                                          : s.exchange;
  }

  /// The step, and its length.
  double go(Direction direction, Index from, Index to, const Slopes& slopes, double gap) {
    const double most = direction == Direction::toward ? 1.0
                        : direction == Direction::away ? set_.longest_away(from)
                                                       : set_.weight(from);
    const bool rests = direction == Direction::exchange && from == to;
    const double gamma = rests || !(most > 0.0)
                             ? 0.0
                             : most * length(direction, from, to, most, most * promised(direction, slopes));
    if (direction == Direction::toward) set_.toward(to, gamma, x());
    if (direction == Direction::away && gamma > 0.0) set_.away(from, gamma, x());
    if (direction == Direction::exchange && !rests) set_.exchange(from, to, gamma, x());
    if (set_.rounding() > kMostRounding) set_.refresh(x()), set_.forget_scores();
    report_step(gamma, gap);
    return gamma;
  }

  /// The share of the longest step that the rule takes. `slope`: minus the derivative of f along all of it.
  double length(Direction direction, Index from, Index to, double most, double slope) {
    if (rule_.rule() == Step::line_search && loss_)
      return search_(*loss_, x().image(loss_->map()), image_along(direction, from, to, most));
    Element end(x());
    if (direction == Direction::toward) end = set_.vertex(to).element();
    if (direction == Direction::away) end.scale(1.0 + most), end.add(-most, set_.vertex(from).element());
    if (direction == Direction::exchange)
      end.add(most, set_.vertex(to).element()), end.add(-most, set_.vertex(from).element());
    const auto squared = [&] { return inner_differences(end, x(), end, x()); };
    return rule_.weight({t(), slope, problem().linear_oracle->diameter(x().shape()), &x(), &end,
                         problem().objective, squared});
  }

  /// A d of the longest step d, from images.
  std::span<const double> image_along(Direction direction, Index from, Index to, double most) {
    const MapPtr& map = loss_->map();
    const auto ahead = direction == Direction::away ? x().image(map) : set_.image(to);
    const auto behind = direction == Direction::toward ? x().image(map) : set_.image(from);
    along_.resize(ahead.size());
    for (std::size_t k = 0; k < ahead.size(); ++k) along_[k] = most * (ahead[k] - behind[k]);
    return along_;
  }

  static constexpr Index kRefresh = 100;  ///< linear minimisations between points made anew
  static constexpr double kMostRounding =
      1e-11;  ///< of a point; steps away multiply it, and no minimisation may be due

  ActiveSetOptions options_;
  StepRule rule_;
  OracleTolerance tolerance_;
  bool direct_ = false;  ///< the active set is that of hull_, else set_
  HullMinimiser hull_;
  ActiveSet set_;
  ImageSearch search_;
  LossOfImage* loss_ = nullptr;
  Element vertex_;
  double promise_ = 0.0;  ///< the last Frank-Wolfe gap
  Index calls_ = 0;
  std::vector<double> gradient_, along_;
};

}  // namespace claros::sdk
