// SPDX-License-Identifier: BSD-3-Clause
// Parts within parts at the command line: describing, completing, citing, checking and saving them.
#include "program.hpp"

#include <signal.h>

using namespace claros::test;

namespace {

const std::string kNestedSpec =
    "[objective]\nuse = matrix-completion\ndata = ratings #1.txt\n[set]\nuse = hull\n[set.blocks.1]\nuse = "
    "nuclear-ball\nradius = 3\n"
    "[set.blocks.2]\nuse = l2-ball\nradius = 1\n[algorithm]\nuse = nest\n[algorithm.inner]\nuse = nest\n"
    "[algorithm.inner.inner]\nuse = frank-wolfe\nstep = agnostic\n[stop]\niterations = "
    "200\n[output]\ncheckpoint_every = 1\n";

Words with_fixtures(Words words) {
  words.insert(words.end(), {"--plugin-path", CLAROS_BAD_PLUGIN_DIR});
  return words;
}

Words completions(const TestFolder& folder, const std::string& begun) {
  Words result;
  for (const std::string& line : lines(ask(folder.path(), {"complete", "--", "run", "spec.ini",
                                                           "--plugin-path", CLAROS_BAD_PLUGIN_DIR, begun})
                                           .out))
    result.push_back(line.substr(0, line.find('\t')));
  return result;
}

bool holds(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

TEST_CASE("parts: described, completed, cited and checked three levels deep") {
  TestFolder folder;
  put_problem(folder);
  folder.put("spec.ini", kNestedSpec);
  const auto page = ask(folder.path(), with_fixtures({"describe", "nest"}));
  CHECK(page.code == 0);
  for (const std::string part : {"parts", "inner", "a component of kind algorithm; default frank-wolfe",
                                 "gauge", "a component of kind set, or none", "[algorithm.inner]"})
    CHECK_MESSAGE(contains(page.out, part), part);
  CHECK(contains(ask(folder.path(), with_fixtures({"describe", "hull", "--json"})).out, "\"list\": true"));

  CHECK(holds(completions(folder, "algorithm."), "algorithm.inner."));
  CHECK(holds(completions(folder, "algorithm.inner."), "algorithm.inner.every="));
  CHECK(holds(completions(folder, "algorithm.inner.inner.use="), "algorithm.inner.inner.use=frank-wolfe"));
  CHECK(holds(completions(folder, "algorithm.inner.inner.step="), "algorithm.inner.inner.step=short"));
  CHECK(holds(completions(folder, "set.blocks.2."), "set.blocks.2.radius="));

  const auto cited = ask(folder.path(), with_fixtures({"cite", "spec.ini"}));
  for (const std::string part :
       {"algorithm/nest", "The book of nests", "algorithm/frank-wolfe", "set/nuclear-ball"})
    CHECK_MESSAGE(contains(cited.out, part), part);

  const auto checked = ask(folder.path(), with_fixtures({"check", "spec.ini"}));
  CHECK_MESSAGE(checked.code == 0, checked.err);
  for (const std::string part :
       {"# algorithm.inner.inner", "[algorithm.inner.inner]", "step = agnostic", "[set.blocks.2]"})
    CHECK_MESSAGE(contains(checked.out, part), part);
  const auto wrong =
      ask(folder.path(), with_fixtures({"check", "spec.ini", "algorithm.inner.inner.step=longer"}));
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "algorithm.inner.inner.step"));
}

TEST_CASE("parts: a killed run of a tree is resumed to the same bits") {
  TestFolder folder;
  put_problem(folder);
  folder.put("spec.ini", kNestedSpec);
  const auto whole = ask(folder.path(), with_fixtures({"run", "spec.ini", "--quiet", "--out", "whole"}));
  REQUIRE_MESSAGE(whole.code == 0, whole.err);
  CHECK(contains(folder.get("whole/result.json"), "\"algorithm/nest\": \"1.0.0\""));
  int killed = 0;
  for (int attempt = 0; attempt < 12 && killed < 3; ++attempt) {
    const std::string out = "killed-" + std::to_string(attempt);
    Launch launch;
    launch.words = with_fixtures({"run", "spec.ini", "--quiet", "--out", out});
    launch.folder = folder.path();
    Child child(launch);
    // Killed after its first, second, ... checkpoint, unless it ends before.
    int checkpoints = 0;
    fs::file_time_type last{};
    (void)becomes_true([&] {
      std::error_code code;
      const auto written = fs::last_write_time(folder.path() / out / "checkpoint", code);
      if (!code && written != last) last = written, ++checkpoints;
      return checkpoints > attempt || fs::exists(folder.path() / out / "result.json");
    });
    child.signal(SIGKILL);
    if (child.wait().code == 0 || !fs::exists(folder.path() / out / "checkpoint")) continue;
    ++killed;
    const auto resumed = ask(folder.path(), with_fixtures({"resume", out, "--quiet"}));
    CHECK_MESSAGE(resumed.code == 0, resumed.err);
    for (const std::string file : {"solution/U.mtx", "solution/s.mtx", "solution/V.mtx"})
      CHECK_MESSAGE(folder.get(out + "/" + file) == folder.get("whole/" + file), file);
  }
  CHECK(killed > 0);
}
