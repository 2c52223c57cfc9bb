// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/groups.hpp>
#include <shared/sets/nearest_point.hpp>
#include <shared/sets/number_rows.hpp>
#include <shared/sets/support_face.hpp>
#include <shared/sets/water_level.hpp>

#include <boost/pending/disjoint_sets.hpp>

namespace {

using namespace claros;

enum class Matroid { uniform, partition, graphic };
enum class Corners { bases, independent };

struct Options {
  Matroid matroid = Matroid::uniform;
  Corners corners = Corners::bases;
  std::string rank = "1", groups, graph;
};

/// C = the convex hull of the bases of a matroid on the entries, as 0 and 1. The bases are all sets of k
/// entries (`uniform`), those with k_g of each group (`partition`), or the spanning trees of a graph whose
/// edges are the entries (`graphic`; forests, if the graph is not connected). The minimiser of <c, x> is
/// greedy. It takes the entries in the order of c, each that keeps the set independent, the first of several
/// alike (Edmonds 1971). The projection is that onto a capped simplex for each group; for a graph it is
/// Wolfe's (nearest_point.hpp). With r the rank, D = sqrt(2 sum min(r, n - r)), the sum over the groups.
///
/// With `independent` the corners are all independent sets: sums of at most k. The greedy minimiser then
/// takes entries of c_j < 0 alone. The projection is clip(v, 0, 1) if that has a sum of at most k. D^2 is the
/// sum of min(2 r, n), since two independent sets may be disjoint.
class MatroidBase final : public sdk::IteratedSet, public Faces {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("matroid", &Options::matroid,
            one_of<Matroid>({{Matroid::uniform, "uniform"},
                             {Matroid::partition, "partition"},
                             {Matroid::graphic, "graphic"}}),
            "which sets of entries are bases: all of a number, a number of each group, or the spanning trees "
            "of a graph"),
        row("corners", &Options::corners,
            one_of<Corners>({{Corners::bases, "bases"}, {Corners::independent, "independent"}}),
            "the corners: the bases, with k entries each, or all independent sets, with at most k"),
        row("rank", &Options::rank, any(),
            "how many entries of the whole, or of each group (a number for "
            "all, or one for each: 2 1 1), a base has",
            "k"),
        row("groups", &Options::groups, any(),
            "of partition: the groups of entries, counted from 0 and column-major: a size (10), lists (0-9; "
            "10-14, 19; 15-18), rows or columns of a matrix, or a file with such a list a line"),
        row("graph", &Options::graph, any(),
            "of graphic: an edge a row, the numbers of two nodes, in the order of the entries: a file, or "
            "written out (1 2; 2 3; 1 3)",
            "E")};
    return table;
  }

  MatroidBase(const Options& o, const Context& context)
      : graphic_(o.matroid == Matroid::graphic), at_most_(o.corners == Corners::independent) {
    warn_of_unused(o, context);
    if (o.matroid == Matroid::partition) {
      if (o.groups.empty())
        throw Error(ErrorKind::usage, "groups", "a partition matroid needs groups",
                    "give their size, a list for each, rows or columns");
      groups_.emplace(sdk::GroupOptions{o.groups, "none"}, context);
    }
    if (graphic_) {
      read_graph(o.graph, context);
      return;
    }
    for (const double rank : sdk::numbers_of(o.rank, "rank")) {
      if (!(rank >= 0.0) || rank != std::floor(rank) || rank > 0x1p53)
        throw Error(ErrorKind::usage, "rank", print_real(rank) + " is not a number of entries",
                    "give a whole number, at least 0");
      ranks_.push_back(static_cast<std::size_t>(rank));
    }
    if (ranks_.empty() || (ranks_.size() > 1 && !groups_))
      throw Error(ErrorKind::usage, "rank", "'" + o.rank + "' is not a rank",
                  "give one number; of partition perhaps one for each group");
  }

  double diameter(const Shape& shape) override {
    fit(shape);
    double square = 0.0;
    for (std::size_t g = 0; g < size_.size(); ++g)
      square += static_cast<double>(at_most_ ? std::min(2 * rank_of(g), size_[g])
                                             : 2 * std::min(rank_of(g), size_[g] - rank_of(g)));
    return std::sqrt(square);
  }

  /// The mean of all bases, the same number for all entries of a group; for a graph, a spanning tree.
  Element start_point(const Shape& shape) override {
    if (graphic_) return IteratedSet::start_point(shape);
    fit(shape);
    std::vector<double> x(group_.size());
    for (std::size_t j = 0; j < x.size(); ++j)
      x[j] = static_cast<double>(rank_of(group_[j])) / static_cast<double>(size_[group_[j]]);
    return Element::dense(shape, x);
  }

  bool is_expensive() const override { return graphic_; }

  FaceInfo away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) override {
    fit(x.shape());
    return sdk::away_in_support(
        g, x, {0.0, 1.0}, 1.0, [this](auto c, auto a) { greedy(c, a); }, vertex);
  }
  /// For a graph a face is the points in which some set of edges has as many as it can; entries do not show
  /// that. Nor do they show whether a sum is at most k or is k.
  void* ability(std::string_view id) noexcept override {
    void* own = graphic_ || at_most_ ? nullptr : offer<Faces>(this, id);
    return own ? own : IteratedSet::ability(id);
  }

 private:
  static constexpr double kFar = 1e100;

  std::size_t rank_of(std::size_t g) const { return ranks_.size() > 1 ? ranks_[g] : ranks_.front(); }

  /// Each option that the matroid asked for does not have is named.
  static void warn_of_unused(const Options& o, const Context& context) {
    const auto warn = [&](const std::string& key, const std::string& owner) {
      context.warn("set." + key + " has no effect: only a " + owner +
                   " matroid has it (set.matroid = " + owner + ", or leave it out)");
    };
    if (!o.groups.empty() && o.matroid != Matroid::partition) warn("groups", "partition");
    if (!o.graph.empty() && o.matroid != Matroid::graphic) warn("graph", "graphic");
    if (o.rank != Options().rank && o.matroid == Matroid::graphic) warn("rank", "uniform");
  }

  void read_graph(const std::string& graph, const Context& context) {
    if (graph.empty())
      throw Error(ErrorKind::usage, "graph", "a graphic matroid needs a graph",
                  "name a file of edges, or write them out: 1 2; 2 3; 1 3");
    const sdk::NumberRows rows = sdk::number_rows(graph, "graph", context);
    if (rows.width != 2)
      throw Error(ErrorKind::data, "graph", "a row has " + std::to_string(rows.width) + " numbers",
                  "an edge is the numbers of two nodes");
    std::vector<double> labels = rows.values;
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    for (const double label : rows.values)
      ends_.push_back(
          static_cast<std::size_t>(std::lower_bound(labels.begin(), labels.end(), label) - labels.begin()));
    nodes_ = labels.size();
    size_ = {ends_.size() / 2};
    group_.assign(size_.front(), 0);
    std::vector<double> x(size_.front());
    greedy(std::vector<double>(x.size(), -1.0), x);
    ranks_ = {static_cast<std::size_t>(std::count(x.begin(), x.end(), 1.0))};
  }

  void fit(const Shape& shape) override {
    const auto n = static_cast<std::size_t>(shape.size());
    if (graphic_) {
      if (n != size_.front())
        throw Error(
            ErrorKind::usage, "graph",
            "the graph has " + std::to_string(size_.front()) + " edges, and the variable is " + shape.text(),
            "give a number for each edge: a variable with as many entries");
      return;
    }
    if (shape == shape_) return;
    group_.assign(n, 0), size_.assign(1, n);
    if (groups_) {
      groups_->fit(shape);
      const Blocks blocks = groups_->blocks();
      size_.assign(groups_->count(), 0);
      for (std::size_t g = 0; g < groups_->count(); ++g) {
        size_[g] = groups_->size(g);
        for (Index k = 0; k < blocks.size(static_cast<Index>(g)); ++k)
          group_[static_cast<std::size_t>(blocks.coordinate(static_cast<Index>(g), k))] = g;
      }
    }
    if (ranks_.size() > 1 && ranks_.size() != size_.size())
      throw Error(ErrorKind::usage, "rank",
                  "there are " + std::to_string(ranks_.size()) + " ranks for " +
                      std::to_string(size_.size()) + " groups",
                  "give one for each");
    for (std::size_t g = 0; g < size_.size(); ++g)
      if (rank_of(g) > size_[g])
        throw Error(
            ErrorKind::usage, "rank",
            std::to_string(rank_of(g)) + " entries of " +
                (groups_ ? "group " + std::to_string(g) + ", which has " : std::string("a variable of ")) +
                std::to_string(size_[g]),
            "take no more than there are");
    shape_ = shape;
  }

  void corner(std::span<const double> c, std::span<double> x) override { greedy(c, x); }

  Certificate approach(std::span<const double> v, const Accuracy& accuracy, std::span<double> x) override {
    if (graphic_) {
      if (sdk::largest_magnitude(v) > kFar)
        throw Error(ErrorKind::numerical, "",
                    "the point to project is too far away for its distances to be computed",
                    "check for a step that is too long");
      (void)nearest(v, x);
      return within(nearest_.error(), accuracy, x);
    }
    // The entries group after group, each with its part of the answer.
    std::vector<std::size_t> next(size_.size(), 0);
    std::partial_sum(size_.begin(), size_.end() - 1, next.begin() + 1);
    order_.resize(v.size()), part_.resize(v.size());
    for (std::size_t j = 0; j < v.size(); ++j) part_[next[group_[j]]] = v[j], order_[next[group_[j]]++] = j;
    for (std::size_t g = 0; g < size_.size(); ++g) {
      const std::span<double> part(part_.data() + (next[g] - size_[g]), size_[g]);
      if (!at_most_ || clipped_sum(part) > static_cast<double>(rank_of(g)))
        sdk::project_to_capped_simplex(part, rank_of(g), 1.0, part, work_);
      else
        sdk::map_entries(part, part, [](double value) { return std::clamp(value, 0.0, 1.0); });
    }
    for (std::size_t k = 0; k < x.size(); ++k) x[order_[k]] = part_[k];
    return {};
  }

  static double clipped_sum(std::span<const double> v) {
    return sdk::sum_entries(v, [](double value) { return std::clamp(value, 0.0, 1.0); });
  }

  void greedy(std::span<const double> c, std::span<double> x) {
    order_.clear();
    for (std::size_t j = 0; j < c.size(); ++j)
      if (!at_most_ || c[j] < 0.0) order_.push_back(j);
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t i, std::size_t j) { return c[i] < c[j]; });
    std::fill(x.begin(), x.end(), 0.0);
    if (graphic_) return grow_forest(x);
    taken_.assign(size_.size(), 0);
    for (const std::size_t j : order_)
      if (taken_[group_[j]] < rank_of(group_[j])) ++taken_[group_[j]], x[j] = 1.0;
  }

  /// Kruskal's method.
  void grow_forest(std::span<double> x) {
    boost::disjoint_sets_with_storage<> trees(nodes_);
    for (std::size_t node = 0; node < nodes_; ++node) trees.make_set(node);
    for (const std::size_t j : order_) {
      const std::size_t one = trees.find_set(ends_[2 * j]), other = trees.find_set(ends_[2 * j + 1]);
      if (one != other) trees.link(one, other), x[j] = 1.0;
    }
  }

  /// The largest excess over a bound, of an entry or of a mean of a group. For a graph it is the distance
  /// from the nearest convex combination of forests, over sqrt(rank).
  double outside(std::span<const double> x) override {
    if (graphic_) return far_from_forests(x);
    std::vector<double> sum(size_.size(), 0.0);
    double worst = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum[group_[j]] += x[j];
      worst = std::max({worst, -x[j], x[j] - 1.0});
    }
    for (std::size_t g = 0; g < sum.size(); ++g) {
      const auto rank = static_cast<double>(rank_of(g));
      const double off = sum[g] - rank;
      worst = std::max(worst, (at_most_ ? off : std::abs(off)) / std::max(rank, 1.0));
    }
    return worst;
  }
  double scale() const { return std::sqrt(static_cast<double>(std::max<std::size_t>(ranks_.front(), 1))); }
  double nearest(std::span<const double> v, std::span<double> x) {
    return nearest_(
        v, scale(), [this](std::span<const double> c, std::span<double> to) { greedy(c, to); }, x);
  }
  double far_from_forests(std::span<const double> x) {
    const double size = scale();
    if (const double top = sdk::largest_magnitude(x); top > kFar) return top;
    std::vector<double> near(x.size());
    const double distance = std::sqrt(nearest(x, near));
    return distance <= 1e-13 * (size + sdk::euclidean_norm(x)) ? 0.0 : distance / size;
  }

  bool graphic_, at_most_;
  std::optional<sdk::Groups> groups_;
  std::vector<std::size_t> ranks_, size_, group_, taken_, order_,
      ends_;  ///< group_: of each entry; ends_: two of each edge
  std::size_t nodes_ = 0;
  std::vector<double> part_, work_;
  Shape shape_;
  sdk::NearestPoint nearest_;
};

}  // namespace

