// SPDX-License-Identifier: BSD-3-Clause
// Components that never return: the run ends at its limit, names the component, and keeps what it had.
#include "program.hpp"

#include <signal.h>

using namespace claros::test;

namespace {

struct Hanging {
  std::string role, name;
  Words words;
};

const std::vector<Hanging> kHanging{
    {"set",
     "hanging-minimize",
     {"objective.use=sound-distance", "objective.after=1000000", "set.after=3", "set.radius=1.5",
      "algorithm.use=frank-wolfe"}},
    {"set",
     "hanging-projection",
     {"objective.use=sound-distance", "objective.after=1000000", "set.radius=1.5",
      "algorithm.use=proximal-gradient", "algorithm.step=0.5"}},
    {"objective",
     "hanging-gradient",
     {"objective.after=9", "set.use=frobenius-ball", "set.radius=1.5", "algorithm.use=frank-wolfe"}},
    {"estimator",
     "hanging-estimate",
     {"objective.use=sound-distance", "objective.after=1000000", "set.use=frobenius-ball", "set.radius=1.5",
      "algorithm.use=frank-wolfe"}},
};

Words words_for(const Hanging& h, const std::string& out) {
  Words words{"run",    "--plugin-path",           CLAROS_BAD_PLUGIN_DIR,     "--out",        out,
              "--json", h.role + ".use=" + h.name, "stop.iterations=1000000", "trace.every=1"};
  words.insert(words.end(), h.words.begin(), h.words.end());
  return words;
}

/// Requires result.json, a trace and a solution of the run.
nlohmann::json kept(const TestFolder& folder, const std::string& out) {
  REQUIRE(fs::exists(folder / out / "result.json"));
  CHECK(fs::exists(folder / out / "trace.csv"));
  CHECK((fs::exists(folder / out / "solution/x.mtx") || fs::exists(folder / out / "solution/U.mtx")));
  return nlohmann::json::parse(folder.get(out + "/result.json"));
}

}  // namespace

TEST_CASE("stuck: stop.seconds ends the run, names the component, and writes the last measured point") {
  const TestFolder folder;
  for (const Hanging& h : kHanging) {
    CAPTURE(h.name);
    Words words = words_for(h, h.name);
    words.push_back("stop.seconds=0.3");
    const Outcome outcome = ask(folder.path(), words);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 3);
    CHECK(contains(outcome.err, h.role + "/" + h.name + " has not come back"));
    const auto result = kept(folder, h.name);
    CHECK(result["status"] == "failed");
    CHECK(result["certifies"].is_null());
    CHECK(contains(result["failure"], h.role + "/" + h.name));
    CHECK(contains(result["failure"], "stop.seconds"));
    CHECK(nlohmann::json::parse(outcome.out)["failure"] == result["failure"]);
    if (h.name == "hanging-minimize") CHECK(result["iterations"] == 3);
  }
}

TEST_CASE("stuck: the first interrupt ends the run") {
  const TestFolder folder;
  for (const Hanging& h : kHanging) {
    CAPTURE(h.name);
#ifdef __SANITIZE_THREAD__  // which hands a signal to a thread at its next call into a library; a loop at \
                            // full speed makes none
    if (h.name == "hanging-projection") continue;
#endif
    Launch launch;
    launch.words = words_for(h, h.name);
    launch.words.push_back("output.checkpoint_every=1");
    launch.folder = folder.path();
    launch.environment = {"HANGING_PLUGIN_FILE=" + h.name + "-hangs"};
    Child child(launch);
    wait_for(folder / (h.name + "-hangs"));
    child.signal(SIGINT);
    const Outcome outcome = child.wait();
    CAPTURE(outcome.err);
    CHECK(outcome.code == 130);
    CHECK(contains(outcome.err, h.role + "/" + h.name + " has not come back"));
    CHECK(kept(folder, h.name)["status"] == "interrupted");
  }
}

TEST_CASE("stuck: a second interrupt ends the run at once, with its last point, and blames no component") {
  const TestFolder folder;
  const Hanging& h = kHanging.front();
  Launch launch;
  launch.words = words_for(h, "out");
  launch.folder = folder.path();
  launch.environment = {"HANGING_PLUGIN_FILE=hangs"};
  Child child(launch);
  wait_for(folder / "hangs");
  child.signal(SIGINT);
  child.signal(SIGTERM);
  const Outcome outcome = child.wait();
  CAPTURE(outcome.err);
  CHECK(outcome.code == 130);
  const auto result = kept(folder, "out");
  CHECK(result["status"] == "interrupted");
  CHECK(result["iterations"] == 3);
  CHECK_FALSE(result.contains("failure"));
  CHECK(contains(result["note"], "second interrupt"));
  CHECK(result["wall_seconds"].get<double>() >= result["seconds"].get<double>());
  CHECK(result["waited_seconds"] == result["wall_seconds"]);
}

