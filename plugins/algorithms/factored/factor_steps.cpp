// SPDX-License-Identifier: BSD-3-Clause
#include "factor_steps.hpp"

#include <claros/element/views.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/spectral/symmetric_part.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace claros;

namespace {

/// y <- y + a x.
void add(double a, std::span<const double> x, std::span<double> y) {
  for (std::size_t k = 0; k < y.size(); ++k) y[k] += a * x[k];
}

/// The vectors u and v of the vertex -size u v', or of a symmetric one size u u'. The singular value is -<G,
/// V> / size.
TruncatedSvd pair_of(const Element& vertex, const Element& G, bool symmetric) {
  const LowRankForm& low = *only_low_rank(vertex);
  const auto u = low.store->left(0), v = low.store->right(0);
  const double weight = vertex.parts().front().weight * low.weights.front(), a = std::sqrt(sdk::dot(u, u)),
               b = std::sqrt(sdk::dot(v, v)), size = a * b * std::abs(weight),
               sign = symmetric || weight < 0.0 ? 1.0 : -1.0;
  TruncatedSvd pair;
  if (!(size > 0.0)) return pair;
  for (const double x : u) pair.u.push_back(x / a);
  for (const double x : v) pair.v.push_back(sign * x / b);
  pair.s.push_back(-inner(G, vertex) / size);
  return pair;
}

}  // namespace

void FactorSteps::start(const Problem& problem, const sdk::SpectralSum::Form& form) {
  function_.start(problem, form);
  estimator_ = problem.estimator;
  X_ = G_ = Element(problem.objective->shape());
  for (Numbers* numbers : {&w_, &g_, &inverse_}) numbers->clear();
  memory_.start(0);
  value_ = excess_ = 0.0;
  t_ = 1.0;
  leading_ = {};
  stream_.seek(0);
}

bool FactorSteps::begin(const Element& X, const Element& G, const Element& vertex, double curvature,
                        Growth growth) {
  const bool grows = growth != Growth::none;
  lacks_columns_ = false;
  Element of_pairs(X);
  if (grows && !function_.form().symmetric) (void)factor_view(of_pairs);
  w_ = function_.factors(of_pairs);
  memory_.start(w_.size());
  if (w_.empty()) return false;
  G_ = G;
  X_ = X;
  if (grows) lengthen(grow(1.0 / curvature, vertex, growth));
  memory_.start(w_.size());
  value_ = function_.value(w_, X_);
  if (grows) G_ = estimator_->estimate(X_);
  g_.resize(w_.size()), inverse_.resize(w_.size());
  function_.gradient(w_, G_, g_);
  function_.inverse_diagonal(w_, X_, G_, curvature, inverse_);
  return std::isfinite(value_) && sdk::dot(g_, g_) > 0.0;
}

/// Adds columns along singular pairs of G above the multiplier lambda. Each is as long as a proximal step of
/// that length would make it: length (sigma_k - lambda). Returns their number. At a stationary point whose
/// rank is too low, the missing pair may be above lambda by 1e-5 of it. That is less than an inexact proximal
/// step sees, among as many others as X has columns. A linear oracle finds it.
Index FactorSteps::grow(double length, const Element& vertex, Growth growth) {
  constexpr double kFurther = 1e-4;
  constexpr int kSweeps = 3, kMoreSweeps = 20;
  const Shape& shape = X_.shape();
  const Index room = std::min(shape.rows, shape.cols) - function_.rank(),
              count = std::min(room, function_.rank() / 2 + 5);
  const double lambda = function_.multiplier(X_, G_);
  if (count < 1) return 0;
  const bool far = growth == Growth::far;
  const TruncatedSvd pairs = !far && only_low_rank(vertex)
                                 ? pair_of(vertex, G_, function_.form().symmetric)
                                 : leading_pairs(count, far ? kSweeps : kMoreSweeps);
  excess_ = pairs.s.empty() ? 0.0 : std::max(0.0, pairs.s.front() / lambda - 1.0);
  Numbers weights;
  for (const double sigma : pairs.s)
    if (sigma > (far ? 1.0 + kFurther : 1.0) * lambda) weights.push_back(length * (sigma - lambda));
  lacks_columns_ = far && std::ssize(weights) == count;
  if (!weights.empty()) w_ = function_.with_columns(w_, pairs, weights);
  return static_cast<Index>(weights.size());
}