CLAROS_PLUGIN(
    MatroidBase, Kind::set, "matroid-base", "hypersimplex", "1.0.0",
    "Base polytope of a matroid: uniform (hypersimplex), partition or graphic (spanning trees)",
    "C = the convex hull of the bases of a matroid over the entries, each base as 0 and 1: all sets of k "
    "entries (uniform), k_g entries of each group (partition), or the spanning trees of a graph "
    "(graphic); with corners = independent, that of all sets of at most k, k_g, or of the forests. "
    "The linear oracle is the greedy algorithm; the projection is exact for the first two. "
    "Projection onto, and membership in, the last ask for the nearest mixture, by Wolfe's method, and are "
    "for graphs of a few hundred edges. Diameter sqrt(2 min(k, n - k)).",
    "Edmonds: Matroids and the greedy algorithm, Mathematical Programming 1, 1971",
    "Use it to choose k of all entries, k of each group, or a spanning tree. With matroid = "
    "uniform it is the set 0 <= x <= 1, sum x = k (corners = independent: sum x <= k), with an exact "
    "projection. For spanning trees "
    "projection and membership are iterative, for graphs of a few hundred edges. For a sum "
    "without the upper bound use simplex.",
    "objective.use=linear objective.data='4 1 3 2 5' set.use=matroid-base set.matroid=graphic "
    "set.graph='1 2; 1 3; 2 3; 2 4; 3 4' stop.relative_gap=1e-9")
