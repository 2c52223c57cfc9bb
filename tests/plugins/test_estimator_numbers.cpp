// SPDX-License-Identifier: BSD-3-Clause
#include "catalog_losses.hpp"
#include "estimator_problems.hpp"

#include <doctest/doctest.h>
#include <claros/sdk/epoch_estimator.hpp>

namespace claros::test::estimator_numbers {

namespace {

using Robust = claros::test::Entries<losses::RobustLoss>;

std::string numbers_refused(const std::string& name, const Numbers& numbers, Objective& f) {
  return refusal(ErrorKind::usage, [&] { (void)numbers_in_force(name, numbers, f); });
}

/// f(x) = E 0.5 ||x - c - w||^2, w ~ N(0, I): draw i is the numbers at position i d of a stream. Its Hessian
/// is the identity, recomputed for every product.
class NoisyCentre final : public Objective, public Curvature {
 public:
  Shape shape() const override { return Shape::vector(kSize); }
  Index terms() const override { return kUnbounded; }
  double value(const Element&) override { return 0.0; }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    const Index size = batch.size(0);
    Dense mean = x.to_dense();
    for (Index k = 0; k < size; ++k) {
      last = std::max(last, batch[k]);
      mean = plus(mean, -1.0 / static_cast<double>(size), sample(batch[k]));
    }
    g.add(a, Element::dense(shape(), mean));
  }
  void add_hessian_product(const Element&, const Element& d, const Batch&, double a, Element& g) override {
    g.add(a, d);
  }
  void* ability(std::string_view id) noexcept override { return offer<Curvature>(this, id); }

  static Dense sample(Index i) {
    RandomStream random(1, Purpose::draws);
    random.seek(static_cast<std::uint64_t>(i) * kSize);
    Dense values(kSize);
    random.fill_normal(values);
    for (double& value : values) value += 1.0;
    return values;
  }
  static constexpr Index kSize = 6;
  Index last = -1;
};

/// Offers the word `theory` and does not override theory_numbers.
class WithoutTheory final : public sdk::EpochEstimator {
 public:
  explicit WithoutTheory(sdk::EpochOptions options)
      : EpochEstimator(std::move(options), {.snapshots = sdk::Snapshots::gradient}) {}
  const Element& estimate(const Element&, Index) override { return g_; }
};

}  // namespace

TEST_CASE("numbers: `theory` of an estimator without a theory is refused, and no batch is 0") {
  Robust f(11, 13, 0.5, {2.0});
  for (const std::string key : {"batch", "epoch"}) {
    const ParameterTable<sdk::EpochOptions> table{{}, {sdk::theory_snapshot_rows()}};
    sdk::EpochOptions options;
    table.assign(&options, key, "theory");
    WithoutTheory estimator(options);
    Sampler sampler(RandomStream(5, Purpose::test), f.terms());
    check_mentions(refusal(ErrorKind::usage, [&] { estimator.start(f, sampler); }),
                   {key.c_str(), "'theory'", "give a number"});
  }
  // The rows for estimators without a theory do not have the word.
  const ParameterTable<sdk::EpochOptions> plain{{}, {sdk::snapshot_rows()}};
  sdk::EpochOptions options;
  CHECK_THROWS_AS(plain.assign(&options, "batch", "theory"), Error);
  CHECK_THROWS_AS(plain.assign(&options, "epoch", "theory"), Error);
}

