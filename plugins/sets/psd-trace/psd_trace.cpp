// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <shared/sets/psd_set.hpp>

namespace {

using namespace claros;

/// C = {X psd : tr X <= tau}.
class PsdTrace final : public sdk::PsdSet {
 public:
  using Options = sdk::PsdOptions;
  static const ParameterList& parameters() {
    static const auto table = sdk::psd_parameters("bound on the sum of the eigenvalues");
    return table;
  }

  PsdTrace(const Options& options, const Context& context) : PsdSet(options, true, context) {}
};

}  // namespace

CLAROS_PLUGIN(PsdTrace, Kind::set, "psd-trace", "", "1.0.0",
              "Trace-bounded positive semidefinite matrices, X >= 0, tr X <= radius",
              "C = {X symmetric, positive semidefinite, tr X <= tau}. Linear oracle: the leading eigenvector "
              "v of minus the symmetric part of the direction, vertex tau v v'"
              ", or 0 where no eigenvalue is positive. "
              "Projection: eigenvalues are lowered by the number that leaves a sum of tau, and cut at 0, "
              "from as many of them as the result has, with a certificate. "
              "Diameter sqrt(2) tau.",
              "Garber: On the convergence of stochastic gradient descent with low-rank projections for "
              "convex low-rank matrix problems, COLT 2020, Lemma 1 and Observation 1",
              "Use it for positive semidefinite matrices of low rank with a bound on the trace, as in "
              "phase retrieval. A linear minimisation computes one eigenvector, a projection as many as "
              "its result has. If the trace is known, use spectrahedron. For matrices that are not "
              "symmetric use nuclear-ball.",
              "data.use=synthetic-sensing data.rows=10 data.count=200 data.noise=0.1 "
              "objective.use=matrix-sensing set.use=psd-trace set.radius=1 stop.relative_gap=1e-6")
