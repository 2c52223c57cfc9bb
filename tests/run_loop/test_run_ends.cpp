// SPDX-License-Identifier: BSD-3-Clause
// What a run may not say: that it is solved because its value exploded, because nothing was measured, or
// because a part of the problem was left out.
#include "scripted.hpp"

#include <chrono>
#include <limits>

using namespace claros;
using namespace claros::test;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

const Words kMcp{"data.use=synthetic-regression",
                 "data.rows=300",
                 "data.cols=250",
                 "data.nonzero=10",
                 "data.seed=1",
                 "objective.use=linear-model",
                 "objective.intercept=no",
                 "objective.standardize=no",
                 "penalty.use=mcp",
                 "penalty.lambda=0.05",
                 "algorithm.use=proximal-gradient"};
const Words kBottomless{"data.use=synthetic-regression",
                        "data.rows=100",
                        "data.cols=200",
                        "data.nonzero=10",
                        "data.errors=0.2",
                        "data.seed=1",
                        "objective.use=linear-model",
                        "objective.intercept=no",
                        "objective.standardize=no",
                        "objective.errors_in_variables=0.4",
                        "penalty.use=l1",
                        "penalty.lambda=0.05",
                        "algorithm.use=proximal-gradient"};

/// |x|, with a weak convexity that is stated wrongly or does not exist.
class Stating final : public Component, public ProximalOracle {
 public:
  explicit Stating(double mu) : mu_(mu) {}
  Certificate apply(const Element& v, double, Element& x, const Accuracy&) override {
    x = v;
    return {};
  }
  double value(const Element&) override { return 0.0; }
  double weak_convexity() const override { return mu_; }
  void* ability(std::string_view id) noexcept override { return offer<ProximalOracle>(this, id); }

 private:
  double mu_;
};

}  // namespace

TEST_CASE(
    "ends: steps that are too long end as diverged at the best point measured, good ones at a stationary "
    "point") {
  for (const std::string trace : {"trace.on=yes", "trace.on=no"}) {
    CAPTURE(trace);
    const Words sag = kMcp + Words{"estimator.use=sag", trace};
    const RunResult bad =
        solve(sag + Words{"stop.residual=1e-3", "stop.iterations=5000", "algorithm.step=0.0625"});
    CHECK(bad.status == Status::diverged);
    check_mentions(bad.failure, {"5.73", "shorter step"});
    CHECK(bad.measurement.value < 5.0);
    for (const TraceRow& row : bad.trace) CHECK(bad.measurement.value <= row.value);
    const RunResult good = solve(sag + Words{"stop.residual=1e-3", "stop.iterations=50000"});
    CHECK(good.status == Status::residual);
    CHECK(good.measurement.residual <= 1e-3);
    CHECK(good.measurement.value < 0.5);
  }
}

TEST_CASE("ends: a problem without a minimum ends as unbounded, and a side constraint gives it one") {
  for (const std::string trace : {"trace.on=yes", "trace.on=no"}) {
    CAPTURE(trace);
    const RunResult r = solve(kBottomless + Words{"stop.residual=1e-3", "stop.iterations=50000", trace});
    CHECK(r.status == Status::unbounded);
    check_mentions(r.failure, {"no minimum", "penalty.rho"});
    for (const TraceRow& row : r.trace) CHECK(r.measurement.value <= row.value);
    CHECK(solve(kBottomless + Words{"stop.residual=1e-3", "stop.iterations=50000", "penalty.rho=5", trace})
              .status == Status::residual);
  }
}

TEST_CASE("ends: a gap is not a target where only a residual is measured, and the remedy is named") {
  for (const std::string key : {"stop.gap", "stop.relative_gap"})
    for (const Words& problem : {kMcp, kBottomless}) {
      const std::string text = composing_refused(problem + Words{key + "=1e-3"});
      CHECK(contains(text, key));
      CHECK(contains(text, "stop.residual"));
    }
  const SmallProblem nuclear(7, 8, 6, 2, 30);
  const Words unprojected = nuclear.objective() + Words{"set.use=frobenius-ball", "algorithm.use=frank-wolfe",
                                                        "stop.residual=1e-3"};
  CHECK(contains(refusal(ErrorKind::usage, [&] { (void)compose(fixture_catalog(), spec_of(unprojected)); }),
                 "stop.relative_gap"));
  CHECK(composing_refused(nuclear.words(3.0, {"stop.relative_gap=1e-3"})) == "accepted");
}

