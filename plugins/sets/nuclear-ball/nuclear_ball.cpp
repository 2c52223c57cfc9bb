// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/spectral/spectral.hpp>
#include <claros/state/state.hpp>
#include <shared/sets/face.hpp>
#include <shared/sets/spectral_step.hpp>
#include <shared/sets/spectral_sum.hpp>
#include <shared/sets/water_level.hpp>

#include <algorithm>
#include <cmath>

namespace {

using namespace claros;

enum class Engine { lanczos, arpack, dense };

struct Options {
  double radius = kUnset;
  Engine engine = Engine::lanczos;
  Index products = 600;
};

/// C = {X : ||X||_* <= tau}. argmin_{U in C} <G, U> = -tau u v' with (u, v) the leading singular pair of G.
/// The minimum is -tau sigma_1(G), and D = 2 tau (Jaggi 2013, section 4). The projection shrinks the singular
/// values by the number that leaves a sum of tau (Garber 2020, Observation 1 and Remark 1). A matrix inside
/// is its own projection. The minimal face of U diag(s) V' with sum s = tau is {U M V' : M psd, tr M = tau}
/// (So 1990; Freund, Grigas, Mazumder 2017, section 4).
class NuclearBall final : public Component,
                          public LinearOracle,
                          public Faces,
                          public ProximalOracle,
                          public Membership,
                          public SpectralGap,
                          public Start,
                          public State,
                          public sdk::SpectralSum {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("radius", &Options::radius,
            required(above(0),
                     "an m x n matrix of rank r with entries of root mean square s has a sum of "
                     "singular values of at most s sqrt(r m n): take that of the rank that is "
                     "expected, and compare on entries held back"),
            "bound on the sum of the singular values", "tau"),
        row("engine", &Options::engine,
            one_of<Engine>(
                {{Engine::lanczos, "lanczos"}, {Engine::arpack, "arpack"}, {Engine::dense, "dense"}}),
            "solver of the leading singular pair: warm-started Lanczos bidiagonalisation, ARPACK (its gaps "
            "are confirmed by "
            "Lanczos), or a dense decomposition"),
        row("products", &Options::products, at_least(4),
            "most operator-vector products of one Lanczos solve")};
    return table;
  }

  NuclearBall(const Options& options, const Context& context)
      : options_(options),
        stream_(context.stream(Purpose::oracle)),
        confirmation_(context.stream(Purpose::confirmation)),
        shrinkage_(Spectrum::singular, context) {}

  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override {
    LeadingPair pair = leading_pair(ElementOperator(direction), request);
    if (pair.sigma > 0.0 && pair.sigma < kTiny) pair = lifted_pair(direction, request);
    vertex = Element::rank_one(-options_.radius, pair.u, pair.v);
    OracleInfo info;
    info.value = -options_.radius * pair.sigma;
    info.lower_bound = -options_.radius * pair.upper_estimate();
    info.products = pair.matvecs;
    info.singular_pairs = 1;
    info.confirmed = request.confirm && pair.converged;
    return info;
  }

  /// A point whose singular values sum to all but a thousandth of tau counts as a boundary point of the
  /// smaller ball through it. Few points of Frank-Wolfe steps are on the outer one.
  FaceInfo away(const Element& g, const Element& x, const OracleRequest& request, Element& vertex) override {
    const ElementOperator G(g);
    const sdk::ThinSvd svd(x);
    const double sum = svd.sum();
    FaceInfo info;
    if (sum >= (1.0 - kOnBoundary) * options_.radius) {
      const double t = std::min(sum, options_.radius);
      const sdk::FaceVertex a(G, svd);
      vertex = a.vertex(svd, t);
      info.value = t * a.value;
      info.longest = a.longest(svd, t);
      info.products = svd.rank();
      return info;
    }
    const LeadingPair pair = leading_pair(G, request);
    vertex = Element::rank_one(options_.radius, pair.u, pair.v);
    info.value = options_.radius * pair.sigma,
    info.longest = sdk::longest_within_ball(svd, options_.radius, pair.u, pair.v);
    info.whole = true;
    info.products = pair.matvecs;
    info.singular_pairs = 1;
    return info;
  }

  Certificate apply(const Element& v, double, Element& x, const Accuracy& accuracy) override {
    const auto shrink = [this](std::vector<double>& values) {
      const double largest = values.front(), sum = sdk::sum_of_magnitudes(values);
      if (sum <= options_.radius) return 0.0;
      sdk::project_to_simplex(std::vector<double>(values), options_.radius, values);
      return largest - values.front();
    };
    return shrinkage_.apply(v, {.shrink = shrink, .inside = options_.radius}, x, accuracy);
  }
  double value(const Element& x) override { return violation(x) <= sdk::kRounding ? 0.0 : sdk::kInfinity; }

  double eigengap(const Element& g, Index rank) override {
    RandomStream stream = confirmation_;
    const TruncatedSvd svd = truncated_svd(ElementOperator(g), rank + 1, SpectralEngine::arpack, {}, stream);
    return svd.converged ? svd.s[static_cast<std::size_t>(rank) - 1] - svd.s.back()
                         : std::numeric_limits<double>::quiet_NaN();
  }

  double diameter(const Shape&) override { return 2.0 * options_.radius; }

  /// NaN of a point that holds NaN: the order of max's arguments matters.
  double violation(const Element& x) override {
    if (x.is_zero()) return 0.0;
    if (const auto* low = only_low_rank(x)) {
      const double most = sum_of_columns(*low, x.parts().front().weight);
      if (most <= (1.0 + kColumns) * options_.radius) return 0.0;
      if (!std::isfinite(most) || x.columns() == 1) return std::max(most / options_.radius - 1.0, 0.0);
    }
    return std::max(x.nuclear_norm() / options_.radius - 1.0, 0.0);
  }

  Element start_point(const Shape& shape) override { return Element(shape); }
  Form spectral_sum() const override { return {.size = options_.radius}; }

  void* ability(std::string_view id) noexcept override {
    return offer<LinearOracle, Faces, ProximalOracle, Membership, SpectralGap, Start, State,
                 sdk::SpectralSum>(this, id);
  }

  void state(StateVisitor& v) override {
    v("stream", stream_);
    v("confirmation", confirmation_);
    v("warm start", solver_.warm_start());
    v("projection", shrinkage_);
  }

 private:
  static constexpr double kOnBoundary = 1e-3;
  static constexpr double kColumns = 1e-12;  ///< rounding of a sum over columns
  static constexpr double kTiny = 0x1p-900, kLift = 0x1p600;

  /// Numbers near the smallest ones have few digits, and so have their singular vectors; a factor moves no
  /// minimiser.
  LeadingPair lifted_pair(const Element& direction, const OracleRequest& request) {
    Element lifted(direction);
    lifted.scale(kLift);
    LeadingPair pair = leading_pair(ElementOperator(lifted), request);
    pair.sigma /= kLift;
    pair.residual /= kLift;
    return pair;
  }

  LeadingPair leading_pair(const ElementOperator& G, const OracleRequest& request) {
    if (options_.engine == Engine::dense) return decomposed(G, SpectralEngine::dense, request.tolerance);
    LanczosOptions lanczos;
    lanczos.tolerance = request.tolerance;
    lanczos.max_matvecs = options_.products;
    if (request.confirm) return solver_.confirm(G, lanczos, confirmation_);
    if (options_.engine == Engine::lanczos) return solver_.solve(G, lanczos, stream_);
    return decomposed(G, SpectralEngine::arpack, request.tolerance);
  }

  LeadingPair decomposed(const ElementOperator& G, SpectralEngine engine, double tolerance) {
    TruncatedSvdOptions options;
    options.tolerance = tolerance;
    TruncatedSvd svd = truncated_svd(G, 1, engine, options, stream_);
    if (svd.count == 0)
      throw Error(ErrorKind::numerical, "engine", "ARPACK found no singular pair of the direction",
                  "use engine = lanczos or dense");
    LeadingPair pair;
    pair.sigma = svd.s.front();
    pair.residual = engine == SpectralEngine::dense ? 0.0 : residual(G, svd);
    pair.u = std::move(svd.u);
    pair.v = std::move(svd.v);
    pair.matvecs = svd.matvecs + (engine == SpectralEngine::dense ? 0 : 1);
    pair.converged = svd.converged;
    return pair;
  }

  /// The vector of the longer side is the image of the other. So the residual is ||A v - sigma u|| for a wide
  /// matrix and ||A'u - sigma v|| for others.
  static double residual(const ElementOperator& G, const TruncatedSvd& svd) {
    const bool wide = G.cols() > G.rows();
    const std::vector<double>& shorter = wide ? svd.u : svd.v;
    std::vector<double> defect(shorter.size());
    wide ? G.apply(svd.v, defect) : G.apply_adjoint(svd.u, defect);
    double sum = 0.0;
    for (std::size_t j = 0; j < defect.size(); ++j)
      sum += std::pow(defect[j] - svd.s.front() * shorter[j], 2);
    return std::sqrt(sum);
  }

  /// sum_k |w_k| ||u_k|| ||v_k||, a bound of the nuclear norm. It shows without a decomposition that convex
  /// combinations of vertices, and singular value decompositions, lie inside.
  static double sum_of_columns(const LowRankForm& low, double weight) {
    const auto length = [](std::span<const double> a) {
      double sum = 0.0;
      for (const double value : a) sum += value * value;
      return std::sqrt(sum);
    };
    double sum = 0.0;
    for (std::size_t k = 0; k < low.weights.size(); ++k)
      if (low.weights[k] != 0.0)
        sum += std::abs(weight * low.weights[k]) * length(low.store->left(static_cast<Index>(k))) *
               length(low.store->right(static_cast<Index>(k)));
    return sum;
  }

  Options options_;
  RandomStream stream_, confirmation_;
  LanczosSolver solver_;
  sdk::SpectralStep shrinkage_;
};

}  // namespace

CLAROS_PLUGIN(NuclearBall, Kind::set, "nuclear-ball", "trace-norm-ball", "1.0.0",
              "Nuclear norm ball, ||X||_* <= radius",
              "C = {X : sum of singular values <= tau}. Linear oracle: one leading singular pair (u, v) of "
              "the direction, vertex -tau u v'. Diameter 2 tau. Projection: singular values are lowered "
              "by the number that leaves a sum of tau, and cut at 0, from as many of them as the result "
              "has, with a certificate. In the run the pair is found loosely from a warm start; a gap is "
              "confirmed tightly from a cold random one.",
              "Jaggi: Revisiting Frank-Wolfe, ICML 2013, section 4",
              "Use it for matrices of low rank: completion, sensing, regression; compare several radii on "
              "held-out entries. A linear minimisation computes one singular pair, a projection as many as "
              "its result has. If you can choose a factor lambda instead, use the penalty nuclear. For "
              "positive semidefinite matrices use psd-trace or spectrahedron.",
              "data.use=synthetic objective.use=matrix-completion "
              "set.use=nuclear-ball set.radius=100 stop.relative_gap=1e-2")
