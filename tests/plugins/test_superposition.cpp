// SPDX-License-Identifier: BSD-3-Clause
// Sums of blocks and penalties of blocks, beside their definitions; robust principal component analysis
// beside the Huber loss, which has the same minima.
#include "convex_cases.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace claros::test::superposition {

namespace {

using Values = std::vector<double>;

const Shape kBlock = Shape::matrix(6, 5), kBoth = Shape::product({kBlock, kBlock});

Element pair_of(const Values& first, const Values& second) {
  return Element::product({Element::dense(kBlock, first), Element::dense(kBlock, second)});
}
Values normals_of(std::uint64_t seed, Index n = 30) {
  Engine engine(seed);
  return testing::normals(engine, n);
}
double distance(const Element& x, const Element& y) {
  Element d(x);
  d.add(-1.0, y);
  return norm(d);
}

/// nuclear and l1, the second with the factor gamma.
Case both_norms(const std::string& lambda, const std::string& gamma) {
  return penalty("separable-sum", {"lambda=" + lambda, "blocks.1.use=nuclear", "blocks.1.lambda=1",
                                   "blocks.2.use=l1", "blocks.2.lambda=" + gamma});
}

/// Entries of a matrix of rank 1 of which some are spoiled, a share observed.
struct Table {
  Table(Index m, Index n, double share, double scale, double outlier = 5.0, std::uint64_t seed = 11) {
    Engine engine(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    Values u(static_cast<std::size_t>(m)), v(static_cast<std::size_t>(n));
    for (double& value : u) value = normal(engine);
    for (double& value : v) value = normal(engine);
    ratings.rows = m, ratings.cols = n;
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < n; ++j) {
        const bool is_seen = uniform(engine) < share || i + j == 0, is_spoiled = uniform(engine) < 0.1;
        const double value = u[static_cast<std::size_t>(i)] * v[static_cast<std::size_t>(j)] +
                             0.05 * normal(engine) + (is_spoiled ? outlier : 0.0);
        if (!is_seen) continue;
        ratings.row.push_back(static_cast<std::int32_t>(i)),
            ratings.col.push_back(static_cast<std::int32_t>(j));
        ratings.value.push_back(scale * value);
      }
    write_ratings(folder / "table.tsv", ratings);
  }
  Words data(const std::string& prefix) const {
    return {prefix + "data=" + (folder / "table.tsv").string(), prefix + "ids=one-based",
            prefix + "rows=" + std::to_string(ratings.rows), prefix + "cols=" + std::to_string(ratings.cols)};
  }
  Words parted(double lambda, double gamma) const {
    return Words{"objective.use=superposition", "objective.inner.use=matrix-completion"} +
           data("objective.inner.") +
           Words{"penalty.use=separable-sum",    "penalty.lambda=" + print_real(lambda),
                 "penalty.blocks.1.use=nuclear", "penalty.blocks.1.lambda=1",
                 "penalty.blocks.2.use=l1",      "penalty.blocks.2.lambda=" + print_real(gamma)};
  }
  /// min over S of (L + S - D)^2/2 + t |S| is the Huber loss of L - D with delta = t.
  Words huber(double lambda, double gamma) const {
    return Words{"objective.use=matrix-completion", "objective.loss.use=huber",
                 "objective.loss.delta=" + print_real(lambda * gamma * n())} +
           data("objective.") + Words{"penalty.use=nuclear", "penalty.lambda=" + print_real(lambda)};
  }
  double n() const { return static_cast<double>(ratings.value.size()); }
  std::size_t at(std::size_t e) const {
    return static_cast<std::size_t>(ratings.col[e] * ratings.rows + ratings.row[e]);
  }
  /// The largest lambda that has an effect.
  double largest(double gamma) const {
    Values g(static_cast<std::size_t>(ratings.rows * ratings.cols), 0.0);
    double top = 0.0;
    for (std::size_t e = 0; e < ratings.value.size(); ++e)
      g[at(e)] = ratings.value[e] / n(), top = std::max(top, std::abs(g[at(e)]));
    return std::max(dense_svd(ratings.rows, ratings.cols, g).s.front(), top / gamma);
  }
  /// The value at (L, S) less that of the dual at -grad, scaled into both unit balls: by full decompositions.
  double gap(const Element& x, double lambda, double gamma) const {
    const Values L = x.block(0).to_dense(), S = x.block(1).to_dense();
    Values u(L.size(), 0.0);
    double value = 0.0, size = 0.0, sum = 0.0;
    for (std::size_t e = 0; e < ratings.value.size(); ++e) {
      const std::size_t k = at(e);
      const double r = L[k] + S[k] - ratings.value[e];
      value += 0.5 * r * r / n(), u[k] = r / n(), size = std::max(size, std::abs(u[k]));
    }
    for (const double s : S) sum += std::abs(s);
    for (const double s : dense_svd(ratings.rows, ratings.cols, L).s) value += lambda * s;
    value += lambda * gamma * sum;
    const double spectral = dense_svd(ratings.rows, ratings.cols, u).s.front();
    const double a =
        std::min({1.0, lambda / std::max(spectral, 1e-300), lambda * gamma / std::max(size, 1e-300)});
    double dual = 0.0;  // -g*(a u), g* = n u^2/2 + u D
    for (std::size_t e = 0; e < ratings.value.size(); ++e)
      dual -= 0.5 * n() * a * a * u[at(e)] * u[at(e)] + a * u[at(e)] * ratings.value[e];
    return value - dual;
  }

