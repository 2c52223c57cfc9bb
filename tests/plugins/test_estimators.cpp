// SPDX-License-Identifier: BSD-3-Clause
#include "catalog_losses.hpp"
#include "estimator_problems.hpp"

#include <doctest/doctest.h>

using namespace claros;
using namespace claros::test;

namespace {

using Robust = claros::test::Entries<losses::RobustLoss>;
const std::vector<std::string> kAll{"sg",       "svrg", "spider", "casvrg", "caspider",
                                    "momentum", "sag",  "saga",   "storm"};

/// The boxes GE 1 to GE 5 of Shen et al. 2019, the momentum of Mokhtari et al. 2018, STORM, and SAG and SAGA
/// with tables of whole gradients, line by line on dense arrays.
template <class Psi>
struct Box {
  std::string name;
  PlainSum<Psi> f;
  Sampler sampler;
  Index p, batch, growth;
  bool replacement;
  Index t = 0;
  Dense xs, gs, g, previous;
  std::vector<Dense> table = {};

  std::vector<Index> sample(Index time) {
    Index size = batch;
    for (Index k = 0; k < growth; ++k) size *= time + 1;
    const Batch S = sampler.draw(std::min<Index>(size, static_cast<Index>(f.f.y.size())), replacement);
    return {S.list().begin(), S.list().end()};
  }
  Dense difference(const Dense& x, const Dense& z, const std::vector<Index>& S) const {
    return plus(f.gradient(x, S), -1.0, f.gradient(z, S));
  }
  Dense correction(const Dense& d, const std::vector<Index>& S) const {
    return plus(f.hessian_product(xs, d, f.everything()), -1.0, f.hessian_product(xs, d, S));
  }
  Dense operator()(const Dense& x) {
    const Index k = t % p;
    if (k == 0) xs = x, gs = f.gradient(x, f.everything());
    if (name == "sg") g = f.gradient(x, sample(t));
    if (name == "momentum") {
      const double rho = 4.0 / std::cbrt(static_cast<double>((t + 8) * (t + 8)));
      g = plus(f.gradient(x, sample(t)), 1.0 / rho - 1.0, t ? g : Dense(x.size()));
      for (double& value : g) value *= rho;
    }
    if (name == "storm") {
      const auto S = sample(t);
      const double a = std::pow(static_cast<double>(t + 1), -2.0 / 3.0);
      g = t ? plus(f.gradient(x, S), 1.0 - a, plus(g, -1.0, f.gradient(previous, S))) : f.gradient(x, S);
    }
    if (name == "svrg" || name == "casvrg") {
      const auto S = sample(k);
      g = plus(gs, 1.0, difference(x, xs, S));
      if (name == "casvrg") g = plus(g, 1.0, correction(plus(x, -1.0, xs), S));
    }
    if (name == "spider" || name == "caspider") {
      if (k == 0) {
        g = gs;
      } else {
        const auto S = sample(k);
        g = plus(g, 1.0, difference(x, previous, S));
        if (name == "caspider") g = plus(g, 1.0, correction(plus(x, -1.0, previous), S));
      }
    }
    if (name == "sag" || name == "saga") g = remembered(x);
    previous = x;
    ++t;
    return g;
  }
  Dense remembered(const Dense& x) {
    for (const Index i : f.everything())
      if (t == 0) table.push_back(f.gradient(x, {i}));
    const auto S = sample(t);
    Dense estimate = average();
    for (const Index i : S)
      estimate = plus(estimate, 1.0 / static_cast<double>(S.size()),
                      plus(f.gradient(x, {i}), -1.0, table[static_cast<std::size_t>(i)]));
    for (const Index i : S) table[static_cast<std::size_t>(i)] = f.gradient(x, {i});
    return name == "saga" ? estimate : average();
  }
  Dense average() const {
    Dense sum(table.front().size(), 0.0);
    for (const Dense& y : table) sum = plus(sum, 1.0 / static_cast<double>(table.size()), y);
    return sum;
  }
};

/// Mean and variance of what an estimator says at x when its last snapshot lies at xs.
struct EstimatorMoments {
  Dense mean;
  double variance = 0.0;         ///< E ||g - mean||^2
  double direction_error = 0.0;  ///< |<mean - truth, r>| in standard errors, r a random direction
};

EstimatorMoments estimator_moments(const std::string& name, Robust& f, Index batch, const Element& xs,
                                   const Element& x, int trials) {
  const auto e = estimator(name, {{"batch", std::to_string(batch)}, {"epoch", "2"}});
  Sampler sampler(RandomStream(5, Purpose::test), f.terms());
  e->start(f, sampler);
  const Dense r = normals(77, f.shape().size());
  const Dense truth =
      PlainSum<losses::RobustLoss>{f}.gradient(x.to_dense(), PlainSum<losses::RobustLoss>{f}.everything());
  std::vector<Dense> all;
  EstimatorMoments m;
  m.mean.assign(r.size(), 0.0);
  for (int k = 0; k < trials; ++k) {
    e->begin_epoch(xs);
    (void)e->estimate(xs);
    all.push_back(e->estimate(x).to_dense());
    m.mean = plus(m.mean, 1.0 / trials, all.back());
  }
  double spread = 0.0, error = 0.0;
  for (const Dense& g : all) {
    double along = 0.0;
    for (std::size_t k = 0; k < r.size(); ++k) along += r[k] * (g[k] - m.mean[k]);
    spread += along * along / (trials - 1);
    m.variance += std::pow(distance(g, m.mean), 2) / (trials - 1);
  }
  for (std::size_t k = 0; k < r.size(); ++k) error += r[k] * (m.mean[k] - truth[k]);
  m.direction_error = std::abs(error) / std::sqrt(spread / trials);
  return m;
}

Element at_distance(const Element& xs, double h) {
  Element x = xs;
  x.add(h, rank_one(xs.shape(), 900));
  return x;
}

}  // namespace

