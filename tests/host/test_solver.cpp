// SPDX-License-Identifier: BSD-3-Clause
#include "small_host.hpp"

#include <claros/sdk/array_set.hpp>
#include <claros/sdk/loss.hpp>

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <thread>

namespace claros::test {

namespace {

/// {x : ||x||_inf <= 1}, by an object of this program.
class UnitCube final : public sdk::ArraySet {
 public:
  double diameter(const Shape&) override { return 2.0 * std::sqrt(static_cast<double>(size_)); }

 private:
  void fit(const Shape& shape) override { size_ = shape.size(); }
  void corner(std::span<const double> c, std::span<double> x) override {
    sdk::map_entries(c, x, [](double value) { return value > 0.0 ? -1.0 : 1.0; });
  }
  void project(std::span<const double> v, std::span<double> x) override {
    sdk::map_entries(v, x, [](double value) { return std::min(std::max(value, -1.0), 1.0); });
  }
  double outside(std::span<const double> x) override {
    return std::max(sdk::largest_magnitude(x) - 1.0, 0.0);
  }
  Index size_ = 1;
};

/// Without any ability.
class Nothing final : public Component {};

Solver by_distance(std::vector<double> c) {
  Solver solver(build_catalog());
  solver.objective(sdk::objective(distance_to(std::move(c)))).algorithm("proximal-gradient");
  return solver;
}

}  // namespace

TEST_CASE("roles are filled by name and by objects of the program") {
  Solver solver = by_distance({3.0, 0.25, -4.0});
  solver.constraint(std::make_shared<UnitCube>()).stop_when({{"iterations", 50}});
  RunResult result = solver.solve();
  CHECK(result.status == Status::iterations);
  const auto x = result.answer.dense_values();
  CHECK(x[0] == 1.0);
  CHECK(x[1] == doctest::Approx(0.25));
  CHECK(x[2] == -1.0);

  // What is said last of a role holds.
  result = solver.constraint("l2-ball", {{"radius", 1}}).solve();
  CHECK(norm(result.answer) == doctest::Approx(1.0));
}

TEST_CASE("a smoother is named or given, and minimised with f") {
  // The minimum of ||x - c||^2/2 + (3/2) ||x||^2 is c/4.
  const auto found = [](Solver& solver) {
    return solver.stop_when({{"residual", 1e-13}, {"iterations", 500}}).solve().answer.to_dense();
  };
  Solver named = by_distance({4.0, -8.0}), given = by_distance({4.0, -8.0}), part = by_distance({4.0, -8.0});
  const auto object = sdk::objective(
      sdk::Function{.shape = Shape::vector(2),
                    .value = [](std::span<const double> x) { return 1.5 * (x[0] * x[0] + x[1] * x[1]); },
                    .gradient = [](std::span<const double> x,
                                   std::span<double> g) { g[0] = 3.0 * x[0], g[1] = 3.0 * x[1]; },
                    .constants = {.convex = true, .smoothness = 3.0}});
  for (Solver* solver : {&named.smoother("squared-norm", {{"lambda", 3}}), &given.smoother(object),
                         &part.part("smoother", object)}) {
    const auto x = found(*solver);
    CHECK(x[0] == doctest::Approx(1.0));
    CHECK(x[1] == doctest::Approx(-2.0));
  }
}

namespace {

/// (z - y)^4 / 4, of a program's own.
struct Quartic {
  double value(double z, double y) const { return 0.25 * std::pow(z - y, 4); }
  double derivative(double z, double y) const { return std::pow(z - y, 3); }
  double second_derivative(double z, double y) const { return 3.0 * std::pow(z - y, 2); }
  LossConstants constants() const { return {.convex = true, .lower_smoothness = 0.0, .lower_bound = 0.0}; }
};

}  // namespace

TEST_CASE("a loss is named or given, in the objective that asks for it") {
  // One row of one column: psi(x, 3) alone, from 0.
  const std::vector<double> rows{1.0}, responses{3.0};
  const auto data = data_from_rows(rows, 1, 1, responses);
  const auto value_after = [&](auto&& choose) {
    Solver solver(build_catalog());
    solver.data(data)
        .objective("linear-model")
        .algorithm("proximal-gradient", {{"step", 0.01}})
        .stop_when({{"iterations", 1}});
    choose(solver);
    return solver.solve().answer.to_dense().front();
  };
  CHECK(value_after([](Solver& s) { s.part("objective.loss", "squared"); }) == doctest::Approx(0.03));
  CHECK(value_after([](Solver& s) {
          s.part("objective.loss", "huber", {{"delta", 2}});
        }) == doctest::Approx(0.02));
  CHECK(value_after([](Solver& s) { s.part("objective.loss", std::make_shared<sdk::LossOf<Quartic>>()); }) ==
        doctest::Approx(0.27));
}

TEST_CASE("check: what solve would refuse, without a step") {
  int steps = 0;
  Solver solver = by_distance({3.0, 0.25, -4.0});
  solver.stop_when({{"iterations", 50}}).on_step([&](const Step&) { return ++steps > 0; });
  solver.check();
  CHECK(steps == 0);
  const auto refusal = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  // Only the start of the algorithm finds that the number is missing.
  solver.algorithm("proximal-gradient", {{"step", "theory"}});
  const std::string checked = refusal([&] { solver.check(); });
  CHECK(checked.find("objective.strong_convexity") != std::string::npos);
  CHECK(checked == refusal([&] { (void)solver.solve(); }));
  CHECK(steps == 0);
}

TEST_CASE("what only a person can choose is asked for, and a fraction of max is one way") {
  Solver solver = by_distance({3.0, 0.25, -4.0});
  solver.penalty("l1").stop_when({{"iterations", 50}});
  try {
    (void)solver.solve();
    FAIL("a penalty without lambda was taken");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("penalty.lambda: is missing") != std::string::npos);
  }
  // The gradient at 0 is -c, so max is 4, and half of it leaves what is beyond 2.
  const RunResult result = solver.penalty("l1", {{"lambda", "0.5*max"}}).solve();
  const auto x = result.answer.to_dense();
  CHECK(x[0] == doctest::Approx(1.0));
  CHECK(x[1] == 0.0);
  CHECK(x[2] == doctest::Approx(-2.0));
}

