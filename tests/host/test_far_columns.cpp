// SPDX-License-Identifier: BSD-3-Clause
// Columns whose means are large beside their deviations, which an intercept takes up, and columns of
// different units: the same solutions as of columns around 0 and of one size.
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/paths/solve_path.hpp>

#include <algorithm>
#include <array>
#include <cmath>

using namespace claros;
using namespace claros::test;

namespace {

constexpr std::size_t kRows = 120, kCols = 8;

/// Rows around 0, the same moved by `far` and more, and responses of them.
struct Rows {
  std::vector<double> near = normals(21, kRows*kCols), far, by_columns, y, signs, counts, weights;
  std::vector<double> means;

  explicit Rows(double away = 1e4) : far(near), by_columns(near) {
    const std::vector<double> noise = normals(22, kRows), other = normals(23, kRows);
    for (std::size_t j = 0; j < kCols; ++j) means.push_back(away * (1.0 + static_cast<double>(j)));
    for (std::size_t i = 0; i < kRows; ++i) {
      for (std::size_t j = 0; j < kCols; ++j) {
        far[i * kCols + j] += means[j];
        by_columns[j * kRows + i] = far[i * kCols + j];
      }
      const double z = 1.5 * near[i * kCols] - near[i * kCols + 2] + 0.3 * noise[i];
      y.push_back(3.0 + z), signs.push_back(z + 2.0 * other[i] > 0.4 ? 1.0 : -1.0);
      counts.push_back(std::floor(std::exp(0.5 * z) + 0.5)),
          weights.push_back(1.0 + static_cast<double>(i % 4));
    }
  }
  const std::vector<double>& response(const std::string& loss) const {
    return loss == "logistic" ? signs : loss == "poisson" ? counts : y;
  }
};

struct Fit {
  RunResult result;
  std::string notes, warnings;
};

struct Case {
  std::shared_ptr<const Dataset> data;
  Values model = {};
  std::string penalty = "l1";
  double lambda = 0.05, target = 1e-10;
};

Solver solver_of(const Case& c) {
  Solver solver(build_catalog());
  Values model = c.model;
  model.emplace_back("intercept", true);
  solver.objective("linear-model", model).data(c.data).stop_when({{"iterations", 500}});
  if (!c.penalty.empty()) solver.penalty(c.penalty, {{"lambda", c.lambda}});
  solver.stop_when({{c.penalty.empty() ? "residual" : "relative_gap", c.target}});
  return solver;
}

Fit fit(const Case& c) {
  Fit fit;
  fit.result = solver_of(c)
                   .on_message([&](Severity severity, const std::string& text) {
                     (severity == Severity::note ? fit.notes : fit.warnings) += text + '\n';
                   })
                   .solve();
  return fit;
}

std::vector<double> numbers(const Fit& fit) { return fit.result.answer.to_dense(); }

bool says_centred(const Fit& fit) { return fit.notes.find("are centred while solving") != std::string::npos; }

/// The coefficients are those of the rows around 0, and the intercept takes the means up.
void check_moved(const Fit& moved, const Fit& plain, const Rows& rows, double tolerance) {
  const std::vector<double> x = numbers(moved), expected = numbers(plain);
  REQUIRE(x.size() == kCols + 1);
  REQUIRE(expected.size() == kCols + 1);
  double intercept = expected.back(), size = 1.0;
  for (std::size_t j = 0; j < kCols; ++j) {
    CHECK(std::abs(x[j] - expected[j]) <= tolerance);
    intercept -= rows.means[j] * x[j], size += std::abs(rows.means[j] * x[j]);
  }
  CHECK(std::abs(x.back() - intercept) <= tolerance + 1e-13 * size);
  const double of_values = std::max(1e-9, 0.01 * tolerance);
  CHECK(moved.result.measurement.value == doctest::Approx(plain.result.measurement.value).epsilon(of_values));
}

}  // namespace

