// SPDX-License-Identifier: BSD-3-Clause
/// @file full_step.hpp  Steps of the full gradient, with momentum or without, of a given length or of their
/// own.
#pragma once

#include <claros/abilities.hpp>
#include <claros/domain.hpp>
#include <claros/element/element.hpp>
#include <claros/objective.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/factored_products.hpp>
#include <shared/algorithms/step_search.hpp>

#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace claros::sdk {

/// The start of the search for the length of a step.
struct FirstLength {
  double length = 1.0;
  bool guess = false;  ///< may be too long
};

/// ||x||^2 / <x, hess f(x) x> at the inner point x of a domain, if f knows both; else 1. This length has the
/// units of f and of its variable, which a constant would not have.
inline double length_at_inner_point(Objective& f) {
  auto* domain = query<Domain>(f);
  auto* curvature = query<Curvature>(f);
  if (!domain || !curvature) return 1.0;
  const Element x = domain->inner_point(f.shape());
  Element product(f.shape());
  curvature->add_hessian_product(x, x, Batch::all(), 1.0, product);
  const double length = inner(x, x) / inner(x, product);
  return length > 0.0 && std::isfinite(length) ? length : 1.0;
}

/// The length is short enough if a component's smoothness is known, which costs less than that of f; else it
/// is a guess.
inline FirstLength first_length(Objective& f) {
  const auto known = [](double L) { return L > 0.0 && std::isfinite(L); };
  if (auto* components = query<TermConstants>(f)) {
    const double L = std::ranges::max(components->term_smoothness());
    if (known(L)) return {1.0 / L, false};
  }
  const double L = f.constants().smoothness.value_or(0.0);
  return known(L) ? FirstLength{1.0 / L, false} : FirstLength{length_at_inner_point(f), true};
}

/// FISTA (Beck, Teboulle 2009, section 4, with constant or found step size), k = 1, 2, ...:
///   x_k         = p(y_k) = prox_{s h}(y_k - s grad f(y_k)),                            (4.1)
///   theta_{k+1} = (1 + sqrt(1 + 4 theta_k^2)) / 2,                                      (4.2)
///   y_{k+1}     = x_k + ((theta_k - 1) / theta_{k+1}) (x_k - x_{k-1}),                  (4.3)
/// restarted from theta = 1 when the step turns against the gradient (O'Donoghue, Candes 2015). Without
/// momentum it is ISTA, y_{k+1} = x_k.
///
/// If f is not convex, a step with momentum must lower F = f + h by 1e-4 ||x_k - y_k||^2 / s. One that does
/// not is taken back, and the next one is a plain step from x_{k-1}. So F falls, and every limit point is
/// stationary (Li, Lin: Accelerated proximal gradient methods for nonconvex programming, NIPS 2015, the
/// nonmonotone rule with eta = 0).
///
/// StepSearch finds the lengths that are not given. If f has a domain (Domain), a step that leaves it is
/// halved, and momentum that would leave it starts anew.
class FullStep {
 public:
  /// to <- prox_{s h}(at - s g)
  using Proximal = std::function<void(const Element& at, const Element& g, double s, Element& to)>;
  using Gradient = std::function<const Element&(const Element& at)>;
  using Value = std::function<double(const Element& at)>;

  /// `first`, `guess`, `found`: of StepSearch. `falling`: F, if steps have to lower it; else empty.
  void start(Objective& f, const Element& x0, bool momentum, double first, bool guess, Value falling,
             bool found = false);
  /// One gradient and one step; its length, `given` or its own.
  double step(std::optional<double> given, const Gradient& gradient, const Proximal& proximal);

  /// x_k; a step whose length was searched is not accepted yet.
  const Element& point() const noexcept { return x_; }
  /// y_k, at which the gradient was made.
  const Element& gradient_at() const noexcept { return y_; }

  void state(StateVisitor& v);

 private:
  void make(double s, const Proximal& proximal);
  double stay_in_domain(double s, bool given, const Proximal& proximal);
  void extrapolate();
  bool falls(double s);
  void take_back();

