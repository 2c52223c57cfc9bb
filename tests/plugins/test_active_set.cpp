// SPDX-License-Identifier: BSD-3-Clause
// Frank-Wolfe methods that keep their vertices: away steps, pairwise, blended pairwise, fully corrective.
#include <shared/algorithms/active_set.hpp>
#include <shared/algorithms/oracle_tolerance.hpp>

#include "../core/random_elements.hpp"
#include "estimator_problems.hpp"
#include "trace_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const Words kKeepers{"away-step", "pairwise", "blended-pairwise", "fully-corrective"};
const Words kSquares{"data.use=synthetic-regression", "data.rows=120", "data.cols=24", "data.nonzero=6",
                     "objective.use=linear-model"};

Words over(const std::string& set, const std::string& algorithm, const Words& more = {}) {
  const Words bounds = set == "box" ? Words{"set.lower=-0.5", "set.upper=0.5"} : Words{"set.radius=3"};
  return kSquares + Words{"set.use=" + set, "algorithm.use=" + algorithm} + bounds + more;
}

/// The steps that are those of every loss, where a quadratic one has others.
Words by_steps(const std::string& algorithm) {
  const bool corrects = algorithm == "blended-pairwise" || algorithm == "fully-corrective";
  return corrects ? Words{"algorithm.corrections=pairwise"} : Words{};
}

/// Least squares slope of log10(gap) a row over rows [first, last).
double slope(const std::vector<TraceRow>& rows, std::size_t first, std::size_t last) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = first; k < last; ++k) {
    const double x = static_cast<double>(k), y = std::log10(rows[k].gap);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// The later half's slope of the gap over the earlier's, down to 1e-9: 1 for a geometric rate, 0 for one that
/// ends.
double straightness(const std::vector<TraceRow>& trace) {
  std::vector<TraceRow> rows;
  for (const TraceRow& r : trace)
    if (r.gap > 1e-9) rows.push_back(r);
  REQUIRE(rows.size() >= 12);
  const std::size_t half = rows.size() / 2;
  return slope(rows, half, rows.size()) / slope(rows, 1, half);
}

}  // namespace

TEST_CASE("active set: they come to the minimum that projected gradient finds, over sets of all kinds") {
  for (const std::string set : {"simplex", "l1-ball", "box", "l2-ball"})
    for (const std::string loss : {"squared", "logistic", "huber"}) {
      const Words more{"objective.loss=" + loss,
                       "data.response=" + std::string(loss == "logistic" ? "logistic" : "linear")};
      const RunResult reference =
          solve(over(set, "proximal-gradient", more + Words{"stop.gap=1e-10", "stop.iterations=20000"}));
      for (const std::string& algorithm : kKeepers)
        for (const std::string lazy : {"0", "0.5"}) {
          if (algorithm == "fully-corrective" && lazy == "0") continue;
          CAPTURE(set + ' ' + loss + ' ' + algorithm + ' ' + lazy);
          const RunResult r =
              solve(over(set, algorithm,
                         more + Words{"algorithm.lazy=" + lazy, "stop.gap=1e-8", "stop.iterations=20000"}));
          CHECK_MESSAGE(is_target(r.status), text(r.status));
          CHECK(r.measurement.confirmed);
          CHECK(std::abs(r.measurement.value - reference.measurement.value) <= 2e-8);
        }
    }
}

TEST_CASE("active set: over a polytope the gap falls geometrically, where that of Frank-Wolfe does not") {
  const Words look{"algorithm.step=line-search", "trace.every=1", "stop.gap=1e-10", "stop.iterations=400"};
  for (const std::string set : {"simplex", "l1-ball"})
    for (const std::string algorithm : {"away-step", "pairwise", "blended-pairwise"}) {
      CAPTURE(set + ' ' + algorithm);
      const RunResult r = solve(over(set, algorithm, look + by_steps(algorithm) + Words{"algorithm.lazy=0"}));
      CHECK(is_target(r.status));
      CHECK(straightness(r.trace) > 0.4);
    }
  for (const std::string set : {"simplex", "l1-ball"}) {
    CHECK(is_target(solve(over(set, "fully-corrective", look)).status));
    const RunResult plain = solve(over(set, "frank-wolfe", look));
    CHECK(plain.status == Status::iterations);
    CHECK(plain.measurement.gap > 1e-6);
  }
}

