// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <claros/compose/spec.hpp>

#include "test_files.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

using namespace claros;
namespace fs = std::filesystem;

namespace {

std::string parse_refusal(const std::string& text) {
  return refusal(ErrorKind::usage, [&] { (void)Spec::parse(text, "a.ini"); });
}

struct BallOptions {
  double radius = 1.0;
  Index rank = 3;
};
const ParameterTable<BallOptions>& ball_table() {
  static const ParameterTable<BallOptions> result{
      row("radius", &BallOptions::radius, above(0.0), "radius of the ball"),
      row("rank", &BallOptions::rank, at_least(1), "rank")};
  return result;
}

}  // namespace

TEST_CASE("spec: values keep '#', '=' and blanks") {
  const Spec spec = Spec::parse(
      "\xEF\xBB\xBF# a comment\r\n  ; another\r\n[ objective ]\r\nuse=matrix-completion\r\n"
      "data =  my #1 file = a;b.tsv \r\n\n[set]\nuse =\n",
      "a.ini");
  REQUIRE(spec.get("objective", "data"));
  CHECK(spec.get("objective", "data")->value == "my #1 file = a;b.tsv");
  CHECK(spec.get("objective", "data")->where == "a.ini:5");
  CHECK(spec.get("objective", "data")->label() == "a.ini:5: objective.data");
  CHECK(spec.get("set", "use")->value.empty());
  CHECK_FALSE(spec.get("set", "radius"));
  CHECK(spec.sections() == std::vector<std::string>{"objective", "set"});
}

