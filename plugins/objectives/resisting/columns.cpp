// SPDX-License-Identifier: BSD-3-Clause
#include "columns.hpp"

#include <claros/sdk/entries.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace claros;

namespace {

/// A point may lie outside S by this share of its size, by rounding, and is not seen as new. Squares are
/// known to 1e-15 or so.
constexpr double kRounding = 1e-7;

void take_off(std::span<double> x, std::span<const double> q) {
  const double along = sdk::dot(q, x);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= along * q[i];
}

void normalize(std::span<double> x) {
  const double length = sdk::euclidean_norm(x);
  for (double& entry : x) entry /= length;
}

}  // namespace

ResistingColumns::ResistingColumns(Index dimension, Index count, RandomStream stream)
    : dimension_(dimension), count_(count), stream_(stream) {}

void ResistingColumns::forget() { basis_.clear(), settled_.clear(), standing_.clear(); }

void ResistingColumns::orthogonalize(Vector& x) const {
  for (int pass = 0; pass < 2; ++pass) {
    for (const Vector& q : basis_) take_off(x, q);
    for (const Vector& q : standing_) take_off(x, q);
  }
}

void ResistingColumns::join(std::span<const double> x) {
  const double length = sdk::euclidean_norm(x);
  if (!has_room() || !(length > 0.0) || !std::isfinite(length)) return;
  Vector apart(x.begin(), x.end());
  for (double& entry : apart) entry /= length;
  if (outside(apart) <= kRounding * kRounding) return;
  standing_.clear();
  orthogonalize(apart);
  normalize(apart);
  basis_.push_back(std::move(apart));
}

void ResistingColumns::make(Index k) {
  const auto width = static_cast<std::uint64_t>(dimension_ + dimension_ % 2);  // normal numbers come in pairs
  Vector v(static_cast<std::size_t>(dimension_));
  stream_.seek(static_cast<std::uint64_t>(k) * width);
  stream_.fill_normal(v);
  orthogonalize(v);
  normalize(v);
  standing_.push_back(std::move(v));
}

void ResistingColumns::settle_next() {
  (void)column(settled());
  settled_.push_back(static_cast<Index>(basis_.size()));
  basis_.push_back(std::move(standing_.front()));
  standing_.erase(standing_.begin());
}

std::span<const double> ResistingColumns::column(Index k) {
  if (k < settled()) return basis_[static_cast<std::size_t>(settled_[static_cast<std::size_t>(k)])];
  while (static_cast<Index>(standing_.size()) <= k - settled())
    make(settled() + static_cast<Index>(standing_.size()));
  return standing_[static_cast<std::size_t>(k - settled())];
}

double ResistingColumns::outside(std::span<const double> x) const {
  double square = sdk::dot(x, x);
  for (const Vector& q : basis_) square -= std::pow(sdk::dot(q, x), 2);
  return std::isnan(square) ? sdk::kInfinity : std::max(square, 0.0);
}

void ResistingColumns::state(StateVisitor& v) {
  Vector numbers;
  for (const Vector& q : basis_) numbers.insert(numbers.end(), q.begin(), q.end());
  v("basis", numbers);
  v("settled", settled_);
  const auto d = static_cast<std::size_t>(dimension_);
  const auto size = static_cast<Index>(numbers.size() / d);
  v.require(numbers.size() % d == 0 && size <= dimension_ &&
                std::ranges::all_of(numbers, [](double entry) { return std::abs(entry) <= 1.0 + kRounding; }),
            "basis", "no unit vectors of the space");
  v.require(settled() <= count_ && std::ranges::is_sorted(settled_, std::less_equal<>()) &&
                (settled_.empty() || (settled_.front() >= 0 && settled_.back() < size)) &&
                dimension_ - size >= count_ - settled(),
            "settled", "no places of columns in the basis, or no room for the others");
  if (!v.loading()) return;
  basis_.clear(), standing_.clear();
  for (std::size_t k = 0; k < static_cast<std::size_t>(size); ++k)
    basis_.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(k * d),
                        numbers.begin() + static_cast<std::ptrdiff_t>((k + 1) * d));
}
