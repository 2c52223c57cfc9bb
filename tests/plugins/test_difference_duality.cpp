// SPDX-License-Identifier: BSD-3-Clause
// The conjugates of tv and fused beside enumeration and sampling, and the gaps that runs have by them.
#include "convex_cases.hpp"

#include <cmath>
#include <random>

namespace claros::test::difference_duality {

namespace {

using Values = std::vector<double>;

Conjugate& conjugate_of(const std::shared_ptr<Component>& h) { return *query<Conjugate>(*h); }

/// A direction D'u + share v, |u| <= 1 at least once with equality: dual norm 1 where share is 0.
Values divergence(Engine& engine, Index rows, Index cols, bool isotropic) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(cols);
  Values s(m * n, 0.0);
  const double most = isotropic ? std::sqrt(0.5) : 1.0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t e = j * m + i;
      if (const double u = most * uniform(engine); i + 1 < m) s[e] -= u, s[e + 1] += u;
      if (const double u = most * uniform(engine); j + 1 < n) s[e] -= u, s[e + m] += u;
    }
  return s;
}

}  // namespace

TEST_CASE("tv and fused: the conjugate is finite inside its domain and at its edge, and infinite beyond") {
  // D'z = s of the line (1, -1, 2, -2): flows 1, 0, 2.
  const Element s = Element::dense(Shape::vector(4), {1, -1, 2, -2});
  const auto tv = penalty("tv", {"lambda=2"}).make(), small = penalty("tv", {"lambda=1"}).make();
  CHECK(conjugate_of(tv).conjugate(s) == 0.0);
  CHECK(conjugate_of(tv).into_domain(s) == 1.0);
  CHECK(std::isinf(conjugate_of(small).conjugate(s)));
  CHECK(conjugate_of(small).into_domain(s) == 0.5);
  CHECK(conjugate_of(tv).into_domain(Element::dense(Shape::vector(2), {1, -0.9})) == 0.0);
  // 3 at one end: 1 stays as v, 1 as flow into the next entry, which keeps it as v; so a = 2/3.
  const auto fused = penalty("fused", {"lambda=2", "ratio=0.5"}).make();
  CHECK(conjugate_of(fused).into_domain(Element::dense(Shape::vector(3), {3, 0, 0})) ==
        doctest::Approx(2.0 / 3.0).epsilon(1e-12));
  CHECK(conjugate_of(fused).conjugate(Element::dense(Shape::vector(3), {2, 0, 0})) == 0.0);
  CHECK(std::isinf(conjugate_of(fused).conjugate(Element::dense(Shape::vector(3), {2.01, 0, 0}))));
}

TEST_CASE("tv and fused: <s, x> <= h(x) for every s of the domain, and the edge is no further out") {
  Engine engine(5);
  for (const Words& options :
       {Words{"lambda=0.7"}, Words{"lambda=0.7", "along=rows"}, Words{"lambda=0.7", "along=both"},
        Words{"lambda=0.7", "along=both", "kind=isotropic"}})
    for (const auto& [rows, cols] : std::vector<std::pair<Index, Index>>{{1, 1}, {6, 1}, {5, 7}}) {
      CAPTURE(options.back());
      const Shape shape = Shape::matrix(rows, cols);
      const auto h = penalty("tv", options).make();
      for (int trial = 0; trial < 10; ++trial) {
        Values s = divergence(engine, rows, cols, options.size() > 2);
        if (options.size() == 1 || options[1] == "along=rows") {
          // Along lines alone: differences of the prox, which is a point of the domain.
          const Values v = testing::normals(engine, rows * cols);
          const Values x = prox(*query<ProximalOracle>(*h), shape, v, 1.0);
          for (std::size_t k = 0; k < s.size(); ++k) s[k] = (v[k] - x[k]) / 0.7;
        }
        const double a = conjugate_of(h).into_domain(Element::dense(shape, s));
        CHECK(a <= 1.0);
        CHECK(a >= 0.7 * 0.7 - 1e-6);  // s has a flow of at most 1 (isotropic: of 1, by sqrt(1/2) each)
        Element scaled = Element::dense(shape, s);
        scaled.scale(a);
        CHECK(conjugate_of(h).conjugate(scaled) == 0.0);
        for (int point = 0; point < 20; ++point) {
          const Element x = Element::dense(shape, testing::normals(engine, rows * cols));
          const double value = query<ProximalOracle>(*h)->value(x);
          CHECK(inner(scaled, x) <= value + 1e-12 * (1.0 + value));
        }
      }
    }
}

TEST_CASE("tv of images: the bound comes near the dual norm, which a line on the edge of the domain shows") {
  // Steps down the middle: <s, x> = h(x) is reached for x the indicator of the left half.
  const Shape shape = Shape::matrix(4, 6);
  Values s(24, 0.0);
  for (std::size_t i = 0; i < 4; ++i) s[2 * 4 + i] = 1.0, s[3 * 4 + i] = -1.0;
  for (const Words& options :
       {Words{"lambda=0.5", "along=both"}, Words{"lambda=0.5", "along=both", "kind=isotropic"}}) {
    const auto h = penalty("tv", options).make();
    CHECK(conjugate_of(h).into_domain(Element::dense(shape, s)) == doctest::Approx(0.5).epsilon(1e-3));
  }
}

TEST_CASE("tv and fused: runs reach their gap, with a linear model too") {
  const Words data{"data.use=synthetic-regression",
                   "data.rows=60",
                   "data.cols=12",
                   "data.nonzero=4",
                   "data.noise=0.1",
                   "data.seed=3",
                   "objective.use=linear-model",
                   "objective.loss=squared"};
  for (const Words& penalty :
       {Words{"penalty.use=tv", "penalty.lambda=0.05"}, Words{"penalty.use=fused", "penalty.lambda=0.05"},
        Words{"penalty.use=fused", "penalty.lambda=0.05", "penalty.ratio=0"}}) {
    CAPTURE(penalty.front());
    const RunResult result = solve(data + penalty + Words{"stop.relative_gap=1e-7", "stop.iterations=20000"});
    CHECK_MESSAGE(result.failure.empty(), result.failure);
    CHECK(result.status == Status::relative_gap);
    CHECK(result.measurement.gap_kind == "duality");
    const RunResult further = solve(data + penalty + Words{"stop.iterations=5000"});
    CHECK(further.measurement.value >= result.measurement.value - result.measurement.gap - 1e-14);
  }
}

TEST_CASE("tv of images: a picture of steps and noise is denoised to a relative gap of 1e-6") {
  Engine engine(9);
  const TestFolder folder;
  std::string text;
  const Values noise = testing::normals(engine, 20 * 24);
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 0; j < 24; ++j)
      text += print_real((i > 5 && j > 8 ? 0.9 : 0.1) + 0.1 * noise[i * 24 + j]) + (j < 23 ? "," : "\n");
  const std::string file = folder.put("y.csv", text).string();
  for (const char* kind : {"anisotropic", "isotropic"}) {
    CAPTURE(kind);
    const RunResult result = solve({"objective.use=distance", "objective.data=" + file, "penalty.use=tv",
                                    "penalty.along=both", std::string("penalty.kind=") + kind,
                                    "penalty.lambda=0.1", "stop.relative_gap=1e-6", "stop.iterations=50"});
    CHECK(result.status == Status::relative_gap);
  }
}

}  // namespace claros::test::difference_duality