TEST_CASE("numbers that stand for auto and theory") {
  Robust f(25, 40, 2.0, {1.0});  // every entry: n = 1000, L = 1, L_2 = 1.3801
  REQUIRE(f.terms() == 1000);
  const auto check = [&](const std::string& name, const Numbers& numbers, Index batch, Index length) {
    CAPTURE(name);
    const InForce got = numbers_in_force(name, numbers, f);
    CHECK(got.batch == batch);
    CHECK(got.length == length);
  };
  check("sg", {}, 20, 50);
  check("svrg", {}, 20, 50);
  check("svrg", {{"batch", "300"}}, 300, 4);
  check("svrg", {{"batch", "theory"}, {"epoch", "theory"}}, 400, 10);
  check("spider", {{"batch", "theory"}, {"epoch", "theory"}}, 127, 31);
  check("spider", {{"batch", "theory"}}, 127, 8);
  check("sg", {{"batch", "theory"}, {"accuracy", "0.5"}, {"diameter", "2"}}, 64, 16);
  check("sg", {{"batch", "theory"}, {"accuracy", "0.5"}, {"diameter", "2"}, {"smoothness", "2"}}, 256, 4);
  const auto theory = [](const std::string& accuracy) {
    return Numbers{{"batch", "theory"}, {"epoch", "theory"}, {"accuracy", accuracy}};
  };
  check("casvrg", theory("0.01"), 182, 22);
  check("caspider", theory("0.01"), 84, 47);
  check("casvrg", theory("1e-7"), 4, 2691);  // eps <= L / (L_2 n^2)
  const double ratio = 1.380117;
  check("caspider", theory("1e-5"), 4, static_cast<Index>(std::pow(ratio * 1e-5, -2.0 / 3.0)));
  Numbers given = theory("0.01");
  given.insert(given.end(), {{"smoothness", "2"}, {"hessian_smoothness", "2"}});
  check("casvrg", given, 121,
        33);  // L_2/L^2 = 0.5: 4 * 0.005^0.4 * 1000^0.8 = 120.7; 0.005^-0.4 * 1000^0.2 = 33.1
  claros::test::Entries<losses::SquaredLoss> quadratic(25, 40, 2.0, {});
  CHECK(numbers_in_force("casvrg", theory("0.01"), quadratic).batch == 4);
  Robust small(5, 6, 2.0, {1.0});  // 4 n^(2/3) > n = 30: without replacement, everything
  CHECK(numbers_in_force("svrg", {{"batch", "theory"}, {"replacement", "no"}}, small).batch == 30);
}

TEST_CASE(
    "numbers: a batch below 1 is that share of the components, at least one, and none of an expectation") {
  Robust f(25, 40, 2.0, {1.0});
  REQUIRE(f.terms() == 1000);
  for (const char* name : {"sg", "svrg", "spider", "casvrg", "caspider"}) {
    CAPTURE(name);
    for (const auto& [share, batch] :
         {std::pair{"1/10", 100}, {"0.5", 500}, {"1/30", 33}, {"1/1000", 1}, {"1e-9", 1}})
      CHECK(numbers_in_force(name, {{"batch", share}}, f).batch == batch);
    for (const char* none : {"-1/10", "1.5", "999.5"})
      CHECK(contains(numbers_refused(name, {{"batch", none}}, f), "a share of n in (0, 1)"));
  }
  NoisyCentre draws;
  check_mentions(numbers_refused("sg", {{"batch", "1/10"}}, draws),
                 {"batch", "is a share of the components"});
}

TEST_CASE("numbers that cannot be meant are refused with the reason") {
  Robust f(11, 13, 0.5, {2.0});
  const std::string too_many = std::to_string(f.terms() + 1);
  for (const std::string name : {"sg", "svrg", "spider", "casvrg", "caspider", "momentum", "sag", "saga"}) {
    CAPTURE(name);
    CHECK(contains(numbers_refused(name, {{"batch", "0"}}, f), "batch"));
    CHECK(contains(numbers_refused(name, {{"batch", "2.5"}}, f), "'2.5' is out of range"));
    CHECK(contains(numbers_refused(name, {{"epoch", "0"}}, f), "epoch"));
    CHECK(contains(numbers_refused(name, {{"growth", "3"}}, f), "growth"));
    CHECK(contains(numbers_refused(name, {{"batch", too_many}, {"replacement", "no"}}, f),
                   too_many + " distinct components"));
    CHECK(numbers_refused(name, {{"batch", too_many}}, f) == "accepted");
  }
  CHECK(contains(numbers_refused("svrg", {{"snapshot", too_many}, {"replacement", "no"}}, f), "snapshot"));
  CHECK(contains(numbers_refused("momentum", {{"averaging", "1.5"}}, f), "averaging"));
  CHECK(contains(numbers_refused("momentum", {{"batch", "theory"}}, f), "batch"));
  CHECK(contains(numbers_refused("sg", {{"epoch", "theory"}}, f), "epoch"));
  CHECK(contains(numbers_refused("sg", {{"batch", "theory"}, {"accuracy", "0.1"}}, f), "diameter"));
  CHECK(contains(numbers_refused("sg", {{"batch", "theory"}, {"diameter", "1"}}, f), "accuracy"));
  CHECK(contains(numbers_refused("casvrg", {{"epoch", "theory"}}, f), "accuracy"));
  claros::test::Entries<losses::HuberLoss> huber(11, 13, 0.5, {1.0});  // no L_2
  for (const std::string name : {"casvrg", "caspider"})
    CHECK(contains(numbers_refused(name, {{"batch", "theory"}, {"accuracy", "0.1"}}, huber),
                   "hessian_smoothness"));
}

