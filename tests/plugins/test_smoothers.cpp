// SPDX-License-Identifier: BSD-3-Clause
// f + R: that R is minimised, measured, counted apart, saved and refused as what it is.
#include "compose_for_test.hpp"
#include "trace_for_test.hpp"

#include <claros/compose/composition.hpp>

#include <fstream>
#include <numeric>

using namespace claros;
using namespace claros::test;

namespace {

const Words kRegression{
    "data.use=synthetic-regression", "data.rows=60", "data.cols=8", "data.nonzero=3", "data.seed=4",
    "objective.use=linear-model"};
const Words kSquare{"smoother.use=squared-norm", "smoother.lambda=0.3"};
const Words kHuber{"smoother.use=huber-l1", "smoother.lambda=0.2", "smoother.mu=0.05"};
const Words kRidge{"penalty.use=ridge", "penalty.lambda=0.3"};
const Words kProximalSteps{"algorithm.use=proximal-gradient"};

double answers_apart(const RunResult& a, const RunResult& b) {
  Element d(a.answer);
  d.add(-1.0, b.answer);
  return norm(d);
}

Element normal_point(const Shape& shape, std::uint64_t seed) {
  std::vector<double> values(static_cast<std::size_t>(shape.size()));
  RandomStream(seed, Purpose::test).fill_normal(values);
  return Element::dense(shape, std::move(values));
}

double along(Objective& f, const Element& x, const Element& d, double h) {
  Element y(x);
  y.add(h, d);
  return f.value(y);
}

/// Full gradients, a constant step, and R apart.
struct Apart final : Algorithm {
  std::vector<Need> needs() const override { return {}; }
  Takes takes() const override { return {.penalty = true, .smoother = true}; }
  void start(const Problem& problem, Element x0) override { p_ = problem, x_ = std::move(x0); }
  void step() override {
    Element g(x_.shape());
    p_.objective->add_gradient(x_, Batch::all(), 1.0, g);
    p_.smoother->add_gradient(x_, Batch::all(), 1.0, g);
    x_.add(-0.1, g);
    if (p_.penalty) {
      const Element v(x_);
      p_.penalty->apply(v, 0.1, x_, {});
    }
  }
  const Element& iterate() const override { return x_; }
  Problem p_;
  Element x_;
};

/// (3/20) ||x - c||^2 with every entry of c 1: its gradient at 0 is not 0, and its Hessian is kept.
struct Shifted final : Objective, Curvature {
  struct Kept final : Hessian {
    void add_product(const Element& d, double a, Element& g) override { g.add(0.3 * a, d); }
  };
  Shape shape() const override { return {}; }
  Index terms() const override { return 1; }
  double value(const Element& x) override {
    double sum = 0.0;
    for (const double t : x.to_dense()) sum += 0.15 * (t - 1.0) * (t - 1.0);
    return sum;
  }
  void add_gradient(const Element& x, const Batch&, double a, Element& g) override {
    for (double& value : g.dense_values()) value -= 0.3 * a;
    g.add(0.3 * a, x);
  }
  void add_hessian_product(const Element&, const Element& d, const Batch&, double a, Element& g) override {
    g.add(0.3 * a, d);
  }
  std::unique_ptr<Hessian> hessian(const Element&, const Batch&) override { return std::make_unique<Kept>(); }
  Constants constants() const override {
    return {.convex = true, .smoothness = 0.3, .strong_convexity = 0.3};
  }
  void* ability(std::string_view id) noexcept override { return offer<Curvature>(this, id); }
};

Composition shifted(const Words& words, bool apart = false) {
  HostParts parts;
  parts.parts["smoother"] = {Kind::smoother, std::make_shared<Shifted>()};
  if (apart) parts.parts["algorithm"] = {Kind::algorithm, std::make_shared<Apart>()};
  return compose(build_catalog(), spec_of(kRegression + words), parts);
}

}  // namespace

