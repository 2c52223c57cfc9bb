// SPDX-License-Identifier: BSD-3-Clause
// Dual ascent against a dense solver written out here: minima, certificates, units, what is resumed and what
// is refused.
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

#include <Eigen/Dense>

// A namespace of its own: several files of tests are compiled as one.
namespace claros::test::dual_ascent {

namespace {

using Matrix = Eigen::MatrixXd;

/// min ||X - Y||_F^2 / 2 + lambda ||X||_1 over ||X||_* <= radius.
struct Instance {
  Matrix Y;
  double lambda, radius;

  double value(const Matrix& X) const { return 0.5 * (X - Y).squaredNorm() + lambda * X.lpNorm<1>(); }
  Matrix projection(const Matrix& V) const {
    const Eigen::JacobiSVD<Matrix> svd(V, Eigen::ComputeThinU | Eigen::ComputeThinV);
    Eigen::VectorXd s = svd.singularValues();
    if (s.sum() <= radius) return V;
    double sum = 0.0, level = 0.0;
    for (Eigen::Index k = 0; k < s.size(); ++k) {
      sum += s[k];
      if (const double next = (sum - radius) / static_cast<double>(k + 1); s[k] > next) level = next;
    }
    s = (s.array() - level).max(0.0);
    return svd.matrixU() * s.asDiagonal() * svd.matrixV().transpose();
  }
  /// A value of a point in the ball, and a lower bound, by plain accelerated steps of 1 on the dual.
  std::pair<double, double> bounds(int steps) const {
    Matrix u = Matrix::Zero(Y.rows(), Y.cols()), v = u;
    double theta = 1.0, upper = kInfinity, lower = -kInfinity;
    for (int step = 0; step < steps; ++step) {
      const Matrix next = (v + projection(Y - v)).cwiseMax(-lambda).cwiseMin(lambda);
      if ((v - next).cwiseProduct(next - u).sum() > 0.0) theta = 1.0;
      const double grown = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta * theta));
      v = next + (theta - 1.0) / grown * (next - u);
      u = next;
      theta = grown;
      const Matrix X = projection(Y - u);
      upper = std::min(upper, value(X));
      lower = std::max(lower, 0.5 * (X - Y).squaredNorm() + u.cwiseProduct(X).sum());
    }
    return {upper, lower};
  }
  Words words() const {
    std::string data;
    for (Eigen::Index i = 0; i < Y.rows(); ++i) {
      for (Eigen::Index j = 0; j < Y.cols(); ++j) data += print_real(Y(i, j)) + ' ';
      data += ';';
    }
    return {"objective.use=distance",
            "objective.data=" + data,
            "penalty.use=l1",
            "penalty.lambda=" + print_real(lambda),
            "set.use=nuclear-ball",
            "set.radius=" + print_real(radius),
            "algorithm.use=dual-ascent",
            "stop.iterations=3000"};
  }
};

/// A matrix of m x n whose singular values are repeated, far apart, or those of a sparse one with noise.
Instance drawn(Engine& engine, int trial) {
  const auto pick = [&](int least, int most) { return std::uniform_int_distribution<>(least, most)(engine); };
  const Eigen::Index m = pick(1, 12), n = pick(1, 12), side = std::min(m, n),
                     rank = pick(1, static_cast<int>(side));
  const auto normal = [&](Eigen::Index rows, Eigen::Index cols) {
    return Matrix(Matrix::NullaryExpr(rows, cols, [&] { return std::normal_distribution<>()(engine); }));
  };
  Matrix Y;
  if (trial % 3 == 2) {
    Y = normal(m, n).unaryExpr([](double x) { return x > 0.8 ? 3.0 * x : 0.0; }) + 0.1 * normal(m, n);
  } else {
    Eigen::VectorXd s(rank);
    for (Eigen::Index k = 0; k < rank; ++k)
      s[k] =
          trial % 3 == 0 ? (2 * k < rank ? 3.0 : 1.0) : std::pow(10.0, -6.0 * static_cast<double>(k) / 12.0);
    const Matrix U = Eigen::HouseholderQR<Matrix>(normal(m, rank)).householderQ() * Matrix::Identity(m, rank),
                 V = Eigen::HouseholderQR<Matrix>(normal(n, rank)).householderQ() * Matrix::Identity(n, rank);
    Y = U * s.asDiagonal() * V.transpose();
  }
  const double unit = std::pow(10.0, pick(-2, 2) * 3.0),
               size = Eigen::JacobiSVD<Matrix>(Y).singularValues().sum();
  const double share = std::uniform_real_distribution<>(0.05, 1.2)(engine),
               price = std::pow(10.0, std::uniform_real_distribution<>(-3.0, 0.0)(engine));
  return {unit * Y, unit * price * Y.cwiseAbs().maxCoeff(), unit * share * std::max(size, 1e-3)};
}

}  // namespace

TEST_CASE(
    "dual-ascent: random problems of every rank, conditioning and repetition: no certificate is false") {
  Engine engine(811);
  for (int trial = 0; trial < 45; ++trial) {
    const Instance instance = drawn(engine, trial);
    CAPTURE(trial);
    const auto [upper, lower] = instance.bounds(600);
    const double size = 0.5 * instance.Y.squaredNorm();
    REQUIRE(upper - lower <= 1e-5 * size);
    const RunResult r = solve(instance.words() + Words{"stop.gap=" + print_real(1e-6 * size)});
    CHECK_MESSAGE(r.status == Status::gap, (text(r.status) + ' ' + r.failure));
    REQUIRE(std::isfinite(r.measurement.gap));
    const std::vector<double> entries = r.answer.to_dense();
    const Matrix X = Eigen::Map<const Matrix>(entries.data(), instance.Y.rows(), instance.Y.cols());
    CHECK(r.measurement.value == doctest::Approx(instance.value(X)).epsilon(1e-10));
    CHECK(Eigen::JacobiSVD<Matrix>(X).singularValues().sum() <= instance.radius * (1.0 + 1e-9));
    CHECK(r.measurement.value - r.measurement.gap <= upper + 1e-13 * size);
    CHECK(r.measurement.value >= lower - 1e-13 * size);
    CHECK(r.measurement.value <= upper + 1e-6 * size);
  }
}

