// SPDX-License-Identifier: BSD-3-Clause
// Regularization paths in a program: the library's own, in one call.
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/paths/solve_path.hpp>

#include <atomic>
#include <cmath>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kPathRows = 60, kPathColumns = 8;

HostParts path_data() {
  std::vector<double> a = normals(5, kPathRows * kPathColumns), y = normals(6, kPathRows);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 0.3 * y[i] + 2.0 * a[8 * i] - a[8 * i + 3];
  HostParts parts;
  parts.data = data_from_rows(a, kPathRows, kPathColumns, y);
  return parts;
}

Spec path_spec() {
  Spec spec;
  spec.assign({"objective.use=linear-model", "penalty.use=l1"});
  return spec;
}

}  // namespace

TEST_CASE("paths: a program solves a path and validates it in one call") {
  const HostParts parts = path_data();
  std::size_t solved = 0;
  PathHooks hooks;
  hooks.on_solved = [&](const PathRecord& record) { CHECK(record.points.size() == ++solved); };
  const PathRecord record =
      solve_path(build_catalog(), path_spec(), {.lambdas = 20, .ratio = 1e-2, .folds = 5}, hooks, parts);
  CHECK(solved == record.points.size());
  CHECK(record.complete());
  REQUIRE(record.chosen.size() == 2);
  CHECK(record.points.front().support == 0);
  for (const PathPoint& point : record.points) {
    CHECK(met_target(point.result));
    CHECK(point.result.measurement.confirmed);
  }
  const PathPoint& best = record.points[record.chosen.front().second];
  CHECK(best.coefficients.at.front() == 0);
  CHECK(std::abs(best.coefficients.value.front() - 2.0) < 0.2);
  // One standard error is on the side of larger lambdas.
  CHECK(record.chosen.back().second <= record.chosen.front().second);
}

TEST_CASE("paths: each solution is that of a run of its own") {
  const HostParts parts = path_data();
  const PathRecord record =
      solve_path(build_catalog(), path_spec(), {.lambdas = 5, .ratio = 0.05, .explained = 1.0}, {}, parts);
  REQUIRE(record.points.size() == 5);
  for (const PathPoint& point : record.points) {
    Spec spec = path_spec();
    spec.assign(
        {"penalty.lambda=" + print_real(point.lambda), "stop.relative_gap=1e-10", "stop.iterations=10000"});
    const Composition c = compose(build_catalog(), spec, parts);
    const RunResult r = run(c, run_settings(c));
    const double value = r.measurement.value;
    CHECK(point.result.measurement.value >= value * (1.0 - 1e-9));
    CHECK(point.result.measurement.value <= value * (1.0 + 2e-4) + 1e-12);
  }
}

TEST_CASE("paths: an information criterion chooses, and what cannot be chosen is refused") {
  const HostParts parts = path_data();
  const PathRecord record = solve_path(build_catalog(), path_spec(),
                                       {.lambdas = 15, .ratio = 1e-2, .information = true}, {}, parts);
  REQUIRE(record.information.size() == record.points.size());
  REQUIRE(record.chosen.size() == 1);
  const std::size_t best = record.chosen.front().second;
  for (const double other : record.information) CHECK(record.information[best] <= other);
  const auto refused = [&](const PathGrid& grid, const Spec& spec) {
    try {
      (void)solve_path(build_catalog(), spec, grid, {}, parts);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refused({.folds = 5, .information = true}, path_spec()).find("one of them") != std::string::npos);
  CHECK(refused({.folds = 1000}, path_spec()).find("folds") != std::string::npos);
  Spec ridge = path_spec();
  ridge.assign({"penalty.use=ridge"});
  CHECK(refused({}, ridge).find("ridge") != std::string::npos);
}

TEST_CASE("paths: an interrupt leaves the lambdas that are solved") {
  std::atomic<bool> stop = false;
  PathHooks hooks;
  hooks.interrupt = &stop;
  hooks.on_solved = [&](const PathRecord& record) { stop = record.points.size() == 3; };
  const PathRecord record = solve_path(build_catalog(), path_spec(), {.lambdas = 20}, hooks, path_data());
  CHECK(record.interrupted);
  CHECK(record.points.size() == 3);
  CHECK(!record.complete());
}
