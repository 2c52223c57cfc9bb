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
// What sums of many terms lose, in units of epsilon.
constexpr double kLost = 16.0;
// Moves below this share of ||v|| + ||b|| are rounding.
constexpr double kStill = 32.0 * kEpsilon;
// Multiplications of one iteration for an entry of a term: its step, values and inner products.
constexpr double kMultiplications = 16.0;
// The proximal steps of the terms, beside the answer.
constexpr double kTermTolerance = 1e-12;

/// How far an answer may be from the exact one.
double distance(const Certificate& c) {
  return c.exact || c.error > 0.0 ? c.error : std::numeric_limits<double>::infinity();
}

double difference(const Element& x, const Element& y) { return std::sqrt(std::max(0.0, inner_differences(x, y, x, y))); }

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
  /// s h_i(b) - s h_i(x_i) - <u_i, b - x_i> at most, as far as the numbers tell.
  double bregman(const Element& b, double s, double m) const {
    const double at_b = s * h->value(b), at_x = s * h->value(x), apart = difference(b, x);
    if (!std::isfinite(at_b)) return std::numeric_limits<double>::infinity();
    const double rounding = kLost * kEpsilon * (std::abs(at_b) + std::abs(at_x) + norm(u) * apart);
    return std::abs(at_b - at_x - inner_difference(u, b, x)) + rounding + (inexact * apart + 0.5 * inexact * inexact) / m;
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

ProximalSum::Proof prove(const std::deque<Dual>& duals, const Element& b, double last_inexact, double s, Index steps) {
  const auto m = static_cast<double>(duals.size());
  Element moved(b.shape());
  ProximalSum::Proof proof{0.5 * last_inexact * last_inexact, 0.0, steps};
  double inexact = last_inexact;
  for (const Dual& d : duals) {
    moved.add(1.0, d.y);
    moved.add(-1.0, d.u);
    proof.change = std::max(proof.change, difference(b, d.x));
    proof.error += d.bregman(b, s, m);
    inexact += d.inexact / m;
  }
  const double turned = norm(moved);
  proof.change = std::max(proof.change, turned);
  proof.error = std::sqrt(2.0 * proof.error + (turned + inexact) * (turned + inexact)) + kEpsilon * norm(b);
  if (std::isnan(proof.error)) proof.error = std::numeric_limits<double>::infinity();
  return proof;
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
    throw Error(ErrorKind::numerical, "proximal step", "the point holds a number that is not finite", "look for a step that is too long, or for bad data");
  const Accuracy accuracy{.tolerance = kTermTolerance, .certify = true};
  Element from = v;
  make_dense(from);
  const double size = norm(from);
  std::deque<Dual> duals;
  for (std::size_t i = 0; i + 1 < terms_.size(); ++i) {
    duals.push_back({terms_[i], Element(v.shape()), Element(v.shape()), Element(v.shape()), {}, {}, 0.0});
    if (kept && kept->y.size() + 1 == terms_.size())
      duals.back().y.assign_sum(step / kept->step, kept->y[i], 0.0, kept->y[i]);
  }
  const auto m = static_cast<double>(duals.size());
  Momentum momentum;
  Element rest, best;
  Proof found;
  for (Index t = 1;; ++t) {
    Interruption::poll();
    detail::spectral_work() +=
        kMultiplications * static_cast<double>(terms_.size()) * static_cast<double>(v.shape().size());
    rest = from;
    for (const Dual& d : duals) rest.add(-1.0, d.y);
    const double inexact = distance(terms_.back()->apply(rest, step, b, accuracy));
    for (Dual& d : duals) d.step(b, step, m, accuracy);
    const Proof now = prove(duals, b, inexact, step, t);
    if (now.error <= found.error) found = now, best = b;
    if (enough(b, now) || !(now.change > kStill * (size + norm(b))) || t >= most_) {
      if (kept) keep(duals, step, *kept);
      return now.error <= 2.0 * found.error ? now : (b = best, found);
    }
    momentum.move(duals);
  }
}

Certificate Convexified::apply(const Element& v, double step, Element& x, const Accuracy& accuracy) { return apply_convexified(h_, v, step, x, accuracy); }

double Convexified::value(const Element& x) {
  const double h = h_.value(x);
  return mu_ > 0.0 ? h + 0.5 * mu_ * inner(x, x) : h;
}

Certificate apply_sum(std::span<ProximalOracle* const> terms, const Element& v, double step, Element& x, const Accuracy& accuracy, const std::string& where) {
  // Of the step's own moves, each of which leaves a multiple of itself to those that follow.
  constexpr double kMoves = 1e-3, kLeastSize = 1e-3;
  std::deque<Convexified> convex;
  std::vector<ProximalOracle*> all;
  double mu = 0.0;
  for (ProximalOracle* h : terms) {
    mu += convexifying(*h);
    all.push_back(&convex.emplace_back(*h));
  }
  if (!(step * mu < 1.0))
    throw Error(ErrorKind::usage, where, "a proximal step of length " + print_real(step) + " on a sum of weak convexity mu = " + print_real(mu) + " has no unique answer",
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
  if (!std::isfinite(proof.error))
    throw Error(ErrorKind::numerical, where,
                "no point was found where all of its terms are finite: after " + std::to_string(proof.steps) + " steps those nearest to it lie " + print_real(proof.change) + " apart",
                "see whether they have a point in common");
  Certificate certificate;
  certificate.exact = proof.error <= accuracy.tolerance * norm(x);
  certificate.error = proof.error;
  return certificate;
}

}  // namespace claros
