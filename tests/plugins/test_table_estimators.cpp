// SPDX-License-Identifier: BSD-3-Clause
// What SAG and SAGA rest on: gradients of components as coefficients on rows, and a table of them.
#include "catalog_losses.hpp"
#include "linear_problem.hpp"

#include <claros/state/state.hpp>
#include <claros/watch/watched.hpp>

#include <algorithm>

using namespace claros;
using namespace claros::test;

namespace {

std::vector<std::shared_ptr<Objective>> objectives_of_every_loss(RowForm form = RowForm::dense) {
  std::vector<std::shared_ptr<Objective>> all;
  for (const std::string& loss : kLosses) {
    Design design = make_design(entries(), kCols, responses(loss), form);
    design.weights = normals(8, kRows);
    for (double& weight : design.weights) weight = std::abs(weight);
    Numbers numbers{{"loss", loss}};
    if (loss == "squared") numbers.insert(numbers.end(), kEverything.begin(), kEverything.end());
    all.push_back(linear_model(std::move(design), numbers));
  }
  all.push_back(std::make_shared<Entries<losses::RobustLoss>>(6, 7, 0.6, losses::RobustLoss{2.0}));
  return all;
}

/// grad f_i from its coefficients.
Dense from_coefficients(TermCoefficients& f, const Element& x, std::span<const double> c, Index i) {
  Element g(x.shape());
  std::vector<Index> rows;
  for (Index k = 0; k < f.outputs(); ++k) rows.push_back(i * f.outputs() + k);
  const auto K = static_cast<std::size_t>(f.outputs());
  g.add_adjoint(1.0, f.map(), rows, c.subspan(0, K));
  f.add_common_gradient(x, 1.0, g);
  return g.to_dense();
}

std::string saved(Objective& f, GradientEstimator& e) {
  References references;
  query<Referable>(f)->refer(references);
  StateWriter out(references);
  query<State>(e)->state(out);
  return out.bytes();
}
void load(Objective& f, GradientEstimator& e, const std::string& bytes) {
  References references;
  query<Referable>(f)->refer(references);
  StateReader in(bytes, references, "test");
  query<State>(e)->state(in);
}

/// SAG and SAGA with a table of whole gradients, but for the part that all components share, which is never
/// old.
struct Tables {
  bool unbiased;
  Objective& f;
  std::vector<Dense> table = {};

  Dense common(const Element& x) const {
    Element s(x.shape());
    query<TermCoefficients>(f)->add_common_gradient(x, 1.0, s);
    return s.to_dense();
  }
  Dense component(const Element& x, Index i) const {
    return plus(gradient(f, x, Batch::of({&i, 1})), -1.0, common(x));
  }
  Dense average() const {
    Dense sum(table.front().size(), 0.0);
    for (const Dense& y : table) sum = plus(sum, 1.0 / static_cast<double>(table.size()), y);
    return sum;
  }
  Dense operator()(const Element& x, std::span<const Index> S) {
    for (Index i = static_cast<Index>(table.size()); i < f.terms(); ++i) table.push_back(component(x, i));
    Dense g = average();
    for (const Index i : S)
      g = plus(g, 1.0 / static_cast<double>(S.size()),
               plus(component(x, i), -1.0, table[static_cast<std::size_t>(i)]));
    for (const Index i : S) table[static_cast<std::size_t>(i)] = component(x, i);
    return plus(unbiased ? g : average(), 1.0, common(x));
  }
};

/// min (1/n) sum 0.5 (a_i x - y_i)^2 by gradient steps; the last point.
Element descended(GradientEstimator& e, Objective& f, double step, int steps) {
  Element x(f.shape());
  for (int t = 0; t < steps; ++t) {
    x.add(-step, next(e, x));
    (void)x.dense_values();
  }
  return x;
}

/// E ||g - E g||^2 at x from what the estimator remembers now.
double variance(Objective& f, GradientEstimator& e, const Element& x) {
  const std::string bytes = saved(f, e);
  std::vector<Dense> all;
  Dense mean(static_cast<std::size_t>(f.shape().size()), 0.0);
  for (int k = 0; k < 200; ++k) {
    load(f, e, bytes);
    all.push_back(next(e, x).to_dense());
    mean = plus(mean, 1.0 / 200, all.back());
  }
  double sum = 0.0;
  for (const Dense& g : all) sum += std::pow(distance(g, mean), 2) / 200;
  return sum;
}

}  // namespace