TEST_CASE("by name and as text give the same bits") {
  const auto words = std::vector<std::string>{"objective.use=linear-model",
                                              "data.use=synthetic-regression",
                                              "data.rows=40",
                                              "data.cols=10",
                                              "data.nonzero=2",
                                              "penalty.use=l1",
                                              "penalty.lambda=0.05",
                                              "run.seed=3",
                                              "estimator.use=svrg",
                                              "algorithm.use=proximal-gradient",
                                              "stop.epochs=5"};
  Spec spec;
  spec.assign(words);
  const Composition composition = compose(build_catalog(), spec);
  const RunResult text = run(composition, run_settings(composition));
  const RunResult fluent = Solver(build_catalog())
                               .objective("linear-model")
                               .data("synthetic-regression", {{"rows", 40}, {"cols", 10}, {"nonzero", 2}})
                               .penalty("l1", {{"lambda", 0.05}})
                               .estimator("svrg")
                               .algorithm("proximal-gradient")
                               .options({{"seed", 3}})
                               .stop_when({{"epochs", 5}})
                               .solve();
  CHECK(fluent.answer.to_dense() == text.answer.to_dense());
  CHECK(fluent.counts.sfo == text.counts.sfo);
  // A specification may come first.
  const RunResult both = Solver(build_catalog(), spec).penalty("l1", {{"lambda", 0.05}}).solve();
  CHECK(both.answer.to_dense() == text.answer.to_dense());
}

