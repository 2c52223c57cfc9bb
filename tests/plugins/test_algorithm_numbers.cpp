// SPDX-License-Identifier: BSD-3-Clause
// The lengths of steps, weights, epochs and batches that algorithms take from constants, given or the
// objective's own, by their formulas: as Claros reports the last step and says the numbers before a run.
#include "compose_for_test.hpp"

#include <cmath>

namespace claros::test::algorithm_numbers {

namespace {

constexpr double kN = 40.0;  ///< rows
const Words kProblem{"data.use=synthetic-regression",
                     "data.rows=40",
                     "data.cols=6",
                     "data.nonzero=3",
                     "data.variance=2",
                     "data.correlation=0.3",
                     "data.seed=3",
                     "objective.use=linear-model",
                     "trace.on=no"};

/// What the algorithm of a run says of its numbers.
std::string said(const Words& words) {
  std::string text;
  (void)run_composition(compose(build_catalog(), spec_of(words), [&](Severity, const std::string& line) {
    if (contains(line, "gradient: eta = ") || contains(line, "sliding, ")) text += line + '\n';
  }));
  return text;
}

/// The number behind the last occurrence of a text.
double number_behind(const std::string& text, const std::string& word) {
  const auto at = text.rfind(word);
  REQUIRE_MESSAGE(at != std::string::npos, text);
  return std::stod(text.substr(at + word.size()));
}

Constants constants_of(const Words& words) {
  return compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"})).objective->constants();
}

double last_step(const Words& words, Index steps) {
  return solve(words + Words{"stop.iterations=" + std::to_string(steps)}).step;
}

Index up(double value) { return static_cast<Index>(std::ceil(value * (1.0 - 1e-12))); }

}  // namespace

TEST_CASE("step lengths: 1/L, 1/(3 L(b)) and both decays, of proximal-gradient and of three-operator") {
  const Constants own = constants_of(kProblem);
  const double L = *own.smoothness, most = *own.term_smoothness;
  const Words l1{"penalty.use=l1", "penalty.lambda=0.01"};
  struct Length {
    Words words;
    double first;
  };
  const auto of_batch = [&](double b) {
    return 1.0 / (3.0 * (kN * (b - 1.0) * L + (kN - b) * most) / (b * (kN - 1.0)));
  };
  const Words svrg{"estimator.use=svrg"}, prox{"algorithm.use=proximal-gradient"},
      three{"algorithm.use=three-operator"};
  for (const Length& length :
       std::vector<Length>{{prox + svrg + Words{"estimator.batch=1"}, 1.0 / (3.0 * most)},
                           {prox + svrg + Words{"estimator.batch=5"}, of_batch(5.0)},
                           {prox + svrg + Words{"estimator.batch=40"}, of_batch(40.0)},
                           {prox + svrg + Words{"algorithm.step=1/L"}, 1.0 / L},
                           {prox + svrg + Words{"algorithm.step=1/L", "objective.smoothness=50"}, 1.0 / 50.0},
                           {prox + svrg + Words{"algorithm.step=0.003"}, 0.003},
                           {prox + Words{"estimator.use=full", "algorithm.step=1/L"}, 1.0 / L},
                           {three + svrg + Words{"estimator.batch=5"}, 1.0 / (3.0 * most)},
                           {three + svrg + Words{"algorithm.step=1/L"}, 1.0 / L},
                           {three + Words{"estimator.use=full"}, 1.0 / L},
                           {three + Words{"estimator.use=full", "objective.smoothness=50"}, 1.0 / 50.0},
                           {three + svrg + Words{"algorithm.step=0.003"}, 0.003}}) {
    CAPTURE(length.words);
    const Words words = kProblem + l1 + length.words;
    CHECK(last_step(words, 1) == doctest::Approx(length.first).epsilon(1e-9));
    CHECK(last_step(words, 9) == doctest::Approx(length.first).epsilon(1e-9));
    for (const Index T : {1, 4}) {
      const std::string steps = "algorithm.decay_steps=" + std::to_string(T);
      const double slowed = 1.0 + 8.0 / static_cast<double>(T);
      CHECK(last_step(words + Words{"algorithm.decay=inverse", steps}, 9) ==
            doctest::Approx(length.first / slowed).epsilon(1e-9));
      CHECK(last_step(words + Words{"algorithm.decay=sqrt", steps}, 9) ==
            doctest::Approx(length.first / std::sqrt(slowed)).epsilon(1e-9));
    }
  }
}

TEST_CASE("step lengths: dual averaging's sqrt(t)/gamma, and primal-dual's tau by the bound of Condat") {
  const Constants own = constants_of(kProblem);
  const double L = *own.smoothness, most = *own.term_smoothness;
  const Words dual =
      kProblem + Words{"penalty.use=l1", "penalty.lambda=0.01", "algorithm.use=dual-averaging"};
  for (const Index t : {1, 7}) {
    const double root = std::sqrt(static_cast<double>(t));
    CHECK(last_step(dual + Words{"estimator.use=full"}, t) == doctest::Approx(root / L).epsilon(1e-9));
    CHECK(last_step(dual + Words{"estimator.use=sg"}, t) == doctest::Approx(root / most).epsilon(1e-9));
    CHECK(last_step(dual + Words{"estimator.use=sg", "algorithm.gamma=7"}, t) ==
          doctest::Approx(root / 7.0).epsilon(1e-12));
  }
  const Words primal = kProblem + Words{"algorithm.use=primal-dual", "estimator.use=full"};
  /// 1/tau - w^2 tau ||B||^2 = 0.55 L, w^2 = sigma/tau.
  const auto tau = [](double half, double w2, double square) {
    return square == 0.0 ? 1.0 / half
                         : (std::sqrt(half * half + 4.0 * w2 * square) - half) / (2.0 * w2 * square);
  };
  const Words l1{"penalty.use=l1", "penalty.lambda=0.01"};
  for (const double w2 : {0.25, 9.0})
    for (const double given : {0.0, 0.02}) {
      Words words = primal + Words{"algorithm.balance=" + print_real(w2)};
      if (given > 0.0) words.push_back("algorithm.step=" + print_real(given));
      const double half = 0.55 * (given > 0.0 ? 1.0 / given : L);
      CHECK(last_step(words + l1, 5) == doctest::Approx(tau(half, w2, 1.0)).epsilon(1e-6));
      CHECK(last_step(words + Words{"set.use=box"}, 5) == doctest::Approx(tau(half, w2, 0.0)).epsilon(1e-6));
    }
}

TEST_CASE("frank-wolfe: the batches of its theory, with constants that are given and that are known") {
  const Constants own = constants_of(kProblem);
  const Words words = kProblem + Words{"set.use=l1-ball", "set.radius=2", "algorithm.use=frank-wolfe",
                                       "estimator.use=sg", "algorithm.batch=theory"};
  for (const double variance : {3.0, 400.0})
    for (const double L : {0.0, 5.0})
      for (const double D : {0.0, 1.5}) {
        Words more{"algorithm.variance=" + print_real(variance)};
        if (L > 0.0) more.push_back("algorithm.smoothness=" + print_real(L));
        if (D > 0.0) more.push_back("algorithm.diameter=" + print_real(D));
        CAPTURE(more);
        const double scale = std::sqrt(variance) / ((L > 0.0 ? L : *own.smoothness) * (D > 0.0 ? D : 4.0));
        Index expected = 0;
        for (int t = 0; t < 6; ++t)
          expected += std::min<Index>(40, std::max<Index>(1, up(std::pow(scale * (t + 2.0), 2))));
        CHECK(solve(words + more + Words{"stop.iterations=6"}).counts.sfo == expected);
      }
}

TEST_CASE("generalized conditional gradient: its numbers, each constant given or known") {
  const Words gcg =
      kProblem + Words{"set.use=l1-ball", "set.radius=2", "algorithm.use=gcg", "stop.iterations=3"};
  const Words huber{"smoother.use=huber-l1", "smoother.lambda=0.3", "smoother.mu=0.1"},
      square{"smoother.use=squared-norm", "smoother.lambda=0.25"};
  const Constants own = constants_of(kProblem);
  struct Smoother {
    Words words;
    double beta, alpha;
  };
  for (const Smoother& R : {Smoother{{}, 0.0, 0.0}, {huber, 3.0, 0.0}, {square, 0.25, 0.25}})
    for (const bool full : {true, false})
      for (const double alpha_f : {0.4, 0.9})
        for (const double smooth : {0.0, 30.0})
          for (const double beta_R : {0.0, 5.0}) {
            if (beta_R > 0.0 && R.words.empty()) continue;
            Words words = gcg + R.words +
                          Words{full ? "estimator.use=full" : "estimator.use=svrg", "algorithm.length=theory",
                                "objective.strong_convexity=" + print_real(alpha_f)};
            if (!full) words.push_back("algorithm.batch=theory");
            if (smooth > 0.0) words.push_back("algorithm.smoothness=" + print_real(smooth));
            if (beta_R > 0.0) words.push_back("algorithm.smoother_smoothness=" + print_real(beta_R));
            CAPTURE(words);
            const double alpha = alpha_f + R.alpha,
                         beta = (smooth > 0.0 ? smooth : *own.smoothness) + (beta_R > 0.0 ? beta_R : R.beta);
            const double eta = alpha / ((full ? 1.0 : 2.0) * beta);
            const std::string text = said(words);
            CHECK(number_behind(text, "gradient: eta = ") == doctest::Approx(eta).epsilon(1e-9));
            CHECK(number_behind(text, "alpha = ") == doctest::Approx(alpha).epsilon(1e-9));
            CHECK(number_behind(text, "beta = ") == doctest::Approx(beta).epsilon(1e-9));
            const Index length = up(8.0 / 3.0 * std::log(8.0) * beta / alpha);
            CHECK(contains(text, ", " + std::to_string(length) + " steps an epoch"));
            if (!full) {
              const double each = smooth > 0.0 ? smooth : *own.term_smoothness;
              CHECK(number_behind(text, "k_t = ") ==
                    static_cast<double>(up(32.0 * std::pow(each / alpha, 2))));
            }
          }
  // Given alpha goes before all others; a weakly convex penalty takes its mu from alpha.
  const Words whole = gcg + Words{"estimator.use=full", "objective.strong_convexity=0.4"};
  CHECK(number_behind(said(whole + Words{"algorithm.strong_convexity=0.7"}), "gradient: eta = ") ==
        doctest::Approx(0.7 / *own.smoothness));
  CHECK(number_behind(said(whole + Words{"algorithm.beta=20"}), "gradient: eta = ") ==
        doctest::Approx(0.4 / 20.0));
  CHECK(contains(said(whole + Words{"algorithm.eta=agnostic"}), "eta = 2/(t+2)"));
  CHECK(last_step(whole + Words{"algorithm.eta=agnostic"}, 4) == doctest::Approx(2.0 / 5.0));
  CHECK(last_step(whole + Words{"algorithm.eta=0.15"}, 4) == doctest::Approx(0.15));
  // Snapshots: (32 sigma^2/(alpha C_0)) 2^(s-1); C_0 the value at the start less the lower bound 0.
  const Words sampled = gcg + Words{"estimator.use=svrg", "algorithm.batch=theory",
                                    "objective.strong_convexity=0.4", "algorithm.variance=0.5"};
  const Composition c = compose(build_catalog(), spec_of(sampled));
  const double at_start = c.objective->value(Element(c.objective->shape()));
  const auto first = [&](const Words& more) {
    return number_behind(said(sampled + more), "first snapshot of ");
  };
  CHECK(first({"algorithm.initial_gap=2"}) == static_cast<double>(up(32.0 * 0.5 / (0.4 * 2.0))));
  if (const Index draws = up(32.0 * 0.5 / (0.4 * at_start)); draws < 40)
    CHECK(first({}) == static_cast<double>(draws));
}

TEST_CASE("sliding: its numbers, each constant given or known") {
  const Words sliding =
      kProblem + Words{"set.use=l1-ball", "set.radius=2", "algorithm.use=sliding", "stop.iterations=2"};
  const Constants own = constants_of(kProblem);
  const Composition c = compose(build_catalog(), spec_of(sliding + Words{"estimator.use=full"}));
  const double at_start = c.objective->value(Element(c.objective->shape()));
  for (const double L : {0.0, 25.0})
    for (const double s : {0.1, 1.3})
      for (const double gap : {0.0, 0.3}) {
        Words words = sliding + Words{"estimator.use=full", "algorithm.form=restarted"};
        words.push_back((gap > 0.0 ? "algorithm.strong_convexity=" : "objective.strong_convexity=") +
                        print_real(s));
        if (L > 0.0) words.push_back("algorithm.smoothness=" + print_real(L));
        if (gap > 0.0) words.push_back("algorithm.initial_gap=" + print_real(gap));
        CAPTURE(words);
        const std::string text = said(words);
        const double smooth = L > 0.0 ? L : *own.smoothness;
        CHECK(number_behind(text, "N_t = ") == static_cast<double>(up(8.0 * std::sqrt(smooth / s))));
        CHECK(number_behind(text, ", L = ") == doctest::Approx(smooth));
        CHECK(number_behind(text, ", s = ") == doctest::Approx(s));
        CHECK(number_behind(text, "delta_0 = ") == doctest::Approx(gap > 0.0 ? gap : at_start));
        const Index N = up(8.0 * std::sqrt(smooth / s));
        // STORC, with components that are convex and some that are not, and SCGS.
        Words storc = words;
        storc[kProblem.size() + 4] = "estimator.use=svrg";
        storc = storc + Words{"algorithm.batch=theory", "algorithm.batch_scale=1e-4"};
        const double each = *own.term_smoothness, n = static_cast<double>(N);
        CHECK(number_behind(said(storc), "first batch m = ") ==
              static_cast<double>(up(1e-4 * 5200.0 * n * each / s)));
        CHECK(number_behind(said(storc + Words{"algorithm.component_smoothness=3"}), "first batch m = ") ==
              static_cast<double>(up(1e-4 * 5200.0 * n * 3.0 / s)));
        CHECK(number_behind(
                  said(storc + Words{"algorithm.component_smoothness=3", "algorithm.lower_smoothness=0.5"}),
                  "first batch m = ") ==
              static_cast<double>(up(1e-4 * 8000.0 * n * 3.5 * (1.0 + 0.5 / s) / s)));
        CHECK(number_behind(said(storc + Words{"algorithm.variance=2", "algorithm.batch_scale=3"}),
                            "first batch m = ") ==
              static_cast<double>(up(3.0 * s * 2.0 * n * 4.0 * 2.0 /
                                     (4.0 * smooth * smooth * (gap > 0.0 ? gap : at_start)))));
      }
  for (const double L : {0.0, 25.0})
    for (const double D : {0.0, 1.5}) {
      Words words = sliding + Words{"estimator.use=sg", "algorithm.form=convex", "algorithm.batch=theory",
                                    "algorithm.variance=500"};
      if (L > 0.0) words.push_back("algorithm.smoothness=" + print_real(L));
      if (D > 0.0) words.push_back("algorithm.diameter=" + print_real(D));
      const double smooth = L > 0.0 ? L : *own.smoothness, diameter = D > 0.0 ? D : 4.0;
      CHECK(number_behind(said(words), "first batch m = ") ==
            static_cast<double>(up(500.0 * 27.0 / std::pow(smooth * diameter, 2))));
    }
}

}  // namespace claros::test::algorithm_numbers
