// SPDX-License-Identifier: BSD-3-Clause
#include "step_length.hpp"

#include <claros/element/gemm.hpp>
#include <claros/element/make_dense.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <shared/algorithms/convex_penalty.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace claros;

struct Options {};

/// minimise f(x) + h(x) over x in C, f = (mu/2) ||x - c||^2 + const. Accelerated proximal steps (Beck,
/// Teboulle 2014) climb
///     -h*(u) + min_{x in C} f(x) + <u, x>.
/// The inner minimiser is x(u) = P_C(c - u/mu). A step of length t is
///     u+ = prox_{t h*}(w) = w - t prox_{h/t}(w/t),  w = v + t x(v).
/// The next v is
///     v+ = u+ + (theta - 1)/theta+ (u+ - u),  theta+ = (1 + sqrt(1 + 4 theta^2)) / 2.
/// The momentum restarts with theta = 1 if <v - u+, u+ - u> > 0 (O'Donoghue, Candes 2015). Lengths of steps
/// are those of step_length.hpp. A step makes one projection and one proximal step, and no pass over the
/// data. The iterate is x(v), which lies in C. The nearest point to v in the domain of h* is near a
/// subgradient of h there. With it Claros has a gap.
class DualAscent final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{};
    return table;
  }

  DualAscent(const Options&, const Context&) {}

  std::vector<Need> needs() const override {
    return {need::set_if_any<ProximalOracle>("x(u) is a projection onto it"),
            need::exact_estimator("its steps take the whole of f and no gradient")};
  }
  Takes takes() const override {
    return {.penalty = true,
            .set = true,
            .both = true,
            .subgradient = true,
            .reason = "its dual points belong to f + h on a set alone"};
  }
  const Element* penalty_subgradient() override {
    if (is_stale_) make_subgradient();
    return &subgradient_;
  }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("u", u_);
    v("v", v_);
    v("theta", theta_);
    v.require(theta_ >= 1.0 && std::isfinite(theta_), "theta", "below 1");
    v("step length", length_);
    v("x(v)", at_);
    is_stale_ = is_stale_ || v.loading();
  }

 private:
  void begin() override {
    h_ = problem().penalty;
    projection_ = problem().projection;
    sdk::require_convex_penalty(problem(), "dual points give bounds for convex ones alone", "three-operator");
    mu_ = curvature(problem().objective->constants());
    centre_ = Element(x().shape());
    problem().objective->add_gradient(Element(x().shape()), Batch::all(), -1.0 / mu_, centre_);
    make_dense(centre_);
    length_.start(mu_);
    theta_ = 1.0;
    // The dual point of x0: a run that begins at a solution stays there.
    v_.assign_sum(mu_, centre_, -mu_, x());
    u_ = v_ = conjugate_step(v_, mu_);
    Element first;  // the iterate is x0 until the first step
    find_point(first);
    report_step(mu_);
  }

  void move(const Element&) override {}
  bool move_without_gradient() override {
    const double t = length_.length();
    Element w;
    w.assign_sum(1.0, v_, t, at_);
    Element next = conjugate_step(w, t);
    length_.note(std::sqrt(std::max(0.0, inner_differences(next, v_, next, v_))) / t);
    if (inner_differences(v_, next, next, u_) > 0.0) theta_ = 1.0;
    const double grown = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta_ * theta_)), ahead = (theta_ - 1.0) / grown;
    Element v;
    v.assign_sum(1.0 + ahead, next, -ahead, u_);
    make_dense(v);
    std::swap(v, v_);
    u_ = std::move(next);
    theta_ = grown;
    const Element from = std::move(at_);
    find_point(x());
    length_.see(inner_differences(from, at_, v_, v), inner_differences(from, at_, from, at_));
    report_step(t);
    return true;
  }

  /// L = mu and a constant Hessian leave mu times the identity alone.
  static double curvature(const Constants& c) {
    constexpr double kSame = 1e-12;
    const double L = c.smoothness.value_or(std::numeric_limits<double>::infinity()),
                 mu = c.strong_convexity.value_or(0.0);
    if (mu > 0.0 && std::isfinite(L) && L - mu <= kSame * L && c.hessian_smoothness == 0.0) return mu;
    throw Error(ErrorKind::usage, "",
                "expected an objective whose Hessian is a multiple of the identity, such as distance without "
                "weights and holes, found one of smoothness " +
                    print_real(L) + " and strong convexity " + print_real(mu),
                "take algorithm.use = three-operator");
  }

  /// By BLAS for factors, of which a projection may have hundreds.
  static Element dense(const Element& x) {
    const LowRankForm* low = only_low_rank(x);
    if (!low || low->weights.empty()) {
      Element made(x);
      make_dense(made);
      return made;
    }
    const Index m = x.shape().rows, n = x.shape().cols, r = static_cast<Index>(low->weights.size());
    std::vector<double> left, right, entries(static_cast<std::size_t>(m * n));
    for (Index k = 0; k < r; ++k) {
      const double weight = x.parts().front().weight * low->weights[static_cast<std::size_t>(k)];
      for (const double value : low->store->left(k)) left.push_back(weight * value);
      const auto column = low->store->right(k);
      right.insert(right.end(), column.begin(), column.end());
    }
    kernels::multiply(1.0, {left.data(), m, r}, {right.data(), r, n, true}, 0.0, entries.data());
    return Element::dense(x.shape(), std::move(entries));
  }
  /// x <- P_C(c - v/mu).
  void find_point(Element& x) {
    Element z;
    z.assign_sum(1.0, centre_, -1.0 / mu_, v_);
    make_dense(z);
    if (projection_)
      (void)projection_->apply(z, 1.0, x, Accuracy{});
    else
      x = std::move(z);
    at_ = dense(x);
    is_stale_ = true;
  }
  /// prox_{t h*}(w) = w - t prox_{h/t}(w/t); 0 without h.
  Element conjugate_step(const Element& w, double t) {
    if (!h_) return dense(Element(w.shape()));
    Element scaled(w), p;
    scaled.scale(1.0 / t);
    make_dense(scaled);
    (void)h_->apply(scaled, 1.0 / t, p, Accuracy{});
    Element next;
    next.assign_sum(1.0, w, -t, p);
    make_dense(next);
    return next;
  }
  /// v, or if that is outside the domain of h*, its proximal step, which for a norm is the nearest point
  /// there.
  void make_subgradient() {
    const bool inside = !problem().conjugate || problem().conjugate->into_domain(v_) >= 1.0;
    subgradient_ = inside ? v_ : conjugate_step(v_, mu_);
    is_stale_ = false;
  }

  using PointAlgorithm::x;

  DualStepLength length_;
  ProximalOracle *h_ = nullptr, *projection_ = nullptr;
  double mu_ = 1.0, theta_ = 1.0;
  Element centre_, u_, v_, at_;  ///< at_: x(v), dense
  Element subgradient_;
  bool is_stale_ = true;
};

}  // namespace

