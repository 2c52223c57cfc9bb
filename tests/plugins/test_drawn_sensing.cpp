// SPDX-License-Identifier: BSD-3-Clause
// matrix-sensing as an expectation: draws beside plain loops over their A_i, their law, its closed form, and
// draws held out.
#include "linear_problem.hpp"
#include "trace_for_test.hpp"

#include <claros/expectation.hpp>
#include <claros/results/certified.hpp>

#include <cmath>
#include <fstream>
#include <numeric>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kSide = 6;

class TruthInMemory final : public Dataset {
 public:
  explicit TruthInMemory(Element truth) : truth_(std::move(truth)) {}
  const Element* truth() const override { return &truth_; }
  void write(const std::filesystem::path&) const override {}

 private:
  Element truth_;
};

std::shared_ptr<Objective> drawn(const std::string& law, const Numbers& more = {}, std::uint32_t trial = 0,
                                 int threads = 1, std::uint64_t seed = 4,
                                 const Shape& shape = Shape::matrix(kSide, kSide)) {
  std::vector<Setting> settings{{"draws", law, {}, {}}};
  for (const auto& [key, value] : more) settings.push_back({key, value, {}, {}});
  Context context;
  context.seed = seed, context.threads = threads, context.trial = trial;
  context.data = std::make_shared<TruthInMemory>(point(shape, 7));
  return std::static_pointer_cast<Objective>(
      create_component(build_catalog(), Kind::objective, "matrix-sensing", settings, context));
}

const Words kLaws{"gaussian", "rank-one", "symmetric"};

double product(const Dense& a, const Dense& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// A_i up to its sign, from the gradients at two points: grad f_i(D) - grad f_i(0) = <A_i, D> A_i.
Dense drawn_matrix(Objective& f, Index i) {
  const std::vector<Index> one{i};
  const Element D = point(f.shape(), 31), zero(f.shape());
  Dense v = plus(gradient(f, D, Batch::of(one)), -1.0, gradient(f, zero, Batch::of(one)));
  const double factor = 1.0 / std::sqrt(product(v, D.to_dense()));
  for (double& value : v) value *= factor;
  return v;
}

/// y_i, with the sign of A.
double response(Objective& f, Index i, const Dense& A) {
  return -product(gradient(f, Element(f.shape()), Batch::of(std::vector<Index>{i})), A) / product(A, A);
}

const Words kSensing{"data.use=synthetic-sensing",
                     "data.count=0",
                     "data.rows=12",
                     "data.rank=1",
                     "data.radius=3",
                     "data.truth=general",
                     "data.seed=5",
                     "objective.use=matrix-sensing",
                     "objective.draws=gaussian",
                     "objective.noise=0.1",
                     "set.use=nuclear-ball",
                     "set.radius=2"};

}  // namespace

