// SPDX-License-Identifier: BSD-3-Clause
#include <claros/proximal_sum.hpp>

#include "map/spectral_work.hpp"

#include <claros/element/make_dense.hpp>
#include <claros/error.hpp>
#include <claros/interruption.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace claros {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// The rounding of sums of many terms, in units of epsilon.
constexpr double kLost = 16.0;
// Moves below this share of ||v|| + ||b|| are rounding.
constexpr double kStill = 32.0 * kEpsilon;
// Up to this share terms may differ by rounding, or by steps that are still to be made, about one and the
// same point.
constexpr double kNear = 1e-6;
// Multiplications of one iteration for an entry of a term: its step, values and inner products.
constexpr double kMultiplications = 16.0;
// The proximal steps of the terms, beside the answer.
constexpr double kTermTolerance = 1e-12;

/// How far an answer may be from the exact one.
double distance(const Certificate& c) {
  return c.exact || c.error > 0.0 ? c.error : std::numeric_limits<double>::infinity();
}

double difference(const Element& x, const Element& y) {
  return std::sqrt(std::max(0.0, inner_differences(x, y, x, y)));
}

/// |s h(c) - s h(x) - <u, c - x>| and its rounding; infinite if h(c) is not finite.
double bregman(ProximalOracle& h, const Element& c, const Element& x, const Element& u, double s) {
  const double at_c = s * h.value(c), at_x = s * h.value(x);
  if (!std::isfinite(at_c)) return std::numeric_limits<double>::infinity();
  const double rounding = kLost * kEpsilon * (std::abs(at_c) + std::abs(at_x) + norm(u) * difference(c, x));
  return std::abs(at_c - at_x - inner_difference(u, c, x)) + rounding;
}

/// h_i for i < k: y_i, u_i, x_i.
struct Dual {
  ProximalOracle* h = nullptr;
  Element y, u, before, x, z;
  double inexact = 0.0;

  /// x_i = prox_{m s h_i}(b + m y_i),  u_i = y_i + (b - x_i)/m.
  void step(const Element& b, double s, double m, const Accuracy& accuracy) {
    std::swap(before, u);
    z.assign_sum(1.0, b, m, y);
    inexact = distance(h->apply(z, m * s, x, accuracy));
    u.assign_sum(1.0 / m, z, -1.0 / m, x);
    make_dense(u);
  }
  /// s h_i(c) - s h_i(x_i) - <u_i, c - x_i> at most, as far as the numbers tell.
  double bregman(const Element& c, double s, double m) const {
    const double apart = difference(c, x);
    return claros::bregman(*h, c, x, u, s) + (inexact * apart + 0.5 * inexact * inexact) / m;
  }
};

/// FISTA's momentum on all u_i at once, restarted where it turns against the step (O'Donoghue, Candes 2015).
class Momentum {
 public:
  void move(std::deque<Dual>& duals) {
    double turn = 0.0;
    for (const Dual& d : duals) turn += inner_differences(d.y, d.u, d.u, d.before);
    if (turn > 0.0) t_ = 1.0;
    const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t_ * t_)), theta = (t_ - 1.0) / next;
    t_ = next;
    for (Dual& d : duals) d.y.assign_sum(1.0 + theta, d.u, -theta, d.before);
  }

 private:
  double t_ = 1.0;
};

/// A step of the splitting: b = prox_{s h_k}(rest), of which `last_inexact` bounds the error, and the steps
/// of the others.
struct SplittingStep {
  ProximalOracle* last = nullptr;
  double s = 1.0;
  std::deque<Dual> duals = {};
  Element b = {}, rest = {}, turn = {};  ///< turn: the sum of y_i - u_i
  double last_inexact = 0.0;

  /// F(c) - D(u) = ||c - b - turn||^2/2 + sum_{i<k} bregman_i(c) + [s h_k(c) - s h_k(b) - <rest - b, c - b>]
  /// for any c. The last term is 0 at b.
  ProximalSum::Proof prove(const Element& c, Index steps) const {
    const auto m = static_cast<double>(duals.size());
    ProximalSum::Proof proof{0.5 * last_inexact * last_inexact, norm(turn), steps};
    double inexact = last_inexact;
    for (const Dual& d : duals) {
      proof.change = std::max(proof.change, difference(b, d.x));
      proof.error += d.bregman(c, s, m);
      inexact += d.inexact / m;
    }
    const double turned = &c == &b ? norm(turn) : moved(c, proof);
    proof.error = std::sqrt(2.0 * proof.error + (turned + inexact) * (turned + inexact)) + kEpsilon * norm(c);
    if (std::isnan(proof.error)) proof.error = std::numeric_limits<double>::infinity();
    return proof;
  }
  /// ||c - b - turn||, and in the proof the terms of c with h_k.
  double moved(const Element& c, ProximalSum::Proof& proof) const {
    const double apart = difference(c, b);
    Element slope(rest), by(c);
    slope.add(-1.0, b);
    by.add(-1.0, b), by.add(-1.0, turn);
    proof.error += bregman(*last, c, b, slope, s) + last_inexact * apart;
    return norm(by);
  }
};

ProximalSum::Proof prove_b(SplittingStep& step, Index steps) {
  step.turn = Element(step.b.shape());
  for (const Dual& d : step.duals) step.turn.add(1.0, d.y), step.turn.add(-1.0, d.u);
  return step.prove(step.b, steps);
}

/// Each x_i is in the domain of its own term; the one with the best proof is taken. If none is in the domains
/// of the others, b is: by rounding a point on the boundary of one domain lies outside another.
ProximalSum::Proof prove_others(const SplittingStep& step, Index steps, Element& found) {
  ProximalSum::Proof best = {.steps = steps};
  for (const Dual& d : step.duals)
    if (const auto proof = step.prove(d.x, steps); proof.error < best.error) best = proof, found = d.x;
  return best;
}

