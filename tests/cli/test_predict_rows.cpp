// SPDX-License-Identifier: BSD-3-Clause
// Predictions of rows by a linear model: what the losses say of them, and how good they are.
#include "program.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <sstream>

using namespace claros::test;
using Json = nlohmann::json;

namespace {

/// Rows of two columns and a response that `answer` makes of 1 + 2 a - b; 60 of them.
std::string table_of(const std::function<std::string(double z)>& answer, unsigned seed,
                     const std::string& header = "a,b,y\n") {
  std::mt19937_64 engine(seed);
  std::string text = header;
  for (int i = 0; i < 60; ++i) {
    const double a = static_cast<double>(engine() % 2001) / 1000 - 1,
                 b = static_cast<double>(engine() % 2001) / 1000 - 1;
    text += std::to_string(a) + ',' + std::to_string(b) + ',' + answer(1 + 2 * a - b) + '\n';
  }
  return text;
}

void fit(const TestFolder& folder, const std::string& loss, const Words& more = {}) {
  const auto outcome = ask(
      folder.path(),
      with({"run", "--quiet", "objective.use=linear-model", "objective.data=train.csv",
            "objective.loss=" + loss, "objective.intercept=true", "penalty.use=ridge", "penalty.lambda=1e-3",
            "algorithm.use=proximal-gradient", "stop.iterations=400", "--out", "fit"},
           more));
  REQUIRE(outcome.err == "");
  REQUIRE(outcome.code == 0);
}

Json told(const TestFolder& folder, const std::string& file, const Words& more = {}) {
  const auto outcome = ask(folder.path(), with({"predict", "fit", file, "--json"}, more));
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return Json::parse(outcome.out);
}

std::string refused(const TestFolder& folder, const std::string& file, int code = 4, const Words& more = {}) {
  const auto outcome = ask(folder.path(), with({"predict", "fit", file}, more));
  CHECK(outcome.code == code);
  CHECK(outcome.out.empty());
  return outcome.err;
}

std::string sign_name(double z) { return z > 0 ? "dog" : "cat"; }

}  // namespace

TEST_CASE("predict rows: values, by name, with the response, without it, and in another order") {
  const TestFolder folder;
  folder.put("train.csv", table_of([](double z) { return std::to_string(z); }, 1));
  fit(folder, "squared", {"objective.standardize=true"});
  folder.put("test.csv", "a,b,y\n0.5,0.5,1.5\n-1,1,-1\n");
  const auto plain = ask(folder.path(), {"predict", "fit", "test.csv"});
  REQUIRE(plain.code == 0);
  const Words rows = lines(plain.out);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == "row,prediction,known");
  CHECK(std::stod(rows[1].substr(2)) == doctest::Approx(1.5).epsilon(0.01));
  CHECK(rows[1].ends_with(",1.5"));
  CHECK(std::stod(rows[2].substr(2)) == doctest::Approx(-2).epsilon(0.01));
  // Off by 0 and by 1.
  CHECK(contains(plain.err, "2 known targets: RMSE 0.70"));
  CHECK(contains(plain.err, "mean loss 0.2"));
  folder.put("bare.csv", "b,a\n0.5,0.5\n1,-1\n");
  const Json turned = told(folder, "bare.csv");
  CHECK(turned["response"] == "value");
  CHECK(turned["loss"] == "squared");
  CHECK(turned["quality"].is_null());
  CHECK(turned["rows"][1]["prediction"].get<double>() == doctest::Approx(-2).epsilon(0.01));
  folder.put("headless.csv", "0.5,0.5\n-1,1\n");
  CHECK(told(folder, "headless.csv")["rows"] == turned["rows"]);
  folder.put("answers", "1\n2\n");
  CHECK(told(folder, "headless.csv", {"--response", "answers"})["quality"].contains("rmse"));
  // Another format with the same columns.
  folder.put("rows.svm", "7 1:0.5 2:0.5\n7 1:-1 2:1\n");
  CHECK(told(folder, "rows.svm", {"--no-known"})["rows"] == turned["rows"]);

  folder.put("more.csv", "a,b,c,y\n1,2,3,4\n");
  check_mentions(refused(folder, "more.csv"),
                 {"more.csv", "column 'c'", "training data did not have", "a, b"});
  folder.put("less.csv", "a,y\n1,2\n");
  check_mentions(refused(folder, "less.csv"), {"less.csv", "lacks the column 'b'"});
  folder.put("wide.csv", "1,2,3,4,5\n");
  check_mentions(refused(folder, "wide.csv"), {"wide.csv", "columns; the training data had 2"});
  folder.put("far.svm", "1 1:1 7:1\n");
  check_mentions(refused(folder, "far.svm"), {"far.svm", "7 columns; the training data had 2", "from 3 on"});
  folder.put("names.csv", "a,b,y\n1,2,cat\n");
  check_mentions(refused(folder, "names.csv"), {"names.csv:2", "class 'cat'", "were numbers"});
  check_mentions(refused(folder, "test.csv", 2, {"--clip", "0,1"}), {"--clip", "pairs", "linear model"});
}

