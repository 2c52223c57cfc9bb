// SPDX-License-Identifier: BSD-3-Clause
// The objective noisy-matrix beside plain sums over its draws, the data that it is tried on, and the recovery
// of a matrix that is sparse and of low rank.
#include "linear_problem.hpp"
#include "projected_gradient.hpp"
#include "trace_for_test.hpp"

#include <claros/element/parallel.hpp>
#include <claros/expectation.hpp>
#include <claros/results/certified.hpp>

#include <cmath>
#include <fstream>
#include <numeric>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kSide = 7, kLength = 5;
constexpr double kSigma = 1.7;

std::shared_ptr<Objective> noisy(const Numbers& more = {}, int threads = 1, std::uint64_t seed = 4,
                                 Index rows = kSide, Index cols = kLength) {
  std::vector<Setting> settings{{"sigma", print_real(kSigma), {}, {}}};
  for (const auto& [key, value] : more) settings.push_back({key, value, {}, {}});
  Context context;
  context.seed = seed, context.threads = threads;
  context.data = std::make_shared<DesignInMemory>(
      make_design(normals(9, rows * cols), cols, Dense(static_cast<std::size_t>(rows), 0.0)));
  return std::static_pointer_cast<Objective>(
      create_component(build_catalog(), Kind::objective, "noisy-matrix", settings, context));
}

/// M_0, column after column.
Dense origin(Index rows = kSide, Index cols = kLength) {
  const Dense by_rows = normals(9, rows * cols);
  Dense m(by_rows.size());
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      m[static_cast<std::size_t>(j * rows + i)] = by_rows[static_cast<std::size_t>(i * cols + j)];
  return m;
}

/// Q_i of the gradient of f_i at 0, which is -M_i.
Dense draw(Objective& f, Index i) {
  const std::vector<Index> one{i};
  Dense q = gradient(f, Element(f.shape()), Batch::of(one));
  const Dense m = origin(f.shape().rows, f.shape().cols);
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = (-q[k] - m[k]) / kSigma;
  return q;
}

const Words kData{"data.use=synthetic-sparse-low-rank",
                  "data.rows=20",
                  "data.rank=2",
                  "data.seed=3",
                  "data.noise=0.3",
                  "data.largest=3",
                  "objective.use=noisy-matrix"};
const Words kSet{"set.use=nuclear-ball", "set.radius=30"};

double apart(const Element& a, const Element& b) {
  Element d(a);
  d.add(-1.0, b);
  return norm(d);
}

}  // namespace

