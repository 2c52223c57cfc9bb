// SPDX-License-Identifier: BSD-3-Clause
// Shrinkage of few values against that of all of them, over spectra that are clustered, tied at the
// threshold, of low rank, or inside the ball.
#include "numbers.hpp"

#include <claros/error.hpp>
#include <claros/map/element_operator.hpp>
#include <shared/spectral/shrinkage.hpp>
#include <shared/spectral/symmetric_part.hpp>

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <algorithm>
#include <numeric>
#include <string>

using namespace claros;

namespace shrinkage_test {

using Matrix = Eigen::MatrixXd;

struct Numbers {
  RandomStream stream;
  explicit Numbers(std::uint64_t seed) : stream(seed, Purpose::test) {}
  Matrix normal(Index rows, Index cols) {
    Matrix m(rows, cols);
    stream.fill_normal(std::span<double>(m.data(), static_cast<std::size_t>(m.size())));
    return m;
  }
  Matrix orthonormal(Index rows, Index cols) {
    return Eigen::HouseholderQR<Matrix>(normal(rows, cols)).householderQ() * Matrix::Identity(rows, cols);
  }
};

Element dense(const Matrix& m) {
  return Element::dense(Shape{m.rows(), m.cols(), {}}, {m.data(), m.data() + m.size()});
}

Matrix dense(const Element& x) {
  const std::vector<double> values = x.to_dense();
  return Eigen::Map<const Matrix>(values.data(), x.shape().rows, x.shape().cols);
}

/// The threshold t with sum max(s - t, 0) = radius, by bisection.
double threshold(const Eigen::VectorXd& s, double radius) {
  double low = s.minCoeff() - radius, high = s.maxCoeff();
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    ((s.array() - middle).max(0.0).sum() > radius ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Onto the ball of sums of magnitudes, or onto nonnegative values of one sum (or at most that).
struct Ball {
  double radius;
  bool equal = false;
  double operator()(std::vector<double>& values) const {
    double positive = 0.0;
    for (const double value : values) positive += std::max(value, 0.0);
    if (!equal && positive <= radius) {
      for (double& value : values) value = std::max(value, 0.0);
      return 0.0;
    }
    const double t = threshold(
        Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Index>(values.size())), radius);
    for (double& value : values) value = std::max(value - t, 0.0);
    return t;
  }
};

Matrix projected(const Matrix& v, Spectrum spectrum, const Ball& ball) {
  if (spectrum == Spectrum::symmetric) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (v + v.transpose()));
    std::vector<double> s(eigen.eigenvalues().data(), eigen.eigenvalues().data() + v.rows());
    std::reverse(s.begin(), s.end());
    (void)ball(s);
    std::reverse(s.begin(), s.end());
    return eigen.eigenvectors() * Eigen::Map<Eigen::VectorXd>(s.data(), v.rows()).asDiagonal() *
           eigen.eigenvectors().transpose();
  }
  const Eigen::JacobiSVD<Matrix> svd(v, Eigen::ComputeThinU | Eigen::ComputeThinV);
  std::vector<double> s(svd.singularValues().data(),
                        svd.singularValues().data() + svd.singularValues().size());
  (void)ball(s);
  return svd.matrixU() * Eigen::Map<Eigen::VectorXd>(s.data(), svd.singularValues().size()).asDiagonal() *
         svd.matrixV().transpose();
}

struct Case {
  std::string name;
  Eigen::VectorXd values;
  double radius;
};

