// SPDX-License-Identifier: BSD-3-Clause
/// @file cheapest_flow.hpp  A flow of least cost where arcs carry at most 1 and costs have any sign.
#pragma once

#include <claros/error.hpp>
#include <claros/sdk/entries.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace flow {

/// argmin <c, x> over 0 <= x <= 1 with the given supply at every node, if some flow has it. All arcs of
/// negative cost are filled, so that no arc of the residual graph has a negative cost. Then one unit after
/// the other goes from a node with too much to the nearest with too little. Dijkstra's method on costs
/// reduced by potentials finds it. Each unit lowers the excess by 1. So there is at most one more unit than
/// negative arcs, however the costs are rounded. (Ahuja, Magnanti, Orlin: Network Flows, 1993, section 9.7.)
class CheapestFlow {
 public:
  CheapestFlow(std::span<const std::uint32_t> tail, std::span<const std::uint32_t> head, std::size_t nodes)
      : tail_(tail), head_(head), nodes_(nodes), first_(nodes + 1, 0), at_(2 * tail.size()) {
    for (std::size_t a = 0; a < tail.size(); ++a) ++first_[tail[a] + 1], ++first_[head[a] + 1];
    for (std::size_t i = 0; i < nodes; ++i) first_[i + 1] += first_[i];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t a = 0; a < tail.size(); ++a) at_[next[tail[a]]++] = a, at_[next[head[a]]++] = a;
  }

  /// For each arc, true if it carries a unit. `excess`: the supply, a whole number a node, which sums to 0.
  std::vector<bool> operator()(std::span<const double> cost, std::vector<std::int64_t> excess) {
    cost_ = cost, full_.assign(tail_.size(), false), potential_.assign(nodes_, 0.0);
    for (std::size_t a = 0; a < cost.size(); ++a)
      if (cost[a] < 0.0) full_[a] = true, --excess[tail_[a]], ++excess[head_[a]];
    while (std::ranges::any_of(excess, [](std::int64_t left) { return left > 0; })) send(excess);
    return std::move(full_);
  }

 private:
  static constexpr auto kNone = static_cast<std::size_t>(-1);
  using Reached = std::pair<double, std::size_t>;  ///< distance, node

  bool leaves(std::size_t arc, std::size_t node) const {
    return full_[arc] ? head_[arc] == node : tail_[arc] == node;
  }
  std::size_t other(std::size_t arc, std::size_t node) const {
    return head_[arc] == node ? tail_[arc] : head_[arc];
  }
  /// It is not negative, up to rounding.
  double reduced(std::size_t arc, std::size_t from, std::size_t to) const {
    return std::max((full_[arc] ? -cost_[arc] : cost_[arc]) + potential_[from] - potential_[to], 0.0);
  }

  /// One unit along a shortest path of the residual graph.
  void send(std::vector<std::int64_t>& excess) {
    std::size_t node = nearest(excess);
    for (std::size_t i = 0; i < nodes_; ++i) potential_[i] += std::min(distance_[i], distance_[node]);
    ++excess[node];
    for (; through_[node] != kNone; node = other(through_[node], node)) turned_.push_back(through_[node]);
    --excess[node];
    for (const std::size_t arc : turned_) full_[arc] = !full_[arc];
    turned_.clear();
  }

  /// The nearest node that lacks a unit, and how each node on the way was reached.
  std::size_t nearest(const std::vector<std::int64_t>& excess) {
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> front;
    distance_.assign(nodes_, claros::sdk::kInfinity), through_.assign(nodes_, kNone);
    for (std::size_t i = 0; i < nodes_; ++i)
      if (excess[i] > 0) distance_[i] = 0.0, front.emplace(0.0, i);
    while (!front.empty()) {
      const auto [distance, node] = front.top();
      front.pop();
      if (distance > distance_[node]) continue;
      if (excess[node] < 0) return node;
      reach_from(node, front);
    }
    throw claros::Error(claros::ErrorKind::numerical, "",
                        "no flow meets the supplies: the costs are too large to be added",
                        "check for a step that is too long, or for bad data");
  }
  template <class Front>
  void reach_from(std::size_t node, Front& front) {
    for (std::size_t k = first_[node]; k < first_[node + 1]; ++k) {
      const std::size_t arc = at_[k];
      if (!leaves(arc, node)) continue;
      const std::size_t to = other(arc, node);
      const double distance = distance_[node] + reduced(arc, node, to);
      if (distance < distance_[to]) distance_[to] = distance, through_[to] = arc, front.emplace(distance, to);
    }
  }

  std::span<const std::uint32_t> tail_, head_;
  std::size_t nodes_;
  std::vector<std::size_t> first_, at_;  ///< the arcs at node i are at_[first_[i]] .. at_[first_[i + 1] - 1]
  std::span<const double> cost_;
  std::vector<bool> full_;
  std::vector<double> potential_, distance_;
  std::vector<std::size_t> through_, turned_;
};

}  // namespace flow
