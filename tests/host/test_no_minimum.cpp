// SPDX-License-Identifier: BSD-3-Clause
// Losses whose infimum no coefficients attain: separable classes, and categories without events.
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace claros::test {

TEST_CASE(
    "no minimum: where the infimum is not attained, a run says along which coefficients the value falls") {
  constexpr std::size_t kRows = 40, kCols = 3;
  std::vector<double> a = normals(71, kRows * kCols), signs, quasi, counts, amounts;
  for (std::size_t i = 0; i < kRows; ++i) {
    double& first = a[i * kCols];
    first = std::round(first);
    const double other = i % 2 == 0 ? 1.0 : -1.0;
    signs.push_back(first + 0.3 * a[i * kCols + 1] > 0.0 ? 1.0 : -1.0);
    quasi.push_back(first > 0.0 ? 1.0 : first < 0.0 ? -1.0 : other);
    counts.push_back(first > 0.0 ? 0.0 : 1.0 + static_cast<double>(i % 3));
    amounts.push_back(1.0 + std::abs(a[i * kCols + 2]));
  }
  const auto fit = [&](const std::string& loss, const std::vector<double>& y, double lambda,
                       bool is_twice = false) {
    std::vector<double> rows = a;
    for (std::size_t i = 0; &y == &counts && i < kRows; ++i)
      rows[i * kCols] = rows[i * kCols] > 0.0 ? 1.0 : 0.0;  // a category without events
    for (std::size_t i = 0; is_twice && i < kRows; ++i) rows[i * kCols + 2] = 2.0 * rows[i * kCols + 1];
    Solver solver(build_catalog());
    solver.objective("linear-model", {{"loss", loss}, {"intercept", true}})
        .data(data_from_rows(rows, kRows, kCols, y));
    if (lambda > 0.0) solver.penalty("ridge", {{"lambda", lambda}});
    return solver.stop_when({{"residual", 1e-6}, {"iterations", 3000}}).solve();
  };
  for (const auto& [loss, y] : {std::pair{"logistic", &signs},
                                {"logistic", &quasi},
                                {"poisson", &counts},
                                {"negative-binomial", &counts},
                                {"tweedie", &counts}}) {
    CAPTURE(std::string(loss));
    const RunResult open = fit(loss, *y, 0.0);
    CHECK(open.status == Status::stall);
    CHECK(open.note.find("the infimum is not attained") != std::string::npos);
    CHECK(open.note.find("coefficient 1") != std::string::npos);
    CHECK(fit(loss, *y, 0.1).status == Status::residual);
  }
  // A minimum that is attained, also along columns that depend on others, and by a hinge beyond its margin.
  for (const auto& [loss, y] : {std::pair{"squared-hinge", &signs},
                                {"squared", &amounts},
                                {"gamma", &amounts},
                                {"poisson", &amounts},
                                {"huber", &amounts}})
    for (const bool is_twice : {false, true}) {
      CAPTURE(std::string(loss));
      CAPTURE(is_twice);
      CHECK(fit(loss, *y, 0.0, is_twice).status == Status::residual);
    }
}

}  // namespace claros::test