TEST_CASE("far columns: every layout and loss has the solution of the rows around 0, in as few steps") {
  const Rows rows;
  const std::vector<float> single(rows.far.begin(), rows.far.end());
  for (const char* loss : {"squared", "logistic", "poisson", "huber"}) {
    CAPTURE(loss);
    const auto& y = rows.response(loss);
    const Values model{{"loss", loss}};
    const Fit plain = fit({data_from_rows(rows.near, kRows, kCols, y), model});
    CHECK(plain.result.status == Status::relative_gap);
    CHECK(!says_centred(plain));
    const Fit by_rows = fit({data_from_rows(rows.far, kRows, kCols, y), model}),
              by_columns = fit({data_from_columns(rows.by_columns, kRows, kCols, y), model}),
              of_floats = fit({data_from_rows(single, kRows, kCols, y), model});
    for (const Fit* moved : {&by_rows, &by_columns}) {
      CHECK(moved->result.status == Status::relative_gap);
      CHECK(moved->result.iterations <= plain.result.iterations + 2);
      CHECK(says_centred(*moved));
      check_moved(*moved, plain, rows, 1e-6);
    }
    // Numbers around 8e4 have an error of 4e-3 in floats.
    CHECK(of_floats.result.status == Status::relative_gap);
    check_moved(of_floats, plain, rows, 0.05);
    // Without centring the rows are nearly parallel: here it is many steps, or the end of the budget.
    Values left = model;
    left.emplace_back("center", false);
    CHECK(!says_centred(fit({data_from_rows(rows.far, kRows, kCols, y), left})));
  }
}

TEST_CASE("far columns: weights of rows, several responses and no penalty") {
  const Rows rows;
  RowFacts facts;
  facts.weights = rows.weights;
  const auto weighted = [&](const std::vector<double>& a) {
    return data_from_rows(a, kRows, kCols, rows.y, Entries::copied, facts);
  };
  check_moved(fit({weighted(rows.far)}), fit({weighted(rows.near)}), rows, 1e-6);
  for (const char* loss : {"squared", "logistic", "poisson"}) {
    CAPTURE(loss);
    Case plain{data_from_rows(rows.near, kRows, kCols, rows.response(loss)), {{"loss", loss}}, ""},
        moved{data_from_rows(rows.far, kRows, kCols, rows.response(loss)), {{"loss", loss}}, ""};
    const Fit of_plain = fit(plain), of_moved = fit(moved);
    CHECK(of_plain.result.status == Status::residual);
    CHECK(of_moved.result.status == Status::residual);
    check_moved(of_moved, of_plain, rows, 1e-6);
  }
}

TEST_CASE("far columns: center = true and false do what they say, and what cannot be centred is refused") {
  const Rows rows;
  const auto near = data_from_rows(rows.near, kRows, kCols, rows.y),
             far = data_from_rows(rows.far, kRows, kCols, rows.y);
  const Fit always = fit({near, {{"center", true}}}), plain = fit({near});
  CHECK(says_centred(always));
  CHECK(always.notes.find("far from 0") == std::string::npos);
  Rows still = rows;
  still.means.assign(kCols, 0.0);
  check_moved(always, plain, still, 1e-6);

  Solver without(build_catalog());
  without.objective("linear-model", {{"center", true}}).data(far).penalty("l1", {{"lambda", 0.1}});
  const auto complaints = complaints_of(without);
  REQUIRE(complaints.size() == 1);
  CHECK(complaints.front().find("objective.center") != std::string::npos);
  CHECK(complaints.front().find("has no intercept that would take the means up") != std::string::npos);
  // Sparse columns without zeros are centred; those with some stay sparse.
  std::vector<Index> start{0};
  std::vector<std::int32_t> column;
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kCols; ++j) column.push_back(static_cast<std::int32_t>(j));
    start.push_back(static_cast<Index>(column.size()));
  }
  const auto sparse = data_from_compressed_rows(start, column, rows.far, kCols, rows.y);
  CHECK(says_centred(fit({sparse, {}, "l1", 0.05, 0.9})));
  Solver filled(build_catalog());
  filled.objective("linear-model", {{"center", true}, {"intercept", true}}).data(sparse);
  REQUIRE(complaints_of(filled).size() == 1);
  CHECK(complaints_of(filled).front().find("would fill the rows") != std::string::npos);
}

