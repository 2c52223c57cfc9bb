// SPDX-License-Identifier: BSD-3-Clause
#include "risk_sums.hpp"

#include <algorithm>
#include <cmath>

namespace cox {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double power_of(double factor, int power) { return power == 0 ? 1.0 : power == 1 ? factor : factor * factor; }

/// Calls `visit` with the nodes of a tree that cover the leaves [from, to), each once. Node k has the
/// children 2k and 2k + 1, and leaf k is the node leaves + k.
template <class Visit>
void cover(std::size_t leaves, std::size_t from, std::size_t to, Visit visit) {
  for (from += leaves, to += leaves; from < to; from /= 2, to /= 2) {
    if (from % 2 == 1) visit(from++);
    if (to % 2 == 1) visit(--to);
  }
}

}  // namespace

double rebased(double from, double to) {
  return from == to ? 1.0 : from == -kInfinity ? 0.0 : std::exp(from - to);
}

void Pile::rebase(double to) {
  if (to == top) return;
  const double by = rebased(top, to);
  moment = by > 0.0 ? by * (moment + (top - to) * mass) : 0.0;
  mass *= by;
  top = to;
}

RiskSums::RiskSums(const RiskSets& sets, std::span<const double> z)
    : t(sets.row.size()),
      part(t.size()),
      top(sets.ties.size(), -kInfinity),
      tied(top.size(), 0.0),
      rest(top.size()),
      sets_(sets) {
  for (std::size_t i = 0; i < t.size(); ++i) t[i] = z[sets.row[i]] + sets.offset[i];
  if (sets.until.empty())
    start_ordered();
  else
    start_late();
  for (std::size_t i = 0; i < t.size(); ++i) part[i] = sets.weight[i] * std::exp(t[i] - base(i));
  for (std::size_t k = 0; k < top.size(); ++k)
    for (std::size_t i = sets.ties[k].events; i < sets.ties[k].last; ++i) tied[k] += part[i] * at_own(i);
  at_risk(part, false, [this](std::size_t k, const Pile& sum) { rest[k] = sum.mass; });
}

/// The top is the largest t up to the ties.
void RiskSums::start_ordered() {
  double now = -kInfinity;
  for (std::size_t k = 0; k < top.size(); ++k) {
    const Ties& ties = sets_.ties[k];
    if (ties.opens) now = -kInfinity;
    for (std::size_t i = ties.first; i < ties.last; ++i) now = std::max(now, t[i]);
    top[k] = now;
  }
}

/// Bases are multiples of kShelf below the largest t. Most are the same then, and e^{base - top} is seldom
/// needed. The squares of e^{-kShelf} are numbers of full precision.
void RiskSums::start_late() {
  constexpr double kShelf = 128.0, kExact = 1e15;
  const double most = *std::max_element(t.begin(), t.end());
  for (const double value : t) {
    const double below = kShelf * std::floor((most - value) / kShelf);
    shelf_.push_back(below < kExact ? std::max(value, most - below) : value);
  }
  is_even_ = std::all_of(shelf_.begin(), shelf_.end(), [&](double shelf) { return shelf == most; });
  std::fill(top.begin(), top.end(), most);
  if (is_even_) return;
  const std::vector<Pile> tops = tree_at_risk(part, false);
  for (std::size_t k = 0; k < top.size(); ++k) top[k] = tops[k].top;
}

double RiskSums::at_own(std::size_t i, int power) const {
  return power_of(rebased(base(i), top[sets_.own[i]]), power);
}

std::vector<double> RiskSums::over_times(std::span<const double> c, int power) const {
  if (!sets_.until.empty()) return tree_over_times(c, power);
  std::vector<double> sums(t.size());
  double earlier = 0.0;
  for (std::size_t k = top.size(); k-- > 0;) {
    const Ties& ties = sets_.ties[k];
    const bool earliest = k + 1 == top.size() || sets_.ties[k + 1].opens;
    earlier = earliest ? 0.0 : earlier * power_of(rebased(top[k], top[k + 1]), power);
    for (std::size_t i = ties.events; i < ties.last; ++i) sums[i] = earlier;
    earlier += c[k];
    for (std::size_t i = ties.first; i < ties.events; ++i) sums[i] = earlier;
  }
  return sums;
}

/// A row adds to the nodes that cover its times, and a time has the sum of the nodes above it. The tops are
/// those of all rows at risk, the events among them.
std::vector<Pile> RiskSums::tree_at_risk(std::span<const double> x, bool moments) const {
  const std::size_t leaves = top.size();
  std::vector<Pile> nodes(2 * leaves, is_even_ && leaves > 0 ? Pile{.top = top.front()} : Pile());
  for (std::size_t i = 0; i < t.size(); ++i) {
    const Pile own{base(i), x[i], moments && x[i] != 0.0 ? x[i] * (t[i] - base(i)) : 0.0};
    cover(leaves, sets_.from(i), sets_.until[i], [&](std::size_t v) { nodes[v].add(own); });
  }
  for (std::size_t v = 2; v < 2 * leaves; ++v) nodes[v].add(nodes[v / 2]);
  nodes.erase(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(leaves));
  if (is_even_) return nodes;
  for (std::size_t k = 0; k < leaves; ++k) {
    double highest = nodes[k].top;
    for (std::size_t i = sets_.ties[k].events; i < sets_.ties[k].last; ++i)
      highest = std::max(highest, base(i));
    nodes[k].rebase(highest);
  }
  return nodes;
}

/// The other way: a node has the sum of the times below it, relative to the lowest of their tops. No base of
/// a row that is at risk at all of them is above that.
std::vector<double> RiskSums::tree_over_times(std::span<const double> c, int power) const {
  const std::size_t leaves = top.size();
  std::vector<double> bottom(2 * leaves, kInfinity), sum(2 * leaves, 0.0), sums(t.size(), 0.0);
  for (std::size_t k = 0; k < leaves; ++k)
    if (c[k] != 0.0) bottom[leaves + k] = top[k], sum[leaves + k] = c[k];
  for (std::size_t v = leaves; v-- > 1;) {
    bottom[v] = std::min(bottom[2 * v], bottom[2 * v + 1]);
    for (const std::size_t child : {2 * v, 2 * v + 1})
      if (sum[child] != 0.0) sum[v] += sum[child] * power_of(rebased(bottom[v], bottom[child]), power);
  }
  for (std::size_t i = 0; i < t.size(); ++i)
    cover(leaves, sets_.from(i), sets_.until[i], [&](std::size_t v) {
      if (sum[v] != 0.0) sums[i] += sum[v] * power_of(rebased(base(i), bottom[v]), power);
    });
  return sums;
}

}  // namespace cox
