// SPDX-License-Identifier: BSD-3-Clause
// Columns in units of their own. Where coordinates are free, or only bounded by 0, dividing x_j by d_j and
// multiplying column j by it leaves the problem as it is: two runs that both claim a residual have the same
// minimum. And the bound on rounding is of the terms that are summed, not of a product of norms.
#include "compose_for_test.hpp"
#include "estimator_problems.hpp"

#include <claros/io/memory_data.hpp>

#include <cmath>

namespace claros::test::column_units {

namespace {

constexpr Index kRows = 120, kCols = 5;
const std::vector<double> kTruth{0.8, -0.5, 0.3, 0.6, -0.4};

/// Responses that every loss takes: counts for those with a logarithmic link, signs for those of classes.
std::vector<double> responses_of(const std::string& loss, const std::vector<double>& a) {
  RandomStream random(5, Purpose::output);
  std::vector<double> y(static_cast<std::size_t>(kRows));
  for (std::size_t i = 0; i < y.size(); ++i) {
    double z = 0.4;
    for (std::size_t j = 0; j < kTruth.size(); ++j) z += a[i * kTruth.size() + j] * kTruth[j];
    const double noise = random.normal();
    const bool of_classes = loss == "logistic" || loss == "squared-hinge";
    const bool positive =
        loss == "gamma" || loss == "poisson" || loss == "negative-binomial" || loss == "tweedie";
    y[i] = of_classes ? (z + 1.5 * noise > 0.0 ? 1.0 : -1.0)
           : positive
               ? std::max(loss == "gamma" ? 0.05 : 0.0, std::round(8.0 * std::exp(z + 0.3 * noise)) / 8.0)
               : z + 0.5 * noise;
    if (loss == "poisson" || loss == "negative-binomial") y[i] = std::round(y[i]);
  }
  return y;
}

std::vector<double> scaled(std::vector<double> a, const std::vector<double>& units) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] *= units[k % units.size()];
  return a;
}

enum class Storage { rows, columns, sparse };

HostParts parts_of(const std::vector<double>& a, const std::vector<double>& y, Storage storage) {
  HostParts parts;
  if (storage == Storage::rows) parts.data = data_from_rows(a, kRows, kCols, y);
  std::vector<double> by_columns(a.size());
  std::vector<Index> start;
  std::vector<std::int32_t> column;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const std::size_t i = k / kTruth.size(), j = k % kTruth.size();
    by_columns[j * y.size() + i] = a[k];
    if (j == 0) start.push_back(static_cast<Index>(k));
    column.push_back(static_cast<std::int32_t>(j));
  }
  start.push_back(static_cast<Index>(a.size()));
  if (storage == Storage::columns) parts.data = data_from_columns(by_columns, kRows, kCols, y);
  if (storage == Storage::sparse) parts.data = data_from_compressed_rows(start, column, a, kCols, y);
  return parts;
}

struct Ended {
  RunResult result;
  std::vector<double> x;  ///< in the units of the first design
};

Ended ended(const Words& words, const std::vector<double>& a, const std::vector<double>& y,
            const std::vector<double>& units, Storage storage) {
  const HostParts parts = parts_of(scaled(a, units), y, storage);
  const Composition c = compose(build_catalog(), spec_of(words), parts);
  Ended e{run(c, run_settings(c)), {}};
  e.x = e.result.answer.to_dense();
  for (std::size_t j = 0; j < units.size(); ++j) e.x[j] *= units[j];
  return e;
}

}  // namespace

TEST_CASE("column units: a residual that is met says the same of columns in any units") {
  const std::vector<double> a = normals(11, static_cast<std::size_t>(kRows * kCols)),
                            ones(kTruth.size(), 1.0);
  const std::vector<std::vector<double>> all_units{
      {1.0, 1e6, 1.0, 1e-3, 1e3}, {1e-6, 1.0, 1e-6, 1e-4, 1e-2}, {1e8, 1.0, 1e3, 1e-3, 1.0}};
  int claims = 0, runs = 0;
  for (const std::string loss : {"squared", "logistic", "squared-hinge", "poisson", "gamma",
                                 "negative-binomial", "tweedie", "huber"}) {
    const std::vector<double> y = responses_of(loss, a);
    for (const std::string bound : {"free", "nonnegative"})
      for (const std::string intercept : {"no", "yes"}) {
        Words words{
            "objective.use=linear-model", "objective.loss=" + loss, "objective.intercept=" + intercept,
            "stop.residual=1e-7",         "stop.iterations=20000",  "stop.seconds=5"};
        if (bound != "free") words = words + Words{"penalty.use=box", "penalty.lower=0", "penalty.upper=inf"};
        const Ended first = ended(words, a, y, ones, Storage::rows);
        REQUIRE_MESSAGE(is_target(first.result.status), joined(words, " "), first.result.failure);
        int turn = 0;
        for (const std::vector<double>& units : all_units) {
          const Ended other = ended(words, a, y, units, Storage{turn++ % 3});
          INFO(joined(words, " "), ", units ", turn, ": ", text(other.result.status), " after ",
               other.result.iterations, " steps");
          ++runs;
          if (!is_target(other.result.status)) continue;
          ++claims;
          for (std::size_t j = 0; j < first.x.size(); ++j) CHECK(std::abs(other.x[j] - first.x[j]) <= 1e-4);
        }
      }
  }
  MESSAGE(claims, " of ", runs, " runs claim a residual");
  CHECK(claims > 9 * runs / 10);
}

