// SPDX-License-Identifier: BSD-3-Clause
// Blocks that coordinate descent moves to their minimum: the root behind it against its optimality condition,
// which penalties are taken for multiples of a norm, and groups of columns in units of their own.
#include "../../plugins/algorithms/coordinate-descent/euclidean_blocks.hpp"

#include "estimator_problems.hpp"

#include <claros/host.hpp>
#include <claros/io/memory_data.hpp>

#include <cmath>

namespace claros::test::euclidean_blocks {

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

Vector drawn(std::uint64_t seed, Eigen::Index size) {
  const Dense values = normals(seed, size);
  return Eigen::Map<const Vector>(values.data(), size);
}

/// B' B of columns b_k of sizes `spread`^-k; of a rank below their number where `rank` is.
Matrix gram(std::uint64_t seed, Eigen::Index size, Eigen::Index rank, double spread) {
  const Vector entries = drawn(seed, rank * size);
  Matrix B = Eigen::Map<const Matrix>(entries.data(), rank, size);
  for (Eigen::Index k = 0; k < size; ++k) B.col(k) *= std::pow(spread, -static_cast<double>(k));
  return B.transpose() * B;
}

using Function = std::function<void(const Vector& v, double step, Vector& x)>;
double factor_of(const Function& prox, Eigen::Index size) {
  struct Held {
    const Function& prox;
    Eigen::Index size;
  } held{prox, size};
  return euclidean_factor({&held,
                           [](const void* self, Index, const double* v, double step, double* x) {
                             const auto& of = *static_cast<const Held*>(self);
                             const Vector from = Eigen::Map<const Vector>(v, of.size);
                             Vector to(of.size);
                             of.prox(from, step, to);
                             Eigen::Map<Vector>(x, of.size) = to;
                           }},
                          0, size);
}
Function norm(double lambda) {
  return [lambda](const Vector& v, double step, Vector& x) {
    const double size = v.norm();
    x = size > step * lambda ? Vector((1.0 - step * lambda / size) * v) : Vector(Vector::Zero(v.size()));
  };
}

}  // namespace

TEST_CASE("euclidean blocks: the minimum meets its optimality condition, whatever the units") {
  for (const Eigen::Index size : {2, 5, 20})
    for (const double spread : {1.0, 3.0, 10.0})
      for (const bool full : {true, false})
        for (const double lambda : {1e-6, 1e-2, 1.0, 1e3}) {
          if (size == 20 && spread == 10.0) continue;  // columns of 1e-19 of the largest
          CAPTURE(size);
          CAPTURE(spread);
          CAPTURE(full);
          CAPTURE(lambda);
          const auto seed = static_cast<std::uint64_t>(size);
          const Matrix G = gram(seed, size, full ? 3 * size : std::max<Eigen::Index>(1, size / 2), spread);
          const Vector x0 = drawn(seed + 1, size), p = G * drawn(seed + 2, size);
          Vector x(size), slope(size);
          const EuclideanBlock block{Eigen::SelfAdjointEigenSolver<Matrix>(G), lambda};
          REQUIRE(block.minimise({x0.data(), x0.data() + size}, {p.data(), p.data() + size},
                                 {x.data(), x.data() + size}, {slope.data(), slope.data() + size}));
          const double scale = std::max(lambda, (G * x0 - p).norm());
          CHECK((slope - (p + G * (x - x0))).norm() <= 1e-12 * scale);
          if (x.isZero())
            CHECK((G * x0 - p).norm() <= lambda);
          else
            CHECK((slope + lambda * x / x.norm()).norm() <= 1e-11 * scale);
        }
}

TEST_CASE("euclidean blocks: along what rounding has left of a curvature there is no minimum") {
  // Two columns of sizes 1e18 and 1e14 that differ by less than their rounding: G has rank 1, and p a part
  // beyond its range, as rounding leaves it.
  const Vector b{{1e18, 1e14}};
  const Matrix G = b * b.transpose();
  const EuclideanBlock block{Eigen::SelfAdjointEigenSolver<Matrix>(G), 100.0};
  const Vector x0{{1e-18, 0.0}}, across{{-1e-4, 1.0}};
  Vector x(2), slope(2);
  for (const double beyond : {0.0, 50.0, 200.0, 1e6, 1e20, 1e200}) {
    CAPTURE(beyond);
    const Vector p = 1e3 * b + beyond * across;
    const bool found = block.minimise({x0.data(), 2}, {p.data(), 2}, {x.data(), 2}, {slope.data(), 2});
    CHECK(found == (beyond < 100.0));
    if (found) CHECK(x.norm() <= 1e-14);
  }
}

