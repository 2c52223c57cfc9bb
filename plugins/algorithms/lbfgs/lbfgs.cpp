// SPDX-License-Identifier: BSD-3-Clause
#include "envelope.hpp"

#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <shared/algorithms/full_step.hpp>
#include <shared/algorithms/lbfgs_memory.hpp>
#include <shared/algorithms/one_block.hpp>

#include <numeric>
#include <utility>
#include <vector>

namespace {

using namespace claros;

struct Options {
  Index memory = 10;
};

/// minimise f(x) + h(x), h a penalty, the indicator of a set, or 0, f smooth: quasi-Newton steps for x =
/// prox_{gamma h}(x - gamma grad f(x)), on the forward-backward envelope phi. With r = x - z,
///     d = -H r,   x+ = x - (1 - t) r + t d.
/// H of L-BFGS has the moves of x and the changes of r in the coordinates of z that moved in the last step.
/// The others, at bounds or corners, move by r alone. t is the first of 1, 1/2, ... with
///     phi(x+) <= phi(x) - sigma ||r||^2;
/// t = 0 is the step of proximal gradient, which satisfies this. (Themelis, Stella, Patrinos 2018; Stella,
/// Themelis, Sopasakis, Patrinos 2017, Algorithm PANOC; free coordinates: Pas, Schuurmans, Patrinos 2022.)
///
/// The iterate is z, and at the start x. If the columns of a linear model differ in size, all of this is in
/// coordinates in which they do not (column_scale.hpp).
class Lbfgs final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("memory", &Options::memory, between(1, 1000), "pairs that are kept; each is two points", "m")};
    return table;
  }

  Lbfgs(const Options& options, const Context&) : memory_(options.memory) {}

  std::vector<Need> needs() const override {
    return {need::set_if_any<ProximalOracle>("every step projects onto it"),
            need::exact_estimator("differences of gradients are the curvature, and errors would be larger")};
  }
  Takes takes() const override {
    return {.penalty = true,
            .set = true,
            .reason = "a proximal step with a penalty and a set at once has no closed form in general"};
  }

  void start(const Problem& problem, Element x0) override {
    sdk::require_one_block(problem);
    shape_ = x0.shape();
    objective_ = problem.objective;
    envelope_.start(problem);
    const sdk::FirstLength first = sdk::first_length(*problem.objective);
    searches_ = first.guess;
    gamma_ = kInside * first.length;
    const double mu = problem.penalty ? problem.penalty->weak_convexity() : 0.0;
    if (mu > 0.0) gamma_ = std::min(gamma_, kInside / mu);
    may_lengthen_ = (problem.penalty || problem.projection) && mu == 0.0;
    steps_ = 0;
    wait_ = kFirstWait;
    memory_.start(static_cast<std::size_t>(shape_.size()));
    report_ = {};
    at_ = {};
    before_.clear();
    reach_ = 1.0;
    is_bounded_ = false;
    if (envelope_.scale().is_used()) gamma_ = kInside * length_of_loss(), searches_ = true;
    at_.x = std::move(x0);
    make_dense(at_.x);
    envelope_.scale().to_coordinates(at_.x);
    envelope_.evaluate(at_, gamma_);
    shorten();
    show();
  }

  void step() override {
    const std::vector<double> r = at_.r.to_dense();
    double t = at_.square > 0.0 && !memory_.empty() ? 1.0 : 0.0;
    look_for_free();
    if (t > 0.0) along_ = Element::dense(shape_, direction(r)), along_.add(1.0, at_.x);
    make_dense(along_);
    for (; t > kShortest; t *= 0.5)
      if (falls_at(t)) break;
    if (t <= kShortest) t = 0.0, step_along_r();
    keep(r);
    std::swap(at_, next_);
    const double before = gamma_;
    shorten();
    if (gamma_ < before) wait_ = std::min(2 * wait_, kLongestWait);
    if (++steps_ >= wait_) lengthen();
    report_.weight = t;
    report_.full_gradient = true;
    show();
  }

  const Element& iterate() const override { return envelope_.scale().is_used() ? shown_ : own_iterate(); }
  StepReport report() const override { return report_; }

  void state(StateVisitor& v) override {
    v("at", at_);
    v("gamma", gamma_);
    v.require(gamma_ > 0.0 && std::isfinite(gamma_), "gamma", "expected a length above 0");
    v("steps", steps_);
    v("wait", wait_);
    v("searches", searches_);
    v("reach", reach_);
    v.require(reach_ >= 1.0 && reach_ <= kFarthest, "reach", "expected a multiple of the step");
    v("step", report_.weight);
    v("full gradient", report_.full_gradient);  // after the first step
    v("memory", memory_);
    v("z before", before_);
    v.require(before_.empty() || before_.size() == static_cast<std::size_t>(shape_.size()), "z before",
              "not the numbers of the point");
    if (v.loading()) show();
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  static constexpr double kInside = 0.95;       // gamma L
  static constexpr double kShortest = 1.0 / 4;  // of the directions: the whole, half of it, and then z
  static constexpr double kFarther = 4.0, kFarthest = 1e30;  // of steps along r, in r
  static constexpr int kMostCuts = 200, kMostLonger = 10;    // of gamma
  static constexpr double kLonger = 4.0;
  static constexpr Index kFirstWait = 50, kLongestWait = 1 << 20;
  static constexpr double kTurned = 0.5;                         // of r, in which the step was long enough
  static constexpr double kSigma = 0.5 * (1.0 - kInside) / 2.0;  // sigma gamma

  /// 1 over the curvature of the loss itself, which is that of f along a column of size 1; 1 if it has no
  /// bound.
  double length_of_loss() const {
    auto* phi = query<LossOfImage>(*objective_);
    std::vector<double> bound(phi ? static_cast<std::size_t>(phi->map()->size()) : 0);
    if (!phi || !phi->curvature_bound(bound)) return 1.0;
    const double curvature = std::accumulate(bound.begin(), bound.end(), 0.0);
    return curvature > 0.0 && std::isfinite(curvature) ? 1.0 / curvature : 1.0;
  }
  const Element& own_iterate() const { return report_.full_gradient ? at_.z : at_.x; }
  void show() {
    if (envelope_.scale().is_used()) (void)envelope_.scale().data_point(own_iterate(), shown_);
  }
  /// The coordinates of z that have moved: they are not at a bound, nor at a corner of h.
  void look_for_free() {
    std::vector<double> z = at_.z.to_dense();
    free_.clear();
    for (std::size_t j = 0; j < z.size(); ++j)
      if (before_.empty() || z[j] != before_[j]) free_.push_back(j);
    before_ = std::move(z);
  }
  std::vector<double> direction(const std::vector<double>& r) const {
    return free_.size() == r.size() ? memory_.direction(r) : memory_.direction_of(r, free_);
  }
  /// next_ at x + d shortened by t, as a mean of it and z.
  void try_at(double t) {
    next_.x.drop_images();
    if (t == 1.0)
      next_.x = along_;
    else if (t == 0.0)
      next_.x = at_.z;
    else
      next_.x.assign_sum(1.0 - t, at_.z, t, along_);
    make_dense(next_.x);
    if (t > 0.0) envelope_.into_piece(at_, gamma_, next_.x);
    envelope_.evaluate(next_, gamma_);
  }
  /// phi has a meaning only if f lies below its parabola: with one that is too flat, a steep gradient looks
  /// like a fall.
  bool is_sound() { return !searches_ || (is_bounded_ = envelope_.bounds(next_, gamma_ / kInside)); }
  /// If the fall is lost in rounding, ||r|| decides.
  bool falls() const {
    constexpr double kRounding = 1e-13;
    if (next_.phi <= at_.phi - kSigma * at_.square / gamma_) return true;
    return next_.phi <= at_.phi + kRounding * std::abs(at_.phi) && next_.square <= 0.25 * at_.square;
  }
  bool falls_at(double t) {
    try_at(t);
    return is_sound() && falls();
  }
  /// x - c r, c > 1 where r hardly turned before: f is nearly a straight line there, as Huber's loss is far
  /// out. And z where phi does not fall so far.
  void step_along_r() {
    if (reach_ > 1.0 && at_.square > 0.0) {
      along_.assign_sum(1.0, at_.x, -reach_, at_.r);
      make_dense(along_);
      if (falls_at(1.0)) return;
      reach_ = 1.0;
    }
    is_bounded_ = false;
    try_at(0.0);
    for (int k = 0; k < kMostCuts && !next_.inside; ++k) {  // z is of a step that is too long
      gamma_ *= 0.25;
      memory_.forget();
      envelope_.step(at_, gamma_);
      try_at(0.0);
    }
    if (!next_.inside) next_ = at_;
  }
  /// The pair of this step; one that is not curved is left out. And how far the next step along r may go.
  void keep(const std::vector<double>& r) {
    const std::vector<double> from = at_.x.to_dense(), to = next_.x.to_dense(), turned = next_.r.to_dense();
    double turn = 0.0;
    for (std::size_t k = 0; k < r.size(); ++k) turn += (turned[k] - r[k]) * (turned[k] - r[k]);
    reach_ = turn <= kTurned * kTurned * at_.square ? std::min(kFarther * reach_, kFarthest) : 1.0;
    (void)memory_.add_pair([&](std::size_t k) { return to[k] - from[k]; },
                           [&](std::size_t k) { return turned[k] - r[k]; });
  }
  /// If L is not known, halves gamma until f lies below its parabola; each time r changes, so the pairs are
  /// forgotten.
  void shorten() {
    if (std::exchange(is_bounded_, false)) return;
    for (int k = 0;
         searches_ && k < kMostCuts && std::isfinite(at_.f) && !envelope_.bounds(at_, gamma_ / kInside);
         ++k) {
      gamma_ *= 0.5;
      memory_.forget();
      envelope_.step(at_, gamma_);
    }
  }

  /// Tries a longer gamma, which moves more coordinates to their corners if f is flatter than at the start,
  /// as a likelihood is far out. Tries are rarer after one that was too long.
  void lengthen() {
    steps_ = 0;
    if (!may_lengthen_ || !at_.inside) return;
    const double kept = gamma_;
    for (int k = 0; k < kMostLonger; ++k) {
      envelope_.step(at_, kLonger * gamma_);
      if (!std::isfinite(at_.phi) || !envelope_.bounds(at_, kLonger * gamma_ / kInside)) break;
      gamma_ *= kLonger;
    }
    envelope_.step(at_, gamma_);
    if (gamma_ == kept) return;
    memory_.forget();
    searches_ = true;
  }

  Shape shape_;
  Objective* objective_ = nullptr;
  EnvelopeOf envelope_;
  sdk::LbfgsMemory memory_;
  Envelope at_, next_;
  Element along_;               ///< x + d
  Element shown_;               ///< the iterate in the units of the data, if columns are scaled
  std::vector<double> before_;  ///< z of the step before
  std::vector<std::size_t> free_;
  double gamma_ = 1.0;
  double reach_ = 1.0;                   ///< of a step along r, in r
  Index steps_ = 0, wait_ = kFirstWait;  ///< steps since gamma was tried, and until it is tried again
  bool may_lengthen_ = false;
  bool searches_ = false;
  bool is_bounded_ = false;  ///< whether f at the new point is known to lie below its parabola
  StepReport report_;
};

}  // namespace

