// SPDX-License-Identifier: BSD-3-Clause
// Quadratics on the active set: programs over the weights, and runs that solve them beside the plain steps.
#include <shared/algorithms/active_set.hpp>
#include <shared/algorithms/quadratic_hull.hpp>

#include "../core/test_files.hpp"
#include "estimator_problems.hpp"
#include "trace_for_test.hpp"

namespace claros::test::quadratic_hull {

namespace {

const Words kDirect{"algorithm.corrections=direct"}, kPlain{"algorithm.corrections=pairwise"};

/// M = B'B of m columns of rank at most `rank`, every third one equal to that before it, and b.
struct Program {
  std::size_t m;
  Dense M, b;
  Program(std::uint64_t seed, std::size_t count, std::size_t rank, double scale) : m(count) {
    const Dense numbers = normals(seed, static_cast<Index>(m * (rank + 1)));
    const auto column = [&](std::size_t k, std::size_t i) {
      return numbers[(k % 3 == 2 ? k - 1 : k) * rank + i];
    };
    M.resize(m * m), b.resize(m);
    for (std::size_t j = 0; j < m; ++j) {
      b[j] = scale * numbers[m * rank + (j % 3 == 2 ? j - 1 : j)];
      for (std::size_t k = 0; k < m; ++k) {
        double sum = 0.0;
        for (std::size_t i = 0; i < rank; ++i) sum += column(j, i) * column(k, i);
        M[j * m + k] = scale * sum;
      }
    }
  }
  Dense slopes(const Dense& w) const {
    Dense s(b);
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < m; ++k) s[j] += M[j * m + k] * w[k];
    return s;
  }
};

Words over(const std::string& set, const std::string& algorithm, const Words& more = {}) {
  const Words bounds = set == "box" ? Words{"set.lower=-0.5", "set.upper=0.5"} : Words{"set.radius=3"};
  return Words{"data.use=synthetic-regression",
               "data.rows=120",
               "data.cols=24",
               "data.nonzero=6",
               "objective.use=linear-model",
               "set.use=" + set,
               "algorithm.use=" + algorithm} +
         bounds + more;
}

}  // namespace

TEST_CASE("quadratic hull: a program over the weights ends at a minimum, whatever its rank and scale") {
  for (const std::size_t m : {1, 2, 3, 7, 40, 150})
    for (const std::size_t rank : {1, 3, 60})
      for (const double scale : {1e-16, 1.0, 1e16}) {
        CAPTURE(m);
        CAPTURE(rank);
        CAPTURE(scale);
        const Program p(m + rank, m, rank, scale);
        Dense w(m, 0.0);
        w[0] = 1.0;
        Dense s = p.slopes(w);
        sdk::SimplexProgram program;
        (void)program(p.M, w, s, 1e-9 * scale);
        double sum = 0.0;
        for (const double weight : w) {
          CHECK(weight >= 0.0);
          sum += weight;
        }
        CHECK(sum == doctest::Approx(1.0).epsilon(1e-12));
        const Dense at = p.slopes(w);
        const double gap = sdk::dot(at, w) - *std::ranges::min_element(at);
        CHECK(gap <= 2e-9 * scale);
      }
}

TEST_CASE("quadratic hull: a vertex of few entries is kept as these, and is the same vertex") {
  Dense entries(1000, 0.0);
  entries[17] = 2.0, entries[901] = -1.0;
  const Element array = Element::dense(Shape::matrix(50, 20), entries);
  const sdk::Vertex v(array), again(v.element());
  CHECK(v.is_list());
  CHECK(v.values().size() == 2);
  CHECK(v == again);
  CHECK(distance(v.element().to_dense(), entries) == 0.0);
  const Element g = Element::dense(Shape::matrix(50, 20), normals(3, 1000));
  CHECK(v.product(g) == doctest::Approx(inner(g, array)).epsilon(1e-14));
  CHECK_FALSE(sdk::Vertex(g).is_list());
  CHECK(sdk::Vertex(g).product(g) == doctest::Approx(inner(g, g)).epsilon(1e-14));
}

TEST_CASE("quadratic hull: direct corrections come to the minimum of the pairwise ones, in fewer steps") {
  for (const std::string set : {"simplex", "l1-ball", "box", "l2-ball"})
    for (const std::string algorithm : {"blended-pairwise", "fully-corrective"}) {
      CAPTURE(set + ' ' + algorithm);
      const Words stop{"stop.gap=1e-9", "stop.iterations=20000"};
      const RunResult direct = solve(over(set, algorithm, stop + kDirect)),
                      plain = solve(over(set, algorithm, stop + kPlain));
      CHECK_MESSAGE(direct.status == Status::gap, direct.failure);
      CHECK_MESSAGE(plain.status == Status::gap, plain.failure);
      CHECK(std::abs(direct.measurement.value - plain.measurement.value) <= 2e-9);
      CHECK(direct.violation <= 1e-12);
      CHECK(direct.iterations < plain.iterations);
    }
}

