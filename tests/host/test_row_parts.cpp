// SPDX-License-Identifier: BSD-3-Clause
// Folds of objectives that are no sum over rows, each beside what its definition says of the same rows.
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/io/survival.hpp>
#include <claros/paths/solve_path.hpp>

#include <Eigen/Dense>

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace claros::test::row_parts {

constexpr Index kRows = 60, kCols = 4, kFolds = 3;
using Numbers = std::vector<double>;

struct Rows {
  Numbers a = normals(21, at(kRows*kCols)), y, time, w, o;
  std::vector<Index> stratum;

  Rows() {
    const Numbers noise = normals(22, at(kRows)), late = normals(23, at(kRows));
    for (std::size_t i = 0; i < at(kRows); ++i) {
      const double z = a[4 * i] - 0.7 * a[4 * i + 1];
      y.push_back(3.0 + z + 0.5 * noise[i]);
      const double t = 0.1 * std::ceil(10.0 * std::exp(0.5 * noise[i] - z)) + 0.1;  // with ties
      time.push_back(late[i] < -0.7 ? -t : t);
      w.push_back(0.5 + static_cast<double>(i % 4)), o.push_back(0.3 * late[i]);
      stratum.push_back(static_cast<Index>(i % 2));
    }
  }
  double product(std::size_t i, const Numbers& x) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < at(kCols); ++j) sum += a[4 * i + j] * x[j];
    return sum;
  }
  HostParts data(const Numbers& response, const std::vector<Index>& rows, bool facts) const {
    Numbers some, values, weights, offsets;
    for (const Index i : rows) {
      some.insert(some.end(), a.begin() + 4 * i, a.begin() + 4 * i + 4);
      values.push_back(response[at(i)]);
      if (facts) weights.push_back(w[at(i)]), offsets.push_back(o[at(i)]);
    }
    HostParts parts;
    parts.data = data_from_rows(some, static_cast<Index>(rows.size()), kCols, values, Entries::copied,
                                {.weights = weights, .offset = offsets});
    return parts;
  }
};

std::vector<Index> all_rows() {
  std::vector<Index> rows;
  for (Index i = 0; i < kRows; ++i) rows.push_back(i);
  return rows;
}
std::vector<Index> rows_of(Index fold, bool held_back) {
  const std::vector<Index> of = draw_folds(kRows, kFolds, 0);
  std::vector<Index> rows;
  for (Index i = 0; i < kRows; ++i)
    if ((of[at(i)] == fold) == held_back) rows.push_back(i);
  return rows;
}

Spec spec_of(const std::vector<std::string>& words) {
  Spec spec;
  spec.assign({"penalty.use=l1", "stop.relative_gap=1e-12", "stop.iterations=100000"});
  spec.assign(words);
  return spec;
}

const Numbers kGrid{0.2, 0.05};

CrossValidation validated(const std::vector<std::string>& words, const HostParts& parts,
                          FoldMetric by = FoldMetric::loss, Index jobs = 1) {
  const PathRecord record =
      solve_path(build_catalog(), spec_of(words),
                 {.values = kGrid, .explained = 1.0, .folds = kFolds, .by = by, .jobs = jobs}, {}, parts);
  REQUIRE(record.validation);
  return *record.validation;
}

/// The solution of the words for some of the rows, in the units of the data.
Numbers fitted(std::vector<std::string> words, double lambda, const HostParts& parts) {
  words.push_back("penalty.lambda=" + print_real(lambda));
  Composition composition = compose(build_catalog(), spec_of(words), parts);
  const RunResult result = run(composition, run_settings(composition));
  REQUIRE(is_target(result.status));
  auto* rescaled = query<Rescaled>(*composition.objective);
  return (rescaled ? rescaled->original(result.answer) : result.answer).to_dense();
}

/// The mean over the folds, by the weights of their rows, of what `of` says of a fold and a lambda.
template <class Of>
double mean_over_folds(const Numbers& weights, Of of) {
  double sum = 0.0, all = 0.0;
  for (Index fold = 0; fold < kFolds; ++fold) {
    double mass = 0.0;
    for (const Index i : rows_of(fold, true)) mass += weights[at(i)];
    sum += mass * of(rows_of(fold, false), rows_of(fold, true));
    all += mass;
  }
  return sum / all;
}

