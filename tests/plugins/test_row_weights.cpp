// SPDX-License-Identifier: BSD-3-Clause
// Weights of rows: f = sum_i w_i psi_i / sum_i w_i. A row of weight 0 is like no row, a weight of 2 is two
// rows, and equal weights are none.
#include "compose_for_test.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/map/design.hpp>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kWeightedRows = 40, kWeightedColumns = 6;

struct WeightedRows {
  std::vector<double> a, y, w;

  void add(const std::vector<double>& row, double target, double weight) {
    a.insert(a.end(), row.begin(), row.end());
    y.push_back(target), w.push_back(weight);
  }
  std::shared_ptr<const Dataset> data(bool weighted) const {
    return data_from_rows(a, static_cast<Index>(y.size()), kWeightedColumns, y, claros::Entries::copied,
                          weighted ? RowFacts{.weights = w} : RowFacts{});
  }
};

double drawn_target(const std::string& loss, Engine& engine) {
  const double x = std::normal_distribution<double>()(engine);
  if (loss == "logistic" || loss == "squared-hinge") return x > 0.0 ? 1.0 : -1.0;
  if (loss == "multinomial") return static_cast<double>(engine() % 3);
  if (loss == "poisson" || loss == "negative-binomial" || loss == "tweedie")
    return std::floor(2.0 * std::abs(x));
  return loss == "gamma" ? std::abs(x) + 0.1 : x;
}

struct Fit {
  std::vector<double> x;
  double value = 0.0;
};

Fit fitted(const std::string& loss, const std::shared_ptr<const Dataset>& data, const Words& more = {}) {
  HostParts parts;
  parts.data = data;
  const Composition c =
      compose(build_catalog(),
              spec_of(Words{"objective.use=linear-model", "objective.loss=" + loss, "objective.intercept=yes",
                            "penalty.use=elastic-net", "penalty.lambda=0.05", "stop.residual=1e-11",
                            "stop.iterations=50000"} +
                      more),
              parts);
  const RunResult r = run(c, run_settings(c));
  return {r.answer.to_dense(), r.measurement.value};
}

void check_close(const Fit& a, const Fit& b, const std::string& loss) {
  CAPTURE(loss);
  REQUIRE(a.x.size() == b.x.size());
  CHECK(a.value == doctest::Approx(b.value).epsilon(1e-9));
  for (std::size_t j = 0; j < a.x.size(); ++j)
    CHECK(a.x[j] == doctest::Approx(b.x[j]).epsilon(1e-5).scale(1.0));
}

}  // namespace

TEST_CASE("row weights: weight 0 is like no row, weight 2 two rows, for every loss") {
  for (const std::string& loss : build_catalog().names(Kind::loss)) {
    if (loss == "robust") continue;  // several minima
    Engine engine(11);
    std::normal_distribution<double> normal;
    WeightedRows weighted, repeated;
    for (Index i = 0; i < kWeightedRows; ++i) {
      std::vector<double> row(kWeightedColumns);
      for (double& entry : row) entry = normal(engine);
      const double target =
          i < 3 && loss == "multinomial" ? static_cast<double>(i) : drawn_target(loss, engine);
      const int times = i < 3 ? 1 : static_cast<int>(i % 4) % 3;
      weighted.add(row, target, times);
      for (int k = 0; k < times; ++k) repeated.add(row, target, 1.0);
    }
    check_close(fitted(loss, weighted.data(true)), fitted(loss, repeated.data(false)), loss);
    if (loss == "squared")
      check_close(fitted(loss, weighted.data(true), {"objective.standardize=yes"}),
                  fitted(loss, repeated.data(false), {"objective.standardize=yes"}), loss + ", standardized");
  }
}

TEST_CASE("row weights: equal weights are none") {
  Engine engine(12);
  std::normal_distribution<double> normal;
  WeightedRows rows;
  for (Index i = 0; i < kWeightedRows; ++i) {
    std::vector<double> row(kWeightedColumns);
    for (double& entry : row) entry = normal(engine);
    rows.add(row, normal(engine), 1.0);
  }
  check_close(fitted("squared", rows.data(true)), fitted("squared", rows.data(false)), "squared");
}

TEST_CASE("row weights: lambda_max is that of the rows that count") {
  WeightedRows weighted, counted;
  Engine engine(13);
  std::normal_distribution<double> normal;
  for (Index i = 0; i < kWeightedRows; ++i) {
    std::vector<double> row(kWeightedColumns);
    for (double& entry : row) entry = normal(engine) * (i % 2 ? 100.0 : 1.0);
    const double target = normal(engine);
    weighted.add(row, target, i % 2 ? 0.0 : 3.0);
    if (i % 2 == 0) counted.add(row, target, 1.0);
  }
  const auto largest = [](const std::shared_ptr<const Dataset>& data) {
    HostParts parts;
    parts.data = data;
    const Composition c = compose(build_catalog(),
                                  spec_of({"objective.use=linear-model", "objective.intercept=yes",
                                           "penalty.use=l1", "penalty.lambda=1*max", "stop.iterations=1"}),
                                  parts);
    return parse_real(c.effective.get("penalty", "lambda")->value);
  };
  CHECK(largest(weighted.data(true)) == doctest::Approx(largest(counted.data(false))).epsilon(1e-12));
}

TEST_CASE("row weights: what cannot be a weight is refused") {
  WeightedRows rows;
  rows.add(std::vector<double>(kWeightedColumns, 1.0), 1.0, 1.0);
  rows.add(std::vector<double>(kWeightedColumns, 2.0), 2.0, 1.0);
  const auto refused = [&](std::vector<double> w) {
    rows.w = std::move(w);
    return refusal(ErrorKind::data, [&] { (void)rows.data(true); });
  };
  CHECK(contains(refused({1.0, -1.0}), "weight of row 2"));
  CHECK(contains(refused({1.0, std::nan("")}), "weight of row 2"));
  CHECK(contains(refused({0.0, 0.0}), "all weights are 0"));
  CHECK(contains(refused({1.0}), "weights"));
}

TEST_CASE("referenced data: sparse rows are used where they are, and their keeper lives as long as they do") {
  const std::vector<Index> start{0, 1, 3};
  const std::vector<std::int32_t> narrow{0, 1, 3}, column{0, 0, 1};
  std::weak_ptr<const void> alive;
  std::shared_ptr<const Dataset> data;
  const double* at = nullptr;
  {
    const auto value = std::make_shared<std::vector<double>>(std::vector<double>{1.0, 2.0, 3.0});
    alive = value, at = value->data();
    data = data_from_compressed_rows(start, column, *value, 2, std::vector<double>{1.0, 2.0},
                                     claros::Entries::referenced,
                                     RowFacts{.column_names = {"a", "b"}, .keeper = value});
  }
  CHECK(!alive.expired());
  CHECK(std::get<SparseRows<double>>(data->design()->entries).view().value.data() == at);
  CHECK(data->design()->column_text(1) == "column 2 (b)");
  data.reset();
  CHECK(alive.expired());

  const std::vector<float> values{1.0F, 2.0F, 3.0F};
  const std::vector<double> y{1.0, 2.0};
  const auto of_narrow = data_from_compressed_rows(narrow, column, values, 2, y, claros::Entries::referenced);
  const auto copied = data_from_compressed_rows(start, column, values, 2, y);
  CHECK(std::get<SparseRows<float>>(of_narrow->design()->entries).view().value.data() == values.data());
  CHECK(fitted("squared", of_narrow).x == fitted("squared", copied).x);
}
