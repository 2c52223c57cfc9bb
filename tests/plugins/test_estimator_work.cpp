// SPDX-License-Identifier: BSD-3-Clause
// What a step of an estimator reads, what is counted of it, and the numbers that it takes where none are
// given.
#include "catalog_losses.hpp"
#include "compose_for_test.hpp"
#include "linear_problem.hpp"

#include <variant>

using namespace claros;
using namespace claros::test;

namespace {

const Words kDense{"data.use=synthetic-regression",
                   "data.rows=90",
                   "data.cols=30",
                   "data.nonzero=3",
                   "data.seed=1",
                   "objective.use=linear-model",
                   "penalty.use=l1",
                   "penalty.lambda=0.05",
                   "algorithm.use=proximal-gradient"};

/// Rows that the estimate keeps apart.
Index unfolded(const Element& g) {
  Index rows = 0;
  for (const Part& part : g.parts())
    if (const auto* c = std::get_if<AdjointForm>(&part.form))
      rows += static_cast<Index>(c->rows.size()) + c->full.size();
  return rows;
}

/// SPIDER, CASPIDER and momentum by their formulas, on dense arrays, from gradients of the same batches.
struct Chain {
  std::string name;
  Objective& f;
  Sampler sampler;
  Element xs = {}, previous = {};
  Dense g = {};

  Dense hessian(const Element& d, const Batch& S) {
    Element product(f.shape());
    query<Curvature>(f)->add_hessian_product(xs, d, S, 1.0, product);
    return product.to_dense();
  }
  Dense operator()(Index t, Index p, const Element& x) {
    if (name != "momentum" && t % p == 0) {
      xs = previous = x;
      return g = gradient(f, x);
    }
    const Batch drawn = sampler.draw(4);
    const std::vector<Index> kept(drawn.list().begin(), drawn.list().end());
    const Batch S = Batch::of(kept);
    if (name == "momentum") {
      const double rho = t == 0 ? 1.0 : 4.0 / std::pow(static_cast<double>(t) + 8.0, 2.0 / 3.0);
      for (double& value : g) value *= 1.0 - rho;
      g = t == 0 ? gradient(f, x, S) : plus(g, rho, gradient(f, x, S));
      return g;
    }
    g = plus(plus(g, 1.0, gradient(f, x, S)), -1.0, gradient(f, previous, S));
    if (name == "caspider") {
      Element d = x;
      d.add(-1.0, previous);
      g = plus(plus(g, 1.0, hessian(d, Batch::all())), -1.0, hessian(d, S));
    }
    previous = x;
    return g;
  }
};

}  // namespace

TEST_CASE("on a design, estimates that go on from the last one keep no rows of earlier batches apart") {
  constexpr Index kLength = 8;
  for (const RowForm form : {RowForm::dense, RowForm::dense_float, RowForm::sparse})
    for (const std::string name : {"spider", "caspider", "momentum"}) {
      CAPTURE(name);
      const auto f = linear_model(make_design(random_rows(3, kRows, kCols), kCols, responses("robust"), form),
                                  {{"loss", "robust"}});
      const auto e = estimator(name, {{"batch", "4"}, {"epoch", std::to_string(kLength)}});
      Sampler sampler(RandomStream(5, Purpose::test), f->terms());
      Chain chain{name, *f, Sampler(RandomStream(5, Purpose::test), f->terms())};
      e->start(*f, sampler);
      for (Index t = 0; t < 3 * kLength; ++t) {
        const Element x = point(f->shape(), static_cast<std::uint64_t>(40 + t));
        if (e->epoch_due()) e->begin_epoch(x);
        const Element& g = e->estimate(x);
        CHECK(unfolded(g) == 0);
        CHECK(distance(g.to_dense(), chain(t, kLength, x)) <= 1e-12);
      }
    }
}

TEST_CASE(
    "counts: products with Hessians are counted by the components that they multiply, and are in passes") {
  constexpr Index n = 90, b = 6, T = 11, epochs = 3;
  const Words numbers{"estimator.batch=6", "estimator.epoch=5", "stop.iterations=11", "trace.every=1"};
  const RunResult r = solve(kDense + numbers + Words{"estimator.use=casvrg"});
  CHECK(r.counts.sfo == epochs * n + T * 2 * b);
  CHECK(r.counts.hvp == T * (n + b));
  CHECK(r.counts.hessian_products == 2 * T);
  CHECK(r.counts.sso == epochs * n + T * b);
  CHECK(passes(r.counts, n) == doctest::Approx(static_cast<double>(r.counts.sfo + r.counts.hvp) / n));
  for (const TraceRow& row : r.trace) CHECK(row.passes == passes(row.counts, n));
  const RunResult plain = solve(kDense + numbers + Words{"estimator.use=svrg"});
  CHECK(plain.counts.hvp == 0);
  CHECK(plain.trace.back().passes == static_cast<double>(plain.counts.sfo) / n);
  CHECK(passes(r.counts, kUnbounded) == 0.0);

  const RunResult limited = solve(
      kDense + Words{"estimator.use=casvrg", "estimator.batch=6", "estimator.epoch=5", "stop.passes=4"});
  CHECK(limited.status == Status::passes);
  CHECK(limited.counts.sfo + limited.counts.hvp >= 4 * n);
  CHECK(limited.counts.sfo + limited.counts.hvp < 4 * n + 2 * n + 3 * b);  // not a step more
  CHECK(r.component_seconds.estimator > 0.0);
}