TEST_CASE("spec: all faults of a file are told at once, each with its line") {
  const std::string text = parse_refusal(
      "early = 1\n[objective\n[objectiv]\nuse = x\n[set]\nradius 3\nRadius = 3\nuse = box\n\nuse = "
      "ball\n[a.b]\n[set.0]\n");
  CHECK(contains(text, "a.ini:1: the key 'early' is outside a section"));
  CHECK(contains(text, "a.ini:2: '[objective' has no closing ]"));
  CHECK(contains(text, "a.ini:3: there is no section 'objectiv' (did you mean 'objective'?)"));
  CHECK(contains(text, "a.ini:6: 'radius 3' has no '='"));
  CHECK(contains(text, "a.ini:7: 'Radius' is not a key"));
  CHECK(contains(text, "a.ini:10: set.use: is set a second time, first at a.ini:8"));
  CHECK(contains(text, "a.ini:11: there is no section 'a.b'"));
  CHECK(contains(text, "a.ini:12: '[set.0]' is not the name of a section"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 7);
}

TEST_CASE("spec: rubbish is one sentence") {
  CHECK(contains(parse_refusal(""), "a.ini: holds no setting"));
  CHECK(contains(parse_refusal("# nothing\n[set]\n"), "holds no setting"));
  const std::string binary =
      parse_refusal(std::string("\x7F"
                                "ELF\x02\x01\0\0\n\x03\x04\n",
                                12));
  CHECK(contains(binary, "a.ini:1: holds a control character"));
  CHECK_FALSE(contains(binary, "\n"));
  CHECK(contains(parse_refusal("[zzzzzzzzzzzz]\na = 1"), "the sections are objective data set"));
}

TEST_CASE("spec: files that cannot be read, and one with a '#' and blanks in its path") {
  const TestFolder folder;
  const auto read = [&](const fs::path& file) {
    return refusal(ErrorKind::usage, [&] { (void)Spec::read(file); });
  };
  CHECK(contains(read(folder / "none.ini"), "none.ini: cannot be read: No such file or directory"));
  CHECK(contains(read(folder.path()), "is a folder"));
  CHECK(contains(read(folder.put("big.ini", std::string(2u << 20, ' '))), "larger than 1 MiB"));
  const Spec spec = Spec::read(folder.put("a b#c.ini", "[set]\nuse = box\n"));
  CHECK(spec.get("set", "use")->where == (folder / "a b#c.ini").string() + ":2");
  CHECK(spec.base() == folder.path());
}

TEST_CASE("spec: the valid rest of a file with errors is kept, so that all errors are reported together") {
  const TestFolder folder;
  std::vector<Complaint> complaints;
  Spec spec = Spec::read(
      folder.put("c.ini", "[set]\nuse = box\nnonsense\n[stpo]\nuse = x\n[stop]\nepochs = 3\n"), complaints);
  CHECK(complaints.size() == 2);
  CHECK(spec.get("set", "use")->value == "box");
  CHECK(spec.get("stop", "epochs")->value == "3");
  CHECK(spec.sections() == std::vector<std::string>{"set", "stop"});
  spec.assign({"stop.epochs=4", "a=b", "set.radius=2"}, "host", complaints);
  CHECK(complaints.size() == 3);
  CHECK(complaints.back().where == "host: a");
  CHECK(spec.get("stop", "epochs")->value == "4");
  CHECK(spec.get("set", "radius")->value == "2");
}

TEST_CASE("spec: assignments come on top, the last one wins") {
  Spec spec = Spec::parse("[set]\nuse = box\nradius = 1\n", "a.ini", "/data");
  spec.assign({"set.radius=2", "set.radius= 3#4 ", "stop.epochs = 20"});
  CHECK(spec.get("set", "radius")->value == "3#4");
  CHECK(spec.get("set", "radius")->where == "command line");
  CHECK(spec.get("stop", "epochs")->value == "20");
  CHECK(spec.settings("set").size() == 2);
  const std::string text = refusal(ErrorKind::usage, [&] {
    spec.assign({"radius=1", "stp.epochs=1", "set.a b=1", "set.use", "set.x=a\nb"});
  });
  CHECK(contains(text, "command line: radius: names no section"));
  CHECK(contains(text, "there is no section 'stp' (did you mean 'stop'?)"));
  CHECK(contains(text, "'a b' is not a key"));
  CHECK(contains(text, "'set.use' has no '='"));
  CHECK(contains(text, "set.x: the value holds a line break"));
}

TEST_CASE("spec: the printed text reads back to the same settings, also from another folder") {
  Spec spec = Spec::parse("[set]\nuse = box\nname =\n[objective]\ndata = a #1 = b\n", "a.ini", "/data");
  spec.assign({"run.seed=7"});
  spec.set("run.base", spec.base().string());
  const Spec again = Spec::parse(spec.text(), "b.ini", "/elsewhere");
  CHECK(again.text() == spec.text());
  CHECK(again.sections() == std::vector<std::string>{"objective", "set", "run"});
  CHECK(again.get("objective", "data")->value == "a #1 = b");
  CHECK(again.get("set", "name")->value.empty());
  CHECK(again.base() == "/data");
}

TEST_CASE("settings: a table takes the settings of a section and complains about all of them") {
  const Spec spec = Spec::parse("[set]\nuse = ball\nradios = 2\nradius = 0\nrank = 2 # rows\n", "a.ini");
  const Assignments assignments = assign_settings(ball_table(), spec.settings("set"), "set/ball");
  REQUIRE(assignments.complaints.size() == 3);
  CHECK(assignments.complaints[0].sentence() ==
        "a.ini:3: set.radios: set/ball has no parameter 'radios' (did you mean 'radius'?)");
  CHECK(assignments.complaints[1].sentence() ==
        "a.ini:4: set.radius: '0' is out of range (expected > 0; the default is '1')");
  CHECK(contains(assignments.complaints[2].sentence(), "a.ini:5: set.rank: '2 # rows' is not a number"));
  CHECK(contains(assignments.complaints[2].remedy, "a comment stands on a line of its own"));
  CHECK(static_cast<BallOptions*>(assignments.options.get())->radius == 1.0);
  CHECK_THROWS_AS((void)assignments.checked(), Error);
}

TEST_CASE(
    "settings: the last of two settings of a key wins, and a host may leave out where they were written") {
  const auto options =
      assign_settings(ball_table(), {{"radius", "2", "", ""}, {"radius", "4", "", ""}}, "ball").checked();
  CHECK(static_cast<BallOptions*>(options.get())->radius == 4.0);
  const auto bad = assign_settings(ball_table(), {{"rank", "x", "", ""}}, "ball");
  REQUIRE(bad.complaints.size() == 1);
  CHECK(bad.complaints[0].where == "rank");
}
