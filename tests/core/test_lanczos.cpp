// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <limits>

#include "spectral_problems.hpp"

using namespace claros;
using namespace spectral_problems;

namespace {

LanczosOptions tight(double tolerance) {
  LanczosOptions options;
  options.tolerance = tolerance;
  options.max_matvecs = 400;
  return options;
}

void check_pair(const LinearOperator& a, const LeadingPair& pair, double sigma_1) {
  const double rounding = 1e-13 * sigma_1;
  CHECK(norm(pair.u) == doctest::Approx(1.0).epsilon(1e-13));
  CHECK(norm(pair.v) == doctest::Approx(1.0).epsilon(1e-13));
  const double forward = defect(a, pair.v, pair.sigma, pair.u, false);
  const double adjoint = defect(a, pair.u, pair.sigma, pair.v, true);
  CHECK(std::min(forward, adjoint) <= rounding);
  CHECK(std::abs(std::max(forward, adjoint) - pair.residual) <= 10 * rounding);
  CHECK(pair.sigma <= sigma_1 + rounding);
}

/// A(t) drifts slowly: the sum of two fixed random matrices.
Array drifting(const Array& a, const Array& b, double t) {
  Array c = a;
  for (std::size_t i = 0; i < c.values.size(); ++i) c.values[i] += t * b.values[i];
  return c;
}

}  // namespace

TEST_CASE("lanczos: the leading pair of every family of spectra, in every shape") {
  RandomStream stream(1, Purpose::test);
  for (const Family& family : families())
    for (const auto& [m, n] : shapes()) {
      CAPTURE(family.name);
      CAPTURE(m);
      CAPTURE(n);
      const std::vector<double> s = family.spectrum(std::min(m, n), stream);
      const Array a = with_spectrum(m, n, s, stream);
      const DenseOperator op = a.view();
      const CountingOperator counting(op);
      const LeadingPair pair = leading_singular_pair(counting, tight(1e-8), stream);
      CHECK(pair.converged);
      CHECK(pair.matvecs == counting.matvecs());
      CHECK(std::abs(pair.sigma - s[0]) <= 1e-9 * s[0]);
      CHECK(pair.residual <= 1e-8 * pair.sigma);
      check_pair(op, pair, s[0]);
    }
}

TEST_CASE(
    "lanczos: a confirmed value and its residual reach the leading singular value of 600 random matrices") {
  RandomStream stream(2, Purpose::test);
  LanczosSolver solver;
  int problems = 0;
  for (int repeat = 0; repeat < 12; ++repeat)
    for (const Family& family : families())
      for (Index side : {2, 5, 11, 24, 60, 90}) {
        CAPTURE(family.name);
        CAPTURE(side);
        const Index other = side + stream.index(20);
        const std::vector<double> s = family.spectrum(side, stream);
        const Array a =
            repeat % 2 ? with_spectrum(side, other, s, stream) : with_spectrum(other, side, s, stream);
        const LeadingPair pair = solver.confirm(a.view(), tight(1e-8), stream);
        CHECK(pair.upper_estimate() >= s[0] * (1.0 - 1e-12));
        CHECK(pair.converged);
        ++problems;
      }
  CHECK(problems >= 600);
}

TEST_CASE("lanczos: a warm start needs fewer products on an operator that moves slowly") {
  RandomStream stream(3, Purpose::test);
  const Array a = gaussian(150, 200, stream), b = gaussian(150, 200, stream);
  const auto matvecs_with = [&](Index vectors) {
    LanczosSolver solver;
    LanczosOptions options;
    options.warm_vectors = vectors;
    Index matvecs = 0;
    for (int t = 0; t < 20; ++t)
      matvecs += solver.solve(drifting(a, b, 1e-3 * t).view(), options, stream).matvecs;
    CHECK(solver.warm_start().empty() == (vectors == 0));
    return matvecs;
  };
  const Index cold = matvecs_with(0);
  CHECK(3 * matvecs_with(1) < 2 * cold);
  CHECK(matvecs_with(LanczosOptions().warm_vectors) < cold);
}

