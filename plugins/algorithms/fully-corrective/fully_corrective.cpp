// SPDX-License-Identifier: BSD-3-Clause
#include <shared/algorithms/active_set_algorithm.hpp>

namespace {

using namespace claros;

struct Options {
  sdk::ActiveSetOptions numbers{.lazy = 0.1, .corrections = sdk::Corrections::direct};
};

/// After every vertex of the oracle, f is minimised over the convex hull of the active set. A quadratic loss
/// of A x takes a quadratic program over the weights (HullMinimiser). Another f takes pairwise steps, until
/// the largest slope within it is at most `lazy` times the Frank-Wolfe gap.
class FullyCorrective final : public sdk::ActiveSetAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {},
        {include(&Options::numbers,
                 sdk::corrective_rows(above_to(0, 1),
                                      "to what share of the last Frank-Wolfe gap f is minimised over the "
                                      "hull of the active set before the next linear minimisation"))}};
    return table;
  }

  FullyCorrective(const Options& options, const Context& context)
      : ActiveSetAlgorithm(options.numbers, context) {}

 private:
  bool within() const override { return true; }
  Direction choose(const Slopes& slopes) const override {
    return slopes.lazy ? Direction::exchange : Direction::toward;
  }
};

}  // namespace

CLAROS_PLUGIN(
    FullyCorrective, Kind::algorithm, "fully-corrective", "", "1.0.0",
    "Fully corrective Frank-Wolfe: minimises over the convex hull of the active set",
    "x <- argmin of f over the convex hull of the active set, to an accuracy that is a share of "
    "the Frank-Wolfe gap; then the minimiser of <g, u> over the set joins it. A quadratic loss of A x is "
    "minimised by a quadratic program over the weights, every other f by pairwise steps. "
    "Few linear minimisations, many steps between them.",
    "Lacoste-Julien, Jaggi: On the global linear convergence of Frank-Wolfe optimization variants, "
    "NIPS 2015, Algorithm 4; Holloway: An extension of the Frank and Wolfe method of feasible "
    "directions, Mathematical Programming 6, 1974",
    "Use it where a linear minimisation costs far more than steps among known vertices, as over a polytope "
    "that is given by constraints. It needs the full gradient. For losses that are not quadratic it takes "
    "many pairwise steps between two linear minimisations; blended-pairwise is faster in the measured case.",
    "objective.use=distance objective.data='3 1 2' set.use=polytope "
    "set.program='1 2 1 <= 4; 3 1 0 <= 6' algorithm.use=fully-corrective stop.relative_gap=1e-6")
