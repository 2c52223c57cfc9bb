// SPDX-License-Identifier: BSD-3-Clause
// The embedded example: its data agree with its page, and its recovery has a small error.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "program.hpp"

using namespace claros::test;

namespace {

const fs::path kExample = CLAROS_EXAMPLE_DIR;
constexpr std::size_t kRows = 168, kCols = 360;

std::vector<std::vector<double>> read_numbers(const fs::path& path, int header) {
  std::ifstream file(path);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(file, line);) {
    if (header-- > 0) continue;
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    rows.emplace_back();
    for (double value = 0.0; fields >> value;) rows.back().push_back(value);
  }
  return rows;
}

/// The truth as the example centres it, and how far each observation is from it.
struct Problem {
  std::vector<double> truth;   // row by row
  std::vector<double> errors;  // of the observations
};

Problem read_problem() {
  Problem problem;
  for (const auto& row : read_numbers(kExample / "precipitation.csv", 0))
    for (const double value : row) problem.truth.push_back(std::log1p(value));
  REQUIRE(problem.truth.size() == kRows * kCols);
  for (const auto& entry : read_numbers(kExample / "observed.csv", 1)) {
    const auto cell =
        static_cast<std::size_t>(entry.at(0) - 1) * kCols + static_cast<std::size_t>(entry.at(1) - 1);
    problem.errors.push_back(entry.at(2) - problem.truth.at(cell));
  }
  std::vector<double> sorted = problem.errors;
  std::sort(sorted.begin(), sorted.end());
  const double minus_mean = sorted.at(sorted.size() / 2);  // most observations are not corrupted
  for (double& value : problem.truth) value += minus_mean;
  for (double& error : problem.errors) error -= minus_mean;
  return problem;
}

/// The columns of a Matrix Market array, one after the other.
std::vector<double> read_array(const std::string& text) {
  std::istringstream stream(text);
  std::string line;
  while (std::getline(stream, line) && line.starts_with('%')) {
  }
  std::vector<double> values;
  for (double value = 0.0; stream >> value;) values.push_back(value);
  return values;
}

double root_mean_square(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

TEST_CASE("example: a fifth of the map is observed, a twentieth of that corrupted by up to 10") {
  const Problem problem = read_problem();
  CHECK(problem.errors.size() == kRows * kCols / 5);
  std::size_t corrupted = 0;
  double largest = 0.0;
  for (const double error : problem.errors) {
    corrupted += std::abs(error) > 1e-5 ? 1 : 0;
    largest = std::max(largest, std::abs(error));
  }
  CHECK(corrupted == problem.errors.size() / 20);
  CHECK(largest <= 10.0);
  CHECK(largest > 9.0);
}

TEST_CASE("example: the recovered map is at most half as far from the truth as the mean") {
  const Problem problem = read_problem();
  const TestFolder folder;
  const auto outcome =
      ask(folder.path(), {"run", kExample / "robust.ini", "trace.on=no", "--quiet", "--out", "run"});
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  const auto left = read_array(folder.get("run/solution/U.mtx")),
             right = read_array(folder.get("run/solution/V.mtx"));
  const auto weights = read_array(folder.get("run/solution/s.mtx"));
  REQUIRE(left.size() == kRows * weights.size());
  REQUIRE(right.size() == kCols * weights.size());
  std::vector<double> error = problem.truth;
  for (std::size_t k = 0; k < weights.size(); ++k)
    for (std::size_t i = 0; i < kRows; ++i)
      for (std::size_t j = 0; j < kCols; ++j)
        error[i * kCols + j] -= left[k * kRows + i] * weights[k] * right[k * kCols + j];
  CHECK(root_mean_square(error) <= 0.5 * root_mean_square(problem.truth));
}
