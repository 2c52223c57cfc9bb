// SPDX-License-Identifier: BSD-3-Clause
// Losses whose infimum no coefficients attain: separable classes, and categories without events.
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>

#include <algorithm>
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

TEST_CASE(
    "no minimum: classes, and rows that depend on each other, have directions in the words of the data") {
  constexpr std::size_t kRows = 90, kCols = 3;
  std::vector<double> a = normals(73, kRows * kCols), apart, quasi, mixed, times, ordered;
  const std::vector<double> noise = normals(74, kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    double& dose = a[i * kCols + 1];
    const double drawn = static_cast<double>(i % 3);
    apart.push_back(dose < -0.4 ? 0.0 : dose > 0.4 ? 2.0 : 1.0);
    mixed.push_back(drawn);
    times.push_back((i % 4 == 0 ? -1.0 : 1.0) * std::exp(0.3 * dose + 0.5 * noise[i]));
    ordered.push_back(std::exp(-dose));
  }
  std::vector<double> of_class = a, without_events = a, twice = a;
  for (std::size_t i = 0; i < kRows; ++i) {
    of_class[i * kCols + 1] = mixed[i] == 1.0 ? 1.0 : 0.0;
    without_events[i * kCols + 1] = times[i] < 0.0 ? 1.0 : 0.0;
    twice[i * kCols + 1] = 2.0 * twice[i * kCols];
  }
  const auto fit = [&](const std::string& loss, const std::vector<double>& rows, const std::vector<double>& y,
                       double lambda = 0.0) {
    RowFacts facts;
    facts.column_names = {"age", "dose", "weight"};
    Solver solver(build_catalog());
    solver.data(data_from_rows(rows, kRows, kCols, y, Entries::copied, facts));
    if (loss == "cox")
      solver.objective("cox", {});
    else
      solver.objective("linear-model", {{"loss", loss}, {"intercept", true}});
    if (lambda > 0.0) solver.penalty("ridge", {{"lambda", lambda}});
    return solver.stop_when({{"residual", 1e-6}, {"iterations", 3000}}).solve();
  };
  struct Case {
    std::string loss;
    const std::vector<double>&rows, &y;
    std::string named;
  };
  for (const Case& c : {Case{"multinomial", a, apart, "dose of class 2 up"},
                        {"multinomial", of_class, mixed, "dose"},
                        {"cox", without_events, times, "dose down"},
                        {"cox", a, ordered, "dose up"}}) {
    CAPTURE(c.loss);
    CAPTURE(c.named);
    const RunResult open = fit(c.loss, c.rows, c.y);
    CAPTURE(open.note);
    CHECK(open.status == Status::stall);
    CHECK(open.note.find("the infimum is not attained") != std::string::npos);
    CHECK(open.note.find(c.named) != std::string::npos);
    CHECK(fit(c.loss, c.rows, c.y, 0.1).status == Status::residual);
  }
  // A minimum that is attained, also along columns that depend on others, and along all classes at once.
  for (const auto& [loss, y] : {std::pair{"multinomial", &mixed}, {"cox", &times}})
    for (const auto* rows : {&a, &twice}) {
      CAPTURE(std::string(loss));
      CHECK(fit(loss, *rows, *y).status == Status::residual);
    }
}

TEST_CASE("no minimum: a tiny penalty on separable classes takes about as many steps as a larger one") {
  constexpr std::size_t kRows = 200, kCols = 10, kClasses = 3;
  const std::vector<double> a = normals(75, kRows * kCols), w = normals(76, kCols * kClasses);
  std::vector<double> y;
  for (std::size_t i = 0; i < kRows; ++i) {
    std::vector<double> z(kClasses, 0.0);
    for (std::size_t j = 0; j < kCols; ++j)
      for (std::size_t k = 0; k < kClasses; ++k) z[k] += a[i * kCols + j] * w[j * kClasses + k];
    y.push_back(static_cast<double>(std::ranges::max_element(z) - z.begin()));
  }
  for (const double lambda : {1e-4, 1e-6, 1e-8}) {
    CAPTURE(lambda);
    Solver solver(build_catalog());
    solver.objective("linear-model", {{"loss", "multinomial"}, {"intercept", true}})
        .penalty("l1", {{"lambda", lambda}})
        .data(data_from_rows(a, kRows, kCols, y));
    const RunResult run = solver.stop_when({{"relative_gap", 1e-6}, {"iterations", 2000}}).solve();
    CHECK(run.status == Status::relative_gap);
  }
}

}  // namespace claros::test
