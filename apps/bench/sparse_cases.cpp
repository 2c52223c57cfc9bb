// SPDX-License-Identifier: BSD-3-Clause
// Steps on sparse rows.
#include "by_hand.hpp"
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <claros/compose/memory_data.hpp>
#include <claros/random.hpp>
#include <claros/sampler.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace bench {

using namespace claros;

namespace {

/// Distinct random columns a row, a tenth of them from the first 1000, as frequent words are.
std::shared_ptr<const Dataset> sparse_rows(Index n, Index p, Index nonzeros) {
  RandomStream stream(3, Purpose::data);
  std::vector<Index> start{0};
  std::vector<std::int32_t> column;
  std::vector<double> value, response;
  for (Index i = 0; i < n; ++i) {
    const auto from = static_cast<std::ptrdiff_t>(column.size());
    while (static_cast<Index>(column.size()) < static_cast<Index>(from) + nonzeros) {
      column.push_back(
          static_cast<std::int32_t>(stream.index(column.size() % 10 ? p : std::min<Index>(p, 1000))));
      std::sort(column.begin() + from, column.end());
      column.erase(std::unique(column.begin() + from, column.end()), column.end());
    }
    double y = 0.1 * stream.normal();
    for (auto e = static_cast<std::size_t>(from); e < column.size(); ++e) {
      value.push_back(stream.normal() / std::sqrt(static_cast<double>(nonzeros)));
      if (column[e] % 50 == 0) y += value.back();
    }
    start.push_back(static_cast<Index>(column.size()));
    response.push_back(y);
  }
  return data_from_compressed_rows(start, column, value, p, response);
}

Composition composed(const std::shared_ptr<const Dataset>& data, const std::vector<std::string>& words) {
  Spec spec;
  spec.assign(words);
  HostParts parts;
  parts.data = data;
  return compose(everything(), spec, parts, {});
}

/// Nanoseconds of a step of the algorithm, watchers included, after one that begins the epoch and a quarter
/// to warm up.
double step_nanoseconds(const Composition& c, Index steps) {
  const Problem problem = c.problem();
  Sampler sampler(c.context.stream(Purpose::sampling), problem.objective->terms());
  problem.estimator->start(*problem.objective, sampler);
  c.algorithm->start(problem, c.start_point());
  for (Index k = 0; k <= steps / 4; ++k) c.algorithm->step();
  return 1e9 / static_cast<double>(steps) * seconds_of([&] {
           for (Index k = 0; k < steps; ++k) c.algorithm->step();
         });
}

constexpr Index kRows = 20000, kNonzeros = 75;

}  // namespace

void lazy_steps(int repeats, const std::string& part) {
  fmt::print(
      "A stochastic proximal step (l1) on sparse rows of {} nonzeros, {} rows; nanoseconds a nonzero of its "
      "rows\n",
      kNonzeros, kRows);
  for (const Index p : {Index{1000}, Index{100000}, Index{10000000}}) {
    if (!part.empty() && part != std::to_string(p)) continue;
    const auto data = sparse_rows(kRows, p, kNonzeros);
    for (const Index batch : {Index{1}, Index{10}}) {
      const Index steps = 20000 / batch;
      const double entries = static_cast<double>(batch * kNonzeros), s = 0.3;
      std::vector<double> hand;
      for (int k = 0; k < repeats; ++k)
        hand.push_back(lagged_svrg_by_hand(*data->design(), 1e-3, s, batch, steps) / entries);
      fmt::print("  p = {:<9} |S| = {:<3} by hand {:>6.1f}", p, batch, median(hand));
      const auto ours = [&](const std::string& estimator, const std::string& lagged, Index count,
                            const std::string& use = "algorithm.use=proximal-gradient",
                            const std::string& length = "") {
        std::vector<double> took;
        for (int k = 0; k < repeats; ++k)
          took.push_back(
              step_nanoseconds(composed(data, {"objective.use=linear-model", "penalty.use=l1",
                                               "penalty.lambda=1e-3", use, "algorithm.lagged=" + lagged,
                                               length.empty() ? fmt::format("algorithm.step={}", s) : length,
                                               "trace.on=no", "estimator.use=" + estimator,
                                               fmt::format("estimator.batch={}", batch),
                                               "estimator.epoch=1000000", "stop.iterations=1"}),
                               count) /
              entries);
        return median(took);
      };
      for (const std::string estimator : {"svrg", "saga", "sag", "sg"})
        fmt::print("  {} {:>6.1f}", estimator, ours(estimator, "always", steps));
      const Index few = std::max<Index>(8, steps * 100 / p);
      fmt::print("  svrg, never lagged {:>8.1f}\n", ours("svrg", "never", few));
      const auto both = [&](const std::string& name, const std::string& use, const std::string& length) {
        fmt::print("    {}: lagged {:>6.1f}, never {:>8.1f}\n", name,
                   ours("sg", "always", steps, use, length), ours("sg", "never", few, use, length));
      };
      both("sg with steps that decay", "algorithm.use=proximal-gradient", "algorithm.decay=sqrt");
      both("dual averaging", "algorithm.use=dual-averaging", "algorithm.gamma=1");
    }
  }
}

void momentum_steps(int repeats) {
  constexpr Index kPoints = 4000, kCols = 400000, kSteps = 60;
  fmt::print("A step of FISTA on {} x {} sparse rows of {} nonzeros\n", kPoints, kCols, kNonzeros);
  const auto data = sparse_rows(kPoints, kCols, kNonzeros);
  for (const std::string step : {"auto", "1/L"}) {
    std::vector<double> all, objective, oracle, rest, hand;
    double gradients = 0.0;
    for (int k = 0; k < repeats; ++k) {
      const Composition c = composed(
          data, {"objective.use=linear-model", "penalty.use=l1", "penalty.lambda=1e-3",
                 "algorithm.use=proximal-gradient", "algorithm.accelerate=yes", "algorithm.step=" + step,
                 "trace.on=no", fmt::format("stop.iterations={}", kSteps)});
      const RunResult r = solve(c, c.problem());
      const double unit = 1e3 / static_cast<double>(r.iterations);
      all.push_back(unit * r.seconds), objective.push_back(unit * r.component_seconds.objective),
          oracle.push_back(unit * r.component_seconds.oracle);
      gradients = static_cast<double>(r.counts.sfo) / static_cast<double>(kPoints * r.iterations);
      rest.push_back(all.back() - objective.back() - oracle.back());
      hand.push_back(momentum_by_hand(kCols, kSteps));
    }
    fmt::print(
        "  step = {:<5} {:>7.3f} ms of {:.2f} gradients: objective {:.3f}, oracle {:.3f}, the rest {:.3f}; "
        "by hand {:.3f}\n",
        step, median(all), gradients, median(objective), median(oracle), median(rest), median(hand));
  }
}

}  // namespace bench
