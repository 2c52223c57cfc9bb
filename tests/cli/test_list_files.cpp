// SPDX-License-Identifier: BSD-3-Clause
// Lists of ratings through the commands: columns by name, pairs of unknown ids, ids that are no UTF-8, and
// outputs that are inputs.
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>
#include <sstream>

using namespace claros::test;

namespace {

/// Plays of 12 users and 8 items; u12 plays what no other does.
std::string plays() {
  std::string text = "user,item,plays\n";
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 8; ++j)
      if ((3 * i + 5 * j) % 7 < 3)
        text +=
            "u" + std::to_string(i) + ",i" + std::to_string(j) + "," + std::to_string(1 + (i + j) % 3) + "\n";
  return text;
}

const Words kViews{"run",
                   "--quiet",
                   "objective.use=matrix-completion",
                   "objective.implicit=yes",
                   "objective.unobserved=0.2",
                   "objective.confidence=1",
                   "penalty.use=nuclear",
                   "penalty.lambda=0.01",
                   "stop.relative_gap=1e-6",
                   "--out",
                   "fit"};

void fit(const TestFolder& folder, const Words& more) {
  std::filesystem::remove_all(folder / "fit");
  const Outcome o = ask(folder.path(), with(kViews, more));
  REQUIRE_MESSAGE(o.code == 0, o.err);
}

}  // namespace

TEST_CASE("ranking: pairs of unknown rows and columns are left out and counted, as if they were not there") {
  const TestFolder folder;
  folder.put("train.csv", plays());
  fit(folder, {"objective.data=train.csv"});
  const std::string known = "user,item,plays\nu0,i5,1\nu1,i0,2\nu2,i2,1\n";
  folder.put("known.csv", known);
  folder.put("held.csv", known + "new,i1,1\nu3,other,1\nnew,other,1\n");
  const auto quality = [&](const char* file) {
    const Outcome o =
        ask(folder.path(), {"predict", "fit", file, "--ranking", "3", "--without", "train.csv", "--json"});
    REQUIRE_MESSAGE(o.code == 0, o.err);
    CHECK(contains(o.err, "3 of 6 pairs") == (std::string(file) == "held.csv"));
    return o.out;
  };
  CHECK(quality("held.csv") == quality("known.csv"));
  const Outcome refused = ask(folder.path(), {"predict", "fit", "held.csv"});
  CHECK(refused.code == 4);
  CHECK(contains(refused.err, "'new'"));
  folder.put("others.csv", "new,i1\nu3,other\n");
  const Outcome none = ask(folder.path(), {"predict", "fit", "others.csv", "--ranking", "3"});
  CHECK(none.code == 4);
  CHECK(contains(none.err, "none of its 2 pairs"));
  const Outcome without =
      ask(folder.path(), {"recommend", "fit", "--without", "others.csv", "--header", "no"});
  CHECK(without.code == 4);
  const Outcome some = ask(folder.path(), {"recommend", "fit", "--without", "held.csv"});
  CHECK(some.code == 0);
  CHECK(contains(some.err, "3 of 6 pairs"));
}

TEST_CASE("test entries: those of unknown rows and columns are left out and counted, in a run and a path") {
  const TestFolder folder;
  folder.put("train.csv", "a,x,3\na,y,4\nb,x,5\nb,y,1\n");
  folder.put("known.csv", "a,x,2\nb,y,4\n");
  folder.put("test.csv", "a,x,2\nnew,x,7\nb,y,4\na,z,9\n");
  const auto rmse = [&](const char* test) {
    std::filesystem::remove_all(folder / "out");
    const Outcome o = ask(folder.path(), {"run", "objective.use=matrix-completion",
                                          "objective.data=train.csv", std::string("objective.test=") + test,
                                          "penalty.use=nuclear", "penalty.lambda=0.1", "--out", "out"});
    REQUIRE_MESSAGE(o.code == 0, o.err);
    CHECK(contains(o.err, "2 of 4 entries") == (std::string(test) == "test.csv"));
    return nlohmann::json::parse(folder.get("out/result.json")).at("test_rmse").get<double>();
  };
  CHECK(rmse("test.csv") == rmse("known.csv"));
  const Outcome path =
      ask(folder.path(),
          {"path", "objective.use=matrix-completion", "objective.data=train.csv", "objective.test=test.csv",
           "penalty.use=nuclear", "--lambdas", "4", "stop.relative_gap=1e-4"});
  CHECK_MESSAGE(path.code == 0, path.err);
}