TEST_CASE("quadratic hull: columns that repeat, and data of every scale, end at a confirmed gap") {
  const TestFolder folder;
  for (const double scale : {1e-8, 1.0, 1e8}) {
    const Dense numbers = normals(21, 30 * 5);
    std::string rows;
    for (std::size_t i = 0; i < 30; ++i) {
      Dense row;
      for (std::size_t j = 0; j < 4; ++j)  // each column twice, and their sum
        row.push_back(scale * numbers[5 * i + j]), row.push_back(scale * numbers[5 * i + j]);
      row.push_back(row[0] + row[2]);
      row.push_back(scale * numbers[5 * i + 4]);
      for (std::size_t j = 0; j < row.size(); ++j) rows += (j ? "," : "") + print_real(row[j]);
      rows += '\n';
    }
    folder.put("rows.csv", rows);
    for (const std::string algorithm : {"blended-pairwise", "fully-corrective"}) {
      CAPTURE(scale);
      CAPTURE(algorithm);
      const RunResult r =
          solve(Words{"objective.use=linear-model", "objective.data=" + (folder / "rows.csv").string(),
                      "set.use=simplex", "set.radius=1", "algorithm.use=" + algorithm,
                      "stop.relative_gap=1e-9", "stop.iterations=1000"} +
                kDirect);
      CHECK_MESSAGE(r.status == Status::relative_gap, r.failure);
      CHECK(r.measurement.confirmed);
      CHECK(r.iterations < 100);
    }
  }
}

TEST_CASE("quadratic hull: the weights stay those of a convex combination over 100,000 steps") {
  const Composition c =
      compose(build_catalog(), spec_of(over("simplex", "blended-pairwise", {"stop.iterations=1"})));
  auto& loss = *query<LossOfImage>(*c.objective);
  const Shape shape = c.objective->shape();
  Element x = Element::dense(shape, Dense(static_cast<std::size_t>(shape.size()), 0.125));
  Dense curvature(static_cast<std::size_t>(loss.map()->size()));
  loss.image_curvature(x.image(loss.map()), curvature);
  sdk::QuadraticHull hull;
  hull.start(x, loss.map(), curvature);
  Engine engine(5);
  double worst = 0.0;
  for (int step = 0; step < 100'000; ++step) {
    Dense entries(static_cast<std::size_t>(shape.size()), 0.0), slope(entries);
    entries[engine() % entries.size()] = 3.0;
    for (double& value : slope) value = static_cast<double>(engine() % 1000) - 500.0;
    std::vector<sdk::Vertex> vertex{sdk::Vertex(Element::dense(shape, entries))};
    if (!hull.holds(vertex.front())) hull.add(vertex, {});
    hull.make_scores(Element::dense(shape, slope));  // not of one f: every step moves
    (void)hull.minimise(1e-6);
    double sum = 0.0;
    for (const double w : hull.weights()) sum += w, worst = std::max(worst, -w);
    worst = std::max(worst, std::abs(sum - 1.0));
  }
  CHECK(worst <= 1e-13);
  x = hull.point();
  Dense z(static_cast<std::size_t>(loss.map()->size()));
  const Element bare = Element::dense(shape, x.to_dense());
  loss.map()->apply(1.0, bare, 0.0, z);
  CHECK(distance(z, Dense(x.image(loss.map()).begin(), x.image(loss.map()).end())) <= 1e-11);
}

TEST_CASE("quadratic hull: an active set of pairwise steps goes on from its vertices and weights") {
  const Composition c =
      compose(build_catalog(), spec_of(over("simplex", "blended-pairwise", {"stop.iterations=1"})));
  auto& loss = *query<LossOfImage>(*c.objective);
  const Shape shape = c.objective->shape();
  const auto unit = [&](std::size_t j) {
    Dense e(static_cast<std::size_t>(shape.size()), 0.0);
    e[j] = 3.0;
    return Element::dense(shape, e);
  };
  sdk::QuadraticHull hull;
  hull.start(unit(0), loss.map(), Dense(static_cast<std::size_t>(loss.map()->size()), 1.0));
  std::vector<sdk::Vertex> more{sdk::Vertex(unit(3)), sdk::Vertex(unit(7))};
  hull.add(more, {});
  hull.make_scores(Element::dense(shape, normals(4, shape.size())));
  REQUIRE(hull.minimise(1e-9) > 0.0);
  sdk::ActiveSet set;
  set.start(hull.vertices(), hull.weights(), loss.map());
  const Element x = hull.point();
  Element again(x);
  set.refresh(again);
  CHECK(distance(again.to_dense(), x.to_dense()) <= 1e-14);
  for (Index k = 0; k < set.size(); ++k) CHECK(set.weight(k) > 0.0);
  const auto z = again.image(loss.map());
  Dense made(z.size());
  loss.map()->apply(1.0, Element::dense(shape, x.to_dense()), 0.0, made);
  CHECK(distance(made, Dense(z.begin(), z.end())) <= 1e-12);
}

TEST_CASE("quadratic hull: a resumed run has the same bits, and so has one on two threads") {
  for (const std::string algorithm : {"blended-pairwise", "fully-corrective"})
    for (const std::string set : {"simplex", "box"}) {
      CAPTURE(set + ' ' + algorithm);
      const Words words = over(set, algorithm, kDirect + Words{"stop.iterations=12", "trace.every=5"});
      const Saved saved = solve_and_save(words);
      REQUIRE_MESSAGE(saved.result.failure.empty(), saved.result.failure);
      for (const auto& state : saved.states) check_same(resumed(words, state), saved.result);
      check_same(solve(words + Words{"run.threads=2"}), saved.result);
    }
}

}  // namespace claros::test::quadratic_hull
