// SPDX-License-Identifier: BSD-3-Clause
// Lanczos on symmetric operators: the algebraically largest eigenvalue, and whether it exceeds a bound.
#include "spectral/shorter_side.hpp"

#include <claros/interruption.hpp>
#include <claros/spectral/block_svd.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace claros {

using detail::ConstMatrix;
using detail::ConstVector;
using detail::size;
using detail::Vector;

namespace {

constexpr double kNegligible = 8.0 * std::numeric_limits<double>::epsilon();
/// Sides up to this are exhausted by a confirmation.
constexpr Index kSmall = 64;
/// The share of starts that may hide a larger value.
constexpr double kHidden = 1e-10;
/// Limits of `exceeds`: for a Ritz pair that counts as one, for a value that is known well enough, and for
/// the share of the spectrum that may be hidden by then.
constexpr double kSettled = 1e-3, kNear = 0.01, kHalf = 0.5;

/// Sparse checks later on, since a check costs as many operations as there are steps, squared.
bool is_due(Index steps) { return steps % (1 + steps / 12) == 0; }

/// A power of 2 that brings a vector far from 1 near it, else 1.
double unit_for(const Eigen::Ref<const Eigen::VectorXd>& vector) {
  const double length = safe_norm(vector);
  if (!(length > 0.0) || (length >= kSmallestWeight && length <= kLargestWeight)) return 1.0;
  return std::ldexp(1.0, -std::clamp(std::ilogb(length), -1000, 1000));
}

/// A Krylov space of a symmetric operator with a full basis, and the extreme Ritz pairs of it. The operator
/// counts in units of its first product: Eigen takes tridiagonal matrices of 1e-31 for diagonal ones.
class Krylov {
 public:
  using Product = std::function<void(std::span<const double>, std::span<double>)>;
  Krylov(Index side, Product product, std::vector<double> start)
      : side_(side), product_(std::move(product)), basis_(std::move(start)) {
    Vector first(basis_.data(), side_);
    first /= first.norm();
  }

  /// One product more; false when the space is exhausted.
  bool expand() {
    Interruption::poll();
    const auto known = static_cast<Index>(alpha_.size()) + 1;
    std::vector<double> fresh(size(side_));
    product_(std::span(basis_).subspan(size((known - 1) * side_), size(side_)), fresh);
    Vector next(fresh.data(), side_);
    if (!next.allFinite())
      throw Error(ErrorKind::numerical, "SymmetricLanczos", "a product with the operator is not finite",
                  "look for NaN or overflow in the operator's entries or in the point where it was formed");
    if (known == 1) unit_ = unit_for(next);
    if (unit_ != 1.0) next *= unit_;
    const ConstMatrix older(basis_.data(), side_, known);
    const Vector::PlainObject current = older.col(known - 1);
    alpha_.push_back(current.dot(next));
    scale_ = std::max(scale_, next.norm());
    for (int pass = 0; pass < 2; ++pass) {  // classical Gram-Schmidt, twice is enough
      const Eigen::VectorXd projections = older.transpose() * next;
      next.noalias() -= older * projections;
    }
    const double beta = next.norm();
    exhausted_ = known == side_ || beta <= kNegligible * scale_;
    beta_.push_back(exhausted_ ? 0.0 : beta);
    if (exhausted_) return false;
    next /= beta;
    basis_.insert(basis_.end(), fresh.begin(), fresh.end());
    return true;
  }

  /// Makes the Ritz pairs of the steps so far.
  void decompose() {
    const auto k = static_cast<Index>(alpha_.size());
    const Eigen::VectorXd diagonal = ConstVector(alpha_.data(), k),
                          off = ConstVector(beta_.data(), std::max<Index>(k - 1, 0));
    small_.computeFromTridiagonal(diagonal, off);
  }
  double largest() const { return small_.eigenvalues()[steps() - 1] / unit_; }
  double smallest() const { return small_.eigenvalues()[0] / unit_; }
  double magnitude() const { return std::max(std::abs(largest()), std::abs(smallest())); }
  /// ||A y - rho y|| of the j-th largest Ritz pair, by the recurrence.
  double residual() const {
    return beta_.back() * std::abs(small_.eigenvectors()(steps() - 1, steps() - 1)) / unit_;
  }
  Eigen::VectorXd vector(Index j) const {
    return ConstMatrix(basis_.data(), side_, steps()) * small_.eigenvectors().col(steps() - 1 - j);
  }
  Index steps() const { return static_cast<Index>(alpha_.size()); }
  bool exhausted() const { return exhausted_; }

 private:
  Index side_;
  Product product_;
  std::vector<double> basis_, alpha_, beta_;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> small_;
  double scale_ = 0.0, unit_ = 1.0;
  bool exhausted_ = false;
};

std::vector<double> random_start(Index side, RandomStream& stream) {
  std::vector<double> start(size(side));
  stream.fill_normal(start);
  return start;
}

void require_square(const LinearOperator& a, const char* who) {
  if (a.rows() != a.cols() || a.rows() < 1)
    throw Error(ErrorKind::usage, who,
                "an operator of " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()),
                "a symmetric operator is square");
}

