// SPDX-License-Identifier: BSD-3-Clause
#include "integer_hull.hpp"

#include <claros/error.hpp>
#include <claros/interruption.hpp>
#include <claros/sdk/entries.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace polytope {

using namespace claros;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kInteger = 1e-6;  // nearer to an integer than that is taken to be one, and made one
constexpr double kOutside = 1e-8;  // of the program's points: farther outside is no point of it
constexpr std::size_t kMostKept = 1000;
constexpr double kRounding = 1e-13;  // of sum |c_j x_j|: a box that promises less than that is closed

double magnitude(std::span<const double> c, std::span<const double> x) {
  double sum = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += std::abs(c[j] * x[j]);
  return sum;
}

}  // namespace

IntegerHull::IntegerHull(CertifiedProgram& linear, std::vector<char> integer, const std::string& where)
    : linear_(linear), integer_(std::move(integer)), root_(linear.box()), best_(integer_.size()) {
  for (std::size_t j = 0; j < integer_.size(); ++j) {
    if (!integer_[j]) continue;
    root_.low[j] = std::ceil(root_.low[j] - kInteger);
    root_.high[j] = std::floor(root_.high[j] + kInteger);
  }
  const std::vector<double> none(integer_.size(), 0.0);
  std::vector<double> x(integer_.size());
  if (!solve(none, x))
    throw Error(ErrorKind::data, where, "no point that satisfies all constraints has integers where it must",
                "check the bounds and right-hand sides, or leave integers at no");
}

std::size_t IntegerHull::split(std::span<const double> x) const {
  double most = kInteger;
  std::size_t found = x.size();
  for (std::size_t j = 0; j < x.size(); ++j)
    if (const double away = integer_[j] ? std::abs(x[j] - std::round(x[j])) : 0.0; away > most) {
      most = away;
      found = j;
    }
  return found;
}

bool IntegerHull::is_integer(std::span<const double> x) const {
  for (std::size_t j = 0; j < x.size(); ++j)
    if (integer_[j] && x[j] != std::round(x[j])) return false;
  return true;
}

/// True if the corner of a box, with its integers rounded and the others solved for again, is a point of the
/// program.
bool IntegerHull::settle(std::span<const double> c, const Box& box, std::span<const double> corner) {
  Box point = box;
  std::vector<double> x(corner.begin(), corner.end());
  bool all = true;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (integer_[j])
      x[j] = point.low[j] = point.high[j] = std::round(x[j]);
    else
      all = false;
  if (!all && linear_.minimize(c, point, x) != CertifiedProgram::End::solved) return false;
  if (!(linear_.outside(x) <= kOutside)) return false;
  if (const double value = sdk::dot(c, x); value < least_) least_ = value, best_ = std::move(x);
  return true;
}

/// Returns false if there is no point.
bool IntegerHull::solve(std::span<const double> c, std::span<double> x) {
  least_ = kInfinity;
  bound_ = kInfinity;
  std::vector<Open> open;  // a heap, the least bound first
  const auto later = [](const Open& a, const Open& b) { return a.bound > b.bound; };
  std::optional<Open> next = Open{root_, -kInfinity};
  while (next || !open.empty()) {
    Interruption::poll();
    if (!next) {
      std::pop_heap(open.begin(), open.end(), later);
      next = std::move(open.back()), open.pop_back();
    }
    Open node = *std::exchange(next, std::nullopt);
    const double enough = std::isfinite(least_) ? least_ - kRounding * magnitude(c, best_) : kInfinity;
    if (node.bound >= enough) {
      bound_ = std::min(bound_, node.bound);
      continue;
    }
    const CertifiedProgram::End end = linear_.minimize(c, node.box, x);
    if (end == CertifiedProgram::End::empty) continue;
    if (end == CertifiedProgram::End::solved) node.bound = std::max(node.bound, linear_.bound());
    std::size_t j = end == CertifiedProgram::End::solved ? split(x) : x.size();
    if (node.bound >= enough ||
        (j == x.size() && end == CertifiedProgram::End::solved && settle(c, node.box, x))) {
      bound_ = std::min(bound_, node.bound);
      continue;
    }
    for (std::size_t k = 0; k < x.size() && j == x.size(); ++k)
      if (integer_[k] && node.box.low[k] < node.box.high[k]) j = k;
    if (j == x.size()) {  // one point, of which nothing is proved
      bound_ = std::min(bound_, node.bound);
      continue;
    }
    const double at = end == CertifiedProgram::End::solved
                          ? std::clamp(x[j], node.box.low[j], node.box.high[j])
                          : 0.5 * (node.box.low[j] + node.box.high[j]);
    const double below = std::min(std::floor(at), node.box.high[j] - 1.0);
    Open down = node, up = std::move(node);
    down.box.high[j] = below;
    up.box.low[j] = below + 1.0;
    if (at - below > 0.5) std::swap(down, up);  // the nearer one comes next
    next = std::move(down);
    open.push_back(std::move(up));
    std::push_heap(open.begin(), open.end(), later);
  }
  if (!std::isfinite(least_)) return false;
  bound_ = std::min(bound_, least_);
  std::copy(best_.begin(), best_.end(), x.begin());
  return true;
}

void IntegerHull::minimize(std::span<const double> c, std::span<double> x) {
  if (!solve(c, x))
    throw Error(ErrorKind::numerical, "", "no integer point was found for these costs",
                "scale the rows of the program to numbers of like size");
  keep(x);
}

void IntegerHull::keep(std::span<const double> x) {
  const auto same = [x](const std::vector<double>& other) { return std::ranges::equal(x, other); };
  if (std::ranges::any_of(found_, same)) return;
  if (found_.size() < kMostKept) return void(found_.emplace_back(x.begin(), x.end()));
  found_[oldest_].assign(x.begin(), x.end());
  oldest_ = (oldest_ + 1) % kMostKept;
}

double IntegerHull::size() const { return linear_.size() * std::sqrt(static_cast<double>(integer_.size())); }

double IntegerHull::nearest(std::span<const double> v, std::span<double> x) {
  const auto corner = [this](std::span<const double> c, std::span<double> to) { minimize(c, to); };
  return std::sqrt(nearest_(v, size(), corner, x));
}

double IntegerHull::distance(std::span<const double> v, double rounding) {
  std::vector<double> near(v.size());
  const auto best_found = [this](std::span<const double> c, std::span<double> to) {
    std::ranges::copy(*std::ranges::min_element(found_, {}, [c](const auto& x) { return sdk::dot(c, x); }),
                      to.begin());
  };
  if (!found_.empty() && std::sqrt(nearest_(v, size(), best_found, near)) <= rounding) return 0.0;
  const double distance = nearest(v, near);
  return distance <= rounding ? 0.0 : distance;
}

}  // namespace polytope
