// SPDX-License-Identifier: BSD-3-Clause
#include "forest.hpp"

#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/sets/norm_conjugate.hpp>

#include <optional>

namespace {

using namespace claros;
using tree_group::Tree;

struct Options {
  ScaledNumber lambda;
  sdk::GroupOptions groups;
};

/// h(x) = lambda sum_g w_g ||x_g||_2 over groups that are disjoint or nested: h is a sum over the trees.
class TreeGroup final : public sdk::ArrayPenalty, public Separable, public Conjugate, public LambdaMax {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {sdk::lambda_row(&Options::lambda, at_least(0), "factor of the sum of group norms")},
        {include(&Options::groups, sdk::group_rows("; two groups are disjoint, or one holds the other"))}};
    return table;
  }

  TreeGroup(const Options& o, const Context& context)
      : lambda_(o.lambda.number()), groups_(std::in_place, o.groups, context, true) {}

  double conjugate(const Element& s) override {
    return sdk::norm_conjugate(dual(s), lambda_, sdk::kInfinity);
  }
  double into_domain(const Element& s) override {
    return sdk::norm_into_domain(dual(s), lambda_, sdk::kInfinity);
  }
  bool certifies_alone() const override { return lambda_ > 0.0; }
  double lambda_max(const Element& gradient) override { return dual(gradient); }
  Blocks blocks(const Shape& shape) override {
    fit(shape);
    std::vector<Index> start{0}, members;
    for (const Tree& tree : forest_) {
      members.insert(members.end(), tree.members.begin(), tree.members.end());
      start.push_back(static_cast<Index>(members.size()));
    }
    return Blocks::of(std::move(start), std::move(members));
  }
  BlockStep block_step() override {
    return {this, [](const void* self, Index b, const double* v, double step, double* x) {
              const auto& h = *static_cast<const TreeGroup*>(self);
              const Tree& tree = h.forest_[static_cast<std::size_t>(b)];
              std::copy_n(v, v == x ? 0 : tree.members.size(), x);
              tree.shrink(step * h.lambda_, {x, tree.members.size()});
            }};
  }
  std::unique_ptr<Component> restrict_to(std::span<const Index> blocks) override {
    std::vector<Tree> some;
    std::int32_t next = 0;
    for (const Index b : blocks) {
      some.push_back(forest_[static_cast<std::size_t>(b)]);
      for (std::int32_t& member : some.back().members) member = next++;
    }
    return std::unique_ptr<Component>(new TreeGroup(lambda_, std::move(some)));
  }
  void* ability(std::string_view id) noexcept override {
    return offer<ProximalOracle, Separable, Conjugate, LambdaMax, State>(this, id);
  }

 private:
  TreeGroup(double lambda, std::vector<Tree> forest) : lambda_(lambda), forest_(std::move(forest)) {}

  void fit(const Shape& shape) override {
    if (!groups_ || (fitted_ && shape == shape_)) return;
    groups_->fit(shape);
    forest_ = tree_group::forest_of(*groups_, static_cast<std::size_t>(shape.size()));
    shape_ = shape;
    fitted_ = true;
  }
  std::span<double> gathered(std::span<const double> x, const Tree& tree) {
    tree_.clear();
    for (const std::int32_t j : tree.members) tree_.push_back(x[static_cast<std::size_t>(j)]);
    return tree_;
  }
  double dual(const Element& s) {
    const std::span<const double> values = read(s);
    double most = 0.0;
    for (const Tree& tree : forest_) {
      const double norm = tree.dual_norm(gathered(values, tree));
      if (std::isnan(norm)) return norm;
      most = std::max(most, norm);
    }
    return most;
  }
  double penalty(std::span<const double> x) override {
    double sum = 0.0;
    for (const Tree& tree : forest_) sum += tree.value(gathered(x, tree));
    return lambda_ * sum;
  }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    for (const Tree& tree : forest_) {
      const std::span<double> mine = gathered(v, tree);
      tree.shrink(step * lambda_, mine);
      for (std::size_t k = 0; k < mine.size(); ++k) x[static_cast<std::size_t>(tree.members[k])] = mine[k];
    }
  }

  double lambda_;
  std::optional<sdk::Groups> groups_;  ///< none of a penalty of chosen trees
  bool fitted_ = false;
  Shape shape_;
  std::vector<Tree> forest_;
  std::vector<double> tree_;
};

}  // namespace

CLAROS_PLUGIN(
    TreeGroup, Kind::penalty, "tree-group", "hierarchical", "1.0.0",
    "Tree-structured group lasso, lambda sum_g w_g ||x_g||, groups nested",
    "h(x) = lambda sum over the groups of weight * ||x_g||_2, any two groups disjoint or nested: a group can "
    "be other than 0 only where all groups that hold it are (a node with its descendants a group: a variable "
    "enters after its ancestors). The proximal step shrinks the groups once, the inner ones first, exactly. "
    "The dual norm is the root of a convex function of one number. Separable over the trees.",
    "Jenatton, Mairal, Obozinski, Bach: Proximal methods for hierarchical sparse coding, JMLR 12, "
    "2011; Zhao, Rocha, Yu: The composite absolute penalties family for grouped and hierarchical "
    "variable selection, Annals of Statistics 37, 2009",
    "Use it for hierarchies: a group enters only with all groups that hold it. Two groups must be disjoint "
    "or nested; the proximal step is exact, and working-set takes it. For other overlaps take "
    "overlapping-group, which keeps unions of groups. For groups without a hierarchy take group, or "
    "sparse-group for zeros within them.",
    "data.use=synthetic-regression data.rows=100 data.cols=12 data.nonzero=2 "
    "data.group_size=3 objective.use=linear-model penalty.use=tree-group "
    "penalty.groups='0-5; 6-11; 0-2; 3-5; 6-8' penalty.lambda=0.2*max stop.relative_gap=1e-6")
