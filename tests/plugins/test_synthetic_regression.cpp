// SPDX-License-Identifier: BSD-3-Clause
// The data are what the class comment of data/synthetic-regression says, each claim checked on its own.
#include <claros/dataset.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/matrix_market.hpp>

#include <numeric>
#include <set>

#include "../core/numbers.hpp"
#include "compose_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

using Made = std::shared_ptr<const Dataset>;

Made made_regression(const Words& more, const std::string& seed = "0") {
  return make_data(build_catalog(),
                   spec_of(Words{"data.use=synthetic-regression", "run.seed=" + seed} + more));
}
Words regression_sized(Index rows, Index cols, Index nonzero, const Words& more = {}) {
  return Words{"data.rows=" + std::to_string(rows), "data.cols=" + std::to_string(cols),
               "data.nonzero=" + std::to_string(nonzero)} +
         more;
}

std::vector<std::vector<double>> rows_of(const Design& design) {
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(design.rows),
                                        std::vector<double>(static_cast<std::size_t>(design.cols)));
  for (Index i = 0; i < design.rows; ++i) design.row(i, rows[static_cast<std::size_t>(i)]);
  return rows;
}

struct SampleMoments {
  double mean, variance;
};
SampleMoments sample_moments(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size()),
               mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  return {mean, std::accumulate(values.begin(), values.end(), 0.0, [&](double sum, double v) {
                  return sum + (v - mean) * (v - mean);
                }) / n};
}

bool same_regression(const Dataset& a, const Dataset& b) {
  return a.design()->response == b.design()->response && rows_of(*a.design()) == rows_of(*b.design()) &&
         same_bits(*a.truth(), *b.truth());
}

}  // namespace

TEST_CASE("synthetic-regression: rows have mean 0 and the covariance that was asked for") {
  constexpr Index n = 40000, p = 5;
  for (const auto& [variance, b, errors] :
       {std::tuple{1.0, 0.0, 0.0}, {1.0, 0.4, 0.0}, {2.0, 0.1, 0.0}, {1.5, 0.3, 0.25}, {1.0, 1.0, 0.0}}) {
    const Made data = made_regression(
        regression_sized(n, p, 2,
                         {"data.variance=" + print_real(variance), "data.correlation=" + print_real(b),
                          "data.errors=" + print_real(errors)}));
    const auto rows = rows_of(*data->design());
    const double diagonal = variance + errors, scale = diagonal / std::sqrt(static_cast<double>(n));
    for (std::size_t j = 0; j < p; ++j)
      for (std::size_t k = 0; k <= j; ++k) {
        double mean = 0.0, product = 0.0;
        for (const auto& row : rows) mean += row[j], product += row[j] * row[k];
        // Standard errors: sqrt(diagonal / n) of a mean, at most sqrt(2) diagonal / sqrt(n) of a covariance.
        CHECK(std::abs(mean / n) < 5.0 * std::sqrt(diagonal / n));
        const double expected = j == k ? diagonal : variance * b;
        CHECK(std::abs(product / n - expected) < 5.0 * std::sqrt(2.0) * scale);
      }
  }
}

TEST_CASE("synthetic-regression: no two rows share a random number, of any width") {
  for (const Index cols : {5, 8, 31}) {
    const Made data = made_regression(regression_sized(60, cols, 2));
    std::set<double> seen;
    for (const auto& row : rows_of(*data->design())) seen.insert(row.begin(), row.end());
    CHECK(seen.size() == static_cast<std::size_t>(60 * cols));
  }
}

TEST_CASE("synthetic-regression: entries are normal") {
  const auto rows = rows_of(*made_regression(regression_sized(4000, 25, 1))->design());
  double within = 0.0, fourth = 0.0;
  for (const auto& row : rows)
    for (const double x : row) within += std::abs(x) < 1.0, fourth += x * x * x * x;
  const double count = 4000.0 * 25.0;
  CHECK(std::abs(within / count - 0.6826895) < 5.0 * std::sqrt(0.6826895 * 0.3173105 / count));
  CHECK(std::abs(fourth / count - 3.0) < 5.0 * std::sqrt(96.0 / count));  // Var x^4 = 105 - 9
}

