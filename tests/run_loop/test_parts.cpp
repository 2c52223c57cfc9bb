// SPDX-License-Identifier: BSD-3-Clause
// Parts within parts: an algorithm that holds an algorithm that holds another, a set that holds a list of
// sets. What is true of an outermost part is true of every one below it.
#include <claros/state/state.hpp>

#include "compose_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const Words kObjective{"objective.use=sound-distance", "objective.after=1000000"};
const Words kHull{"set.use=hull",
                  "set.blocks.1.use=frobenius-ball",
                  "set.blocks.1.radius=1",
                  "set.blocks.1.after=100000",
                  "set.blocks.2.use=nuclear-ball",
                  "set.blocks.2.radius=1.5"};
const Words kNested{"algorithm.use=nest",
                    "algorithm.inner.use=nest",
                    "algorithm.inner.inner.use=frank-wolfe",
                    "algorithm.inner.inner.step=short",
                    "algorithm.inner.inner.smoothness=1",
                    "algorithm.inner.gauge.use=nuclear-ball",
                    "algorithm.inner.gauge.radius=2",
                    "algorithm.inner.every=3"};
const Words kStop{"stop.iterations=12", "trace.every=1"};

const Words kThreeDeep = kObjective + kHull + kNested + kStop;

std::string fixtures_refused(const Words& words) {
  try {
    (void)compose(fixture_catalog(), spec_of(words));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    for (const Complaint& c : error.complaints()) {
      CHECK_MESSAGE(!c.where.empty(), c.sentence());
      CHECK_MESSAGE(!c.remedy.empty(), c.sentence());
    }
    return error.what();
  }
  FAIL_CHECK("nothing was refused");
  return {};
}

const Node* at(const Composition& c, const std::string& path) {
  for (const Node* part : c.all_parts())
    if (part->path == path) return part;
  return nullptr;
}

}  // namespace

TEST_CASE("parts: three levels are composed, each from its section") {
  const Composition c = compose(fixture_catalog(), spec_of(kThreeDeep));
  CHECK(c.all_parts().size() == 9);
  REQUIRE(at(c, "algorithm.inner.inner"));
  CHECK(at(c, "algorithm.inner.inner")->label() == "algorithm/frank-wolfe");
  CHECK(at(c, "algorithm.inner.gauge")->label() == "set/nuclear-ball");
  CHECK(at(c, "set.blocks.2")->role == "blocks");
  CHECK(c.effective.get("algorithm.inner.inner", "step")->value == "short");
  CHECK(c.effective.get("algorithm.inner", "every")->value == "3");
  CHECK(c.effective.get("set.blocks.1", "use")->value == "frobenius-ball");
  // The effective specification is the same composition.
  const Composition again = compose(fixture_catalog(), Spec::parse(c.effective.text(), "effective.ini"));
  CHECK(again.effective.text() == c.effective.text());
  const auto versions = c.versions();
  for (const std::string label :
       {"algorithm/nest", "algorithm/frank-wolfe", "set/hull", "set/nuclear-ball", "set/frobenius-ball"})
    CHECK_MESSAGE(
        std::count_if(versions.begin(), versions.end(), [&](const auto& v) { return v.first == label; }) == 1,
        label);
}

TEST_CASE("parts: a part without a name is the default of the table") {
  const Composition c =
      compose(fixture_catalog(), spec_of(kObjective + kHull + kStop + Words{"algorithm.use=nest"}));
  CHECK(at(c, "algorithm.inner")->label() == "algorithm/frank-wolfe");
  CHECK(at(c, "algorithm.gauge") == nullptr);
}

TEST_CASE("parts: what they are asked is counted once, however deep") {
  const Composition c = compose(fixture_catalog(), spec_of(kThreeDeep + Words{"trace.on=no"}));
  const RunResult r = run_composition(c);
  REQUIRE_MESSAGE(r.failure.empty(), r.failure);
  // Every step of frank-wolfe asks for one gradient (one component) and one vertex of the hull; the gauge is
  // asked besides.
  const Index steps = r.counts.sfo;
  CHECK(steps >= 12);
  CHECK(steps <= 48);
  CHECK(r.counts.lo > steps);
  CHECK(r.counts.lo <= steps + 8);
  CHECK(r.component_seconds.oracle > 0.0);
}

