// SPDX-License-Identifier: BSD-3-Clause
#include "epoch_end.hpp"
#include "lazy_step.hpp"
#include "step_length.hpp"

#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>
#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/proximal_step.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/answer.hpp>
#include <shared/algorithms/full_step.hpp>
#include <shared/algorithms/spectral_rank.hpp>

#include <limits>

namespace {

using namespace claros;

struct Options {
  StepLengthOptions length;
  LowRankTheoryOptions low_rank;
  Switch accelerate;
  Snapshot snapshot = Snapshot::automatic;
  sdk::LazyUse lazy = sdk::LazyUse::automatic;
  sdk::Output output = sdk::Output::last;
  sdk::SpectralRank spectral;
};

/// minimise f(x) + h(x), h a penalty or the indicator of a set:
///   x <- argmin_u 0.5 ||u - (x - s g)||^2 + s h(u),   g from the estimator.
/// If h has a weak convexity 0 < mu < inf, the convex h + (mu/2)||.||^2 takes its place, and g - mu x that of
/// g. If no mu makes h convex (l0: iterative hard thresholding; the rank: singular value projection), the
/// step is that of h. With the full gradient and s < 1/L every limit is then a fixed point of it (Attouch,
/// Bolte, Svaiter 2013, Theorem 5.1).
///
/// `full`: FISTA (FullStep); without `accelerate`, composite gradient (ISTA), projected gradient. `svrg`:
/// Prox-SVRG (Xiao, Zhang 2014; Qu, Li, Xu 2017, Algorithm 1, and for mu > 0 Algorithm 2). The next snapshot
/// is the last inner point, their average, or one drawn uniformly. `sg`, `sag`, `saga`: Prox-SGD, Prox-SAG,
/// SAGA.
class ProximalGradient final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("accelerate", &Options::accelerate,
             "Nesterov's momentum with gradient restart; needs the gradient estimator full. auto: with that "
             "gradient estimator where h is convex, f is convex or bounded below, the rank is not limited "
             "and step is not a number, which may lie beyond 1/L; where f is not convex, a step with "
             "momentum that does not lower f + h is taken back"),
         row("snapshot", &Options::snapshot,
             one_of<Snapshot>({{Snapshot::automatic, "auto"},
                               {Snapshot::last, "last"},
                               {Snapshot::average, "average"},
                               {Snapshot::random, "random"}}),
             "where an epoch ends and the next begins: at the last inner point, at their average, or at one "
             "drawn uniformly; auto: last, but where step is theory "
             "as its theorems have it, average, and random where f or the penalty is not convex"),
         row("lagged", &Options::lazy, sdk::lazy_words(),
             "lazy (just-in-time) updates: coordinates that a sparse batch does not touch are updated "
             "when they are next read; the points are the same up to rounding. auto: where the rows "
             "of a batch are short; always: where it can be done, which takes no set, a penalty that "
             "knows how or none, and steps of one length; or, with sg, steps of any length and none of "
             "the penalties but l1, box and nonnegative"),
         row("output", &Options::output, sdk::last_average_or_uniform(),
             "the solution: the last iterate, the mean of those that steps began from, or one of these drawn "
             "uniformly")},
        {include(&Options::length, step_length_rows()), include(&Options::low_rank, low_rank_theory_rows()),
         include(&Options::spectral, sdk::spectral_rank_rows())}};
    return table;
  }

  ProximalGradient(const Options& options, const Context& context)
      : options_(options),
        length_(options.length, options.low_rank),
        end_(context.stream(Purpose::output)),
        answer_(options.output, context.stream(Purpose::output)) {}

  std::vector<Need> needs() const override {
    std::vector<Need> needs{need::set_if_any<ProximalOracle>(
        "every step projects onto it (algorithm.use = frank-wolfe needs only a linear oracle)")};
    if (options_.accelerate.is_on())
      needs.push_back(
          need::exact_estimator("momentum (accelerate) adds up the errors of a stochastic gradient"));
    return needs;
  }
  Takes takes() const override {
    return {.penalty = true,
            .any_penalty = true,
            .set = true,
            .reason = "a proximal step with a penalty and a set at once has no closed form in general"};
  }

  void start(const Problem& problem, Element x0) override {
    problem_ = problem;
    estimator_ = problem.estimator;
    options_.spectral.require_possible(*problem.objective);
    proximal_.start(problem, options_.spectral.accuracy(estimator_->exact()));
    if (proximal_.weak_convexity() == std::numeric_limits<double>::infinity())
      refuse_theory_of_convex_penalties();
    const double value = problem.objective->value(x0) + (problem.penalty ? problem.penalty->value(x0) : 0.0);
    length_.start(*problem.objective, *estimator_, proximal_.weak_convexity(), value, options_.spectral.rank);
    if (proximal_.weak_convexity() == std::numeric_limits<double>::infinity() && !estimator_->exact())
      problem.context.note(
          "a step shorter than 1/L, as those along batches are, may stand still where the residual, which is "
          "that of a step of 1/L, is not 0: with such a "
          "penalty the full gradient finds more");
    if (!length_.advice().empty()) problem.context.note(length_.advice());
    accelerated_ = options_.accelerate.is_automatic() ? is_accelerable() && length_.is_safe()
                                                      : options_.accelerate.is_on();
    t_ = 0;
    report_ = {};
    end_.start(x0.shape(), snapshot());
    answer_.start(x0);
    lazy_.start(problem, estimator_->exact() || !answer_.is_last() ? sdk::LazyUse::never : options_.lazy,
                length_.is_constant() ? *length_.at(0) : 0.0, proximal_.weak_convexity(), end_.averages());
    if (estimator_->exact())
      full_.start(*problem.objective, x0, accelerated_, length_.first(), length_.is_guess(), falling());
    else
      x_ = std::move(x0);
  }

  void step() override {
    if (estimator_->exact())
      full_step();
    else
      stochastic_step();
    report_.full_gradient = estimator_->exact();
  }

  const Element& iterate() const override { return estimator_->exact() ? full_.point() : x_; }
  const Element& answer() override { return answer_.of(iterate()); }
  StepReport report() const override { return report_; }
  void measured(const Measurement& m) override {
    report_.divergence = length_.divergence(m.value, t_, accelerated_);
  }

  void state(StateVisitor& v) override {
    v("t", t_);
    v.require(t_ >= 0, "t", "negative");
    v("step", report_.weight);
    v("length", length_);
    v("full gradient", report_.full_gradient);
    v("answer", answer_);
    if (estimator_->exact()) return v("full", full_);
    v("x", x_);
    v("end", end_);
    v("lagged", lazy_);
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  void refuse_theory_of_convex_penalties() const {
    const auto refuse = [](const std::string& key, const std::string& what, const std::string& remedy) {
      throw Error(ErrorKind::usage, key,
                  what +
                      " needs a penalty that a multiple of the squared norm makes convex, and none does so "
                      "with this one",
                  remedy);
    };
    if (options_.accelerate.is_on())
      refuse("accelerate", "momentum", "leave it out, or take a penalty such as mcp or scad");
    if (length_.is_theory())
      refuse("step", "'theory'", "give step = NUMBER or 1/L, or take a penalty such as mcp or scad");
  }

  Snapshot snapshot() const {
    if (options_.snapshot != Snapshot::automatic) return options_.snapshot;
    if (!length_.is_theory()) return Snapshot::last;
    return proximal_.weak_convexity() > 0.0 || !claros::is_convex(*problem_.objective) ? Snapshot::random
                                                                                       : Snapshot::average;
  }

  /// True if momentum is known to help, or is kept to steps that lower f + h (FullStep). With a penalty that
  /// is not convex it may pass or circle a stationary point that is not a minimum.
  bool is_accelerable() const {
    if (!estimator_->exact() || proximal_.weak_convexity() != 0.0 || options_.spectral.limits()) return false;
    return claros::is_convex(*problem_.objective) || problem_.objective->constants().lower_bound.has_value();
  }
  /// f + h if f is not convex and momentum is chosen automatically; else empty.
  sdk::FullStep::Value falling() const {
    if (!accelerated_ || !options_.accelerate.is_automatic() || claros::is_convex(*problem_.objective))
      return {};
    return [f = problem_.objective, h = problem_.penalty](const Element& x) {
      return f->value(x) + (h ? h->value(x) : 0.0);
    };
  }

  /// FISTA's box, or ISTA's.
  void full_step() {
    answer_.add(
        full_.point());  // not where the gradient is made: momentum carries that out of the domain of h
    const auto gradient = [this](const Element& at) -> const Element& { return estimator_->estimate(at); };
    report_.weight = full_.step(length_.at(t_++), gradient, std::ref(proximal_));
    report_.gradient_at = &full_.gradient_at();
  }

  /// Prox-SVRG's box, and that of all stochastic gradients.
  void stochastic_step() {
    if (estimator_->epoch_due()) {
      lazy_.before_epoch();
      estimator_->begin_epoch(x_, {.length = length_.epoch()});  // xs = x_0, grad f(xs)
      end_.begin_epoch();
    }
    answer_.add(x_);
    const Element& g = estimator_->estimate(x_);  // v_k
    const double s = *length_.at(t_++);
    const bool is_lazy = lazy_.step(g, s);  // x_k = prox_{s h}(x_{k-1} - s v_k)
    if (!is_lazy) proximal_(x_, g, s, x_);
    report_.weight = s;
    if (!is_lazy || !end_.averages()) end_.add(x_);
    if (estimator_->epoch_due()) end_epoch();  // xs: the last x_k, their mean, or one of them
  }

  void end_epoch() {
    if (end_.keeps_last()) return;
    lazy_.leave();
    if (const Index points = lazy_.summed()) end_.add_sum(lazy_.take_sum(), points);
    x_ = end_.kept();
  }

  Options options_;
  StepLength length_;
  EpochEnd end_;
  sdk::Answer answer_;
  sdk::FullStep full_;
  sdk::ProximalStep proximal_;
  Problem problem_;
  GradientEstimator* estimator_ = nullptr;
  Element x_;  ///< where the gradient is not exact
  LazyStep lazy_{x_};
  StepReport report_;
  Index t_ = 0;
  bool accelerated_ = false;
};

}  // namespace