TEST_CASE("smoother: values, gradients, differences and Hessian products are those of f + R") {
  for (const Words& smoother : {kSquare, kHuber})
    for (const Words& model : {kRegression, kRegression + Words{"objective.intercept=yes"}}) {
      const Words rest = model + kProximalSteps + Words{"stop.iterations=1"};
      const Composition plain = compose(build_catalog(), spec_of(rest)),
                        both = compose(build_catalog(), spec_of(rest + smoother));
      Objective &f = *plain.objective, &sum = *both.objective;
      const Element x = normal_point(f.shape(), 1), y = normal_point(f.shape(), 2),
                    d = normal_point(f.shape(), 3);
      CHECK(sum.value(x) > f.value(x) + 0.01);
      const std::vector<Index> few{3, 5, 5};
      for (const Batch& batch : {Batch::all(), Batch::of(few), Batch::range(7, 4)}) {
        Element of_sum(f.shape()), of_f(f.shape()), at_y(f.shape()), difference(f.shape());
        sum.add_gradient(x, batch, 2.0, of_sum);
        sum.add_gradient(y, batch, -2.0, at_y);
        f.add_gradient(x, batch, 2.0, of_f);
        of_f.scale(-1.0);
        of_f.add(1.0, of_sum);  // 2 grad R, whatever the batch
        const double h = 1e-5, quotient = (along(sum, x, d, h) - along(sum, x, d, -h) - along(f, x, d, h) +
                                           along(f, x, d, -h)) /
                                          (2.0 * h);
        CHECK(0.5 * inner(of_f, d) == doctest::Approx(quotient).epsilon(1e-6));
        sum.add_gradient_difference(x, y, batch, 2.0, difference);
        difference.add(-1.0, of_sum);
        difference.add(-1.0, at_y);
        CHECK(norm(difference) < 1e-12 * norm(of_sum));

        auto* curvature = query<Curvature>(sum);
        REQUIRE(curvature);
        Element product(f.shape()), kept(f.shape()), ahead(x), behind(x), slope(f.shape());
        curvature->add_hessian_product(x, d, batch, 1.5, product);
        curvature->hessian(x, batch)->add_product(d, 1.5, kept);
        ahead.add(1e-6, d);
        behind.add(-1e-6, d);
        sum.add_gradient_difference(ahead, behind, batch, 1.5 / 2e-6, slope);
        slope.add(-1.0, product);
        kept.add(-1.0, product);
        CHECK(norm(slope) < 1e-6 * norm(product));
        CHECK(norm(kept) < 1e-12 * norm(product));
      }
    }
}

TEST_CASE("smoother: an intercept is not part of R, as it is not part of a penalty") {
  const Words model = kRegression + kProximalSteps +
                      Words{"objective.intercept=yes", "stop.residual=1e-11", "stop.iterations=20000"};
  const RunResult smooth = solve(model + kSquare), penalised = solve(model + kRidge);
  CHECK(answers_apart(smooth, penalised) < 1e-8);
  CHECK(smooth.answer.to_dense().back() != 0.0);
  const Constants with = compose(build_catalog(), spec_of(model + kSquare)).objective->constants();
  CHECK_FALSE(with.strong_convexity.has_value());  // along the intercept it has none
}

TEST_CASE("smoother: proximal steps on f + lambda/2 ||x||^2 find what ridge finds") {
  const Words model = kRegression + kProximalSteps + Words{"stop.residual=1e-11", "stop.iterations=20000"};
  for (const Words& how : {Words{}, Words{"algorithm.accelerate=yes"}, Words{"algorithm.step=1/L"}}) {
    const RunResult smooth = solve(model + kSquare + how), penalised = solve(model + kRidge + how);
    CHECK(smooth.status == Status::residual);
    CHECK(answers_apart(smooth, penalised) < 1e-8);
    CHECK(smooth.measurement.value == doctest::Approx(penalised.measurement.value).epsilon(1e-12));
  }
  // With a penalty beside it: together an elastic net.
  const RunResult two = solve(model + kSquare + Words{"penalty.use=l1", "penalty.lambda=0.1"});
  const RunResult one =
      solve(model + Words{"penalty.use=elastic-net", "penalty.lambda=0.4", "penalty.ratio=0.25"});
  CHECK(answers_apart(two, one) < 1e-8);
}

