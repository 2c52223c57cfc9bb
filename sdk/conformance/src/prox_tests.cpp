// SPDX-License-Identifier: BSD-3-Clause
// The proximal step of a penalty, by its definition.
#include <algorithm>

#include "convex.hpp"
#include "objectives.hpp"

namespace claros::doctor {

namespace {

void for_penalties(Bench& bench, const std::function<void(Tried&)>& test) {
  for_tried(bench, 8, [&](Tried& h) {
    if (!h.proximal()) throw Skipped{"offers no proximal oracle"};
    test(h);
  });
}

Numbers steps(const Tried& h) {
  const double longest = h.longest_step();
  return longest < kInfinity ? Numbers{0.05 * longest, 0.4 * longest, 0.95 * longest}
                             : Numbers{0.05, 0.3, 4.0, 100.0};
}

double objective(const Tried& h, const Numbers& v, double step, const Numbers& x) {
  const Numbers d = combined(1.0, x, -1.0, v);
  return step * h.value(x) + 0.5 * dot(d, d);
}

/// Near and far, one entry and all, and towards other proximal points, which satisfy all constraints.
std::vector<Numbers> rivals(Bench& bench, const Tried& h, const Numbers& v, double step, const Numbers& x) {
  std::vector<Numbers> all{v, Numbers(x.size(), 0.0)};
  for (const double size : {1e-6, 1e-4, 1e-2, 0.3, 1.0, 3.0})
    for (int trial = 0; trial < 8; ++trial) {
      const Numbers d = bench.point(h.shape(), size);
      all.push_back(combined(1.0, x, 1.0, d));
      Numbers one = x;
      const auto j = static_cast<std::size_t>(bench.index(h.shape().size()));
      one[j] += d[j];
      all.push_back(one);
      one[j] = trial % 2 ? 0.0 : d[j];
      all.push_back(one);
      const Numbers other = h.prox(combined(1.0, v, 1.0 / size, d), step);
      all.push_back(combined(1.0 - std::min(size, 1.0), x, std::min(size, 1.0), other));
    }
  return all;
}

/// How far the best rival is below x, beyond rounding; 0 when x is best.
double beaten_by(const Tried& h, const Numbers& v, double step, const Numbers& x,
                 const std::vector<Numbers>& all) {
  const double here = objective(h, v, step, x);
  double least = here;
  for (const Numbers& u : all) least = std::min(least, objective(h, v, step, u));
  const double below = here - least;
  return below > 1e-10 * (1.0 + std::abs(here)) || std::isnan(here) ? below : 0.0;
}

/// The step whose answer x is, when it is that of another one.
std::string other_step(const Tried& h, const Numbers& v, double step, const Numbers& x,
                       const std::vector<Numbers>& all) {
  for (const auto& [name, other] :
       {std::pair("step^2", step * step), std::pair("sqrt(step)", std::sqrt(step)),
        std::pair("1/step", 1.0 / step), std::pair("2 step", 2.0 * step), std::pair("step/2", 0.5 * step),
        std::pair("1", 1.0)})
    if (other < h.longest_step() && std::abs(other - step) > 1e-9 && beaten_by(h, v, other, x, all) == 0.0)
      return said("the result is that of a step of length ", name, " = ", other);
  return "value and apply disagree: a factor, a threshold or a constraint differs between them";
}

void minimal(Bench& bench) {
  for_penalties(bench, [&](Tried& h) {
    for (const double step : steps(h))
      for (const double scale : {0.3, 2.0}) {
        const Numbers v = bench.point(h.shape(), scale), x = h.prox(v, step);
        const double here = objective(h, v, step, x);
        bench.require(std::isfinite(here),
                      said("step ", step, ": the objective at the result ", numbers_text(x), " is ", here),
                      "the result violates a constraint of the penalty, or value is NaN");
        const auto all = rivals(bench, h, v, step, x);
        if (const double below = beaten_by(h, v, step, x, all); below != 0.0)
          bench.fail(said("step ", step, ", v = ", numbers_text(v), ": a point is better than the result ",
                          numbers_text(x), " by ", below),
                     other_step(h, v, step, x, all));
      }
  });
}

void step_enters_once(Bench& bench) {
  for_penalties(bench, [&](Tried& h) {
    for (const double step : steps(h))
      for (const double share : {0.2, 0.6}) {
        const Numbers v = bench.point(h.shape(), 2.0), p = h.prox(v, step);
        const Numbers q = h.prox(combined(share, v, 1.0 - share, p), share * step);
        bench.at_most(distance(p, q), 1e-8 * (1.0 + length(p)), 0.0,
                      said("||p - prox_s(s/t v + (1 - s/t) p)|| with t = ", step, ", s = ", share * step,
                           ", p = prox_t(v) = ", numbers_text(p)),
                      "the step does not enter as a factor of h: it is squared, left out, or divides where "
                      "it should multiply");
      }
  });
}

void subgradient(Bench& bench) {
  for_penalties(bench, [&](Tried& h) {
    const double mu = h.mu();
    if (mu == kInfinity)
      throw Skipped{"no multiple of the squared norm makes it convex, so it has no such subgradients"};
    for (const double step : steps(h)) {
      const Numbers v = bench.point(h.shape(), 2.0), x = h.prox(v, step),
                    s = combined(1.0 / step, v, -1.0 / step, x);
      const double here = h.value(x);
      for (int trial = 0; trial < 40; ++trial) {
        const Numbers y = h.prox(bench.point(h.shape(), trial % 2 ? 3.0 : 0.1), step),
                      d = combined(1.0, y, -1.0, x);
        const double bound = here + dot(s, d) - 0.5 * mu * dot(d, d);
        bench.at_most(
            bound, h.value(y), 1e-9 * (1.0 + std::abs(bound)),
            said("step ", step, ": h(x) + <s, y - x> - (mu/2)||y - x||^2 with s = (v - x)/step against h(y)"),
            "(v - x)/step is not a subgradient: the proximal step is not that of value");
      }
    }
  });
}

/// The proximal step of any function is monotone. Only that can be tested if mu is infinite.
void nonexpansive(Bench& bench) {
  for_penalties(bench, [&](Tried& h) {
    const double mu = h.mu();
    for (const double step : steps(h))
      for (int trial = 0; trial < 8; ++trial) {
        const Numbers v = bench.point(h.shape(), 2.0), w = bench.point(h.shape(), 1.0);
        const Numbers p = combined(1.0, h.prox(v, step), -1.0, h.prox(w, step)),
                      d = combined(1.0, v, -1.0, w);
        bench.at_most(mu < kInfinity ? (1.0 - step * mu) * dot(p, p) : 0.0, dot(p, d),
                      1e-9 * (1.0 + dot(d, d)),
                      said("step ", step, ": ", mu < kInfinity ? "(1 - step mu) ||p - q||^2" : "0",
                           " against <p - q, v - w>"),
                      "no proximal step of a convex (mu-weakly convex) function: it is firmly nonexpansive");
      }
  });
}

void in_any_form(Bench& bench) {
  for_penalties(bench, [&](Tried& h) {
    if (h.shape().is_product()) throw Skipped{"its variable is a product of spaces"};
    const std::string place = bench.place();
    const Numbers v = bench.point(h.shape(), 1.5), x = h.prox(v, steps(h)[0]);
    const double value = h.value(x);
    for (const auto& [name, element] : forms_of(bench, h.shape(), v)) {
      bench.at(place + ", a " + name + " point");
      Element y;
      h.proximal()->apply(element, steps(h)[0], y, {});
      bench.at_most(distance(y.to_dense(), x), 1e-9 * (1.0 + length(x)), 0.0,
                    "distance to the result for the same point as a dense array",
                    "a fast path for one form of the point disagrees with the plain one");
      bench.equal(h.proximal()->value(y), value, 1e-9 * (1.0 + std::abs(value)),
                  "the value at the result, and at the same dense array",
                  "a fast path for one form of the point disagrees with the plain one");
    }
  });
}

}  // namespace

Tests prox_tests() {
  return {
      {{"prox-minimal", kPenalty,
        "prox(v) has the least step h(x) + ||x - v||^2/2 of many points, near, far, and along single "
        "entries."},
       minimal},
      {{"prox-step", kPenalty,
        "prox_t(v) = prox_s((s/t) v + (1 - s/t) prox_t(v)) for s < t: the step enters once, as a factor of "
        "h."},
       step_enters_once},
      {{"prox-subgradient", kPenalty,
        "(v - prox(v))/step is a subgradient: h(y) >= h(x) + <s, y - x> - (mu/2)||y - x||^2."},
       subgradient},
      {{"prox-nonexpansive", kPenalty,
        "(1 - step mu)||prox(v) - prox(w)||^2 <= <prox(v) - prox(w), v - w>; 0 <= where mu is infinite."},
       nonexpansive},
      {{"prox-forms", kPenalty,
        "The proximal step of a point in any form (dense, sparse, low-rank, sums) is that of the same dense "
        "array."},
       in_any_form}};
}

}  // namespace claros::doctor
