// SPDX-License-Identifier: BSD-3-Clause
// Non-negative least squares: a matrix of Eigen, a set that is two lambdas of this program, and a constant
// answer.
#include <claros/host.hpp>
#include <claros/sdk/eigen_problem.hpp>

#include <algorithm>
#include <cstdio>
#include <random>

int main() {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(60, 4, [&] { return normal(engine); });
  const Eigen::VectorXd y = A * Eigen::Vector4d(2.0, 0.0, 1.0, -1.0);

  const claros::Catalog catalog = claros::Catalog::standard();
  const claros::RunResult result =
      claros::Solver(catalog)
          .objective("linear-model")
          .data(claros::sdk::eigen_data(A, y))
          .constraint(claros::sdk::set(
              {.outside = [](auto x) { return std::max(-*std::min_element(x.begin(), x.end()), 0.0); },
               .project =
                   [](auto v, auto x) {
                     const auto from = claros::sdk::eigen_vector(v);
                     claros::sdk::eigen_vector(x) = from.cwiseMax(0.0);
                   }}))
          .algorithm("proximal-gradient", {{"accelerate", true}})
          .stop_when({{"residual", 1e-9}, {"iterations", 1000}})
          .solve();

  const Eigen::VectorXd x = claros::sdk::eigen_vector(result.answer);
  const Eigen::VectorXd slope = A.transpose() * (A * x - y);  // 0 where x > 0, and nowhere below it
  std::printf(
      "%s: %.3f %.3f %.3f %.3f, optimal: %s\n", claros::text(result.status).c_str(), x(0), x(1), x(2), x(3),
      x.minCoeff() >= 0.0 && slope.minCoeff() > -1e-6 && std::abs(x.dot(slope)) < 1e-6 ? "yes" : "no");
}
