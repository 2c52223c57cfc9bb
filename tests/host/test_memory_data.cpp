// SPDX-License-Identifier: BSD-3-Clause
#include "small_host.hpp"

#include "../core/test_files.hpp"

#include <claros/io/design_io.hpp>
#include <claros/io/memory_file.hpp>
#include <claros/io/ratings.hpp>
#include <claros/map/design.hpp>

#include <limits>

namespace claros::test {

namespace {

std::vector<double> fit(std::shared_ptr<const Dataset> data, const char* loss = "squared") {
  Solver solver(build_catalog());
  solver.objective("linear-model", {{"loss", loss}})
      .data(std::move(data))
      .penalty("ridge", {{"lambda", 0.01}})
      .algorithm("proximal-gradient", {{"step", 0.2}})
      .stop_when({{"iterations", 40}});
  return solver.solve().answer.to_dense();
}

}  // namespace

TEST_CASE("every layout of a design gives the same model") {
  constexpr Index n = 12, p = 5;
  std::vector<double> a = normals(3, n * p), by_columns(n * p), y = normals(4, n);
  for (std::size_t k = 0; k < a.size(); k += 3) a[k] = 0.0;
  std::vector<Index> start{0};
  std::vector<std::int32_t> narrow_start{0}, column;
  std::vector<double> value;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < p; ++j) {
      by_columns[j * n + i] = a[i * p + j];
      if (a[i * p + j] == 0.0) continue;
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(a[i * p + j]);
    }
    start.push_back(static_cast<Index>(value.size()));
    narrow_start.push_back(static_cast<std::int32_t>(value.size()));
  }
  const auto x = fit(data_from_rows(a, n, p, y));
  CHECK(fit(data_from_rows(a, n, p, y, Entries::referenced)) == x);
  CHECK(fit(data_from_columns(by_columns, n, p, y)) == x);
  std::vector<Index> column_start{0};
  std::vector<std::int32_t> narrow_column_start{0}, row;
  std::vector<double> down;
  for (std::size_t j = 0; j < p; ++j) {
    for (std::size_t i = 0; i < n; ++i)
      if (by_columns[j * n + i] != 0.0)
        row.push_back(static_cast<std::int32_t>(i)), down.push_back(by_columns[j * n + i]);
    column_start.push_back(static_cast<Index>(down.size()));
    narrow_column_start.push_back(static_cast<std::int32_t>(down.size()));
  }
  for (const Entries entries : {Entries::copied, Entries::referenced}) {
    const auto dense = fit(data_from_columns(by_columns, n, p, y, entries)),
               wide = fit(data_from_compressed_columns(column_start, row, down, n, y, entries)),
               narrow = fit(data_from_compressed_columns(narrow_column_start, row, down, n, y, entries));
    CHECK(narrow == wide);
    for (std::size_t j = 0; j < p; ++j) {
      CHECK(dense[j] == doctest::Approx(x[j]).epsilon(1e-12));
      CHECK(wide[j] == doctest::Approx(x[j]).epsilon(1e-12));
    }
  }
  const auto sparse = fit(data_from_compressed_rows(start, column, value, p, y));
  CHECK(fit(data_from_compressed_rows(narrow_start, column, value, p, y)) == sparse);
  const std::vector<float> narrow(a.begin(), a.end());
  const auto single = fit(data_from_rows(narrow, n, p, y));
  for (std::size_t j = 0; j < p; ++j) {
    CHECK(sparse[j] == doctest::Approx(x[j]).epsilon(1e-12));
    CHECK(single[j] == doctest::Approx(x[j]).epsilon(1e-5));
  }
}

TEST_CASE("referenced entries stay where they are; copied ones are the data's own") {
  std::vector<double> a{1, 2, 3, 4};
  const std::vector<double> y{1, 2};
  const auto rows_of = [](const Dataset& data) {
    return std::get<DenseRows<double>>(data.design()->entries).view();
  };
  CHECK(rows_of(*data_from_rows(a, 2, 2, y, Entries::referenced)).data() == a.data());
  const auto copied = data_from_rows(a, 2, 2, y);
  a[0] = 100.0;
  CHECK(rows_of(*copied)[0] == 1.0);
}

