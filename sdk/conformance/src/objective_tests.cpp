// SPDX-License-Identifier: BSD-3-Clause
// Tests of what an objective says of itself (constants, convexity, components), and of calls that make no
// sense.
#include <claros/domain.hpp>

#include <algorithm>

#include "objectives.hpp"

namespace claros::doctor {

namespace {

/// Pairs of points: far apart, near, and along the direction in which the gradient changes fastest (power
/// iteration on differences of gradients).
std::vector<std::pair<Numbers, Numbers>> pairs(Bench& bench, Objective& f, const Batch& batch) {
  std::vector<std::pair<Numbers, Numbers>> all;
  for (int trial = 0; trial < 6; ++trial) {
    const double scale = trial % 2 ? 2.0 : 0.2;
    const Numbers x = inside(f, bench.point(f.shape(), scale));
    if (Numbers y = inside(f, bench.point(f.shape(), scale)); y != x)
      all.emplace_back(x, std::move(y));  // of one entry they may be equal
    constexpr double h = 1e-4;
    const Numbers g = gradient(f, dense(f, x), batch);
    Numbers d = bench.normals(f.shape().size());
    for (int k = 0; k < 15; ++k) {
      const double size = length(d);
      if (!(size > 0.0)) break;
      d = combined(h / size, d, 0.0, d);
      all.emplace_back(x, combined(1.0, x, 1.0, d));
      d = combined(1.0, gradient(f, dense(f, all.back().second), batch), -1.0, g);
    }
  }
  return all;
}

/// The claims of `L` about the gradient of a batch.
void check_smoothness(Bench& bench, Objective& f, const Batch& batch, double L, const std::string& what) {
  for (const auto& [x, y] : pairs(bench, f, batch)) {
    const double apart = distance(x, y),
                 change = distance(gradient(f, dense(f, x), batch), gradient(f, dense(f, y), batch));
    bench.at_most(change / apart, L * (1.0 + 1e-6), 1e-9,
                  what + ": ||grad(x) - grad(y)|| / ||x - y|| against L",
                  "the constant is too small (a factor of 2, the 1/n, or the norm of the data forgotten): "
                  "steps of 1/L diverge");
  }
}

/// <grad(x) - grad(y), x - y> >= m ||x - y||^2.
void check_monotone(Bench& bench, Objective& f, const Batch& batch, double m, const std::string& what) {
  for (const auto& [x, y] : pairs(bench, f, batch)) {
    const Numbers step = combined(1.0, x, -1.0, y);
    const double product =
        dot(combined(1.0, gradient(f, dense(f, x), batch), -1.0, gradient(f, dense(f, y), batch)), step);
    const double square = dot(step, step);
    bench.at_most(m - 1e-6 * std::abs(m), product / square, 1e-7,
                  what + ": m against <grad(x) - grad(y), x - y> / ||x - y||^2",
                  "more convexity is claimed than there is");
  }
}

void constants(Bench& bench) {
  bool any = false;
  for_objectives(bench, 12, [&](Objective& f) {
    const Constants c = f.constants();
    const bool finite_sum = f.terms() != kUnbounded;
    if (c.smoothness && finite_sum)
      check_smoothness(bench, f, Batch::all(), *c.smoothness, "smoothness of f"), any = true;
    if (c.strong_convexity && finite_sum)
      check_monotone(bench, f, Batch::all(), *c.strong_convexity, "strong convexity of f"), any = true;
    std::vector<Index> few = some_components(bench, f);
    few.resize(std::min<std::size_t>(few.size(), 8));
    for (const Index i : few) {
      const std::vector<Index> one{i};
      if (c.term_smoothness)
        check_smoothness(bench, f, Batch::of(one), *c.term_smoothness, said("smoothness of component ", i)),
            any = true;
      if (c.lower_smoothness)
        check_monotone(bench, f, Batch::of(one), -*c.lower_smoothness,
                       said("lower smoothness of component ", i)),
            any = true;
    }
  });
  if (!any) throw Skipped{"states no smoothness and no strong convexity"};
}

void convexity(Bench& bench) {
  bool any = false;
  for_objectives(bench, 12, [&](Objective& f) {
    if (!f.constants().convex || f.terms() == kUnbounded) return;
    any = true;
    for (int trial = 0; trial < 60; ++trial) {
      const Numbers x = inside(f, bench.point(f.shape(), trial % 2 ? 3.0 : 0.3)),
                    y = inside(f, bench.point(f.shape(), trial % 3 ? 3.0 : 0.3));
      const double here = f.value(dense(f, x)), there = f.value(dense(f, y)),
                   tangent = here + dot(gradient(f, dense(f, x), Batch::all()), combined(1.0, y, -1.0, x));
      bench.at_most(tangent, there, 1e-9 * (1.0 + std::abs(here) + std::abs(there)),
                    "the tangent at x against f(y)",
                    "constants() calls a function convex that is not, or the gradient is wrong");
    }
  });
  if (!any) throw Skipped{"is not claimed to be convex"};
}

void lower_bound(Bench& bench) {
  bool any = false;
  for_objectives(bench, 12, [&](Objective& f) {
    const auto bound = f.constants().lower_bound;
    if (!bound || f.terms() == kUnbounded) return;
    any = true;
    for (int trial = 0; trial < 20; ++trial) {
      // A few steps of descent, to come near the smallest values.
      Numbers x = inside(f, bench.point(f.shape(), trial % 2 ? 2.0 : 0.1));
      const double L = f.constants().smoothness.value_or(100.0);
      for (int k = 0; k < 20 && !leaves_domain(f, dense(f, x)); ++k)
        x = combined(1.0, x, -1.0 / std::max(L, 1e-6), gradient(f, dense(f, x), Batch::all()));
      if (finite(x))
        bench.at_most(*bound, f.value(dense(f, x)), 1e-9 * (1.0 + std::abs(*bound)),
                      "lower_bound against a value", "constants().lower_bound is not a bound");
    }
  });
  if (!any) throw Skipped{"states no lower bound"};
}

void coefficients(Bench& bench) {
  bool any = false;
  for_objectives(bench, 5, [&](Objective& f) {
    auto* rows = query<TermCoefficients>(f);
    if (!rows || f.terms() == kUnbounded) return;
    any = true;
    const Element x = dense(f, inside(f, bench.point(f.shape(), 1.0)));
    const auto K = static_cast<std::size_t>(rows->outputs());
    for (const Index i : some_components(bench, f)) {
      const std::vector<Index> one{i};
      Numbers c(K);
      std::vector<Index> outputs;
      for (std::size_t k = 0; k < K; ++k) outputs.push_back(i * rows->outputs() + static_cast<Index>(k));
      rows->coefficients(x, Batch::of(one), c);
      Element g(f.shape());
      g.add_adjoint(1.0, rows->map(), outputs, c);
      if (rows->has_common_gradient()) rows->add_common_gradient(x, 1.0, g);
      const Numbers truth = gradient(f, x, Batch::of(one));
      bench.require(
          distance(numbers_of(g), truth) <= 1e-10 * (1.0 + length(truth)),
          said("the coefficients of component ", i, " on its rows give ", numbers_text(numbers_of(g)),
               ", its gradient is ", numbers_text(truth)),
          "coefficients, map, outputs and common gradient must make up the gradient of each component");
    }
  });
  if (!any) throw Skipped{"does not offer component coefficients"};
}

void component_constants(Bench& bench) {
  bool any = false;
  for_objectives(bench, 5, [&](Objective& f) {
    auto* known = query<TermConstants>(f);
    if (!known || f.terms() == kUnbounded) return;
    any = true;
    const auto L = known->term_smoothness();
    bench.require(static_cast<Index>(L.size()) == f.terms(),
                  said(L.size(), " constants for ", f.terms(), " components"), "one number a component");
    std::vector<Index> few = some_components(bench, f);
    few.resize(std::min<std::size_t>(few.size(), 8));
    for (const Index i : few) {
      const std::vector<Index> one{i};
      check_smoothness(bench, f, Batch::of(one), L[static_cast<std::size_t>(i)], said("L of component ", i));
    }
    const std::vector<Index> two{few.front(), few.back()};
    const Numbers weights{0.25, 3.0};
    const Element x = dense(f, inside(f, bench.point(f.shape(), 1.0)));
    const Numbers truth = combined(0.125, gradient(f, x, Batch::of(std::vector<Index>{two[0]})), 1.5,
                                   gradient(f, x, Batch::of(std::vector<Index>{two[1]})));
    bench.require(distance(gradient(f, x, Batch::of(two, weights)), truth) <= 1e-10 * (1.0 + length(truth)),
                  "a weighted batch is not (1/|S|) sum of weight times component gradient",
                  "who offers component constants honours Batch::weight");
  });
  if (!any) throw Skipped{"does not offer component constants"};
}

void extreme_input(Bench& bench) {
  for_objectives(bench, 6, [&](Objective& f) {
    const std::string place = bench.place();
    const auto n = static_cast<std::size_t>(f.shape().size());
    for (const double entry : {0.0, 1e-300, 5e-324, 1e6, -1e6, 1e300, -1e300, kInfinity, kNan}) {
      bench.at(place + said("; every entry of the point ", entry));
      const Element x = dense(f, Numbers(n, entry));
      double value = 0.0;
      Numbers g;
      const bool given = answered(bench, [&] {
                           value = f.value(x);
                           if (!query<Domain>(f) || std::isfinite(value)) g = gradient(f, x, everything(f));
                         }) == Answer::given;
      if (!given || !std::isfinite(entry)) continue;
      bench.require(!std::isnan(value) || f.terms() == kUnbounded, "the value is NaN at a finite point",
                    "inf - inf, 0 * inf or inf / inf: order the formula so that it saturates, or refuse");
      bench.require(!holds_nan(g), "the gradient is NaN at a finite point",
                    "inf - inf, 0 * inf or inf / inf: order the formula so that it saturates, or refuse");
      if (std::abs(entry) <= 1e6 &&
          !query<Domain>(f))  // at the border of a domain gradients grow without bound
        bench.require(finite(g), "the gradient is not finite at a moderate point",
                      "a formula that overflows early");
    }
  });
}

/// A smoother of all shapes takes any point, and a gradient of that point's shape.
void other_gradient_refused(Bench& bench) {
  for_objectives(bench, 0, [&](Objective& f) {
    const Shape wrong = Shape::matrix(f.shape().rows + 1, f.shape().cols + 2);
    const Element x = dense(f, inside(f, bench.point(f.shape(), 1.0)));
    if (answered(bench, [&] {
          Element g(wrong);
          f.add_gradient(x, everything(f), 1.0, g);
          (void)numbers_of(g);
        }) == Answer::given)
      bench.fail("add_gradient at a point of " + f.shape().text() + " adds to a gradient of " + wrong.text(),
                 "compare the two shapes and throw Error(usage): memory beyond the array is read otherwise");
  });
}

void shape_refused(Bench& bench) {
  const auto& entry = bench.subject().entry;
  if (entry.kind == Kind::smoother &&
      static_cast<Objective&>(*bench.make(bench.settings(), bench.context())).shape() == Shape())
    return other_gradient_refused(bench);
  for_objectives(bench, 0, [&](Objective& f) {
    const Shape wrong = Shape::matrix(f.shape().rows + 1, f.shape().cols + 2);
    const Element x = Element::dense(wrong, Numbers(static_cast<std::size_t>(wrong.size()), 1.0));
    const std::string mistake =
        "compare the shape with shape() and throw Error(usage): memory beyond the array is read otherwise";
    if (answered(bench, [&] { (void)f.value(x); }) == Answer::given)
      bench.fail("value takes a point of shape " + wrong.text() + " instead of " + f.shape().text(), mistake);
    if (answered(bench, [&] {
          Element g(wrong);
          f.add_gradient(x, everything(f), 1.0, g);
          (void)numbers_of(g);
        }) == Answer::given)
      bench.fail("add_gradient takes a point of shape " + wrong.text() + " instead of " + f.shape().text(),
                 mistake);
  });
}

/// R of any width, plus its correction, is one function.
void corners(Bench& bench) {
  if (!bench.subject().entry.parameters().find("mu"))
    throw Skipped{"has no parameter mu, how much is smoothed"};
  bool any = false;
  for (const Settings& settings : bench.variants(4)) {
    bench.at(settings_text(settings));
    const auto with = [&](const char* mu) {
      Settings own = settings;
      own.push_back({"mu", mu, {}, {}});
      return make_objective(bench, own, 0);
    };
    (void)answered(bench, [&] {
      const auto narrow = with("0.3"), wide = with("1.7");
      auto *in_narrow = query<Smoothing>(*narrow), *in_wide = query<Smoothing>(*wide);
      if (!in_narrow || !in_wide) return;
      any = true;
      for (int trial = 0; trial < 8; ++trial) {
        const Element x = dense(*narrow, bench.point(narrow->shape(), trial % 2 ? 1.0 : 0.1));
        const double whole = narrow->value(x) + in_narrow->correction(x);
        bench.equal(wide->value(x) + in_wide->correction(x), whole, 1e-10 * (1.0 + std::abs(whole)),
                    "R(x) + correction(x) with mu = 1.7, against that with mu = 0.3",
                    "correction(x) is what the function with corners has more than R, whatever mu is");
      }
    });
  }
  if (!any) throw Skipped{"does not say what the function with corners has more"};
}

}  // namespace

Tests objective_tests() {
  return {{{"smoothness", kObjectives,
            "||grad(x) - grad(y)|| <= L ||x - y|| for f and its components, <grad(x) - grad(y), x - y> >= m "
            "||x - y||^2 with m the "
            "strong convexity of f, or minus the lower smoothness of a component; at random pairs and along "
            "the largest curvature."},
           constants},
          {{"convexity", kObjectives, "Where it is claimed: f(y) >= f(x) + <grad f(x), y - x>."}, convexity},
          {{"lower-bound", kObjectives, "No value is below the stated lower bound."}, lower_bound},
          {{"component-coefficients", kObjectives,
            "grad f_i(x) = sum_k c_ik(x) a_{iK+k} + s(x) for the coefficients, rows and common part that are "
            "offered."},
           coefficients},
          {{"component-constants", kObjectives,
            "L_i bounds the change of the gradient of component i; weights of a batch are honoured."},
           component_constants},
          {{"corners",
            {Kind::smoother},
            "The value with what smoothing takes off is the same function for every mu."},
           corners},
          {{"extreme-input", kObjectives,
            "At zero, tiny, denormal, huge, infinite and NaN points the result is a refusal or a number; "
            "never NaN at a finite point."},
           extreme_input},
          {{"shape", kObjectives,
            "A point of another shape is refused, and by a smoother of all shapes a gradient of another."},
           shape_refused}};
}

}  // namespace claros::doctor