CLAROS_PLUGIN(
    ProximalGradient, Kind::algorithm, "proximal-gradient", "prox", "1.0.0",
    "Proximal gradient: ISTA, FISTA, Prox-SVRG, Prox-SGD, projected gradient",
    "x <- prox of s h at x - s g, with h a penalty or a set and g from any gradient estimator: composite "
    "and projected gradient (full, accelerate = off), FISTA (full), Prox-SVRG in both forms, "
    "Prox-SAG, SAGA, Prox-SGD. Without penalty and set it is gradient descent.",
    "Qu, Li, Xu: Linear convergence of SVRG in statistical estimation, Algorithms 1 and 2; Xiao, "
    "Zhang: A proximal "
    "stochastic gradient method with progressive variance reduction, SIAM J. Optim. 2014; Beck, "
    "Teboulle: A fast "
    "iterative shrinkage-thresholding algorithm, SIAM J. Imaging Sci. 2009",
    "Use it where the penalty or the set has a cheap proximal step: it takes all of them, every "
    "gradient estimator, and losses that are not convex. For linear models with l1 or groups working-set "
    "is faster. For a set with an expensive projection take blended-pairwise or frank-wolfe, for "
    "a penalty and a set at once three-operator.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 "
    "data.nonzero=5 objective.use=linear-model penalty.use=slope "
    "penalty.lambda=0.1*max algorithm.use=proximal-gradient stop.relative_gap=1e-6")