TEST_CASE("predict rows: the standard input is a file like any other, compressed or not") {
  const TestFolder folder;
  folder.put("train.csv", table_of([](double z) { return std::to_string(z); }, 1));
  fit(folder, "squared");
  Launch l;
  l.folder = folder.path();
  l.words = {"predict", "fit", "-"};
  l.in = folder / "train.csv";
  const auto piped = launch(l);
  CAPTURE(piped.err);
  CHECK(piped.code == 0);
  CHECK(piped.out == ask(folder.path(), {"predict", "fit", "train.csv"}).out);
  CHECK(contains(piped.err, "60 known targets"));
  REQUIRE(std::system(("gzip -k '" + (folder / "train.csv").string() + "'").c_str()) == 0);
  l.in = folder / "train.csv.gz";
  CHECK(launch(l).out == piped.out);
  l.in = folder.put("bad.csv", "a,b\n1,2\n1,x\n");
  const auto bad = launch(l);
  CHECK(bad.code == 4);
  CHECK(contains(bad.err, "the standard input:3: column 2 (b) is 'x'"));
  l.in = "/dev/null";
  CHECK(contains(launch(l).err, "the standard input: the file is empty"));
}

TEST_CASE("predict rows: what the training left out or refused, predictions leave out or refuse") {
  const TestFolder folder;
  const std::string rows = table_of([](double z) { return std::to_string(z); }, 1, "");
  const auto with_numbers = [&](const std::string& header) {
    std::string text = header;
    std::istringstream in(rows);
    int k = 0;
    for (std::string line; std::getline(in, line);) text += std::to_string(k++) + ',' + line + '\n';
    return text;
  };
  folder.put("plain.csv", "a,b,y\n" + rows);
  folder.put("numbered.csv", with_numbers(",a,b,y\n"));
  std::string all;
  for (const std::string train : {"plain.csv", "numbered.csv"}) {
    fs::remove_all(folder / "fit");
    fs::copy_file(folder / train, folder / "train.csv", fs::copy_options::overwrite_existing);
    fit(folder, "squared");
    for (const char* file : {"plain.csv", "numbered.csv"}) {
      const auto outcome = ask(folder.path(), {"predict", "fit", file});
      CAPTURE(outcome.err);
      CHECK(outcome.code == 0);
      if (all.empty()) all = outcome.out;
      CHECK(outcome.out == all);
    }
  }
  folder.put("train.csv", "a,a,y\n" + rows);
  const auto twice = ask(folder.path(), {"run", "objective.use=linear-model", "objective.data=train.csv",
                                         "penalty.use=ridge", "penalty.lambda=1"});
  CHECK(twice.code == 4);
  check_mentions(twice.err, {"train.csv:1", "columns 1,2", "'a'"});
}

TEST_CASE("predict rows: numbers in another unit than in the training are refused, in files and in a pipe") {
  const TestFolder folder;
  const auto train = [&](const std::string& unit) {
    fs::remove_all(folder / "fit");
    folder.put("train.csv", "p,b,y\n10" + unit + ",1,1\n20" + unit + ",2,2\n30" + unit + ",1,3\n");
    fit(folder, "squared");
  };
  const Words rows{"10%", "$10", "20 EUR", "0.1"};
  for (const std::string unit : {"%", "$", " EUR", ""}) {
    train(unit);
    for (const std::string& other : rows) {
      const bool fits =
          unit.empty() ? other == "0.1" : other.find(unit.substr(unit.find_first_not_of(' '))) != other.npos;
      folder.put("new.csv", "p,b\n" + other + ",1\n");
      CAPTURE(unit);
      CAPTURE(other);
      Launch piped;
      piped.folder = folder.path();
      piped.words = {"predict", "fit", "-"};
      piped.in = folder / "new.csv";
      for (const Outcome& outcome : {ask(folder.path(), {"predict", "fit", "new.csv"}), launch(piped)}) {
        CHECK(outcome.code == (fits ? 0 : 4));
        if (!fits) check_mentions(outcome.err, {"column 1 (p)", "unit"});
      }
    }
    folder.put("new.csv", "p,b\n10" + unit + ",1\n" + (unit == "$" ? "1%" : "$1") + ",1\n");
    check_mentions(refused(folder, "new.csv"), {"column 1 (p)"});
  }
}