TEST_CASE("objects are checked like plugins, and all complaints come at once") {
  SUBCASE("a set without the ability") {
    Solver solver = by_distance({1.0});
    solver.algorithm("frank-wolfe").constraint(std::make_shared<Nothing>()).stop_when({{"iterations", 5}});
    const auto complaints = complaints_of(solver);
    REQUIRE(complaints.size() == 1);
    CHECK(complaints[0].find("needs a set with a linear oracle") != std::string::npos);
    CHECK(complaints[0].find("set/host has none") != std::string::npos);
    CHECK(complaints[0].find("these have it: birkhoff, box, ") != std::string::npos);
  }
  SUBCASE("an objective without Hessian products") {
    Solver solver = by_distance({1.0});
    solver.estimator("casvrg").stop_when({{"iterations", 5}});
    const auto complaints = complaints_of(solver);
    REQUIRE(complaints.size() == 1);
    CHECK(complaints[0].find("needs Hessian products: ") != std::string::npos);
    CHECK(complaints[0].find("objective/host does not have it") != std::string::npos);
  }
  SUBCASE("names, keys, values and rules") {
    Solver solver = by_distance({1.0});
    solver.constraint("simplx")
        .penalty("l1", {{"lamda", 1}, {"lambda", -1.0}})
        .stop_when({{"Iterations", 5}});
    const auto complaints = complaints_of(solver);
    std::string all;
    for (const auto& sentence : complaints) all += sentence + '\n';
    CHECK(complaints.size() == 4);
    CHECK(all.find("set.use: there is no set named 'simplx'") != std::string::npos);
    CHECK(all.find("did you mean 'simplex'?") != std::string::npos);
    CHECK(all.find("penalty.lamda: penalty/l1 has no parameter 'lamda'") != std::string::npos);
    CHECK(all.find("penalty.lambda: ") != std::string::npos);
    CHECK(all.find("'Iterations' is not a key") != std::string::npos);
  }
  SUBCASE("a role that is given twice") {
    Spec spec;
    spec.assign({"objective.use=linear-model", "algorithm.use=proximal-gradient", "stop.iterations=1"});
    HostParts parts;
    parts.parts["objective"] = {Kind::objective, sdk::objective(distance_to({1.0}))};
    CHECK_THROWS_WITH_AS(
        (void)compose(build_catalog(), spec, parts),
        doctest::Contains("objective: is given by the program itself and by the specification"), Error);
  }
  SUBCASE("several trials need components that can be made again") {
    Solver solver = by_distance({1.0});
    solver.algorithm("frank-wolfe")
        .constraint(std::make_shared<UnitCube>())
        .stop_when({{"iterations", 5}})
        .options({{"trials", 2}});
    const auto complaints = complaints_of(solver);
    REQUIRE(complaints.size() == 1);
    CHECK(complaints[0].find("which only the catalogue can make") != std::string::npos);
  }
}

TEST_CASE("a callback on steps sees the run and can end it") {
  Index calls = 0, measured = 0;
  std::vector<double> kept;
  Solver solver = by_distance({1.0, 2.0});
  solver.algorithm("proximal-gradient", {{"step", 0.1}})
      .stop_when({{"iterations", 100}})
      .trace({{"every", 4}});
  solver.on_step([&](const Step& step) {
    CHECK(step.iteration == ++calls);
    if (!std::isnan(step.value)) {
      ++measured;
      CHECK(step.iteration % 4 == 0);
      const auto x = step.iterate().to_dense();
      CHECK(step.value == doctest::Approx(0.5 * (std::pow(x[0] - 1.0, 2) + std::pow(x[1] - 2.0, 2))));
      kept = x;
    }
    return step.iteration < 12;
  });
  const RunResult result = solver.solve();
  CHECK(result.status == Status::stopped_by_host);
  CHECK(result.iterations == 12);
  CHECK(calls == 12);
  CHECK(measured == 3);
  CHECK(result.answer.to_dense() == kept);
  // Reading the point changes no bits.
  Solver unseen = by_distance({1.0, 2.0});
  unseen.algorithm("proximal-gradient", {{"step", 0.1}})
      .stop_when({{"iterations", 12}})
      .trace({{"every", 4}});
  CHECK(unseen.solve().answer.to_dense() == kept);
}