TEST_CASE("every estimator is the paper's box, with the same indices, across epochs") {
  Robust f(11, 13, 0.5, {2.0});
  const Index n = f.terms();
  REQUIRE(n > 40);
  for (const std::string& name : kAll)
    for (const bool replacement : {true, false})
      for (const Index growth : {0, 1, 2})
        for (const bool dense : {false, true}) {
          CAPTURE(name);
          CAPTURE(replacement);
          CAPTURE(growth);
          CAPTURE(dense);
          const auto e = estimator(name, {{"batch", "5"},
                                          {"epoch", "6"},
                                          {"growth", std::to_string(growth)},
                                          {"replacement", replacement ? "yes" : "no"}});
          Sampler sampler(RandomStream(3, Purpose::test), n);
          Box<losses::RobustLoss> box{
              name, {f}, Sampler(RandomStream(3, Purpose::test), n), 6, 5, growth, replacement, {}, {}, {},
              {},   {}};
          e->start(f, sampler);
          Path path(f.shape());
          if (dense) (void)path.x.dense_values();
          for (int t = 0; t < 20; ++t) {
            const Dense g = next(*e, path.x).to_dense(), expected = box(path.x.to_dense());
            CHECK(distance(g, expected) <= 1e-13);
            path.step();
          }
          CHECK(e->epochs() == 4);
        }
}

TEST_CASE("a constant weight of the newest batch in momentum") {
  Robust f(11, 13, 0.5, {2.0});
  const auto e = estimator("momentum", {{"batch", "5"}, {"averaging", "0.25"}});
  Sampler sampler(RandomStream(3, Purpose::test), f.terms()), same(RandomStream(3, Purpose::test), f.terms());
  e->start(f, sampler);
  Path path(f.shape());
  Dense d;
  for (int t = 0; t < 6; ++t) {
    const Batch S = same.draw(5);
    const Dense s =
        PlainSum<losses::RobustLoss>{f}.gradient(path.x.to_dense(), {S.list().begin(), S.list().end()});
    d = t == 0 ? s : plus(plus(d, -0.25, d), 0.25, s);
    CHECK(distance(next(*e, path.x).to_dense(), d) <= 1e-14);
    path.step();
  }
}

TEST_CASE("estimates are unbiased") {
  Robust f(9, 9, 0.6, {2.0});
  const Path path(f.shape());
  const Element x = at_distance(path.x, 0.3);
  for (const std::string name : {"sg", "svrg", "spider", "casvrg", "caspider"}) {
    CAPTURE(name);
    CHECK(estimator_moments(name, f, 3, path.x, x, 4000).direction_error <= 4.0);
  }
}