/// `n` values, largest first.
std::vector<Case> cases(Index n, Numbers& numbers) {
  std::vector<Case> all;
  Eigen::VectorXd s(n);
  for (Index k = 0; k < n; ++k) s[k] = std::pow(0.8, static_cast<double>(k));
  all.push_back({"decaying", s, 2.0});
  for (Index k = 0; k < n; ++k) s[k] = k < 12 ? 2.0 + 1e-6 * static_cast<double>(12 - k) : 0.9;
  all.push_back({"clustered", s, 5.0});
  for (Index k = 0; k < n; ++k) s[k] = k < 6 ? 3.0 - 0.1 * static_cast<double>(k) : 1.0;
  all.push_back({"tied at the threshold", s, s.head(6).sum() - 6.0});
  for (Index k = 0; k < n; ++k) s[k] = k < 7 ? 4.0 - 0.5 * static_cast<double>(k) : 0.0;
  all.push_back({"of low rank", s, 6.0});
  all.push_back({"of low rank, inside", s, 40.0});
  for (Index k = 0; k < n; ++k) s[k] = 1.0;
  all.push_back({"all equal", s, 10.0});
  s = numbers.normal(n, 1).cwiseAbs();
  std::sort(s.data(), s.data() + n, std::greater<>());
  all.push_back({"many needed", s, 0.5 * s.sum()});
  all.push_back({"inside", s, 2.0 * s.sum()});
  return all;
}

Matrix with_values(const Eigen::VectorXd& s, Index rows, Index cols, Spectrum spectrum, bool negative,
                   Numbers& numbers) {
  const Index n = std::min(rows, cols);
  const Matrix U = numbers.orthonormal(rows, n);
  if (spectrum == Spectrum::singular) return U * s.asDiagonal() * numbers.orthonormal(cols, n).transpose();
  Eigen::VectorXd signed_values = s;
  if (negative)  // large in magnitude, and nothing to the projection
    for (Index k = n / 2; k < n; ++k) signed_values[k] = -3.0 * s[0] + s[k];
  Matrix skew = numbers.normal(rows, rows);
  return U * signed_values.asDiagonal() * U.transpose() + 0.1 * (skew - skew.transpose());
}

}  // namespace shrinkage_test

using namespace shrinkage_test;

TEST_CASE("shrinkage: few values give the projection of all, proved, over spectra of every kind") {
  for (const auto& [rows, cols, spectrum] :
       {std::tuple{60, 90, Spectrum::singular}, std::tuple{110, 70, Spectrum::singular},
        std::tuple{80, 80, Spectrum::symmetric}})
    for (const bool equal : {false, true}) {
      if (equal && spectrum == Spectrum::singular) continue;
      Numbers numbers(17);
      for (const Case& c : cases(std::min(rows, cols), numbers)) {
        CAPTURE(c.name);
        CAPTURE(rows);
        CAPTURE(equal);
        const Matrix v = with_values(c.values, rows, cols, spectrum,
                                     c.name == "decaying" || c.name == "many needed", numbers);
        const Ball ball{c.radius, equal};
        SpectralShrinkage shrinkage(spectrum, RandomStream(1, Purpose::oracle),
                                    RandomStream(1, Purpose::confirmation));
        Element x;
        const Certificate certificate = shrinkage.apply(
            dense(v),
            {.shrink = ball, .inside = spectrum == Spectrum::singular ? c.radius : -1.0, .who = "test"}, x,
            Accuracy{});
        const Matrix expected = projected(v, spectrum, ball);
        CHECK((dense(x) - expected).norm() <= 1e-7 * expected.norm());
        CHECK(certificate.exact);
        CHECK(certificate.error <= 2e-10 * v.norm());
      }
    }
}