TEST_CASE("far columns: a constant column beside an intercept has the coefficient 0") {
  const Rows rows;
  for (const double constant : {1.0, 0.1, -3e7}) {
    CAPTURE(constant);
    std::vector<double> a;
    for (std::size_t i = 0; i < kRows; ++i) {
      a.insert(a.end(), rows.near.begin() + static_cast<std::ptrdiff_t>(i * kCols),
               rows.near.begin() + static_cast<std::ptrdiff_t>((i + 1) * kCols));
      a.push_back(constant);
    }
    for (const char* loss : {"squared", "poisson"}) {
      CAPTURE(loss);
      Case of{data_from_rows(a, kRows, kCols + 1, rows.response(loss)), {{"loss", loss}}, ""};
      const Fit with = fit(of);
      CHECK(with.result.status == Status::residual);
      CHECK(numbers(with)[kCols] == 0.0);
      of.data = data_from_rows(rows.near, kRows, kCols, rows.response(loss));
      CHECK(with.result.measurement.value == doctest::Approx(fit(of).result.measurement.value).epsilon(1e-9));
    }
  }
}

TEST_CASE("far columns: a solution is a start in the units of the data, of centred and of scaled columns") {
  const Rows rows;
  const auto far = data_from_rows(rows.far, kRows, kCols, rows.y);
  for (const char* key : {"center", "standardize"}) {
    CAPTURE(key);
    const Case c{far, {{key, true}}, "l1", 0.05, 1e-9};
    const Fit first = fit(c);
    REQUIRE(first.result.status == Status::relative_gap);
    Solver again = solver_of(c);
    again.start_from(first.result.answer).stop_when({{"relative_gap", 1e-7}});
    CHECK(again.solve().iterations == 0);
    PreparedSolver prepared = again.prepare();
    CHECK(prepared.solve().iterations == 0);
    prepared.start_from(Element(first.result.answer.shape()));
    CHECK(prepared.solve().iterations > 0);
    prepared.start_from(first.result.answer);
    CHECK(prepared.solve().iterations == 0);
  }
}

TEST_CASE("far columns: folds hold back the rows that the whole was fitted to") {
  const Rows rows;
  Spec spec;
  spec.assign({"objective.use=linear-model", "objective.intercept=yes", "penalty.use=l1",
               "stop.relative_gap=1e-10", "stop.iterations=100000"});
  const auto errors = [&](const std::vector<double>& a) {
    HostParts parts;
    parts.data = data_from_rows(a, kRows, kCols, rows.y);
    const PathRecord record = solve_path(
        build_catalog(), spec, {.lambdas = 6, .ratio = 1e-2, .explained = 1.0, .folds = 4}, {}, parts);
    REQUIRE(record.validation.has_value());
    std::vector<double> means;
    for (const FoldMean& of : record.validation->loss) means.push_back(of.mean);
    return means;
  };
  const std::vector<double> near = errors(rows.near), far = errors(rows.far);
  REQUIRE(near.size() == 6);
  REQUIRE(far.size() == near.size());
  for (std::size_t k = 0; k < near.size(); ++k) CHECK(far[k] == doctest::Approx(near[k]).epsilon(1e-7));
}