TEST_CASE("parts: what comes back wrong from a part within a part names it") {
  const RunResult r =
      solve(kObjective + kNested + kStop +
                Words{"set.use=hull", "set.blocks.1.use=vertex-outside", "set.blocks.1.after=2"},
            {}, fixture_catalog());
  CHECK(r.status == Status::failed);
  CHECK(r.failure.find("set/vertex-outside: the linear oracle returned a vertex outside its own set") !=
        std::string::npos);
}

TEST_CASE("parts: a resumed run makes the same steps, from every step on") {
  const Words words = kThreeDeep + Words{"stop.iterations=30"};
  const RunResult whole = solve(words, {}, fixture_catalog());
  REQUIRE(whole.failure.empty());
  // Without the state of the part two levels down, its coins would fall otherwise.
  std::vector<std::string> states;
  (void)solve(
      words,
      [&](RunSettings& settings) {
        settings.checkpoint_every = 1;
        settings.on_checkpoint = [&](const StateStream& state, bool) { states.push_back(collected(state)); };
      },
      fixture_catalog());
  REQUIRE(states.size() >= 30);
  for (const std::size_t k : {std::size_t{0}, std::size_t{6}, std::size_t{13}, std::size_t{28}}) {
    CAPTURE(k);
    const RunResult resumed = solve(
        words, [&](RunSettings& settings) { settings.resume = states[k]; }, fixture_catalog());
    CHECK(same_bits(resumed.answer, whole.answer));
    CHECK(resumed.counts == whole.counts);
    REQUIRE(resumed.trace.size() == whole.trace.size());
    for (std::size_t t = 0; t < whole.trace.size(); ++t)
      CHECK(resumed.trace[t].value == whole.trace[t].value);
  }
}

TEST_CASE("parts: a trial has parts of its own, down to the last") {
  const Composition c = compose(fixture_catalog(), spec_of(kThreeDeep));
  const Composition other = c.trial(1);
  for (const std::string path :
       {"algorithm", "algorithm.inner", "algorithm.inner.inner", "algorithm.inner.gauge", "set.blocks.2"})
    CHECK_MESSAGE(at(c, path)->component != at(other, path)->component, path);
  CHECK(at(c, "objective")->component == at(other, "objective")->component);
}

TEST_CASE("parts: what no owner asks for is refused, with what it has") {
  const Words base = kObjective + kHull + kStop;
  check_mentions(
      fixtures_refused(base + Words{"algorithm.use=nest", "algorithm.innr.use=frank-wolfe"}),
      {"algorithm.innr.use", "algorithm/nest at [algorithm] has no part 'innr'", "did you mean 'inner'?"});
  check_mentions(
      fixtures_refused(base + Words{"algorithm.use=frank-wolfe", "algorithm.inner.use=frank-wolfe"}),
      {"algorithm/frank-wolfe at [algorithm] has no part 'inner'", "it holds no parts"});
  check_mentions(
      fixtures_refused(base + Words{"algorithm.use=nest", "algorithm.inner.use=frank-wolf"}),
      {"algorithm.inner.use", "there is no algorithm named 'frank-wolf'", "did you mean 'frank-wolfe'?"});
  check_mentions(fixtures_refused(base + Words{"algorithm.use=nest", "algorithm.inner.steps=short"}),
                 {"algorithm.inner.steps", "algorithm/frank-wolfe has no parameter 'steps'"});
  check_mentions(fixtures_refused(base + Words{"algorithm.use=nest", "stop.inner.use=full"}),
                 {"[stop] is a built-in section"});
  check_mentions(fixtures_refused(kObjective + kStop + Words{"algorithm.use=nest", "set.use=hull"}),
                 {"set.blocks", "expected a list", "set.blocks.1.use = NAME"});
  check_mentions(fixtures_refused(base + Words{"algorithm.use=nest", "set.blocks.4.use=nuclear-ball",
                                               "set.blocks.4.radius=1"}),
                 {"set.blocks.4", "no part 'blocks.4'"});
}

