// SPDX-License-Identifier: BSD-3-Clause
#include "graph.hpp"

#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/network_projection.hpp>
#include <shared/sets/support_face.hpp>

namespace {

using namespace claros;

struct Options {
  std::string graph;
  Index source = -1, target = -1;
};

/// C = {x in [0, 1]^arcs : flow out = flow in at every node, plus 1 at the source and minus 1 at the target}.
/// Without cycles it is the convex hull of the paths from source to target, and x <= 1 follows.
///
/// argmin <c, x> is a shortest path. Without cycles it comes from relaxation in topological order, for c of
/// any sign. With cycles, Dijkstra's method finds it for c >= 0, and Bellman and Ford's if no cycle is
/// negative. If a cycle is negative, a corner of C is a path and cycles, of least cost by successive shortest
/// paths (cheapest_flow.hpp).
///
/// The projection is Newton's method on the potentials of the nodes (network_projection.hpp), with cycles or
/// without. D <= sqrt(arcs), and for an acyclic graph D <= sqrt(2 L), L the most arcs of a path.
class Flow final : public sdk::IteratedSet, public Faces {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("graph", &Options::graph,
            required(any(),
                     "an arc a row, from and to, in a file or written out: `1 2; 1 3; 1 4; 2 3; 2 4; 2 5; 3 "
                     "4; 3 5; 3 6; 4 5; 4 6; 5 6`"),
            "the arcs of a directed graph, in the order of the entries of the variable", "E"),
        row("source", &Options::source, at_least(-1),
            "the node where paths start; -1: the only one that no arc enters", "s"),
        row("target", &Options::target, at_least(-1),
            "the node where paths end; the source: flows run in cycles; -1: the only one that no arc leaves",
            "t")};
    return table;
  }

  Flow(const Options& o, const Context& context)
      : graph_(sdk::number_rows(o.graph, "graph", context), o.source, o.target) {}

  double diameter(const Shape&) override {
    const auto arcs = static_cast<double>(graph_.arcs());
    return std::sqrt(graph_.acyclic() ? std::min(arcs, 2.0 * static_cast<double>(graph_.longest())) : arcs);
  }

  bool is_expensive() const override { return true; }

  /// Without cycles the vertices of F(x) are the paths along arcs where x flows.
  FaceInfo away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) override {
    fit(x.shape());
    return sdk::away_in_support(
        g, x, {0.0, sdk::kInfinity}, 1.0, [this](auto c, auto a) { corner(c, a); }, vertex);
  }
  void* ability(std::string_view id) noexcept override {
    void* own = graph_.acyclic() ? offer<Faces>(this, id) : nullptr;
    return own ? own : IteratedSet::ability(id);
  }

 private:
  void fit(const Shape& shape) override {
    if (shape.size() != static_cast<Index>(graph_.arcs()))
      throw Error(
          ErrorKind::usage, "graph",
          "the graph has " + std::to_string(graph_.arcs()) + " arcs, and the variable is " + shape.text(),
          "give a flow for each arc: a variable with as many entries");
  }
  void corner(std::span<const double> c, std::span<double> x) override {
    graph_.cheapest(c, arcs_);
    std::fill(x.begin(), x.end(), 0.0);
    for (const std::uint32_t arc : arcs_) x[arc] = 1.0;
  }
  Certificate approach(std::span<const double> v, const Accuracy& accuracy, std::span<double> x) override {
    if (!flows_.started()) {
      std::vector<sdk::NetworkProjection::Arc> arcs;
      for (std::size_t a = 0; a < graph_.arcs(); ++a) arcs.push_back({graph_.tail(a), graph_.head(a)});
      std::vector<double> supply(graph_.nodes(), 0.0);
      supply[graph_.source()] += 1.0;
      supply[graph_.target()] -= 1.0;
      // Without cycles no flow is above 1.
      flows_.start(std::move(arcs), std::move(supply), graph_.acyclic() ? sdk::kInfinity : 1.0);
    }
    return within(flows_(v, x), accuracy, x);
  }
  double outside(std::span<const double> x) override {
    return sdk::largest(x, graph_.imbalance(x), [](double value) { return std::max(-value, value - 1.0); });
  }

  flow::Graph graph_;
  sdk::NetworkProjection flows_;
  std::vector<std::uint32_t> arcs_;
};

}  // namespace

CLAROS_PLUGIN(Flow, Kind::set, "flow", "", "1.0.0",
              "Unit flow polytope: convex combinations of the paths from source to target",
              "C = {x : 0 <= x <= 1, and at every node as much flows in as out, but for one unit that enters "
              "at the source and leaves at the target}, x_a the flow on arc a. The "
              "linear oracle is a shortest path: in a graph without cycles by relaxation in topological "
              "order, for costs of any sign; in others by Dijkstra's method, or Bellman and "
              "Ford's where costs are negative; around a cycle of negative cost a unit flows beside the "
              "path, and the flow of least cost is found by successive shortest paths. The projection, with "
              "cycles or without, is Newton's method on the potentials of the nodes, and ends at the exact "
              "piece. Diameter at most sqrt(2 L), L the most arcs of a path.",
              "Frank, Wolfe: An algorithm for quadratic programming, Naval Research Logistics Quarterly 3, "
              "1956; LeBlanc, Morlok, Pierskalla: An efficient approach to solving the "
              "road network equilibrium traffic assignment problem, Transportation Research 9, 1975",
              "Use it for cheapest paths and traffic equilibria: one unit flows from one source to one "
              "target. A projection takes as long as many shortest paths, so Claros chooses a Frank-Wolfe "
              "method. For another amount use it inside moved. For several sources, capacities of single "
              "arcs or other constraints use polytope.",
              "objective.use=quadratic objective.diagonal='2 1 1 2 1' set.use=flow "
              "set.graph='1 2; 1 3; 2 4; 3 4; 2 3' stop.relative_gap=1e-6")