CLAROS_PLUGIN(
    Lbfgs, Kind::algorithm, "lbfgs", "panoc", "1.0.0",
    "L-BFGS for smooth f with any penalty or set that has a proximal step",
    "Quasi-Newton steps for the fixed point of the proximal gradient step, with a line search on the "
    "forward-backward envelope: no subproblem, and the cost of a step is a gradient, a proximal step and "
    "products with the kept pairs. With a box it does what L-BFGS-B is for; without penalty and set it is "
    "L-BFGS. For smooth losses whose curvature varies and models of few nonzeros or none: ridge, logistic, "
    "Huber, Poisson. Dense points; for sparse linear models working-set and prox-newton are faster.",
    "Themelis, Stella, Patrinos: Forward-backward envelope for the sum of two nonconvex functions: further "
    "properties and nonmonotone linesearch algorithms, SIAM J. Optim. 28, 2018; Stella, Themelis, Sopasakis, "
    "Patrinos: A simple and efficient algorithm for nonlinear model predictive control, CDC 2017; Nocedal: "
    "Updating quasi-Newton matrices with limited storage, Mathematics of Computation 35, 1980",
    "Use it for smooth losses with ridge, a box or no penalty, such as logistic, Huber and Poisson "
    "regression: Claros chooses it for such linear models. It keeps pairs of dense points and needs the "
    "full gradient. Where few coefficients of a linear model are not 0, working-set is faster. Along "
    "stochastic gradients take proximal-gradient.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 "
    "data.response=logistic objective.use=linear-model objective.loss=logistic penalty.use=ridge "
    "penalty.lambda=0.01 algorithm.use=lbfgs stop.relative_gap=1e-6")
