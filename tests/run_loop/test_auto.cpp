// SPDX-License-Identifier: BSD-3-Clause
// Where no algorithm is named Claros chooses one from what the parts offer, says which and why, and
// the run is the one that naming it would make.
#include "../core/random_elements.hpp"
#include "compose_for_test.hpp"

#include <claros/io/memory_data.hpp>

using namespace claros;
using namespace claros::test;

namespace {

const Words kRows{"objective.use=linear-model",
                  "data.use=synthetic-regression",
                  "data.rows=60",
                  "data.cols=80",
                  "data.nonzero=5",
                  "stop.iterations=20"};
const Words kEntries{"objective.use=matrix-completion",
                     "data.use=synthetic",
                     "data.rows=30",
                     "data.cols=20",
                     "data.rank=2",
                     "data.observed=0.6",
                     "data.corrupted=0",
                     "stop.iterations=5"};

std::string chosen(const Words& words) {
  const Composition c = compose(build_catalog(), spec_of(words));
  std::string text = c.effective.get("algorithm", "use")->value;
  if (const auto inner = c.effective.get("algorithm.inner", "use")) text += " " + inner->value;
  return text;
}

}  // namespace

TEST_CASE("auto: the algorithm follows from what the parts offer") {
  const Words l1{"penalty.use=l1", "penalty.lambda=0.1*max"};
  CHECK(chosen(kRows + l1) == "working-set coordinate-descent");
  CHECK(chosen(kRows + l1 + Words{"algorithm.use=auto"}) == "working-set coordinate-descent");
  const Words logistic{"objective.loss=logistic", "data.response=logistic"};
  CHECK(chosen(kRows + l1 + logistic + Words{"data.cols=50"}) == "prox-newton coordinate-descent");
  CHECK(chosen(kRows + l1 + logistic + Words{"data.cols=51"}) == "working-set prox-newton");
  CHECK(chosen(kRows + Words{"penalty.use=mcp", "penalty.lambda=0.1*max"}) ==
        "working-set coordinate-descent");
  CHECK(chosen(kRows + l1 + Words{"penalty.rho=2"}) == "proximal-gradient");
  CHECK(chosen(kRows + l1 + Words{"estimator.use=svrg"}) == "proximal-gradient");
  CHECK(chosen(kRows + l1 + Words{"objective.errors_in_variables=0.01"}) == "proximal-gradient");
  CHECK(chosen(kRows + l1 + Words{"objective.loss=robust"}) == "proximal-gradient");
  CHECK(chosen(kRows + Words{"penalty.use=ridge", "penalty.lambda=0.1"}) == "coordinate-descent");
  const Words wide{"data.cols=201"}, ridge{"penalty.use=ridge", "penalty.lambda=0.1"};
  CHECK(chosen(kRows + wide + ridge) == "lbfgs");
  CHECK(chosen(kRows + ridge + Words{"data.cols=50", "objective.loss=huber"}) ==
        "prox-newton coordinate-descent");
  CHECK(chosen(kRows + wide) == "lbfgs");
  CHECK(chosen(kRows + Words{"objective.loss=huber"} + ridge) == "lbfgs");
  CHECK(chosen(kRows + Words{"penalty.use=l0", "penalty.lambda=0.1"}) == "proximal-gradient");
  CHECK(chosen(kRows) == "coordinate-descent");
  CHECK(chosen(kRows + Words{"objective.loss=robust"}) == "proximal-gradient");
  CHECK(chosen(kRows + Words{"set.use=l1-ball", "set.radius=2"}) == "proximal-gradient");
  const Words sixteen{"objective.use=linear-model",
                      "data.use=synthetic-matrix-regression",
                      "data.rows=4",
                      "data.rank=1",
                      "data.count=50",
                      "stop.iterations=5"};
  CHECK(chosen(kRows + Words{"set.use=lp-ball", "set.radius=2", "set.p=3"}) == "proximal-gradient");
  CHECK(chosen(kRows + Words{"set.use=matroid-base", "set.rank=3"}) == "proximal-gradient");
  CHECK(chosen(sixteen + Words{"set.use=birkhoff"}) == "blended-pairwise");
  CHECK(chosen(sixteen + Words{"set.use=birkhoff", "estimator.use=svrg"}) == "frank-wolfe");
  CHECK(chosen(kRows + Words{"data.cols=3", "set.use=flow", "set.graph=1 2; 2 3; 1 3", "data.nonzero=1"}) ==
        "blended-pairwise");
  CHECK(chosen(kRows + Words{"data.cols=3", "data.nonzero=1", "set.use=matroid-base", "set.matroid=graphic",
                             "set.graph=1 2; 2 3; 1 3"}) == "blended-pairwise");
  CHECK(chosen(kRows + l1 + Words{"smoother.use=squared-norm", "smoother.lambda=0.1"}) ==
        "proximal-gradient");
  CHECK(chosen(kRows + l1 + Words{"set.use=l2-ball", "set.radius=2"}) == "three-operator");
  CHECK(chosen(kRows + l1 + Words{"set.use=l2-ball", "set.radius=2", "estimator.use=saga"}) ==
        "three-operator");
  const Words near{"objective.use=distance", "objective.data=1 2; 3 4; 0 1", "set.use=nuclear-ball",
                   "set.radius=2"};
  CHECK(chosen(near + l1) == "dual-ascent");
  CHECK(chosen(near + Words{"penalty.use=tv", "penalty.lambda=0.1"}) == "three-operator");
  CHECK(chosen(near + Words{"penalty.use=mcp", "penalty.lambda=0.1"}) == "three-operator");
  CHECK(chosen(near + l1 + Words{"objective.weights=1 1; 1 2; 1 1"}) == "three-operator");
  CHECK(chosen(near + l1 + Words{"set.use=l2-ball"}) == "three-operator");
  CHECK(chosen(kRows + Words{"set.use=intersection", "set.by=oracles", "set.sets.1.use=l1-ball",
                             "set.sets.1.radius=2", "set.sets.2.use=l2-ball", "set.sets.2.radius=1"}) ==
        "split-conditional-gradient");
  const Words nuclear{"set.use=nuclear-ball", "set.radius=20"};
  CHECK(chosen(kEntries + nuclear) == "factored");
  CHECK(chosen(kEntries + nuclear + Words{"objective.loss=huber"}) == "factored");
  CHECK(chosen(kEntries + nuclear + Words{"objective.loss=robust"}) == "proximal-gradient");
  CHECK(chosen(kEntries + nuclear + Words{"estimator.use=svrg"}) == "proximal-gradient");
  CHECK(chosen(kEntries + Words{"set.use=spectrahedron", "set.radius=20", "data.cols=30"}) == "factored");
  const Words penalty{"penalty.use=nuclear", "penalty.lambda=0.1"},
      large{"data.rows=1400", "data.cols=1400", "data.observed=0.01"};  // no full decomposition is in reach
  CHECK(chosen(kEntries + penalty) == "proximal-gradient");
  CHECK(chosen(kEntries + penalty + large) == "factored");
  CHECK(chosen(kEntries + penalty + large + Words{"penalty.rho=50"}) == "proximal-gradient");
  CHECK(chosen(kEntries + penalty + large + Words{"objective.loss=robust"}) == "proximal-gradient");
  const Words graph{"objective.use=log-det", "data.use=synthetic-regression",
                    "data.rows=9",           "data.cols=3",
                    "data.nonzero=1",        "stop.iterations=1"},
      some{"penalty.use=l1", "penalty.lambda=0.1"}, free{"penalty.weights=off-diagonal"};
  CHECK(chosen(graph + some + free) == "p-glasso");
  CHECK(chosen(graph + some + Words{"penalty.weights=0 1 1 1 0 1 1 2 0"}) == "proximal-gradient");
  CHECK(chosen(graph + Words{"penalty.use=elastic-net", "penalty.lambda=0.1"} + free) == "proximal-gradient");
}

