// SPDX-License-Identifier: BSD-3-Clause
#include "unobserved_entries.hpp"

#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace matrix_completion {

void require_implicit(const Options& options) {
  if (options.confidence > 0.0 && !options.implicit)
    throw Error(ErrorKind::usage, "confidence", "is about counts, and implicit is no", "set implicit = yes");
  if (options.implicit && options.unobserved == 0.0)
    throw Error(ErrorKind::usage, "implicit", "sees every entry as 1, and nothing says what else could be",
                "set unobserved to the weight of all other positions, such as 0.05");
}

void expect_views(Index all, Index views, const Context& context) {
  if (views == 0)
    throw Error(ErrorKind::data, "implicit", "takes counts, and every count is 0",
                "give at least one count above 0");
  if (views < all)
    context.note(std::to_string(all - views) + " of " + std::to_string(all) +
                 " counts are 0: they are taken as positions that are not observed");
}

void notice_counts(const std::vector<double>& values, const Context& context) {
  constexpr std::size_t kFew = 50;
  const auto ones = static_cast<std::size_t>(std::ranges::count(values, 1.0));
  const auto is_count = [](double value) { return value >= 0.0 && value == std::floor(value); };
  if (values.size() < kFew || 3 * ones < values.size() || !std::ranges::all_of(values, is_count)) return;
  context.note(std::to_string(ones) + " of " + std::to_string(values.size()) +
               " values are 1 and all are whole, as counts of views are; if they are, objective.implicit = "
               "yes with objective.unobserved = 0.05 predicts what is chosen, and not how often");
}

double observe(const Options& options, double mean_weight, double n, Ratings& ratings) {
  constexpr double kLeast = 1.05;  // of w0: a target beyond is lost in rounding
  const double w0 = options.unobserved / mean_weight;
  double constant = 0.0;
  if (ratings.weight.empty()) ratings.weight.assign(ratings.value.size(), 1.0);
  for (std::size_t e = 0; e < ratings.value.size(); ++e) {
    double &w = ratings.weight[e], &y = ratings.value[e];
    if (!(w >= kLeast * w0))
      throw Error(ErrorKind::usage, "unobserved",
                  "is " + print_real(options.unobserved) + ", and an observed entry has the weight " +
                      print_real(w * mean_weight),
                  "set it so that every weight is above " + print_real(kLeast) + " times it");
    const double left = w - w0, target = w * y / left;
    constant -= 0.5 * w0 * y * target / n;
    w = left;
    y = target;
  }
  return constant;
}

void require_squares(const Options& options, const Loss& loss) {
  const LossConstants psi = loss.constants();
  if (psi.third != 0.0 || psi.smoothness != 1.0 || !psi.of_difference)
    throw Error(ErrorKind::usage, "unobserved", "is of the squared loss, and the loss is another",
                "set loss = squared, or give what is not observed as entries with weights");
  if (options.baseline.center != Center::none)
    throw Error(ErrorKind::usage, "unobserved",
                "counts positions as 0, and center takes a mean off the observed values alone",
                "set center = none");
}

void require_difference(const Options& options, const Loss& loss) {
  if (options.baseline.center == Center::none || loss.constants().of_difference) return;
  throw Error(
      ErrorKind::usage, "center",
      word_of(center_words(), options.baseline.center) +
          " does not go with this loss, which is not a function of x - y: a value without its mean is "
          "no target of it",
      "set center = none, or loss = squared, robust or huber");
}

}  // namespace matrix_completion
