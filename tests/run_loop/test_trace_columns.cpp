// SPDX-License-Identifier: BSD-3-Clause
// The columns estimator_error, rmse_truth and test_rmse against plain computations.
#include <claros/io/matrix_market.hpp>

#include "../core/numbers.hpp"
#include "trace_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const SmallProblem& traced_problem() {
  static const SmallProblem made(701, 20, 15, 2, 160);
  return made;
}

Words sampling_trace(const std::string& estimator, const Words& more = {}) {
  return traced_problem().words(
      8.0, Words{"algorithm.weight=0.1", "run.seed=3", "trace.every=1"} + small_batches(estimator) + more);
}

/// The iterate after `t` steps.
Element iterate(const Words& words, Index t) {
  if (t == 0) return compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"})).start_point();
  return solve(words + Words{"stop.iterations=" + std::to_string(t), "trace.on=no"}).answer;
}

Words sampling_estimators() {
  Words names = build_catalog().names(Kind::estimator);
  std::erase(names, "full");
  return names;
}

/// The trace of a run on tests with these lines, whose training ids are arbitrary.
RunResult named(const TestFolder& folder, const std::string& test, const Words& more = {}) {
  folder.put("train.csv", "ann,M,2\nann,N,4\nbob,M,4\nbob,N,8\nbob,\"O, too\",12\neve,\"O, too\",18\n");
  folder.put("test.csv", test);
  return solve(Words{"objective.use=matrix-completion", "objective.data=" + (folder / "train.csv").string(),
                     "objective.test=" + (folder / "test.csv").string(), "set.use=nuclear-ball",
                     "set.radius=28", "algorithm.use=frank-wolfe", "stop.iterations=12"} +
               more);
}

}  // namespace

TEST_CASE("estimator_error: SVRG written anew, with the same batches, is as far from the gradient") {
  const Words words = sampling_trace("svrg");
  const Index steps = 14;
  const RunResult run =
      solve(words + Words{"trace.estimator_error=yes", "stop.iterations=" + std::to_string(steps)});
  REQUIRE(run.trace.size() == static_cast<std::size_t>(steps) + 1);
  Sampler sampler(RandomStream(3, Purpose::sampling), traced_problem().n());
  const Ratings& ratings = traced_problem().ratings();
  std::vector<double> snapshot;
  for (Index t = 0; t < steps; ++t) {
    const std::vector<double> at = iterate(words, t).to_dense();
    if (t % 6 == 0) snapshot = at;
    std::vector<double> g = traced_problem().gradient(snapshot);
    const Batch S = sampler.draw(16);
    for (Index i = 0; i < 16; ++i) {
      const Index e = S[i];
      const auto k = static_cast<std::size_t>(ratings.col[static_cast<std::size_t>(e)] * ratings.rows +
                                              ratings.row[static_cast<std::size_t>(e)]);
      g[k] += (at[k] - snapshot[k]) / 16.0;  // of the square loss the values cancel
    }
    const double wanted = distance(g, traced_problem().gradient(at));
    INFO(t);
    CHECK(std::abs(run.trace[static_cast<std::size_t>(t) + 1].estimator_error - wanted) < 1e-12);
  }
  CHECK(std::isnan(run.trace.front().estimator_error));
}

TEST_CASE("estimator_error: of every estimator, driven by hand") {
  for (const std::string& name : sampling_estimators()) {
    CAPTURE(name);
    const Words words = sampling_trace(name);
    const RunResult run = solve(words + Words{"trace.estimator_error=yes", "stop.iterations=9"});
    const Composition c = compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"}));
    Sampler sampler(c.context.stream(Purpose::sampling), traced_problem().n());
    c.estimator->start(*c.objective, sampler);
    double largest = 0.0;
    for (Index t = 0; t < 9; ++t) {
      const Element x = iterate(words, t);
      if (c.estimator->epoch_due()) c.estimator->begin_epoch(x);
      const double wanted =
          distance(c.estimator->estimate(x).to_dense(), traced_problem().gradient(x.to_dense()));
      CHECK(std::abs(run.trace[static_cast<std::size_t>(t) + 1].estimator_error - wanted) < 1e-12);
      largest = std::max(largest, wanted);
    }
    const bool knows_curvature =
        name.starts_with("ca");  // which is constant here: there is nothing left to err
    CHECK((largest > 1e-6) != knows_curvature);
  }
}