TEST_CASE("the variance falls as 1/|S|, and with the distance to the snapshot") {
  Robust f(9, 9, 0.6, {2.0});
  const Element xs = Path(f.shape()).x;
  const Element x = at_distance(xs, 0.3);
  for (const std::string name : {"sg", "svrg", "spider", "casvrg", "caspider"}) {
    CAPTURE(name);
    const double few = estimator_moments(name, f, 3, xs, x, 4000).variance,
                 many = estimator_moments(name, f, 12, xs, x, 4000).variance;
    CHECK(few / many == doctest::Approx(4.0).epsilon(0.12));
  }
  const auto ratio = [&](const std::string& name) {
    return estimator_moments(name, f, 3, xs, at_distance(xs, 0.02), 4000).variance /
           estimator_moments(name, f, 3, xs, at_distance(xs, 0.01), 4000).variance;
  };
  CHECK(ratio("svrg") == doctest::Approx(4.0).epsilon(0.1));  // ||x - xs||^2
  CHECK(ratio("spider") == doctest::Approx(4.0).epsilon(0.1));
  CHECK(ratio("casvrg") == doctest::Approx(16.0).epsilon(0.15));  // ||x - xs||^4
  CHECK(ratio("caspider") == doctest::Approx(16.0).epsilon(0.15));
}

TEST_CASE("at the snapshot the estimate is the gradient") {
  Robust f(9, 9, 0.6, {2.0});
  const Element x = Path(f.shape()).x;
  const Element elsewhere = Element::dense(f.shape(), x.to_dense());  // the same point, nothing shared
  const Dense truth =
      PlainSum<losses::RobustLoss>{f}.gradient(x.to_dense(), PlainSum<losses::RobustLoss>{f}.everything());
  for (const std::string name : {"svrg", "spider", "casvrg", "caspider"})
    for (const Element* point : {&x, &elsewhere}) {
      CAPTURE(name);
      const auto e = estimator(name, {{"batch", "3"}});
      Sampler sampler(RandomStream(5, Purpose::test), f.terms());
      e->start(f, sampler);
      CHECK(e->full_gradient() == nullptr);
      e->begin_epoch(x);
      REQUIRE(e->full_gradient() != nullptr);
      CHECK(distance(e->full_gradient()->to_dense(), truth) <= 1e-14);
      CHECK(distance(e->estimate(*point).to_dense(), truth) <= 1e-14);
    }
}

TEST_CASE("with every component once in the batch, nothing is left to estimate") {
  Robust f(9, 9, 0.6, {2.0});
  const PlainSum<losses::RobustLoss> plain{f};
  for (const std::string& name : kAll) {
    if (name == "momentum") continue;  // storm corrects itself
    CAPTURE(name);
    const auto e =
        estimator(name, {{"batch", std::to_string(f.terms())}, {"epoch", "12"}, {"replacement", "no"}});
    Sampler sampler(RandomStream(5, Purpose::test), f.terms());
    e->start(f, sampler);
    Path path(f.shape());
    for (int t = 0; t < 12; ++t, path.step())
      CHECK(distance(next(*e, path.x).to_dense(), plain.gradient(path.x.to_dense(), plain.everything())) <=
            1e-13);
  }
}

TEST_CASE("curvature-aided estimators are exact on quadratics, at any point and for any batch") {
  claros::test::Entries<losses::SquaredLoss> f(9, 9, 0.6, {});
  const PlainSum<losses::SquaredLoss> plain{f};
  for (const std::string name : {"casvrg", "caspider"})
    for (const std::string batch : {"1", "10"}) {
      CAPTURE(name);
      CAPTURE(batch);
      const auto e = estimator(name, {{"batch", batch}, {"epoch", "9"}});
      Sampler sampler(RandomStream(5, Purpose::test), f.terms());
      e->start(f, sampler);
      Path path(f.shape());
      for (int t = 0; t < 20; ++t, path.step(0.5))
        CHECK(distance(next(*e, path.x).to_dense(), plain.gradient(path.x.to_dense(), plain.everything())) <=
              1e-13);
    }
}

