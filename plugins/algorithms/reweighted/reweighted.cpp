// SPDX-License-Identifier: BSD-3-Clause
#include "slopes.hpp"

#include <claros/algorithm.hpp>
#include <claros/error.hpp>
#include <claros/head_oracle.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/state/state.hpp>
#include <shared/penalties/absolute_value.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace {

using namespace claros;

struct Options {
  double share = 0.1;
};

/// sum_j w_j |x_j|
class WeightedL1 final : public sdk::EntrywisePenalty<sdk::AbsoluteValue> {
 public:
  explicit WeightedL1(std::vector<double> weights)
      : EntrywisePenalty({1.0}, sdk::EntryWeights(std::move(weights))) {}
};

/// minimise f(x) + sum_j phi_j(|x_j|), phi_j concave and rising. A step is a round:
///   w_j <- phi_j'(|x_j|),
///   x <- the inner algorithm's point for f(x) + sum_j w_j |x_j|, from x, until its residual is `share` of
///   the first one, in at most 30 steps.
/// phi_j lies below its tangent, so no round raises the value; the limits of rounds are stationary.
class Reweighted final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("share", &Options::share, between(1e-6, 0.9),
             "a round ends when the inner residual is this share of what the new weights made it")},
        {},
        {{.name = "inner",
          .kind = Kind::algorithm,
          .meaning = "solves the weighted l1 problem of a round",
          .fallback = "proximal-gradient",
          .restarted = true}}};
    return table;
  }

  Reweighted(const Options& options, const Context& context)
      : options_(options), inner_(context.part<Algorithm>("inner")) {}

  std::vector<Need> needs() const override {
    return {need::penalty<Separable>("its slope at every entry is the weight of that entry"),
            need::exact_estimator("the value falls in every round where its gradients are exact")};
  }
  Takes takes() const override {
    return {.penalty = true, .reason = "a round minimises f plus a weighted l1 norm"};
  }

  void start(const Problem& problem, Element x0) override {
    whole_ = problem;
    auto* tail = query<FreeTail>(*problem.objective);
    constrained_ = tail ? tail->constrained_shape() : problem.objective->shape();
    const Blocks blocks = problem.separable->blocks(constrained_);
    const char* const remedy = "take log-sum, mcp or scad";
    if (blocks.largest() > 1)
      throw Error(ErrorKind::usage, "penalty",
                  "couples the entries of a group, which no weights of entries do", remedy);
    if (!is_concave(problem.separable->block_step(), blocks.count(), convexifying(*problem.penalty)))
      throw Error(
          ErrorKind::usage, "penalty",
          "is not a concave function of the magnitude of every entry: its tangent, a weighted l1 norm, "
          "would not lie above it",
          remedy);
    x_ = std::move(x0);
    report_ = {};
    (void)begin();  // what the inner algorithm refuses is refused here
  }

  void step() override {
    constexpr Index kMost = 30, kLook = 5;
    const Problem round = begin();
    double first = std::numeric_limits<double>::quiet_NaN(), residual = first;
    for (Index k = 0; k < kMost; ++k) {
      if (k % kLook == 0) {
        residual = residual_of(round);
        if (k == 0) first = residual;
        if (!(residual > options_.share * first)) break;
      }
      inner_->step();
    }
    x_ = inner_->iterate();
    report_ = {};
  }

  const Element& iterate() const override { return x_; }
  StepReport report() const override { return report_; }
  void state(StateVisitor& v) override { v("x", x_); }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  /// The inner algorithm, on the weights of x_.
  Problem begin() {
    const std::vector<double> values = x_.to_dense();
    const std::span<const double> head(values.data(), static_cast<std::size_t>(constrained_.size()));
    (void)whole_.separable->blocks(constrained_);
    weighted_ = std::make_shared<WeightedL1>(
        slopes(whole_.separable->block_step(), head, convexifying(*whole_.penalty)));
    Problem problem = whole_;
    problem.penalty = weighted_.get();
    if (query<FreeTail>(*whole_.objective)) {
      head_.emplace(weighted_, *weighted_, constrained_);
      problem.penalty = &*head_;
    }
    problem.conjugate = query<Conjugate>(*weighted_);
    problem.separable = weighted_.get();
    problem.lazy = query<LazyProximal>(*weighted_);
    problem.truth = nullptr;
    inner_->start(problem, x_);
    return problem;
  }

  /// max_j |x_j - prox(x - grad f(x))_j|, with the weights of the round.
  double residual_of(const Problem& round) {
    const Element& x = inner_->iterate();
    Element g(x.shape()), v(x), next;
    round.objective->add_gradient(x, Batch::all(), 1.0, g);
    v.drop_images();
    v.add(-1.0, g);
    (void)round.penalty->apply(v, 1.0, next, {});
    next.add(-1.0, x);
    double most = 0.0;
    for (const double by : next.to_dense()) most = std::max(most, std::abs(by));
    return most;
  }

  Options options_;
  std::shared_ptr<Algorithm> inner_;
  Problem whole_;
  Shape constrained_;
  std::shared_ptr<WeightedL1> weighted_;
  std::optional<HeadOracle> head_;
  Element x_;
  StepReport report_;
};

}  // namespace

CLAROS_PLUGIN(
    Reweighted, Kind::algorithm, "reweighted", "", "1.0.0",
    "Iteratively reweighted l1: concave penalties by a sequence of weighted Lassos",
    "Every round takes the slopes of the penalty at the point as weights, w_j = phi_j'(|x_j|), and "
    "solves the convex problem f(x) + sum_j w_j |x_j| by an inner algorithm. The value falls in "
    "every round. From x = 0 the first round is a Lasso (the adaptive Lasso begins so), and the "
    "later ones shrink large entries less. For penalties of single entries that are concave in the "
    "magnitude: log-sum, mcp, scad. For linear models the inner algorithm coordinate-descent or "
    "working-set is faster.",
    "Candes, Wakin, Boyd: Enhancing sparsity by reweighted l1 minimization, J. Fourier Anal. Appl. "
    "14, 2008; Zou, Li: One-step sparse estimates in nonconcave penalized likelihood models, Annals "
    "of Statistics 36, 2008",
    "Use it for log-sum, mcp and scad, where the value must fall in every round. It ends "
    "at a stationary point, proves no gap and needs full gradients. For linear models set "
    "algorithm.inner.use = coordinate-descent, or take working-set, which minimises the same "
    "penalties directly; Claros chooses it there.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 objective.use=linear-model "
    "penalty.use=log-sum penalty.lambda=0.2 algorithm.use=reweighted stop.residual=1e-6")