TEST_CASE("smoother: dual averaging on f + R comes near what ridge finds") {
  const Words model = kRegression + Words{"stop.iterations=4000"};
  const RunResult exact =
      solve(kRegression + kProximalSteps + kRidge + Words{"stop.residual=1e-11", "stop.iterations=20000"});
  const RunResult smooth = solve(model + kSquare + Words{"algorithm.use=dual-averaging"});
  const RunResult plain = solve(model + Words{"algorithm.use=dual-averaging"});
  CHECK(answers_apart(smooth, exact) < 0.05 * answers_apart(plain, exact));
}

TEST_CASE("smoother: Frank-Wolfe's gap is that of f + R, and bounds the answers_apart to its minimum") {
  const Words set{"set.use=l2-ball", "set.radius=1"};
  for (const Words& smoother : {kSquare, kHuber}) {
    const RunResult r =
        solve(kRegression + set + smoother +
              Words{"algorithm.use=frank-wolfe", "stop.relative_gap=1e-4", "stop.iterations=20000"});
    const RunResult best = solve(kRegression + set + smoother + kProximalSteps +
                                 Words{"stop.residual=1e-10", "stop.iterations=20000"});
    CHECK(r.status == Status::relative_gap);
    CHECK(r.measurement.gap_kind == "frank-wolfe");
    CHECK(r.measurement.bounds_minimum);
    const double above = r.measurement.value - best.measurement.value;
    CHECK(above > -1e-10);
    CHECK(above <= r.measurement.gap * (1.0 + 1e-9));
  }
}

TEST_CASE("smoother: every estimator asks f for what it asks without R, and R's calls count apart") {
  for (const std::string& name : build_catalog().names(Kind::estimator)) {
    CAPTURE(name);
    const Words words = kRegression + small_batches(name) + kProximalSteps +
                        Words{"algorithm.step=1/L", "stop.iterations=25", "trace.on=no"};
    const RunResult with = solve(words + kSquare), without = solve(words);
    CHECK(with.iterations == 25);
    Counts alone = with.counts;
    alone.smoother_calls = 0;
    CHECK(alone == without.counts);
    CHECK(with.counts.smoother_calls >= 25);
    CHECK(without.counts.smoother_calls == 0);
    CHECK(answers_apart(with, without) > 1e-3);
  }
  const RunResult full =
      solve(kRegression + kProximalSteps + kSquare + Words{"algorithm.step=1/L", "stop.iterations=25"});
  CHECK(full.counts.smoother_calls == 25);
  CHECK(full.counts.sfo == 25 * 60);
}

TEST_CASE("smoother: every estimator comes to the minimum of f + R, or near it") {
  const RunResult exact =
      solve(kRegression + kProximalSteps + kRidge + Words{"stop.residual=1e-11", "stop.iterations=20000"});
  const double far = norm(exact.answer);
  for (const std::string& name : build_catalog().names(Kind::estimator)) {
    CAPTURE(name);
    const bool noisy = name == "sg" || name == "momentum" ||
                       name == "storm";  // a ball of noise, whose size the step decides
    const RunResult r = solve(kRegression + small_batches(name) + kProximalSteps + kSquare +
                              Words{"stop.iterations=3000", "trace.on=no"});
    CHECK(answers_apart(r, exact) < (noisy ? 0.2 : 1e-6) * far);
  }
}