TEST_CASE(
    "dual-ascent: other penalties and sets have the minimum of three-operator, each point with a true "
    "bound") {
  const std::vector<Words> problems{
      {"penalty.use=l1", "penalty.lambda=0.3", "set.use=l2-ball", "set.radius=1.5"},
      {"penalty.use=l1", "penalty.lambda=0.3", "set.use=simplex", "set.radius=2"},
      {"penalty.use=elastic-net", "penalty.lambda=0.4", "penalty.ratio=0.4", "set.use=box", "set.lower=-0.3",
       "set.upper=0.9"},
      {"penalty.use=tv", "penalty.lambda=0.2", "set.use=box", "set.lower=-0.2", "set.upper=0.8"},
      {"penalty.use=group", "penalty.groups=3", "penalty.lambda=0.2", "set.use=l1-ball", "set.radius=2"}};
  for (const Words& problem : problems) {
    CAPTURE(problem.front() + problem[2]);
    const Words words = problem + Words{"objective.use=distance", "trace.every=1", "stop.iterations=20000",
                                        "objective.data=1.1 -0.9 1.2 0.1 0.8 -2 0.3 0.2 -0.1 1.5 -0.4 0.6"};
    const RunResult best = solve(words + Words{"algorithm.use=three-operator", "stop.relative_gap=1e-9"}),
                    r = solve(words + Words{"algorithm.use=dual-ascent", "stop.relative_gap=1e-7"});
    REQUIRE_MESSAGE(r.failure.empty(), r.failure);
    CHECK(text(r.status) == "relative-gap");
    const double least = best.measurement.value;
    CHECK(r.measurement.value <= least * (1.0 + 1.1e-7));
    CHECK(r.measurement.value - r.measurement.gap <= least);
    for (const TraceRow& row : r.trace) CHECK(row.value - row.gap <= least * (1.0 + 1e-12));
  }
}

TEST_CASE("dual-ascent: a penalty or a set alone is one step, at the proximal point of the data") {
  const Words data{"objective.use=distance", "objective.data=3 -0.5 1", "algorithm.use=dual-ascent",
                   "stop.gap=1e-12", "stop.iterations=1"};
  const std::vector<double> shrunk =
      solve(data + Words{"penalty.use=l1", "penalty.lambda=1"}).answer.to_dense();
  const std::vector<double> inside = solve(data + Words{"set.use=simplex", "set.radius=1"}).answer.to_dense();
  const std::vector<double> soft{2.0, 0.0, 0.0}, corner{1.0, 0.0, 0.0};
  for (std::size_t j = 0; j < 3; ++j) {
    CHECK(std::abs(shrunk[j] - soft[j]) <= 1e-14);
    CHECK(std::abs(inside[j] - corner[j]) <= 1e-14);
  }
}

TEST_CASE("dual-ascent: other units make the same steps, and a solution that is given is kept") {
  Engine engine(812);
  Instance one = drawn(engine, 2);
  while (one.Y.rows() < 5 || one.Y.cols() < 5) one = drawn(engine, 2);
  const Words stop{"stop.relative_gap=1e-7"};
  const RunResult r = solve(one.words() + stop);
  REQUIRE(r.status == Status::relative_gap);
  for (const double unit : {0x1p-40, 0x1p40}) {
    const Instance other{unit * one.Y, unit * one.lambda, unit * one.radius};
    const RunResult scaled = solve(other.words() + stop);
    CHECK(scaled.iterations == r.iterations);
    Element apart = scaled.answer.detached();
    apart.scale(1.0 / unit);
    CHECK(inner_differences(apart, r.answer, apart, r.answer) <= 1e-24 * inner(r.answer, r.answer));
  }
}

TEST_CASE("dual-ascent: a run resumed is the same run; what it cannot work with is refused with the reason") {
  Engine engine(813);
  Instance one = drawn(engine, 2);
  while (one.Y.rows() < 5 || one.Y.cols() < 5) one = drawn(engine, 2);
  Words words = one.words();
  words.back() = "stop.iterations=21";
  const Saved saved = solve_and_save(words, 4);
  REQUIRE(saved.result.failure.empty());
  for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
  const auto said = [](const Words& more) {
    return refusal(ErrorKind::usage, [&] {
      (void)solve(Words{"algorithm.use=dual-ascent", "stop.iterations=3"} + more);
    });
  };
  const Words l1{"penalty.use=l1", "penalty.lambda=0.1"};
  check_mentions(
      said(l1 + Words{"objective.use=distance", "objective.data=1 2 3", "objective.weights=1 2 1"}),
      {"multiple of the identity", "smoothness 2", "three-operator"});
  check_mentions(
      said(l1 + Words{"objective.use=distance", "objective.data=1 2 3", "objective.weights=1 0 1"}),
      {"multiple of the identity"});
  check_mentions(said(l1 + Words{"data.use=synthetic-regression", "objective.use=linear-model"}),
                 {"multiple of the identity"});
  check_mentions(
      said({"objective.use=distance", "objective.data=1 2 3", "penalty.use=mcp", "penalty.lambda=0.1"}),
      {"convex"});
}

}  // namespace claros::test::dual_ascent
