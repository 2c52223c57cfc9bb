// SPDX-License-Identifier: BSD-3-Clause
// Runs at a limited rank: what is asked, needed and proved; starts from filled means; the steps of theory;
// what is refused.
#include <nlohmann/json.hpp>

#include <algorithms/proximal-gradient/low_rank_theory.hpp>

#include "../core/numbers.hpp"
#include "spectral_sets.hpp"
#include "trace_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const SmallProblem& ranked_problem() {
  static const SmallProblem made(641, 70, 64, 3, 1500);
  return made;
}

Words ranked(const Words& more) {
  return ranked_problem().objective() +
         Words{"set.use=nuclear-ball", "set.radius=60", "algorithm.use=proximal-gradient", "trace.every=1",
               "stop.iterations=12"} +
         more;
}

std::string running_refused(const Words& words) {
  return refusal(ErrorKind::usage, [&] { (void)solve(words); });
}

/// The observed entries with their mean elsewhere, column-major.
std::vector<double> filled(const Ratings& ratings, double* mean_of = nullptr) {
  const double mean = std::accumulate(ratings.value.begin(), ratings.value.end(), 0.0) /
                      static_cast<double>(ratings.value.size());
  if (mean_of) *mean_of = mean;
  std::vector<double> x(static_cast<std::size_t>(ratings.rows * ratings.cols), mean);
  for (std::size_t e = 0; e < ratings.value.size(); ++e)
    x[static_cast<std::size_t>(ratings.col[e] * ratings.rows + ratings.row[e])] = ratings.value[e];
  return x;
}

}  // namespace

TEST_CASE(
    "limited ranks: rows say what was asked, needed and proved, for each way to go on without a proof") {
  const auto last = [](const RunResult& r) { return r.trace.back(); };
  const Words batches =
      small_batches("sg") + Words{"algorithm.step=400"};  // whose steps are exact where nothing was left out
  const RunResult raised = solve(ranked(Words{"algorithm.rank=1"} + batches)),
                  left = solve(ranked(
                      {"algorithm.rank=1", "algorithm.uncertified=continue", "trace.certificate=yes"}));
  CHECK(last(raised).rank_asked == 1);
  CHECK(last(raised).certified == 1.0);
  CHECK(raised.certification.exact == raised.counts.po);
  CHECK(raised.certification.largest > 1);
  CHECK(last(left).rank_asked == 1);
  CHECK(last(left).rank_needed == 1);
  CHECK(last(left).certified < 1.0);
  CHECK(left.certification.exact < left.counts.po);
  for (const TraceRow& row : left.trace)
    if (row.iteration > 0) CHECK(row.certified >= 0.0);
  // A raised step is exact, whatever it began with.
  const RunResult plenty = solve(ranked(Words{"algorithm.rank=40"} + batches));
  CHECK(distance(plenty.answer.to_dense(), raised.answer.to_dense()) <= 1e-7 * norm(raised.answer));
  CHECK(last(plenty).rank_asked == 40);
  CHECK(trace_csv(left.trace).find("rank_asked,rank_needed,certified") != std::string::npos);
  CHECK(trace_csv(solve(ranked({"algorithm.use=frank-wolfe"})).trace).find("rank_asked") ==
        std::string::npos);
}

TEST_CASE(
    "limited ranks: uncertified = stop ends a run at the first step that is not proved, and says how to go "
    "on") {
  const RunResult r = solve(ranked({"algorithm.rank=1", "algorithm.uncertified=stop"}));
  CHECK(text(r.status) == "failed");
  check_mentions(r.failure, {"rank 1", "algorithm.rank", "algorithm.uncertified"});
  const RunResult enough = solve(ranked({"algorithm.rank=40", "algorithm.uncertified=stop",
                                         "estimator.use=sg", "estimator.batch=16", "algorithm.step=400"}));
  CHECK_MESSAGE(enough.failure.empty(), enough.failure);
  CHECK(enough.certification.exact == enough.counts.po);
}

