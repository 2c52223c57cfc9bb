// SPDX-License-Identifier: BSD-3-Clause
/// @file algorithm.hpp  The rule for the next point, and what it works on.
#pragma once

#include <claros/abilities.hpp>
#include <claros/context.hpp>
#include <claros/gradient_estimator.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/need.hpp>
#include <claros/objective.hpp>
#include <claros/proximal_oracle.hpp>

#include <limits>
#include <string>
#include <vector>

namespace claros {

struct Ledger;

/// A component that a run keeps the state of, under a name that is its own.
struct Kept {
  std::string name;   ///< "algorithm.inner"
  std::string label;  ///< in errors: "algorithm/proximal-gradient"
  Component* component = nullptr;
};

/// minimise \f$ f(x) + R(x) + h(x) \f$ over \f$ x \in C \f$. Null if the composition has none. Everything
/// outlives the algorithm.
struct Problem {
  Objective* objective = nullptr;
  Objective* smoother = nullptr;          ///< R
  ProximalOracle* penalty = nullptr;      ///< h
  Component* set = nullptr;               ///< C, for its further abilities
  LinearOracle* linear_oracle = nullptr;  ///< the linear oracle of C
  ProximalOracle* projection = nullptr;   ///< the projection of C
  GradientEstimator* estimator = nullptr;
  Conjugate* conjugate = nullptr;  ///< of h, else of C, if it is known; of the constrained coordinates
  Separable* separable = nullptr;  ///< of h, likewise
  LazyProximal* lazy = nullptr;    ///< of h
  bool subgradient = false;        ///< h on C, of which the algorithm knows penalty_subgradient()
  const Element* truth = nullptr;  ///< what the data was made from, if it is known
  Context context;
  std::shared_ptr<Ledger> ledger;  ///< of the watchers that the components stand behind, which a run needs
  std::vector<Kept> kept;          ///< everything with a state; empty: algorithm, estimator, set
};

/// The functions and sets that an algorithm takes besides f. Claros refuses any other before the run: it
/// would be left out of the solution in silence.
struct Takes {
  /// h, convex or weakly convex: h + (mu/2)||.||^2 is convex, mu = weak_convexity() < infinity (mcp, scad).
  /// Steps of h itself are below 1/mu; `apply_convexified` takes steps of every length, with g - mu x in the
  /// place of the gradient g.
  bool penalty = false;
  bool any_penalty = false;  ///< also h of infinite mu, which no multiple of ||.||^2 makes convex (l0, rank)
  bool set = false;          ///< C
  bool both = false;         ///< h and C in one composition
  bool subgradient = false;  ///< with h and C, penalty_subgradient() is known, and so a gap
  bool smoother = false;     ///< R, apart from f
  std::string reason = {};   ///< why no more: "every step minimises a linear function over the set"
  bool suits(bool with_penalty, bool with_set, bool with_smoother) const noexcept {
    return (penalty || !with_penalty) && (set || !with_set) && (both || !(with_penalty && with_set)) &&
           (smoother || !with_smoother);
  }
};

/// The facts that the last step knew about its starting point. They are NaN if it does not know them.
struct StepReport {
  double weight = std::numeric_limits<double>::quiet_NaN();  ///< step length taken
  /// Frank-Wolfe gap before the step; infinite: comes later.
  double gap = std::numeric_limits<double>::quiet_NaN();
  bool full_gradient = false;  ///< the estimate was grad f
  /// The point at which the step computed grad f last; null if it computed none, or does not say. Lives until
  /// the next step. A measurement at this point costs no pass over the data. At iterate() it costs none if
  /// this is its address.
  const Element* gradient_at = nullptr;
  /// max_b ||x_b - prox_{s_b h_b}(x_b - s_b grad_b f)|| / s_b, as the step met it; NaN if it does not
  /// know.
  double residual = std::numeric_limits<double>::quiet_NaN();
  Index coordinate_steps = 0;  ///< moves of single coordinates or blocks
  std::string divergence;      ///< why the run should end as diverged; empty: it need not
};

/// The measurement by Claros at iterate(), on the full data.
struct Measurement {
  double value = std::numeric_limits<double>::quiet_NaN();
  double gap = std::numeric_limits<double>::quiet_NaN();
  std::string gap_kind = "none";  ///< frank-wolfe, duality, none
  bool confirmed = false;         ///< of the gap; never when it is not finite
  bool bounds_minimum = false;    ///< true if value - gap is below every value on C, because f is convex
  /// For an expectation: the number of draws that all of this is measured on, and proves nothing beyond. It
  /// is 0 if f itself is measured.
  Index held_out = 0;
  /// The residual ||x - prox_{s h}(x - s grad f(x))||_F / s, divided by ||grad f(0)||_F. If f(0) is infinite,
  /// the divisor is taken at Domain::inner_point. If f has FreeTail, it is taken at the null model if it is
  /// less there. The residual is 0 at the stationary points alone. It bounds nothing. Its scale belongs to
  /// the problem, so a run that diverges makes it larger.
  double residual = std::numeric_limits<double>::quiet_NaN();
  /// Value, with the function that the smoother stands for in its place (Smoothing).
  double unsmoothed = std::numeric_limits<double>::quiet_NaN();
  double rmse_truth = std::numeric_limits<double>::quiet_NaN();  ///< ||x - truth||_F / sqrt(size)
  double test_rmse = std::numeric_limits<double>::quiet_NaN();   ///< of predictions on held-out data
};

/// A rule for the next point. Contains no timer, no print and no file: limits, stopping, status, tracing,
/// progress, interrupts, checkpoints and counts are the run loop's.
class CLAROS_API Algorithm : public Component {
 public:
  ~Algorithm() override;
  /// The abilities that it requires: {need::set<LinearOracle>("every step minimises a linear function over
  /// the set")}. `start` refuses only what depends on numbers of the objective.
  virtual std::vector<Need> needs() const = 0;
  virtual Takes takes() const = 0;
  /// Begins at x0, and forgets an earlier run: the same start makes the same steps again.
  virtual void start(const Problem& problem, Element x0) = 0;
  /// One iteration, or a block of inner iterations short enough to stop promptly (tens of milliseconds).
  virtual void step() = 0;
  virtual const Element& iterate() const = 0;
  /// The point that the run returns if it ends now.
  virtual const Element& answer() { return iterate(); }
  virtual StepReport report() const { return {}; }
  /// For h and C in one composition: u near a subgradient of h at a solution. Null if none is known yet. With
  /// g = grad f(x), every u has the gap <g, x> + h(x) + h*(u) - min_{y in C} <g + u, y>.
  virtual const Element* penalty_subgradient() { return nullptr; }
  /// Called after Claros has measured iterate().
  virtual void measured(const Measurement&) {}
  /// Once started: whether every EpochPlan that it makes has a `snapshot`.
  virtual bool plans_snapshots() const { return false; }
};

}  // namespace claros