TEST_CASE("predict rows: --no-known reads no responses, whatever they hold") {
  const TestFolder folder;
  for (const bool text : {false, true}) {
    fs::remove_all(folder / "fit");
    const std::string kind = text ? "k" : "";  // a column of categories has an encoding
    folder.put("train.csv",
               "a,b,y\n" + kind + "1,1,1\n" + kind + "2,2,2\n" + kind + "1,3,3\n" + kind + "2,1,4\n");
    fit(folder, "squared");
    const Json bare = [&] {
      folder.put("bare.csv", "a,b\n" + kind + "1,2\n" + kind + "2,1\n");
      return told(folder, "bare.csv").at("rows");
    }();
    for (const std::string known : {"?", "", "NA", "tea", "$3", "2024-01-01", "1,5"}) {
      CAPTURE(known);
      const std::string field = known == "1,5" ? "\"1,5\"" : known;
      folder.put("new.csv", "a,b,y\n" + kind + "1,2," + field + "\n" + kind + "2,1,3\n");
      CHECK(told(folder, "new.csv", {"--no-known"}).at("rows") == bare);
      CHECK(told(folder, "new.csv", {"--no-known", "--response", "y"}).at("rows") == bare);
    }
    CHECK(ask(folder.path(), {"predict", "fit", "new.csv", "--offset", "b"}).code == 2);
  }
  fs::remove_all(folder / "fit");
  folder.put("train.csv", "1 1:1 2:2\n2 1:2 2:1\n3 1:1 2:3\n");
  fit(folder, "squared");
  folder.put("known.txt", "1 1:1 2:2\n2 1:2\n");
  const Json known = told(folder, "known.txt", {"--no-known"}).at("rows");
  folder.put("new.txt", "? 1:1 2:2\nnan 1:2\n");
  CHECK(told(folder, "new.txt", {"--no-known"}).at("rows") == known);
  folder.put("new.vw", " | 0:1 1:2\n? | 0:2\n");
  CHECK(told(folder, "new.vw", {"--no-known"}).at("rows") == known);
}

TEST_CASE("predict rows: of a missing value the remedy is one that predict has") {
  const TestFolder folder;
  folder.put("train.csv", table_of([](double z) { return std::to_string(z); }, 1));
  fit(folder, "squared");
  for (const std::string row : {"nan,1", "nan,1,2", "1,1,nan"}) {
    folder.put("new.csv", (row.size() > 5 ? "a,b,y\n" : "a,b\n") + row + '\n');
    const std::string text = refused(folder, "new.csv");
    CAPTURE(text);
    check_mentions(text, {"new.csv:2", "a missing value", "remove the row", "in training"});
    CHECK_FALSE(contains(text, "set missing"));
  }
  // What it says to do is enough.
  folder.put("new.csv", "a,b\nnan,1\n0.5,1\n");
  fit(folder, "squared", {"objective.missing=mean"});
  CHECK(told(folder, "new.csv")["rows"].size() == 2);
}

