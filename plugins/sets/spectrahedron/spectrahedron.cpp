// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <shared/sets/psd_set.hpp>

namespace {

using namespace claros;

/// C = {X psd : tr X = tau}.
class Spectrahedron final : public sdk::PsdSet {
 public:
  using Options = sdk::PsdOptions;
  static const ParameterList& parameters() {
    static const auto table = sdk::psd_parameters("the sum of the eigenvalues");
    return table;
  }

  Spectrahedron(const Options& options, const Context& context) : PsdSet(options, false, context) {}
};

}  // namespace

CLAROS_PLUGIN(Spectrahedron, Kind::set, "spectrahedron", "", "1.0.0", "Spectrahedron, X >= 0, tr X = radius",
              "C = {X symmetric, positive semidefinite, tr X = tau}. Linear oracle: the leading eigenvector "
              "v of minus the symmetric part of the direction, vertex tau v v'. Projection: eigenvalues are "
              "lowered by the number that leaves a sum of tau, and cut at 0, from as many of them as the "
              "result has, with a certificate. Diameter sqrt(2) tau.",
              "Garber: On the convergence of stochastic gradient descent with low-rank projections for "
              "convex low-rank matrix problems, COLT 2020, Lemma 1 and Observation 1",
              "Use it for positive semidefinite matrices of low rank and known trace, such as density "
              "matrices of trace 1. A linear minimisation computes one eigenvector, a projection as many "
              "as its result has. If the trace is only bounded, use psd-trace. For eigenvalues of at most "
              "1 use fantope.",
              "data.use=synthetic-sensing data.rows=10 data.rank=2 data.count=200 "
              "data.measurements=gaussian data.noise=0.1 objective.use=matrix-sensing "
              "set.use=spectrahedron set.radius=1 stop.relative_gap=1e-6")
