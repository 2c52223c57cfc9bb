// SPDX-License-Identifier: BSD-3-Clause
// The intercept and the units of a linear model on a table, if the user says nothing.
#include "program.hpp"

#include <cmath>

using namespace claros::test;
using Json = nlohmann::json;

namespace {

/// Prices around 5000 of kilometres around 80000 and an age.
std::string cars_of_table(int rows = 40) {
  std::string text = "km,age,price\n";
  for (int i = 0; i < rows; ++i) {
    const double km = 80000 + 50000 * std::sin(3 * i), age = 6 + 4 * std::cos(5 * i);
    text += std::to_string(km) + ',' + std::to_string(age) + ',' +
            std::to_string(5000 - 0.03 * (km - 80000) - 300 * (age - 6) + 100 * std::sin(11 * i)) + '\n';
  }
  return text;
}

const Words kOnTable{"run", "objective.use=linear-model", "objective.data=cars.csv", "stop.residual=1e-8",
                     "stop.iterations=300"};
const Words kLassoOnTable = with(kOnTable, {"penalty.use=l1", "penalty.lambda=0.1*max"});

std::string fitted_coefficients(const TestFolder& folder, const Words& words) {
  fs::remove_all(folder / "fit");
  const auto outcome = ask(folder.path(), with(words, {"--out", "fit"}));
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return folder.get("fit/solution/coefficients.csv");
}

bool has_intercept(const TestFolder& folder, const Words& words) {
  (void)fitted_coefficients(folder, words);
  return Json::parse(folder.get("fit/solution/model.json"))["intercept"].get<bool>();
}

}  // namespace

TEST_CASE(
    "table defaults: a table is solved with an intercept and standardised columns, and the run says so") {
  const TestFolder folder;
  folder.put("cars.csv", cars_of_table());
  const auto outcome = ask(folder.path(), kLassoOnTable);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  check_mentions(outcome.err, {"+ l1, with intercept, columns standardised, by", "objective.intercept = no",
                               "objective.standardize = no", "coefficients are in the table's units"});
  const std::string usual = fitted_coefficients(folder, kLassoOnTable);
  CHECK(usual == fitted_coefficients(
                     folder, with(kLassoOnTable, {"objective.intercept=yes", "objective.standardize=yes"})));
  CHECK(usual.find("km,") != std::string::npos);
  CHECK(usual.find("age,") != std::string::npos);
  // The folder says what was taken, for runs that go on from it.
  check_mentions(folder.get("fit/spec.ini"), {"intercept = yes", "standardize = yes"});
}

TEST_CASE("table defaults: a header with numbers is a header where the option says so") {
  const TestFolder folder;
  const std::string rows = cars_of_table().substr(std::string("km,age,price\n").size());
  folder.put("cars.csv", "km,age,price\n" + rows);
  std::string usual = fitted_coefficients(folder, kLassoOnTable);
  usual = usual.substr(usual.find('\n'));
  for (const std::string header : {"km,2020,price", "2019,2020,2021", "1,2,3"}) {
    CAPTURE(header);
    folder.put("cars.csv", header + '\n' + rows);
    const Words named = with(kLassoOnTable, {"objective.header=yes"});
    CHECK(has_intercept(folder, named));
    check_mentions(ask(folder.path(), named).err, {"the data is a table", "columns standardised"});
    CHECK(ask(folder.path(), {"predict", "fit", "cars.csv"}).code == 0);
    const auto path = ask(folder.path(), {"path", "objective.use=linear-model", "objective.data=cars.csv",
                                          "penalty.use=l1", "objective.header=yes", "--lambdas", "3"});
    CAPTURE(path.err);
    CHECK(contains(path.err, "the data is a table"));
  }
  folder.put("cars.csv", rows);
  CHECK_FALSE(has_intercept(folder, with(kLassoOnTable, {"objective.header=no"})));
  CHECK_FALSE(has_intercept(folder, kLassoOnTable));
}

TEST_CASE("table defaults: cox takes the columns time and event of a table, wherever they are") {
  const TestFolder folder;
  folder.put("last.csv", "age,time,event\n60,3,1\n50,5,0\n70,2,1\n40,6,1\n55,4,1\n");
  folder.put("first.csv", "Event,TIME,age\n1,3,60\n0,5,50\n1,2,70\n1,6,40\n1,4,55\n");
  const Words cox{"run", "objective.use=cox", "penalty.use=ridge", "penalty.lambda=0.1",
                  "stop.residual=1e-9"};
  const std::string said = fitted_coefficients(
      folder, with(cox, {"objective.data=last.csv", "objective.response=time", "objective.event=event"}));
  CHECK(said.find("age,") != said.npos);
  CHECK(said == fitted_coefficients(folder, with(cox, {"objective.data=last.csv"})));
  CHECK(said == fitted_coefficients(folder, with(cox, {"objective.data=first.csv"})));
  check_mentions(folder.get("fit/spec.ini"), {"event = Event"});
}