TEST_CASE("an expectation is estimated from fresh draws") {
  NoisyCentre f;
  const Element x = Element::dense(f.shape(), Dense(6, 0.5));
  Dense mean(6, 0.0);
  const auto sg = estimator("sg", {{"batch", "8"}});
  Sampler sampler(RandomStream(5, Purpose::sampling), kUnbounded);
  sg->start(f, sampler);
  const int trials = 2000;
  for (int t = 0; t < trials; ++t) {
    if (sg->epoch_due()) sg->begin_epoch(x);
    mean = plus(mean, 1.0 / trials, sg->estimate(x).to_dense());
  }
  CHECK(f.last == 8 * trials - 1);  // each draw once
  for (const double value : mean) CHECK(std::abs(value + 0.5) <= 4.5 / std::sqrt(8.0 * trials));
}

TEST_CASE("snapshots of an expectation are sample means, and must have a size") {
  NoisyCentre f;
  CHECK(contains(numbers_refused("svrg", {{"batch", "8"}}, f), "snapshot"));
  const auto planned =
      estimator("svrg", {{"batch", "8"}});  // an algorithm's plan makes up for it, where it has one
  Sampler draws(RandomStream(5, Purpose::sampling), kUnbounded);
  planned->start(f, draws);
  const Element origin(f.shape());
  check_mentions(refusal(ErrorKind::usage, [&] { planned->begin_epoch(origin); }), {"snapshot"});
  planned->begin_epoch(origin, {.snapshot = 40});
  CHECK(planned->full_gradient() == nullptr);
  CHECK(contains(numbers_refused("svrg", {{"batch", "theory"}, {"snapshot", "40"}}, f),
                 "number n of components"));
  CHECK(numbers_in_force("svrg", {{"batch", "8"}, {"snapshot", "40"}}, f).length == 5);
  for (const std::string name : {"svrg", "spider", "casvrg", "caspider"}) {
    CAPTURE(name);
    Counts counts;
    ComponentSeconds seconds;
    WatchedObjective watched(f, "noisy-centre", counts, seconds);
    const auto e = estimator(name, {{"batch", "8"}, {"snapshot", "40"}});
    Sampler sampler(RandomStream(5, Purpose::sampling), kUnbounded);
    e->start(watched, sampler);
    const Element xs(f.shape()), x = Element::dense(f.shape(), Dense(6, 0.5));
    e->begin_epoch(xs);
    CHECK(e->full_gradient() == nullptr);
    Dense gs(6, 0.0);
    for (Index i = 0; i < 40; ++i) gs = plus(gs, -1.0 / 40, NoisyCentre::sample(i));
    // Differences at one draw are free of noise here: g = x - xs + gs.
    CHECK(distance(e->estimate(x).to_dense(), plus(gs, 0.5, Dense(6, 1.0))) <= 1e-14);
    const bool curved = name[0] == 'c';
    CHECK(counts.hessian_products == (curved ? 2 : 0));
    CHECK(counts.sso == (curved ? 40 + 8 : 0));  // a Hessian that is not kept counts with its products
  }
}

TEST_CASE("Hessians of a sample are taken on that sample") {
  Robust f(11, 13, 0.5, {2.0});
  const PlainSum<losses::RobustLoss> plain{f};
  const auto e = estimator("casvrg", {{"batch", "4"}, {"snapshot", "20"}});
  Sampler sampler(RandomStream(5, Purpose::test), f.terms()), same(RandomStream(5, Purpose::test), f.terms());
  e->start(f, sampler);
  const Element xs = rank_one(f.shape(), 3), x = rank_one(f.shape(), 4);
  const auto draw = [&](Index size) {
    const Batch S = same.draw(size);
    return std::vector<Index>(S.list().begin(), S.list().end());
  };
  const std::vector<Index> B = draw(20), S = draw(4);
  e->begin_epoch(xs);
  const Dense X = x.to_dense(), Xs = xs.to_dense(), d = plus(X, -1.0, Xs);
  Dense expected = plus(plain.gradient(Xs, B), 1.0, plus(plain.gradient(X, S), -1.0, plain.gradient(Xs, S)));
  expected =
      plus(expected, 1.0, plus(plain.hessian_product(Xs, d, B), -1.0, plain.hessian_product(Xs, d, S)));
  CHECK(distance(e->estimate(x).to_dense(), expected) <= 1e-14);
}

TEST_CASE("curvature-aided estimators ask for Hessian products") {
  for (const std::string name : {"casvrg", "caspider"}) {
    const std::vector<Need> needs = estimator(name, {})->needs();
    REQUIRE(needs.size() == 1);
    CHECK(needs.front().role == Kind::objective);
    CHECK(needs.front().ability == Curvature::kAbility);
  }
  CHECK(estimator("svrg", {})->needs().empty());
}

}  // namespace claros::test::estimator_numbers
