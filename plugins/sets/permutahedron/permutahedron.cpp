// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/number_rows.hpp>
#include <shared/sets/pooled.hpp>

namespace {

using namespace claros;

struct Options {
  std::string values;
};

/// C = the convex hull of all orders of the numbers w_1 >= ... >= w_n. The minimiser of <c, x> puts the
/// largest number at the least c, O(n log n). A point x lies in C if the k largest entries of x sum to no
/// more than those of w, with equality for k = n (Rado 1952). Projection: with v sorted, v minus the isotonic
/// fit of v - w. D = ||w - its reverse||. Starts at the mean of w everywhere.
class Permutahedron final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("values", &Options::values, any(),
            "the numbers whose orders are the corners, written out (3 1.5 0) or in a file; empty: 1, 2, ..., "
            "n for a variable of n entries",
            "w")};
    return table;
  }

  Permutahedron(const Options& o, const Context& context) {
    if (o.values.empty()) return;
    w_ = sdk::number_list(o.values, "values", context);
    given_ = true;
    prepare();
  }

  double diameter(const Shape& shape) override {
    fit(shape);
    double square = 0.0;
    for (std::size_t k = 0; k < w_.size(); ++k) square += std::pow(w_[k] - w_[w_.size() - 1 - k], 2);
    return std::sqrt(square);
  }

  Element start_point(const Shape& shape) override {
    fit(shape);
    return Element::dense(shape, std::vector<double>(w_.size(), std::accumulate(w_.begin(), w_.end(), 0.0) /
                                                                    static_cast<double>(w_.size())));
  }

 private:
  void fit(const Shape& shape) override {
    if (given_) return sdk::require_count(w_.size(), shape.size(), "values", "values");
    if (static_cast<Index>(w_.size()) == shape.size()) return;
    w_.resize(static_cast<std::size_t>(shape.size()));
    for (std::size_t k = 0; k < w_.size(); ++k) w_[k] = static_cast<double>(w_.size() - k);
    prepare();
  }
  void prepare() {
    std::sort(w_.begin(), w_.end(), std::greater<>());
    size_ = std::max({std::abs(w_.front()), std::abs(w_.back()), std::numeric_limits<double>::min()});
  }
  void corner(std::span<const double> c, std::span<double> x) override {
    sdk::falling_order(c, order_);
    for (std::size_t k = 0; k < order_.size(); ++k) x[order_[k]] = w_[w_.size() - 1 - k];
  }
  void project(std::span<const double> v, std::span<double> x) override {
    sdk::falling_order(v, order_);
    sorted_.resize(v.size());
    for (std::size_t k = 0; k < v.size(); ++k) sorted_[k] = v[order_[k]];
    sdk::pool_falling(
        v.size(), [this](std::size_t k) { return sorted_[k]; }, [this](std::size_t k) { return w_[k]; },
        pools_);
    for (const sdk::Pool& p : pools_)
      for (std::size_t k = p.first; k < p.first + p.count; ++k)
        x[order_[k]] = ((sorted_[k] - p.base) - p.offset) + p.w;
  }
  /// The largest excess of a mean of k entries, over the largest number.
  double outside(std::span<const double> x) override {
    sorted_.assign(x.begin(), x.end());
    std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
    double excess = 0.0, sum = 0.0;
    for (std::size_t k = 0; k < sorted_.size(); ++k) {
      sum += sorted_[k] - w_[k];
      excess = std::max(excess, (k + 1 < sorted_.size() ? sum : std::abs(sum)) / static_cast<double>(k + 1));
    }
    return excess / size_;
  }

  std::vector<double> w_, sorted_;  ///< w falls
  bool given_ = false;
  double size_ = 1.0;
  std::vector<std::size_t> order_;
  std::vector<sdk::Pool> pools_;
};

}  // namespace

CLAROS_PLUGIN(
    Permutahedron, Kind::set, "permutahedron", "", "1.0.0",
    "Permutahedron: convex hull of the permutations of a vector w",
    "C = the convex hull of all permutations of w, over the entries of a vector or matrix; without numbers "
    "of one's own w = (1, ..., n). The linear oracle sorts; the projection sorts and "
    "pools adjacent violators, exactly. Diameter ||w - reversed w||.",
    "Lim, Wright: Efficient Bregman projections onto the permutahedron and related polytopes, AISTATS 2016; "
    "Blondel, Teboul, Berthet, Djolonga: Fast differentiable sorting and ranking, ICML 2020",
    "Use it for an order with one number for each item. With the objective distance it gives soft ranks of "
    "the data; with linear it gives the best order. If the cost depends on item and position together, use "
    "birkhoff, with n^2 entries. To choose k of n entries use matroid-base.",
    "objective.use=distance objective.data='0.1 2.3 0.8 -1' set.use=permutahedron stop.gap=1e-8")
