// SPDX-License-Identifier: BSD-3-Clause
#include "common_point.hpp"

#include <claros/domain.hpp>
#include <claros/element/make_dense.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <claros/sdk/sets/split_set.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace claros;

enum class Order { all, cyclic };
enum class StepRule { automatic, short_step, agnostic };
enum class Size { automatic };
enum class Growth { automatic, log };

struct Options {
  Order order = Order::all;
  StepRule step = StepRule::automatic;
  NumberOr<Size> penalty = Size::automatic;
  NumberOr<Growth> growth = Growth::automatic;
  double oracle_tolerance = 0.02;
};

/// minimise f(x) over x in C_1 n ... n C_m by linear minimisations over each C_i. For copies x_i in C_i, with
/// mean xbar, it minimises
///     F_t(x_1, ..., x_m) = f(xbar) + lambda_t/(2m) sum_i ||x_i - xbar||^2
/// over the product by one step of Frank-Wolfe for each lambda_t:
///     v_i = argmin_{v in C_i} <grad f(xbar) + lambda_t (x_i - xbar), v>,   x_i <- x_i + gamma_t (v_i - x_i),
/// for all i at once, or for one i after the other (cyclic). (Woodstock, Pokutta 2025, Algorithm 1. For f =
/// ||x - y||^2/2 and two sets: the alternating linear minimisations of Braun, Pokutta, Weismantel 2022.)
///
/// The iterate is a point of the intersection near the copies (CommonPoint), if a point of it is known. The
/// set gets y_i = -lambda_t (x_i - xbar)/m, which splits -grad f into near normals of the C_i.
class SplitConditionalGradient final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("order", &Options::order, one_of<Order>({{Order::all, "all"}, {Order::cyclic, "cyclic"}}),
            "a step moves the copies in all sets, or in one set after the other"),
        row("step", &Options::step,
            one_of<StepRule>({{StepRule::automatic, "auto"},
                              {StepRule::short_step, "short"},
                              {StepRule::agnostic, "agnostic"}}),
            "rule for gamma: short (slope over a bound of the curvature of F along the step: that of the "
            "loss where f is a loss of A x, else by L), agnostic (2/(sqrt(t) + 2)); auto: short where the "
            "curvature is known",
            "gamma"),
        row("penalty", &Options::penalty, number_or<Size>(above(0), {{Size::automatic, "auto"}}),
            "lambda_0, of the squared distances of the copies to their mean; auto: L of f where it is known, "
            "else the norm of the first gradient over the largest diameter",
            "lambda_0"),
        row("growth", &Options::growth,
            number_or<Growth>(between(0, 1), {{Growth::automatic, "auto"}, {Growth::log, "log"}}),
            "lambda_t = lambda_0 (1 + t)^growth, or lambda_0 (1 + log(1 + t)) as the theory has it; auto: "
            "0.65 with short steps, log with agnostic ones, which need a growth below 0.5; 0: a penalty that "
            "stays, whose minimiser lies off the intersection"),
        row("oracle_tolerance", &Options::oracle_tolerance, above_to(0, 1),
            "relative accuracy of the linear oracles in the run")};
    return table;
  }

  SplitConditionalGradient(const Options& options, const Context&) : options_(options) {}

  std::vector<Need> needs() const override {
    return {need::set<sdk::SplitSet>("every step minimises a linear function over each set of an "
                                     "intersection (set.use = intersection, of sets with linear oracles)"),
            need::exact_estimator("the bound of a step is one of the full gradient")};
  }
  Takes takes() const override {
    return {.set = true,
            .reason = "every step minimises linear functions over the sets alone, without a proximal step"};
  }

  /// Made when it is asked for.
  const Element& iterate() const override {
    if (made_) return point_;
    made_ = true;
    if (t() == 0) {
      split_->split(start_, {});
      return point_ = start_;
    }
    std::vector<const Element*> near{&PointAlgorithm::iterate()};
    for (const Element& copy : copies_) near.push_back(&copy);
    bool inside = false;
    point_ = common_.nearest(near, inside);
    split_->split(point_, inside ? offsets() : std::vector<Element>{});
    return point_;
  }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    for (std::size_t i = 0; i < copies_.size(); ++i) v("copy " + std::to_string(i), copies_[i]);
    v("common point", common_);
    v("penalty", first_);
    v("lambda", lambda_);
    v("start", start_);
    if (v.loading()) made_ = false;
  }

 private:
  void begin() override {
    if (query<Domain>(*problem().objective))
      throw Error(ErrorKind::usage, "",
                  "the objective is not finite everywhere, and steps ask for gradients off the intersection",
                  "take another objective, or a set with a projection and proximal-gradient");
    split_ = query<sdk::SplitSet>(*problem().set);
    parts_.clear(), copies_.clear();
    for (Component* part : split_->parts()) parts_.push_back(query<LinearOracle>(*part));
    const Element x0 = x();
    std::vector<Element> candidates{x0};
    for (Component* part : split_->parts()) {
      auto* start = query<Start>(*part);
      copies_.push_back(start ? start->start_point(x0.shape()) : corner(*query<LinearOracle>(*part), x0));
      make_dense(copies_.back());
      candidates.push_back(copies_.back());
    }
    x() = mean(copies_);
    candidates.push_back(x());
    common_.start(*query<Membership>(*problem().set), candidates);
    first_ = lambda_ = options_.penalty.is_number() ? options_.penalty.number() : 0.0;
    loss_ = query<LossOfImage>(*problem().objective);
    curvature_.assign(loss_ ? static_cast<std::size_t>(loss_->map()->size()) : 0, 0.0);
    if (loss_ && !loss_->curvature_bound(curvature_)) loss_ = nullptr;
    L_ = problem().objective->constants().smoothness.value_or(0.0);
    if (options_.step == StepRule::short_step && !is_short())
      throw Error(ErrorKind::usage, "step",
                  "'short' needs the smoothness of f, which the objective does not state",
                  "give step = agnostic");
    if (is_agnostic() && options_.growth.is_number() && options_.growth.number() >= 0.5)
      throw Error(ErrorKind::usage, "growth",
                  "is " + print_real(options_.growth.number()) +
                      ", and agnostic steps, 2/(sqrt(t) + 2), fall no faster than the penalty grows",
                  "give less than 0.5, or growth = log");
    start_ = x0;
    made_ = false;
  }

  static Element corner(LinearOracle& part, const Element& x0) {
    Element v;
    (void)part.minimize(Element(x0.shape()), {}, v);
    return v;
  }
  static Element mean(const std::vector<Element>& copies) {
    Element sum = copies.front();
    for (std::size_t i = 1; i < copies.size(); ++i) sum.add(1.0, copies[i]);
    sum.scale(1.0 / static_cast<double>(copies.size()));
    make_dense(sum);
    sum.drop_images();
    return sum;
  }

  bool is_short() const { return loss_ || (L_ > 0.0 && std::isfinite(L_)); }
  bool is_agnostic() const { return options_.step == StepRule::agnostic || !is_short(); }
  double share() const { return 1.0 / static_cast<double>(copies_.size()); }

  void move(const Element& g) override {
    if (first_ == 0.0) first_ = first_penalty(g);
    const auto m = static_cast<Index>(copies_.size());
    const Index round = options_.order == Order::cyclic ? t() / m : t();
    lambda_ = first_ * grown(static_cast<double>(round));
    double slope = 0.0, squares = 0.0;
    std::vector<std::size_t> moved;
    std::vector<Element> d;
    Element along(x().shape());
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      if (options_.order == Order::cyclic && static_cast<Index>(i) != t() % m) continue;
      Element u = copies_[i], v;
      u.add(-1.0, x());
      u.scale(lambda_);
      u.add(1.0, g);
      make_dense(u);
      (void)parts_[i]->minimize(u, {options_.oracle_tolerance, false}, v);
      v.add(-1.0, copies_[i]);
      make_dense(v);
      slope -= share() * inner(u, v);
      squares += inner(v, v);
      along.add(share(), v);
      moved.push_back(i), d.push_back(std::move(v));
    }
    make_dense(along);
    // sum_i ||d_i - dbar||^2 / m, of d_i = 0 where a copy rests
    const double apart = std::max(0.0, share() * squares - inner(along, along));
    const double gamma = length(static_cast<double>(round), slope, along, lambda_ * apart);
    for (std::size_t k = 0; k < moved.size(); ++k) copies_[moved[k]].add(gamma, d[k]);
    x() = mean(copies_);
    const Index steps = t() + 1;
    if (!common_.is_known() && (steps & (steps - 1)) == 0)
      for (const Element& copy : copies_)
        if (common_.learn(copy)) break;
    made_ = false;
    report_step(gamma);
  }

  double first_penalty(const Element& g) {
    if (L_ > 0.0 && std::isfinite(L_)) return L_;
    double diameter = 0.0;
    for (LinearOracle* part : parts_) diameter = std::max(diameter, part->diameter(x().shape()));
    const double slope = norm(g);
    return diameter > 0.0 && slope > 0.0 && std::isfinite(slope / diameter) ? slope / diameter : 1.0;
  }
  double grown(double round) const {
    constexpr double kUsual = 0.65;
    if (options_.growth.is_number()) return std::pow(1.0 + round, options_.growth.number());
    const bool slow = options_.growth == Growth::log || is_agnostic();
    return slow ? 1.0 + std::log1p(round) : std::pow(1.0 + round, kUsual);
  }

  double length(double round, double slope, const Element& along, double curvature) {
    if (!(slope > 0.0)) return 0.0;
    if (is_agnostic()) return 2.0 / (std::sqrt(round) + 2.0);
    if (loss_) {
      const auto z = along.image(loss_->map());
      for (std::size_t k = 0; k < z.size(); ++k) curvature += curvature_[k] * z[k] * z[k];
    } else {
      curvature += L_ * inner(along, along);
    }
    return curvature > 0.0 ? std::min(1.0, slope / curvature) : 1.0;
  }

  /// y_i = -lambda (x_i - xbar)/m, i = 2, ..., m.
  std::vector<Element> offsets() const {
    std::vector<Element> y(copies_.begin() + 1, copies_.end());
    for (Element& offset : y) {
      offset.add(-1.0, PointAlgorithm::iterate());
      offset.scale(-lambda_ * share());
    }
    return y;
  }

  Options options_;
  sdk::SplitSet* split_ = nullptr;
  std::vector<LinearOracle*> parts_;
  std::vector<Element> copies_;
  CommonPoint common_;
  LossOfImage* loss_ = nullptr;  ///< where its curvature is bounded
  std::vector<double> curvature_;
  double L_ = 0.0, first_ = 0.0, lambda_ = 0.0;
  Element start_;
  mutable Element point_;  ///< iterate(), of t > 0 made by the copies
  mutable bool made_ = false;
};

}  // namespace

