// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/penalties/concave_entries.hpp>
#include <shared/penalties/norm_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double zeta = 3.7;
  sdk::GroupOptions groups;
};

/// h(x) = sum_g SCAD_{w_g lambda, zeta}(||x_g||_2); mu = 1/(zeta - 1). (Breheny, Huang 2015, section 2.2.)
class GroupScad final : public sdk::NormPenalty<sdk::Scad> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {sdk::lambda_row(&Options::lambda, above(0),
                         "slope at 0, times the weight of the group, and the norm up to which a group is "
                         "penalised like in group lasso"),
         row("zeta", &Options::zeta, above(2), "groups of norm above zeta * lambda * weight are not shrunk",
             "zeta")},
        {include(&Options::groups, sdk::group_rows())}};
    return table;
  }

  GroupScad(const Options& o, const Context& context)
      : NormPenalty({o.lambda.number(), o.zeta}, {{sdk::BlockNorm::l2, o.groups}, context}) {}
};

}  // namespace

CLAROS_PLUGIN(
    GroupScad, Kind::penalty, "group-scad", "", "1.0.0", "Group SCAD, sum_g SCAD(||x_g||; w_g lambda, zeta)",
    "h(x) = sum over the groups of SCAD with slope w_g lambda at 0 and zeta, of ||x_g||_2: groups of norm "
    "above zeta w_g lambda are not shrunk, and weak groups are 0 as a whole. Not convex: h + (mu/2)||x||^2 "
    "is, with mu = 1/(zeta - 1), and proximal steps must be shorter than 1/mu. Separable.",
    "Breheny, Huang: Group descent algorithms for nonconvex penalized linear and logistic regression models "
    "with grouped predictors, Statistics and Computing 25, 2015; Fan, Li: Variable selection via nonconcave "
    "penalized likelihood, JASA 96, 2001",
    "Use it in place of group where groups of a large norm must not be shrunk. Norms up to "
    "lambda times their weight are penalised as by group; with group-mcp the slope falls "
    "from norm 0 on. It is not convex: a run ends at a stationary point, without a gap, by "
    "stop.residual. For a verified minimum take group.",
    "data.use=synthetic-regression data.rows=200 data.cols=500 data.nonzero=5 "
    "data.group_size=5 objective.use=linear-model penalty.use=group-scad "
    "penalty.groups=5 penalty.lambda=0.2*max stop.residual=1e-6")
