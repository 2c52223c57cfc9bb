// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <signal.h>

using namespace claros::test;
using nlohmann::json;

TEST_CASE("compare: a row a cell, the last axis fastest, and a folder a run") {
  const TestFolder folder;
  put_problem(folder);
  const auto outcome =
      ask(folder.path(), {"compare", "spec.ini", "--vary", "algorithm.step=agnostic,short", "--vary",
                          "set.radius=20,40", "--repeat", "2", "--seed", "5", "--out", "grid"});
  CHECK(outcome.code == 0);
  const Words rows = lines(outcome.out);
  REQUIRE(rows.size() == 7);
  CHECK(rows[0].starts_with("algorithm.step  set.radius  status      value"));
  CHECK(rows[1].starts_with("agnostic        20          iterations  "));
  CHECK(rows[2].starts_with("agnostic        40 "));
  CHECK(rows[4].starts_with("short           40 "));
  CHECK(contains(rows[6], "of 2 seeds"));
  CHECK(lines(outcome.err).size() == 8);
  CHECK(contains(outcome.err, "8/8 step=short, radius=40, seed 6: iterations after 60 steps"));
  CHECK_FALSE(contains(outcome.err, " 0 s"));

  CHECK(lines(folder.get("grid/comparison.csv")).size() == 9);
  const json table = json::parse(folder.get("grid/comparison.json"));
  CHECK(table.at("complete") == true);
  CHECK(table.at("cells").size() == 4);
  for (const json& cell : table["cells"])
    for (const json& run : cell.at("runs")) {
      const json result =
          json::parse(folder.get("grid/" + run.at("folder").get<std::string>() + "/result.json"));
      CHECK(result.at("seed") == run.at("seed"));
      CHECK(result.at("value") == run.at("value"));
      CHECK(result.at("counts").at("lo") == run.at("lo"));
    }
}

TEST_CASE(
    "compare: a run of the grid is the run of its specification, and the grid can be run again from its "
    "folder") {
  const TestFolder folder, elsewhere;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"compare", "spec.ini", "--vary", "set.radius=25", "--out", "grid"}).code == 0);
  const auto alone = ask(folder.path(), {"run", "spec.ini", "set.radius=25", "--json"});
  CHECK(json::parse(alone.out).at("value") ==
        json::parse(folder.get("grid/radius-25/0/result.json")).at("value"));
  const auto again =
      ask(elsewhere.path(), {"compare", folder / "grid/spec.ini", "--vary", "set.radius=25", "--json"});
  CHECK(again.code == 0);
  CHECK(json::parse(again.out)["cells"][0]["runs"][0].at("value") == json::parse(alone.out).at("value"));
}

TEST_CASE("compare: a list of values where none is read leads to --vary") {
  const TestFolder folder;
  const auto outcome = ask(folder.path(), {"compare", put_problem(folder).string(), "set.radius=1,2"});
  CHECK(outcome.code == 2);
  check_mentions(outcome.err, {"did you mean --vary set.radius=1,2?"});
}

TEST_CASE("compare: everything wrong with the grid is said before the first run") {
  const TestFolder folder;
  put_problem(folder);
  const auto outcome = ask(folder.path(), {"compare", "spec.ini", "--vary", "algorithm.step=agnostic,shrt",
                                           "--vary", "set.radius=10,-1", "--repeat", "0", "--out", "grid"});
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(lines(outcome.err).size() == 3);
  for (const std::string part :
       {"--repeat", "'shrt'", "'-1'", "[where step=shrt, radius=10 and in 1 more cells]"})
    CHECK_MESSAGE(contains(outcome.err, part), part);
  CHECK_FALSE(fs::exists(folder / "grid"));

  const std::vector<std::pair<Words, std::string>> cases{
      {{}, "compare: no grid given"},
      {{"--vary", "set.radius"}, "expected section.key=a,b,c, got 'set.radius'"},
      {{"--vary", "set.radius=1,,2"}, "an empty value"},
      {{"--vary", "set.radius=1,1"}, "'1' twice"},
      {{"--vary", "set.radius=1", "--vary", "set.radius=2"}, "is varied twice"},
      {{"--vary", "sett.radius=1"}, "'set'"},
      {{"--vary", "set.raduis=1,2"}, "'radius'"},
      {{"--vary", "set.use=nuclear-bal"}, "'nuclear-ball'"},
      {{"--vray", "set.radius=1"}, "'--vary'"},
  };
  for (const auto& [words, part] : cases) {
    Words all{"compare", "spec.ini"};
    all.insert(all.end(), words.begin(), words.end());
    const auto refused = ask(folder.path(), all);
    CHECK(refused.code == 2);
    CHECK_MESSAGE(contains(refused.err, part), refused.err);
  }
}

