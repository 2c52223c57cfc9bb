// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/penalties/concave_entries.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double b = 3.0;
  double rho = sdk::kInfinity;
  std::string weights;
};

/// h(x) = sum of MCP_{lambda,b}(x_j) = lambda * integral over [0, |x_j|] of max(1 - z / (lambda b), 0) dz; mu
/// = 1/b. (Zhang 2010; Qu, Li, Xu 2017, section 2.)
class McpPenalty final : public sdk::EntrywisePenalty<sdk::Mcp> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, above(0), "slope at 0"),
        row("b", &Options::b, above(0), "entries beyond b * lambda are not shrunk", "b"),
        sdk::entry_weights_row(&Options::weights),
        sdk::side_constraint_row(&Options::rho, "(h(x) + (mu/2)||x||^2) / lambda")};
    return table;
  }

  McpPenalty(const Options& options, const Context& context)
      : EntrywisePenalty({options.lambda.number(), options.b}, options.rho,
                         sdk::EntryWeights(options.weights, context)) {}
};

}  // namespace

CLAROS_PLUGIN(
    McpPenalty, Kind::penalty, "mcp", "", "1.0.0", "Minimax concave penalty (MCP; Zhang 2010)",
    "Slope lambda at 0 that falls linearly to 0 at b lambda: large entries are not shrunk. Not convex: h + "
    "(mu/2)||x||^2 is, with mu = 1/b, and proximal steps must be shorter than b. rho bounds that convexified "
    "form divided by lambda. Separable without rho.",
    "Zhang: Nearly unbiased variable selection under minimax concave penalty, Annals of Statistics 38, 2010; "
    "Qu, Li, Xu: "
    "Linear convergence of SVRG in statistical estimation, 2017, Algorithm 2",
    "Use it where few entries matter, and large ones must not be shrunk. It is not convex: a run ends at a "
    "stationary point, without a gap, by stop.residual. A large b brings it close to l1. For a verified "
    "minimum take l1, and for entries in groups group-mcp.",
    "data.use=synthetic-regression data.rows=200 data.cols=500 data.nonzero=5 objective.use=linear-model "
    "penalty.use=mcp penalty.lambda=0.2*max stop.residual=1e-6")
