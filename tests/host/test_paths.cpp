// SPDX-License-Identifier: BSD-3-Clause
// Regularization paths in a program: the library's own, in one call.
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/paths/solve_path.hpp>
#include <claros/results/prediction.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>

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

TEST_CASE("paths: the grid is geometric, from max, or the numbers given, the largest first") {
  const HostParts parts = path_data();
  for (const Index count : {1, 2, 7}) {
    const std::vector<double> grid = geometric_grid(3.0, 0.01, count);
    REQUIRE(static_cast<Index>(grid.size()) == count);
    CHECK(grid.front() == 3.0);
    if (count > 1) CHECK(grid.back() == doctest::Approx(0.03));
    for (std::size_t k = 2; k < grid.size(); ++k)
      CHECK(grid[k] / grid[k - 1] == doctest::Approx(grid[k - 1] / grid[k - 2]));
  }
  const PathRecord record =
      solve_path(build_catalog(), path_spec(), {.values = {0.1, 2.0, 0.5}, .explained = 1.0}, {}, parts);
  std::vector<double> lambdas;
  for (const PathPoint& point : record.points) lambdas.push_back(point.lambda);
  CHECK(lambdas == std::vector<double>{2.0, 0.5, 0.1});
  for (const std::vector<double>& wrong : {std::vector<double>{1.0, 0.0},
                                           {1.0, -1.0},
                                           {0.5, 1.0, 0.5},
                                           {std::numeric_limits<double>::infinity()}})
    CHECK_THROWS_WITH_AS((void)solve_path(build_catalog(), path_spec(), {.values = wrong}, {}, parts),
                         doctest::Contains("--grid"), Error);
}

namespace {

struct ExplainedCase {
  std::string loss;
  bool intercept, facts, standardize = false;
};

/// The least of f over c by bisection of its slope: of no columns.
template <class Value, class Slope>
double least_over_c(const Value& value, const Slope& slope) {
  double low = -30.0, high = 30.0;
  for (int k = 0; k < 200; ++k) (slope(0.5 * (low + high)) > 0.0 ? high : low) = 0.5 * (low + high);
  return value(low);
}

}  // namespace

