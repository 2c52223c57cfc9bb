// SPDX-License-Identifier: BSD-3-Clause
// The work of a run, by which its gap checks are spaced: component gradients and products with component
// Hessians count 1; a linear minimisation, one over every block, and a move of every coordinate are a pass.
#include "compose_for_test.hpp"

using namespace claros;
using namespace claros::test;

TEST_CASE("counted work: it is the sum of its counts for every algorithm that makes a run") {
  constexpr double kRows = 50.0, kCoordinates = 12.0;
  struct Case {
    const char* name;
    Words words;
    double blocks;
  };
  const std::vector<Case> cases{
      {"penalty", {"penalty.use=l1", "penalty.lambda=0.05*max"}, 1.0},
      {"set", {"set.use=l1-ball", "set.radius=0.8"}, 1.0},
      {"product",
       {"set.use=product", "set.sizes=3 4 5", "set.blocks.1.use=simplex", "set.blocks.1.radius=2",
        "set.blocks.2.use=l1-ball", "set.blocks.2.radius=0.7", "set.blocks.3.use=l2-ball",
        "set.blocks.3.radius=0.75"},
       3.0}};
  Counts seen;
  int runs = 0;
  for (const std::string& algorithm : build_catalog().names(Kind::algorithm))
    for (const Case& c : cases)
      for (const std::string loss : {"squared", "logistic"}) {
        CAPTURE(algorithm);
        CAPTURE(c.name);
        CAPTURE(loss);
        const Words words = c.words +
                            Words{"data.use=synthetic-regression",
                                  "data.rows=50",
                                  "data.cols=12",
                                  "data.nonzero=4",
                                  "data.seed=3",
                                  "objective.use=linear-model",
                                  "objective.loss=" + loss,
                                  "algorithm.use=" + algorithm,
                                  "stop.iterations=15",
                                  "stop.relative_gap=1e-14",
                                  "trace.on=no"} +
                            (loss == "logistic" ? Words{"data.response=logistic"} : Words{});
        RunResult r;
        try {
          r = solve(words);
        } catch (const Error& error) {
          CHECK(error.kind() == ErrorKind::usage);  // what theory forbids, or misses a part
          continue;
        }
        ++runs;
        const Counts& n = r.counts;
        seen.hvp += n.hvp, seen.lo += n.lo, seen.coordinate_steps += n.coordinate_steps;
        seen.partial_lo += n.partial_lo;
        const double passes = static_cast<double>(n.lo) +
                              static_cast<double>(n.coordinate_steps) / kCoordinates +
                              static_cast<double>(n.partial_lo) / c.blocks;
        CHECK(r.work == doctest::Approx(static_cast<double>(n.sfo + n.hvp) + kRows * passes).epsilon(1e-12));
      }
  CHECK(runs > 12);
  CHECK(seen.lo > 0);
  CHECK(seen.coordinate_steps > 0);
  CHECK(seen.partial_lo > 0);
}