TEST_CASE("auto: a copy of the entries by columns is made of 2^27 at most") {
  const auto chosen_of = [](Index rows) {
    std::vector<Index> start;
    std::vector<std::int32_t> column;
    for (Index i = 0; i <= rows; ++i) start.push_back(i);
    for (Index i = 0; i < rows; ++i) column.push_back(static_cast<std::int32_t>(i % 128));
    const std::vector<double> value(column.size(), 1.0), y(column.size(), 2.0);
    HostParts parts;
    parts.data = data_from_compressed_rows(start, column, value, 128, y);
    const Composition c =
        compose(build_catalog(), spec_of({"objective.use=linear-model", "stop.iterations=1"}), parts);
    return c.effective.get("algorithm", "use")->value;
  };
  CHECK(chosen_of(1 << 20) == "coordinate-descent");
  CHECK(chosen_of((1 << 20) + 1) == "lbfgs");
}

TEST_CASE(
    "auto: the choice is reported with the reason, and is in the effective specification, which runs to "
    "the same bits") {
  const Words words = kRows + Words{"penalty.use=l1", "penalty.lambda=0.1*max", "algorithm.first=7"};
  std::string told;
  const Composition c = compose(build_catalog(), spec_of(words),
                                [&](Severity, const std::string& text) { told += text + '\n'; });
  CHECK(contains(told, "algorithm: working-set with coordinate-descent inside, since "));
  CHECK(contains(told, "algorithm.use = NAME"));
  CHECK(c.effective.get("algorithm", "first")->value == "7");
  CHECK(c.parts.front().role == "algorithm");
  const RunResult r = run_composition(c);
  REQUIRE_MESSAGE(r.failure.empty(), r.failure);
  const RunResult again =
      run_composition(compose(build_catalog(), Spec::parse(c.effective.text(), "effective.ini")));
  CHECK(same_bits(r.answer, again.answer));
  CHECK(r.counts == again.counts);
  const RunResult named = solve(words + Words{"algorithm.use=working-set"});
  CHECK(same_bits(r.answer, named.answer));
}

