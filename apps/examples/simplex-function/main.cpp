// SPDX-License-Identifier: BSD-3-Clause
// The portfolio of least variance, f(x) = x'Sx/2 over the simplex, where f is two lambdas of this program.
#include <claros/host.hpp>
#include <claros/sdk/functions.hpp>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<double> S{0.10, 0.01,  0.02,   //
                              0.01, 0.20,  -0.03,  //
                              0.02, -0.03, 0.40};
  const auto times_S = [&](std::span<const double> x, std::span<double> out) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) out[i] += S[3 * i + j] * x[j];
  };
  const auto variance = [&](std::span<const double> x) {
    std::vector<double> Sx(3, 0.0);
    times_S(x, Sx);
    return 0.5 * (x[0] * Sx[0] + x[1] * Sx[1] + x[2] * Sx[2]);
  };

  const claros::Catalog catalog = claros::Catalog::standard();
  const claros::RunResult result = claros::Solver(catalog)
                                       .objective(claros::sdk::objective(claros::sdk::Function{
                                           .shape = claros::Shape::vector(3),
                                           .value = variance,
                                           .gradient = times_S,
                                           .constants = {.convex = true, .smoothness = 0.41}}))
                                       .constraint("simplex", {{"radius", 1}})
                                       .algorithm("frank-wolfe", {{"step", "short"}})
                                       .stop_when({{"gap", 1e-4}, {"iterations", 100000}})
                                       .solve();

  const std::vector<double> x = result.answer.to_dense();
  std::printf("%s: shares %.3f %.3f %.3f, gap below 1e-4: %s\n", claros::text(result.status).c_str(), x[0],
              x[1], x[2], result.measurement.confirmed && result.measurement.gap <= 1e-4 ? "yes" : "no");
}
