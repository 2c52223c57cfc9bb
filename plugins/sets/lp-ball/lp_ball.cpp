// SPDX-License-Identifier: BSD-3-Clause
#include "power_shrinkage.hpp"

#include <claros/element/falling_root.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/sets/number_rows.hpp>
#include <shared/sets/water_level.hpp>

namespace {

using namespace claros;

struct Options {
  double p = 2.0, radius = kUnset;
  std::string weights;
};

/// C = {x : (sum_j (w_j |x_j|)^p)^(1/p) <= r}, 1 <= p <= inf. With y_j = w_j x_j and d_j = c_j / w_j the
/// corner is y_j = -r sign(d_j) (|d_j| / ||d||_q)^(q-1), 1/p + 1/q = 1. The projection is by the water level
/// for p = 1, entry by entry for p = inf. Else it is the roots of x_j + t w_j^p x_j^(p-1) = |v_j| at the t
/// that is on the border (power_shrinkage.hpp). D = 2 r max ||x|| over ||y||_p = 1: 1 / min w for p <= 2, and
/// (sum_j w_j^(-s))^(1/s), s = 2 p / (p - 2), beyond.
class LpBall final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("p", &Options::p, or_infinity(at_least(1)),
            "the power of the norm; below 1 the set would not be convex", "p"),
        sdk::radius_row(&Options::radius, "bound on the norm", "rho", "norm"),
        row("weights", &Options::weights, any(),
            "factors of the entries within the norm, above 0: written "
            "out (1 2 0.5) or in a file; empty: all 1",
            "w")};
    return table;
  }

  LpBall(const Options& o, const Context& context) : p_(o.p), radius_(o.radius) {
    if (o.weights.empty()) return;
    w_ = sdk::number_list(o.weights, "weights", context);
    for (std::size_t j = 0; j < w_.size(); ++j)
      if (!(w_[j] > 0.0))
        throw Error(
            ErrorKind::usage, "weights",
            "weight " + std::to_string(j + 1) + " is " + print_real(w_[j]) + ": the set has no bound there",
            "give weights above 0");
  }

  double diameter(const Shape& shape) override {
    fit(shape);
    if (p_ <= 2.0) return 2.0 * radius_ / (w_.empty() ? 1.0 : *std::min_element(w_.begin(), w_.end()));
    const double s = p_ < sdk::kInfinity ? 2.0 * p_ / (p_ - 2.0) : 2.0;
    if (w_.empty()) return 2.0 * radius_ * std::pow(static_cast<double>(entries_), 1.0 / s);
    const double least = *std::min_element(w_.begin(), w_.end());
    double sum = 0.0;
    for (const double w : w_) sum += std::pow(least / w, s);
    return 2.0 * radius_ * std::pow(sum, 1.0 / s) / least;
  }

 private:
  double weight(std::size_t j) const { return w_.empty() ? 1.0 : w_[j]; }
  void fit(const Shape& shape) override {
    entries_ = shape.size();
    if (!w_.empty()) sdk::require_count(w_.size(), entries_, "weights", "weights");
  }

  /// ||y||_p; the summands are between 0 and 1.
  static double norm(std::span<const double> y, double p) {
    const double top = sdk::largest_magnitude(y);
    if (p == sdk::kInfinity || top == 0.0 || !std::isfinite(top)) return top;
    if (p == 1.0) return sdk::sum_of_magnitudes(y);
    return top *
           std::pow(sdk::sum_entries(y, [=](double value) { return std::pow(std::abs(value) / top, p); }),
                    1.0 / p);
  }

  void corner(std::span<const double> c, std::span<double> x) override {
    d_.resize(c.size());
    for (std::size_t j = 0; j < c.size(); ++j) d_[j] = c[j] / weight(j);
    const double top = sdk::largest_magnitude(d_);
    std::fill(x.begin(), x.end(), 0.0);
    if (top == 0.0) return;
    if (!std::isfinite(top))
      throw Error(ErrorKind::numerical, "", "the direction is too large for its dual norm to be computed",
                  "check for a step that is too long");
    if (p_ == 1.0) {
      const auto j = static_cast<std::size_t>(
          std::find_if(d_.begin(), d_.end(), [top](double value) { return std::abs(value) == top; }) -
          d_.begin());
      x[j] = std::copysign(radius_, -c[j]) / weight(j);
      return;
    }
    // |y_j| is proportional to |d_j|^(1 / (p - 1)).
    const double power = p_ == sdk::kInfinity ? 0.0 : 1.0 / (p_ - 1.0);
    for (std::size_t j = 0; j < c.size(); ++j)
      d_[j] = c[j] == 0.0 ? 0.0 : std::copysign(std::pow(std::abs(d_[j]) / top, power), -c[j]);
    const double length = norm(d_, p_);
    for (std::size_t j = 0; j < c.size(); ++j) x[j] = d_[j] / length * radius_ / weight(j);
  }

  void project(std::span<const double> v, std::span<double> x) override {
    const double length = weighted_norm(v);
    if (!std::isfinite(length))
      throw Error(ErrorKind::numerical, "", "the point to project is too large for its norm to be computed",
                  "check for a step that is too long");
    if (length <= radius_) return sdk::map_entries(v, x, [](double value) { return value; });
    if (p_ == 1.0) return sink(v, x);
    for (std::size_t j = 0; p_ == sdk::kInfinity && j < v.size(); ++j)
      x[j] = std::clamp(v[j], -radius_ / weight(j), radius_ / weight(j));
    if (p_ < sdk::kInfinity) shrink(v, x);
  }

  /// p = 1: |x_j| = w_j max(|v_j| / w_j - t, 0), sum_j w_j |x_j| = r. Weights are taken over the largest, so
  /// that their squares have room.
  void sink(std::span<const double> v, std::span<double> x) {
    const double most = w_.empty() ? 1.0 : *std::max_element(w_.begin(), w_.end()), volume = radius_ / most;
    const auto width = [&](std::size_t j) { return std::pow(weight(j) / most, 2); };
    for (std::size_t j = 0; j < v.size(); ++j) d_[j] = std::abs(v[j]) / (weight(j) / most);
    const auto deepest = static_cast<std::size_t>(std::max_element(d_.begin(), d_.end()) - d_.begin());
    const double top = d_[deepest];
    const double y = sdk::water_level(
        v.size(), [&](std::size_t j) { return top - d_[j]; }, width, volume, volume / width(deepest));
    for (std::size_t j = 0; j < v.size(); ++j)
      x[j] = std::copysign(weight(j) / most * std::max(y - (top - d_[j]), 0.0), v[j]);
  }

  /// 1 < p < inf, in y_j = w_j |x_j| / r and b_j = w_j |v_j| / r: y_j + t w_j^2 y_j^(p-1) = b_j, sum_j y_j^p
  /// = 1.
  void shrink(std::span<const double> v, std::span<double> x) {
    const double most = w_.empty() ? 1.0 : *std::max_element(w_.begin(), w_.end());
    log_b_.resize(v.size()), log_rate_.resize(v.size()), log_odds_.assign(v.size(), std::nan(""));
    double worst = -sdk::kInfinity;
    for (std::size_t j = 0; j < v.size(); ++j) {
      log_b_[j] = std::log(std::abs(v[j])) + std::log(weight(j)) - std::log(radius_);
      log_rate_[j] = 2.0 * std::log(weight(j) / most) + (p_ - 2.0) * log_b_[j];
      worst = std::max(worst, log_b_[j]);
    }
    // log ||y||_p, without powers that overflow.
    const auto excess = [&](double t) {
      const double log_t = std::log(t);
      double top = -sdk::kInfinity, sum = 0.0;
      for (std::size_t j = 0; j < v.size(); ++j)
        d_[j] = v[j] == 0.0 ? -sdk::kInfinity
                            : log_b_[j] + lp_ball::log_share(p_, log_t + log_rate_[j], log_odds_[j]),
        top = std::max(top, d_[j]);
      for (const double log_y : d_) sum += std::exp(p_ * (log_y - top));
      return top + std::log(sum) / p_;
    };
    const double log_t = std::log(falling_root(excess, std::exp(std::min(worst, 600.0))));
    for (std::size_t j = 0; j < v.size(); ++j)
      x[j] = v[j] == 0.0 ? v[j] : v[j] * std::exp(lp_ball::log_share(p_, log_t + log_rate_[j], log_odds_[j]));
  }

  double weighted_norm(std::span<const double> x) {
    d_.resize(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) d_[j] = x[j] * weight(j);
    return norm(d_, p_);
  }
  double outside(std::span<const double> x) override {
    return sdk::ball_violation(weighted_norm(x), radius_);
  }

  double p_, radius_;
  std::vector<double> w_, d_, log_b_, log_rate_;
  std::vector<double> log_odds_;  // of each entry's share, at the last t
  Index entries_ = 0;
};

}  // namespace

