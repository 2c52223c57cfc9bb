// SPDX-License-Identifier: BSD-3-Clause
// A box with a bound for each entry: the optimality conditions of a linear model in it by every method that
// takes one, and what is refused.
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

namespace claros::test::entry_bounds {

namespace {

using Numbers = std::vector<double>;

const Words kModel{
    "data.use=synthetic-regression", "data.rows=50",         "data.cols=12", "data.nonzero=6", "data.seed=5",
    "objective.use=linear-model",    "stop.iterations=20000"};
const Numbers kLower{-1, 0, 0.5, -0.2, -3, 0, -0.1, -2, 0, -1, -0.5, 0.25},
    kUpper{1, 0.5, 2, 0.3, -1, 0.1, 0, 4, 1, 1, 0.5, 0.25};

Words bounds_of(const std::string& kind) {
  Words words{kind + ".use=box"};
  for (const std::string& word : kBounds) words.push_back(kind + '.' + word);
  return words;
}

}  // namespace

TEST_CASE(
    "entry bounds: every method finds the point of a box at which no entry can be moved for the better") {
  const std::vector<Words> all{
      bounds_of("penalty") + Words{"algorithm.use=coordinate-descent"},
      bounds_of("penalty") + Words{"algorithm.use=working-set", "algorithm.first=2"},
      bounds_of("penalty") + Words{"algorithm.use=prox-newton"},
      bounds_of("penalty") + Words{"algorithm.use=lbfgs"},
      bounds_of("penalty") + Words{"algorithm.use=proximal-gradient"},
      bounds_of("set") + Words{"algorithm.use=proximal-gradient"},
      bounds_of("set") + Words{"algorithm.use=decomposition-invariant"},
      bounds_of("set") + Words{"algorithm.use=blended-pairwise"},
      bounds_of("set") + Words{"algorithm.use=in-face"},
      Words{"set.use=product", "set.blocks.1.use=box", "set.blocks.1.lowers=-1 0 0.5 -0.2",
            "set.blocks.1.uppers=1 0.5 2 0.3", "set.blocks.2.use=box",
            "set.blocks.2.lowers=-3 0 -0.1 -2 0 -1 -0.5 0.25", "set.blocks.2.uppers=-1 0.1 0 4 1 1 0.5 0.25",
            "set.sizes=4 8", "algorithm.use=block-coordinate-frank-wolfe", "algorithm.direction=pairwise"}};
  for (const Words& words : all) {
    CAPTURE(words.back());
    const RunResult r = solve(kModel + words + Words{"stop.relative_gap=1e-9"});
    CHECK_MESSAGE(r.status == Status::relative_gap, (text(r.status) + r.failure));
    const Numbers x = r.answer.to_dense();
    const Composition c = compose(build_catalog(), spec_of(kModel + words));
    Element g(r.answer.shape());
    c.objective->add_gradient(r.answer.detached(), Batch::all(), 1.0, g);
    const Numbers slope = g.to_dense();
    // A projected step of 1/L lowers f by L/2 times its square at least: it is short where the gap is small.
    const double L = *c.objective->constants().smoothness;
    double square = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      CHECK(x[j] >= kLower[j] - 1e-12);
      CHECK(x[j] <= kUpper[j] + 1e-12);
      square += std::pow(std::clamp(x[j] - slope[j] / L, kLower[j], kUpper[j]) - x[j], 2);
    }
    CHECK(0.5 * L * square <= r.measurement.gap + 1e-13 * r.measurement.value);
  }
}

TEST_CASE(
    "entry bounds: a bound for all stands in for the list that is left out, and faults are named at once") {
  const std::vector<double> v{-2.0, 0.5, 3.0};
  for (const Kind kind : {Kind::set, Kind::penalty}) {
    const Case box{kind, "box", {"lower=-1", "uppers=0 1 2"}};
    const auto made = box.make();
    CHECK(prox(*query<ProximalOracle>(*made), Shape::vector(3), v, 1.0) == Numbers{-1.0, 0.5, 2.0});
    const auto said = [&](const Words& words) {
      const Case wrong{kind, "box", words};
      return complaint([&] { wrong.make(); }, ErrorKind::usage);
    };
    check_mentions(said({"lowers=1 0 3", "uppers=0 1 2"}),
                   {"lowers", "1 and 0 of entry 1", "3 and 2 of entry 3"});
    check_mentions(said({"lowers=1 0", "uppers=2 2 2"}), {"uppers", "3 upper bounds", "2 entries"});
    check_mentions(said({"lowers=1 inf"}), {"lowers", "'inf'"});
    Element x;
    check_mentions(
        complaint([&] { (void)query<ProximalOracle>(*made)->apply(Element(Shape::vector(4)), 1.0, x, {}); },
                  ErrorKind::usage),
        {"uppers", "3 bounds", "4 entries"});
  }
}

}  // namespace claros::test::entry_bounds
