// SPDX-License-Identifier: BSD-3-Clause
// Stochastic proximal steps on sparse rows that leave the coordinates behind which a batch does not touch:
// the points of the plain steps, in time O(nonzeros) a step, with the same bits however the run is looked at.
#include "compose_for_test.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/map/design.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/entrywise_penalty.hpp>

namespace claros::test::lazy_steps {

namespace {

/// Random sparse rows; some columns are in no row.
std::shared_ptr<const Dataset> sparse_data(std::uint64_t seed, Index n, Index p, double density,
                                           bool classes = false) {
  Engine engine(seed);
  std::normal_distribution<double> normal;
  std::bernoulli_distribution stored(density);
  std::vector<Index> start{0};
  std::vector<std::int32_t> column;
  std::vector<double> value, response;
  for (Index i = 0; i < n; ++i) {
    double y = 0.3 * normal(engine);
    for (Index j = 0; j < p; ++j) {
      if (j % 7 == 3 || !stored(engine)) continue;
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(normal(engine));
      y += value.back() * static_cast<double>(j % 5 - 2);
    }
    start.push_back(static_cast<Index>(column.size()));
    response.push_back(classes ? (y > 0.0 ? 1.0 : -1.0) : y);
  }
  return data_from_compressed_rows(start, column, value, p, response);
}

struct SparseProblem {
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const Element> start;
};

Composition composed(const SparseProblem& problem, const Words& words) {
  HostParts parts;
  parts.data = problem.data;
  parts.start = problem.start;
  return compose(build_catalog(), spec_of(words), parts, {});
}

RunResult solved(const SparseProblem& problem, const Words& words, const Adjust& adjust = {}) {
  const RunResult r = run_composition(composed(problem, words), adjust);
  REQUIRE(r.failure == "");
  return r;
}

/// Some zeros, nothing outside the penalties' domains.
std::shared_ptr<const Element> start_of(std::uint64_t seed, Index size) {
  Engine engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> x(static_cast<std::size_t>(size));
  for (double& value : x) value = engine() % 3 ? std::min(std::abs(normal(engine)), 0.7) : 0.0;
  return std::make_shared<const Element>(Element::dense(Shape::vector(size), std::move(x)));
}

double relative_distance(const Element& x, const Element& y) {
  const std::vector<double> a = x.to_dense(), b = y.to_dense();
  double apart = 0.0, size = 1e-300;
  for (std::size_t j = 0; j < a.size(); ++j) apart += std::pow(a[j] - b[j], 2), size += b[j] * b[j];
  return std::sqrt(apart / size);
}

const std::vector<std::string> kEstimators{"svrg", "saga", "sag", "sg"};
const std::string kWeights =
    "penalty.weights=0,1,0.5,inf,2,1,1,0,3,1,1,1,0.1,1,1,1,7,1,1,1,1,inf,1,1,2,1,1,0,1,1";
const std::vector<Words> kPenalties{
    {},
    {"penalty.use=l1", "penalty.lambda=0.05"},
    {"penalty.use=elastic-net", "penalty.lambda=0.1", "penalty.ratio=0.4"},
    {"penalty.use=ridge", "penalty.lambda=0.2"},
    {"penalty.use=group", "penalty.lambda=0.05", "penalty.groups=3"},
    {"penalty.use=group", "penalty.lambda=0.05", "penalty.groups=0,5; 1-4; 8,7,6; 9-29", "penalty.norm=linf"},
    {"penalty.use=box", "penalty.lower=-0.2", "penalty.upper=0.7"},
    {"penalty.use=nonnegative"},
    {"penalty.use=scad", "penalty.lambda=0.1"},
    {"penalty.use=mcp", "penalty.lambda=0.1"},
    {"penalty.use=l1", "penalty.lambda=0.05", kWeights},
    {"penalty.use=mcp", "penalty.lambda=0.1", kWeights}};

constexpr Index kCols = 30;

Words words_of(const std::string& estimator, const Words& penalty, Index batch, Index steps) {
  return Words{"objective.use=linear-model",
               "algorithm.use=proximal-gradient",
               "estimator.use=" + estimator,
               "estimator.batch=" + std::to_string(batch),
               "stop.iterations=" + std::to_string(steps),
               "trace.on=no"} +
         penalty;
}

const Words kLazy{"algorithm.lagged=always"}, kPlain{"algorithm.lagged=never"};

}  // namespace

TEST_CASE(
    "lazy steps make the points of plain ones, over estimators, penalties, intercepts, batches and "
    "losses") {
  int cases = 0, other_bits = 0;
  std::uint64_t seed = 1;
  for (const std::string& estimator : kEstimators)
    for (const Words& penalty : kPenalties)
      for (const std::string intercept : {"no", "yes"})
        for (const Index batch : {1, 4}) {
          ++seed;
          const bool classes = seed % 2 == 0;
          const Index n = 10 + static_cast<Index>(seed % 23);
          const SparseProblem problem{sparse_data(seed, n, kCols, seed % 3 ? 0.1 : 0.03, classes),
                                      start_of(seed, kCols + (intercept == "yes"))};
          const Words words = words_of(estimator, penalty, batch, 157) +
                              Words{"objective.intercept=" + intercept,
                                    std::string("objective.loss=") + (classes ? "logistic" : "squared")};
          const RunResult lazy = solved(problem, words + kLazy), plain = solved(problem, words + kPlain);
          CAPTURE(spec_of(words).text());
          CHECK(relative_distance(lazy.answer, plain.answer) < 1e-10);
          CHECK(lazy.counts == plain.counts);
          ++cases;
          other_bits += !same_bits(lazy.answer, plain.answer);
        }
  CHECK(cases == 192);
  CHECK(other_bits > 130);  // those that are the same all the same came to rest; lazy updates that never
                            // began would make 0 of these
}

TEST_CASE("lazy steps: where an epoch ends, samples of snapshots, weights of batches, several outputs") {
  int other_bits = 0;
  std::uint64_t seed = 1000;
  const std::vector<Words> ways{{"algorithm.snapshot=average"},
                                {"algorithm.snapshot=random"},
                                {"algorithm.snapshot=average", "estimator.epoch=5"},
                                {"estimator.sampling=importance"},
                                {"estimator.growth=0.7"},
                                {"estimator.epoch=1"},
                                {"algorithm.step=0.01"}};
  for (const std::string& estimator : kEstimators)
    for (const Words& way : ways)
      for (const Words& penalty : {kPenalties[1], kPenalties[4], kPenalties[8]}) {
        if (estimator == "sag" && way.front() == "estimator.sampling=importance") continue;
        ++seed;
        const SparseProblem problem{sparse_data(seed, 20, kCols, 0.08), start_of(seed, kCols)};
        const Words words = words_of(estimator, penalty, 2, 120) + way;
        CAPTURE(spec_of(words).text());
        const RunResult lazy = solved(problem, words + kLazy), plain = solved(problem, words + kPlain);
        CHECK(relative_distance(lazy.answer, plain.answer) < 1e-10);
        other_bits += !same_bits(lazy.answer, plain.answer);
      }
  CHECK(other_bits > 50);
  for (const std::string& estimator : kEstimators) {
    const SparseProblem problem{sparse_data(7, 24, 12, 0.2, true), nullptr};
    const Words words = words_of(estimator, kPenalties[1], 2, 150) +
                        Words{"objective.loss=multinomial", "objective.intercept=yes"};
    const RunResult lazy = solved(problem, words + kLazy), plain = solved(problem, words + kPlain);
    CHECK(relative_distance(lazy.answer, plain.answer) < 1e-10);
    CHECK(!same_bits(lazy.answer, plain.answer));
  }
  const SparseProblem problem{sparse_data(8, 40, kCols, 0.1), nullptr};
  const Words sampled = words_of("svrg", kPenalties[1], 1, 100) + Words{"estimator.snapshot=10"};
  const RunResult lazy = solved(problem, sampled + kLazy), plain = solved(problem, sampled + kPlain);
  CHECK(relative_distance(lazy.answer, plain.answer) < 1e-10);
  CHECK(!same_bits(lazy.answer, plain.answer));
}

TEST_CASE("lazy steps: looking at a run changes none of its bits") {
  std::uint64_t seed = 2000;
  for (const std::string& estimator : kEstimators)
    for (const Words& penalty : kPenalties)
      for (const std::string snapshot : {"last", "average", "random"}) {
        if (snapshot != "last" && estimator != "svrg") continue;
        ++seed;
        const SparseProblem problem{sparse_data(seed, 18, kCols, 0.08), start_of(seed, kCols + 1)};
        const Words words = words_of(estimator, penalty, 1, 70) + kLazy +
                            Words{"objective.intercept=yes", "algorithm.snapshot=" + snapshot};
        CAPTURE(spec_of(words).text());
        const RunResult alone = solved(problem, words);
        const RunResult traced =
            solved(problem, words + Words{"trace.on=yes", "trace.every=1", "trace.estimator_error=yes"});
        CHECK(same_bits(alone.answer, traced.answer));
        std::vector<std::vector<double>> seen;
        const RunResult watched = solved(problem, words, [&](RunSettings& s) {
          s.on_step = [&](const Step& step) { return seen.push_back(step.iterate().to_dense()), true; };
        });
        CHECK(same_bits(alone.answer, watched.answer));
        REQUIRE(seen.size() == 70);
        const Words early = words + Words{"stop.iterations=33"};
        CHECK(solved(problem, early).answer.to_dense() == seen[32]);
      }
}

TEST_CASE("lazy steps: resumed after any step, to the same bits") {
  std::uint64_t seed = 3000;
  for (const std::string& estimator : kEstimators)
    for (const std::string snapshot : {"last", "average", "random"})
      for (const Words& penalty :
           {kPenalties[0], kPenalties[1], kPenalties[2], kPenalties[4], kPenalties[9]}) {
        if (snapshot != "last" && estimator != "svrg") continue;
        ++seed;
        const SparseProblem problem{sparse_data(seed, 9, kCols, 0.1), start_of(seed, kCols + 1)};
        const Words words = words_of(estimator, penalty, 1, 25) + kLazy +
                            Words{"objective.intercept=yes", "algorithm.snapshot=" + snapshot};
        CAPTURE(spec_of(words).text());
        std::vector<std::string> states;
        const RunResult whole = solved(problem, words, [&](RunSettings& s) {
          s.checkpoint_every = 1;
          s.on_checkpoint = [&](const StateStream& stream, bool ended) {
            if (!ended) states.push_back(collected(stream));
          };
        });
        CHECK(same_bits(whole.answer, solved(problem, words).answer));
        REQUIRE(states.size() >= 24);
        for (const std::string& state : states) {
          const RunResult resumed = solved(problem, words, [&](RunSettings& s) { s.resume = state; });
          REQUIRE(same_bits(whole.answer, resumed.answer));
        }
      }
}

namespace {

// Of sg: steps of many lengths, and dual averaging.
const std::vector<Words> kOthers{{"algorithm.decay=sqrt", "algorithm.decay_steps=20"},
                                 {"algorithm.decay=inverse", "algorithm.decay_steps=7"},
                                 {"algorithm.use=dual-averaging"}};
const Words& kDual = kOthers.back();

/// Whether lazy steps of that kind are made with that penalty, and not in full.
bool is_lazy(const Words& other, const Words& penalty) {
  if (penalty.empty()) return true;
  const std::string use = penalty.front().substr(std::string("penalty.use=").size());
  const bool any = use == "l1" || use == "box" || use == "nonnegative";
  return any || (other == kDual && (use == "elastic-net" || use == "ridge"));
}

}  // namespace

TEST_CASE(
    "lazy steps of many lengths, and of dual averaging: the points of plain ones, or those very steps "
    "where no step is lazy") {
  int cases = 0, other_bits = 0;
  std::uint64_t seed = 4000;
  for (const Words& other : kOthers)
    for (const Words& penalty : kPenalties)
      for (const std::string intercept : {"no", "yes"})
        for (const Index batch : {1, 4})
          for (const bool from_zero : {true, false}) {
            ++seed;
            const bool classes = seed % 3 == 0;
            const SparseProblem problem{
                sparse_data(seed, 10 + static_cast<Index>(seed % 23), kCols, seed % 5 ? 0.1 : 0.03, classes),
                from_zero ? nullptr : start_of(seed, kCols + (intercept == "yes"))};
            const Words words = words_of("sg", penalty, batch, 157) + other +
                                Words{"objective.intercept=" + intercept,
                                      std::string("objective.loss=") + (classes ? "logistic" : "squared")};
            const RunResult lazy = solved(problem, words + kLazy), plain = solved(problem, words + kPlain);
            CAPTURE(spec_of(words).text());
            CHECK(relative_distance(lazy.answer, plain.answer) < 1e-10);
            CHECK(lazy.counts == plain.counts);
            if (!is_lazy(other, penalty)) CHECK(same_bits(lazy.answer, plain.answer));
            if (other == kDual) continue;
            cases += is_lazy(other, penalty);
            other_bits += !same_bits(lazy.answer, plain.answer);
          }
  CHECK(cases == 80);
  CHECK(other_bits > 20);  // with bounds alone, and without a penalty, nothing moves between steps, and the
                           // bits are the same
}

TEST_CASE(
    "lazy steps of many lengths are made in full where an estimate drifts, points are added up, and from a "
    "batch that is long on") {
  for (const Words& other : kOthers)
    for (const Words& way : std::vector<Words>{{"estimator.use=svrg"},
                                               {"estimator.use=saga"},
                                               {"algorithm.snapshot=average"},
                                               {"algorithm.snapshot=random"},
                                               {"algorithm.output=average"},
                                               {"estimator.growth=1.4"}}) {
      const bool dual = other == kDual;
      if (way.front().starts_with(dual ? "algorithm.snapshot" : "algorithm.output")) continue;
      for (const std::string use : {"always", "auto"}) {
        const SparseProblem problem{sparse_data(77, 30, 400, 0.004), start_of(77, 400)};
        const Words words = words_of("sg", kPenalties[1], 1, 90) + other + way;
        CAPTURE(spec_of(words).text());
        const RunResult lazy = solved(problem, words + Words{"algorithm.lagged=" + use}),
                        plain = solved(problem, words + kPlain);
        CHECK(relative_distance(lazy.answer, plain.answer) < 1e-10);
        CHECK(lazy.counts == plain.counts);
      }
    }
}

TEST_CASE("lazy steps of many lengths: where their sum is beyond all numbers they are made in full") {
  const SparseProblem problem{sparse_data(88, 20, kCols, 0.1), start_of(88, kCols)};
  const Words words =
      words_of("sg", kPenalties[6], 1, 201) +
      Words{"algorithm.step=1e308", "algorithm.decay=inverse", "algorithm.decay_steps=1000000"};
  const RunResult lazy = solved(problem, words + kLazy), plain = solved(problem, words + kPlain);
  CHECK(relative_distance(lazy.answer, plain.answer) < 1e-10);
  CHECK(lazy.iterations == 201);
}

TEST_CASE("lazy steps of many lengths, and of dual averaging: several outputs") {
  for (const Words& other : kOthers) {
    const SparseProblem problem{sparse_data(9, 24, 12, 0.2, true), nullptr};
    const Words words = words_of("sg", kPenalties[1], 2, 150) + other +
                        Words{"objective.loss=multinomial", "objective.intercept=yes"};
    const RunResult lazy = solved(problem, words + kLazy), plain = solved(problem, words + kPlain);
    CHECK(relative_distance(lazy.answer, plain.answer) < 1e-10);
    CHECK(norm(lazy.answer) > 0.0);
  }
}

TEST_CASE(
    "lazy steps of many lengths, and of dual averaging: looked at and resumed after any step, the same "
    "bits") {
  std::uint64_t seed = 5000;
  for (const Words& other : kOthers)
    for (const Words& penalty : kPenalties) {
      if (!is_lazy(other, penalty)) continue;
      ++seed;
      const SparseProblem problem{sparse_data(seed, 9, kCols, 0.1), start_of(seed, kCols + 1)};
      const Words words = words_of("sg", penalty, 1, 25) + other + kLazy + Words{"objective.intercept=yes"};
      CAPTURE(spec_of(words).text());
      const RunResult alone = solved(problem, words);
      CHECK(same_bits(alone.answer, solved(problem, words + Words{"trace.on=yes", "trace.every=1",
                                                                  "trace.estimator_error=yes"})
                                        .answer));
      std::vector<std::string> states;
      std::vector<std::vector<double>> seen;
      const RunResult whole = solved(problem, words, [&](RunSettings& s) {
        s.checkpoint_every = 1;
        s.on_step = [&](const Step& step) { return seen.push_back(step.iterate().to_dense()), true; };
        s.on_checkpoint = [&](const StateStream& stream, bool ended) {
          if (!ended) states.push_back(collected(stream));
        };
      });
      CHECK(same_bits(whole.answer, alone.answer));
      REQUIRE(seen.size() == 25);
      CHECK(solved(problem, words + Words{"stop.iterations=13"}).answer.to_dense() == seen[12]);
      REQUIRE(states.size() >= 24);
      for (const std::string& state : states)
        REQUIRE(same_bits(whole.answer,
                          solved(problem, words, [&](RunSettings& s) { s.resume = state; }).answer));
    }
}

namespace {

/// l1 that counts how many coordinates it is asked for.
class CountedL1 final : public Component,
                        public ProximalOracle,
                        public Separable,
                        public LazyProximal,
                        public State {
 public:
  Certificate apply(const Element& v, double step, Element& x, const Accuracy&) override {
    ++applied_;
    std::vector<double> values = v.to_dense();
    for (double& entry : values) entry = sdk::soft_threshold(entry, step * kLambda);
    x = Element::dense(v.shape(), std::move(values));
    return {};
  }
  double value(const Element& x) override {
    return kLambda * [&] {
      double sum = 0.0;
      for (const double entry : x.to_dense()) sum += std::abs(entry);
      return sum;
    }();
  }
  LazySteps lazy_steps(const Shape&, double t) override {
    const double level = t * kLambda;
    steps_ = sdk::PiecewiseSteps(
        sdk::PiecewiseAffine::odd(
            sdk::PiecewiseAffine().piece(level, 0.0, 0.0).piece(sdk::kInfinity, 1.0, -level)),
        t);
    return {.self = this, .coordinate = [](const void* self, double x, Index count, double d, double* sum) {
              const auto& own = *static_cast<const CountedL1*>(self);
              ++own.asked_;
              return own.steps_(x, count, d, sum);
            }};
  }
  Blocks blocks(const Shape& shape) override { return Blocks::single(shape.size()); }
  BlockStep block_step() override {
    return {this,
            [](const void* self, Index, const double* v, double step, double* x) {
              ++static_cast<const CountedL1*>(self)->asked_;
              *x = sdk::soft_threshold(*v, step * kLambda);
            },
            true};
  }
  std::unique_ptr<Component> restrict_to(std::span<const Index>) override { return nullptr; }
  void state(StateVisitor&) override {}
  void* ability(std::string_view id) noexcept override {
    return offer<ProximalOracle, Separable, LazyProximal, State>(this, id);
  }
  Index asked() const { return asked_; }
  Index applied() const { return applied_; }

 private:
  static constexpr double kLambda = 0.01;
  sdk::PiecewiseSteps steps_;
  mutable Index asked_ = 0;
  Index applied_ = 0;
};

}  // namespace

TEST_CASE(
    "lazy steps ask for the coordinates of the sampled rows, and for all of them once an epoch of svrg") {
  const Index n = 200, p = 5000, steps = 3 * n;
  const auto data = sparse_data(5, n, p, 0.002);
  const auto stored = static_cast<double>(data->design()->stored());
  std::vector<std::pair<std::string, Words>> ways;
  for (const std::string& estimator : kEstimators) ways.push_back({estimator, {}});
  for (const Words& other : kOthers) ways.push_back({"sg", other});
  for (const auto& [estimator, other] : ways) {
    const auto penalty = std::make_shared<CountedL1>();
    HostParts parts;
    parts.data = data;
    parts.parts["penalty"] = {Kind::penalty, penalty};
    const Composition c =
        compose(build_catalog(), spec_of(words_of(estimator, {}, 1, steps) + other), parts, {});
    const RunResult r = run_composition(c);
    CHECK(r.failure == "");
    CHECK(penalty->applied() <= 3);  // measuring; no step
    CHECK(r.counts.po == steps);
    const double of_rows = 2.0 * stored / static_cast<double>(n) * static_cast<double>(steps);
    // beyond the rows: an epoch's synchronisation, its settling, and the few measurements
    const double looks = 12.0 + (estimator == "svrg" ? 6.0 : 0.0);
    CAPTURE(estimator);
    CAPTURE(other);
    CHECK(static_cast<double>(penalty->asked()) < 1.3 * of_rows + looks * static_cast<double>(p));
    CHECK(static_cast<double>(penalty->asked()) > 0.3 * of_rows);
  }
}

}  // namespace claros::test::lazy_steps