TEST_CASE("limited ranks: the eigengap is that of a decomposition of the gradient at the solution") {
  for (const std::string& name : kSpectralSets) {
    CAPTURE(name);
    const SmallProblem square(642, 60, 60, 2, 1400);
    const Words words =
        square.objective() +
        Words{"set.use=" + name,        "set.radius=30",        "algorithm.use=proximal-gradient",
              "stop.relative_gap=1e-4", "stop.iterations=4000", "trace.certificate=yes"};
    const RunResult r = solve(words);
    REQUIRE(only_low_rank(r.answer));
    std::vector<double> g = square.gradient(r.answer.to_dense());
    for (double& value : g) value = -value;
    const auto s = SpectralSet(name, 30.0).decomposed(Element::dense(Shape::matrix(60, 60), g)).s;
    const auto rank = static_cast<std::size_t>(r.answer.columns());
    CHECK(r.eigengap == doctest::Approx(s[rank - 1] - s[rank]).epsilon(1e-4));
    const Composition c = compose(build_catalog(), spec_of(words));
    CHECK(nlohmann::json::parse(result_json(c, r))["eigengap"] == r.eigengap);
    CHECK(std::isnan(solve(words + Words{"trace.certificate=no"}).eigengap));
  }
}

TEST_CASE("limited ranks: rows can be measured at the solution, which changes no step") {
  const Words words = ranked(small_batches("sg") + Words{"algorithm.step=400", "algorithm.output=average"});
  const RunResult iterates = solve(words), answers = solve(words + Words{"trace.point=answer"});
  CHECK(same_bits(iterates.answer, answers.answer));
  CHECK(answers.trace.back().value == answers.measurement.value);
  CHECK(iterates.trace.back().value != iterates.measurement.value);
  check_same(solve(ranked({"trace.point=answer"})), solve(ranked({})));
}

TEST_CASE("mean-fill: the start is the best approximation of the filled matrix, projected") {
  double mean = 0.0;
  const auto values = filled(ranked_problem().ratings(), &mean);
  CHECK(mean != 0.0);
  for (const Index rank : {Index{1}, Index{4}, Index{64}})
    for (const std::string radius : {"60", "1e6"}) {
      CAPTURE(rank);
      CAPTURE(radius);
      TruncatedSvd svd = dense_svd(70, 64, values);
      std::vector<double> expected(values.size(), 0.0);
      for (std::size_t k = 0; k < static_cast<std::size_t>(rank); ++k)
        for (std::size_t j = 0; j < 64; ++j)
          for (std::size_t i = 0; i < 70; ++i)
            expected[j * 70 + i] += svd.s[k] * svd.u[k * 70 + i] * svd.v[k * 64 + j];
      expected = project_to_ball(70, 64, expected, std::stod(radius));
      const Composition c = compose(
          build_catalog(), spec_of(ranked({"start.from=mean-fill", "start.rank=" + std::to_string(rank),
                                           "set.radius=" + radius})));
      const Element x = c.start_point();
      CHECK(distance(x.to_dense(), expected) <= 1e-7 * std::sqrt(dot(expected, expected)));
      CHECK(only_low_rank(x));
      CHECK(x.columns() <= rank);
    }
}

TEST_CASE("mean-fill: the same start on any number of threads, and a run from it resumes") {
  const Words words = ranked({"start.from=mean-fill", "start.rank=3"});
  check_same(solve(words + Words{"run.threads=2"}), solve(words + Words{"run.threads=1"}));
  const Saved saved = solve_and_save(words, 5);
  for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
}

TEST_CASE(
    "mean-fill: without a rank, beyond the sides, and of other objectives it is refused with a remedy") {
  check_mentions(running_refused(ranked({"start.from=mean-fill"})), {"start.rank", "from 1 to 64"});
  check_mentions(running_refused(ranked({"start.from=mean-fill", "start.rank=65"})),
                 {"start.rank", "65", "70 x 64"});
  check_mentions(
      running_refused({"data.use=synthetic-regression", "objective.use=linear-model", "start.from=mean-fill",
                       "start.rank=1", "algorithm.use=proximal-gradient", "stop.iterations=3"}),
      {"start.from", "mean-fill", "matrix-completion"});
}

