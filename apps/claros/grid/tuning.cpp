// SPDX-License-Identifier: BSD-3-Clause
#include "grid/tuning.hpp"

#include <claros/error.hpp>
#include <claros/grids/quartiles.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace claros::cli {

namespace {

struct PowerOfBase {
  std::string base;
  Index exponent;
};

std::optional<PowerOfBase> read_power(const std::string& text) {
  const auto hat = text.find('^');
  if (hat == std::string::npos) return std::nullopt;
  try {
    PowerOfBase power{text.substr(0, hat), parse_integer(text.substr(hat + 1))};
    if (!(parse_real(power.base) > 0.0)) return std::nullopt;
    return power;
  } catch (const Error&) {
    return std::nullopt;
  }
}

constexpr const char* kDots = "..";
constexpr Index kMostValues = 1000;

std::string powers(const std::string& part, std::size_t dots, const std::string& where) {
  const auto first = read_power(part.substr(0, dots)), last = read_power(part.substr(dots + 2));
  if (!first && !last) return part;  // a path, perhaps
  if (!first || !last || first->base != last->base)
    throw Error(ErrorKind::usage, where, "expected a range, got '" + part + "'",
                "write powers of one base, as in 2^-12..2^1, or values separated by commas");
  if (std::abs(last->exponent - first->exponent) >= kMostValues)
    throw Error(ErrorKind::usage, where,
                "expected at most " + std::to_string(kMostValues) + " values, got more in '" + part + "'",
                "write a shorter range");
  const Index step = last->exponent < first->exponent ? -1 : 1;
  std::string list;
  for (Index e = first->exponent; e != last->exponent + step; e += step)
    list += (list.empty() ? "" : ",") + first->base + '^' + std::to_string(e);
  return list;
}

/// The number to minimise; NaN for a run that is not chosen.
double score(const ComparisonRun& run, TunedBy by) {
  // A residual above 1 is a gradient larger than that of the point 0, at a value however low.
  const bool lost = is_trouble(run.status) || run.measurement.residual > 1.0 ||
                    (by == TunedBy::passes_to_target && !is_target(run.status));
  if (lost) return std::numeric_limits<double>::quiet_NaN();
  switch (by) {
    case TunedBy::final_value:
      return run.measurement.value;
    case TunedBy::passes_to_target:
      return run.passes;
    case TunedBy::test_rmse:
      return run.measurement.test_rmse;
    case TunedBy::rmse_truth:
      return run.measurement.rmse_truth;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::string with_ranges(const std::string& values, const std::string& where) {
  std::string result;
  for (std::size_t begin = 0; begin <= values.size();) {
    const std::size_t end = std::min(values.find(',', begin), values.size());
    const std::string part = values.substr(begin, end - begin);
    const auto dots = part.find(kDots);
    result += (begin == 0 ? "" : ",") + (dots == std::string::npos ? part : powers(part, dots, where));
    begin = end + 1;
  }
  return result;
}

std::string criterion_text(TunedBy by) {
  if (by == TunedBy::passes_to_target) return "the passes to the target";
  if (by == TunedBy::test_rmse) return "the RMSE on the test data";
  return by == TunedBy::rmse_truth ? "the RMSE to the truth" : "the value at the end";
}

TunedBy tuned_by(const std::string& word, const std::string& where) {
  if (word == "final") return TunedBy::final_value;
  if (word == "target") return TunedBy::passes_to_target;
  throw Error(ErrorKind::usage, where, "expected final or target, got '" + word + "'",
              "write one of the two");
}

std::vector<std::size_t> ranked_cells(const Comparison& grid, std::span<const std::size_t> cells,
                                      TunedBy by) {
  std::vector<std::pair<double, std::size_t>> ranked;
  for (const std::size_t cell : cells) {
    std::vector<double> scores;
    for (const ComparisonRun& run : grid.runs)
      if (run.cell == cell) scores.push_back(score(run, by));
    const bool lost = std::any_of(scores.begin(), scores.end(), [](double s) { return !std::isfinite(s); });
    if (scores.empty() || lost) continue;
    ranked.emplace_back(quartiles(std::move(scores)).median, cell);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::size_t> result;
  for (const auto& [median, cell] : ranked) result.push_back(cell);
  return result;
}

std::string edge_of(const std::vector<std::string>& values, const std::string& value) {
  std::vector<double> numbers;
  try {
    for (const std::string& text : values) numbers.push_back(parse_real(text));
    if (numbers.size() < 2) return {};
    const double number = parse_real(value);
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    return number == *low ? "smallest" : number == *high ? "largest" : "";
  } catch (const Error&) {
    return {};  // words have no order
  }
}

}  // namespace claros::cli
