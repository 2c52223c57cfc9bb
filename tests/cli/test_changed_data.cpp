// SPDX-License-Identifier: BSD-3-Clause
// A run is resumed with what it began with, or not at all: data, weights, truth and libraries are told by
// their contents.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

#include "kills.hpp"

using namespace claros::test;

namespace {

/// A design of 40 x 4 whose rows are changed by `edit`; the response is the last column.
template <class Edit>
std::string design(Edit edit) {
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> rows(40, std::vector<double>(5));
  for (auto& row : rows)
    for (double& value : row) value = normal(engine);
  edit(rows);
  std::string text;
  for (const auto& row : rows) {
    for (const double value : row) text += std::to_string(value) + ' ';
    text.back() = '\n';
  }
  return text;
}

std::string column(int rows, double first) {
  std::string text;
  for (int k = 0; k < rows; ++k) text += std::to_string(first + k) + '\n';
  return text;
}

using Rows = std::vector<std::vector<double>>;
const auto kSame = [](Rows&) {};

Words linear(const std::string& data) {
  return {"run",
          "objective.use=linear-model",
          "objective.loss=squared",
          "objective.data=" + data,
          "objective.intercept=no",
          "objective.standardize=no",
          "penalty.use=l1",
          "penalty.lambda=0.01",
          "algorithm.use=proximal-gradient",
          "stop.iterations=5",
          "--quiet"};
}

}  // namespace

TEST_CASE(
    "resume: other features, columns, responses, weights or truth are refused, named with old and new") {
  const TestFolder folder;
  folder.put("design.txt", design(kSame));
  folder.put("weights.txt", column(40, 1.0));
  folder.put("truth.txt", column(4, 0.5));
  const auto began = ask(
      folder.path(),
      with(linear("design.txt"), {"objective.weights=weights.txt", "trace.truth=truth.txt", "--out", "run"}));
  REQUIRE_MESSAGE(began.code == 0, began.err);
  const auto resume = [&] { return ask(folder.path(), {"resume", "run", "stop.iterations=9", "--quiet"}); };
  const auto refused = [&](const std::string& file, const std::string& content, const std::string& setting) {
    const std::string was = folder.get(file);
    REQUIRE(was != content);
    folder.put(file, content);
    const auto outcome = resume();
    INFO(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(contains(outcome.err,
                   "contents of " + setting + " was '" + std::to_string(was.size()) + " bytes, xxh3 "));
    CHECK(contains(outcome.err, "and is '" + std::to_string(content.size()) + " bytes, xxh3 "));
    CHECK(contains(outcome.err, "start a new run"));
    CHECK(lines(outcome.err).size() == 1);
    folder.put(file, was);
  };
  // f at 0 sees none of the first two.
  refused("design.txt", design([](Rows& rows) {
            for (auto& row : rows) row[0] += 1.0, row[1] *= 3.0, row[2] = -row[2], row[3] = 0.25;
          }),
          "objective.data");
  refused("design.txt", design([](Rows& rows) {
            for (auto& row : rows) std::reverse(row.begin(), row.end() - 1);
          }),
          "objective.data");
  refused("design.txt", design([](Rows& rows) { std::swap(rows[0][4], rows[1][4]); }), "objective.data");
  refused("weights.txt", column(40, 2.0), "objective.weights");
  refused("truth.txt", column(4, 0.75), "trace.truth");
  CHECK(resume().code == 0);
}

TEST_CASE("resume: moved ratings and another test file are refused") {
  const TestFolder folder;
  std::mt19937 engine(3);
  const std::string data = ratings(engine);
  folder.put("ratings.tsv", data);
  folder.put("test.tsv", "1\t1\t0.5\n2\t2\t1\n");
  REQUIRE(ask(folder.path(), {"run", "objective.use=matrix-completion", "objective.data=ratings.tsv",
                              "objective.test=test.tsv", "set.use=nuclear-ball", "set.radius=20",
                              "algorithm.use=frank-wolfe", "stop.iterations=5", "--quiet", "--out", "run"})
              .code == 0);
  std::string moved;
  for (const std::string& line : lines(data)) {
    const auto tab = line.find('\t');
    moved += std::to_string(61 - std::stoi(line.substr(0, tab))) + line.substr(tab) + '\n';
  }
  folder.put("ratings.tsv", moved);
  CHECK(contains(ask(folder.path(), {"resume", "run"}).err, "contents of objective.data was"));
  folder.put("ratings.tsv", data);
  folder.put("test.tsv", "1\t1\t0.5\n2\t2\t2\n");
  CHECK(contains(ask(folder.path(), {"resume", "run"}).err, "contents of objective.test was"));
}

TEST_CASE("resume: data that was moved as it is goes on with the same bits") {
  const TestFolder folder;
  fs::create_directory(folder / "here");
  folder.put("here/design.txt", design(kSame));
  REQUIRE(ask(folder.path(), with(linear("here/design.txt"), {"--out", "run"})).code == 0);
  REQUIRE(ask(folder.path(), with(linear("here/design.txt"), {"stop.iterations=9", "--out", "whole"})).code ==
          0);
  fs::rename(folder / "here", folder / "there");
  CHECK(ask(folder.path(), {"resume", "run"}).code == 4);
  const auto resumed = ask(
      folder.path(), {"resume", "run", "objective.data=there/design.txt", "stop.iterations=9", "--quiet"});
  CHECK_MESSAGE(resumed.code == 0, resumed.err);
  CHECK(folder.get("run/solution/x.mtx") == folder.get("whole/solution/x.mtx"));
}

TEST_CASE("resume: another library of a component that takes part is refused, one of another is not") {
  const TestFolder folder;
  folder.put("design.txt", design(kSame));
  const fs::path plugins = fs::path(CLAROS_PROGRAM).parent_path().parent_path() / "lib/claros/plugins";
  fs::create_directory(folder / "mine");
  for (const char* name : {"claros_penalty_l1.so", "claros_penalty_ridge.so"})
    fs::copy_file(plugins / name, folder / "mine" / name);
  const auto command = [&](const Words& words) {
    return ask(folder.path(), with({"--plugin-path", "mine"}, words));
  };
  const auto began = command(with(linear("design.txt"), {"--out", "run"}));
  REQUIRE_MESSAGE(began.code == 0, began.err);
  const auto change = [&](const std::string& name) {
    folder.put("mine/" + name, folder.get("mine/" + name) + "a note at the end");
  };
  change("claros_penalty_ridge.so");
  CHECK(command({"resume", "run", "stop.iterations=7", "--quiet"}).code == 0);
  change("claros_penalty_l1.so");
  const auto refused = command({"resume", "run", "stop.iterations=9", "--quiet"});
  INFO(refused.err);
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "library of penalty/l1 was '"));
  CHECK(contains(refused.err, "--plugin-path DIR"));
  CHECK(lines(refused.err).size() == 2);  // the other warning: it replaces Claros' own plugin
}

