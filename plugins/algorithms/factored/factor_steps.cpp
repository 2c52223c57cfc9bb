// SPDX-License-Identifier: BSD-3-Clause
#include "factor_steps.hpp"

#include <claros/sdk/entries.hpp>

#include <algorithm>
#include <cmath>

using namespace claros;

namespace {

/// y <- y + a x.
void add(double a, std::span<const double> x, std::span<double> y) {
  for (std::size_t k = 0; k < y.size(); ++k) y[k] += a * x[k];
}

}  // namespace

void FactorSteps::start(const Problem& problem, const sdk::SpectralSum::Form& form) {
  function_.start(problem, form);
  estimator_ = problem.estimator;
  X_ = G_ = Element(problem.objective->shape());
  for (Numbers* numbers : {&w_, &g_, &inverse_, &moves_, &turns_}) numbers->clear();
  value_ = 0.0, t_ = 1.0;
}

bool FactorSteps::begin(const Element& X, const Element& G, double curvature) {
  w_ = function_.factors(X);
  moves_.clear(), turns_.clear();
  if (w_.empty()) return false;
  G_ = G;
  value_ = function_.value(w_, X_);
  g_.resize(w_.size()), inverse_.resize(w_.size());
  function_.gradient(w_, G_, g_);
  function_.inverse_diagonal(w_, X_, G_, curvature, inverse_);
  return std::isfinite(value_) && sdk::dot(g_, g_) > 0.0;
}

bool FactorSteps::step() {
  Numbers d = direction();
  double slope = sdk::dot(g_, d);
  if (!(slope < 0.0)) {
    moves_.clear(), turns_.clear();
    d = direction();
    slope = sdk::dot(g_, d);
  }
  if (!(slope < 0.0)) return false;
  if (search(d, slope)) return true;
  const bool tried = moves_.empty();
  moves_.clear(), turns_.clear();
  return !tried && step();
}

/// -H g, by the two loops.
FactorSteps::Numbers FactorSteps::direction() const {
  const std::size_t length = w_.size(), pairs = moves_.size() / length;
  const auto s = [&](std::size_t k) { return std::span(moves_).subspan(k * length, length); };
  const auto y = [&](std::size_t k) { return std::span(turns_).subspan(k * length, length); };
  Numbers d(g_);
  std::vector<double> along(pairs), curved(pairs);
  for (std::size_t k = pairs; k-- > 0;) {
    curved[k] = sdk::dot(s(k), y(k));
    along[k] = sdk::dot(s(k), d) / curved[k];
    add(-along[k], y(k), d);
  }
  double unit = -1.0;
  if (pairs > 0)
    unit = -curved.back() / sdk::sum_indices(length, [&](std::size_t k) {
      const double last = turns_[(pairs - 1) * length + k];
      return last * last * inverse_[k];
    });
  for (std::size_t k = 0; k < length; ++k) d[k] *= unit * inverse_[k];
  for (std::size_t k = 0; k < pairs; ++k) add(-along[k] - sdk::dot(y(k), d) / curved[k], s(k), d);
  return d;
}

bool FactorSteps::search(const Numbers& d, double slope) {
  constexpr double kShare = 1e-4, kRounding = 1e-15, kShortest = 1e-10;
  Numbers next(w_.size());
  Element X(X_.shape());
  for (t_ = 1.0; t_ > kShortest;) {
    next = w_;
    add(t_, d, next);
    const double value = function_.value(next, X);
    if (value <= value_ + kShare * t_ * slope + kRounding * std::abs(value_)) {
      w_ = std::move(next), X_ = std::move(X), value_ = value;
      const Numbers before = g_;
      G_ = estimator_->estimate(X_);
      function_.gradient(w_, G_, g_);
      remember(d, before);
      return true;
    }
    const double least = -0.5 * slope * t_ / (value - value_ - t_ * slope);  // of the parabola, of t
    t_ *= std::isfinite(least) ? std::clamp(least, 0.1, 0.5) : 0.1;
  }
  return false;
}

void FactorSteps::remember(const Numbers& d, const Numbers& before) {
  constexpr double kCurved = 1e-10;
  Numbers s(d), y(g_);
  for (double& move : s) move *= t_;
  add(-1.0, before, y);
  if (!(sdk::dot(s, y) > kCurved * std::sqrt(sdk::dot(s, s) * sdk::dot(y, y)))) return;
  const auto length = static_cast<std::ptrdiff_t>(w_.size());
  for (Numbers* all : {&moves_, &turns_})
    if (all->size() == memory_ * w_.size()) all->erase(all->begin(), all->begin() + length);
  moves_.insert(moves_.end(), s.begin(), s.end());
  turns_.insert(turns_.end(), y.begin(), y.end());
}

void FactorSteps::state(StateVisitor& v) {
  v("function", function_);
  v("w", w_);
  v("gradient of factors", g_);
  v("inverse diagonal", inverse_);
  v("moves", moves_);
  v("turns", turns_);
  v("X", X_);
  v("gradient", G_);
  v("value", value_);
  v("length", t_);
  const auto length = static_cast<std::size_t>(function_.numbers());
  v.require(w_.empty() || w_.size() == length, "w", "not the numbers of the factors");
  v.require(g_.size() == w_.size() && inverse_.size() == w_.size(), "gradient of factors",
            "not one number a number of w");
  v.require(moves_.size() == turns_.size() && moves_.size() <= memory_ * w_.size() &&
                (w_.empty() || moves_.size() % w_.size() == 0),
            "moves", "no pairs of the length of w");
}