TEST_CASE("page and loopless-svrg are spider and svrg between two coins, whose distances are geometric") {
  Robust f(11, 13, 0.5, {2.0});
  const PlainSum<losses::RobustLoss> plain{f};
  for (const std::string name : {"page", "loopless-svrg"}) {
    CAPTURE(name);
    const auto e = estimator(name, {{"batch", "5"}, {"epoch", "8"}});
    Sampler sampler(RandomStream(3, Purpose::test), f.terms()),
        same(RandomStream(3, Purpose::test), f.terms());
    e->start(f, sampler);
    Path path(f.shape());
    Dense g, xs, gs, previous;
    Index steps = 0, epochs = 0, since = 0, singles = 0;
    for (; epochs < 1500; ++steps, ++since) {
      const Dense x = path.x.to_dense();
      const bool anew = e->epoch_due();
      if (anew) {
        ++epochs, singles += since == 1, since = 0;
        xs = x, gs = plain.gradient(x, plain.everything());
      }
      const bool checked = steps < 60;
      const Dense estimate = next(*e, path.x).to_dense();
      if (checked && (name == "loopless-svrg" || !anew)) {
        const Batch S = same.draw(5);
        const std::vector<Index> list(S.list().begin(), S.list().end());
        const Dense& from = name == "page" ? previous : xs;
        g = plus(name == "page" ? g : gs, 1.0,
                 plus(plain.gradient(x, list), -1.0, plain.gradient(from, list)));
      } else if (checked) {
        g = gs;
      }
      if (checked) CHECK(distance(estimate, g) <= 1e-13);
      previous = x;
      if (steps < 60) path.step();
    }
    CHECK(static_cast<double>(steps) / static_cast<double>(epochs) ==
          doctest::Approx(8.0).epsilon(0.1));  // five standard errors
    CHECK(static_cast<double>(singles) / static_cast<double>(epochs) ==
          doctest::Approx(0.125).epsilon(0.35));  // P(1) = 1/8
  }
  // By its theory |S| = sqrt(n) and p = 1 + n/|S|; numbers that an algorithm dictates are kept.
  const auto e = estimator("page", {{"batch", "theory"}, {"epoch", "theory"}});
  Sampler sampler(RandomStream(3, Purpose::test), f.terms());
  e->start(f, sampler);
  CHECK(e->batch_size() == static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(f.terms())))));
  for (int epoch = 0; epoch < 5; ++epoch) {
    const Element x = Path(f.shape()).x;
    e->begin_epoch(x, {.length = 4});
    for (int k = 0; k < 4; ++k) CHECK((void(e->estimate(x)), e->epoch_due() == (k == 3)));
  }
}

TEST_CASE("counts of an epoch") {
  Robust bare(11, 13, 0.5, {2.0});
  const Index n = bare.terms(), p = 6, b = 5;
  struct Row {
    std::string name;
    Index sfo, indices, sso, products;
  };
  for (const Row& r : {Row{"sg", p * b, p * b, 0, 0}, Row{"momentum", p * b, p * b, 0, 0},
                       Row{"svrg", n + 2 * p * b, n + p * b, 0, 0},
                       Row{"spider", n + 2 * (p - 1) * b, n + (p - 1) * b, 0, 0},
                       Row{"casvrg", n + 2 * p * b, n + p * b, n + p * b, 2 * p},
                       Row{"caspider", n + 2 * (p - 1) * b, n + (p - 1) * b, n + (p - 1) * b, 2 * (p - 1)}}) {
    CAPTURE(r.name);
    Counts counts;
    ComponentSeconds seconds;
    WatchedObjective f(bare, "entries", counts, seconds);
    const auto e = estimator(r.name, {{"batch", std::to_string(b)}, {"epoch", std::to_string(p)}});
    Sampler sampler(RandomStream(5, Purpose::test), n);
    e->start(f, sampler);
    Path path(f.shape());
    for (Index epoch = 1; epoch <= 3; ++epoch) {
      for (Index t = 0; t < p; ++t, path.step()) (void)next(*e, path.x);
      CHECK(e->epoch_due());
      CHECK(counts == Counts{.sfo = epoch * r.sfo,
                             .sfo_indices = epoch * r.indices,
                             .sso = epoch * r.sso,
                             .hessian_products = epoch * r.products,
                             .hvp = epoch * r.products / 2 * (n + b)});
    }
  }
}

