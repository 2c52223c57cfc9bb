// SPDX-License-Identifier: BSD-3-Clause
#include "watch/watched_loss.hpp"

#include <claros/contain.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

bool holds_nan(std::span<const double> numbers) {
  bool found = false;
  for (const double number : numbers) found |= number != number;
  return found;
}

bool all_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

/// `made` of the arguments: NaN is the loss's own fault where they are finite and their squares are too.
void refuse_nan(const std::string& name, const char* what, std::span<const double> made,
                std::span<const double> z, std::span<const double> y) {
  if (!holds_nan(made) || !all_finite(z) || !all_finite(y)) return;
  const auto overflows = [](double number) { return std::abs(number) > 1e154; };  // its square
  if (std::ranges::any_of(z, overflows) || std::ranges::any_of(y, overflows))
    throw Error(ErrorKind::numerical, name, "the square of a target or a prediction overflows",
                "give the data in larger units");
  std::string where;
  if (made.size() == z.size() && z.size() == y.size())
    for (std::size_t k = 0; k < made.size() && where.empty(); ++k)
      if (std::isnan(made[k])) where = " at z = " + print_real(z[k]) + ", y = " + print_real(y[k]);
  throw Error(ErrorKind::plugin, name, std::string("returned NaN as ") + what + where,
              "write it so that no number overflows on the way, or report it to the plugin's author");
}

}  // namespace

double WatchedLoss::sum(std::span<const double> z, std::span<const double> y) const {
  const double total = contain(name_, [&] { return inner_->sum(z, y); });
  refuse_nan(name_, "a sum of its values", {&total, 1}, z, y);
  return total;
}
double WatchedLoss::weighted_sum(std::span<const double> z, std::span<const double> y,
                                 std::span<const double> w) const {
  const double total = contain(name_, [&] { return inner_->weighted_sum(z, y, w); });
  // An infinite value of weight 0 is allowed.
  if (std::all_of(w.begin(), w.end(), [](double weight) { return weight > 0.0; }))
    refuse_nan(name_, "a sum of its values", {&total, 1}, z, y);
  return total;
}
void WatchedLoss::derivative(std::span<const double> z, std::span<const double> y,
                             std::span<double> out) const {
  contain(name_, [&] { inner_->derivative(z, y, out); });
  refuse_nan(name_, "a derivative", out, z, y);
}
void WatchedLoss::second_derivative(std::span<const double> z, std::span<const double> y,
                                    std::span<double> out) const {
  contain(name_, [&] { inner_->second_derivative(z, y, out); });
  refuse_nan(name_, "a second derivative", out, z, y);
}
void WatchedLoss::multiply_second(std::span<const double> second, std::span<double> out) const {
  contain(name_, [&] { inner_->multiply_second(second, out); });
}
LossConstants WatchedLoss::constants() const {
  return contain(name_, [&] { return inner_->constants(); });
}
bool WatchedLoss::of_classes() const {
  return contain(name_, [&] { return inner_->of_classes(); });
}
void WatchedLoss::set_classes(Index count) {
  contain(name_, [&] { inner_->set_classes(count); });
  outputs_ = 0;
}
Index WatchedLoss::outputs() const {
  if (const Index known = outputs_; known > 0) return known;
  const Index count = contain(name_, [&] { return inner_->outputs(); });
  if (count >= 1) return outputs_ = count;
  throw Error(ErrorKind::plugin, name_, "says that it takes " + std::to_string(count) + " numbers a target",
              "a loss takes at least one: report it to the plugin's author");
}
std::string WatchedLoss::targets() const {
  return contain(name_, [&] { return inner_->targets(); });
}
bool WatchedLoss::accepts(double y) const {
  return contain(name_, [&] { return inner_->accepts(y); });
}
ResponseKind WatchedLoss::response() const {
  return contain(name_, [&] { return inner_->response(); });
}
void WatchedLoss::mean(std::span<const double> z, std::span<double> out) const {
  contain(name_, [&] { inner_->mean(z, out); });
  if (!holds_nan(out) || !all_finite(z)) return;
  throw Error(ErrorKind::plugin, name_, "returned NaN as the mean of a finite prediction",
              "write it so that no number overflows on the way, or report it to the plugin's author");
}
bool WatchedLoss::has_conjugate() const {
  return contain(name_, [&] { return inner_->has_conjugate(); });
}
double WatchedLoss::conjugate(std::span<const double> u, std::span<const double> y,
                              std::span<const double> w) const {
  const double total = contain(name_, [&] { return inner_->conjugate(u, y, w); });
  refuse_nan(name_, "a sum of its conjugate", {&total, 1}, u, y);
  return total;
}

}  // namespace claros