TruncatedSvd FactorSteps::leading_pairs(Index count, int sweeps) {
  const ElementOperator G(G_);
  const BlockSvd::Options options{.count = count, .leading = 1, .sweeps = sweeps};
  return function_.form().symmetric
             ? leading_.solve(SymmetricPart(G, -1.0), Spectrum::symmetric, options, stream_)
             : leading_.solve(G, Spectrum::singular, options, stream_);
}

/// The new columns, as long as is best for f along them, by a secant: f may be much less curved there than
/// anywhere.
void FactorSteps::lengthen(Index columns) {
  constexpr double kMost = 1e8;
  if (columns == 0) return;
  Element X(X_.shape());
  const double value = function_.value(w_, X), first = inner(G_, X) - inner(G_, X_);
  const Element& G = estimator_->estimate(X);
  const double second = inner(G, X) - inner(G, X_), factor = first / (first - second);
  if (!(first < 0.0 && second > first && factor > 1.0)) return;
  Numbers longer = function_.with_longer(w_, columns, std::min(factor, kMost));
  if (function_.value(longer, X) < value) w_ = std::move(longer);
}

bool FactorSteps::step() {
  Numbers d = memory_.direction(g_, inverse_);
  double slope = sdk::dot(g_, d);
  if (!(slope < 0.0)) {
    memory_.forget();
    d = memory_.direction(g_, inverse_);
    slope = sdk::dot(g_, d);
  }
  if (!(slope < 0.0)) return false;
  if (search(d, slope)) return true;
  if (memory_.empty()) return false;
  memory_.forget();
  return step();  // along the gradient
}

/// If the fall is lost in rounding the slope decides, which has more digits (Hager, Zhang 2005).
bool FactorSteps::search(const Numbers& d, double slope) {
  constexpr double kShare = 1e-4, kRounding = 1e-12, kOfSlope = 0.9, kShortest = 1e-10;
  Numbers next(w_.size()), g(w_.size());
  Element X(X_.shape());
  for (t_ = 1.0; t_ > kShortest;) {
    next = w_;
    add(t_, d, next);
    const double value = function_.value(next, X);
    const bool falls = value <= value_ + kShare * t_ * slope;
    if (falls || value <= value_ + kRounding * std::abs(value_)) {
      const Element& G = estimator_->estimate(X);
      function_.gradient(next, G, g);
      if (falls || sdk::dot(g, d) <= -kOfSlope * slope) {
        G_ = G;
        std::swap(w_, next), std::swap(g_, g), std::swap(X_, X);
        value_ = value;
        remember(d, g);
        return true;
      }
    }
    const double least = -0.5 * slope * t_ / (value - value_ - t_ * slope);  // of the parabola, of t
    t_ *= std::isfinite(least) ? std::clamp(least, 0.1, 0.5) : 0.1;
  }
  return false;
}

/// The move t d, and the change of the gradient over it; none if F is not convex there.
void FactorSteps::remember(const Numbers& d, const Numbers& before) {
  const bool curved = memory_.add_pair([&](std::size_t k) { return t_ * d[k]; },
                                       [&](std::size_t k) { return g_[k] - before[k]; });
  if (!curved) memory_.forget();
}

void FactorSteps::state(StateVisitor& v) {
  v("function", function_);
  v("w", w_);
  v("gradient of factors", g_);
  v("inverse diagonal", inverse_);
  v("X", X_);
  v("gradient", G_);
  v("value", value_);
  v("length", t_);
  const auto length = static_cast<std::size_t>(function_.numbers());
  v.require(w_.empty() || w_.size() == length, "w", "not the numbers of the factors");
  v.require(g_.size() == w_.size() && inverse_.size() == w_.size(), "gradient of factors",
            "not one number a number of w");
  v("stream", stream_);
  v("leading", leading_.basis());
  v("excess", excess_);
  v("lacks columns", lacks_columns_);
  if (v.loading()) memory_.start(w_.size());
  v("memory", memory_);
}