namespace {

/// -log of the partial likelihood of some rows, by Breslow's rule, less its least value: that of events that
/// are alone at risk at their time. No sum is shared.
double partial(const Rows& data, const std::vector<Index>& rows, const Numbers& x, const Numbers& w,
               const Numbers& o, bool strata) {
  double sum = 0.0;
  for (const Index i : rows) {
    if (data.time[at(i)] < 0.0) continue;
    double risk = 0.0, events = 0.0;
    for (const Index j : rows) {
      if (strata && data.stratum[at(i)] != data.stratum[at(j)]) continue;
      if (std::abs(data.time[at(j)]) >= data.time[at(i)])
        risk += w[at(j)] * std::exp(data.product(at(j), x) + o[at(j)]);
      if (data.time[at(j)] == data.time[at(i)]) events += w[at(j)];
    }
    sum += w[at(i)] * (std::log(risk / events) - data.product(at(i), x) - o[at(i)]);
  }
  return sum;
}

std::string file_of(const std::string& name, const std::vector<Index>& rows,
                    const std::vector<Index>& numbers) {
  const auto path =
      std::filesystem::temp_directory_path() / (name + "-" + std::to_string(::getpid()) + ".txt");
  std::ofstream out(path);
  for (const Index i : rows) out << numbers[at(i)] << '\n';
  return path.string();
}

}  // namespace

TEST_CASE(
    "row parts: the partial likelihood of rows held back is that of all rows less that of the training") {
  const Rows data;
  for (const bool facts : {false, true})
    for (const bool strata : {false, true}) {
      CAPTURE(facts);
      CAPTURE(strata);
      std::vector<std::string> words{"objective.use=cox"};
      if (strata) words.push_back("objective.strata=" + file_of("strata", all_rows(), data.stratum));
      const CrossValidation v = validated(words, data.data(data.time, all_rows(), facts));
      CHECK(v.other == "concordance");
      Numbers w(at(kRows), 1.0), o(at(kRows), 0.0);
      double mass = 0.0;
      for (const double weight : data.w) mass += weight;
      if (facts) o = data.o;
      for (std::size_t i = 0; facts && i < w.size(); ++i)
        w[i] = data.w[i] * static_cast<double>(kRows) / mass;
      for (std::size_t k = 0; k < kGrid.size(); ++k) {
        double concordant = 0.0;
        const double mean = mean_over_folds(w, [&](const auto& training, const auto& held_back) {
          std::vector<std::string> part{"objective.use=cox"};
          if (strata) part.push_back("objective.strata=" + file_of("some", training, data.stratum));
          const Numbers x = fitted(part, kGrid[k], data.data(data.time, training, facts));
          double share = 0.0;
          Numbers risk, weights;
          Survival some;
          for (const Index i : held_back) {
            share += w[at(i)];
            weights.push_back(w[at(i)]);
            risk.push_back(data.product(at(i), x) + o[at(i)]);
            some.time.push_back(std::abs(data.time[at(i)])), some.event.push_back(data.time[at(i)] > 0.0);
            if (strata) some.stratum.push_back(data.stratum[at(i)]);
          }
          concordant += share * concordance(some, risk, weights);
          return (partial(data, all_rows(), x, w, o, strata) - partial(data, training, x, w, o, strata)) /
                 share;
        });
        CHECK(v.loss[k].mean == doctest::Approx(mean).epsilon(1e-6));
        CHECK(v.beside[k].mean == doctest::Approx(concordant / static_cast<double>(kRows)).epsilon(1e-9));
      }
    }
}

TEST_CASE("row parts: the concordance of weighted rows is that of rows that stand there so often") {
  RandomStream random(8, Purpose::output);
  Survival once, often;
  Numbers risk, risks, weights;
  for (int i = 0; i < 60; ++i) {
    const double entry = std::floor(3.0 * random.uniform()),
                 time = entry + 1.0 + std::floor(8.0 * random.uniform()),
                 z = std::floor(6.0 * random.uniform());
    const bool event = random.uniform() < 0.6;
    const Index stratum = random.index(2), weight = random.index(4);
    weights.push_back(static_cast<double>(weight));
    for (Index k = 0; k <= weight; ++k) {
      Survival& to = k == 0 ? once : often;
      to.time.push_back(time), to.event.push_back(event), to.stratum.push_back(stratum),
          to.entry.push_back(entry);
      (k == 0 ? risk : risks).push_back(z);
    }
  }
  CHECK(concordance(once, risk, weights) == doctest::Approx(concordance(often, risks)).epsilon(1e-12));
  CHECK(concordance(once, risk) != doctest::Approx(concordance(often, risks)).epsilon(1e-6));
}