TEST_CASE("limited ranks: errors of bad input say where, what and what to do") {
  check_mentions(running_refused(ranked({"algorithm.rank=65"})), {"algorithm.rank", "65", "64"});
  for (const char* radius : {"0", "-3", "nan"})
    for (const std::string& set : kSpectralSets)
      check_mentions(composing_refused(ranked({"set.use=" + set, std::string("set.radius=") + radius})),
                     {"set.radius", "expected > 0"});
  for (const std::string set : {"spectrahedron", "psd-trace"})
    for (const std::string algorithm : {"proximal-gradient", "dual-averaging", "frank-wolfe"}) {
      CAPTURE(algorithm);
      check_mentions(running_refused(ranked({"set.use=" + set, "algorithm.use=" + algorithm})),
                     {"square", "nuclear-ball"});
      check_mentions(
          running_refused(ranked({"set.use=" + set, "algorithm.use=" + algorithm, "start.from=zero"})),
          {"square", "nuclear-ball"});
    }
}

TEST_CASE(
    "limited ranks: a start that is not symmetric is left behind or refused, and is never a success outside "
    "the set") {
  const SmallProblem square(643, 40, 40, 2, 700);
  std::string table;
  Engine engine(5);
  for (int i = 0; i < 40; ++i) {
    const auto row = testing::normals(engine, 40);
    for (int j = 0; j < 40; ++j)
      table += print_real(row[static_cast<std::size_t>(j)]) + (j < 39 ? "," : "\n");
  }
  square.folder().put("skew.csv", table);
  for (const std::string set : {"spectrahedron", "psd-trace"})
    for (const std::string algorithm : {"proximal-gradient", "dual-averaging", "frank-wolfe"})
      for (const std::string steps : {"1", "40"}) {
        CAPTURE(set);
        CAPTURE(algorithm);
        CAPTURE(steps);
        RunResult r;
        try {
          r = solve(square.objective() + Words{"set.use=" + set, "set.radius=30",
                                               "algorithm.use=" + algorithm, "estimator.use=full",
                                               "stop.iterations=" + steps,
                                               "start.from=" + (square.folder() / "skew.csv").string()});
        } catch (const Error& error) {
          CHECK(error.kind() == ErrorKind::usage);
          continue;
        }
        const double violation = SpectralSet(set, 30.0).violation(r.answer);
        const bool sound = text(r.status) != "failed";
        CHECK((!sound || violation <= 1e-6));
        CHECK((sound || !r.failure.empty()));
      }
}

TEST_CASE("limited ranks: rows and columns without an entry are columns of the answer as others are") {
  const SmallProblem& full = ranked_problem();
  for (const std::string set : {"set.use=nuclear-ball", "penalty.use=nuclear"}) {
    const Words part =
        set.starts_with("set") ? Words{set, "set.radius=60"} : Words{set, "penalty.lambda=0.001"};
    // Two rows and three columns more than the ratings have.
    const RunResult r = solve(full.objective() +
                              Words{"objective.rows=72", "objective.cols=67",
                                    "algorithm.use=proximal-gradient", "stop.iterations=200"} +
                              part);
    REQUIRE_MESSAGE(r.failure.empty(), r.failure);
    const RunResult tight =
        solve(full.objective() + Words{"algorithm.use=proximal-gradient", "stop.iterations=200"} + part);
    const std::vector<double> x = r.answer.to_dense();
    double beyond = 0.0;
    for (std::size_t j = 0; j < 67; ++j)
      for (std::size_t i = 0; i < 72; ++i)
        if (i >= 70 || j >= 64) beyond = std::max(beyond, std::abs(x[j * 72 + i]));
    CHECK(beyond <= 1e-9);  // the minimum of norm
    CHECK(r.measurement.value == doctest::Approx(tight.measurement.value).epsilon(1e-5));
    CHECK_NOTHROW((void)compose(build_catalog(), spec_of(full.objective() +
                                                         Words{"stop.iterations=3", "objective.rows=72",
                                                               "start.from=mean-fill", "start.rank=2",
                                                               "algorithm.use=proximal-gradient"} +
                                                         part))
                      .start_point());
  }
}

