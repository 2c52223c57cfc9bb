// SPDX-License-Identifier: BSD-3-Clause
// The gap of a penalty on a set: a bound whatever the subgradient is, met where the splitting converges, and
// refused where it has no meaning.
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

#include <claros/element/element.hpp>

namespace claros::test::penalty_on_set_gap {

namespace {

const Words kModel{
    "data.use=synthetic-regression", "data.rows=60", "data.cols=12", "data.nonzero=4", "data.seed=3",
    "objective.use=linear-model",    "trace.every=1"};
const Words kSplit{"algorithm.use=three-operator", "stop.iterations=20000"};

struct Pair {
  const char* name;
  Words words;
};

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all{
      {"l1 on a ball", {"penalty.use=l1", "penalty.lambda=0.1", "set.use=l2-ball", "set.radius=0.8"}},
      {"l1 on the simplex", {"penalty.use=l1", "penalty.lambda=0.1", "set.use=simplex", "set.radius=1"}},
      {"elastic net on a box",
       {"penalty.use=elastic-net", "penalty.lambda=0.1", "penalty.ratio=0.4", "set.use=box", "set.lower=-0.1",
        "set.upper=0.5"}},
      {"total variation on a box",
       {"penalty.use=tv", "penalty.lambda=0.1", "set.use=box", "set.lower=-0.2", "set.upper=0.4"}},
      {"groups on the l1 ball",
       {"penalty.use=group", "penalty.groups=3", "penalty.lambda=0.05", "set.use=l1-ball", "set.radius=1"}}};
  return all;
}

/// An algorithm that is another one, but for its subgradients: u of a run is `factor` times itself plus
/// noise.
class OtherSubgradients final : public Algorithm {
 public:
  OtherSubgradients(std::shared_ptr<Algorithm> inner, double factor, double noise)
      : inner_(std::move(inner)), factor_(factor), noise_(noise) {}
  std::vector<Need> needs() const override { return inner_->needs(); }
  Takes takes() const override { return inner_->takes(); }
  void start(const Problem& problem, Element x0) override { inner_->start(problem, std::move(x0)); }
  void step() override { inner_->step(); }
  const Element& iterate() const override { return inner_->iterate(); }
  const Element* penalty_subgradient() override {
    const Element* u = inner_->penalty_subgradient();
    if (!u) return nullptr;
    std::vector<double> values = u->to_dense();
    for (double& value : values) value = factor_ * value + noise_ * std::normal_distribution<>()(engine_);
    changed_ = Element::dense(u->shape(), std::move(values));
    return &changed_;
  }

 private:
  std::shared_ptr<Algorithm> inner_;
  double factor_, noise_;
  Engine engine_{5};
  Element changed_;
};

}  // namespace

TEST_CASE("gap of a penalty on a set: it is met, bounds the least value, and holds at every step") {
  for (const Pair& pair : pairs()) {
    CAPTURE(pair.name);
    const RunResult best = solve(kModel + kSplit + pair.words + Words{"stop.residual=1e-12"});
    const double least = best.measurement.value;
    const RunResult r = solve(kModel + kSplit + pair.words + Words{"stop.relative_gap=1e-7"});
    REQUIRE_MESSAGE(r.failure.empty(), r.failure);
    CHECK(text(r.status) == "relative-gap");
    CHECK(r.measurement.gap_kind == "frank-wolfe");
    CHECK(r.measurement.bounds_minimum);
    CHECK(r.measurement.value - r.measurement.gap <= least);
    CHECK(r.measurement.value <= least + 1.1e-7 * least);
    for (const TraceRow& row : r.trace) CHECK(row.value - row.gap <= least * (1.0 + 1e-12));
  }
}

TEST_CASE("gap of a penalty on a set: subgradients that are wrong make it larger, never false") {
  for (const auto& [factor, noise] : {std::pair{0.0, 0.0}, {1.0, 0.05}, {-1.0, 0.0}, {50.0, 1.0}}) {
    for (const Pair& pair : pairs()) {
      CAPTURE(pair.name);
      CAPTURE(factor);
      CAPTURE(noise);
      const Words words = kModel + kSplit + pair.words + Words{"stop.iterations=300"};
      const double least = solve(words).measurement.value;
      Composition c = compose(build_catalog(), spec_of(words));
      c.algorithm = std::make_shared<OtherSubgradients>(c.algorithm, factor, noise);
      const RunResult r = run_composition(c);
      REQUIRE_MESSAGE(r.failure.empty(), r.failure);
      for (const TraceRow& row : r.trace) {
        CHECK(row.gap >= 0.0);
        CHECK(row.value - row.gap <= least * (1.0 + 1e-9));
      }
    }
  }
}

TEST_CASE("gap of a penalty on a set: low rank and sparse, and the value of a nested splitting") {
  const SmallProblem p(9, 7, 5, 2, 30);
  const Words words =
      p.objective() + Words{"penalty.use=l1", "penalty.lambda=0.01", "set.use=nuclear-ball", "set.radius=2"};
  const RunResult r = solve(words + kSplit + Words{"stop.relative_gap=1e-5"});
  REQUIRE_MESSAGE(r.failure.empty(), r.failure);
  CHECK(text(r.status) == "relative-gap");
  const RunResult other = solve(words + kSplit + Words{"stop.residual=1e-8"});
  CHECK(r.measurement.value - r.measurement.gap <= other.measurement.value);
  CHECK(r.measurement.value <= other.measurement.value * (1.0 + 1.1e-5));
}

TEST_CASE("gap of a penalty on a set: without a conjugate, or an oracle, it is refused with what it takes") {
  const Words gap{"stop.relative_gap=1e-3", "algorithm.use=three-operator"};
  const std::string concave = composing_refused(
      kModel + gap +
      Words{"penalty.use=mcp", "penalty.lambda=0.1", "set.use=box", "set.lower=0", "set.upper=1"});
  CHECK(concave.find("conjugate of the penalty") != std::string::npos);
  const std::string intercept =
      composing_refused(kModel + gap +
                        Words{"objective.intercept=true", "penalty.use=l1", "penalty.lambda=0.1",
                              "set.use=l2-ball", "set.radius=1"});
  CHECK(intercept.find("stop.relative_gap") != std::string::npos);
}

TEST_CASE("gap of a penalty on a set: a run without a stop rule ends by it") {
  const RunResult r = solve(kModel + Words{"penalty.use=l1", "penalty.lambda=0.1", "set.use=l2-ball",
                                           "set.radius=0.8", "algorithm.use=three-operator"});
  CHECK(text(r.status) == "relative-gap");
}

}  // namespace claros::test::penalty_on_set_gap
