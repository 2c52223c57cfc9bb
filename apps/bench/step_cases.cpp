// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

namespace bench {

using namespace claros;

namespace {

constexpr std::array kEstimators{"sg", "svrg", "spider", "momentum", "sag", "saga", "casvrg", "caspider"};
constexpr Index kRows = 2500, kCols = 5000, kBatch = kRows / 50, kEpochs = 4;

/// Steps too short to move far: their cost does not depend on their end.
Spec dense_lasso(const std::string& estimator, Index steps) {
  Spec spec;
  spec.assign({"data.use=synthetic-regression", fmt::format("data.rows={}", kRows),
               fmt::format("data.cols={}", kCols), "data.nonzero=50", "data.seed=1",
               "objective.use=linear-model", "penalty.use=l1", "penalty.lambda=0.05",
               "algorithm.use=proximal-gradient", "algorithm.step=1e-5", "trace.on=no",
               "estimator.use=" + estimator, fmt::format("stop.iterations={}", steps)});
  if (estimator != "full") spec.set("estimator.batch", std::to_string(kBatch));
  return spec;
}

/// Seconds a step, and the counted passes of a step by its formula.
std::vector<double> costs(const std::string& estimator, Index steps) {
  const RunResult r = solve(everything(), dense_lasso(estimator, steps));
  const auto n = static_cast<double>(steps);
  return {r.seconds / n, passes(r.counts, kRows) / n};
}

}  // namespace

void step_costs(int repeats) {
  fmt::print("A step on dense rows, {} x {}, |S| = {}, snapshots shared by n/|S| steps\n", kRows, kCols,
             kBatch);
  std::vector<std::vector<double>> passes_of(kEstimators.size()), seconds(kEstimators.size());
  std::vector<double> full;
  for (int k = 0; k < repeats; ++k) {  // by turns: the machine's pace changes
    if (const Outcome o = in_child([] { return costs("full", kEpochs * 10); }); o.ok)
      full.push_back(o.numbers[0]);
    for (std::size_t e = 0; e < kEstimators.size(); ++e) {
      const Outcome o = in_child([&] { return costs(kEstimators[e], kEpochs * kRows / kBatch); });
      if (o.ok) seconds[e].push_back(o.numbers[0]), passes_of[e].push_back(o.numbers[1]);
    }
  }
  const double pass = median(full);
  fmt::print("  {:<9} {:>8.3f} ms\n", "full", 1e3 * pass);
  for (std::size_t e = 0; e < kEstimators.size(); ++e) {
    if (seconds[e].empty()) continue;
    const double took = median(seconds[e]), reads = median(passes_of[e]);
    fmt::print("  {:<9} {:>8.3f} ms, reads {:>6.1f} rows: {:>8.3f} ms at the pace of full, ratio {:.2f}\n",
               kEstimators[e], 1e3 * took, reads * kRows, 1e3 * reads * pass, took / (reads * pass));
  }
}

}  // namespace bench
