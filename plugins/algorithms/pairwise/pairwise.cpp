// SPDX-License-Identifier: BSD-3-Clause
#include <claros/sdk/algorithms/active_set_algorithm.hpp>

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
              "NIPS 2015, Algorithm 2")