TEST_CASE("paths: the share explained is that between the model of no columns and the least of the loss") {
  const std::vector<double> a = normals(5, kPathRows * kPathColumns), noise = normals(6, kPathRows),
                            o = normals(7, kPathRows);
  for (const ExplainedCase& of : std::vector<ExplainedCase>{{"squared", true, false},
                                                            {"squared", false, true},
                                                            {"squared", true, true},
                                                            {"logistic", true, true},
                                                            {"logistic", false, false},
                                                            {"poisson", true, true},
                                                            {"squared", true, false, true},
                                                            {"logistic", true, true, true},
                                                            {"poisson", false, true}})
    for (const bool from_max : {true, false}) {
      CAPTURE(of.loss);
      CAPTURE(of.intercept);
      CAPTURE(from_max);
      std::vector<double> y, w;
      for (std::size_t i = 0; i < kPathRows; ++i) {
        const double z = 0.5 + a[8 * i] - 0.5 * a[8 * i + 3] + 0.3 * noise[i];
        y.push_back(of.loss == "squared"    ? z + 2.0
                    : of.loss == "logistic" ? (z > 0.0 ? 1.0 : -1.0)
                                            : std::floor(std::exp(0.7 * z) + 0.5));
        w.push_back(of.facts ? 1.0 + static_cast<double>(i % 3) : 1.0);
      }
      const auto offset = [&](std::size_t i) { return of.facts ? 0.3 * o[i] : 0.0; };
      std::vector<double> offsets;
      for (std::size_t i = 0; i < kPathRows; ++i) offsets.push_back(offset(i));
      const auto psi = [&](double z, double v) {
        return of.loss == "squared"    ? 0.5 * (z - v) * (z - v)
               : of.loss == "logistic" ? std::log1p(std::exp(-v * z))
                                       : std::exp(z) - v * z - v + (v > 0.0 ? v * std::log(v) : 0.0);
      };
      const auto slope = [&](double z, double v) {
        return of.loss == "squared"    ? z - v
               : of.loss == "logistic" ? -v / (1.0 + std::exp(v * z))
                                       : std::exp(z) - v;
      };
      double mass = 0.0;
      for (std::size_t i = 0; i < kPathRows; ++i) mass += w[i];
      const auto mean = [&](const auto& term) {
        double sum = 0.0;
        for (std::size_t i = 0; i < kPathRows; ++i) sum += w[i] * term(i);
        return sum / mass;
      };
      const auto value = [&](double c) {
        return mean([&](std::size_t i) { return psi(c + offset(i), y[i]); });
      };
      const double nothing =
          of.intercept
              ? least_over_c(
                    value,
                    [&](double c) { return mean([&](std::size_t i) { return slope(c + offset(i), y[i]); }); })
              : value(0.0);
      HostParts parts;
      parts.data = data_from_rows(a, kPathRows, kPathColumns, y, Entries::copied,
                                  of.facts ? RowFacts{.weights = w, .offset = offsets} : RowFacts{});
      Spec spec = path_spec();
      spec.assign({"objective.loss=" + of.loss,
                   std::string("objective.intercept=") + (of.intercept ? "yes" : "no"),
                   std::string("objective.standardize=") + (of.standardize ? "yes" : "no"),
                   "stop.relative_gap=1e-10", "stop.iterations=100000"});
      PathGrid grid{.lambdas = 5, .ratio = 0.02, .explained = 1.0};
      if (!from_max) grid.values = {0.2, 0.05, 0.01};
      const PathRecord record = solve_path(build_catalog(), spec, grid, {}, parts);
      for (const PathPoint& point : record.points) {
        const std::vector<double> x =
            point.coefficients.element(Shape::vector(kPathColumns + (of.intercept ? 1 : 0))).to_dense();
        const double fit = mean([&](std::size_t i) {
          double z = offset(i) + (of.intercept ? x.back() : 0.0);
          for (std::size_t j = 0; j < 8; ++j) z += a[8 * i + j] * x[j];
          return psi(z, y[i]);
        });
        CHECK(point.fit == doctest::Approx(fit).epsilon(1e-9));  // coefficients are in the units of the data
        CHECK(point.support == 8 - std::count(x.begin(), x.begin() + 8, 0.0));  // the intercept is none
        CHECK(point.explained == doctest::Approx(1.0 - fit / nothing).scale(1.0).epsilon(1e-6));
      }
      if (from_max) CHECK(std::abs(record.points.front().explained) < 1e-6);
    }
}

TEST_CASE(
    "paths: the accuracy is that of the header: a gap, a residual times lambda/max, or what is asked for") {
  const HostParts parts = path_data();
  const auto solved = [&](const std::vector<std::string>& words) {
    Spec spec = path_spec();
    spec.assign({"algorithm.use=proximal-gradient"});
    spec.assign(words);
    return solve_path(build_catalog(), spec, {.lambdas = 6, .ratio = 0.01, .explained = 1.0}, {}, parts);
  };
  const PathRecord gaps = solved({}), residuals = solved({"penalty.use=mcp"}),
                   asked = solved({"penalty.use=mcp", "stop.residual=0.05"});
  CHECK(gaps.stop.relative_gap == 1e-4);
  CHECK_FALSE(gaps.scaled_residual);
  CHECK(residuals.stop.residual == 1e-4);
  CHECK(residuals.scaled_residual);
  CHECK(asked.stop.residual == 0.05);
  CHECK_FALSE(asked.scaled_residual);
  bool tighter = false, looser = false;
  for (std::size_t k = 0; k < 6; ++k) {
    const Measurement &gap = gaps.points[k].result.measurement,
                      &scaled = residuals.points[k].result.measurement;
    CHECK(gap.gap <= 1e-4 * std::abs(gap.value));
    CHECK(scaled.residual <=
          1e-4 * residuals.points[k].lambda / residuals.slices.front().max * (1.0 + 1e-12));
    CHECK(asked.points[k].result.measurement.residual <= 0.05);
    tighter = tighter || scaled.residual > 1e-7;
    looser = looser || asked.points[k].result.measurement.residual > 1e-4;
  }
  CHECK(tighter);
  CHECK(looser);
  // Over a ball a gap of 1e-5 f(0) is enough too, unless a gap is asked for.
  const std::vector<std::int32_t> row{0, 0, 1, 2, 2, 3}, col{0, 1, 1, 0, 2, 2};
  const std::vector<double> value{1.0, 2.0, -1.0, 3.0, 0.5, 2.0};
  double at_zero = 0.0;
  for (const double y : value) at_zero += 0.5 * y * y / 6.0;
  HostParts ratings;
  ratings.data = data_from_triplets(row, col, value, 4, 3);
  for (const std::string gap : {"", "stop.gap=1e-3"}) {
    Spec spec;
    spec.assign({"objective.use=matrix-completion", "set.use=nuclear-ball", "set.radius=1"});
    if (!gap.empty()) spec.assign({gap});
    const PathRecord balls =
        solve_path(build_catalog(), spec, {.values = {0.5, 2.0}, .explained = 1.0}, {}, ratings);
    CHECK(balls.stop.gap == doctest::Approx(gap.empty() ? 1e-5 * at_zero : 1e-3));
    CHECK(balls.points.front().lambda == 0.5);  // the smallest radius first
    for (const PathPoint& point : balls.points) {
      CHECK(met_target(point.result));
      CHECK(point.explained == doctest::Approx(1.0 - point.result.measurement.value / at_zero));
    }
  }
}

