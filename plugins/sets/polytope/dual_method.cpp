// SPDX-License-Identifier: BSD-3-Clause
#include "dual_method.hpp"

#include <Eigen/Jacobi>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polytope {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kViolated = 1e-14;  // of the size: below it a constraint is met
constexpr double kIndependent =
    1e-12;  // what a normal of length 1 leaves beside those that are held; less is rounding

}  // namespace

DualMethod::DualMethod(const Program& program, double size)
    : columns_(static_cast<Index>(program.columns())), size_(size) {
  for (std::size_t i = 0; i < program.rows(); ++i) {
    std::vector<Entry> entries;
    for (auto k = static_cast<std::size_t>(program.start[i]);
         k < static_cast<std::size_t>(program.start[i + 1]); ++k)
      entries.push_back({program.column[k], program.value[k]});
    add_row(std::move(entries), program.least[i], program.most[i]);
  }
  for (std::size_t j = 0; j < program.columns(); ++j)
    add_row({{static_cast<Index>(j), 1.0}}, program.low[j], program.high[j]);
}

void DualMethod::add_row(std::vector<Entry> entries, double least, double most) {
  double length = 0.0;
  for (const Entry& e : entries) length = std::hypot(length, e.value);
  if (length == 0.0) return;
  for (Entry& e : entries) e.value /= length;
  const auto row = static_cast<Index>(rows_.size());
  rows_.push_back(std::move(entries));
  const bool equation = least == most;  // then both constraints follow, one after the other
  if (std::isfinite(least)) constraints_.push_back({row, 1.0, least / length, equation});
  if (std::isfinite(most)) constraints_.push_back({row, -1.0, -most / length, equation});
}

double DualMethod::product(Index row, const Vector& x) const {
  double sum = 0.0;
  for (const Entry& e : rows_[static_cast<std::size_t>(row)]) sum += e.value * x[e.column];
  return sum;
}

DualMethod::Vector DualMethod::normal(const Constraint& c) const {
  Vector a = Vector::Zero(columns_);
  for (const Entry& e : rows_[static_cast<std::size_t>(c.row)]) a[e.column] += c.sign * e.value;
  return a;
}

/// True if x moves on the constraint's plane: the constraint is held, or the other half of its equation is.
/// The rounding of the other half is not a violation: no step makes it less, and the search for one drops
/// other constraints.
bool DualMethod::is_met(std::size_t i) const {
  const Constraint& c = constraints_[i];
  return is_held_[i] || (c.equation && is_held_[c.sign > 0.0 ? i + 1 : i - 1]);
}

std::size_t DualMethod::most_violated(double& by) const {
  std::size_t worst = constraints_.size();
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (is_met(i)) continue;
    const double left = missing(constraints_[i], x_);
    if (left > by) by = left, worst = i;
  }
  return worst;
}

/// Moves x to where constraint p is met, and holds it. False if rounding lets no step be made.
bool DualMethod::take_in(std::size_t p) {
  const Vector a = normal(constraints_[p]);
  double multiplier = 0.0;
  while (true) {
    const Index q = static_cast<Index>(held_.size());
    const Vector d = Q_.transpose() * a;
    const Vector change = R_.topLeftCorner(q, q).triangularView<Eigen::Upper>().solve(d.head(q));
    const double across = d.tail(columns_ - q).norm();
    const double whole = across > kIndependent ? missing(constraints_[p], x_) / (across * across) : kInfinity;
    double step = whole;
    Index first = -1;
    for (Index k = 0; k < q; ++k)
      if (const auto at = static_cast<std::size_t>(k);
          change[k] > 0.0 && !constraints_[held_[at]].equation && multipliers_[at] < step * change[k]) {
        step = multipliers_[at] / change[k];
        first = k;
      }
    if (step == kInfinity) return false;
    for (Index k = 0; k < q; ++k) multipliers_[static_cast<std::size_t>(k)] -= step * change[k];
    multiplier += step;
    if (whole < kInfinity) x_ += step * (Q_.rightCols(columns_ - q) * d.tail(columns_ - q));
    if (first < 0) return hold(p, multiplier, d), true;
    let_go(first);
  }
}

