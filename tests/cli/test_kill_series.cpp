// SPDX-License-Identifier: BSD-3-Clause
// Series of runs, resumptions and new runs into one folder, each killed at a random moment or left to its
// end. After every one the folder holds one run: predict is right or refuses, a result that was whole is
// still there, and what is resumed to its end has the bits of the run that was not killed. CLAROS_KILL_SERIES
// sets how many (tests/run --kill N).
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "kills.hpp"

using namespace claros::test;

namespace {

int series_wanted() {
  const char* text = std::getenv("CLAROS_KILL_SERIES");
  return text ? std::atoi(text) : 6;
}

/// Two runs that differ in everything that predict reads: data, ids, rank and form of the solution.
class Series {
 public:
  explicit Series(unsigned seed) : engine_(seed) {
    std::mt19937 data(23);
    folder_.put("one.tsv", ratings(data));
    std::string named;
    for (std::string line : lines(ratings(data))) named += "u" + line.insert(line.find('\t') + 1, "i") + '\n';
    folder_.put("two.tsv", named);
    for (const std::string name : {"one", "two"}) {
      folder_.put(name + ".pairs", name == "one" ? "1\t1\n2\t7\n30\t20\n" : "u1\ti1\nu2\ti7\nu30\ti20\n");
      const auto plain = ask(folder_.path(), run(name, name));
      REQUIRE_MESSAGE(plain.code == 0, plain.err);
      const auto asked = predict(name, name);
      REQUIRE_MESSAGE(asked.code == 0, asked.err);
      right_[name] = asked.out;
    }
  }

  void operator()(int number) {
    out_ = "out" + std::to_string(number);
    whole_ = false;
    for (int k = 2 + static_cast<int>(engine_() % 5); k > 0; --k) act();
    end();
    fs::remove_all(folder_ / out_);
  }
  int killed_runs = 0, killed_resumes = 0, refused = 0, predicted = 0;

 private:
  Words run(const std::string& name, const std::string& out) const {
    Words words{"run",
                "objective.use=matrix-completion",
                "objective.data=" + name + ".tsv",
                "objective.ids=" + std::string(name == "one" ? "one-based" : "arbitrary"),
                "set.use=nuclear-ball",
                "set.radius=20",
                "algorithm.use=frank-wolfe",
                "estimator.use=" + std::string(name == "one" ? "svrg" : "caspider"),
                "stop.iterations=40",
                "--quiet",
                "--out",
                out};
    words.push_back(engine_() % 8 || name == out ? "output.checkpoint_every=1" : "output.checkpoint=0");
    return words;
  }
  Outcome predict(const std::string& out, const std::string& name) const {
    return ask(folder_.path(), {"predict", out, name + ".pairs"});
  }
  std::string run_in(const std::string& out) const {
    return contains(folder_.get(out + "/spec.ini"), "one.tsv")   ? "one"
           : contains(folder_.get(out + "/spec.ini"), "two.tsv") ? "two"
                                                                 : "";
  }

  /// One process, which may be killed; another that wants the folder at once is refused, or comes after.
  void act() {
    const bool resumes = fs::exists(folder_ / out_ / "spec.ini") && engine_() % 2;
    const Words words = resumes ? Words{"resume", out_, "--quiet"} : run(engine_() % 2 ? "one" : "two", out_);
    const bool left = engine_() % 4 == 0;
    if (left) {
      const auto outcome = ask(folder_.path(), words);
      CHECK_MESSAGE(outcome.code == 0, outcome.err);
    } else if (run_and_kill(folder_, words, 5 + static_cast<int>(engine_() % 120))) {
      ++(resumes ? killed_resumes : killed_runs);
    }
    check_predictions();
  }

  void check_predictions() {
    bool any = false;
    for (const std::string& place : {out_, out_ + "/.claros-earlier"}) {
      if (!fs::exists(folder_ / place)) continue;
      const std::string name = run_in(place);
      const auto outcome = predict(place, name.empty() ? "one" : name);
      INFO(place, ": ", outcome.err);
      CHECK((outcome.code == 0 || outcome.code == 4));
      if (outcome.code == 0) {
        REQUIRE(right_.contains(name));
        CHECK(outcome.out == right_[name]);
        any = true;
      } else {
        CHECK_FALSE(place.ends_with("earlier"));  // what is set aside is whole
      }
      ++(outcome.code == 0 ? predicted : refused);
    }
    // Between two names of one move neither place has it; the next owner brings it back (end()).
    const bool moving = fs::exists(folder_ / out_ / ".claros-moving") ||
                        fs::exists(folder_ / out_ / ".claros-new/result.json");
    CHECK((any || moving || !whole_));
    whole_ = whole_ || any;
  }

  void end() {
    if (!fs::exists(folder_ / out_ / "spec.ini")) {
      const auto outcome = ask(folder_.path(), run("one", out_));
      CHECK_MESSAGE(outcome.code == 0, outcome.err);
    }
    const auto outcome = ask(folder_.path(), {"resume", out_, "--quiet"});
    CHECK_MESSAGE(outcome.code == 0, outcome.err);
    const std::string name = run_in(out_);
    REQUIRE(right_.contains(name));
    CHECK(predict(out_, name).out == right_[name]);
    CHECK(timeless(folder_.get(out_ + "/trace.csv")) == timeless(folder_.get(name + "/trace.csv")));
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder_ / out_))
      files.insert(entry.path().filename().string());
    files.erase("checkpoint");  // where there is one
    CHECK(files == std::set<std::string>{"spec.ini", "trace.csv", "solution", "result.json"});
    for (const auto& entry : fs::directory_iterator(folder_ / name / "solution"))
      CHECK(folder_.get(out_ + "/solution/" + entry.path().filename().string()) ==
            folder_.get(name + "/solution/" + entry.path().filename().string()));
  }

  mutable std::mt19937 engine_;
  TestFolder folder_;
  std::map<std::string, std::string> right_;
  std::string out_;
  bool whole_ = false;
};

}  // namespace

TEST_CASE(
    "kill series: a folder holds one run at any moment, and the old result until the new one is complete") {
  Series series(29);
  const int wanted = series_wanted();
  for (int k = 0; k < wanted; ++k) series(k);
  CHECK(series.killed_runs + series.killed_resumes > wanted / 2);
  std::printf("%d series: %d runs and %d resumes killed; predict was right %d times and refused %d times\n",
              wanted, series.killed_runs, series.killed_resumes, series.predicted, series.refused);
}
