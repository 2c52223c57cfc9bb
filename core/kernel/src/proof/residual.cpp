// SPDX-License-Identifier: BSD-3-Clause
#include "proof/measurer.hpp"

#include "map/spectral_work.hpp"
#include "proof/arithmetic_error.hpp"
#include "proof/feasibility.hpp"
#include "proof/null_model.hpp"

#include <claros/abilities.hpp>
#include <claros/contain.hpp>
#include <claros/domain.hpp>
#include <claros/interruption.hpp>
#include <claros/map/design_map.hpp>
#include <claros/random.hpp>
#include <claros/spectral/spectral.hpp>
#include <claros/watch/watched.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace claros {

namespace {

// The least length of s g, as a part of x, that leaves six digits of it in x - s g.
constexpr double kSixDigits = 1e6 * std::numeric_limits<double>::epsilon();

/// An estimate of L for f(x) = phi(A x) with phi'' <= D, as a rule from above. It is (sigma + residual)^2 for
/// the leading singular value of D^{1/2} A after k <= 12 Golub-Kahan-Lanczos steps, which end when the
/// residual is a fifth of sigma or k = 12. They start near grad f(0), which is a product with A' itself. A
/// small random part, the same for every run, finds directions that it leaves out. It is not a bound
/// (constants().smoothness is one, at several times the price), and need not be one. For the residuals r_s,
/// r_t by steps s < t, r_s / r_t lies between 1 and t / s. Shorter steps make larger residuals, and a point
/// that a step of 1/L leaves in place stays in place under them. Empty if f is not a loss of A x, or phi''
/// has no bound.
std::optional<double> image_smoothness(Objective& f, const Element& slope_at_zero) {
  constexpr double kTolerance = 0.2;
  constexpr Index kMatvecs = 25;
  auto* loss = query<LossOfImage>(f);
  if (!loss || !loss->map()->fuses()) return std::nullopt;
  std::vector<double> bound(static_cast<std::size_t>(loss->map()->size()));
  if (!loss->curvature_bound(bound)) return std::nullopt;
  LanczosSolver solver;
  const double length = norm(slope_at_zero);
  if (length > 0.0 && std::isfinite(length)) {
    solver.warm_start() = slope_at_zero.to_dense();
    for (double& value : solver.warm_start()) value /= length;
  }
  RandomStream stream(0, Purpose::confirmation);
  const LeadingPair pair = solver.solve(DesignOperator(loss->map(), bound),
                                        {.tolerance = kTolerance, .max_matvecs = kMatvecs}, stream);
  return pair.upper_estimate() * pair.upper_estimate();
}

}  // namespace

/// Steps onto a set without projection have no length, with a penalty that nothing makes convex no proof.
bool Residual::exists(bool has_gap) const {
  const bool unprojectable = problem_.set && !problem_.projection;
  const bool unprovable = problem_.set && problem_.penalty && std::isinf(problem_.penalty->weak_convexity());
  return (!has_gap || stop_.residual > 0) && !unprojectable && !unprovable;
}

void Residual::start(const Element& x0) {
  const Uncounted measuring(*problem_.ledger);
  scale_at_zero(x0.shape());
}

void Residual::add(const Element& x, double multiplications, Measurement& m) {
  multiplications_ = multiplications;
  know_curvatures();
  const Element g = gradient(x);
  if (std::isnan(scale_)) scale_at_zero(x.shape());
  if (std::isnan(scale_)) scale_ = norm(g), scale_in_units_ = norm_in_units(g);
  double fall = 0.0;
  const double r = proximal_residual(x, g, fall);
  const Scales scales = scales_at(x);
  const std::optional<double> in_units = residual_in_units(x, g, scales.in_units);
  m.residual = in_units ? *in_units : r == 0.0 ? 0.0 : r / scales.plain;
  // The scale of the value, or of a value that such a slope and point may have: a minimum may be 0.
  const double size = std::max(std::abs(m.value), scales.plain * norm(x));
  if (fall > 0.0) m.residual = std::max(m.residual, fall / size);
}

void Residual::know_curvatures() {
  if (curvatures_) return;
  const bool free = !problem_.set && !problem_.smoother && (!problem_.penalty || problem_.separable);
  auto* loss = free ? query<LossOfImage>(function()) : nullptr;
  curvatures_.emplace(static_cast<std::size_t>(function().shape().size()), 0.0);
  if (!loss || !loss->column_curvature(*curvatures_)) curvatures_->clear();
}

