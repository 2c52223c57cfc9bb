// SPDX-License-Identifier: BSD-3-Clause
// Block-coordinate Frank-Wolfe: the minimum over a product, along columns and along whole gradients; what it
// counts, refuses and resumes.
#include <algorithms/block-coordinate-frank-wolfe/gap_draws.hpp>

#include "../core/random_elements.hpp"
#include "trace_for_test.hpp"

#include <claros/host.hpp>

namespace claros::test::block_coordinate {

namespace {

const Words kSquares{
    "data.use=synthetic-regression", "data.rows=60", "data.cols=12", "data.nonzero=5", "data.seed=4",
    "objective.use=linear-model"};
const Words kProduct{"set.use=product",          "set.sizes=3 4 5",          "set.blocks.1.use=simplex",
                     "set.blocks.1.radius=2",    "set.blocks.2.use=l1-ball", "set.blocks.2.radius=0.7",
                     "set.blocks.3.use=l2-ball", "set.blocks.3.radius=0.75"};
const Words kBlocks = kSquares + kProduct + Words{"algorithm.use=block-coordinate-frank-wolfe"};
/// f is then no loss of A x, and steps take whole gradients.
const Words kWhole{"smoother.use=squared-norm", "smoother.lambda=1e-30"};

std::vector<double> point(const Words& words) { return solve(words).answer.to_dense(); }

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += std::pow(a[k] - b[k], 2);
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE(
    "block-coordinate: it comes to the minimum that projected gradient finds, in every order, by every "
    "rule") {
  for (const std::string& loss : {std::string("squared"), std::string("logistic"), std::string("huber")}) {
    const Words problem = kSquares + kProduct +
                          Words{"objective.loss=" + loss,
                                std::string("data.response=") + (loss == "logistic" ? "logistic" : "linear")};
    const RunResult reference =
        solve(problem + Words{"algorithm.use=proximal-gradient", "stop.gap=1e-9", "stop.iterations=20000"});
    REQUIRE(is_target(reference.status));
    for (const std::string& order :
         {std::string("random"), std::string("cyclic"), std::string("permuted"), std::string("gap")})
      for (const std::string& step : {std::string("line-search"), std::string("short"),
                                      std::string("agnostic"), std::string("adaptive")}) {
        CAPTURE(loss + ' ' + order + ' ' + step);
        const RunResult r =
            solve(problem + Words{"algorithm.use=bcfw", "algorithm.order=" + order, "algorithm.step=" + step,
                                  "stop.gap=2e-3", "stop.iterations=20000"});
        CHECK_MESSAGE(is_target(r.status), text(r.status));
        CHECK(r.measurement.confirmed);
        CHECK(r.measurement.value >= reference.measurement.value - 1e-8);
        CHECK(r.measurement.value <= reference.measurement.value + 2e-3);
      }
  }
}

TEST_CASE("block-coordinate: steps along columns are those along whole gradients") {
  for (const std::string& loss : {std::string("squared"), std::string("logistic")})
    for (const std::string& order :
         {std::string("random"), std::string("cyclic"), std::string("permuted"), std::string("gap")})
      for (const std::string& step : {std::string("agnostic"), std::string("line-search")}) {
        const Words words =
            kBlocks + Words{"objective.loss=" + loss,
                            std::string("data.response=") + (loss == "logistic" ? "logistic" : "linear"),
                            "algorithm.order=" + order, "algorithm.step=" + step, "stop.iterations=50"};
        CAPTURE(loss + ' ' + order + ' ' + step);
        CHECK(distance(point(words), point(words + kWhole)) <= 1e-7);
        CHECK(distance(point(words), point(words + Words{"stop.iterations=4"})) > 1e-3);
      }
}

TEST_CASE("block-coordinate: sparse columns make the steps of dense ones") {
  const TestFolder folder;
  Engine engine(9);
  std::string rows, dense;
  for (int i = 0; i < 40; ++i) {
    std::vector<double> a = testing::normals(engine, 12);
    for (double& value : a) value = value > 0.6 ? value : 0.0;
    const double response = testing::normals(engine, 1).front();
    rows += print_real(response);
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (a[j] != 0.0) rows += ' ' + std::to_string(j + 1) + ':' + print_real(a[j]);
      dense += print_real(a[j]) + ',';
    }
    rows += i == 0 && a[11] == 0.0 ? " 12:0\n" : "\n", dense += print_real(response) + '\n';
  }
  folder.put("sparse.svm", rows);
  folder.put("dense.csv", dense);
  const auto from = [&](const std::string& file) {
    return Words{"objective.use=linear-model", "objective.data=" + (folder / file).string(),
                 "objective.loss=huber"} +
           kProduct + Words{"algorithm.use=bcfw", "stop.iterations=200"};
  };
  const RunResult sparse = solve(from("sparse.svm")), full = solve(from("dense.csv"));
  CHECK(distance(sparse.answer.to_dense(), full.answer.to_dense()) <= 1e-9);
  CHECK(full.measurement.gap < 0.05);
}

TEST_CASE("block-coordinate: a step is one minimisation over a block, and along columns no gradient") {
  const RunResult r = solve(kBlocks + Words{"stop.iterations=90"});
  CHECK(r.counts.partial_lo == 90);
  CHECK(r.counts.coordinate_steps == 90);
  CHECK(r.counts.lo == 0);
  CHECK(r.counts.sfo == 0);
  const RunResult whole = solve(kBlocks + kWhole + Words{"stop.iterations=90"});
  CHECK(whole.counts.partial_lo == 90);
  CHECK(whole.counts.sfo == 90 * 60);
  const RunResult sampled =
      solve(kBlocks + Words{"estimator.use=sg", "estimator.batch=5", "stop.iterations=90"});
  CHECK(sampled.counts.sfo == 90 * 5);
}

TEST_CASE("block-coordinate: a cycle moves every block once") {
  const std::vector<double> start =
      query<Start>(*compose(build_catalog(), spec_of(kBlocks + Words{"stop.iterations=1"})).problem().set)
          ->start_point(Shape::vector(12))
          .to_dense();
  for (const std::string& order : {std::string("cyclic"), std::string("permuted"), std::string("gap")})
    for (const int steps : {1, 2, 3}) {
      const std::vector<double> x =
          point(kBlocks + Words{"algorithm.step=agnostic", "algorithm.order=" + order,
                                "stop.iterations=" + std::to_string(steps)});
      int moved = 0;
      for (const auto& [first, last] : {std::pair{0, 3}, {3, 7}, {7, 12}})
        moved += !std::equal(x.begin() + first, x.begin() + last, start.begin() + first);
      CHECK(moved == steps);
    }
}

TEST_CASE("block-coordinate: a run resumed is the same run") {
  for (const Words& more :
       {Words{}, Words{"algorithm.order=permuted"}, Words{"estimator.use=svrg", "algorithm.order=permuted"},
        kWhole, Words{"algorithm.order=gap", "algorithm.refresh=2"},
        kWhole + Words{"algorithm.order=gap", "algorithm.refresh=3"}, Words{"algorithm.step=adaptive"}}) {
    const Words words = kBlocks + more + Words{"stop.iterations=17"};
    const Saved saved = solve_and_save(words, 4);
    REQUIRE(saved.result.failure.empty());
    for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
  }
}

TEST_CASE("block-coordinate: blocks are drawn as often as their gaps say, uniformly where all are 0") {
  for (const Index count : {1, 2, 3, 5, 8, 13}) {
    GapDraws draws;
    draws.start(count);
    RandomStream coins(3, Purpose::test);
    const auto frequencies = [&] {
      std::vector<double> times(static_cast<std::size_t>(count), 0.0);
      for (int k = 0; k < 20000; ++k) times[static_cast<std::size_t>(draws.draw(coins))] += 1.0 / 20000;
      return times;
    };
    for (const double seen : frequencies())
      CHECK(seen == doctest::Approx(1.0 / static_cast<double>(count)).epsilon(0.1));
    double sum = 0.0;
    for (Index k = 0; k < count; ++k) {
      draws.set(k, 100.0), draws.set(k, static_cast<double>(k));  // the last one holds
      sum += static_cast<double>(k);
    }
    if (count == 1) continue;
    const std::vector<double> seen = frequencies();
    for (Index k = 0; k < count; ++k)
      CHECK(std::abs(seen[static_cast<std::size_t>(k)] - static_cast<double>(k) / sum) <= 0.02);
    CHECK(seen[0] == 0.0);
    draws.set(0, -1.0), draws.set(1, std::numeric_limits<double>::quiet_NaN());
    CHECK(draws.gap(0) == 0.0);
    CHECK(draws.gap(1) == 0.0);
  }
}

TEST_CASE("block-coordinate: sums of gaps depend on the gaps alone, so that a loaded state draws alike") {
  GapDraws draws, loaded;
  draws.start(6), loaded.start(6);
  Engine engine(4);
  for (int t = 0; t < 1000; ++t) draws.set(t % 6, std::exp(20.0 * testing::normals(engine, 1).front()));
  const References none;
  StateWriter out(none);
  draws.state(out);
  const std::string bytes = out.bytes();
  StateReader in(std::string_view(bytes), none, "state");
  loaded.state(in);
  RandomStream first(7, Purpose::test), second(7, Purpose::test);
  for (int t = 0; t < 500; ++t) CHECK(draws.draw(first) == loaded.draw(second));
  GapDraws other;
  other.start(5);
  StateReader again(std::string_view(bytes), none, "state");
  CHECK_THROWS_AS(other.state(again), Error);
}

TEST_CASE("block-coordinate: of very unequal blocks, gaps choose those that matter") {
  // The nearest point of a product of doubly stochastic matrices, two of 6 x 6 and 38 of 2 x 2, whose minima
  // one step or two find.
  Words problem{"objective.use=distance", "set.use=product"};
  std::string target, sizes;
  for (int k = 0; k < 40; ++k) {
    const int n = k % 20 == 0 ? 6 : 2;
    problem.push_back("set.blocks." + std::to_string(k + 1) + ".use=birkhoff");
    sizes += std::to_string(n) + 'x' + std::to_string(n) + ' ';
    for (int j = 0; j < n * n; ++j) target += print_real(0.1 * ((j * 7 + k * 3) % 11)) + ' ';
  }
  problem.push_back("objective.data=" + target);
  problem.push_back("set.sizes=" + sizes);
  const auto steps = [&](const std::string& order) {
    const RunResult r =
        solve(problem + Words{"algorithm.use=bcfw", "algorithm.step=short", "algorithm.order=" + order,
                              "stop.gap=0.05", "stop.iterations=100000", "run.seed=3"});
    CHECK_MESSAGE(is_target(r.status), text(r.status));
    CHECK(r.measurement.confirmed);
    return r.iterations;
  };
  CHECK(4 * steps("gap") < steps("random"));
}

TEST_CASE("block-coordinate: what has no blocks is refused with the reason") {
  check_mentions(composing_refused(kSquares + Words{"set.use=simplex", "set.radius=1", "algorithm.use=bcfw"}),
                 {"blocks", "product", "one factor"});
  check_mentions(composing_refused(kSquares + Words{"algorithm.use=bcfw"}), {"no set is given"});
  const auto with_intercept = [] {
    (void)solve(kBlocks + Words{"objective.intercept=yes", "stop.iterations=2"});
  };
  check_mentions(refusal(ErrorKind::usage, with_intercept), {"intercept", "linear oracle"});
}

/// Of simplex, l1 ball and box, whose product is a polytope.
const Words kPolytopes{"set.use=product",       "set.sizes=3 4 5",          "set.blocks.1.use=simplex",
                       "set.blocks.1.radius=2", "set.blocks.2.use=l1-ball", "set.blocks.2.radius=0.7",
                       "set.blocks.3.use=box",  "set.blocks.3.lower=-0.2",  "set.blocks.3.upper=0.3"};

TEST_CASE("block-coordinate: steps that keep vertices come to the minimum fast, over polytopes") {
  for (const std::string& loss : {std::string("squared"), std::string("huber"), std::string("logistic")}) {
    const Words problem = kSquares + kPolytopes +
                          Words{"objective.loss=" + loss,
                                std::string("data.response=") + (loss == "logistic" ? "logistic" : "linear")};
    const RunResult reference =
        solve(problem + Words{"algorithm.use=proximal-gradient", "stop.gap=1e-11", "stop.iterations=20000"});
    REQUIRE(is_target(reference.status));
    for (const std::string& direction : {std::string("away"), std::string("pairwise")})
      for (const std::string& order : {std::string("random"), std::string("cyclic"), std::string("gap")})
        for (const std::string& step : {std::string("auto"), std::string("short")})
          for (const Words& more : {Words{}, kWhole}) {
            if (step == "short" && !more.empty()) continue;  // by a bound of the curvature of all of f
            CAPTURE(loss + ' ' + direction + ' ' + order + ' ' + step);
            CAPTURE(more.size());
            const RunResult r = solve(problem + more +
                                      Words{"algorithm.use=bcfw", "algorithm.direction=" + direction,
                                            "algorithm.order=" + order, "algorithm.step=" + step,
                                            "stop.gap=1e-9", "stop.iterations=20000"});
            CHECK_MESSAGE(is_target(r.status), text(r.status));
            CHECK(r.measurement.confirmed);
            CHECK(std::abs(r.measurement.value - reference.measurement.value) <= 2e-9);
            CHECK(r.violation <= 1e-12);
          }
  }
}

TEST_CASE("block-coordinate: steps that keep vertices go along columns as along whole gradients") {
  for (const std::string& direction : {std::string("away"), std::string("pairwise")})
    for (const std::string& loss : {std::string("squared"), std::string("logistic")}) {
      const Words words = kSquares + kPolytopes +
                          Words{"algorithm.use=bcfw",
                                "algorithm.direction=" + direction,
                                "objective.loss=" + loss,
                                std::string("data.response=") + (loss == "logistic" ? "logistic" : "linear"),
                                "algorithm.step=line-search",
                                "stop.iterations=12"};
      CAPTURE(direction + ' ' + loss);
      CHECK(distance(point(words), point(words + kWhole)) <= 1e-7);
      if (direction == "pairwise")
        CHECK(distance(point(words), point(words + Words{"algorithm.direction=toward"})) > 1e-5);
    }
}

TEST_CASE(
    "block-coordinate: a pairwise step moves weight from the worst vertex of the block to the best one") {
  // f = ||x - c||^2 / 2 over two triangles, from vertices: the first step of each block is a Frank-Wolfe
  // step, the second one of the first block moves weight on from its first vertex.
  Solver solver(build_catalog());
  solver.objective("distance", {{"data", "0.2 0.3 0.5 0 1 0"}});
  solver.constraint("product", {{"blocks.1.use", "simplex"},
                                {"blocks.1.radius", 1.0},
                                {"blocks.2.use", "simplex"},
                                {"blocks.2.radius", 1.0}});
  solver.algorithm("block-coordinate-frank-wolfe", {{"direction", "pairwise"}, {"order", "cyclic"}});
  const auto after = [&](int steps) {
    solver.stop_when({{"iterations", steps}});
    return solver.start_from(Element::dense(Shape::vector(6), {1, 0, 0, 0, 1, 0})).solve().answer.to_dense();
  };
  // Block 1: g = (0.8, -0.3, -0.5), s the third, all of 1 to move along e3 - e1: gamma = 1.3 / 2 = 0.65.
  // Then block 2 rests at its solution. Then g = (0.15, -0.3, 0.15): from the third or the first (alike, the
  // first found) to the second: gamma = 0.45 / 2.
  const std::vector<std::vector<double>> expected{{0.35, 0.0, 0.65, 0.0, 1.0, 0.0},
                                                  {0.35, 0.0, 0.65, 0.0, 1.0, 0.0}};
  for (int steps = 1; steps <= 2; ++steps)
    CHECK(distance(after(steps), expected[static_cast<std::size_t>(steps) - 1]) <= 1e-14);
  const std::vector<double> x = after(3);
  CHECK(x[1] == doctest::Approx(0.225).epsilon(1e-12));
  CHECK(std::min(std::abs(x[0] - 0.125), std::abs(x[2] - 0.425)) <= 1e-12);
  CHECK(std::abs(x[0] + x[1] + x[2] - 1.0) <= 1e-14);
}

TEST_CASE("block-coordinate: steps that keep vertices resume, count, and refuse what they cannot work with") {
  for (const std::string& direction : {std::string("away"), std::string("pairwise")})
    for (const Words& more : {Words{}, Words{"algorithm.order=gap", "algorithm.refresh=2"}, kWhole}) {
      const Words words =
          kSquares + kPolytopes +
          Words{"algorithm.use=bcfw", "algorithm.direction=" + direction, "stop.iterations=31"} + more;
      const Saved saved = solve_and_save(words, 4);
      REQUIRE(saved.result.failure.empty());
      CHECK(saved.result.counts.partial_lo == 31);
      for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
    }
  const Words pairwise = kSquares + kPolytopes + Words{"algorithm.use=bcfw", "algorithm.direction=pairwise"};
  check_mentions(composing_refused(pairwise + Words{"algorithm.step=agnostic"}),
                 {"algorithm.step", "agnostic", "line-search or short"});
  check_mentions(composing_refused(pairwise + Words{"estimator.use=sg"}), {"exact inner products"});
}

}  // namespace claros::test::block_coordinate