TEST_CASE(
    "far columns: an intercept follows the moves of coordinates and groups, dense and sparse, with weights") {
  // Means of 5 to 40 deviations, which are not taken off here.
  Rows rows(5.0);
  rows.far[3 * kCols + 5] = 0.0, rows.by_columns[5 * kRows + 3] = 0.0;
  std::vector<Index> start;
  std::vector<std::int32_t> row;
  for (std::size_t j = 0; j <= kCols; ++j) start.push_back(static_cast<Index>(j * kRows));
  for (std::size_t k = 0; k < kCols * kRows; ++k) row.push_back(static_cast<std::int32_t>(k % kRows));
  RowFacts facts;
  facts.weights = rows.weights;
  for (const bool weighted : {false, true}) {
    const RowFacts& of_rows = weighted ? facts : RowFacts{};
    const auto dense = data_from_rows(rows.far, kRows, kCols, rows.y, Entries::copied, of_rows);
    const auto sparse =
        data_from_compressed_columns(start, row, rows.by_columns, kRows, rows.y, Entries::copied, of_rows);
    for (const std::string penalty : {"l1", "group", "mcp", "ridge"}) {
      CAPTURE(weighted);
      CAPTURE(penalty);
      const auto by = [&](const std::shared_ptr<const Dataset>& data, bool center, const char* algorithm) {
        Solver solver(build_catalog());
        solver.objective("linear-model", {{"intercept", true}, {"center", center}}).data(data);
        Values parameters{{"lambda", penalty == "ridge" ? 1e-3 : 0.02}};
        if (penalty == "group") parameters.emplace_back("groups", "2");
        solver.penalty(penalty, parameters).algorithm(algorithm, {{"newton", false}});
        solver.stop_when({{"iterations", 2000}, {"residual", 1e-9}});
        return solver.solve();
      };
      const RunResult centred = by(dense, true, "coordinate-descent");
      REQUIRE(centred.status == Status::residual);
      for (const auto& data : {dense, sparse}) {
        const RunResult r = by(data, false, "coordinate-descent");
        CHECK(r.status == Status::residual);
        CHECK(r.iterations <= 2 * centred.iterations + 10);
        const std::vector<double> x = r.answer.to_dense(), expected = centred.answer.to_dense();
        for (std::size_t j = 0; j < kCols; ++j) CHECK(std::abs(x[j] - expected[j]) <= 1e-6);
        CHECK(x.back() == doctest::Approx(expected.back()).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("far columns: what an intercept leaves of a column is not lost in sums over many rows") {
  // Means of up to a million deviations: a sum of squares has a part in 10^12 of it, and less digits than
  // that.
  constexpr std::size_t kMany = 100000;
  const std::vector<double> z = normals(51, 3 * kMany);
  std::vector<double> y(kMany);
  std::vector<Index> start{0, kMany, 2 * kMany};
  std::vector<std::int32_t> row;
  for (std::size_t k = 0; k < 2 * kMany; ++k) row.push_back(static_cast<std::int32_t>(k % kMany));
  for (std::size_t i = 0; i < kMany; ++i) y[i] = 0.5 * z[i] - 0.2 * z[kMany + i] + 0.1 * z[2 * kMany + i];
  for (const double away : {1e3, 1e5, 1e6, -1e6}) {
    CAPTURE(away);
    // Of -1e6 the second column is in another unit, and not far from 0 in it.
    const std::array<double, 2> mean{std::abs(away), away > 0.0 ? away : 1.0},
        unit{1.0, away > 0.0 ? 1.0 : 1e5};
    std::vector<double> near(2 * kMany), far(2 * kMany);
    for (std::size_t k = 0; k < 2 * kMany; ++k) {
      far[k] = unit[k / kMany] * (mean[k / kMany] + z[k]);
      near[k] = far[k] - unit[k / kMany] * mean[k / kMany];
    }
    for (const std::string penalty : {"l1", "group"}) {
      CAPTURE(penalty);
      const auto by = [&](const std::vector<double>& columns) {
        Solver solver(build_catalog());
        solver.objective("linear-model", {{"intercept", true}, {"center", false}})
            .data(data_from_compressed_columns(start, row, columns, kMany, y));
        Values parameters{{"lambda", 0.05}};
        if (penalty == "group") parameters.emplace_back("groups", "2");
        solver.penalty(penalty, parameters).algorithm("coordinate-descent", {{"extrapolate", false}});
        return solver.stop_when({{"iterations", 12}}).solve();
      };
      const RunResult expected = by(near), r = by(far);
      const std::vector<double> x = r.answer.to_dense(), best = expected.answer.to_dense();
      for (std::size_t j = 0; j < 2; ++j) CHECK(std::abs(x[j] - best[j]) * unit[j] <= 1e-9 * mean[0]);
      CHECK(r.measurement.value == doctest::Approx(expected.measurement.value).epsilon(1e-9));
    }
  }
}

TEST_CASE("columns of many units: losses end at their minimum by default") {
  // Year, income, age and concentration.
  const std::vector<double> z = normals(31, 5 * kRows);
  std::vector<double> a, scaled, y, counts;
  for (std::size_t i = 0; i < kRows; ++i) {
    const double* row = z.data() + 5 * i;
    const std::vector<double> units{2010.0 + 6.0 * row[0], 5e4 + 1e4 * row[1], 40.0 + 12.0 * row[2],
                                    1e-3 + 2e-4 * row[3]};
    a.insert(a.end(), units.begin(), units.end());
    scaled.insert(scaled.end(), row, row + 4);
    const double linear = 0.5 * row[0] + 0.7 * row[1] - 0.4 * row[2] + 0.6 * row[3];
    y.push_back(linear + (i % 9 == 0 ? 8.0 : 0.5) * row[4]);
    counts.push_back(std::floor(std::exp(0.5 * linear + 1.0)));
  }
  std::vector<double> positive(counts), signs(counts);
  for (std::size_t i = 0; i < kRows; ++i) positive[i] += 0.5, signs[i] = y[i] > 0.0 ? 1.0 : -1.0;
  for (const std::string loss : {"squared", "huber", "logistic", "poisson", "gamma"}) {
    CAPTURE(loss);
    const auto& response = loss == "poisson"    ? counts
                           : loss == "gamma"    ? positive
                           : loss == "logistic" ? signs
                                                : y;
    const Values model{{"loss", loss}};
    const Fit of_units = fit({data_from_rows(a, kRows, 4, response), model, "", 0.0, 1e-6}),
              of_scaled = fit({data_from_rows(scaled, kRows, 4, response), model, "", 0.0, 1e-10});
    CHECK(of_units.result.status == Status::residual);
    CHECK(of_scaled.result.status == Status::residual);
    // The models are the same, in other units.
    CHECK(of_units.result.measurement.value ==
          doctest::Approx(of_scaled.result.measurement.value).epsilon(1e-6));
  }
}

TEST_CASE("far responses: a straight loss with a penalty is followed to the minimum") {
  const Rows rows(0.0);
  std::vector<double> salaries;
  for (const double y : rows.y) salaries.push_back(5e4 + y);
  const auto data = data_from_rows(rows.near, kRows, kCols, salaries);
  const Fit far = fit({data, {{"loss", "huber"}}, "l1", 0.01, 1e-8}),
            near =
                fit({data_from_rows(rows.near, kRows, kCols, rows.y), {{"loss", "huber"}}, "l1", 0.01, 1e-8});
  CHECK(far.result.status == Status::relative_gap);
  CHECK(far.result.iterations < 50);  // by steps of the length 1 each 50,000
  CHECK(far.result.measurement.value == doctest::Approx(near.result.measurement.value).epsilon(1e-6));
}

TEST_CASE(
    "far responses: a loss that is flat at the start says so, and one that sees some response does not") {
  const Rows rows(0.0);
  std::vector<double> far(rows.y);
  for (double& y : far) y += 5e4;
  const auto warned = [&](const std::vector<double>& y) {
    const Fit made = fit({data_from_rows(rows.near, kRows, kCols, y), {{"loss", "robust"}}, "", 0.0, 1e-3});
    return made.warnings.find("the slope 0 at x = 0 for every response") != std::string::npos;
  };
  CHECK(warned(far));
  CHECK(!warned(rows.y));
  far.back() = 1.0;
  CHECK(!warned(far));
  CHECK(!warned(std::vector<double>(kRows, 0.0)));
}

TEST_CASE("unseen directions: total variation and second differences with an intercept end by a gap") {
  const Rows rows(0.0);
  for (const char* loss : {"squared", "logistic", "huber"}) {
    CAPTURE(loss);
    Solver solver(build_catalog());
    solver.objective("linear-model", {{"loss", loss}, {"intercept", true}})
        .data(data_from_rows(rows.near, kRows, kCols, rows.response(loss)))
        .stop_when({{"relative_gap", 1e-6}, {"iterations", 20000}});
    Solver trend = solver;
    solver.penalty("tv", {{"lambda", 0.02}});
    const RunResult of_tv = solver.solve();
    CHECK(of_tv.status == Status::relative_gap);
    CHECK(of_tv.measurement.gap_kind == "duality");
    trend.penalty("composed", {{"map", "difference"}, {"order", 2}, {"inner", "l1"}, {"inner.lambda", 0.02}})
        .algorithm("primal-dual");
    CHECK(trend.solve().status == Status::relative_gap);
  }
}

TEST_CASE("far columns: objectives that no intercept changes are centred, dense, by columns and sparse") {
  const Rows rows;
  std::vector<Index> start{0};
  std::vector<std::int32_t> column;
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kCols; ++j) column.push_back(static_cast<std::int32_t>(j));
    start.push_back(static_cast<Index>(column.size()));
  }
  std::vector<double> times;  // below 0: censored
  for (std::size_t i = 0; i < kRows; ++i)
    times.push_back((i % 4 == 0 ? -1.0 : 1.0) * std::exp(0.5 * rows.y[i]));
  for (const char* objective : {"cox", "square-root"}) {
    CAPTURE(objective);
    const bool cox = std::string(objective) == "cox";
    const auto& y = cox ? times : rows.y;
    const auto solved = [&](const std::shared_ptr<const Dataset>& data) {
      Solver solver(build_catalog());
      solver.objective(objective, cox ? Values{} : Values{{"intercept", true}})
          .penalty("l1", {{"lambda", 0.05}})
          .data(data)
          .stop_when({{"relative_gap", 1e-9}, {"iterations", 1000}});
      return solver.solve();
    };
    const RunResult plain = solved(data_from_rows(rows.near, kRows, kCols, y));
    REQUIRE(plain.status == Status::relative_gap);
    const std::vector<double> expected = plain.answer.to_dense();
    for (const auto& data :
         {data_from_rows(rows.far, kRows, kCols, y), data_from_columns(rows.by_columns, kRows, kCols, y),
          data_from_compressed_rows(start, column, rows.far, kCols, y)}) {
      const RunResult moved = solved(data);
      CHECK(moved.status == Status::relative_gap);
      CHECK(moved.iterations <= plain.iterations + 200);
      CHECK(moved.measurement.value == doctest::Approx(plain.measurement.value).epsilon(1e-8));
      for (std::size_t j = 0; j < kCols; ++j)
        CHECK(std::abs(moved.answer.to_dense()[j] - expected[j]) <= 1e-4);
    }
  }
}

/// value - gap at the start: an affine function of the coefficients, and `intercept`.
double bound_at(const Case& c, double intercept) {
  std::vector<double> x(kCols + 1, 0.0);
  for (std::size_t j = 0; j < kCols; ++j) x[j] = 0.1 * static_cast<double>(j % 3);
  x[kCols] = intercept;
  const RunResult run = solver_of(c)
                            .start_from(Element::dense(Shape::vector(kCols + 1), std::move(x)))
                            .stop_when({{"iterations", 1}})
                            .trace({{"on", true}})
                            .solve();
  REQUIRE(!run.trace.empty());
  return run.trace.front().value - run.trace.front().gap;
}

TEST_CASE(
    "far columns: the lower bound of a model with an intercept is one for every loss, and that of the "
    "squared loss does not depend on the intercept") {
  for (const double away : {0.0, 1e4})
    for (const std::string loss : {"squared", "logistic", "poisson", "huber", "squared-hinge"})
      for (const bool weighted : {false, true}) {
        CAPTURE(away);
        CAPTURE(loss);
        CAPTURE(weighted);
        const Rows rows(away);
        const std::vector<double>& y = loss == "squared-hinge" ? rows.signs : rows.response(loss);
        RowFacts facts;
        if (weighted) facts.weights = rows.weights;
        const Case c{data_from_rows(rows.far, kRows, kCols, y, Entries::copied, facts), {{"loss", loss}}};
        const double least = fit(c).result.measurement.value, bound = bound_at(c, 0.2),
                     other = bound_at(c, 1.7);
        CHECK(bound <= least + 1e-9 * std::abs(least));
        CHECK(other <= least + 1e-9 * std::abs(least));
        if (loss == "squared") CHECK(other == doctest::Approx(bound).epsilon(1e-7));
      }
}
