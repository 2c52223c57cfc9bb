// SPDX-License-Identifier: BSD-3-Clause
// What a run says at its end follows from the problem, and from nothing else: neither its start nor its units
// make a target met, the gap is the least that is known, and a run whose steps change nothing says so.
#include "scripted.hpp"

#include <claros/results/certified.hpp>
#include <claros/results/run_folder.hpp>

namespace claros::test::verdicts {

namespace {

const Words kBudget{"stop.relative_gap=1e-6", "stop.iterations=300000"};

/// sum_j d_j x_j^2 / 2 over the simplex, d = unit (1e8, 1e-12, 1): the least is unit / 2 / sum_j 1 / d_j.
Words badly_scaled(double unit) {
  return {"objective.use=quadratic",
          "objective.diagonal=" + print_real(1e8 * unit) + ' ' + print_real(1e-12 * unit) + ' ' +
              print_real(unit),
          "set.use=simplex", "set.radius=1"};
}

/// Changes neither its point nor its state.
class Standing final : public Algorithm, public State {
 public:
  std::vector<Need> needs() const override { return {}; }
  Takes takes() const override { return {.penalty = true, .set = true}; }
  void start(const Problem&, Element x0) override { x_ = std::move(x0); }
  void step() override { counter_ += counts_ ? 1.0 : 0.0; }
  const Element& iterate() const override { return x_; }
  void state(StateVisitor& v) override {
    v("x", x_);
    v("counter", counter_);
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }
  bool counts_ = false;