TEST_CASE("table defaults: cox and square-root take what they have of both, and other libraries' names") {
  const TestFolder folder;
  std::string text = "age,dose,months,died\n";
  for (int i = 0; i < 30; ++i)
    text += std::to_string(40 + i * 7 % 30) + ',' + std::to_string(i * 11 % 13 * 0.001) + ',' +
            std::to_string(1 + i * 17 % 29) + ',' + std::to_string(i % 3 > 0) + '\n';
  folder.put("patients.csv", text);
  const Words cox{"run",
                  "objective.use=cox",
                  "objective.data=patients.csv",
                  "penalty.use=l1",
                  "penalty.lambda=0.1*max",
                  "stop.relative_gap=1e-9",
                  "objective.event=died"};
  const std::string usual = fitted_coefficients(folder, with(cox, {"objective.response=months"}));
  check_mentions(folder.get("fit/spec.ini"), {"standardize = true"});
  CHECK(usual == fitted_coefficients(folder, with(cox, {"objective.duration_col=months"})));
  CHECK(usual !=
        fitted_coefficients(folder, with(cox, {"objective.time=months", "objective.standardize=no"})));
  CHECK(has_intercept(folder, {"run", "objective.use=square-root", "objective.data=patients.csv",
                               "penalty.use=l1", "penalty.lambda=0.1*max", "stop.relative_gap=1e-6"}));
}

TEST_CASE("table defaults: an answer of the user stays, each by itself") {
  const TestFolder folder;
  folder.put("cars.csv", cars_of_table());
  CHECK_FALSE(has_intercept(folder, with(kLassoOnTable, {"objective.intercept=no"})));
  CHECK(has_intercept(folder, with(kLassoOnTable, {"objective.standardize=no"})));
  const auto neither =
      ask(folder.path(), with(kLassoOnTable, {"objective.intercept=no", "objective.standardize=no"}));
  CHECK(neither.code == 0);
  CHECK(neither.err.find("the data is a table") == std::string::npos);
  CHECK(neither.err.find("intercept") == std::string::npos);
}

TEST_CASE("table defaults: a set, a bound, and options of the rows as they are keep the table's units") {
  const TestFolder folder;
  folder.put("cars.csv", cars_of_table());
  for (const Words& words :
       {with(kOnTable, {"set.use=l1-ball", "set.radius=1"}), with(kLassoOnTable, {"objective.shape=2x1"}),
        with(kLassoOnTable, {"objective.smoothness=1e11"}),
        with(kLassoOnTable, {"objective.unit_rows=yes"})}) {
    CAPTURE(words.back());
    CHECK_FALSE(has_intercept(folder, words));
  }
  for (const Words& words :
       {kOnTable, with(kOnTable, {"penalty.use=box", "penalty.upper=10"}),
        with(kLassoOnTable, {"penalty.rho=2"}), with(kOnTable, {"penalty.use=fused", "penalty.lambda=1"}),
        with(kLassoOnTable, {"objective.center=false"})}) {
    CAPTURE(words.back());
    CHECK(has_intercept(folder, words));
    CHECK(ask(folder.path(), words).err.find("standardised") == std::string::npos);
  }
}

TEST_CASE("table defaults: other formats stay as they are, and a note says where an intercept is missing") {
  const TestFolder folder;
  std::string libsvm;
  for (int i = 0; i < 20; ++i)
    libsvm += std::to_string(100 + std::sin(i)) + " 1:" + std::to_string(std::cos(3 * i)) + "\n";
  folder.put("rows.svm", libsvm);
  const Words words = with(kLassoOnTable, {"objective.data=rows.svm"});
  CHECK_FALSE(has_intercept(folder, words));
  check_mentions(
      ask(folder.path(), words).err,
      {"the model has no intercept", "the mean of the response is far from 0", "objective.intercept = yes"});
  CHECK(ask(folder.path(), with(words, {"objective.intercept=no"})).err.find("has no intercept") ==
        std::string::npos);
  folder.put("cars.csv", cars_of_table());
  check_mentions(ask(folder.path(), with(kOnTable, {"set.use=l1-ball", "set.radius=1"})).err,
                 {"the model has no intercept"});
}

TEST_CASE("table defaults: a path with folds, its choice, and predictions agree with the explicit answers") {
  const TestFolder folder;
  folder.put("cars.csv", cars_of_table());
  const Words path{"path",
                   "objective.use=linear-model",
                   "objective.data=cars.csv",
                   "penalty.use=l1",
                   "--folds",
                   "5",
                   "--lambdas",
                   "8",
                   "--relaxed",
                   "--quiet"};
  const auto usual = ask(folder.path(), with(path, {"--out", "a"}));
  CAPTURE(usual.err);
  REQUIRE(usual.code == 0);
  const auto explicitly =
      ask(folder.path(), with(path, {"objective.intercept=yes", "objective.standardize=yes", "--out", "b"}));
  REQUIRE(explicitly.code == 0);
  CHECK(folder.get("a/coefficients.csv") == folder.get("b/coefficients.csv"));
  const auto predicted = [&](const std::string& fit) {
    return ask(folder.path(), {"predict", fit + "/best", "cars.csv"}).out;
  };
  CHECK(predicted("a") == predicted("b"));
  CHECK_FALSE(predicted("a").empty());
}

TEST_CASE("table defaults: a comparison shares no model between cells that take the columns in other units") {
  const TestFolder folder;
  folder.put("cars.csv", cars_of_table());
  const auto outcome =
      ask(folder.path(), with(Words{"compare"}, with(Words(kLassoOnTable.begin() + 1, kLassoOnTable.end()),
                                                     {"--vary", "penalty.rho=inf,2", "--out", "both"})));
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  int standardised = 0, all = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "both")) {
    if (entry.path().filename() != "spec.ini" || entry.path().parent_path() == folder / "both") continue;
    const std::string text = folder.get(fs::relative(entry.path(), folder.path()).string());
    standardised += text.find("standardize = true") != std::string::npos ? 1 : 0;
    ++all;
  }
  CHECK(all == 2);
  CHECK(standardised == 1);
}
