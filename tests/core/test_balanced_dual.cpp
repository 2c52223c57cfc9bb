// SPDX-License-Identifier: BSD-3-Clause
// Dual points that are made orthogonal to several directions by shrinking some of their entries.
#include <doctest/doctest.h>
#include <claros/sdk/losses/balanced_dual.hpp>

#include <random>

using namespace claros;

namespace {

constexpr std::size_t kSize = 40;

struct Case {
  std::vector<double> u, w, ones = std::vector<double>(kSize, 1.0), ramp, square;
  explicit Case(unsigned seed) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < kSize; ++i) {
      u.push_back(normal(engine)), w.push_back(0.5 + static_cast<double>(i % 3));
      ramp.push_back(static_cast<double>(i + 1) / kSize), square.push_back(ramp.back() * ramp.back());
    }
  }
};

double along(const std::vector<double>& u, const std::vector<double>& w, const std::vector<double>& e) {
  double sum = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += (w.empty() ? 1.0 : w[i]) * u[i] * e[i];
  return sum;
}

}  // namespace

TEST_CASE("balanced dual: sums along all directions vanish, and no entry grows or turns") {
  int made = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Case c(seed);
    const std::vector<std::vector<double>> two{c.ones, c.ramp}, three{c.ones, c.ramp, c.square};
    for (const auto& directions : {two, three})
      for (const auto& w : {std::vector<double>(), c.w}) {
        std::vector<double> u = c.u;
        if (!sdk::balance(u, w, directions)) {
          CHECK(u == c.u);
          continue;
        }
        ++made;
        double most = 0.0;
        for (const auto& e : directions) CHECK(std::abs(along(u, w, e)) <= 1e-13);
        for (std::size_t i = 0; i < kSize; ++i) {
          CHECK(u[i] * c.u[i] >= 0.0);
          CHECK(std::abs(u[i]) <= std::abs(c.u[i]));
          most = std::max(most, u[i] / c.u[i]);
        }
        CHECK(most == doctest::Approx(1.0));  // no more is taken off than has to be
      }
  }
  CHECK(made > 80);
}

TEST_CASE("balanced dual: a point that is balanced stays, and one nearby moves by as little") {
  Case c(3);
  REQUIRE(sdk::balance(c.u, c.w, {c.ones, c.ramp}));
  std::vector<double> again = c.u;
  REQUIRE(sdk::balance(again, c.w, {c.ones, c.ramp}));
  for (std::size_t i = 0; i < kSize; ++i) CHECK(again[i] == doctest::Approx(c.u[i]).epsilon(1e-12));
  std::vector<double> near = c.u;
  near[7] *= 1.0 + 1e-6;
  REQUIRE(sdk::balance(near, c.w, {c.ones, c.ramp}));
  for (std::size_t i = 0; i < kSize; ++i) CHECK(near[i] == doctest::Approx(c.u[i]).epsilon(1e-5));
}

TEST_CASE("balanced dual: what cannot be balanced is refused and left alone") {
  Case c(5);
  std::vector<double> positive(kSize, 2.0);
  CHECK(!sdk::balance(positive, {}, {c.ones}));
  CHECK(positive == std::vector<double>(kSize, 2.0));
  std::vector<double> u = c.u;
  CHECK(!sdk::balance(u, {}, {c.ones, c.ones}));
  CHECK(u == c.u);
  std::vector<double> zero(kSize, 0.0);
  CHECK(!sdk::balance(zero, {}, {c.ones, c.ramp}));
}

TEST_CASE("balanced dual: a few equations are solved whatever their order") {
  // The first pivot is 0.
  const std::vector<double> x =
      sdk::solve_few({{0.0, 2.0, 1.0}, {1.0, -1.0, 0.0}, {3.0, 0.0, 1.0}}, {5.0, -1.0, 4.0});
  REQUIRE(x.size() == 3);
  CHECK(2.0 * x[1] + x[2] == doctest::Approx(5.0));
  CHECK(x[0] - x[1] == doctest::Approx(-1.0));
  CHECK(3.0 * x[0] + x[2] == doctest::Approx(4.0));
  CHECK(sdk::solve_few({{1.0, 1.0}, {1.0, 1.0}}, {1.0, 2.0}).empty());
}
