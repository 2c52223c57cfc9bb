// SPDX-License-Identifier: BSD-3-Clause
// Differences of convex functions: the objective beside its parts, and the algorithm beside the method
// written out, with exact projections.
#include <claros/abilities.hpp>
#include <claros/linear_predictor.hpp>
#include <claros/predictor.hpp>

#include "../core/numbers.hpp"
#include "../core/random_elements.hpp"
#include "compose_for_test.hpp"
#include "trace_for_test.hpp"

#include <cmath>
#include <fstream>

namespace claros::test::difference {

namespace {

using Values = std::vector<double>;

std::string written(const Values& numbers) {
  std::string all;
  for (const double number : numbers) all += print_real(number) + " ; ";  // a column
  return all.substr(0, all.size() - 3);
}
Values normals_of(std::uint64_t seed, Index n) {
  Engine engine(seed);
  return testing::normals(engine, n);
}

/// ||x - y||^2/2 - (w/2) ||x - z||^2 over the simplex of sum 1.
struct Instance {
  Values y, z;
  double w;

  Instance(std::uint64_t seed, Index n, double factor)
      : y(normals_of(seed, n)), z(normals_of(seed + 100, n)), w(factor) {}
  Words objective() const {
    return {"objective.use=difference",          "objective.factor=" + print_real(w),
            "objective.convex.use=distance",     "objective.convex.data=" + written(y),
            "objective.subtracted.use=distance", "objective.subtracted.data=" + written(z)};
  }
  Words words(const Words& more) const {
    return objective() + Words{"set.use=simplex", "set.radius=1", "algorithm.use=difference-of-convex"} +
           more;
  }
  double value(const Values& x) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k)
      sum += 0.5 * (x[k] - y[k]) * (x[k] - y[k]) - 0.5 * w * (x[k] - z[k]) * (x[k] - z[k]);
    return sum;
  }
  /// argmin over the simplex of ||u - y||^2/2 - <w (x - z), u>.
  Values next(const Values& x) const {
    Values v(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) v[k] = y[k] + w * (x[k] - z[k]);
    Values sorted(v);
    std::sort(sorted.rbegin(), sorted.rend());
    double sum = 0.0, level = 0.0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      sum += sorted[k];
      const double share = (sum - 1.0) / static_cast<double>(k + 1);
      if (sorted[k] > share) level = share;
    }
    for (double& each : v) each = std::max(each - level, 0.0);
    return v;
  }
};

double farthest(const Values& a, const Values& b) {
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

}  // namespace

TEST_CASE("difference: value, gradient and Hessian products are those of p less w times those of q") {
  const Instance instance(3, 9, 0.7);
  const Composition made = compose(build_catalog(), spec_of(instance.words({})));
  Objective& f = *made.problem().objective;
  const Values x = normals_of(7, 9);
  const Element at = Element::dense(f.shape(), x);
  CHECK(f.value(at) == doctest::Approx(instance.value(x)).epsilon(1e-14));
  Element g(f.shape()), product(f.shape());
  f.add_gradient(at, Batch::all(), 2.0, g);
  query<Curvature>(f)->add_hessian_product(at, at, Batch::all(), 1.0, product);
  const Values gradient = g.to_dense(), image = product.to_dense();
  for (std::size_t k = 0; k < x.size(); ++k) {
    CHECK(gradient[k] == doctest::Approx(2.0 * (x[k] - instance.y[k] - 0.7 * (x[k] - instance.z[k]))));
    CHECK(image[k] == doctest::Approx(0.3 * x[k]));
  }
  CHECK_FALSE(is_convex(f));
  CHECK(f.constants().smoothness == 1.0);
  CHECK(f.constants().lower_smoothness == 0.7);
}

TEST_CASE("difference-of-convex: long rounds are the projections of the method, to its stationary point") {
  for (const double w : {0.3, 0.9, 1.4})  // of the last f is concave
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      CAPTURE(w);
      CAPTURE(seed);
      const Instance instance(seed, 12, w);
      const RunResult found =
          solve(instance.words({"algorithm.share=1e-6", "stop.gap=1e-9", "stop.iterations=2000"}));
      CHECK(text(found.status) == "gap");
      CHECK(found.measurement.gap <= 1e-9);
      CHECK_FALSE(found.measurement.bounds_minimum);
      const Values x = found.answer.to_dense();
      CHECK(found.measurement.value == doctest::Approx(instance.value(x)));
      CHECK(farthest(instance.next(x), x) <= 1e-4);
      const RunResult begun = solve(instance.words({"stop.gap=1e30"}));
      REQUIRE(begun.iterations == 0);
      Values by_hand = begun.answer.to_dense();
      for (int round = 0; round < 2000; ++round) by_hand = instance.next(by_hand);
      CHECK(farthest(by_hand, x) <= 1e-3);
    }
}

