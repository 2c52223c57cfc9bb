// SPDX-License-Identifier: BSD-3-Clause
// Losses with a logarithmic link, and quantiles: derivatives, conjugates, what they fit, and certified
// regressions.
#include "compose_for_test.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/loss.hpp>

#include <numeric>

using namespace claros;
using namespace claros::test;

namespace {

struct LinkCase {
  std::string name;
  std::vector<Setting> settings;
  std::vector<double> targets;
};

std::vector<LinkCase> link_cases() {
  return {{"gamma", {}, {0.01, 1.0, 7.5}},
          {"tweedie", {}, {0.0, 0.3, 4.0}},
          {"tweedie", {{"power", "1.1", {}, {}}}, {0.0, 0.3, 4.0}},
          {"tweedie", {{"power", "1.9", {}, {}}}, {0.0, 0.3, 4.0}},
          {"tweedie", {{"power", "2", {}, {}}}, {0.3, 4.0}},
          {"negative-binomial", {}, {0.0, 1.0, 9.0}},
          {"negative-binomial", {{"theta", "0.2", {}, {}}}, {0.0, 1.0, 9.0}},
          {"poisson", {}, {0.0, 1.0, 9.0}},
          {"quantile", {{"delta", "0.1", {}, {}}}, {-1.0, 0.0, 2.0}},
          {"quantile", {{"tau", "0.9", {}, {}}, {"delta", "0.1", {}, {}}}, {-1.0, 0.0, 2.0}}};
}

std::shared_ptr<Loss> made_loss(const LinkCase& c) {
  return std::static_pointer_cast<Loss>(
      create_component(build_catalog(), Kind::loss, c.name, c.settings, Context{}));
}

double at(const Loss& loss, double z, double y) { return loss.sum({&z, 1}, {&y, 1}); }
double slope_of(const Loss& loss, double z, double y) {
  double out = 0.0;
  loss.derivative({&z, 1}, {&y, 1}, {&out, 1});
  return out;
}
double bend_of(const Loss& loss, double z, double y) {
  double out = 0.0;
  loss.second_derivative({&z, 1}, {&y, 1}, {&out, 1});
  return out;
}

}  // namespace

TEST_CASE("link losses: derivatives agree with central differences") {
  constexpr double h = 1e-5;
  for (const LinkCase& c : link_cases()) {
    const auto loss = made_loss(c);
    for (const double y : c.targets)
      for (double z = -3.0; z <= 3.0; z += 0.0371) {
        if (c.name == "quantile" && (std::abs(std::abs(z - y) - 0.1) < 2 * h || std::abs(z - y) < 2 * h))
          continue;
        CAPTURE(c.name);
        CAPTURE(z);
        CAPTURE(y);
        CHECK(
            slope_of(*loss, z, y) ==
            doctest::Approx((at(*loss, z + h, y) - at(*loss, z - h, y)) / (2 * h)).epsilon(1e-7).scale(1.0));
        CHECK(bend_of(*loss, z, y) ==
              doctest::Approx((slope_of(*loss, z + h, y) - slope_of(*loss, z - h, y)) / (2 * h))
                  .epsilon(1e-6)
                  .scale(1.0));
      }
  }
}

TEST_CASE("link losses: a conjugate is the largest of u z - psi, attained where u is the slope") {
  for (const LinkCase& c : link_cases()) {
    const auto loss = made_loss(c);
    REQUIRE(loss->has_conjugate());
    for (const double y : c.targets)
      for (double z = -2.5; z <= 2.5; z += 0.31) {
        CAPTURE(c.name);
        CAPTURE(z);
        CAPTURE(y);
        const double u = slope_of(*loss, z, y), conjugate = loss->conjugate({&u, 1}, {&y, 1}, {});
        CHECK(conjugate == doctest::Approx(u * z - at(*loss, z, y)).epsilon(1e-12).scale(1.0));
        for (double other = -6.0; other <= 6.0; other += 0.17)
          CHECK(u * other - at(*loss, other, y) <= conjugate + 1e-11 * (1.0 + std::abs(conjugate)));
      }
  }
}

TEST_CASE(
    "link losses: tweedie of power 2 is gamma, and of power 3 half the deviance of the inverse Gaussian") {
  const auto two = made_loss({"tweedie", {{"power", "2", {}, {}}}, {}}), gamma = made_loss({"gamma", {}, {}}),
             three = made_loss({"tweedie", {{"power", "3", {}, {}}}, {}});
  CHECK(two->constants().convex);
  CHECK(!three->constants().convex);
  CHECK(!three->accepts(0.0));
  constexpr double h = 1e-5;
  for (const double y : {0.2, 1.0, 6.0})
    for (double z = -2.9; z <= 3.0; z += 0.0971) {
      CAPTURE(y);
      CAPTURE(z);
      CHECK(at(*two, z, y) == doctest::Approx(at(*gamma, z, y)).epsilon(1e-12));
      CHECK(slope_of(*two, z, y) == doctest::Approx(slope_of(*gamma, z, y)).epsilon(1e-12).scale(1.0));
      const double m = std::exp(z);
      CHECK(at(*three, z, y) == doctest::Approx((y - m) * (y - m) / (2.0 * m * m * y)).epsilon(1e-10));
      const double rise = (at(*three, z + h, y) - at(*three, z - h, y)) / (2 * h),
                   bend = (slope_of(*three, z + h, y) - slope_of(*three, z - h, y)) / (2 * h);
      CHECK(slope_of(*three, z, y) == doctest::Approx(rise).epsilon(1e-7).scale(1.0));
      CHECK(bend_of(*three, z, y) == doctest::Approx(bend).epsilon(1e-6).scale(1.0));
      // sup over s of u s - psi(s): infinite for u > 0, where psi is bounded; found on a grid otherwise.
      const double u = slope_of(*three, z, y), conjugate = three->conjugate({&u, 1}, {&y, 1}, {});
      CHECK(std::isinf(conjugate) == (u > 0.0));
      if (u < 0.0) CHECK(conjugate == doctest::Approx(u * z - at(*three, z, y)).epsilon(1e-10).scale(1.0));
      for (double other = -6.0; other <= 6.0; other += 0.17)
        CHECK(u * other - at(*three, other, y) <= conjugate + 1e-11);
    }
}

