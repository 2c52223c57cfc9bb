// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/penalties/concave_entries.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double zeta = 3.7;
  double rho = sdk::kInfinity;
  std::string weights;
};

/// h(x) = sum of SCAD_{lambda,zeta}(x_j): lambda |t| up to lambda, -(t^2 - 2 zeta lambda |t| + lambda^2) / (2
/// (zeta - 1)) up to zeta lambda, then (zeta + 1) lambda^2 / 2; mu = 1/(zeta - 1). (Fan, Li 2001; Qu, Li, Xu
/// 2017, section 2.)
class ScadPenalty final : public sdk::EntrywisePenalty<sdk::Scad> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, above(0),
                        "slope at 0, and the size up to which an entry is penalised like in l1"),
        row("zeta", &Options::zeta, above(2), "entries beyond zeta * lambda are not shrunk", "zeta"),
        sdk::entry_weights_row(&Options::weights),
        sdk::side_constraint_row(&Options::rho, "(h(x) + (mu/2)||x||^2) / lambda")};
    return table;
  }

  ScadPenalty(const Options& options, const Context& context)
      : EntrywisePenalty({options.lambda.number(), options.zeta}, options.rho,
                         sdk::EntryWeights(options.weights, context)) {}
};

}  // namespace

CLAROS_PLUGIN(ScadPenalty, Kind::penalty, "scad", "", "1.0.0",
              "Smoothly clipped absolute deviation (SCAD; Fan, Li 2001)",
              "Like lambda |x_j| near 0, flat beyond zeta lambda, quadratic in between: large entries are "
              "not shrunk. Not convex: "
              "h + (mu/2)||x||^2 is, with mu = 1/(zeta - 1), and proximal steps must be shorter than 1/mu. "
              "rho bounds that "
              "convexified form divided by lambda. Separable without rho.",
              "Fan, Li: Variable selection via nonconcave penalized likelihood, JASA 96, 2001; Qu, Li, Xu: "
              "Linear convergence of "
              "SVRG in statistical estimation, 2017, Algorithm 2",
              "Use it where few entries matter, and large ones must not be shrunk. Up to lambda it "
              "penalises entries as l1 does; with mcp the slope falls from magnitude 0 on. It is not "
              "convex: a run ends at a stationary point, without a gap, by stop.residual. For a verified "
              "minimum take l1, and for entries in groups group-scad.",
              "data.use=synthetic-regression data.rows=200 data.cols=500 data.nonzero=5 "
              "objective.use=linear-model penalty.use=scad penalty.lambda=0.2*max stop.residual=1e-6")