/// If phi'' has no bound, phi may be far steeper at 0 than at x. Every gradient is small beside that. The
/// scale is then at most that of the terms of grad f(x), |phi_i'| + |phi_i'' z_i| in row i, in columns of
/// random signs.
Residual::Scales Residual::scales_at(const Element& x) {
  Scales scales{scale_, scale_in_units_};
  auto* loss = query<LossOfImage>(function());
  const DesignMap* design = loss && loss->map()->fuses() ? loss->map()->design_map() : nullptr;
  if (!design || is_bounded_ == true) return scales;
  std::vector<double> bend(static_cast<std::size_t>(design->size())), slope(bend), at_zero(bend);
  if (!is_bounded_) is_bounded_ = loss->curvature_bound(bend) || function().constants().smoothness;
  if (*is_bounded_) return scales;
  const auto z = x.image(loss->map());
  loss->image_gradient({}, z, slope);
  loss->image_curvature(z, bend);
  loss->image_curvature(std::vector<double>(at_zero), at_zero);
  double square = 0.0, in_units = 0.0, of_design = 0.0;
  for (std::size_t i = 0; i < bend.size(); ++i) {
    const double term = std::abs(slope[i]) + std::abs(bend[i] * z[i]);
    square += term * term;
    if (at_zero[i] > 0.0) in_units += term * term / at_zero[i];
  }
  for (const double row : design->squared_norms()) of_design += static_cast<double>(design->outputs()) * row;
  const auto rows = static_cast<double>(bend.size()), columns = static_cast<double>(x.shape().size());
  const double here = std::sqrt(of_design * square / rows),
               here_in_units = std::sqrt(columns * in_units / rows);
  if (here > 0.0) scales.plain = std::min(scales.plain, here);
  if (here_in_units > 0.0) scales.in_units = std::min(scales.in_units, here_in_units);
  return scales;
}

double Residual::norm_in_units(const Element& g) const {
  double square = 0.0;
  const std::vector<double> slope = g.to_dense();
  for (std::size_t j = 0; j < curvatures_->size(); ++j) square += slope[j] * slope[j] / (*curvatures_)[j];
  return std::sqrt(square);
}

/// Empty if r / scale says enough.
std::optional<double> Residual::residual_in_units(const Element& x, const Element& g, double scale) const {
  if (curvatures_->empty()) return {};
  const std::vector<double> at = x.to_dense();
  std::vector<double> slope = g.to_dense();
  if (ProximalOracle* h = problem_.penalty) {
    const double mu = convexifying(*h);
    const auto* tail = query<FreeTail>(function());
    const Blocks blocks = problem_.separable->blocks(tail ? tail->constrained_shape() : x.shape());
    if (!blocks.are_single()) return {};
    const BlockStep step = problem_.separable->block_step();
    for (std::size_t j = 0; j < static_cast<std::size_t>(blocks.count()); ++j) {
      const double t = 1.0 / ((*curvatures_)[j] + mu), v = at[j] - t * slope[j];
      double next = v;
      step(static_cast<Index>(j), &v, t, &next);
      slope[j] = (std::abs(at[j] - next) + kRoundoff * (std::abs(at[j]) + std::abs(v))) / t;
    }
  }
  const double r = norm_in_units(Element::dense(x.shape(), std::move(slope)));
  return r == 0.0 ? 0.0 : r / scale;
}

/// F(x) - F(next) at least, where f(next) <= f(x) + <g, move> + ||move||^2/(2 s): a steep h falls far.
double Residual::fall_of_step(const Element& x, const Element& next, const Element& g, const Element& move,
                              double s) const {
  ProximalOracle* h = problem_.penalty;
  if (!h) return 0.0;
  const double here = h->value(x), there = h->value(next), length = norm(move);
  const double fall = here - there - inner(g, move) - length * length / (2.0 * s),
               rounding = kRoundoff * (std::abs(here) + std::abs(there) + norm(g) * length);
  return std::isfinite(fall) && fall > rounding ? fall : 0.0;
}

/// At the point of dom h nearest to 0, or the inner point of dom f; empty if f refuses, and says of none.
Element Residual::gradient_at_zero(const Shape& shape) const try {
  Objective& f = function();
  const Element zero = into_domain(problem_, names_, Element(shape));
  return gradient(leaves_domain(f, zero) ? query<Domain>(f)->inner_point(shape) : zero);
} catch (const Error&) {
  return Element(shape);
}

