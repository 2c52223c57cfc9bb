// SPDX-License-Identifier: BSD-3-Clause
#include <shared/algorithms/active_set_algorithm.hpp>

namespace {

using namespace claros;

struct Options {
  sdk::ActiveSetOptions numbers{.corrections = sdk::Corrections::direct};
};

/// x <- x + gamma (l - a), within the active set, if <g, a - l> >= <g, x - s>, else x <- x + gamma (s - x).
class BlendedPairwise final : public sdk::ActiveSetAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {}, {include(&Options::numbers, sdk::corrective_rows(between(0, 1), sdk::lazy_text()))}};
    return table;
  }
  BlendedPairwise(const Options& options, const Context& context)
      : ActiveSetAlgorithm(options.numbers, context) {}

 private:
  bool within() const override { return true; }
  Direction choose(const Slopes& slopes) const override {
    return slopes.lazy || slopes.within >= slopes.toward ? Direction::exchange : Direction::toward;
  }
};

}  // namespace

CLAROS_PLUGIN(
    BlendedPairwise, Kind::algorithm, "blended-pairwise", "", "1.0.0",
    "Blended pairwise conditional gradients (Tsuji, Tanaka, Pokutta 2022)",
    "x <- x + gamma (l - a) with the vertices of the active set that maximise (a) and minimise (l) <g, v>, "
    "where that slope is at least the Frank-Wolfe gap, else x <- x + gamma (s - x). No step swaps a vertex "
    "for a new one, so none is spent on swaps, and active sets stay small. Where f is a quadratic loss of A "
    "x, a quadratic program over the weights takes the place of these steps (corrections).",
    "Tsuji, Tanaka, Pokutta: Pairwise conditional gradients without swap steps and sparser kernel "
    "herding, ICML 2022, Algorithms 1 and 2",
    "Use it over polytopes whose projection is expensive or unknown, such as birkhoff or flow: Claros "
    "chooses it there. It needs the full gradient and keeps its vertices in memory. Along stochastic "
    "gradients take frank-wolfe. Where a projection is cheap, proximal-gradient keeps no vertices.",
    "objective.use=distance objective.data='0.5 0.3 0.1; 0.2 0.4 0.6; 0.1 0.7 0.3' "
    "set.use=birkhoff algorithm.use=blended-pairwise stop.relative_gap=1e-6")