TEST_CASE(
    "compare and tune: what only the start of a cell refuses is said before the first run, in the words of "
    "check") {
  const TestFolder folder;
  put_problem(folder);
  const Words unfit{"estimator.use=svrg", "estimator.replacement=no", "estimator.batch=1000"};
  Words checked{"check", "spec.ini"};
  checked.insert(checked.end(), unfit.begin(), unfit.end());
  const std::string sentence = lines(ask(folder.path(), checked).err).front();
  REQUIRE(contains(sentence, "estimator.batch: 1000 distinct components"));
  for (const Words& grid : {Words{"compare", "--vary"}, Words{"tune", "--over"}}) {
    Words words{grid[0],  "spec.ini", "--out",          "grid",  unfit[0],
                unfit[1], grid[1],    "set.radius=1,2", grid[1], "estimator.batch=2,1000,1001"};
    const auto some = ask(folder.path(), words);
    CHECK(some.code == 2);
    CHECK(some.out.empty());
    CHECK_FALSE(fs::exists(folder / "grid"));
    REQUIRE(lines(some.err).size() == 2);
    const std::string where = " [where radius=1, batch=1000 and in 1 more cells]";
    const std::size_t remedy = sentence.rfind(" (");
    CHECK(lines(some.err)[0] == sentence.substr(0, remedy) + where + sentence.substr(remedy));
    CHECK(contains(lines(some.err)[1], "1001 distinct components"));
    words.back() = "estimator.batch=1000";
    CHECK(lines(ask(folder.path(), words).err) == Words{sentence});
  }
}

TEST_CASE("compare: a run that fails is a row; the exit code is an error only when all fail") {
  const TestFolder folder;
  const Words words{"compare",
                    "objective.use=trouble",
                    "objective.after=5",
                    "set.use=nuclear-ball",
                    "set.radius=9",
                    "algorithm.use=frank-wolfe",
                    "stop.iterations=10",
                    "--plugin-path",
                    CLAROS_TROUBLE_DIR,
                    "--out",
                    "grid"};
  Words some = words, all = words;
  some.insert(some.end(), {"--vary", "objective.fail=data,never"});
  all.insert(all.end(), {"--vary", "objective.fail=data,numerical"});
  const auto mixed = ask(folder.path(), some);
  CHECK(mixed.code == 0);
  CHECK(lines(mixed.out)[1].starts_with("data            failed"));
  CHECK(lines(mixed.out)[2].starts_with("never           iterations"));
  const auto none = ask(folder.path(), all);
  CHECK(none.code == 4);
  CHECK(json::parse(folder.get("grid/comparison.json"))["cells"][1]["runs"][0].at("status") == "failed");
}

TEST_CASE("compare: an interrupt ends the grid with what is done written") {
  const TestFolder folder;
  put_problem(folder);
  Child child({{"compare", "spec.ini", "--jobs", "1", "--vary", "set.radius=20,40", "--out", "grid",
                "stop.iterations=0", "stop.seconds=600"},
               folder.path(),
               {},
               true,
               {}});
  CHECK(child.shows(" steps"));
  child.signal(SIGINT);
  const auto outcome = child.wait();
  CHECK(outcome.code == 130);
  CHECK(contains(outcome.out, "\n20          interrupted"));
  CHECK(contains(outcome.out, "\n40          not run"));
  const json table = json::parse(folder.get("grid/comparison.json"));
  CHECK(table.at("complete") == false);
  CHECK(fs::exists(folder / "grid/radius-20/0/result.json"));
}

TEST_CASE("compare --out: an earlier comparison may be replaced, an earlier run may not, nor the reverse") {
  const TestFolder folder;
  put_problem(folder);
  const Words grid{"compare", "spec.ini", "--quiet", "--vary", "set.radius=20", "--out", "grid"};
  CHECK(ask(folder.path(), grid).code == 0);
  const auto again = ask(folder.path(), grid);
  CHECK(again.code == 0);
  CHECK(again.err.empty());
  CHECK(ask(folder.path(), {"run", "spec.ini", "--out", "grid"}).code == 2);
  CHECK(ask(folder.path(), {"compare", "spec.ini", "--repeat", "2", "--out", "grid/radius-20/0"}).code == 2);
}

TEST_CASE("compare: as many runs at a time as there are processors give the numbers of one") {
  const TestFolder folder;
  put_problem(folder);
  const auto numbers = [&](const Words& jobs) {
    Words words{"compare", "spec.ini", "--vary", "set.radius=20,30,40", "--repeat", "2", "--json"};
    words.insert(words.end(), jobs.begin(), jobs.end());
    const auto outcome = ask(folder.path(), words);
    CHECK(outcome.code == 0);
    std::vector<json> all;
    const json made = json::parse(outcome.out);
    for (const json& cell : made.at("cells"))
      for (const json& run : cell.at("runs"))
        all.push_back({run.at("value"), run.at("gap"), run.at("lo"), run.at("seed"), run.at("status")});
    return all;
  };
  const auto one = numbers({"--jobs", "1"});
  CHECK(one.size() == 6);
  CHECK(numbers({}) == one);
  CHECK(numbers({"--jobs", "4"}) == one);
}
