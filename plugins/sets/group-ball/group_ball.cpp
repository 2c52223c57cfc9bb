// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/sets/group_norm.hpp>

namespace {

using namespace claros;

struct Options {
  double radius = kUnset;
  sdk::GroupNormOptions norm;
};

/// C = {x : sum_g w_g ||x_g|| <= r}, Euclidean or largest-magnitude norms. The linear oracle puts everything
/// into the group whose dual norm over weight is largest; D = 2 max ||x||_2, known from the first call on
/// where the groups depend on the variable.
class GroupBall final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {sdk::radius_row(&Options::radius, "bound on the sum of weighted group norms", "rho",
                         "sum of group norms")},
        {include(&Options::norm, sdk::group_norm_rows())}};
    return table;
  }

  GroupBall(const Options& options, const Context& context)
      : radius_(options.radius), norm_(options.norm, context) {}

  double diameter(const Shape& shape) override {
    fit(shape);
    return 2.0 * norm_.largest_norm(radius_);
  }

 private:
  void fit(const Shape& shape) override { norm_.fit(shape); }
  void corner(std::span<const double> c, std::span<double> x) override { norm_.minimize(c, radius_, x); }
  void project(std::span<const double> v, std::span<double> x) override { norm_.project(v, radius_, x); }
  double outside(std::span<const double> x) override { return sdk::ball_violation(norm_.value(x), radius_); }

  double radius_;
  sdk::GroupNorm norm_;
};

}  // namespace

CLAROS_PLUGIN(
    GroupBall, Kind::set, "group-ball", "", "1.0.0", "Group-norm ball, sum_g w_g ||x_g|| <= radius",
    "C = {x : sum over the groups of weight * ||x_g|| <= r}, the Euclidean or the largest-magnitude norm. "
    "Groups partition the entries (column-major), or are the rows or columns of a matrix.",
    "Yuan, Lin: Model selection and estimation in regression with grouped variables, JRSS B 68, 2006 (norm)",
    "Use it to set whole groups of entries, or rows or columns of a matrix, to 0 under a bound "
    "by a radius. Groups must not overlap; for those that do use the penalty overlapping-group. "
    "If you can choose a factor lambda instead of a radius, use the penalty group, which "
    "working-set solves on few groups.",
    "data.use=synthetic-regression data.rows=100 data.cols=40 data.group_size=4 data.nonzero=2 "
    "objective.use=linear-model set.use=group-ball set.groups=4 set.radius=3 stop.relative_gap=1e-6")
