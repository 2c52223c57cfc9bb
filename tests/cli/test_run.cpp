// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <cmath>

using namespace claros::test;
using nlohmann::json;

namespace {

/// A result without what a clock says.
json without_times(json result) {
  result.erase("run"), result.erase("files");
  for (const std::string key : {"seconds", "measuring_seconds", "checkpoint_seconds", "wall_seconds",
                                "waited_seconds", "preparing_seconds", "component_seconds"})
    result.erase(key);
  return result;
}

const Words kTrouble{"run",           "objective.use=trouble",     "set.use=nuclear-ball",
                     "set.radius=9",  "algorithm.use=frank-wolfe", "stop.iterations=10",
                     "--plugin-path", CLAROS_TROUBLE_DIR};

}  // namespace

TEST_CASE("check: prints the effective composition, which is a specification") {
  const TestFolder folder;
  put_problem(folder);
  const auto outcome = ask(folder.path(), {"check", "spec.ini", "set.radius=30", "--seed", "7"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  for (const std::string part :
       {"matrix-completion 1.0.0: 6 x 5, n = 25", "radius = 30", "engine = lanczos", "seed = 7"})
    CHECK_MESSAGE(contains(outcome.out, part), part);
  folder.put("effective.ini", outcome.out);
  const auto again = ask("/", {"check", folder / "effective.ini"});
  CHECK(again.code == 0);
  CHECK(again.out.substr(again.out.find('[')) == outcome.out.substr(outcome.out.find('[')));
}

TEST_CASE("run: a summary on stdout, a first and a last line on stderr, nothing written") {
  const TestFolder folder;
  put_problem(folder);
  const std::size_t files = folder.files();
  const auto outcome = ask(folder.path(), {"run", "spec.ini"});
  CHECK(outcome.code == 0);
  for (const std::string part : {"iterations: the budget of iterations is used up", "value", "confirmed)",
                                 "relative gap", "linear minimisations", "rank", "6 x 5, n = 25, seed 0"})
    CHECK_MESSAGE(contains(outcome.out, part), part);
  for (const std::string& line : lines(outcome.out)) CHECK(line.size() <= 80);
  REQUIRE(lines(outcome.err).size() == 2);
  CHECK(lines(outcome.err).front().starts_with("claros: minimising "));
  CHECK(lines(outcome.err).back().starts_with("claros: iterations after 60 steps, "));
  CHECK(folder.files() == files);
  const auto quiet = ask(folder.path(), {"run", "spec.ini", "--quiet"});
  CHECK(quiet.err.empty());
  CHECK(lines(quiet.out).front() == lines(outcome.out).front());
}

TEST_CASE("run: JSON on stdout is result.json") {
  const TestFolder folder;
  put_problem(folder);
  const auto outcome = ask(folder.path(), {"run", "--json", "--out", "a b#c/out", "spec.ini", "--threads=2"});
  CHECK(outcome.code == 0);
  const json result = json::parse(outcome.out);
  CHECK(result == json::parse(folder.get("a b#c/out/result.json")));
  CHECK(result.at("status") == "iterations");
  CHECK(result.at("iterations") == 60);
  CHECK(result.at("threads") == 2);
  CHECK(std::isfinite(result.at("gap").get<double>()));
  for (const std::string file :
       {"spec.ini", "trace.csv", "solution/U.mtx", "solution/s.mtx", "solution/V.mtx"})
    CHECK_MESSAGE(fs::exists(folder / "a b#c/out" / file), file);
}

TEST_CASE("run: the written specification gives the same numbers from another folder") {
  const TestFolder folder, elsewhere;
  put_problem(folder, "a spec = #1.ini");
  REQUIRE(ask(folder.path(), {"run", "./a spec = #1.ini", "set.radius=25", "--seed", "11", "--out", "first"})
              .code == 0);
  const auto again = ask(elsewhere.path(), {"run", folder / "first/spec.ini", "--out", "second"});
  CHECK(again.code == 0);
  CHECK(without_times(json::parse(elsewhere.get("second/result.json"))) ==
        without_times(json::parse(folder.get("first/result.json"))));
  // But for the first line, which names the run.
  const auto settings = [](std::string text) { return text.erase(0, text.find('\n')); };
  CHECK(settings(elsewhere.get("second/spec.ini")) == settings(folder.get("first/spec.ini")));
  CHECK(elsewhere.get("second/spec.ini") != folder.get("first/spec.ini"));
  CHECK(elsewhere.get("second/solution/s.mtx") == folder.get("first/solution/s.mtx"));
}

TEST_CASE("run: the summary says how many proximal steps are certified, and how to ask for certificates") {
  const TestFolder folder;
  const Words limited{"run",
                      "objective.use=matrix-completion",
                      "data.use=synthetic",
                      "data.rows=60",
                      "data.cols=50",
                      "data.rank=3",
                      "penalty.use=nuclear",
                      "penalty.lambda=0.001",
                      "algorithm.use=proximal-gradient",
                      "algorithm.rank=1",
                      "algorithm.uncertified=continue",
                      "stop.iterations=20",
                      "--verbose"};
  const auto silent = ask(folder.path(), limited);
  CHECK(contains(silent.out, "none for 20 of 20 proximal steps (trace.certificate=yes"));
  const auto asked = ask(folder.path(), with(limited, {"trace.certificate=yes"}));
  CHECK(contains(asked.out, "of 20 proximal steps exact, the others within"));
  CHECK(contains(asked.out, "proximal steps 20"));
  const auto full = ask(folder.path(), with(limited, {"algorithm.rank=0", "data.rows=20", "data.cols=15"}));
  CHECK(full.code == 0);
  CHECK_FALSE(contains(full.out, "certificate"));
}

TEST_CASE("run: without a file, with names relative to the working directory") {
  const TestFolder folder;
  put_problem(folder);
  const Words words{"objective.use=matrix-completion",
                    "objective.data=ratings #1.txt",
                    "set.use=nuclear-ball",
                    "set.radius=40",
                    "algorithm.use=nfwu",
                    "stop.iterations=60"};
  const auto bare = ask(folder.path(), with({"run", "--json"}, words));
  CHECK(bare.code == 0);
  const auto filed = ask(folder.path(), {"run", "--json", "spec.ini"});
  CHECK(without_times(json::parse(bare.out)) == without_times(json::parse(filed.out)));
}

TEST_CASE("run: a target that is met ends the run with exit code 0") {
  const TestFolder folder;
  put_problem(folder);
  const auto outcome = ask(folder.path(), {"run", "spec.ini", "--json", "set.radius=5",
                                           "stop.relative_gap=1e-2", "stop.iterations=100000"});
  CHECK(outcome.code == 0);
  const json result = json::parse(outcome.out);
  CHECK(result.at("status") == "relative-gap");
  CHECK(result.at("confirmed") == true);
  CHECK(result.at("relative_gap").get<double>() <= 1e-2);
}

TEST_CASE("run: what fails on the way ends with its own exit code and a complete folder") {
  const TestFolder folder;
  const std::vector<std::pair<std::string, int>> cases{{"plugin", 3},  {"data", 4},  {"numerical", 5},
                                                       {"foreign", 3}, {"start", 4}, {"nan", 5}};
  for (const auto& [how, code] : cases) {
    INFO(how);
    const auto outcome =
        ask(folder.path(), with(kTrouble, {"objective.fail=" + how, "--out", how, "objective.after=5"}));
    const json result = json::parse(folder.get(how + "/result.json"));
    CHECK(result.at("status") == "failed");
    CHECK(contains(outcome.out, "failed: "));
    CHECK(contains(outcome.err, "trouble"));
    CHECK(outcome.code == code);
    for (const std::string file : {"spec.ini", "trace.csv", "solution"})
      CHECK_MESSAGE(fs::exists(folder / how / file), file);
  }
}

TEST_CASE("run: divergence is exit code 5") {
  const TestFolder folder;
  put_problem(folder);
  folder.put("ratings #1.txt", "1 1 1e200\n1 2 -1e200\n2 1 1e200\n");
  const auto outcome = ask(folder.path(), {"run", "spec.ini", "--out", "out"});
  CHECK(outcome.code == 5);
  CHECK(json::parse(folder.get("out/result.json")).at("status") == "diverged");
}

TEST_CASE("run: warnings of components go to stderr") {
  const auto outcome = ask("/", with(kTrouble, {"--quiet"}));
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "claros: warning: trouble may be ahead\n");
}

TEST_CASE("run --out: an earlier run may be replaced, other files never") {
  const TestFolder folder;
  put_problem(folder);
  const auto out = [&](const std::string& name) {
    return ask(folder.path(), {"run", "spec.ini", "--out", name});
  };
  CHECK(out("new").code == 0);
  CHECK(out("new").code == 0);
  fs::remove(folder / "new/result.json");
  CHECK(out("new").code == 0);
  fs::create_directory(folder / "empty");
  CHECK(out("empty").code == 0);

  const std::string own = folder.get("spec.ini");
  for (const std::string name : {".", "ratings #1.txt", ""}) {
    const auto refused = out(name);
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, "--out"));
    CHECK(lines(refused.err).size() == 1);
  }
  CHECK(folder.get("spec.ini") == own);
  folder.put("result.json", R"({"accuracy": 1})");
  CHECK(out(".").code == 2);

  const auto failed = ask(folder.path(), {"run", "spec.ini", "set.radius=-1", "--out", "never"});
  CHECK(failed.code == 2);
  CHECK_FALSE(fs::exists(folder / "never"));
  CHECK(out("/proc/claros").code == 4);
}