  TestFolder folder;
  Ratings ratings{0, 0, {}, {}, {}, {}, {}};
};

/// Solved by the two formulations: gaps are true at the points that are returned, and the minima are one.
void check_both(const Table& table, double share, double gamma) {
  const double lambda = share * table.largest(gamma);
  const Words stop{"stop.relative_gap=1e-6", "stop.iterations=20000", "run.threads=1"};
  const RunResult parted = solve(table.parted(lambda, gamma) + stop),
                  huber = solve(table.huber(lambda, gamma) + stop);
  REQUIRE(is_target(parted.status));
  REQUIRE(is_target(huber.status));
  const double value = parted.measurement.value, other = huber.measurement.value;
  CHECK(std::abs(value - other) <= 2e-6 * std::max(value, other));
  CHECK(value - parted.measurement.gap <= other * (1.0 + 1e-12));
  CHECK(other - huber.measurement.gap <= value * (1.0 + 1e-12));
  const double gap = table.gap(parted.answer, lambda, gamma);
  CHECK(gap >= -1e-12 * value);
  CHECK(gap <= 1.01e-6 * value + parted.measurement.gap);
}

}  // namespace

TEST_CASE("separable-sum: each block takes the step of its own penalty") {
  const Values a = normals_of(1), b = normals_of(2);
  const Element v = pair_of(a, b);
  const auto h = both_norms("0.5", "0.3").make();
  const auto nuclear = penalty("nuclear", {"lambda=0.5"}).make(), l1 = penalty("l1", {"lambda=0.15"}).make();
  Element x, in_place(v), L, S;
  query<ProximalOracle>(*h)->apply(v, 0.8, x, {});
  query<ProximalOracle>(*h)->apply(in_place, 0.8, in_place, {});
  query<ProximalOracle>(*nuclear)->apply(v.block(0), 0.8, L, {});
  query<ProximalOracle>(*l1)->apply(v.block(1), 0.8, S, {});
  const Element expected = Element::product({L, S});
  CHECK(distance(x, expected) <= 1e-12);
  CHECK(distance(in_place, expected) <= 1e-12);
  CHECK(distance(v, pair_of(a, b)) == 0.0);
  CHECK(query<ProximalOracle>(*h)->value(x) ==
        doctest::Approx(query<ProximalOracle>(*nuclear)->value(L) + query<ProximalOracle>(*l1)->value(S)));
}

