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

TEST_CASE("paths: folds that are fitted at the same time give the same numbers") {
  const HostParts parts = path_data();
  const auto validated = [&](Index jobs) {
    const PathGrid grid{.lambdas = 20, .ratio = 1e-2, .folds = 5, .repeats = 2, .jobs = jobs};
    return *solve_path(build_catalog(), path_spec(), grid, {}, parts).validation;
  };
  const CrossValidation one = validated(1);
  for (const Index jobs : {2, 3, 16}) {
    const CrossValidation several = validated(jobs);
    for (std::size_t k = 0; k < one.loss.size(); ++k) {
      CHECK(several.loss[k].mean == one.loss[k].mean);
      CHECK(several.loss[k].error == one.loss[k].error);
      CHECK(several.beside[k].mean == one.beside[k].mean);
    }
    CHECK(several.least == one.least);
    CHECK(several.simplest == one.simplest);
    CHECK(several.missed == one.missed);
  }
}

TEST_CASE("paths: an interrupt ends all folds") {
  const HostParts parts = path_data();
  std::atomic<bool> interrupt = false;
  PathHooks hooks;
  hooks.interrupt = &interrupt;
  hooks.on_solved = [&](const PathRecord& record) { interrupt = record.points.size() == 20; };
  const PathRecord record = solve_path(build_catalog(), path_spec(),
                                       {.lambdas = 20, .ratio = 1e-2, .folds = 5, .jobs = 2}, hooks, parts);
  CHECK(record.interrupted);
  CHECK_FALSE(record.validation);
  CHECK(record.points.size() == 20);
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
  const PathRecord record = solve_path(
      build_catalog(), path_spec(), {.lambdas = 15, .ratio = 1e-2, .information = Criterion::bic}, {}, parts);
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
  CHECK(refused({.folds = 5, .information = Criterion::bic}, path_spec()).find("one of them") !=
        std::string::npos);
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

TEST_CASE("paths: relaxed points are least squares on the support that each lambda selects") {
  const HostParts parts = path_data();
  PathGrid grid{.lambdas = 12, .ratio = 0.05, .folds = 4};
  const PathRecord plain = solve_path(build_catalog(), path_spec(), grid, {}, parts);
  grid.relaxed = true;
  const PathRecord relaxed = solve_path(build_catalog(), path_spec(), grid, {}, parts);
  const std::vector<double> a = normals(5, kPathRows * kPathColumns), noise = normals(6, kPathRows);
  REQUIRE(relaxed.points.size() == plain.points.size());
  for (std::size_t k = 0; k < plain.points.size(); ++k) {
    const SparseColumn &x = relaxed.points[k].solution, &penalised = plain.points[k].solution;
    CHECK(x.at == penalised.at);
    CHECK(met_target(relaxed.points[k].result));
    // The residual is orthogonal to every column that was selected.
    std::vector<double> r(kPathRows);
    for (std::size_t i = 0; i < r.size(); ++i) {
      r[i] = 0.3 * noise[i] + 2.0 * a[8 * i] - a[8 * i + 3];
      for (std::size_t e = 0; e < x.at.size(); ++e)
        r[i] -= a[8 * i + static_cast<std::size_t>(x.at[e])] * x.value[e];
    }
    for (const Index j : x.at) {
      double slope = 0.0;
      for (std::size_t i = 0; i < r.size(); ++i)
        slope += a[8 * i + static_cast<std::size_t>(j)] * r[i] / kPathRows;
      CHECK(std::abs(slope) < 1e-5);
    }
    if (!x.at.empty()) CHECK(relaxed.points[k].fit < plain.points[k].fit);
  }
  // Without bias two columns suffice, and the folds see it: theirs are refits, too.
  const PathPoint& best = relaxed.points[relaxed.chosen.back().second];
  CHECK(best.support == 2);
  CHECK(relaxed.validation->loss[relaxed.chosen.front().second].mean <
        plain.validation->loss[plain.chosen.front().second].mean);
  // What made the point runs alone.
  REQUIRE(relaxed.refits.size() == relaxed.chosen.size());
  const auto weights = relaxed.refits.back()->effective.get("penalty", "weights");
  REQUIRE(weights);
  CHECK(weights->value == "0 inf inf 0 inf inf inf inf");
}

TEST_CASE("paths: relaxed solutions need a penalty that selects entries") {
  Spec spec = path_spec();
  spec.assign({"penalty.use=nuclear", "objective.loss.use=multinomial"});
  std::vector<double> a = normals(5, kPathRows * kPathColumns), y(kPathRows);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<double>(i % 3);
  HostParts parts;
  parts.data = data_from_rows(a, kPathRows, kPathColumns, y);
  CHECK_THROWS_WITH_AS((void)solve_path(build_catalog(), spec, {.lambdas = 3, .relaxed = true}, {}, parts),
                       doctest::Contains("--relaxed"), Error);
}
