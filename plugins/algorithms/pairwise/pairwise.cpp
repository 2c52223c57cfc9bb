// SPDX-License-Identifier: BSD-3-Clause
#include <shared/algorithms/active_set_algorithm.hpp>

namespace {

using namespace claros;

/// x <- x + gamma (s - a), gamma up to the weight of a.
class Pairwise final : public sdk::ActiveSetAlgorithm {
 public:
  using ActiveSetAlgorithm::ActiveSetAlgorithm;

 private:
  Direction choose(const Slopes& slopes) const override {
    (void)slopes;
    return Direction::exchange;
  }
};

}  // namespace

CLAROS_PLUGIN(Pairwise, Kind::algorithm, "pairwise", "", "1.0.0",
              "Pairwise Frank-Wolfe (Lacoste-Julien, Jaggi 2015)",
              "x <- x + gamma (s - a): weight goes from the vertex a of the active set that maximises <g, v> "
              "to the minimiser s of <g, u> over the set. Over a polytope f - f* falls geometrically where f "
              "is strongly convex.",
              "Lacoste-Julien, Jaggi: On the global linear convergence of Frank-Wolfe optimization variants, "
              "NIPS 2015, Algorithm 2",
              "Use it over a polytope with full gradients, where f is strongly convex and is not a "
              "quadratic loss of A x. Its theory allows many swap steps, which blended-pairwise avoids. For "
              "least squares take blended-pairwise, which solves a quadratic program over the weights. "
              "Along stochastic gradients take frank-wolfe.",
              "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 "
              "objective.use=linear-model objective.loss=huber set.use=l1-ball "
              "set.radius=3 algorithm.use=pairwise stop.relative_gap=1e-6")