TEST_CASE("run: of a value 0 no relative gap is printed as a number") {
  for (const std::string data : {"objective.data=0 0 0", "objective.data=0 0 1e-200"}) {
    const auto outcome =
        ask("/", {"run", "objective.use=distance", data, "set.use=box", "stop.relative_gap=1e-6"});
    CHECK(outcome.code == 0);
    CHECK(contains(outcome.out, "not meaningful: the value is 0 to rounding"));
    CHECK_FALSE(contains(outcome.out, "nan"));
  }
}

TEST_CASE("run: a response of zeros has max 0, which is said, and no number that does not exist is printed") {
  const TestFolder folder;
  folder.put("zero.csv", "a,b,y\n1,2,0\n2,1,0\n3,5,0\n-1,2,0\n");
  folder.put("orthogonal.csv", "a,b,y\n1,0,0\n-1,0,0\n0,1,0\n0,0,4\n");
  for (const std::string data : {"zero.csv", "orthogonal.csv"})
    for (const std::string rule : {"", "stop.residual=1e-6", "stop.gap=1e-6", "stop.iterations=3"}) {
      CAPTURE(data);
      CAPTURE(rule);
      Words words{"run",
                  "objective.use=linear-model",
                  "objective.data=" + data,
                  "objective.intercept=no",
                  "objective.standardize=no",
                  "penalty.use=l1",
                  "penalty.lambda=0.1*max"};
      if (!rule.empty()) words.push_back(rule);
      const auto outcome = ask(folder.path(), words);
      CHECK(outcome.code == 0);
      check_mentions(outcome.err, {"warning: penalty.lambda is 0, as max is", "response is 0 or orthogonal"});
      CHECK_FALSE(contains(outcome.out, "nan"));
      if (data == "zero.csv") CHECK(contains(outcome.out, "not defined: the value is 0"));
      const auto result = nlohmann::json::parse(ask(folder.path(), with(words, {"--json", "--quiet"})).out);
      CHECK_FALSE(contains(result.at("explanation").get<std::string>(), "bound"));
      CHECK(result.at("certifies") == "the value is within gap of the minimum");
    }
}