TEST_CASE("columns are read where they stand; rows are made for those that sample them") {
  constexpr Index n = 30, p = 8;
  const std::vector<double> a = normals(5, n * p), y = normals(6, n);
  const auto made_by = [&](const std::string& algorithm, const std::string& estimator) {
    const auto data = data_from_columns(a, n, p, y, Entries::referenced);
    Solver solver(build_catalog());
    solver.objective("linear-model", {{"intercept", true}})
        .data(data)
        .penalty("l1", {{"lambda", "0.1*max"}})
        .stop_when({{"iterations", 20}, {"relative_gap", 1e-8}});
    if (!algorithm.empty()) solver.algorithm(algorithm);
    if (!estimator.empty()) solver.estimator(estimator);
    CHECK(std::isfinite(solver.solve().measurement.value));
    const ColumnEntries* entries = data->design()->by_columns();
    REQUIRE(entries);
    CHECK(entries->columns().values(0).data() == a.data());
    return entries->has_rows();
  };
  for (const std::string name : {"", "proximal-gradient", "coordinate-descent", "working-set"})
    CHECK_MESSAGE(!made_by(name, ""), name);
  CHECK(made_by("proximal-gradient", "svrg"));
}

TEST_CASE("standardising leaves the caller's array alone") {
  const std::vector<double> a{1, 2, 3, 5}, y{1, 2};
  std::vector<double> kept = a;
  Solver solver(build_catalog());
  solver.objective("linear-model", {{"standardize", true}})
      .data(data_from_rows(kept, 2, 2, y, Entries::referenced))
      .algorithm("proximal-gradient")
      .stop_when({{"iterations", 2}});
  CHECK(solver.solve().status == Status::iterations);
  CHECK(kept == a);
}

TEST_CASE("data that does not fit is refused with the place") {
  const std::vector<double> a{1, 2, 3, 4}, y{1, 2}, bad{1, 2, 3, std::numeric_limits<double>::quiet_NaN()};
  CHECK(complaint([&] {
          (void)data_from_rows(a, 2, 3, y);
        }).find("4 entries for a design of 2 x 3; expected 6") != std::string::npos);
  CHECK(complaint([&] { (void)data_from_rows(a, 2, 2, a); }).find("4 responses") != std::string::npos);
  CHECK(complaint([&] { (void)data_from_rows(bad, 2, 2, y); }).find("row 2, column 2 is nan") !=
        std::string::npos);
  CHECK(complaint([&] { (void)data_from_rows(bad, 2, 2, y, Entries::referenced); }).find("row 2, column 2") !=
        std::string::npos);
  CHECK(complaint([&] { (void)data_from_columns(a, -1, 2, y); }).find("4 entries; expected 0") !=
        std::string::npos);
  CHECK(complaint([&] {
          (void)data_from_rows(std::span<const double>(), 0, 0, {});
        }).find("at least one row") != std::string::npos);
  const std::vector<double> three{1, 2, 3};
  CHECK(complaint([&] {
          (void)data_from_rows(a, 2, 2, y, Entries::copied, {.offset = three});
        }).find("3 offsets") != std::string::npos);
  CHECK(complaint([&] {
          (void)data_from_columns(a, 2, 2, y, Entries::referenced, {.weights = three});
        }).find("3 weights") != std::string::npos);
  const std::vector<std::int32_t> start{0, 2, 3}, twice{1, 1, 0}, none;
  CHECK(complaint([&] {
          (void)data_from_compressed_rows(start, twice, three, 2, y);
        }).find("an ascending number up to 2") != std::string::npos);
  CHECK(complaint([&] {
          (void)data_from_compressed_rows(none, twice, three, 2, y);
        }).find("one row start more") != std::string::npos);
}

