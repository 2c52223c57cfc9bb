// SPDX-License-Identifier: BSD-3-Clause
#include <claros/algorithm.hpp>
#include <claros/parameters.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/difference_parts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace claros;

struct Options {
  double share = 0.5;
  Index steps = 10;
};

/// phi(u) = p(u) - <s, u>.
class Majorant final : public Objective, public Curvature {
 public:
  void start(sdk::DifferenceParts& parts) {
    parts_ = &parts;
    p_ = &parts.convex_part();
  }
  /// s = grad q(x).
  void touch(const Element& x) {
    slope_ = Element(x.shape());
    parts_->add_subtracted_gradient(x, 1.0, slope_);
  }
  void state(StateVisitor& v) { v("grad q", slope_); }
  Shape shape() const override { return p_->shape(); }
  Index terms() const override { return p_->terms(); }
  double value(const Element& x) override { return p_->value(x) - inner(slope_, x); }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    p_->add_gradient(x, batch, a, g);
    g.add(-a, slope_);
  }
  Constants constants() const override {
    Constants c = p_->constants();
    c.convex = true;
    c.lower_bound.reset();
    return c;
  }
  void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                           Element& g) override {
    query<Curvature>(*p_)->add_hessian_product(at, d, batch, a, g);
  }
  void* ability(std::string_view id) noexcept override {
    return query<Curvature>(*p_) ? offer<Curvature>(this, id) : nullptr;
  }

 private:
  sdk::DifferenceParts* parts_ = nullptr;
  Objective* p_ = nullptr;
  Element slope_;
};

/// grad phi.
class OfMajorant final : public GradientEstimator {
 public:
  explicit OfMajorant(Majorant& phi) : phi_(phi) {}
  void start(Objective&, Sampler&) override {}
  bool epoch_due() const override { return false; }
  void begin_epoch(const Element&, const EpochPlan&) override {}
  const Element& estimate(const Element& x, Index) override {
    g_ = Element(x.shape());
    phi_.add_gradient(x, Batch::all(), 1.0, g_);
    return g_;
  }
  bool unbiased() const override { return true; }
  bool exact() const override { return true; }
  Index epochs() const override { return 0; }

 private:
  Majorant& phi_;
  Element g_;
};