TEST_CASE(
    "auto: what is set for the algorithm and unknown to the one that was chosen is refused by its name") {
  const Words words = kRows + Words{"penalty.use=l1", "penalty.lambda=0.1*max"};
  CHECK(contains(composing_refused(words + Words{"algorithm.step=0.1"}),
                 "algorithm/working-set has no parameter 'step'"));
  CHECK(contains(composing_refused(words + Words{"algorithm.iner.use=prox-newton"}), "did you mean 'inner'"));
  CHECK(chosen(words + Words{"algorithm.inner.use=proximal-gradient"}) == "working-set proximal-gradient");
}

TEST_CASE("auto: a penalty whose dual cone no gradient meets ends by its residual by default") {
  const std::vector<Words> cones{
      {"penalty.use=nonnegative"},
      {"penalty.use=box", "penalty.lower=0"},
      {"penalty.use=box", "penalty.upper=1"},
      {"penalty.use=separable-sum", "penalty.lambda=1", "penalty.sizes=30 50", "penalty.blocks.1.use=l1",
       "penalty.blocks.1.lambda=0.1", "penalty.blocks.2.use=nonnegative"}};
  Words free = kRows;
  std::erase_if(free, [](const std::string& word) { return word.starts_with("stop."); });
  for (const Words& cone : cones) {
    CAPTURE(joined(cone, " "));
    const Composition c = compose(build_catalog(), spec_of(free + cone));
    CHECK(c.stop.residual == 1e-6);
    CHECK(c.stop.relative_gap == 0.0);
    CHECK(run_composition(c).status == Status::residual);
    // A gap that is asked for may stay unknown, as is said.
    std::string told;
    (void)compose(build_catalog(), spec_of(free + cone + Words{"stop.relative_gap=1e-3"}),
                  [&](Severity severity, const std::string& text) {
                    if (severity == Severity::warning) told += text;
                  });
    check_mentions(told, {"dual cone", "stop.residual"});
  }
  const Composition bounded = compose(
      build_catalog(), spec_of(free + Words{"penalty.use=box", "penalty.lower=0", "penalty.upper=1"}));
  CHECK(bounded.stop.relative_gap == 1e-6);
  // On a set the subgradient of the steps lies in the cone.
  const RunResult both =
      solve(kRows + cones.front() +
            Words{"set.use=l2-ball", "set.radius=1", "stop.relative_gap=1e-4", "stop.iterations=10000"});
  CHECK(both.status == Status::relative_gap);
}