TEST_CASE("smoother: a run that was interrupted has the bits of one that was not") {
  for (const Words& smoother : {kSquare, kHuber})
    for (const std::string& name : build_catalog().names(Kind::estimator)) {
      CAPTURE(name);
      const Words words =
          kRegression + small_batches(name) + kProximalSteps + smoother + Words{"stop.iterations=20"};
      const Saved saved = solve_and_save(words, 7);
      REQUIRE(saved.states.size() >= 2);
      for (const std::string& state : saved.states) {
        const RunResult again = resumed(words, state);
        CHECK(same_bits(again.answer, saved.result.answer));
        CHECK(again.counts == saved.result.counts);
      }
    }
  const SmallProblem problem(6, 9, 7, 2, 40);
  const Words ratings = problem.words(3.0, kSquare + Words{"stop.iterations=12"});
  const Saved saved = solve_and_save(ratings, 5);
  REQUIRE(!saved.states.empty());
  CHECK(same_bits(resumed(ratings, saved.states.front()).answer, saved.result.answer));
}

TEST_CASE("smoother: 0.1*max is a part of what kills f + R, at 0 and with the intercept fitted") {
  for (const Words& model : {kRegression, kRegression + Words{"objective.intercept=yes"}}) {
    const auto answer = [&](const std::string& part) {
      return solve(model + kProximalSteps + kHuber +
                   Words{"penalty.use=l1", "penalty.lambda=" + part, "stop.residual=1e-12",
                         "stop.iterations=5000"})
          .answer;
    };
    const auto support = [&](const Element& x) {
      const std::vector<double> values = x.to_dense();
      return std::count_if(values.begin(), values.begin() + 8, [](double value) { return value != 0.0; });
    };
    CHECK(support(answer("1.0001*max")) == 0);
    CHECK(support(answer("0.99*max")) > 0);
  }
}

TEST_CASE("smoother: max is the dual norm of the gradient of f + R at 0, R apart or not") {
  const Words words{"penalty.use=l1", "penalty.lambda=0.1*max", "stop.iterations=1"};
  const Composition plain = compose(build_catalog(), spec_of(kRegression + kProximalSteps + words));
  Element g(plain.objective->shape());
  plain.objective->add_gradient(Element(g.shape()), Batch::all(), 1.0, g);
  double max = 0.0;
  for (const double value : g.to_dense()) max = std::max(max, std::abs(value - 0.3));
  CHECK(std::abs(max - plain.fractions.at(0).max) > 0.1);
  CHECK(shifted(kProximalSteps + words).fractions.at(0).max == doctest::Approx(max).epsilon(1e-13));
  CHECK(shifted(words, true).fractions.at(0).max == doctest::Approx(max).epsilon(1e-13));
}

TEST_CASE("smoother: a Hessian of R that is kept is not a Hessian of a term") {
  const Words words = kProximalSteps + Words{"estimator.use=casvrg", "estimator.batch=6",
                                             "algorithm.step=1/L", "stop.iterations=12"};
  Counts with = run_composition(shifted(words)).counts;
  CHECK(with.smoother_calls > 12);
  with.smoother_calls = 0;
  CHECK(with == solve(kRegression + words).counts);
}

TEST_CASE("smoother: strong convexity adds up, and an intercept has only that of f") {
  const Words words =
      kProximalSteps + kSquare + Words{"objective.strong_convexity=0.01", "stop.iterations=1"};
  CHECK(*compose(build_catalog(), spec_of(kRegression + words)).objective->constants().strong_convexity ==
        doctest::Approx(0.31));
  CHECK(*compose(build_catalog(), spec_of(kRegression + words + Words{"objective.intercept=yes"}))
             .objective->constants()
             .strong_convexity == 0.01);
}

TEST_CASE("smoother: a bound by duality is not claimed of f + R, and a target by it is refused") {
  const Words l1{"penalty.use=l1", "penalty.lambda=0.1", "stop.iterations=5"};
  CHECK(solve(kRegression + kProximalSteps + l1).measurement.gap_kind == "duality");
  const RunResult with = solve(kRegression + kProximalSteps + l1 + kSquare);
  CHECK(with.measurement.gap_kind == "none");
  CHECK(std::isfinite(with.measurement.residual));
  CHECK_THROWS_AS((void)compose(build_catalog(), spec_of(kRegression + kProximalSteps + l1 + kSquare +
                                                         Words{"stop.gap=1e-6"})),
                  Error);
}