TEST_CASE("synthetic-regression: theta* has so many groups of 1 and -1, and no entry is favoured") {
  for (const Index q : {1, 4}) {
    std::vector<int> chosen(30, 0);
    int positive = 0, total = 0;
    constexpr int kSeeds = 600;
    for (int seed = 0; seed < kSeeds; ++seed) {
      const Made data = made_regression(regression_sized(1, 30, 3, {"data.group_size=" + std::to_string(q)}),
                                        std::to_string(seed));
      const std::vector<double> theta = data->truth()->to_dense();
      std::set<std::size_t> groups;
      for (std::size_t j = 0; j < theta.size(); ++j)
        if (theta[j] != 0.0) {
          CHECK(std::abs(theta[j]) == 1.0);
          groups.insert(j / static_cast<std::size_t>(q)), ++chosen[j], ++total, positive += theta[j] > 0.0;
        }
      CHECK(groups.size() == 3);
      CHECK(std::count(theta.begin(), theta.end(), 0.0) == 30 - 3 * q);
    }
    CHECK(std::abs(positive - total / 2) < 5.0 * std::sqrt(total * 0.25));
    const double share = 3.0 / static_cast<double>(30 / q);
    for (std::size_t j = 0; j < 30; ++j) {
      const bool whole = static_cast<Index>(j) < 30 / q * q;  // two columns are left over by groups of four
      CHECK(std::abs(chosen[j] - (whole ? share : 0.0) * kSeeds) <
            (whole ? 5.0 * std::sqrt(share * (1 - share) * kSeeds) : 0.5));
    }
  }
}

TEST_CASE("synthetic-regression: responses are products with theta* and noise of the size asked for") {
  constexpr Index n = 20000;
  const Made data = made_regression(regression_sized(n, 20, 4, {"data.noise=0.5", "data.correlation=0.2"}));
  const std::vector<double> theta = data->truth()->to_dense();
  const auto rows = rows_of(*data->design());
  std::vector<double> noise;
  for (std::size_t i = 0; i < rows.size(); ++i)
    noise.push_back(data->design()->response[i] - dot(rows[i], theta));
  CHECK(std::abs(sample_moments(noise).mean) < 5.0 * 0.5 / std::sqrt(n));
  CHECK(std::abs(sample_moments(noise).variance - 0.25) < 5.0 * 0.25 * std::sqrt(2.0 / n));
  const Made exact = made_regression(regression_sized(50, 20, 4, {"data.noise=0"}));
  const auto exact_rows = rows_of(*exact->design());
  for (std::size_t i = 0; i < 50; ++i)
    CHECK(exact->design()->response[i] == doctest::Approx(dot(exact_rows[i], exact->truth()->to_dense())));
}

TEST_CASE("synthetic-regression: errors change the rows that are seen and nothing else") {
  const Words size = regression_sized(4000, 30, 5);
  const Made clean = made_regression(size), seen = made_regression(size + Words{"data.errors=0.09"});
  CHECK(clean->design()->response == seen->design()->response);
  CHECK(same_bits(*clean->truth(), *seen->truth()));
  const auto x = rows_of(*clean->design()), z = rows_of(*seen->design());
  std::vector<double> difference;
  double product = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x[i].size(); ++j) {
      difference.push_back(z[i][j] - x[i][j]);
      product += difference.back() * x[i][j];
    }
  const double count = static_cast<double>(difference.size());
  CHECK(std::abs(sample_moments(difference).mean) < 5.0 * 0.3 / std::sqrt(count));
  CHECK(std::abs(sample_moments(difference).variance - 0.09) < 5.0 * 0.09 * std::sqrt(2.0 / count));
  CHECK(std::abs(product / count) < 5.0 * 0.3 / std::sqrt(count));
}

