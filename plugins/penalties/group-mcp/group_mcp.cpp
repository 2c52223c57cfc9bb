// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/penalties/concave_entries.hpp>
#include <shared/penalties/norm_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double b = 3.0;
  sdk::GroupOptions groups;
};

/// h(x) = sum_g MCP_{w_g lambda, b}(||x_g||_2); mu = 1/b. (Breheny, Huang 2015, section 2.2.)
class GroupMcp final : public sdk::NormPenalty<sdk::Mcp> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {sdk::lambda_row(&Options::lambda, above(0), "slope at 0, times the weight of the group"),
         row("b", &Options::b, above(0), "groups whose norm is above b * lambda * weight are not shrunk",
             "b")},
        {include(&Options::groups, sdk::group_rows())}};
    return table;
  }

  GroupMcp(const Options& o, const Context& context)
      : NormPenalty({o.lambda.number(), o.b}, {{sdk::BlockNorm::l2, o.groups}, context}) {}
};

}  // namespace

CLAROS_PLUGIN(
    GroupMcp, Kind::penalty, "group-mcp", "", "1.0.0", "Group MCP, sum_g MCP(||x_g||; w_g lambda, b)",
    "h(x) = sum over the groups of MCP with slope w_g lambda at 0 and b, of ||x_g||_2: groups of norm above "
    "b w_g lambda are not shrunk, and weak groups are 0 as a whole. Not convex: h + (mu/2)||x||^2 is, with "
    "mu = 1/b, and proximal steps must be shorter than b. Separable.",
    "Breheny, Huang: Group descent algorithms for nonconvex penalized linear and logistic regression models "
    "with grouped predictors, Statistics and Computing 25, 2015; Zhang: Nearly unbiased variable selection "
    "under minimax concave penalty, Annals of Statistics 38, 2010",
    "Use it in place of group where groups of a large norm must not be shrunk. It is not convex: a run ends "
    "at a stationary point, without a gap, by stop.residual. A large b brings it close to group. For a "
    "verified minimum take group, for single entries mcp.",
    "data.use=synthetic-regression data.rows=200 data.cols=500 data.nonzero=5 "
    "data.group_size=5 objective.use=linear-model penalty.use=group-mcp "
    "penalty.groups=5 penalty.lambda=0.2*max stop.residual=1e-6")