namespace {

/// One composition for each objective that a specification can make without a file.
const std::vector<std::pair<std::string, Words>> kWithoutFiles{
    {"quadratic", {"objective.diagonal=4 2 1", "set.use=simplex", "set.radius=1"}},
    {"quadratic", {"objective.diagonal=4 2 1", "objective.linear=1 0 1", "set.use=box"}},
    {"distance", {"objective.data=1,2,3", "set.use=simplex", "set.radius=1"}},
    {"linear", {"objective.data=1,2,3", "set.use=simplex", "set.radius=1"}},
    {"linear-model",
     {"data.use=synthetic-regression", "data.rows=20", "data.nonzero=2", "data.cols=4", "penalty.use=l1",
      "penalty.lambda=0.1"}},
    {"square-root",
     {"data.use=synthetic-regression", "data.rows=20", "data.nonzero=2", "data.cols=4", "penalty.use=l1",
      "penalty.lambda=0.1"}},
    {"covariance",
     {"data.use=synthetic-regression", "data.rows=20", "data.nonzero=2", "data.cols=3", "penalty.use=l1",
      "penalty.lambda=0.1"}},
    {"log-det",
     {"data.use=synthetic-regression", "data.rows=20", "data.nonzero=2", "data.cols=3", "penalty.use=l1",
      "penalty.lambda=0.1"}},
    {"matrix-completion",
     {"data.use=synthetic", "data.rows=8", "data.cols=6", "set.use=nuclear-ball", "set.radius=5"}},
    {"matrix-sensing",
     {"data.use=synthetic-sensing", "data.rows=3", "data.cols=3", "set.use=nuclear-ball", "set.radius=5"}},
};

Words brief(const std::string& objective, const Words& words) {
  return with({"run", "objective.use=" + objective, "stop.iterations=3", "--quiet"}, words);
}

}  // namespace

TEST_CASE("inputs: a file parameter that is left empty names no file, wherever the result goes") {
  for (const auto& [objective, words] : kWithoutFiles) {
    const TestFolder folder;
    fs::create_directories(folder / "w/y");
    for (const std::string out : {"o", ".", "y", "../elsewhere"}) {
      CAPTURE(objective);
      CAPTURE(out);
      Launch l;
      l.folder = folder / "w";
      l.words = with(brief(objective, words), {"--out", out});
      if (out == ".") fs::remove_all(folder / "w/y"), fs::remove_all(folder / "w/o");
      const Outcome outcome = launch(l);
      CHECK_MESSAGE(outcome.code == 0, outcome.err);
      l.words = {"resume", out, "stop.iterations=5", "--quiet"};
      const Outcome resumed = launch(l);
      CHECK_MESSAGE(resumed.code == 0, resumed.err);
      CHECK_FALSE(nlohmann::json::parse(folder.get("w/" + out + "/result.json")).contains("changed_inputs"));
    }
  }
}

