// SPDX-License-Identifier: BSD-3-Clause
// A run that the program watches and ends, and its answer as matrices of Eigen and of Armadillo, without a
// copy.
#include <claros/host.hpp>
#include <claros/sdk/armadillo.hpp>
#include <claros/sdk/eigen.hpp>

#include <cstdio>

int main() {
  const claros::Catalog catalog = claros::Catalog::standard();
  claros::RunResult result =
      claros::Solver(catalog)
          .objective("matrix-completion")
          .data("synthetic", {{"rows", 60}, {"cols", 40}, {"rank", 3}, {"corrupted", 0}})
          .constraint("nuclear-ball", {{"radius", 80}})
          .algorithm("frank-wolfe")
          .stop_when({{"iterations", 100000}})
          .trace({{"every", 10}})
          .on_step([](const claros::Step& step) {
            if (step.value == step.value)  // NaN if this step was not measured
              std::printf("step %2d: norm %.2f\n", static_cast<int>(step.iteration),
                          claros::norm(step.iterate()));
            return step.iteration < 30;
          })
          .solve();
  std::printf("%s\n", claros::explanation(result.status).c_str());

  const auto factors = claros::factor_view(result.answer);
  const auto [U, s, V] = claros::sdk::eigen_factors(*factors);
  const double by_eigen = (U * s.asDiagonal() * V.transpose()).norm();
  const auto arma_factors = claros::sdk::arma_factors(*factors);
  const double by_armadillo = arma::norm(arma_factors.s);
  const arma::mat X = claros::sdk::arma_matrix(result.answer);  // expands: the factors are gone
  std::printf("%d x %d of rank %d; norms agree: %s\n", static_cast<int>(X.n_rows), static_cast<int>(X.n_cols),
              static_cast<int>(arma::rank(X)),
              std::abs(by_eigen - by_armadillo) < 1e-9 * by_eigen ? "yes" : "no");
}
