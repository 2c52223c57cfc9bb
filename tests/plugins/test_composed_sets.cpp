// SPDX-License-Identifier: BSD-3-Clause
// Products of sets, and sets that are scaled and moved: what they answer is what their parts answer; a run
// over them, resumed too.
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

namespace claros::test::composed_sets {

namespace {

using Values = std::vector<double>;

Composition composed(const Words& words) {
  return compose(build_catalog(),
                 spec_of(Words{"data.use=synthetic-regression", "data.rows=40", "data.cols=12",
                               "data.nonzero=3", "data.seed=4", "objective.use=linear-model"} +
                         words));
}

const Words kBlocks{"set.use=product",          "set.blocks.1.use=simplex", "set.blocks.1.radius=2",
                    "set.blocks.2.use=box",     "set.blocks.2.lower=-0.25", "set.blocks.2.upper=0.5",
                    "set.blocks.3.use=l2-ball", "set.blocks.3.radius=0.75"};

std::string composing(const Words& words) {
  return complaint(
      [&] {
        const Composition c =
            composed(words + Words{"algorithm.use=frank-wolfe", "estimator.use=full", "stop.iterations=2"});
        (void)run_composition(c, [](RunSettings&) {});
      },
      ErrorKind::usage);
}

/// The set of a composition of a variable of 12 entries.
struct Made {
  explicit Made(const Words& words)
      : composition(
            composed(words + Words{"algorithm.use=frank-wolfe", "estimator.use=full", "stop.iterations=1"})) {
  }
  Problem problem() const { return composition.problem(); }
  Composition composition;
};

}  // namespace

TEST_CASE("product: a bound is confirmed where it is in every part") {
  const Made made(Words{"set.use=product", "set.blocks.1.use=nuclear-ball", "set.blocks.1.radius=2",
                        "set.blocks.1.engine=lanczos", "set.blocks.2.use=simplex", "set.blocks.2.radius=1",
                        "set.sizes=3x3 3"});
  Engine engine(62);
  const Element c = Element::dense(Shape::vector(12), testing::normals(engine, 12));
  Element corner;
  CHECK_FALSE(made.problem().linear_oracle->minimize(c, {0.5, false}, corner).confirmed);
  CHECK(made.problem().linear_oracle->minimize(c, {1e-6, true}, corner).confirmed);
}

TEST_CASE(
    "product: its lower bound is the sum of its parts' bounds, which a loose oracle states below its value") {
  const Words ball{"use=nuclear-ball", "radius=2", "engine=lanczos"};
  Words words{"set.use=product", "set.sizes=3x2 3x2"};
  for (const std::string block : {"set.blocks.1.", "set.blocks.2."})
    for (const std::string& word : ball) words.push_back(block + word);
  const Made made(words);
  Engine engine(63);
  const Values c = testing::normals(engine, 12);
  double value = 0.0, bound = 0.0;
  for (std::size_t k = 0; k < 2; ++k) {
    const std::shared_ptr<Component> part = set("nuclear-ball", {"radius=2", "engine=lanczos"}).make();
    const Values piece(c.begin() + static_cast<std::ptrdiff_t>(6 * k),
                       c.begin() + static_cast<std::ptrdiff_t>(6 * (k + 1)));
    Element corner;
    const OracleInfo info =
        query<LinearOracle>(*part)->minimize(Element::dense(Shape::matrix(3, 2), piece), {0.9, true}, corner);
    value += info.value, bound += info.lower_bound;
  }
  Element corner;
  const OracleInfo info =
      made.problem().linear_oracle->minimize(Element::dense(Shape::vector(12), c), {0.9, true}, corner);
  CHECK(bound < value);
  CHECK(info.lower_bound == doctest::Approx(bound).epsilon(1e-13));
  CHECK(info.lower_bound < info.value);
}

TEST_CASE("moved: the error of its projection is that of the other set's, scaled") {
  const Words inner{"set.inner.use=intersection", "set.inner.sets.1.use=l1-ball", "set.inner.sets.1.radius=1",
                    "set.inner.sets.2.use=l2-ball", "set.inner.sets.2.radius=0.6"};
  const Words projected{"algorithm.use=proximal-gradient", "estimator.use=full", "stop.iterations=1"};
  const Composition made = composed(Words{"set.use=moved", "set.factor=-1000"} + inner + projected);
  const Composition alone =
      composed(Words{"set.use=intersection", "set.sets.1.use=l1-ball", "set.sets.1.radius=1",
                     "set.sets.2.use=l2-ball", "set.sets.2.radius=0.6"} +
               projected);
  Engine engine(64);
  Values v = testing::normals(engine, 12), far = v;
  for (double& entry : far) entry *= -1000.0;
  Element near, there;
  const Accuracy accuracy{.tolerance = 1e-3};
  const Certificate of_inner =
      alone.problem().projection->apply(Element::dense(Shape::vector(12), v), 1.0, near, accuracy);
  const Certificate of_moved =
      made.problem().projection->apply(Element::dense(Shape::vector(12), far), 1.0, there, accuracy);
  REQUIRE(of_inner.error > 0.0);
  CHECK(of_moved.error == doctest::Approx(1000.0 * of_inner.error).epsilon(1e-6));
}

TEST_CASE("product: corners, projections, support, membership and diameter are those of the parts") {
  Engine engine(61);
  const Made made(kBlocks + Words{"set.sizes=3 2x2 5"});
  const Problem p = made.problem();
  const Shape shape = Shape::vector(12);
  const std::vector<Case> parts{set("simplex", {"radius=2"}), set("box", {"lower=-0.25", "upper=0.5"}),
                                set("l2-ball", {"radius=0.75"})};
  const std::vector<Index> sizes{3, 4, 5};
  double square = 0.0;
  for (int trial = 0; trial < 20; ++trial) {
    const Values c = testing::normals(engine, 12);
    Element corner, near;
    const OracleInfo info = p.linear_oracle->minimize(Element::dense(shape, c), {}, corner);
    (void)query<ProximalOracle>(*p.set)->apply(Element::dense(shape, c), 1.0, near, {});
    CHECK(info.confirmed);
    CHECK(info.value == doctest::Approx(dot(c, corner.to_dense())));
    CHECK(info.lower_bound == doctest::Approx(info.value));
    Values expected_corner, expected_near;
    auto at = c.begin();
    square = 0.0;
    double violation = 0.0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Values piece(at, at + sizes[k]);
      at += sizes[k];
      const auto part = parts[k].make();
      const Shape some = Shape::vector(sizes[k]);
      Element x;
      query<LinearOracle>(*part)->minimize(Element::dense(some, piece), {}, x);
      const Values v = x.to_dense(), n = prox(*query<ProximalOracle>(*part), some, piece, 1.0);
      expected_corner.insert(expected_corner.end(), v.begin(), v.end());
      expected_near.insert(expected_near.end(), n.begin(), n.end());
      square += std::pow(query<LinearOracle>(*part)->diameter(some), 2);
      violation = std::max(violation, query<Membership>(*part)->violation(Element::dense(some, piece)));
    }
    CHECK(corner.to_dense() == expected_corner);
    CHECK(near.to_dense() == expected_near);
    CHECK(query<Membership>(*p.set)->violation(Element::dense(shape, c)) == violation);
  }
  CHECK(p.linear_oracle->diameter(shape) == doctest::Approx(std::sqrt(square)));
}

