// SPDX-License-Identifier: BSD-3-Clause
// The Lasso, (1/2n) ||A x - y||^2 + lambda ||x||_1, from arrays in memory: which of 20 columns explain y?
#include <claros/element/views.hpp>
#include <claros/host.hpp>
#include <claros/io/memory_data.hpp>

#include <cstdio>
#include <random>
#include <vector>

int main() {
  constexpr claros::Index n = 100, p = 20;
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  std::vector<double> a(n * p), y(n);
  for (double& value : a) value = normal(engine);
  for (std::size_t i = 0; i < n; ++i) y[i] = 3.0 * a[i * p + 4] - 2.0 * a[i * p + 11] + 0.1 * normal(engine);

  const claros::Catalog catalog = claros::Catalog::standard();
  const claros::RunResult result = claros::Solver(catalog)
                                       .objective("linear-model", {{"loss", "squared"}})
                                       .data(claros::data_from_rows(a, n, p, y))
                                       .penalty("l1", {{"lambda", 0.1}})
                                       .algorithm("proximal-gradient", {{"accelerate", true}})
                                       .stop_when({{"relative_gap", 1e-6}, {"iterations", 10000}})
                                       .solve();

  std::printf("%s after %d steps\n", claros::explanation(result.status).c_str(),
              static_cast<int>(result.iterations));
  const std::vector<double> x = result.answer.to_dense();
  for (std::size_t j = 0; j < x.size(); ++j)
    if (x[j] != 0.0) std::printf("column %zu: %.3f\n", j, x[j]);
}