TEST_CASE("separable-sum: conforms over the blocks of a product, and over ranges of a vector") {
  const Words tests{"prox-minimal", "prox-step",        "prox-subgradient", "prox-nonexpansive",
                    "conjugate",    "conjugate-domain", "weak-convexity"};
  check_conformance(both_norms("0.5", "0.3"), kBoth, tests);
  check_conformance(
      penalty("separable-sum", {"lambda=2", "sizes=3 9", "blocks.1.use=mcp", "blocks.1.lambda=0.2",
                                "blocks.2.use=elastic-net", "blocks.2.lambda=0.3"}),
      Shape::vector(12), tests);
  check_conformance(
      penalty("separable-sum", {"lambda=1", "sizes=4 8", "blocks.1.use=l1", "blocks.1.lambda=0.2",
                                "blocks.2.use=group", "blocks.2.lambda=0.3", "blocks.2.groups=4"}),
      Shape::vector(12), tests + Words{"lambda-max"});
}

TEST_CASE("separable-sum: max is the largest of the dual norms, also of tiny and of huge gradients") {
  const auto h = both_norms("0.5", "0.3").make();
  const Values a = normals_of(3), b = normals_of(4);
  const double spectral = dense_svd(6, 5, a).s.front(),
               top = std::abs(*std::ranges::max_element(b, {}, [](double v) { return std::abs(v); }));
  for (const double scale : {1e-250, 1e-8, 1.0, 1e8, 1e250}) {
    Element g = pair_of(a, b);
    g.scale(scale);
    const double max = query<LambdaMax>(*h)->lambda_max(g);
    CHECK(max / scale == doctest::Approx(std::max(spectral, top / 0.3)).epsilon(1e-9));
  }
  CHECK(query<LambdaMax>(*h)->lambda_max(Element(kBoth)) == 0.0);
  const auto ridge = penalty("separable-sum", {"lambda=1", "blocks.1.use=l1", "blocks.1.lambda=1",
                                               "blocks.2.use=ridge", "blocks.2.lambda=1"})
                         .make();
  CHECK(refusal(ErrorKind::usage, [&] {
          (void)query<LambdaMax>(*ridge)->lambda_max(pair_of(a, b));
        }).find("'max' is undefined") != std::string::npos);
}

TEST_CASE("superposition: value and gradient are those of the sum, in every form of the blocks") {
  const Table table(6, 5, 0.7, 1.0);
  const Composition c = compose(build_catalog(), spec_of(table.parted(0.1, 0.5)));
  Objective& f = *c.objective;
  const auto inner =
      compose(build_catalog(), spec_of(Words{"objective.use=matrix-completion"} + table.data("objective.") +
                                       Words{"penalty.use=nuclear", "penalty.lambda=1"}));
  REQUIRE(f.shape() == kBoth);
  const Element low = Element::rank_one(0.7, normals_of(5, 6), normals_of(6, 5));
  const Element sparse = Element::sparse(
      std::make_shared<Pattern>(6, 5, std::vector<std::int32_t>{0, 2, 5}, std::vector<std::int32_t>{1, 1, 4}),
      Buffer(Values{1.0, -2.0, 3.0}));
  const Element dense = Element::dense(kBlock, normals_of(7));
  for (const Element& L : {low, dense, Element(kBlock)})
    for (const Element& S : {sparse, dense, low, Element(kBlock)}) {
      Element x = Element::product({L, S}), y(L);
      y.add(1.0, S);
      for (int moved = 0; moved < 3; ++moved) {  // images follow
        CHECK(f.value(x) == doctest::Approx(inner.objective->value(y)).epsilon(1e-12));
        Element g(kBoth), expected(kBlock);
        f.add_gradient(x, Batch::all(), -2.0, g);
        inner.objective->add_gradient(y, Batch::all(), -2.0, expected);
        CHECK(distance(g, Element::product({expected, expected})) <= 1e-12 * (1.0 + norm(expected)));
        x.blend(0.3, Element::product({low, sparse}));
        y.blend(0.3, low), y.add(0.3, sparse);
      }
    }
}

