// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace {

using namespace claros;

struct Options {
  Index count = 1;
};

/// C = {x : 0 <= x_j <= 1, sum_j x_j = k}, the hull of the vectors with k ones.
class CappedSimplex final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("count", &Options::count, at_least(1), "sum of the entries", "k")};
    return table;
  }
  CappedSimplex(const Options& options, const Context&) : k_(options.count) {}

  /// Two vertices differ in at most min(k, p - k) ones of either.
  double diameter(const Shape& shape) override {
    fit(shape);
    return std::sqrt(2.0 * static_cast<double>(std::min(k_, p_ - k_)));
  }
  Element start_point(const Shape& shape) override {
    fit(shape);
    const double share = static_cast<double>(k_) / static_cast<double>(p_);
    return Element::dense(shape, std::vector<double>(static_cast<std::size_t>(p_), share));
  }

 private:
  void fit(const Shape& shape) override {
    p_ = shape.size();
    if (k_ > p_)
      throw Error(ErrorKind::usage, "count",
                  std::to_string(p_) + " entries cannot sum to " + std::to_string(k_),
                  "give at most the number of entries");
  }
  /// Ones where c is smallest.
  void corner(std::span<const double> c, std::span<double> x) override {
    std::vector<std::size_t> order(c.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::nth_element(order.begin(), order.begin() + k_ - 1, order.end(),
                     [&](std::size_t i, std::size_t j) { return std::pair(c[i], i) < std::pair(c[j], j); });
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t j = 0; j < static_cast<std::size_t>(k_); ++j) x[order[j]] = 1.0;
  }
  /// x_j = min(max(v_j - tau, 0), 1), with the tau for which they sum to k, by bisection. It lies in [a - 1,
  /// a], a the k-th largest entry, from where it is counted: its digits do not drown in those of v.
  void project(std::span<const double> v, std::span<double> x) override {
    std::vector<double> sorted(v.begin(), v.end());
    std::nth_element(sorted.begin(), sorted.begin() + k_ - 1, sorted.end(), std::greater<>());
    const double a = sorted[static_cast<std::size_t>(k_ - 1)];
    const auto cut = [a](double tau) {
      return [a, tau](double value) { return std::min(std::max(value - a - tau, 0.0), 1.0); };
    };
    double low = -1.0, high = 0.0;
    for (double middle = -0.5; low < middle && middle < high; middle = 0.5 * (low + high))
      (sdk::sum_entries(v, cut(middle)) > static_cast<double>(k_) ? low : high) = middle;
    sdk::map_entries(v, x, cut(high));
  }
  double outside(std::span<const double> x) override {
    const auto k = static_cast<double>(k_);
    double worst = std::abs(sdk::sum_entries(x, [](double value) { return value; }) - k) / k;
    for (const double value : x) worst = std::max(worst, std::max(value - 1.0, -value));
    return worst;
  }

  Index k_, p_ = 0;
};

}  // namespace

CLAROS_PLUGIN(CappedSimplex, Kind::set, "capped-simplex", "", "1.0.0", "Entries in [0, 1] that sum to k",
              "C = {x : 0 <= x_j <= 1, sum_j x_j = k}: choosing k of p, relaxed. Linear oracle by selection, "
              "projection "
              "by bisection.",
              "Wang, Lu: Projection onto the capped simplex, 2015")
