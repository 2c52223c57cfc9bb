// SPDX-License-Identifier: BSD-3-Clause
// Libraries on the plugin path that crash, hang, exit or change the process: who is harmed, and who is named.
#include "program.hpp"

#include <sys/stat.h>

#include <algorithm>

using namespace claros::test;
using nlohmann::json;

namespace {

const fs::path kActing = fs::canonical(CLAROS_ACTING_DIR);
const Words kKillers{"exit_at_once", "abort", "crash", "hang"};

/// A result without what no two runs share.
json answer(const Words& more) {
  const TestFolder folder;
  Words words{"run", put_problem(folder).string(), "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome outcome = ask(folder.path(), words);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const json result = json::parse(outcome.out);
  return {result.at("value"), result.at("gap"), result.at("iterations"), result.at("status")};
}

}  // namespace

TEST_CASE("foreign plugins: a run loads those that it names alone") {
  CHECK(answer({"--plugin-path", kActing.string()}) == answer({}));
}

TEST_CASE("foreign plugins: list names the file that ends or hangs a process, and lists the others") {
  const TestFolder folder;
  const Outcome outcome =
      ask(folder.path(), {"list", "set", "--json", "--limit", "1", "--plugin-path", kActing.string()});
  REQUIRE(outcome.code == 0);
  const json parsed = json::parse(outcome.out);
  std::string names, remarks;
  for (const json& c : parsed.at("components")) names += c.at("name").get<std::string>() + '\n';
  for (const json& r : parsed.at("remarks"))
    remarks += r.at("file").get<std::string>() + ' ' + r.at("remark").get<std::string>() + '\n';
  CHECK(contains(names, "nuclear-ball\n"));
  CHECK(contains(names, "when-made-round-up\n"));
  CHECK(contains(remarks, "when_loaded_leave_folder.so changes the working directory when it is loaded"));
  CHECK(contains(remarks, "when_loaded_round_up.so changes the rounding mode when it is loaded"));
  REQUIRE(parsed.at("unusable").size() == kKillers.size());
  for (const std::string& act : kKillers) {
    const auto is_it = [&](const json& e) {
      return e.at("file") == (kActing / ("when_loaded_" + act + ".so")).string();
    };
    const auto at = std::find_if(parsed["unusable"].begin(), parsed["unusable"].end(), is_it);
    REQUIRE(at != parsed["unusable"].end());
    CHECK(contains(at->at("reason").get<std::string>(), "while it was loaded"));
  }
}

TEST_CASE("foreign plugins: one that a run names and that ends the process is an error") {
  const TestFolder folder;
  const std::string spec = put_problem(folder).string();
  for (const std::string command : {"run", "check"}) {
    const Outcome outcome = ask(folder.path(), {command, spec, "set.use=when-loaded-exit-at-once",
                                                "--plugin-path", kActing.string()});
    CHECK(outcome.code == 3);
    CHECK(contains(outcome.err,
                   "when_loaded_exit_at_once.so: ended the process with exit code 0 while it was loaded"));
  }
  const Outcome described =
      ask(folder.path(), {"describe", "when-loaded-crash", "--plugin-path", kActing.string()});
  CHECK(described.code == 3);
  CHECK(contains(described.err, "when_loaded_crash.so: was ended by signal 11"));
}

TEST_CASE("foreign plugins: doctor fails what cannot be loaded, by its file") {
  const Outcome one = ask("/", {"doctor", (kActing / "when_loaded_exit_at_once.so").string()});
  CHECK(one.code == 3);
  CHECK(contains(one.err, "ended the process with exit code 0 while it was loaded"));
  const TestFolder folder;  // which one of them leaves
  const Outcome all = ask(folder.path(), {"doctor", "--all", "--only", "descriptor", "--limit", "2",
                                          "--plugin-path", kActing.string()});
  CHECK(all.code == 1);
  for (const std::string& act : kKillers) CHECK(contains(all.out, "when_loaded_" + act + ".so"));
  CHECK(contains(all.out, "did not end within 2 s while it was loaded"));
  CHECK(contains(all.out, "changes the working directory when"));
  CHECK(contains(all.out, "set/nuclear-ball"));
}

TEST_CASE("foreign plugins: completion works beside a library that ends the process") {
  const Words with{"complete", "--", "run", "--plugin-path", kActing.string()};
  const auto complete = [&](const std::string& begun) {
    Words words = with;
    words.push_back(begun);
    return ask("/", words).out;
  };
  CHECK(contains(complete("set.use=when-loaded-c"), "set.use=when-loaded-crash"));
  CHECK(contains(complete("set.rad"), "set.radius="));
}

TEST_CASE("foreign plugins: --trust takes what others could change") {
  const TestFolder folder;
  fs::create_directory(folder / "plugins");
  fs::copy_file(fs::path(CLAROS_TROUBLE_DIR) / "trouble.so", folder / "plugins/trouble.so");
  REQUIRE(::chmod((folder / "plugins/trouble.so").c_str(), 0666) == 0);
  const Words words{"describe", "trouble", "--plugin-path", "plugins"};
  const auto with = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return ask(folder.path(), all);
  };
  CHECK(with({}).code == 2);
  CHECK(with({"--trust", "plugins/trouble.so"}).code == 0);
  CHECK(with({"--trust", "plugins"}).code == 0);
  const Outcome nowhere = with({"--trust", "nowhere"});
  CHECK(nowhere.code == 2);
  CHECK(contains(nowhere.err, "'nowhere' does not exist"));
  const Outcome by_environment =
      launch({words, folder.path(), {"CLAROS_TRUST=" + (folder / "plugins").string()}, false, {}});
  CHECK(by_environment.code == 0);
}

TEST_CASE("foreign plugins: a run warns when a built-in name comes from another plugin") {
  const TestFolder folder;
  const std::string spec = put_problem(folder).string();
  const json ours = json::parse(ask(folder.path(), {"describe", "set/nuclear-ball", "--json"}).out);
  fs::create_directory(folder / "plugins");
  fs::copy_file(ours.at("file").get<std::string>(), folder / "plugins/mine.so");
  CHECK_FALSE(contains(ask(folder.path(), {"run", spec}).err, "in the place of"));
  const Outcome outcome = ask(folder.path(), {"run", spec, "--plugin-path", "plugins"});
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.err, "set/nuclear-ball comes from " + (folder / "plugins/mine.so").string()));
  CHECK(contains(outcome.err, "in the place of the built-in one"));
}

TEST_CASE("a component that calls exit during a run is named as a failure, for every exit code") {
  const TestFolder folder;
  const Words words{"--plugin-path", CLAROS_TROUBLE_DIR, "objective.use=trouble",
                    "algorithm.use=proximal-gradient", "algorithm.step=0.5"};
  const std::string exits = "objective.fail=exit";
  const std::string few = "stop.iterations=9";
  for (const Words& command : {Words{"run", exits, few}, Words{"run", exits, few, "objective.after=0"},
                               Words{"run", few, "objective.fail=quick_exit"},
                               // Two at once, and one while another is at work in the same plugin.
                               Words{"compare", exits, few, "--vary", "objective.after=2,3", "--jobs", "2"},
                               Words{"compare", exits, "stop.iterations=100000", "--vary",
                                     "objective.after=100,1000000", "--jobs", "2"}}) {
    Words all = command;
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = ask(folder.path(), all);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 3);
    CHECK(contains(outcome.err, "objective/trouble: called exit() during a run"));
    CHECK(outcome.out.empty());
  }
}