TEST_CASE("auto: a linear function is minimised by one linear minimisation, which is exact") {
  for (const Words& set : std::vector<Words>{{"set.use=spectrahedron", "set.radius=1"},
                                             {"set.use=psd-trace", "set.radius=1"},
                                             {"set.use=birkhoff"}}) {
    CAPTURE(set.front());
    const RunResult r = solve(Words{"objective.use=linear", "objective.data=3 1 1; 1 2 0; 1 0 2",
                                    "stop.relative_gap=1e-6", "stop.iterations=50"} +
                              set);
    // Over psd-trace the least is 0, where no gap relative to it can be shown.
    const bool is_zero = set.front() == "set.use=psd-trace";
    CHECK((is_zero ? r.status == Status::rounding : is_target(r.status)));
    CHECK(r.measurement.gap <= (is_zero ? 1e-13 : 1e-6 * std::abs(r.measurement.value)));
    if (!is_zero) CHECK(r.iterations <= 1);
  }
}

TEST_CASE("auto: noisy gradients of an expectation end after draws, those of a finite sum after passes") {
  const Words draws{"data.use=synthetic-sparse-low-rank",
                    "data.rows=20",
                    "objective.use=noisy-matrix",
                    "set.use=nuclear-ball",
                    "set.radius=100",
                    "estimator.use=sg"};
  const Composition expectation = compose(build_catalog(), spec_of(draws));
  CHECK(expectation.stop.sfo == 1'000'000);
  CHECK(expectation.stop.passes == 0.0);
  CHECK(expectation.stop.relative_gap == 1e-6);
  CHECK(expectation.effective.get("stop", "sfo")->value == "1000000");
  Words rows = kRows + Words{"penalty.use=l1", "penalty.lambda=0.1*max", "estimator.use=sg"};
  std::erase_if(rows, [](const std::string& word) { return word.starts_with("stop."); });
  const Composition sum = compose(build_catalog(), spec_of(rows));
  CHECK(sum.stop.sfo == 0);
  CHECK(sum.stop.passes == 100.0);
}

TEST_CASE("auto: columns of all units, and responses far from 0, are fitted to the minimum by default") {
  // A column of size 5e4 beside one of size 1, and a response around 5e4.
  Engine engine(11);
  const std::size_t n = 80;
  std::vector<double> rows, y, salaries;
  const std::vector<double> normals = testing::normals(engine, 4 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const double income = 5e4 + 1e4 * normals[4 * i], age = normals[4 * i + 1];
    rows.push_back(income), rows.push_back(age);
    y.push_back(1e-4 * income + 2.0 * age + 0.1 * normals[4 * i + 2] - 7.0);
    salaries.push_back(5e4 + 4e3 * age + 3e3 * normals[4 * i + 3]);
  }
  const auto fitted = [&](const std::vector<double>& response, const Words& words) {
    HostParts parts;
    parts.data = data_from_rows(rows, static_cast<Index>(n), 2, response);
    const Words model{"objective.use=linear-model", "objective.intercept=yes", "stop.seconds=60"};
    return run_composition(compose(build_catalog(), spec_of(model + words), parts));
  };
  // The noise alone is left, of variance 0.01.
  const RunResult squares = fitted(y, {"stop.residual=1e-6"});
  CHECK(squares.status == Status::residual);
  CHECK(squares.measurement.value < 0.01);
  CHECK(squares.measurement.value > 0.001);
  const Words ridge{"penalty.use=ridge", "penalty.lambda=0.01", "stop.relative_gap=1e-6"};
  CHECK(fitted(y, ridge).status == Status::relative_gap);
  // Losses that are straight lines from the start to the solution.
  for (const std::string loss : {"huber", "quantile"}) {
    CAPTURE(loss);
    const RunResult r =
        fitted(salaries, {"objective.loss=" + loss, "objective.standardize=yes", "stop.residual=1e-6"});
    CHECK(r.status == Status::residual);
    CHECK(r.measurement.value < (loss == "huber" ? 3000.0 : 1500.0));
    CHECK(r.iterations < 5000);
  }
}

