// SPDX-License-Identifier: BSD-3-Clause
#include "corner_slopes.hpp"

#include "rounded_corner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace linear_model {

using namespace claros;

namespace {

double median_of(std::vector<double>& numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

}  // namespace

double CornerSlopes::spread(std::span<const double> z) const {
  std::vector<double> r(z.begin(), z.end());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] -= model_.targets[i];
  const double middle = model_.free_tail > 0 ? median_of(r) : 0.0;
  for (double& value : r) value = std::abs(value - middle);
  if (const double median = median_of(r); median > 0.0) return median;
  return std::accumulate(r.begin(), r.end(), 0.0) / static_cast<double>(r.size());
}

double CornerSlopes::balance(std::span<const double> z) {
  constexpr double kRounding = 1e-12;
  const std::size_t n = z.size();
  std::vector<double> r(n);
  for (std::size_t i = 0; i < n; ++i) r[i] = model_.targets[i] - z[i];
  double by = 0.0, sum = 0.0, tied = 0.0;
  if (model_.free_tail > 0) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return r[i]; });
    const double share = -corner_.low / corner_.height() * (1.0 - kRounding);
    double total = 0.0, below = 0.0;
    for (std::size_t i = 0; i < n; ++i) total += model_.weight(i);
    for (const std::size_t i : order) {
      by = r[i];
      below += model_.weight(i);
      if (below >= share * total) break;
    }
  }
  slopes_.assign(n, corner_.middle());
  for (std::size_t i = 0; i < n; ++i) {
    if (r[i] != by) slopes_[i] = r[i] < by ? corner_.high : corner_.low;
    (r[i] == by ? tied : sum) += model_.weight(i) * (r[i] == by ? 1.0 : slopes_[i]);
  }
  if (model_.free_tail > 0)
    for (std::size_t i = 0; i < n; ++i)
      if (r[i] == by) slopes_[i] = std::clamp(-sum / tied, corner_.low, corner_.high);
  return by;
}

std::unique_ptr<Component> CornerSlopes::rounded(double delta) {
  sdk::LossModel smooth = model_;
  delta_ = delta;
  if (!slopes_.empty())
    for (std::size_t i = 0; i < slopes_.size(); ++i)
      smooth.targets[i] -= 2.0 * delta * (slopes_[i] - corner_.middle()) / corner_.height();
  moved_ = smooth.targets;
  smooth.loss = std::make_shared<const sdk::LossOf<RoundedCorner>>(RoundedCorner{corner_, delta});
  return std::make_unique<sdk::RestrictedLoss>(std::move(smooth), std::make_shared<sdk::LastValues>());
}

void CornerSlopes::take(std::span<const double> z) {
  const RoundedCorner psi{corner_, delta_};
  slopes_.resize(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) slopes_[i] = psi.derivative(z[i], moved_[i]);
}

void CornerSlopes::subgradient(std::span<const double> z, std::span<double> c) const {
  constexpr double kRounding = 1e-11;
  model_.loss->derivative(z, model_.targets, c);
  if (slopes_.empty()) return;
  const double size = spread(z);
  for (std::size_t i = 0; i < z.size(); ++i)
    if (const double y = model_.targets[i];
        std::abs(z[i] - y) <= kRounding * (size + std::abs(z[i]) + std::abs(y)))
      c[i] = slopes_[i];
}

}  // namespace linear_model
