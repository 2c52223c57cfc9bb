// SPDX-License-Identifier: BSD-3-Clause
// Alternating least squares: its regressions against dense ones in double, its limit against proximal
// gradient, and no success without the gap.
#include <algorithms/alternating/lines.hpp>

#include "compose_for_test.hpp"

#include <Eigen/Dense>
#include <claros/element/parallel.hpp>

#include <cmath>

namespace claros::test::alternating {

namespace {

Words by(const std::string& algorithm, const Words& more = {}) {
  return Words{"algorithm.use=" + algorithm, "stop.iterations=4000"} + more;
}
Words penalty(const std::string& lambda) { return {"penalty.use=nuclear", "penalty.lambda=" + lambda}; }

std::vector<float> normals(std::size_t count, std::uint64_t seed) {
  Engine engine(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(engine);
  return values;
}

}  // namespace

TEST_CASE(
    "alternating: every line is a ridge regression, as a dense one in double is, by rows and by columns") {
  for (const bool weighted : {false, true})
    for (const Index factors : {1, 7, 8, 24, 33, 48}) {
      CAPTURE(factors);
      Engine engine(51);
      const Ratings r = random_ratings(engine, 30, 20, 2, 260);
      const Pattern pattern(r.rows, r.cols, r.row, r.col);
      std::vector<double> a(r.value.size(), 1.0);
      std::uniform_real_distribution<double> uniform(0.5, 4.0);
      if (weighted)
        for (double& w : a) w = uniform(engine);
      for (const bool rows : {true, false}) {
        const std::size_t width = Lines::width(factors), k = static_cast<std::size_t>(factors);
        const Index across = rows ? r.cols : r.rows, count = rows ? r.rows : r.cols;
        std::vector<float> V = normals(static_cast<std::size_t>(across) * width, 52), G(width * width, 0.0F),
                           U(static_cast<std::size_t>(count) * width, 1.0F);
        for (std::size_t at = 0; at < V.size(); ++at)
          if (at % width >= k) V[at] = 0.0F;
        for (std::size_t l = 0; l < width; ++l) G[l * width + l] = 0.7F;
        const Lines lines = rows ? Lines::rows(pattern, a, r.value) : Lines::columns(pattern, a, r.value);
        for (int round = 0; round < (factors > 40 ? 1000 : 1);
             ++round)  // of conjugate gradients, from the last
          lines.solve(V, G, width, U);
        for (Index i = 0; i < count; ++i) {
          Eigen::MatrixXd A = 0.7 * Eigen::MatrixXd::Identity(factors, factors);
          Eigen::VectorXd b = Eigen::VectorXd::Zero(factors);
          bool some = false;
          for (std::size_t e = 0; e < r.value.size(); ++e) {
            if ((rows ? r.row : r.col)[e] != i) continue;
            Eigen::VectorXd v(factors);
            for (std::size_t l = 0; l < k; ++l)
              v[static_cast<Index>(l)] =
                  static_cast<double>(V[static_cast<std::size_t>((rows ? r.col : r.row)[e]) * width + l]);
            A += a[e] * v * v.transpose();
            b += r.value[e] * v;
            some = true;
          }
          const Eigen::VectorXd u = A.ldlt().solve(b);
          for (std::size_t l = 0; l < width; ++l) {
            const auto found = static_cast<double>(U[static_cast<std::size_t>(i) * width + l]);
            const double expected = l < k && some ? u[static_cast<Index>(l)] : 0.0;
            CHECK(std::abs(found - expected) <= 1e-4 * (1.0 + u.norm()));
          }
        }
      }
    }
}

TEST_CASE("alternating: the bits of a step depend neither on threads nor on the instruction set") {
  Engine engine(53);
  const Ratings r = random_ratings(engine, 500, 300, 3, 20000);
  const Pattern pattern(r.rows, r.cols, r.row, r.col);
  const std::vector<double> ones(r.value.size(), 1.0);
  const Lines lines = Lines::rows(pattern, ones, r.value);
  const std::size_t width = 24;
  const std::vector<float> V = normals(static_cast<std::size_t>(r.cols) * width, 54);
  std::vector<float> G(width * width, 0.0F), first(static_cast<std::size_t>(r.rows) * width), other = first;
  for (std::size_t l = 0; l < width; ++l) G[l * width + l] = 3.0F;
  lines.solve(V, G, width, first, InstructionSet::baseline);
  for (const int threads : {2, 5}) {
    const ThreadScope scope(threads);
    lines.solve(V, G, width, other);
    CHECK(first == other);
  }
}

TEST_CASE("alternating: the minimum of proximal gradient, where the rank allows it") {
  for (const std::uint64_t seed : {55, 56}) {
    const SmallProblem p(seed, 40, 30, 3, 500);
    for (const char* lambda : {"0.1*max", "0.3*max", "2*max"})
      for (const char* ratio : {"0.8", "1"}) {
        CAPTURE(lambda);
        const Words problem = p.objective() + penalty(lambda);
        const RunResult reference = solve(problem + by("proximal-gradient", {"stop.relative_gap=1e-8"})),
                        r = solve(problem + by("alternating", {"stop.relative_gap=1e-4",
                                                               std::string("algorithm.ratio=") + ratio}));
        REQUIRE(is_target(reference.status));
        REQUIRE_MESSAGE(is_target(r.status), text(r.status));
        CHECK(r.measurement.confirmed);
        CHECK(r.measurement.value >= reference.measurement.value - reference.measurement.gap);
        CHECK(r.measurement.value <= reference.measurement.value + r.measurement.gap);
      }
  }
}

TEST_CASE("alternating: conjugate gradients of many factors end at the same minimum") {
  const SmallProblem p(60, 70, 60, 4, 1500);
  const Words problem = p.objective() + penalty("0.05*max");
  const RunResult reference = solve(problem + by("proximal-gradient", {"stop.relative_gap=1e-8"})),
                  r = solve(problem + by("alternating", {"algorithm.rank=56", "stop.relative_gap=1e-4"}));
  REQUIRE_MESSAGE(is_target(r.status), text(r.status));
  CHECK(r.measurement.value >= reference.measurement.value - reference.measurement.gap);
  CHECK(r.measurement.value <= reference.measurement.value + r.measurement.gap);
}

TEST_CASE("alternating: too few factors never meet a gap") {
  const SmallProblem p(57, 40, 30, 3, 500);
  const RunResult r = solve(p.objective() + penalty("0.02*max") +
                            Words{"algorithm.use=alternating", "algorithm.rank=2", "stop.relative_gap=1e-4",
                                  "stop.iterations=300"});
  CHECK(!is_target(r.status));
  CHECK(r.measurement.gap > 1e-3 * r.measurement.value);
}

TEST_CASE("alternating: values of any size have the same solution in their units") {
  const SmallProblem p(58, 20, 15, 2, 150);
  const auto norm_of = [&](double scale) {
    Ratings ratings = p.ratings();
    for (double& value : ratings.value) value *= scale;
    const SmallProblem scaled(ratings);
    return norm(solve(scaled.objective() + penalty("0.2*max") +
                      Words{"algorithm.use=alternating", "stop.iterations=30"})
                    .answer) /
           scale;
  };
  const double usual = norm_of(1.0);
  for (const double scale : {1e-60, 1e60}) CHECK(norm_of(scale) == doctest::Approx(usual).epsilon(1e-5));
}

TEST_CASE("alternating: more factors than entries a line, and penalties down to rounding, end no run") {
  const SmallProblem p(60, 30, 20, 2, 240);
  for (const char* lambda : {"1e-4*max", "1e-8*max", "1e-9", "1e-14*max", "1e-20*max"})
    for (const char* rank : {"8", "20", "50"}) {
      CAPTURE(lambda);
      CAPTURE(rank);
      const RunResult r =
          solve(p.objective() + penalty(lambda) + Words{"algorithm.use=alternating", "stop.iterations=200"} +
                Words{std::string("algorithm.rank=") + rank});
      CHECK_MESSAGE((is_target(r.status) || r.status == Status::iterations), r.failure);
      CHECK(r.measurement.value < 1e-2);
    }
}

TEST_CASE("alternating: losses and variables that have no such regressions are refused") {
  const SmallProblem p(59, 20, 15, 2, 150);
  const auto refused = [&](const Words& words) {
    return refusal(ErrorKind::usage, [&] { (void)solve(words); });
  };
  CHECK(contains(refused(p.objective() + penalty("0.1*max") + by("alternating", {"objective.loss=huber"})),
                 "found another function"));
  CHECK(contains(refused(p.objective() + Words{"set.use=nuclear-ball", "set.radius=5"} + by("alternating")),
                 "squared norms of the factors"));
}

}  // namespace claros::test::alternating
