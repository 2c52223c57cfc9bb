// SPDX-License-Identifier: BSD-3-Clause
#include "restricted_problem.hpp"

#include <claros/algorithm.hpp>
#include <claros/error.hpp>
#include <claros/map/columns.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace {

using namespace claros;

struct Options {
  Index first = 100;
};

/// minimise f(x) + h(x), h = sum_b h_b(x_b), for solutions with few blocks that are not 0. A step is a round:
///   W <- the blocks of x that are not 0, the others of the largest score
///        ||x_b - prox_{h_b}(x_b - grad_b f(x))||, then those that are about to have a score,
///   x <- the inner algorithm's solution of the problem on W, from x; its residual is a share of the largest
///        score, a small one once W has all blocks of positive score,
/// and grad f at the new x, which shows how far the whole problem is from solved. Blocks outside W cost one
/// gradient a round. (Johnson, Guestrin 2015; Massias, Gramfort, Salmon 2018; Bertrand et al. 2022.)
class WorkingSet final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{row("first", &Options::first, at_least(1),
                                                    "coordinates of the first working set, and the least by "
                                                    "which the next ones grow, of several outputs a row "
                                                    "that of each; a block at least")},
                                               {},
                                               {{.name = "inner",
                                                 .kind = Kind::algorithm,
                                                 .meaning = "solves the problem on the working set",
                                                 .fallback = "coordinate-descent",
                                                 .restarted = true},
                                                {.name = "estimator",
                                                 .kind = Kind::estimator,
                                                 .meaning = "of the gradients of the inner algorithm",
                                                 .fallback = "full",
                                                 .restarted = true}}};
    return table;
  }

  WorkingSet(const Options& options, const Context& context)
      : options_(options),
        context_(context),
        inner_(context.part<Algorithm>("inner")),
        estimator_(context.part<GradientEstimator>("estimator")) {}

  std::vector<Need> needs() const override {
    return {need::objective<Restrictable>("the problem is solved on some coordinates"),
            need::penalty<Separable>("blocks enter and leave one by one"),
            need::exact_estimator(
                "a round sees the full gradient (estimates for the inner algorithm: its role estimator)")};
  }
  Takes takes() const override {
    return {.penalty = true,
            .any_penalty = inner_ && inner_->takes().any_penalty,
            .reason = "blocks enter and leave one by one, which a set that couples them does not allow"};
  }

  void start(const Problem& problem, Element x0) override {
    problem_ = problem;
    auto* tail = query<FreeTail>(*problem.objective);
    constrained_ = tail ? tail->constrained_shape() : problem.objective->shape();
    blocks_ = problem.separable->blocks(constrained_);
    const double mu = convexifying(*problem.penalty);
    auto* loss = query<LossOfImage>(*problem.objective);
    rounds_ = loss && loss->is_quadratic() ? kQuadratic : kOther;
    rows_ = loss ? loss->map()->size() : 0;
    auto* of_outputs = query<TermCoefficients>(*problem.objective);
    outputs_ = of_outputs ? of_outputs->outputs() : 1;
    score_step_ = mu > 0.0 ? 0.5 / mu : 1.0;
    x_ = std::move(x0);
    g_.clear();
    report_ = {};
    try_inner();
  }

  void step() override {
    if (g_.empty()) look();
    const std::vector<double> scores = score();
    const double worst = scores.empty() ? 0.0 : *std::max_element(scores.begin(), scores.end());
    solve(choose(scores, worst), std::max(worst, free_slope()));
    look();
    report_.gradient_at = &x_;
  }

  const Element& iterate() const override { return x_; }
  StepReport report() const override { return report_; }

  void state(StateVisitor& v) override {
    v("x", x_);
    v("gradient", g_);
    v.require(g_.empty() || static_cast<Index>(g_.size()) == x_.shape().size(), "gradient",
              "not one number a coordinate");
    v("residual", report_.residual);
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  /// Makes the inner algorithm refuse a problem here, on one block, and not in the first step.
  void try_inner() {
    const Index first = 0;
    RestrictedProblem small(problem_, blocks_, {&first, blocks_.count() > 0 ? std::size_t{1} : 0});
    begin(small, small.shrink(Element(x_.shape())));
  }

  Problem begin(const RestrictedProblem& small, Element from) {
    Problem problem = small.problem();
    problem.estimator = estimator_.get();
    sampler_.emplace(context_.stream(Purpose::sampling, 1), problem.objective->terms());
    estimator_->start(*problem.objective, *sampler_);
    inner_->start(problem, std::move(from));
    return problem;
  }

  /// g_ <- grad f(x)
  void look() {
    Element g(x_.shape());
    problem_.objective->add_gradient(x_, Batch::all(), 1.0, g);
    g_ = g.to_dense();
  }

  std::vector<double> score() {
    const BlockStep step_of = problem_.separable->block_step();
    const std::span<const double> x = reader_(x_);
    std::vector<double> scores(at(blocks_.count())), from(at(blocks_.largest())), to(from.size());
    nonzero_.clear();
    for (Index b = 0; b < blocks_.count(); ++b) {
      bool zero = true;
      for (Index k = 0; k < blocks_.size(b); ++k) {
        const auto j = at(blocks_.coordinate(b, k));
        zero = zero && x[j] == 0.0;
        from[at(k)] = x[j] - score_step_ * g_[j];
      }
      step_of(b, from.data(), score_step_, to.data());
      double square = 0.0;
      for (Index k = 0; k < blocks_.size(b); ++k) {
        const double by = to[at(k)] - x[at(blocks_.coordinate(b, k))];
        square += by * by;
      }
      scores[at(b)] = std::sqrt(square) / score_step_;
      if (!zero) nonzero_.push_back(b);
    }
    return scores;
  }
  double free_slope() const {
    double most = 0.0;
    for (auto j = at(constrained_.size()); j < g_.size(); ++j) most = std::max(most, std::abs(g_[j]));
    return most;
  }

  double steepest() const {
    return std::accumulate(g_.begin(), g_.end(), 0.0,
                           [](double most, double slope) { return std::max(most, std::abs(slope)); });
  }
  double slope(Index block, Index k) const { return g_[at(blocks_.coordinate(block, k))]; }

  /// The order in which blocks join. Blocks that want to leave 0 come first, by more than `worst`. For each
  /// other block it is the score after a step from here to the solution, which changes slopes by about the
  /// residual here. After another lambda, that is the sequential strong rule (Tibshirani et al. 2012). Far
  /// from a solution it would foresee too many.
  std::vector<double> wishes(const std::vector<double>& scores, double worst) const {
    constexpr double kNear = 0.1;
    std::vector<double> all(scores);
    for (double& wish : all)
      if (wish > 0.0) wish += worst;
    if (worst > kNear * steepest()) return all;
    const BlockStep step_of = problem_.separable->block_step();
    std::vector<double> from(at(blocks_.largest())), to(from.size());
    for (Index b = 0; b < blocks_.count(); ++b) {
      if (scores[at(b)] > 0.0) continue;
      double square = 0.0, wish = 0.0;
      for (Index k = 0; k < blocks_.size(b); ++k) square += slope(b, k) * slope(b, k);
      if (square == 0.0) continue;
      const double longer = 1.0 + worst / std::sqrt(square);
      for (Index k = 0; k < blocks_.size(b); ++k) from[at(k)] = -score_step_ * longer * slope(b, k);
      step_of(b, from.data(), score_step_, to.data());
      for (Index k = 0; k < blocks_.size(b); ++k) wish += to[at(k)] * to[at(k)];
      all[at(b)] = std::sqrt(wish) / score_step_;
    }
    return all;
  }

  /// Blocks in their order; those that are not 0 stay.
  std::vector<Index> choose(const std::vector<double>& scores, double worst) {
    const std::vector<double> wish = wishes(scores, worst);
    std::vector<bool> in(scores.size(), false);
    for (const Index b : nonzero_) in[at(b)] = true;
    std::vector<Index> others;
    for (Index b = 0; b < blocks_.count(); ++b)
      if (!in[at(b)] && wish[at(b)] > 0.0) others.push_back(b);
    std::sort(others.begin(), others.end(), [&](Index a, Index b) {
      return wish[at(a)] != wish[at(b)] ? wish[at(a)] > wish[at(b)] : a < b;
    });
    Index room = std::max(options_.first * outputs_, room_beside(coordinates(nonzero_)));
    std::size_t taken = 0;
    for (; taken < others.size() && (room > 0 || taken == 0); ++taken) room -= blocks_.size(others[taken]);
    if (takes_all(static_cast<Index>(nonzero_.size() + taken))) {
      complete_ = true;
      std::vector<Index> all(at(blocks_.count()));
      std::iota(all.begin(), all.end(), Index{0});
      return all;
    }
    complete_ = taken == others.size() || !(scores[at(others[taken])] > 0.0);
    others.resize(taken);
    others.insert(others.end(), nonzero_.begin(), nonzero_.end());
    std::sort(others.begin(), others.end());
    return others;
  }

  /// Half of the blocks cost as much as all, whose columns are where they are. A quarter of them is not 0, so
  /// that it is not the first set that has half.
  bool takes_all(Index chosen) const {
    const Index all = blocks_.count();
    return 2 * chosen >= all && 4 * static_cast<Index>(nonzero_.size()) >= all &&
           constrained_.size() <= std::min(rows_, Columns::kMostForGram * outputs_);
  }

  /// More columns than rows are dependent, and more than kMostForGram have no Gram matrix. In both cases
  /// coordinate descent loses its Newton steps, which a quadratic loss takes on large sets.
  Index room_beside(Index kept) const {
    const Index room = rounds_.growth * kept;
    if (!rounds_.newton) return room;
    const Index gram = Columns::kMostForGram * outputs_;
    const Index most = kept < rows_ ? std::min(rows_ + options_.first * outputs_, gram) : gram;
    return std::min(room, most - kept);
  }

  Index coordinates(const std::vector<Index>& blocks) const {
    Index sum = 0;
    for (const Index b : blocks) sum += blocks_.size(b);
    return sum;
  }

  void solve(const std::vector<Index>& chosen, double worst) {
    constexpr Index kMostPauses = 50, kIdlePauses = 5;  // a round ends, so that a run may
    constexpr double kGain = 0.9, kRounding = 16.0 * std::numeric_limits<double>::epsilon();
    if (chosen.empty() && constrained_ == x_.shape()) return;
    const double wanted =
        std::max(worst * (complete_ ? rounds_.tight : rounds_.loose), kRounding * steepest());
    RestrictedProblem small(problem_, blocks_, chosen);
    const Problem problem = begin(small, small.shrink(x_));
    const Index pause = pause_of(*problem.objective);
    double residual = std::numeric_limits<double>::infinity(), least = residual, marked = residual;
    for (Index k = 1; k <= kMostPauses * pause && !(residual <= wanted); ++k) {
      inner_->step();
      const double told = inner_->report().residual;
      residual = std::isfinite(told) ? told : k % pause == 0 ? small_residual(problem) : residual;
      least = std::min(least, residual);
      if (k % (kIdlePauses * pause) != 0) continue;
      if (!(least <= kGain * marked)) break;  // what is left is rounding
      marked = least;
    }
    report_.residual = residual;
    x_ = small.expand(inner_->iterate());
  }

  /// Inner steps between two looks of one pass: ten passes, of steps on batches as many as make two.
  Index pause_of(const Objective& f) const {
    const Index batch = estimator_->exact() ? 0 : std::max<Index>(1, estimator_->batch_size());
    return batch > 0 ? std::max<Index>(1, 2 * f.terms() / batch) : 10;
  }

  double small_residual(const Problem& small) const {
    const Element& x = inner_->iterate();
    Element g(x.shape()), v(x), next;
    small.objective->add_gradient(x, Batch::all(), 1.0, g);
    v.drop_images();
    v.add(-score_step_, g);
    (void)small.penalty->apply(v, score_step_, next, {});
    next.add(-1.0, x);
    double most = 0.0;
    for (const double by : next.to_dense()) most = std::max(most, std::abs(by));
    return most / score_step_;
  }

  /// The accuracy of a round, as a share of the largest score, before and after W has every block that wants
  /// to leave 0. The `growth` bounds the coordinates that may join those that are not 0, as a multiple. The
  /// problem of a quadratic loss is solved further at little cost. That of another loss is expanded anew for
  /// every step, which costs more than a pass over the whole problem. So rounds are short and sets grow fast.
  struct Rounds {
    double loose, tight;
    Index growth;
    bool newton;  ///< whether coordinate descent has Newton steps on a set that is not too large
  };
  static constexpr Rounds kQuadratic{0.15, 1e-2, 1, true}, kOther{1.0, 0.1, 2, false};

  Options options_;
  Context context_;
  std::shared_ptr<Algorithm> inner_;
  std::shared_ptr<GradientEstimator> estimator_;
  std::optional<Sampler> sampler_;
  Problem problem_;
  Shape constrained_;
  Blocks blocks_;
  Rounds rounds_ = kOther;
  Index rows_ = 0, outputs_ = 1;  ///< outputs of the data, and how many of them a row has
  double score_step_ = 1.0;
  Element x_;
  sdk::DenseReader reader_;
  std::vector<Index> nonzero_;
  bool complete_ = false;  ///< whether W has every block whose score is not 0
  std::vector<double> g_;  ///< grad f(x), once it was looked at
  StepReport report_;
};

}  // namespace

