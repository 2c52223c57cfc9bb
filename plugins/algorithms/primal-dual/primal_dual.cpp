// SPDX-License-Identifier: BSD-3-Clause
#include "balance.hpp"
#include "image_of_point.hpp"

#include <claros/element/make_dense.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/losses/fold_fused.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <shared/algorithms/convex_penalty.hpp>
#include <shared/algorithms/finite_point.hpp>
#include <shared/algorithms/one_block.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace {

using namespace claros;

enum class Word { automatic };

struct Options {
  NumberOr<Word> step = Word::automatic, balance = Word::automatic;
};

/// minimise f(x) + g(B x) over x in C, by the gradient of f, the projection onto C, proximal steps of g* and
/// products with B and B':
///   y <- prox_{sigma g*}(y + sigma B xbar),  x+ = P_C(x - tau (grad f(x) + B'y)),  xbar = 2 x+ - x.
/// (Condat 2013, Algorithm 3.2; Vu 2013; f = 0: Chambolle, Pock 2011, Algorithm 1, theta = 1.) It converges
/// for f convex and 1/tau - sigma ||B||^2 > L/2. B'y is a subgradient of h at a solution. A penalty that is
/// not composed has B = I.
class PrimalDual final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("step", &Options::step, number_or<Word>(above(0), {{Word::automatic, "auto"}}),
            "what stands for 1/L; auto: L the smoothness of f"),
        row("balance", &Options::balance, number_or<Word>(above(0), {{Word::automatic, "auto"}}),
            "sigma/tau, the ratio of the dual step to the primal one; auto: followed from the ways that both "
            "points have gone")};
    return table;
  }

  PrimalDual(const Options& options, const Context&) : options_(options) {}

  std::vector<Need> needs() const override {
    return {need::set_if_any<ProximalOracle>("every step projects onto it"),
            need::exact_estimator("the steps are proved to converge along grad f")};
  }
  Takes takes() const override {
    return {.penalty = true,
            .set = true,
            .both = true,
            .subgradient = true,
            .reason = "the smoother is part of f"};
  }

  const Element& iterate() const override { return finite_.of(PointAlgorithm::iterate()); }
  const Element* penalty_subgradient() override { return &slope_; }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("y", y_), v("B'y", slope_), v("B x", z_), v("B xbar", ahead_);
    v("balance", balance_);
    v("tau", tau_), v("sigma", sigma_);
    v.require(tau_ > 0.0 && sigma_ > 0.0 && std::isfinite(tau_) && std::isfinite(sigma_), "tau",
              "expected steps above 0");
    v("x at the last balance", from_x_), v("y at the last balance", from_y_);
    if (!v.loading()) return;
    if (problem().penalty) image_.adjoint(y_, slope_);
    finite_.follow(x(), tau_);
  }

 private:
  void begin() override {
    sdk::require_one_block(problem());
    projection_ = problem().projection;
    sdk::require_convex_penalty(problem(), "a primal-dual step is one of its conjugate", "three-operator");
    const double L = options_.step.is_number() ? given_smoothness() : smoothness_or_zero();
    image_.start(problem(), x().shape());
    const double squared = problem().penalty ? image_.squared_norm() : 0.0;
    // y is about as large as grad f over ||B||.
    const double w = options_.balance.is_number() ? std::sqrt(options_.balance.number())
                     : L > 0.0 && squared > 0.0   ? L / std::sqrt(squared)
                                                  : 1.0;
    balance_.start(kInside * L, squared > 0.0 || L > 0.0 ? squared : 1.0, w);
    tau_ = balance_.tau();
    sigma_ = balance_.sigma();
    project(Element(x()), x());
    begin_dual();
    finite_.start(problem(), x().shape());
    finite_.follow(x(), tau_);
    report_step(tau_);
  }
  void begin_dual() {
    slope_ = Element(x().shape());
    y_ = z_ = ahead_ = Element(problem().penalty ? image_.shape() : x().shape());
    from_x_ = x();
    from_y_ = y_;
    if (!problem().penalty) return;
    image_.of(x(), z_);
    ahead_ = z_;
    (void)y_.dense_values();
    image_.adjoint(y_, slope_);
  }

  void move(const Element& g) override {
    if (t() == 0 && problem().penalty && image_.is_identity()) begin_from(g);
    if (problem().penalty) ascend();
    if (t() == 0) from_y_ = y_;
    v_.assign_sum(1.0, x(), -tau_, g);
    v_.add(-tau_, slope_);
    sdk::fold_fused(v_);
    project(v_, x());  // P_C(x - tau (grad f(x) + B'y))
    if (problem().penalty) look_ahead();
    report_step(tau_);
    if (!options_.balance.is_number() && balance_.due(t() + 1)) rebalance();
    finite_.follow(x(), tau_);
  }

  /// y <- -grad f(x0): with B = I and no set a run that begins at a solution stays there.
  void begin_from(const Element& g) {
    std::vector<double> y = g.to_dense();
    for (double& value : y) value = -value;
    y_ = Element::dense(g.shape(), std::move(y));
  }
  /// y <- prox_{sigma g*}(y + sigma B xbar).
  void ascend() {
    y_.add(sigma_, ahead_);
    make_dense(y_);
    sdk::conjugate_step(image_.outer(), sigma_, y_, scratch_);
    make_dense(y_);
    image_.adjoint(y_, slope_);
  }
  /// B xbar = 2 B x+ - B x.
  void look_ahead() {
    std::swap(scratch_, z_);
    image_.of(x(), z_);
    ahead_.assign_sum(2.0, z_, -1.0, scratch_);
  }
  void rebalance() {
    balance_.renew(std::sqrt(std::max(0.0, inner_differences(x(), from_x_, x(), from_x_))),
                   std::sqrt(std::max(0.0, inner_differences(y_, from_y_, y_, from_y_))));
    tau_ = balance_.tau();
    sigma_ = balance_.sigma();
    from_x_ = x();
    from_y_ = y_;
  }

  void project(const Element& v, Element& to) {
    if (projection_)
      (void)projection_->apply(v, 1.0, to, Accuracy{});
    else
      to = v;
  }
  /// 1/step. Throws Error(usage) if the L of f is known and no such step converges.
  double given_smoothness() const {
    const double step = options_.step.number();
    const double L = problem().objective->constants().smoothness.value_or(0.0);
    if (step * L <= 2.0 * kInside) return 1.0 / step;
    throw Error(ErrorKind::usage, "step",
                "expected at most " + print_real(2.0 * kInside / L) + ", found " + print_real(step) +
                    ": f has the smoothness L = " + print_real(L) + ", and longer steps may diverge",
                "leave it out, or take a shorter one");
  }
  /// The smoothness of f; 0 if f is linear.
  double smoothness_or_zero() const {
    const auto L = problem().objective->constants().smoothness;
    return L && *L == 0.0 && problem().penalty ? 0.0 : smoothness("step");
  }

  using PointAlgorithm::x;

  /// The share of L. Condat's bound is 1/2, and open: with equality only boundedness is proved.
  static constexpr double kInside = 0.55;

  Options options_;
  ProximalOracle* projection_ = nullptr;
  primal_dual::ImageOfPoint image_;
  primal_dual::Balance balance_;
  sdk::FinitePoint finite_{"algorithm/primal-dual"};
  double tau_ = 1.0, sigma_ = 1.0;
  Element y_, slope_;  ///< the dual point, and B'y
  Element z_, ahead_;  ///< B x, and B xbar
  Element from_x_, from_y_, v_, scratch_;
};

}  // namespace

