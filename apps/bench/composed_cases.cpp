// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace bench {

using namespace claros;

namespace {

struct Case {
  double lambda, radius, target;
};
// Ranks of 57, 55 and 44.
const std::vector<Case> kCases{
    {1.0, 1000.0, 1e-4}, {1.0, 1000.0, 1e-6}, {0.5, 1400.0, 1e-4}, {0.5, 1400.0, 1e-6}};

Spec specification_of(const std::string& file, const Case& c) {
  Spec spec;
  spec.assign({"objective.use=distance", "objective.data=" + file, "penalty.use=l1",
               fmt::format("penalty.lambda={}", c.lambda), "set.use=nuclear-ball",
               fmt::format("set.radius={}", c.radius), fmt::format("stop.relative_gap={}", c.target),
               "stop.seconds=120"});
  return spec;
}

void low_rank_sparse(const std::string& file, const std::string& peer, const Case& c, int repeats) {
  std::vector<double> ours, theirs;
  Outcome o;
  for (int k = 0; k < repeats; ++k) {
    o = in_child([&] {
      const RunResult r = solve(everything(), specification_of(file, c));
      return std::vector<double>{r.elapsed_seconds, static_cast<double>(r.iterations),
                                 r.status == Status::relative_gap ? 1.0 : 0.0,
                                 r.measuring_seconds / r.elapsed_seconds, r.measurement.value};
    });
    if (!o.ok || o.numbers[2] == 0.0) return (void)fmt::print("  did not reach {:g}\n", c.target);
    ours.push_back(o.numbers[0]);
  }
  double value = 0.0, steps = 0.0;
  for (const auto& line :
       lines_of(fmt::format("{} '{}' {} {} {} {}", peer, file, c.lambda, c.radius, c.target, repeats)))
    theirs.push_back(line[0]), steps = line[1], value = line[2];
  if (theirs.empty()) return (void)fmt::print("  left out, numpy did not answer\n");
  fmt::print(
      "  lambda {}, radius {}, to {:g}: {:.3f} s, {:.0f} steps, measuring {:.0f}%; numpy {:.3f} s, {:.0f} "
      "steps; ratio {:.2f}; values {:.8g} and {:.8g}\n",
      c.lambda, c.radius, c.target, median(ours), o.numbers[1], 100 * o.numbers[3], median(theirs), steps,
      median(ours) / median(theirs), o.numbers[4], value);
}

}  // namespace

void composed(int repeats) {
  fmt::print("l1 over the nuclear ball, 300 x 300, squared distance, by default, to a confirmed gap:\n");
  const std::string file = (std::filesystem::temp_directory_path() / "claros-bench-matrix.npy").string();
  const std::string peer = fmt::format("/usr/bin/python3 '{}/low_rank_sparse_peer.py'", CLAROS_BENCH_DIR);
  (void)lines_of(fmt::format("{} make '{}'", peer, file));
  if (!std::filesystem::exists(file)) return (void)fmt::print("  left out, numpy did not answer\n");
  for (const Case& c : kCases) low_rank_sparse(file, peer, c, repeats);
  std::filesystem::remove(file);
}

}  // namespace bench
