// SPDX-License-Identifier: BSD-3-Clause
#include "spectral/shorter_side.hpp"
#include "spectral/tridiagonal.hpp"

#include <claros/spectral/spectral.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros {

using detail::BidiagonalGram;
using detail::ConstMatrix;
using detail::ConstVector;
using detail::ShorterSide;
using detail::size;
using detail::Vector;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// Norms between this and its inverse can be squared.
constexpr double kSafe = 1e-140;
constexpr double kTightest = 1e-15;
/// Sides up to this are exhausted by a confirmation.
constexpr Index kExhausted = 64;
/// The share of random starts that may hide a larger value.
constexpr double kUnseen = 1e-10;

[[noreturn]] void refuse(const char* name, const std::string& value, const char* expected) {
  throw Error(ErrorKind::usage, "LanczosOptions", std::string(name) + " = " + value, expected);
}

void validate(const LanczosOptions& o) {
  if (!(o.tolerance >= 0.0 && o.tolerance < 1.0))
    refuse("tolerance", std::to_string(o.tolerance), "in [0, 1)");
  if (o.max_matvecs < 4) refuse("max_matvecs", std::to_string(o.max_matvecs), "at least 4");
  if (o.warm_vectors < 0) refuse("warm_vectors", std::to_string(o.warm_vectors), "at least 0");
  if (!(o.warm_noise > 0.0 && std::isfinite(o.warm_noise)))
    refuse("warm_noise", std::to_string(o.warm_noise), "positive and finite");
}

/// How far the top Ritz pair of k steps is from solving B'u = sigma v, by the recurrence.
double recurrence_residual(const std::vector<double>& ritz, double sigma, double alpha, double beta) {
  return sigma > 0.0 ? beta * ((alpha / sigma) * std::abs(ritz.back())) : 0.0;
}

/// The matrix is checked at every step at first, since a step is two products. It is checked ever more rarely
/// later on, since a check costs as many operations as there are steps.
bool due(Index steps) { return steps % (1 + steps / 32) == 0; }

}  // namespace

LeadingPair LanczosSolver::solve(const LinearOperator& a, const LanczosOptions& options,
                                 RandomStream& stream) {
  validate(options);
  const ShorterSide b(a, "LanczosSolver::solve", true);
  const Index length = b.shorter();
  random_start(length, stream);
  if (options.warm_vectors > 0 && static_cast<Index>(warm_.size()) == length) {
    Vector start(basis_.data(), length);
    start = options.warm_noise * start + ConstVector(warm_.data(), length);
    start.normalize();
  }
  BidiagonalGram gram;
  const Index steps = bidiagonalize(b, options.tolerance, (options.max_matvecs - 1) / 2, false, gram);
  LeadingPair pair = leading(b, options, steps, gram);
  keep_warm_start(length, steps, options.warm_vectors, gram);
  return pair;
}

LeadingPair LanczosSolver::confirm(const LinearOperator& a, const LanczosOptions& options,
                                   RandomStream& stream) {
  validate(options);
  const ShorterSide b(a, "LanczosSolver::confirm", true);
  random_start(b.shorter(), stream);
  BidiagonalGram gram;
  const double tolerance = b.shorter() <= kExhausted ? 0.0 : options.tolerance;
  const Index most = (options.max_matvecs - 2) / 2, steps = bidiagonalize(b, tolerance, most, true, gram);
  const bool exhausted = steps >= b.shorter() || alpha_.back() == 0.0 || beta_.back() == 0.0;
  LeadingPair pair = leading(b, options, steps, gram);
  // The tolerance was met, and steps beyond followed; in them the vectors of equal values may mix. With too
  // few steps much is left to chance, however small the residual.
  if (!exhausted) pair.converged = steps < most;
  const bool tall = !b.transposed();
  std::vector<double>& shorter = tall ? pair.v : pair.u;
  next_.resize(shorter.size());
  b.adjoint(tall ? pair.u : pair.v, next_);
  Vector defect(next_.data(), b.shorter());
  defect -= pair.sigma * ConstVector(shorter.data(), b.shorter());
  pair.residual = b.finite_norm(next_);
  pair.matvecs = b.matvecs();
  return pair;
}

double spectral_norm_bound(const LinearOperator& a, const LanczosOptions& options, RandomStream& stream) {
  const LeadingPair pair = LanczosSolver().confirm(a, options, stream);
  if (pair.converged) return pair.upper_estimate();
  const ShorterSide b(a, "spectral_norm_bound", true);
  const double steps = static_cast<double>(pair.matvecs - 3) / 2.0, side = static_cast<double>(b.shorter());
  const double root = std::log(1.648 * std::sqrt(side) / kUnseen) / (2.0 * steps - 1.0), share = root * root;
  return steps >= 1.0 && share < 1.0 ? pair.sigma / std::sqrt(1.0 - share)
                                     : std::numeric_limits<double>::infinity();
}

LeadingPair leading_singular_pair(const LinearOperator& a, const LanczosOptions& options,
                                  RandomStream& stream) {
  return LanczosSolver().solve(a, options, stream);
}

void LanczosSolver::random_start(Index length, RandomStream& stream) {
  basis_.resize(std::max(basis_.size(), size(length)));
  stream.fill_normal(std::span(basis_).first(size(length)));
  Vector(basis_.data(), length).normalize();
}

