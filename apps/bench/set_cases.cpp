// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <claros/linear_oracle.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/random.hpp>

#include <fmt/format.h>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths_no_color_map.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace bench {

using namespace claros;

namespace {

std::shared_ptr<Component> set_of(const std::string& name, std::vector<Setting> settings) {
  return create_component(everything(), Kind::set, name, settings, {});
}

double seconds_of_corner(LinearOracle& oracle, const Element& c, double& value) {
  Element x;
  return seconds_of([&] { value = oracle.minimize(c, {}, x).value; });
}

/// "kind seconds value" a line, of scipy's linear_sum_assignment on the costs in a file.
void assignment(int repeats) {
  constexpr Index n = 1000;
  RandomStream random(7, Purpose::data);
  for (const bool whole : {false, true}) {
    std::vector<double> c(static_cast<std::size_t>(n * n));
    for (double& cost : c) cost = whole ? std::floor(100.0 * random.uniform()) : random.uniform();
    const auto set = set_of("birkhoff", {});
    auto& oracle = *query<LinearOracle>(*set);
    const auto file = std::filesystem::temp_directory_path() / "claros-bench-costs.bin";
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(c.data()),
               static_cast<std::streamsize>(c.size() * sizeof(double)));
    const Element costs = Element::dense(Shape::matrix(n, n), c);
    std::vector<double> ours, theirs;
    double value = 0.0, other = 0.0;
    for (int k = 0; k < repeats; ++k) {
      ours.push_back(seconds_of_corner(oracle, costs, value));
      for (const auto& line : lines_of(fmt::format("/usr/bin/python3 '{}/assignment_peer.py' '{}' {}",
                                                   CLAROS_BENCH_DIR, file.string(), n)))
        theirs.push_back(line[0]), other = line[1];
    }
    std::filesystem::remove(file);
    if (theirs.empty()) return (void)fmt::print("  assignment: left out, scipy did not answer\n");
    fmt::print(
        "  birkhoff, n = {}, {} costs: {:.1f} ms; scipy's linear_sum_assignment {:.1f} ms; ratio {:.2f}; "
        "values {:.9g} and {:.9g}\n",
        n, whole ? "whole" : "uniform", 1e3 * median(ours), 1e3 * median(theirs),
        median(ours) / median(theirs), value, other);
  }
}

using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                               boost::no_property, std::uint32_t, std::uint32_t>;

/// A grid of side x side nodes; arcs to the right and down, and back as well where `cycles`.
void grid_paths(std::uint32_t side, bool cycles, int repeats) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  for (std::uint32_t i = 0; i < side; ++i)
    for (std::uint32_t j = 0; j < side; ++j) {
      const std::uint32_t at = i * side + j;
      if (cycles && i > 0) arcs.emplace_back(at, at - side);
      if (cycles && j > 0) arcs.emplace_back(at, at - 1);
      if (j + 1 < side) arcs.emplace_back(at, at + 1);
      if (i + 1 < side) arcs.emplace_back(at, at + side);
    }
  const auto file = std::filesystem::temp_directory_path() / "claros-bench-arcs.txt";
  {
    std::ofstream out(file);
    for (const auto& [from, to] : arcs) out << from << ' ' << to << '\n';
  }
  std::shared_ptr<Component> set;
  const double reading = seconds_of([&] {
    set = set_of("flow", {{"graph", file.string(), {}, {}},
                          {"source", "0", {}, {}},
                          {"target", std::to_string(side * side - 1), {}, {}}});
  });
  std::filesystem::remove(file);
  RandomStream random(8, Purpose::data);
  std::vector<double> c(arcs.size());
  for (double& cost : c) cost = random.uniform();
  const Element costs = Element::dense(Shape::vector(static_cast<Index>(c.size())), c);
  const Csr csr(boost::edges_are_sorted, arcs.begin(), arcs.end(), side * side);
  std::vector<double> distance(side * side), ours, theirs;
  std::vector<std::uint32_t> before(side * side);
  double value = 0.0;
  for (int k = 0; k < repeats; ++k) {
    ours.push_back(seconds_of_corner(*query<LinearOracle>(*set), costs, value));
    const auto index = boost::get(boost::vertex_index, csr);
    theirs.push_back(seconds_of([&] {
      boost::dijkstra_shortest_paths_no_color_map(
          csr, 0U,
          boost::weight_map(boost::make_iterator_property_map(c.begin(), boost::get(boost::edge_index, csr)))
              .distance_map(boost::make_iterator_property_map(distance.begin(), index))
              .predecessor_map(boost::make_iterator_property_map(before.begin(), index)));
    }));
  }
  fmt::print(
      "  flow, {} nodes, {} arcs, {}: {:.0f} ms; Boost's Dijkstra {:.0f} ms; ratio {:.2f}; values {:.9g} and "
      "{:.9g}; read in {:.1f} s\n",
      side * side, arcs.size(), cycles ? "with cycles" : "without cycles", 1e3 * median(ours),
      1e3 * median(theirs), median(ours) / median(theirs), value, distance.back(), reading);
}

