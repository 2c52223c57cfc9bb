// SPDX-License-Identifier: BSD-3-Clause
#include "step_length.hpp"

#include <claros/element/make_dense.hpp>
#include <claros/objective.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/losses/fold_fused.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <shared/algorithms/answer.hpp>
#include <shared/algorithms/finite_point.hpp>

#include <cmath>

namespace {

using namespace claros;

enum class Relaxation { automatic };

struct Options {
  StepLengthOptions length;
  NumberOr<Relaxation> relaxation = Relaxation::automatic;
  sdk::Output output = sdk::Output::last;
};

/// minimise f(x) + h(x) over x in C, with the proximal step of h and the projection onto C, but no step of
/// both:
///   x_C = P_C(z),  x_h = prox_{gamma h}(2 x_C - z - gamma grad f(x_C)),  z <- z + lambda (x_h - x_C).
/// (Davis, Yin 2017, Algorithm 1.) The run keeps z as x_C + gamma u, u in the normal cone of C at x_C; u does
/// not change with gamma (Pedregosa, Gidel 2018, Algorithm 1). The proximal step has the subgradient of h at
/// x_h, and with it a gap of both. Without C it is proximal gradient, without h projected gradient, without
/// grad f Douglas-Rachford splitting. The iterate is x_C.
///
/// For f convex, gamma < 2/L and lambda < 2 - gamma L/2, x_C converges to a minimum, and ||x_h - x_C|| falls.
/// Along saga or svrg and steps of 1/(3 L_max) it converges (Pedregosa, Fatras, Casotto 2019). Along sg,
/// steps of one length come to a neighbourhood. Steps that decay come to the minimum if f is strongly convex
/// (Yurtsever, Vu, Cevher 2016). For a penalty of weak convexity mu, (mu/2)||.||^2 moves from f to the
/// penalty.
class ThreeOperator final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("relaxation", &Options::relaxation,
             number_or<Relaxation>(between(0.05, 1.95), {{Relaxation::automatic, "auto"}}),
             "share of the way from x_C to x_h that z goes; below 2 - gamma L/2; auto: 0.93 of that for "
             "convex f and h, the full gradient and steps of one length (1.4 with steps of 1/L), else 1",
             "lambda"),
         row("output", &Options::output, sdk::last_average_or_uniform(),
             "the solution: the last iterate, the mean of those that steps began from, or one of these drawn "
             "uniformly")},
        {include(&Options::length, step_length_rows())}};
    return table;
  }

  ThreeOperator(const Options& options, const Context& context)
      : options_(options),
        length_(options.length),
        answer_(options.output, context.stream(Purpose::output)) {}

  std::vector<Need> needs() const override {
    return {
        need::set_if_any<ProximalOracle>("every step projects onto it"),
        need::unbiased_estimator(
            "what is proved of three-operator splitting along estimates takes errors of mean 0 (of svrg and "
            "casvrg, with full snapshots)")};
  }
  Takes takes() const override {
    return {.penalty = true,
            .set = true,
            .both = true,
            .subgradient = true,
            .reason = "the smoother is part of f"};
  }

  const Element& iterate() const override { return finite_.of(PointAlgorithm::iterate()); }
  const Element& answer() override { return answer_.of(iterate()); }
  const Element* penalty_subgradient() override { return &slope_; }
  StepReport report() const override {
    StepReport report = PointAlgorithm::report();
    if (grown_)
      report.divergence = "the moves of the splitting became twice as long as they had been, with steps of " +
                          print_real(report.weight) +
                          ": too long; with the full gradient they must be below 2/L";
    return report;
  }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("u", u_);
    v("subgradient", slope_);
    v("length", length_);
    v("least move", least_);
    v("grown", grown_);
    v("answer", answer_);
    if (v.loading()) finite_.follow(x(), PointAlgorithm::report().weight);
  }

 private:
  void begin() override {
    h_ = problem().penalty;
    projection_ = problem().projection;
    mu_ = h_ ? convexifying(*h_) : 0.0;
    length_.start(*problem().objective, problem().estimator->exact());
    falls_ = problem().estimator->exact() && length_.is_constant() && mu_ == 0.0 &&
             is_convex(*problem().objective);
    choose_relaxation();
    u_ = slope_ = Element(x().shape());
    project(Element(x()), x());
    least_ = std::numeric_limits<double>::infinity();
    grown_ = false;
    finite_.start(problem(), x().shape());
    finite_.follow(x(), length_.at(0));
    answer_.start(iterate());
    report_step(length_.at(0));
  }

  void move(const Element& g) override {
    answer_.add(iterate());
    double gamma = length_.at(t());
    step_along(g, gamma);  // x_h = prox_{gamma h}(2 x_C - z - gamma grad f(x_C))
    while (length_.again(x(), g, x_h_)) step_along(g, gamma = length_.at(t()));
    if (problem().subgradient) slope_.assign_sum(1.0 / gamma, v_, -1.0 / gamma, x_h_);
    note_move(gamma);
    z_.assign_sum(1.0 - relaxation_, x(), gamma, u_);
    z_.add(relaxation_, x_h_);  // z <- z + lambda (x_h - x_C)
    make_dense(z_);
    project(z_, x());  // x_C = P_C(z)
    if (projection_) {
      u_.assign_sum(1.0 / gamma, z_, -1.0 / gamma, x());  // z = x_C + gamma u
      make_dense(u_);
    }
    finite_.follow(x(), gamma);
    report_step(gamma);
  }

  void step_along(const Element& g, double gamma) {
    v_.assign_sum(1.0 + gamma * mu_, x(), -gamma, u_);
    v_.add(-gamma, g);
    sdk::fold_fused(v_);
    if (h_)
      (void)apply_convexified(*h_, v_, gamma, x_h_, Accuracy{});
    else
      std::swap(x_h_, v_);
  }

  void project(const Element& z, Element& to) {
    if (projection_)
      (void)projection_->apply(z, 1.0, to, Accuracy{});
    else
      to = z;
  }

  /// The operator behind the steps is averaged if gamma < 2/L. So its moves never become longer, up to the
  /// rounding of z = x_C + gamma u.
  void note_move(double gamma) {
    constexpr double kTwice = 2.0, kRounding = 1e-6;
    const double move = std::sqrt(std::max(0.0, inner_differences(x_h_, x(), x_h_, x())));
    const double size = norm(x_h_) + norm(x()) + gamma * norm(u_);
    grown_ = grown_ || (falls_ && move > kTwice * least_ && move > kRounding * size);
    least_ = std::min(least_, move);
  }

  /// Over-relaxed steps take two thirds of the plain ones where both h and C bind.
  void choose_relaxation() {
    constexpr double kShare = 0.93;
    const double L = problem().objective->constants().smoothness.value_or(0.0), gamma = length_.at(0),
                 most = 2.0 - 0.5 * gamma * L;
    if (options_.relaxation.is_number())
      require_relaxation(options_.relaxation.number(), gamma * L < 2.0 ? most : 2.0, gamma);
    else
      relaxation_ = falls_ && h_ && projection_ && L > 0.0 ? std::max(1.0, kShare * most) : 1.0;
  }
  void require_relaxation(double given, double most, double gamma) {
    relaxation_ = given;
    if (given <= 1.0 || !problem().estimator->exact() || !length_.is_constant() || given < most) return;
    throw Error(ErrorKind::usage, "relaxation",
                "is " + print_real(given) + ", and with steps of " + print_real(gamma) +
                    " the splitting converges below " + print_real(most),
                "take less, or a shorter step");
  }

  using PointAlgorithm::x;

  Options options_;
  StepLength length_;
  sdk::Answer answer_;
  sdk::FinitePoint finite_{"algorithm/three-operator"};
  ProximalOracle *h_ = nullptr, *projection_ = nullptr;
  double mu_ = 0.0, least_ = 0.0, relaxation_ = 1.0;
  bool falls_ = false, grown_ = false;
  Element u_, x_h_, z_, v_;
  Element slope_;  ///< (v - x_h) / gamma, v what x_h is the proximal step from: a subgradient of h at x_h
};

}  // namespace

