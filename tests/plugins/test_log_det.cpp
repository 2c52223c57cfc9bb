// SPDX-License-Identifier: BSD-3-Clause
// The Gaussian likelihood of an inverse covariance matrix beside Eigen's decompositions, and the graphical
// lasso beside its optimality conditions and a block coordinate descent written anew.
#include "linear_problem.hpp"

#include <claros/abilities.hpp>
#include <claros/domain.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

using namespace claros;
using namespace claros::test;

namespace log_det_test {

using Matrix = Eigen::MatrixXd;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Matrix normal_matrix(std::uint64_t seed, Index rows, Index cols) {
  const Dense values = normals(seed, rows * cols);
  return Eigen::Map<const Matrix>(values.data(), rows, cols);
}
/// Correlated columns in two groups of p/2 that know nothing of each other, in units `scale`.
Matrix samples(std::uint64_t seed, Index n, Index p, double scale = 1.0) {
  Matrix X = normal_matrix(seed, n, p);
  for (Index j = 1; j < p; ++j)
    if (j != p / 2) X.col(j) += 0.7 * X.col(j - 1);
  return scale * X;
}
Matrix covariance(const Matrix& X, bool center = true) {
  const Matrix C = center ? Matrix(X.rowwise() - X.colwise().mean()) : X;
  return C.transpose() * C / static_cast<double>(X.rows());
}
Element element(const Matrix& X) {
  return Element::dense(Shape::matrix(X.rows(), X.cols()), {X.data(), X.data() + X.size()});
}
Matrix matrix(const Element& x) {
  const Dense values = x.to_dense();
  return Eigen::Map<const Matrix>(values.data(), x.shape().rows, x.shape().cols);
}
std::string file_of(const TestFolder& folder, const Matrix& X, const std::string& name) {
  std::string text;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) text += print_real(X(i, j)) + (j + 1 < X.cols() ? "," : "\n");
  return folder.put(name, text).string();
}
std::shared_ptr<Objective> objective(const Matrix& X, const Numbers& numbers = {}) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : numbers) settings.push_back({key, value, {}, {}});
  Context context;
  const Matrix rows = X.transpose();
  context.data = std::make_shared<DesignInMemory>(make_design(
      {rows.data(), rows.data() + rows.size()}, X.cols(), Dense(static_cast<std::size_t>(X.rows()), 0.0)));
  return std::static_pointer_cast<Objective>(
      create_component(build_catalog(), Kind::objective, "log-det", settings, context));
}

/// By eigenvalues.
double value(const Matrix& X, const Matrix& S) {
  const Matrix symmetric = 0.5 * (X + X.transpose());
  const Eigen::VectorXd e = Eigen::SelfAdjointEigenSolver<Matrix>(symmetric).eigenvalues();
  return e.minCoeff() > 0.0 ? -e.array().log().sum() + S.cwiseProduct(X).sum() : kInfinity;
}
double off_diagonal(const Matrix& X) { return X.cwiseAbs().sum() - X.diagonal().cwiseAbs().sum(); }

