// SPDX-License-Identifier: BSD-3-Clause
// Methods that move a few coordinates at a time (working-set, coordinate-descent, prox-newton) end where the
// proximal gradient on all of them does: over random problems, every penalty that is a sum over coordinates
// or groups, dense and sparse rows, with and without an intercept. They keep their state, count their work,
// and what they cannot work with is refused.
#include "../core/numbers.hpp"
#include "compose_for_test.hpp"

#include <fstream>

using namespace claros;
using namespace claros::test;

namespace {

struct SmallRegression {
  Words words;
  bool convex = true;
};

/// Rows with few entries as LIBSVM text.
void write_sparse_rows(const fs::path& path, Engine& engine, Index rows, Index cols, bool classes) {
  std::normal_distribution<double> normal;
  std::ofstream file(path);
  for (Index i = 0; i < rows; ++i) {
    std::vector<double> row(static_cast<std::size_t>(cols), 0.0);
    double z = 0.3 * normal(engine);
    for (Index j = 0; j < cols; ++j)
      if (engine() % 4 == 0) {
        row[static_cast<std::size_t>(j)] = normal(engine);
        z += (j % 7 == 0 ? 1.0 : j % 11 == 0 ? -0.7 : 0.0) * row[static_cast<std::size_t>(j)];
      }
    file << print_real(classes ? (z > 0.0 ? 1.0 : -1.0) : z);
    for (Index j = 0; j < cols; ++j)
      if (row[static_cast<std::size_t>(j)] != 0.0)
        file << ' ' << j + 1 << ':' << print_real(row[static_cast<std::size_t>(j)]);
    file << '\n';
  }
}

const std::vector<Words> kConvexSums{
    {"penalty.use=l1"},
    {"penalty.use=elastic-net", "penalty.ratio=0.7"},
    {"penalty.use=group", "penalty.groups=4"},
    {"penalty.use=group", "penalty.groups=4", "penalty.norm=linf"},
    {"penalty.use=group", "penalty.groups=0-2; 3, 7, 11; 4-6; 8-10, 12-27", "penalty.weights=sqrt"},
    {"penalty.use=sparse-group", "penalty.groups=4", "penalty.ratio=0.4"}};
const std::vector<Words> kConstraints{{"penalty.use=nonnegative"},
                                      {"penalty.use=box", "penalty.lower=-0.1", "penalty.upper=0.3"},
                                      {"penalty.use=ridge", "penalty.lambda=0.05"}};
const std::vector<Words> kConcave{{"penalty.use=scad", "penalty.zeta=8"}, {"penalty.use=mcp", "penalty.b=9"}};

SmallRegression draw_regression(Engine& engine, const fs::path& folder) {
  const bool sparse = engine() % 2 == 0, classes = engine() % 3 == 0, intercept = engine() % 3 == 0;
  const Index cols = 28, rows = 20 + static_cast<Index>(engine() % 100);
  SmallRegression r;
  r.words = {"objective.use=linear-model", classes ? "objective.loss=logistic" : "objective.loss=squared"};
  if (sparse) {
    const fs::path file = folder / (std::to_string(engine()) + ".svm");
    write_sparse_rows(file, engine, rows, cols, classes);
    r.words.push_back("objective.data=" + file.string());
  } else {
    r.words = r.words + Words{"data.use=synthetic-regression",
                              "data.rows=" + std::to_string(rows),
                              "data.cols=" + std::to_string(cols),
                              "data.nonzero=5",
                              "data.correlation=" + std::to_string(0.1 * static_cast<double>(engine() % 5)),
                              "data.seed=" + std::to_string(engine() % 1000),
                              std::string("data.response=") + (classes ? "logistic" : "linear")};
  }
  if (intercept) r.words.push_back("objective.intercept=yes");
  const auto kind = engine() % 8;
  if (kind == 0) {
    r.words = r.words + kConstraints[engine() % kConstraints.size()];
  } else if (kind == 1 && !classes && rows > 60) {
    r.words = r.words + kConcave[engine() % kConcave.size()] + Words{"penalty.lambda=0.2*max"};
    r.convex = false;
  } else {
    r.words = r.words + kConvexSums[engine() % kConvexSums.size()] +
              Words{"penalty.lambda=" + print_real(0.02 + 0.1 * static_cast<double>(engine() % 5)) + "*max"};
  }
  return r;
}

const std::vector<Words> kCoordinateMethods{
    {"algorithm.use=coordinate-descent"},
    {"algorithm.use=coordinate-descent", "algorithm.order=random", "algorithm.active=0"},
    {"algorithm.use=coordinate-descent", "algorithm.extrapolate=no", "algorithm.screen=1"},
    {"algorithm.use=prox-newton"},
    {"algorithm.use=working-set", "algorithm.first=3"},
    {"algorithm.use=working-set", "algorithm.first=5", "algorithm.inner.use=prox-newton"},
    {"algorithm.use=working-set", "algorithm.first=5", "algorithm.inner.use=proximal-gradient"},
    {"algorithm.use=working-set", "algorithm.first=8", "algorithm.inner.use=proximal-gradient",
     "algorithm.estimator.use=svrg", "algorithm.estimator.batch=4"}};

}  // namespace

