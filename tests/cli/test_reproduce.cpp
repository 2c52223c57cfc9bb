// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <cmath>

using namespace claros::test;
using nlohmann::json;

namespace {

/// A figure small enough for a test; the papers' own folder is found beside the program.
const Words kSmall{"reproduce",     "sfz/figure1",       "--seeds",      "2",
                   "--quiet",       "data.rows=30",      "data.cols=30", "data.rank=2",
                   "set.radius=80", "estimator.batch=9", "stop.epochs=3"};

}  // namespace

TEST_CASE("reproduce: without a name the figures are listed") {
  const auto outcome = ask("/", {"reproduce"});
  CHECK(outcome.code == 0);
  for (const std::string figure : {"sfz/figure1", "sfz/figure2", "sfz/figure3", "sfz/figure4", "qlx/figure1",
                                   "qlx/figure2", "qlx/figure3", "qlx/figure4", "qlx/figure7", "qlx/figure8"})
    CHECK_MESSAGE(contains(outcome.out, figure), figure);
}

TEST_CASE("reproduce: a small figure leaves its picture, its findings and every run") {
  const TestFolder folder;
  const auto outcome = ask(folder.path(), kSmall);
  CHECK(contains(outcome.out, "# Figure 1: rank 5, noise 10"));
  CHECK(contains(outcome.out, "| SVRG | SPIDER | CASVRG | CASPIDER | SG |"));
  CHECK(contains(outcome.out, "| curvature-aided below first-order | CASVRG / SVRG | V_C |"));
  CHECK(folder.get("reproduced/sfz/figure1/findings.md") == outcome.out);
  CHECK(contains(folder.get("reproduced/sfz/figure1/figure.svg"), "</svg>"));
  const json grid = json::parse(folder.get("reproduced/sfz/figure1/comparison.json"));
  CHECK(grid.at("complete") == true);
  CHECK(grid.at("cells").size() == 25);
  CHECK(outcome.code == (contains(outcome.out, "**fails**") ? 1 : 0));
}

TEST_CASE("reproduce: every figure of QLX runs, small") {
  const TestFolder folder;
  for (const std::string figure : {"figure1", "figure2", "figure3", "figure4", "figure8"}) {
    const auto outcome =
        ask(folder.path(), {"reproduce", "qlx/" + figure, "--seeds", "2", "--quiet", "data.rows=30",
                            "data.cols=40", "data.nonzero=2", "stop.passes=2", "--out", "out"});
    CHECK_MESSAGE(outcome.code <= 1, outcome.err);
    CHECK(contains(outcome.out, "| SVRG |"));
    CHECK(contains(outcome.out, "Tuned once a panel"));
    CHECK(contains(folder.get("out/qlx/" + figure + "/figure.svg"), "</svg>"));
  }
}

TEST_CASE(
    "reproduce: the figure of QLX whose data is the user's own says so, and runs on a file of that form") {
  const TestFolder folder;
  const auto without = ask(folder.path(), {"reproduce", "qlx/figure7", "--quiet"});
  CHECK(without.code == 2);
  CHECK(contains(without.err, "objective.data"));
  std::string table;
  for (int i = 0; i < 25; ++i)
    for (int j = 0; j < 40; ++j) table += std::to_string(std::sin(1.0 + i * 40 + j)) + (j == 39 ? '\n' : ',');
  const auto outcome =
      ask(folder.path(), {"reproduce", "qlx/figure7", "--seeds", "1", "--quiet", "stop.passes=3",
                          "objective.data=" + folder.put("boston.csv", table).string()});
  CHECK_MESSAGE(outcome.code <= 1, outcome.err);
  CHECK(contains(outcome.out, "SGD swings above 0.1"));
}

TEST_CASE("reproduce: two runs at a time say the same") {
  const TestFolder one, two;
  Words more = kSmall;
  more.insert(more.end(), {"--jobs", "2"});
  const auto alone = ask(one.path(), kSmall), beside = ask(two.path(), more);
  CHECK(alone.out == beside.out);
  CHECK(one.get("reproduced/sfz/figure1/figure.svg") == two.get("reproduced/sfz/figure1/figure.svg"));
}

TEST_CASE("reproduce: what is misspelt is told before anything runs") {
  const TestFolder folder;
  const auto name = ask(folder.path(), {"reproduce", "sfz/figure5"});
  CHECK(name.code == 2);
  CHECK(contains(name.err, "'sfz/figure5': is no figure of a paper (did you mean"));
  const auto key = ask(folder.path(), {"reproduce", "sfz/figure1", "estimator.bath=3"});
  CHECK(key.code == 2);
  CHECK(contains(key.err, "batch"));
  const auto seeds = ask(folder.path(), {"reproduce", "sfz/figure1", "--seeds", "none"});
  CHECK(seeds.code == 2);
  CHECK(contains(seeds.err, "--seeds"));
  CHECK_FALSE(std::filesystem::exists(folder / "reproduced"));
}

TEST_CASE("reproduce: a file of experiments that is broken is named") {
  const TestFolder folder;
  std::filesystem::create_directories(folder / "papers/mine");
  folder.put("papers/mine/experiment.json", "{\"figures\": {\"one\": {\"title\": \"t\"}}}");
  const auto outcome = ask(folder.path(), {"reproduce", "mine/one", "--papers", "papers"});
  CHECK(outcome.code == 4);
  CHECK(contains(outcome.err, "papers/mine/experiment.json"));
  const auto none = ask(folder.path(), {"reproduce", "mine/one", "--papers", "absent"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "absent holds none"));
}
