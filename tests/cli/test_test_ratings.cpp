// SPDX-License-Identifier: BSD-3-Clause
// Ratings that are held out, and what is said of them and of data that mean something else.
#include "program.hpp"

#include <cmath>
#include <string>

using namespace claros::test;

namespace test_ratings_test {

/// Entries of a matrix of rank one, of which some are held out, in the values that a loss takes.
void put_ratings(const TestFolder& folder, const std::string& loss) {
  std::string train = "user,item,rating\n", test = train;
  for (int i = 1; i <= 14; ++i)
    for (int j = 1; j <= 10; ++j) {
      const double z = 0.06 * (i - 7) * (j - 5) + 0.2 * ((3 * i + 5 * j) % 7 - 3);
      const double value = loss == "poisson"   ? std::round(std::exp(1.0 + z))
                           : loss == "squared" ? z
                           : z > 0.0           ? 1.0
                                               : -1.0;
      ((5 * i + 3 * j) % 7 == 0 ? test : train) +=
          std::to_string(i) + ',' + std::to_string(j) + ',' + std::to_string(value) + '\n';
    }
  folder.put("train.csv", train), folder.put("test.csv", test);
}

Words completed(const std::string& loss, const Words& more) {
  Words words{"run", "objective.use=matrix-completion", "objective.data=train.csv", "objective.loss=" + loss};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

nlohmann::json result_of(const TestFolder& folder, const std::string& out) {
  return nlohmann::json::parse(folder.get(out + "/result.json"));
}

}  // namespace test_ratings_test

using namespace test_ratings_test;

TEST_CASE("test ratings: their error is that of the predictions, whatever the loss predicts") {
  for (const std::string loss : {"squared", "huber", "poisson", "logistic", "squared-hinge"}) {
    const TestFolder folder;
    put_ratings(folder, loss == "huber" ? "squared" : loss);
    CAPTURE(loss);
    const auto made = ask(
        folder.path(), completed(loss, {"objective.test=test.csv", "penalty.use=nuclear",
                                        "penalty.lambda=0.1*max", "stop.relative_gap=1e-6", "--out", "out"}));
    REQUIRE_MESSAGE(made.code == 0, made.err);
    const double rmse = result_of(folder, "out").at("test_rmse").get<double>();
    const auto said = ask(folder.path(), {"predict", "out", "test.csv", "--json"});
    REQUIRE_MESSAGE(said.code == 0, said.err);
    double sum = 0.0;
    const nlohmann::json told = nlohmann::json::parse(said.out);
    for (const auto& row : told.at("rows")) {
      double mean = row.at("prediction").get<double>();
      if (loss == "logistic") mean = 2.0 * mean - 1.0;
      if (loss == "squared-hinge") mean = mean > 0.0 ? 1.0 : -1.0;
      sum += std::pow(mean - row.at("known").get<double>(), 2);
    }
    CHECK(rmse ==
          doctest::Approx(std::sqrt(sum / static_cast<double>(told.at("rows").size()))).epsilon(1e-6));
  }
}

TEST_CASE("test ratings: entries of unknown rows are counted and named, with a center and without") {
  const TestFolder folder;
  put_ratings(folder, "squared");
  folder.put("more.csv", folder.get("test.csv") + "99,1,4\n1,77,4\n0,2,4\n");
  for (const std::string center : {"none", "biases", "mean"}) {
    CAPTURE(center);
    const auto made =
        ask(folder.path(), completed("squared", {"objective.center=" + center, "objective.test=more.csv",
                                                 "penalty.use=nuclear", "penalty.lambda=0.1*max"}));
    REQUIRE_MESSAGE(made.code == 0, made.err);
    CHECK(contains(made.err, "more.csv: 3 of "));
    CHECK(contains(made.err, "have a row or a column that is not in the training data"));
  }
}

TEST_CASE("test ratings: a fit that may have seen the ratings held out does not go on") {
  const TestFolder folder;
  put_ratings(folder, "squared");
  const Words more{"penalty.use=nuclear", "penalty.lambda=0.1*max"};
  REQUIRE(ask(folder.path(), with(completed("squared", more), {"--out", "old"})).code == 0);
  const auto refused =
      ask(folder.path(),
          with(completed("squared", more), {"objective.held_out=0.1", "stop.patience=3", "start.from=old"}));
  CHECK(refused.code == 2);
  CHECK(contains(
      refused.err,
      "start.from: is a solution, and objective.held_out draws ratings that it may have been fitted to"));
  const auto whole =
      ask(folder.path(), with(completed("squared", more), {"start.from=old", "objective.test=test.csv"}));
  CHECK_MESSAGE(whole.code == 0, whole.err);
}

TEST_CASE("test ratings: what data in another form or unit would mean is said") {
  const TestFolder folder;
  folder.put("pairs.csv", "1,2\n2,1\n2,2\n3,1\n4,3\n");
  const auto pairs = ask(folder.path(), {"run", "objective.use=matrix-completion", "objective.data=pairs.csv",
                                         "objective.implicit=yes", "objective.unobserved=0.1",
                                         "penalty.use=nuclear", "penalty.lambda=0.01"});
  CHECK(pairs.code != 0);
  CHECK(contains(pairs.err, "add a third column with the value 1"));
  std::string timed = "user,item,rating,timestamp\n";
  for (int i = 0; i < 40; ++i)
    timed += std::to_string(1 + i % 8) + ',' + std::to_string(1 + i / 8) + ',' +
             std::to_string(1 + (i * i) % 5) + ',' + std::to_string(1700000000 + 86400 * i) + '\n';
  folder.put("timed.csv", timed);
  const auto half = [&](const std::string& life) {
    return ask(folder.path(),
               {"run", "objective.use=matrix-completion", "objective.data=timed.csv",
                "objective.half_life=" + life, "penalty.use=nuclear", "penalty.lambda=0.1*max"})
        .err;
  };
  CHECK(contains(half("30"), "half_life: 39 of 40 ratings have weights below 1e-6"));
  CHECK_FALSE(contains(half("2592000"), "weights below"));
}

TEST_CASE("test ratings: a lambda of classes is chosen by their loss, and its accuracy has that name") {
  const TestFolder folder;
  put_ratings(folder, "logistic");
  const auto made = ask(folder.path(), completed("logistic", {"--out", "out"}));
  REQUIRE_MESSAGE(made.code == 0, made.err);
  CHECK(contains(made.err, "held out at random: accuracy 0."));
  const auto choice = result_of(folder, "out").at("choices").at("penalty.lambda");
  CHECK(choice.contains("accuracy"));
  CHECK_FALSE(choice.contains("rmse"));
}
