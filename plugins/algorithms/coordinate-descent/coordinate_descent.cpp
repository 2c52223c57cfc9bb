// SPDX-License-Identifier: BSD-3-Clause
#include "euclidean_blocks.hpp"
#include "extrapolation.hpp"
#include "prices.hpp"
#include "screening.hpp"
#include "slopes.hpp"
#include "support_newton.hpp"

#include <claros/algorithm.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

namespace {

using namespace claros;

enum class Order { cyclic, random };

struct Options {
  Order order = Order::cyclic;
  Index active = 2;
  bool extrapolate = true, newton = true;
  Index screen = 10;
};

/// minimise f(x) + h(x), f = phi(A x), h = sum_b h_b(x_b): an epoch moves every block once,
///   x_b <- prox_{s_b h_b}(x_b - s_b A_b' grad phi(A x)),   s_b = 1 / L_b,   L_b the largest eigenvalue of
///   A_b' D A_b.
/// D is phi'' of a quadratic phi, else a bound of phi'', so that no move raises f + h. (Tseng 2001; Friedman,
/// Hastie, Tibshirani 2010.) For a weakly convex h steps are below 1/(2 mu). If h_b is a Euclidean norm, x_b
/// goes to the minimum of that quadratic and h_b (euclidean_blocks.hpp).
///
/// Free coordinates come last and have no h. A single one (an intercept) of a quadratic phi stays at its best
/// while the others move. It is as if the columns were orthogonal to its own, a_0. A move of x_b by d moves
/// it by -a_0' D A_b d / a_0' D a_0. The length s_b is that of A_b' D A_b without the part along a_0. Without
/// this, columns far from 0 would be nearly parallel.
///
/// An epoch of all blocks is followed by some of those that are not 0. After every K of either, Anderson
/// extrapolation makes a point of them, which is taken if f + h is lower there (Bertrand, Massias 2021).
///
/// Epochs contract slowly if the columns A_S of the x_j != 0 are nearly dependent, as random ones are when S
/// is a large part of the rows. For a quadratic phi and blocks of one coordinate, Newton steps on S then
/// follow the epochs (support_newton.hpp). Each is kept if f + h is lower at its end. Counted work, done and
/// expected, and the size of S decide, never a clock.
class CoordinateDescent final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("order", &Options::order, one_of<Order>({{Order::cyclic, "cyclic"}, {Order::random, "random"}}),
             "of the blocks in an epoch: in their order, or shuffled anew"),
         row("active", &Options::active, at_least(0),
             "most epochs of the blocks that are not 0 after each epoch of all; they end when they move a "
             "third as far"),
         row("extrapolate", &Options::extrapolate,
             "Anderson extrapolation after every fifth epoch, where it lowers the value"),
         row("newton", &Options::newton,
             "Newton steps on the coordinates that are not 0, where that is less work than epochs; for "
             "quadratic losses and penalties that are sums over coordinates"),
         row("screen", &Options::screen, at_least(0),
             "steps between gap checks that remove, for good, the blocks that are 0 at every minimum (safe "
             "screening), where a gap is known; a check takes a gradient; 0: none")}};
    return table;
  }

  CoordinateDescent(const Options& options, const Context& context)
      : options_(options), coins_(context.stream(Purpose::output)) {}

  std::vector<Need> needs() const override {
    return {need::objective<LossOfImage>(
                "a move of one coordinate follows A x in a loss of it, without another pass over the data"),
            need::penalty_if_any<Separable>(
                "blocks are moved one at a time, each by the proximal step of its own term"),
            need::exact_estimator("partial derivatives are exact, and no estimate is asked for")};
  }
  Takes takes() const override {
    return {.penalty = true,
            .any_penalty = true,
            .reason = "blocks are moved one at a time, which a set that couples them does not allow"};
  }

  void start(const Problem& problem, Element x0) override {
    problem_ = problem;
    phi_ = query<LossOfImage>(*problem.objective);
    find_columns();
    if (!columns_)
      throw Error(ErrorKind::usage, "",
                  "needs access to the columns of the objective's map, which this map does not give",
                  "take algorithm.use = proximal-gradient");
    shape_ = x0.shape();
    values_ = x0.to_dense();
    auto* tail = query<FreeTail>(*problem.objective);
    const Shape constrained = tail ? tail->constrained_shape() : shape_;
    blocks_ = problem.separable ? problem.separable->blocks(constrained) : Blocks::single(0);
    if (problem.separable) step_of_ = problem.separable->block_step();
    free_ = problem.separable ? constrained.size() : 0;
    const auto z = x0.image(phi_->map());
    std::vector<double> curvature(z.size());
    if (phi_->is_quadratic())
      phi_->image_curvature(z, curvature);
    else if (!phi_->curvature_bound(curvature))
      throw Error(ErrorKind::usage, "",
                  "the steps of coordinates need a bound of the loss's second derivative, and none is known",
                  "take algorithm.use = prox-newton");
    make_slopes({z.begin(), z.end()}, of_.by_output(std::move(curvature)));
    const bool one_is_free = blocks_.count() > 0 && moves() == blocks_.count() + 1;
    curvatures_.start(of_, weights_, phi_->is_quadratic() && !outputs_ && one_is_free ? free_ : -1);
    drift_ = 0.0;
    make_steps();
    newton_.start(columns_->rows(), steps_, blocks_.are_single() ? blocks_.count() : 0, step_of_);
    prices_.known() = std::count_if(values_.begin(), values_.end(), [](double x) { return x != 0.0; });
    order_.resize(at(moves()));
    std::iota(order_.begin(), order_.end(), Index{0});
    screening_.start(problem_);
    extrapolation_.start(values_.size());
    if (options_.extrapolate) (void)extrapolation_.add(values_);
    t_ = swept_ = rest_ = 0;
    report_ = {};
    x_ = std::move(x0);
  }

  void step() override {
    if (options_.order == Order::random) shuffle();
    report_.coordinate_steps = 0;
    report_.residual = sweep(order_);
    find_active();
    double last = report_.residual;
    Index epochs = 0;
    while (epochs < options_.active && last > (epochs ? kSettled : 0.0) * report_.residual)
      last = sweep(active_), ++epochs;
    if (rest_ > 0)
      --rest_;
    else if (newton_pays(prices_.epochs_ahead(active_count(), report_.residual, last, epochs)))
      make_newton_steps();
    ++t_;
    write();
    if (options_.screen > 0 && t_ % options_.screen == 0 && screening_.works()) screen();
  }

  const Element& iterate() const override { return x_; }
  StepReport report() const override { return report_; }

  void state(StateVisitor& v) override {
    v("x", std::span<double>(values_));
    bool gram = has_gram();
    v("gram", gram);
    v.require(!gram || (has_room_for_gram() && !std::holds_alternative<GeneralSlopes>(slopes_)), "gram",
              "of too many columns, or of no quadratic");
    if (v.loading() && gram && std::holds_alternative<QuadraticSlopes>(slopes_)) make_gram();
    if (v.loading() && !gram && has_gram()) slopes_ = of_quadratic(std::vector<double>(weights_.size()));
    if (gram) v("b", std::span<double>(std::get<GramSlopes>(slopes_).b));
    v("slopes", std::visit([](auto& slopes) { return moving(slopes); }, slopes_));
    v("extrapolation", extrapolation_);
    v("order", order_);
    v.require(are_blocks(), "order", "not blocks, each once");
    v("coins", coins_);
    v("t", t_);
    v.require(t_ >= 0, "t", "negative");
    v("swept", swept_);
    v.require(swept_ >= 0, "swept", "negative");
    v("rest", rest_);
    v.require(rest_ >= 0, "rest", "negative");
    v("known", prices_.known());
    v.require(prices_.known() >= 0, "known", "negative");
    v("damping", newton_.damping());
    v.require(newton_.damping() >= 0.0 && std::isfinite(newton_.damping()), "damping",
              "negative or not finite");
    if (v.loading()) write();
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  /// Blocks, and free coordinates one by one.
  Index moves() const { return blocks_.count() + shape_.size() - free_; }
  Index size(Index b) const { return b < blocks_.count() ? blocks_.size(b) : 1; }
  Index coordinate(Index b, Index k) const {
    return b < blocks_.count() ? blocks_.coordinate(b, k) : free_ + b - blocks_.count();
  }
  void list_members(Index b, std::vector<Index>& all) const {
    all.clear();
    for (Index k = 0; k < size(b); ++k) all.push_back(coordinate(b, k));
  }

  /// Those of one output a row, or of A where several outputs share them.
  void find_columns() {
    columns_ = phi_->map()->columns();
    outputs_ = columns_ ? nullptr : phi_->map()->output_columns();
    if (outputs_) columns_ = {outputs_, &outputs_->columns()};
    of_ = {columns_.get(), outputs_.get()};
  }

  static std::span<double> moving(GramSlopes& slopes) { return slopes.g; }
  static std::span<double> moving(QuadraticSlopes& slopes) { return slopes.c; }
  static std::span<double> moving(GeneralSlopes& slopes) { return slopes.z; }

  void make_slopes(std::vector<double> z, std::vector<double> curvature) {
    weights_ = std::move(curvature);
    uniform_ = std::ranges::all_of(weights_, [&](double w) { return w == weights_.front(); });
    prices_.start(of_, uniform_);
    if (!phi_->is_quadratic()) {
      GeneralSlopes slopes;
      slopes.phi = phi_;
      slopes.columns = columns_.get();
      slopes.z = std::move(z);
      slopes_ = std::move(slopes);
      return;
    }
    QuadraticSlopes slopes = of_quadratic({});
    slopes.restart(*phi_, std::move(z));
    slopes_ = std::move(slopes);
  }
  QuadraticSlopes of_quadratic(std::vector<double> c) const {
    return {of_, weights_, std::move(c), uniform_};
  }

  bool has_gram() const { return std::holds_alternative<GramSlopes>(slopes_); }
  double active_count() const { return static_cast<double>(active_.size()); }
  double move_price() const { return prices_.move(has_gram()); }

  /// Its inner products of columns that a free one nearly spans would have lost what is left of them.
  bool makes_gram() const { return columns_->has_room_for_gram() && !curvatures_.some_are_near(); }

  /// One Gram matrix serves all outputs, of the same weights.
  bool has_room_for_gram() const {
    const auto n = static_cast<std::ptrdiff_t>(columns_->rows());
    bool same = true;
    for (Index k = 1; same && k < of_.output_count(); ++k)
      same = std::equal(weights_.begin(), weights_.begin() + n, weights_.begin() + k * n);
    return same && makes_gram();
  }

  /// When the moves so far have taken as much work, and further ones take less with it.
  bool wants_gram() const {
    const auto p = static_cast<double>(columns_->count());
    return has_room_for_gram() && 2.0 * p <= move_price() &&
           static_cast<double>(swept_) * move_price() >= prices_.gram();
  }

  /// The rounding of the residual, if there is a Gram matrix: that of sums whose terms are as large as the
  /// gradient at 0.
  double rounding() const {
    constexpr double kUnits = 64.0 * std::numeric_limits<double>::epsilon();
    const auto* slopes = std::get_if<GramSlopes>(&slopes_);
    double largest = 0.0;
    if (slopes)
      for (const double b : slopes->b) largest = std::max(largest, std::abs(b));
    return kUnits * largest;
  }

  /// With weights of rows, Newton steps wait until moves have taken a share of their price, unless that is
  /// little. A few moves may be enough, as in a quadratic of prox-newton's that is soon another one. Then
  /// those that epochs_ahead expects are never made.
  bool newton_pays(double epochs) const {
    constexpr double kSpent = 0.5, kLittle = 1e5;
    const double k = active_count();
    if (!options_.newton || !phi_->is_quadratic() || !blocks_.are_single() || outputs_ || !makes_gram() ||
        !(report_.residual > rounding()) || k <= 1.0)
      return false;
    const double price = prices_.newton(k, has_gram());
    return price < epochs * k * move_price() &&
           (uniform_ || price <= kLittle || kSpent * price <= static_cast<double>(swept_) * move_price());
  }

  /// Newton steps with an epoch after each, which finds the coordinates that leave 0, until the residual has
  /// fallen by kFall. Only a few coordinates change from one to the next, so that one factorization mostly
  /// does for all.
  void make_newton_steps() {
    constexpr int kMostSteps = 12;
    constexpr Index kRest = 3;
    constexpr double kFall = 1e-3;
    if (std::holds_alternative<QuadraticSlopes>(slopes_)) make_gram();
    const double first = report_.residual;
    newton_.begin();
    const double enough = std::max(kFall * first, rounding());
    for (int k = 0; k < kMostSteps && report_.residual > enough; ++k) {
      if (!newton_step(std::get<GramSlopes>(slopes_))) {
        rest_ = kRest;
        break;
      }
      report_.residual = epoch(order_);
      find_active();
      (void)epoch(active_);
    }
    extrapolation_.start(values_.size());
    if (options_.extrapolate) (void)extrapolation_.add(values_);
  }

  bool newton_step(GramSlopes& slopes) {
    if (!newton_.aim(slopes, values_)) return false;
    report_.coordinate_steps += newton_.size();
    return newton_.descend(slopes, values_, [this](const std::vector<double>& x) { return penalty(x); });
  }

  void make_gram() {
    const std::vector<double> c = std::move(std::get<QuadraticSlopes>(slopes_).c);
    const Index p = columns_->count(), n = columns_->rows();
    const std::vector<double> none(at(p * of_.output_count()));
    GramSlopes slopes{columns_->gram(std::span(weights_).first(at(n))), none, none, of_};
    for (Index k = 0; k < of_.output_count(); ++k)
      for (Index j = 0; j < p; ++j)
        slopes.g[at(k * p + j)] = columns_->dot(j, std::span(c).subspan(at(k * n), at(n)));
    const std::vector<double> moved = slopes.product(values_, 0.0);
    for (std::size_t j = 0; j < moved.size(); ++j) slopes.b[j] = slopes.g[j] - moved[j];
    slopes_ = std::move(slopes);
  }

  void make_steps() {
    steps_.resize(at(moves()));
    const double mu = problem_.penalty ? convexifying(*problem_.penalty) : 0.0;
    const double longest = mu > 0.0 ? 0.5 / mu : std::numeric_limits<double>::max();
    minima_.start(mu == 0.0 && blocks_.largest() > 1 ? blocks_.count() : 0);
    for (Index b = 0; b < moves(); ++b) {
      const double L = size(b) == 1 ? curvatures_.of(coordinate(b, 0)) : block_curvature(b);
      steps_[at(b)] = L > 0.0 ? std::min(1.0 / L, b < blocks_.count() ? longest : 1.0 / L) : 0.0;
    }
  }
  double block_curvature(Index b) {
    std::vector<Index> all;
    list_members(b, all);
    const double L = minima_.keep(b, all, curvatures_, step_of_);
    return L > 0.0 ? Curvatures::kSafe * L : curvatures_.of(all);
  }

  void shuffle() {
    for (std::size_t k = order_.size(); k > 1; --k)
      std::swap(order_[k - 1], order_[at(coins_.index(static_cast<Index>(k)))]);
  }
  bool are_blocks() const {
    std::vector<bool> seen(at(moves()), false);
    for (const Index b : order_) {
      if (b < 0 || b >= moves() || seen[at(b)]) return false;
      seen[at(b)] = true;
    }
    return true;
  }

  /// Blocks that are 0, and at every minimum, are moved no more.
  void screen() {
    screening_.look(x_);
    std::vector<Index> all;
    std::erase_if(order_, [&](Index b) {
      list_members(b, all);
      const bool zero = std::ranges::all_of(all, [&](Index j) { return values_[at(j)] == 0.0; });
      return zero && (steps_[at(b)] == 0.0 || screening_.rests(b, all, 1.0 / steps_[at(b)], step_of_));
    });
  }

  /// Moves the blocks once; the largest ||x_b - its move|| / s_b that it met.
  double sweep(const std::vector<Index>& blocks) {
    if (std::holds_alternative<QuadraticSlopes>(slopes_) && wants_gram()) make_gram();
    const double most = epoch(blocks);
    if (options_.extrapolate && extrapolation_.add(values_)) extrapolate();
    return most;
  }

  double epoch(const std::vector<Index>& blocks) {
    report_.coordinate_steps += static_cast<Index>(blocks.size());
    for (const Index b : blocks) swept_ += size(b);
    return std::visit([&](auto& slopes) { return epoch(slopes, blocks); }, slopes_);
  }
  template <class Slopes>
  double epoch(Slopes& slopes, const std::vector<Index>& blocks) {
    const Index free = curvatures_.has_free() ? blocks_.count() : -1;
    double most = free < 0 ? 0.0 : move_one(slopes, free, steps_[at(free)]) / steps_[at(free)];
    for (const Index b : blocks) {
      const double s = steps_[at(b)];
      if (s == 0.0 || b == free) continue;  // f does not depend on the block
      most = std::max(most, (size(b) == 1 ? move_one(slopes, b, s) : move_block(slopes, b, s)) / s);
    }
    if (drift_ != 0.0) slopes.move(free_, std::exchange(drift_, 0.0));
    return most;
  }

  /// With the free coordinate at its best.
  template <class Slopes>
  double partial(Slopes& slopes, Index j) const {
    return slopes.partial(j) + (curvatures_.has_free() ? drift_ * curvatures_.along(j) : 0.0);
  }
  template <class Slopes>
  void move(Slopes& slopes, Index j, double by) {
    slopes.move(j, by);
    if (!curvatures_.has_free() || j == free_) return;
    const double follows = -by * curvatures_.share(j);
    values_[at(free_)] += follows;
    if (curvatures_.is_near(j))
      slopes.move(free_, follows);
    else
      drift_ += follows;
  }

  /// Those that are not 0, and the free ones.
  void find_active() {
    active_.clear();
    for (const Index b : order_) {
      bool zero = b < blocks_.count();
      for (Index k = 0; zero && k < size(b); ++k) zero = values_[at(coordinate(b, k))] == 0.0;
      if (!zero) active_.push_back(b);
    }
  }

  template <class Slopes>
  double move_one(Slopes& slopes, Index b, double s) {
    const Index j = coordinate(b, 0);
    double& x = values_[at(j)];
    const double before = x, v = before - s * partial(slopes, j);
    if (b < blocks_.count())
      step_of_(b, &v, s, &x);
    else
      x = v;
    const double by = x - before;
    if (by != 0.0) move(slopes, j, by);
    return std::abs(by);
  }

  template <class Slopes>
  double move_block(Slopes& slopes, Index b, double s) {
    const auto m = at(size(b));
    before_.resize(m), slope_.resize(m), moved_.resize(m);
    for (std::size_t k = 0; k < m; ++k) {
      const Index j = coordinate(b, static_cast<Index>(k));
      before_[k] = values_[at(j)];
      slope_[k] = partial(slopes, j);
      moved_[k] = before_[k] - s * slope_[k];
    }
    step_of_(b, moved_.data(), s, moved_.data());
    const double length = EuclideanBlocks::distance(before_, moved_);
    if (length > 0.0) minima_.move(b, s, before_, slope_, step_of_, moved_);
    for (std::size_t k = 0; k < m; ++k) {
      const double by = moved_[k] - before_[k];
      if (by == 0.0) continue;
      const Index j = coordinate(b, static_cast<Index>(k));
      values_[at(j)] = moved_[k];
      move(slopes, j, by);
    }
    return length;
  }

  void extrapolate() {
    candidate_.resize(values_.size());
    if (extrapolation_.point(candidate_)) std::visit([&](auto& slopes) { choose(slopes); }, slopes_);
    (void)extrapolation_.add(values_);
  }

  /// The better of values_ and candidate_, and the slopes there made anew: what moves have summed up they
  /// forget.
  void choose(GramSlopes& slopes) {
    std::vector<double> here = slopes.product(values_, 1.0), there = slopes.product(candidate_, 1.0);
    const bool better = slopes.value(candidate_, there) + penalty(candidate_) <
                        slopes.value(values_, here) + penalty(values_);
    if (better) values_ = candidate_;
    slopes.g = better ? std::move(there) : std::move(here);
  }
  template <class Slopes>
  void choose(Slopes& slopes) {
    std::vector<double> here = image(values_), there = image(candidate_);
    const bool better =
        phi_->image_value(there) + penalty(candidate_) < phi_->image_value(here) + penalty(values_);
    if (better) values_ = candidate_;
    slopes.restart(*phi_, better ? std::move(there) : std::move(here));
  }

  std::vector<double> image(const std::vector<double>& x) const {
    std::vector<double> z(at(of_.image_size()), 0.0);
    for (std::size_t k = 0; k < x.size(); ++k) {
      const auto j = static_cast<Index>(k);
      if (x[k] != 0.0) columns_->add(of_.column(j), x[k], of_.piece(std::span<double>(z), j));
    }
    return of_.by_row(std::move(z));
  }
  double penalty(const std::vector<double>& x) {
    return problem_.penalty ? problem_.penalty->value(Element::dense(shape_, x)) : 0.0;
  }

  void write() {
    const auto to = sdk::overwrite_dense(shape_, x_);
    std::copy(values_.begin(), values_.end(), to.begin());
  }

  static constexpr double kSettled = 1.0 / 3.0;

  Options options_;
  RandomStream coins_;
  Problem problem_;
  LossOfImage* phi_ = nullptr;
  std::shared_ptr<const OutputColumns> outputs_;  ///< null if every coordinate has a column of its own
  std::shared_ptr<const Columns> columns_;
  CoordinateColumns of_;
  Shape shape_;
  Blocks blocks_;
  BlockStep step_of_;
  Index free_ = 0;  ///< coordinates from here on have no penalty
  std::vector<double> values_, weights_, steps_, candidate_;
  std::vector<double> before_, slope_, moved_;  ///< of a block
  EuclideanBlocks minima_;
  Curvatures curvatures_;
  double drift_ = 0.0;  ///< by which the free coordinate has followed in this epoch, unknown to slopes_
  std::vector<Index> order_, active_;
  std::variant<GramSlopes, QuadraticSlopes, GeneralSlopes> slopes_;
  Extrapolation extrapolation_;
  Screening screening_;
  SupportNewton newton_;
  Element x_;
  StepReport report_;
  Prices prices_;
  bool uniform_ = false;     ///< whether all rows have the same weight
  Index t_ = 0, swept_ = 0;  ///< steps; moves of coordinates
  Index rest_ = 0;           ///< steps before another Newton step is tried
};

}  // namespace