TEST_CASE("euclidean blocks: the factor of a norm is found in any unit, and nothing else is taken for one") {
  for (const double lambda : {1e-100, 1e-20, 1e-12, 0.3, 1.0, 7e5, 1e100}) {
    CAPTURE(lambda);
    CHECK(std::abs(factor_of(norm(lambda), 3) / lambda - 1.0) <= 1e-10);
  }
  CHECK(factor_of(norm(0.0), 3) == 0.0);
  CHECK(factor_of([](const Vector&, double, Vector& x) { x.setZero(); }, 3) == 0.0);
  CHECK(factor_of([](const Vector& v, double s, Vector& x) { x = v / (1.0 + s); }, 3) == 0.0);
  CHECK(factor_of(
            [](const Vector& v, double s, Vector& x) {  // and half the squared norm
              norm(0.5)(v, s, x);
              x /= 1.0 + 0.5 * s;
            },
            3) == 0.0);
  CHECK(factor_of(
            [](const Vector& v, double s, Vector& x) {
              x = v.cwiseSign().cwiseProduct((v.cwiseAbs().array() - 0.5 * s).max(0.0).matrix());
            },
            3) == 0.0);
  CHECK(factor_of([](const Vector& v, double s, Vector& x) { norm(0.5)(v.cwiseMax(0.0), s, x); }, 3) == 0.0);
  CHECK(factor_of(
            [](const Vector& v, double s, Vector& x) {  // the norm of 2 x_1, x_2, x_3, nearly
              norm(0.5)(v, s, x);
              x[0] *= 1.0 + 1e-9;
            },
            3) == 0.0);
}

namespace {

constexpr std::size_t kRows = 120, kGroups = 4, kSize = 3;

/// Rows of groups of three columns, of units 1, `unit` and its square; and responses of them.
struct Rows {
  std::vector<double> a = normals(61, kRows*kGroups*kSize), y;
  explicit Rows(double unit) {
    const std::vector<double> noise = normals(62, kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
      double* row = a.data() + i * kGroups * kSize;
      y.push_back(row[0] - 0.7 * row[1] + 0.5 * row[2] - row[4] + 0.3 * noise[i]);
      for (std::size_t j = 0; j < kGroups * kSize; ++j)
        row[j] *= std::pow(unit, static_cast<double>(j % kSize));
    }
  }
};

RunResult by(const Rows& rows, const char* loss, const Values& penalty, const char* algorithm, Index steps) {
  std::vector<double> y(rows.y);
  if (loss == std::string("logistic"))
    for (double& value : y) value = value > 0.0 ? 1.0 : 0.0;
  Solver solver(build_catalog());
  solver.objective("linear-model", {{"loss", loss}, {"intercept", true}})
      .data(data_from_rows(rows.a, kRows, kGroups * kSize, y))
      .penalty("group", penalty);
  if (*algorithm) solver.algorithm(algorithm);
  return solver.stop_when({{"relative_gap", 1e-10}, {"iterations", steps}}).solve();
}

}  // namespace

TEST_CASE("euclidean blocks: groups of columns in units of their own take a few steps") {
  const Rows rows(30.0);
  for (const char* loss : {"squared", "logistic"})
    for (const double lambda : {1e-3, 0.1, 3.0}) {
      CAPTURE(loss);
      CAPTURE(lambda);
      const RunResult r = by(rows, loss, {{"lambda", lambda}, {"groups", "3"}}, "", 40);
      CHECK(r.status == Status::relative_gap);
      CHECK(r.counts.coordinate_steps <= 3000);
    }
}

TEST_CASE("euclidean blocks: no run goes up along groups of far columns in units of their own") {
  // Means of 1e8 deviations: products of the columns have no digit of what differs.
  constexpr std::size_t n = 8, p = 6;
  const double units[p] = {1e10, 1e6, 1e3, 1e4, 10.0, 1e4};
  std::vector<double> a = normals(63, n * p), y = normals(64, n);
  double zero = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = units[k % p] * (1e8 + a[k]);
  for (double& value : y) value *= 1e3, zero += value * value / (2.0 * n);
  for (const char* algorithm : {"coordinate-descent", "working-set"}) {
    Solver solver(build_catalog());
    solver.objective("linear-model").data(data_from_rows(a, n, p, y));
    solver.penalty("group", {{"lambda", 100.0}, {"groups", "2"}}).algorithm(algorithm);
    const RunResult r = solver.stop_when({{"relative_gap", 1e-6}, {"iterations", 200}}).solve();
    CHECK_MESSAGE(!is_trouble(r.status), r.failure);
    CHECK(r.measurement.value <= zero * (1.0 + 1e-12));
  }
}

TEST_CASE("euclidean blocks: other penalties of groups have the minimum that other methods find") {
  const Rows rows(2.0);
  const std::vector<Values> penalties{{{"lambda", 0.1}, {"groups", "3"}, {"ratio", 0.5}},
                                      {{"lambda", 0.1}, {"groups", "3"}, {"nonnegative", true}},
                                      {{"lambda", 0.1}, {"groups", "3"}, {"norm", "linf"}},
                                      {{"lambda", 0.1}, {"groups", "3"}}};
  for (const Values& penalty : penalties) {
    const RunResult r = by(rows, "squared", penalty, "coordinate-descent", 20000),
                    expected = by(rows, "squared", penalty, "lbfgs", 20000);
    CAPTURE(&penalty - penalties.data());
    CHECK(r.measurement.value == doctest::Approx(expected.measurement.value).epsilon(1e-6));
  }
}

}  // namespace claros::test::euclidean_blocks