/// Ends when the top Ritz pair meets the tolerance, or a quarter of the steps `beyond` that.
LeadingEigenpair leading(const LinearOperator& a, std::vector<double> start, double tolerance, Index most,
                         bool beyond, Index warm, std::vector<double>* kept) {
  Krylov krylov(
      a.rows(), [&](auto x, auto y) { a.apply(x, y); }, std::move(start));
  bool met = false;
  for (Index steps = 1;; ++steps) {
    const bool last = !krylov.expand() || steps >= most;
    if (!last && (met || !is_due(steps))) continue;
    krylov.decompose();
    if (last) break;
    met = krylov.residual() <= std::max(tolerance, 1e-15) * krylov.magnitude();
    if (met && !beyond) break;
    if (met) most = std::min(most, steps + 4 + steps / 4);
  }
  LeadingEigenpair pair;
  const Eigen::VectorXd y = krylov.vector(0).normalized();
  pair.vector.assign(y.data(), y.data() + y.size());
  std::vector<double> image(pair.vector.size());
  a.apply(pair.vector, image);
  const ConstVector z(image.data(), a.rows());
  pair.value = y.dot(z);
  pair.residual = safe_norm(z - pair.value * y);
  pair.matvecs = krylov.steps() + 1;
  pair.converged =
      krylov.exhausted() || (met && pair.residual <= 2.0 * std::max(tolerance, 1e-15) * krylov.magnitude());
  if (kept) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(a.rows());
    for (Index j = 0; j < std::min(warm, krylov.steps()); ++j) sum += krylov.vector(j);
    if (warm > 0) sum.normalize();
    kept->assign(sum.data(), sum.data() + (warm > 0 ? sum.size() : 0));
  }
  return pair;
}

}  // namespace

LeadingEigenpair SymmetricLanczos::solve(const LinearOperator& a, const LanczosOptions& options,
                                         RandomStream& stream) {
  require_square(a, "SymmetricLanczos::solve");
  std::vector<double> start = random_start(a.rows(), stream);
  if (options.warm_vectors > 0 && warm_.size() == start.size()) {
    Vector v(start.data(), a.rows());
    v = options.warm_noise * v.normalized() + ConstVector(warm_.data(), a.rows());
  }
  return leading(a, std::move(start), options.tolerance, options.max_matvecs - 1, false, options.warm_vectors,
                 &warm_);
}

LeadingEigenpair SymmetricLanczos::confirm(const LinearOperator& a, const LanczosOptions& options,
                                           RandomStream& stream) {
  require_square(a, "SymmetricLanczos::confirm");
  return leading(a, random_start(a.rows(), stream), a.rows() <= kSmall ? 0.0 : options.tolerance,
                 options.max_matvecs - 1, true, 0, nullptr);
}

Beyond exceeds(const LinearOperator& a, Spectrum spectrum, double bound, Index max_matvecs,
               RandomStream& stream) {
  const bool symmetric = spectrum == Spectrum::symmetric;
  if (symmetric) require_square(a, "exceeds");
  const detail::ShorterSide b(a, "exceeds");
  std::vector<double> image(size(b.longer()));
  Index matvecs = 0;
  double unit = 1.0;  // of the image: its squares may leave the range of numbers
  const auto product = [&](std::span<const double> x, std::span<double> y) {
    matvecs += symmetric ? 1 : 2;
    if (symmetric) return a.apply(x, y);
    b.apply(x, image);
    Vector scaled(image.data(), b.longer());
    if (matvecs == 2) unit = unit_for(scaled);
    if (unit != 1.0) scaled *= unit;
    b.adjoint(image, y);
  };
  Krylov krylov(b.shorter(), product, random_start(b.shorter(), stream));
  const Index each = symmetric ? 1 : 2;
  Index most = std::max<Index>(max_matvecs / each, 4);
  const auto value = [&](double ritz) {
    return symmetric ? ritz : std::sqrt(std::max(ritz, 0.0)) / std::sqrt(unit);
  };
  const double side = static_cast<double>(b.shorter()), hidden = std::log(1.648 * std::sqrt(side) / kHidden);
  const Index limit = most;
  Beyond result;
  bool met = false;
  for (Index steps = 1;; ++steps) {
    const bool last = !krylov.expand() || steps >= most;
    if (!last && (met || !is_due(steps))) continue;
    krylov.decompose();
    const double ritz = krylov.largest(), upper = value(ritz + krylov.residual());
    result.largest = upper;
    // Relative to the spectrum's width, since shifts leave a Krylov space alone.
    const double root = hidden / static_cast<double>(2 * steps - 1), share = root * root,
                 least = symmetric ? std::min(krylov.smallest(), 0.0) * 1.1 : 0.0;
    if (value(ritz) <= bound && share < 1.0) {
      const double probable = value((ritz - least) / (1.0 - share) + least);
      if (probable <= bound) result.largest = std::max(probable, value(ritz)), result.decided = true;
    }
    // The pair has settled, and is still settled a quarter of the steps later. By then a value twice as far
    // would have been seen.
    const bool settled = value(ritz) <= bound ? share < kHalf && upper <= bound &&
                                                    krylov.residual() <= kSettled * krylov.magnitude()
                                              : krylov.residual() <= kNear * std::abs(ritz);
    if (krylov.exhausted() || (last && met && settled)) result.decided = true;
    if (result.decided || (last && steps >= limit)) break;
    met = settled && b.shorter() > kSmall;
    most = met ? std::min(limit, steps + 4 + steps / 4) : limit;
  }
  result.matvecs = matvecs;
  return result;
}

}  // namespace claros
