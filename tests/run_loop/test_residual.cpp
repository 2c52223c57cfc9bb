// SPDX-License-Identifier: BSD-3-Clause
// The step whose move is the residual of a point: of the problem, close to 1/L, and made for a few products
// with the data.
#include "compose_for_test.hpp"

#include <claros/abilities.hpp>
#include <claros/objective.hpp>

using namespace claros;
using namespace claros::test;

namespace {

const Words kModel{"objective.use=linear-model", "data.use=synthetic-regression", "data.nonzero=5"};

/// An objective that counts who asks for its constants, which take passes over the data.
class Asked final : public Objective {
 public:
  explicit Asked(std::shared_ptr<Component> inner)
      : inner_(std::move(inner)), f_(static_cast<Objective&>(*inner_)) {}
  Shape shape() const override { return f_.shape(); }
  Index terms() const override { return f_.terms(); }
  double value(const Element& x) override { return f_.value(x); }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    f_.add_gradient(x, batch, a, g);
  }
  Constants constants() const override { return ++asked, f_.constants(); }
  void* ability(std::string_view id) noexcept override { return inner_->ability(id); }
  mutable int asked = 0;

 private:
  std::shared_ptr<Component> inner_;
  Objective& f_;
};

std::shared_ptr<Asked> model_that_counts(const Words& words) {
  const Composition c = compose(build_catalog(), spec_of(kModel + words + Words{"stop.iterations=1"}));
  for (const Node& node : c.parts)
    if (node.path == "objective") return std::make_shared<Asked>(node.component);
  return nullptr;
}

/// The first measurement of a run from `x`.
RunResult measured_at(const Words& words, std::vector<double> x) {
  const Words all = kModel + words + Words{"stop.iterations=1", "stop.residual=1e-300"};
  const Composition sizes = compose(build_catalog(), spec_of(all));
  HostParts parts;
  parts.start = std::make_shared<const Element>(Element::dense(sizes.objective->shape(), std::move(x)));
  return run_composition(compose(build_catalog(), spec_of(all), parts));
}

std::vector<double> gradient_at_zero(const Words& words) {
  const Composition c = compose(build_catalog(), spec_of(kModel + words + Words{"stop.iterations=1"}));
  Element g(c.objective->shape());
  c.objective->add_gradient(Element(g.shape()), Batch::all(), 1.0, g);
  return g.to_dense();
}

/// The step s of residuals at x = -delta sign(g_j) e_j, g = grad f(0) and |g_j| its largest entry, with an l1
/// penalty that is a little larger: a step of s leads to 0 and r = delta / s, while f grows about as fast as
/// the penalty falls.
double residual_step(const Words& words) {
  constexpr double kDelta = 1e-9;
  const Words penalised = words + Words{"penalty.use=l1", "penalty.lambda=1.01*max"};
  const std::vector<double> g = gradient_at_zero(penalised);
  const auto steepest = std::ranges::max_element(g, {}, [](double slope) { return std::abs(slope); });
  std::vector<double> x(g.size(), 0.0);
  x[static_cast<std::size_t>(steepest - g.begin())] = std::copysign(kDelta, -*steepest);
  const RunResult r = measured_at(penalised, std::move(x));
  return kDelta / (r.trace.front().residual * r.residual_scale);
}

const std::vector<Words> kProblems{
    {"data.rows=300", "data.cols=250", "data.variance=2"},  // whose largest eigenvalues lie close together
    {"data.rows=100", "data.cols=300"},
    {"data.rows=60", "data.cols=400"},  // many more columns than rows: from a random start
    {"data.rows=200", "data.cols=100", "data.correlation=0.5"},
    {"data.rows=200", "data.cols=80", "objective.loss=logistic", "data.response=logistic"},
    {"data.rows=40", "data.cols=6"}};

}  // namespace

TEST_CASE("residual: its step is 1/L or a little less, whatever the shape and the loss") {
  for (const Words& words : kProblems) {
    CAPTURE(words.front());
    const double L = *compose(build_catalog(), spec_of(kModel + words + Words{"stop.iterations=1"}))
                          .objective->constants()
                          .smoothness;
    const double s = residual_step(
        words + Words{"estimator.use=full", "algorithm.use=proximal-gradient", "algorithm.step=0.01"});
    CHECK(s * L > 0.7);
    CHECK(s * L < 1.03);  // L is itself a bound, up to 4% too large
  }
}