TEST_CASE("noisy-matrix: the mean of k draws, made at once, is that of k real draws, wherever they begin") {
  const auto f = noisy();
  const Element x = point(f->shape(), 5);
  for (const auto& [first, count] : std::vector<std::pair<Index, Index>>{
           {0, 1}, {0, 7}, {3, 1}, {2, 9}, {0, 100}, {13, 64}, {31, 33}, {1000, 40}, {1'000'000'007, 5}}) {
    CAPTURE(first);
    CAPTURE(count);
    Dense mean(static_cast<std::size_t>(f->shape().size()), 0.0);
    for (Index i = first; i < first + count; ++i)
      mean = plus(mean, 1.0 / static_cast<double>(count), gradient(*f, x, Batch::of(std::vector<Index>{i})));
    CHECK(distance(gradient(*f, x, Batch::range(first, count)), mean) <=
          1e-12 * std::sqrt(static_cast<double>(first + count)) * size(mean));
  }
}

TEST_CASE(
    "noisy-matrix: draws are independent normal numbers, of every number, entry, place and seed its own") {
  const auto f = noisy({}, 1, 4, 30, 20);
  constexpr Index kDraws = 300;
  std::vector<Dense> q;
  for (Index i = 0; i < kDraws; ++i) q.push_back(draw(*f, i));
  const double entries = 600.0, all = entries * static_cast<double>(kDraws);
  double sum = 0.0, squares = 0.0, fourth = 0.0;
  for (const Dense& one : q)
    for (const double v : one) sum += v, squares += v * v, fourth += v * v * v * v;
  CHECK(std::abs(sum) <= 5.0 * std::sqrt(all));
  CHECK(std::abs(squares - all) <= 5.0 * std::sqrt(2.0 * all));
  CHECK(std::abs(fourth - 3.0 * all) <= 5.0 * std::sqrt(96.0 * all));
  // Products of different draws, and of neighbouring entries of one, have mean 0 and variance 1.
  for (const Index lag : {1, 2, 3, 5, 64, 127, 128, 200}) {
    double products = 0.0, pairs = 0.0;
    for (std::size_t i = 0; i + static_cast<std::size_t>(lag) < q.size(); ++i)
      products +=
          std::inner_product(q[i].begin(), q[i].end(), q[i + static_cast<std::size_t>(lag)].begin(), 0.0),
          pairs += entries;
    CHECK(std::abs(products) <= 5.0 * std::sqrt(pairs));
    products = pairs = 0.0;
    for (const Dense& one : q)
      for (std::size_t k = 0; k + static_cast<std::size_t>(lag) < one.size(); ++k)
        products += one[k] * one[k + static_cast<std::size_t>(lag)], pairs += 1.0;
    CHECK(std::abs(products) <= 5.0 * std::sqrt(pairs));
  }
  CHECK(distance(draw(*noisy({}, 1, 5, 30, 20), 7), q[7]) > 10.0);
  // The mean of k draws has the variance 1/k.
  for (const Index k : {4, 1000, 1'000'000}) {
    Dense mean = gradient(*f, Element(f->shape()), Batch::range(17, k));
    const Dense m = origin(30, 20);
    double square = 0.0;
    for (std::size_t j = 0; j < mean.size(); ++j) square += std::pow((mean[j] + m[j]) / kSigma, 2);
    CHECK(std::abs(square * static_cast<double>(k) - entries) <= 5.0 * std::sqrt(2.0 * entries));
  }
}

TEST_CASE("noisy-matrix: bits do not depend on threads") {
  const auto one = noisy({{"draws", "1000"}}, 1, 4, 60, 50), two = noisy({{"draws", "1000"}}, 2, 4, 60, 50);
  const Element x = point(one->shape(), 5);
  for (const Batch& batch : {Batch::all(), Batch::range(3, 700)})
    CHECK(gradient(*one, x, batch) == gradient(*two, x, batch));
}

TEST_CASE(
    "noisy-matrix: values and gradients are those of plain sums, as an expectation and as a finite sum") {
  const Element x = point(Shape::matrix(kSide, kLength), 5), y = point(Shape::matrix(kSide, kLength), 6);
  const auto f = noisy();
  CHECK(f->terms() == kUnbounded);
  CHECK(f->value(x) == doctest::Approx(0.5 * std::pow(distance(x.to_dense(), origin()), 2)).epsilon(1e-13));
  CHECK(distance(gradient(*f, x), plus(x.to_dense(), -1.0, origin())) <= 1e-13);
  const auto sum = noisy({{"draws", "9"}});
  CHECK(sum->terms() == 9);
  Dense mean = origin();
  for (Index i = 0; i < 9; ++i) mean = plus(mean, kSigma / 9.0, draw(*f, i));
  CHECK(sum->value(x) == doctest::Approx(0.5 * std::pow(distance(x.to_dense(), mean), 2)).epsilon(1e-12));
  CHECK(distance(gradient(*sum, x), plus(x.to_dense(), -1.0, mean)) <= 1e-12);
  CHECK(distance(gradient(*sum, x), central_differences(*sum, x)) <= 1e-7);
  const std::vector<Index> twice{2, 5, 2};
  Element difference(x.shape());
  sum->add_gradient_difference(x, y, Batch::of(twice), 1.0, difference);
  CHECK(distance(difference.to_dense(), plus(gradient(*sum, x, Batch::of(twice)), -1.0,
                                             gradient(*sum, y, Batch::of(twice)))) <= 1e-12);
}

TEST_CASE(
    "synthetic-sparse-low-rank: the truth is Y Y', sparse and of its rank, and M_0 is as far from it as the "
    "noise") {
  const auto data = make_data(build_catalog(), spec_of({"data.use=synthetic-sparse-low-rank", "data.rows=100",
                                                        "data.rank=3", "data.noise=0.5", "data.seed=2"}));
  const Dense truth = data->truth()->to_dense();
  const TruncatedSvd svd = dense_svd(100, 100, truth);
  CHECK(svd.s[2] > 1.0);
  CHECK(svd.s[3] < 1e-8 * svd.s[0]);
  const auto zeros = std::ranges::count(truth, 0.0);
  CHECK(zeros > 8500);  // an entry of Y is not 0 with probability 1/10, a product of two of them in 3 places
                        // with less than 3/100, but for the diagonal
  CHECK(zeros < 9900);
  double square = 0.0;
  Dense row(100);
  for (Index i = 0; i < 100; ++i) {
    data->design()->row(i, row);
    for (std::size_t j = 0; j < 100; ++j) {
      const auto k = static_cast<std::size_t>(i);
      square += std::pow(row[j] - truth[j * 100 + k], 2);
      CHECK(truth[j * 100 + k] == truth[k * 100 + j]);
    }
  }
  CHECK(std::abs(square / 0.25 - 1e4) <= 5.0 * std::sqrt(2e4));
}

/// min 0.5 ||X - M||^2 + lambda ||X||_1 over the ball, by proximal gradients of the smoothed problem and by
/// the smoothing bound lambda mu d/2.
TEST_CASE(
    "noisy-matrix: sparse and of low rank, weak and exact oracles find what projected gradients find, within "
    "the smoothing bound of the problem without smoothing") {
  const Words problem = kData + kSet + Words{"objective.sigma=0.5", "objective.draws=200"};
  constexpr double kLambda = 0.2, kMu = 0.02;
  const auto smoothed = [&](double mu) {
    return problem + Words{"smoother.use=huber-l1", "smoother.lambda=0.2", "smoother.mu=" + print_real(mu)};
  };
  const RunResult exact = solve(smoothed(kMu) + Words{"algorithm.use=proximal-gradient",
                                                      "stop.relative_gap=1e-10", "stop.iterations=20000"});
  REQUIRE(exact.status == Status::relative_gap);
  Index rank = 0;
  for (const double s : dense_svd(20, 20, exact.answer.to_dense()).s) rank += s > 1e-4;
  REQUIRE(rank <= 4);
  for (const Index r : {Index{0}, rank + 1}) {
    const RunResult weak =
        solve(smoothed(kMu) + Words{"algorithm.use=gcg", "algorithm.rank=" + std::to_string(r),
                                    "stop.iterations=400", "trace.certificate=yes"});
    CHECK(apart(weak.answer, exact.answer) <= 1e-4);
    CHECK(weak.measurement.value == doctest::Approx(exact.measurement.value).epsilon(1e-8));
  }
  const RunResult svrgcg =
      solve(smoothed(kMu) + Words{"algorithm.use=gcg", "algorithm.rank=" + std::to_string(rank + 1),
                                  "algorithm.batch=theory", "algorithm.length=theory", "estimator.use=svrg",
                                  "stop.iterations=600"});
  CHECK(apart(svrgcg.answer, exact.answer) <= 1e-4);
  // The problem without smoothing: a fine smoothing encloses its minimum, f* - lambda mu d/2 <= f*_mu <= f*.
  const auto value = [&](const RunResult& r, double mu) {
    double change = 0.0;
    for (const double t : r.answer.to_dense())
      change += std::abs(t) <= mu ? std::abs(t) - 0.5 * t * t / mu : 0.5 * mu;
    return r.measurement.value + kLambda * change;
  };
  const RunResult fine = solve(smoothed(1e-4) + Words{"algorithm.use=proximal-gradient",
                                                      "stop.relative_gap=1e-8", "stop.iterations=60000"});
  const double least = fine.measurement.value * (1.0 - 1e-7);
  CHECK(value(exact, kMu) >= least);
  CHECK(value(exact, kMu) <= value(fine, 1e-4) + kLambda * kMu * 400.0 / 2.0);
  CHECK(value(exact, kMu) > exact.measurement.value);
}

/// min 0.5 ||X - M||_F^2 + lambda ||X||_1 over the ball, by the splitting of Douglas and Rachford, which
/// knows of no smoothing: X = prox of the square and the norm at Z, W = the projection of 2 X - Z, Z <- Z + W
/// - X. The value at W, which is feasible, is above the minimum, by no more than its distance from X allows:
/// 0.01 here, where the smoothing bound is 0.8.
double without_smoothing(const Dense& M, double lambda, double radius) {
  const Index d = 20;
  Dense Z(M.size(), 0.0), X(M.size()), W;
  for (int k = 0; k < 3000; ++k) {
    Dense reflected(M.size());
    for (std::size_t j = 0; j < M.size(); ++j) {
      const double t = 0.5 * (Z[j] + M[j]);  // prox of length 1
      X[j] = std::copysign(std::max(0.0, std::abs(t) - 0.5 * lambda), t);
      reflected[j] = 2.0 * X[j] - Z[j];
    }
    W = project_to_ball(d, d, reflected, radius);
    for (std::size_t j = 0; j < M.size(); ++j) Z[j] += W[j] - X[j];
  }
  CHECK(distance(W, X) <= 1e-4);
  double value = 0.5 * std::pow(distance(W, M), 2);
  for (const double w : W) value += lambda * std::abs(w);
  return value;
}

TEST_CASE(
    "noisy-matrix: answers of the smoothed problem are within lambda mu d/2 of a solution of the problem "
    "with the norm itself, by another method") {
  constexpr double kLambda = 0.2, kMu = 0.02;
  const Words problem = kData + kSet +
                        Words{"objective.sigma=0.5", "objective.draws=200", "smoother.use=huber-l1",
                              "smoother.lambda=0.2", "smoother.mu=" + print_real(kMu)};
  const Composition c =
      compose(build_catalog(), spec_of(problem + Words{"algorithm.use=gcg", "stop.iterations=1"}));
  Dense M = gradient(*c.objective, Element(c.objective->shape()));
  for (double& m : M) m = -m;
  const double least = without_smoothing(M, kLambda, 30.0), bound = kLambda * kMu * 400.0 / 2.0;
  for (const Words& method :
       {Words{"algorithm.use=gcg", "algorithm.rank=5", "stop.iterations=400"},
        Words{"algorithm.use=gcg", "algorithm.rank=5", "algorithm.batch=theory", "algorithm.length=theory",
              "estimator.use=svrg", "stop.iterations=600"},
        Words{"algorithm.use=proximal-gradient", "stop.relative_gap=1e-8", "stop.iterations=20000"}}) {
    CAPTURE(method[1]);
    const RunResult r = solve(problem + method);
    CHECK(r.measurement.unsmoothed >= least - 0.01);
    CHECK(r.measurement.unsmoothed <= least + bound);
    CHECK(r.measurement.value <= least + 1e-4);
    CHECK(r.measurement.value >= least - bound);
  }
}

TEST_CASE(
    "noisy-matrix: SVRGCG on the expectation halves its error every epoch, on growing snapshots that count "
    "each draw") {
  const Words problem = kData + kSet +
                        Words{"objective.sigma=0.5", "smoother.use=huber-l1", "smoother.lambda=0.2",
                              "smoother.mu=0.2", "trace.every=1"};
  const Words svrgcg{"algorithm.use=gcg",        "estimator.use=svrg",      "estimator.snapshot=1",
                     "algorithm.batch=theory",   "algorithm.length=theory", "algorithm.variance=100",
                     "algorithm.initial_gap=800"};
  const RunResult best =
      solve(kData + kSet +
            Words{"objective.sigma=0", "objective.draws=1", "smoother.use=huber-l1", "smoother.lambda=0.2",
                  "smoother.mu=0.2", "algorithm.use=proximal-gradient", "stop.relative_gap=1e-9",
                  "stop.iterations=20000"});
  const Index steps = static_cast<Index>(std::ceil(8.0 / 3.0 * std::log(8.0) * 2.0));  // beta = 1 + 0.2/0.2
  double mean = 0.0, first = 0.0;
  constexpr int kRuns = 5;
  for (int seed = 0; seed < kRuns; ++seed) {
    const RunResult r =
        solve(problem + svrgcg +
              Words{"run.seed=" + std::to_string(seed), "stop.iterations=" + std::to_string(6 * steps)});
    first = r.trace.front().value - best.measurement.value;
    REQUIRE(first <= 800.0);
    mean += (r.trace.back().value - best.measurement.value) / kRuns;
    CHECK(r.counts.sfo == 4 * (64 - 1) + 6 * steps * 2 * 32);  // 32 * 100/800 = 4, doubled six times
    CHECK(r.epochs == 6);
  }
  CHECK(mean <= 800.0 * std::pow(2.0, -6));
  CHECK(mean >= 0.0);
  // The same bits after every state.
  const Words short_run =
      problem + svrgcg + Words{"stop.iterations=9", "algorithm.length=2", "algorithm.rank=3"};
  const Saved saved = solve_and_save(short_run);
  REQUIRE(saved.states.size() >= 9);
  for (const std::string& state : saved.states) {
    const RunResult again = resumed(short_run, state);
    REQUIRE_MESSAGE(again.failure.empty(), again.failure);
    CHECK(same_bits(again.answer, saved.result.answer));
    CHECK(again.counts == saved.result.counts);
  }
}

/// The same problem as a sum without noise, at the same point.
TEST_CASE(
    "noisy-matrix: the gap and the residual of the expectation are those of its closed form, with a smoother "
    "apart or in f, and end runs") {
  const Words smoother{"smoother.use=huber-l1", "smoother.lambda=0.2", "smoother.mu=0.2"},
      budget{"stop.iterations=15"};
  for (const Words& method : {Words{"algorithm.use=gcg", "estimator.use=svrg", "estimator.snapshot=50",
                                    "estimator.batch=1", "algorithm.eta=0.1"},
                              Words{"algorithm.use=frank-wolfe", "estimator.use=sg"}}) {
    CAPTURE(method.front());
    const Words run = kData + kSet + smoother + method + budget;
    const Composition expected = compose(build_catalog(), spec_of(run)),
                      known = compose(build_catalog(),
                                      spec_of(run + Words{"objective.sigma=0", "objective.draws=1"}));
    const RunResult r = run_composition(expected);
    REQUIRE(r.failure.empty());
    CHECK(measured_on(*expected.objective) == "the expectation, in closed form");
    CHECK(r.measurement.confirmed);
    CHECK(r.measurement.bounds_minimum);
    CHECK(certified_by(r) == "the value is within gap of the minimum");
    Element g(known.objective->shape());
    known.objective->add_gradient(r.answer, Batch::all(), 1.0, g);
    if (Objective* apart = known.problem().smoother) apart->add_gradient(r.answer, Batch::all(), 1.0, g);
    const double largest = dense_svd(20, 20, g.to_dense()).s.front(),
                 gap = inner(g, r.answer) + 30.0 * largest;
    // Or what the bound of an earlier point leaves, if that is less.
    const double least = std::min(gap, r.measurement.value - r.lower_bound);
    CHECK(r.measurement.gap == doctest::Approx(least).epsilon(2e-3));
    CHECK(r.measurement.gap >= least * (1.0 - 1e-9));
    CHECK(r.lower_bound >= r.measurement.value - r.measurement.gap);
    CHECK(r.lower_bound <=
          solve(kData + kSet + smoother +
                Words{"objective.sigma=0", "objective.draws=1", "algorithm.use=gcg", "stop.iterations=300"})
              .measurement.value);
    const RunResult ended = solve(run + Words{"stop.gap=" + print_real(10.0 * r.measurement.gap)});
    CHECK(ended.status == Status::gap);
    CHECK(ended.measurement.gap <= 10.0 * r.measurement.gap);
  }
  const Words projected = kData + kSet + Words{"objective.sigma=1e-3", "algorithm.use=proximal-gradient",
                                               "algorithm.step=0.5",   "estimator.use=sg",
                                               "estimator.batch=100",  "stop.iterations=400"};
  const RunResult residual = solve(projected + Words{"stop.residual=1e-2"});
  CHECK(residual.status == Status::residual);
  CHECK(residual.iterations < 400);
  // Steps that are too long are told of an expectation too.
  CHECK(solve(kData + Words{"objective.sigma=1", "penalty.use=l1", "penalty.lambda=0.1",
                            "algorithm.use=proximal-gradient", "algorithm.step=3", "estimator.use=sg",
                            "stop.iterations=400"})
            .status == Status::diverged);
}

TEST_CASE(
    "noisy-matrix: trials of the expectation would see the same draws, and are refused; of a sum they are "
    "runs on the same function") {
  const Words run = kData + kSet + Words{"objective.sigma=5", "algorithm.use=frank-wolfe", "estimator.use=sg",
                                         "estimator.batch=1", "stop.iterations=6",         "run.trials=3"};
  check_mentions(refusal(ErrorKind::usage, [&] { (void)solve(run); }),
                 {"run.trials", "same draws", "run.seed"});
  const RunResult r = solve(run + Words{"objective.draws=7"});
  REQUIRE(r.trials.size() == 3);
  CHECK(r.trials[0].value != r.trials[1].value);
  CHECK(r.measurement.gap == std::min({r.trials[0].gap, r.trials[1].gap, r.trials[2].gap}));
}

TEST_CASE("noisy-matrix: M_0 comes from a file too; what is missing or given twice is refused") {
  const TestFolder folder;
  std::ofstream(folder / "m.csv") << "1,2,3\n4,5,6\n";
  const Words file{"objective.use=noisy-matrix", "objective.data=" + (folder / "m.csv").string(),
                   "stop.iterations=2",          "algorithm.use=gcg",
                   "objective.draws=3",          "objective.sigma=0"};
  const Composition c = compose(build_catalog(), spec_of(file));
  CHECK(c.objective->shape() == Shape::matrix(2, 3));
  CHECK(c.objective->value(Element(c.objective->shape())) == doctest::Approx(0.5 * 91.0));
  check_mentions(composing_refused({"objective.use=noisy-matrix", "stop.iterations=2", "algorithm.use=gcg"}),
                 {"objective.data", "M_0"});
  check_mentions(composing_refused(file + Words{"data.use=synthetic-sparse-low-rank", "data.rows=3"}),
                 {"objective.data", "keep one"});
  check_mentions(composing_refused({"data.use=synthetic-sparse-low-rank", "data.rows=3", "data.rank=4",
                                    "objective.use=noisy-matrix", "stop.iterations=2"}),
                 {"data.rank", "4"});
  check_mentions(
      refusal(ErrorKind::usage,
              [] {
                (void)solve(kData + Words{"estimator.use=full", "algorithm.use=gcg", "stop.iterations=2"});
              }),
      {"expectation"});
}