TEST_CASE("predict rows: a row of weight 0 changes nothing of how the columns of a table are read") {
  const TestFolder folder;
  const std::string head = "sex,b,share,c,w,y\n",
                    rest = "f,2,10%,1,1,1\nm,NA,20%,2,4,2.5\nf,3,30%,1,1,3\nm,4,5%,0,2,6\nf,1,15%,4,3,2\n";
  folder.put("some.csv", head + rest), folder.put("all.csv", head + "aaa,900,99%,7,0,9\n" + rest);
  folder.put("new.csv", "sex,b,share\nf,,50%\nm,2,1%\n"),
      folder.put("unknown.csv", "sex,b,share\naaa,2,5%\n");
  folder.put("plain.csv", "sex,b,share\nf,2,5\n");
  for (const std::string data : {"some.csv", "all.csv"})
    for (const std::string missing : {"mean", "median"}) {
      CAPTURE(data);
      const std::string out = data + missing;
      const auto made = ask(
          folder.path(), {"run", "objective.use=linear-model", "objective.data=" + data,
                          "objective.weights=w", "objective.without=c", "objective.missing=" + missing,
                          "penalty.use=l1", "penalty.lambda=0.02", "stop.relative_gap=1e-10", "--out", out});
      REQUIRE_MESSAGE(made.code == 0, made.err);
      CHECK(ask(folder.path(), {"predict", out, "new.csv"}).out ==
            ask(folder.path(), {"predict", "some.csv" + missing, "new.csv"}).out);
      CHECK(ask(folder.path(), {"predict", out, "some.csv"}).code == 0);
      CHECK(contains(ask(folder.path(), {"predict", out, "unknown.csv"}).err,
                     "a category that the training data did not have"));
      CHECK(contains(ask(folder.path(), {"predict", out, "plain.csv"}).err, "%"));
    }
  CHECK(folder.get("all.csvmean/solution/coefficients.csv") ==
        folder.get("some.csvmean/solution/coefficients.csv"));
}

TEST_CASE("predict rows: a response is no feature, also where columns names it") {
  const TestFolder folder;
  const auto both = [](double z) { return std::to_string(z) + ',' + std::to_string(3 - 2 * z); };
  folder.put("train.csv", table_of(both, 1, "a,b,up,down\n"));
  fit(folder, "squared", {"objective.responses=up,down", "penalty.use=group", "penalty.groups=rows"});
  const std::string expected = folder.get("fit/solution/coefficients.csv");
  for (const std::string columns : {"a,b", "a,b,up", "up, a, down, b", "1,2,3,4", "a,3,b"}) {
    CAPTURE(columns);
    std::filesystem::remove_all(folder / "fit");
    fit(folder, "squared",
        {"objective.responses=up, down", "objective.columns=" + columns, "penalty.use=group",
         "penalty.groups=rows"});
    CHECK(folder.get("fit/solution/coefficients.csv") == expected);
  }
}

TEST_CASE("predict rows: several responses, a column each, of rows with and without their columns") {
  const TestFolder folder;
  const auto both = [](double z) { return std::to_string(z) + ',' + std::to_string(3 - 2 * z); };
  folder.put("train.csv", table_of(both, 1, "a,b,up,down\n"));
  fit(folder, "squared", {"objective.responses=up,down", "penalty.use=group", "penalty.groups=rows"});
  const std::string coefficients = folder.get("fit/solution/coefficients.csv");
  CHECK(contains(coefficients, "intercept,up,"));
  CHECK(contains(coefficients, "a,down,"));
  folder.put("bare.csv", "b,a\n0.5,0.5\n1,-1\n"), folder.put("known.csv", "a,b,up,down\n0.5,0.5,1.5,0\n");
  const auto plain = ask(folder.path(), {"predict", "fit", "bare.csv"});
  REQUIRE(plain.code == 0);
  CHECK(lines(plain.out)[0] == "row,prediction_up,prediction_down");
  CHECK(plain.err == "");
  const Json made = told(folder, "bare.csv");
  CHECK(made["responses"] == Json{"up", "down"});
  CHECK(made["quality"].is_null());
  CHECK(double(made["rows"][0]["prediction"][0]) == doctest::Approx(1.5).epsilon(0.02));
  CHECK(double(made["rows"][0]["prediction"][1]) == doctest::Approx(0.0).epsilon(0.02));
  CHECK(double(made["rows"][1]["prediction"][1]) == doctest::Approx(7.0).epsilon(0.02));
  CHECK(told(folder, "known.csv")["rows"][0] == made["rows"][0]);
}

TEST_CASE("predict rows: an objective without a loss predicts values") {
  const TestFolder folder;
  folder.put("train.csv", table_of([](double z) { return std::to_string(z - 1); }, 1));
  const auto outcome =
      ask(folder.path(), {"run", "--quiet", "objective.use=square-root", "objective.data=train.csv",
                          "penalty.use=l1", "penalty.lambda=1e-3", "stop.relative_gap=1e-6", "--out", "fit"});
  REQUIRE(outcome.code == 0);
  folder.put("test.csv", "a,b,y\n0.5,0.5,1.5\n-1,1,-1\n");
  const Json json = told(folder, "test.csv");
  CHECK(json["response"] == "value");
  CHECK(json["rows"][0]["prediction"].get<double>() == doctest::Approx(0.5).epsilon(0.02));
  CHECK(json["rows"][1]["prediction"].get<double>() == doctest::Approx(-3).epsilon(0.02));
  CHECK(told(folder, "train.csv")["quality"]["rmse"].get<double>() < 0.05);
}

