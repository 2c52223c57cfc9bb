// SPDX-License-Identifier: BSD-3-Clause
#include "two_constraints.hpp"

#include <claros/plugin.hpp>
#include <shared/penalties/absolute_value.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double rho = sdk::kInfinity;
  double radius = sdk::kInfinity;
  std::string weights;
};

/// h(x) = lambda sum_j w_j |x_j| over all entries, w_j = 1 unless given. Without weights prox is
/// soft-thresholding at step * lambda, or at the threshold of the projection onto ||x||_1 <= rho if that is
/// larger. The conjugate is the indicator of ||s||_inf <= lambda, or rho max(||s||_inf - lambda, 0). With a
/// second constraint ||x||_2 <= R: two_constraints.hpp. (Qu, Li, Xu 2017, section 2.)
class L1 final : public sdk::EntrywisePenalty<sdk::AbsoluteValue> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "factor of the sum of magnitudes"),
        sdk::side_constraint_row(&Options::rho, "||x||_1"), sdk::entry_weights_row(&Options::weights),
        row("radius", &Options::radius, or_infinity(above(0)),
            "second side constraint ||x||_2 <= R, of generalized linear models; inf: none", "R")};
    return table;
  }

  L1(const Options& options, const Context& context)
      : EntrywisePenalty({options.lambda.number()},
                         options.radius < sdk::kInfinity ? sdk::kInfinity : options.rho,
                         sdk::EntryWeights(options.weights, context)),
        both_{options.rho, options.radius} {
    if (is_weighted() && on_both()) refuse_weights("radius");
  }

  double conjugate(const Element& s) override {
    if (is_weighted()) return EntrywisePenalty::conjugate(s);
    if (on_both()) return l1::conjugate_on_both(read(s), entry().lambda, both_.rho, both_.radius);
    return sdk::norm_conjugate(sdk::largest_magnitude(read(s)), entry().lambda, rho());
  }
  double into_domain(const Element& s) override {
    if (is_weighted()) return EntrywisePenalty::into_domain(s);
    if (on_both())
      return std::isnan(sdk::largest_magnitude(read(s))) ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    return sdk::norm_into_domain(sdk::largest_magnitude(read(s)), entry().lambda, rho());
  }
  void* ability(std::string_view id) noexcept override {
    if (on_both() && (id == Separable::kAbility || id == LazyProximal::kAbility)) return nullptr;
    return EntrywisePenalty::ability(id);
  }

 private:
  struct Both {
    double rho, radius;
  };
  bool on_both() const { return both_.radius < sdk::kInfinity; }

  double penalty(std::span<const double> x) override {
    if (on_both()) {
      const l1::Norms n = l1::Norms::of(x, 0.0);
      if (n.sum > both_.rho * (1.0 + sdk::kRounding) || n.length > both_.radius * (1.0 + sdk::kRounding))
        return sdk::kInfinity;
    }
    return EntrywisePenalty::penalty(x);
  }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    if (!on_both()) return EntrywisePenalty::prox(v, step, x);
    l1::prox_on_both(v, step * entry().lambda, both_.rho, both_.radius, x);
  }
  void project(std::span<const double> v, std::span<double> x) override {
    sdk::project_to_l1_ball(v, rho(), x);
  }

  Both both_;
};

}  // namespace

CLAROS_PLUGIN(L1, Kind::penalty, "l1", "lasso", "1.0.0", "l1 (lasso), lambda sum_j w_j |x_j|",
              "h(x) = lambda sum_j w_j |x_j| over all entries of a vector or matrix, w_j = 1 unless weights "
              "are given, on ||x||_1 <= rho when rho is "
              "given, and on ||x||_2 <= radius when that is. Proximal "
              "step: soft-thresholding. Separable without either.",
              "Tibshirani: Regression shrinkage and selection via the lasso, JRSS B 58, 1996; Qu, Li, Xu: "
              "Linear convergence of "
              "SVRG in statistical estimation, 2017",
              "Use it where few entries matter: gaps are verified, and working-set solves linear models on "
              "few columns. It shrinks large entries; where that must not be, take mcp or scad. Of "
              "correlated columns it tends to choose one, elastic-net keeps them together. For a bound "
              "instead of a price take the set l1-ball.",
              "data.use=synthetic-regression data.rows=500 data.cols=2000 data.nonzero=20 "
              "objective.use=linear-model penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
