// SPDX-License-Identifier: BSD-3-Clause
// Weighted batches: uneven_objectives honour them, estimators stay unbiased with them.
#include "catalog_losses.hpp"
#include "linear_problem.hpp"

#include <cmath>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kMany = 40, kFew = 6;

/// Rows whose norms differ by up to a factor of 40.
const Dense& uneven_rows() {
  static const Dense rows = [] {
    Dense a = normals(31, kMany * kFew);
    for (std::size_t i = 0; i < kMany; ++i)
      for (std::size_t j = 0; j < kFew; ++j)
        a[i * kFew + j] *= i % 8 == 0 ? 4.0 : 0.1 + 0.02 * static_cast<double>(i);
    return a;
  }();
  return rows;
}

std::shared_ptr<Objective> uneven(const std::string& loss, const Numbers& more = {},
                                  RowForm form = RowForm::dense) {
  Design design = make_design(uneven_rows(), kFew, responses(loss, kMany), form);
  design.weights = normals(8, kMany);
  for (double& weight : design.weights) weight = 0.2 + std::abs(weight);
  return linear_model(std::move(design), Numbers{{"loss", loss}} + more);
}

std::vector<std::shared_ptr<Objective>> uneven_objectives() {
  return {uneven("squared", kEverything), uneven("logistic", {}, RowForm::sparse), uneven("multinomial")};
}

Importance importance(Objective& f) { return Importance(query<TermConstants>(f)->term_smoothness()); }

/// (1/|S|) sum_k w_k v(S_k), from calls with one component each.
template <class Value>
Dense weighted_mean(const Batch& S, Value value) {
  Dense sum;
  for (Index k = 0; k < S.size(0); ++k) {
    const Index i = S[k];
    const Dense v = value(Batch::of({&i, 1}));
    if (sum.empty()) sum.assign(v.size(), 0.0);
    sum = plus(sum, S.weight(k) / static_cast<double>(S.size(0)), v);
  }
  return sum;
}

Numbers sampled(const std::string& batch, const std::string& sampling = "importance") {
  return {{"batch", batch}, {"epoch", "2"}, {"sampling", sampling}};
}

struct WeightedMoments {
  double error = 0.0;  ///< |<mean - truth, r>| in standard errors, r a random direction
  double variance = 0.0;
};

WeightedMoments weighted_moments(const std::string& name, Objective& f, const Numbers& numbers) {
  const auto e = estimator(name, numbers);
  Sampler sampler(RandomStream(5, Purpose::test), f.terms());
  const Element xs = point(f.shape(), 3), x = point(f.shape(), 4);
  const Dense truth = gradient(f, x), r = normals(77, f.shape().size());
  const int trials = 4000;
  double mean = 0.0, squares = 0.0;
  WeightedMoments m;
  for (int k = 0; k < trials; ++k) {
    e->start(f, sampler);
    e->begin_epoch(name == "momentum" ? x : xs);
    if (name != "momentum") (void)e->estimate(xs);  // its first estimate is a batch's mean
    const Dense error = plus(e->estimate(x).to_dense(), -1.0, truth);
    double along = 0.0;
    for (std::size_t j = 0; j < r.size(); ++j) along += r[j] * error[j];
    mean += along / trials;
    squares += along * along / trials;
    m.variance += std::pow(size(error), 2) / trials;
  }
  m.error = std::abs(mean) / std::sqrt((squares - mean * mean) / trials);
  return m;
}

}  // namespace

TEST_CASE("a weighted batch is a weighted mean of its components") {
  for (const auto& f : uneven_objectives()) {
    const Importance q = importance(*f);
    Sampler sampler(RandomStream(3, Purpose::test), f->terms());
    const Batch S = sampler.draw(17, q);
    const Element x = point(f->shape(), 3), y = point(f->shape(), 4), d = point(f->shape(), 5);
    auto& curvature = *query<Curvature>(*f);
    const auto product = [&](const Batch& batch) {
      Element g(f->shape());
      curvature.add_hessian_product(x, d, batch, 1.0, g);
      return g.to_dense();
    };
    const auto difference = [&](const Batch& batch) {
      Element g(f->shape());
      f->add_gradient_difference(x, y, batch, 1.0, g);
      return g.to_dense();
    };
    const auto plain = [&](const Batch& batch) { return gradient(*f, x, batch); };
    const double tolerance = 1e-12 * (1.0 + size(plain(S)));
    CHECK(distance(plain(S), weighted_mean(S, plain)) <= tolerance);
    CHECK(distance(difference(S), weighted_mean(S, difference)) <= tolerance);
    CHECK(distance(product(S), weighted_mean(S, product)) <= tolerance);
    Element kept(f->shape());
    curvature.hessian(x, S)->add_product(d, 1.0, kept);
    CHECK(distance(kept.to_dense(), product(S)) <= tolerance);
    auto& c = *query<TermCoefficients>(*f);
    Dense with(static_cast<std::size_t>(17 * c.outputs())), without = with;
    c.coefficients(x, S, with);
    c.coefficients(x, S.unweighted(), without);
    CHECK(with == without);
  }
}

