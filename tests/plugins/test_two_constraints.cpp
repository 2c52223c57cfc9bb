// SPDX-License-Identifier: BSD-3-Clause
// The l1 norm on two balls at once, and the generalized linear models that have it (Qu, Li, Xu 2017, section
// 2).
#include "../core/numbers.hpp"
#include "../core/test_files.hpp"
#include "compose_for_test.hpp"

#include <penalties/l1/two_constraints.hpp>

#include <doctest/doctest.h>
#include <claros/parameters.hpp>
#include <claros/random.hpp>

using namespace claros;
using claros::test::operator+;

namespace two_constraints_test {

std::vector<double> normal(std::size_t n, RandomStream& stream) {
  std::vector<double> v(n);
  stream.fill_normal(v);
  return v;
}

/// t ||x||_1 + ||x - v||^2 / 2.
double cost(std::span<const double> x, std::span<const double> v, double t) {
  double sum = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += t * std::abs(x[j]) + 0.5 * (x[j] - v[j]) * (x[j] - v[j]);
  return sum;
}

}  // namespace two_constraints_test

using namespace two_constraints_test;

TEST_CASE(
    "two constraints: no point of both balls has a smaller cost than the proximal step, whichever of them "
    "bind") {
  RandomStream stream(3, Purpose::test);
  int binding[4] = {};
  for (int problem = 0; problem < 400; ++problem) {
    const std::size_t n = 1 + static_cast<std::size_t>(stream.index(12));
    const std::vector<double> v = normal(n, stream);
    const double t = 0.3 * stream.uniform(), rho = 0.2 + 4.0 * stream.uniform(),
                 R = 0.2 + 2.0 * stream.uniform();
    std::vector<double> x(n);
    l1::prox_on_both(v, t, rho, R, x);
    const l1::Norms at = l1::Norms::of(x, 0.0);
    REQUIRE(at.sum <= rho * (1.0 + 1e-12));
    REQUIRE(at.length <= R * (1.0 + 1e-12));
    ++binding[(at.sum > rho * (1.0 - 1e-9)) + 2 * (at.length > R * (1.0 - 1e-9))];
    const double least = cost(x, v, t);
    // Convex: no smaller cost nearby means none anywhere.
    for (int other = 0; other < 40; ++other) {
      std::vector<double> y = normal(n, stream);
      const double size = std::pow(10.0, -5.0 * stream.uniform());
      for (std::size_t j = 0; j < n; ++j) y[j] = x[j] + size * y[j];
      const l1::Norms far = l1::Norms::of(y, 0.0);
      const double shrink = std::min({1.0, rho / far.sum, R / far.length});
      for (double& value : y) value *= shrink;
      CHECK(cost(y, v, t) >= least - 1e-12);
    }
    // Fenchel: h*(s) + h(x) >= <s, x>, and equal at s = (v - x), which is a subgradient.
    std::vector<double> s(n);
    double product = 0.0;
    for (std::size_t j = 0; j < n; ++j) s[j] = v[j] - x[j], product += s[j] * x[j];
    CHECK(l1::conjugate_on_both(s, t, rho, R) == doctest::Approx(product - t * at.sum).epsilon(1e-9));
  }
  for (const int count : binding) CHECK(count > 20);
}

TEST_CASE(
    "two constraints: logistic and Gaussian models on both balls are solved to a duality gap, and resting "
    "constraints change nothing") {
  const TestFolder folder;
  RandomStream stream(8, Purpose::test);
  std::string rows;
  for (int i = 0; i < 120; ++i) {
    const std::vector<double> a = normal(10, stream);
    rows += a[0] - a[1] + 0.5 * normal(1, stream)[0] > 0.0 ? "1" : "-1";
    for (std::size_t j = 0; j < a.size(); ++j)
      rows += " " + std::to_string(j + 1) + ":" + std::to_string(a[j]);
    rows += "\n";
  }
  const std::string data = folder.put("labels.svm", rows).string();
  for (const std::string loss : {"logistic", "squared"}) {
    CAPTURE(loss);
    const auto solved = [&](const test::Words& more) {
      return test::solve(test::Words{"objective.use=linear-model", "objective.loss=" + loss,
                                     "objective.data=" + data, "penalty.use=l1", "penalty.lambda=0.01",
                                     "algorithm.use=proximal-gradient", "stop.gap=1e-8",
                                     "stop.iterations=20000"} +
                         more);
    };
    const RunResult free = solved({}), resting = solved({"penalty.rho=1e4", "penalty.radius=1e3"});
    CHECK(free.status == Status::gap);
    CHECK(resting.status == Status::gap);
    CHECK(resting.measurement.value == doctest::Approx(free.measurement.value).epsilon(1e-7));
    const l1::Norms norms = l1::Norms::of(free.answer.to_dense(), 0.0);
    const double rho = 0.8 * norms.sum, R = 0.7 * norms.length;
    const RunResult both = solved({"penalty.rho=" + print_real(rho), "penalty.radius=" + print_real(R)});
    CHECK(both.status == Status::gap);
    CHECK(both.measurement.value > free.measurement.value + 1e-6);
    const l1::Norms n = l1::Norms::of(both.answer.to_dense(), 0.0);
    CHECK(n.sum <= rho * (1.0 + 1e-9));
    CHECK(n.length == doctest::Approx(R).epsilon(1e-6));
  }
}
