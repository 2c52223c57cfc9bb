// SPDX-License-Identifier: BSD-3-Clause
// "Theory" numbers: the same in every unit of the variable, and what they promise happens.
#include "catalog_losses.hpp"
#include "compose_for_test.hpp"
#include "estimator_problems.hpp"

#include <numeric>

using namespace claros;
using namespace claros::test;

namespace {

constexpr double kUnits[] = {1.0, 10.0, 1000.0};
constexpr Index kMost = 30000;  // steps of an epoch; wrong numbers may ask for millions

/// The robust problem with its variable measured times `unit`: y and sqrt(sigma) grow with it, L_2/L^2
/// epsilon does not.
struct ScaledRobust : Entries<losses::RobustLoss> {
  explicit ScaledRobust(double unit) : Entries(25, 40, 2.0, {unit * unit}, 1, unit) {}
};

Numbers theory(double accuracy) {
  return {{"batch", "theory"}, {"epoch", "theory"}, {"accuracy", print_real(accuracy)}};
}

InForce told_in_force(const std::string& name, const Numbers& numbers, Objective& f) {
  const auto e = estimator(name, numbers);
  Sampler sampler(RandomStream(5, Purpose::test), f.terms());
  e->start(f, sampler);
  const Element x = rank_one(f.shape(), 4);
  e->begin_epoch(x);
  InForce result{e->batch_size(), 0};
  while (!e->epoch_due() && result.length < kMost) (void)e->estimate(x), ++result.length;
  return result;
}

/// sqrt(E ||g - grad f||^2) at the end of an epoch whose steps have the length epsilon/L, all in one
/// direction.
double error_of_epoch(const std::string& name, double unit, double epsilon) {
  ScaledRobust f(unit);
  const double L = 1.0 / (unit * unit);
  Element d = rank_one(f.shape(), 9);
  d.scale(epsilon / L / std::sqrt(inner(d, d)));
  const auto e = estimator(name, theory(epsilon));
  Sampler sampler(RandomStream(5, Purpose::test), f.terms());
  e->start(f, sampler);
  double sum = 0.0;
  constexpr int kTrials = 40;
  for (int k = 0; k < kTrials; ++k) {
    Element x = rank_one(f.shape(), 4, unit);
    e->begin_epoch(x);
    Dense g;
    for (Index t = 0; !e->epoch_due() && t < kMost; ++t) {
      if (t > 0) x.add(1.0, d);
      g = e->estimate(x).to_dense();
    }
    Element exact(f.shape());
    f.add_gradient(x, Batch::all(), 1.0, exact);
    sum += std::pow(distance(g, exact.to_dense()), 2) / kTrials;
  }
  return std::sqrt(sum);
}

/// NFWU on the same entries in another unit.
struct Measured {
  SmallProblem problem;
  double unit;
  static Ratings ratings(double unit) {
    Engine engine(3);
    Ratings r = random_ratings(engine, 12, 10, 2, 80);
    for (double& value : r.value) value *= unit;
    return r;
  }
  explicit Measured(double unit_) : problem(ratings(unit_)), unit(unit_) {}
  Words words(const Words& more) const {
    return problem.objective() +
           Words{"objective.loss=robust",
                 "objective.loss.sigma=" + print_real(unit * unit),
                 "set.use=nuclear-ball",
                 "set.radius=" + print_real(5.0 * unit),
                 "algorithm.use=nfwu",
                 "algorithm.step=theory",
                 "algorithm.oracle_tolerance=1e-9"} +
           more;
  }
};

std::string told(const Words& words) {
  std::string text;
  (void)run_composition(compose(build_catalog(), spec_of(words),
                                [&](Severity, const std::string& line) { text += line + '\n'; }));
  return text;
}

double number_after(const std::string& text, const std::string& word) {
  const auto at = text.find(word);
  REQUIRE_MESSAGE(at != std::string::npos, text);
  return std::stod(text.substr(at + word.size()));
}

std::string solving_refused(const Words& words) {
  return refusal(ErrorKind::usage, [&] { (void)solve(words); });
}

/// NormalRows of normals; G and its least value by coordinate descent would do, but a long run is enough.
struct NormalRows {
  Index n, p;
  TestFolder folder;
  double largest = 0.0;  ///< ||row||^2
  NormalRows(Index n_, Index p_) : n(n_), p(p_) {
    RandomStream random(1, Purpose::test);
    std::string text;
    for (Index i = 0; i < n; ++i) {
      Dense row(static_cast<std::size_t>(p));
      random.fill_normal(row);
      largest = std::max(largest, std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
      for (const double entry : row) text += print_real(entry) + ',';
      text += print_real(row[0] - row[1] + 0.1 * random.normal()) + '\n';
    }
    folder.put("data.csv", text);
  }
  Words words(const Words& more) const {
    return Words{"objective.use=linear-model",
                 "objective.data=" + (folder / "data.csv").string(),
                 "algorithm.use=proximal-gradient",
                 "estimator.use=svrg",
                 "estimator.batch=1",
                 "algorithm.step=theory",
                 "penalty.use=l1",
                 "penalty.lambda=0.05"} +
           more;
  }
};

}  // namespace

TEST_CASE("theory: batches and epochs do not depend on the unit of the variable") {
  for (const std::string name : {"svrg", "spider", "casvrg", "caspider"})
    for (const double accuracy : {0.01, 1e-7}) {  // the second: |S| = 1, times 4
      CAPTURE(name);
      CAPTURE(accuracy);
      ScaledRobust f(1.0);
      const InForce base = told_in_force(name, theory(accuracy), f);
      for (const double unit : kUnits) {
        ScaledRobust scaled(unit);
        CHECK(told_in_force(name, theory(accuracy / unit), scaled) == base);
      }
      if (accuracy < 1e-6 && name.starts_with("ca")) CHECK(base.batch == 4);
    }
  for (const double unit : kUnits) {
    ScaledRobust f(unit);
    CHECK(
        told_in_force(
            "sg",
            {{"batch", "theory"}, {"accuracy", print_real(0.5 / unit)}, {"diameter", print_real(2.0 * unit)}},
            f)
            .batch == 64);
  }
}

TEST_CASE("theory: along steps of epsilon/L the error stays below epsilon/2, in every unit") {
  for (const std::string name : {"svrg", "spider", "casvrg", "caspider"})
    for (const double unit : kUnits) {
      CAPTURE(name);
      CAPTURE(unit);
      CHECK(error_of_epoch(name, unit, 0.1 / unit) <= 0.05 / unit);
    }
}

TEST_CASE("theory: NFWU takes T steps of epsilon/L, of the estimator's epsilon, in every unit") {
  for (const std::string name : {"full", "svrg", "spider", "casvrg", "caspider"}) {
    CAPTURE(name);
    const double accuracy = name == "full" ? 0.01 : 0.2;  // L of f is 1/n of that of a component
    std::vector<Index> steps;
    Dense first;
    for (const double unit : kUnits) {
      CAPTURE(unit);
      const Measured m(unit);
      Words words = m.words(
          {"estimator.use=" + name, "estimator.accuracy=" + print_real(accuracy / unit), "trace.every=1"});
      if (name != "full") words = words + Words{"estimator.batch=theory", "estimator.epoch=theory"};
      const RunResult r = solve(words);
      CHECK(r.status == Status::iterations);
      const Constants c = compose(build_catalog(), spec_of(words)).objective->constants();
      const double L = name == "full" ? *c.smoothness : *c.term_smoothness, epsilon = accuracy / unit;
      CHECK(r.step == doctest::Approx(epsilon / L / (10.0 * unit)));  // D = 2 * radius
      REQUIRE(r.trace.size() > 2);
      REQUIRE(r.trace[1].iteration == 1);
      CHECK(r.iterations ==
            static_cast<Index>(std::ceil(L * r.trace[1].value / (epsilon * epsilon))));  // f* >= 0
      steps.push_back(r.iterations);
      Dense answer = r.answer.to_dense();
      for (double& value : answer) value /= unit;
      if (first.empty()) first = answer;
      CHECK(distance(answer, first) <= 1e-6);
      CHECK(r.measurement.gap <= 5.0 * epsilon * 10.0 * unit);
    }
    CHECK(steps[0] == steps[1]);
    CHECK(steps[0] == steps[2]);
  }
}

TEST_CASE("theory: the answer of NFWU is one of its points, and not the last by rule") {
  const Measured m(1.0);
  const auto answer = [&](const std::string& output, int seed) {
    return solve(m.words({"estimator.use=full", "estimator.accuracy=0.01", "algorithm.output=" + output,
                          "run.seed=" + std::to_string(seed)}))
        .answer.to_dense();
  };
  int last = 0;
  for (int seed = 0; seed < 8; ++seed) last += answer("auto", seed) == answer("last", seed);
  CHECK(last < 8);
  CHECK(answer("auto", 3) == answer("uniform", 3));
}

TEST_CASE("theory: what NFWU's theory lacks is named") {
  const Measured m(1.0);
  CHECK(contains(solving_refused(m.words({"estimator.use=full"})), "estimator.accuracy"));
  CHECK(contains(solving_refused(m.words({"estimator.use=svrg", "estimator.accuracy=0.1"})),
                 "estimator.batch = theory"));
  CHECK(contains(
      solving_refused(m.words({"estimator.use=svrg", "estimator.batch=theory", "estimator.epoch=theory"})),
      "accuracy"));
  CHECK(contains(
      solving_refused(m.words({"estimator.use=svrg", "estimator.batch=theory", "estimator.epoch=theory",
                               "estimator.snapshot=20", "estimator.accuracy=0.1"})),
      "estimator.batch = theory"));
  CHECK(contains(solving_refused(m.words({"estimator.use=saga"})), "estimator.batch = theory"));
  CHECK(contains(told(m.words({"estimator.use=full", "estimator.accuracy=0.01"})), "5 epsilon D"));
}

TEST_CASE(
    "theory: Prox-SVRG's epoch is the shortest whose contraction is a half, by the theorem's own formula") {
  const NormalRows rows(20, 5);
  const auto alpha = [&](double beta, double m, double s) {
    const double L = rows.largest, Q = s * beta * (1.0 - 4.0 * L * beta) * m;
    return 1.0 / Q + 4.0 * L * beta * (m + 1.0) / ((1.0 - 4.0 * L * beta) * m);
  };
  CHECK(alpha(1.0 / (16.0 * rows.largest), 10.0 * rows.largest / 0.5, 0.5) > 2.4);  // what the remarks take
  for (const double s : {0.5, 0.05}) {
    const Words words = rows.words({"objective.strong_convexity=" + print_real(s), "stop.epochs=1"});
    const RunResult r = solve(words);
    const double m = static_cast<double>(r.iterations);
    CHECK(r.step == doctest::Approx(1.0 / (16.0 * rows.largest)));
    CHECK(alpha(r.step, m, s) <= 0.5);
    CHECK(alpha(r.step, m - 1.0, s) > 0.5);
    CHECK(number_after(told(words), "alpha = ") == doctest::Approx(alpha(r.step, m, s)));
  }
}

TEST_CASE("theory: an epoch of Prox-SVRG halves the distance to the minimum") {
  const NormalRows rows(40, 3);
  const Words words = rows.words({"objective.strong_convexity=0.5", "trace.on=no"});
  const auto value = [&](const Words& more) { return solve(words + more).measurement.value; };
  const double least = value({"stop.epochs=40"});
  double before = 0.0, after = 0.0;
  for (int seed = 0; seed < 10; ++seed) {
    const std::string run = "run.seed=" + std::to_string(seed);
    before += value({run, "stop.epochs=1"}) - least, after += value({run, "stop.epochs=2"}) - least;
  }
  CHECK(after <= 0.5 * before);
}

TEST_CASE("theory: what is not convex counts against Prox-SVRG, in the penalty and in the loss") {
  const NormalRows rows(20, 5);
  const auto contraction = [&](double L, double s, double mu, double beta,
                               double m) {  // (6) as the paper prints it
    return (8.0 * L * beta * beta * (m + 1.0) +
            2.0 * (1.0 + beta * mu + 4.0 * L * mu * beta * beta + 4.0 * L * beta * beta * mu * m) / s) /
           (beta * m * (2.0 - 8.0 * L * beta - 2.0 * mu / s * (1.0 + 4.0 * L * beta)));
  };
  CHECK(contraction(1.0, 0.4, 0.1, 1.0 / 16.0, 25.0) > 4.0);        // printed as 0.8
  CHECK(contraction(1.0, 1.0, 1.0 / 2.7, 1.0 / 40.0, 10.0) > 8.0);  // 0.66
  CHECK(contraction(1.0, 0.3, 0.1, 1.0 / 20.0, 10.0 / 0.3) > 5.0);  // 0.68
  struct Case {
    Words words;
    double L, left, mu;
  };
  const Case scad{
      {"penalty.use=scad", "penalty.lambda=0.1", "penalty.zeta=5", "objective.strong_convexity=0.8"},
      rows.largest,
      0.8 - 0.25,
      0.25};
  const Case corrected{
      {"objective.errors_in_variables=0.1", "penalty.rho=3", "objective.strong_convexity=0.5"},
      rows.largest + 0.1,
      0.5,
      0.1};
  for (const Case& c : {scad, corrected}) {
    const Words words = rows.words(c.words + Words{"stop.epochs=1"});
    const RunResult r = solve(words);
    const double m = static_cast<double>(r.iterations);
    CHECK(contraction(c.L, c.left, c.mu, r.step, m) <= 0.5);
    CHECK(contraction(c.L, c.left, c.mu, r.step, m) >= 0.0);
    CHECK(contraction(c.L, c.left, c.mu, r.step, m - 1.0) > 0.5);
    CHECK(r.step <= 1.0 / std::max(c.mu, c.L - c.mu));
    CHECK(number_after(told(words), "alpha = ") ==
          doctest::Approx(contraction(c.L, c.left, c.mu, r.step, m)));
  }
  CHECK(contains(
      solving_refused(rows.words(corrected.words + Words{"objective.strong_convexity=0.1", "stop.epochs=1"})),
      "is not above 0.1"));
  CHECK(contains(
      solving_refused(rows.words(scad.words + Words{"objective.strong_convexity=0.5", "stop.epochs=1"})),
      "is not above 0.25"));
}

TEST_CASE(
    "theory: the next snapshot is the theorem's, the average, and a random point where something is not "
    "convex") {
  const NormalRows rows(20, 5);
  const auto answer = [&](const Words& more) {
    return solve(rows.words(Words{"stop.epochs=2"} + more)).answer.to_dense();
  };
  const Words convex{"objective.strong_convexity=0.5"},
      scad{"penalty.use=scad", "penalty.lambda=0.1", "penalty.zeta=5", "objective.strong_convexity=0.8"};
  CHECK(answer(convex) == answer(convex + Words{"algorithm.snapshot=average"}));
  CHECK(answer(convex) != answer(convex + Words{"algorithm.snapshot=last"}));
  CHECK(answer(scad) == answer(scad + Words{"algorithm.snapshot=random"}));
}
