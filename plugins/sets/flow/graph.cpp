// SPDX-License-Identifier: BSD-3-Clause
#include "graph.hpp"

#include "cheapest_flow.hpp"

#include <boost/graph/bellman_ford_shortest_paths.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths_no_color_map.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace flow {

using namespace claros;

namespace {

using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                               boost::no_property, std::uint32_t, std::uint32_t>;
constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr auto kNone = static_cast<std::uint32_t>(-1);
const std::string kWhere = "graph";

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::data, kWhere, what, remedy);
}

std::string name_of(double label) { return print_real(label); }

}  // namespace

struct Graph::Parts {
  std::vector<double> labels;             ///< of the nodes, ascending
  std::vector<std::uint32_t> tail, head;  ///< of the arcs as the table lists them
  std::vector<std::uint32_t> arc;         ///< of the k-th arc by tails: its number in the table
  Csr csr;
  std::uint32_t source = 0, target = 0;
  std::vector<std::uint32_t> order;  ///< nodes, tails before heads; empty with a cycle
  std::size_t longest = 0;
  std::vector<double> cost, distance, balance;
  std::vector<std::uint32_t> before, through;

  std::uint32_t node(double label) const {
    const auto at = std::lower_bound(labels.begin(), labels.end(), label);
    return at != labels.end() && *at == label ? static_cast<std::uint32_t>(at - labels.begin()) : kNone;
  }
  void read(const sdk::NumberRows& rows);
  void build();
  std::uint32_t end_of(Index given, bool is_source) const;
  void sort_nodes();
  void relax_in_order();
  bool search();
  bool path(std::vector<std::uint32_t>& out) const;
  void cheapest_flow(std::span<const double> cost, std::vector<std::uint32_t>& out) const;
};

void Graph::Parts::read(const sdk::NumberRows& rows) {
  if (rows.width != 2)
    refuse("a row has " + std::to_string(rows.width) + " numbers",
           "an arc is the numbers of two nodes, from and to; costs come from the objective");
  for (const double label : rows.values)
    if (!(label >= 0.0 && label <= 0x1p53 && label == std::floor(label)))
      refuse("'" + name_of(label) + "' is not a node", "number nodes by whole numbers from 0");
  labels = rows.values;
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  if (static_cast<std::size_t>(rows.count) >= kNone)
    refuse("there are " + std::to_string(rows.count) + " arcs", "fewer than 4294967295 are taken");
  tail.resize(static_cast<std::size_t>(rows.count)), head.resize(tail.size());
  for (std::size_t a = 0; a < tail.size(); ++a) {
    tail[a] = node(rows.values[2 * a]);
    head[a] = node(rows.values[2 * a + 1]);
  }
}