TEST_CASE("superposition: low rank plus sparse has the minima of the Huber loss, with true gaps") {
  for (const double scale : {1e-8, 1.0, 1e8}) {
    CAPTURE(scale);
    check_both(Table(12, 9, 1.0, scale), 0.1, 0.3);
  }
  check_both(Table(12, 9, 0.6, 1.0), 0.05, 0.3);
  check_both(Table(12, 9, 0.05, 1.0), 0.05, 0.3);  // few entries
  check_both(Table(12, 1, 1.0, 1.0), 0.1, 0.3);    // one column
  check_both(Table(1, 9, 1.0, 1.0), 0.1, 0.3);
  check_both(Table(1, 1, 1.0, 1.0), 0.1, 0.3);
  check_both(Table(12, 9, 1.0, 1.0), 0.1, 10.0);  // S = 0
  check_both(Table(12, 9, 1.0, 1.0), 0.1, 0.01);  // L = 0
}

TEST_CASE("superposition: a table of zeros has the solution 0, and so has a lambda above max") {
  const Table zero(6, 5, 1.0, 0.0), table(6, 5, 0.8, 1.0);
  for (const auto& [words, name] : {std::pair(zero.parted(0.1, 0.3), "zeros"),
                                    std::pair(table.parted(1.001 * table.largest(0.3), 0.3), "above max")}) {
    CAPTURE(name);
    const RunResult result = solve(words + Words{"stop.gap=1e-12", "stop.relative_gap=1e-9"});
    CHECK(is_target(result.status));
    CHECK(norm(result.answer) == 0.0);
  }
  CHECK(norm(solve(table.parted(0.98 * table.largest(0.3), 0.3) + Words{"stop.relative_gap=1e-6"}).answer) >
        0.0);
}

TEST_CASE("superposition: over a product of balls the Frank-Wolfe gap is that of the definition") {
  const Table table(12, 9, 0.8, 1.0);
  for (const std::string use : {"frank-wolfe", "block-coordinate-frank-wolfe", "blended-pairwise"}) {
    CAPTURE(use);
    const Words words =
        Words{"objective.use=superposition"} + table.data("objective.inner.") +
        Words{"set.use=product",          "set.blocks.1.use=nuclear-ball", "set.blocks.1.radius=3",
              "set.blocks.2.use=l1-ball", "set.blocks.2.radius=4",         "algorithm.use=" + use,
              "stop.iterations=300"};
    const Composition c = compose(build_catalog(), spec_of(words));
    const RunResult result = run_composition(c);
    Element g(result.answer.shape());
    c.objective->add_gradient(result.answer.detached(), Batch::all(), 1.0, g);
    const Values G = g.block(0).to_dense();
    double top = 0.0;
    for (const double value : G) top = std::max(top, std::abs(value));
    const double gap = inner(g, result.answer) + 3.0 * dense_svd(12, 9, G).s.front() + 4.0 * top;
    // Or what the bound of an earlier point leaves, if that is less.
    const double known = std::min(gap, result.measurement.value - result.lower_bound);
    CHECK(result.measurement.gap == doctest::Approx(known).epsilon(1e-6));
  }
}

TEST_CASE("superposition: says what it does not take") {
  const Table table(6, 5, 0.8, 1.0);
  CHECK(composing_refused(Words{"data.use=synthetic-regression", "data.rows=20", "data.cols=4",
                                "data.nonzero=2", "objective.use=superposition",
                                "objective.inner.use=linear-model", "objective.inner.intercept=yes"})
            .find("each block would have its own") != std::string::npos);
  CHECK(composing_refused(table.parted(0.1, 0.3) + Words{"objective.parts=3"}).find("for 2 penalties") !=
        std::string::npos);
  for (const std::string use : {"lbfgs", "primal-dual"})
    CHECK(refusal(ErrorKind::usage, [&] {
            (void)solve(table.parted(0.1, 0.3) + Words{"algorithm.use=" + use});
          }).find("expected one matrix or vector") != std::string::npos);
}

}  // namespace claros::test::superposition
