// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/entrywise_penalty.hpp>
#include <shared/sets/norm_conjugate.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double ratio = 0.5;
  double rho = sdk::kInfinity;
  std::string weights;
};

struct Mixture {
  double lambda, ratio;

  double value(double x) const { return lambda * psi(x); }
  /// Not by x * x, which overflows where it has no weight.
  double psi(double x) const { return std::abs(x) * (ratio + 0.5 * (1.0 - ratio) * std::abs(x)); }
  auto prox_psi(double t) const {
    return [level = t * ratio, shrink = 1.0 / (1.0 + t * (1.0 - ratio))](double v) {
      return sdk::soft_threshold(v, level) * shrink;
    };
  }
  auto prox(double step) const { return prox_psi(step * lambda); }
  auto pieces(double step) const {
    const double level = step * lambda * ratio, shrink = 1.0 / (1.0 + step * lambda * (1.0 - ratio));
    return sdk::PiecewiseAffine::odd(
        sdk::PiecewiseAffine().piece(level, 0.0, 0.0).piece(sdk::kInfinity, shrink, -level * shrink));
  }
  double weak_convexity() const { return 0.0; }
  double slope_at_zero() const { return ratio; }
  Mixture weighted(double w) const { return {w * lambda, ratio}; }
  double conjugate(double s) const {
    if (ratio == 1.0) return sdk::norm_conjugate(std::abs(s), lambda, sdk::kInfinity);
    if (lambda == 0.0) return s == 0.0 ? 0.0 : sdk::kInfinity;
    const double x = dual_point(s, lambda);
    return s * x - value(x);
  }
  double domain() const { return ratio == 1.0 || lambda == 0.0 ? lambda : sdk::kInfinity; }
  /// argmax_x <s, x> - t psi(x), t > 0 and ratio < 1.
  double dual_point(double s, double t) const {
    return sdk::soft_threshold(s, t * ratio) / (t * (1.0 - ratio));
  }
};

/// h(x) = lambda psi(x), psi(x) = ratio ||x||_1 + (1 - ratio)/2 ||x||^2, on {psi <= rho}. The step prox_{t
/// psi} is soft-thresholding at t ratio, then division by 1 + t (1 - ratio). (Zou, Hastie 2005, in
/// scikit-learn's parameters.) The conjugate is h*(s) = max of <s, x> - lambda psi(x), attained at soft(s, t
/// ratio) / (t (1 - ratio)) with t = lambda. If psi there exceeds rho, t is the larger number that makes it
/// rho.
class ElasticNet final : public sdk::EntrywisePenalty<Mixture> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "factor of the penalty"),
        row("ratio", &Options::ratio, between(0, 1),
            "share of the sum of magnitudes; the rest is for half the sum of squares"),
        sdk::entry_weights_row(&Options::weights),
        sdk::side_constraint_row(&Options::rho, "ratio ||x||_1 + (1 - ratio)/2 ||x||^2")};
    return table;
  }

  ElasticNet(const Options& options, const Context& context)
      : EntrywisePenalty({options.lambda.number(), options.ratio}, options.rho,
                         sdk::EntryWeights(options.weights, context)) {}

  double conjugate(const Element& element) override {
    if (is_weighted()) return EntrywisePenalty::conjugate(element);
    const std::span<const double> s = read(element);
    const double top = sdk::largest_magnitude(s);
    if (is_norm()) return sdk::norm_conjugate(top, entry().lambda, rho());
    if (!(top > 0.0)) return top;
    const double t = multiplier(s, top);
    return t == 0.0 ? sdk::kInfinity : sdk::sum_entries(s, [t, e = entry()](double value) {
      const double x = e.dual_point(value, t);
      return value * x - e.lambda * e.psi(x);
    });
  }
  double into_domain(const Element& element) override {
    if (is_weighted()) return EntrywisePenalty::into_domain(element);
    const double top = sdk::largest_magnitude(read(element));
    if (is_norm()) return sdk::norm_into_domain(top, entry().lambda, rho());
    return entry().lambda > 0.0 || rho() < sdk::kInfinity || top == 0.0 ? 1.0 : 0.0;
  }

 private:
  bool is_norm() const { return entry().ratio == 1.0; }

  /// The t >= lambda at which the dual point satisfies the side constraint; 0 when lambda is 0 and there is
  /// none.
  double multiplier(std::span<const double> s, double top) const {
    const double lambda = entry().lambda;
    const auto excess = [&](double t) {
      return sdk::sum_entries(s, [t, e = entry()](double value) { return e.psi(e.dual_point(value, t)); }) -
             rho();
    };
    if (rho() == sdk::kInfinity || (lambda > 0.0 && excess(lambda) <= 0.0)) return lambda;
    return falling_root(excess, top);
  }
};

}  // namespace

CLAROS_PLUGIN(ElasticNet, Kind::penalty, "elastic-net", "", "1.0.0",
              "Elastic net, lambda (ratio ||x||_1 + (1 - ratio)/2 ||x||^2)",
              "h(x) = lambda (ratio ||x||_1 + (1 - ratio)/2 ||x||^2) over all entries, as in scikit-learn, "
              "each with its weight where weights are given; "
              "with rho, on the x "
              "whose bracket is at most rho. Separable without rho.",
              "Zou, Hastie: Regularization and variable selection via the elastic net, JRSS B 67, 2005",
              "Use it for sparse coefficients of correlated columns: l1 tends to choose one of them, and "
              "the squares keep them together. It shrinks large entries; where that must not be, take mcp "
              "or scad. Where columns are hardly correlated take l1, and where no entry has to be 0, ridge.",
              "data.use=synthetic-regression data.rows=200 data.cols=500 "
              "data.nonzero=5 data.correlation=0.5 objective.use=linear-model "
              "penalty.use=elastic-net penalty.lambda=0.1*max stop.relative_gap=1e-6")
