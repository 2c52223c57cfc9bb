// SPDX-License-Identifier: BSD-3-Clause
// Runs on an objective with a domain, of another plugin's author: line searches stay inside, nothing is asked
// outside, and gaps and residuals are those of points inside.
#include <doctest/doctest.h>
#include <claros/compose/composition.hpp>
#include <claros/program.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace claros;

namespace {

using Words = std::vector<std::string>;

const Catalog& catalog() {
  static const Catalog all = [] {
    Catalog c;
    serve(c);
    c.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
    c.load(CLAROS_PLANTED_DIR "/identity_link.so");
    return c;
  }();
  return all;
}

RunResult solved(Words words, const Words& more) {
  words.insert(words.begin(), "objective.use=planted-identity-link");
  words.insert(words.end(), more.begin(), more.end());
  Spec spec;
  spec.assign(words);
  const Composition composition = compose(catalog(), spec);
  return run(composition, run_settings(composition));
}

std::string refusal_of(const Words& words) {
  try {
    (void)solved(words, {"stop.iterations=3"});
    return "accepted";
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("domain: over sets, every step rule and method stays inside and comes to one value") {
  for (const Words& set :
       {Words{"set.use=simplex", "set.radius=4"}, Words{"set.use=box", "set.lower=-3", "set.upper=3"},
        Words{"set.use=l1-ball", "set.radius=4"}, Words{"set.use=l2-ball", "set.radius=1.5"}}) {
    const RunResult best =
        solved(set, {"algorithm.use=proximal-gradient", "stop.relative_gap=1e-7", "stop.iterations=20000"});
    CAPTURE(set.front());
    CAPTURE(best.failure);
    REQUIRE(best.status == Status::relative_gap);
    for (const std::string method :
         {"frank-wolfe algorithm.step=agnostic", "frank-wolfe algorithm.step=line-search",
          "frank-wolfe algorithm.step=adaptive", "frank-wolfe algorithm.step=monotonic", "away-step",
          "pairwise", "blended-pairwise", "three-operator", "auto"}) {
      Words words = set;
      const auto space = method.find(' ');
      if (method != "auto") words.push_back("algorithm.use=" + method.substr(0, space));
      if (space != method.npos) words.push_back(method.substr(space + 1));
      CAPTURE(method);
      const RunResult r = solved(words, {"stop.relative_gap=2e-3", "stop.iterations=20000"});
      CAPTURE(r.failure);
      CHECK(r.status == Status::relative_gap);
      CHECK(r.measurement.confirmed);
      CHECK(r.measurement.gap >= 0.0);
      CHECK(r.measurement.value >= best.measurement.value - best.measurement.gap - 1e-9);
      CHECK(r.measurement.value - r.measurement.gap <= best.measurement.value + 1e-9);
    }
  }
}

TEST_CASE("domain: without a set the run starts at the inner point and ends where the residual says") {
  for (const Words& words : {Words{"algorithm.use=proximal-gradient"},
                             Words{"penalty.use=l1", "penalty.lambda=0.3", "algorithm.use=proximal-gradient"},
                             Words{"penalty.use=ridge", "penalty.lambda=0.1"},
                             Words{"penalty.use=l1", "penalty.lambda=0.3", "algorithm.use=three-operator"}}) {
    const RunResult r = solved(words, {"stop.residual=1e-6", "stop.iterations=20000"});
    CAPTURE(words.front());
    CAPTURE(r.failure);
    CHECK(r.status == Status::residual);
    CHECK(std::isfinite(r.measurement.value));
    CHECK(std::isfinite(r.residual_scale));
    CHECK(r.residual_scale > 0.0);
  }
}

TEST_CASE(
    "domain: a given length is cut where it leads outside, along the full gradient; along batches the run "
    "says that it left") {
  const RunResult cut = solved({"algorithm.use=proximal-gradient", "algorithm.step=30"},
                               {"stop.iterations=5", "trace.every=1"});
  CAPTURE(cut.failure);
  CHECK((cut.status == Status::iterations || cut.status == Status::diverged));
  REQUIRE(cut.trace.size() > 1);
  for (const TraceRow& row : cut.trace) CHECK(std::isfinite(row.value));
  const RunResult left = solved(
      {"algorithm.use=proximal-gradient", "algorithm.step=30", "estimator.use=sg", "estimator.batch=2"},
      {"stop.iterations=50", "trace.every=1"});
  CHECK(left.status == Status::diverged);
  CHECK(holds(left.failure, "left the domain of objective/planted-identity-link"));
  CHECK(std::isfinite(left.measurement.value));
  CHECK_FALSE(left.measurement.confirmed);
}

TEST_CASE("domain: a start outside and a fraction of what is made at 0 are refused") {
  CHECK(holds(refusal_of({"start.from=zero", "algorithm.use=proximal-gradient"}), "lies outside its domain"));
  CHECK(holds(refusal_of({"penalty.use=l1", "penalty.lambda=0.1*max", "algorithm.use=proximal-gradient"}),
              "infinite at 0"));
}