/// Arcs by their tails; those of one node are in the order of the table.
void Graph::Parts::build() {
  std::vector<std::uint32_t> first(labels.size() + 1, 0);
  for (const std::uint32_t node : tail) ++first[node + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  arc.resize(tail.size());
  for (std::size_t a = 0; a < tail.size(); ++a) arc[first[tail[a]]++] = static_cast<std::uint32_t>(a);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted(arc.size());
  for (std::size_t k = 0; k < arc.size(); ++k) sorted[k] = {tail[arc[k]], head[arc[k]]};
  csr = Csr(boost::edges_are_sorted, sorted.begin(), sorted.end(), labels.size());
}

/// The node that was named, or the only one that no arc enters (leaves).
std::uint32_t Graph::Parts::end_of(Index given, bool is_source) const {
  const std::string key = is_source ? "source" : "target";
  if (given >= 0) {
    const std::uint32_t at = node(static_cast<double>(given));
    if (at == kNone)
      throw Error(ErrorKind::usage, key, "the graph has no node " + std::to_string(given) + " in the graph",
                  "name the end of an arc");
    return at;
  }
  std::vector<bool> has(labels.size(), false);
  for (std::size_t a = 0; a < tail.size(); ++a)
    if (tail[a] != head[a]) has[is_source ? head[a] : tail[a]] = true;
  const auto lone = std::find(has.begin(), has.end(), false);
  if (lone == has.end() || std::find(lone + 1, has.end(), false) != has.end())
    throw Error(ErrorKind::usage, key,
                std::string("the graph has ") + (lone == has.end() ? "no node" : "several nodes") +
                    (is_source ? " that no arc enters" : " that no arc leaves"),
                "name the node where paths " + std::string(is_source ? "begin" : "end"));
  return static_cast<std::uint32_t>(lone - has.begin());
}

void Graph::Parts::sort_nodes() {
  order.reserve(labels.size());
  try {
    boost::topological_sort(csr, std::back_inserter(order));
  } catch (const boost::not_a_dag&) {
    return order.clear();
  }
  std::reverse(order.begin(), order.end());
  std::vector<std::size_t> most(labels.size(), 0);
  std::vector<bool> reached(labels.size(), false);
  reached[source] = true;
  for (const std::uint32_t at : order)
    for (const auto edge : boost::make_iterator_range(boost::out_edges(at, csr))) {
      const auto to = static_cast<std::size_t>(boost::target(edge, csr));
      if (reached[at]) reached[to] = true, most[to] = std::max(most[to], most[at] + 1);
    }
  longest = most[target];
}

/// distance and the arc that leads to each node, for an acyclic graph with costs of any sign.
void Graph::Parts::relax_in_order() {
  distance.assign(labels.size(), kFar), through.assign(labels.size(), kNone);
  distance[source] = 0.0;
  for (const std::uint32_t at : order) {
    if (distance[at] == kFar) continue;
    for (const auto edge : boost::make_iterator_range(boost::out_edges(at, csr))) {
      const std::size_t to = boost::target(edge, csr), k = boost::get(boost::edge_index, csr, edge);
      const double along = distance[at] + cost[k];
      if (along < distance[to]) distance[to] = along, through[to] = static_cast<std::uint32_t>(k);
    }
  }
}

/// The shortest path in a graph with cycles: Dijkstra's method, and Bellman and Ford's if costs are negative.
/// Returns false if a cycle has a negative cost, or may have one among nodes that no path from the source
/// reaches.
bool Graph::Parts::search() {
  distance.assign(labels.size(), kFar), through.assign(labels.size(), kNone), before.resize(labels.size());
  std::iota(before.begin(), before.end(), 0U);
  distance[source] = 0.0;
  const auto weight = boost::make_iterator_property_map(cost.begin(), boost::get(boost::edge_index, csr));
  const auto index = boost::get(boost::vertex_index, csr);
  const auto to_distance = boost::make_iterator_property_map(distance.begin(), index);
  const auto to_before = boost::make_iterator_property_map(before.begin(), index);
  if (std::all_of(cost.begin(), cost.end(), [](double c) { return c >= 0.0; }))
    boost::dijkstra_shortest_paths_no_color_map(
        csr, source, boost::weight_map(weight).distance_map(to_distance).predecessor_map(to_before));
  else if (!boost::bellman_ford_shortest_paths(
               csr, static_cast<int>(labels.size()),
               boost::weight_map(weight).distance_map(to_distance).predecessor_map(to_before)))
    return false;
  for (std::size_t k = 0; k < cost.size(); ++k)
    if (cost[k] < 0.0 && distance[tail[arc[k]]] == kFar) return false;
  for (std::size_t node = 0; node < labels.size(); ++node) {
    if (before[node] == node) continue;
    double least = kFar;
    for (const auto edge : boost::make_iterator_range(boost::out_edges(before[node], csr))) {
      const std::size_t k = boost::get(boost::edge_index, csr, edge);
      if (boost::target(edge, csr) == node && cost[k] < least) {
        least = cost[k];
        through[node] = static_cast<std::uint32_t>(k);
      }
    }
  }
  return true;
}

/// False if rounding makes a cycle of costs around 0 look negative.
bool Graph::Parts::path(std::vector<std::uint32_t>& out) const {
  out.clear();
  for (std::uint32_t at = target; at != source && out.size() <= tail.size(); at = tail[out.back()]) {
    if (through[at] == kNone)
      throw Error(ErrorKind::numerical, "", "costs are too large to be added along a path",
                  "check for a step that is too long");
    out.push_back(arc[through[at]]);
  }
  return out.size() <= tail.size();
}

void Graph::Parts::cheapest_flow(std::span<const double> c, std::vector<std::uint32_t>& out) const {
  std::vector<std::int64_t> supply(labels.size(), 0);
  ++supply[source];
  --supply[target];
  const std::vector<bool> full = CheapestFlow(tail, head, labels.size())(c, std::move(supply));
  out.clear();
  for (std::size_t a = 0; a < full.size(); ++a)
    if (full[a]) out.push_back(static_cast<std::uint32_t>(a));
}

Graph::Graph(const sdk::NumberRows& arcs, Index source, Index target) : p_(std::make_unique<Parts>()) {
  p_->read(arcs);
  p_->build();
  p_->source = p_->end_of(source, true);
  p_->target = p_->end_of(target, false);
  const auto label = [this](std::uint32_t node) { return name_of(p_->labels[node]); };
  p_->sort_nodes();
  if (acyclic() && p_->source == p_->target)
    throw Error(
        ErrorKind::usage, "target",
        "is node " + label(p_->target) + ", where paths begin, and the graph has no cycle: 0 is its flow",
        "name another node");
  p_->cost.assign(arcs.values.size() / 2, 1.0);
  if (acyclic())
    p_->relax_in_order();
  else
    (void)p_->search();  // of costs 1
  if (p_->distance[p_->target] == kFar)
    refuse("no path leads from node " + label(p_->source) + " to node " + label(p_->target),
           "check the direction of the arcs: from the first number of a row to the second");
}
Graph::~Graph() = default;

std::size_t Graph::arcs() const noexcept { return p_->tail.size(); }
std::size_t Graph::nodes() const noexcept { return p_->labels.size(); }
std::uint32_t Graph::tail(std::size_t arc) const noexcept { return p_->tail[arc]; }
std::uint32_t Graph::head(std::size_t arc) const noexcept { return p_->head[arc]; }
std::uint32_t Graph::source() const noexcept { return p_->source; }
std::uint32_t Graph::target() const noexcept { return p_->target; }
bool Graph::acyclic() const noexcept { return !p_->order.empty(); }
std::size_t Graph::longest() const noexcept { return p_->longest; }

void Graph::cheapest(std::span<const double> cost, std::vector<std::uint32_t>& out) {
  for (std::size_t k = 0; k < p_->arc.size(); ++k) p_->cost[k] = cost[p_->arc[k]];
  bool found = true;
  if (acyclic())
    p_->relax_in_order();
  else
    found = p_->search();
  if (!found || !p_->path(out)) p_->cheapest_flow(cost, out);
}

double Graph::imbalance(std::span<const double> x) {
  p_->balance.assign(nodes(), 0.0);
  p_->balance[p_->source] -= 1.0;
  p_->balance[p_->target] += 1.0;
  for (std::size_t a = 0; a < arcs(); ++a) p_->balance[p_->tail[a]] += x[a], p_->balance[p_->head[a]] -= x[a];
  double worst = 0.0;
  for (const double left : p_->balance) worst = std::max(worst, std::abs(left));
  return worst;
}

}  // namespace flow