CLAROS_PLUGIN(
    DualAscent, Kind::algorithm, "dual-ascent", "", "1.0.0",
    "Accelerated dual ascent for a squared distance with a penalty and a set (Beck, Teboulle 2014)",
    "max over u of -h*(u) + min over C of f(x) + <u, x>, for f = (mu/2) ||x - c||^2: u+ = prox of t h* at v "
    "+ t x(v), x(v) = the projection of c - v/mu onto C, with Nesterov's momentum, restarted, and steps t "
    "from the curvature that the last two points show. The iterate x(v) lies in C, and v certifies it.",
    "Beck, Teboulle: A fast dual proximal gradient algorithm for convex minimization and applications, "
    "Operations Research Letters 42, 2014; O'Donoghue, Candes: Adaptive restart for accelerated gradient "
    "schemes, Foundations of Computational Mathematics 15, 2015",
    "Use it for the squared distance to given numbers with a penalty and a set, where the projection is "
    "expensive, as for spectral sets: Claros chooses it there. h must be finite on the set, and f have a "
    "multiple of the identity as Hessian: distance without weights and holes. Else take three-operator.",
    "objective.use=distance objective.data='3 1 0; 1 2 0.1; 0 0.2 1' penalty.use=l1 penalty.lambda=0.1 "
    "set.use=nuclear-ball set.radius=3 algorithm.use=dual-ascent stop.relative_gap=1e-6")
