// SPDX-License-Identifier: BSD-3-Clause
// Minimisation over an intersection by linear oracles: its points, its gaps against minima that projections
// find, and what is refused.
#include <claros/sdk/sets/split_set.hpp>

#include <algorithms/split-conditional-gradient/common_point.hpp>

#include "convex_cases.hpp"
#include "trace_for_test.hpp"

namespace claros::test::split {

namespace {

using Values = std::vector<double>;

const Words kSquares{
    "data.use=synthetic-regression", "data.rows=60", "data.cols=12", "data.nonzero=5", "data.seed=4",
    "objective.use=linear-model"};
/// Balls that overlap: the minimum lies on the borders of both.
const Words kBalls{"set.use=intersection", "set.sets.1.use=l1-ball", "set.sets.1.radius=1.2",
                   "set.sets.2.use=l2-ball", "set.sets.2.radius=0.7"};
const Words kOracles{"set.by=oracles"};
const Words kSplit{"algorithm.use=split-conditional-gradient"};

/// The minimum over the intersection, by projections.
double minimum(const Words& problem, const std::string& residual = "1e-9") {
  const RunResult r = solve(problem + Words{"algorithm.use=proximal-gradient", "algorithm.accelerate=yes",
                                            "stop.residual=" + residual, "stop.iterations=20000"});
  REQUIRE(is_target(r.status));
  return r.measurement.value;
}

}  // namespace

TEST_CASE("split-conditional-gradient: a verified gap holds the minimum that projections find") {
  for (const std::string& loss : {std::string("squared"), std::string("logistic"), std::string("huber")})
    for (const std::string& order : {std::string("all"), std::string("cyclic")}) {
      CAPTURE(loss + ' ' + order);
      const Words problem = kSquares + kBalls +
                            Words{"objective.loss=" + loss, std::string("data.response=") +
                                                                (loss == "logistic" ? "logistic" : "linear")};
      const double least = minimum(problem);
      const RunResult r = solve(problem + kOracles + kSplit +
                                Words{"algorithm.order=" + order, "stop.gap=2e-2", "stop.iterations=200000"});
      CHECK_MESSAGE(r.status == Status::gap, text(r.status));
      CHECK(r.measurement.gap_kind == "duality");
      CHECK(r.measurement.confirmed);
      CHECK(r.violation <= 1e-6);
      CHECK(r.measurement.value >= least - 1e-7);
      CHECK(r.measurement.value <= least + 2e-2);
      CHECK(r.measurement.value - r.measurement.gap <= least + 1e-7);
    }
}

TEST_CASE("split-conditional-gradient: gaps on the way are true, and every iterate lies in the set") {
  const double least = minimum(kSquares + kBalls);
  const RunResult r =
      solve(kSquares + kBalls + kOracles + kSplit + Words{"stop.iterations=3000", "trace.every=50"});
  REQUIRE(r.failure.empty());
  REQUIRE(r.trace.size() > 20);
  double first = 0.0, last = 0.0;
  for (const TraceRow& row : r.trace) {
    if (!std::isfinite(row.gap)) continue;
    CHECK(row.value >= least - 1e-7);
    CHECK(row.value - row.gap <= least + 1e-7);
    if (first == 0.0) first = row.gap;
    last = row.gap;
  }
  CHECK(last < 0.2 * first);
  CHECK(r.violation <= 1e-6);
}

TEST_CASE(
    "split-conditional-gradient: one linear minimisation a set and step, or one a step in cyclic order") {
  const RunResult all = solve(kSquares + kBalls + kOracles + kSplit + Words{"stop.iterations=40"});
  CHECK(all.counts.lo == 80);
  CHECK(all.counts.po == 0);
  CHECK(all.counts.sfo == 40 * 60);
  const RunResult cyclic =
      solve(kSquares + kBalls + kOracles + kSplit + Words{"algorithm.order=cyclic", "stop.iterations=40"});
  CHECK(cyclic.counts.lo == 40);
}

TEST_CASE(
    "split-conditional-gradient: over sets without projections, three of them, and to the nearest point") {
  // The nearest point of the simplex of 4 entries with x_1 <= 0.3 and ||x||_2 <= 0.6: by its conditions, from
  // three-operator splittings with the same sets.
  const Words target{"objective.use=distance", "objective.data=0.9 0.5 0.1 -0.2"};
  const Words sets{"set.use=intersection",
                   "set.sets.1.use=simplex",
                   "set.sets.1.radius=1",
                   "set.sets.2.use=polytope",
                   "set.sets.2.program=1 0 0 0 <= 0.3; 0 1 0 0 <= 2; 0 0 1 0 <= 2; 0 0 0 1 <= 2",
                   "set.sets.3.use=l2-ball",
                   "set.sets.3.radius=0.6"};
  const double least = minimum(target + sets, "1e-6");
  const RunResult r =
      solve(target + sets + kOracles + kSplit + Words{"stop.gap=5e-2", "stop.iterations=20000"});
  CHECK_MESSAGE(r.status == Status::gap, text(r.status));
  CHECK(r.measurement.value <= least + 5e-2);
  CHECK(r.measurement.value >= least - 1e-5);
  CHECK(r.violation <= 1e-6);
}

TEST_CASE("split-conditional-gradient: sets without a common point are never a success") {
  const Words apart{"set.use=intersection",      "set.sets.1.use=simplex", "set.sets.1.radius=1",
                    "set.sets.2.use=moved",      "set.sets.2.shift=5",     "set.sets.2.inner.use=l2-ball",
                    "set.sets.2.inner.radius=1", "set.by=oracles"};
  const RunResult r = solve(kSquares + apart + kSplit + Words{"stop.gap=1e3", "stop.iterations=300"});
  CHECK_FALSE(is_target(r.status));
  CHECK(r.violation > 1e-3);
  CHECK_FALSE(r.measurement.confirmed);
}

TEST_CASE("split-conditional-gradient: a run resumed is the same run") {
  for (const Words& more : {Words{}, Words{"algorithm.order=cyclic"}, Words{"algorithm.growth=log"},
                            Words{"algorithm.step=agnostic", "algorithm.penalty=0.3"}}) {
    const Words words = kSquares + kBalls + kOracles + kSplit + more + Words{"stop.iterations=23"};
    const Saved saved = solve_and_save(words, 5);
    REQUIRE(saved.result.failure.empty());
    for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
  }
}

TEST_CASE(
    "split-conditional-gradient: the bound of a split holds for every split, and grows with a bad one") {
  const auto make = [] {
    return set("intersection",
               {"by=oracles", "sets.1.use=l1-ball", "sets.1.radius=1", "sets.2.use=l2-ball",
                "sets.2.radius=0.7", "sets.3.use=box", "sets.3.lower=-0.5", "sets.3.upper=0.6"})
        .make();
  };
  const auto made = make();
  auto* split = query<sdk::SplitSet>(*made);
  auto* conjugate = query<Conjugate>(*made);
  REQUIRE(split != nullptr);
  REQUIRE(conjugate != nullptr);
  CHECK(query<ProximalOracle>(*made) == nullptr);
  CHECK(split->parts().size() == 3);
  // The same sets with projections: far along s, the projection tends to the maximiser of <s, x>.
  const auto projected =
      set("intersection", {"sets.1.use=l1-ball", "sets.1.radius=1", "sets.2.use=l2-ball", "sets.2.radius=0.7",
                           "sets.3.use=box", "sets.3.lower=-0.5", "sets.3.upper=0.6"})
          .make();
  Engine engine(17);
  const Shape shape = Shape::vector(5);
  const auto drawn = [&](double scale) {
    Element x = Element::dense(shape, testing::normals(engine, 5));
    x.scale(scale);
    return x;
  };
  const Element zero = Element::dense(shape, Values(5, 0.0));
  CHECK(conjugate->conjugate(drawn(1.0)) == std::numeric_limits<double>::infinity());
  for (int trial = 0; trial < 30; ++trial) {
    const Element s = drawn(1.0);
    Element far = s, top;
    far.scale(30.0);
    (void)query<ProximalOracle>(*projected)->apply(far, 1.0, top, {});
    const double below = inner(s, top);  // of a point of the set
    for (const double scale : {0.0, 0.3, 10.0}) {
      split->split(zero, {drawn(scale), drawn(scale)});
      const double bound = conjugate->conjugate(s);
      CHECK(bound >= below - 1e-6);
      if (scale == 10.0) CHECK(bound > below + 0.1);
    }
    split->split(zero, {});
    CHECK(conjugate->conjugate(s) == std::numeric_limits<double>::infinity());
  }
}

TEST_CASE("split-conditional-gradient: common points lie in the set, on a segment from a known one") {
  const auto box = set("box", {"lower=0", "upper=1"}).make();
  auto& inside = *query<Membership>(*box);
  const Shape shape = Shape::vector(2);
  const auto at = [&](double a, double b) { return Element::dense(shape, {a, b}); };
  CommonPoint points;
  points.start(inside, {at(2, 2), at(0.5, 0.5), at(0.1, 0.1)});
  REQUIRE(points.is_known());
  bool found = false;
  const Element far = at(2.5, 0.5), near = at(0.9, 0.2), wide = at(0.5, 4.5);
  CHECK(points.nearest({&far}, found).to_dense()[0] == doctest::Approx(1.0).epsilon(1e-9));
  CHECK(found);
  CHECK(inside.violation(points.nearest({&far}, found)) <= 1e-10);
  CHECK(points.nearest({&far, &near}, found).to_dense() == near.to_dense());
  CHECK(points.nearest({&wide, &far}, found).to_dense()[0] == doctest::Approx(1.0).epsilon(1e-9));
  CommonPoint none;
  none.start(inside, {at(2, 2), at(-1, 0)});
  CHECK_FALSE(none.is_known());
  CHECK(none.nearest({&far, &wide}, found).to_dense() == far.to_dense());
  CHECK_FALSE(found);
  CHECK(none.nearest({&far, &near}, found).to_dense() == near.to_dense());
  CHECK(found);
  CHECK(none.learn(near));
  CHECK(none.is_known());
}

TEST_CASE("split-conditional-gradient: what it cannot work on is refused with the reason") {
  check_mentions(composing_refused(kSquares + Words{"set.use=simplex", "set.radius=1"} + kSplit),
                 {"intersection", "linear function over each set"});
  check_mentions(composing_refused(kSquares + kSplit), {"no set is given"});
  check_mentions(complaint(
                     [] {
                       (void)set("intersection", {"by=oracles", "sets.1.use=l2-ball", "sets.1.radius=1",
                                                  "sets.2.use=intersection", "sets.2.sets.1.use=box"})
                           .make();
                     },
                     ErrorKind::usage),
                 {"linear oracle"});
}

}  // namespace claros::test::split