TEST_CASE(
    "product and moved: Frank-Wolfe and projected gradient come to the same minimum, and a run resumed is "
    "the same run") {
  const Words inner{"set.use=moved", "set.factor=-2", "set.shift=0.5", "set.inner.use=l1-ball",
                    "set.inner.radius=0.4"};
  for (const Words& words : {kBlocks + Words{"set.sizes=3 4 5"}, inner}) {
    const auto ended = [&](const Words& more) {
      const Composition c =
          composed(words + more + Words{"estimator.use=full", "stop.iterations=200000", "stop.gap=1e-3"});
      return run_composition(c, [](RunSettings&) {});
    };
    const RunResult vertices = ended({"algorithm.use=frank-wolfe", "algorithm.step=line-search"}),
                    steps = ended({"algorithm.use=proximal-gradient", "algorithm.accelerate=yes"});
    CHECK(is_target(vertices.status));
    CHECK(is_target(steps.status));
    CHECK(std::abs(vertices.measurement.value - steps.measurement.value) <= 1e-3);
    const Saved saved = solve_and_save(
        Words{"data.use=synthetic-regression", "data.rows=40", "data.cols=12", "data.nonzero=3",
              "data.seed=4", "objective.use=linear-model"} +
        words + Words{"algorithm.use=frank-wolfe", "estimator.use=svrg", "stop.iterations=12"});
    REQUIRE(saved.result.failure.empty());
    for (const std::string& state : saved.states)
      check_same(
          resumed(Words{"data.use=synthetic-regression", "data.rows=40", "data.cols=12", "data.nonzero=3",
                        "data.seed=4", "objective.use=linear-model"} +
                      words + Words{"algorithm.use=frank-wolfe", "estimator.use=svrg", "stop.iterations=12"},
                  state),
          saved.result);
  }
}

