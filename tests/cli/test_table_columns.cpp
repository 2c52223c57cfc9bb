// SPDX-License-Identifier: BSD-3-Clause
// Regressions on tables with text, blanks, weights and offsets, from the file to predictions.
#include "program.hpp"

#include <cmath>

using namespace claros::test;
using Json = nlohmann::json;

namespace {

const std::string kCars =
    "colour;age;price\n"
    "red;3;10,5\n"
    "blue;NA;8\n"
    "red;1;15\n"
    "green;7;4,25\n"
    "blue;2;12\n";

const Words kFit{"run",
                 "objective.use=linear-model",
                 "objective.data=cars.csv",
                 "objective.intercept=yes",
                 "penalty.use=l1",
                 "penalty.lambda=0.01",
                 "stop.relative_gap=1e-10",
                 "stop.iterations=100000",
                 "--out",
                 "fit"};

Words predictions(const std::string& out) {
  Words all;
  for (const std::string& line : lines(out))
    if (line.find("row") != 0) all.push_back(line.substr(line.find(',') + 1));
  return all;
}

}  // namespace

TEST_CASE("table columns: categories, missing values and decimal commas, in training and in predictions") {
  const TestFolder folder;
  folder.put("cars.csv", kCars);
  const auto refused = ask(folder.path(), kFit);
  CHECK(refused.code == 4);
  check_mentions(refused.err, {"cars.csv:3", "column 2 (age)", "'NA'", "missing = drop"});
  const auto outcome = ask(folder.path(), with(kFit, {"objective.missing=median"}));
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  check_mentions(outcome.err, {"the response is column 3 (price)", "column 1 (colour): 3 categories",
                               "blue is the reference", "1 missing, taken as 2.5"});
  const Json model = Json::parse(folder.get("fit/solution/model.json"));
  CHECK(model["columns"] == Json({"colour = green", "colour = red", "age"}));

  const auto whole = ask(folder.path(), {"predict", "fit", "cars.csv"});
  CAPTURE(whole.err);
  REQUIRE(whole.code == 0);
  const Words known = predictions(whole.out);
  REQUIRE(known.size() == 5);
  CHECK(known[3].ends_with(",4.25"));
  // The same rows, other columns first, without prices, a blank in the place of NA.
  folder.put("rows.csv", "age,colour\n3,red\n,blue\n1,red\n7,green\n2,blue\n");
  const auto rows = ask(folder.path(), {"predict", "fit", "rows.csv"});
  CAPTURE(rows.err);
  REQUIRE(rows.code == 0);
  const Words bare = predictions(rows.out);
  REQUIRE(bare.size() == 5);
  for (std::size_t i = 0; i < bare.size(); ++i) CHECK(known[i].substr(0, known[i].find(',')) == bare[i]);
  folder.put("rows.csv", "age,colour\n3,pink\n");
  check_mentions(ask(folder.path(), {"predict", "fit", "rows.csv"}).err,
                 {"rows.csv:2", "'pink'", "blue, green, red"});
}

TEST_CASE("table columns: weights and offsets of columns; predictions ask for the offsets of their rows") {
  const TestFolder folder;
  folder.put(
      "claims.csv",
      "region,w,log_years,claims\nnorth,1,0.5,3\nsouth,2,1.5,4\nnorth,1,2,12\nsouth,1,0,1\nnorth,3,1,4\n");
  const Words fit{"run",
                  "objective.use=linear-model",
                  "objective.data=claims.csv",
                  "objective.loss=poisson",
                  "objective.intercept=yes",
                  "objective.weights=w",
                  "objective.offset=log_years",
                  "penalty.use=ridge",
                  "penalty.lambda=1e-8",
                  "stop.relative_gap=1e-12",
                  "stop.iterations=100000",
                  "--out",
                  "fit"};
  const auto outcome = ask(folder.path(), fit);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  // With an indicator of its region each rate is the weighted claims over the weighted years.
  const double north = (3 + 12 + 3 * 4.0) / (std::exp(0.5) + std::exp(2.0) + 3 * std::exp(1.0));
  const double south = (2 * 4 + 1.0) / (2 * std::exp(1.5) + 1.0);
  folder.put("rows.csv", "region,log_years\nnorth,0\nsouth,0\nnorth,1\n");
  const auto rows = ask(folder.path(), {"predict", "fit", "rows.csv"});
  CAPTURE(rows.err);
  REQUIRE(rows.code == 0);
  const Words made = predictions(rows.out);
  REQUIRE(made.size() == 3);
  CHECK(std::stod(made[0]) == doctest::Approx(north).epsilon(1e-4));
  CHECK(std::stod(made[1]) == doctest::Approx(south).epsilon(1e-4));
  CHECK(std::stod(made[2]) == doctest::Approx(north * std::exp(1.0)).epsilon(1e-4));
  folder.put("bare.csv", "region\nnorth\n");
  check_mentions(ask(folder.path(), {"predict", "fit", "bare.csv"}).err, {"bare.csv", "offsets", "--offset"});
  folder.put("offsets", "1\n");
  const auto given = ask(folder.path(), {"predict", "fit", "bare.csv", "--offset", "offsets"});
  CAPTURE(given.err);
  REQUIRE(given.code == 0);
  CHECK(predictions(given.out) == Words{made[2]});
}

TEST_CASE("table columns: folds of groups, and what is chosen by") {
  const TestFolder folder;
  std::string text = "a,b,patient,y\n";
  for (int i = 0; i < 40; ++i)
    text += std::to_string(std::sin(i)) + ',' + std::to_string(std::cos(3 * i)) + ",p" +
            std::to_string(i / 5) + ',' + std::to_string(2 * std::sin(i) + 0.1 * std::cos(7 * i)) + '\n';
  folder.put("t.csv", text);
  const Words path{"path",
                   "objective.use=linear-model",
                   "objective.data=t.csv",
                   "penalty.use=l1",
                   "--lambdas",
                   "6",
                   "--folds",
                   "4",
                   "--json"};
  const auto plain = ask(folder.path(), with(path, {"objective.without=patient"})),
             grouped = ask(folder.path(), with(path, {"objective.groups=patient", "--by", "mae"}));
  CAPTURE(grouped.err);
  REQUIRE(plain.code == 0);
  REQUIRE(grouped.code == 0);
  const Json of_rows = Json::parse(plain.out)["cross_validation"],
             of_groups = Json::parse(grouped.out)["cross_validation"];
  CHECK(of_rows["by"] == "loss");
  CHECK(of_groups["by"] == "mae");
  CHECK(of_groups["rows"][0].contains("mae"));
  CHECK(of_groups["rows"][3]["loss"] != of_rows["rows"][3]["loss"]);
  const auto many = ask(folder.path(), with(path, {"objective.groups=patient", "--folds", "9"}));
  CHECK(many.code == 2);
}
