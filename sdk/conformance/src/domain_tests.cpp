// SPDX-License-Identifier: BSD-3-Clause
// Objectives that are finite on a part of the space alone.
#include <claros/abilities.hpp>
#include <claros/domain.hpp>

#include "objectives.hpp"

namespace claros::doctor {

namespace {

const std::string kSayIt =
    "offer the ability Domain (claros/domain.hpp) with a point inside, and give +infinity outside, where "
    "other numbers or an error are given";

/// f at points on a ray from its inner point, near to far, is finite up to the border and +infinity from
/// there on. Returns true if the ray met a border.
bool check_ray(Bench& bench, Objective& f, const Numbers& centre, const Numbers& d) {
  bool left = false;
  for (double t = 1e-3; t <= 1e6; t *= 2.0) {
    const double value = f.value(dense(f, combined(1.0, centre, t, d)));
    bench.require(!std::isnan(value) && value > -kInfinity,
                  said("the value is ", value, " at a distance of ", t * length(d), " from the inner point"),
                  "outside of the domain the value is +infinity");
    bench.require(!left || value == kInfinity,
                  said("the value is ", value, " on a ray that has left the domain before it"),
                  "a segment from the inner point to a point of the domain lies in "
                  "it, and outside the value is +infinity");
    left = left || value == kInfinity;
  }
  return left;
}

/// Between two points of the domain f is finite if it is convex.
void check_between(Bench& bench, Objective& f) {
  if (!f.constants().convex) return;
  for (int trial = 0; trial < 40; ++trial) {
    const Numbers x = inside(f, bench.point(f.shape(), 30.0)), y = inside(f, bench.point(f.shape(), 30.0));
    const double value = f.value(dense(f, combined(0.5, x, 0.5, y)));
    bench.require(std::isfinite(value),
                  said("the value is ", value, " between two points of the domain, ", numbers_text(x),
                       " and ", numbers_text(y)),
                  "the domain of a convex function is convex");
  }
}

void check_domain(Bench& bench, Objective& f, Domain& domain) {
  const Element x = domain.inner_point(f.shape());
  bench.require(x.shape() == f.shape() && finite(numbers_of(x)),
                said("inner_point is ", x.shape().text(), ", ", numbers_text(numbers_of(x))),
                "a finite point of the shape that was asked for");
  bench.require(same_bits(numbers_of(x), numbers_of(domain.inner_point(f.shape()))),
                "asked twice, inner_point gives two points", "the same in every call");
  const double value = f.value(x);
  bench.require(std::isfinite(value) && finite(gradient(f, x, everything(f))),
                said("the value at inner_point is ", value, ", or its gradient is not finite"),
                "inner_point lies in the interior of the domain");
  bench.require(!query<LossOfImage>(f), "offers Domain and LossOfImage",
                "what follows images alone never asks for the domain: do not offer LossOfImage");
  bool left = false;
  for (int trial = 0; trial < 30; ++trial)
    left |= check_ray(bench, f, numbers_of(x), bench.normals(f.shape().size()));
  bench.require(left, "the value is finite along 30 rays up to a million times their length",
                "outside of the domain the value is +infinity; without a domain, do not offer it");
  check_between(bench, f);
}

void domain(Bench& bench) {
  for_objectives(bench, 5, [&](Objective& f) {
    if (auto* own = query<Domain>(f)) return check_domain(bench, f, *own);
    if (f.terms() == kUnbounded) throw Skipped{"is an expectation, whose values are not known"};
    for (int trial = 0; trial < 30; ++trial) {
      const Numbers x = bench.point(f.shape(), 1.0);
      double value = kNan;
      if (answered(bench, [&] { value = f.value(dense(f, x)); }) == Answer::refused || !std::isfinite(value))
        bench.fail(said("has no value at the point ", numbers_text(x), " (", value, ")"), kSayIt);
    }
  });
}

}  // namespace

Tests domain_tests() {
  return {{{"domain", kObjectives,
            "An objective is finite everywhere, or offers Domain: its inner point lies inside, outside the "
            "value is +infinity and nothing "
            "else, and of a convex one the domain is convex."},
           domain}};
}

}  // namespace claros::doctor