TEST_CASE("predict rows: classes with probabilities, and a class that the training did not have") {
  const TestFolder folder;
  folder.put("train.csv", table_of(sign_name, 2));
  fit(folder, "logistic");
  folder.put("test.csv", "a,b,y\n1,-1,dog\n-1,1,cat\n1,-1,cat\n0.9,-0.9,dog\n");
  const auto plain = ask(folder.path(), {"predict", "fit", "test.csv"});
  REQUIRE(plain.code == 0);
  const Words rows = lines(plain.out);
  CHECK(rows[0] == "row,class,probability_cat,probability_dog,known");
  CHECK(rows[1].starts_with("1,dog,"));
  CHECK(rows[2].starts_with("2,cat,"));
  CHECK(rows[3].ends_with(",cat"));
  CHECK(contains(plain.err, "4 known targets: accuracy 0.75, log loss "));
  const Json json = told(folder, "test.csv");
  CHECK(json["classes"] == Json{"cat", "dog"});
  double log_loss = 0.0;
  const Words known{"dog", "cat", "cat", "dog"};
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& row = json["rows"][i];
    const double cat = row["probabilities"][0], dog = row["probabilities"][1];
    CHECK(cat + dog == doctest::Approx(1));
    CHECK(row["known"] == known[i]);
    CHECK((row["class"] == "dog") == (dog > 0.5));
    log_loss -= std::log(known[i] == "cat" ? cat : dog) / 4;
  }
  CHECK(json["quality"]["log_loss"].get<double>() == doctest::Approx(log_loss));
  // Of the logistic loss they are the same number.
  CHECK(json["quality"]["loss"].get<double>() == doctest::Approx(log_loss));
  folder.put("cow.csv", "a,b,y\n1,1,dog\n\n1,1,cow\n");
  check_mentions(refused(folder, "cow.csv"), {"cow.csv:4: ", "'cow'", "training did not have", "cat, dog"});
  CHECK(told(folder, "cow.csv", {"--no-known"})["rows"].size() == 2);
}

TEST_CASE("predict rows: the rule that separates two classes applies to other rows") {
  const TestFolder folder;
  folder.put("train.csv", table_of([](double z) { return std::to_string(std::lround(5 * z)); }, 3));
  fit(folder, "logistic", {"objective.positive=> 3", "objective.unit_rows=true"});
  folder.put("test.csv", "a,b,y\n1,-1,99\n-1,1,-77\n");
  const Json json = told(folder, "test.csv");
  // Rows are made as those of the training were.
  folder.put("longer.csv", "a,b,y\n20,-20,99\n-0.1,0.1,-77\n");
  for (const std::size_t i : {0U, 1U})
    CHECK(told(folder, "longer.csv")["rows"][i]["probabilities"][1].get<double>() ==
          doctest::Approx(json["rows"][i]["probabilities"][1].get<double>()));
  CHECK(json["classes"] == Json{"-1", "1"});
  CHECK(json["rows"][0]["known"] == "1");
  CHECK(json["rows"][1]["known"] == "-1");
  CHECK(json["quality"]["accuracy"] == 1.0);
}

TEST_CASE("predict rows: scores of the squared hinge, and classes of numbers") {
  const TestFolder folder;
  folder.put("train.csv", table_of([](double z) { return z > 0 ? "2" : "1"; }, 4));
  fit(folder, "squared-hinge");
  folder.put("test.csv", "a,b,y\n1,-1,2\n-1,1,1\n");
  const Json json = told(folder, "test.csv");
  CHECK(json["response"] == "score");
  CHECK(json["classes"] == Json{"1", "2"});
  CHECK(json["rows"][0]["class"] == "2");
  CHECK(json["rows"][0]["scores"][0].get<double>() > 0.0);
  CHECK(json["rows"][1]["scores"][0].get<double>() < 0.0);
  CHECK(json["quality"]["accuracy"] == 1.0);
  CHECK(!json["quality"].contains("log_loss"));
  CHECK(lines(ask(folder.path(), {"predict", "fit", "test.csv"}).out)[0] == "row,class,score,known");
  folder.put("test.csv", "a,b,y\n1,-1,2\n-1,1,3\n");
  check_mentions(refused(folder, "test.csv"), {"test.csv:3: ", "'3'", "it had 1, 2"});
}

