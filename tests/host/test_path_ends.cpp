// SPDX-License-Identifier: BSD-3-Clause
// Where a path ends, and what is said of a choice at an end of its grid.
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/paths/solve_path.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace claros;
using namespace claros::test;

namespace {

/// y = 3 a_1 - 2 a_2 + a_3 plus noise.
HostParts rows_of(Index rows, Index cols, double noise) {
  const std::vector<double> a = normals(31, static_cast<std::size_t>(rows * cols));
  std::vector<double> y = normals(32, static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double* row = a.data() + i * static_cast<std::size_t>(cols);
    y[i] = noise * y[i] + 3.0 * row[0] - 2.0 * row[1] + row[2];
  }
  HostParts parts;
  parts.data = data_from_rows(a, rows, cols, y);
  return parts;
}

/// Ratings of rank two, some of them held out: 0 entries of noise.
HostParts ratings_of(Index rows, Index cols, double noise) {
  const std::vector<double> u = normals(41, static_cast<std::size_t>(2 * rows)),
                            v = normals(42, static_cast<std::size_t>(2 * cols)),
                            e = normals(43, static_cast<std::size_t>(rows * cols));
  std::vector<std::int32_t> row, col;
  std::vector<double> value;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      if ((3 * i + 5 * j) % 4 == 0) continue;
      const auto a = static_cast<std::size_t>(2 * i), b = static_cast<std::size_t>(2 * j);
      row.push_back(static_cast<std::int32_t>(i)), col.push_back(static_cast<std::int32_t>(j));
      value.push_back(u[a] * v[b] + u[a + 1] * v[b + 1] + noise * e[static_cast<std::size_t>(i * cols + j)]);
    }
  HostParts parts;
  parts.data = data_from_triplets(row, col, value, rows, cols);
  return parts;
}

Spec spec_of(const std::vector<std::string>& words) {
  Spec spec;
  spec.assign(words);
  return spec;
}

PathRecord made(const std::vector<std::string>& words, const PathGrid& grid, const HostParts& parts) {
  return solve_path(build_catalog(), spec_of(words), grid, {}, parts);
}

double best(const PathRecord& record) { return record.points[record.chosen.front().second].lambda; }

/// What the grid chooses as it is: or, where that is its smallest lambda, one no larger.
void check_choice(const PathRecord& wide, const PathRecord& grid) {
  const bool at_end = grid.edge().find("a smaller one") != std::string::npos;
  CHECK((at_end ? best(wide) <= best(grid) : best(wide) == best(grid)));
  CHECK((at_end || wide.points.size() <= grid.points.size()));
}

/// "best" inside its grid, or said to be at an end.
void check_edge(const PathRecord& record) {
  std::size_t k = record.chosen.front().second;
  auto slice = record.slices.begin();
  for (; k >= slice->solved; ++slice) k -= slice->solved;
  const std::string edge = record.edge();
  if (k == 0 || k + 1 == slice->solved) CHECK(!edge.empty());
  // A lambda inside is at the end if all beyond it are as good.
  const std::vector<double> cost = record.costs();
  const auto at = cost.begin() + static_cast<std::ptrdiff_t>(record.chosen.front().second);
  const auto end = at + static_cast<std::ptrdiff_t>(slice->solved - k);
  if (k > 0) CHECK(edge.empty() == std::any_of(at, end, [&](double other) { return other > *at; }));
}

}  // namespace

TEST_CASE("path ends: folds choose the lambda of the whole grid, whatever share the model explains") {
  const std::vector<std::vector<std::string>> models{{"penalty.use=l1"},
                                                     {"penalty.use=l1", "objective.intercept=yes"},
                                                     {"penalty.use=elastic-net", "penalty.ratio=0.8"},
                                                     {"penalty.use=group", "penalty.groups=2"},
                                                     {"penalty.use=mcp", "stop.residual=1e-6"},
                                                     {"penalty.use=l1", "objective.loss=huber"}};
  for (const auto& [rows, cols, noise] :
       {std::tuple<Index, Index, double>{60, 12, 0.0}, {60, 12, 0.01}, {60, 12, 1.0}, {30, 60, 0.05}})
    for (std::vector<std::string> words : models) {
      CAPTURE(rows);
      CAPTURE(noise);
      CAPTURE(words.front());
      const HostParts parts = rows_of(rows, cols, noise);
      words.push_back("objective.use=linear-model");
      PathGrid grid{.lambdas = 40, .folds = 4};
      const PathRecord early = made(words, grid, parts);
      grid.explained = 1.0;
      const PathRecord whole = made(words, grid, parts);
      REQUIRE(whole.points.size() == 40);
      check_choice(early, whole);
      check_edge(early), check_edge(whole);
      for (std::size_t k = 0; k < std::min(early.points.size(), whole.points.size()); ++k)
        CHECK(early.validation->loss[k].mean ==
              doctest::Approx(whole.validation->loss[k].mean).epsilon(1e-2));
      const PathSlice& slice = early.slices.front();
      CHECK(slice.saturated.empty() == (slice.solved == slice.lambdas.size()));
      if (slice.saturated.empty()) continue;
      const auto place = early.chosen.front().second;
      CHECK(slice.solved >= place + 4);
      CHECK(early.points.back().lambda <= 0.5 * best(early));
    }
}