TEST_CASE("row parts: standardized columns of Cox' model stay as they are on all rows") {
  const Rows data;
  const HostParts parts = data.data(data.time, all_rows(), false);
  const CrossValidation plain = validated({"objective.use=cox", "penalty.use=ridge"}, parts),
                        scaled = validated({"objective.use=cox", "objective.standardize=yes"}, parts);
  CHECK(plain.loss.size() == kGrid.size());
  for (const FoldMean& mean : scaled.loss) CHECK(std::isfinite(mean.mean));
}

TEST_CASE("row parts: the square-root lasso is held against rows with the intercept of its training") {
  const Rows data;
  for (const bool facts : {false, true})
    for (const bool intercept : {false, true}) {
      CAPTURE(facts);
      CAPTURE(intercept);
      const std::vector<std::string> words{"objective.use=square-root",
                                           std::string("objective.intercept=") + (intercept ? "yes" : "no")};
      const HostParts parts = data.data(data.y, all_rows(), facts);
      const CrossValidation mse = validated(words, parts), rmse = validated(words, parts, FoldMetric::rmse),
                            mae = validated(words, parts, FoldMetric::mae, 2);
      CHECK(mse.other == "mse");
      for (std::size_t k = 0; k < kGrid.size(); ++k) {
        double squares = 0.0, magnitudes = 0.0;
        const Numbers weights = facts ? data.w : Numbers(at(kRows), 1.0);
        const double mean = mean_over_folds(weights, [&](const auto& training, const auto& held_back) {
          const Numbers x = fitted(words, kGrid[k], data.data(data.y, training, facts));
          REQUIRE(x.size() == at(kCols) + (intercept ? 1 : 0));
          double square = 0.0, magnitude = 0.0, mass = 0.0;
          for (const Index i : held_back) {
            const double w = facts ? data.w[at(i)] : 1.0, o = facts ? data.o[at(i)] : 0.0;
            const double r = data.product(at(i), x) + (intercept ? x.back() : 0.0) + o - data.y[at(i)];
            square += w * r * r, magnitude += w * std::abs(r), mass += w;
          }
          squares += square, magnitudes += magnitude;
          return std::sqrt(square / mass);
        });
        const double n = std::accumulate(weights.begin(), weights.end(), 0.0);
        CHECK(mse.loss[k].mean == doctest::Approx(mean).epsilon(1e-5));
        CHECK(mse.beside[k].mean == doctest::Approx(squares / n).epsilon(1e-5));
        CHECK(rmse.beside[k].mean == doctest::Approx(mean).epsilon(1e-5));
        CHECK(mae.beside[k].mean == doctest::Approx(magnitudes / n).epsilon(1e-5));
      }
    }
}

TEST_CASE("row parts: the likelihood of samples held back is around the mean of the training") {
  Rows data;
  for (std::size_t i = 0; i < at(kRows); ++i)
    data.a[4 * i + 1] += 0.8 * data.a[4 * i] + 2.0, data.a[4 * i + 3] -= 0.5 * data.a[4 * i + 1];
  using Matrix = Eigen::MatrixXd;
  const auto samples = [&](const std::vector<Index>& rows) {
    Matrix some(static_cast<Index>(rows.size()), kCols);
    for (Index i = 0; i < some.rows(); ++i)
      for (Index j = 0; j < kCols; ++j) some(i, j) = data.a[at(4 * rows[at(i)] + j)];
    return some;
  };
  for (const bool center : {true, false}) {
    CAPTURE(center);
    const std::vector<std::string> words{"objective.use=log-det", "penalty.weights=off-diagonal",
                                         std::string("objective.center=") + (center ? "yes" : "no")};
    const CrossValidation v = validated(words, data.data(data.y, all_rows(), false));
    CHECK(v.other.empty());
    for (std::size_t k = 0; k < kGrid.size(); ++k) {
      const Numbers weights(at(kRows), 1.0);
      const double mean = mean_over_folds(weights, [&](const auto& training, const auto& held_back) {
        const Numbers x = fitted(words, kGrid[k], data.data(data.y, training, false));
        const Matrix X = Eigen::Map<const Matrix>(x.data(), kCols, kCols);
        Matrix rest = samples(held_back);
        if (center) rest.rowwise() -= samples(training).colwise().mean();
        const Matrix S = rest.transpose() * rest / static_cast<double>(rest.rows());
        return (S * X).trace() - std::log(X.determinant());
      });
      CHECK(v.loss[k].mean == doctest::Approx(mean).epsilon(1e-6));
    }
  }
}