TEST_CASE("active set: lazily they make fewer linear minimisations, and of a linear model fewer passes") {
  for (const std::string algorithm : {"away-step", "pairwise", "blended-pairwise"}) {
    CAPTURE(algorithm);
    const Words stop = by_steps(algorithm) + Words{"stop.gap=1e-8", "stop.iterations=5000"};
    const RunResult eager = solve(over("simplex", algorithm, stop + Words{"algorithm.lazy=0"})),
                    lazy = solve(over("simplex", algorithm, stop));
    CHECK(is_target(lazy.status));
    CHECK(2 * lazy.counts.lo < eager.counts.lo);
    CHECK(2 * lazy.counts.sfo < eager.counts.sfo);
  }
  // Where f is not a loss of A x every step has its gradient, and some steps have no vertex of the oracle.
  const SmallProblem entries(31, 30, 20, 2, 300);
  const RunResult r =
      solve(entries.objective() + Words{"set.use=l1-ball", "set.radius=20", "algorithm.use=blended-pairwise",
                                        "stop.iterations=200"});
  CHECK(r.iterations == 200);
  CHECK(r.counts.lo < 150);
}

TEST_CASE("active set: interrupted at any step they go on to the same bits") {
  for (const std::string& algorithm : kKeepers)
    for (const std::string loss : {"squared", "logistic"}) {
      const Words words =
          over("l1-ball", algorithm,
               by_steps(algorithm) +
                   Words{"objective.loss=" + loss,
                         "data.response=" + std::string(loss == "logistic" ? "logistic" : "linear"),
                         "stop.iterations=40", "trace.every=7"});
      const Saved saved = solve_and_save(words);
      REQUIRE_MESSAGE(saved.result.failure.empty(), saved.result.failure);
      for (std::size_t k = 0; k < saved.states.size(); k += 5)
        check_same(resumed(words, saved.states[k]), saved.result);
    }
}

TEST_CASE("active set: the point is the sum of its vertices, whose weights sum to 1") {
  const Shape shape = Shape::matrix(30, 2);
  const Dense numbers = normals(5, 60 * 6);
  const auto array = [&](std::size_t k) {
    return Element::dense(shape, Dense(numbers.begin() + static_cast<std::ptrdiff_t>(60 * k),
                                       numbers.begin() + static_cast<std::ptrdiff_t>(60 * (k + 1))));
  };
  const auto unit = [&](std::size_t j) {
    Dense e(60, 0.0);
    e[j] = 2.5;
    return Element::dense(shape, e);
  };
  sdk::ActiveSet set;
  Element x = array(0);
  set.start(x, nullptr);
  const auto check = [&] {
    Dense sum(60, 0.0);
    double total = 0.0;
    for (Index k = 0; k < set.size(); ++k) {
      const Dense v = set.vertex(k).element().to_dense();
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += set.weight(k) * v[j];
      total += set.weight(k);
      CHECK(set.weight(k) > 0.0);
    }
    CHECK(total == doctest::Approx(1.0).epsilon(1e-14));
    CHECK(distance(sum, x.to_dense()) <= 1e-13);
  };
  set.toward(set.find_or_add(unit(3)), 0.5, x), check();
  set.toward(set.find_or_add(array(1)), 0.25, x), check();
  CHECK(set.find_or_add(unit(3)) == 1);   // the same entries
  CHECK(set.find_or_add(array(1)) == 2);  // the same array
  CHECK(set.size() == 3);
  set.exchange(1, 2, 0.1, x), check();
  set.away(0, 0.5 * set.longest_away(0), x), check();
  CHECK(set.size() == 3);
  set.exchange(2, set.find_or_add(unit(59)), set.weight(2), x), check();
  CHECK(set.size() == 3);  // one came, one went
  set.away(0, set.longest_away(0), x), check();
  CHECK(set.size() == 2);
  set.refresh(x), check();
  set.toward(1, 1.0, x), check();
  CHECK(set.size() == 1);
}

