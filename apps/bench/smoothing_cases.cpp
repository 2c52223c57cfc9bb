// SPDX-License-Identifier: BSD-3-Clause
// Smoothed gradients beside reading their arrays, and a step of SVRGCG beside its truncated decomposition and
// its passes.
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <claros/element/parallel.hpp>
#include <claros/run/run_loop.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/losses/parallel_entries.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

namespace bench {

using namespace claros;

namespace {

/// The sum of x and y, on the threads in force.
double read(std::span<const double> x, std::span<const double> y) {
  return sum_chunks(static_cast<Index>(x.size()), Index{1} << 14, [&](Index first, Index last) {
    const auto from = static_cast<std::size_t>(first), count = static_cast<std::size_t>(last - first);
    const auto same = [](double t) { return t; };
    return sdk::sum_entries(x.subspan(from, count), same) + sdk::sum_entries(y.subspan(from, count), same);
  });
}

/// g <- g + grad R(x) reads two arrays and writes one: as a share of reading two of them, half as much again.
void gradient(const Catalog& catalog, const std::string& smoother, Index d, int repeats) {
  const std::vector<Setting> settings{{"lambda", "2", {}, {}}, {"mu", "0.1", {}, {}}};
  const auto R = std::static_pointer_cast<Objective>(
      create_component(catalog, Kind::smoother, smoother, settings, Context{}));
  const Shape shape = Shape::matrix(d, d);
  std::vector<double> values(static_cast<std::size_t>(shape.size()));
  RandomStream(1, Purpose::test).fill_normal(values);
  const Element x = Element::dense(shape, values);
  Element g = Element::dense(shape, std::move(values));
  const auto megabytes = 8e-6 * static_cast<double>(shape.size());
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    std::vector<double> reads, adds;
    double seen = 0.0;
    for (int k = 0; k <= 4 * repeats; ++k) {
      const double a = seconds_of([&] {
        seen += read(x.parts().empty() ? std::span<const double>()
                                       : std::get<DenseForm>(x.parts().front().form).values.view(),
                     g.dense_values());
      });
      const double b = seconds_of([&] { R->add_gradient(x, Batch::all(), 1e-3, g); });
      if (k > 0) reads.push_back(a), adds.push_back(b);
    }
    const double reading = 2e-3 * megabytes / median(reads), adding = 3e-3 * megabytes / median(adds);
    fmt::print(
        "  {:<12} {} x {}, {} thread{}: read {:>5.1f} GB/s, smoothed gradient {:>5.2f} ms, {:>5.1f} GB/s: "
        "{:.0f}%{}\n",
        smoother, d, d, threads, threads > 1 ? "s" : " ", reading, 1e3 * median(adds), adding,
        100.0 * adding / reading, seen == seen ? "" : "!");
  }
}

/// The passes over d^2 numbers. They are the snapshot's gradient copied, the difference of gradients (x,
/// x_s), the argument of the step, its smoothed part, and X + eta (V - X).
constexpr double kPasses = 6.0;

void step(const Catalog& catalog, Index d, Index rank, int repeats) {
  const std::string r = std::to_string(rank);
  Spec spec;
  spec.assign({"data.use=synthetic-sparse-low-rank",
               "data.rows=" + std::to_string(d),
               "data.rank=" + r,
               "data.seed=0",
               "objective.use=noisy-matrix",
               "objective.sigma=5",
               "smoother.use=huber-l1",
               "smoother.lambda=2",
               "smoother.mu=1",
               "set.use=nuclear-ball",
               "set.radius=" + std::to_string(900 * rank),
               "estimator.use=svrg",
               "algorithm.use=generalized-conditional-gradient",
               "algorithm.rank=" + r,
               "algorithm.batch=theory",
               "algorithm.length=theory",
               "algorithm.variance=2.25e6",
               "stop.iterations=300",
               "trace.on=no",
               "output.solution=no"});
  std::vector<double> values(static_cast<std::size_t>(d * d), 1.0), sums(values);
  std::vector<double> ratios, steps, oracles, passes;
  for (int k = 0; k < repeats; ++k) {
    const RunResult run = solve(catalog, spec);
    const double n = static_cast<double>(run.iterations);
    const double pass = seconds_of([&] {
                          for (int i = 0; i < 100; ++i)
                            sdk::add_entries(values, sums, [](double t) { return 1e-3 * t; });
                        }) /
                        100.0;
    steps.push_back(run.seconds / n), oracles.push_back(run.component_seconds.oracle / n),
        passes.push_back(kPasses * pass);
    ratios.push_back(steps.back() / (oracles.back() + passes.back()));
  }
  fmt::print(
      "  SVRGCG, {} x {}, rank {}: {:.3f} ms a step, truncated decomposition {:.3f} ms, {} passes {:.3f} ms: "
      "{:.2f} x\n",
      d, d, rank, 1e3 * median(steps), 1e3 * median(oracles), kPasses, 1e3 * median(passes), median(ratios));
}

}  // namespace

void smoothing(int repeats) {
  const Catalog& catalog = everything();
  fmt::print("Smoothed gradients, g <- g + grad R(x), as a share of the bandwidth of reading x and g\n");
  for (const std::string smoother : {"huber-l1", "elastic-net"}) gradient(catalog, smoother, 2000, repeats);
  fmt::print("Steps of SVRGCG beside what they cannot do without, one thread\n");
  for (const Index rank : {1, 10}) step(catalog, 300, rank, repeats);
}

}  // namespace bench
