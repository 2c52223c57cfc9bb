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
  CHECK(refused({}, ridge).find("--grid") != std::string::npos);
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

namespace {

Spec elastic_spec(const std::vector<std::string>& more = {}) {
  Spec spec = path_spec();
  spec.assign({"penalty.use=elastic-net"});
  spec.assign(more);
  return spec;
}

/// The path of one value of ratio, set in the specification.
PathRecord alone(double ratio, const PathGrid& grid, const HostParts& parts) {
  return solve_path(build_catalog(), elastic_spec({"penalty.ratio=" + print_real(ratio)}), grid, {}, parts);
}

}  // namespace

TEST_CASE("paths over a second parameter: every slice is the path of its value alone, to the bit") {
  const HostParts parts = path_data();
  for (const Index folds : {0, 4}) {
    PathGrid grid{.lambdas = 8, .ratio = 0.05, .folds = folds, .jobs = 2};
    const std::vector<double> ratios{0.9, 0.2, 0.5};
    std::vector<PathRecord> single;
    for (const double ratio : ratios) single.push_back(alone(ratio, grid, parts));
    grid.over = {"penalty.ratio", ratios};
    const PathRecord record = solve_path(build_catalog(), elastic_spec(), grid, {}, parts);
    CHECK(record.complete());
    REQUIRE(record.slices.size() == 3);
    std::size_t k = 0;
    for (std::size_t s = 0; s < 3; ++s) {
      CHECK(record.slices[s].value == ratios[s]);
      CHECK(record.slices[s].max == single[s].slices.front().max);
      CHECK(record.slices[s].lambdas == single[s].slices.front().lambdas);
      REQUIRE(record.slices[s].solved == single[s].points.size());
      for (std::size_t j = 0; j < single[s].points.size(); ++j, ++k) {
        const PathPoint &a = record.points[k], &b = single[s].points[j];
        CHECK(a.over == ratios[s]);
        CHECK(a.lambda == b.lambda);
        CHECK(a.result.measurement.value == b.result.measurement.value);
        CHECK(a.coefficients.value == b.coefficients.value);
        CHECK(a.explained == b.explained);
        if (folds == 0) continue;
        CHECK(record.validation->loss[k].mean == single[s].validation->loss[j].mean);  // the same folds
        CHECK(record.validation->loss[k].error == single[s].validation->loss[j].error);
      }
    }
    CHECK(k == record.points.size());
  }
}

TEST_CASE("paths over a second parameter: the choice is the best of all, and one with its value") {
  // By hand, of losses 5 4 3 | 4 2.5 2 | 9 2.2 1.9 with errors of 0.5: the least is 1.9, in the third slice,
  // where 2.2 is the first that is at most 2.4; over all slices that would be the 2 of the second.
  CrossValidation v;
  for (const double loss : {5.0, 4.0, 3.0, 4.0, 2.5, 2.0, 9.0, 2.2, 1.9}) v.loss.push_back({loss, 0.5});
  select_lambdas(v, {0, 3, 6});
  CHECK(v.least == 8);
  CHECK(v.simplest == 7);
  select_lambdas(v);  // one slice: 2 in place 5 is the first that is at most 1.9 + 0.5
  CHECK(v.simplest == 5);
  v.loss[5].mean = 1.8;
  select_lambdas(v, {0, 3, 6});
  CHECK(v.least == 5);
  CHECK(v.simplest == 5);  // 2.5 is more than 1.8 + 0.5

  const HostParts parts = path_data();
  const PathGrid grid{.over = {"penalty.ratio", {0.1, 0.5, 1.0}}, .lambdas = 12, .ratio = 0.01, .folds = 5};
  const PathRecord record = solve_path(build_catalog(), elastic_spec(), grid, {}, parts);
  const auto& loss = record.validation->loss;
  std::size_t least = 0;
  for (std::size_t k = 0; k < loss.size(); ++k)
    if (loss[k].mean < loss[least].mean) least = k;
  std::size_t simplest = least;
  for (std::size_t k = least + 1; k-- > 0 && record.points[k].over == record.points[least].over;)
    if (loss[k].mean <= loss[least].mean + loss[least].error) simplest = k;
  REQUIRE(record.chosen.size() == 2);
  CHECK(record.chosen[0].second == least);
  CHECK(record.chosen[1].second == simplest);
}