CLAROS_PLUGIN(
    SplitConditionalGradient, Kind::algorithm, "split-conditional-gradient", "scg", "1.0.0",
    "Split conditional gradient over an intersection (Woodstock, Pokutta 2025)",
    "min f over C_1 n ... n C_m by linear oracles alone: copies x_i in C_i with mean xbar, v_i = argmin over "
    "C_i of <grad f(xbar) + lambda_t (x_i - xbar), v>, x_i <- x_i + gamma (v_i - x_i), lambda_t growing. The "
    "iterate is a point of the intersection on a segment from a known one towards xbar or a copy. The "
    "lambda_t (x_i - xbar) split the gradient among the sets, which gives a duality gap where the objective "
    "has a dual bound. Needs a set that is an intersection of sets with linear oracles.",
    "Woodstock, Pokutta: Splitting the conditional gradient algorithm, SIAM J. Optim. 2025, "
    "Algorithm 1; Braun, Pokutta, Weismantel: Alternating linear minimization: revisiting "
    "von Neumann's alternating projections, 2022",
    "Use it over an intersection of sets whose projections are expensive or unknown, with set.by = oracles. "
    "Its gap falls slowly, so choose a low accuracy. It needs a common point of the sets, and an objective "
    "with a dual bound for a gap. Where all sets have projections, proximal-gradient with set.by = "
    "projections takes far fewer steps.",
    "objective.use=distance objective.data='1 3 2 2.5' set.use=intersection "
    "set.by=oracles set.sets.1.use=l1-ball set.sets.1.radius=2 set.sets.2.use=l2-ball "
    "set.sets.2.radius=1.5 algorithm.use=split-conditional-gradient stop.relative_gap=1e-2")
