// SPDX-License-Identifier: BSD-3-Clause
// The data are what the class comment of data/synthetic-matrix-regression says, each claim checked on its
// own.
#include <claros/dataset.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/map/design.hpp>

#include "../core/environment_variable.hpp"
#include "sensing_problem.hpp"

using namespace claros;
using namespace claros::test;

namespace {

std::shared_ptr<const Dataset> made_matrix(const Words& more, const std::string& seed = "0") {
  return make_data(build_catalog(),
                   spec_of(Words{"data.use=synthetic-matrix-regression", "run.seed=" + seed} + more));
}
const Words kOfMatrix{"data.rows=5", "data.cols=4", "data.rank=2", "data.radius=6"};

Dense doubles_of(const Dataset& data) {
  const auto all = std::get<DenseRows<double>>(data.design()->entries).view();
  return {all.begin(), all.end()};
}

bool same_matrix_data(const Dataset& a, const Dataset& b) {
  return a.design()->response == b.design()->response && doubles_of(a) == doubles_of(b) &&
         same_bits(*a.truth(), *b.truth());
}

}  // namespace

TEST_CASE(
    "synthetic matrix regression: entries are normal and independent, the first of variance L, all of 1 + "
    "gamma_w when seen with errors") {
  constexpr std::size_t n = 20000, p = 20;
  for (const auto& [L, errors] : {std::pair{1.0, 0.0}, {100.0, 0.0}, {100.0, 0.1}}) {
    const auto data = made_matrix(kOfMatrix + Words{"data.count=20000", "data.largest=" + print_real(L),
                                                    "data.errors=" + print_real(errors)});
    const Dense x = doubles_of(*data);
    for (std::size_t j = 0; j < p; ++j)
      for (std::size_t k = 0; k <= j; ++k) {
        double mean = 0.0, product = 0.0, fourth = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
          const double a = x[i * p + j], b = x[i * p + k];
          mean += a, product += a * b, fourth += a * a * b * b;
        }
        const double own = (j == 0 ? L : 1.0) + errors, other = (k == 0 ? L : 1.0) + errors,
                     root = std::sqrt(static_cast<double>(n));
        CHECK(std::abs(mean / n) < 5.0 * std::sqrt(own) / root);
        CHECK(std::abs(product / n - (j == k ? own : 0.0)) <
              5.0 * std::sqrt((j == k ? 2.0 : 1.0) * own * other) / root);
        const double kurtosis =
            fourth / n / (own * other);  // of products of normal numbers 1, of their squares 3
        CHECK(std::abs(kurtosis - (j == k ? 3.0 : 1.0)) < 5.0 * std::sqrt(j == k ? 96.0 : 8.0) / root);
      }
  }
}

TEST_CASE(
    "synthetic matrix regression: T* has rank, nuclear norm and spectrum that were asked for, and each seed "
    "its own") {
  for (const auto& [spectrum, values] : {std::pair<std::string, Dense>{"equal", {2.0, 2.0, 2.0}},
                                         {"halving", {24.0 / 7.0, 12.0 / 7.0, 6.0 / 7.0}}}) {
    const Words words{"data.rows=9",   "data.cols=7",  "data.rank=3",
                      "data.radius=6", "data.count=1", "data.spectrum=" + spectrum};
    const auto data = made_matrix(words);
    const auto s = dense_svd(9, 7, data->truth()->to_dense()).s;
    for (std::size_t k = 0; k < s.size(); ++k)
      CHECK(s[k] == doctest::Approx(k < 3 ? values[k] : 0.0).epsilon(1e-12));
    CHECK_FALSE(same_bits(*data->truth(), *made_matrix(words, "1")->truth()));
  }
}

TEST_CASE("synthetic matrix regression: responses are those of X_i without errors, with noise of its size") {
  const Words words = kOfMatrix + Words{"data.count=4000", "data.largest=50"};
  const auto exact = made_matrix(words + Words{"data.noise=0"}),
             noisy = made_matrix(words + Words{"data.noise=0.5"}),
             seen = made_matrix(words + Words{"data.noise=0.5", "data.errors=0.1"});
  const Dense truth = exact->truth()->to_dense(), x = doubles_of(*exact), z = doubles_of(*seen);
  CHECK(x == doubles_of(*noisy));
  CHECK(noisy->design()->response == seen->design()->response);
  double squares = 0.0, errors = 0.0, product = 0.0;
  for (std::size_t i = 0; i < 4000; ++i) {
    const double e = noisy->design()->response[i] - exact->design()->response[i];
    squares += e * e;
    double y = 0.0;
    for (std::size_t j = 0; j < 20; ++j) {
      y += x[i * 20 + j] * truth[j];
      const double w = z[i * 20 + j] - x[i * 20 + j];
      errors += w * w, product += j > 0 ? w * x[i * 20 + j] : 0.0;
    }
    CHECK(exact->design()->response[i] == doctest::Approx(y).epsilon(1e-10));
  }
  CHECK(std::abs(squares / 4000 - 0.25) < 5.0 * 0.25 * std::sqrt(2.0 / 4000));
  CHECK(std::abs(errors / 80000 - 0.1) < 5.0 * 0.1 * std::sqrt(2.0 / 80000));
  CHECK(std::abs(product / 76000) < 5.0 * std::sqrt(0.1 / 76000));
}