TEST_CASE("auto: losses of several outputs a row are minimised by lbfgs, unless the penalty is not convex") {
  Engine engine(12);
  const std::size_t n = 60, p = 4;
  const std::vector<double> rows = testing::normals(engine, n * p), noise = testing::normals(engine, n);
  std::vector<double> classes;
  for (std::size_t i = 0; i < n; ++i) {
    const double z = rows[p * i] - rows[p * i + 1] + 0.5 * noise[i];
    classes.push_back(z < -0.7 ? 0.0 : z < 0.7 ? 1.0 : 2.0);
  }
  const auto composed = [&](const Words& words) {
    HostParts parts;
    parts.data = data_from_rows(rows, static_cast<Index>(n), static_cast<Index>(p), classes);
    const Words model{"objective.use=linear-model", "objective.loss=multinomial", "objective.intercept=yes"};
    return compose(build_catalog(), spec_of(model + words), parts);
  };
  const Words l1{"penalty.use=l1", "penalty.lambda=0.02"}, ridge{"penalty.use=ridge", "penalty.lambda=0.02"},
      rows_of_classes{"penalty.use=group", "penalty.groups=rows", "penalty.lambda=0.02"};
  for (const Words& penalty : {Words{}, l1, ridge, rows_of_classes}) {
    CAPTURE(penalty.empty() ? "none" : penalty.front());
    const Composition c = composed(penalty);
    CHECK(c.effective.get("algorithm", "use")->value == "lbfgs");
    const RunResult r = run_composition(c),
                    slow = run_composition(composed(penalty + Words{"algorithm.use=proximal-gradient"}));
    CHECK(r.status == slow.status);
    CHECK(r.measurement.value == doctest::Approx(slow.measurement.value).epsilon(1e-5));
  }
  const Composition mcp = composed({"penalty.use=mcp", "penalty.lambda=0.02"});
  CHECK(mcp.effective.get("algorithm", "use")->value == "proximal-gradient");
  const Composition ball = composed({"set.use=l2-ball", "set.radius=2"});
  CHECK(ball.effective.get("algorithm", "use")->value == "proximal-gradient");
}

TEST_CASE(
    "auto: the algorithms that go on after a stall are others than the choice, and a named one has none") {
  const Words l1{"penalty.use=l1", "penalty.lambda=0.1*max"};
  const auto fallback = [&](const Words& more) {
    return compose(build_catalog(), spec_of(kRows + l1 + more)).effective.get("run", "fallback")->value;
  };
  CHECK(contains(fallback({}), "proximal-gradient"));
  CHECK_FALSE(contains(fallback({}), "working-set"));
  CHECK_FALSE(contains(fallback({"penalty.rho=2"}), "proximal-gradient"));
  CHECK(fallback({"run.fallback=frank-wolfe"}) == "frank-wolfe");
  CHECK(fallback({"algorithm.use=working-set"}).empty());
}