TEST_CASE("active set: over vertices of entries >= 0 no entry of a point is below 0, not even by rounding") {
  struct Over {
    Words set;
    int entries;
    bool product = false;
  };
  const std::vector<Over> sets{
      {{"set.use=simplex", "set.radius=1"}, 12},
      {{"set.use=simplex", "set.radius=1e-9"}, 12},
      {{"set.use=box", "set.lower=0", "set.upper=0.1"}, 12},
      {{"set.use=flow", "set.graph=1 2; 1 3; 2 3; 2 4; 3 4; 3 5; 4 5; 2 5; 1 4"}, 9},
      {{"set.use=cached", "set.inner.use=simplex", "set.inner.radius=1"}, 12},
      {{"set.use=moved", "set.factor=0.1", "set.inner.use=simplex", "set.inner.radius=3"}, 12},
      {{"set.use=matroid-base", "set.rank=4"}, 12},
      {{"set.use=product", "set.sizes=5 7", "set.blocks.1.use=simplex", "set.blocks.1.radius=1",
        "set.blocks.2.use=simplex", "set.blocks.2.radius=2"},
       12,
       true}};
  std::vector<Words> algorithms{{"algorithm.use=frank-wolfe"},
                                {"algorithm.use=decomposition-invariant"},
                                {"algorithm.use=in-face"},
                                {"algorithm.use=block-coordinate-frank-wolfe", "algorithm.direction=away"}};
  for (const std::string& name : kKeepers)
    algorithms.push_back(Words{"algorithm.use=" + name} + by_steps(name));
  algorithms.push_back({"algorithm.use=blended-pairwise"});
  Engine engine(41);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> even(0.5, 2.0);
  int runs = 0;
  for (const Over& over : sets)
    for (int trial = 0; trial < 4; ++trial) {
      std::string diagonal, linear;
      for (int k = 0; k < over.entries; ++k) {
        diagonal += print_real(even(engine)) + " ";
        linear += print_real(0.3 * normal(engine)) + " ";
      }
      for (const Words& algorithm : algorithms) {
        CAPTURE(over.set.front());
        CAPTURE(algorithm.front());
        const Words words = Words{"objective.use=quadratic",    "objective.diagonal=" + diagonal,
                                  "objective.linear=" + linear, "stop.relative_gap=1e-9",
                                  "stop.iterations=400",        "trace.every=1"} +
                            over.set + algorithm;
        if (composing_refused(words) != "accepted") continue;
        const RunResult r = solve(words);
        REQUIRE_MESSAGE(!is_trouble(r.status), r.failure);
        for (const double entry : r.answer.to_dense()) CHECK(entry >= 0.0);
        ++runs;
      }
    }
  CHECK(runs >= 150);
}

TEST_CASE("active set: over the doubly stochastic matrices no entry is below 0") {
  Engine engine(42);
  std::uniform_real_distribution<double> even(0.0, 1.0);
  for (int trial = 0; trial < 3; ++trial) {
    std::string y;
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) y += print_real(even(engine)) + (j < 7 ? " " : "; ");
    for (const std::string& name : kKeepers)
      for (const Words& steps : {by_steps(name), Words{}}) {
        CAPTURE(name);
        const RunResult r =
            solve(Words{"objective.use=distance", "objective.data=" + y, "set.use=birkhoff",
                        "algorithm.use=" + name, "stop.relative_gap=1e-7", "stop.iterations=2000"} +
                  steps);
        for (const double entry : r.answer.to_dense()) CHECK(entry >= 0.0);
      }
  }
}

TEST_CASE("active set: of a quadratic the scores that follow the steps are those made anew") {
  const Composition c =
      compose(build_catalog(), spec_of(over("simplex", "blended-pairwise", {"stop.iterations=1"})));
  auto* loss = query<LossOfImage>(*c.objective);
  REQUIRE(loss);
  REQUIRE(loss->is_quadratic());
  const Shape shape = c.objective->shape();
  Dense curvature(loss->map()->size());
  Element x(shape);
  loss->image_curvature(x.image(loss->map()), curvature);
  sdk::ActiveSet set;
  set.start(x, loss->map(), curvature);
  const auto gradient = [&](const Element& at) {
    Element g(shape);
    c.objective->add_gradient(at, Batch::all(), 1.0, g);
    return g;
  };
  const auto score = [&] {
    const Element g = gradient(x);
    set.make_scores([&](Index k) { return set.vertex(k).product(g); });
  };
  const auto unit = [&](std::size_t j, double value) {
    Dense e(static_cast<std::size_t>(shape.size()), 0.0);
    e[j] = value;
    return Element::dense(shape, e);
  };
  score();
  Engine engine(8);
  for (int step = 0; step < 60; ++step) {
    const Element v = unit(engine() % 12, engine() % 2 ? 3.0 : -1.0);
    const Index to = set.find_or_add(v, inner(gradient(x), v)),
                from = static_cast<Index>(engine() % static_cast<std::uint64_t>(set.size()));
    const double share = engine() % 4 ? 0.3 : 1.0;
    if (step % 3 == 0) set.toward(to, 0.2, x);
    if (step % 3 == 1 && from != to) set.exchange(from, to, share * set.weight(from), x);
    if (step % 3 == 2 && set.weight(from) < 0.9) set.away(from, share * set.longest_away(from), x);
    REQUIRE(set.is_scored());
    const Element g = gradient(x);
    for (Index k = 0; k < set.size(); ++k)
      CHECK(set.score(k) == doctest::Approx(set.vertex(k).product(g)).epsilon(1e-9));
    CHECK(set.score_of_point() == doctest::Approx(inner(g, x)).epsilon(1e-9));
  }
}