TEST_CASE("estimator_error: zero for the gradient itself, and absent where it was not requested") {
  const RunResult exact = solve(
      traced_problem().words(8.0, {"trace.estimator_error=yes", "trace.every=1", "stop.iterations=10"}));
  for (std::size_t k = 1; k < exact.trace.size(); ++k) CHECK(exact.trace[k].estimator_error == 0.0);
  for (const TraceRow& row : solve(sampling_trace("sg", {"stop.iterations=10"})).trace)
    CHECK(std::isnan(row.estimator_error));
}

TEST_CASE("estimator_error: changes no step, no count and no other column, also after a resume") {
  for (const std::string& name : build_catalog().names(Kind::estimator)) {
    CAPTURE(name);
    for (const std::string every : {"0", "1", "7"}) {
      const Words off = traced_problem().words(
          8.0,
          Words{"algorithm.weight=0.1", "stop.iterations=40", "trace.every=" + every} + small_batches(name));
      const Words on = off + Words{"trace.estimator_error=yes"};
      const RunResult without = solve(off);
      const Saved with = solve_and_save(on, 13);
      CHECK(without_error(with.result.trace) == timeless(without.trace));
      CHECK(timeless(with.result.trace) != timeless(without.trace));
      CHECK(same_bits(with.result.answer, without.answer));
      CHECK(with.result.counts == without.counts);
      for (const std::string& state : with.states) check_same(resumed(on, state), with.result);
    }
  }
}

TEST_CASE("rmse_truth: from the data and from a file, as a plain loop finds it") {
  const TestFolder folder;
  const Words solver{"objective.use=matrix-completion", "set.use=nuclear-ball", "set.radius=30",
                     "algorithm.use=frank-wolfe",       "stop.iterations=15",   "trace.every=5"};
  const Words data{"data.use=synthetic", "data.rows=18", "data.cols=12",     "data.rank=2",
                   "data.largest=20",    "data.seed=6",  "data.observed=0.5"};
  const Composition c = compose(build_catalog(), spec_of(solver + data));
  const std::vector<double> truth = c.context.data->truth()->to_dense();
  const RunResult made = run_composition(c);
  const double wanted = distance(made.answer.to_dense(), truth) / std::sqrt(18.0 * 12.0);
  CHECK(made.measurement.rmse_truth == doctest::Approx(wanted).epsilon(1e-12));
  CHECK(made.trace.back().rmse_truth == made.measurement.rmse_truth);
  CHECK(made.trace.front().rmse_truth != made.measurement.rmse_truth);

  c.context.data->write(folder.path());
  const Words files{"objective.data=" + (folder / "observed.mtx").string()};
  const RunResult read = solve(solver + files + Words{"trace.truth=" + (folder / "truth.mtx").string()});
  CHECK(timeless(read.trace) == timeless(made.trace));
  CHECK(std::isnan(solve(solver + files).measurement.rmse_truth));
  std::string csv;
  for (std::size_t i = 0; i < 18; ++i)
    for (std::size_t j = 0; j < 12; ++j) csv += print_real(truth[j * 18 + i]) + (j < 11 ? "," : "\n");
  folder.put("truth.csv", csv);
  const RunResult table = solve(solver + files + Words{"trace.truth=" + (folder / "truth.csv").string()});
  CHECK(timeless(table.trace) == timeless(made.trace));

  folder.put("small.csv", "1,2\n3,4\n");
  check_mentions(
      complaint([&] { solve(solver + files + Words{"trace.truth=" + (folder / "small.csv").string()}); }),
      {"small.csv", "2 x 2", "18 x 12", "trace.truth"});
  check_mentions(
      complaint([&] { solve(solver + files + Words{"trace.truth=" + (folder / "none").string()}); }),
      {"none"});
}

TEST_CASE("rmse_truth: exact where the truth is reached") {
  const TestFolder folder;
  const Words words = traced_problem().words(8.0, {"stop.iterations=9"});
  const Element answer = solve(words).answer;
  write_matrix_market(folder / "truth.mtx", DenseTable{20, 15, answer.to_dense()});
  const RunResult run = solve(words + Words{"trace.truth=" + (folder / "truth.mtx").string()});
  CHECK(run.measurement.rmse_truth < 1e-15);
}