TEST_CASE(
    "synthetic matrix regression: the seed makes the data; threads, precision and further rows do not change "
    "it") {
  const Words words = kOfMatrix + Words{"data.count=30", "data.errors=0.1", "data.largest=9"};
  const auto data = made_matrix(words, "4");
  const Dense rows = doubles_of(*data);
  CHECK(same_matrix_data(*data, *made_matrix(words, "4")));
  CHECK_FALSE(same_matrix_data(*data, *made_matrix(words, "5")));
  CHECK(same_matrix_data(*data, *made_matrix(words + Words{"data.seed=4"}, "5")));
  CHECK(same_matrix_data(*data, *made_matrix(words + Words{"run.threads=3"}, "4")));
  const auto more = made_matrix(words + Words{"data.count=50"}, "4");
  const Dense more_rows = doubles_of(*more);
  CHECK(std::equal(rows.begin(), rows.end(), more_rows.begin()));
  CHECK(std::equal(data->design()->response.begin(), data->design()->response.end(),
                   more->design()->response.begin()));
  const auto single = made_matrix(words + Words{"data.precision=float"}, "4");
  CHECK(single->design()->response == data->design()->response);
  const auto floats = std::get<DenseRows<float>>(single->design()->entries).view();
  for (std::size_t k = 0; k < floats.size(); ++k) CHECK(floats[k] == static_cast<float>(rows[k]));
}

TEST_CASE(
    "synthetic matrix regression: as many observations as the paper takes, of a square matrix, where nothing "
    "else is said") {
  const auto data = made_matrix({"data.rows=6", "data.rank=2", "data.radius=1"});
  CHECK(data->design()->rows == 120);
  CHECK(data->design()->cols == 36);
  CHECK(made_matrix(kOfMatrix)->design()->rows == 100);
}

TEST_CASE(
    "synthetic matrix regression: the variable of a linear model takes the shape of T*, and files give the "
    "same run") {
  const TestFolder folder;
  for (const std::string precision : {"double", "float"}) {
    const Words words = kOfMatrix + Words{"data.count=60", "data.precision=" + precision};
    const auto data = made_matrix(words);
    data->write(folder.path());
    const Words rest{"objective.use=linear-model", "set.use=nuclear-ball", "set.radius=6",
                     "algorithm.use=frank-wolfe", "stop.iterations=5"};
    const RunResult own = solve(Words{"data.use=synthetic-matrix-regression"} + words + rest);
    CHECK(own.answer.shape() == Shape::matrix(5, 4));
    CHECK(own.measurement.rmse_truth > 0.0);
    const RunResult again =
        solve(Words{"objective.data=" + (folder / "design.bin").string(), "objective.shape=5x4",
                    "objective.precision=" + precision, "trace.truth=" + (folder / "truth.mtx").string()} +
              rest);
    CHECK(same_bits(own.answer, again.answer));
    CHECK(own.measurement.rmse_truth == again.measurement.rmse_truth);
  }
}

TEST_CASE(
    "synthetic matrix regression: what cannot be is refused, and what does not fit the memory with its size "
    "and a way out") {
  const auto refused = [](const Words& words, std::initializer_list<const char*> parts,
                          ErrorKind kind = ErrorKind::usage) {
    check_mentions(refusal(kind, [&] { (void)made_matrix(words); }), parts);
  };
  refused({"data.rows=5", "data.cols=4", "data.rank=5"}, {"data.rank", "5", "5 x 4"});
  refused({"data.rows=100000", "data.rank=1"}, {"data.rows", "100000 x 100000", "lower"});
  refused({"data.radius=0"}, {"data.radius"});
  refused({"data.largest=0"}, {"data.largest"});
  refused({"data.noise=-1"}, {"data.noise"});
  refused({"data.errors=-0.1"}, {"data.errors"});
  refused({"data.rank=0"}, {"data.rank"});
  refused({"data.spectrum=flat"}, {"data.spectrum"});
  const EnvironmentVariable memory("CLAROS_MEMORY", "1MiB");
  refused({"data.rows=30", "data.rank=1", "data.count=200"},
          {"200 x 900 in double takes 1.4 MiB", "allows 1 MiB", "precision = float"}, ErrorKind::data);
  CHECK_NOTHROW(made_matrix({"data.rows=30", "data.rank=1", "data.count=200", "data.precision=float"}));
}