TEST_CASE("link losses: the median is Huber's loss over 2 delta") {
  const auto quantile = made_loss({"quantile", {{"tau", "0.5", {}, {}}, {"delta", "0.4", {}, {}}}, {}});
  const auto huber = made_loss({"huber", {{"delta", "0.4", {}, {}}}, {}});
  for (double z = -3.0; z <= 3.0; z += 0.07)
    CHECK(at(*quantile, z, 0.3) == doctest::Approx(at(*huber, z, 0.3) / 0.8).epsilon(1e-13));
}

TEST_CASE("link losses: far predictions have finite values and slopes of one tangent") {
  for (const LinkCase& c : link_cases()) {
    const auto loss = made_loss(c);
    for (const double y : c.targets)
      for (const double z : {-5000.0, -900.0, 900.0, 5000.0}) {
        CAPTURE(c.name);
        CAPTURE(z);
        CHECK(std::isfinite(at(*loss, z, y)));
        // Convex: the tangent at z lies below psi at a point on the way back to 0.
        const double nearer = 0.9 * z, tangent = at(*loss, z, y) + slope_of(*loss, z, y) * (nearer - z);
        CHECK(tangent <= at(*loss, nearer, y) * (1.0 + 1e-12) + 1e-9);
      }
  }
}

TEST_CASE("link losses: targets that a loss is not for are refused with the row") {
  const auto refused = [](const std::string& loss, double target) {
    return refusal(ErrorKind::data, [&] {
      HostParts parts;
      parts.data = data_from_rows(std::vector<double>{1.0, 2.0}, 2, 1, std::vector<double>{1.0, target});
      (void)compose(build_catalog(),
                    spec_of({"objective.use=linear-model", "objective.loss=" + loss, "penalty.use=l1",
                             "penalty.lambda=0.1", "stop.iterations=1"}),
                    parts);
    });
  };
  CHECK(contains(refused("gamma", 0.0), "> 0"));
  CHECK(contains(refused("gamma", -1.0), "row"));
  CHECK(contains(refused("tweedie", -1.0), ">= 0"));
  CHECK(contains(refused("negative-binomial", -1.0), ">= 0"));
}

TEST_CASE("link losses: an intercept alone fits the mean, a quantile the quantile") {
  const std::vector<double> y{0.5, 1.0, 1.5, 4.0, 9.0};
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / 5.0;
  for (const std::string loss : {"gamma", "tweedie", "negative-binomial", "quantile"}) {
    HostParts parts;
    parts.data = data_from_rows(std::vector<double>(5, 1.0), 5, 1, y);
    const Composition c =
        compose(build_catalog(),
                spec_of({"objective.use=linear-model", "objective.loss=" + loss, "penalty.use=l1",
                         "penalty.lambda=0", "stop.residual=1e-9", "stop.iterations=20000"}),
                parts);
    const RunResult r = run(c, run_settings(c));
    CAPTURE(loss);
    CHECK(is_target(r.status));
    const double z = r.answer.to_dense()[0];
    if (loss == "quantile")
      CHECK(z == doctest::Approx(1.5));  // the median
    else
      CHECK(std::exp(z) == doctest::Approx(mean).epsilon(1e-7));
  }
}

TEST_CASE("link losses: sparse regressions are solved to a verified gap") {
  Engine engine(5);
  std::normal_distribution<double> normal;
  constexpr Index kRows = 80, kColumns = 12;
  std::vector<double> a(kRows * kColumns), y;
  for (double& entry : a) entry = normal(engine);
  for (Index i = 0; i < kRows; ++i) {
    const double z =
        0.8 * a[static_cast<std::size_t>(i * kColumns)] - 0.5 * a[static_cast<std::size_t>(i * kColumns + 3)];
    y.push_back(std::exp(z) * std::exponential_distribution<double>(1.0)(engine) + 1e-3);
  }
  for (const std::string loss : {"gamma", "tweedie", "negative-binomial", "quantile"}) {
    HostParts parts;
    parts.data = data_from_rows(a, kRows, kColumns, y);
    const Composition c =
        compose(build_catalog(),
                spec_of({"objective.use=linear-model", "objective.loss=" + loss, "penalty.use=l1",
                         "penalty.lambda=0.05*max", "stop.relative_gap=1e-6", "stop.iterations=20000"}),
                parts);
    const RunResult r = run(c, run_settings(c));
    CAPTURE(loss);
    CHECK(r.status == Status::relative_gap);
    CHECK(r.measurement.confirmed);
    CHECK(r.measurement.gap >= 0.0);
    CHECK(r.answer.to_dense()[0] > 0.15);
    CHECK(r.answer.to_dense()[3] < -0.1);
  }
}