CLAROS_PLUGIN(
    ThreeOperator, Kind::algorithm, "three-operator", "davis-yin", "1.0.0",
    "Three-operator splitting for a penalty and a set (Davis, Yin 2017)",
    "Davis-Yin splitting: x_C = P_C(z), x_h = prox of gamma h at 2 x_C - z - gamma g, z <- z + lambda (x_h - "
    "x_C), with h a penalty, C a set and g from any unbiased gradient estimator. Neither needs to know the "
    "other. With one of "
    "them alone it is proximal or projected gradient. The iterate is x_C, which lies in the set.",
    "Davis, Yin: A three-operator splitting scheme and its optimization applications, Set-Valued and "
    "Variational Analysis 25, 2017, Algorithm 1; Pedregosa, Gidel: Adaptive three operator splitting, ICML "
    "2018, Algorithm 1 (line search); Yurtsever, Vu, Cevher: Stochastic three-composite convex minimization, "
    "NIPS 2016; Pedregosa, Fatras, Casotto: Proximal splitting meets variance reduction, AISTATS 2019",
    "Use it for a penalty and a set at once, each with a cheap proximal step: Claros chooses it there. "
    "Entries that the penalty moves to 0 are small in the solution, not exactly 0. For a penalty of a "
    "linear image take primal-dual; with a penalty or a set alone, proximal-gradient, which has momentum.",
    "objective.use=distance objective.data='1.1 0.9 1.2 3.1 2.8 3.0' penalty.use=tv penalty.lambda=0.1 "
    "set.use=box set.lower=0 set.upper=2 algorithm.use=three-operator stop.relative_gap=1e-6")
