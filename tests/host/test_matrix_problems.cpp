// SPDX-License-Identifier: BSD-3-Clause
// Data and functions in the types of Eigen and Armadillo: the problems that spans would make.
#include "small_host.hpp"

#include <claros/sdk/armadillo_problem.hpp>
#include <claros/sdk/eigen_problem.hpp>

namespace claros::test {

namespace {

constexpr Index kRows = 8, kCols = 3;

/// Least squares over a ball.
std::vector<double> solution_of(std::shared_ptr<const Dataset> data) {
  const auto result = Solver(build_catalog())
                          .objective("linear-model")
                          .data(std::move(data))
                          .constraint("l2-ball", {{"radius", 0.5}})
                          .algorithm("proximal-gradient", {{"step", 0.1}})
                          .stop_when({{"iterations", 40}})
                          .solve();
  return result.answer.to_dense();
}

/// Some entries 0, so that the sparse forms leave some out.
Eigen::MatrixXd design() {
  const std::vector<double> a = normals(1, kRows * kCols);
  Eigen::MatrixXd A = sdk::eigen_matrix(std::span(a), kRows, kCols);
  A(0, 0) = A(3, 1) = A(7, 2) = A(5, 0) = 0.0;
  return A;
}

void same(const std::vector<double>& x, const std::vector<double>& y, double relative = 1e-12) {
  REQUIRE(x.size() == y.size());
  for (std::size_t j = 0; j < x.size(); ++j) CHECK(x[j] == doctest::Approx(y[j]).epsilon(relative));
}

}  // namespace

TEST_CASE("a design of Eigen in any layout is the data that it shows") {
  const Eigen::MatrixXd A = design();
  const std::vector<double> y = normals(2, kRows);
  const auto response = sdk::eigen_vector(std::span(y));
  const auto expected =
      solution_of(data_from_columns({A.data(), static_cast<std::size_t>(A.size())}, kRows, kCols, y));
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  same(solution_of(sdk::eigen_data(A, response)), expected);
  same(solution_of(sdk::eigen_data(RowMajor(A), response)), expected);
  same(solution_of(sdk::eigen_data(A.transpose().eval().transpose(), response)), expected);
  Eigen::MatrixXd wide(kRows + 2, kCols + 1);
  wide.setConstant(7.0);
  wide.block(1, 1, kRows, kCols) = A;
  same(solution_of(sdk::eigen_data(wide.block(1, 1, kRows, kCols), response)), expected);
  same(solution_of(sdk::eigen_data(2.0 * A, 2.0 * response)),
       solution_of(sdk::eigen_data(Eigen::MatrixXd(2.0 * A), Eigen::VectorXd(2.0 * response))));
  same(solution_of(sdk::eigen_data(A.cast<float>(), response)), expected, 1e-5);
  const Eigen::SparseMatrix<double> columns = A.sparseView();
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows = A.sparseView();
  CHECK(columns.nonZeros() == kRows * kCols - 4);
  same(solution_of(sdk::eigen_data(columns, response)), expected);
  same(solution_of(sdk::eigen_data(rows, response)), expected);
  Eigen::SparseMatrix<double, Eigen::RowMajor> loose = rows;
  loose.coeffRef(0, 0) = 0.0;  // no longer compressed
  CHECK_FALSE(loose.isCompressed());
  same(solution_of(sdk::eigen_data(loose, response)), expected);
  CHECK_THROWS_WITH_AS((void)sdk::eigen_data(A, response.head(3)), doctest::Contains("3 responses"), Error);
}

TEST_CASE("a design of Armadillo is the data that it shows") {
  const Eigen::MatrixXd A = design();
  const std::vector<double> y = normals(2, kRows);
  const auto expected =
      solution_of(data_from_columns({A.data(), static_cast<std::size_t>(A.size())}, kRows, kCols, y));
  const arma::mat B(A.data(), kRows, kCols);
  const arma::vec response(y);
  same(solution_of(sdk::arma_data(B, response)), expected);
  same(solution_of(sdk::arma_data(arma::sp_mat(B), response)), expected);
  CHECK_THROWS_WITH_AS((void)sdk::arma_data(B, response.head(3)), doctest::Contains("3 responses"), Error);
}

TEST_CASE("observed entries come from sparse matrices") {
  Eigen::SparseMatrix<double> R(4, 3);
  for (const auto& [i, j, value] :
       {std::tuple{0, 0, 1.0}, {3, 0, -2.0}, {1, 1, 0.5}, {2, 2, 3.0}, {3, 2, 1.5}})
    R.insert(i, j) = value;
  arma::sp_mat S(4, 3);
  for (int j = 0; j < R.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(R, j); entry; ++entry)
      S(static_cast<arma::uword>(entry.row()), static_cast<arma::uword>(entry.col())) = entry.value();
  const std::vector<std::int32_t> row{0, 1, 2, 3, 3}, col{0, 1, 2, 0, 2};
  const std::vector<double> value{1.0, 0.5, 3.0, -2.0, 1.5};
  const auto completed = [](std::shared_ptr<const Dataset> data) {
    return Solver(build_catalog())
        .objective("matrix-completion")
        .data(std::move(data))
        .constraint("nuclear-ball", {{"radius", 3}})
        .algorithm("frank-wolfe")
        .stop_when({{"iterations", 30}})
        .solve()
        .answer.to_dense();
  };
  const auto expected = completed(data_from_triplets(row, col, value, 4, 3));
  CHECK(completed(sdk::eigen_ratings(R)) == expected);
  CHECK(completed(sdk::arma_ratings(S)) == expected);
}

TEST_CASE("functions of Eigen's and Armadillo's vectors and matrices") {
  const Eigen::MatrixXd A = design();
  const Eigen::MatrixXd S = A.transpose() * A + Eigen::MatrixXd::Identity(kCols, kCols);
  const Eigen::VectorXd b{{1.0, -2.0, 0.5}};
  const Constants known{.convex = true, .smoothness = S.norm(), .term_smoothness = S.norm()};
  const auto solved = [](const sdk::Function& f) {
    const auto result = Solver(build_catalog())
                            .objective(sdk::objective(f))
                            .algorithm("proximal-gradient")
                            .stop_when({{"iterations", 500}})
                            .solve();
    return sdk::eigen_vector(result.answer);
  };
  const auto by_eigen = sdk::eigen_function(
      kCols, [&](const auto& x) { return 0.5 * x.dot(S * x) - b.dot(x); },
      [&](const auto& x) { return S * x - b; }, known);
  CHECK((S * solved(by_eigen)).isApprox(b, 1e-6));
  const arma::mat T(S.data(), kCols, kCols);
  const arma::vec c(std::vector<double>{1.0, -2.0, 0.5});
  const auto by_armadillo = sdk::arma_function(
      kCols, [&](const arma::vec& x) { return 0.5 * arma::dot(x, T * x) - arma::dot(c, x); },
      [&](const arma::vec& x) { return arma::vec(T * x - c); }, known);
  CHECK((S * solved(by_armadillo)).isApprox(b, 1e-6));

  // f(X) = ||X - C||_F^2 / 2, of a matrix.
  const Eigen::MatrixXd C = A.topRows(2);
  const arma::mat D(C.data(), 2, kCols);
  const Constants distance{.convex = true, .smoothness = 1.0, .term_smoothness = 1.0};
  const auto near = sdk::eigen_matrix_function(
      2, kCols, [&](const auto& X) { return 0.5 * (X - C).squaredNorm(); },
      [&](const auto& X) { return X - C; }, distance);
  CHECK(sdk::objective(near)->shape() == Shape::matrix(2, kCols));
  CHECK(solved(near).isApprox(Eigen::Map<const Eigen::VectorXd>(C.data(), C.size()), 1e-6));
  const auto close = sdk::arma_matrix_function(
      2, kCols, [&](const arma::mat& X) { return 0.5 * arma::accu(arma::square(X - D)); },
      [&](const arma::mat& X) { return arma::mat(X - D); }, distance);
  CHECK(solved(close).isApprox(Eigen::Map<const Eigen::VectorXd>(C.data(), C.size()), 1e-6));

  // A gradient of other entries is refused where it is made.
  const auto wrong = sdk::eigen_function(
      kCols, [](const auto&) { return 0.0; }, [](const auto&) { return Eigen::VectorXd::Zero(2).eval(); },
      known);
  std::vector<double> x(kCols), g(kCols);
  CHECK_THROWS_WITH_AS(wrong.gradient(x, g), doctest::Contains("its gradient is 2 x 1"), Error);
  const auto crooked = sdk::arma_function(
      kCols, [](const arma::vec&) { return 0.0; },
      [](const arma::vec&) { return arma::vec(4, arma::fill::zeros); }, known);
  CHECK_THROWS_WITH_AS(crooked.gradient(x, g), doctest::Contains("its gradient is 4 x 1"), Error);
}

}  // namespace claros::test