TEST_CASE("importance sampling: every estimator is its box with the weights 1/(n q_i)") {
  for (const auto& f : uneven_objectives()) {
    const Importance q = importance(*f);
    const Element xs = point(f->shape(), 3), x = point(f->shape(), 4);
    for (const std::string name : {"sg", "svrg", "saga"}) {
      CAPTURE(name);
      const auto e = estimator(name, sampled("7"));
      Sampler sampler(RandomStream(3, Purpose::test), f->terms()), same = sampler;
      e->start(*f, sampler);
      e->begin_epoch(xs);
      const Batch S = same.draw(7, q);
      Dense expected = weighted_mean(S, [&](const Batch& i) { return gradient(*f, x, i); });
      if (name != "sg")
        expected =
            plus(plus(expected, -1.0, weighted_mean(S, [&](const Batch& i) { return gradient(*f, xs, i); })),
                 1.0, gradient(*f, xs));
      if (name == "saga" && query<TermCoefficients>(*f)->has_common_gradient()) {
        // What all components share is never sampled: weight 1 instead of the batch's mean weight.
        double mean = 0.0;
        for (const double weight : S.weights()) mean += weight / 7.0;
        Element s(f->shape());
        query<TermCoefficients>(*f)->add_common_gradient(x, 1.0 - mean, s);
        query<TermCoefficients>(*f)->add_common_gradient(xs, mean - 1.0, s);
        expected = plus(expected, 1.0, s.to_dense());
      }
      CHECK(distance(e->estimate(x).to_dense(), expected) <= 1e-12 * (1.0 + size(expected)));
    }
  }
}

TEST_CASE("importance sampling: estimates are unbiased, and vary less where components differ") {
  const auto f = uneven("squared", kEverything),
             curved = uneven("logistic");  // of a quadratic nothing is left
  for (const std::string name : {"sg", "svrg", "spider", "casvrg", "caspider", "momentum", "saga"}) {
    CAPTURE(name);
    CHECK(weighted_moments(name, name[0] == 'c' ? *curved : *f, sampled("3")).error <= 4.0);
  }
  for (const std::string name : {"svrg", "spider", "saga"}) {
    CAPTURE(name);
    const double with = weighted_moments(name, *f, sampled("3")).variance,
                 without = weighted_moments(name, *f, sampled("3", "uniform")).variance;
    CHECK(with < 0.5 * without);
  }
}

TEST_CASE("importance sampling: counts are those of uniform batches, snapshots are drawn uniformly") {
  const auto bare = uneven("squared");
  for (const std::string name : {"sg", "svrg", "casvrg", "saga"}) {
    CAPTURE(name);
    Counts counts[2];
    for (const bool weighted : {false, true}) {
      ComponentSeconds seconds;
      WatchedObjective f(*bare, "f", counts[weighted], seconds);
      const auto e = estimator(name, sampled("5", weighted ? "importance" : "uniform"));
      Sampler sampler(RandomStream(3, Purpose::test), f.terms());
      e->start(f, sampler);
      e->begin_epoch(point(f.shape(), 3));
      (void)e->estimate(point(f.shape(), 4));
    }
    CHECK(counts[0] == counts[1]);
  }
  const auto e = estimator("svrg", sampled("5") + Numbers{{"snapshot", "9"}});
  Sampler sampler(RandomStream(3, Purpose::test), kMany), same = sampler;
  e->start(*bare, sampler);
  const Element x = point(bare->shape(), 3);
  e->begin_epoch(x);
  const Dense expected = gradient(*bare, x, same.draw(9));
  CHECK(distance(e->estimate(x).to_dense(), expected) <= 1e-12);
}

TEST_CASE("importance sampling is refused where it has no meaning") {
  const auto start = [](const std::string& name, const Numbers& numbers, Objective& f) {
    return refusal(ErrorKind::usage, [&] {
      const auto e = estimator(name, numbers);
      Sampler sampler(RandomStream(3, Purpose::test), f.terms());
      e->start(f, sampler);
    });
  };
  struct Endless final : Objective {
    Shape shape() const override { return Shape::vector(2); }
    Index terms() const override { return kUnbounded; }
    double value(const Element&) override { return 0.0; }
    void add_gradient(const Element&, const Batch&, double, Element&) override {}
  };
  const auto f = uneven("squared"), poisson = uneven("poisson");
  Entries<losses::RobustLoss> unknown(6, 7, 0.6, {2.0});
  Endless endless;
  for (const std::string name : {"sg", "svrg", "spider", "momentum"}) {
    CAPTURE(name);
    check_mentions(start(name, sampled("3"), unknown), {"sampling", "does not state", "uniform"});
    check_mentions(start(name, sampled("3"), *poisson), {"sampling", "does not state"});
    check_mentions(start(name, sampled("3") + Numbers{{"replacement", "no"}}, *f), {"i.i.d.", "unbiased"});
    check_mentions(start(name, sampled("3"), endless), {"expectation"});
  }
  check_mentions(start("sg", sampled("3", "clever"), *f), {"sampling", "importance"});
  check_mentions(start("sag", sampled("3"), *f), {"sampling"});
}