TEST_CASE("smoother: importance sampling works with the constants of f_i + R") {
  const Words words =
      kRegression + kProximalSteps +
      Words{"estimator.use=svrg", "estimator.sampling=importance", "estimator.batch=4", "estimator.epoch=15"};
  const RunResult exact =
      solve(kRegression + kProximalSteps + kRidge + Words{"stop.residual=1e-11", "stop.iterations=20000"});
  CHECK(answers_apart(solve(words + kSquare + Words{"stop.iterations=4000"}), exact) < 1e-6);
  const Composition plain = compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"})),
                    both = compose(build_catalog(), spec_of(words + kSquare + Words{"stop.iterations=1"}));
  const auto L = query<TermConstants>(*plain.objective)->term_smoothness(),
             sums = query<TermConstants>(*both.objective)->term_smoothness();
  REQUIRE(L.size() == sums.size());
  for (std::size_t i = 0; i < L.size(); ++i) CHECK(sums[i] == doctest::Approx(L[i] + 0.3).epsilon(1e-14));
  // Weights are those of f_i + R: R counts with their mean.
  const std::vector<Index> two{3, 8};
  const std::vector<double> weights{0.25, 3.0};
  const Element x = normal_point(both.objective->shape(), 1);
  Element with(x.shape()), without(x.shape());
  both.objective->add_gradient(x, Batch::of(two, weights), 1.0, with);
  plain.objective->add_gradient(x, Batch::of(two, weights), 1.0, without);
  with.add(-1.0, without);
  with.add(-0.5 * (0.25 + 3.0) * 0.3, x);
  CHECK(norm(with) < 1e-13);
}

namespace {

std::shared_ptr<Objective> smoother_of(const Words& words) {
  const Spec spec = spec_of(words);
  return std::static_pointer_cast<Objective>(create_component(build_catalog(), Kind::smoother,
                                                              spec.get("smoother", "use")->value,
                                                              spec.settings("smoother"), Context{}));
}

/// Rows vec(A_i) and b_i of 5 x 3 matrices A_i.
struct Constraints {
  explicit Constraints(const TestFolder& folder)
      : file(folder / "constraints.csv"), a(9, std::vector<double>(16)) {
    std::ofstream out(file);
    RandomStream random(31, Purpose::test);
    for (auto& row : a) {
      random.fill_normal(row);
      for (std::size_t k = 0; k < row.size(); ++k) out << (k ? "," : "") << print_real(row[k]);
      out << "\n";
    }
  }
  double largest(const std::vector<double>& x) const {
    double top = -1e300;
    for (const auto& row : a) {
      double term = -row.back();
      for (std::size_t k = 0; k < x.size(); ++k) term += row[k] * x[k];
      top = std::max(top, term);
    }
    return top;
  }
  fs::path file;
  std::vector<std::vector<double>> a;
};

}  // namespace

TEST_CASE(
    "smoother: huber-l1 and elastic-net lie below what they smooth by at most their bound, which is met") {
  for (const double ratio : {1.0, 0.6, 0.0}) {
    const auto R = ratio == 1.0 ? smoother_of(kHuber)
                                : smoother_of({"smoother.use=elastic-net", "smoother.lambda=0.2",
                                               "smoother.mu=0.05", "smoother.ratio=" + print_real(ratio)});
    const double bound = 0.2 * ratio * 0.05 * 24 / 2.0;
    for (const double size : {1e-3, 0.05, 3.0}) {
      Element x = normal_point(Shape::matrix(4, 6), 9);
      x.scale(size);
      double sum = 0.0;
      for (const double value : x.to_dense())
        sum += 0.2 * (ratio * std::abs(value) + 0.5 * (1.0 - ratio) * value * value);
      CHECK(R->value(x) <= sum * (1.0 + 1e-14));
      CHECK(R->value(x) >= sum - bound - 1e-14 * sum);
    }
    Element far(Shape::matrix(4, 6));
    for (double& value : far.dense_values()) value = 2.0;
    CHECK(24 * 0.2 * (ratio * 2.0 + 0.5 * (1.0 - ratio) * 4.0) - R->value(far) ==
          doctest::Approx(bound).epsilon(1e-10));
  }
  const Words net{"smoother.use=elastic-net", "smoother.lambda=0.2", "smoother.mu=0.05",
                  "smoother.ratio=0.6"};
  const Constants c = smoother_of(net)->constants();
  CHECK(*c.smoothness == doctest::Approx(0.2 * (0.6 / 0.05 + 0.4)));
  CHECK(*c.strong_convexity == doctest::Approx(0.2 * 0.4));
}