TEST_CASE(
    "ends: the residual has a scale of the problem, which neither a far start nor another unit makes "
    "larger") {
  ScriptedRun far([](Index) { return 1e9; });
  far.settings.stop.residual = 0.5;
  far.settings.stop.iterations = 3;
  const RunResult r = far();
  CHECK(r.status == Status::iterations);
  CHECK(r.measurement.residual == 1.0);
  CHECK(r.residual_scale == 1.0);
}

TEST_CASE("ends: the scale of the residual and the best point survive a resume") {
  const Words words = kMcp + Words{"estimator.use=sag", "stop.residual=1e-3", "stop.iterations=5000",
                                   "algorithm.step=0.0625"};
  const Composition c = compose(build_catalog(), spec_of(words));
  std::string state;
  const RunResult whole = run_composition(c, [&](RunSettings& s) {
    s.checkpoint_every = 300;
    s.on_checkpoint = [&](const StateStream& stream, bool) { state = collected(stream); };
  });
  REQUIRE_FALSE(state.empty());
  const RunResult resumed = run_composition(c, [&](RunSettings& s) { s.resume = state; });
  CHECK(whole.status == Status::diverged);
  CHECK(resumed.status == whole.status);
  CHECK(resumed.iterations == whole.iterations);
  CHECK(resumed.measurement.value == whole.measurement.value);
  CHECK(resumed.measurement.residual == whole.measurement.residual);
  CHECK(same_bits(resumed.answer, whole.answer));
}

TEST_CASE(
    "ends: a weak convexity that is NaN, negative, or infinite where the algorithm needs a number is "
    "refused with the penalty's name") {
  for (const double mu : {std::numeric_limits<double>::infinity(), kNaN, -1.0}) {
    ScriptedRun trial([](Index t) { return 1.0 / static_cast<double>(t + 1); });
    Stating penalty(mu);
    trial.problem.penalty = &penalty;
    trial.settings.stop.iterations = 3;
    ComponentNames names;
    names.penalty = "penalty/cubic";
    std::string text;
    try {
      (void)run_bare(trial.problem, trial.algorithm, Element(trial.objective.shape()), trial.settings, names);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      text = error.what();
    }
    CHECK(contains(text, "penalty/cubic"));
    CHECK(contains(text, std::isinf(mu) ? "is not weakly convex" : "weak convexity"));
  }
}

TEST_CASE(
    "ends: what an algorithm does not accept is refused, with the reason and an algorithm that accepts it") {
  const Words rows{"data.use=synthetic-regression",
                   "data.rows=30",
                   "data.cols=5",
                   "objective.use=linear-model",
                   "objective.intercept=no",
                   "objective.standardize=no",
                   "stop.iterations=3"};
  const std::string ignored =
      composing_refused(rows + Words{"algorithm.use=frank-wolfe", "set.use=l1-ball", "set.radius=1",
                                     "penalty.use=ridge", "penalty.lambda=50"});
  CHECK(contains(ignored, "would leave out penalty/ridge"));
  CHECK(contains(ignored, "linear model of f alone"));
  CHECK(contains(
      ignored,
      "these take it: admm, alternating, coordinate-descent, difference-of-convex, dual-ascent, "
      "dual-averaging, factored, generalized-conditional-gradient, homotopy-conditional-gradient, lbfgs, "
      "p-glasso, primal-dual, prox-newton, proximal-gradient, reweighted, three-operator, working-set"));
  for (const std::string algorithm : {"proximal-gradient", "dual-averaging"}) {
    const std::string both =
        composing_refused(rows + Words{"algorithm.use=" + algorithm, "set.use=l1-ball", "set.radius=1",
                                       "penalty.use=l1", "penalty.lambda=0.1"});
    CHECK(contains(both, "no closed form"));
    CHECK(contains(both, "penalty.rho"));
  }
}