TEST_CASE("working set: it, coordinate descent and prox-newton never change an answer") {
  Engine engine(1);
  const TestFolder folder;
  int solved = 0;
  for (int trial = 0; trial < 240; ++trial) {
    const SmallRegression r = draw_regression(engine, folder.path());
    const Words stop{"stop.residual=1e-7", "stop.seconds=20", "trace.on=no"};
    const Words method = kCoordinateMethods[static_cast<std::size_t>(trial) % kCoordinateMethods.size()];
    std::string text;
    for (const std::string& word : r.words + method) text += word + ' ';
    CAPTURE(text);
    const RunResult plain = solve(r.words + Words{"algorithm.use=proximal-gradient", "estimator.use=full"} +
                                  stop),
                    fast = solve(r.words + method + stop);
    REQUIRE_MESSAGE(plain.status == Status::residual, plain.failure);
    REQUIRE_MESSAGE(fast.status == Status::residual, fast.failure);
    ++solved;
    CHECK(fast.measurement.residual <= 1e-7);
    const double scale = std::max(1e-3, std::abs(plain.measurement.value));
    if (r.convex)
      CHECK(std::abs(fast.measurement.value - plain.measurement.value) <= 1e-7 * scale);
    else
      CHECK(fast.measurement.value <= plain.measurement.value + 1e-6 * scale);
  }
  CHECK(solved == 240);
}

TEST_CASE("working set: blocks outside it cost a gradient a round, and its counts say so") {
  const Words words{"objective.use=linear-model",
                    "data.use=synthetic-regression",
                    "data.rows=200",
                    "data.cols=1000",
                    "data.nonzero=8",
                    "data.seed=4",
                    "penalty.use=l1",
                    "penalty.lambda=0.2*max",
                    "algorithm.use=working-set",
                    "algorithm.first=20",
                    "stop.relative_gap=1e-9"};
  const RunResult r = solve(words);
  REQUIRE(r.status == Status::relative_gap);
  CHECK(r.counts.sfo == 200 * (r.iterations + 1));  // the first round looks before and after
  CHECK(r.counts.coordinate_steps > 20);
  CHECK(r.counts.coordinate_steps < 1000 * r.iterations);
  CHECK(r.counts.partial_sfo == 0);
  const RunResult by_gradients = solve(words + Words{"algorithm.inner.use=proximal-gradient"});
  CHECK(by_gradients.counts.partial_sfo > 0);
  CHECK(by_gradients.counts.coordinate_steps == 0);
}