TEST_CASE("inputs: a column named as the folder of the result, and a start in it, are no changed inputs") {
  const TestFolder folder;
  folder.put("rows.csv", "a,y\n1,2\n2,3\n3,7\n");
  const Words words{"run",
                    "objective.use=linear-model",
                    "objective.data=rows.csv",
                    "penalty.use=l1",
                    "penalty.lambda=0.1",
                    "objective.response=y",
                    "stop.iterations=3",
                    "--quiet",
                    "--out",
                    "y"};
  const Outcome first = ask(folder.path(), words);
  CHECK_MESSAGE(first.code == 0, first.err);
  const Outcome again = ask(folder.path(), with(words, {"start.from=y"}));
  CHECK_MESSAGE(again.code == 0, again.err);
  CHECK_FALSE(nlohmann::json::parse(folder.get("y/result.json")).contains("changed_inputs"));
}

TEST_CASE("inputs: a run whose input changes on its way keeps its result, marks it, and is not resumed") {
  const TestFolder folder;
  const auto run = [&](const std::string& out, const std::function<void()>& change) {
    folder.put("truth.txt", "1 1\n1 1\n1 1\n");
    std::error_code code;
    fs::remove(folder / "go", code), fs::remove(folder / "waits", code);
    Launch l;
    l.folder = folder.path();
    l.words = {"run",
               "--plugin-path",
               CLAROS_BAD_PLUGIN_DIR,
               "objective.use=sound-distance",
               "objective.after=1000000",
               "set.use=hanging-minimize",
               "set.after=3",
               "set.radius=1.5",
               "algorithm.use=frank-wolfe",
               "stop.iterations=4",
               "trace.truth=truth.txt",
               "--out",
               out};
    l.environment = {"HANGING_PLUGIN_FILE=waits", "HANGING_PLUGIN_UNTIL=go"};
    Child child(l);
    wait_for(folder / "waits");
    change();
    folder.put("go", "");
    return child.wait();
  };
  const auto result = [&](const std::string& out) {
    return nlohmann::json::parse(folder.get(out + "/result.json"));
  };
  const Outcome same = run("same", [&] { folder.put("truth.txt", "1 1\n1 1\n1 1\n"); });
  CHECK_MESSAGE(same.code == 0, same.err);
  CHECK_FALSE(result("same").contains("changed_inputs"));
  const Outcome gone = run("gone", [&] { fs::remove(folder / "truth.txt"); });
  CHECK_MESSAGE(gone.code == 0, gone.err);
  const Outcome changed = run("changed", [&] { folder.put("truth.txt", "2 1\n1 1\n1 1\n"); });
  CHECK(changed.code == 4);
  CHECK(contains(changed.err, "warning: "));
  CHECK(contains(changed.err, "truth.txt: has changed since this run read it"));
  CHECK(contains(changed.out, "iterations: "));
  CHECK(result("changed")["status"] == "iterations");
  REQUIRE(result("changed")["changed_inputs"].size() == 1);
  CHECK(contains(result("changed")["changed_inputs"][0], "truth.txt"));
  const Outcome resumed = ask(folder.path(), {"resume", "changed", "--plugin-path", CLAROS_BAD_PLUGIN_DIR,
                                              "stop.iterations=6", "--quiet"});
  CHECK(resumed.code == 2);
  CHECK(contains(resumed.err, "contents of trace.truth was '"));
}

TEST_CASE("inputs: a grid whose input changes on its way keeps its results, marks them and ends with 4") {
  const TestFolder folder;
  for (const Words& command :
       {Words{"compare", "--vary", "set.radius=1.5,2"}, Words{"tune", "--over", "set.radius=1.5,2"}}) {
    CAPTURE(command.front());
    for (const bool changes : {false, true}) {
      CAPTURE(changes);
      folder.put("truth.txt", "1 1\n1 1\n1 1\n");
      std::error_code code;
      fs::remove(folder / "go", code);
      fs::remove(folder / "waits", code);
      Launch l;
      l.folder = folder.path();
      const std::string out = command.front() + (changes ? "-changed" : "-same");
      l.words = with(
          command, {"--plugin-path", CLAROS_BAD_PLUGIN_DIR, "objective.use=sound-distance",
                    "objective.after=1000000", "set.use=hanging-minimize", "set.after=3", "--jobs", "1",
                    "algorithm.use=frank-wolfe", "stop.iterations=4", "trace.truth=truth.txt", "--out", out});
      l.environment = {"HANGING_PLUGIN_FILE=waits", "HANGING_PLUGIN_UNTIL=go"};
      Child child(l);
      wait_for(folder / "waits");
      if (changes) folder.put("truth.txt", "2 1\n1 1\n1 1\n");
      folder.put("go", "");
      const Outcome outcome = child.wait();
      CHECK_MESSAGE(outcome.code == (changes ? 4 : 0), outcome.err);
      CHECK(contains(outcome.err, "truth.txt: has changed since a run read it") == changes);
      CHECK(contains(outcome.out, "radius"));
      CHECK(contains(folder.get(out + "/comparison.json"), "changed_inputs") == changes);
    }
  }
}