CLAROS_PLUGIN(WorkingSet, Kind::algorithm, "working-set", "", "1.0.0",
              "Working-set method: solves on few coordinates, checks the gap on all",
              "An inner algorithm solves the problem on the blocks that are not 0 and those that want to "
              "leave 0; the full gradient says what is "
              "missing. For penalties that are sums over coordinates or groups, with linear models; gaps are "
              "those of the full problem.",
              "Johnson, Guestrin: Blitz, ICML 2015; Massias, Gramfort, Salmon: Celer, ICML 2018; Bertrand, "
              "Klopfenstein, Bannier, Gidel, Massias: "
              "Beyond L1: skglm, NeurIPS 2022; Tibshirani et al.: Strong rules for discarding predictors in "
              "lasso-type problems, JRSS B 2012",
              "Use it for linear models with many columns, where the penalty leaves most coefficients at 0: "
              "l1, elastic-net, group, mcp, scad. Claros chooses it there. Where most coefficients are not "
              "0 it gains nothing: take lbfgs for ridge. For penalties that are not sums over coordinates "
              "or groups, such as tv, take proximal-gradient.",
              "data.use=synthetic-regression data.rows=500 data.cols=2000 "
              "data.nonzero=20 objective.use=linear-model penalty.use=l1 "
              "penalty.lambda=0.1*max algorithm.use=working-set stop.relative_gap=1e-6")
