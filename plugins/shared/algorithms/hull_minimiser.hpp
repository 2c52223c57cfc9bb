// SPDX-License-Identifier: BSD-3-Clause
/// @file hull_minimiser.hpp  Steps that add vertices and minimise a quadratic loss over the hull of all.
#pragma once

#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>
#include <shared/algorithms/oracle_tolerance.hpp>
#include <shared/algorithms/quadratic_hull.hpp>

#include <span>
#include <utility>
#include <vector>

namespace claros::sdk {

/// c of phi'' = diag(c), the same everywhere; empty if phi is not quadratic. No point is evaluated.
inline std::vector<double> quadratic_curvature(LossOfImage* phi) {
  if (!phi || !phi->is_quadratic()) return {};
  std::vector<double> c(static_cast<std::size_t>(phi->map()->size()), 0.0);
  phi->image_curvature(std::vector<double>(c.size(), 0.0), c);
  return c;
}

/// x in conv(S) with f(x) = phi(A x), phi quadratic. A step finds s = argmin over C of <g, u>, g = grad f(x),
/// and adds s to S. Then it moves x to the minimum of f over conv(S), up to a share of the Frank-Wolfe gap
/// <g, x - s>.
///
/// If the linear oracle is exact and its vertices have few entries, one gradient gives several of them. For
/// each vertex v that was found, g <- g + a v. With the a for which <g, v> = <grad f(x), x>, the slope
/// towards v is 0. Then the oracle is called again. This ends when a new vertex has a slope below a share of
/// the gap, or the calls took more time than the gradient.
class HullMinimiser {
 public:
  struct Step {
    double gap = 0.0;     ///< <g, x - s>
    double change = 0.0;  ///< of the weights, in sum; 0 if x stays
  };

  /// At the first step, when x has an image.
  void start() { hull_ = {}, started_ = false; }

  Step step(const Problem& problem, LossOfImage& loss, const Element& g, OracleTolerance& tolerance,
            double share, Element& x) {
    if (!std::exchange(started_, true)) hull_.start(x, loss.map(), quadratic_curvature(&loss));
    hull_.make_scores(g);
    const double at_x = hull_.score_of_point();
    Step step{.gap = find(problem, g, at_x, tolerance, loss.map()->size())};
    if (!found_.empty()) hull_.add(found_, scores_);
    step.change = hull_.minimise(kCorrected * share * step.gap);
    if (step.change > 0.0) x = hull_.point();
    return step;
  }
  /// True if no vertex has room any more.
  bool is_full() const noexcept { return started_ && !hull_.has_room(1); }
  const QuadraticHull& hull() const noexcept { return hull_; }

  void state(StateVisitor& v, LossOfImage& loss, const Shape& shape) {
    v("started", started_);
    if (!started_) return;
    if (v.loading()) hull_.start(Element(shape), loss.map(), quadratic_curvature(&loss));
    v("hull", hull_);
  }

 private:
  /// The most entries of a vertex for which one gradient gives several.
  static constexpr std::size_t kFewEntries = 16;
  /// The least slope of a vertex beside the first, in Frank-Wolfe gaps. Vertices of less slope are not worth
  /// their products; a higher bound costs more gradients (docs/benchmarks.md).
  static constexpr double kPromise = 0.25;
  /// The number of passes over a variable that a linear minimisation by entries takes; a gradient takes one
  /// an output.
  static constexpr Index kPasses = 8;
  /// The accuracy of a correction, as a share of the one that the algorithm asks for.
  static constexpr double kCorrected = 0.1;

  /// The vertices that join, with their scores. The gap.
  double find(const Problem& problem, const Element& g, double at_x, OracleTolerance& tolerance,
              Index outputs) {
    found_.clear(), scores_.clear();
    const OracleInfo info = tolerance.minimize(*problem.linear_oracle, g, at_x, vertex_);
    const bool exact = info.confirmed && info.lower_bound >= info.value && !g.shape().is_product();
    Vertex v(vertex_);
    double score = v.product(g);
    const double gap = at_x - score, least = kPromise * gap;
    const auto most = static_cast<std::size_t>(1 + outputs / kPasses);
    Element deflated;
    while (at_x - score > 0.0 && at_x - score >= least &&
           hull_.has_room(static_cast<Index>(found_.size()) + 1) && !hull_.holds(v)) {
      const bool alone = !exact || !v.is_list() || v.values().size() > kFewEntries;
      found_.push_back(v), scores_.push_back(score);
      if (alone || found_.size() >= most) break;
      if (found_.size() == 1) deflated = g;
      deflate(v, at_x, deflated);
      (void)tolerance.once(*problem.linear_oracle, deflated, vertex_);
      v = Vertex(vertex_);
      if (v.product(deflated) > at_x - least) break;
      score = v.product(g);
    }
    return gap;
  }

  /// g <- g + a v with <g, v> = level.
  static void deflate(const Vertex& v, double level, Element& g) {
    const std::span<double> entries = g.dense_values();
    v.add_list((level - v.product(g)) / dot(v.values(), v.values()), entries);
  }

  QuadraticHull hull_;
  bool started_ = false;
  Element vertex_;
  std::vector<Vertex> found_;
  std::vector<double> scores_;
};

}  // namespace claros::sdk