/// The scale of the problem: neither a far start nor a step that is too long makes it larger. NaN if it is 0
/// or not finite. Responses far from 0 make the gradient at 0 large beside every digit of the coefficients.
void Residual::scale_at_zero(const Shape& shape) {
  constexpr double kLeast = 1e-8;
  know_curvatures();
  const Element slope = gradient_at_zero(shape);
  if (!smoothness_ && proximal()) smoothness_ = smoothness(slope);
  const double at_zero = norm(slope);
  if (!(at_zero > 0.0 && std::isfinite(at_zero))) return;
  const std::optional<Element> null = null_slope();
  const auto scale = [&](double of_zero, double of_null) {
    return null ? std::min(std::max(kLeast * of_zero, of_null), of_zero) : of_zero;
  };
  scale_ = scale(at_zero, null ? norm(*null) : 0.0);
  scale_in_units_ = scale(norm_in_units(slope), null ? norm_in_units(*null) : 0.0);
}

/// If the null model is the minimum, rounding is left of its gradient. Empty if it is 0; intercepts of
/// classes, which are nowhere far from 0, would take many passes.
std::optional<Element> Residual::null_slope() try {
  constexpr double kRoughly = 1e-10;
  const auto* tail = query<FreeTail>(function());
  const Index free = tail ? function().shape().size() - tail->constrained_shape().size() : 0;
  if (free == 0 || (free > 1 && !query<Restrictable>(function()))) return {};
  return null_gradient(function(), {}, kRoughly);
} catch (const Error&) {
  return {};
}

/// It depends neither on the algorithm, nor on whether that takes R apart, nor on earlier calls of f. All
/// residuals of one problem are by one step.
std::optional<double> Residual::smoothness(const Element& slope) const {
  return contain(names_.objective, [&]() -> std::optional<double> {
    Objective* R = problem_.smoother;
    if (const auto of_image = R ? std::nullopt : image_smoothness(function(), slope)) return of_image;
    const auto of_f = function().constants().smoothness,
               of_R = R ? R->constants().smoothness : std::optional(0.0);
    return of_f && of_R ? std::optional(*of_f + *of_R) : std::nullopt;
  });
}

double Residual::proximal_residual(const Element& x, const Element& g, double& fall) {
  constexpr int kMostCuts = 200;
  ProximalOracle* h = proximal();
  if (!h) return norm(g);
  const double mu = convexifying(*h);
  Objective* R = problem_.smoother;
  if (!smoothness_) smoothness_ = smoothness(gradient_at_zero(x.shape()));
  const std::optional<double> L = *smoothness_;
  const bool known = L && *L > 0.0 && std::isfinite(*L);
  double s = known ? 1.0 / *L : visible_step(x, g);
  bool bounded = known;
  for (int cut = 0; cut < kMostCuts; ++cut, s *= 0.25) {
    Interruption::poll();
    Element v(x), next, move;
    v.scale(1.0 + s * mu);
    v.add(-s, g);
    const double inexact = proximal_step(v, s, x, next);
    if (!std::exchange(bounded, true)) {
      if (const double longest = reaching_step(x, next, g); s > longest) {
        s = 4.0 * longest;
        continue;
      }
    }
    move = next;
    move.add(-1.0, x);
    // The prox of h + mu ||.||^2/2 at v is that of h at x - t g, with length t: a concave penalty must not
    // make the residual small.
    const Distance moved = distance(next, x);
    const double length = moved.length, t = s / (1.0 + s * mu), lost = kRoundoff * norm_at_most(v),
                 error = inexact + moved.error + lost;
    if (!known && hides_moves(lost)) continue;
    if (!std::isfinite(error)) return kUnknown;
    const auto residual = [&] {
      fall = contain(names_.penalty, [&] { return fall_of_step(x, next, g, move, s); });
      return (length + error) / t;
    };
    if (known || (length == 0.0 && !moves_shortly(x, g, s))) return residual();
    if (length == 0.0) continue;
    const auto f = [&](const Element& at) {
      return contain(names_.objective, [&] { return function().value(at) + (R ? R->value(at) : 0.0); });
    };
    const double from = f(x), rounding = 1e-13 * std::abs(from);
    if (f(next) <= from + inner(g, move) + length * length / (2.0 * s) + rounding) return residual();
  }
  return kUnknown;
}

