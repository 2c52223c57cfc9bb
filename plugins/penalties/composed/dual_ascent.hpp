// SPDX-License-Identifier: BSD-3-Clause
/// @file dual_ascent.hpp  The proximal step of g(B x) by accelerated proximal gradient on its dual.
#pragma once

#include "active_rows.hpp"
#include "column_map.hpp"
#include "image_gap.hpp"

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/interruption.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/penalties/composed_penalty.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace composed {

/// min_x t g(B x) + ||x - v||^2 / 2. Any u in dom g* gives x = v - t B'u with
///     ||x - x*||^2 <= t (g(B x) + g*(u) - <B x, u>),
/// the duality gap, since primal and dual are both strongly convex in x. u ascends by
///     u+ = prox_{s g*}(m + s B(v - t B'm)),  s = 1 / (t ||B||^2),
/// m = u + beta (u - u_before), with momentum that begins anew where it turns against the step. (Beck,
/// Teboulle 2009; O'Donoghue, Candes 2015, section 3.2.) After 40, 80, 160, ... steps come Newton steps
/// (ActiveRows), while they lower the gap: where x is a polynomial of long pieces, ascent alone is slow.
/// Where dom g* is small beside s B x, u would be the difference of numbers far larger than itself: steps of
/// a length that fits dom g* (`fit_length`) then give u the digits of its own size.
class DualAscent {
 public:
  struct Problem {
    const ColumnMap& map;
    claros::Shape image;
    double squared_norm;
    claros::ProximalOracle& g;
    claros::Conjugate& conjugate;
  };

  /// x <- the step, u <- its dual point, from that u on.
  claros::Certificate operator()(const Problem& p, std::span<const double> v, double t, std::span<double> x,
                                 std::vector<double>& u, const claros::Accuracy& accuracy) {
    constexpr int kMostSteps = 4000, kSequenceSteps = 20, kMostOfSequence = 500, kBetweenLooks = 5;
    constexpr double kFalls = 0.25;  // of the gap, in one step of a sequence that converges
    v_.assign(v.begin(), v.end()), x_.resize(v_.size()), image_.resize(u.size());
    u_ = momentum_ = claros::Element::dense(p.image, u);
    double theta = 1.0, gap = 0.0, first = 0.0;
    const double s = 1.0 / (t * p.squared_norm);
    p.map.apply(v_, image_);
    const double most = t * p.g.value(claros::Element::dense(p.image, image_));
    const auto allowed = [&] { return allowed_gap(accuracy.tolerance, most); };
    const bool sharpens = ActiveRows::suits(p.map);
    for (int k = 0, newton = kFirstNewton;; ++k) {
      if (k % kBetweenLooks == 0) {
        claros::Interruption::poll();
        gap = gap_at(p, t);
        if (gap > allowed()) gap = fit_length(p, t, s, gap);
        if (k == 0 && sharpens && gap > allowed()) gap = flatten(p, t, gap);
        if (k == newton && sharpens) gap = sharpen(p, t, s, gap, allowed), theta = 1.0;
        if (k == newton) newton *= 2;
        if (!std::isfinite(gap)) refuse_overflow();
        if (gap <= allowed() || rests(k, gap)) break;
        if (k == 0) first = gap;
        if (k >= (accuracy.sequence ? kMostOfSequence : kMostSteps)) break;
        if (accuracy.sequence && k >= kSequenceSteps && gap <= kFalls * first) break;
      }
      theta = ascend(p, t, s, theta);
    }
    const std::span<const double> values = reader_(u_);
    u.assign(values.begin(), values.end());
    std::copy(x_.begin(), x_.end(), x.begin());
    const double error = std::sqrt(gap), size = claros::sdk::euclidean_norm(x_);
    return {.exact = error <= std::max(accuracy.tolerance, kCoarse) * size || gap == 0.0, .error = error};
  }

 private:
  [[noreturn]] static void refuse_overflow() {
    throw claros::Error(claros::ErrorKind::numerical, "",
                        "the point of a proximal step holds a number that is not finite, "
                        "or products of its numbers overflow",
                        "check for a step that is too long, or for bad data");
  }
  static constexpr double kUnit = 1e-15, kCoarse = 1e-10;
  static constexpr int kFirstNewton = 40;

  /// image_ <- B(v - t B'w), x_ <- v - t B'w.
  void primal(const Problem& p, double t, const claros::Element& w) {
    p.map.apply_adjoint(reader_(w), x_);
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] = v_[j] - t * x_[j];
    p.map.apply(x_, image_);
  }
  double ascend(const Problem& p, double t, double s, double theta) {
    primal(p, t, momentum_);
    claros::Element next = momentum_;
    next.add(s, claros::Element::dense(p.image, image_));
    (void)next.dense_values();
    claros::sdk::conjugate_step(p.g, s, next, scratch_);
    const double turn = claros::inner_differences(momentum_, next, next, u_);
    const double after = turn > 0.0 ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta * theta)),
                 beta = turn > 0.0 ? 0.0 : (theta - 1.0) / after;
    momentum_.assign_sum(1.0 + beta, next, -beta, u_);
    std::swap(u_, next);
    return after;
  }
  /// A step of the length at which B x leaves dom g* a few times over, where s is much longer; the gap there.
  double fit_length(const Problem& p, double t, double s, double gap) {
    constexpr double kTimes = 4.0, kMuch = 16.0;
    const claros::Element z = claros::Element::dense(p.image, image_), before = u_;
    const double length = kTimes * p.conjugate.into_domain(z);
    if (!(length > 0.0 && kMuch * length < s) || !std::isfinite(1.0 / length)) return gap;
    u_.add(length, z);
    claros::sdk::conjugate_step(p.g, length, u_, scratch_);
    if (const double after = gap_at(p, t); after < gap) return after;
    u_ = before;
    return gap_at(p, t);
  }
  /// u <- the dual point at which all of B x vanishes, or its multiple in dom g*, where that lowers the gap:
  /// the solution from some factor of g on. The gap there.
  double flatten(const Problem& p, double t, double gap) {
    const claros::Element before = u_;
    const std::vector<double> zero(image_.size(), 0.0);
    std::vector<double> flat(image_.size(), 0.0);
    if (!active_(p.map, v_, t, zero, flat)) return gap;
    u_ = claros::Element::dense(p.image, std::move(flat));
    if (const double after = gap_at(p, t); after < gap) return momentum_ = u_, after;
    u_ = before;
    return gap_at(p, t);
  }
  /// Newton steps from u, each followed by one of ascent, which leaves it in the domain; the gap there.
  template <class Allowed>
  double sharpen(const Problem& p, double t, double s, double gap, const Allowed& allowed) {
    constexpr int kMost = 20;
    for (int k = 0; k < kMost && gap > allowed(); ++k) {
      const claros::Element before = u_;
      momentum_ = u_;
      (void)ascend(p, t, s, 1.0);
      const std::vector<double> image = scratch_.to_dense();
      std::vector<double> next = u_.to_dense();
      const bool found = active_(p.map, v_, t, image, next);
      if (found) u_ = momentum_ = claros::Element::dense(p.image, next), (void)ascend(p, t, s, 1.0);
      const double after = found ? gap_at(p, t) : gap;
      if (!(after < gap)) {
        u_ = before;
        gap = gap_at(p, t);
        break;
      }
      gap = after;
    }
    momentum_ = u_;
    return gap;
  }
  /// At x = v - t B'u, with what its sums lose; u <- the multiple of it in dom g*, which rounding may leave.
  double gap_at(const Problem& p, double t) {
    if (const double a = p.conjugate.into_domain(u_); a < 1.0) u_.scale(a);
    primal(p, t, u_);
    const claros::Element z = claros::Element::dense(p.image, image_);
    const ImageGap of_image =
        image_gap(p.g, p.conjugate, z, u_, std::sqrt(p.squared_norm), claros::sdk::euclidean_norm(x_));
    gap_size_ = t * of_image.size;
    return t * of_image.gap;
  }
  /// A part of ||x||^2, and of t g(B v): u is known to a part of itself, however small g is beside x.
  double allowed_gap(double tolerance, double most) const {
    const double size = claros::sdk::dot(x_, x_);
    return std::max(std::min(tolerance * tolerance * size, tolerance * most), 4.0 * kUnit * gap_size_);
  }
  /// True if a gap of the size of rounding has not been halved while the steps were doubled.
  bool rests(int k, double gap) {
    constexpr int kFirst = 40;
    constexpr double kRounding = 1e-11;
    if (k == 0) marked_ = 0;
    if (k < 2 * marked_ || k < kFirst) return false;
    const bool stays = marked_ > 0 && gap <= kRounding * gap_size_ && !(gap <= 0.5 * marked_gap_);
    marked_ = k;
    marked_gap_ = gap;
    return stays;
  }

  claros::sdk::DenseReader reader_;
  ActiveRows active_;
  std::vector<double> v_, x_, image_;
  claros::Element u_, momentum_, scratch_;
  int marked_ = 0;
  double marked_gap_ = 0.0, gap_size_ = 0.0;
};

}  // namespace composed
