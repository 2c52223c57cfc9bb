// SPDX-License-Identifier: BSD-3-Clause
// A sound set with a count; COUNT forgets in its projection that an entry is at most 1, which shows for k > 1
// alone, and WORD is wrong in a word that is not the default.
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>

#include <algorithm>
#include <numeric>

namespace {

using namespace claros;

struct Options {
  Index count = 1;
  std::string method = "bisect";
};

/// {x : 0 <= x_j <= 1, sum_j x_j = k}.
class Several final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("count", &Options::count, at_least(1), "sum of the entries", "k"),
        row("method", &Options::method, one_of({"bisect", "more"}), "how long it bisects")};
    return table;
  }
  Several(const Options& options, const Context&) : k_(options.count), more_(options.method == "more") {}
  double diameter(const Shape& shape) override {
    fit(shape);
    return std::sqrt(2.0 * static_cast<double>(std::min(k_, p_ - k_)));
  }
  Element start_point(const Shape& shape) override {
    fit(shape);
    return Element::dense(shape, std::vector<double>(static_cast<std::size_t>(p_),
                                                     static_cast<double>(k_) / static_cast<double>(p_)));
  }

 private:
  void fit(const Shape& shape) override {
    p_ = shape.size();
    if (k_ > p_) throw Error(ErrorKind::usage, "count", "more than there are entries", "give less");
  }
  void corner(std::span<const double> c, std::span<double> x) override {
    std::vector<std::size_t> order(c.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return c[i] < c[j]; });
    std::vector<double> vertex(c.size(), 0.0);
    for (std::size_t j = 0; j < static_cast<std::size_t>(k_); ++j) vertex[order[j]] = 1.0;
    std::copy(vertex.begin(), vertex.end(), x.begin());
  }
  void project(std::span<const double> v, std::span<double> x) override {
    if (!sdk::all_finite(v)) {
      std::copy(v.begin(), v.end(), x.begin());
      return;
    }
    std::vector<double> sorted(v.begin(), v.end());
    std::sort(sorted.rbegin(), sorted.rend());
    const double a = sorted[static_cast<std::size_t>(k_ - 1)];
#ifdef BUG_COUNT
    const double most = static_cast<double>(k_);
#else
    const double most = 1.0;
#endif
    // From the k-th largest entry on, whose digits would drown the threshold.
    const auto cut = [&](double tau) {
      return [=](double value) { return std::clamp(value - a - tau, 0.0, most); };
    };
    double low = -1.0, high = 0.0;
    for (double middle = -0.5; low < middle && middle < high; middle = 0.5 * (low + high))
      (sdk::sum_entries(v, cut(middle)) > static_cast<double>(k_) ? low : high) = middle;
#ifdef BUG_WORD
    if (more_) high += 0.125;
#endif
    sdk::map_entries(v, x, cut(high));
  }
  double outside(std::span<const double> x) override {
    const auto k = static_cast<double>(k_);
    double worst = std::abs(sdk::sum_entries(x, [](double value) { return value; }) - k) / k;
    for (const double value : x) worst = std::max(worst, std::max(value - 1.0, -value));
    return worst;
  }

  Index k_, p_ = 0;
  bool more_;
};

}  // namespace

CLAROS_PLUGIN(Several, Kind::set, "planted-several", "", "1.0.0", "The capped simplex",
              "Vectors with k ones, and between them.", "")