TEST_CASE("paths over a second parameter: the shape of mcp and scad, the bound of a set, and an interrupt") {
  const HostParts parts = path_data();
  for (const auto& [penalty, shape] : {std::pair<std::string, std::string>{"mcp", "b"}, {"scad", "zeta"}}) {
    CAPTURE(penalty);
    PathGrid grid{.lambdas = 6, .ratio = 0.05};
    grid.over = {"penalty." + shape, {2.5, 4.0}};
    const PathRecord record =
        solve_path(build_catalog(), elastic_spec({"penalty.use=" + penalty}), grid, {}, parts);
    REQUIRE(record.points.size() == 12);
    CHECK(record.slices[0].max == doctest::Approx(record.slices[1].max));
    CHECK(record.points[4].result.measurement.value != record.points[10].result.measurement.value);
  }
  PathGrid grid{.over = {"set.upper", {0.5, 100.0}}, .lambdas = 5, .ratio = 0.01, .explained = 1.0};
  const PathRecord within = solve_path(
      build_catalog(),
      elastic_spec({"penalty.use=l1", "set.use=box", "set.lower=-100", "algorithm.use=three-operator",
                    "stop.residual=1e-8", "stop.iterations=100000"}),
      grid, {}, parts);
  REQUIRE(within.points.size() == 10);
  const auto largest = [](const PathPoint& point) {
    double most = 0.0;
    for (const double v : point.coefficients.value) most = std::max(most, v);
    return most;
  };
  CHECK(largest(within.points[4]) <= 0.5 + 1e-7);
  CHECK(largest(within.points[9]) > 1.0);

  std::atomic<bool> stop = false;
  PathHooks hooks;
  hooks.interrupt = &stop;
  hooks.on_solved = [&](const PathRecord& record) { stop = record.points.size() == 7; };
  grid = {.over = {"penalty.ratio", {0.2, 0.5, 1.0}}, .lambdas = 5, .folds = 3};
  const PathRecord cut = solve_path(build_catalog(), elastic_spec(), grid, hooks, parts);
  CHECK(cut.interrupted);
  CHECK(!cut.complete());
  CHECK(cut.points.size() == 7);
  CHECK(cut.slices[0].solved == 5);
  CHECK(cut.slices[1].solved == 2);
  CHECK(cut.slices[2].solved == 0);
  CHECK(cut.current() == &cut.slices[1]);
}

TEST_CASE(
    "paths over a second parameter: a slice that is saturated ends alone, refits and criteria are of all") {
  const HostParts parts = path_data();
  PathGrid grid{.over = {"penalty.ratio", {0.05, 1.0}}, .lambdas = 30, .ratio = 1e-4, .explained = 0.9};
  const PathRecord record = solve_path(build_catalog(), elastic_spec(), grid, {}, parts);
  for (const PathSlice& slice : record.slices) {
    CHECK(!slice.saturated.empty());
    CHECK(slice.solved < 30);
  }
  CHECK(record.slices[0].solved != record.slices[1].solved);
  CHECK(record.complete());
  CHECK(record.expected() == record.points.size());
  grid = {.over = {"penalty.ratio", {0.3, 1.0}},
          .lambdas = 6,
          .ratio = 0.1,
          .information = Criterion::bic,
          .relaxed = true};
  const PathRecord relaxed = solve_path(build_catalog(), elastic_spec(), grid, {}, parts);
  REQUIRE(relaxed.information.size() == 12);
  for (const double other : relaxed.information)
    CHECK(relaxed.information[relaxed.chosen.front().second] <= other);
  CHECK(relaxed.refits.size() == 1);
}

TEST_CASE("paths over a second parameter: what cannot be varied is refused before the first step") {
  const HostParts parts = path_data();
  const auto refused = [&](const std::string& text) {
    try {
      const PathGrid grid{.over = PathAxis::parse(text, "--over"), .lambdas = 4};
      (void)solve_path(build_catalog(), elastic_spec(), grid, {}, parts);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"penalty.ratio", "penalty.ratio=0.1,0.5,0.9"},
           {"penalty.ratio=", "--over"},
           {"penalty.ratio=0.1,x", "'x'"},
           {"penalty.ratio=0.5,0.5", "given twice"},
           {"penalty.ratio=0.5,2", "penalty.ratio"},
           {"penalty.ratoi=0.5", "ratoi"},
           {"penalty.lambda=0.5", "already"},
           {"set.radius=1", "set.radius"},
           {"algorithm.step=1", "of the penalty, the set or the smoother"},
           {"objective.delta=1", "of the penalty, the set or the smoother"}}) {
    CAPTURE(text);
    CHECK_MESSAGE(refused(text).find(said) != std::string::npos, refused(text));
  }
}