CLAROS_PLUGIN(
    PrimalDual, Kind::algorithm, "primal-dual", "condat-vu", "1.0.0",
    "Primal-dual splitting for a penalty of a linear image and a set (Condat 2013, Vu 2013)",
    "minimise f(x) + g(B x) over C: y <- prox of sigma g* at y + sigma B xbar, x+ = P_C(x - tau (grad f(x) + "
    "B'y)), xbar = 2 x+ - x, with penalty.use = composed for g and B (any other penalty has B = I). No step "
    "solves a problem of its own. The dual point gives runs their duality gap.",
    "Condat: A primal-dual splitting method for convex optimization involving Lipschitzian, proximable and "
    "linear composite terms, JOTA 158, 2013, Algorithm 3.2; Vu: A splitting algorithm for dual monotone "
    "inclusions involving cocoercive operators, Advances in Computational Mathematics 38, 2013; Chambolle, "
    "Pock: A first-order primal-dual algorithm for convex problems with applications to imaging, JMIV 40, "
    "2011; Applegate et al.: Practical large-scale "
    "linear programming using primal-dual hybrid gradient, NeurIPS 2021 (balance of the steps)",
    "Use it for penalties of a linear image (penalty.use = composed), alone or beside a set: no step solves "
    "a problem of its own. It needs a convex penalty and the full gradient, and algorithm.step where the "
    "smoothness of f is not known. For a penalty with a cheap proximal step take proximal-gradient, beside "
    "a set three-operator.",
    "objective.use=distance objective.data='1.1 0.9 1.2 3.1 2.8 3.0' penalty.use=composed penalty.order=2 "
    "penalty.inner.use=l1 penalty.inner.lambda=0.1 algorithm.use=primal-dual stop.relative_gap=1e-6")
