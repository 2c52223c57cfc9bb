// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/norm_conjugate.hpp>
#include <claros/sdk/water_level.hpp>
#include <claros/spectral/spectral.hpp>
#include <claros/state/state.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double rho = sdk::kInfinity;
};

/// h(X) = lambda ||X||_*, the sum of the singular values, on {||X||_* <= rho}. prox: the singular values s of
/// V become max(s - t, 0), t = step * lambda, or the threshold of the projection onto the ball when that is
/// larger.
///
/// With Accuracy::rank = k below min(m, n), only k singular triplets are computed. The answer is exact when
/// the largest singular value sigma of what is left of V is at most t, which a cold Lanczos solve verifies where a
/// certificate is asked for; otherwise it is the exact step of a point at most sqrt(min(m, n) - k) (sigma - t)
/// away from V, hence no further from V's (firm non-expansiveness). h*: by the largest singular value.
class Nuclear final : public Component, public ProximalOracle, public Conjugate, public LambdaMax, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "factor of the sum of singular values"),
        sdk::side_constraint_row(&Options::rho, "sum of singular values")};
    return table;
  }

  Nuclear(const Options& options, const Context& context)
      : lambda_(options.lambda.number()),
        rho_(options.rho),
        stream_(context.stream(Purpose::oracle)),
        confirmation_(context.stream(Purpose::confirmation)) {}

  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override {
    if (!(step >= 0.0 && step < sdk::kInfinity))
      throw Error(ErrorKind::usage, "penalty", "a proximal step of length " + print_real(step),
                  "expected a finite number, at least 0");
    const Shape shape = v.shape();
    const ElementOperator V(v);
    const Index side = std::min(shape.rows, shape.cols);
    const Index count = accuracy.rank > 0 ? std::min(accuracy.rank, side) : side;
    TruncatedSvd svd = decomposed(V, count, accuracy);
    const double t = shrink(svd, step * lambda_);
    Certificate certificate;
    certificate.singular_pairs = svd.count;
    certificate.products = svd.matvecs;
    certificate.exact = count == side || v.is_zero();
    if (!certificate.exact && accuracy.certify) certify(v, svd, t, side, certificate);
    x = low_rank(shape, svd, kept_);
    certificate.rank = x.columns();
    return certificate;
  }

  double value(const Element& x) override {
    const double norm = x.nuclear_norm();
    return norm > rho_ * (1.0 + sdk::kRounding) ? sdk::kInfinity : lambda_ * norm;
  }

  double conjugate(const Element& s) override {
    return sdk::norm_conjugate(spectral_norm(s), lambda_, rho_);
  }
  double into_domain(const Element& s) override {
    return sdk::norm_into_domain(spectral_norm(s), lambda_, rho_);
  }

  /// The largest singular value, from a cold start.
  double lambda_max(const Element& gradient) override {
    if (gradient.is_zero()) return 0.0;
    TruncatedSvdOptions options;
    const TruncatedSvd svd = truncated_svd(ElementOperator(gradient), 1, SpectralEngine::lanczos, options, stream_);
    if (svd.converged) return svd.s.front();
    throw Error(ErrorKind::numerical, "penalty.lambda", "the largest singular value of the gradient at 0 was not found",
                "give lambda as a number near " + print_real(svd.s.front()));
  }

  void* ability(std::string_view id) noexcept override {
    return offer<ProximalOracle, Conjugate, LambdaMax, State>(this, id);
  }

  void state(StateVisitor& v) override {
    v("stream", stream_);
    v("confirmation", confirmation_);
  }

 private:
  TruncatedSvd decomposed(const ElementOperator& V, Index count, const Accuracy& accuracy) {
    if (V.element().is_zero()) return {};
    const Index side = std::min(V.rows(), V.cols());
    if (count < side) {
      // ARPACK's basis holds twice as many vectors as are wanted: from a fifth of all on, a full
      // decomposition is faster.
      const bool few = 5 * count < side;
      TruncatedSvdOptions options;
      options.tolerance = accuracy.tolerance;
      return truncated_svd(V, count, few ? SpectralEngine::arpack : SpectralEngine::dense, options, stream_);
    }
    std::vector<double> entries(static_cast<std::size_t>(V.rows() * V.cols()));
    V.entries(entries);
    return dense_svd(V.rows(), V.cols(), entries);
  }

  /// Leaves the values of the answer in kept_; returns their threshold: `least`, or the larger one of the
  /// ball.
  double shrink(const TruncatedSvd& svd, double least) {
    kept_.assign(svd.s.begin(), svd.s.end());
    for (double& s : kept_) s = std::max(s - least, 0.0);
    if (sdk::sum_of_magnitudes(kept_) <= rho_) return least;
    sdk::project_to_l1_ball(svd.s, rho_, kept_);
    return svd.s.front() - kept_.front();
  }

  void certify(const Element& v, const TruncatedSvd& svd, double t, Index side, Certificate& certificate) {
    Element rest(v);
    rest.add(-1.0, low_rank(v.shape(), svd, svd.s));
    LanczosOptions options;
    options.tolerance = 1e-6;
    const LeadingPair left = LanczosSolver().confirm(ElementOperator(rest), options, confirmation_);
    certificate.products += left.matvecs;
    const double beyond = left.upper_estimate() - t;
    if (!svd.converged || !left.converged) return;  // then nothing is proved
    certificate.exact = beyond <= 0.0;
    certificate.error = certificate.exact ? 0.0 : std::sqrt(static_cast<double>(side - svd.count)) * beyond;
  }

  static Element low_rank(const Shape& shape, const TruncatedSvd& svd, std::span<const double> values) {
    const auto m = static_cast<std::size_t>(shape.rows), n = static_cast<std::size_t>(shape.cols);
    auto store = std::make_shared<FactorStore>(shape.rows, shape.cols);
    std::vector<double> weights;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k] == 0.0) continue;
      store->append(std::span(svd.u).subspan(k * m, m), std::span(svd.v).subspan(k * n, n));
      weights.push_back(values[k]);
    }
    return weights.empty() ? Element(shape) : Element::low_rank(std::move(store), std::move(weights));
  }

  double spectral_norm(const Element& s) {
    if (s.is_zero()) return 0.0;
    return truncated_svd(ElementOperator(s), 1, SpectralEngine::dense_gram, {}, stream_).s.front();
  }

  double lambda_, rho_;
  RandomStream stream_, confirmation_;
  std::vector<double> kept_;  ///< the singular values of the answer
};

}  // namespace

CLAROS_PLUGIN(Nuclear, Kind::penalty, "nuclear", "trace-norm", "1.0.0",
              "lambda times the sum of the singular values of a matrix",
              "h(X) = lambda ||X||_*, with rho on ||X||_* <= rho. Proximal step: soft-thresholding of the "
              "singular values, by a full "
              "decomposition or, when the algorithm limits the rank, by a truncated one, with a certificate where it is asked for (trace.certificate). "
              "The answer is kept "
              "as factors.",
              "Cai, Candes, Shen: A singular value thresholding algorithm for matrix completion, SIAM J. "
              "Optim. 20, 2010")