TEST_CASE("difference-of-convex: no round raises the value, whatever solves it, with sets and penalties") {
  const Words set{"set.use=simplex", "set.radius=1"}, penalty{"penalty.use=l1", "penalty.lambda=0.2"};
  const std::vector<std::pair<Words, std::string>> cases{
      {set, "blended-pairwise"},  {set, "frank-wolfe"}, {set, "away-step"},
      {set, "proximal-gradient"}, {Words{}, "lbfgs"},   {penalty, "proximal-gradient"}};
  for (const auto& [constraint, inner] : cases)
    for (const char* share : {"1e-4", "0.5"}) {
      CAPTURE(std::string(inner));
      CAPTURE(share);
      const Instance instance(21, 15, 0.8);
      Words words = instance.objective() + constraint +
                    Words{"algorithm.use=difference-of-convex", "algorithm.inner.use=" + inner,
                          std::string("algorithm.share=") + share, "trace.every=1", "stop.iterations=60"};
      const RunResult found = solve(words);
      REQUIRE(found.trace.size() > 2);
      for (std::size_t k = 1; k < found.trace.size(); ++k)
        CHECK(found.trace[k].value <= found.trace[k - 1].value + 1e-12);
      if (constraint == set) continue;  // which has several stationary points
      const RunResult direct =
          solve(instance.objective() + constraint +
                Words{"algorithm.use=proximal-gradient", "stop.residual=1e-10", "stop.iterations=20000"});
      CHECK(found.measurement.value == doctest::Approx(direct.measurement.value).epsilon(1e-3));
    }
}

TEST_CASE("difference-of-convex: inner algorithms that forget their start reach stationary points, too") {
  const Instance instance(21, 15, 0.8);
  for (const char* inner :
       {"sliding", "nonconvex-sliding", "homotopy-conditional-gradient", "decomposition-invariant"}) {
    CAPTURE(std::string(inner));
    Words words{std::string("algorithm.inner.use=") + inner, "stop.gap=1e-4", "stop.iterations=3000"};
    if (words.front().ends_with("=sliding")) words.push_back("algorithm.inner.form=convex");
    const RunResult found = solve(instance.words(words));
    CHECK(text(found.status) == "gap");
    CHECK(found.measurement.gap <= 1e-4);
  }
}

TEST_CASE("difference: states name the maps of both parts, and predictions are those of the convex one") {
  const TestFolder folder;
  const fs::path table = folder / "table.csv", turned = folder / "turned.csv";
  std::ofstream(table) << "a,b,y\n1,2,3\n2,1,4\n0,1,1\n1,1,2\n";
  std::ofstream(turned) << "b,a,y\n2,1,3\n1,2,4\n1,0,1\n1,1,2\n";
  const auto of = [&](const fs::path& second) {
    return Words{"objective.use=difference",
                 "objective.convex.use=linear-model",
                 "objective.convex.data=" + table.string(),
                 "objective.convex.intercept=no",
                 "objective.convex.standardize=no",
                 "objective.subtracted.use=linear-model",
                 "objective.subtracted.data=" + second.string(),
                 "objective.subtracted.intercept=no",
                 "objective.subtracted.standardize=no",
                 "objective.factor=0.1",
                 "set.use=l1-ball",
                 "set.radius=2"};
  };
  const Composition made = compose(build_catalog(), spec_of(of(table)));
  Objective& f = *made.problem().objective;
  References known;
  query<Referable>(f)->refer(known);
  CHECK(query<LinearPredictor>(f)->linear_training().columns == Words{"a", "b"});
  CHECK_FALSE(query<Predictor>(f));
  for (const char* algorithm : {"proximal-gradient", "pairwise", "difference-of-convex"}) {
    const Words words = of(table) + Words{std::string("algorithm.use=") + algorithm, "stop.iterations=20"};
    const Saved saved = solve_and_save(words, 5);
    REQUIRE(saved.states.size() > 2);
    check_same(saved.result, resumed(words, saved.states[1]));
  }
  check_mentions(composing_refused(of(turned)), {"same names"});
}

TEST_CASE("difference-of-convex: the subtracted part is read once a round, the other once an inner step") {
  const Instance instance(5, 10, 0.6);
  const auto read = [&](const std::string& steps) {
    return solve(instance.words({"algorithm.inner.use=frank-wolfe", "algorithm.inner.step=short",
                                 "algorithm.share=1e-6", "algorithm.inner_steps=" + steps,
                                 "stop.iterations=8", "trace.every=8"}))
        .counts.sfo;
  };
  CHECK(read("1") == 8 * 2);
  CHECK(read("5") == 8 * 6);
}

TEST_CASE("difference: what has no meaning is refused, each in its words") {
  const Instance instance(1, 4, 0.5);
  const auto with = [&](const Words& more) { return composing_refused(instance.words(more)); };
  check_mentions(with({"objective.subtracted.data=1;2;3"}), {"same variable"});
  const Words over{"set.use=simplex", "set.radius=1", "algorithm.use=difference-of-convex"};
  const Words squares{"objective.subtracted.use=distance", "objective.subtracted.data=1;2"};
  const Words indefinite = squares + Words{"objective.use=difference", "objective.convex.use=quadratic",
                                           "objective.convex.diagonal=-1 2"};
  check_mentions(composing_refused(indefinite + over), {"not known to be convex"});
  const TestFolder folder;
  const fs::path table = folder / "table.csv";
  std::ofstream(table) << "a,b,y\n1,2,3\n2,1,4\n0,1,1\n";
  const Words intercept =
      squares + Words{"objective.use=difference", "objective.convex.use=linear-model",
                      "objective.convex.data=" + table.string(), "objective.convex.intercept=yes"};
  check_mentions(composing_refused(intercept + over), {"intercept"});
  check_mentions(with({"objective.factor=0"}), {"factor"});
  check_mentions(composing_refused(Words{"objective.use=distance", "objective.data=1;2"} + over),
                 {"two convex parts"});
  check_mentions(with({"penalty.use=l1", "penalty.lambda=1"}), {"penalty"});
  check_mentions(with({"estimator.use=sg"}), {"exact"});
}

}  // namespace claros::test::difference
