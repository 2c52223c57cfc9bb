// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <limits>
#include <optional>
#include <thread>

#include "spectral_problems.hpp"

using namespace claros;
using namespace spectral_problems;

namespace {

constexpr SpectralEngine kEngines[] = {SpectralEngine::arpack, SpectralEngine::dense,
                                       SpectralEngine::dense_gram};

/// Solves on every product with it.
class Nested : public LinearOperator {
 public:
  explicit Nested(const LinearOperator& inner) : inner_(inner) {}
  Index rows() const override { return inner_.rows(); }
  Index cols() const override { return inner_.cols(); }
  void apply(std::span<const double> x, std::span<double> y) const override {
    RandomStream stream(1, Purpose::test);
    truncated_svd(inner_, 1, SpectralEngine::arpack, {}, stream);
    inner_.apply(x, y);
  }
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override {
    inner_.apply_adjoint(y, x);
  }

 private:
  const LinearOperator& inner_;
};

std::optional<ErrorKind> failure(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  return std::nullopt;
}

bool same(const TruncatedSvd& a, const TruncatedSvd& b) { return a.u == b.u && a.s == b.s && a.v == b.v; }

}  // namespace

TEST_CASE("truncated svd: every engine, family of spectra, shape and several counts") {
  RandomStream stream(1, Purpose::test);
  for (const SpectralEngine engine : kEngines)
    for (const Family& family : families())
      for (const auto& [m, n] : shapes()) {
        const Index r = std::min(m, n);
        const std::vector<double> s = family.spectrum(r, stream);
        const Array a = with_spectrum(m, n, s, stream);
        for (Index count : {Index{1}, (r + 1) / 2, r - 1, r}) {
          if (count < 1) continue;
          CAPTURE(static_cast<int>(engine));
          CAPTURE(family.name);
          CAPTURE(m);
          CAPTURE(n);
          CAPTURE(count);
          const TruncatedSvd svd = truncated_svd(a.view(), count, engine, {}, stream);
          REQUIRE(svd.count == count);
          CHECK(svd.converged);
          for (std::size_t j = 0; j < svd.s.size(); ++j) CHECK(std::abs(svd.s[j] - s[j]) <= 1e-7 * s[0]);
          check_triplets(a.view(), svd, engine == SpectralEngine::dense ? 1e-13 : 1e-7);
        }
      }
}

TEST_CASE("truncated svd: the lanczos engine finds one triplet and refuses more") {
  RandomStream stream(2, Purpose::test);
  const Array a = gaussian(20, 30, stream);
  const TruncatedSvd svd = truncated_svd(a.view(), 1, SpectralEngine::lanczos, {}, stream);
  CHECK(svd.s[0] == doctest::Approx(dense_svd(20, 30, a.values).s[0]).epsilon(1e-12));
  check_triplets(a.view(), svd, 1e-9);
  CHECK(failure([&] { truncated_svd(a.view(), 2, SpectralEngine::lanczos, {}, stream); }) ==
        ErrorKind::usage);
}

TEST_CASE("truncated svd: zero operators, NaN and impossible counts") {
  RandomStream stream(3, Purpose::test);
  for (const SpectralEngine engine : kEngines) {
    const Array zero(6, 9);
    const TruncatedSvd svd = truncated_svd(zero.view(), 4, engine, {}, stream);
    CHECK(svd.s == std::vector<double>(4, 0.0));
    check_triplets(zero.view(), svd, 0.0);
    Array bad = gaussian(6, 9, stream);
    bad(5, 8) = std::numeric_limits<double>::quiet_NaN();
    CHECK(failure([&] { truncated_svd(bad.view(), 2, engine, {}, stream); }) == ErrorKind::numerical);
    const Array good = gaussian(6, 9, stream), empty(0, 4);
    CHECK(failure([&] { truncated_svd(good.view(), 0, engine, {}, stream); }) == ErrorKind::usage);
    CHECK(failure([&] { truncated_svd(good.view(), 7, engine, {}, stream); }) == ErrorKind::usage);
    CHECK(failure([&] { truncated_svd(empty.view(), 1, engine, {}, stream); }) == ErrorKind::usage);
  }
}

TEST_CASE("truncated svd: arpack counts its products and says when it ran out of restarts") {
  RandomStream stream(4, Purpose::test);
  const Array a = gaussian(200, 180, stream);
  const DenseOperator op = a.view();
  const CountingOperator counting(op);
  TruncatedSvdOptions options;
  const TruncatedSvd full = truncated_svd(counting, 5, SpectralEngine::arpack, options, stream);
  CHECK(full.matvecs == counting.matvecs());
  options.max_restarts = 1;
  const TruncatedSvd cut = truncated_svd(op, 5, SpectralEngine::arpack, options, stream);
  CHECK_FALSE(cut.converged);
  CHECK(cut.count < 5);
  CHECK(static_cast<Index>(cut.u.size()) == 200 * cut.count);
}