TEST_CASE("lanczos: the random part of a warm start finds a vector orthogonal to the warm one") {
  RandomStream stream(4, Purpose::test);
  Array a(40, 30);
  for (Index i = 0; i < 30; ++i) a(i, i) = i == 7 ? 2.0 : 1.0 / static_cast<double>(1 + i);
  std::vector<double> first(30);
  first[0] = 1.0;  // an eigenvector of A'A for the second largest value
  LanczosSolver solver;
  solver.warm_start() = first;
  CHECK(solver.solve(a.view(), tight(1e-6), stream).sigma == doctest::Approx(2.0));
}

TEST_CASE(
    "lanczos: the same seed, position and warm start give the same bits; a confirmation disturbs nothing") {
  RandomStream noise(5, Purpose::test);
  const Array a = gaussian(50, 70, noise), b = gaussian(50, 70, noise);
  const LanczosOptions options;
  RandomStream stream(6, Purpose::oracle);
  LanczosSolver solver;
  solver.solve(a.view(), options, stream);
  const std::vector<double> saved = solver.warm_start();
  CHECK(saved.size() == 50);
  RandomStream resumed_stream(6, Purpose::oracle), confirmation(6, Purpose::confirmation);
  resumed_stream.seek(stream.position());
  LanczosSolver resumed;
  resumed.warm_start() = saved;
  solver.confirm(b.view(), options, confirmation);
  CHECK(solver.warm_start() == saved);
  const LeadingPair one = solver.solve(b.view(), options, stream);
  const LeadingPair two = resumed.solve(b.view(), options, resumed_stream);
  CHECK(one.u == two.u);
  CHECK(one.v == two.v);
  CHECK(one.sigma == two.sigma);
}

TEST_CASE("lanczos: a budget that runs out is said, and the pair is still a lower bound with its residual") {
  RandomStream stream(7, Purpose::test);
  const Array a = gaussian(120, 100, stream);
  const double sigma_1 = dense_svd(120, 100, a.values).s[0];
  LanczosOptions options = tight(1e-12);
  for (const Index budget : {4, 5, 12, 13}) {
    options.max_matvecs = budget;
    LanczosSolver solver;
    for (const LeadingPair& pair :
         {solver.solve(a.view(), options, stream), solver.confirm(a.view(), options, stream)}) {
      CHECK_FALSE(pair.converged);
      CHECK(pair.matvecs <= budget);
      check_pair(a.view(), pair, sigma_1);
    }
  }
}

TEST_CASE("lanczos: a confirmation that its budget ends is none, be its residual as small as was asked for") {
  RandomStream stream(17, Purpose::test);
  LanczosOptions options = tight(1e-2);
  int tempting = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Array a = gaussian(8, 3, stream);
    const double sigma_1 = dense_svd(8, 3, a.values).s[0];
    options.max_matvecs = 7;  // two of three steps
    const LeadingPair pair = LanczosSolver().confirm(a.view(), options, stream);
    CHECK_FALSE(pair.converged);
    tempting += pair.residual <= 1e-2 * pair.sigma && pair.upper_estimate() < 0.99 * sigma_1;
    options.max_matvecs = 400;
    CHECK(LanczosSolver().confirm(a.view(), options, stream).converged);
  }
  CHECK(tempting > 0);
}

TEST_CASE("lanczos: the zero operator has value zero, unit vectors, and leaves a usable warm start") {
  RandomStream stream(8, Purpose::test);
  for (const auto& [m, n] : shapes()) {
    const Array zero(m, n);
    LanczosSolver solver;
    for (const LeadingPair& pair :
         {solver.solve(zero.view(), {}, stream), solver.confirm(zero.view(), {}, stream)}) {
      CHECK(pair.sigma == 0.0);
      CHECK(pair.residual == 0.0);
      CHECK(pair.converged);
      CHECK(norm(pair.u) == doctest::Approx(1.0));
      CHECK(norm(pair.v) == doctest::Approx(1.0));
    }
    const Array a = gaussian(m, n, stream);
    CHECK(solver.solve(a.view(), tight(1e-9), stream).sigma ==
          doctest::Approx(dense_svd(m, n, a.values).s[0]).epsilon(1e-8));
  }
}

