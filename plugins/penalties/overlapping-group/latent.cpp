// SPDX-License-Identifier: BSD-3-Clause
#include "latent.hpp"

#include <Eigen/SparseCholesky>

namespace overlapping_group {

using claros::sdk::kInfinity;

void Latent::collect(const claros::sdk::Groups& groups, std::span<const double> v, double t) {
  groups_.clear(), v_.clear(), where_.clear(), around_.clear();
  place_.assign(v.size(), -1);
  unit_ = claros::sdk::largest_magnitude(v);
  if (unit_ == 0.0) return;
  constexpr double kNothing = 1e-140;  // its square would vanish
  std::vector<double> mine;
  for (std::size_t g = 0; g < groups.count(); ++g) {
    const auto entry = [&](std::size_t k) {
      return groups.contiguous() ? groups.first(g) + k : static_cast<std::size_t>(groups.members(g)[k]);
    };
    mine.clear();
    for (std::size_t k = 0; k < groups.size(g); ++k) {
      const double value = v[entry(k)] / unit_;
      mine.push_back(std::abs(value) > kNothing ? value : 0.0);
    }
    const double r = c_ > 0.0 ? t / unit_ * groups.weight(g) : groups.weight(g);
    if (!(claros::sdk::euclidean_norm(mine) > (c_ > 0.0 ? r : 0.0))) continue;
    groups_.push_back({r, {}});
    for (std::size_t k = 0; k < groups.size(g); ++k) {
      if (mine[k] == 0.0) continue;
      std::int32_t& place = place_[entry(k)];
      if (place < 0) {
        place = static_cast<std::int32_t>(v_.size());
        v_.push_back(mine[k]), where_.push_back(static_cast<std::int32_t>(entry(k))), around_.emplace_back();
      }
      groups_.back().entries.push_back(place);
      around_[static_cast<std::size_t>(place)].push_back(static_cast<std::int32_t>(groups_.size()) - 1);
    }
  }
}

void Latent::evaluate(State& at) const {
  const auto count = static_cast<Eigen::Index>(groups_.size());
  at.n.assign(v_.size(), c_);
  at.slope.resize(count), at.length.resize(count);
  at.F = 0.0;
  at.left = 0.0;
  for (std::size_t j = 0; j < v_.size(); ++j) {
    for (const std::int32_t g : around_[j]) at.n[j] += at.nu[g];
    at.F += 0.5 * square(j) / at.n[j];
  }
  for (Eigen::Index g = 0; g < count; ++g) {
    const Group& group = groups_[static_cast<std::size_t>(g)];
    double sum = 0.0;
    for (const std::int32_t j : group.entries) {
      const double s = v_[static_cast<std::size_t>(j)] / at.n[static_cast<std::size_t>(j)];
      sum += s * s;
    }
    at.length[g] = std::sqrt(sum);
    at.slope[g] = 0.5 * (group.r - at.length[g]) * (group.r + at.length[g]);
    at.F += 0.5 * group.r * group.r * at.nu[g];
    const double held = at.nu[g] > 0.0 ? at.slope[g] : std::min(at.slope[g], 0.0);
    at.left += held * held;
  }
  at.left = std::sqrt(at.left);
}

/// The gaps, whose terms are all at least 0: with L_g = ||s_g||,
///     c = 0: sum_g nu_g L_g (w_g - a L_g),
///     c = 1: (1 - a)^2 ||s||^2 / 2 + sum_g nu_g L_g (r_g - a L_g).
void Latent::measure(const State& at) {
  double a = 1.0, squares = 0.0, gap = 0.0, sum = 0.0;
  for (Eigen::Index g = 0; g < at.nu.size(); ++g) {
    const double r = groups_[static_cast<std::size_t>(g)].r;
    if (at.length[g] > r) a = std::min(a, r / at.length[g]);
  }
  size_ = 0.0;
  for (std::size_t j = 0; j < v_.size(); ++j) {
    const double s = v_[j] / at.n[j], x = s * (at.n[j] - c_);
    squares += s * s;
    size_ += x * x;
  }
  size_ = std::sqrt(size_);
  constexpr double kUnit = 4.0 * std::numeric_limits<double>::epsilon();
  for (Eigen::Index g = 0; g < at.nu.size(); ++g) {
    const double r = groups_[static_cast<std::size_t>(g)].r, length = at.nu[g] * at.length[g];
    gap += length * (std::max(r - a * at.length[g], 0.0) + kUnit * r);
    sum += length * r;
  }
  gap_ = gap + (c_ > 0.0 ? 0.5 * (1.0 - a) * (1.0 - a) * squares : 0.0);
  sum_ = sum;
}

/// The direction of Newton's method. A group that its own curvature would send to the bound nu_g = 0 takes
/// the step of that curvature alone. With these apart, the projected direction descends (Bertsekas 1982).
Latent::Vector Latent::direction(const State& at) const {
  constexpr double kTiny = 1e-12;
  const auto bend = [&](std::size_t j) { return square(j) / (at.n[j] * at.n[j] * at.n[j]); };
  std::vector<Eigen::Index> free, index(groups_.size(), -1);
  Vector d = Vector::Zero(at.nu.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const auto k = static_cast<Eigen::Index>(g);
    double own = 0.0;
    for (const std::int32_t j : groups_[g].entries) own += bend(static_cast<std::size_t>(j));
    if (at.slope[k] >= own * at.nu[k]) {
      d[k] = -at.nu[k];
      continue;
    }
    index[g] = static_cast<Eigen::Index>(free.size()), free.push_back(k);
    d[k] = -at.slope[k] / own;
  }
  const auto size = static_cast<Eigen::Index>(free.size());
  std::vector<Eigen::Triplet<double>> pairs;  // of groups that share an entry
  for (std::size_t j = 0; j < v_.size(); ++j)
    for (const std::int32_t g : around_[j])
      for (const std::int32_t h : around_[j]) {
        const Eigen::Index row = index[static_cast<std::size_t>(g)], col = index[static_cast<std::size_t>(h)];
        if (row >= 0 && col >= 0 && row >= col)
          pairs.emplace_back(static_cast<int>(row), static_cast<int>(col),
                             row == col ? (1.0 + kTiny) * bend(j) : bend(j));
      }
  Eigen::SparseMatrix<double> H(size, size);
  H.setFromTriplets(pairs.begin(), pairs.end());
  Vector slope(size);
  for (Eigen::Index k = 0; k < size; ++k) slope[k] = at.slope[free[static_cast<std::size_t>(k)]];
  const Vector newton = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(H).solve(-slope);
  if (newton.allFinite() && newton.dot(slope) < 0.0)
    for (Eigen::Index k = 0; k < size; ++k) d[free[static_cast<std::size_t>(k)]] = newton[k];
  return d;
}

/// False if no step along the projected direction gains anything that rounding leaves to be seen.
bool Latent::advance(State& at, State& next) const {
  constexpr double kShare = 1e-4, kRounding = 1e-14;
  const Vector d = direction(at);
  for (double length = 1.0; length > 1e-12; length *= 0.5) {
    next.nu = (at.nu + length * d).cwiseMax(0.0);
    evaluate(next);
    const double promised = at.slope.dot(next.nu - at.nu);
    if (next.F <= at.F + kShare * promised && promised < 0.0 && next.F < at.F) return true;
    if (next.F <= at.F * (1.0 + kRounding) && next.left <= 0.5 * at.left) return true;
  }
  return false;
}

void Latent::solve(const claros::sdk::Groups& groups, std::span<const double> v, double t, bool step,
                   double tolerance) {
  constexpr int kMostSteps = 500;
  c_ = step ? 1.0 : 0.0;
  collect(groups, v, t);
  gap_ = sum_ = size_ = 0.0;
  const auto count = static_cast<Eigen::Index>(groups_.size());
  if (count == 0) return;
  now_.nu.resize(count);
  for (Eigen::Index g = 0; g < count; ++g) {  // the answer where groups do not overlap
    double sum = 0.0;
    for (const std::int32_t j : groups_[static_cast<std::size_t>(g)].entries)
      sum += square(static_cast<std::size_t>(j));
    now_.nu[g] = std::sqrt(sum) / groups_[static_cast<std::size_t>(g)].r - c_;
  }
  evaluate(now_);
  State next;
  for (int k = 0; k < kMostSteps; ++k) {
    measure(now_);
    if (step ? 2.0 * gap_ <= std::pow(tolerance * size_, 2) : gap_ <= tolerance * sum_) break;
    if (!advance(now_, next)) break;
    std::swap(now_, next);
    if (k % 16 == 15) claros::Interruption::poll();
  }
  measure(now_);
}

void Latent::write(std::span<const double> v, std::span<double> x) const {
  for (std::size_t j = 0; j < x.size(); ++j) {
    const std::int32_t place = place_[j];
    if (place < 0) {
      x[j] = 0.0;
      continue;
    }
    const double n = now_.n[static_cast<std::size_t>(place)];
    x[j] = v[j] * ((n - 1.0) / n);
  }
}

}  // namespace overlapping_group