TEST_CASE("path ends: without noise the smallest lambda is the best, and that is said") {
  for (const char* words : {"penalty.use=l1", "penalty.use=elastic-net"}) {
    const PathRecord record = made({"objective.use=linear-model", words, "stop.relative_gap=1e-9"},
                                   {.lambdas = 30, .folds = 5}, rows_of(50, 5, 0.0));
    CHECK(record.points.size() == 50);  // two decades more, of ten each
    CHECK(record.ratio == doctest::Approx(record.points.back().lambda / record.points.front().lambda));
    CHECK(record.edge() == "the best lambda is the smallest of the grid: a smaller one may be better");
    CHECK(path_json(compose_path(build_catalog(), spec_of({"objective.use=linear-model", words}), {},
                                 rows_of(50, 5, 0.0)),
                    record)
              .find("\"edge\": \"the best lambda is the smallest") != std::string::npos);
  }
}

TEST_CASE(
    "path ends: a usual grid whose smallest lambda is chosen is widened until another is, and says so") {
  for (const Index folds : {5, 0})
    for (const double noise : {0.002, 0.004}) {
      CAPTURE(folds);
      CAPTURE(noise);
      const HostParts parts = rows_of(60, 12, noise);
      const Spec spec = spec_of({"objective.use=linear-model", "penalty.use=l1", "stop.relative_gap=1e-9"});
      const PathGrid grid{
          .lambdas = 30, .folds = folds, .information = folds > 0 ? Criterion::none : Criterion::bic};
      std::vector<std::string> notes;
      Composition c = compose_path(build_catalog(), spec, {}, parts,
                                   [&](Severity, const std::string& text) { notes.push_back(text); });
      PathRecord record = plan_path(build_catalog(), c, grid);
      solve_path(build_catalog(), c, grid, record);
      CHECK(record.points.size() > 30);
      CHECK(record.edge().empty());
      CHECK(std::ranges::count_if(notes, [](const std::string& text) {
              return text.starts_with("the best lambda was the smallest of the grid: 10 smaller ones");
            }) >= 1);
      const double step = record.points[1].lambda / record.points[0].lambda;
      for (std::size_t k = 1; k < record.points.size(); ++k)
        CHECK(record.points[k].lambda == doctest::Approx(step * record.points[k - 1].lambda));
      // An own end, own values and a grid that is to be solved as it is are kept.
      for (PathGrid kept : {PathGrid{.lambdas = 30, .ratio = 2e-3, .folds = 5},
                            PathGrid{.values = {0.5, 0.1, 0.02}, .folds = 5},
                            PathGrid{.lambdas = 30, .explained = 1.0, .folds = 5}}) {
        const PathRecord as_asked = solve_path(build_catalog(), spec, kept, {}, parts);
        CHECK(as_asked.points.size() == (kept.values.empty() ? 30U : 3U));
        CHECK(as_asked.edge().find("a smaller one may be better") != std::string::npos);
      }
      CHECK(solve_path(build_catalog(), spec, {.lambdas = 30}, {}, parts).points.size() <= 30);
      CHECK(solve_path(build_catalog(), spec, {.lambdas = 1, .folds = 5}, {}, parts).points.size() == 1);
    }
}

TEST_CASE("path ends: with noise and more columns than rows the folds end a saturated path") {
  const PathRecord record = made({"objective.use=linear-model", "penalty.use=l1"},
                                 {.lambdas = 100, .folds = 5}, rows_of(40, 120, 0.5));
  CHECK(!record.slices.front().saturated.empty());
  CHECK(record.points.size() < 100);
  CHECK(record.edge().empty());
  CHECK(record.validation->loss.size() == record.points.size());
}

TEST_CASE("path ends: a share that is asked for does not cut a choice either; without one it ends the path") {
  const HostParts parts = rows_of(60, 12, 0.3);
  const std::vector<std::string> words{"objective.use=linear-model", "penalty.use=l1"};
  PathGrid grid{.lambdas = 50, .explained = 0.5};
  CHECK(made(words, grid, parts).points.back().explained < 0.65);
  grid.folds = 5;
  const PathRecord chosen = made(words, grid, parts);
  CHECK(best(chosen) < 0.3);
  CHECK(chosen.edge().empty());
}

TEST_CASE("path ends: every slice of a second parameter goes on by its own folds, refits by theirs") {
  const HostParts parts = rows_of(60, 8, 0.0);
  PathGrid grid{.over = {"penalty.ratio", {0.2, 1.0}}, .lambdas = 25, .folds = 4};
  const std::vector<std::string> words{"objective.use=linear-model", "penalty.use=elastic-net"};
  const PathRecord two = made(words, grid, parts);
  for (const PathSlice& slice : two.slices) CHECK(slice.solved == 41);  // eight a decade, two decades more
  CHECK(two.validation->loss.size() == 82);
  check_edge(two);
  grid.over = {};
  grid.relaxed = true;
  // Refits of exact responses have losses of rounding alone, so that any of them may be the best.
  const PathRecord relaxed = made({"objective.use=linear-model", "penalty.use=l1"}, grid, parts);
  double least = relaxed.validation->loss.front().mean;
  for (const FoldMean& loss : relaxed.validation->loss) least = std::min(least, loss.mean);
  CHECK(least < 1e-6);
}