TEST_CASE(
    "row parts: the grid of a path stands where no max is known, and is asked for where it is not given") {
  const Rows data;
  const Spec spec = spec_of({"objective.use=log-det", "penalty.weights=off-diagonal"});
  const HostParts parts = data.data(data.y, all_rows(), false);
  const PathRecord record = solve_path(build_catalog(), spec, {.values = kGrid, .explained = 1.0}, {}, parts);
  REQUIRE(record.points.size() == kGrid.size());
  CHECK(record.points[0].lambda == kGrid[0]);
  CHECK(std::isnan(record.slices.front().max));
  CHECK_THROWS_AS((void)solve_path(build_catalog(), spec, {.lambdas = 3}, {}, parts), Error);
}

TEST_CASE("row parts: what does not apply is refused before the first lambda") {
  const Rows data;
  const auto complaint = [&](const std::vector<std::string>& words, const Numbers& response, FoldMetric by,
                             Index folds, bool stratified = false) {
    try {
      (void)solve_path(build_catalog(), spec_of(words),
                       {.values = kGrid, .folds = folds, .stratified = stratified, .by = by}, {},
                       data.data(response, all_rows(), false));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::vector<std::string> cox{"objective.use=cox"};
  CHECK(complaint(cox, data.time, FoldMetric::mse, 3).find("choose by loss, concordance") !=
        std::string::npos);
  CHECK(complaint(cox, data.time, FoldMetric::loss, 3, true).find("--stratified") != std::string::npos);
  CHECK(complaint({"objective.use=linear-model"}, data.y, FoldMetric::concordance, 3).find("--by") !=
        std::string::npos);
  CHECK(complaint(cox, data.time, FoldMetric::loss, kRows + 1).find("--folds") != std::string::npos);
  Numbers one_event = data.time;
  for (std::size_t i = 0; i < one_event.size(); ++i)
    one_event[i] = (i == 5 ? 1.0 : -1.0) * std::abs(one_event[i]);
  CHECK(complaint(cox, one_event, FoldMetric::loss, 3).find("no event") != std::string::npos);
}

TEST_CASE("row parts: several folds at a time give the numbers of one at a time") {
  const Rows data;
  for (const std::string use : {"cox", "square-root", "log-det"}) {
    CAPTURE(use);
    std::vector<std::string> words{"objective.use=" + use};
    if (use == "log-det") words.emplace_back("penalty.weights=off-diagonal");
    const HostParts parts = data.data(use == "cox" ? data.time : data.y, all_rows(), use != "log-det");
    const CrossValidation one = validated(words, parts), two = validated(words, parts, FoldMetric::loss, 2);
    for (std::size_t k = 0; k < kGrid.size(); ++k) {
      CHECK(one.loss[k].mean == two.loss[k].mean);
      CHECK(one.loss[k].error == two.loss[k].error);
    }
    CHECK(one.least == two.least);
  }
}

TEST_CASE("square-root: with an intercept the solution is that of the lasso with lambda sigma") {
  const Rows data;
  for (const double far : {0.0, 1e6})
    for (const bool facts : {false, true}) {
      CAPTURE(far);
      CAPTURE(facts);
      Numbers y = data.y;
      for (double& value : y) value += far;
      const HostParts parts = data.data(y, all_rows(), facts);
      const Numbers x = fitted({"objective.use=square-root", "objective.intercept=yes"}, 0.1, parts);
      double square = 0.0, mass = 0.0;
      for (std::size_t i = 0; i < at(kRows); ++i) {
        const double w = facts ? data.w[i] : 1.0;
        square += w * std::pow(data.product(i, x) + x.back() + (facts ? data.o[i] : 0.0) - y[i], 2),
            mass += w;
      }
      const Numbers lasso =
          fitted({"objective.use=linear-model", "objective.intercept=yes", "stop.relative_gap=1e-7"},
                 0.1 * std::sqrt(square / mass), parts);
      REQUIRE(lasso.size() == x.size());
      for (std::size_t j = 0; j < at(kCols); ++j)
        CHECK(x[j] == doctest::Approx(lasso[j]).epsilon(1e-4).scale(0.1));
      CHECK(x.back() == doctest::Approx(lasso.back()).epsilon(1e-6));
      CHECK(std::abs(x[0]) > 0.3);
    }
}

}  // namespace claros::test::row_parts
