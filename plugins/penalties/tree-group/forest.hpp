// SPDX-License-Identifier: BSD-3-Clause
/// @file forest.hpp  Groups of which any two are disjoint or nested, as trees.
#pragma once

#include <claros/element/falling_root.hpp>
#include <claros/error.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/sets/groups.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace tree_group {

/// A group that no other holds, with all groups inside it; entries are counted within it.
struct Tree {
  struct Node {
    std::vector<std::int32_t> entries;
    double weight;
    std::size_t parent;  ///< the smallest group around it; itself at the root
  };
  std::vector<std::int32_t> members;  ///< the entries of the variable
  std::vector<Node> nodes;            ///< groups before those that hold them, so the root last
  std::vector<std::size_t> home;      ///< of each entry: its smallest group

  /// sum_g w_g ||x_g||_2
  double value(std::span<const double> x) const {
    double sum = 0.0;
    for (const Node& node : nodes) sum += node.weight * norm(node, x);
    return sum;
  }
  /// x <- argmin t sum_g w_g ||x_g||_2 + ||x - before||^2 / 2. The groups are shrunk one after the other,
  /// each after those inside it. (Jenatton, Mairal, Obozinski, Bach 2011, Algorithm 1.)
  void shrink(double t, std::span<double> x) const {
    for (const Node& node : nodes) {
      const double length = norm(node, x), rest = length - t * node.weight,
                   factor = rest <= 0.0 ? 0.0 : rest / length;
      for (const std::int32_t k : node.entries) {
        double& entry = x[static_cast<std::size_t>(k)];
        entry = factor == 0.0 ? 0.0 : entry * factor;
      }
    }
  }
  /// The least t for which `shrink` of s ends at 0, which is the dual norm of s. Let r_g = max(n_g - t w_g,
  /// 0) be the rest of group g, n_g^2 = sum of s_k^2 over its own entries + sum of r_c^2 over the groups in
  /// it. The n at the root less t w falls and is convex in t.
  double dual_norm(std::span<const double> s) const {
    const double top = claros::sdk::largest_magnitude(s);
    if (!(top > 0.0 && top < claros::sdk::kInfinity)) return top;
    std::vector<double> own(nodes.size(), 0.0), square;
    for (std::size_t k = 0; k < s.size(); ++k) own[home[k]] += (s[k] / top) * (s[k] / top);
    const auto excess = [&](double t) {
      square = own;
      double left = 0.0;
      for (std::size_t g = 0; g < nodes.size(); ++g) {
        left = std::sqrt(square[g]) - t * nodes[g].weight;
        if (nodes[g].parent != g) square[nodes[g].parent] += left > 0.0 ? left * left : 0.0;
      }
      return left;
    };
    return top * claros::falling_root(
                     excess, std::sqrt(std::accumulate(own.begin(), own.end(), 0.0)) / nodes.back().weight);
  }

 private:
  static double norm(const Node& node, std::span<const double> x) {
    double square = 0.0, top = 0.0;
    for (const std::int32_t k : node.entries) {
      const double value = x[static_cast<std::size_t>(k)];
      square += value * value;
      top = std::max(top, std::abs(value));
    }
    if ((square > 1e-280 && square < 1e280) || top == 0.0 || !std::isfinite(top)) return std::sqrt(square);
    square = 0.0;
    for (const std::int32_t k : node.entries)
      square += (x[static_cast<std::size_t>(k)] / top) * (x[static_cast<std::size_t>(k)] / top);
    return top * std::sqrt(square);
  }
};

/// How groups of a variable of `size` entries hold each other.
class Nesting {
  const claros::sdk::Groups& groups_;

 public:
  std::vector<std::size_t> order;   ///< groups from the smallest to the largest
  std::vector<std::size_t> parent;  ///< of each group, the smallest around it; itself if none is
  std::vector<std::size_t> home;    ///< of each entry, its smallest group

  /// Throws Error(usage) if two groups overlap and neither holds the other.
  Nesting(const claros::sdk::Groups& groups, std::size_t size)
      : groups_(groups), order(groups.count()), parent(groups.count()), home(size, groups.count()) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t g) { return groups.size(g); });
    std::vector<std::size_t> around(size, groups.count());  // the largest group so far of each entry
    for (const std::size_t g : order) hold(g, around);
  }
  std::size_t entry(std::size_t g, std::size_t k) const {
    return groups_.contiguous() ? groups_.first(g) + k : static_cast<std::size_t>(groups_.members(g)[k]);
  }

 private:
  /// The largest groups so far with entries in g are those right inside it.
  void hold(std::size_t g, std::vector<std::size_t>& around) {
    std::vector<std::size_t> inside;
    for (std::size_t k = 0; k < groups_.size(g); ++k) {
      const std::size_t j = entry(g, k);
      if (home[j] == groups_.count()) home[j] = g;
      if (around[j] != groups_.count()) inside.push_back(around[j]);
      around[j] = g;
    }
    std::ranges::sort(inside);
    for (std::size_t at = 0; at < inside.size();) {
      const std::size_t c = inside[at];
      const auto count = static_cast<std::size_t>(std::ranges::upper_bound(inside, c) - inside.begin()) - at;
      if (count != groups_.size(c)) refuse(std::min(c, g), std::max(c, g), count);
      parent[c] = g;
      at += count;
    }
  }
  [[noreturn]] static void refuse(std::size_t one, std::size_t other, std::size_t count) {
    throw claros::Error(claros::ErrorKind::usage, "groups",
                        "groups " + std::to_string(one) + " and " + std::to_string(other) +
                            " (counted from 0) share " + std::to_string(count) +
                            " entries, and neither holds the other",
                        "give groups that are disjoint or nested, or take the penalty overlapping-group");
  }
};

/// The trees of groups of a variable of `size` entries. Throws as Nesting.
inline std::vector<Tree> forest_of(const claros::sdk::Groups& groups, std::size_t size) {
  const Nesting nesting(groups, size);
  std::vector<Tree> forest;
  std::vector<std::size_t> tree(groups.count()), node(groups.count()), place(size);
  for (auto at = nesting.order.rbegin(); at != nesting.order.rend(); ++at) {  // from the roots down
    const std::size_t g = *at, parent = nesting.parent[g];
    tree[g] = parent == g ? forest.size() : tree[parent];
    if (parent != g) continue;
    forest.emplace_back();
    for (std::size_t k = 0; k < groups.size(g); ++k) {
      place[nesting.entry(g, k)] = k;
      forest.back().members.push_back(static_cast<std::int32_t>(nesting.entry(g, k)));
    }
  }
  for (const std::size_t g : nesting.order) {
    Tree& mine = forest[tree[g]];
    node[g] = mine.nodes.size();
    mine.nodes.push_back({{}, groups.weight(g), 0});
    for (std::size_t k = 0; k < groups.size(g); ++k)
      mine.nodes.back().entries.push_back(static_cast<std::int32_t>(place[nesting.entry(g, k)]));
  }
  for (const std::size_t g : nesting.order) forest[tree[g]].nodes[node[g]].parent = node[nesting.parent[g]];
  for (Tree& mine : forest)
    for (const std::int32_t j : mine.members)
      mine.home.push_back(node[nesting.home[static_cast<std::size_t>(j)]]);
  return forest;
}

}  // namespace tree_group
