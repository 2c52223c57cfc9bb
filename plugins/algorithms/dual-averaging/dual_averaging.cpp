// SPDX-License-Identifier: BSD-3-Clause
#include "gradient_sum.hpp"
#include "lazy_point.hpp"

#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <claros/sdk/proximal_step.hpp>
#include <shared/algorithms/answer.hpp>
#include <shared/algorithms/spectral_rank.hpp>

#include <cmath>

namespace {

using namespace claros;

enum class Gamma { automatic };

struct Options {
  NumberOr<Gamma> gamma = Gamma::automatic;
  sdk::Output output = sdk::Output::last;
  sdk::LazyUse lazy = sdk::LazyUse::automatic;
  sdk::SpectralRank spectral;
};

/// gbar_t = (1/t) sum_{k<=t} g_k, g_k at x_k;  s = sqrt(t)/gamma;
/// x_{t+1} = argmin_x <gbar_t, x> + h(x) + (gamma/sqrt(t)) ||x - x_1||^2/2 = prox_{s h}(x_1 - s gbar_t),
/// h a penalty, the indicator of a set, or 0. (Xiao 2010, Algorithm 1 with beta_t = gamma sqrt(t). There x_1
/// is the minimiser of h; here it is the start, 0 by default.) The bounds, O(1/sqrt t), hold for the average
/// of x_1 .. x_t.
///
/// If h has the weak convexity mu > 0, the convex h + (mu/2)||.||^2 takes its place, and g_k - mu x_k that of
/// g_k. This is Algorithm 2 of Qu, Li, Xu (2017). Their experiments run RDA on SCAD without a description; no
/// bounds are known then.
///
/// The best gamma is near G/D, G a bound of the gradients and D of ||x* - x_1||. The choice auto is the
/// smoothness L of the terms that the estimator samples. With it one gradient moves the point by 1/(L sqrt t)
/// of itself.
class DualAveraging final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("gamma", &Options::gamma, number_or<Gamma>(above(0), {{Gamma::automatic, "auto"}}),
             "weight of the distance to the start; auto is the smoothness of f, of "
             "one component where the gradient estimator samples",
             "gamma"),
         row("output", &Options::output, sdk::last_average_or_uniform(),
             "the solution: the last iterate, the mean of those that steps "
             "began from, or one of these drawn uniformly"),
         row("lagged", &Options::lazy, sdk::lazy_words(),
             "lazy (just-in-time) updates: a coordinate is computed from the sum of its gradients when it is "
             "next read; the points are the same up to rounding. auto: where the rows of a batch are short; "
             "always: where it can be done, which takes gradients that are sparse rows alone (sg), output = "
             "last, no set, and a convex penalty that is a sum over coordinates or none")},
        {include(&Options::spectral, sdk::spectral_rank_rows())}};
    return table;
  }

  DualAveraging(const Options& options, const Context& context)
      : options_(options), answer_(options.output, context.stream(Purpose::output)) {}

  std::vector<Need> needs() const override {
    return {
        need::set_if_any<ProximalOracle>(
            "every step projects onto it (frank-wolfe needs only a linear oracle)"),
        need::unbiased_estimator(
            "every step goes along the mean of all gradients so far, out of which errors of mean 0 average, "
            "while those of a "
            "biased one stay (of svrg and casvrg, without full snapshots)")};
  }

  Takes takes() const override {
    return {.penalty = true,
            .set = true,
            .reason = "a proximal step with a penalty and a set at once has no closed form in general"};
  }

  const Element& answer() override { return answer_.of(x()); }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("gradients", gradients_);
    v("answer", answer_);
    v("lagged", lazy_);
  }

 private:
  void begin() override {
    options_.spectral.require_possible(*problem().objective);
    proximal_.start(problem(), options_.spectral.accuracy(problem().estimator->exact()));
    gamma_ = options_.gamma.is_number() ? options_.gamma.number() : smoothness("gamma");
    gradients_.start(x());
    answer_.start(x());
    lazy_.start(problem(), options_.output == sdk::Output::last ? options_.lazy : sdk::LazyUse::never);
  }

  void move(const Element& g) override {
    const auto steps = static_cast<double>(t() + 1);
    answer_.add(x());
    const double root = std::sqrt(steps), s = root / gamma_;
    report_step(s);
    if (lazy_.step(g, -1.0 / (gamma_ * root), s)) return;  // the same, at the coordinates that are read
    gradients_.add(g, proximal_.weak_convexity(), x());    // t gbar_t = (t - 1) gbar_{t-1} + g_t
    gradients_.point(-1.0 / (gamma_ * root), v_);          // x_1 - s gbar_t
    proximal_(v_, s, x());                                 // x_{t+1} = prox_{s h}(x_1 - s gbar_t)
  }

  Options options_;
  sdk::ProximalStep proximal_;
  GradientSum gradients_;
  sdk::Answer answer_;
  LazyPoint lazy_{x(), gradients_};
  double gamma_ = 0.0;
  Element v_;
};

}  // namespace

CLAROS_PLUGIN(
    DualAveraging, Kind::algorithm, "dual-averaging", "rda", "1.0.0",
    "Regularized dual averaging, RDA (Xiao 2010)",
    "x_{t+1} = argmin <gbar_t, x> + h(x) + (gamma/sqrt t) ||x - x_1||^2/2 with gbar_t the mean of the "
    "first t gradients, h a penalty (in its convexified form where it is not convex), a set or nothing: "
    "regularized dual averaging. x_1 is the start. Needs an unbiased gradient estimator: full, sg, saga; "
    "svrg, loopless-svrg and casvrg with full snapshots.",
    "Xiao: Dual averaging methods for regularized stochastic learning and "
    "online optimization, JMLR 2010, Algorithm 1",
    "Use it with sg and a sparse penalty such as l1: the threshold applies to the mean of all gradients, so "
    "iterates stay sparse. It converges slowly, and the default gamma is cautious: tune it. It refuses "
    "biased gradient estimators. For a finite sum to a higher accuracy "
    "take proximal-gradient with svrg or saga.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 "
    "objective.use=linear-model penalty.use=l1 penalty.lambda=0.1*max estimator.use=sg "
    "algorithm.use=dual-averaging algorithm.gamma=1 stop.relative_gap=5e-2")
