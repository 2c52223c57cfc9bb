// SPDX-License-Identifier: BSD-3-Clause
// claros advise: what it says of a problem agrees with what check and run do.
#include "program.hpp"

#include <algorithm>
#include <sstream>

using namespace claros::test;

namespace {

using Advice = nlohmann::json;

const Words kAdvisedLasso{
    "data.use=synthetic-regression", "data.rows=40",   "data.cols=12",          "data.nonzero=3",
    "objective.use=linear-model",    "penalty.use=l1", "penalty.lambda=0.1*max"};
const Words kAdvisedBall{"data.use=synthetic",   "data.rows=12",
                         "data.cols=9",          "objective.use=matrix-completion",
                         "set.use=nuclear-ball", "set.radius=20"};

Advice advice(const Words& problem) {
  const Outcome outcome = ask("/", with({"advise", "--json"}, problem));
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  return nlohmann::json::parse(outcome.out);
}

const Advice& method(const Advice& all, const std::string& name) {
  const auto at =
      std::ranges::find_if(all.at("methods"), [&](const Advice& m) { return m.at("algorithm") == name; });
  REQUIRE(at != all.at("methods").end());
  return *at;
}

/// Lines are as wide as a terminal: the text with one blank for each break.
std::string on_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

TEST_CASE("advise: a Lasso in sentences") {
  const Outcome outcome = ask("/", with({"advise"}, kAdvisedLasso));
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
  for (const char* text : {"f is smooth (L = ", "and convex", "the penalty is convex, separable",
                           "working-set with coordinate-descent inside, since the penalty leaves most",
                           "duality gap: the value is within gap of the minimum", "<- auto", "not away-step",
                           "claros compare data.use=synthetic-regression"})
    CHECK_MESSAGE(contains(on_one_line(outcome.out), text), outcome.out);
}

TEST_CASE("advise: every method that it names runs, and every other is refused for its reason") {
  for (const Words& problem : {kAdvisedLasso, kAdvisedBall}) {
    const Advice all = advice(problem);
    CHECK(all.at("methods").size() >= 16);
    for (const Advice& m : all.at("methods")) {
      const Words words = with(problem, {"algorithm.use=" + m.at("algorithm").get<std::string>()});
      CAPTURE(m.dump());
      const Outcome checked = ask("/", with({"check"}, words));
      if (m.at("runs")) {
        CHECK_MESSAGE(checked.code == 0, checked.err);
      } else if (checked.code != 0) {
        CHECK_MESSAGE(contains(checked.err, m.at("reason").get<std::string>().substr(0, 40)), checked.err);
      } else {
        CHECK(contains(m.at("reason").get<std::string>(), "is missing"));  // example values were not enough
      }
    }
    // What auto takes is what check writes down.
    const Outcome chosen = ask("/", with({"check"}, problem));
    const std::string name = all.at("methods").at(0).at("algorithm");
    CHECK(all.at("methods").at(0).at("auto") == true);
    CHECK(contains(chosen.out, "[algorithm]\nuse = " + name + "\n"));
  }
}

TEST_CASE("advise: the cost of a step is what a run of these steps counts") {
  const Advice all = advice(kAdvisedBall);
  CHECK(all.at("problem").at("shape") == "12 x 9");
  CHECK(all.at("problem").at("convex") == true);
  CHECK(contains(all.at("problem").at("set").get<std::string>(), "vertices of low rank"));
  const Advice& m = method(all, "frank-wolfe");
  const Outcome run = ask("/", with({"run", "--json", "trace.on=no", "algorithm.use=frank-wolfe",
                                     "stop.iterations=" + std::to_string(m.at("steps").get<int>())},
                                    kAdvisedBall));
  REQUIRE_MESSAGE(run.code == 0, run.err);
  const Advice result = nlohmann::json::parse(run.out);
  const double steps = m.at("steps"), n = result.at("components");
  CHECK(m.at("step").at("passes").get<double>() ==
        doctest::Approx(result.at("counts").at("sfo").get<double>() / steps / n));
  CHECK(m.at("step").at("linear minimisations").get<double>() ==
        doctest::Approx(result.at("counts").at("lo").get<double>() / steps));
  CHECK(m.at("certificate") == "frank-wolfe gap");
  CHECK(m.at("certifies") == result.at("certifies"));
}

TEST_CASE("advise: the algorithm that a specification names is marked, and does not hide the choice") {
  const Advice all =
      advice(with(kAdvisedLasso, {"algorithm.use=proximal-gradient", "algorithm.accelerate=no"}));
  CHECK(all.at("auto").at("name") == "working-set with coordinate-descent inside");
  CHECK(method(all, "proximal-gradient").at("named") == true);
  CHECK(method(all, "proximal-gradient").at("auto") == false);
}

TEST_CASE("advise: where no gap is known it says so, and errors are those of check") {
  const Advice all = advice({"data.use=synthetic-regression", "data.rows=30", "data.cols=6", "data.nonzero=2",
                             "objective.use=linear-model", "penalty.use=mcp", "penalty.lambda=0.1*max"});
  CHECK(all.at("problem").at("penalty") == "the penalty is weakly convex, separable");
  CHECK(all.at("problem").at("convex") == false);
  CHECK(all.at("methods").at(0).at("certificate") == "residual");
  const Words wrong{"objective.use=linear-model", "objective.data=none.csv", "penalty.use=l1"};
  const Outcome advised = ask("/", with({"advise"}, wrong)), checked = ask("/", with({"check"}, wrong));
  CHECK(advised.code == checked.code);
  CHECK(advised.err == checked.err);
  CHECK(ask("/", with({"advise", "--seconds", "0"}, kAdvisedLasso)).code == 2);
}
