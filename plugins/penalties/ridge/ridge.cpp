// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/entrywise_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  double lambda = kUnset;
  double rho = sdk::kInfinity;
  std::string weights;
};

struct HalfSquare {
  double lambda;

  double value(double x) const { return lambda * psi(x); }
  double psi(double x) const { return 0.5 * x * x; }
  auto prox_psi(double t) const {
    return [shrink = 1.0 / (1.0 + t)](double v) { return v * shrink; };
  }
  auto prox(double step) const { return prox_psi(step * lambda); }
  auto pieces(double step) const {
    return sdk::PiecewiseAffine().piece(sdk::kInfinity, 1.0 / (1.0 + step * lambda), 0.0);
  }
  double weak_convexity() const { return 0.0; }
  HalfSquare weighted(double w) const { return {w * lambda}; }
  double conjugate(double s) const {
    return s == 0.0 ? 0.0 : lambda > 0.0 ? 0.5 * s * (s / lambda) : sdk::kInfinity;
  }
  double domain() const { return lambda > 0.0 ? sdk::kInfinity : 0.0; }
};

/// h(x) = (lambda/2) ||x||^2 on {||x||^2 / 2 <= rho}. The prox is division by 1 + step lambda, cut to the
/// ball. The conjugate is h*(s) = ||s|| r - (lambda/2) r^2 with r = min(||s|| / lambda, sqrt(2 rho)).
class Ridge final : public sdk::EntrywisePenalty<HalfSquare> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "factor of half the sum of squares",
                        "no lambda makes 0 the solution, so 'max' is undefined: try powers "
                        "of 10 from 1e-4 on "
                        "times the smoothness of the objective, and compare on data held back"),
        sdk::entry_weights_row(&Options::weights), sdk::side_constraint_row(&Options::rho, "||x||^2 / 2")};
    return table;
  }

  Ridge(const Options& options, const Context& context)
      : EntrywisePenalty({options.lambda}, options.rho, sdk::EntryWeights(options.weights, context)) {}

  double conjugate(const Element& s) override {
    if (is_weighted()) return EntrywisePenalty::conjugate(s);
    const double norm = sdk::euclidean_norm(read(s)), lambda = entry().lambda;
    if (!(norm > 0.0)) return norm;
    const double length = std::min(norm / lambda, radius());
    return length < sdk::kInfinity ? norm * length - 0.5 * lambda * length * length : sdk::kInfinity;
  }
  double into_domain(const Element& s) override {
    if (is_weighted()) return EntrywisePenalty::into_domain(s);
    return entry().lambda > 0.0 || rho() < sdk::kInfinity || sdk::largest_magnitude(read(s)) == 0.0 ? 1.0
                                                                                                    : 0.0;
  }

 private:
  double radius() const { return std::sqrt(2.0 * rho()); }
  void project(std::span<const double> v, std::span<double> x) override {
    sdk::map_entries(
        v, x, [r = radius(), norm = sdk::euclidean_norm(v)](double value) { return value / norm * r; });
  }
};

}  // namespace

CLAROS_PLUGIN(Ridge, Kind::penalty, "ridge", "", "1.0.0", "Ridge, (lambda/2) ||x||_2^2",
              "h(x) = (lambda/2) sum_j w_j x_j^2 over all entries, w_j = 1 unless weights are given; with "
              "rho, on ||x||^2 / 2 <= rho. Separable without rho.",
              "Hoerl, Kennard: Ridge regression, Technometrics 12, 1970",
              "Use it to keep coefficients small where none has to be 0, as with collinear columns. No "
              "lambda makes 0 the solution: give it as a number, 0.1*max is refused. For zeros take l1 or "
              "elastic-net. With algorithms that take no penalty, use the smoother squared-norm.",
              "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
              "objective.use=linear-model penalty.use=ridge penalty.lambda=0.1 stop.relative_gap=1e-6")
