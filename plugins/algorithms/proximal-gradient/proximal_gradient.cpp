// SPDX-License-Identifier: BSD-3-Clause
#include "full_step.hpp"
#include "step_length.hpp"

#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/state.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace claros;

struct Options {
  StepLengthOptions length;
  std::string accelerate = "auto";
  std::string snapshot = "auto";
  Index rank = 0;
};

/// minimise f(x) + h(x), h a penalty or the indicator of a set:
///   x <- argmin_u 0.5 ||u - (x - s g)||^2 + s h(u),   g from the estimator.
/// For a penalty of weak convexity mu > 0 the convex h + (mu/2)||.||^2 takes h's place and g - mu x that of g.
///
/// `full`: FISTA (FullStep); without `accelerate` composite gradient (ISTA), projected gradient. `svrg`: Prox-SVRG (Xiao, Zhang
/// 2014; Qu, Li, Xu 2017, Algorithm 1, and for mu > 0 Algorithm 2), the next snapshot being the last inner point, their
/// average, or one drawn uniformly. `sg`, `sag`, `saga`: Prox-SGD, Prox-SAG, SAGA.
class ProximalGradient final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("accelerate", &Options::accelerate, one_of({"auto", "true", "false", "yes", "no", "on", "off", "1", "0"}),
             "Nesterov's momentum with gradient restart; needs the estimator full. auto: with that estimator where f and h are "
             "convex, rank has no limit and step is not a number, which may lie beyond 1/L"),
         row("snapshot", &Options::snapshot, one_of({"auto", "last", "average", "random"}),
             "where an epoch ends and the next begins: at the last inner point, at their average, or at one drawn uniformly; auto: last, but where step is theory "
             "as its theorems have it, average, and random where f or the penalty is not convex"),
         row("rank", &Options::rank, at_least(0), "largest rank of a spectral proximal step; 0: no limit")},
        {include(&Options::length, step_length_rows())}};
    return table;
  }

  ProximalGradient(const Options& options, const Context& context)
      : options_(options), length_(options.length), pick_(context.stream(Purpose::output)) {}

  std::vector<Need> needs() const override {
    std::vector<Need> needs{{"set?", std::string(ProximalOracle::kAbility),
                             "every step projects onto it, where algorithm.use = frank-wolfe makes do with a linear oracle (onto a nuclear "
                             "ball a penalty projects: penalty.use = nuclear with penalty.lambda = 0 and penalty.rho = its radius)"}};
    if (options_.accelerate != "auto" && parse_boolean(options_.accelerate))
      needs.push_back({"estimator", std::string(Need::kExact), "momentum (algorithm.accelerate) adds up the errors of a stochastic gradient"});
    return needs;
  }
  Takes takes() const override {
    return {.penalty = true, .set = true, .reason = "a proximal step with a penalty and a set at once has no closed form in general"};
  }

  void start(const Problem& problem, Element x0) override {
    problem_ = problem;
    estimator_ = problem.estimator;
    h_ = problem.penalty ? problem.penalty : problem.projection;
    mu_ = problem.penalty ? problem.penalty->weak_convexity() : 0.0;
    const double value = problem.objective->value(x0) + (problem.penalty ? problem.penalty->value(x0) : 0.0);
    length_.start(*problem.objective, *estimator_, mu_, value);
    if (!length_.advice().empty()) problem.context.note(length_.advice());
    snapshot_ = snapshot();
    accelerated_ = options_.accelerate == "auto" ? is_convex() && length_.is_safe() : parse_boolean(options_.accelerate);
    t_ = inner_ = 0;
    report_ = {};
    pick_.seek(0);
    kept_ = v_ = Element(x0.shape());
    if (estimator_->exact())
      full_.start(*problem.objective, x0, accelerated_, length_.first(), length_.is_guess());
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
  StepReport report() const override { return report_; }
  void measured(const Measurement& m) override { report_.divergence = length_.divergence(m.value, t_, accelerated_); }

  void save(StateWriter& out) const override {
    if (estimator_->exact()) full_.save(out);
    out.put("x", x_);
    out.put("kept", kept_);
    out.put("position", std::span<const Index>(std::vector<Index>{t_, inner_}));
    out.put("pick", pick_);
    out.put("step", report_.weight);
    length_.save(out);
  }
  void load(StateReader& in) override {
    std::vector<Index> position;
    if (estimator_->exact()) full_.load(in);
    in.get("x", x_);
    in.get("kept", kept_);
    in.get("position", position);
    in.get("pick", pick_);
    in.get("step", report_.weight);
    length_.load(in);
    t_ = position.at(0), inner_ = position.at(1);
    report_.full_gradient = estimator_->exact();
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  std::string snapshot() const {
    if (options_.snapshot != "auto") return options_.snapshot;
    if (!length_.is_theory()) return "last";
    return mu_ > 0.0 || !problem_.objective->constants().convex ? "random" : "average";
  }

  /// Where momentum is known to help. A stationary point that is no minimum it may pass by, or circle.
  bool is_convex() const {
    if (!estimator_->exact() || mu_ != 0.0 || options_.rank > 0) return false;
    return query<Certified>(*problem_.objective) || problem_.objective->constants().convex;  // constants may be dear
  }

  void full_step() {
    const auto estimate = [this](const Element& at) -> const Element& { return estimator_->estimate(at); };
    const auto move = [this](const Element& at, const Element& g, double s, Element& to) { advance(at, g, s, to); };
    full_.step(length_.at(t_++), estimate, move);
    report_.weight = full_.length();
  }

  void stochastic_step() {
    if (estimator_->epoch_due()) {
      estimator_->begin_epoch(x_, {.length = length_.epoch()});
      inner_ = 0;
    }
    report_.weight = *length_.at(t_++);
    advance(x_, estimator_->estimate(x_), report_.weight, x_);
    ++inner_;
    if (snapshot_ == "average") kept_.blend(1.0 / static_cast<double>(inner_), x_);
    if (snapshot_ == "random" && pick_.index(inner_) == 0) kept_ = x_;  // x_k replaces with probability 1/k
    if (estimator_->epoch_due() && snapshot_ != "last") x_ = kept_;
  }

  /// to <- prox_{s h}(at - s g); `to` may be `at`.
  void advance(const Element& at, const Element& g, double s, Element& to) {
    if (sdk::lone_dense(at)) {
      const std::span<double> v = sdk::overwrite_dense(at.shape(), v_);
      const std::span<const double> from = reader_(at);
      for (std::size_t j = 0; j < v.size(); ++j) v[j] = (1.0 + s * mu_) * from[j];
      v_.add(-s, g);
      (void)v_.dense_values();
    } else {
      v_ = at;
      v_.scale(1.0 + s * mu_);
      v_.add(-s, g);
    }
    const Accuracy accuracy{1e-10, options_.rank};
    if (!h_)
      to = v_;
    else if (mu_ > 0.0)
      (void)apply_convexified(*h_, v_, s, to, accuracy);
    else
      (void)h_->apply(v_, s, to, accuracy);
  }

  Options options_;
  StepLength length_;
  std::string snapshot_;  ///< last, average or random
  RandomStream pick_;
  Problem problem_;
  GradientEstimator* estimator_ = nullptr;
  ProximalOracle* h_ = nullptr;
  FullStep full_;
  Element x_, v_;
  Element kept_;  ///< the next snapshot so far
  sdk::DenseReader reader_;
  StepReport report_;
  Index t_ = 0, inner_ = 0;
  double mu_ = 0.0;
  bool accelerated_ = false;
};

}  // namespace

CLAROS_PLUGIN(ProximalGradient, Kind::algorithm, "proximal-gradient", "prox", "1.0.0",
              "Gradient steps followed by a proximal step or a projection",
              "x <- prox of s h at x - s g, with h a penalty or a set and g from any estimator: composite and projected "
              "gradient (full, accelerate = off), FISTA (full), Prox-SVRG in both forms, Prox-SAG, SAGA, Prox-SGD. Without penalty "
              "and set it is gradient descent.",
              "Qu, Li, Xu: Linear convergence of SVRG in statistical estimation, Algorithms 1 and 2; Xiao, Zhang: A proximal "
              "stochastic gradient method with progressive variance reduction, SIAM J. Optim. 2014; Beck, Teboulle: A fast "
              "iterative shrinkage-thresholding algorithm, SIAM J. Imaging Sci. 2009")