TEST_CASE(
    "ends: a run whose budgets are of calls that its algorithm never makes ends where nothing changes") {
  const Words rows{"data.use=synthetic-regression",
                   "data.rows=30",
                   "data.cols=5",
                   "data.nonzero=2",
                   "objective.use=linear-model",
                   "penalty.use=l1",
                   "penalty.lambda=0.1",
                   "objective.intercept=no",
                   "trace.every=10"};
  for (const auto& [algorithm, budget] :
       {std::pair("working-set", "epochs"), std::pair("coordinate-descent", "epochs"),
        std::pair("prox-newton", "epochs"), std::pair("proximal-gradient", "lo"), std::pair("lbfgs", "lo"),
        std::pair("admm", "passes")}) {
    CAPTURE(std::string(algorithm));
    Words words =
        rows + Words{std::string("algorithm.use=") + algorithm, std::string("stop.") + budget + "=2"};
    if (std::string(algorithm) == "lbfgs") words = words + Words{"penalty.use=ridge"};
    const RunResult ended = solve(words);
    CHECK(ended.status == Status::stall);
    CHECK(ended.measurement.gap <= 1e-6 * ended.measurement.value);
  }
}

TEST_CASE("ends: a smoother that reaches an algorithm apart, and would be left out, is refused") {
  ScriptedRun trial([](Index t) { return 1.0 / static_cast<double>(t + 1); });
  Itself smoother;
  trial.problem.smoother = &smoother;
  trial.settings.stop.iterations = 3;
  try {
    (void)trial();
    FAIL("the smoother was left out");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(contains(error.what(), "does not minimise a smoother"));
    CHECK(contains(error.what(), "give it the sum"));
  }
}

TEST_CASE("ends: expensive measuring is spaced by counted work, on the same steps every time") {
  const SmallProblem problem(3, 200, 150, 2, 600);
  const Words words = problem.objective() + Words{"penalty.use=nuclear", "penalty.lambda=0.002",
                                                  "algorithm.use=proximal-gradient", "algorithm.rank=3",
                                                  "stop.iterations=300"};
  const RunResult spaced = solve(words), again = solve(words), all = solve(words + Words{"trace.every=1"});
  CHECK(spaced.trace.size() < 25);  // ten, and ten a decade, were there no limit: 36
  CHECK(spaced.trace.size() == again.trace.size());
  CHECK(all.trace.size() == 301);
  CHECK(same_bits(spaced.answer, all.answer));
  CHECK(same_bits(spaced.answer, again.answer));
}

TEST_CASE("ends: the seconds that a run may take hold where measuring is slower than the steps") {
  class Slow final : public Objective {
   public:
    Shape shape() const override { return Shape::matrix(1, 1); }
    Index terms() const override { return 1; }
    double value(const Element& x) override {
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
      while (std::chrono::steady_clock::now() < end) {
      }
      return x.is_zero() ? 0.0 : x.to_dense()[0];
    }
    void add_gradient(const Element&, const Batch&, double a, Element& g) override {
      g.add(a, Element::dense(shape(), {1.0}));
    }
  } slow;
  ScriptedRun trial([](Index t) { return 10.0 - 1e-6 * static_cast<double>(t); });
  trial.problem.objective = &slow;
  trial.settings.stop.seconds = 0.5;
  trial.settings.trace.every = 1;
  const RunResult r = trial();
  CHECK(r.status == Status::seconds);
  CHECK(r.measuring_seconds > r.seconds);
  CHECK(r.iterations <
        100);  // each takes a measurement of 20 ms: by the steps' own time there would be thousands
}

