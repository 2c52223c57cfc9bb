// SPDX-License-Identifier: BSD-3-Clause
#include "spectral/tridiagonal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros::detail {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// The matrix has entries of order one at most, so this is far below anything that matters.
constexpr double kTinyPivot = 1e-60;

double safe_pivot(double pivot) { return std::abs(pivot) < kTinyPivot ? -kTinyPivot : pivot; }

}  // namespace

void BidiagonalGram::assign(const std::vector<double>& alpha, const std::vector<double>& beta, Index k) {
  const auto n = static_cast<std::size_t>(k);
  scale_ = 0.0;
  for (std::size_t i = 0; i < n; ++i) scale_ = std::max({scale_, alpha[i], i + 1 < n ? beta[i] : 0.0});
  if (scale_ == 0.0) scale_ = 1.0;
  diagonal_.resize(n), off_.resize(n), forward_.resize(n), backward_.resize(n), vector_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double a = alpha[i] / scale_, above = i > 0 ? beta[i - 1] / scale_ : 0.0;
    diagonal_[i] = a * a + above * above;
    off_[i] = i + 1 < n ? a * (beta[i] / scale_) : 0.0;
  }
}

Index BidiagonalGram::count_above(double x) const {
  Index count = 0;
  double pivot = 1.0, coupling = 0.0;
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    pivot = safe_pivot(diagonal_[i] - x - coupling * coupling / pivot);
    coupling = off_[i];
    count += pivot > 0.0;
  }
  return count;
}

double BidiagonalGram::eigenvalue(Index j) const {
  double low = 0.0, high = 0.0;
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    if (j == 0) low = std::max(low, diagonal_[i]);
    high = std::max(high, diagonal_[i] + off_[i] + (i > 0 ? off_[i - 1] : 0.0));
  }
  // Bisected to the last bit: a shift that is off by more shows in the last component of the eigenvector,
  // which is the residual.
  high *= 1.0 + 4.0 * kEpsilon;
  for (int i = 0; i < 80 && high - low > 2.0 * kEpsilon * high; ++i) {
    const double middle = 0.5 * (low + high);
    (count_above(middle) > j ? low : high) = middle;
  }
  return high;
}

// D+ are the pivots from the top and D- those from the bottom. The eigenvector is found outwards from the
// position at which the two meet best (Parlett and Dhillon, "Fernando's solution to Wilkinson's problem",
// 1997).
const std::vector<double>& BidiagonalGram::eigenvector(double eigenvalue) {
  const std::size_t n = diagonal_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double shifted = diagonal_[i] - eigenvalue;
    forward_[i] = safe_pivot(i == 0 ? shifted : shifted - off_[i - 1] * off_[i - 1] / forward_[i - 1]);
  }
  for (std::size_t i = n; i-- > 0;) {
    const double shifted = diagonal_[i] - eigenvalue;
    backward_[i] = safe_pivot(i + 1 == n ? shifted : shifted - off_[i] * off_[i] / backward_[i + 1]);
  }
  std::size_t twist = 0;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    const double meeting = std::abs(forward_[i] + backward_[i] - (diagonal_[i] - eigenvalue));
    if (meeting < best) best = meeting, twist = i;
  }
  vector_[twist] = 1.0;
  double squares = 1.0;
  for (std::size_t i = twist; i-- > 0;) {
    vector_[i] = -off_[i] * vector_[i + 1] / forward_[i];
    squares += vector_[i] * vector_[i];
  }
  for (std::size_t i = twist + 1; i < n; ++i) {
    vector_[i] = -off_[i - 1] * vector_[i - 1] / backward_[i];
    squares += vector_[i] * vector_[i];
  }
  const double norm = std::sqrt(squares);
  for (double& value : vector_) value /= norm;
  return vector_;
}

}  // namespace claros::detail
