// SPDX-License-Identifier: BSD-3-Clause
#include "problems.hpp"

#include <claros/io/ratings.hpp>
#include <claros/program.hpp>
#include <claros/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

using namespace claros;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Spec specification(const std::filesystem::path& ratings, double radius) {
  Spec spec;
  spec.assign({"objective.use=matrix-completion", "objective.data=" + ratings.string(),
               "set.use=nuclear-ball", "set.radius=" + std::to_string(radius), "algorithm.use=frank-wolfe",
               "algorithm.step=agnostic", "trace.on=no"});
  return spec;
}

RunResult solve(const Composition& composition, const Problem& problem) {
  RunSettings settings;
  settings.stop = composition.stop;
  settings.trace = composition.trace;
  return run(problem, *composition.algorithm, composition.start_point(), settings, composition.names);
}

RunResult solve(const Catalog& catalog, const Spec& spec) {
  const Composition composition = compose(catalog, spec);
  return solve(composition, composition.problem());
}

const Catalog& everything() {
  static const Catalog catalog = [] {
    Catalog scanned;
    serve(scanned);
    scanned.scan(Catalog::default_search_path());
    return scanned;
  }();
  return catalog;
}

std::filesystem::path synthetic(Index rows, Index cols, Index n) {
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("claros-bench-{}x{}-{}.tsv", rows, cols, n);
  RandomStream stream(1, Purpose::data);
  std::vector<double> left(static_cast<std::size_t>(rows)), right(static_cast<std::size_t>(cols));
  stream.fill_normal(left);
  stream.fill_normal(right);
  std::vector<std::pair<std::int32_t, std::int32_t>> positions;
  for (Index k = 0; k < n; ++k)  // popular columns, as in ratings: the square of a uniform number
    positions.emplace_back(
        static_cast<std::int32_t>(stream.index(rows)),
        static_cast<std::int32_t>(std::pow(stream.uniform(), 2.0) * static_cast<double>(cols)));
  positions.emplace_back(static_cast<std::int32_t>(rows - 1), static_cast<std::int32_t>(cols - 1));
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  Ratings ratings{rows, cols, {}, {}, {}, {}, {}};
  for (const auto& [i, j] : positions) {
    ratings.row.push_back(i);
    ratings.col.push_back(j);
    ratings.value.push_back(3.0 + left[static_cast<std::size_t>(i)] * right[static_cast<std::size_t>(j)] +
                            0.1 * stream.normal());
  }
  write_ratings(path, ratings);
  return path;
}

}  // namespace bench