TEST_CASE("shrinkage: a rank that is too small is raised, left and reported, or refused, as asked") {
  Numbers numbers(5);
  Eigen::VectorXd s(80);
  for (Index k = 0; k < 80; ++k) s[k] = k < 10 ? 5.0 - 0.1 * static_cast<double>(k) : 0.5;
  const Ball ball{12.0};  // keeps ten
  for (const Spectrum spectrum : {Spectrum::singular, Spectrum::symmetric}) {
    const Matrix v = with_values(s, 80, 80, spectrum, false, numbers),
                 expected = projected(v, spectrum, ball);
    const SpectralShrinkage::Rule rule{.shrink = ball, .who = "set"};
    const auto answer = [&](Index rank, OnInsufficientRank on_insufficient_rank, bool certify,
                            Certificate& certificate) {
      SpectralShrinkage shrinkage(spectrum, RandomStream(1, Purpose::oracle),
                                  RandomStream(1, Purpose::confirmation));
      Element x;
      certificate =
          shrinkage.apply(dense(v), rule, x,
                          {.rank = rank, .certify = certify, .on_insufficient_rank = on_insufficient_rank});
      return dense(x);
    };
    Certificate c;
    CHECK((answer(4, OnInsufficientRank::raise, false, c) - expected).norm() <= 1e-7 * expected.norm());
    CHECK(c.exact);
    CHECK(c.asked == 4);
    CHECK(c.rank == 10);
    CHECK((answer(10, OnInsufficientRank::stop, false, c) - expected).norm() <= 1e-7 * expected.norm());
    CHECK(c.exact);
    const double off = (answer(4, OnInsufficientRank::leave, true, c) - expected).norm();
    CHECK(off > 0.1);
    CHECK_FALSE(c.exact);
    CHECK(c.rank == 4);
    CHECK(c.error >= off);
    (void)answer(4, OnInsufficientRank::leave, false, c);
    CHECK_FALSE(c.exact);
    CHECK(c.error == 0.0);
    try {
      (void)answer(4, OnInsufficientRank::stop, false, c);
      FAIL("a rank that was too small went through");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::numerical);
      CHECK(std::string(error.what()).find("rank") != std::string::npos);
    }
    CHECK_THROWS_AS((void)answer(81, OnInsufficientRank::raise, false, c), Error);
    CHECK((answer(80, OnInsufficientRank::raise, false, c) - expected).norm() <= 1e-7 * expected.norm());
    CHECK(c.rank == 10);
  }
}

TEST_CASE(
    "shrinkage: one sweep a call follows a sequence that converges, and the rank grows and falls with it") {
  for (const Spectrum spectrum : {Spectrum::singular, Spectrum::symmetric}) {
    Numbers numbers(9);
    Eigen::VectorXd s(120);
    for (Index k = 0; k < 120; ++k)
      s[k] = k < 9 ? 8.0 - 0.3 * static_cast<double>(k) : std::pow(0.97, static_cast<double>(k));
    const Matrix last = with_values(s, 120, 120, spectrum, true, numbers),
                 disturbance = numbers.normal(120, 120);
    const Ball ball{30.0};
    SpectralShrinkage shrinkage(spectrum, RandomStream(1, Purpose::oracle),
                                RandomStream(1, Purpose::confirmation));
    double size = 1.0, error = 0.0;
    Index largest = 0;
    for (int step = 0; step < 40; ++step, size *= 0.7) {
      const Matrix v = last + size * disturbance;
      Element x;
      const Certificate c =
          shrinkage.apply(dense(v), {.shrink = ball, .who = "set"}, x, {.certify = true, .sequence = true});
      error = (dense(x) - projected(v, spectrum, ball)).norm();
      if (c.exact) CHECK(error <= 1e-9 * v.norm());
      if (!c.exact && c.error > 0.0) CHECK(error <= 1.000001 * c.error);
      largest = std::max(largest, c.rank);
      if (step == 39) CHECK(c.rank == 9);
    }
    CHECK(error <= 1e-4);
    CHECK(largest >= 9);
  }
}

TEST_CASE("shrinkage: what a truncation left is told from what it missed") {
  Numbers numbers(3);
  Eigen::VectorXd s(100);
  for (Index k = 0; k < 100; ++k) s[k] = 1.0 / static_cast<double>(k + 1);
  const Matrix rectangular = with_values(s, 100, 140, Spectrum::singular, false, numbers);
  const DenseOperator a(100, 140,
                        std::span(rectangular.data(), static_cast<std::size_t>(rectangular.size())));
  Matrix symmetric = with_values(s, 100, 100, Spectrum::symmetric, true, numbers);
  symmetric = (0.5 * (symmetric + symmetric.transpose())).eval();
  const DenseOperator b(100, 100, std::span(symmetric.data(), static_cast<std::size_t>(symmetric.size())));
  RandomStream stream(1, Purpose::test);
  for (const auto& [op, spectrum] :
       {std::pair<const LinearOperator*, Spectrum>{&a, Spectrum::singular}, {&b, Spectrum::symmetric}}) {
    const Beyond below = exceeds(*op, spectrum, 1.01, 5000, stream);
    CHECK(below.decided);
    CHECK(below.largest <= 1.01);
    CHECK(below.largest >= 1.0 - 1e-9);
    const Beyond above = exceeds(*op, spectrum, 0.9, 5000, stream);
    CHECK(above.decided);
    CHECK(above.largest >= 1.0 - 1e-9);
    CHECK(above.largest <= 1.02);
    CHECK_FALSE(exceeds(*op, spectrum, 0.9999999, 4, stream).decided);
  }
}