/// If v is far away, b has the rounding of v and may lie outside some domains because of it. The splitting
/// then starts again from b itself, by steps too short to move it otherwise.
void settle(const std::vector<ProximalOracle*>& terms, Index most, const SplittingStep& from, Element& b,
            ProximalSum::Proof& proof) {
  constexpr double kShort = 1e-30, kHere = 0.1;
  if (!(kHere * norm(from.rest) > norm(b))) return;
  Element nearest;
  const auto finite = [](const Element&, const ProximalSum::Proof& now) { return std::isfinite(now.error); };
  if (!std::isfinite(ProximalSum(terms, most).apply(b, kShort * from.s, nearest, finite).error)) return;
  proof = from.prove(nearest, proof.steps);
  b = nearest;
}

void keep(const std::deque<Dual>& duals, double step, ProximalSum::Duals& kept) {
  kept.step = step;
  kept.y.clear();
  for (const Dual& d : duals) kept.y.push_back(d.u);
}

}  // namespace

ProximalSum::Proof ProximalSum::apply(const Element& v, double step, Element& b, const Enough& enough,
                                      Duals* kept) const {
  if (!all_finite(v))
    throw Error(ErrorKind::numerical, "proximal step", "the point holds a number that is not finite",
                "look for a step that is too long, or for bad data");
  const Accuracy accuracy{.tolerance = kTermTolerance, .certify = true};
  Element from = v;
  make_dense(from);
  const double size = norm(from);
  SplittingStep now{.last = terms_.back(), .s = step};
  for (std::size_t i = 0; i + 1 < terms_.size(); ++i) {
    now.duals.push_back({terms_[i], Element(v.shape()), Element(v.shape()), Element(v.shape()), {}, {}, 0.0});
    if (kept && kept->y.size() + 1 == terms_.size())
      now.duals.back().y.assign_sum(step / kept->step, kept->y[i], 0.0, kept->y[i]);
  }
  const auto m = static_cast<double>(now.duals.size());
  Momentum momentum;
  Element best;
  Proof found;
  for (Index t = 1;; ++t) {
    Interruption::poll();
    detail::spectral_work() +=
        kMultiplications * static_cast<double>(terms_.size()) * static_cast<double>(v.shape().size());
    now.rest = from;
    for (const Dual& d : now.duals) now.rest.add(-1.0, d.y);
    now.last_inexact = distance(now.last->apply(now.rest, step, now.b, accuracy));
    for (Dual& d : now.duals) d.step(now.b, step, m, accuracy);
    Proof proof = prove_b(now, t);
    b = now.b;
    const bool near = proof.change <= kNear * (size + norm(b));
    if (near && !std::isfinite(proof.error))
      if (const Proof other = prove_others(now, t, b); std::isfinite(other.error)) proof = other;
    if (proof.error <= found.error) found = proof, best = b;
    if (enough(b, proof) || !(proof.change > kStill * (size + norm(b))) || t >= most_) {
      if (kept) keep(now.duals, step, *kept);
      if (!(proof.error <= 2.0 * found.error)) proof = found, b = best;
      if (near && !std::isfinite(proof.error)) settle(terms_, most_, now, b, proof);
      return proof;
    }
    momentum.move(now.duals);
  }
}

Certificate Convexified::apply(const Element& v, double step, Element& x, const Accuracy& accuracy) {
  return apply_convexified(h_, v, step, x, accuracy);
}

double Convexified::value(const Element& x) {
  const double h = h_.value(x);
  return mu_ > 0.0 ? h + 0.5 * mu_ * inner(x, x) : h;
}

Certificate apply_sum(std::span<ProximalOracle* const> terms, const Element& v, double step, Element& x,
                      const Accuracy& accuracy, const std::string& where, double apart) {
  // The accuracy of the step's own moves, each of which passes a multiple of its error to those that follow.
  constexpr double kMoves = 1e-3, kLeastSize = 1e-3;
  std::deque<Convexified> convex;
  std::vector<ProximalOracle*> all;
  double mu = 0.0;
  for (ProximalOracle* h : terms) {
    mu += convexifying(*h);
    all.push_back(&convex.emplace_back(*h));
  }
  if (!(step * mu < 1.0))
    throw Error(ErrorKind::usage, where,
                "a proximal step of length " + print_real(step) +
                    " on a sum of weak convexity mu = " + print_real(mu) + " has no unique answer",
                "take a step below " + print_real(1.0 / mu) + ", or terms that are less concave");
  const double shrink = 1.0 - step * mu;
  Element from = v;
  from.scale(1.0 / shrink);
  const double least = kLeastSize * norm(from);
  const auto target = [&](const Element& b) { return accuracy.tolerance * std::max(norm(b), least); };
  const auto enough = [&](const Element& b, const ProximalSum::Proof& proof) {
    return std::isfinite(proof.error) && (proof.error <= target(b) || proof.change <= kMoves * target(b));
  };
  const ProximalSum::Proof proof = ProximalSum(all).apply(from, step / shrink, x, enough);
  if (!std::isfinite(proof.error) && !(proof.change <= apart * norm(x)))
    throw Error(ErrorKind::numerical, where,
                "no point was found where all of its terms are finite: after " + std::to_string(proof.steps) +
                    " steps those nearest to it lie " + print_real(proof.change) + " apart",
                "see whether they have a point in common");
  Certificate certificate;
  certificate.exact = proof.error <= accuracy.tolerance * norm(x);
  certificate.error = proof.error;
  return certificate;
}

}  // namespace claros
