// SPDX-License-Identifier: BSD-3-Clause
// Frank-Wolfe whose linear function is of more gradients than the last, against loops over arrays.
#include "compose_for_test.hpp"
#include "trace_for_test.hpp"

#include <claros/host.hpp>

#include <numeric>

namespace claros::test::frank_wolfe_models {

namespace {

using Numbers = std::vector<double>;

const Words kLogistic{"data.use=synthetic-regression",
                      "data.rows=60",
                      "data.cols=8",
                      "data.nonzero=4",
                      "data.response=logistic",
                      "data.correlation=0.5",
                      "objective.use=linear-model",
                      "objective.loss=logistic"};

Words with_model(const Words& problem, const std::string& model, const Words& more = {}) {
  return problem + Words{"algorithm.use=frank-wolfe", "algorithm.model=" + model} + more;
}

/// x_T of x <- x + 2/(t + 2) (v - x), v = -radius m/||m||, m = rule(t, g_t).
Numbers over_a_ball(Objective& f, double radius, int steps,
                    const std::function<Numbers(int, const Numbers&)>& rule) {
  const Shape shape = f.shape();
  Numbers x(static_cast<std::size_t>(shape.size()), 0.0);
  for (int t = 0; t < steps; ++t) {
    Element g(shape);
    f.add_gradient(Element::dense(shape, x), Batch::all(), 1.0, g);
    const Numbers m = rule(t, g.to_dense());
    const double length = std::sqrt(std::inner_product(m.begin(), m.end(), m.begin(), 0.0)),
                 gamma = 2.0 / (t + 2.0);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += gamma * (-radius * m[j] / length - x[j]);
  }
  return x;
}

void check_run(const Words& words, const Numbers& expected) {
  const Numbers found = solve(words + Words{"stop.iterations=12"}).answer.to_dense();
  REQUIRE(found.size() == expected.size());
  for (std::size_t j = 0; j < found.size(); ++j)
    CHECK(found[j] == doctest::Approx(expected[j]).epsilon(1e-9));
}

}  // namespace

TEST_CASE("frank-wolfe models: iterates are those of the formulas") {
  const Words problem = kLogistic + Words{"set.use=l2-ball", "set.radius=3"};
  const Composition composed = compose(build_catalog(), spec_of(with_model(problem, "gradient")));
  Objective& f = *composed.objective;
  const auto averaged = [&](double constant) {
    return over_a_ball(f, 3.0, 12, [m = Numbers(8, 0.0), constant](int t, const Numbers& g) mutable {
      const double rho = t == 0 ? 1.0 : constant > 0.0 ? constant : 2.0 / (t + 2.0);
      for (std::size_t j = 0; j < m.size(); ++j) m[j] = (1.0 - rho) * m[j] + rho * g[j];
      return m;
    });
  };
  check_run(with_model(problem, "gradient"),
            over_a_ball(f, 3.0, 12, [](int, const Numbers& g) { return g; }));
  check_run(with_model(problem, "heavy-ball"), averaged(0.0));
  check_run(with_model(problem, "heavy-ball", {"algorithm.averaging=0.3"}), averaged(0.3));
  check_run(with_model(problem, "optimistic"),
            over_a_ball(f, 3.0, 12, [last = Numbers()](int, const Numbers& g) mutable {
              Numbers m(g);
              for (std::size_t j = 0; !last.empty() && j < m.size(); ++j) m[j] += g[j] - last[j];
              last = g;
              return m;
            }));
}

TEST_CASE("frank-wolfe models: a constant of 1 leaves the gradient alone") {
  const Words ball = kLogistic + Words{"set.use=l1-ball", "set.radius=2", "stop.iterations=15"};
  const RunResult plain = solve(with_model(ball, "gradient")),
                  whole = solve(with_model(ball, "heavy-ball", {"algorithm.averaging=1"}));
  CHECK(same_bits(plain.answer, whole.answer));
}

TEST_CASE("frank-wolfe models: matrices, stochastic gradients and line searches come to confirmed gaps") {
  const SmallProblem completion(3, 20, 15, 2, 150);
  for (const std::string model : {"heavy-ball", "optimistic"})
    for (const Words& more : {Words{}, Words{"algorithm.step=line-search"}, Words{"algorithm.step=adaptive"},
                              Words{"estimator.use=svrg"}}) {
      CAPTURE(model);
      CAPTURE((more.empty() ? "" : more.front()));
      const RunResult result = solve(completion.words(8.0, {"stop.relative_gap=0.05", "stop.iterations=4000",
                                                            "algorithm.model=" + model}) +
                                     more);
      CHECK(result.status == Status::relative_gap);
      const double gap = completion.gap(result.answer.to_dense(), 8.0);
      const double known = std::min(gap, result.measurement.value - result.lower_bound);
      CHECK(known <= 0.05 * result.measurement.value * 1.0001);
    }
}

TEST_CASE("frank-wolfe models: the gap of the averaged linear function is not taken for that of f") {
  const Words ball =
      kLogistic + Words{"set.use=l2-ball", "set.radius=3", "stop.iterations=20", "trace.every=1"};
  for (const std::string model : {"heavy-ball", "optimistic"}) {
    CAPTURE(model);
    const Composition c = compose(build_catalog(), spec_of(with_model(ball, model)));
    Sampler sampler(c.context.stream(Purpose::sampling), c.objective->terms());
    c.estimator->start(*c.objective, sampler);
    c.algorithm->start(c.problem(), Element(c.objective->shape()));
    for (int t = 0; t < 5; ++t) {
      c.algorithm->step();
      CHECK(std::isinf(c.algorithm->report().gap));
    }
  }
}

TEST_CASE("frank-wolfe models: a run resumed is the same run") {
  const SmallProblem completion(4, 12, 9, 2, 60);
  for (const std::string model : {"heavy-ball", "optimistic"})
    for (const Words& more : {Words{}, Words{"estimator.use=spider"}}) {
      const Words words = completion.words(5.0, {"stop.iterations=17", "algorithm.model=" + model}) + more;
      const Saved saved = solve_and_save(words, 4);
      REQUIRE(saved.result.failure.empty());
      for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
    }
}

TEST_CASE("frank-wolfe models: steps by theory, and an average that no one takes, are refused") {
  CHECK(composing_refused(with_model(kLogistic, "optimistic",
                                     {"set.use=l2-ball", "set.radius=1", "algorithm.averaging=0.5"}))
            .find("heavy-ball") != std::string::npos);
  CHECK(composing_refused(with_model(kLogistic, "heavy-ball",
                                     {"set.use=l2-ball", "set.radius=1", "algorithm.step=theory",
                                      "estimator.use=sg", "estimator.epsilon=0.1"}))
            .find("model = gradient") != std::string::npos);
}

}  // namespace claros::test::frank_wolfe_models
