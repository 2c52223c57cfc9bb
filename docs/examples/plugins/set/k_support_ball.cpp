// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/oracle_set.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace {

using namespace claros;

struct Options {
  double radius = kUnset;
  Index count = 1;
};

/// C = conv{x : ||x||_2 <= r, at most k entries are not 0}, the ball of the k-support norm. Its corners are a
/// selection; its projection is a search in two indices, and is left out: Frank-Wolfe asks for none.
class KSupportBall final : public sdk::OracleSet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::radius_row(&Options::radius, "bound on the norm", "r", "k-support norm"),
        row("count", &Options::count, at_least(1), "entries of a corner that are not 0", "k")};
    return table;
  }
  KSupportBall(const Options& options, const Context&)
      : radius_(options.radius), count_(static_cast<std::size_t>(options.count)) {}

  double diameter(const Shape&) override { return 2.0 * radius_; }

 private:
  /// -r c_S / ||c_S||, S the k largest magnitudes.
  void corner(std::span<const double> c, std::span<double> x) override {
    std::vector<std::size_t> order(c.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(count_, c.size()));
    std::nth_element(order.begin(), end - 1, order.end(),
                     [&](std::size_t i, std::size_t j) { return std::abs(c[i]) > std::abs(c[j]); });
    std::fill(x.begin(), x.end(), 0.0);
    for (auto j = order.begin(); j != end; ++j) x[*j] = c[*j];
    const double norm = sdk::euclidean_norm(x);
    if (norm > 0.0) sdk::map_entries(x, x, [norm, r = radius_](double value) { return -r * (value / norm); });
  }
  /// The norm is that of the h largest magnitudes and sum of the others / sqrt(k - h), for the largest h
  /// whose magnitudes are all at least that sum / (k - h).
  double outside(std::span<const double> x) override {
    std::vector<double> sizes(x.size());
    sdk::map_entries(x, sizes, sdk::magnitude);
    const std::size_t k = std::min(count_, x.size());
    std::partial_sort(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(k), sizes.end(),
                      std::greater<>());
    std::size_t head = k - 1;
    double rest = std::accumulate(sizes.begin() + static_cast<std::ptrdiff_t>(head), sizes.end(), 0.0);
    for (; head > 0 && sizes[head - 1] * static_cast<double>(k - head) < rest; --head)
      rest += sizes[head - 1];
    const double shared = rest / std::sqrt(static_cast<double>(k - head));
    return sdk::ball_violation(std::hypot(sdk::euclidean_norm(std::span(sizes).first(head)), shared),
                               radius_);
  }

  double radius_;
  std::size_t count_;
};

}  // namespace

CLAROS_PLUGIN(
    KSupportBall, .kind = Kind::set, .name = "k-support-ball", .version = "1.0.0",
    .summary = "The hull of the k-sparse points of norm at most r",
    .description =
        "C = conv{x : ||x||_2 <= r, ||x||_0 <= k}: between l1-ball (k = 1) and l2-ball (k = p), for "
        "correlated "
        "columns of which several are to be kept. Linear oracle by selection; no projection. Diameter 2 r.",
    .citation =
        "Argyriou, Foygel, Srebro: Sparse prediction with the k-support norm, NIPS 2012, Proposition 2.1 "
        "(norm)")
