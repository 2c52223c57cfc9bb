// SPDX-License-Identifier: BSD-3-Clause
// claros predict of a model of survival times, beside sums over all pairs and risk sets.
#include "program.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

using namespace claros::test;
using nlohmann::json;

namespace predict_risks_test {

/// Distinct times, of which every third row is censored.
std::string patients(int rows) {
  std::string text = "time,seen,site,age,dose\n";
  for (int i = 0; i < rows; ++i)
    text += std::to_string(1 + (7 * i) % rows) + (i % 3 ? ",1," : ",0,") + (i % 2 ? "north," : "south,") +
            std::to_string((5 * i) % 11) + "," + std::to_string((i * i) % 7) + "\n";
  return text;
}

struct Row {
  double risk, time;
  bool event;
};

std::vector<Row> rows_of(const json& made) {
  std::vector<Row> rows;
  for (const json& row : made.at("rows"))
    rows.push_back(
        {row.at("prediction").get<double>(), row.at("time").get<double>(), row.at("event").get<bool>()});
  return rows;
}

}  // namespace predict_risks_test

using namespace predict_risks_test;

TEST_CASE("predict: risks come with concordance and deviance, where times are known") {
  const TestFolder folder;
  folder.put("train.csv", patients(31));
  folder.put("other.csv", patients(17));
  folder.put("bare.csv", "age,dose\n3,4\n1,2\n");
  const auto fit =
      ask(folder.path(), {"run", "objective.use=cox", "objective.data=train.csv", "objective.response=time",
                          "objective.event=seen", "objective.without=site", "penalty.use=l1",
                          "penalty.lambda=0.1*max", "stop.relative_gap=1e-8", "--out", "fit"});
  REQUIRE_MESSAGE(fit.code == 0, fit.err);
  folder.put("other.csv", [&] {
    std::string text = patients(17);
    for (const char* word : {",site", ",north", ",south"})
      for (std::size_t at; (at = text.find(word)) != text.npos;) text.erase(at, std::string(word).size());
    return text;
  }());
  const auto said = ask(folder.path(), {"predict", "fit", "other.csv", "--json"});
  REQUIRE_MESSAGE(said.code == 0, said.err);
  const json made = json::parse(said.out);
  const std::vector<Row> rows = rows_of(made);
  REQUIRE(rows.size() == 17);
  double right = 0.0, pairs = 0.0, deviance = 0.0;
  for (const Row& i : rows) {
    double at_risk = 0.0;
    for (const Row& j : rows) {
      if (j.time >= i.time) at_risk += std::exp(j.risk);
      if (!i.event || j.time <= i.time) continue;
      pairs += 1.0, right += i.risk > j.risk ? 1.0 : i.risk == j.risk ? 0.5 : 0.0;
    }
    if (i.event) deviance += 2.0 / 17.0 * (std::log(at_risk) - i.risk);
  }
  CHECK(made.at("quality").at("concordance").get<double>() == doctest::Approx(right / pairs).epsilon(1e-12));
  CHECK(made.at("quality").at("deviance").get<double>() == doctest::Approx(deviance).epsilon(1e-12));
  CHECK(contains(said.err, "17 known times: concordance"));
  const auto bare = ask(folder.path(), {"predict", "fit", "bare.csv", "--no-known"});
  REQUIRE_MESSAGE(bare.code == 0, bare.err);
  CHECK(bare.out.starts_with("row,risk\n1,"));
  folder.put("timed.csv", "time,age,dose\n5,3,4\n6,1,2\n"),
      folder.put("seen.csv", "age,seen,dose\n3,1,4\n1,0,2\n");
  for (const std::string file : {"bare.csv", "timed.csv", "seen.csv"}) {
    CAPTURE(file);
    const auto unknown = ask(folder.path(), {"predict", "fit", file});
    CHECK_MESSAGE(unknown.code == 0, unknown.err);
    CHECK(unknown.out == bare.out);
  }
}

TEST_CASE("cox: events may be words of yes and no") {
  const TestFolder folder;
  std::string table = patients(31);
  folder.put("numbers.csv", table);
  for (const auto& [yes, no] : {std::pair{"TRUE", "FALSE"}, {"true", "false"}, {"True", "False"}}) {
    std::string words = table;
    for (const auto& [number, word] : {std::pair{",1,", yes}, {",0,", no}})
      for (std::size_t at; (at = words.find(std::string(number) + "north")) != words.npos ||
                           (at = words.find(std::string(number) + "south")) != words.npos;)
        words.replace(at, 3, "," + std::string(word) + ",");
    folder.put("words.csv", words);
    const auto fitted = [&](const std::string& file) {
      return ask(folder.path(), {"run", "objective.use=cox", "objective.data=" + file,
                                 "objective.response=time", "objective.event=seen", "objective.without=site",
                                 "penalty.use=l1", "penalty.lambda=0.1*max", "--json"});
    };
    const auto made = fitted("words.csv");
    CHECK_MESSAGE(made.code == 0, made.err);
    CHECK(json::parse(made.out).at("value") == json::parse(fitted("numbers.csv").out).at("value"));
  }
}

TEST_CASE("predict: of strata the concordance alone is reported") {
  const TestFolder folder;
  folder.put("train.csv", patients(31));
  const auto fit =
      ask(folder.path(), {"run", "objective.use=cox", "objective.data=train.csv", "objective.response=time",
                          "objective.event=seen", "objective.strata=site", "penalty.use=l1",
                          "penalty.lambda=0.1*max", "stop.relative_gap=1e-8", "--out", "fit"});
  REQUIRE_MESSAGE(fit.code == 0, fit.err);
  const auto said = ask(folder.path(), {"predict", "fit", "train.csv"});
  REQUIRE_MESSAGE(said.code == 0, said.err);
  CHECK(contains(said.err, "concordance"));
  CHECK(!contains(said.err, "deviance"));
  CHECK(said.out.starts_with("row,risk,time,event\n"));
}

TEST_CASE("cox: a column of the table is that column, also where a file has its name") {
  const TestFolder folder;
  std::string rows = "time,seen,site,enter,age\n", files[3];
  for (int i = 0; i < 24; ++i) {
    const std::string half = std::to_string(i % 2);
    rows += std::to_string(3 + i % 7) + (i % 3 == 0 ? ",0," : ",1,") + half + ',' + half + ',' +
            std::to_string((i * 7) % 11) + '\n';
    for (std::string& file : files) file += std::to_string((i + 1) % 2) + '\n';
  }
  folder.put("rows.csv", rows);
  const auto value = [&] {
    const auto fit =
        ask(folder.path(), {"run", "objective.use=cox", "objective.data=rows.csv", "objective.response=time",
                            "objective.event=seen", "objective.strata=site", "objective.entry=enter",
                            "penalty.use=l1", "penalty.lambda=0.1*max", "--json"});
    REQUIRE_MESSAGE(fit.code == 0, fit.err);
    return json::parse(fit.out).at("value").get<double>();
  };
  const double alone = value();
  int k = 0;
  for (const char* name : {"seen", "site", "enter", "time"}) {
    folder.put(name, files[k++ % 3]);
    CAPTURE(name);
    CHECK(value() == alone);
  }
}