TEST_CASE(
    "limited ranks: the steps of low-rank theory are the theorem's, in every unit of the variable, and what "
    "is missing is named") {
  const SmallProblem& problem = ranked_problem();
  const double L = 1.0 / static_cast<double>(problem.n());
  const auto with = [&](double unit) {
    // With values and X in another unit f grows by its square: gradients, their bounds and the gap grow with
    // the unit, L stays.
    Ratings ratings = problem.ratings();
    for (double& value : ratings.value) value *= unit;
    const SmallProblem scaled(std::move(ratings));
    return solve(scaled.objective() +
                 Words{"set.use=nuclear-ball", "set.radius=" + print_real(60.0 * unit),
                       "algorithm.use=proximal-gradient", "estimator.use=sg", "estimator.batch=16",
                       "algorithm.rank=3", "algorithm.step=low-rank-theory", "algorithm.horizon=50",
                       "algorithm.eigengap=" + print_real(0.01 * unit),
                       "algorithm.least_value=" + print_real(5.0 * unit),
                       "algorithm.gradient_bound=" + print_real(0.2 * unit),
                       "algorithm.spectral_bound=" + print_real(0.1 * unit), "stop.iterations=5"});
  };
  const double radius = 0.01 / 8.0 / (3.0 * L + std::sqrt(6.0) * 0.1 / 5.0);
  for (const double unit : {1.0, 10.0, 1000.0}) {
    CAPTURE(unit);
    CHECK(with(unit).step == doctest::Approx(radius / (10.0 * 0.2 * std::sqrt(50.0) * std::log(400.0))));
  }
  // An error of delta/(8r) leaves of Lemma 4's distance what Theorem 1 calls R_0; delta/(2r) leaves nothing.
  constexpr double delta = 0.01, r = 3.0, error = delta / (8.0 * r);
  const double sum = 3.0 * L + std::sqrt(6.0) * 0.1 / 5.0;
  CHECK((delta - 4.0 * r * error) / (4.0 * sum) == doctest::Approx(radius));
  CHECK(delta - 4.0 * r * (delta / (2.0 * r)) < 0.0);
  const LowRankStep step = LowRankStep::of({delta, 5.0, 0.2, 0.1, 50}, 3, L, Shape::matrix(60, 40));
  CHECK(step.radius == doctest::Approx(radius));
  const double exponent = step.batch * error * error / (32.0 * 0.1 * 0.1);
  CHECK(2.0 * 100.0 * 50.0 * std::exp(-exponent) <= 0.1);
  CHECK(2.0 * 100.0 * 50.0 * std::exp(-0.99 * exponent) > 0.1);
  const Words lacking = ranked(small_batches("sg") + Words{"algorithm.step=low-rank-theory"});
  check_mentions(running_refused(lacking),
                 {"step", "rank", "eigengap", "least_value", "algorithm.gradient_bound",
                  "algorithm.spectral_bound", "algorithm.horizon"});
  const std::string fewer = running_refused(lacking + Words{"algorithm.rank=3", "algorithm.horizon=9"});
  check_mentions(fewer, {"eigengap"});
  CHECK_FALSE(contains(fewer, "horizon"));
}

TEST_CASE("limited ranks: an operator that returns NaN ends a projection by its name") {
  class Spoilt final : public LinearOperator {
   public:
    Index rows() const override { return 60; }
    Index cols() const override { return 60; }
    void apply(std::span<const double>, std::span<double> y) const override {
      std::fill(y.begin(), y.end(), std::numeric_limits<double>::quiet_NaN());
    }
    void apply_adjoint(std::span<const double> y, std::span<double> x) const override { apply(y, x); }
  };
  const Element v = Element::from_operator(std::make_shared<Spoilt>());
  for (const std::string& name : kSpectralSets)
    for (const bool sequence : {false, true})
      for (const Index rank : {0, 2}) {
        CAPTURE(name);
        const SpectralSet set(name, 3.0);
        Element x;
        const std::string said = refusal(ErrorKind::numerical, [&] {
          (void)set.projection().apply(v, 1.0, x, {.rank = rank, .sequence = sequence});
        });
        CHECK(contains(said, "not finite"));
        CHECK(contains(refusal(ErrorKind::numerical,
                               [&] {
                                 (void)set.oracle().minimize(v, {1e-6, true}, x);
                               }),
                       "not finite"));
      }
}
