// SPDX-License-Identifier: BSD-3-Clause
#include "vertex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace multipliers {

using namespace claros;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

constexpr std::size_t kMost = 200;  // columns of a basis, which every pivot factors
constexpr double kRounding = 1e-11;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

Vertex::Vertex(const Columns& A, const CornerRows& rows, std::vector<double> prices)
    : A_(A), rows_(rows), prices_(std::move(prices)), weights_(rows.targets.size()), size_(prices_.size()) {
  const double n = static_cast<double>(weights_.size());
  for (std::size_t i = 0; i < weights_.size(); ++i)
    weights_[i] = (rows_.weights.empty() ? 1.0 : rows_.weights[i]) / n;
  for (std::size_t j = 0; j < size_.size(); ++j)
    for (const double value : A_.values(static_cast<Index>(j)))
      size_[j] = std::max(size_[j], std::abs(value));
}

double Vertex::entry(Index i, Index j) const {
  const auto values = A_.values(j);
  const auto rows = A_.rows_of(j);
  if (!A_.are_sparse()) return values[at(i)];
  const auto found = std::ranges::lower_bound(rows, static_cast<std::int32_t>(i));
  return found != rows.end() && *found == i ? values[at(found - rows.begin())] : 0.0;
}

MatrixXd Vertex::entries(std::span<const Index> rows, std::span<const Index> columns) const {
  MatrixXd B(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (Index k = 0; k < B.cols(); ++k)
    for (Index i = 0; i < B.rows(); ++i) B(i, k) = entry(rows[at(i)], columns[at(k)]);
  return B;
}

/// Rows near their corner whose entries in the columns of x are independent, and these columns, less those
/// that depend on others.
bool Vertex::choose_basis(std::span<const double> x, std::span<const double> z) {
  S_.clear();
  for (std::size_t j = 0; j < x.size(); ++j)
    if (size_[j] > 0.0 && (x[j] != 0.0 || prices_[j] == 0.0)) S_.push_back(static_cast<Index>(j));
  I_.clear();
  if (S_.size() > kMost) return false;
  if (S_.empty()) return true;
  std::vector<Index> near;
  for (std::size_t i = 0; i < z.size(); ++i)
    if (weights_[i] > 0.0) near.push_back(static_cast<Index>(i));
  const auto distance = [&](Index i) { return std::abs(z[at(i)] - rows_.targets[at(i)]); };
  const std::size_t count = std::min(near.size(), 3 * S_.size() + 20);
  std::ranges::partial_sort(near, near.begin() + static_cast<std::ptrdiff_t>(count), {}, distance);
  near.resize(count);
  MatrixXd B = entries(near, S_);
  for (Index k = 0; k < B.cols(); ++k) B.col(k) /= size_[at(S_[at(k)])];
  // The nearer of two rows is the first choice.
  for (Index i = 0; i < B.rows(); ++i) B.row(i) /= static_cast<double>(i + 1);
  const Eigen::ColPivHouseholderQR<MatrixXd> rows(B.transpose());
  MatrixXd chosen(rows.rank(), B.cols());
  for (Index k = 0; k < rows.rank(); ++k) {
    const Index i = rows.colsPermutation().indices()[k];
    I_.push_back(near[at(i)]);
    chosen.row(k) = B.row(i) * static_cast<double>(i + 1);
  }
  const Eigen::ColPivHouseholderQR<MatrixXd> columns(chosen);
  std::vector<Index> S;
  for (Index k = 0; k < rows.rank(); ++k) S.push_back(S_[at(columns.colsPermutation().indices()[k])]);
  S_ = std::move(S);
  return true;
}

/// x_S, the residuals, the slopes and their gradient at the vertex of S and I.
void Vertex::move_to_vertex(std::span<const double> y) {
  const Index k = static_cast<Index>(I_.size());
  const MatrixXd B = entries(I_, S_);
  if (k > 0) lu_.compute(B);
  VectorXd b(k);
  for (Index i = 0; i < k; ++i) b[i] = y[at(I_[at(i)])];
  x_ = solved(b);
  x_ += solved(b - B * x_);
  r_.resize(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) r_[i] = -y[i];
  for (Index j = 0; j < k; ++j) A_.add(S_[at(j)], x_[j], r_);
}

Vertex::Violation Vertex::worst() {
  const Index k = static_cast<Index>(I_.size());
  held_.assign(r_.size(), 0);
  for (const Index i : I_) held_[at(i)] = 1;
  c_.resize(r_.size());
  u_.resize(r_.size());
  for (std::size_t i = 0; i < r_.size(); ++i) {
    u_[i] = held_[i] ? 0.0 : r_[i] > 0.0 ? rows_.high : rows_.low;
    c_[i] = weights_[i] * u_[i];
  }
  VectorXd g(k);
  for (Index j = 0; j < k; ++j) g[j] = A_.dot(S_[at(j)], c_) + std::copysign(prices_[at(S_[at(j)])], x_[j]);
  const VectorXd slope = k > 0 ? VectorXd(lu_.transpose().solve(-g)) : g;
  Violation most;
  const double height = rows_.high - rows_.low;
  for (Index i = 0; i < k; ++i) {
    const double w = weights_[at(I_[at(i)])], u = slope[i] / w;
    const double beyond = std::max(u - rows_.high, rows_.low - u);
    u_[at(I_[at(i)])] = std::clamp(u, rows_.low, rows_.high);
    c_[at(I_[at(i)])] = slope[i];
    if (beyond > kRounding * height && w * beyond > -most.slope)
      most = {i, true, u > rows_.high ? 1.0 : -1.0, -w * beyond};
  }
  if (most.at >= 0) return most;
  double largest = kRounding;
  for (std::size_t j = 0; j < prices_.size(); ++j) {
    const Index column = static_cast<Index>(j);
    if (!(prices_[j] < std::numeric_limits<double>::infinity()) || std::ranges::find(S_, column) != S_.end())
      continue;
    const double slope_of = A_.dot(column, c_), beyond = std::abs(slope_of) - prices_[j];
    if (!(beyond > largest * (height * size_[j] + prices_[j]))) continue;
    largest = beyond / (height * size_[j] + prices_[j]);
    most = {column, false, -std::copysign(1.0, slope_of), -beyond};
  }
  return most;
}

/// Moves along the edge until F no longer falls. False if it falls without end, by rounding.
bool Vertex::pivot(const Violation& violation) {
  const Index k = static_cast<Index>(I_.size());
  VectorXd d = VectorXd::Zero(k);
  std::vector<double> v(r_.size(), 0.0);
  if (violation.is_row) {
    d[violation.at] = violation.sign;
  } else {
    A_.add(violation.at, violation.sign, v);
    for (Index i = 0; i < k; ++i) d[i] = -v[at(I_[at(i)])];
  }
  d = solved(d);
  for (Index j = 0; j < k; ++j) A_.add(S_[at(j)], d[j], v);
  struct Kink {
    double length, gain;
    Index at;
    bool is_row;
  };
  std::vector<Kink> kinks;
  const auto farther = [](const Kink& a, const Kink& b) { return a.length > b.length; };
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!held_[i] && weights_[i] > 0.0 && (r_[i] > 0.0 ? v[i] < 0.0 : v[i] > 0.0))
      kinks.push_back({-r_[i] / v[i], weights_[i] * (rows_.high - rows_.low) * std::abs(v[i]),
                       static_cast<Index>(i), true});
  for (Index j = 0; j < k; ++j)
    if (const double price = prices_[at(S_[at(j)])]; price > 0.0 && x_[j] * d[j] < 0.0)
      kinks.push_back({-x_[j] / d[j], 2.0 * price * std::abs(d[j]), j, false});
  std::ranges::make_heap(kinks, farther);
  for (double slope = violation.slope; !kinks.empty(); kinks.pop_back()) {
    std::ranges::pop_heap(kinks, farther);
    slope += kinks.back().gain;
    if (slope >= 0.0) break;
  }
  if (kinks.empty()) return false;
  const Kink& end = kinks.back();
  if (violation.is_row && end.is_row) {
    I_[at(violation.at)] = end.at;
  } else if (violation.is_row) {
    I_.erase(I_.begin() + violation.at);
    S_.erase(S_.begin() + end.at);
  } else if (end.is_row) {
    S_.push_back(violation.at);
    I_.push_back(end.at);
  } else {
    S_[at(end.at)] = violation.at;
  }
  return true;
}