CLAROS_PLUGIN(
    CoordinateDescent, Kind::algorithm, "coordinate-descent", "cd", "1.0.0",
    "Block coordinate descent with proximal steps, along the columns of the data",
    "An epoch moves every block by a proximal step of its own length along its partial "
    "derivatives, or, a group with the Euclidean norm, to its minimum. The derivatives are "
    "followed from move to move at the price of a column. Losses of linear models, quadratic ones above all "
    "(prox-newton makes quadratics of the "
    "others), with penalties that are sums over coordinates or groups.",
    "Tseng: Convergence of a block coordinate descent method, JOTA 2001; Friedman, Hastie, "
    "Tibshirani: Regularization paths for "
    "generalized linear models via coordinate descent, JSS 2010; Bertrand, Massias: Anderson "
    "acceleration of coordinate descent, AISTATS 2021; Qin, Scheinberg, Goldfarb: Efficient block-coordinate "
    "descent algorithms for the group lasso, Math. Program. Comput. 2013; "
    "Li, Sun, Toh: A highly efficient semismooth Newton augmented Lagrangian method for solving "
    "Lasso problems, SIAM J. Optim. 2018",
    "Use it for least squares with penalties that are sums over coordinates or groups, such as l1 "
    "and group. It takes no set and, of the other losses, only those whose second derivative has "
    "a known bound. For other losses take prox-newton. For many columns of which few matter, "
    "working-set with it inside is faster.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 objective.use=linear-model "
    "penalty.use=l1 penalty.lambda=0.1*max algorithm.use=coordinate-descent stop.relative_gap=1e-6")