TEST_CASE("residual: its step is that of the problem, not of what an algorithm has asked") {
  for (const Words& words : kProblems) {
    CAPTURE(words.front());
    const double s = residual_step(words + Words{"algorithm.use=proximal-gradient", "algorithm.step=0.01"});
    CHECK(residual_step(words + Words{"algorithm.use=proximal-gradient", "algorithm.step=1/L"}) == s);
    CHECK(residual_step(words + Words{"algorithm.use=working-set"}) == s);
    CHECK(residual_step(
              words + Words{"algorithm.use=proximal-gradient", "algorithm.step=1/L", "run.threads=3"}) == s);
  }
}

// F(x) falls by lambda delta on the way to 0, the solution, a move as short as delta.
TEST_CASE("residual: what the step takes of the value counts where the penalty is steep") {
  constexpr double kDelta = 1e-9, kLambda = 1e6;
  std::vector<double> x(gradient_at_zero(kProblems.front()).size(), 0.0);
  x.front() = kDelta;
  const RunResult r =
      measured_at(kProblems.front() + Words{"penalty.use=l1", "penalty.lambda=1e6"}, std::move(x));
  const TraceRow& first = r.trace.front();
  CHECK(first.residual == doctest::Approx(kLambda * kDelta / first.value).epsilon(1e-3));
}

TEST_CASE("residual: neither it nor the choice of an algorithm asks for the constants of f") {
  const std::vector<Words> cases{{"penalty.use=scad", "penalty.lambda=0.1*max", "stop.residual=1e-6"},
                                 {"penalty.use=l1", "penalty.lambda=0.1*max", "stop.residual=1e-6"},
                                 {"penalty.use=l1", "penalty.lambda=0.1*max", "stop.relative_gap=1e-6"}};
  const Words squared{"data.rows=60", "data.cols=50"},
      logistic = squared + Words{"objective.loss=logistic", "data.response=logistic"};
  for (const Words& model : {squared, logistic})
    for (const Words& words : cases) {
      CAPTURE(words.front());
      const auto asked = model_that_counts(model);
      REQUIRE(asked);
      HostParts parts;
      parts.parts["objective"] = {Kind::objective, asked};
      const RunResult r = run_composition(
          compose(build_catalog(),
                  spec_of(words + Words{"algorithm.use=auto", "trace.on=no", "stop.iterations=200"}), parts));
      CHECK(is_target(r.status));
      CHECK(asked->asked == 0);
    }
}

TEST_CASE(
    "residual: of a concave penalty it is the move by the penalty's own proximal step over its length") {
  // f(x) = x'x + c'x has L = 2: a step of 1/2 for h + mu ||.||^2/2, mu = 1/b, is one of t = s/(1 + s mu) for
  // h.
  constexpr double kLambda = 0.7, kB = 1.2, kStep = 0.5 / (1.0 + 0.5 / kB);
  const std::vector<double> c{-3.0, 0.4, 1.9, -1.1}, x{0.3, -0.2, 0.0, 2.5};
  const auto mcp = [](double size) {
    const double small = std::min(size, kB * kLambda);
    return kLambda * small - small * small / (2.0 * kB);
  };
  double square = 0.0;
  for (std::size_t j = 0; j < c.size(); ++j) {
    const double to = x[j] - kStep * (2.0 * x[j] + c[j]);
    double best = std::numeric_limits<double>::infinity(), at = 0.0;
    for (double y = -5.0; y <= 5.0; y += 1e-5)
      if (const double cost = (y - to) * (y - to) / (2.0 * kStep) + mcp(std::abs(y)); cost < best)
        best = cost, at = y;
    square += (at - x[j]) * (at - x[j]);
  }
  HostParts parts;
  parts.start = std::make_shared<const Element>(Element::dense(Shape::vector(4), x));
  const RunResult r = run_composition(compose(
      build_catalog(),
      spec_of({"objective.use=quadratic", "objective.diagonal=2,2,2,2", "objective.linear=-3,0.4,1.9,-1.1",
               "penalty.use=mcp", "penalty.lambda=0.7", "penalty.b=1.2", "algorithm.use=proximal-gradient",
               "stop.iterations=1", "stop.residual=1e-300"}),
      parts));
  CHECK(r.trace.front().residual * r.residual_scale ==
        doctest::Approx(std::sqrt(square) / kStep).epsilon(1e-4));
}
