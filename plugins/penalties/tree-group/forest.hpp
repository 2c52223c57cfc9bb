// SPDX-License-Identifier: BSD-3-Clause
/// @file forest.hpp  Groups of which any two are disjoint or nested, as trees.
#pragma once

#include <claros/element/falling_root.hpp>
#include <claros/error.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/sdk/sets/groups.hpp>

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
  /// x <- argmin t sum_g w_g ||x_g||_2 + ||x - before||^2 / 2: the groups are shrunk one after the other,
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
  /// The least t for which `shrink` of s ends at 0, which is the dual norm of s. With r_g what is left of
  /// group g, r_g = max(n_g - t w_g, 0) and n_g^2 = sum of s_k^2 over its own entries + sum of r_c^2 over the
  /// groups in it: n at the root less t w falls and is convex in t.
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
      square += value * value, top = std::max(top, std::abs(value));
    }
    if ((square > 1e-280 && square < 1e280) || top == 0.0 || !std::isfinite(top)) return std::sqrt(square);
    square = 0.0;
    for (const std::int32_t k : node.entries)
      square += (x[static_cast<std::size_t>(k)] / top) * (x[static_cast<std::size_t>(k)] / top);
    return top * std::sqrt(square);
  }
};

/// The trees of groups of a shape of `size` entries. Throws Error(usage) where two groups overlap and neither
/// holds the other.
inline std::vector<Tree> forest_of(const claros::sdk::Groups& groups, std::size_t size) {
  std::vector<std::size_t> order(groups.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t g) { return groups.size(g); });
  const auto entry = [&](std::size_t g, std::size_t k) {
    return groups.contiguous() ? groups.first(g) + k : static_cast<std::size_t>(groups.members(g)[k]);
  };
  // From the smallest group up: the largest one so far of each entry, and the smallest.
  const std::size_t none = groups.count();
  std::vector<std::size_t> around(size, none), home(size, none), parent(groups.count());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  for (const std::size_t g : order) {
    std::vector<std::size_t> inside;
    for (std::size_t k = 0; k < groups.size(g); ++k) {
      const std::size_t j = entry(g, k);
      if (home[j] == none) home[j] = g;
      if (around[j] != none) inside.push_back(around[j]);
      around[j] = g;
    }
    std::ranges::sort(inside);
    for (std::size_t at = 0; at < inside.size();) {
      const std::size_t c = inside[at], held = groups.size(c);
      const auto count = static_cast<std::size_t>(std::ranges::count(inside, c));
      if (count != held)
        throw claros::Error(claros::ErrorKind::usage, "groups",
                            "groups " + std::to_string(std::min(c, g)) + " and " +
                                std::to_string(std::max(c, g)) + " (counted from 0) share " +
                                std::to_string(count) + " entries, and neither holds the other",
                            "give groups that are disjoint or nested, or take the penalty overlapping-group");
      parent[c] = g;
      at += count;
    }
  }
  std::vector<Tree> forest;
  std::vector<std::size_t> tree(groups.count()), node(groups.count()), place(size);
  for (auto at = order.rbegin(); at != order.rend(); ++at) {  // from the roots down
    const std::size_t g = *at;
    if (parent[g] != g) {
      tree[g] = tree[parent[g]];
      continue;
    }
    tree[g] = forest.size();
    forest.emplace_back();
    for (std::size_t k = 0; k < groups.size(g); ++k) {
      place[entry(g, k)] = k;
      forest.back().members.push_back(static_cast<std::int32_t>(entry(g, k)));
    }
  }
  for (const std::size_t g : order) {
    Tree& mine = forest[tree[g]];
    node[g] = mine.nodes.size();
    mine.nodes.push_back({{}, groups.weight(g), 0});
    for (std::size_t k = 0; k < groups.size(g); ++k)
      mine.nodes.back().entries.push_back(static_cast<std::int32_t>(place[entry(g, k)]));
  }
  for (const std::size_t g : order) forest[tree[g]].nodes[node[g]].parent = node[parent[g]];
  for (Tree& mine : forest)
    for (const std::int32_t j : mine.members) mine.home.push_back(node[home[static_cast<std::size_t>(j)]]);
  return forest;
}

}  // namespace tree_group