CLAROS_PLUGIN(
    LpBall, Kind::set, "lp-ball", "", "1.0.0", "Weighted lp ball, (sum_j (w_j |x_j|)^p)^(1/p) <= radius",
    "C = {x : (sum_j (w_j |x_j|)^p)^(1/p) <= r}, over all entries of a vector or matrix, p = inf being max_j "
    "w_j |x_j|. The linear oracle is in closed form, by Hoelder's inequality. Diameter 2 r / min w "
    "for p <= 2, and 2 r (sum_j w_j^(-s))^(1/s) with s = 2p/(p-2) beyond. The projection is exact for p = 1 "
    "and inf; else a root of one number around one of each entry, to the last bits.",
    "Jaggi: Revisiting Frank-Wolfe, ICML 2013, section 4 (oracles of norm balls)",
    "Use it for other norms than l1 and l2, or with a weight for each entry. Inside moved, p = "
    "inf with weights gives each entry bounds of its own. The projection is direct for p = 1 and "
    "inf; for other p it solves an equation for each entry many times. Without weights use "
    "l1-ball for p = 1 and l2-ball for p = 2.",
    "data.use=synthetic-regression data.rows=100 data.cols=50 data.nonzero=5 "
    "objective.use=linear-model set.use=lp-ball set.p=1.5 set.radius=1 stop.relative_gap=1e-6")