TEST_CASE("twenty epochs are 20 p steps for all") {
  Robust f(11, 13, 0.5, {2.0});
  const Index n = f.terms(), p = (n + 6) / 7;
  for (const std::string& name : kAll) {
    CAPTURE(name);
    const auto e = estimator(name, {{"batch", "7"}});
    Sampler sampler(RandomStream(5, Purpose::test), n);
    e->start(f, sampler);
    Path path(f.shape());
    Index steps = 0;
    while (!(e->epochs() == 20 && e->epoch_due())) (void)next(*e, path.x), ++steps;
    CHECK(steps == 20 * p);
  }
}

TEST_CASE("an algorithm's plan goes before the estimator's numbers, a batch of one step before both") {
  Robust bare(11, 13, 0.5, {2.0});
  Counts counts;
  ComponentSeconds seconds;
  WatchedObjective f(bare, "entries", counts, seconds);
  const auto e = estimator("svrg", {{"batch", "9"}, {"epoch", "4"}, {"growth", "1"}});
  Sampler sampler(RandomStream(5, Purpose::test), f.terms());
  e->start(f, sampler);
  Path path(f.shape());
  e->begin_epoch(path.x, {10, 3, 2});
  CHECK(counts.sfo == 10);
  CHECK(e->full_gradient() == nullptr);
  (void)e->estimate(path.x);
  CHECK(counts.sfo == 10 + 2 * 3);
  (void)e->estimate(path.x, 8);
  CHECK(counts.sfo == 10 + 2 * 3 + 2 * 8);
  CHECK(e->epoch_due());
  CHECK_THROWS_AS((void)e->estimate(path.x), Error);
  e->begin_epoch(path.x);
  (void)e->estimate(path.x);
  (void)e->estimate(path.x);
  CHECK(counts.sfo == 10 + 2 * 3 + 2 * 8 + f.terms() + 2 * 9 + 2 * 18);
}

TEST_CASE("a step costs O(|S|): the estimate refers to the snapshot's array and adds |S| coefficients") {
  Robust f(60, 70, 0.9, {2.0});
  REQUIRE(f.terms() > 3000);
  const auto coefficients = [](const Element& g) -> const AdjointForm& {
    REQUIRE(g.parts().size() == 1);
    return std::get<AdjointForm>(g.parts().front().form);
  };
  for (const std::string name : {"sg", "svrg", "spider"}) {
    CAPTURE(name);
    const auto e = estimator(name, {{"batch", "10"}, {"epoch", "20"}});
    Sampler sampler(RandomStream(5, Purpose::test), f.terms());
    e->start(f, sampler);
    Path path(f.shape());
    for (std::size_t t = 0; t < 20; ++t, path.step()) {
      const AdjointForm& g = coefficients(next(*e, path.x));
      if (name == "sg")
        CHECK(g.full.empty());
      else
        CHECK(g.full.same_array(coefficients(*e->full_gradient()).full));
      CHECK(g.rows.size() == (name == "spider" ? 10 * t : 10));
    }
  }
}

TEST_CASE("a dense iterate is not detached by estimators that keep no previous point") {
  Robust f(9, 9, 0.6, {2.0});
  for (const std::string name : {"sg", "svrg", "momentum", "casvrg"}) {
    CAPTURE(name);
    const auto e = estimator(name, {{"batch", "3"}, {"epoch", "9"}});
    Sampler sampler(RandomStream(5, Purpose::test), f.terms());
    e->start(f, sampler);
    Element x = Element::dense(f.shape(), normals(4, 81));
    (void)next(*e, x);
    x.dense_values()[0] += 1.0;  // leaves the snapshot
    for (int t = 0; t < 3; ++t) {
      (void)next(*e, x);
      CHECK(!std::get<DenseForm>(x.parts().front().form).values.shared());
    }
  }
}

TEST_CASE("a sampler draws distinct components on demand") {
  Sampler sampler(RandomStream(5, Purpose::test), 30);
  const Batch S = sampler.draw(30, false);
  std::vector<Index> drawn(S.list().begin(), S.list().end());
  std::sort(drawn.begin(), drawn.end());
  for (Index k = 0; k < 30; ++k) CHECK(drawn[static_cast<std::size_t>(k)] == k);
  CHECK_THROWS_AS((void)sampler.draw(31, false), Error);
  CHECK(sampler.draw(31).size(30) == 31);
}
