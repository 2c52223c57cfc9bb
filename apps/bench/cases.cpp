// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"

#include "child.hpp"
#include "problems.hpp"

#include <claros/sampler.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bench {

using namespace claros;

namespace {

std::vector<double> timed_steps(const std::filesystem::path& file, double radius, Index steps) {
  Spec spec = specification(file, radius);
  spec.set("stop.iterations", std::to_string(steps));
  const RunResult r = solve(everything(), spec);
  const double n = static_cast<double>(r.iterations);
  return {1e3 * r.seconds / n, r.component_seconds.objective / r.seconds,
          r.component_seconds.oracle / r.seconds, static_cast<double>(r.counts.matvec) / n};
}

void print_steps(const std::string& name, const Outcome& o) {
  if (!o.ok) return (void)fmt::print("{:<34} failed\n", name);
  fmt::print(
      "{:<34} {:>9.2f} ms a step  objective {:>4.1f}%  oracle {:>4.1f}%  rest {:>4.1f}%  {:>5.1f} products  "
      "peak {:>6.0f} MB\n",
      name, o.numbers[0], 100 * o.numbers[1], 100 * o.numbers[2], 100 * (1 - o.numbers[1] - o.numbers[2]),
      o.numbers[3], o.peak_megabytes);
}

/// The time of each part of a step, from the same calls made by hand with a clock between them.
struct Shares {
  double gradient = 0.0, oracle = 0.0, gap = 0.0, update = 0.0;
  double sum() const { return gradient + oracle + gap + update; }
};

Shares by_hand(const Composition& c, Index steps) {
  Problem problem = c.problem();
  Sampler sampler(c.context.stream(Purpose::sampling), c.objective->terms());
  problem.estimator->start(*c.objective, sampler);
  Element x = c.start_point(), v;
  Shares shares;
  double gaps = 0.0;
  for (Index t = 0; t < steps; ++t) {
    const Element* g = nullptr;
    OracleInfo info;
    shares.gradient += seconds_of([&] { g = &problem.estimator->estimate(x, 0); });
    shares.oracle += seconds_of([&] { info = problem.linear_oracle->minimize(*g, {0.02, false}, v); });
    shares.gap += seconds_of([&] { gaps += inner(*g, x) - info.value; });
    shares.update += seconds_of([&] { x.blend(2.0 / (static_cast<double>(t) + 2.0), v); });
  }
  return gaps >= 0.0 ? shares : Shares{};
}

/// The share of the framework: the time of the run loop and the algorithm beyond those calls, in interleaved
/// pairs of runs.
void print_shares(const Catalog& catalog, const std::filesystem::path& file, double radius, int repeats) {
  constexpr Index kSteps = 300;
  Spec spec = specification(file, radius);
  spec.set("stop.iterations", std::to_string(kSteps));
  std::vector<double> beyond, gradient, oracle, gap, update;
  for (int k = 0; k < repeats; ++k) {
    const Shares shares = by_hand(compose(catalog, spec), kSteps);
    const double whole = solve(catalog, spec).seconds;
    beyond.push_back(100 * (whole - shares.sum()) / whole);
    gradient.push_back(100 * shares.gradient / shares.sum());
    oracle.push_back(100 * shares.oracle / shares.sum());
    gap.push_back(100 * shares.gap / shares.sum());
    update.push_back(100 * shares.update / shares.sum());
  }
  fmt::print(
      "  of a step: gradient {:.1f}%, oracle {:.1f}%, gap {:.1f}%, update {:.1f}%; the framework beyond them "
      "{:+.1f}%\n",
      median(gradient), median(oracle), median(gap), median(update), median(beyond));
}

}  // namespace

double read_bandwidth() {
  const std::vector<double> array(std::size_t{1} << 25, 1.0);
  double best = 0.0, sum = 0.0;
  for (int pass = 0; pass < 5; ++pass) {
    const double seconds = seconds_of([&] {
      double lanes[16] = {};
      for (std::size_t k = 0; k < array.size(); k += 16)
        for (std::size_t l = 0; l < 16; ++l) lanes[l] += array[k + l];
      sum += std::accumulate(std::begin(lanes), std::end(lanes), 0.0);
    });
    best = std::max(best, static_cast<double>(array.size()) * 8e-9 / seconds);
  }
  return sum > 0 ? best : 0.0;
}

void movielens_100k(const std::filesystem::path& data, int repeats) {
  const auto file = data / "movielens-100k" / "u.data";
  if (!std::filesystem::exists(file))
    return (void)fmt::print("MovieLens-100K                     skipped: no data at {}\n", file.string());
  std::vector<double> ours;
  const Catalog& catalog = everything();
  RunResult last;
  for (int k = 0; k < repeats; ++k) {
    Spec spec = specification(file, 3000);
    spec.set("stop.relative_gap", "1e-2");
    last = solve(catalog, spec);
    ours.push_back(last.elapsed_seconds);
  }
  const double rest = 1 - (last.component_seconds.objective + last.component_seconds.oracle) / last.seconds;
  fmt::print(
      "{:<34} {:>9.3f} s  {} steps  confirmed gap {:.3e} of {:.6f}  {:.1f} products a step  rest {:.1f}%  {} "
      "confirmations failed\n",
      "MovieLens-100K, Claros", median(ours), last.iterations, last.measurement.gap, last.measurement.value,
      static_cast<double>(last.counts.matvec) / static_cast<double>(last.iterations), 100 * rest,
      last.confirmations_failed);
  fmt::print("  median of {}; measuring and confirming included, {:.3f} s of the last run\n", repeats,
             last.measuring_seconds);
  print_shares(catalog, file, 3000, repeats);
}

void movielens_1m(const std::filesystem::path& data, int) {
  const auto file = data / "movielens-1m" / "ratings.tsv.xz";
  if (!std::filesystem::exists(file))
    return (void)fmt::print("MovieLens-1M                       skipped: no data at {}\n", file.string());
  print_steps("MovieLens-1M, 100 steps", in_child([&] { return timed_steps(file, 10000, 100); }));
}

void large(int) {
  const auto file = synthetic(480000, 17000, 5000000);
  print_steps("480,000 x 17,000, 5e6, 10 steps", in_child([&] { return timed_steps(file, 100000, 10); }));
  std::filesystem::remove(file);
}

void scaling(int) {
  double first = 0.0;
  for (const double n : {1e5, 3e5, 1e6, 5e6}) {
    const double side = std::sqrt(n / 1e5);
    const auto file =
        synthetic(static_cast<Index>(943 * side), static_cast<Index>(1682 * side), static_cast<Index>(n));
    const Outcome o = in_child([&] { return timed_steps(file, 3000 * side, 40); });
    std::filesystem::remove(file);
    if (!o.ok) continue;
    const double nanoseconds = 1e6 * o.numbers[0] / n;
    if (first == 0.0) first = nanoseconds;
    fmt::print(
        "{:<34} {:>9.2f} ns a step and rating  {:.2f} of the first  ({:.1f} products a step, {:.3f} ns a "
        "product and rating)\n",
        fmt::format("{:.0f} ratings", n), nanoseconds, nanoseconds / first, o.numbers[3],
        nanoseconds / o.numbers[3]);
  }
}

}  // namespace bench