TEST_CASE(
    "smoother: log-sum-exp lies above the largest of its terms by at most mu log n, of a file and of "
    "entries, and is as smooth as it says") {
  const TestFolder folder;
  const Constraints rows(folder);
  for (const double mu : {1e-4, 0.1, 3.0}) {
    const Words base{"smoother.use=log-sum-exp", "smoother.mu=" + print_real(mu)};
    const auto of_file = smoother_of(
                   base + Words{"smoother.data=" + rows.file.string(), "smoother.rows=5", "smoother.cols=3"}),
               of_entries = smoother_of(base);
    CHECK(of_file->shape() == Shape::matrix(5, 3));
    double norm2 = 0.0;
    for (const auto& row : rows.a)
      norm2 = std::max(norm2, std::inner_product(row.begin(), row.end() - 1, row.begin(), 0.0));
    CHECK(*of_file->constants().smoothness == doctest::Approx(norm2 / mu).epsilon(1e-12));
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Element x = normal_point(Shape::matrix(5, 3), seed),
                    y = normal_point(Shape::matrix(5, 3), seed + 10);
      const std::vector<double> values = x.to_dense();
      const double file = rows.largest(values), entries = std::ranges::max(values);
      CHECK(of_file->value(x) >= file - 1e-12);
      CHECK(of_file->value(x) <= file + mu * std::log(9.0) + 1e-12);
      CHECK(of_entries->value(x) >= entries - 1e-12);
      CHECK(of_entries->value(x) <= entries + mu * std::log(15.0) + 1e-12);
      for (const auto& R : {of_file, of_entries}) {
        Element g(x.shape()), h(x.shape()), d(x), product(x.shape());
        R->add_gradient(x, Batch::all(), 1.0, g);
        R->add_gradient(y, Batch::all(), 1.0, h);
        h.add(-1.0, g);
        d.add(-1.0, y);
        CHECK(norm(h) <= *R->constants().smoothness * norm(d) * (1.0 + 1e-12));
        const double step = 1e-4 * mu;
        CHECK((along(*R, x, d, step) - along(*R, x, d, -step)) / (2.0 * step) ==
              doctest::Approx(inner(g, d)).epsilon(1e-5));
        query<Curvature>(*R)->add_hessian_product(x, d, Batch::all(), 1.0, product);
        Element ahead(x), behind(x), slope(x.shape());
        ahead.add(step, d);
        behind.add(-step, d);
        R->add_gradient_difference(ahead, behind, Batch::all(), 0.5 / step, slope);
        slope.add(-1.0, product);
        CHECK(norm(slope) <= 1e-4 * (norm(product) + norm(g)));
      }
    }
    // All terms equal: the bound is met.
    CHECK(of_entries->value(Element(Shape::vector(8))) == doctest::Approx(mu * std::log(8.0)).epsilon(1e-13));
  }
}