TEST_CASE("predict rows: expected counts, with their deviance") {
  const TestFolder folder;
  folder.put("train.csv", table_of([](double z) { return std::to_string(std::lround(std::exp(z))); }, 5));
  fit(folder, "poisson", {"algorithm.step=0.02", "stop.iterations=3000"});
  folder.put("test.csv", "a,b,y\n0.5,0.5,4\n-1,1,0\n");
  const Json json = told(folder, "test.csv");
  CHECK(json["response"] == "count");
  const double m = json["rows"][0]["prediction"], k = json["rows"][1]["prediction"];
  CHECK(m == doctest::Approx(std::exp(1.5)).epsilon(0.2));
  CHECK(k > 0.0);
  // 2 (y log(y/m) - (y - m)), and 2 k of a count of 0.
  CHECK(json["quality"]["deviance"].get<double>() ==
        doctest::Approx((2 * (4 * std::log(4 / m) - (4 - m)) + 2 * k) / 2));
  folder.put("test.csv", "a,b,y\n0.5,0.5,-4\n");
  check_mentions(refused(folder, "test.csv"), {"test.csv:2: ", "-4", ">= 0"});
}

TEST_CASE("predict rows: several classes, huber and robust values, LIBSVM") {
  const TestFolder folder;
  folder.put("train.csv", table_of([](double z) { return z < 0 ? "low" : z < 1.5 ? "mid" : "top"; }, 6));
  fit(folder, "multinomial");
  folder.put("test.csv", "a,b,y\n1,-1,top\n-1,1,low\n");
  const Json json = told(folder, "test.csv");
  CHECK(json["classes"] == Json{"low", "mid", "top"});
  CHECK(json["rows"][0]["probabilities"].size() == 3);
  CHECK(json["quality"]["accuracy"] == 1.0);
  CHECK(lines(ask(folder.path(), {"predict", "fit", "test.csv"}).out)[0] ==
        "row,class,probability_low,probability_mid,probability_top,known");
  folder.put("train.csv", table_of([](double z) { return std::to_string(z); }, 7));
  for (const char* loss : {"huber", "robust"}) {
    fit(folder, loss, {"start.from=zero"});
    folder.put("test.csv", "a,b,y\n0.5,0.5,1.5\n");
    CHECK(told(folder, "test.csv")["quality"]["rmse"].get<double>() < 0.2);
  }
}

TEST_CASE("predict: entries that are classes have probabilities, and a loss that is not there is named") {
  const TestFolder folder;
  std::string signs;
  for (int i = 1; i <= 6; ++i)
    for (int j = 1; j <= 5; ++j)
      signs += std::to_string(i) + ' ' + std::to_string(j) + ((i + j) % 2 ? " -1\n" : " 1\n");
  folder.put("signs", signs);
  REQUIRE(ask(folder.path(), {"run", "--quiet", "objective.use=matrix-completion", "objective.data=signs",
                              "objective.loss=logistic", "set.use=nuclear-ball", "set.radius=40",
                              "algorithm.use=frank-wolfe", "stop.iterations=50", "--out", "fit"})
              .code == 0);
  folder.put("pairs", "1 1 1\n1 2 -1\n2 2 -1\n");
  const auto told_words = ask(folder.path(), {"predict", "fit", "pairs"});
  CHECK(contains(told_words.err, "3 known targets: accuracy 0.666667, log loss "));
  const Json json = told(folder, "pairs");
  const double one = json["rows"][0]["prediction"], other = json["rows"][1]["prediction"];
  CHECK(one > 0.5);
  CHECK(one < 1.0);
  CHECK(other < 0.5);
  CHECK(other > 0.0);
  folder.put("bad", "1 1 1\n1 2 5\n");
  check_mentions(refused(folder, "bad"), {"bad", "pair 2 is 5", "-1 or 1"});
}

TEST_CASE("predict rows: pairs as JSON, and words for rows that a matrix does not take") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "fit"}).code == 0);
  folder.put("pairs", "1 1 2\n2 3 1\n");
  const Json json = told(folder, "pairs");
  CHECK(json["rows"].size() == 2);
  CHECK(json["rows"][1]["column"] == "3");
  CHECK(json["quality"]["rmse"].get<double>() >= json["quality"]["mae"].get<double>());
  check_mentions(refused(folder, "pairs", 2, {"--no-known"}), {"--no-known", "linear model"});
}