/// A positive definite matrix of blocks of these sizes, whose members lie apart, and what is not symmetric of
/// it where f sees nothing of it.
Matrix blocks(std::uint64_t seed, const std::vector<Index>& sizes, double skew) {
  Index p = 0;
  for (const Index size : sizes) p += size;
  Matrix whole = Matrix::Zero(p, p), mixed(p, p);
  for (Index from = 0, b = 0; b < static_cast<Index>(sizes.size());
       from += sizes[static_cast<std::size_t>(b++)]) {
    const Index size = sizes[static_cast<std::size_t>(b)];
    const Matrix A = normal_matrix(seed + static_cast<std::uint64_t>(b), size, size);
    whole.block(from, from, size, size) = A * A.transpose() + Matrix::Identity(size, size);
    if (size > 1) whole(from, from + 1) += skew, whole(from + 1, from) -= skew;
  }
  std::vector<Index> order(static_cast<std::size_t>(p));
  for (Index i = 0; i < p; ++i) order[static_cast<std::size_t>(i)] = i;
  Engine engine(seed);
  std::ranges::shuffle(order, engine);
  for (Index i = 0; i < p; ++i)
    for (Index j = 0; j < p; ++j)
      mixed(i, j) = whole(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
  return mixed;
}

/// Friedman, Hastie, Tibshirani 2008: W column by column, each a lasso by coordinate descent; X = W^{-1}.
Matrix glasso(const Matrix& S, double lambda, bool penalised_diagonal) {
  const Index p = S.rows();
  Matrix W = S;
  if (penalised_diagonal) W.diagonal().array() += lambda;
  Matrix B = Matrix::Zero(p, p);
  for (int sweep = 0; sweep < 300; ++sweep)
    for (Index j = 0; j < p; ++j) {
      for (int inner = 0; inner < 100; ++inner)
        for (Index k = 0; k < p; ++k) {
          if (k == j) continue;
          const double r = S(k, j) - W.col(k).dot(B.col(j)) + W(k, k) * B(k, j);
          B(k, j) = std::copysign(std::max(std::abs(r) - lambda, 0.0), r) / W(k, k);
        }
      const Eigen::VectorXd w = W * B.col(j);
      for (Index k = 0; k < p; ++k)
        if (k != j) W(k, j) = W(j, k) = w[k];
    }
  return W.inverse();
}

Words words(const std::string& file, double lambda, const Words& more = {}) {
  return Words{"objective.use=log-det", "objective.data=" + file, "penalty.use=l1",
               "penalty.lambda=" + print_real(lambda)} +
         more;
}
const Words kFree{"penalty.weights=off-diagonal"};

TEST_CASE("log-det: value, gradient and Hessian are those of whole decompositions, whatever the blocks") {
  const Matrix raw = samples(1, 40, 9);
  const auto f = objective(raw);
  const Matrix S = covariance(raw);
  for (const auto& sizes :
       std::vector<std::vector<Index>>{{9}, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {4, 1, 3, 1}, {2, 7}}) {
    CAPTURE(sizes.size());
    const Matrix X = blocks(7, sizes, 0.3), D = normal_matrix(9, 9, 9);
    const Matrix W = (0.5 * (X + X.transpose())).inverse();
    CHECK(f->value(element(X)) == doctest::Approx(value(X, S)).epsilon(1e-12));
    Element g(f->shape()), product(f->shape());
    f->add_gradient(element(X), Batch::all(), 2.0, g);
    CHECK((matrix(g) - 2.0 * (S - W)).norm() <= 1e-11 * W.norm());
    CHECK(matrix(g) == matrix(g).transpose());
    query<Curvature>(*f)->add_hessian_product(element(X), element(D), Batch::all(), -1.0, product);
    CHECK((matrix(product) + W * (0.5 * (D + D.transpose())) * W).norm() <=
          1e-11 * W.norm() * W.norm() * D.norm());
  }
}

TEST_CASE("log-det: outside the positive definite matrices the value is infinite and no gradient exists") {
  const auto f = objective(samples(1, 40, 4));
  Matrix X = Matrix::Identity(4, 4);
  for (const double diagonal : {0.0, -1.0}) {
    X(2, 2) = diagonal;
    CHECK(f->value(element(X)) == kInfinity);
    Element g(f->shape());
    CHECK_THROWS_AS(f->add_gradient(element(X), Batch::all(), 1.0, g), Error);
  }
  X(2, 2) = 1.0, X(0, 1) = X(1, 0) = 1.0 + 1e-12;
  CHECK(f->value(element(X)) == kInfinity);
  X(0, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(f->value(element(X))));
  const Matrix inner = matrix(query<Domain>(*f)->inner_point(f->shape()));
  CHECK(std::isfinite(f->value(element(inner))));
  CHECK(inner.isDiagonal(0.0));
}

TEST_CASE(
    "log-det: points that differ in one entry are two points, though the factors of the last are kept") {
  const auto f = objective(samples(1, 40, 6));
  const Matrix S = covariance(samples(1, 40, 6)), X = blocks(7, {6}, 0.0);
  for (int round = 0; round < 2; ++round)
    for (Index k = 0; k < X.size(); k += 5) {
      Matrix Y = X;
      Y.data()[k] += 1e-3;
      for (const Matrix& point : {X, Y}) {
        CHECK(f->value(element(point)) == doctest::Approx(value(point, S)).epsilon(1e-12));
        Element g(f->shape());
        f->add_gradient(element(point), Batch::all(), 1.0, g);
        CHECK((matrix(g) - (S - (0.5 * (point + point.transpose())).inverse())).norm() <= 1e-10);
      }
    }
}

TEST_CASE("log-det: samples, their covariance and a file of it are one function") {
  const TestFolder folder;
  Matrix raw = samples(3, 25, 5);
  raw.array() += 0.5;
  const Element x = element(blocks(5, {3, 2}, 0.0));
  for (const bool center : {true, false}) {
    const Matrix S = covariance(raw, center);
    const double expected = value(matrix(x), S);
    const Numbers numbers{{"center", center ? "yes" : "no"}};
    CHECK(objective(raw, numbers)->value(x) == doctest::Approx(expected).epsilon(1e-12));
    CHECK(objective(S, {{"form", "matrix"}})->value(x) == doctest::Approx(expected).epsilon(1e-12));
    for (const Matrix& data : {raw, S}) {
      const auto f =
          compose(build_catalog(), spec_of({"objective.use=log-det", "stop.iterations=1",
                                            "objective.data=" + file_of(folder, data, "d.csv"),
                                            std::string("objective.center=") + (center ? "yes" : "no")}))
              .objective;
      CHECK(f->value(x) == doctest::Approx(expected).epsilon(1e-12));
    }
  }
}

TEST_CASE("log-det: what is not a covariance is refused") {
  const auto refused = [](const Matrix& X, const Numbers& numbers) {
    return refusal(ErrorKind::data, [&] { (void)objective(X, numbers); });
  };
  const Matrix rows = samples(3, 6, 4);
  CHECK(contains(refused(rows, {{"form", "matrix"}}), "expected a symmetric matrix S, found 6 x 4"));
  CHECK(contains(refused(rows.topRows(4), {{"form", "matrix"}}), "not symmetric"));
  CHECK(contains(refused(-covariance(rows), {{"form", "matrix"}}), "expected variances on the diagonal"));
  CHECK(contains(composing_refused({"objective.use=log-det", "stop.iterations=1"}), "objective.data = FILE"));
}

TEST_CASE("graphical lasso: the optimality conditions hold, and block coordinate descent finds the same") {
  const TestFolder folder;
  const double lambda = 0.15;
  for (const bool penalised : {false, true})
    for (const Index n : {60, 6}) {  // S of rank 5 too
      CAPTURE(n);
      const Matrix S = covariance(samples(11, n, 10));
      const RunResult r = solve(words(file_of(folder, S, "S.csv"), lambda, penalised ? Words{} : kFree) +
                                Words{"stop.relative_gap=1e-10", "stop.iterations=100000"});
      REQUIRE(r.status == Status::relative_gap);
      const Matrix X = matrix(r.answer), W = X.inverse(), other = glasso(S, lambda, penalised);
      CHECK(X == X.transpose());
      const double minimum =
          value(other, S) + lambda * (penalised ? other.cwiseAbs().sum() : off_diagonal(other));
      CHECK(std::abs(r.measurement.value - minimum) <= 1e-8 * std::abs(minimum));
      CHECK((X - other).norm() <= 1e-3 * other.norm());
      for (Index i = 0; i < 10; ++i)
        for (Index j = 0; j < 10; ++j) {
          const double slope = W(i, j) - S(i, j), room = 1e-3;
          if (i == j)
            CHECK(std::abs(slope - (penalised ? lambda : 0.0)) <= room);
          else if (X(i, j) == 0.0)
            CHECK(std::abs(slope) <= lambda + room);
          else
            CHECK(std::abs(slope - std::copysign(lambda, X(i, j))) <= room);
        }
    }
}

TEST_CASE("graphical lasso: after any number of steps, in any units, the minimum lies within the gap") {
  const TestFolder folder;
  for (const double scale : {1.0, 1e-4, 1e4})
    for (const bool penalised : {false, true}) {
      CAPTURE(scale);
      const double lambda = 0.15 * scale * scale;
      const Matrix S = covariance(samples(11, 60, 10, scale)), other = glasso(S, lambda, penalised);
      const double minimum =
          value(other, S) + lambda * (penalised ? other.cwiseAbs().sum() : off_diagonal(other));
      const std::string file = file_of(folder, S, "S.csv");
      for (const int steps : {1, 3, 10, 30, 100, 300}) {
        CAPTURE(steps);
        const RunResult r = solve(words(file, lambda, penalised ? Words{} : kFree) +
                                  Words{"stop.iterations=" + std::to_string(steps)});
        CHECK(r.measurement.value >= minimum - 1e-9 * std::abs(minimum));
        if (r.measurement.gap_kind != "duality") continue;
        CHECK(r.measurement.value - r.measurement.gap <= minimum + 1e-9 * std::abs(minimum));
        if (steps == 300) CHECK(r.measurement.gap <= 1e-4);
      }
    }
}

TEST_CASE(
    "graphical lasso: a point off by d has a gap of the size of d^2, with the dual of its subgradient") {
  const TestFolder folder;
  const double lambda = 0.15;
  const Matrix S = covariance(samples(11, 60, 10));
  for (const bool penalised : {false, true}) {
    CAPTURE(penalised);
    const Words all = words(file_of(folder, S, "S.csv"), lambda, penalised ? Words{} : kFree);
    const Composition c = compose(build_catalog(), spec_of(all));
    auto* conjugate = query<Conjugate>(*c.penalty);
    REQUIRE(conjugate);
    const Matrix best =
        matrix(solve(all + Words{"algorithm.use=p-glasso", "stop.gap=1e-12", "trace.on=no"}).answer);
    Matrix way = normal_matrix(3, 10, 10);
    way = (0.5 * (way + way.transpose())).cwiseProduct(best);  // keeps the zeros
    for (const double d : {1e-2, 1e-3, 1e-4}) {
      CAPTURE(d);
      const Matrix X = best + d * way;
      const double at = value(X, S) + lambda * (penalised ? X.cwiseAbs().sum() : off_diagonal(X)),
                   gap = at - query<Certified>(*c.objective)->lower_bound(element(X), *conjugate);
      CHECK(gap > 0.0);
      CHECK(gap <= 40.0 * d * d);  // scaled or cut into the domain: of the size of d
    }
  }
}

TEST_CASE("p-glasso: the minimum of the dual method by columns, in any units, in few passes") {
  const TestFolder folder;
  for (const double scale : {1.0, 0x1p-40, 0x1p40})
    for (const Index n : {60, 6})
      for (const bool penalised : {false, true}) {
        CAPTURE(scale);
        CAPTURE(n);
        CAPTURE(penalised);
        const double lambda = 0.05 * scale;
        const Matrix S = scale * covariance(samples(11, n, 10)), other = glasso(S, lambda, penalised);
        const double minimum =
            value(other, S) + lambda * (penalised ? other.cwiseAbs().sum() : off_diagonal(other));
        const RunResult r = solve(words(file_of(folder, S, "S.csv"), lambda, penalised ? Words{} : kFree) +
                                  Words{"algorithm.use=p-glasso", "stop.gap=1e-8"});
        REQUIRE_MESSAGE(r.status == Status::gap, r.failure);
        CHECK(r.iterations <= 100);
        CHECK(matrix(r.answer) == matrix(r.answer).transpose());
        CHECK(r.measurement.value <= minimum + 1e-7);
      }
}

TEST_CASE("p-glasso: penalties of groups, of squares and of other weights below the diagonal are refused") {
  const TestFolder folder;
  const Words all{"objective.use=log-det", "stop.iterations=3", "algorithm.use=p-glasso",
                  "objective.data=" + file_of(folder, covariance(samples(11, 60, 3)), "S.csv")};
  const auto refused = [&](const Words& penalty) {
    return refusal(ErrorKind::usage, [&] { (void)solve(all + penalty); });
  };
  const Words l1{"penalty.use=l1", "penalty.lambda=0.1"};
  CHECK(contains(refused(l1 + Words{"penalty.weights=0 1 1 1 0 1 1 2 0"}), "the same for the entries"));
  CHECK(contains(refused({"penalty.use=ridge", "penalty.lambda=0.1"}), "linear on the diagonal"));
  CHECK(contains(refused({"penalty.use=group", "penalty.lambda=0.1", "penalty.groups=3"}), "single entries"));
  CHECK(contains(refused({"penalty.use=mcp", "penalty.lambda=0.1"}), "convex"));
}

TEST_CASE(
    "graphical lasso: lbfgs stays where the value is finite, and comes to the same minimum in fewer steps") {
  const TestFolder folder;
  for (const double scale : {1.0, 1e-3, 1e3})
    for (const Index n : {60, 6}) {
      CAPTURE(scale);
      CAPTURE(n);
      const double lambda = 0.05 * scale * scale;
      const Matrix S = covariance(samples(11, n, 10, scale)), other = glasso(S, lambda, false);
      const double minimum = value(other, S) + lambda * off_diagonal(other);
      const Words all = words(file_of(folder, S, "S.csv"), lambda, kFree) +
                        Words{"stop.gap=1e-7", "stop.iterations=100000"};
      const RunResult ours = solve(all + Words{"algorithm.use=lbfgs"}),
                      plain = solve(all + Words{"algorithm.use=proximal-gradient"});
      REQUIRE_MESSAGE(ours.status == Status::gap, ours.failure);
      CHECK(ours.measurement.value == doctest::Approx(minimum).epsilon(1e-6));
      CHECK(ours.iterations < plain.iterations);
    }
}

TEST_CASE("graphical lasso: the steps do not depend on the units of the data") {
  const TestFolder folder;
  const Matrix S = covariance(samples(11, 60, 10));
  const auto solved = [&](double scale) {
    return solve(words(file_of(folder, scale * S, "S.csv"), 0.15 * scale, kFree) +
                 Words{"stop.iterations=50"});
  };
  const Matrix X = matrix(solved(1.0).answer);
  for (const double scale : {0x1p-40, 0x1p60})
    CHECK((scale * matrix(solved(scale).answer) - X).norm() <= 1e-6 * X.norm());
}

TEST_CASE("graphical lasso: groups without a large covariance between them are solved as if alone") {
  const TestFolder folder;
  const Matrix S = covariance(samples(13, 400, 12));
  const double between = S.topRightCorner(6, 6).cwiseAbs().maxCoeff(), lambda = 1.01 * between;
  const auto solved = [&](const Matrix& part) {
    const RunResult r = solve(words(file_of(folder, part, "S.csv"), lambda, kFree) +
                              Words{"stop.relative_gap=1e-12", "stop.iterations=20000"});
    REQUIRE(r.status == Status::relative_gap);
    return matrix(r.answer);
  };
  const Matrix whole = solved(S), first = solved(S.topLeftCorner(6, 6)),
               second = solved(S.bottomRightCorner(6, 6));
  CHECK(whole.topRightCorner(6, 6).cwiseAbs().maxCoeff() == 0.0);
  CHECK(off_diagonal(first) > 0.1);
  CHECK((whole.topLeftCorner(6, 6) - first).norm() <= 1e-4 * first.norm());
  CHECK((whole.bottomRightCorner(6, 6) - second).norm() <= 1e-4 * second.norm());
}

TEST_CASE("graphical lasso: off-diagonal weights are those of a list, and need a square variable") {
  const TestFolder folder;
  const Matrix S = covariance(samples(17, 50, 3));
  const std::string file = file_of(folder, S, "S.csv");
  const Words more{"stop.iterations=40"};
  const RunResult word = solve(words(file, 0.2, kFree) + more),
                  list = solve(words(file, 0.2, {"penalty.weights=0,1,1,1,0,1,1,1,0"}) + more);
  CHECK(word.answer.to_dense() == list.answer.to_dense());
  CHECK(word.measurement.gap_kind == "duality");
  CHECK(list.measurement.gap_kind == "none");
  CHECK(contains(refusal(ErrorKind::usage,
                         [&] {
                           (void)solve({"data.use=synthetic-regression", "data.rows=9", "data.cols=4",
                                        "data.nonzero=2", "objective.use=linear-model", "penalty.use=l1",
                                        "penalty.lambda=0.1", "penalty.weights=off-diagonal",
                                        "stop.iterations=3"});
                         }),
                 "expected a square matrix for off-diagonal"));
}

TEST_CASE(
    "log-det: without a penalty on the entries, lambda = 0, the solution is the inverse, and its gap is "
    "known") {
  const TestFolder folder;
  const Matrix S = covariance(samples(19, 80, 5));
  const RunResult r = solve(words(file_of(folder, S, "S.csv"), 0.0, kFree) +
                            Words{"stop.relative_gap=1e-9", "stop.iterations=20000"});
  CHECK(r.status == Status::relative_gap);
  CHECK((matrix(r.answer) - S.inverse()).norm() <= 1e-3 * S.inverse().norm());
}

TEST_CASE("log-det: by default a run over a set starts at positive definite matrices of the set") {
  const TestFolder folder;
  folder.put("s.csv", "1,0.2,0\n0.2,2,0.1\n0,0.1,4\n");
  const Words f{"objective.use=log-det", "objective.form=matrix",
                "objective.data=" + (folder / "s.csv").string(), "stop.iterations=3"};
  const std::vector<Words> sets{
      {"set.use=spectrahedron", "set.radius=1"},
      {"set.use=spectrahedron", "set.radius=1e-6"},
      {"set.use=spectrahedron", "set.radius=1e6"},
      {"set.use=psd-trace", "set.radius=1"},
      {"set.use=psd-trace", "set.radius=0.01"},
      {"set.use=fantope", "set.k=2"},
      {"set.use=nuclear-ball", "set.radius=0.5"},
      {"set.use=l1-ball", "set.radius=0.1"},
      {"set.use=l2-ball", "set.radius=1"},
      {"set.use=lp-ball", "set.p=3", "set.radius=0.1"},
      {"set.use=elastic-net-ball", "set.radius=0.1"},
      {"set.use=group-ball", "set.groups=rows", "set.radius=0.1"},
      {"set.use=k-sparse", "set.k=3", "set.radius=1"},
      {"set.use=box", "set.lower=-1", "set.upper=1"},
      {"set.use=simplex", "set.radius=1"},
      {"set.use=birkhoff"},
      {"set.use=moved", "set.factor=2", "set.inner.use=spectrahedron", "set.inner.radius=1"},
      {"set.use=cached", "set.inner.use=spectrahedron", "set.inner.radius=1"},
      {"set.use=intersection", "set.sets.1.use=spectrahedron", "set.sets.1.radius=1", "set.sets.2.use=box",
       "set.sets.2.lower=-0.6", "set.sets.2.upper=0.6"}};
  int runs = 0;
  for (const Words& set : sets)
    for (const Words& algorithm :
         {Words{}, Words{"algorithm.use=frank-wolfe"}, Words{"algorithm.use=away-step"},
          Words{"algorithm.use=blended-pairwise"}, Words{"algorithm.use=proximal-gradient"}}) {
      const Words words = f + set + algorithm;
      CAPTURE(set);
      CAPTURE(algorithm);
      if (composing_refused(words) != "accepted") continue;
      const Composition made = compose(build_catalog(), spec_of(words));
      CHECK(std::isfinite(made.objective->value(made.start_point())));
      const RunResult r = run_composition(made);
      CHECK_MESSAGE(!is_trouble(r.status), r.failure);
      CHECK(std::isfinite(r.measurement.value));
      CHECK(!(r.violation > 1e-6));
      ++runs;
    }
  CHECK(runs >= 50);
}

TEST_CASE("log-det: where no point of the set is positive definite the start is refused, once") {
  const TestFolder folder;
  folder.put("s.csv", "1,0\n0,2\n");
  CHECK(refusal(ErrorKind::usage, [&] {
          (void)solve({"objective.use=log-det", "objective.form=matrix",
                       "objective.data=" + (folder / "s.csv").string(), "set.use=box", "set.lower=-2",
                       "set.upper=-1"});
        }).find("outside its domain") != std::string::npos);
}

TEST_CASE("log-det: a singular S whose computed factor exists bounds nothing") {
  const TestFolder folder;
  // Of determinant 0 in integers over 8, and positive definite to LAPACK's Cholesky factorisation.
  const std::vector<Dense> singular{
      {15.0, -45.75, 156.0, -45.75, 3907.875, -4113.375, 156.0, -4113.375, 5133.75},
      {4392.375, -2435.25, 1196.625, -2435.25, 1479.0, -1140.75, 1196.625, -1140.75, 2094.375}};
  for (const Dense& numbers : singular) {
    const Matrix S = Eigen::Map<const Matrix>(numbers.data(), 3, 3);
    const Words all = words(file_of(folder, S, "S.csv"), 0.0, kFree);
    const Composition c = compose(build_catalog(), spec_of(all + Words{"stop.iterations=1"}));
    auto* conjugate = query<Conjugate>(*c.penalty);
    REQUIRE(conjugate);
    // f falls without end along the null vector of S, from any point.
    for (const Matrix& X :
         {Matrix(S.diagonal().cwiseInverse().asDiagonal()), Matrix((S + Matrix::Identity(3, 3)).inverse())})
      CHECK(query<Certified>(*c.objective)->lower_bound(element(X), *conjugate) == -kInfinity);
    // Where X itself may be singular, nothing is known of its value.
    CHECK(query<Rounding>(*c.objective)->rounding(element(S), 1.0) == kInfinity);
    CHECK(query<Rounding>(*c.objective)->rounding(element(Matrix::Identity(3, 3)), 1.0) < 1e-9);
    const RunResult r = solve(all + Words{"algorithm.use=lbfgs", "stop.gap=200", "stop.iterations=200"});
    CHECK(r.status != Status::gap);
  }
}

}  // namespace log_det_test