TEST_CASE(
    "active set: near a multiple of the identity, whose singular values are alike, gaps are met all the "
    "same") {
  Engine engine(84);
  for (const auto& [side, noise] : {std::pair<Index, double>{6, 1e-3}, {6, 0.0}, {4, 1e-2}}) {
    std::string data;
    for (Index i = 0; i < side; ++i) {
      const std::vector<double> row = testing::normals(engine, side);
      for (Index j = 0; j < side; ++j) data += print_real((i == j) + noise * row[at(j)]) + ' ';
      data += ';';
    }
    const Words problem{"objective.use=distance", "objective.data=" + data, "set.use=nuclear-ball",
                        "set.radius=" + print_real(0.5 * static_cast<double>(side))};
    const double least =
        solve(problem + Words{"algorithm.use=proximal-gradient", "stop.gap=1e-10"}).measurement.value;
    for (const auto& [algorithm, gap] : {std::pair{"away-step", 1e-4},
                                         {"blended-pairwise", 1e-4},
                                         {"pairwise", 1e-4},
                                         {"frank-wolfe", 1e-3}}) {
      CAPTURE(algorithm);
      const RunResult r = solve(problem + Words{std::string("algorithm.use=") + algorithm,
                                                "stop.gap=" + print_real(gap), "stop.iterations=12000"});
      CHECK_MESSAGE(r.status == Status::gap, text(r.status));
      CHECK(r.measurement.value - r.measurement.gap <= least);
      CHECK(r.measurement.value <= least + gap);
    }
  }
}

TEST_CASE("active set: an oracle whose error exceeds the gap is asked again, an exact one never") {
  /// min over u in [-1, 1] of c u, found to the tolerance that is asked for.
  class Loose final : public LinearOracle {
   public:
    explicit Loose(bool exact) : exact_(exact) {}
    OracleInfo minimize(const Element& c, const OracleRequest& request, Element& v) override {
      ++calls;
      const double share = exact_ ? 0.0 : request.tolerance, size = norm(c);
      v = Element::dense(c.shape(), {c.to_dense().front() > 0.0 ? share - 1.0 : 1.0 - share});
      return {.value = -(1.0 - share) * size, .lower_bound = -size};
    }
    double diameter(const Shape&) override { return 2.0; }
    int calls = 0;

   private:
    bool exact_;
  };
  const Shape one = Shape::vector(1);
  const Element g = Element::dense(one, {3.0});
  Element v;
  for (const double gap : {1.0, 1e-2, 1e-6, 0.0}) {  // of the exact vertex, as a share of |min <g, u>|
    Loose loose(false), exact(true);
    sdk::OracleTolerance of_loose(0.02), of_exact(0.02);
    const double at_x = -3.0 + 3.0 * gap;
    const OracleInfo info = of_loose.minimize(loose, g, at_x, v);
    CHECK(info.value - info.lower_bound <= std::max(at_x - info.value, 3.1e-10));
    CHECK((loose.calls > 1) == (gap < 0.04));
    (void)of_exact.minimize(exact, g, at_x, v);
    CHECK(exact.calls == 1);
    CHECK(of_exact.now() == 0.02);
  }
}

TEST_CASE("active set: estimates are refused") {
  CHECK(composing_refused(over("simplex", "pairwise", {"estimator.use=sg", "stop.iterations=3"}))
            .find("vertex to leave") != std::string::npos);
}