namespace {

/// A grid of four cells, of which one (set.after) hangs.
Words grid_of(const std::string& command, const Words& more) {
  Words words{command,
              "--plugin-path",
              CLAROS_BAD_PLUGIN_DIR,
              "objective.use=sound-distance",
              "objective.after=1000000",
              "set.use=hanging-minimize",
              "set.radius=1.5",
              "algorithm.use=frank-wolfe",
              "stop.iterations=20",
              "stop.relative_gap=0",
              "trace.every=1"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const std::string kAfters = "set.after=1000,3,1001,1002";

/// The runs of comparison.json, one a cell.
nlohmann::json runs_of(const TestFolder& folder, const std::string& out) {
  nlohmann::json runs = nlohmann::json::array();
  const auto comparison = nlohmann::json::parse(folder.get(out + "/comparison.json"));
  for (const auto& cell : comparison.at("cells"))
    for (const auto& run : cell.at("runs")) runs.push_back(run);
  return runs;
}

}  // namespace

TEST_CASE("stuck: a cell of a grid that hangs is ended and named, and the others are made") {
  const TestFolder folder;
  for (const std::string jobs : {"1", "2"}) {
    const std::string out = "grid" + jobs;
    const Outcome outcome =
        ask(folder.path(),
            grid_of("compare", {"--vary", kAfters, "stop.seconds=1", "--jobs", jobs, "--out", out}));
    CAPTURE(outcome.err);
    CHECK(outcome.code == 0);  // as with any cell that fails: some did not
    CHECK(contains(outcome.err,
                   "after=3, seed 0: failed: after 3 steps: set/hanging-minimize has not come back"));
    const nlohmann::json runs = runs_of(folder, out);
    REQUIRE(runs.size() == 4);
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(runs[k]["status"] == (k == 1 ? "failed" : "iterations"));
      const auto result = nlohmann::json::parse(
          folder.get(out + "/" + runs[k]["folder"].get<std::string>() + "/result.json"));
      CHECK(result["iterations"] == (k == 1 ? 3 : 20));
      CHECK(result["run"] == runs[k]["run"]);
    }
  }
}

TEST_CASE("stuck: a grid whose every cell hangs fails as a plugin does") {
  const TestFolder folder;
  const Outcome outcome =
      ask(folder.path(), grid_of("compare", {"--vary", "set.after=2,3", "stop.seconds=0.3", "--quiet"}));
  CAPTURE(outcome.err);
  CHECK(outcome.code == 3);
  CHECK(contains(outcome.err, "after 2 steps: set/hanging-minimize"));
  CHECK(contains(outcome.err, "after 3 steps: set/hanging-minimize"));
}

TEST_CASE("stuck: tune chooses among the cells that end") {
  const TestFolder folder;
  const Outcome outcome = ask(folder.path(), grid_of("tune", {"--over", kAfters, "stop.seconds=1"}));
  CAPTURE(outcome.err);
  CAPTURE(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.err, "set/hanging-minimize has not come back"));
}

TEST_CASE("stuck: an interrupt ends a grid, and finished runs are shown") {
  const TestFolder folder;
  for (const std::string jobs : {"1", "2"}) {
    CAPTURE(jobs);
    const std::string out = "grid" + jobs, hangs = "hangs" + jobs;
    Launch launch;
    launch.words = grid_of("compare", {"--vary", kAfters, "--jobs", jobs, "--out", out});
    launch.folder = folder.path();
    launch.environment = {"HANGING_PLUGIN_FILE=" + hangs};
    Child child(launch);
    wait_for(folder / (out + "/after-1000/0/result.json"));
    wait_for(folder / hangs);
    child.signal(SIGINT);
    const Outcome outcome = child.wait();
    CAPTURE(outcome.err);
    CHECK(outcome.code == 130);
    CHECK(contains(outcome.err, "set/hanging-minimize has not come back"));
    const nlohmann::json runs = runs_of(folder, out);
    REQUIRE(runs.size() >= 2);
    if (jobs == "1") CHECK(runs.size() == 2);
    CHECK(runs[0]["status"] == "iterations");
    CHECK(runs[1]["status"] == "interrupted");
    // Beside the cell that hangs a second job may end others, or be interrupted in one.
    for (std::size_t r = 2; r < runs.size(); ++r)
      CHECK((runs[r]["status"] == "iterations" || runs[r]["status"] == "interrupted"));
  }
}