TEST_CASE("an estimator that reads the whole design in every step says so before the run") {
  const auto told = [](const Words& words) {
    std::string text;
    (void)compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"}),
                  [&](Severity severity, const std::string& line) {
                    if (severity == Severity::warning) text += line + '\n';
                  });
    return text;
  };
  for (const std::string name : {"casvrg", "caspider"}) {
    CHECK(told(kDense + Words{"estimator.use=" + name}).find("90 rows of the design") != std::string::npos);
    CHECK(told(kDense + Words{"estimator.use=" + name, "estimator.snapshot=20"})
              .find("20 rows of the design") != std::string::npos);
  }
  for (const std::string name : {"full", "sg", "svrg", "spider", "momentum", "sag", "saga"})
    CHECK(told(kDense + Words{"estimator.use=" + name}).empty());
  const SmallProblem entries(3, 10, 8, 2, 45);
  CHECK(told(entries.words(6.0, {"estimator.use=casvrg"})).empty());
}

TEST_CASE("by default every estimator brings Frank-Wolfe to a relative gap of 1e-2") {
  const SmallProblem problem(8, 60, 50, 3, 1500);
  for (const std::string& name : build_catalog().names(Kind::estimator)) {
    CAPTURE(name);
    const RunResult r = solve(problem.words(
        60.0, {"estimator.use=" + name, "stop.relative_gap=1e-2", "stop.passes=4000", "trace.on=no"}));
    CHECK(r.status == Status::relative_gap);
    CHECK(r.measurement.confirmed);
    const double known =
        std::min(problem.gap(r.answer.to_dense(), 60.0), r.measurement.value - r.lower_bound);
    CHECK(known <= 1.0001e-2 * r.measurement.value);
  }
}

TEST_CASE(
    "batches that are found: larger for a linear oracle, and growing to all where the noise does not end") {
  claros::test::Entries<losses::RobustLoss> f(30, 40, 0.5, losses::RobustLoss{2.0});
  const Index n = f.terms();
  struct Steps {
    std::vector<Index> batches;
    Dense last;
  };
  const auto steps = [&](const std::string& name, const Numbers& numbers, bool undamped, int count) {
    Counts counts;
    ComponentSeconds seconds;
    WatchedObjective watched(f, "objective", counts, seconds);
    const auto e = estimator(name, numbers);
    Sampler sampler(RandomStream(5, Purpose::test), n);
    e->start(watched, sampler);
    Steps result;
    for (int t = 0; t < count; ++t) {
      const Element x = rank_one(f.shape(), static_cast<std::uint64_t>(t + 1));
      if (e->epoch_due()) e->begin_epoch(x, {.undamped = undamped});
      const Index before = counts.sfo_indices;
      result.last = e->estimate(x).to_dense();
      result.batches.push_back(counts.sfo_indices - before);
    }
    return result;
  };
  const Index fiftieth = (n + 49) / 50;
  for (const std::string name : {"svrg", "casvrg", "sag", "saga"}) {
    CAPTURE(name);
    const Index large = name.starts_with("sag") ? (n + 3) / 4 : (n + 9) / 10;
    CHECK(steps(name, {}, true, 3).batches == std::vector<Index>{large, large, large});
    CHECK(steps(name, {}, false, 3).batches == std::vector<Index>{fiftieth, fiftieth, fiftieth});
    CHECK(steps(name, {{"batch", "7"}}, true, 3).batches == std::vector<Index>{7, 7, 7});
  }
  const auto length = [&](const Numbers& numbers, bool undamped) {
    const auto e = estimator("svrg", numbers);
    Sampler sampler(RandomStream(5, Purpose::test), n);
    e->start(f, sampler);
    Index steps_made = 0;
    e->begin_epoch(Element(f.shape()), {.undamped = undamped});
    for (; !e->epoch_due(); ++steps_made) (void)e->estimate(rank_one(f.shape(), 2));
    return steps_made;
  };
  CHECK(length({}, true) == 5);
  CHECK(length({}, false) == (n + fiftieth - 1) / fiftieth);
  CHECK(length({{"batch", "7"}}, true) == (n + 6) / 7);
  const Element end = rank_one(f.shape(), 60);
  const Dense exact = gradient(f, end);
  for (const std::string name : {"sg", "momentum"}) {
    CAPTURE(name);
    const Steps grown = steps(name, {}, true, 60);
    for (int t = 0; t < 60; ++t)
      CHECK(grown.batches[static_cast<std::size_t>(t)] == std::min(n, fiftieth * (t + 1)));
    CHECK(distance(grown.last, exact) <= 1e-14);
    CHECK(steps(name, {}, false, 3).batches == std::vector<Index>{fiftieth, fiftieth, fiftieth});
    CHECK(steps(name, {{"batch", "7"}}, true, 3).batches == std::vector<Index>{7, 7, 7});
    CHECK(steps(name, {{"growth", "0"}}, true, 3).batches ==
          std::vector<Index>{fiftieth, fiftieth, fiftieth});
    CHECK(steps(name, {{"batch", "10"}, {"growth", "0.5"}}, true, 4).batches ==
          std::vector<Index>{10, 14, 17, 20});
    CHECK(distance(steps(name, {{"growth", "1"}}, true, 60).last, exact) >
          1e-6);  // as asked: n draws are not all
  }
}
