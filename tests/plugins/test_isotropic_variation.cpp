// SPDX-License-Identifier: BSD-3-Clause
// The isotropic proximal step of tv beside fast gradient projection written plainly, from any start and
// scale.
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

#include <claros/proximal_oracle.hpp>

namespace claros::test::isotropic_variation {

namespace {

using Values = std::vector<double>;
constexpr std::size_t kRows = 12, kCols = 9, kSize = kRows * kCols;

double down(const Values& x, std::size_t e) { return e % kRows + 1 < kRows ? x[e + 1] - x[e] : 0.0; }
double right(const Values& x, std::size_t e) { return e + kRows < kSize ? x[e + kRows] - x[e] : 0.0; }

/// v - D'u after many plain steps u <- P(u + D(v - D'u) / 8). (Chambolle 2004.)
Values plain_step(const Values& v, double t) {
  constexpr int kSteps = 60000;
  Values a(kSize, 0.0), b(kSize, 0.0), x(v);
  for (int k = 0; k < kSteps; ++k) {
    for (std::size_t e = 0; e < kSize; ++e) {
      const double p = a[e] + down(x, e) / 8.0, q = b[e] + right(x, e) / 8.0,
                   shrink = t / std::max(t, std::hypot(p, q));
      a[e] = shrink * p, b[e] = shrink * q;
    }
    for (std::size_t e = 0; e < kSize; ++e)
      x[e] = v[e] + a[e] + b[e] - (e % kRows ? a[e - 1] : 0.0) - (e >= kRows ? b[e - kRows] : 0.0);
  }
  return x;
}

Values pixels(unsigned seed, double scale) {
  Engine engine(seed);
  Values v(kSize);
  for (std::size_t e = 0; e < kSize; ++e)
    v[e] = scale * ((e / kRows > 4 ? 1.0 : 0.0) + 0.3 * std::normal_distribution<>()(engine));
  return v;
}

}  // namespace

TEST_CASE("tv: the isotropic step is that of plain gradient projection, also from the step before") {
  const auto penalty = create_component(
      build_catalog(), Kind::penalty, "tv",
      {{"lambda", "1", {}, {}}, {"along", "both", {}, {}}, {"kind", "isotropic", {}, {}}}, {});
  auto& tv = *query<ProximalOracle>(*penalty);
  const Shape shape = Shape::matrix(kRows, kCols);
  unsigned seed = 1;
  for (const double scale : {1.0, 1e-8, 1e8})
    for (const double t : {0.4, 0.1}) {
      CAPTURE(scale);
      CAPTURE(t);
      const Values v = pixels(seed++, scale), expected = plain_step(v, scale * t);
      for (const bool sequence : {false, true}) {
        Accuracy accuracy;
        accuracy.tolerance = 1e-10;
        accuracy.sequence = sequence;
        Element x;
        Certificate certificate;
        for (int call = 0; call < (sequence ? 60 : 1); ++call)
          certificate = tv.apply(Element::dense(shape, v), scale * t, x, accuracy);
        double square = 0.0, size = 0.0;
        const Values found = x.to_dense();
        for (std::size_t e = 0; e < kSize; ++e) {
          square += (found[e] - expected[e]) * (found[e] - expected[e]);
          size += expected[e] * expected[e];
        }
        // The certificate bounds the error; plain steps have one of their own.
        CHECK(std::sqrt(square) <= certificate.error + 1e-5 * std::sqrt(size));
        CHECK(certificate.error <= 1e-5 * std::sqrt(size));
      }
    }
}

TEST_CASE("tv: a picture is denoised to a confirmed gap, and resumed to the bit") {
  const TestFolder folder;
  std::string rows;
  const Values v = pixels(9, 1.0);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kCols; ++j) rows += (j ? "," : "") + print_real(v[j * kRows + i]);
    rows += '\n';
  }
  folder.put("picture.csv", rows);
  const Words words{"objective.use=distance", "objective.data=" + (folder / "picture.csv").string(),
                    "penalty.use=tv",         "penalty.lambda=0.2",
                    "penalty.along=both",     "penalty.kind=isotropic"};
  const RunResult r = solve(words + Words{"stop.relative_gap=1e-6", "stop.iterations=2000"});
  REQUIRE_MESSAGE(r.failure.empty(), r.failure);
  CHECK(text(r.status) == "relative-gap");
  CHECK(squared_distance(r.answer.to_dense(), plain_step(v, 0.2)) <= 1e-4);
  std::string saved;
  const Words few = words + Words{"stop.gap=1e-300"};
  (void)solve(few + Words{"stop.iterations=3"}, [&](RunSettings& settings) {
    settings.on_checkpoint = [&](const StateStream& state, bool) { saved = collected(state); };
  });
  const RunResult resumed = solve(few + Words{"stop.iterations=8"},
                                  [&](RunSettings&settings) { settings.resume = saved; }),
                  whole = solve(few + Words{"stop.iterations=8"});
  CHECK(same_bits(resumed.answer, whole.answer));
}

}  // namespace claros::test::isotropic_variation
