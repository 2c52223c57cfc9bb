// SPDX-License-Identifier: BSD-3-Clause
// claros doctor: what it prints, its exit codes, and its errors.
#include <doctest/doctest.h>

#include <algorithm>

#include "program.hpp"

using namespace claros::test;

namespace {

const std::string kPlanted = CLAROS_PLANTED_DIR;
using Json = nlohmann::json;

Outcome doctor(Words words) {
  const TestFolder folder;
  words.insert(words.begin(), "doctor");
  return ask(folder.path(), words);
}

void doctor_refused(const Words& words, int code, const Words& parts) {
  const Outcome outcome = doctor(words);
  CHECK(outcome.code == code);
  CHECK(outcome.out.empty());
  for (const std::string& part : parts) {
    CAPTURE(outcome.err);
    CHECK(contains(outcome.err, part));
  }
}

}  // namespace

TEST_CASE("doctor: a sound library, a bug, and how to run its test alone") {
  const Outcome sound = doctor({kPlanted + "/soft.so", "--only", "prox-minimal"});
  CHECK(sound.code == 0);
  CHECK(contains(sound.out, "1 passed, 0 failed, 0 skipped\npassed\n"));
  const Outcome bug =
      doctor({kPlanted + "/ball_diameter.so", "--only", "diameter", "--only", "oracle-value", "--seed", "5"});
  CHECK(bug.code == 1);
  CHECK(contains(bug.out, "FAIL  diameter"));
  CHECK(contains(bug.out, "pass  oracle-value"));
  CHECK(contains(bug.out, "likely mistake"));
  CHECK(contains(bug.out, "ball_diameter.so"));
  CHECK(contains(bug.out, " --seed 5 --only diameter"));  // behind a quote, where the path needs them
}

TEST_CASE("doctor: without enough tests the verdict is incomplete") {
  const auto last_line = [](const Outcome& outcome) {
    const auto end = outcome.out.find_last_not_of('\n');
    return outcome.out.substr(outcome.out.rfind('\n', end) + 1);
  };
  const Outcome found = doctor({kPlanted + "/mirror.so", "--only", "converges"});
  CHECK(found.code == 0);
  CHECK(last_line(found) == "passed\n");
  const Outcome named = doctor({kPlanted + "/mirror.so", "--only", "converges", "--with", "set/simplex"});
  CHECK(named.code == 0);
  const Outcome unfit = doctor({kPlanted + "/mirror.so", "--with", "set/l2-ball"});
  CHECK(unfit.code == 6);
  CHECK(contains(last_line(unfit), "incomplete: that it converges (converges): does not take set/l2-ball"));
  CHECK(contains(last_line(unfit), "--with set/NAME"));
  const Outcome printed = doctor({kPlanted + "/mirror_asks.so", "--json"});
  CHECK(printed.code == 6);
  const Json report = Json::parse(printed.out);
  CHECK(report["verdict"] == "incomplete");
  CHECK(report["failed"] == 0);
  CHECK(report["plugins"][0]["verdict"] == "incomplete");
  CHECK(report["plugins"][0]["untested"][0]["tests"] == Json{"converges"});
  CHECK(!report["plugins"][0]["untested"][0]["remedy"].get<std::string>().empty());
  // A skipped test that --only names was not passed.
  CHECK(doctor({"set/nuclear-ball", "--only", "support"}).code == 6);
}

TEST_CASE("doctor: JSON holds every test") {
  const Outcome outcome =
      doctor({kPlanted + "/ball_maximises.so", "--json", "--only", "oracle-optimal", "--only", "support"});
  CHECK(outcome.code == 1);
  const Json report = Json::parse(outcome.out);
  CHECK(report["failed"] == 1);
  CHECK(report["skipped"] == 1);
  const Json& tests = report["plugins"][0]["tests"];
  REQUIRE(tests.size() == 2);
  CHECK(tests[0]["outcome"] == "failed");
  for (const char* key : {"observed", "where", "mistake", "rerun", "definition"})
    CHECK(!tests[0][key].get<std::string>().empty());
  CHECK(tests[1]["outcome"] == "skipped");
  CHECK(!tests[1]["reason"].get<std::string>().empty());
}

TEST_CASE("doctor: the same seed gives the same report") {
  const Words words{kPlanted + "/distances_twice.so", "--only", "gradient", "--here"};
  const Outcome first = doctor(words);
  CHECK(first.code == 1);
  CHECK(first.out == doctor(words).out);
}

TEST_CASE("doctor: a plugin of the catalogue, with a setting and a shape") {
  const Outcome outcome =
      doctor({"set/l1-ball", "--only", "diameter", "--set", "set.radius=3", "--shape", "4x1"});
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.out, "set/l1-ball"));
}

TEST_CASE("doctor: --list explains all tests, or those of a kind") {
  const Outcome all = doctor({"--list"}), of_set = doctor({"set/box", "--list"});
  CHECK(all.code == 0);
  CHECK(contains(all.out, "prox-step"));
  CHECK(contains(of_set.out, "diameter"));
  CHECK(!contains(of_set.out, "prox-step"));
  CHECK(Json::parse(doctor({"--list", "--json"}).out).size() > 40);
}

TEST_CASE("doctor: errors of the command line") {
  doctor_refused({}, 2, {"no plugin", "--all"});
  doctor_refused({"no-such-plugin"}, 2, {"no-such-plugin"});
  doctor_refused({"set/box", "--only", "diametr"}, 2, {"diametr", "did you mean 'diameter'"});
  doctor_refused({"set/box", "--only", "gradient"}, 2, {"gradient", "other kinds"});
  doctor_refused({"set/l1-ball", "--set", "radius=-1"}, 2, {"radius", "> 0"});
  doctor_refused({"set/l1-ball", "--set", "radios=1"}, 2, {"radios", "did you mean 'radius'"});
  doctor_refused({"set/l1-ball", "--shape", "4"}, 2, {"4", "6x1"});
  doctor_refused({"set/l1-ball", "--limit", "0"}, 2, {"above 0"});
  doctor_refused({"set/l1-ball", "--seed", "-3"}, 2, {"at least 0", "-3"});
  doctor_refused({"--all", "set/box"}, 2, {"--all"});
  doctor_refused({"set/box", "--with", "set/simplex"}, 2, {"--with", "set/box"});
  doctor_refused({"proximal-gradient", "--with", "estimator/svrg"}, 2,
                 {"--with", "neither a set nor a penalty"});
  doctor_refused({"proximal-gradient", "--with", "set/simplx"}, 2, {"simplx"});
}

TEST_CASE("doctor: a library that cannot be loaded") {
  const TestFolder folder;
  folder.put("text.so", "no library\n");
  doctor_refused({(folder / "text.so").string()}, 3, {"text.so"});
  doctor_refused({(folder / "absent.so").string()}, 3, {"absent.so"});
}
