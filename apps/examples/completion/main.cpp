// SPDX-License-Identifier: BSD-3-Clause
// Robust matrix completion from triplets in memory: a matrix of rank one, a third of it seen, one in ten
// entries wrong.
#include <claros/element/views.hpp>
#include <claros/host.hpp>
#include <claros/io/memory_data.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

int main() {
  constexpr std::int32_t m = 40, n = 30;
  const auto truth = [](double i, double j) { return std::sin(0.2 * i) * std::cos(0.3 * j); };
  std::mt19937_64 engine(1);
  std::vector<std::int32_t> row, col;
  std::vector<double> value;
  for (std::int32_t i = 0; i < m; ++i)
    for (std::int32_t j = 0; j < n; ++j) {
      if (engine() % 3 != 0) continue;
      row.push_back(i), col.push_back(j);
      value.push_back(engine() % 10 == 0 ? 5.0 : truth(i, j));
    }

  const claros::Catalog catalog = claros::Catalog::standard();
  const auto rmse = [&](const char* loss) {
    claros::RunResult result = claros::Solver(catalog)
                                   .objective("matrix-completion", {{"loss", loss}})
                                   .data(claros::data_from_triplets(row, col, value, m, n))
                                   .constraint("nuclear-ball", {{"radius", 17.5}})
                                   .algorithm("frank-wolfe")
                                   .stop_when({{"iterations", 1000}})
                                   .solve();
    double sum = 0.0;
    const std::span<const double> x = result.answer.dense_values();  // column-major
    for (std::size_t k = 0; k < x.size(); ++k)
      sum += std::pow(x[k] - truth(static_cast<double>(k % m), static_cast<double>(k / m)), 2);
    return std::sqrt(sum / static_cast<double>(x.size()));
  };
  std::printf("RMSE over all entries: squared loss %.3f, robust loss %.3f\n", rmse("squared"),
              rmse("robust"));
}
