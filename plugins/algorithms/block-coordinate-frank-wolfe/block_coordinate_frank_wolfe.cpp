// SPDX-License-Identifier: BSD-3-Clause
#include "block_image.hpp"
#include "block_vertices.hpp"
#include "gap_draws.hpp"
#include "pieces.hpp"

#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <shared/algorithms/step_rule.hpp>

#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace claros;

enum class Order { random, cyclic, permuted, gap };

struct Options {
  Order order = Order::random;
  Direction direction = Direction::toward;
  sdk::Step step = sdk::Step::automatic;
  double smoothness = 0.0;
  double oracle_tolerance = 0.02;
  Index refresh = 10;
};

/// minimise f(x) over x in C_1 x ... x C_K: step t chooses one block k,
///     v = argmin_{u in C_k} <grad_k f(x), u>,   x_k <- x_k + gamma (v - x_k),   gamma = 2K/(t + 2K) or the
///     best.
/// If f is a loss of A x whose columns are accessible (and the gradient exact), a step reads the columns of
/// block k alone. Else it takes an estimate of the whole gradient. In expectation f - f* <= 2K (C + f(x_0) -
/// f*)/(t + 2K), C the sum of the curvatures of the blocks. (Lacoste-Julien, Jaggi, Schmidt, Pletscher 2013,
/// Algorithm 3 and Theorem 1.)
///
/// The order gap draws block k with a probability proportional to <grad_k f, x_k - v> in the last step of
/// that block (Osokin et al. 2016). Gaps of blocks that rest become stale, so one round in `refresh` goes
/// through all blocks. With the directions away and pairwise (the same paper), every block keeps the vertices
/// that it is made of (block_vertices.hpp).
class BlockCoordinateFrankWolfe final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("order", &Options::order,
            one_of<Order>({{Order::random, "random"},
                           {Order::cyclic, "cyclic"},
                           {Order::permuted, "permuted"},
                           {Order::gap, "gap"}}),
            "of the blocks: random (uniform, with replacement, as the theory has it), cyclic, permuted anew "
            "in every round, or gap (drawn with probabilities proportional to the gaps that they had last)"),
        row("direction", &Options::direction,
            one_of<Direction>({{Direction::toward, "toward"},
                               {Direction::away, "away"},
                               {Direction::pairwise, "pairwise"}}),
            "of a step: toward the vertex v that minimises the linear function; away from the worst vertex "
            "of the block, where that promises more; pairwise, of weight from the worst vertex to v. The "
            "last two keep the vertices of every block"),
        row("step", &Options::step,
            sdk::steps({sdk::Step::automatic, sdk::Step::line_search, sdk::Step::short_step,
                        sdk::Step::agnostic, sdk::Step::adaptive}),
            "rule for gamma: line-search; short (slope over a bound of the curvature along the "
            "direction: that of the loss along A d where the columns of A are accessible, else L "
            "||d||^2); agnostic (2K/(t + 2K)); adaptive (the short step with an L of each block, found by "
            "backtracking; takes whole gradients); auto: agnostic where the columns are not accessible and "
            "the direction is toward, else line-search"),
        row("smoothness", &Options::smoothness, at_least(0),
            "L of the short step where the columns are not accessible; 0: as the objective states it", "L"),
        row("oracle_tolerance", &Options::oracle_tolerance, above_to(0, 0.5),
            "relative accuracy of the linear oracles in the run"),
        row("refresh", &Options::refresh, at_least(1),
            "rounds of K steps of the order gap, of which the first goes through all "
            "blocks, permuted, and so renews all gaps")};
    return table;
  }

  BlockCoordinateFrankWolfe(const Options& options, const Context& context)
      : options_(options), first_coins_(context.stream(Purpose::output)), coins_(first_coins_) {
    if (keeps_vertices() && options.step == sdk::Step::agnostic)
      throw Error(ErrorKind::usage, "step",
                  "agnostic goes 2K/(t + 2K) of the way toward a vertex, and the direction is another",
                  "take line-search or short, or direction = toward");
  }

  std::vector<Need> needs() const override {
    std::vector<Need> needs{
        need::set<BlockOracle>("every step minimises a linear function over one factor of a product"),
        need::set<LinearOracle>(
            "linear functions have their minimum over the whole variable, which coordinates outside the set "
            "(an intercept) have not")};
    if (keeps_vertices())
      needs.push_back(
          need::exact_estimator("the vertex to leave is chosen by exact inner products with the gradient"));
    return needs;
  }
  Takes takes() const override {
    return {.set = true,
            .reason =
                "every step minimises the linear model of f alone over a factor of the set, without a "
                "proximal step"};
  }
  StepReport report() const override {
    StepReport report = PointAlgorithm::report();
    report.coordinate_steps = t() > 0 ? 1 : 0;
    return report;
  }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("image", image_);
    v("order", order_);
    v.require(are_blocks(), "order", "not blocks, each once");
    v("coins", coins_);
    if (options_.order == Order::gap) v("draws", draws_);
    if (keeps_vertices()) v("vertices", vertices_);
    if (used_ == sdk::Step::adaptive)
      for (std::size_t k = 0; k < rules_.size(); ++k) v("step rule " + std::to_string(k), rules_[k]);
  }

 private:
  void begin() override {
    coins_ = first_coins_;
    blocks_ = query<BlockOracle>(*problem().set);
    pieces_.start(x().shape(), blocks_->block_shapes(x().shape()));
    order_.resize(static_cast<std::size_t>(pieces_.count()));
    std::iota(order_.begin(), order_.end(), Index{0});
    draws_.start(pieces_.count());
    if (keeps_vertices()) start_vertices();
    by_columns_ = options_.step != sdk::Step::adaptive && problem().estimator->exact() &&
                  !pieces_.are_blocks() && image_.start(*problem().objective, x());
    const bool plain = options_.step == sdk::Step::automatic && !by_columns_ && !keeps_vertices();
    used_ = plain                                   ? sdk::Step::agnostic
            : options_.step == sdk::Step::automatic ? sdk::Step::line_search
                                                    : options_.step;
    rules_.assign(used_ == sdk::Step::adaptive ? order_.size() : 1,
                  sdk::StepRule({.step = used_, .smoothness = options_.smoothness}));
    if (!by_columns_ || (used_ == sdk::Step::short_step && !image_.has_bound()))
      for (sdk::StepRule& rule : rules_) rule.start(*problem().objective);
  }

  bool keeps_vertices() const { return options_.direction != Direction::toward; }
  void start_vertices() {
    std::vector<Element> blocks;
    for (Index k = 0; k < pieces_.count(); ++k) blocks.push_back(pieces_.of(x(), k));
    vertices_.start(options_.direction, blocks);
  }

  /// The block of this step.
  Index draw() {
    const Index K = pieces_.count(), place = t() % K;
    const bool draws = options_.order == Order::gap && t() / K % options_.refresh != 0;
    if (options_.order == Order::random) return coins_.index(K);
    if (draws) return draws_.draw(coins_);
    if (options_.order != Order::cyclic && place == 0)
      for (std::size_t k = order_.size(); k > 1; --k)
        std::swap(order_[k - 1], order_[static_cast<std::size_t>(coins_.index(static_cast<Index>(k)))]);
    return order_[static_cast<std::size_t>(place)];
  }

  double agnostic() const {
    const double twice = 2.0 * static_cast<double>(pieces_.count());
    return twice / (static_cast<double>(t()) + twice);
  }

  /// A step along the columns of its block.
  bool move_without_gradient() override {
    if (!by_columns_) return false;
    if (t() > 0 && t() % (kRenew * pieces_.count()) == 0) image_.renew(x());
    const Index k = draw();
    const Shape& shape = pieces_.shape(k);
    std::vector<double> partials(static_cast<std::size_t>(shape.size()));
    image_.gradient(pieces_.first(k), partials);
    const Element g = Element::dense(shape, std::move(partials));
    (void)blocks_->minimize_block(k, g, {options_.oracle_tolerance, false}, v_);
    double slope = aim_at(k, v_, g);
    draws_.set(k, slope);
    if (keeps_vertices()) {
      slope = vertices_.aim(k, g, pieces_.of(x(), k), v_, slope, end_);
      (void)aim_at(k, end_, g);
    }
    image_.aim(pieces_.first(k), d_);
    const double gamma = length_by_columns(slope);
    image_.move(gamma);
    if (keeps_vertices())
      move_vertices(k, gamma);
    else
      pieces_.shift(x(), k, gamma, d_);
    report_step(gamma);
    return true;
  }
  /// d <- end - x_k. -<g, d>.
  double aim_at(Index k, const Element& end, const Element& g) {
    const auto x_k = pieces_.of(x().dense_values(), k);
    const auto to = reader_(end), gradient = gradient_reader_(g);
    d_.resize(x_k.size());
    double slope = 0.0;
    for (std::size_t j = 0; j < d_.size(); ++j) d_[j] = to[j] - x_k[j], slope -= gradient[j] * d_[j];
    return slope;
  }
  void move_vertices(Index k, double gamma) {
    Element x_k = pieces_.of(x(), k);
    vertices_.move(k, gamma, x_k);
    pieces_.put(x(), k, x_k);
  }

  double length_by_columns(double slope) {
    if (used_ == sdk::Step::agnostic) return agnostic();
    if (used_ == sdk::Step::line_search) return image_.search(slope);
    if (image_.has_bound()) return image_.bounded(slope);
    return rules_.front().weight({.slope = slope,
                                  .objective = problem().objective,
                                  .squared_distance = [this] { return sdk::dot(d_, d_); }});
  }

  /// A step along an estimate of the whole gradient.
  void move(const Element& g) override {
    const Index k = draw();
    const Element partials = pieces_.of(g, k);
    const Element x_k = pieces_.of(x(), k);
    (void)blocks_->minimize_block(k, partials, {options_.oracle_tolerance, false},
                                  v_);  // v = argmin_{u in C_k} <grad_k f(x), u>
    double slope = inner_difference(partials, x_k, v_);
    draws_.set(k, slope);
    if (keeps_vertices()) {
      slope = vertices_.aim(k, partials, x_k, v_, slope, end_);
      const double gamma = length(k, x_k, end_, slope);
      move_vertices(k, gamma);
      return report_step(gamma);
    }
    const double gamma = used_ == sdk::Step::agnostic ? agnostic() : length(k, x_k, v_, slope);
    pieces_.blend(x(), k, gamma, v_);  // x_k <- x_k + gamma (v - x_k)
    report_step(gamma);
  }

  /// The share of the way from x_k to the end of the longest step.
  double length(Index k, const Element& x_k, const Element& last, double slope) {
    Element end(x());
    pieces_.blend(end, k, 1.0, last);
    const auto squared = [&] { return inner_differences(last, x_k, last, x_k); };
    sdk::StepRule& rule = rules_[rules_.size() > 1 ? claros::at(k) : 0];
    return rule.weight({.t = t(),
                        .slope = slope,
                        .x = &x(),
                        .v = &end,
                        .objective = problem().objective,
                        .squared_distance = squared});
  }

  bool are_blocks() const {
    std::vector<bool> seen(order_.size(), false);
    for (const Index k : order_) {
      if (k < 0 || k >= pieces_.count() || seen[static_cast<std::size_t>(k)]) return false;
      seen[static_cast<std::size_t>(k)] = true;
    }
    return static_cast<Index>(order_.size()) == pieces_.count();
  }

  static constexpr Index kRenew = 1000;  ///< rounds between images made anew

  Options options_;
  std::vector<sdk::StepRule> rules_;  ///< one a block where each has an L of its own, else one
  sdk::Step used_ = sdk::Step::agnostic;
  RandomStream first_coins_, coins_;
  BlockOracle* blocks_ = nullptr;
  Pieces pieces_;
  BlockImage image_;
  bool by_columns_ = false;
  std::vector<Index> order_;
  GapDraws draws_;
  sdk::DenseReader reader_, gradient_reader_;
  std::vector<double> d_;
  BlockVertices vertices_;
  Element v_, end_;  ///< the vertex of the oracle; the end of the longest step
};

}  // namespace