TEST_CASE("ends: a saturating loss is flat far out, and a run that ends there is not at a solution") {
  const Words robust{"data.use=synthetic-regression",
                     "data.rows=300",
                     "data.cols=50",
                     "data.nonzero=5",
                     "data.seed=1",
                     "objective.use=linear-model",
                     "objective.intercept=no",
                     "objective.standardize=no",
                     "objective.loss=robust",
                     "algorithm.use=proximal-gradient",
                     "stop.iterations=500",
                     "stop.residual=1e-3"};
  for (const std::string estimator : {"spider", "casvrg", "caspider"})
    for (const std::string trace : {"trace.on=yes", "trace.on=no"}) {
      CAPTURE(estimator);
      CAPTURE(trace);
      const Words words =
          robust + Words{"penalty.use=mcp", "penalty.lambda=0.001", "estimator.use=" + estimator, trace};
      const RunResult thrown = solve(words + Words{"algorithm.step=300"});
      CHECK(thrown.status == Status::diverged);
      check_mentions(thrown.failure, {"flat", "shorter step"});
      CHECK(thrown.measurement.value <= 0.62);  // of the start, or below
    }
  const RunResult good = solve(robust + Words{"penalty.use=mcp", "penalty.lambda=0.001"});
  CHECK(good.status == Status::residual);
  CHECK(good.measurement.value < 0.5);
}

TEST_CASE("ends: a run that diverges within a set keeps its best point too") {
  const Words robust{"data.use=synthetic-regression",
                     "data.rows=300",
                     "data.cols=50",
                     "data.nonzero=5",
                     "data.seed=1",
                     "objective.use=linear-model",
                     "objective.intercept=no",
                     "objective.standardize=no",
                     "objective.loss=robust",
                     "algorithm.use=proximal-gradient",
                     "stop.iterations=500",
                     "set.use=l1-ball",
                     "set.radius=1e6"};
  for (const std::string target : {"stop.residual=1e-3", "stop.gap=1e-3"}) {
    const RunResult r = solve(robust + Words{"algorithm.step=100000", target});
    CHECK(r.status == Status::diverged);
    CHECK(r.measurement.value < 0.62);
    CHECK(r.measurement.gap > 1e-3);
  }
}

TEST_CASE("ends: a penalty that is very concave does not make the residual small") {
  const Words steep{"data.use=synthetic-regression",
                    "data.rows=60",
                    "data.cols=30",
                    "data.nonzero=5",
                    "data.seed=1",
                    "objective.use=linear-model",
                    "objective.intercept=no",
                    "objective.standardize=no",
                    "algorithm.use=proximal-gradient",
                    "penalty.use=mcp",
                    "penalty.lambda=0.1",
                    "stop.iterations=3",
                    "stop.residual=1e-2"};
  for (const std::string b : {"0.1", "1e-3", "1e-5"}) {
    CAPTURE(b);
    const RunResult r = solve(steep + Words{"penalty.b=" + b});
    CHECK(r.status == Status::iterations);
    CHECK(r.trace.front().residual > 0.5);  // at 0, where the largest entry of the gradient is 16 lambda
    CHECK(r.measurement.residual > 0.1);
  }
}

TEST_CASE("ends: max is found for a Huber loss whose responses all lie where it is linear at 0") {
  TestFolder folder;
  std::string text;
  for (int i = 0; i < 9; ++i) text += std::to_string(i % 3) + ',' + std::to_string(1000 + 3 * i) + '\n';
  folder.put("far.csv", text);
  const Words huber{"objective.use=linear-model",
                    "objective.intercept=no",
                    "objective.standardize=no",
                    "objective.data=" + (folder / "far.csv").string(),
                    "objective.loss=huber",
                    "objective.intercept=yes",
                    "penalty.use=l1",
                    "algorithm.use=proximal-gradient",
                    "stop.iterations=1",
                    "penalty.lambda=0.5*max"};
  const Composition made = compose(build_catalog(), spec_of(huber));
  REQUIRE(made.fractions.size() == 1);
  // The intercept is the middle response, 1012: four residuals of -1 and four of 1 on x = 0 1 2 0 (1) 2 0
  // 1 2.
  CHECK(made.fractions[0].max == doctest::Approx(2.0 / 9.0).epsilon(1e-6));
}