TEST_CASE("moved: a small set far from 0 is solved as its digits allow, or refused, and blamed for nothing") {
  for (const std::string shift : {"1", "1e3", "1e6", "1e9", "1e12"})
    for (const std::string factor : {"1e-12", "1e-9", "1e-6", "1e-3", "1"})
      for (const Words& inner : {Words{"use=box"}, Words{"use=l1-ball", "radius=1"},
                                 Words{"use=moved", "factor=0.5", "inner.use=simplex", "inner.radius=1"}})
        for (const std::string algorithm : {"frank-wolfe", "away-step", "proximal-gradient"}) {
          Words words{"objective.use=distance", "objective.data=900 1000 1100", "set.use=moved",
                      "set.factor=" + factor,   "set.shift=" + shift,           "algorithm.use=" + algorithm,
                      "stop.relative_gap=1e-6", "stop.iterations=200"};
          for (const std::string& word : inner) words.push_back("set.inner." + word);
          CAPTURE(words);
          const double digits = parse_real(factor) / parse_real(shift);
          try {
            const RunResult r = solve(words);
            CHECK_MESSAGE((r.failure.empty() || r.failure_kind != ErrorKind::plugin), r.failure);
            CHECK(digits > 1e-13);
            if (digits > 1e-10) CHECK_MESSAGE(r.failure.empty(), r.failure);
          } catch (const Error& error) {
            CHECK(error.kind() == ErrorKind::usage);
            CHECK_MESSAGE(std::string(error.what()).find("too few digits") != std::string::npos,
                          error.what());
            CHECK(digits < 1e-9);
          }
        }
}

TEST_CASE("sets: one whose diameter overflows is refused for its numbers") {
  for (const Words& set :
       {Words{"set.use=box", "set.lower=-1e308", "set.upper=1e308"},
        Words{"set.use=l1-ball", "set.radius=1e308"}, Words{"set.use=l2-ball", "set.radius=1e308"}}) {
    const RunResult r = solve(Words{"objective.use=distance", "objective.data=1 2 3"} + set);
    CAPTURE(set);
    if (r.failure.empty()) continue;
    CHECK(r.failure_kind == ErrorKind::numerical);
    CHECK(r.failure.find("smaller") != std::string::npos);
  }
}

TEST_CASE("product and moved: what does not fit is refused with the reason") {
  check_mentions(composing(kBlocks + Words{"set.sizes=3 4"}), {"2 sizes for 3 sets"});
  check_mentions(composing(kBlocks + Words{"set.sizes=3 4 4"}), {"11 entries", "12"});
  check_mentions(composing(kBlocks + Words{"set.sizes=3 4 5y"}), {"'5y'", "not a size"});
  check_mentions(composing({"set.use=product"}), {"blocks"});
  check_mentions(composing({"set.use=moved", "set.factor=0", "set.inner.use=simplex", "set.inner.radius=1"}),
                 {"set.factor", "one point"});
  check_mentions(composing({"set.use=moved", "set.shift=1 2", "set.inner.use=simplex", "set.inner.radius=1"}),
                 {"2 numbers of the shift", "12 entries"});
}

}  // namespace claros::test::composed_sets
