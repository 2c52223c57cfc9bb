// SPDX-License-Identifier: BSD-3-Clause
#include "small_host.hpp"

#include <claros/element/views.hpp>
#include <claros/sdk/armadillo.hpp>
#include <claros/sdk/eigen.hpp>

namespace claros::test {

TEST_CASE("a dense element is seen in place") {
  Element x = Element::dense(Shape::matrix(2, 3), {1, 2, 3, 4, 5, 6});
  const double* values = dense_view(x)->data();
  auto by_eigen = sdk::eigen_matrix(x);
  CHECK(by_eigen.data() == values);
  CHECK(by_eigen(1, 2) == 6.0);
  by_eigen(1, 2) = 7.0;
  arma::mat by_armadillo = sdk::arma_matrix(x);
  CHECK(by_armadillo.memptr() == values);
  CHECK(by_armadillo(1, 2) == 7.0);
  by_armadillo(0, 0) = -1.0;
  CHECK((*dense_view(x))[0] == -1.0);
  CHECK(sdk::eigen_vector(*dense_view(x)).data() == values);
  const auto constant = sdk::arma_vector(*dense_view(x));
  CHECK(constant.memptr() == values);

  x.scale(2.0);  // a weight beside the array
  CHECK_FALSE(dense_view(x));
  CHECK(x.dense_values()[0] == -2.0);
  CHECK(dense_view(x));
}

TEST_CASE("a constant element is copied, whatever its form") {
  Element changing = Element::dense(Shape::matrix(2, 3), {1, 2, 3, 4, 5, 6});
  CHECK(sdk::eigen_vector(changing).data() == dense_view(changing)->data());
  CHECK(sdk::arma_vector(changing).memptr() == dense_view(changing)->data());
  changing.scale(2.0);  // a weight beside the array
  const Element x = changing;
  const Eigen::VectorXd v = sdk::eigen_vector(x);
  const Eigen::MatrixXd X = sdk::eigen_matrix(x);
  CHECK(v(5) == 12.0);
  CHECK(X.rows() == 2);
  CHECK(X(1, 2) == 12.0);
  CHECK(sdk::arma_vector(x)(5) == 12.0);
  CHECK(sdk::arma_matrix(x)(1, 2) == 12.0);
  static_assert(std::is_same_v<decltype(sdk::eigen_vector(Element())), Eigen::VectorXd>,
                "of what is no longer than the line: a copy");
  static_assert(std::is_same_v<decltype(sdk::eigen_matrix(Element())), Eigen::MatrixXd>,
                "of what is no longer than the line: a copy");

  const Element low = Element::rank_one(2.0, std::vector<double>{3, 4}, std::vector<double>{0, 1});
  CHECK(sdk::eigen_matrix(low)(1, 1) == 8.0);
  const auto by_eigen = sdk::eigen_factors(low);
  const auto by_armadillo = sdk::arma_factors(low);
  REQUIRE(by_eigen);
  REQUIRE(by_armadillo);
  CHECK(by_eigen->s(0) == doctest::Approx(10.0));
  CHECK((by_eigen->U * by_eigen->s.asDiagonal() * by_eigen->V.transpose()).isApprox(sdk::eigen_matrix(low)));
  const arma::mat product = by_armadillo->U * arma::diagmat(by_armadillo->s) * by_armadillo->V.t();
  CHECK(product(1, 1) == doctest::Approx(8.0));
  CHECK_FALSE(dense_view(low));  // as it was
  CHECK_FALSE(sdk::eigen_factors(x));
  CHECK_FALSE(sdk::arma_factors(x));
}

TEST_CASE("a low-rank element is seen as its singular value decomposition") {
  const std::vector<double> u{3, 4, 0}, v{0, 2}, w{1, 0, 1}, z{1, 1};
  Element x = Element::rank_one(2.0, u, v);
  x.add(1.0, Element::rank_one(1.0, w, z));
  const std::vector<double> before = x.to_dense();
  CHECK_FALSE(dense_view(x));
  const auto factors = factor_view(x);
  REQUIRE(factors);
  CHECK(factors->rank() == 2);
  CHECK(factors->s[0] > factors->s[1]);
  const auto [U, s, V] = sdk::eigen_factors(*factors);
  CHECK(U.data() == factors->U.data());
  CHECK((U.transpose() * U).isIdentity(1e-12));
  CHECK((V.transpose() * V).isIdentity(1e-12));
  CHECK((U * s.asDiagonal() * V.transpose()).isApprox(sdk::eigen_matrix(std::span(before), 3, 2), 1e-12));
  const auto arma = sdk::arma_factors(*factors);
  CHECK(arma.U.memptr() == factors->U.data());
  CHECK(arma.s.memptr() == factors->s.data());
  const arma::mat product = arma.U * arma::diagmat(arma.s) * arma.V.t();
  CHECK(product(0, 1) == doctest::Approx(before[3]));

  Element zero(Shape::matrix(3, 2));
  CHECK(factor_view(zero)->rank() == 0);
  Element dense = Element::dense(Shape::matrix(1, 1), {1.0});
  CHECK_FALSE(factor_view(dense));
}

}  // namespace claros::test