CLAROS_PLUGIN(
    BlockCoordinateFrankWolfe, Kind::algorithm, "block-coordinate-frank-wolfe", "bcfw", "1.0.0",
    "Block-coordinate Frank-Wolfe over a product of sets (Lacoste-Julien et al. 2013)",
    "x_k <- x_k + gamma (v - x_k) with v = argmin over C_k of <grad_k f(x), u>, for one block k of C_1 x ... "
    "x C_K after the other. Where f is a loss of A x whose columns are accessible, a step costs what the "
    "columns of its block do. Needs a set that is a product.",
    "Lacoste-Julien, Jaggi, Schmidt, Pletscher: Block-coordinate Frank-Wolfe optimization for structural "
    "SVMs, ICML 2013, Algorithm 3; Beck, Pauwels, Sabach: The cyclic block conditional gradient method "
    "for convex optimization problems, SIAM J. Optim. 2015 (cyclic order); Osokin, Alayrac, Lukasewitz, "
    "Dokania, Lacoste-Julien: Minding the gaps for block Frank-Wolfe optimization of structured SVMs, ICML "
    "2016 (order gap, directions away and pairwise); Pedregosa, Negiar, Askari, Jaggi: Linearly convergent "
    "Frank-Wolfe with backtracking line-search, AISTATS 2020 (adaptive)",
    "Use it over a product of many sets with linear oracles: on a linear model a step reads only the "
    "columns of its block. Over polytopes take direction = pairwise, which meets small gaps; order = gap "
    "pays where blocks are unequal. Toward vertices of equal blocks frank-wolfe with a line search is "
    "faster in the measured case. Where the factors have cheap projections, take proximal-gradient.",
    "data.use=synthetic-regression data.rows=100 data.cols=12 data.nonzero=3 objective.use=linear-model "
    "set.use=product set.blocks.1.use=simplex set.blocks.1.radius=1 set.blocks.2.use=l1-ball "
    "set.blocks.2.radius=1 algorithm.use=block-coordinate-frank-wolfe stop.relative_gap=1e-4")
