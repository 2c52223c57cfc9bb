// SPDX-License-Identifier: BSD-3-Clause
// What proximal steps prove of their answers: made when asked for, and the worst of a run told.
#include <nlohmann/json.hpp>

#include "scripted.hpp"
#include "trace_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

const SmallProblem& certified_problem() {
  static const SmallProblem made(612, 60, 50, 3, 800);
  return made;
}

Words limited(const Words& more) {
  return certified_problem().objective() +
         Words{"penalty.use=nuclear", "penalty.lambda=0.002",           "algorithm.use=proximal-gradient",
               "algorithm.rank=3",    "algorithm.uncertified=continue", "stop.iterations=40"} +
         more;
}

nlohmann::json certificate_of(const Words& words) {
  const Composition c = compose(build_catalog(), spec_of(words));
  return nlohmann::json::parse(result_json(c, run_composition(c)))["certificate"];
}

bool has_column(const RunResult& r) {
  return trace_csv(r.trace).find("certificate_error") != std::string::npos;
}

/// Says what the script says, one certificate a call, and then nothing good.
class Saying final : public Component, public ProximalOracle {
 public:
  explicit Saying(std::vector<Certificate> script) : script_(std::move(script)) {}
  Certificate apply(const Element& v, double, Element& x, const Accuracy& accuracy) override {
    x = v;
    asked.push_back(accuracy.certify);
    return asked.size() <= script_.size() ? script_[asked.size() - 1]
                                          : Certificate{.exact = false, .error = 1e9};
  }
  double value(const Element&) override { return 0.0; }
  void* ability(std::string_view id) noexcept override { return offer<ProximalOracle>(this, id); }
  std::vector<bool> asked;

 private:
  std::vector<Certificate> script_;
};

/// A proximal step an iteration, which asks for no certificate itself.
class Stepping final : public Algorithm {
 public:
  std::vector<Need> needs() const override { return {}; }
  Takes takes() const override { return {.penalty = true}; }
  void start(const Problem& problem, Element x0) override { problem_ = problem, x_ = std::move(x0); }
  void step() override {
    (void)problem_.estimator->estimate(x_);
    (void)problem_.penalty->apply(Element(x_), 1.0, x_, {});
  }
  const Element& iterate() const override { return x_; }

 private:
  Problem problem_;
  Element x_;
};

RunResult told(Saying& penalty, Index steps, bool ask) {
  Itself objective;
  Plain plain;
  Stepping algorithm;
  Problem problem;
  problem.objective = &objective, problem.estimator = &plain, problem.penalty = &penalty;
  RunSettings settings;
  settings.stop.iterations = steps;
  settings.trace.on = false;
  settings.trace.certificate = ask;
  return run_bare(problem, algorithm, Element(objective.shape()), settings);
}

}  // namespace

TEST_CASE("certificates: the worst of the steps is kept, and what is measured is not among them") {
  const std::vector<Certificate> script{
      {}, {.exact = false, .error = 0.5}, {.exact = false, .error = 0.25}, {}, {.exact = false}};
  for (const bool ask : {false, true}) {
    Saying penalty(script);
    const RunResult four = told(penalty, 4, ask);
    CHECK(four.counts.po == 4);
    CHECK(four.certification.exact == 2);
    CHECK(four.certification.certified == 4);
    CHECK(four.certification.error == 0.5);
    REQUIRE(penalty.asked.size() >= 4);
    for (std::size_t k = 0; k < 4; ++k) CHECK(penalty.asked[k] == ask);
  }
  Saying penalty(script);
  const RunResult five = told(penalty, 5, true);  // an error of 0 that is not exact bounds nothing
  CHECK(five.certification.exact == 2);
  CHECK(five.certification.certified == 4);
  CHECK(five.certification.error == kUnknown);
  Saying strange({{.exact = false, .error = std::numeric_limits<double>::quiet_NaN()}});
  CHECK(told(strange, 1, true).certification.error == kUnknown);
}

TEST_CASE(
    "certificates: nothing is paid and nothing is claimed where none is asked for, and asking changes no "
    "step") {
  const RunResult plain = solve(limited({})), asked = solve(limited({"trace.certificate=yes"}));
  CHECK(same_bits(plain.answer, asked.answer));
  CHECK(plain.counts.po == asked.counts.po);
  CHECK(plain.counts.svd == asked.counts.svd);
  CHECK(plain.counts.matvec < asked.counts.matvec);
  CHECK(plain.certification.certified == 0);
  CHECK(plain.certification.error == kUnknown);
  CHECK(asked.certification.certified == asked.counts.po);
  CHECK(asked.certification.exact < asked.counts.po);  // three columns are not enough at this lambda
  CHECK(asked.certification.error > 0.0);
  CHECK(std::isfinite(asked.certification.error));
}

TEST_CASE("certificates: the worst so far is a column where it is asked for, and no column elsewhere") {
  const RunResult plain = solve(limited({})), asked = solve(limited({"trace.certificate=yes"}));
  CHECK_FALSE(has_column(plain));
  REQUIRE(has_column(asked));
  double before = 0.0;
  for (const TraceRow& row : asked.trace) {
    if (row.iteration == 0) {
      CHECK(std::isnan(row.certificate_error));
      continue;
    }
    CHECK(row.certificate_error >= before);
    before = row.certificate_error;
  }
  CHECK(before == asked.certification.error);
}

TEST_CASE("certificates: in result.json null without proximal steps, else the worst") {
  CHECK(certificate_of(certified_problem().words(5.0, {"stop.iterations=5"})).is_null());
  const auto full = certificate_of(
      limited({"algorithm.rank=0", "estimator.use=sg", "estimator.batch=100", "algorithm.step=0.1"}));
  CHECK(full["exact"] == true);
  CHECK(full["error"] > 0.0);  // of rounding
  CHECK(full["error"] < 1e-13);
  CHECK(full["certified"] == 1.0);
  const auto silent = certificate_of(limited({}));
  CHECK(silent["exact"] == false);
  CHECK(silent["error"].is_null());
  CHECK(silent["certified"] == 0.0);
  const auto asked = certificate_of(limited({"trace.certificate=yes"}));
  CHECK(asked["exact"] == false);
  CHECK(asked["error"] > 0.0);
  CHECK(asked["certified"] == 1.0);
}

TEST_CASE("certificates: a resumed run reports the worst of all its steps") {
  for (const Words& words : {limited({"trace.certificate=yes", "algorithm.accelerate=yes"}), limited({})}) {
    const Saved saved = solve_and_save(words, 13);
    for (const std::string& state : saved.states) {
      const RunResult again = resumed(words, state);
      check_same(again, saved.result);
      CHECK(again.certification.exact == saved.result.certification.exact);
      CHECK(again.certification.certified == saved.result.certification.certified);
      CHECK(again.certification.error == saved.result.certification.error);
    }
  }
}

TEST_CASE("certificates: those of several trials are reported together") {
  const RunResult three = solve(certified_problem().objective() + Words{"set.use=l1-ball", "set.radius=5",
                                                                        "algorithm.use=proximal-gradient",
                                                                        "run.trials=3", "stop.iterations=5"});
  CHECK(three.counts.po >= 15);
  CHECK(three.certification.exact == three.counts.po);
  CHECK(three.certification.certified == three.counts.po);
  CHECK(three.certification.error == 0.0);
}