TEST_CASE("shrinkage: eigenvalues of symmetric Lanczos, and what exceeds a bound, at any scale") {
  Numbers numbers(5);
  RandomStream stream(2, Purpose::test);
  for (const Index n : {3, 6, 90}) {
    Eigen::VectorXd s(n);
    for (Index k = 0; k < n; ++k) s[k] = 1.0 / static_cast<double>(k + 1);
    Matrix symmetric = with_values(s, n, n, Spectrum::symmetric, true, numbers);
    symmetric = (0.5 * (symmetric + symmetric.transpose())).eval();
    for (const double scale : {1e-300, 1e-170, 1e-90, 1e-40, 1e-28, 1.0, 1e40, 1e170, 1e300}) {
      CAPTURE(n);
      CAPTURE(scale);
      const Matrix scaled = scale * symmetric;
      const DenseOperator a(n, n, std::span(scaled.data(), static_cast<std::size_t>(scaled.size())));
      const Eigen::VectorXd all = Eigen::SelfAdjointEigenSolver<Matrix>(symmetric).eigenvalues();
      const double most = all[n - 1];
      for (const bool confirm : {false, true}) {
        SymmetricLanczos lanczos;
        const LanczosOptions options{.tolerance = 1e-9, .max_matvecs = 400};
        const LeadingEigenpair pair =
            confirm ? lanczos.confirm(a, options, stream) : lanczos.solve(a, options, stream);
        CHECK(pair.converged);
        CHECK(pair.value / scale == doctest::Approx(most).epsilon(1e-8));
        CHECK(pair.residual <= 1e-8 * scale);
        const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(pair.vector.data(), n),
                              defect = symmetric * v - pair.value / scale * v;
        CHECK(pair.residual / scale == doctest::Approx(defect.norm()).scale(1.0).epsilon(1e-13));
      }
      for (const Spectrum spectrum : {Spectrum::symmetric, Spectrum::singular}) {
        const double top = spectrum == Spectrum::symmetric ? most : all.cwiseAbs().maxCoeff();
        const Beyond below = exceeds(a, spectrum, 1.01 * top * scale, 5000, stream),
                     above = exceeds(a, spectrum, 0.9 * top * scale, 5000, stream);
        CHECK(below.decided);
        CHECK(above.decided);
        for (const double largest : {below.largest / scale, above.largest / scale}) {
          CHECK(largest >= 0.99 * top);
          CHECK(largest <= 1.02 * top);
        }
      }
    }
  }
}

TEST_CASE("shrinkage: NaN, matrices that are not square, and zero") {
  const SpectralShrinkage::Rule rule{.shrink = Ball{1.0}, .who = "set"};
  Element x;
  for (const bool sequence : {false, true})
    for (const Spectrum spectrum : {Spectrum::singular, Spectrum::symmetric}) {
      SpectralShrinkage shrinkage(spectrum, RandomStream(1, Purpose::oracle),
                                  RandomStream(1, Purpose::confirmation));
      Matrix bad = Matrix::Ones(50, 50);
      bad(3, 4) = kNan;
      CHECK_THROWS_AS((void)shrinkage.apply(dense(bad), rule, x, {.sequence = sequence}), Error);
      CHECK_NOTHROW(
          (void)shrinkage.apply(dense(Matrix(Matrix::Zero(50, 50))), rule, x, {.sequence = sequence}));
      CHECK(dense(x).norm() == 0.0);
    }
  SpectralShrinkage symmetric(Spectrum::symmetric, RandomStream(1, Purpose::oracle),
                              RandomStream(1, Purpose::confirmation));
  CHECK_THROWS_AS((void)symmetric.apply(dense(Matrix(Matrix::Ones(4, 5))), rule, x, Accuracy{}), Error);
}