TEST_CASE("drawn sensing: batches are means over the A_i of their draws, of any size, in any order") {
  for (const std::string& law : kLaws) {
    CAPTURE(law);
    const auto f = drawn(law, {{"noise", "0.5"}});
    CHECK(f->terms() == kUnbounded);
    const Element x = point(f->shape(), 2), y = point(f->shape(), 3);
    const std::vector<Index> list{5, 0, 1'000'000'007, 5};
    Dense wanted(36, 0.0), change(36, 0.0);
    for (const Index i : list) {
      const Dense A = drawn_matrix(*f, i);
      const double z = product(A, x.to_dense()), other = product(A, y.to_dense());
      wanted = plus(std::move(wanted), 0.25 * (z - response(*f, i, A)), A);
      change = plus(std::move(change), 0.25 * (z - other), A);
    }
    CHECK(distance(gradient(*f, x, Batch::of(list)), wanted) <= 1e-9 * size(wanted));
    Element difference(f->shape()), along(f->shape()), d(x);
    f->add_gradient_difference(x, y, Batch::of(list), 1.0, difference);
    CHECK(distance(difference.to_dense(), change) <= 1e-9 * size(change));
    d.add(-1.0, y);
    query<Curvature>(*f)->add_hessian_product(x, d, Batch::of(list), 1.0, along);
    CHECK(distance(along.to_dense(), change) <= 1e-9 * size(change));
    // More than a block of draws.
    const Dense whole = gradient(*f, x, Batch::range(17, 30'000));
    const Dense parts = plus(plus(Dense(36, 0.0), 1.0 / 3.0, gradient(*f, x, Batch::range(17, 10'000))),
                             2.0 / 3.0, gradient(*f, x, Batch::range(10'017, 20'000)));
    CHECK(distance(whole, parts) <= 1e-11 * size(whole));
    CHECK(gradient(*drawn(law, {{"noise", "0.5"}}, 0, 2), x, Batch::range(17, 30'000)) == whole);
  }
}

TEST_CASE(
    "drawn sensing: draws have independent normal numbers, of every number, trial and seed their own, and "
    "noise that A does not know") {
  const auto f = drawn("gaussian", {{"noise", "2"}});
  constexpr Index kDraws = 2000;
  std::vector<Dense> A;
  double squares = 0.0, fourth = 0.0, lagged = 0.0, neighbours = 0.0, noise = 0.0, noise_squares = 0.0;
  const Dense truth = point(f->shape(), 7).to_dense();
  for (Index i = 0; i < kDraws; ++i) {
    A.push_back(drawn_matrix(*f, i));
    const Dense& a = A.back();
    for (std::size_t k = 0; k < a.size(); ++k)
      squares += a[k] * a[k], fourth += std::pow(a[k], 4), neighbours += k > 0 ? a[k] * a[k - 1] : 0.0;
    if (i > 0) lagged += std::pow(product(a, A[static_cast<std::size_t>(i - 1)]), 2);  // signs are not known
    const double e = response(*f, i, a) - product(a, truth);
    noise += e * a[0], noise_squares += e * e;
  }
  const double all = 36.0 * kDraws;
  CHECK(std::abs(squares - all) <= 5.0 * std::sqrt(2.0 * all));
  CHECK(std::abs(fourth - 3.0 * all) <= 5.0 * std::sqrt(96.0 * all));
  CHECK(std::abs(neighbours) <= 5.0 * std::sqrt(all));
  CHECK(std::abs(lagged - all) <=
        5.0 * std::sqrt(2.2 * 36.0 * all));  // of <A, B>^2: mean 36, variance about 2 * 36^2
  CHECK(std::abs(noise) <= 5.0 * 2.0 * std::sqrt(1.0 * kDraws));
  CHECK(std::abs(noise_squares - 4.0 * kDraws) <= 5.0 * 4.0 * std::sqrt(2.0 * kDraws));
  const Element x = point(f->shape(), 2);
  const Batch batch = Batch::range(0, 3);
  CHECK(gradient(*drawn("gaussian", {{"noise", "2"}}), x, batch) == gradient(*f, x, batch));
  CHECK(distance(gradient(*drawn("gaussian", {{"noise", "2"}}, 1), x, batch), gradient(*f, x, batch)) > 0.1);
  CHECK(distance(gradient(*drawn("gaussian", {{"noise", "2"}}, 0, 1, 5), x, batch), gradient(*f, x, batch)) >
        0.1);
}

TEST_CASE(
    "drawn sensing: of a squared loss the closed form is what means of draws tend to, in value, gradient and "
    "constants") {
  constexpr Index kDraws = 40'000;
  for (const std::string& law : kLaws) {
    CAPTURE(law);
    const auto f = drawn(law, {{"noise", "0.5"}}),
               sample = drawn(law, {{"noise", "0.5"}, {"held_out", std::to_string(kDraws)}});
    Objective& exact = *measured_function(*f);
    CHECK(held_out_draws(*f) == 0);
    CHECK(measured_on(*f) == "the expectation, in closed form");
    const Element x = point(f->shape(), 2);
    const double mean = measured_function(*sample)->value(x), value = exact.value(x);
    // <A, D> has a kurtosis of at most 15 (of a square of a chi-squared number): a standard error of
    // sqrt(14/n) of the value.
    CHECK(std::abs(mean - value) <= 5.0 * std::sqrt(14.0 / kDraws) * value);
    CHECK(std::abs(value - 0.125) > 0.05);
    const Dense g = gradient(exact, x);
    CHECK(distance(g, central_differences(exact, x)) <= 1e-7);
    CHECK(distance(g, gradient(*f, x, Batch::range(0, kDraws))) <= 0.1 * size(g));
    const Constants c = f->constants(), known = exact.constants();
    CHECK(c.smoothness == known.smoothness);
    CHECK(c.strong_convexity == known.strong_convexity);
    CHECK_FALSE(c.term_smoothness);
    // ||grad f(x) - grad f(y)|| = L ||x - y|| of the identity's multiples, the steepest of a a'.
    Element step(x.shape());
    for (std::int32_t j = 0; j < kSide; ++j)
      step.add(1.0, Element::sparse(std::make_shared<Pattern>(kSide, kSide, std::vector{j}, std::vector{j}),
                                    Buffer(Dense{1.0})));
    Element moved(x);
    moved.add(1.0, step);
    CHECK(distance(gradient(exact, moved), g) == doctest::Approx(*c.smoothness * norm(step)).epsilon(1e-12));
  }
}

TEST_CASE(
    "drawn sensing: draws held out are none of a batch's, the same in every trial, and as many as asked") {
  const Numbers held{{"held_out", "300"}, {"loss", "huber"}};
  const auto f = drawn("rank-one", held);
  Objective& sample = *measured_function(*f);
  CHECK(held_out_draws(*f) == 300);
  CHECK(measured_on(*f) == "300 draws held out");
  CHECK(sample.terms() == 300);
  const Element x = point(f->shape(), 2);
  const std::vector<Index> first{0};
  CHECK(distance(gradient(sample, x, Batch::of(first)), gradient(*f, x, Batch::of(first))) > 1e-3);
  CHECK(gradient(*measured_function(*drawn("rank-one", held, 3)), x) == gradient(sample, x));
  CHECK(held_out_draws(*drawn("rank-one", {{"loss", "huber"}})) == 10'000);
  CHECK(std::isnan(f->value(x)));
}

TEST_CASE(
    "drawn sensing: what is measured in closed form certifies the expectation, what is measured on draws "
    "does not") {
  const Words run{"algorithm.use=frank-wolfe", "estimator.use=sg", "estimator.batch=50",
                  "stop.iterations=60"};
  const RunResult exact = solve(kSensing + run);
  REQUIRE(exact.failure.empty());
  CHECK(exact.measurement.gap_kind == "frank-wolfe");
  CHECK(exact.measurement.bounds_minimum);
  CHECK(exact.measurement.held_out == 0);
  CHECK(certified_by(exact) == "the value is within gap of the minimum");
  // min 0.5 ||X - X*||^2 over the ball is (3 - 2)^2/2, of rank one; the noise adds 0.005.
  CHECK(exact.measurement.value >= 0.505 - 1e-9);
  CHECK(exact.lower_bound <= 0.505 + 1e-9);
  CHECK(exact.measurement.value - 0.505 <= exact.measurement.gap + 1e-9);
  const RunResult sample = solve(kSensing + run + Words{"objective.held_out=400"});
  CHECK(sample.measurement.held_out == 400);
  CHECK(std::isfinite(sample.measurement.gap));
  CHECK(sample.measurement.value != exact.measurement.value);
  CHECK_FALSE(sample.measurement.bounds_minimum);
  CHECK(certified_by(sample).empty());
  CHECK(sample.lower_bound == -std::numeric_limits<double>::infinity());
  CHECK(same_bits(sample.answer, exact.answer));  // measuring changes no step
  CHECK(sample.counts == exact.counts);
  for (const TraceRow& row : sample.trace) CHECK(std::isfinite(row.gap));
}

TEST_CASE(
    "drawn sensing: SVRG on draws comes to the minimum of the expectation, with a smoother too; targets and "
    "resumed runs hold") {
  const Words svrg{"algorithm.use=proximal-gradient", "algorithm.step=0.01", "estimator.use=svrg",
                   "estimator.snapshot=2000",         "estimator.batch=10",  "estimator.epoch=200"};
  const RunResult r = solve(kSensing + svrg + Words{"objective.noise=0", "stop.iterations=4000"});
  REQUIRE_MESSAGE(r.failure.empty(), r.failure);
  CHECK(r.measurement.value - 0.5 <= 0.01);
  CHECK(r.measurement.value >= 0.5 - 1e-9);
  const Words smoothed =
      kSensing + Words{"smoother.use=elastic-net", "smoother.lambda=0.1",       "smoother.ratio=0.2",
                       "smoother.mu=0.01",         "algorithm.use=frank-wolfe", "estimator.use=sg",
                       "estimator.batch=2000"};
  const RunResult target = solve(smoothed + Words{"stop.gap=1", "stop.iterations=2000"});
  CHECK(target.status == Status::gap);
  CHECK(target.measurement.gap <= 1.0);
  CHECK(std::isfinite(target.measurement.unsmoothed));
  const Words short_run = kSensing + svrg +
                          Words{"objective.held_out=50", "stop.iterations=12", "estimator.epoch=5",
                                "estimator.snapshot=30", "stop.residual=1e-9"};
  const Saved saved = solve_and_save(short_run);
  REQUIRE(saved.states.size() >= 10);
  CHECK(std::isfinite(saved.result.measurement.residual));
  for (const std::string& state : saved.states) {
    const RunResult again = resumed(short_run, state);
    REQUIRE_MESSAGE(again.failure.empty(), again.failure);
    CHECK(same_bits(again.answer, saved.result.answer));
    CHECK(again.measurement.held_out == 50);
  }
}

TEST_CASE("drawn sensing: X* comes from a file too; what is missing, or does not go together, is refused") {
  const TestFolder folder;
  std::ofstream(folder / "x.csv") << "1,2,3\n4,5,6\n";
  const Words file{"objective.use=matrix-sensing",
                   "objective.draws=rank-one",
                   "objective.truth=" + (folder / "x.csv").string(),
                   "set.use=nuclear-ball",
                   "set.radius=3",
                   "stop.iterations=2",
                   "estimator.use=sg",
                   "algorithm.use=frank-wolfe"};
  const Composition c = compose(build_catalog(), spec_of(file));
  CHECK(c.objective->shape() == Shape::matrix(2, 3));
  CHECK(measured_function(*c.objective)->value(Element(c.objective->shape())) == doctest::Approx(0.5 * 91.0));
  check_mentions(composing_refused(file + Words{"objective.draws=symmetric"}),
                 {"objective.draws", "2 x 3", "square"});
  check_mentions(composing_refused(file + Words{"objective.truth="}),
                 {"objective.draws", "X*", "truth = FILE"});
  check_mentions(composing_refused(file + Words{"objective.measurements=dense"}), {"objective.measurements"});
  check_mentions(composing_refused(file + Words{"objective.rows=5"}), {"objective.rows", "2 x 3"});
  check_mentions(composing_refused(file + Words{"objective.loss=logistic"}),
                 {"objective.loss", "any number"});
  check_mentions(composing_refused(file + Words{"objective.draws=none"}), {"objective.truth", "draws"});
  check_mentions(refusal(ErrorKind::usage, [&] { (void)solve(file + Words{"estimator.use=full"}); }),
                 {"expectation"});
  check_mentions(
      composing_refused({"data.use=synthetic-sensing", "data.count=0", "objective.use=matrix-sensing",
                         "stop.iterations=2", "algorithm.use=gcg", "set.use=nuclear-ball", "set.radius=1"}),
      {"objective.data", "needs measurements"});
  check_mentions(
      composing_refused({"data.use=synthetic-sensing", "data.count=0", "data.noise=1",
                         "objective.use=matrix-sensing", "objective.draws=gaussian", "stop.iterations=2"}),
      {"data.noise", "objective.noise"});
}