TEST_CASE("working set: what screening leaves out is 0 at the minimum, and it leaves out most") {
  for (const Words& penalty : {Words{"penalty.use=l1"}, Words{"penalty.use=elastic-net", "penalty.ratio=0.8"},
                               Words{"penalty.use=group", "penalty.groups=4"},
                               Words{"penalty.use=group", "penalty.groups=4", "penalty.norm=linf"},
                               Words{"penalty.use=sparse-group", "penalty.groups=4"}})
    for (const std::string loss : {"squared", "logistic"}) {
      CAPTURE(penalty.front());
      const Words words = Words{"objective.use=linear-model",
                                "data.use=synthetic-regression",
                                "data.rows=150",
                                "data.cols=400",
                                "data.nonzero=6",
                                "data.seed=6",
                                "objective.loss=" + loss,
                                std::string("data.response=") + (loss == "logistic" ? "logistic" : "linear"),
                                "penalty.lambda=0.3*max",
                                "algorithm.use=coordinate-descent",
                                "algorithm.active=0",
                                "trace.on=no"} +
                          penalty;
      const Words tight{"stop.relative_gap=1e-10", "stop.iterations=2000"}, steps{"stop.iterations=60"};
      const RunResult plain = solve(words + tight + Words{"algorithm.screen=0"}),
                      screened = solve(words + tight + Words{"algorithm.screen=1"});
      REQUIRE(plain.status == Status::relative_gap);
      REQUIRE(screened.status == Status::relative_gap);
      CHECK(screened.measurement.value == doctest::Approx(plain.measurement.value).epsilon(1e-9));
      // As many steps with and without: the blocks that are left out are not moved.
      const RunResult all = solve(words + steps + Words{"algorithm.screen=0"}),
                      few = solve(words + steps + Words{"algorithm.screen=1"});
      CHECK(3 * few.counts.coordinate_steps < 2 * all.counts.coordinate_steps);
    }
}

TEST_CASE("working set: interrupted at any step, the methods of coordinates go on to the same bits") {
  const Words problem{"objective.use=linear-model",
                      "data.use=synthetic-regression",
                      "data.rows=80",
                      "data.cols=60",
                      "data.nonzero=8",
                      "data.correlation=0.4",
                      "data.seed=5",
                      "objective.intercept=yes",
                      "penalty.use=l1",
                      "penalty.lambda=0.05*max",
                      "trace.every=1"};
  for (const Words& method : kCoordinateMethods)
    for (const std::string loss : {"squared", "logistic"}) {
      CAPTURE(method.front());
      CAPTURE(loss);
      const Words words = problem + method +
                          Words{"objective.loss=" + loss,
                                std::string("data.response=") + (loss == "logistic" ? "logistic" : "linear"),
                                "stop.iterations=9"};
      std::vector<std::string> checkpoints;
      const RunResult whole = solve(words, [&](RunSettings& s) {
        s.checkpoint_every = 1;
        s.on_checkpoint = [&](const StateStream& stream, bool) { checkpoints.push_back(collected(stream)); };
      });
      REQUIRE_MESSAGE(whole.failure.empty(), whole.failure);
      REQUIRE(checkpoints.size() >= 9);
      for (const std::size_t k : {std::size_t{0}, std::size_t{3}, std::size_t{6}}) {
        const RunResult resumed = solve(words, [&](RunSettings& s) { s.resume = checkpoints[k]; });
        REQUIRE_MESSAGE(resumed.failure.empty(), resumed.failure);
        CHECK(same_bits(resumed.answer, whole.answer));
        CHECK(resumed.counts == whole.counts);
      }
    }
}

TEST_CASE("working set: what does not fit is refused, with the reason") {
  const Words problem{"objective.use=linear-model",
                      "data.use=synthetic-regression",
                      "data.rows=30",
                      "data.cols=60",
                      "penalty.use=l1",
                      "penalty.lambda=0.1"};
  for (const std::string name : {"working-set", "coordinate-descent", "prox-newton"}) {
    CAPTURE(name);
    const Words words = problem + Words{"algorithm.use=" + name, "stop.iterations=2"};
    CHECK(contains(composing_refused(words + Words{"penalty.rho=3"}), "side constraint"));
    CHECK(contains(composing_refused(words + Words{"estimator.use=svrg"}), "exact"));
    CHECK(contains(composing_refused(words + Words{"penalty.use=nuclear"}),
                   "proximal step for every coordinate"));
    CHECK(contains(composing_refused(words + Words{"set.use=l1-ball", "set.radius=1"}), "set"));
  }
  const std::string of_errors = refusal(ErrorKind::usage, [&] {
    (void)solve(problem + Words{"algorithm.use=coordinate-descent", "stop.iterations=2",
                                "objective.errors_in_variables=0.1"});
  });
  CHECK(contains(of_errors, "access to the columns"));
}