TEST_CASE(
    "path ends: a criterion goes on until it is worse again, and ends where coefficients fit every row") {
  const std::vector<std::string> words{"objective.use=linear-model", "penalty.use=l1"};
  for (const Criterion criterion : {Criterion::aic, Criterion::bic, Criterion::ebic})
    for (const double noise : {0.0, 0.02, 1.0}) {
      const HostParts parts = rows_of(60, 12, noise);
      PathGrid grid{.lambdas = 40, .information = criterion};
      const PathRecord early = made(words, grid, parts);
      grid.explained = 1.0;
      check_choice(early, made(words, grid, parts));
      check_edge(early);
    }
  const PathRecord wide =
      made(words, {.lambdas = 200, .ratio = 1e-6, .information = Criterion::bic}, rows_of(20, 80, 0.5));
  CHECK(wide.points.size() < 200);
  CHECK(wide.points.back().support <= 20);
}

TEST_CASE("path ends: over a radius and a nuclear norm folds choose as on the whole grid") {
  for (const double noise : {0.0, 0.5}) {
    const HostParts parts = ratings_of(16, 12, noise);
    for (const char* words : {"set.use=nuclear-ball", "penalty.use=nuclear"}) {
      CAPTURE(noise);
      CAPTURE(words);
      PathGrid grid{.lambdas = 20, .ratio = 1e-2, .folds = 3};
      const PathRecord early = made({"objective.use=matrix-completion", words}, grid, parts);
      grid.explained = 1.0;
      const PathRecord whole = made({"objective.use=matrix-completion", words}, grid, parts);
      check_choice(early, whole);
      check_edge(early), check_edge(whole);
    }
  }
}

TEST_CASE("path ends: what is said of a choice at an end") {
  const auto edge = [](const std::string& parameter, std::vector<double> lambdas, double max, std::size_t k,
                       const std::vector<double>& costs = {}) {
    PathRecord record;
    record.parameter = parameter;
    lambdas.insert(lambdas.begin(), {1.0, 0.5});  // of another slice
    for (const double one : lambdas) record.points.emplace_back().lambda = one;
    lambdas.erase(lambdas.begin(), lambdas.begin() + 2);
    record.information.assign(record.points.size(), 1.0);
    record.information[2 + k] = 0.0;
    for (std::size_t j = 0; j < costs.size(); ++j) record.information[2 + j] = costs[j];
    const std::size_t count = lambdas.size();
    record.slices.push_back({std::numeric_limits<double>::quiet_NaN(), 1.0, {1.0, 0.5}, 2, {}});
    record.slices.push_back({std::numeric_limits<double>::quiet_NaN(), max, std::move(lambdas), count, {}});
    record.chosen = {{"best", 2 + k}};
    return record.edge();
  };
  const std::string lambda = "penalty.lambda", radius = "set.radius";
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  CHECK(edge(lambda, {4.0, 2.0, 1.0}, 4.0, 1).empty());
  CHECK(edge(lambda, {4.0, 2.0, 1.0}, 4.0, 2).find("a smaller one may be better") != std::string::npos);
  CHECK(edge(lambda, {4.0, 2.0, 1.0}, 4.0, 0).find("is max, the largest") != std::string::npos);
  CHECK(edge(lambda, {4.0, 2.0, 1.0}, 9.0, 0).find("a larger one may be better") != std::string::npos);
  CHECK(edge(lambda, {4.0, 2.0, 1.0}, unknown, 0).find("a larger one may be better") != std::string::npos);
  CHECK(edge(lambda, {4.0}, 4.0, 0).empty());
  CHECK(edge(radius, {1.0, 2.0, 4.0}, 4.0, 1).empty());
  CHECK(edge(radius, {1.0, 2.0, 4.0}, 4.0, 0).find("a smaller one may be better") != std::string::npos);
  CHECK(edge(radius, {1.0, 2.0, 4.0}, 4.0, 2).find("leaves out nothing") != std::string::npos);
  CHECK(edge(radius, {1.0, 2.0, 4.0}, 9.0, 2).find("a larger one may be better") != std::string::npos);
  CHECK(edge(radius, {1.0, 2.0, 4.0}, unknown, 2).find("a larger one may be better") != std::string::npos);
  CHECK(edge(lambda, {4.0, 2.0, 1.0}, 4.0, 1, {3.0, 2.0, 2.0}) ==
        "the best lambda is the smallest of the grid, or as good: a smaller one may be better");
  CHECK(edge(lambda, {4.0, 2.0, 1.0}, 4.0, 1, {3.0, 2.0, 2.1}).empty());
  CHECK(PathRecord().edge().empty());
}
