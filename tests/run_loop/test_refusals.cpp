// SPDX-License-Identifier: BSD-3-Clause
// Compositions that cannot be meant: everything that is wrong, at once, each with what to do.
#include "scripted.hpp"

#include <algorithm>

using namespace claros;
using namespace claros::test;

namespace {

std::vector<Complaint> refused(const Words& words, ErrorKind kind = ErrorKind::usage) {
  try {
    (void)compose(fixture_catalog(), spec_of(words));
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    for (const Complaint& c : error.complaints()) {
      CHECK_MESSAGE(!c.where.empty(), c.sentence());
      CHECK_MESSAGE(!c.remedy.empty(), c.sentence());
    }
    return error.complaints();
  }
  FAIL_CHECK("nothing was refused");
  return {};
}

std::string all(const std::vector<Complaint>& complaints) {
  std::string text;
  for (const Complaint& c : complaints) text += c.sentence() + "\n";
  return text;
}

const Words kSound{"objective.use=sound-distance", "set.use=frobenius-ball", "algorithm.use=frank-wolfe",
                   "stop.iterations=3"};

/// kSound without the settings of a section.
Words without(const std::string& section) {
  Words words;
  for (const std::string& word : kSound)
    if (!word.starts_with(section + ".")) words.push_back(word);
  return words;
}

}  // namespace

TEST_CASE("refusals: the sound composition is none") {
  const Composition c = compose(fixture_catalog(), spec_of(kSound));
  CHECK(c.names.objective == "objective/sound-distance");
  CHECK(c.names.set == "set/frobenius-ball");
  CHECK(c.names.estimator == "estimator/full");
  CHECK(c.versions().size() == 4);
}

TEST_CASE("refusals: frank-wolfe without a set") {
  const auto complaints = refused(without("set"));
  REQUIRE(complaints.size() == 1);
  check_mentions(complaints[0].sentence(),
                 {"set", "algorithm/frank-wolfe", "linear oracle", "every step minimises a linear function",
                  "no set is given", "nuclear-ball", "frobenius-ball"});
  CHECK(complaints[0].remedy.find("good") == std::string::npos);  // a set, but one without the ability
}

TEST_CASE("refusals: frank-wolfe with a set that has no linear oracle") {
  const auto complaints = refused(kSound + Words{"set.use=good"});
  REQUIRE(complaints.size() == 1);
  check_mentions(complaints[0].sentence(),
                 {"algorithm/frank-wolfe", "linear oracle", "set/good has none", "nuclear-ball"});
}

TEST_CASE("refusals: what a composition cannot do without") {
  check_mentions(all(refused(without("objective"))), {"objective", "is missing", "matrix-completion"});
  const Composition endless = compose(fixture_catalog(), spec_of(without("stop")));
  CHECK(endless.stop.relative_gap == 1e-6);
  CHECK(endless.effective.get("stop", "relative_gap")->value == "1e-06");
  CHECK(std::ranges::count_if(endless.notices, [](const std::string& notice) {
          return notice.find("no rule given, so stop.relative_gap = 1e-06") != notice.npos;
        }) == 1);
  check_mentions(all(refused(kSound + Words{"estimator.use=needs-curvature"})),
                 {"estimator/needs-curvature", "Hessian products", "objective/sound-distance",
                  "another gradient estimator"});
}

TEST_CASE("refusals: what is missing, misspelt, out of range and unfit comes in one error") {
  const auto complaints =
      refused({"set.raduis=3", "set.use=good", "set.radius=-1", "algorithm.use=frank-wolfe",
               "algorithm.stpe=short", "estimator.use=fulll", "penalty.use=l1-nrom", "smoother.weight=1",
               "trace.evry=3", "run.threads=0", "stop.iterations=many", "output.solution=perhaps"});
  const std::string text = all(complaints);
  check_mentions(text,
                 {"objective: is missing", "set.raduis", "'radius'", "set.radius", "algorithm.stpe", "'step'",
                  "estimator.use", "'full'", "penalty.use", "smoother: has settings but names no component",
                  "trace.evry", "'every'", "run.threads", "stop.iterations", "output.solution"});
  CHECK(complaints.size() == 11);
}

TEST_CASE("refusals: what does not fit together is said beside what is missing") {
  const auto complaints = refused({"algorithm.use=frank-wolfe"});
  const std::string text = all(complaints);
  check_mentions(text, {"objective: is missing", "needs a set with a linear oracle"});
  CHECK(complaints.size() == 2);
  // A set that was misspelt is not said to be missing too.
  CHECK(refused(kSound + Words{"set.use=nuclear-bal"}).size() == 1);
  CHECK(refused(kSound + Words{"set.radius=-1"}).size() == 1);
  CHECK(refused(kSound + Words{"algorithm.weight=2"}).size() == 1);
}

TEST_CASE("refusals: numbers that a step rule needs are reported with the rest") {
  const std::string text = all(refused(without("set") + Words{"algorithm.step=constant"}));
  check_mentions(text, {"weight"});
}

TEST_CASE("refusals: data are read last, and their errors are data errors") {
  const SmallProblem problem(701, 4, 3, 1, 8);
  const Words absent = problem.words(1.0, {"objective.data=/nowhere/absent.tsv", "stop.iterations=3"});
  check_mentions(all(refused(absent, ErrorKind::data)), {"absent.tsv"});
  // A specification that cannot run is refused for that, without a pass over the data.
  const std::string text =
      all(refused(problem.objective() +
                  Words{"objective.data=/nowhere/absent.tsv", "algorithm.use=frank-wolfe", "stop.gap=-1"}));
  CHECK(text.find("absent.tsv") == std::string::npos);
  check_mentions(text, {"linear oracle", "stop.gap"});
  check_mentions(all(refused(problem.words(1.0, {"objective.data=", "stop.iterations=3"}))),
                 {"objective.data", "observed entries"});
}

TEST_CASE("refusals: the loop itself refuses an algorithm that lacks a part") {
  const Composition c = compose(fixture_catalog(), spec_of(kSound));
  Problem bare = c.problem();
  bare.set = nullptr;
  bare.linear_oracle = nullptr;
  const auto refuse = [&](const Problem& p) {
    return complaint([&] { (void)run(p, *c.algorithm, c.start_point(), run_settings(c), c.names); },
                     ErrorKind::usage);
  };
  check_mentions(refuse(bare), {"linear oracle", "no set is given", "choose a set"});
  check_mentions(refuse(Problem{}), {"objective: is missing", "estimator: is missing", "linear oracle"});
}