TEST_CASE("truncated svd: the same seed gives the same bits, whatever ran in between") {
  RandomStream noise(5, Purpose::test);
  const Array a = gaussian(60, 80, noise), other = gaussian(30, 30, noise);
  const auto solve = [&](std::uint64_t seed) {
    RandomStream stream(seed, Purpose::oracle);
    return truncated_svd(a.view(), 6, SpectralEngine::arpack, {}, stream);
  };
  const TruncatedSvd first = solve(1);
  truncated_svd(other.view(), 3, SpectralEngine::arpack, {}, noise);
  CHECK(same(first, solve(1)));
  CHECK_FALSE(same(first, solve(2)));
}

TEST_CASE("truncated svd: arpack may be called from several threads") {
  RandomStream noise(6, Purpose::test);
  const Array a = gaussian(50, 60, noise), b = gaussian(70, 40, noise);
  const auto solve = [](const Array& array) {
    RandomStream stream(1, Purpose::oracle);
    return truncated_svd(array.view(), 5, SpectralEngine::arpack, {}, stream);
  };
  const TruncatedSvd of_a = solve(a), of_b = solve(b);
  int wrong_a = 0, wrong_b = 0;
  const auto repeat = [&](const Array& array, const TruncatedSvd& expected, int& wrong) {
    for (int i = 0; i < 50; ++i) wrong += !same(solve(array), expected);
  };
  std::thread one([&] { repeat(a, of_a, wrong_a); }), two([&] { repeat(b, of_b, wrong_b); });
  one.join();
  two.join();
  CHECK(wrong_a == 0);
  CHECK(wrong_b == 0);
}

TEST_CASE("truncated svd: an arpack solve inside a product is refused, and the next solve works") {
  RandomStream stream(7, Purpose::test);
  const Array a = gaussian(20, 20, stream);
  const DenseOperator op = a.view();
  const Nested nested(op);
  CHECK(failure([&] { truncated_svd(nested, 2, SpectralEngine::arpack, {}, stream); }) == ErrorKind::usage);
  check_triplets(op, truncated_svd(op, 2, SpectralEngine::arpack, {}, stream), 1e-9);
  check_triplets(op, truncated_svd(nested, 2, SpectralEngine::dense_gram, {}, stream), 1e-9);
}

TEST_CASE("dense svd: triplets of every shape, and refusals") {
  RandomStream stream(8, Purpose::test);
  for (const auto& [m, n] : shapes()) {
    const Array a = gaussian(m, n, stream);
    const TruncatedSvd svd = dense_svd(m, n, a.values);
    CHECK(svd.count == std::min(m, n));
    check_triplets(a.view(), svd, 1e-13);
  }
  CHECK(dense_svd(0, 5, {}).count == 0);
  const std::vector<double> bad{1.0, std::numeric_limits<double>::quiet_NaN()};
  CHECK(failure([&] { dense_svd(1, 2, bad); }) == ErrorKind::numerical);
  CHECK(failure([&] { dense_svd(2, 2, bad); }) == ErrorKind::usage);
}

TEST_CASE("svd of a product: any inner size, weights of any sign, dependent columns") {
  RandomStream stream(9, Purpose::test);
  for (const auto& [m, n] : shapes())
    for (const Index k : {1, 2, 6, 15}) {
      CAPTURE(m);
      CAPTURE(n);
      CAPTURE(k);
      Array u = gaussian(m, k, stream), v = gaussian(n, k, stream);
      std::vector<double> w = gaussian(k, 1, stream).values;
      if (k > 2)
        for (Index i = 0; i < m; ++i) u(i, 1) = u(i, 0);
      const TruncatedSvd svd = svd_of_product(m, n, u.values, w, v.values);
      const std::vector<double> alone = singular_values_of_product(m, n, u.values, w, v.values);
      REQUIRE(alone.size() == svd.s.size());
      for (std::size_t i = 0; i < alone.size(); ++i) CHECK(std::abs(alone[i] - svd.s[i]) <= 1e-13 * svd.s[0]);
      CHECK(svd.count == std::min({k, m, n}));
      CHECK(orthogonality(m, svd.count, svd.u) < 1e-13);
      const Array before = compose(m, n, u.values, w, v.values);
      check_triplets(before.view(), svd, 1e-12);
      const Array after = compose(m, n, svd.u, svd.s, svd.v);
      for (std::size_t i = 0; i < before.values.size(); ++i)
        CHECK(std::abs(before.values[i] - after.values[i]) <= 1e-12 * svd.s[0]);
    }
  CHECK(svd_of_product(4, 3, {}, {}, {}).count == 0);
  const std::vector<double> two{1.0, 2.0}, nan{std::numeric_limits<double>::quiet_NaN()}, one{1.0};
  CHECK(failure([&] { svd_of_product(2, 2, two, two, two); }) == ErrorKind::usage);
  CHECK(failure([&] { svd_of_product(2, 2, two, nan, two); }) == ErrorKind::numerical);
  CHECK(singular_values_of_product(4, 3, {}, {}, {}).empty());
  CHECK(failure([&] { singular_values_of_product(2, 2, two, two, two); }) == ErrorKind::usage);
  CHECK(failure([&] { singular_values_of_product(2, 2, two, nan, two); }) == ErrorKind::numerical);
  CHECK(failure([&] { svd_of_product(2, 1, two, one, nan); }) == ErrorKind::numerical);
}
