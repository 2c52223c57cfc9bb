// SPDX-License-Identifier: BSD-3-Clause
/// @file graph.hpp  A directed graph from a table of arcs, and its flows of least cost.
#pragma once

#include <claros/error.hpp>
#include <shared/sets/number_rows.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace flow {

using claros::Index;

/// Arcs are numbered as the table lists them. Nodes are any whole numbers from 0.
class Graph {
 public:
  /// Throws Error(usage or data) for rows that are no arcs, for ends that are missing or not given, and if no
  /// path joins them.
  Graph(const claros::sdk::NumberRows& arcs, Index source, Index target);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  std::size_t arcs() const noexcept;
  std::size_t nodes() const noexcept;
  /// Nodes in the order of their numbers, from 0.
  std::uint32_t tail(std::size_t arc) const noexcept;
  std::uint32_t head(std::size_t arc) const noexcept;
  std::uint32_t source() const noexcept;
  std::uint32_t target() const noexcept;
  bool acyclic() const noexcept;
  /// The most arcs of a path from source to target, for an acyclic graph.
  std::size_t longest() const noexcept;
  /// out <- the arcs of a flow of least cost, each of which carries one unit: those of a shortest path, last
  /// one first. If a cycle has a negative cost, they are those of a path and of cycles, in the order of the
  /// table.
  void cheapest(std::span<const double> cost, std::vector<std::uint32_t>& out);
  /// The largest of |flow out - flow in - supply| over the nodes, supply 1 at the source and -1 at the
  /// target.
  double imbalance(std::span<const double> x);

 private:
  struct Parts;
  std::unique_ptr<Parts> p_;
};

}  // namespace flow