TEST_CASE("columns that do not fit are refused with the place") {
  const std::vector<double> y{1, 2}, three{1, 2, 3}, bad{1, 2, 3, std::numeric_limits<double>::infinity()};
  CHECK(complaint([&] {
          (void)data_from_columns(bad, 2, 2, y, Entries::referenced);
        }).find("row 2, column 2 is infinite") != std::string::npos);
  const auto refused = [&](std::vector<std::int32_t> start, std::vector<std::int32_t> row) {
    return complaint(
        [&] { (void)data_from_compressed_columns(start, row, three, 2, y, Entries::referenced); });
  };
  CHECK(refused({}, {0, 1, 0}).find("one column start more") != std::string::npos);
  CHECK(refused({0, 2, 4}, {0, 1, 0}).find("do not cover the 3 values") != std::string::npos);
  CHECK(refused({0, 2, 3}, {0, 1}).find("and 2 row numbers") != std::string::npos);
  CHECK(refused({0, 2, 3}, {1, 0, 0}).find("column 1 has row 1 where an ascending") != std::string::npos);
  CHECK(refused({0, 2, 3}, {0, 2, 0}).find("column 1 has row 3 where an ascending number up to 2") !=
        std::string::npos);
  CHECK(data_from_compressed_columns(std::vector<Index>{0, 2, 3}, std::vector<std::int32_t>{0, 1, 0}, three,
                                     2, y)
            ->design()
            ->stored() == 3);
}

TEST_CASE("triplets come in any order, once each") {
  const std::vector<std::int32_t> row{1, 0, 1}, col{2, 1, 0}, again{1, 2, 2};
  const std::vector<double> value{3.0, 1.0, 2.0};
  const auto ratings = data_from_triplets(row, col, value, 2, 3)->ratings();
  CHECK(ratings->row == std::vector<std::int32_t>{0, 1, 1});
  CHECK(ratings->col == std::vector<std::int32_t>{1, 0, 2});
  CHECK(ratings->value == std::vector<double>{1.0, 2.0, 3.0});
  const std::vector<std::int32_t> rows{1, 0, 1}, cols{2, 1, 2};
  CHECK(data_from_triplets(rows, cols, value, 2, 3, "mean")->ratings()->value ==
        std::vector<double>{1.0, 2.5});
  CHECK(data_from_triplets(rows, cols, value, 2, 3, "last")->ratings()->value ==
        std::vector<double>{1.0, 2.0});
  CHECK(complaint([&] {
          (void)data_from_triplets(rows, cols, value, 2, 3);
        }).find("triplet 3 is at (1, 2), as triplet 1 is") != std::string::npos);
  CHECK(complaint([&] { (void)data_from_triplets(rows, cols, value, 2, 3, "men"); }, ErrorKind::usage)
            .find("did you mean 'mean'?") != std::string::npos);
  CHECK(complaint([&] {
          (void)data_from_triplets(row, col, value, 2, 2);
        }).find("triplet 1 is at (1, 2), counted from 0, outside of a matrix of 2 x 2") != std::string::npos);
  CHECK(complaint([&] {
          (void)data_from_triplets(row, std::span(col).first(2), value, 2, 3);
        }).find("2 columns of triplets; expected 3") != std::string::npos);
  const std::vector<double> bad{3.0, std::numeric_limits<double>::infinity(), 2.0};
  CHECK(complaint([&] { (void)data_from_triplets(row, col, bad, 2, 3); }).find("triplet 2 is inf") !=
        std::string::npos);
}

namespace {

/// What a plugin or a program may make: observed entries, or none.
class Observed final : public Dataset {
 public:
  explicit Observed(Ratings ratings) : ratings_(std::make_shared<const Ratings>(std::move(ratings))) {}
  std::shared_ptr<const Ratings> ratings() const override { return ratings_; }
  void write(const std::filesystem::path&) const override {}

 private:
  std::shared_ptr<const Ratings> ratings_;
};

Solver completion(std::shared_ptr<const Dataset> data) {
  Solver solver(build_catalog());
  solver.objective("matrix-completion")
      .data(std::move(data))
      .penalty("nuclear", {{"lambda", 1e-9}})
      .stop_when({{"gap", 1e-6}});
  return solver;
}

}  // namespace