/// Ends when the top Ritz pair meets the tolerance, or a quarter of the steps `beyond` that.
Index LanczosSolver::bidiagonalize(const ShorterSide& b, double tolerance, Index max_steps, bool beyond,
                                   BidiagonalGram& gram) {
  alpha_.clear(), beta_.clear();
  image_.assign(size(b.longer()), 0.0);
  bool met = false;
  for (Index step = 0;; ++step) {
    const Index steps = step + 1;
    const bool last = !expand(b, step) || steps >= max_steps;
    if (!last && (met || !due(steps))) continue;
    gram.assign(alpha_, beta_, steps);
    if (last) return steps;
    const double value = gram.eigenvalue(0), sigma = gram.scale() * std::sqrt(value);
    const std::vector<double>& ritz = gram.eigenvector(value);
    met = recurrence_residual(ritz, sigma, alpha_.back(), beta_.back()) <=
          std::max(tolerance, kTightest) * sigma;
    if (met && !beyond) return steps;
    if (met) max_steps = std::min(max_steps, steps + 4 + steps / 4);
  }
}

/// One step of A V = U B: from basis vector `step` to alpha, beta and the next basis vector. False when the
/// Krylov space is exhausted (beta is then zero).
bool LanczosSolver::expand(const ShorterSide& b, Index step) {
  const Index length = b.shorter(), known = step + 1;
  // Doubled, so that growing costs a constant number of copies.
  if (basis_.size() < size((known + 1) * length)) basis_.resize(2 * size((known + 1) * length));
  const std::span<double> basis(basis_);
  const std::span<double> current = basis.subspan(size(step * length), size(length));
  const std::span<double> fresh = basis.subspan(size(known * length), size(length));

  // Both products at once, with the image not yet normalised: B'(B v - beta u_old) = alpha B'u.
  const double alpha = b.round_trip(current, step > 0 ? beta_.back() : 0.0, image_, fresh);
  Vector image(image_.data(), b.longer());
  double scale = alpha;
  for (Index i = 0; i < step; ++i) scale = std::max({scale, alpha_[size(i)], beta_[size(i)]});
  if (alpha <= 8.0 * kEpsilon * scale) {
    alpha_.push_back(0.0), beta_.push_back(0.0);
    return false;
  }
  image /= alpha;
  Vector candidate(fresh.data(), length);
  if (alpha > kSafe && alpha < 1.0 / kSafe)
    candidate /= alpha;
  else
    b.adjoint(image_, fresh);  // alpha squared would leave the range of numbers
  candidate -= alpha * ConstVector(current.data(), length);
  const ConstMatrix older(basis_.data(), length, known);
  projections_.resize(std::max(projections_.size(), size(known)));
  Vector projections(projections_.data(), known);
  double before = b.finite_norm(fresh), beta = before;
  // Classical Gram-Schmidt, again when the first pass cancelled (Daniel, Gragg, Kaufman and Stewart, 1976).
  for (int pass = 0; pass < 2 && beta > 0.0; ++pass) {
    projections.noalias() = older.transpose() * candidate;
    candidate.noalias() -= older * projections;
    beta = b.finite_norm(fresh);
    if (beta > 0.5 * before) break;
    before = beta;
  }
  const bool exhausted = known == length || beta <= 8.0 * kEpsilon * scale;
  alpha_.push_back(alpha), beta_.push_back(exhausted ? 0.0 : beta);
  if (!exhausted) candidate /= beta;
  return !exhausted;
}

LeadingPair LanczosSolver::leading(const ShorterSide& b, const LanczosOptions& options, Index steps,
                                   BidiagonalGram& gram) {
  const std::vector<double>& ritz = gram.eigenvector(gram.eigenvalue(0));
  std::vector<double> shorter(size(b.shorter())), longer(size(b.longer()));
  Vector near(shorter.data(), b.shorter());
  near.noalias() = ConstMatrix(basis_.data(), b.shorter(), steps) * ConstVector(ritz.data(), steps);
  near.normalize();
  // One more product gives sigma as a Rayleigh quotient. This is a lower bound on sigma_1 whatever was lost
  // on the way, and spares storing the longer basis.
  b.apply(shorter, longer);
  LeadingPair pair;
  pair.sigma = b.finite_norm(longer);
  pair.residual = recurrence_residual(ritz, pair.sigma, alpha_.back(), beta_.back());
  pair.converged = pair.residual <= std::max(options.tolerance, kTightest) * pair.sigma;
  if (pair.sigma > 0.0)
    Vector(longer.data(), b.longer()) /= pair.sigma;
  else
    longer[0] = 1.0;  // of the zero operator any unit vector is a singular vector
  b.deliver(std::move(longer), std::move(shorter), pair);
  return pair;
}

void LanczosSolver::keep_warm_start(Index length, Index steps, Index wanted, BidiagonalGram& gram) {
  warm_.clear();
  if (wanted == 0) return;
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(steps);
  for (Index j = 0; j < std::min(wanted, steps); ++j) {
    const std::vector<double>& ritz = gram.eigenvector(gram.eigenvalue(j));
    sum += ConstVector(ritz.data(), steps);
  }
  warm_.resize(size(length));
  Vector start(warm_.data(), length);
  start.noalias() = ConstMatrix(basis_.data(), length, steps) * sum;
  start.normalize();
}

}  // namespace claros