TEST_CASE(
    "column units: losses that are steep at 0 claim a residual in no unit of the responses before its time") {
  const std::vector<double> a = normals(13, static_cast<std::size_t>(kRows * kCols));
  std::vector<double> with_ones;  // without an intercept a column of ones follows the unit
  for (std::size_t k = 0; k < a.size(); ++k) with_ones.push_back(k % kTruth.size() == 0 ? 1.0 : a[k]);
  const std::vector<double> ones(kTruth.size(), 1.0);
  int claims = 0, runs = 0;
  for (const Words& loss : {Words{"gamma"},
                            {"tweedie", "objective.loss.power=1.9"},
                            {"tweedie", "objective.loss.power=2.5"},
                            {"tweedie", "objective.loss.power=3"},
                            {"tweedie", "objective.loss.power=3.5"}})
    for (const bool intercept : {true, false}) {
      const std::vector<double>& design = intercept ? a : with_ones;
      std::vector<double> y = responses_of("gamma", design);
      const Words words = Words{"objective.use=linear-model",
                                std::string("objective.intercept=") + (intercept ? "yes" : "no"),
                                "penalty.use=box",
                                "penalty.lower=-20",
                                "penalty.upper=inf",
                                "stop.residual=1e-6",
                                "stop.iterations=5000",
                                "stop.seconds=5",
                                "objective.loss.use=" + loss.front()} +
                          Words(loss.begin() + 1, loss.end());
      const Ended first = ended(words, design, y, ones, Storage::rows);
      REQUIRE_MESSAGE(is_target(first.result.status), joined(words, " "), first.result.failure);
      for (const double unit : {1e-3, 1e-1, 1e3, 1e5, 1e7}) {
        std::vector<double> other_y(y);
        for (double& value : other_y) value *= unit;
        const Ended other = ended(words, design, other_y, ones, Storage::rows);
        INFO(joined(words, " "), ", unit ", unit, ": ", text(other.result.status), " after ",
             other.result.iterations, " steps");
        ++runs;
        if (!is_target(other.result.status)) continue;
        ++claims;
        for (std::size_t j = intercept ? 0 : 1; j < first.x.size() && j < kTruth.size(); ++j)
          CHECK(std::abs(other.x[j] - first.x[j]) <= 1e-3);
      }
    }
  MESSAGE(claims, " of ", runs, " runs claim a residual");
  CHECK(claims > runs / 2);
}

TEST_CASE("column units: the rounding of a gap does not hang on the units of the columns") {
  const std::vector<double> a = normals(12, static_cast<std::size_t>(kRows * kCols)),
                            ones(kTruth.size(), 1.0);
  for (const std::string loss : {"squared", "logistic", "poisson", "huber", "gamma"})
    for (const double unit : {1e-9, 1e-5, 1e8, 1e12}) {
      const std::vector<double> y = responses_of(loss, a), units(kTruth.size(), unit);
      const auto words = [&](double lambda) {
        return Words{"objective.use=linear-model",
                     "objective.loss=" + loss,
                     "objective.intercept=yes",
                     "penalty.use=l1",
                     "penalty.lambda=" + print_real(lambda),
                     "stop.relative_gap=1e-9"};
      };
      CAPTURE(loss);
      CAPTURE(unit);
      const Ended first = ended(words(0.02), a, y, ones, Storage::rows),
                  other = ended(words(0.02 * unit), a, y, units, Storage::rows);
      REQUIRE(first.result.status == Status::relative_gap);
      CHECK_MESSAGE(other.result.status == Status::relative_gap, text(other.result.status));
      for (std::size_t j = 0; j < first.x.size(); ++j)
        CHECK(other.x[j] == doctest::Approx(first.x[j]).epsilon(1e-4));
    }
}

}  // namespace claros::test::column_units