TEST_CASE("working set: along a path, blocks that the next lambda brings come along before they have to") {
  Index rounds = 0;
  for (int seed = 0; seed < 3; ++seed) {
    const Words words{"objective.use=linear-model",
                      "data.use=synthetic-regression",
                      "data.rows=300",
                      "data.cols=900",
                      "data.nonzero=20",
                      "data.seed=" + std::to_string(seed),
                      "penalty.use=l1",
                      "algorithm.use=working-set",
                      "stop.relative_gap=1e-4",
                      "trace.on=no"};
    std::shared_ptr<const Element> from;
    for (int k = 0; k < 20; ++k) {
      Composition composition =
          compose(build_catalog(),
                  spec_of(words + Words{"penalty.lambda=" + print_real(0.1 * std::pow(0.955, k)) + "*max"}));
      composition.given_start = from;
      const RunResult r = run_composition(composition);
      REQUIRE(r.status == Status::relative_gap);
      if (from) rounds += r.iterations;
      from = std::make_shared<const Element>(r.answer);
    }
  }
  CHECK(rounds == 57);  // one a lambda
}

// As many coefficients as rows, nearly: epochs contract by little, and Newton steps on the support take their
// place.
namespace {

Words saturated(const Words& more) {
  return Words{"objective.use=linear-model",
               "data.use=synthetic-regression",
               "data.rows=120",
               "data.cols=240",
               "data.nonzero=6",
               "data.correlation=0.1",
               "data.seed=2",
               "penalty.use=l1",
               "penalty.lambda=0.001*max",
               "trace.on=no",
               "stop.relative_gap=1e-6",
               "stop.iterations=100000"} +
         more;
}

}  // namespace

TEST_CASE(
    "working set: where the support is a large part of the rows, Newton steps take a small part of the "
    "moves") {
  for (const Words& problem :
       {Words{}, Words{"penalty.use=elastic-net", "penalty.ratio=0.98"}, Words{"objective.intercept=yes"}})
    for (const std::string method : {"coordinate-descent", "working-set"}) {
      const std::string newton = method == "working-set" ? "algorithm.inner.newton" : "algorithm.newton";
      const Words words = saturated(problem + Words{"algorithm.use=" + method});
      CAPTURE(problem);
      CAPTURE(method);
      const RunResult with = solve(words), without = solve(words + Words{newton + "=no"});
      REQUIRE_MESSAGE(with.status == Status::relative_gap, with.failure);
      REQUIRE_MESSAGE(without.status == Status::relative_gap, without.failure);
      CHECK(with.measurement.value == doctest::Approx(without.measurement.value).epsilon(3e-6));
      CHECK(4 * with.counts.coordinate_steps < without.counts.coordinate_steps);
    }
}

TEST_CASE("working set: quadratics that a few epochs solve well enough have no Newton steps") {
  const Words words{"objective.use=linear-model",
                    "objective.loss=logistic",
                    "data.use=synthetic-regression",
                    "data.rows=500",
                    "data.cols=1500",
                    "data.nonzero=10",
                    "data.response=logistic",
                    "penalty.use=l1",
                    "penalty.lambda=0.05*max",
                    "algorithm.use=working-set",
                    "algorithm.inner.use=prox-newton",
                    "stop.relative_gap=1e-6",
                    "trace.on=no"};
  const RunResult with = solve(words), without = solve(words + Words{"algorithm.inner.inner.newton=no"});
  REQUIRE_MESSAGE(with.status == Status::relative_gap, with.failure);
  REQUIRE_MESSAGE(without.status == Status::relative_gap, without.failure);
  CHECK(5 * with.counts.coordinate_steps < 6 * without.counts.coordinate_steps);
}