/// True if a step that is much shorter than s moves x: one of length s that does not has been lost in
/// rounding.
bool Residual::moves_shortly(const Element& x, const Element& g, double s) {
  constexpr double kShort = 1e-12;
  const double slope = norm(g), shortest = slope > 0.0 ? kSixDigits * norm_at_most(x) / slope : 0.0,
               shorter = std::max(kShort * s, shortest);
  if (!(shorter < s) || !std::isfinite(shorter)) return false;
  Element v(x), next;
  v.scale(1.0 + shorter * convexifying(*proximal()));
  v.add(-shorter, g);
  const double inexact = proximal_step(v, shorter, x, next);
  const Distance moved = distance(next, x);
  return moved.length > inexact + moved.error + kRoundoff * norm_at_most(v);
}

/// True if a point so far away is rounded by more than moves within the set can be long: any of them may then
/// seem to be 0, and every s to be short enough.
bool Residual::hides_moves(double rounding) {
  constexpr double kShare = 1e-3;
  return problem_.linear_oracle && rounding > kShare * diameter();
}

/// Along a step to a point many times as far from 0 as x and its proximal point, f may be linear as far as
/// the set reaches. A residual of at most the set's diameter over s then says nothing of x.
double Residual::reaching_step(const Element& x, const Element& next, const Element& g) const {
  constexpr double kTimes = 4.0;
  const double reach = kTimes * std::max(norm_at_most(x), norm_at_most(next)), slope = norm(g);
  return reach > 0.0 && slope > 0.0 ? reach / slope : kInfinity;
}

/// 1, or a longer step if rounding would leave less than six digits of s g in x - s g. It is always so short
/// that the norm of s g does not overflow.
double Residual::visible_step(const Element& x, const Element& g) const {
  constexpr double kFarthest = 1e100;
  const double longest = norm_at_most(x), slope = norm(g);
  const double s = slope > 0.0 ? kSixDigits * longest / slope : 1.0;
  return std::min(std::isfinite(s) ? std::max(1.0, s) : 1.0, kFarthest / std::max(slope, 1.0));
}

/// next <- the step of h, C or h on C from v. Returns a bound on its error; infinite if the oracle knows
/// none, or refuses v by its numbers, because a measurement must not end a run. If the bound is not small
/// beside the move, the step is asked for more tightly.
double Residual::proximal_step(const Element& v, double s, const Element& x, Element& next) try {
  constexpr double kShare = 0.05, kTightest = 1e-13, kCoarse = 1e-12;
  return contain(problem_.penalty ? names_.penalty : names_.set, [&] {
    if (problem_.penalty && problem_.projection) return step_on_set(v, s, x, next);
    Accuracy accuracy;
    Certificate certificate = apply_convexified(*proximal(), v, s, next, accuracy);
    if (certificate.error > std::max(kShare * distance(next, x).length, kCoarse * norm_at_most(next))) {
      accuracy.tolerance = kTightest;
      certificate = apply_convexified(*proximal(), v, s, next, accuracy);
    }
    return certificate.exact || certificate.error > 0.0 ? certificate.error : kInfinity;
  });
} catch (const Error& error) {
  if (error.kind() != ErrorKind::numerical) throw;
  next = x;
  return kInfinity;
}

/// next <- prox_{s (h + (mu/2)||.||^2 + I_C)}(v), mu = convexifying(h), by the splitting of proximal_sum.hpp,
/// whatever the algorithm does. It lies in C. Its bound is a twentieth of ||next - x||, or what was proved
/// within about multiplications_ (two iterations at least). The bound is infinite if nothing was proved.
double Residual::step_on_set(const Element& v, double s, const Element& x, Element& next) {
  constexpr double kShare = 0.05;
  constexpr Index kLeastSteps = 2, kMostSteps = 5'000;
  const double begin = detail::spectral_work();
  const auto enough = [&](const Element& b, const ProximalSum::Proof& proof) {
    if (proof.error <= kShare * std::sqrt(std::max(0.0, inner_differences(b, x, b, x)))) return true;
    return proof.steps >= kLeastSteps && detail::spectral_work() - begin >= multiplications_;
  };
  Convexified penalty(*problem_.penalty);
  return ProximalSum({&penalty, problem_.projection}, kMostSteps).apply(v, s, next, enough, &duals_).error;
}

}  // namespace claros
