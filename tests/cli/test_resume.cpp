// SPDX-License-Identifier: BSD-3-Clause
// A run that is killed at a random moment and resumed, as often as it takes, ends with the trace (time
// columns apart) and the answer, bit for bit, of the run that was not killed. CLAROS_KILLS sets how many
// kills an estimator gets.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "kills.hpp"

using namespace claros::test;

namespace {

int kills_wanted() {
  const char* text = std::getenv("CLAROS_KILLS");
  return text ? std::atoi(text) : 2;
}

/// Kills runs of `spec` and their resumptions, until enough were killed; every one ends as the run
/// without kills.
void kill_and_resume(const TestFolder& folder, const Words& spec, const std::string& name,
                     std::mt19937& engine) {
  const auto command = [&](const std::string& out) {
    Words words{"run"};
    words.insert(words.end(), spec.begin(), spec.end());
    words.insert(words.end(), {"--out", out});
    return words;
  };
  const auto plain = ask(folder.path(), command(name));
  REQUIRE_MESSAGE(plain.code == 0, plain.err);
  int killed = 0;
  for (int attempt = 0; killed < kills_wanted() && attempt < 40 * kills_wanted(); ++attempt) {
    const std::string out = name + "-killed-" + std::to_string(attempt);
    const auto moment = [&] { return 10 + static_cast<int>(engine() % 400); };
    int here = run_and_kill(folder, command(out), moment());
    while (here && killed + here < kills_wanted() &&
           run_and_kill(folder, {"resume", out, "--quiet"}, moment()))
      ++here;
    killed += here;
    if (!fs::exists(folder / out / "spec.ini")) continue;  // killed before there was anything
    const auto resumed = ask(folder.path(), {"resume", out, "--quiet"});
    CHECK_MESSAGE(resumed.code == 0, resumed.err);
    CHECK(timeless(folder.get(out + "/trace.csv")) == timeless(folder.get(name + "/trace.csv")));
    for (const std::string file : {"U.mtx", "s.mtx", "V.mtx"})
      CHECK(folder.get(out + "/solution/" + file) == folder.get(name + "/solution/" + file));
    const auto result = [&](const std::string& run) {
      return nlohmann::json::parse(folder.get(run + "/result.json"));
    };
    CHECK(result(out).at("counts") == result(name).at("counts"));
    CHECK(result(out).value("trials", nlohmann::json()) == result(name).value("trials", nlohmann::json()));
  }
  CHECK(killed >= kills_wanted());
}

/// A checkpoint every step: most kills fall into the writing of one.
Words spec_of(const std::string& estimator, const Words& more) {
  Words spec{"objective.use=matrix-completion",
             "objective.data=ratings.tsv",
             "objective.loss=robust",
             "set.use=nuclear-ball",
             "set.radius=20",
             "algorithm.use=frank-wolfe",
             "algorithm.weight=0.05",
             "estimator.use=" + estimator,
             "output.checkpoint_every=1",
             "--quiet"};
  spec.insert(spec.end(), more.begin(), more.end());
  return spec;
}

}  // namespace

TEST_CASE("resume: killed runs of every estimator end with the bits of a run that was not killed") {
  std::mt19937 engine(17);
  TestFolder folder;
  folder.put("ratings.tsv", ratings(engine));
  for (const std::string estimator :
       {"full", "sg", "svrg", "spider", "casvrg", "caspider", "momentum", "sag", "saga"}) {
    INFO(estimator);
    kill_and_resume(folder, spec_of(estimator, {"stop.iterations=150"}), estimator, engine);
  }
}

TEST_CASE("resume: killed in any of three trials, they end with the bits of a run that was not killed") {
  std::mt19937 engine(19);
  TestFolder folder;
  folder.put("ratings.tsv", ratings(engine));
  kill_and_resume(folder,
                  spec_of("svrg", {"stop.iterations=60", "run.trials=3", "trace.estimator_error=yes"}),
                  "budget", engine);
  kill_and_resume(folder,
                  spec_of("full", {"objective.loss=squared", "stop.relative_gap=0.02", "stop.iterations=150",
                                   "algorithm.step=agnostic", "algorithm.output=uniform", "run.trials=3"}),
                  "target", engine);
}

TEST_CASE("resume: a changed specification is refused with what changed, a new end is not") {
  std::mt19937 engine(18);
  TestFolder folder;
  folder.put("ratings.tsv", ratings(engine));
  const std::vector<std::string> words{"run",
                                       "objective.use=matrix-completion",
                                       "objective.data=ratings.tsv",
                                       "set.use=nuclear-ball",
                                       "set.radius=20",
                                       "algorithm.use=frank-wolfe",
                                       "estimator.use=svrg",
                                       "stop.iterations=20",
                                       "--quiet",
                                       "--out",
                                       "first"};
  REQUIRE(ask(folder.path(), words).code == 0);
  auto longer = words;
  longer[7] = "stop.iterations=50";
  longer.back() = "whole";
  REQUIRE(ask(folder.path(), longer).code == 0);

  const auto changed = ask(folder.path(), {"resume", "first", "set.radius=21", "estimator.batch=7"});
  CHECK(changed.code == 2);
  CHECK(contains(changed.err, "set.radius was '20' and is '21'"));
  CHECK(contains(changed.err, "estimator.batch was 'auto' and is '7'"));
  REQUIRE(ask(folder.path(), {"resume", "first", "stop.iterations=50", "--quiet"}).code == 0);
  CHECK(folder.get("first/solution/U.mtx") == folder.get("whole/solution/U.mtx"));

  folder.put("ratings.tsv", ratings(engine));
  const auto other_data = ask(folder.path(), {"resume", "first", "stop.iterations=60"});
  CHECK(other_data.code == 2);
  CHECK(contains(other_data.err, "contents of objective.data was"));

  folder.put("first/checkpoint", "rubbish");
  CHECK(ask(folder.path(), {"resume", "first"}).code == 4);
  CHECK(ask(folder.path(), {"resume", "nowhere"}).code == 2);
}
