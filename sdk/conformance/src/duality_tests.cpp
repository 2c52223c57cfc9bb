// SPDX-License-Identifier: BSD-3-Clause
// Lower bounds from Fenchel duality.
#include <claros/abilities.hpp>
#include <claros/domain.hpp>

#include "objectives.hpp"

namespace claros::doctor {

namespace {

/// Points on the way to the minimum of f + lambda ||x||_1, by the kit's proximal steps. Holds the smallest
/// value on the way and its point, how far above it the way began, and whether the steps came to rest.
struct Descent {
  double least = kInfinity, above = 0.0;
  bool rests = false;
  Numbers best = {};
  std::vector<Numbers> points = {};
};
Descent descent(Bench& bench, Objective& f, KitL1& h, const Shape& constrained) {
  const double L = f.constants().smoothness.value_or(1.0);
  const auto head = static_cast<std::size_t>(constrained.size());
  Descent made;
  for (int trial = 0; trial < 4; ++trial) {
    Numbers x = inside(f, bench.point(f.shape(), trial));
    double first = kNan;
    for (int k = 0; k < 300 && !leaves_domain(f, dense(f, x)); ++k) {
      if (k < 10 || k % 30 == 0) made.points.push_back(x);
      const Numbers before = x;
      x = combined(1.0, x, -1.0 / L, gradient(f, dense(f, x), Batch::all()));
      for (std::size_t j = 0; j < head; ++j)
        x[j] = std::copysign(std::max(std::abs(x[j]) - h.lambda() / L, 0.0), x[j]);
      double norm1 = 0.0;
      for (std::size_t j = 0; j < head; ++j) norm1 += std::abs(x[j]);
      const double value = f.value(dense(f, x)) + h.lambda() * norm1;
      if (k == 0) first = value;
      if (!(value < made.least)) continue;
      made.least = value;
      made.above = first - value;
      made.best = x;
      made.rests = distance(x, before) <= 1e-7 * (1.0 + length(x));
    }
  }
  return made;
}

void certificate(Bench& bench) {
  bool any = false;
  for_objectives(bench, 12, [&](Objective& f) {
    auto* certified = query<Certified>(f);
    if (!certified) return;
    any = true;
    auto* tail = query<FreeTail>(f);
    const Shape constrained = tail ? tail->constrained_shape() : f.shape();
    for (const double lambda : {0.01, 0.3, 3.0}) {
      KitL1 h(lambda);
      auto [least, above, rests, best, points] = descent(bench, f, h, constrained);
      if (!std::isfinite(least)) continue;
      if (const double there = rests ? certified->lower_bound(dense(f, best), h) : -kInfinity;
          there > -kInfinity)
        bench.at_most(least - there, 0.05 * above, 1e-6 * (1.0 + std::abs(least)),
                      said("value minus lower_bound where descent ends, lambda = ", lambda,
                           ", against a 20th of how far it began above"),
                      "at a minimiser the dual point that belongs to it attains the minimum: the bound lacks "
                      "something that only weakens it, such as a weight or a constant");
      // If nothing is lost between the slope and the dual point, a bound that is too large shows first.
      points.push_back(inside(f, Numbers(static_cast<std::size_t>(f.shape().size()), 0.0)));
      for (int trial = 0; trial < 12; ++trial)
        points.push_back(inside(f, bench.point(f.shape(), trial % 2 ? 1.0 : 0.05)));
      for (const Numbers& x : points) {
        const double bound = certified->lower_bound(dense(f, x), h);
        bench.require(!std::isnan(bound), "the lower bound is NaN",
                      "-infinity where no dual point is feasible");
        bench.at_most(bound, least, 1e-9 * (1.0 + std::abs(least)),
                      "lower_bound(x, lambda ||.||_1) against a value of f + h",
                      "the conjugate of the loss, the scaling of the dual point, or the 1/n is wrong");
      }
    }
  });
  if (!any) throw Skipped{"does not offer lower bounds from duality"};
}

}  // namespace

Tests duality_tests() {
  return {{{"duality",
            {Kind::objective, Kind::smoother},
            "The lower bound from the dual point of any x is not above the smallest value of f + lambda "
            "||x||_1 that descent finds, and where descent ends it is near it."},
           certificate}};
}

}  // namespace claros::doctor