/// Least squares on a simplex by methods that keep vertices, with corrections direct, by pairwise steps, and
/// by the choice of `auto`. Prints medians of the wall time of a run, and of its steps, over runs in one
/// process.
void corrections(Index rows, Index cols, Index radius, int seeds, int repeats) {
  fmt::print("  corrections on the simplex of radius {}, {} x {}, to a relative gap of 1e-6:\n", radius, rows,
             cols);
  const std::vector<std::pair<std::string, std::string>> methods{{"blended-pairwise", "direct"},
                                                                 {"fully-corrective", "direct"},
                                                                 {"blended-pairwise", "pairwise"},
                                                                 {"fully-corrective", "pairwise"},
                                                                 {"auto", ""}};
  for (int seed = 1; seed <= seeds; ++seed)
    for (const auto& [method, corrections] : methods) {
      Spec spec;
      spec.assign({"data.use=synthetic-regression", fmt::format("data.rows={}", rows),
                   fmt::format("data.cols={}", cols), fmt::format("data.nonzero={}", cols / 3),
                   "data.noise=0.1", fmt::format("data.seed={}", seed), "objective.use=linear-model",
                   "set.use=simplex", fmt::format("set.radius={}", radius), "stop.relative_gap=1e-6",
                   "stop.seconds=60", "stop.iterations=200000", "trace.on=no"});
      spec.set("algorithm.use", method);
      if (!corrections.empty()) spec.set("algorithm.corrections", corrections);
      std::vector<double> seconds, steps;
      RunResult last;
      for (int k = 0; k < repeats; ++k) {
        last = solve(everything(), spec);
        seconds.push_back(last.elapsed_seconds);
        steps.push_back(last.seconds);
      }
      fmt::print(
          "    seed {} {:<17} {:<9} {:>9.3f} ms, steps alone {:>9.3f} ms, {:>6} steps, relative gap "
          "{:.1e}{}\n",
          seed, method, corrections, 1e3 * median(seconds), 1e3 * median(steps), last.iterations,
          last.measurement.gap / last.measurement.value,
          last.status == Status::relative_gap ? "" : "  not reached");
    }
}

/// Projects points of N(0, 1) entries, and prints what the certificates prove.
void projection(const std::string& label, const std::shared_ptr<Component>& set, const Shape& shape,
                int repeats) {
  auto& oracle = *query<ProximalOracle>(*set);
  std::vector<double> seconds;
  double worst = 0.0;
  for (int k = 0; k < repeats; ++k) {
    RandomStream random(9, Purpose::data, static_cast<std::uint32_t>(k));
    std::vector<double> v(static_cast<std::size_t>(shape.size()));
    for (double& entry : v) entry = random.normal();
    const Element point = Element::dense(shape, std::move(v));
    Element x;
    Certificate proof;
    seconds.push_back(seconds_of([&] { proof = oracle.apply(point, 1.0, x, Accuracy{.certify = true}); }));
    worst = std::max(worst, proof.error);
  }
  fmt::print("  projection, {}: {:.2f} ms, proved to lie within {:.0e} of the exact one\n", label,
             1e3 * median(seconds), worst);
}

/// Arcs from a node to the next ones, two a node.
std::string ladder(Index nodes) {
  std::string arcs;
  for (Index i = 0; i + 1 < nodes; ++i) {
    arcs += fmt::format("{} {}; ", i, i + 1);
    if (i + 2 < nodes) arcs += fmt::format("{} {}; ", i, i + 2);
  }
  return arcs.substr(0, arcs.size() - 2);
}

void projections(int repeats) {
  for (const Index n : {30, 100, 300})
    projection(fmt::format("birkhoff, n = {}", n), set_of("birkhoff", {}), Shape::matrix(n, n), repeats);
  projection("flow, 1000 nodes, 1997 arcs", set_of("flow", {{"graph", ladder(1000), {}, {}}}),
             Shape::vector(1997), repeats);
  projection("matroid-base, spanning trees of 100 nodes, 197 edges",
             set_of("matroid-base", {{"matroid", "graphic", {}, {}}, {"graph", ladder(100), {}, {}}}),
             Shape::vector(197), repeats);
  projection("lp-ball, p = 1.5, 10,000 entries",
             set_of("lp-ball", {{"p", "1.5", {}, {}}, {"radius", "1", {}, {}}}), Shape::vector(10'000),
             repeats);
  projection("k-sparse, k = 100, 10,000 entries",
             set_of("k-sparse", {{"k", "100", {}, {}}, {"radius", "1", {}, {}}}), Shape::vector(10'000),
             repeats);
}

}  // namespace

void sets(int repeats) {
  fmt::print("Corners of combinatorial sets, beside a library's own solver (medians)\n");
  assignment(repeats);
  grid_paths(1000, true, repeats);
  grid_paths(1000, false, repeats);
  projections(repeats);
}

void active_sets(int repeats) {
  fmt::print("Quadratics on the active set\n");
  corrections(3000, 4000, 4000 / 6, 3, repeats);
  corrections(50, 20, 1, 3, 20 * repeats);
  corrections(50, 20, 3, 3, 20 * repeats);
}

}  // namespace bench