 private:
  double counter_ = 0.0;
  Element x_;
};

RunResult stand(bool counts, const Words& stop) {
  auto algorithm = std::make_shared<Standing>();
  algorithm->counts_ = counts;
  HostParts parts;
  parts.parts["algorithm"] = {Kind::algorithm, algorithm};
  return run_composition(compose(
      build_catalog(),
      spec_of(Words{"objective.use=distance", "objective.data=3 4 5", "set.use=l2-ball", "set.radius=1"} +
              stop),
      parts));
}

}  // namespace

TEST_CASE("verdicts: a relative gap is met only near the minimum, whatever the units and the method") {
  const double least = 0.5 / (1e-8 + 1e12 + 1.0);
  for (const double unit : {1e-40, 1e-8, 1.0, 1e8, 1e40}) {
    CAPTURE(unit);
    for (const char* method :
         {"proximal-gradient", "frank-wolfe", "away-step", "pairwise", "fully-corrective"}) {
      CAPTURE(method);
      const RunResult r = solve(badly_scaled(unit) + kBudget + Words{std::string("algorithm.use=") + method});
      CAPTURE(text(r.status));
      CHECK((r.status != Status::relative_gap || r.measurement.value <= (1.0 + 2e-6) * unit * least));
      CHECK((r.status == Status::relative_gap) == (relative_gap(r) <= 1e-6));
      if (method == std::string("away-step")) CHECK(r.status == Status::relative_gap);
    }
    // Rounding of its projections hides how far the slopes are apart, but not the value.
    const RunResult r = solve(badly_scaled(unit) + kBudget + Words{"algorithm.use=proximal-gradient"});
    CHECK(r.status == Status::stall);
    CHECK(contains(r.note, "stands still"));
    CHECK(r.measurement.value == doctest::Approx(unit * least).epsilon(1e-6));
    // Where Claros chooses it, the next choice meets the target.
    const RunResult next = solve(badly_scaled(unit) + kBudget);
    CHECK(next.status == Status::relative_gap);
    CHECK(contains(next.note, "algorithm/proximal-gradient stood still after "));
    CHECK(contains(next.note, "algorithm/away-step went on"));
  }
}

TEST_CASE("verdicts: a relative gap is met from near and from far") {
  const TestFolder folder;
  for (const std::string start : {"1 0 0", "0 1 0", "0 0 1", "0.2 0.3 0.5"}) {
    CAPTURE(start);
    std::string lines = start;
    std::ranges::replace(lines, ' ', '\n');
    folder.put("start.csv", lines + "\n");
    const RunResult r =
        solve(badly_scaled(1.0) + kBudget +
              Words{"algorithm.use=away-step", "start.from=" + (folder / "start.csv").string()});
    CHECK(r.status == Status::relative_gap);
    CHECK(r.measurement.value <= 5.00001e-13);
  }
}

TEST_CASE(
    "verdicts: a value that falls for ever towards 0 meets no relative gap before it is 0 to rounding") {
  const TestFolder folder;
  folder.put("separable.csv", "1,2,1\n2,1,1\n-1,-2,-1\n-2,-1,-1\n");
  for (const Words& penalty :
       {Words{"penalty.use=l1", "penalty.lambda=0"}, Words{"penalty.use=ridge", "penalty.lambda=0"}}) {
    CAPTURE(joined(penalty, " "));
    const Composition c =
        compose(build_catalog(), spec_of(Words{"objective.use=linear-model", "objective.loss=logistic",
                                               "objective.data=" + (folder / "separable.csv").string(),
                                               "stop.relative_gap=1e-6", "stop.iterations=2000"} +
                                         penalty));
    const RunResult r = run_composition(c);
    CAPTURE(text(r.status));
    // Either the relative gap is small, or it is not given as a number.
    CHECK((r.status != Status::relative_gap || !(relative_gap(r) > 1e-6)));
    CHECK((r.status != Status::relative_gap || r.measurement.gap <= 1e-20));
    const std::string json = result_json(c, r);
    CHECK((r.status != Status::relative_gap || contains(json, "\"relative_gap\": null")));
  }
}

TEST_CASE("verdicts: a target that rounding hides is not met, and the status says rounding") {
  // The value is about 1e9, known to 1e-7.
  const RunResult r = solve({"objective.use=distance", "objective.data=3e4 4e4", "set.use=l2-ball",
                             "set.radius=1", "stop.gap=1e-12", "stop.iterations=5000"});
  CHECK(r.status == Status::rounding);
  CHECK_FALSE(is_target(r.status));
  CHECK_FALSE(is_trouble(r.status));
  CHECK(text(r.status) == "rounding");
  CHECK(r.measurement.gap > 1e-12);
  CHECK(r.measurement.gap < 1e-4);
  // Squares that have lost all digits but two prove nothing to six.
  const RunResult tiny =
      solve({"objective.use=distance", "objective.data=1.3e-160 -2.1e-160 0.7e-160 1.1e-160",
             "penalty.use=l1", "penalty.lambda=1e-161", "stop.relative_gap=1e-6", "stop.iterations=5000"});
  CHECK(tiny.status != Status::relative_gap);
}

TEST_CASE("verdicts: a value whose squares underflow is not 0, and meets no relative gap") {
  const auto run = [](const std::string& unit, const Words& rest) {
    const TestFolder folder;
    folder.put("a.csv", "1,2,3" + unit + "\n2,1,-1" + unit + "\n-1,1,2" + unit + "\n");
    return solve(Words{"objective.use=linear-model", "objective.data=" + (folder / "a.csv").string(),
                       "stop.relative_gap=1e-6", "stop.iterations=500"} +
                 rest);
  };
  for (const std::string exponent : {"-160", "-200", "-300", "-315"}) {
    const std::string unit = "e" + exponent;
    for (const Words& rest : {Words{"penalty.use=l1", "penalty.lambda=1" + unit},
                              Words{"penalty.use=ridge", "penalty.lambda=0.1"},
                              Words{"penalty.use=elastic-net", "penalty.lambda=1" + unit},
                              Words{"set.use=l2-ball", "set.radius=0.1" + unit},
                              Words{"set.use=l1-ball", "set.radius=0.1" + unit}}) {
      CAPTURE(unit);
      CAPTURE(joined(rest, " "));
      CHECK_FALSE(is_target(run(unit, rest).status));
    }
  }
  // These are 0.
  const RunResult none = solve({"objective.use=distance", "objective.data=0 0 0", "penalty.use=l1",
                                "penalty.lambda=1", "stop.relative_gap=1e-6"});
  CHECK(none.status == Status::relative_gap);
  CHECK(none.measurement.value == 0.0);
}

TEST_CASE("verdicts: the gap is the least that is known, in every row, at the end and for the target") {
  for (const std::string order : {"1", "2", "3"}) {
    CAPTURE(order);
    const RunResult r =
        solve({"objective.use=distance", "objective.data=1 2 3 2 1 5 6 7 6", "penalty.use=composed",
               "penalty.order=" + order, "penalty.lambda=0.01", "penalty.inner.use=l1",
               "penalty.inner.lambda=1", "stop.gap=1e-300", "stop.iterations=500"});
    double bound = -std::numeric_limits<double>::infinity();
    for (const TraceRow& row : r.trace) {
      CHECK(row.gap <= row.value - bound + 1e-13);
      bound = std::max(bound, row.value - row.gap);
    }
    CHECK(r.measurement.gap <= r.measurement.value - r.lower_bound + 1e-13);
    CHECK(r.measurement.gap < 1e-6);
  }
}

TEST_CASE("verdicts: a run towards a target that stands still ends as stall and says so, others go on") {
  for (const std::string target : {"stop.relative_gap=1e-6", "stop.residual=1e-6", "stop.value=0"}) {
    CAPTURE(target);
    const RunResult r = stand(false, {target, "stop.iterations=5000"});
    CHECK(r.status == Status::stall);
    CHECK(r.iterations >= 20);
    CHECK(r.iterations <= 100);
    CHECK(contains(r.note, "stands still"));
  }
  // The gap overflows, and the momentum changes with every step.
  const RunResult huge =
      solve({"objective.use=quadratic", "objective.diagonal=1e308 1e308", "set.use=simplex", "set.radius=1",
             "algorithm.use=proximal-gradient", "stop.relative_gap=1e-6", "stop.iterations=20000"});
  CHECK(huge.status == Status::stall);
  CHECK(stand(true, {"stop.relative_gap=1e-6", "stop.iterations=500"}).status == Status::iterations);
  CHECK(stand(false, {"stop.iterations=500"}).status == Status::iterations);
}

namespace {

/// Stands still at its start, and then goes on by the algorithms of run.fallback.
Composition standing_first(const std::string& fallback) {
  HostParts parts;
  parts.parts["algorithm"] = {Kind::algorithm, std::make_shared<Standing>()};
  return compose(
      build_catalog(),
      spec_of({"objective.use=quadratic", "objective.diagonal=1 30 900", "set.use=simplex", "set.radius=1",
               "stop.relative_gap=1e-9", "stop.iterations=500", "run.fallback=" + fallback}),
      parts);
}

}  // namespace

TEST_CASE("verdicts: where an algorithm stands still, the next of run.fallback that fits goes on") {
  const RunResult r = run_composition(standing_first("coordinate-descent, proximal-gradient"));
  CHECK(r.status == Status::relative_gap);
  CHECK(r.iterations > 21);
  CHECK(contains(r.note, "algorithm/host stood still after "));
  CHECK(contains(r.note, "algorithm/proximal-gradient went on"));
  CHECK_FALSE(contains(r.note, "stands still"));
  const RunResult none = run_composition(standing_first("coordinate-descent"));
  CHECK(none.status == Status::stall);
  CHECK(contains(none.note, "stands still"));
  CHECK(contains(composing_refused({"run.fallback=proximal-gradiant"}), "run.fallback"));
}

TEST_CASE("verdicts: a run with another algorithm after a stall is resumed anywhere with the same bits") {
  std::vector<std::string> states;
  const auto adjusted = [&](RunSettings& settings) {
    settings.checkpoint_every = 1;
    settings.on_checkpoint = [&](const StateStream& state, bool) { states.push_back(collected(state)); };
  };
  const RunResult whole = run_composition(standing_first("proximal-gradient"), adjusted);
  REQUIRE(states.size() > 21);
  for (const std::string& state : states) {
    const RunResult r = run_composition(standing_first("proximal-gradient"),
                                        [&](RunSettings& settings) { settings.resume = state; });
    CHECK(r.iterations == whole.iterations);
    CHECK(r.note == whole.note);
    CHECK(same_bits(r.answer, whole.answer));
  }
}

}  // namespace claros::test::verdicts
