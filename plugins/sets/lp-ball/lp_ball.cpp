// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/number_rows.hpp>
#include <claros/sdk/oracle_set.hpp>

namespace {

using namespace claros;

struct Options {
  double p = 2.0, radius = kUnset;
  std::string weights;
};

/// C = {x : (sum_j (w_j |x_j|)^p)^(1/p) <= r}, 1 <= p <= inf. With y_j = w_j x_j and d_j = c_j / w_j the corner is y_j = -r sign(d_j) (|d_j| / ||d||_q)^(q-1), 1/p + 1/q = 1.
/// D = 2 r max ||x|| over ||y||_p = 1: 1 / min w for p <= 2, and (sum_j w_j^(-s))^(1/s), s = 2 p / (p - 2), beyond.
class LpBall final : public sdk::OracleSet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("p", &Options::p, or_infinity(at_least(1)), "the power of the norm; below 1 the set would not be convex", "p"),
        sdk::radius_row(&Options::radius, "bound on the norm", "rho", "norm"),
        row("weights", &Options::weights, any(), "factors of the entries within the norm, above 0: written out (1 2 0.5) or in a file; empty: all 1", "w")};
    return table;
  }

  LpBall(const Options& o, const Context& context) : p_(o.p), radius_(o.radius) {
    if (o.weights.empty()) return;
    w_ = sdk::number_list(o.weights, "set.weights", context);
    for (std::size_t j = 0; j < w_.size(); ++j)
      if (!(w_[j] > 0.0)) throw Error(ErrorKind::usage, "set.weights", "weight " + std::to_string(j + 1) + " is " + print_real(w_[j]) + ": the set has no bound there", "give weights above 0");
  }

  double diameter() const override {
    if (p_ <= 2.0) return 2.0 * radius_ / (w_.empty() ? 1.0 : *std::min_element(w_.begin(), w_.end()));
    if (entries_ == 0 && w_.empty()) throw Error(ErrorKind::usage, "set", "the diameter depends on the number of entries, which nobody has told yet", "ask after the first call with a point");
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
    if (!w_.empty()) sdk::require_count(w_.size(), entries_, "set.weights", "weights");
  }

  /// ||y||_p; what is summed is between 0 and 1.
  static double norm(std::span<const double> y, double p) {
    const double top = sdk::largest_magnitude(y);
    if (p == sdk::kInfinity || top == 0.0 || !std::isfinite(top)) return top;
    if (p == 1.0) return sdk::sum_of_magnitudes(y);
    return top * std::pow(sdk::sum_entries(y, [=](double value) { return std::pow(std::abs(value) / top, p); }), 1.0 / p);
  }

  void corner(std::span<const double> c, std::span<double> x) override {
    d_.resize(c.size());
    for (std::size_t j = 0; j < c.size(); ++j) d_[j] = c[j] / weight(j);
    const double top = sdk::largest_magnitude(d_);
    std::fill(x.begin(), x.end(), 0.0);
    if (top == 0.0) return;
    if (!std::isfinite(top)) throw Error(ErrorKind::numerical, "set", "the direction is too large for its dual norm to be computed", "look for a step that is too long");
    if (p_ == 1.0) {
      const auto j = static_cast<std::size_t>(std::find_if(d_.begin(), d_.end(), [top](double value) { return std::abs(value) == top; }) - d_.begin());
      x[j] = std::copysign(radius_, -c[j]) / weight(j);
      return;
    }
    // |y_j| is proportional to |d_j|^(1 / (p - 1)).
    const double power = p_ == sdk::kInfinity ? 0.0 : 1.0 / (p_ - 1.0);
    for (std::size_t j = 0; j < c.size(); ++j) d_[j] = c[j] == 0.0 ? 0.0 : std::copysign(std::pow(std::abs(d_[j]) / top, power), -c[j]);
    const double length = norm(d_, p_);
    for (std::size_t j = 0; j < c.size(); ++j) x[j] = d_[j] / length * radius_ / weight(j);
  }

  double outside(std::span<const double> x) override {
    d_.resize(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) d_[j] = x[j] * weight(j);
    return sdk::ball_violation(norm(d_, p_), radius_);
  }

  double p_, radius_;
  std::vector<double> w_, d_;
  Index entries_ = 0;
};

}  // namespace

CLAROS_PLUGIN(LpBall, Kind::set, "lp-ball", "", "1.0.0", "Points whose p-norm is at most a radius, with weights",
              "C = {x : (sum_j (w_j |x_j|)^p)^(1/p) <= r}, over all entries of a vector or matrix, p = inf being max_j w_j |x_j|. The linear oracle is in closed form, by Hoelder's inequality. Diameter 2 r / min w "
              "for p <= 2, and 2 r (sum_j w_j^(-s))^(1/s) with s = 2p/(p-2) beyond. With a projection: l1-ball, l2-ball, box.",
              "Jaggi: Revisiting Frank-Wolfe, ICML 2013, section 4 (oracles of norm balls)")