std::optional<Vertex::Found> Vertex::from(std::span<const double> x, std::span<const double> z,
                                          double spread) {
  constexpr double kWork = 1e8, kShift = 1e-9, kGolden = 0.6180339887498949;
  const auto is_finite = [](double number) { return std::isfinite(number); };
  if (!std::ranges::all_of(x, is_finite) || !std::ranges::all_of(z, is_finite)) return {};
  if (!choose_basis(x, z)) return {};
  y_.assign(rows_.targets.begin(), rows_.targets.end());
  double share = 0.0;
  for (double& y : y_) y += kShift * spread * (share = std::fmod(share + kGolden, 1.0));
  // Without prices, rounds are slow, and pivots are the way.
  const bool is_free = std::ranges::all_of(prices_, [](double price) { return price == 0.0; });
  const double size = static_cast<double>(x.size()) * static_cast<double>(z.size());
  const std::size_t most =
      20 + (is_free ? 20 : 2) * S_.size() + static_cast<std::size_t>(std::min(kWork / size, kWork));
  for (std::size_t k = 0;; ++k) {
    move_to_vertex(y_);
    const Violation violation = worst();
    if (violation.at < 0) break;
    if (k == most || S_.size() > kMost || !pivot(violation)) return {};
  }
  move_to_vertex(rows_.targets);
  Found found{std::vector<double>(prices_.size(), 0.0), u_};
  for (std::size_t j = 0; j < S_.size(); ++j) found.x[at(S_[j])] = x_[static_cast<Index>(j)];
  return found;
}

}  // namespace multipliers