TEST_CASE("synthetic-regression: logistic responses are signs with the logistic probabilities") {
  const Made data = made_regression(regression_sized(30000, 10, 3, {"data.response=logistic"}));
  const std::vector<double> theta = data->truth()->to_dense();
  const auto rows = rows_of(*data->design());
  double expected = 0.0, seen = 0.0, spread = 0.0, products = 0.0, expected_products = 0.0,
         products_spread = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double y = data->design()->response[i], product = dot(rows[i], theta),
                 chance = 1.0 / (1.0 + std::exp(-product));
    CHECK_MESSAGE(std::abs(y) == 1.0, y);
    seen += y == 1.0, expected += chance, spread += chance * (1.0 - chance);
    products += y * product, expected_products += (2.0 * chance - 1.0) * product;
    products_spread += 4.0 * chance * (1.0 - chance) * product * product;
  }
  CHECK(std::abs(seen - expected) < 5.0 * std::sqrt(spread));
  CHECK(std::abs(products - expected_products) < 5.0 * std::sqrt(products_spread));
}

TEST_CASE(
    "synthetic-regression: the seed makes the data; threads, precision and further rows do not change it") {
  const Words small = regression_sized(70, 21, 3, {"data.correlation=0.1", "data.errors=0.1"});
  CHECK(same_regression(*made_regression(small, "4"), *made_regression(small, "4")));
  CHECK_FALSE(same_regression(*made_regression(small, "4"), *made_regression(small, "5")));
  CHECK(same_regression(*made_regression(small + Words{"data.seed=4"}, "5"), *made_regression(small, "4")));
  CHECK(same_regression(*made_regression(small + Words{"run.threads=1"}),
                        *made_regression(small + Words{"run.threads=3"})));
  const auto rows = rows_of(*made_regression(small)->design());
  auto more = rows_of(*made_regression(small + Words{"data.rows=100"})->design());
  more.resize(rows.size());
  CHECK(more == rows);
  const Made single = made_regression(small + Words{"data.precision=float"});
  CHECK(single->design()->is_single());
  const auto single_rows = rows_of(*single->design());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      CHECK(single_rows[i][j] == static_cast<double>(static_cast<float>(rows[i][j])));
}

TEST_CASE(
    "synthetic-regression: its files read back to the same_regression bits, and a run on them is the run on "
    "the data") {
  const TestFolder folder;
  for (const std::string precision : {"double", "float"}) {
    const Words size = regression_sized(40, 12, 3, {"data.precision=" + precision});
    const Made data = made_regression(size);
    data->write(folder.path());
    DesignOptions options;
    options.precision = precision;
    const Design read = read_design(folder / "design.bin", options);
    CHECK(read.response == data->design()->response);
    CHECK(rows_of(read) == rows_of(*data->design()));
    CHECK(read_matrix_market_array(folder / "truth.mtx").values == data->truth()->to_dense());
    const Words rest{"objective.use=linear-model", "set.use=l1-ball", "set.radius=2",
                     "algorithm.use=frank-wolfe", "stop.iterations=5"};
    const RunResult own = solve(Words{"data.use=synthetic-regression"} + size + rest);
    const RunResult again =
        solve(Words{"objective.data=" + (folder / "design.bin").string(), "objective.precision=" + precision,
                    "trace.truth=" + (folder / "truth.mtx").string()} +
              rest);
    CHECK(own.measurement.value == again.measurement.value);
    CHECK(own.measurement.rmse_truth == again.measurement.rmse_truth);
    CHECK(own.measurement.rmse_truth > 0.0);
  }
}

TEST_CASE("synthetic-regression: what cannot be made_regression is refused") {
  const auto refused = [](const Words& words) {
    return complaint([&] { made_regression(words); }, ErrorKind::usage);
  };
  check_mentions(refused(regression_sized(1 << 20, 1 << 20, 1)), {"data.rows", "1048576", "lower"});
  check_mentions(refused(regression_sized(5, 30, 31)), {"data.nonzero", "30 columns", "31"});
  check_mentions(refused(regression_sized(5, 30, 8, {"data.group_size=4"})),
                 {"data.nonzero", "7 groups of 4", "8"});
  check_mentions(refused({"data.correlation=-0.1"}), {"data.correlation"});
  check_mentions(refused({"data.correlation=1.1"}), {"data.correlation"});
  check_mentions(refused({"data.variance=0"}), {"data.variance"});
  check_mentions(refused({"data.errors=-1"}), {"data.errors"});
  check_mentions(refused({"data.noise=nan"}), {"data.noise"});
  check_mentions(refused({"data.response=squared"}), {"data.response"});
}
