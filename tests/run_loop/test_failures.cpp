// SPDX-License-Identifier: BSD-3-Clause
// Components that fail in a run: the run ends, says who and what to do, and keeps the last good iterate.
#include "scripted.hpp"

using namespace claros;
using namespace claros::test;

namespace {

struct Failure {
  std::string role, name, what;
  Status status = Status::failed;
  ErrorKind kind = ErrorKind::plugin;
};

const std::vector<Failure> kFailures{
    {"set", "throws-in-minimize", "threw an exception of type int"},
    {"set", "nan-vertex", "a vertex that is not finite"},
    {"set", "vertex-outside", "a vertex outside its own set, by 0.5 of its size"},
    {"set", "vertex-shape", "a vertex of shape 2 x 3 for 3 x 2"},
    {"estimator", "throws-in-estimate", "threw std::logic_error: no luck"},
    {"objective", "nan-gradient", "the gradient that came through estimator/full is not finite",
     Status::failed, ErrorKind::numerical},
    {"objective", "nan-value", "the value is nan", Status::diverged, ErrorKind::numerical},
};

Words words_for(const Failure& failure, const Words& more) {
  Words words{"objective.use=sound-distance", "set.use=frobenius-ball", "set.radius=1.5",
              "algorithm.use=frank-wolfe"};
  return words + Words{failure.role + ".use=" + failure.name, "stop.iterations=50"} + more;
}

RunResult sound(Index steps) {
  return solve({"objective.use=sound-distance", "set.use=frobenius-ball", "set.radius=1.5",
                "algorithm.use=frank-wolfe", "stop.iterations=" + std::to_string(steps)},
               {}, fixture_catalog());
}

}  // namespace

TEST_CASE("failures: each ends its run, names the plugin and what to do, and keeps the last good iterate") {
  const Element good = sound(3).answer;
  for (int round = 0; round < 2; ++round)  // one after the other in one process, twice
    for (const Failure& f : kFailures) {
      CAPTURE(f.name);
      // A row at every step asks for every value, none for no gradient but the steps'.
      const bool by_value = f.name == "nan-value";
      Words more{by_value ? "trace.every=1" : "trace.on=no"};
      if (by_value) more.push_back("objective.after=5");  // at x_0 twice, and at x_1..x_3
      const RunResult r = solve(words_for(f, more), {}, fixture_catalog());
      CHECK(r.status == f.status);
      CHECK(r.failure_kind == f.kind);
      check_mentions(r.failure, {(f.role + "/" + f.name).c_str(), f.what.c_str(), "after "});
      CHECK(r.failure.find('(') != std::string::npos);
      CHECK(r.failure.back() == ')');
      CHECK(same_bits(r.answer, good));
      CHECK(r.iterations == (by_value ? 4 : 3));
      CHECK(r.measurement.value == doctest::Approx(sound(3).measurement.value));
    }
}

TEST_CASE("failures: at the first call the start is what remains") {
  for (const Failure& f : kFailures) {
    if (f.role == "estimator") continue;
    for (const std::string trace : {"trace.on=no", "trace.every=1"}) {
      CAPTURE(f.name);
      CAPTURE(trace);
      if (f.name == "nan-value" && trace == "trace.on=no") continue;  // no value is requested before the end
      const RunResult r = solve(words_for(f, {f.role + ".after=0", trace}), {}, fixture_catalog());
      CHECK(r.status == f.status);
      CHECK(r.iterations == 0);
      check_mentions(r.failure, {f.name.c_str(), "after 0 steps"});
      CHECK(r.answer.shape() == Shape::matrix(3, 2));
      CHECK(norm(r.answer) == 0.0);
    }
  }
}

TEST_CASE("failures: the first failure is reported, not a later one of measuring") {
  const RunResult r = solve(words_for({"set", "throws-in-minimize", ""},
                                      {"objective.use=nan-value", "objective.after=0", "trace.on=no"}),
                            {}, fixture_catalog());
  CHECK(r.status == Status::failed);
  check_mentions(r.failure, {"throws-in-minimize"});
  CHECK(r.failure.find("nan-value") == std::string::npos);
}

TEST_CASE("failures: a run that fails is written like any other") {
  const TestFolder folder;
  for (const Failure& f : kFailures) {
    const Composition c = compose(fixture_catalog(), spec_of(words_for(f, {})));
    const RunResult r = run_composition(c);
    CAPTURE(f.name);
    CHECK(r.status == f.status);
    write_run_folder(folder / f.name, c, r);
    const std::string json = folder.get(f.name + "/result.json");
    check_mentions(json, {"\"failure\"", f.name.c_str(), text(r.status).c_str()});
  }
}

TEST_CASE("failures: the process is sound afterwards") {
  for (const Failure& f : kFailures) (void)solve(words_for(f, {}), {}, fixture_catalog());
  const RunResult r = sound(200);
  CHECK(r.status == Status::iterations);
  CHECK(r.failure.empty());
  // The nearest point to all ones is 1.5 / sqrt(6) of it: f* = (sqrt(6) - 1.5)^2 / 2.
  CHECK(r.measurement.value == doctest::Approx(0.5 * std::pow(std::sqrt(6.0) - 1.5, 2)).epsilon(1e-2));
}

TEST_CASE("failures: an algorithm that throws names itself, and its last answer is kept") {
  ScriptedRun trial([](Index t) {
    if (t == 4) throw std::string("text");
    return 1.0 + static_cast<double>(t);
  });
  trial.settings.stop.iterations = 10;
  const RunResult r = trial();
  CHECK(r.status == Status::failed);
  CHECK(r.iterations == 3);
  check_mentions(r.failure, {"after 3 steps: algorithm: threw an exception of type", "string"});
  CHECK(r.answer.to_dense()[0] == 4.0);
  CHECK(r.measurement.value == 4.0);
}

TEST_CASE("failures: a start that fails keeps the start") {
  ScriptedRun trial(
      [](Index) -> double { throw Error(ErrorKind::data, "algorithm", "no script", "write one"); });
  trial.settings.stop.iterations = 10;
  const RunResult r = trial();
  CHECK(r.status == Status::failed);
  CHECK(r.failure_kind == ErrorKind::data);
  CHECK(r.answer.shape() == Shape::matrix(1, 1));
}

TEST_CASE("failures: NaN values end a search for the first step") {
  for (const std::string after : {"0", "1", "2", "3"}) {
    CAPTURE(after);
    const RunResult r = solve({"objective.use=nan-value", "objective.after=" + after,
                               "algorithm.use=proximal-gradient", "stop.iterations=4", "trace.every=1"},
                              {}, fixture_catalog());
    CHECK(r.status == Status::diverged);
    check_mentions(r.failure, {"objective/nan-value", "the value is nan"});
  }
}