TEST_CASE("paths: an interrupt at the last lambda leaves a whole path") {
  std::atomic<bool> stop = false;
  PathHooks hooks;
  hooks.interrupt = &stop;
  hooks.on_solved = [&](const PathRecord& record) { stop = record.points.size() == 4; };
  const PathRecord record = solve_path(build_catalog(), path_spec(),
                                       {.lambdas = 4, .ratio = 0.1, .explained = 1.0}, hooks, path_data());
  CHECK_FALSE(record.interrupted);
  CHECK(record.complete());
  CHECK(record.points.size() == 4);
}

TEST_CASE("paths: what a folder keeps is the record, by slices of the second parameter too") {
  const HostParts parts = path_data();
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("claros-paths-" + std::to_string(std::random_device()()));
  for (const bool two : {false, true}) {
    Spec spec = path_spec();
    spec.assign({"penalty.use=elastic-net", "objective.intercept=yes"});
    PathGrid grid{.lambdas = 5, .ratio = 0.05, .explained = 1.0, .folds = 3};
    if (two) grid.over = {"penalty.ratio", {1.0, 0.3, 0.6}};
    Composition c = compose_path(build_catalog(), spec, grid.values, parts);
    PathRecord record = plan_path(build_catalog(), c, grid);
    solve_path(build_catalog(), c, grid, record);
    PathFolder(folder).write(c, record);
    const KeptPath kept = read_path(folder);
    CHECK(kept.parameter == "penalty.lambda");
    CHECK(kept.penalised == kPathColumns);
    REQUIRE(kept.lambdas.size() == record.points.size());
    for (std::size_t k = 0; k < kept.lambdas.size(); ++k) {
      CHECK(kept.lambdas[k] == record.points[k].lambda);
      CHECK(kept.coefficients[k].at == record.points[k].coefficients.at);
      CHECK(kept.coefficients[k].value == record.points[k].coefficients.value);
      CHECK(kept.loss[k].mean == record.validation->loss[k].mean);
      CHECK(kept.loss[k].error == record.validation->loss[k].error);
      if (two) CHECK(kept.values[k] == record.points[k].over);
    }
    REQUIRE(kept.chosen.size() == 2);
    for (const auto& [name, k] : record.chosen) {
      const auto same = std::ranges::find(kept.chosen, name, &KeptPath::Chosen::name);
      REQUIRE(same != kept.chosen.end());
      CHECK(same->lambda == record.points[k].lambda);
      if (two) CHECK(same->over == record.points[k].over);
      // The folder of the choice is that of a run at its numbers, and has its solution.
      const Spec chosen = Spec::read(folder / name / "spec.ini");
      CHECK(parse_real(chosen.get("penalty", "lambda")->value) == record.points[k].lambda);
      if (two) CHECK(parse_real(chosen.get("penalty", "ratio")->value) == record.points[k].over);
      const Solution solution = Solution::read(folder / name);
      const std::vector<double> x = record.points[k].coefficients.element(Shape::vector(9)).to_dense();
      for (Index j = 0; j < 9; ++j) CHECK(solution.at(j, 0) == x[static_cast<std::size_t>(j)]);
    }
    const std::vector<KeptPath> slices = kept.slices();
    REQUIRE(slices.size() == (two ? 3U : 1U));
    std::size_t first = 0, choices = 0;
    for (std::size_t s = 0; s < slices.size(); ++s) {
      REQUIRE(slices[s].lambdas.size() == 5);
      choices += slices[s].chosen.size();
      CHECK(slices[s].penalised == kPathColumns);
      for (std::size_t j = 0; j < 5; ++j, ++first) {
        CHECK(slices[s].lambdas[j] == kept.lambdas[first]);
        CHECK(slices[s].loss[j].mean == kept.loss[first].mean);
        CHECK(slices[s].coefficients[j].value == kept.coefficients[first].value);
        if (two) CHECK(slices[s].values[j] == grid.over.values[s]);
      }
    }
    CHECK(choices == 2);
    if (two) CHECK(kept.best_slice().values.front() == record.points[record.chosen.front().second].over);
  }
  std::filesystem::remove_all(folder);
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
  Spec variation = path_spec();
  variation.assign({"penalty.use=tv"});
  CHECK(refused({}, variation).find("--grid") != std::string::npos);
}