/// The reflection that leaves only the first of the last entries of d = Q' a.
void DualMethod::hold(std::size_t p, double multiplier, const Vector& d) {
  const Index q = static_cast<Index>(held_.size()), rest = columns_ - q;
  Vector tail = d.tail(rest), essential(rest - 1);
  double tau = 0.0, beta = 0.0;
  tail.makeHouseholder(essential, tau, beta);
  Vector work(columns_);
  Q_.rightCols(rest).applyHouseholderOnTheRight(essential, tau, work.data());
  R_.col(q).head(q) = d.head(q);
  R_(q, q) = beta;
  held_.push_back(p), multipliers_.push_back(multiplier);
  is_held_[p] = true;
}

/// The columns of R behind it move up by one, and rotations make them triangular again.
void DualMethod::let_go(Index place) {
  const Index q = static_cast<Index>(held_.size());
  for (Index k = place; k + 1 < q; ++k) R_.col(k).head(k + 2) = R_.col(k + 1).head(k + 2);
  for (Index k = place; k + 1 < q; ++k) {
    Eigen::JacobiRotation<double> turn;
    turn.makeGivens(R_(k, k), R_(k + 1, k));
    R_.middleCols(k, q - 1 - k).applyOnTheLeft(k, k + 1, turn.adjoint());
    Q_.applyOnTheRight(k, k + 1, turn);
  }
  is_held_[held_[static_cast<std::size_t>(place)]] = false;
  held_.erase(held_.begin() + place), multipliers_.erase(multipliers_.begin() + place);
}

/// x and the multipliers of the nearest point where all that is held is met with equality.
void DualMethod::renew(const Vector& v) {
  const Index q = static_cast<Index>(held_.size());
  Vector bounds(q);
  for (Index k = 0; k < q; ++k) bounds[k] = constraints_[held_[static_cast<std::size_t>(k)]].bound;
  const auto R = R_.topLeftCorner(q, q).triangularView<Eigen::Upper>();
  const Vector along = R.transpose().solve(bounds), turned = Q_.transpose() * v;
  x_ = Q_.leftCols(q) * along + Q_.rightCols(columns_ - q) * turned.tail(columns_ - q);
  const Vector u = R.solve(along - turned.head(q));
  for (Index k = 0; k < q; ++k)
    if (const auto at = static_cast<std::size_t>(k); constraints_[held_[at]].equation || u[k] > 0.0)
      multipliers_[at] = u[k];
}

/// x is the nearest point to x - N u for bounds that hold at x. The projection moves by no more than the
/// point does, and with the bounds by R^-T times theirs.
double DualMethod::error(const Vector& v) const {
  const Index q = static_cast<Index>(held_.size());
  Vector pull = x_ - v, off(q);
  double least = 1.0, worst = 0.0;
  for (Index k = 0; k < q; ++k) {
    const Constraint& c = constraints_[held_[static_cast<std::size_t>(k)]];
    pull -= multipliers_[static_cast<std::size_t>(k)] * normal(c);
    off[k] = missing(c, x_);
    least = std::min(least, std::abs(R_(k, k)));
  }
  (void)most_violated(worst);
  return pull.norm() + R_.topLeftCorner(q, q).triangularView<Eigen::Upper>().transpose().solve(off).norm() +
         worst / least;
}

double DualMethod::operator()(std::span<const double> v, std::span<double> x) {
  const Vector from = Eigen::Map<const Vector>(v.data(), columns_);
  x_ = from;
  held_.clear(), multipliers_.clear(), is_held_.assign(constraints_.size(), false);
  Q_ = Matrix::Identity(columns_, columns_);
  R_ = Matrix::Zero(columns_, columns_);
  // The dual function rises with every step, so none comes back; the bound is for rounding.
  bool renewed = false;
  for (std::size_t step = 0; step < 20 * (constraints_.size() + 10); ++step) {
    double by = kViolated * size_;
    const std::size_t p = most_violated(by);
    if (p < constraints_.size() && take_in(p)) {
      renewed = false;
      continue;
    }
    if (renewed) break;
    renew(from), renewed = true;
  }
  std::copy(x_.begin(), x_.end(), x.begin());
  return error(from);
}

}  // namespace polytope