TEST_CASE("data of no row, no column or no entry is refused by every entry in memory") {
  const std::vector<double> none, y{1, 2};
  const std::vector<std::int32_t> nowhere;
  const std::vector<Index> start{0}, starts{0, 0, 0};
  for (const Entries entries : {Entries::copied, Entries::referenced}) {
    check_mentions(complaint([&] { (void)data_from_rows(none, 0, 3, none, entries); }), {"0 x 3"});
    check_mentions(complaint([&] { (void)data_from_rows(none, 2, 0, y, entries); }), {"2 x 0"});
    check_mentions(complaint([&] { (void)data_from_columns(none, 0, 3, none, entries); }), {"0 x 3"});
    check_mentions(complaint([&] { (void)data_from_columns(none, 2, 0, y, entries); }), {"2 x 0"});
    check_mentions(
        complaint([&] { (void)data_from_compressed_rows(start, nowhere, none, 3, none, entries); }),
        {"0 x 3"});
    check_mentions(complaint([&] { (void)data_from_compressed_rows(starts, nowhere, none, 0, y, entries); }),
                   {"2 x 0"});
    check_mentions(
        complaint([&] { (void)data_from_compressed_columns(start, nowhere, none, 2, y, entries); }),
        {"2 x 0"});
  }
  check_mentions(complaint([&] { (void)data_from_triplets(nowhere, nowhere, none, 3, 4); }),
                 {"at least one triplet"});
  const auto empty = std::make_shared<Observed>(Ratings{3, 4, {}, {}, {}, {}, {}});
  const auto one = std::make_shared<Observed>(Ratings{1, 1, {0}, {0}, {2.0}, {}, {}});
  check_mentions(complaint([&] { (void)completion(empty).solve(); }), {"at least one observed entry"});
  check_mentions(complaint([&] { completion(empty).check(); }), {"at least one observed entry"});
  check_mentions(complaint([&] { (void)completion(empty).prepare().solve(); }),
                 {"at least one observed entry"});
  CHECK(completion(one).solve().answer.to_dense().front() == doctest::Approx(2.0).epsilon(1e-4));
}

TEST_CASE("a parameter that takes a file takes one in memory, with the same bits and its name in errors") {
  constexpr Index n = 12, p = 3;
  const std::vector<double> a = normals(3, n * p), y = normals(4, n), truth = normals(6, p);
  std::vector<double> w = normals(5, n);
  for (double& weight : w) weight *= weight;
  const auto solved = [&](const std::string& weights, const std::string& point) {
    return Solver(build_catalog())
        .objective("linear-model", {{"weights", weights}})
        .data(data_from_rows(a, n, p, y))
        .penalty("l1", {{"lambda", 0.1}})
        .trace({{"truth", point}})
        .stop_when({{"iterations", 20}});
  };
  const auto text = [](std::span<const double> values) {
    std::string lines;
    for (const double value : values) lines += print_real(value) + "\n";
    return lines;
  };
  const TestFolder folder;
  const RunResult disk =
      solved(folder.put("w.txt", text(w)).string(), folder.put("x.txt", text(truth)).string()).solve();
  const MemoryFile weights("objective.weights", w, n, 1), point("trace.truth", text(truth));
  const RunResult memory = solved(weights.name(), point.name()).solve();
  CHECK(memory.answer.to_dense() == disk.answer.to_dense());
  CHECK(memory.trace.back().rmse_truth == disk.trace.back().rmse_truth);

  const MemoryFile few("objective.weights", std::span(w).first(5), 5, 1), none("objective.weights", "");
  std::vector<double> below = w;
  below[3] = -1.0;
  const MemoryFile negative("objective.weights", below, n, 1);
  for (const MemoryFile* wrong : {&few, &none, &negative}) {
    const std::vector<std::string> all = complaints_of(solved(wrong->name(), ""));
    REQUIRE(all.size() == 1);
    check_mentions(all.front(), {"the array given for objective.weights: "});
    CHECK(all.front().find("/proc") == std::string::npos);
  }
  for (const auto& [rows, cols] : {std::pair<Index, Index>{0, 0}, {n, 2}, {-n, -1}, {n, 0}})
    check_mentions(complaint([&] { (void)MemoryFile("objective.offset", w, rows, cols); }),
                   {"objective.offset: 12 numbers"});
}