TEST_CASE("lanczos: NaN and infinity end in an error, impossible arguments are refused") {
  RandomStream stream(9, Purpose::test);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Array a = gaussian(6, 5, stream);
    a(2, 3) = bad;
    try {
      leading_singular_pair(a.view(), {}, stream);
      FAIL("a product that is not finite went unnoticed");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::numerical);
    }
  }
  const Array a = gaussian(3, 3, stream), empty(0, 3);
  CHECK_THROWS_AS(leading_singular_pair(empty.view(), {}, stream), Error);
  const auto refused = [&](auto change) {
    LanczosOptions options;
    change(options);
    CHECK_THROWS_AS(leading_singular_pair(a.view(), options, stream), Error);
  };
  refused([](LanczosOptions& o) { o.tolerance = -1.0; });
  refused([](LanczosOptions& o) { o.tolerance = std::numeric_limits<double>::quiet_NaN(); });
  refused([](LanczosOptions& o) { o.max_matvecs = 3; });
  refused([](LanczosOptions& o) { o.warm_vectors = -1; });
  refused([](LanczosOptions& o) { o.warm_noise = 0.0; });
}

TEST_CASE(
    "lanczos: the bound of a norm is above it, near it where steps suffice, and proved where they do not") {
  RandomStream stream(10, Purpose::test);
  for (const Family& family : families())
    for (const auto& [m, n] : {std::pair<Index, Index>{300, 200}, {200, 300}, {40, 30}}) {
      CAPTURE(family.name);
      CAPTURE(m);
      const std::vector<double> s = family.spectrum(std::min(m, n), stream);
      const Array a = with_spectrum(m, n, s, stream);
      const double largest = std::max(s.front(), -s.back());  // one family goes below 0 on long sides
      const auto bound = [&](Index products) {
        return spectral_norm_bound(a.view(), {.tolerance = 1e-8, .max_matvecs = products}, stream);
      };
      const double rounding = 1e-12 * largest;
      CHECK(bound(2000) >= largest - rounding);
      CHECK(bound(2000) <= (1.0 + 1e-6) * largest);
      for (const Index products : {60, 100, 160}) {
        CHECK(bound(products) >= largest - rounding);
        if (products == 160) CHECK(bound(products) <= 1.2 * largest);
      }
    }
  // A flat spectrum of a large side, of which few steps know little.
  const Array flat = with_spectrum(150, 140, std::vector<double>(140, 2.0), stream);
  CHECK(spectral_norm_bound(flat.view(), {.tolerance = 1e-8, .max_matvecs = 100}, stream) >= 2.0 - 1e-12);
  const Array spread = gaussian(150, 140, stream);
  CHECK(spectral_norm_bound(spread.view(), {.tolerance = 1e-8, .max_matvecs = 8}, stream) ==
        std::numeric_limits<double>::infinity());
}

TEST_CASE(
    "lanczos: the bound of a norm is tight where many singular values are equal, as those of a solution") {
  RandomStream stream(17, Purpose::test);
  constexpr Index side = 120;
  std::vector<double> s(side);
  for (std::size_t k = 0; k < s.size(); ++k)
    s[k] = k < 15 ? 1.0 - 1e-11 * static_cast<double>(k) : 0.5 * std::pow(0.99, static_cast<double>(k));
  const Array a = with_spectrum(side, side, s, stream);
  for (int start = 0; start < 20; ++start) {
    const double bound =
        spectral_norm_bound(a.view(), {.tolerance = 1e-8, .max_matvecs = 1000, .warm_vectors = 0}, stream);
    CHECK(bound >= 1.0 - 1e-13);
    CHECK(bound <= 1.0 + 1e-5);
  }
}