TEST_CASE("test_rmse: arbitrary ids, and an entry that comes twice counts twice") {
  const TestFolder folder;
  const RunResult run = named(folder, "ann,\"O, too\",6\neve,M,6\nann,\"O, too\",9\neve,N,12.5\n");
  const std::vector<double> x = run.answer.to_dense();  // rows ann bob eve, columns M N O
  const auto at = [&](std::size_t i, std::size_t j) { return x[j * 3 + i]; };
  double sum = std::pow(at(0, 2) - 6, 2) + std::pow(at(2, 0) - 6, 2);
  sum += std::pow(at(0, 2) - 9, 2) + std::pow(at(2, 1) - 12.5, 2);
  CHECK(run.measurement.test_rmse == doctest::Approx(std::sqrt(sum / 4.0)).epsilon(1e-12));
  CHECK(run.trace.back().test_rmse == run.measurement.test_rmse);
  CHECK(run.trace.front().test_rmse != run.measurement.test_rmse);
  CHECK(timeless(named(folder, "user,film,stars\nann,M,2\n").trace) ==
        timeless(named(folder, "ann,M,2\n").trace));
}

TEST_CASE("test_rmse: indices from zero, and of data in memory") {
  const TestFolder folder;
  folder.put("train.tsv", "0\t0\t1\n0\t1\t2\n1\t0\t3\n2\t1\t4\n");
  folder.put("test.tsv", "2\t0\t5\n1\t1\t-1\n");
  const Words solver{"objective.use=matrix-completion",
                     "objective.test=" + (folder / "test.tsv").string(),
                     "set.use=nuclear-ball",
                     "set.radius=6",
                     "algorithm.use=frank-wolfe",
                     "stop.iterations=8"};
  const Words zero{"objective.data=" + (folder / "train.tsv").string(), "objective.ids=zero-based"};
  const RunResult run = solve(solver + zero);
  const std::vector<double> x = run.answer.to_dense();
  const double wanted = std::sqrt((std::pow(x[2] - 5, 2) + std::pow(x[4] + 1, 2)) / 2.0);
  CHECK(run.measurement.test_rmse == doctest::Approx(wanted).epsilon(1e-12));

  const Words data{"data.use=synthetic", "data.rows=4", "data.cols=3", "data.rank=1"};
  folder.put("test.tsv", "3\t1\t5\n2\t2\t-1\n");
  const RunResult made = solve(solver + data);
  const std::vector<double> y = made.answer.to_dense();
  const double wanted_made = std::sqrt((std::pow(y[2] - 5, 2) + std::pow(y[5] + 1, 2)) / 2.0);
  CHECK(made.measurement.test_rmse == doctest::Approx(wanted_made).epsilon(1e-12));
}

TEST_CASE("test_rmse: a test file that does not fit is refused, and pairs of unknown ids do not count") {
  const TestFolder folder;
  CHECK(timeless(named(folder, "ann,M,2\nzoe,M,3\nann,Q,3\n").trace) ==
        timeless(named(folder, "ann,M,2\n").trace));
  const auto refused = [&](const std::string& test) { return complaint([&] { named(folder, test); }); };
  check_mentions(refused("zoe,M,3\nann,Q,3\n"), {"test.csv", "none of its 2 pairs"});
  check_mentions(refused("ann,M\nbob,N\n"), {"test.csv", "third column"});
  check_mentions(refused("ann,M,2\nbob,N\n"), {"test.csv:2"});
  check_mentions(refused("ann,M,2\nbob,N,nan\n"), {"test.csv:2", "nan"});
  check_mentions(refused(""), {"test.csv"});
  check_mentions(refused("%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 2\n"),
                 {"test.csv", "Matrix Market"});
}

TEST_CASE("data from a file and from [data] at once are refused: whose truth would be measured?") {
  const std::string text = complaint(
      [] {
        solve(traced_problem().words(8.0, {"data.use=synthetic", "data.rank=1", "stop.iterations=1"}));
      },
      ErrorKind::usage);
  check_mentions(text, {"objective.data", "[data]", "ratings.tsv"});
}
