// SPDX-License-Identifier: BSD-3-Clause
/// @file factored_products.hpp  Inner products of the points of FISTA that are held in factors.
#pragma once

#include <claros/element/element.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace claros::sdk {

/// Products of x_k, the b = x_{k-1} before it, and y_k. The gradient was made at y_k = (1 + beta) b - beta c,
/// c = x_{k-2}. Products of factors are expensive, so each is made once: three for a new x_k, <x,x>, <x,b>
/// and <x,c>. The rest follow from those of earlier steps. They are known only if all three points are held
/// in factors, or a block of each is.
class FactoredProducts {
 public:
  /// x_k is made, perhaps again.
  void made(const Element& x, const Element& before, const Element& y) {
    known_ = in_factors(x) && in_factors(before) && in_factors(y);
    if (!known_) return;
    if (!y_known_) yy_ = inner(y, y), yb_ = inner(y, before);
    xx_ = inner(x, x);
    xb_ = inner(x, before);
    xy_ = !y_known_ ? inner(x, y) : beta_ == 0.0 ? xb_ : (1.0 + beta_) * xb_ - beta_ * inner(x, earlier_);
    if (!bb_known_) bb_ = inner(before, before);
    bb_known_ = true;
  }
  /// y_{k+1} = (1 + beta) x_k - beta x_{k-1}.
  void extrapolated(const Element& before, double beta) {
    next_known_ = known_;
    next_beta_ = beta;
    next_earlier_ = Element();
    if (!known_) return;
    next_earlier_ = before;
    next_earlier_.drop_images();
    const double a = 1.0 + beta;
    next_yy_ = a * a * xx_ - 2.0 * a * beta * xb_ + beta * beta * bb_;
    next_yb_ = a * xx_ - beta * xb_;
    next_bb_ = xx_;
  }
  /// x_k was taken: the next products are of the step from y_{k+1}.
  void accepted() {
    y_known_ = bb_known_ = next_known_;
    beta_ = next_beta_;
    earlier_ = next_earlier_;
    yy_ = next_yy_;
    yb_ = next_yb_;
    bb_ = next_bb_;
  }

  /// ||x - y||^2; null if it is not known, or is lost in rounding.
  std::optional<double> square() const {
    const double square = xx_ - 2.0 * xy_ + yy_;
    return known_ && square > kLeft * std::max(xx_, yy_) ? std::optional(square) : std::nullopt;
  }
  /// <y - x, x - b>, whose sign says if momentum turned against the gradient step; null as `square`.
  std::optional<double> turn() const {
    const double turn = (xy_ - yb_) - (xx_ - xb_);
    return known_ && std::abs(turn) > kNoise * std::max({xx_, yy_, bb_}) ? std::optional(turn) : std::nullopt;
  }

  void state(StateVisitor& v) {
    v("known", known_);
    v("y known", y_known_);
    v("before known", bb_known_);
    v("next known", next_known_);
    v("beta", beta_);
    v("next beta", next_beta_);
    v("earlier", earlier_);
    v("next earlier", next_earlier_);
    v("xx", xx_);
    v("xb", xb_);
    v("xy", xy_);
    v("yy", yy_);
    v("yb", yb_);
    v("bb", bb_);
    v("next yy", next_yy_);
    v("next yb", next_yb_);
    v("next bb", next_bb_);
  }

 private:
  static bool in_factors(const Element& x) {
    bool any = only_low_rank(x) != nullptr;
    for (Index k = 0; k < x.block_count(); ++k) any = any || in_factors(x.block(k));
    return any;
  }

  static constexpr double kLeft = 1e-11, kNoise = 4e-15;
  bool known_ = false, y_known_ = false, bb_known_ = false, next_known_ = false;
  double beta_ = 0.0, next_beta_ = 0.0;
  Element earlier_, next_earlier_;  ///< c, where all is known
  double xx_ = 0.0, xb_ = 0.0, xy_ = 0.0, yy_ = 0.0, yb_ = 0.0, bb_ = 0.0;
  double next_yy_ = 0.0, next_yb_ = 0.0, next_bb_ = 0.0;
};

}  // namespace claros::sdk
