// SPDX-License-Identifier: BSD-3-Clause
// Proximal steps at every scale: p = prox_{s h}(v) exactly where u = (v - p) / s is a subgradient of h at p,
// which is where h(p) + h*(u) = <u, p>. A step that rounding has swallowed is none.
#include "convex_cases.hpp"

#include <cmath>
#include <limits>

namespace claros::test::vanishing_steps {

namespace {

using Wide = long double;

constexpr double kTiny = std::numeric_limits<double>::denorm_min();
const std::vector<double> kScales{1e-160, 1e-100, 1e-30, 1e-8, 1.0, 1e8, 1e30, 1e100, 1e160};
const std::vector<double> kSteps{1e-30, 1e-16, 1e-3, 1.0, 1e3, 1e16, 1e30};

Wide product(const std::vector<double>& a, const std::vector<double>& b) {
  Wide sum = 0.0L;
  for (std::size_t j = 0; j < a.size(); ++j) sum += Wide(a[j]) * b[j];
  return sum;
}
Wide length(const std::vector<double>& a) { return std::sqrt(product(a, a)); }

/// How far h(p) + h*(u) is from <u, p>, as a part of them; 0 where squares leave the range of doubles.
Wide defect(Component& h, const Shape& shape, const std::vector<double>& v, double step) {
  Element point;
  const Certificate certificate =
      query<ProximalOracle>(h)->apply(Element::dense(shape, std::vector<double>(v)), step, point, {});
  const std::vector<double> p = point.to_dense();
  std::vector<double> u(v.size());
  for (std::size_t j = 0; j < u.size(); ++j) u[j] = static_cast<double>((Wide(v[j]) - p[j]) / step);
  auto& conjugate = *query<Conjugate>(h);
  Element s = Element::dense(shape, std::vector<double>(u));
  const double a = conjugate.into_domain(s);
  s.scale(a);
  const Wide here = query<ProximalOracle>(h)->value(point), there = conjugate.conjugate(s),
             both = Wide(a) * product(u, p), sizes = std::abs(here) + std::abs(there) + std::abs(both);
  if (std::ranges::all_of(p, [](double value) { return value == 0.0; }) && a < 1.0 - 1e-9) return 1.0L;
  if (!std::isfinite(here) || !std::isfinite(there) || sizes < 1e-280L || sizes > 1e280L) return 0.0L;
  // u has lost what v and p have in common, and h* what u and the corner of h have.
  const Wide lost = (1e-14L * length(v) + certificate.error) / step * length(p) + 1e-29L * product(u, u);
  return std::max(0.0L, std::abs(here + there - both) - lost) / sizes;
}

}  // namespace

TEST_CASE("vanishing steps: a proximal step is one at every scale and of every length") {
  for (const Shape& shape : {Shape::vector(12), Shape::matrix(3, 8)}) {
    Engine engine(7);
    const std::vector<double> numbers = testing::normals(engine, static_cast<std::size_t>(shape.size()));
    const std::vector<Case> more{penalty("exclusive", {"lambda=0.7", "groups=4"}),
                                 penalty("exclusive", {"lambda=1e21", "groups=1"}),
                                 penalty("slope", {"lambda=0.7"})};
    for (const Case& c : convex_penalties(shape) + more) {
      CAPTURE(c.text());
      const auto h = c.make();
      REQUIRE(query<Conjugate>(*h));
      for (const double scale : kScales)
        for (const double step : kSteps) {
          CAPTURE(scale);
          CAPTURE(step);
          std::vector<double> v(numbers);
          for (double& value : v) value *= scale;
          CHECK(defect(*h, shape, v, step) <= 1e-7L);
        }
    }
  }
}

/// prox of step lambda ||x||_1^2 / 2: the level by bisection of c = a sum_k max(|v_k| - c, 0) in the depth
/// below the largest magnitude.
TEST_CASE("vanishing steps: exclusive takes from a group what is left, however long the step") {
  const Shape shape = Shape::vector(4);
  for (const std::vector<double>& v : {std::vector<double>{3.0, -1.0, 0.5, 2.0},
                                       {2.0, -2.0, 2.0, 1.0},
                                       {1.0 + 1e-15, 1.0, -1.0, 0.0},
                                       {1e-9, -5.0, 1e9, 1e9}})
    for (const double step : {1e-12, 1.0, 1e6, 1e15, 1e16, 1e18, 1e40, 1e200})
      for (const double lambda : {1.0, 1e-30, 1e21, 1e160}) {
        CAPTURE(step);
        CAPTURE(lambda);
        const auto h = create_component(
            build_catalog(), Kind::penalty, "exclusive",
            penalty("exclusive", {"groups=4", "lambda=" + print_real(lambda)}).settings(), {});
        Element point;
        (void)query<ProximalOracle>(*h)->apply(Element::dense(shape, std::vector<double>(v)), step, point,
                                               {});
        const std::vector<double> p = point.to_dense();
        const Wide a = Wide(step) * lambda;
        Wide top = 0.0L;
        for (const double value : v) top = std::max<Wide>(top, std::abs(value));
        const auto excess = [&](Wide depth) {
          Wide sum = 0.0L;
          for (const double value : v) sum += std::max<Wide>(depth - (top - std::abs(Wide(value))), 0.0L);
          return depth + a * sum - top;
        };
        Wide low = 0.0L, high = top;
        for (int k = 0; k < 20000 && low < high; ++k) {
          const Wide middle = low + (high - low) / 2;
          if (middle == low || middle == high) break;
          (excess(middle) > 0.0L ? high : low) = middle;
        }
        for (std::size_t j = 0; j < v.size(); ++j) {
          const Wide expected = std::max<Wide>(high - (top - std::abs(Wide(v[j]))), 0.0L);
          CHECK(std::abs(std::abs(Wide(p[j])) - expected) <= 4e-15L * high + kTiny);
          CHECK((p[j] == 0.0 || (p[j] > 0.0) == (v[j] > 0.0)));
        }
      }
}

}  // namespace claros::test::vanishing_steps