TEST_CASE("what a callback throws passes through solve, and is a value of try_solve") {
  Solver solver = by_distance({1.0});
  solver.stop_when({{"iterations", 3}}).on_step([](const Step&) -> bool {
    throw std::out_of_range("the host's own");
  });
  CHECK_THROWS_AS((void)solver.solve(), std::out_of_range);
  const auto result = solver.try_solve();
  REQUIRE_FALSE(result);
  CHECK(result.error().complaints().front().where == "this program");
  CHECK(result.error().complaints().front().what.find("std::out_of_range: the host's own") !=
        std::string::npos);
  CHECK_THROWS_AS((void)result.value(), Error);
}

TEST_CASE("an objective that fails ends the run with a status") {
  sdk::Function f = distance_to({1.0});
  f.gradient = [](std::span<const double>, std::span<double>) {
    throw std::runtime_error("no gradient today");
  };
  Solver solver(build_catalog());
  solver.objective(sdk::objective(f)).algorithm("proximal-gradient").stop_when({{"iterations", 3}});
  const RunResult result = solver.solve();
  CHECK(result.status == Status::failed);
  CHECK(result.failure.find("objective/host: threw std::runtime_error: no gradient today") !=
        std::string::npos);
}

TEST_CASE("an object serves one run at a time") {
  Solver outer = by_distance({1.0, 2.0});
  outer.stop_when({{"iterations", 1}});
  const Solver inner = outer;
  std::string complaint;
  outer.on_step([&](const Step&) {
    std::thread([&] { complaint = complaints_of(inner).at(0); }).join();
    return true;
  });
  const auto first = outer.solve().answer.to_dense();
  CHECK(complaint.find("objective: the object of this program is in another run") == 0);
  // One after the other it may.
  CHECK(inner.solve().answer.to_dense() == first);
}

TEST_CASE("the start is a point of the program, and an interrupt ends the run") {
  Solver solver = by_distance({1.0, 2.0});
  solver.start_from(Element::dense(Shape::vector(2), {1.0, 2.0})).stop_when({{"iterations", 1}});
  CHECK(solver.solve().trace.front().value == 0.0);
  solver.start_from(Element::dense(Shape::vector(3), {1.0, 2.0, 3.0}));
  const std::string refused = complaints_of(solver).at(0);
  CHECK(refused.find("start: ") == 0);
  for (const char* word : {"2 x 1", "3 x 1", "objective/host"})
    CHECK(refused.find(word) != std::string::npos);

  const std::atomic<bool> stop = true;
  Solver stopped = by_distance({1.0});
  CHECK(stopped.stop_when({{"iterations", 1000}}).interrupt(stop).solve().status == Status::interrupted);
}

TEST_CASE("the solution is in the units of the data") {
  const std::vector<double> a{0, 10, 0, 20, 0, 40, 1, 30}, y{1, 2, 4, 4};
  Solver solver(build_catalog());
  solver.objective("linear-model", {{"standardize", true}, {"intercept", true}})
      .data(data_from_rows(a, 4, 2, y))
      .algorithm("proximal-gradient")
      .stop_when({{"iterations", 3000}});
  const auto x = solver.solve().answer.to_dense();
  REQUIRE(x.size() == 3);
  CHECK(x[0] == doctest::Approx(1.0).epsilon(1e-6));
  CHECK(x[1] == doctest::Approx(0.1).epsilon(1e-6));
  CHECK(x[2] == doctest::Approx(0.0).scale(1.0).epsilon(1e-6));
}

}  // namespace claros::test