TEST_CASE("parts: an option that a component refuses is named by its whole path") {
  const auto where = [](const Words& words, const std::string& path) {
    const std::string text = fixtures_refused(kObjective + kStop + words);
    CHECK_MESSAGE(text.find(path + ": ") != std::string::npos, text);
  };
  const Words hull = kHull;
  where(hull + Words{"algorithm.use=frank-wolfe", "algorithm.step=constant"}, "algorithm.weight");
  where(
      hull + Words{"algorithm.use=nest", "algorithm.inner.use=frank-wolfe", "algorithm.inner.step=constant"},
      "algorithm.inner.weight");
  where(hull + Words{"algorithm.use=nest", "algorithm.inner.use=nest",
                     "algorithm.inner.inner.use=frank-wolfe", "algorithm.inner.inner.step=normalized"},
        "algorithm.inner.inner.eta");
  const Words ball{"algorithm.use=proximal-gradient", "set.use=lp-ball", "set.radius=1"};
  where(ball + Words{"set.weights=1 -1"}, "set.weights");
  const Words two{"algorithm.use=proximal-gradient", "set.use=intersection",
                  "set.sets.1.use=lp-ball",          "set.sets.1.radius=1",
                  "set.sets.2.use=l2-ball",          "set.sets.2.radius=1"};
  where(two + Words{"set.sets.1.weights=1 -1"}, "set.sets.1.weights");
  where(Words{"algorithm.use=proximal-gradient", "penalty.use=sum", "penalty.terms.1.use=l1",
              "penalty.terms.1.lambda=1", "penalty.terms.2.use=slope", "penalty.terms.2.lambda=1",
              "penalty.terms.2.weights=1 2"},
        "penalty.terms.2.weights");
}

TEST_CASE("parts: what a component refuses at a call is named by its whole path, with the line of the file") {
  const auto refused_of = [](const Words& words) {
    Spec spec = spec_of(kObjective + kStop + words);
    for (const std::string section : {"set", "set.sets.1"})
      if (const auto setting = spec.get(section, "weights"))
        spec.set(section + ".weights", setting->value, "robust.ini:12");
    return refusal(ErrorKind::usage, [&] {
      const Composition c = compose(fixture_catalog(), spec);
      (void)run(c, run_settings(c));
    });
  };
  const Words one{"algorithm.use=proximal-gradient", "set.use=lp-ball", "set.radius=1", "set.weights=1 2"};
  CHECK(refused_of(one).find("robust.ini:12: set.weights: ") != std::string::npos);
  const Words two{"algorithm.use=proximal-gradient",
                  "set.use=intersection",
                  "set.sets.1.use=lp-ball",
                  "set.sets.1.radius=1",
                  "set.sets.1.weights=1 2",
                  "set.sets.2.use=l2-ball",
                  "set.sets.2.radius=1"};
  CHECK(refused_of(two).find("robust.ini:12: set.sets.1.weights: ") != std::string::npos);
}

TEST_CASE("parts: neither a part of itself nor a tower is composed") {
  check_mentions(fixtures_refused(kObjective + kStop + Words{"algorithm.use=frank-wolfe", "set.use=endless"}),
                 {"set.inner", "set/endless contains itself", "set.inner.use = NAME"});
  Words tower = kObjective + kHull + kStop;
  std::string path = "algorithm";
  for (int level = 0; level < 20; ++level, path += ".inner") tower.push_back(path + ".use=nest");
  check_mentions(fixtures_refused(tower), {"nested more than 16 levels"});
}

TEST_CASE("parts: a program fills a part within a part, and not twice") {
  HostParts parts;
  const Composition donor =
      compose(fixture_catalog(), spec_of(kObjective + kHull + kStop + Words{"algorithm.use=frank-wolfe"}));
  parts.parts["algorithm.inner"] = {Kind::algorithm, donor.algorithm};
  const Words words = kObjective + kHull + kStop + Words{"algorithm.use=nest"};
  const Composition c = compose(fixture_catalog(), spec_of(words), parts);
  CHECK(at(c, "algorithm.inner")->label() == "algorithm/host");
  CHECK(run_composition(c).iterations == 12);
  CHECK_THROWS_WITH_AS(
      (void)compose(fixture_catalog(), spec_of(words + Words{"algorithm.inner.use=frank-wolfe"}), parts),
      doctest::Contains("algorithm.inner: is given by the program itself and by the specification"), Error);
  parts.parts["algorithm.inner"].kind = Kind::estimator;
  CHECK_THROWS_WITH_AS((void)compose(fixture_catalog(), spec_of(words), parts),
                       doctest::Contains("takes a component of kind algorithm"), Error);
  parts.parts = {{"algorithm.outer", {Kind::algorithm, donor.algorithm}}};
  CHECK_THROWS_WITH_AS((void)compose(fixture_catalog(), spec_of(words), parts),
                       doctest::Contains("has no part 'outer'"), Error);
}