TEST_CASE(
    "smoother: every row says what the value is without smoothing, R apart from f or not, and squared-norm "
    "says nothing") {
  const Words model{
      "data.use=synthetic-sparse-low-rank", "data.rows=5",       "data.seed=3",       "data.largest=2",
      "objective.use=noisy-matrix",         "objective.draws=4", "stop.iterations=6", "trace.every=1"};
  for (const Words& method : {kProximalSteps, Words{"algorithm.use=gcg"}}) {
    const auto unsmoothed = [&](const Words& smoother,
                                const std::function<double(const std::vector<double>&)>& original) {
      const RunResult r = solve(model + method + smoother);
      const Composition c = compose(build_catalog(), spec_of(model + kProximalSteps));
      CHECK(r.measurement.unsmoothed ==
            doctest::Approx(c.objective->value(r.answer) + original(r.answer.to_dense())).epsilon(1e-12));
      CHECK(r.trace.back().unsmoothed == r.measurement.unsmoothed);
      CHECK(r.trace.front().unsmoothed != r.measurement.unsmoothed);
      CHECK(r.measurement.unsmoothed != r.measurement.value);
      CHECK(trace_csv(r.trace).find(",unsmoothed,") != std::string::npos);
    };
    const auto magnitudes = [](const std::vector<double>& x) {
      double sum = 0.0;
      for (const double t : x) sum += std::abs(t);
      return sum;
    };
    unsmoothed(kHuber, [&](const auto& x) { return 0.2 * magnitudes(x); });
    unsmoothed({"smoother.use=elastic-net", "smoother.lambda=0.2", "smoother.mu=0.3", "smoother.ratio=0.4"},
               [&](const auto& x) {
                 return 0.2 *
                        (0.4 * magnitudes(x) + 0.3 * std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
               });
    unsmoothed({"smoother.use=log-sum-exp", "smoother.mu=0.3"},
               [&](const auto& x) { return std::ranges::max(x); });
    const RunResult square = solve(model + method + kSquare);
    CHECK(std::isnan(square.measurement.unsmoothed));
    CHECK(trace_csv(square.trace).find("unsmoothed") == std::string::npos);
  }
  // An intercept is not part of what is smoothed.
  const Words regression =
      kRegression + kProximalSteps + kHuber + Words{"objective.intercept=yes", "stop.iterations=9"};
  const RunResult r = solve(regression);
  double change = 0.0;
  const std::vector<double> x = r.answer.to_dense();
  REQUIRE(x.size() == 9);
  for (std::size_t j = 0; j < 8; ++j)
    change += 0.2 * (std::abs(x[j]) <= 0.05 ? std::abs(x[j]) - x[j] * x[j] / 0.1 : 0.025);
  CHECK(r.measurement.unsmoothed - r.measurement.value == doctest::Approx(change).epsilon(1e-9));
}

TEST_CASE(
    "smoother: log-sum-exp holds a run to its constraints; rows that do not fit, and shapes, are refused") {
  const TestFolder folder;
  std::ofstream(folder / "rows.csv")
      << "0,0,0,0,0,0,10,0,4\n0,-10,0,0,0,0,0,0,5\n";  // 10 (x_7 - 0.4), 10 (-x_2 - 0.5)
  const Words model = kRegression + Words{"stop.residual=1e-4", "stop.iterations=30000"};
  const Words held{"smoother.use=log-sum-exp", "smoother.mu=0.05",
                   "smoother.data=" + (folder / "rows.csv").string()};
  for (const Words& method : {kProximalSteps, Words{"algorithm.use=gcg", "algorithm.eta=1"}}) {
    const RunResult r = solve(model + held + method);
    CHECK(r.status == Status::residual);
    const std::vector<double> x = r.answer.to_dense();
    CHECK(x[6] <= 0.4 + 0.02);
    CHECK(-x[1] <= 0.5 + 0.02);
  }
  const std::vector<double> free = solve(model + kProximalSteps).answer.to_dense();
  CHECK(free[6] > 0.6);
  CHECK(-free[1] > 0.7);
  check_mentions(refusal(ErrorKind::data, [&] { (void)smoother_of(held + Words{"smoother.rows=4"}); }),
                 {"rows.csv", "9 numbers", "rows"});
  CHECK(composing_refused(model + held + kProximalSteps + Words{"smoother.rows=4", "smoother.cols=2"})
            .find("4 x 2") != std::string::npos);
}

TEST_CASE("smoother: a program's own is taken where it fits, and refused by its shape and kind of sum") {
  struct Own final : Objective {
    Own(Shape shape, Index n) : shape_(std::move(shape)), n_(n) {}
    Shape shape() const override { return shape_; }
    Index terms() const override { return n_; }
    double value(const Element& x) override { return 0.15 * inner(x, x); }
    void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
      CHECK(batch.is_all());
      g.add(0.3 * a, x);
    }
    Shape shape_;
    Index n_;
  };
  const auto composed = [&](Shape shape, Index n, const Words& more = {}) {
    HostParts parts;
    parts.parts["smoother"] = {Kind::smoother, std::make_shared<Own>(std::move(shape), n)};
    return compose(build_catalog(),
                   spec_of(kRegression + kProximalSteps + Words{"stop.iterations=50"} + more), parts);
  };
  const auto said = [&](auto... arguments) {
    try {
      (void)composed(arguments...);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Words step{"algorithm.step=0.1"};
  const RunResult own = run_composition(composed(Shape::vector(8), 5, step)),
                  ours = solve(kRegression + kProximalSteps + kSquare + step + Words{"stop.iterations=50"});
  CHECK(answers_apart(own, ours) < 1e-13);
  CHECK(own.counts.smoother_calls == 50);
  CHECK(said(Shape::vector(9), Index{1}).find("smoother/host is a function of 9") != std::string::npos);
  CHECK(said(Shape::vector(8), kUnbounded).find("is an expectation") != std::string::npos);
  // It has no Hessian products, and so the sum has none.
  CHECK(said(Shape::vector(8), Index{1}, Words{"estimator.use=casvrg"})
            .find("objective/linear-model + smoother/host does not have it") != std::string::npos);
}

TEST_CASE(
    "smoother: an algorithm that asks for R apart is given it apart, and measured as one that does not") {
  const auto apart = [&](const Words& more) {
    HostParts parts;
    parts.parts["algorithm"] = {Kind::algorithm, std::make_shared<Apart>()};
    return compose(build_catalog(), spec_of(kRegression + kHuber + Words{"stop.iterations=20"} + more),
                   parts);
  };
  const auto joined = [&](const Words& more) {
    return compose(build_catalog(), spec_of(kRegression + kHuber + kProximalSteps +
                                            Words{"algorithm.step=0.1", "stop.iterations=20"} + more));
  };
  for (const Words& more : {Words{}, Words{"penalty.use=l1", "penalty.lambda=0.1*max"},
                            Words{"stop.residual=1e-3", "penalty.use=elastic-net", "penalty.lambda=0.2"}}) {
    const Composition two = apart(more), one = joined(more);
    REQUIRE(two.smoother != nullptr);
    CHECK(one.smoother == nullptr);
    REQUIRE(two.fractions.size() == one.fractions.size());
    for (std::size_t k = 0; k < one.fractions.size(); ++k)
      CHECK(two.fractions[k].number == doctest::Approx(one.fractions[k].number).epsilon(1e-12));
    const RunResult a = run_composition(two), b = run_composition(one);
    CHECK(answers_apart(a, b) < 1e-12);
    CHECK(a.measurement.value == doctest::Approx(b.measurement.value).epsilon(1e-12));
    CHECK(a.measurement.residual == doctest::Approx(b.measurement.residual).epsilon(1e-8));
    CHECK(a.measurement.gap_kind == "none");
    CHECK(a.counts == b.counts);
  }
}

TEST_CASE("smoother: the specification that is written down runs to the same bits") {
  const Composition c =
      compose(build_catalog(), spec_of(kRegression + kProximalSteps + kHuber + Words{"stop.iterations=10"}));
  CHECK(c.effective.get("smoother", "mu")->value == "0.05");
  const auto versions = c.versions();
  CHECK(std::ranges::any_of(versions, [](const auto& row) { return row.first == "smoother/huber-l1"; }));
  const Composition again = compose(build_catalog(), c.effective);
  CHECK(same_bits(run_composition(c).answer, run_composition(again).answer));
}