TEST_CASE("paths: of lambdas with unfinished fits none is chosen where another can be, by any rule") {
  const HostParts parts = path_data();
  const auto solved = [&](const std::vector<std::string>& words, PathGrid grid) {
    Spec spec = path_spec();
    spec.assign({"algorithm.use=proximal-gradient"});
    spec.assign(words);
    grid.lambdas = 8, grid.ratio = 1e-2, grid.explained = 1.0;
    return solve_path(build_catalog(), spec, grid, {}, parts);
  };
  const auto least = [](const std::vector<double>& costs) {
    return static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
  };
  bool mixed = false;
  for (const char* budget : {"3", "4", "6", "8"}) {
    const std::vector<std::string> words{std::string("stop.iterations=") + budget};
    const PathRecord bic = solved(words, {.information = Criterion::bic}),
                     folds = solved(words, {.folds = 4});
    for (const PathRecord* record : {&bic, &folds}) {
      std::size_t finished = 0;
      for (std::size_t k = 0; k < record->points.size(); ++k) {
        finished += !record->is_unfinished(k);
        if (!met_target(record->points[k].result)) CHECK(record->is_unfinished(k));
      }
      REQUIRE(!record->chosen.empty());
      CHECK(record->chose_unfinished() == (finished == 0));
      std::vector<double> costs = record->information;
      if (record->validation)
        for (const FoldMean& one : record->validation->loss) costs.push_back(one.mean);
      mixed = mixed || (finished > 0 && record->is_unfinished(least(costs)));
    }
  }
  CHECK(mixed);  // the rule has changed a choice
  // Budgets alone are what is asked for where no target is.
  const PathRecord budgets = solved({"stop.iterations=3", "stop.relative_gap=0"}, {.folds = 4});
  CHECK(budgets.validation->missed == 0);
  CHECK(!budgets.chose_unfinished());
  // A refit meets its residual; what selected its entries had not met the target of the path.
  const PathRecord relaxed = solved({"stop.iterations=3"}, {.information = Criterion::bic, .relaxed = true});
  CHECK(met_target(relaxed.points.back().result));
  CHECK(relaxed.is_unfinished(relaxed.points.size() - 1));
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
  grid = {.over = {"penalty.ratio", {0.2, 0.5, 1.0}}, .lambdas = 5, .ratio = 1e-2, .folds = 3};
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
