// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/falling_root.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/sets/number_rows.hpp>
#include <shared/sets/pooled.hpp>

namespace {

using namespace claros;

struct Options {
  double radius = kUnset;
  std::string weights;
};

/// C = {x : Omega(x) <= r}, Omega(x) = sum_k w_k |x|_(k), |x|_(1) >= |x|_(2) >= ..., w_1 >= w_2 >= ... >= 0.
/// Let S_k be the sum of the k largest |c| and W_k that of the first k weights. Then min <c, x> = -r max_k
/// S_k / W_k, at k entries of magnitude r / W_k. Projection: prox of t Omega for the t that leaves Omega = r.
/// D = 2 r max_k sqrt(k) / W_k.
class OrderedWeight final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::radius_row(&Options::radius, "bound on the ordered weighted sum of magnitudes", "rho",
                        "ordered weighted sum of magnitudes"),
        row("weights", &Options::weights, any(),
            "weights that fall, of the largest magnitude, the second largest and so on: written out (3 2 1) "
            "or in a file; empty: 1, 1 - 1/n, ..., 1/n",
            "w")};
    return table;
  }

  OrderedWeight(const Options& o, const Context& context) : radius_(o.radius) {
    if (o.weights.empty()) return;
    w_ = sdk::number_list(o.weights, "weights", context);
    given_ = true;
    const std::string remedy = "give weights that fall, none negative and the first above 0";
    for (std::size_t k = 0; k < w_.size(); ++k)
      if (!(w_[k] >= 0.0) || (k > 0 && w_[k] > w_[k - 1]))
        throw Error(ErrorKind::usage, "weights",
                    "weight " + std::to_string(k + 1) + ", " + print_real(w_[k]) + ", is " +
                        (w_[k] >= 0.0 ? "above the one before it: the sum would be no norm" : "negative"),
                    remedy);
    if (w_.front() == 0.0)
      throw Error(ErrorKind::usage, "weights", "all weights are 0: the set has no bound", remedy);
  }

  double diameter(const Shape& shape) override {
    fit(shape);
    double total = 0.0, most = 0.0;
    for (std::size_t k = 0; k < w_.size(); ++k) {
      total += w_[k];
      most = std::max(most, std::sqrt(static_cast<double>(k + 1)) / total);
    }
    return 2.0 * radius_ * most;
  }

 private:
  void fit(const Shape& shape) override {
    if (given_) return sdk::require_count(w_.size(), shape.size(), "weights", "weights");
    w_.resize(static_cast<std::size_t>(shape.size()));
    for (std::size_t k = 0; k < w_.size(); ++k)
      w_[k] = static_cast<double>(w_.size() - k) / static_cast<double>(w_.size());
  }
  void corner(std::span<const double> c, std::span<double> x) override {
    magnitudes_.resize(c.size());
    sdk::map_entries(c, magnitudes_, sdk::magnitude);
    sdk::falling_order(magnitudes_, order_);
    const double top = magnitudes_[order_.front()];
    double sum = 0.0, total = 0.0, best = -1.0, height = 0.0;
    std::size_t count = 1;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      sum += top > 0.0 ? magnitudes_[order_[k]] / top : 0.0;
      total += w_[k];
      if (sum / total > best) best = sum / total, count = k + 1, height = radius_ / total;
    }
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t k = 0; k < count; ++k) x[order_[k]] = std::copysign(height, -c[order_[k]]);
  }
  void project(std::span<const double> v, std::span<double> x) override {
    norm_.sort(v);
    const double value = norm_.value(w_);
    if (!std::isfinite(value))
      throw Error(ErrorKind::numerical, "", "the point to project is too large for its norm to be computed",
                  "check for a step that is too long");
    if (value <= radius_) return sdk::map_entries(v, x, [](double entry) { return entry; });
    const double t =
        falling_root([&](double length) { return norm_.value_of_step(w_, length) - radius_; },
                     (value - radius_) / (w_.front() * w_.front() * static_cast<double>(w_.size())));
    norm_.step(v, w_, t, x);
  }
  double outside(std::span<const double> x) override {
    norm_.sort(x);
    return sdk::ball_violation(norm_.value(w_), radius_);
  }

  double radius_;
  std::vector<double> w_, magnitudes_;
  bool given_ = false;
  std::vector<std::size_t> order_;
  sdk::SortedNorm norm_;
};

}  // namespace

CLAROS_PLUGIN(
    OrderedWeight, Kind::set, "ordered-weight", "owl-ball", "1.0.0",
    "Ball of the ordered weighted l1 norm (OWL), sum_k w_k |x|_(k) <= radius",
    "C = {x : sum_k w_k |x|_(k) <= r}, magnitudes sorted falling and weights that fall: the ball of the "
    "ordered weighted l1 norm (OWL, SLOPE; with equal weights l1, with one weight "
    "the largest magnitude; with weights that fall evenly OSCAR). The linear oracle sorts; the projection "
    "pools adjacent violators at the length that leaves r. Diameter 2 r max_k sqrt(k) / (w_1 + ... + w_k).",
    "Zeng, Figueiredo: The ordered weighted l1 norm: atomic formulation, "
    "projections, and algorithms, arXiv:1409.4271, 2014",
    "Use it for regression on correlated columns: falling weights can give such columns coefficients of "
    "equal magnitude. Oracle and projection sort all entries. If all weights are equal, use l1-ball. If you "
    "can choose a factor lambda instead of a radius, use the penalty slope.",
    "data.use=synthetic-regression data.rows=100 data.cols=50 data.nonzero=5 data.correlation=0.5 "
    "objective.use=linear-model set.use=ordered-weight set.radius=2 stop.relative_gap=1e-6")
