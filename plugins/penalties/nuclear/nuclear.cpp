// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/estimators/same_storage.hpp>
#include <shared/penalties/spectral_penalty.hpp>
#include <shared/sets/norm_conjugate.hpp>
#include <shared/sets/spectral_sum.hpp>
#include <shared/sets/water_level.hpp>

#include <cmath>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double rho = sdk::kInfinity;
};

/// h(X) = lambda ||X||_*, the sum of the singular values, on {||X||_* <= rho}. In the prox the singular
/// values s of V become max(s - t, 0). Here t is step * lambda, or the threshold of the projection onto the
/// ball if that is larger. The conjugate follows from the largest singular value.
class Nuclear final : public sdk::SpectralPenalty,
                      public Conjugate,
                      public LambdaMax,
                      public sdk::SpectralSum {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "factor of the sum of singular values"),
        sdk::side_constraint_row(&Options::rho, "sum of singular values")};
    return table;
  }

  Nuclear(const Options& options, const Context& context)
      : SpectralPenalty(context), lambda_(options.lambda.number()), rho_(options.rho) {}

  double value(const Element& x) override {
    const double norm = x.nuclear_norm();
    return norm > rho_ * (1.0 + sdk::kRounding) ? sdk::kInfinity : lambda_ * norm;
  }

  double conjugate(const Element& s) override {
    const auto multiple = sdk::shared_multiple(s, asked_);
    const double dual = multiple ? std::abs(*multiple) * asked_norm_ : spectral_norm(s);
    asked_ = Element();  // it may share the gradient's numbers
    return sdk::norm_conjugate(dual, lambda_, rho_);
  }
  double into_domain(const Element& s) override {
    asked_ = s;
    asked_.drop_images();
    asked_norm_ = spectral_norm(s);
    return sdk::norm_into_domain(asked_norm_, lambda_, rho_);
  }
  bool certifies_alone() const override { return lambda_ > 0.0 || rho_ < sdk::kInfinity; }

  /// None with a bound besides: size 0.
  Form spectral_sum() const override { return {.size = rho_ < sdk::kInfinity ? 0.0 : lambda_}; }

  double lambda_max(const Element& gradient) override {
    if (gradient.is_zero()) return 0.0;
    const auto [largest, found] = leading_value(gradient);
    if (found) return largest;
    throw Error(ErrorKind::numerical, "lambda",
                "the largest singular value of the gradient at 0 was not found",
                "give lambda as a number near " + print_real(largest));
  }

  void* ability(std::string_view id) noexcept override {
    void* own = offer<Conjugate, LambdaMax, sdk::SpectralSum>(this, id);
    return own ? own : SpectralPenalty::ability(id);
  }

 private:
  double inside() const override { return lambda_ == 0.0 ? rho_ : -1.0; }
  double shrink(std::vector<double>& values, double step) override {
    const double least = step * lambda_;
    const std::vector<double> s = values;
    for (double& value : values) value = std::max(value - least, 0.0);
    if (sdk::sum_of_magnitudes(values) <= rho_) return least;
    sdk::project_to_l1_ball(s, rho_, values);
    return s.front() - values.front();
  }

  double lambda_, rho_;
  /// The argument of the last into_domain, a multiple of which is that of the conjugate that follows: its
  /// norm is known.
  Element asked_;
  double asked_norm_ = 0.0;
};

}  // namespace

CLAROS_PLUGIN(Nuclear, Kind::penalty, "nuclear", "trace-norm", "1.0.0", "Nuclear norm, lambda ||X||_*",
              "h(X) = lambda ||X||_*, with rho on ||X||_* <= rho. Proximal step: soft-thresholding "
              "of the singular values, by a full decomposition or, when the algorithm limits "
              "the rank, by a truncated one, with a certificate where it is asked for "
              "(trace.certificate). The answer is kept as factors.",
              "Cai, Candes, Shen: A singular value thresholding algorithm for matrix completion, SIAM J. "
              "Optim. 20, 2010",
              "Use it to estimate a matrix of low rank where no bound on its nuclear norm is known. Every "
              "proximal step decomposes a matrix: all its singular values, or the largest where it is "
              "large. Where that takes too long, or a bound is known, take the set nuclear-ball, with "
              "frank-wolfe. For a price of the rank without shrinkage take rank, which is not convex.",
              "data.use=synthetic objective.use=matrix-completion "
              "penalty.use=nuclear penalty.lambda=0.5*max stop.relative_gap=1e-2")