TEST_CASE("component gradients are their coefficients on the rows, and the common part") {
  for (const RowForm form : {RowForm::dense, RowForm::sparse})
    for (const auto& f : objectives_of_every_loss(form)) {
      auto* c = query<TermCoefficients>(*f);
      REQUIRE(c != nullptr);
      const Element x = point(f->shape(), 3);
      const auto K = static_cast<std::size_t>(c->outputs()), n = static_cast<std::size_t>(f->terms());
      std::vector<double> all(n * K), some(3 * K);
      c->coefficients(x, Batch::all(), all);
      const std::vector<Index> S{4, 0, 4};
      c->coefficients(x, Batch::of(S), some);
      for (std::size_t j = 0; j < S.size(); ++j)
        for (std::size_t k = 0; k < K; ++k)
          CHECK(some[j * K + k] ==
                doctest::Approx(all[static_cast<std::size_t>(S[j]) * K + k]).epsilon(1e-13));
      for (Index i = 0; i < f->terms(); ++i) {
        const auto mine = std::span<const double>(all).subspan(static_cast<std::size_t>(i) * K);
        CHECK(distance(from_coefficients(*c, x, mine, i), gradient(*f, x, Batch::of({&i, 1}))) <= 1e-12);
      }
    }
}

TEST_CASE("coefficients count as component gradients, the common part does not") {
  const auto bare = linear_model(make_design(entries(), kCols, responses("squared")), kEverything);
  Counts counts;
  ComponentSeconds seconds;
  WatchedObjective f(*bare, "linear-model", counts, seconds);
  auto* c = query<TermCoefficients>(f);
  REQUIRE(c != nullptr);
  CHECK(c->has_common_gradient());
  const Element x = point(f.shape(), 3);
  std::vector<double> out(kRows);
  c->coefficients(x, Batch::all(), out);
  const std::vector<Index> S{1, 2};
  c->coefficients(x, Batch::of(S), out);
  Element g(f.shape());
  c->add_common_gradient(x, 1.0, g);
  Counts expected;
  expected.sfo = expected.sfo_indices = kRows + 2;
  CHECK(counts == expected);
  CHECK(seconds.objective > 0.0);
}

TEST_CASE("sag and saga are their definitions with tables of whole gradients") {
  for (const RowForm form : {RowForm::dense, RowForm::sparse_float})
    for (const auto& f : objectives_of_every_loss(form))
      for (const bool unbiased : {false, true})
        for (const std::string batch : {"1", "40"}) {  // 40 of 23: components come twice
          CAPTURE(unbiased);
          CAPTURE(batch);
          const auto e = estimator(unbiased ? "saga" : "sag", {{"batch", batch}, {"epoch", "9"}});
          Sampler sampler(RandomStream(3, Purpose::test), f->terms()), same = sampler;
          e->start(*f, sampler);
          Tables plain{unbiased, *f};
          for (std::uint64_t t = 0; t < 30; ++t) {
            const Element x = point(f->shape(), 40 + t);
            const Dense g = next(*e, x).to_dense();
            CHECK(distance(g, plain(x, same.draw(std::stoll(batch)).list())) <= 1e-12 * (1.0 + size(g)));
          }
        }
}

TEST_CASE("saga is unbiased given its table, and a loaded table draws on") {
  for (const auto& f : objectives_of_every_loss()) {
    const auto e = estimator("saga", {{"batch", "4"}, {"epoch", "100"}});
    Sampler sampler(RandomStream(3, Purpose::test), f->terms());
    e->start(*f, sampler);
    for (std::uint64_t t = 0; t < 15; ++t) (void)next(*e, point(f->shape(), 40 + t));
    const std::string bytes = saved(*f, *e);
    const Element x = point(f->shape(), 90);
    const Dense truth = gradient(*f, x), r = normals(77, f->shape().size());
    const int trials = 3000;
    double mean = 0.0, squares = 0.0;
    for (int k = 0; k < trials; ++k) {
      load(*f, *e, bytes);
      const Dense error = plus(e->estimate(x).to_dense(), -1.0, truth);
      double along = 0.0;
      for (std::size_t j = 0; j < r.size(); ++j) along += r[j] * error[j];
      mean += along / trials;
      squares += along * along / trials;
    }
    REQUIRE(squares > 0.0);
    CHECK(std::abs(mean) <= 4.0 * std::sqrt((squares - mean * mean) / trials));
  }
}

TEST_CASE("sag and saga find the minimum with a constant step, and their variance vanishes there") {
  const auto f = linear_model(make_design(random_rows(9, 60, 5), 5, normals(77, 60)), {{"loss", "squared"}});
  const double step = 1.0 / (3.0 * *f->constants().term_smoothness);
  for (const std::string name : {"sag", "saga"}) {
    CAPTURE(name);
    const auto e = estimator(name, {{"batch", "1"}, {"epoch", "60"}});
    Sampler sampler(RandomStream(3, Purpose::test), f->terms());
    e->start(*f, sampler);
    const Element early = descended(*e, *f, step, 5);
    const double before = variance(*f, *e, early);
    const Element x = descended(*e, *f, step, 12000);
    CHECK(size(gradient(*f, x)) <= 1e-12);
    CHECK(variance(*f, *e, x) <= 1e-20 * before);
  }
}