TEST_CASE("columns: the commands take the same fields, by a header in any order or by --columns") {
  const TestFolder folder;
  std::string turned = "n,plays,item,user\n", bare;
  std::istringstream lines(plays());
  std::string line;
  std::getline(lines, line);
  for (int k = 0; std::getline(lines, line); ++k) {
    const auto first = line.find(','), second = line.rfind(',');
    const std::string fields = std::to_string(k) + line.substr(second) + line.substr(first, second - first) +
                               ',' + line.substr(0, first) + '\n';
    turned += fields, bare += fields;
  }
  folder.put("plain.csv", plays()), folder.put("turned.csv", turned), folder.put("bare.csv", bare);
  const auto lists = [&](const Words& run, const Words& recommend) {
    fit(folder, run);
    const Outcome o = ask(folder.path(), with({"recommend", "fit", "--top", "2", "--without"}, recommend));
    REQUIRE_MESSAGE(o.code == 0, o.err);
    return o.out;
  };
  const std::string expected = lists({"objective.data=plain.csv"}, {"plain.csv"});
  CHECK(lists({"objective.data=turned.csv"}, {"turned.csv"}) == expected);
  CHECK(lists({"objective.data=turned.csv", "objective.columns=user,item,plays"}, {"plain.csv"}) == expected);
  CHECK(lists({"objective.data=bare.csv", "objective.columns=4,3,2"}, {"bare.csv", "--columns", "4,3,2"}) ==
        expected);
}

TEST_CASE("json: ids that are no UTF-8 stay apart") {
  const TestFolder folder;
  std::string text;
  for (const char* id : {"caf\xe9", "caf\xe8", "caf"})
    for (const char* row : {"a", "b"}) text += std::string(row) + ',' + id + ",1\n";
  folder.put("train.csv", text);
  fit(folder, {"objective.data=train.csv"});
  const Outcome o = ask(folder.path(), {"recommend", "fit", "--json"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  std::set<std::string> names;
  const auto rows = nlohmann::json::parse(o.out).at("rows");
  for (const auto& column : rows.at(0).at("columns")) names.insert(column.at("column").get<std::string>());
  CHECK(names == std::set<std::string>{"caf", "caf\\xe8", "caf\\xe9"});
}

TEST_CASE("outputs: a file that a command reads is not replaced by what it writes") {
  const TestFolder folder;
  folder.put("train.csv", plays()), folder.put("pairs.csv", "u0,i5\n");
  fit(folder, {"objective.data=train.csv"});
  std::filesystem::create_hard_link(folder / "train.csv", folder / "link.csv");
  const std::vector<Words> commands{
      {"split", "train.csv", "--out", "train.csv", "--held", "held.csv"},
      {"split", "train.csv", "--out", "new.csv", "--held", "./train.csv"},
      {"split", "train.csv", "--out", "link.csv", "--held", "held.csv"},
      {"predict", "fit", "pairs.csv", "--out", "pairs.csv"},
      {"predict", "fit", "pairs.csv", "--ranking", "3", "--without", "train.csv", "--out", "train.csv"},
      {"predict", "fit", "pairs.csv", "--new-rows", "train.csv", "--out", "train.csv"},
      {"predict", "fit", "pairs.csv", "--out", "fit/result.json"},
      {"recommend", "fit", "--without", "train.csv", "--out", "link.csv"},
      {"recommend", "fit", "--out", "fit/solution/rows.csv"},
      {"report", "fit", "--against", "pairs.csv", "--out", "pairs.csv"}};
  for (const Words& words : commands) {
    CAPTURE(words[0] + " " + words.back());
    const Outcome o = ask(folder.path(), words);
    CHECK(o.code == 2);
    CHECK_MESSAGE(contains(o.err, "which the command reads"), o.err);
    CHECK(folder.get("train.csv") == plays());
    CHECK(folder.get("pairs.csv") == "u0,i5\n");
  }
  CHECK(ask(folder.path(), {"predict", "fit", "pairs.csv", "--out", "fit/predicted.csv"}).code == 0);
}

TEST_CASE("data: standard input is refused in a sentence that says what to do") {
  const TestFolder folder;
  for (const Words& words : {Words{"run", "objective.use=matrix-completion", "objective.data=-",
                                   "penalty.use=nuclear", "penalty.lambda=1"},
                             Words{"split", "-", "--out", "a", "--held", "b"}}) {
    const Outcome o = ask(folder.path(), words);
    CHECK(o.code == 4);
    CHECK_MESSAGE(contains(o.err, "standard input"), o.err);
    CHECK_MESSAGE(contains(o.err, "write it to a file"), o.err);
  }
}