TEST_CASE("prox-newton: inner steps that are too few for a quadratic are doubled") {
  const auto steps = [](const std::string& inner_steps) {
    const RunResult r = solve({"objective.use=linear-model", "objective.loss=logistic",
                               "data.use=synthetic-regression", "data.rows=400", "data.cols=12",
                               "data.nonzero=4", "data.correlation=0.95", "data.response=logistic",
                               "penalty.use=l1", "penalty.lambda=0.001*max", "algorithm.use=prox-newton",
                               "algorithm.inner.newton=no", "algorithm.inner_steps=" + inner_steps,
                               "stop.relative_gap=1e-9", "stop.iterations=5000", "trace.on=no"});
    CHECK_MESSAGE(r.status == Status::relative_gap, r.failure);
    return r.iterations;
  };
  const Index most = steps("64");
  CHECK(steps("2") <= 3 * most);
  CHECK(steps("1") <= 3 * most);
}

TEST_CASE("working set: Newton steps on columns that repeat each other do no harm") {
  const TestFolder folder;
  Engine engine(5);
  std::normal_distribution<double> normal;
  std::string rows;
  for (int i = 0; i < 30; ++i) {
    std::string row;
    double y = 0.0;
    for (int j = 0; j < 20; ++j) {
      const double a = normal(engine);
      row += print_real(a) + ',' + print_real(a) + ',' + print_real(-a) + ",0,";
      y += j < 4 ? a : 0.0;
    }
    rows += row + print_real(y + 0.1 * normal(engine)) + '\n';
  }
  folder.put("twice.csv", rows);
  for (const std::string method : {"coordinate-descent", "working-set"}) {
    const RunResult r =
        solve({"objective.use=linear-model", "objective.data=" + (folder / "twice.csv").string(),
               "penalty.use=l1", "penalty.lambda=1e-4*max", "algorithm.use=" + method,
               "stop.relative_gap=1e-8", "stop.iterations=20000", "trace.on=no"});
    CHECK_MESSAGE(r.status == Status::relative_gap, r.failure);
  }
}

TEST_CASE(
    "working set: with Newton steps, a run that is resumed has the bits of one that was not, on any number "
    "of threads") {
  for (const std::string method : {"coordinate-descent", "working-set"}) {
    CAPTURE(method);
    const Words words = saturated({"algorithm.use=" + method, "stop.relative_gap=1e-12"});
    std::vector<std::string> checkpoints;
    const RunResult whole = solve(words, [&](RunSettings& s) {
      s.checkpoint_every = 1;
      s.on_checkpoint = [&](const StateStream& stream, bool) { checkpoints.push_back(collected(stream)); };
    });
    REQUIRE(whole.status == Status::relative_gap);
    REQUIRE(checkpoints.size() >= 2);
    for (std::size_t k = 0; k + 1 < checkpoints.size(); ++k) {
      const RunResult resumed = solve(words, [&](RunSettings& s) { s.resume = checkpoints[k]; });
      CHECK(same_bits(resumed.answer, whole.answer));
      CHECK(resumed.counts == whole.counts);
    }
    const RunResult threads = solve(words, [](RunSettings& s) { s.threads = 3; });
    CHECK(same_bits(threads.answer, whole.answer));
  }
}

TEST_CASE("working set: what an earlier lambda left in the objective changes no bit") {
  const Words words = saturated({"algorithm.use=working-set"});
  const RunResult fresh = solve(words);
  Composition composition = compose(build_catalog(), spec_of(words + Words{"penalty.lambda=0.004*max"}));
  (void)run_composition(composition);
  composition.set_number("penalty.lambda", 0.001 * composition.fractions.front().max);
  const RunResult second = run_composition(composition);
  CHECK(same_bits(second.answer, fresh.answer));
  CHECK(second.counts == fresh.counts);
}