TEST_CASE("a plugin is not to blame for numbers that overflow with the data") {
  for (const double scale : {1e155, 1e160, 1e200, 1e300})
    for (const char* lambda : {"0.1*max", "1e-9", "1e154"}) {
      CAPTURE(scale);
      CAPTURE(lambda);
      const std::vector<double> value{scale, 2 * scale, 3 * scale};
      const std::vector<std::int32_t> row{0, 0, 1}, col{0, 1, 1};
      Solver solver(build_catalog());
      solver.objective("matrix-completion")
          .data(data_from_triplets(row, col, value, 2, 2))
          .penalty("nuclear", {{"lambda", lambda}})
          .stop_when({{"relative_gap", 1e-6}, {"iterations", 50}});
      const RunResult result = solver.solve();
      CAPTURE(result.failure);
      // Beside squares of such numbers a value of 1e279 is 0 to rounding.
      CHECK((!is_target(result.status) || result.measurement.value / scale / scale < 1e-25));
      CHECK((result.status != Status::failed || result.failure_kind == ErrorKind::numerical));
      CHECK((result.status != Status::failed || result.failure.find("overflows") != std::string::npos));
    }
}

TEST_CASE("a plugin is not to blame for coefficients whose squares overflow") {
  constexpr Index n = 17;
  const std::vector<double> a = normals(1, n), noise = normals(2, n);
  for (const double scale : {1e80, 1e100})
    for (const char* method : {"proximal-gradient", "coordinate-descent", "working-set"}) {
      CAPTURE(scale);
      CAPTURE(method);
      std::vector<double> small(n), y(n);
      for (std::size_t i = 0; i < a.size(); ++i) {
        small[i] = a[i] / scale;
        y[i] = (a[i] + 0.5 * noise[i]) * scale;
      }
      const RunResult r = Solver(build_catalog())
                              .objective("linear-model")
                              .data(data_from_rows(small, n, 1, y))
                              .penalty("l1", {{"lambda", 0.1}})
                              .algorithm(method)
                              .stop_when({{"relative_gap", 1e-6}, {"iterations", 20000}})
                              .solve();
      CAPTURE(r.failure);
      CHECK_FALSE(is_target(r.status));
      CHECK((r.status != Status::failed || r.failure_kind == ErrorKind::numerical));
    }
}

TEST_CASE("data in memory is written in the formats that are read") {
  const TestFolder folder;
  const std::vector<double> a{1, 2, 3, 4}, y{1, 2};
  data_from_rows(a, 2, 2, y, Entries::referenced)->write(folder.path());
  CHECK(fit(data_from_rows(a, 2, 2, y)) == [&] {
    Solver solver(build_catalog());
    solver.objective("linear-model", {{"data", (folder / "design.bin").string()}})
        .penalty("ridge", {{"lambda", 0.01}})
        .algorithm("proximal-gradient", {{"step", 0.2}})
        .stop_when({{"iterations", 40}});
    return solver.solve().answer.to_dense();
  }());
  const std::vector<std::int32_t> row{1, 0}, col{2, 1};
  data_from_triplets(row, col, y, 2, 3)->write(folder.path());
  CHECK(read_ratings(folder / "observed.mtx").value == std::vector<double>{2.0, 1.0});
}

TEST_CASE("host: predictions of a centred model are the answer and the baseline of its result") {
  std::vector<std::int32_t> row, col;
  std::vector<double> value;
  for (std::int32_t i = 0; i < 8; ++i)
    for (std::int32_t j = 0; j < 6; ++j)
      if ((i + j) % 3) row.push_back(i), col.push_back(j), value.push_back(10 + i - 2 * j);
  const auto solved = [&](const char* center) {
    return Solver(build_catalog())
        .objective("matrix-completion",
                   {{"center", center}, {"row_bias_regularization", 1e-6}, {"col_bias_regularization", 1e-6}})
        .data(data_from_triplets(row, col, value, 9, 6))
        .constraint("nuclear-ball", {{"radius", 0.01}})
        .algorithm("frank-wolfe")
        .stop_when({{"iterations", 20}})
        .solve();
  };
  RunResult result = solved("biases");
  REQUIRE(result.training);
  const Baseline& baseline = result.training->baseline;
  const std::span<const double> x = result.answer.dense_values();
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 6; ++j)
      CHECK(baseline.at(i, j) + x[static_cast<std::size_t>(i + 9 * j)] ==
            doctest::Approx(10.0 + static_cast<double>(i - 2 * j)).epsilon(1e-3));
  CHECK_FALSE(result.training->rows.seen(8));
  CHECK(baseline.at(-1, 2) == baseline.mean + baseline.col[2]);
  CHECK(solved("none").training->baseline.is_none());
}

}  // namespace claros::test