TEST_CASE("a pass at the start, and then a batch a step") {
  for (const auto& bare : objectives_of_every_loss())
    for (const std::string name : {"sag", "saga"}) {
      Counts counts;
      ComponentSeconds seconds;
      WatchedObjective f(*bare, "f", counts, seconds);
      const auto e = estimator(name, {{"batch", "4"}, {"epoch", "6"}});
      Sampler sampler(RandomStream(3, Purpose::test), f.terms());
      e->start(f, sampler);
      for (std::uint64_t t = 0; t < 18; ++t) (void)next(*e, point(f.shape(), 40 + t));
      Counts expected;
      expected.sfo = expected.sfo_indices = f.terms() + 18 * 4;
      CHECK(counts == expected);
      CHECK(e->epochs() == 3);
    }
}

TEST_CASE("between batches only the drift moves a coordinate") {
  for (const RowForm form : {RowForm::dense, RowForm::sparse})
    for (const auto& f : objectives_of_every_loss(form)) {
      auto* c = query<TermCoefficients>(*f);
      for (const std::string name : {"sag", "saga"}) {
        const auto e = estimator(name, {{"batch", "2"}, {"epoch", "50"}});
        Sampler sampler(RandomStream(3, Purpose::test), f->terms());
        e->start(*f, sampler);
        const Element x = point(f->shape(), 3);
        e->begin_epoch(x);
        if (c->has_common_gradient()) {
          CHECK(e->full_gradient() == nullptr);
          CHECK(e->drift() == nullptr);
          continue;
        }
        CHECK(distance(e->full_gradient()->to_dense(), gradient(*f, x)) <= 1e-13);
        for (std::uint64_t t = 0; t < 3; ++t) {
          Element rest = e->estimate(point(f->shape(), 40 + t));
          CHECK(e->full_gradient() == nullptr);
          rest.add(-1.0, *e->drift());
          for (const Part& part : rest.parts()) {
            const auto& sparse = std::get<AdjointForm>(part.form);
            CHECK(sparse.full.empty());
            CHECK(static_cast<Index>(sparse.rows.size()) == 2 * c->outputs());
          }
          CHECK(rest.parts().size() == (name == "saga" ? 1 : 0));
        }
      }
    }
}

TEST_CASE("a table is refused where it cannot be small") {
  struct Bare : Objective {
    Index n;
    explicit Bare(Index count) : n(count) {}
    Shape shape() const override { return Shape::vector(2); }
    Index terms() const override { return n; }
    double value(const Element&) override { return 0.0; }
    void add_gradient(const Element&, const Batch&, double, Element&) override {}
  };
  struct Endless : Bare, TermCoefficients {
    Endless() : Bare(kUnbounded) {}
    const MapPtr& map() const noexcept override { return map_; }
    Index outputs() const noexcept override { return 1; }
    void coefficients(const Element&, const Batch&, std::span<double>) override {}
    void* ability(std::string_view id) noexcept override { return offer<TermCoefficients>(this, id); }
    MapPtr map_;
  };
  Bare bare(10);
  Endless endless;
  for (const std::string name : {"sag", "saga", "saga-sarah"}) {
    const auto e = estimator(name, {});
    REQUIRE(e->needs().size() == 1);
    CHECK(e->needs().front().role == Kind::objective);
    CHECK(e->needs().front().ability == TermCoefficients::kAbility);
    CHECK_FALSE(e->needs().front().reason.empty());
    Sampler sampler(RandomStream(3, Purpose::test), 10);
    check_mentions(refusal(ErrorKind::usage, [&] { e->start(bare, sampler); }),
                   {"n times the memory", "svrg"});
    check_mentions(refusal(ErrorKind::usage, [&] { e->start(endless, sampler); }), {"expectation", "sg"});
  }
}

TEST_CASE("a full gradient is that of the point where the epoch began, also when another began before it") {
  for (const std::string name : {"sag", "saga"}) {
    CAPTURE(name);
    Entries<losses::RobustLoss> f(6, 7, 0.6, losses::RobustLoss{2.0});
    const auto e = estimator(name, {{"batch", "3"}});
    Sampler sampler(RandomStream(5, Purpose::test), f.terms());
    e->start(f, sampler);
    e->begin_epoch(Path(f.shape(), 1).x);
    REQUIRE(e->full_gradient());
    e->begin_epoch(Path(f.shape(), 2).x);  // the table is that of the first
    CHECK(e->full_gradient() == nullptr);
  }
}