  Objective* f_ = nullptr;
  StepSearch search_;
  FactoredProducts products_;
  Element x_, before_;    ///< x_k, x_{k-1}
  Element y_, g_, next_;  ///< y_k, the gradient there, y_{k+1}
  double beta_ = 0.0, theta_ = 1.0, next_theta_ = 1.0;
  bool momentum_ = false;
  Value value_;                           ///< F, or empty
  double value_before_ = 0.0, at_ = 0.0;  ///< F at x_{k-1} and at x_k
  bool bent_ = false;                     ///< whether y_k is not x_{k-1}
};

inline void FullStep::start(Objective& f, const Element& x0, bool momentum, double first, bool guess,
                            Value falling, bool found) {
  f_ = &f;
  value_ = std::move(falling);
  at_ = value_before_ = value_ ? value_(x0) : 0.0;
  bent_ = false;
  search_.start(f, x0.shape(), first, guess, found);
  products_ = {};
  momentum_ = momentum;
  x_ = next_ = x0;
  before_ = y_ = g_ = Element(x0.shape());
  beta_ = 0.0;
  theta_ = next_theta_ = 1.0;
}

inline double FullStep::step(std::optional<double> given, const Gradient& gradient, const Proximal& p) {
  const Element& g = gradient(next_);
  if (given || search_.accepts({y_, g_, x_, products_.square()}, next_,
                               beta_)) {  // k <- k + 1; else x_k is made again, by a shorter step
    theta_ = next_theta_;
    bent_ = beta_ > 0.0;
    value_before_ = at_;
    std::swap(before_, x_);  // what is overwritten keeps its array
    std::swap(y_, next_);
    products_.accepted();
    g_ = g;
  }
  const auto s = [&] { return given.value_or(search_.length()); };
  make(s(), p);  // (4.1)
  while (!given && search_.cuts({y_, g_, x_, products_.square()})) make(s(), p);
  const double taken = stay_in_domain(s(), given.has_value(), p);
  if (!falls(taken))
    take_back();
  else
    extrapolate();  // (4.2), (4.3)
  return taken;
}

/// If f has a domain, x_k lies in it. A given length is shortened for this step alone.
inline double FullStep::stay_in_domain(double s, bool given, const Proximal& p) {
  constexpr int kMostCuts = 100;
  for (int k = 0; k < kMostCuts && leaves_domain(*f_, x_); ++k) {
    s *= 0.5;
    if (!given) search_.shorten(s);
    make(s, p);
  }
  return s;
}

inline bool FullStep::falls(double s) {
  constexpr double kShare = 1e-4, kLost = 1e-13;
  if (!value_) return true;
  at_ = value_(x_);
  return !bent_ || at_ <= value_before_ - kShare * inner_differences(x_, y_, x_, y_) / s +
                              kLost * std::abs(value_before_);
}

inline void FullStep::take_back() {
  x_ = next_ = before_;
  at_ = value_before_;
  beta_ = 0.0;
  next_theta_ = 1.0;
  products_ = {};
  search_.discard();
}

inline void FullStep::make(double s, const Proximal& p) {
  p(y_, g_, s, x_);
  products_.made(x_, before_, y_);
}

inline void FullStep::extrapolate() {
  beta_ = 0.0;
  next_theta_ = 1.0;
  const auto turn = products_.turn();
  if (momentum_ && !((turn ? *turn : inner_differences(y_, x_, x_, before_)) > 0.0)) {
    next_theta_ = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta_ * theta_));
    beta_ = (theta_ - 1.0) / next_theta_;
  }
  if (beta_ > 0.0) next_.assign_sum(1.0 + beta_, x_, -beta_, before_);
  if (beta_ > 0.0 && leaves_domain(*f_, next_)) beta_ = 0.0, next_theta_ = 1.0;
  products_.extrapolated(before_, beta_);
  if (beta_ == 0.0) next_ = x_;
}

inline void FullStep::state(StateVisitor& v) {
  v("search", search_);
  v("products", products_);
  v("x", x_);
  v("before", before_);
  v("y", y_);
  v("g", g_);
  v("next", next_);
  v("beta", beta_);
  v("theta", theta_);
  v("next theta", next_theta_);
  v("value before", value_before_);
  v("value", at_);
  v("bent", bent_);
}

}  // namespace claros::sdk