/// minimise p(x) - q(x) + h(x) over C. A step is a round: a tangent of q at x, and then inner steps from x.
/// They minimise phi(u) = p(u) - <grad q(x), u> + h(u) over C. The function -q lies below its tangents. So f
/// does not rise if phi does not, and a point that raises phi is not taken. The limits are stationary.
///
/// An inner algorithm that reports gaps goes on from round to round with the vertices that it has. Its round
/// ends at a share of its first gap. Any other starts again at x. If a round gains nothing, later ones take
/// twice as many steps: the first steps of some methods forget where they start.
class DifferenceOfConvex final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("share", &Options::share, between(1e-6, 0.9),
             "a round ends when the gap that the inner algorithm reports is this share of its first one"),
         row("inner_steps", &Options::steps, between(1, 10000),
             "the most inner steps of a round; twice as many after each that gains nothing")},
        {},
        {{.name = "inner",
          .kind = Kind::algorithm,
          .meaning = "solves the convex problem of a round",
          .fallback = "blended-pairwise"}}};
    return table;
  }

  DifferenceOfConvex(const Options& options, const Context& context)
      : options_(options), inner_(context.part<Algorithm>("inner")), estimator_(phi_) {}

  std::vector<Need> needs() const override {
    return {need::objective<sdk::DifferenceParts>("one part is replaced by its tangent, the other is kept"),
            need::exact_estimator("a tangent is made of a whole gradient")};
  }
  Takes takes() const override {
    return {.penalty = true, .set = true, .reason = "a round is a problem of the inner algorithm"};
  }

  void start(const Problem& problem, Element x0) override {
    whole_ = problem;
    phi_.start(*query<sdk::DifferenceParts>(*problem.objective));
    report_ = {};
    x_ = std::move(x0);
    phi_.touch(x_);
    inner_->start(round(), x_);
    is_touched_ = true;
    goes_on_ = false;
    steps_ = options_.steps;
  }

  void step() override {
    if (!std::exchange(is_touched_, false)) {
      phi_.touch(x_);
      if (!goes_on_) inner_->start(round(), x_);
    }
    const double before = value(x_);
    double first = std::numeric_limits<double>::quiet_NaN();
    for (Index k = 0; k < steps_; ++k) {
      inner_->step();
      const double gap = inner_->report().gap;  // of the point before the step; NaN if it was lazy
      if (k == 0) report_.gap = gap;
      if (gap <= options_.share * first) break;
      if (std::isnan(first)) first = gap;
    }
    const double gained = before - value(inner_->iterate());
    const bool is_lower = gained >= -kGain * std::abs(before);
    if (is_lower) x_ = inner_->iterate();
    goes_on_ = is_lower && (goes_on_ || std::isfinite(first));
    if (!(gained > kGain * std::abs(before))) steps_ = std::min(2 * steps_, kMostTimes * options_.steps);
  }

  const Element& iterate() const override { return x_; }
  StepReport report() const override { return report_; }
  void state(StateVisitor& v) override {
    phi_.state(v);
    v("x", x_);
    v("touched", is_touched_);
    v("goes on", goes_on_);
    v("steps", steps_);
    v.require(steps_ > 0, "steps", "not above 0");
    v("gap", report_.gap);
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  static constexpr double kGain = 1e-14;  ///< of the value: less is rounding
  static constexpr Index kMostTimes = 64;

  double value(const Element& u) { return phi_.value(u) + (whole_.penalty ? whole_.penalty->value(u) : 0.0); }
  Problem round() {
    Problem problem = whole_;
    problem.objective = &phi_;
    problem.estimator = &estimator_;
    problem.truth = nullptr;
    return problem;
  }

  Options options_;
  std::shared_ptr<Algorithm> inner_;
  Problem whole_;
  Majorant phi_;
  OfMajorant estimator_;
  bool is_touched_ = false;  ///< the tangent is that at the iterate
  bool goes_on_ = false;     ///< the inner algorithm reports gaps, and its iterate is x
  Index steps_ = 0;          ///< the most inner steps of the next round
  Element x_;
  StepReport report_;
};

}  // namespace

CLAROS_PLUGIN(
    DifferenceOfConvex, Kind::algorithm, "difference-of-convex", "dca", "1.0.0",
    "Differences of convex functions by tangents (DCA), with any inner algorithm (DC-FW)",
    "f = p - q. Every round takes a tangent of q at the point and minimises the convex function p(u) - <grad "
    "q(x), u>, with the set and the penalty, by an inner algorithm, until its gap is a share of the first "
    "one. A point that raises that function is not taken, so the value never rises. With inner = frank-wolfe "
    "it is DC-FW. With inner = proximal-gradient it takes penalties.",
    "Maskan, Hou, Sra, Yurtsever: Revisiting Frank-Wolfe for structured nonconvex optimization, 2025; "
    "Tao, An: Convex analysis approach to d.c. programming, Acta Mathematica Vietnamica 22, 1997",
    "Use it with the objective difference, where the gradient of the subtracted part costs much, or where "
    "long steps along the convex part help. It finds a stationary point, which depends on the start. For "
    "other objectives that are not convex take nonconvex-sliding, for concave penalties reweighted.",
    "objective.use=difference objective.convex.use=distance objective.convex.data='0.5 0.3 0.1; 0.2 0.4 "
    "0.6; 0.1 0.7 0.3' objective.subtracted.use=distance objective.subtracted.data='0 0 0; 0 0 0; 0 0 0' "
    "objective.factor=0.5 set.use=birkhoff algorithm.use=difference-of-convex stop.gap=1e-6")
