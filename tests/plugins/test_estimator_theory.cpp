// SPDX-License-Identifier: BSD-3-Clause
// Numbers of estimators by their formulas for each constant that is given or is the objective's own, sums
// that no number divides, weights that are given, growth that is not whole, and a second start on another
// objective.
#include "catalog_losses.hpp"
#include "estimator_problems.hpp"

#include <doctest/doctest.h>

namespace claros::test::estimator_theory {

namespace {

using Robust = claros::test::Entries<losses::RobustLoss>;
using Squared = claros::test::Entries<losses::SquaredLoss>;

std::string words_of(const Numbers& numbers) {
  std::string all;
  for (const auto& [key, value] : numbers) all += key + "=" + value + " ";
  return all;
}

Index up(double value) { return std::max<Index>(1, static_cast<Index>(std::ceil(value * (1 - 1e-12)))); }
Index down(double value) { return std::max<Index>(1, static_cast<Index>(std::floor(value * (1 + 1e-12)))); }

const Numbers kBoth{{"batch", "theory"}, {"epoch", "theory"}};

}  // namespace

TEST_CASE("estimator theory: the formulas of the papers, whichever constants are given") {
  Robust f(8, 10, 2.0, {0.5});  // every entry: n = 80, L = 2, L_2 = 1.3801 / 0.5^1.5
  REQUIRE(f.terms() == 80);
  const double n = 80.0, own_L = 2.0, own_L2 = 1.3801167 / std::pow(0.5, 1.5);
  for (const double epsilon : {3e-5, 1e-3, 0.05, 1.0})
    for (const double L : {0.0, 3.0})
      for (const double L2 : {0.0, 0.7}) {
        Numbers given = kBoth + Numbers{{"accuracy", print_real(epsilon)}};
        if (L > 0.0) given.push_back({"smoothness", print_real(L)});
        if (L2 > 0.0) given.push_back({"hessian_smoothness", print_real(L2)});
        CAPTURE(words_of(given));
        const double r = (L2 > 0.0 ? L2 : own_L2) / std::pow(L > 0.0 ? L : own_L, 2) * epsilon;
        const auto near = [](Index got, double exact) {  // the constant has five digits
          CHECK(std::abs(static_cast<double>(got) - exact) <= 1.0 + 1e-5 * exact);
        };
        const InForce svrg_like = r * n * n <= 1.0 ? InForce{4, down(std::pow(r, -0.5))}
                                                   : InForce{up(4.0 * std::pow(r, 0.4) * std::pow(n, 0.8)),
                                                             down(std::pow(r, -0.4) * std::pow(n, 0.2))};
        const InForce spider_like =
            r * std::pow(n, 1.5) <= 1.0
                ? InForce{4, down(std::pow(r, -2.0 / 3.0))}
                : InForce{up(4.0 * std::sqrt(r) * std::pow(n, 0.75)), down(std::pow(n, 0.25) / std::sqrt(r))};
        const InForce casvrg = numbers_in_force("casvrg", given, f),
                      caspider = numbers_in_force("caspider", given, f);
        near(casvrg.batch, static_cast<double>(svrg_like.batch));
        near(casvrg.length, static_cast<double>(svrg_like.length));
        near(caspider.batch, static_cast<double>(spider_like.batch));
        near(caspider.length, static_cast<double>(spider_like.length));
      }
  for (const double epsilon : {0.3, 2.0})
    for (const double D : {0.5, 3.0})
      for (const double L : {0.0, 0.8}) {
        Numbers given{{"batch", "theory"}, {"accuracy", print_real(epsilon)}, {"diameter", print_real(D)}};
        if (L > 0.0) given.push_back({"smoothness", print_real(L)});
        const double G = (L > 0.0 ? L : own_L) * D;
        const InForce got = numbers_in_force("sg", given, f);
        CHECK(got.batch == up(4.0 * G * G / (epsilon * epsilon)));
        CHECK(got.length == up(n / static_cast<double>(got.batch)));
      }
}

TEST_CASE("estimator theory: sums of any size, one number of the theory and one of the user") {
  for (const auto& [rows, cols] : std::vector<std::pair<Index, Index>>{{7, 11}, {1, 2}, {13, 31}}) {
    Robust f(rows, cols, 2.0, {1.0});
    const double n = static_cast<double>(f.terms()), root = std::sqrt(n), third = std::cbrt(n);
    CAPTURE(n);
    const auto check = [&](const std::string& name, const Numbers& numbers, Index batch, Index length) {
      CAPTURE(name);
      CAPTURE(words_of(numbers));
      const InForce got = numbers_in_force(name, numbers, f);
      CHECK(got.batch == batch);
      if (name != "page") CHECK(got.length == length);  // a coin's
    };
    const auto over = [n](Index batch) { return up(n / static_cast<double>(batch)); };
    const Index part = up(n / 50.0), few = up(4.0 * third * third), many = up(4.0 * root);
    for (const std::string name : {"sg", "svrg", "momentum", "storm", "casvrg"})
      check(name, {}, name == "storm" ? part : part, over(part));
    check("svrg", kBoth, few, down(third));
    check("svrg", {{"batch", "theory"}}, few, over(few));
    check("svrg", {{"batch", "3"}, {"epoch", "theory"}}, 3, down(third));
    check("svrg", {{"batch", "theory"}, {"epoch", "5"}}, few, 5);
    check("spider", {{"batch", "theory"}, {"epoch", "theory"}, {"replacement", "no"}},
          std::min(many, f.terms()), down(root));
    check("page", {{"batch", "theory"}, {"epoch", "9"}}, up(root), 9);
    Squared quadratic(rows, cols, 2.0, {});  // exact for any batch and epoch
    for (const std::string name : {"casvrg", "caspider"}) {
      const InForce got = numbers_in_force(name, kBoth + Numbers{{"accuracy", "0.1"}}, quadratic);
      CHECK(got.batch == 4);
      CHECK(got.length == f.terms());
    }
  }
}

TEST_CASE("estimator theory: page's epochs have the mean 1 + n/|S|, and loopless-svrg's that of the user") {
  Robust f(10, 20, 2.0, {1.0});  // n = 200, |S| = 15, p = 1 + 200/15 = 14.33, rounded up
  for (const auto& [name, numbers, mean] : std::vector<std::tuple<std::string, Numbers, double>>{
           {"page", kBoth, 15.0},
           {"page", {{"batch", "50"}, {"epoch", "theory"}}, 15.0},
           {"loopless-svrg", {{"batch", "8"}, {"epoch", "6"}}, 6.0},
           {"loopless-svrg", {{"batch", "8"}}, 25.0}}) {
    CAPTURE(name);
    const auto e = estimator(name, numbers);
    Sampler sampler(RandomStream(5, Purpose::test), f.terms());
    e->start(f, sampler);
    const Element x = rank_one(f.shape(), 4);
    double steps = 0.0;
    constexpr int kEpochs = 400;
    for (int k = 0; k < kEpochs; ++k) {
      e->begin_epoch(x);
      for (; !e->epoch_due(); ++steps) (void)e->estimate(x);
    }
    // Geometric: variance p^2 - p.
    CHECK(std::abs(steps / kEpochs - mean) < 5.0 * std::sqrt((mean * mean - mean) / kEpochs));
    e->begin_epoch(x, {.length = 3});  // an algorithm's plan has no coin
    Index planned = 0;
    for (; !e->epoch_due(); ++planned) (void)e->estimate(x);
    CHECK(planned == 3);
  }
}

TEST_CASE("estimators: a given weight of momentum and storm, and growth that is no whole number") {
  Robust f(11, 13, 0.5, {2.0});
  const PlainSum<losses::RobustLoss> plain{f};
  for (const std::string name : {"sg", "momentum", "storm"})
    for (const std::string averaging : {"0.3", "1"})
      for (const double growth : {0.0, 0.7, 1.5}) {
        CAPTURE(name);
        CAPTURE(averaging);
        CAPTURE(growth);
        Numbers numbers{{"batch", "3"}, {"growth", print_real(growth)}};
        if (name != "sg") numbers.push_back({"averaging", averaging});
        const auto e = estimator(name, numbers);
        Sampler sampler(RandomStream(3, Purpose::test), f.terms()),
            same(RandomStream(3, Purpose::test), f.terms());
        e->start(f, sampler);
        Path path(f.shape());
        Dense g, previous;
        const double a = parse_real(averaging);
        for (int t = 0; t < 12; ++t) {
          const auto size =
              static_cast<Index>(std::min(3.0 * std::pow(t + 1.0, growth), static_cast<double>(f.terms())));
          const Batch S = same.draw(std::max<Index>(3, size));
          const std::vector<Index> list(S.list().begin(), S.list().end());
          const Dense x = path.x.to_dense(), now = plain.gradient(x, list);
          if (t == 0 || name == "sg")
            g = now;
          else if (name == "momentum")
            g = plus(plus(g, -a, g), a, now);
          else
            g = plus(now, 1.0 - a, plus(g, -1.0, plain.gradient(previous, list)));
          previous = x;
          CHECK(distance(next(*e, path.x).to_dense(), g) <= 1e-13);
          path.step();
        }
      }
}

TEST_CASE("estimators: under a linear oracle the noisy ones grow to all terms, and then are the gradient") {
  Robust f(7, 10, 2.0, {2.0});  // n = 70, n/50 = 2
  const PlainSum<losses::RobustLoss> plain{f};
  for (const std::string name : {"sg", "momentum"}) {
    CAPTURE(name);
    const auto e = estimator(name, {});
    Sampler sampler(RandomStream(3, Purpose::test), f.terms());
    e->start(f, sampler);
    Path path(f.shape());
    for (int t = 0; t < 40; ++t) {
      if (e->epoch_due()) e->begin_epoch(path.x, {.undamped = true});
      const double off =
          distance(e->estimate(path.x).to_dense(), plain.gradient(path.x.to_dense(), plain.everything()));
      if (t < 5) CHECK(off > 1e-6);
      if (t >= 34) CHECK(off <= 1e-13);  // 2 (t + 1) = 70 at t = 34
      path.step();
    }
  }
}

TEST_CASE("estimators: started again, on another objective too, each is as new") {
  Robust small(5, 6, 2.0, {1.0}, 4), large(9, 8, 0.8, {2.0}, 5);
  for (const std::string& name : build_catalog().names(Kind::estimator)) {
    CAPTURE(name);
    Numbers numbers;
    if (name != "full") numbers = {{"batch", "4"}, {"epoch", "3"}};
    const auto used = estimator(name, numbers);
    Sampler first(RandomStream(8, Purpose::test), small.terms());
    used->start(small, first);
    Path before(small.shape(), 40);
    for (int t = 0; t < 5; ++t) (void)next(*used, before.x), before.step();
    for (Robust* f : {&large, &small, &small}) {
      const auto fresh = estimator(name, numbers);
      Sampler a(RandomStream(3, Purpose::test), f->terms()), b(RandomStream(3, Purpose::test), f->terms());
      used->start(*f, a);
      fresh->start(*f, b);
      CHECK(used->epochs() == 0);
      Path path(f->shape(), 60);
      for (int t = 0; t < 8; ++t) {
        CHECK(used->epoch_due() == fresh->epoch_due());
        CHECK(next(*used, path.x).to_dense() == next(*fresh, path.x).to_dense());
        path.step();
      }
      CHECK(used->epochs() == fresh->epochs());
    }
  }
}

}  // namespace claros::test::estimator_theory
