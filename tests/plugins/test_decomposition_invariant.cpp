// SPDX-License-Identifier: BSD-3-Clause
// Minimal faces of polytopes against all of their vertices, a step against its definition, and minima against
// those of other methods.
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

#include <claros/host.hpp>

#include <numeric>

namespace claros::test::decomposition_invariant {

namespace {

using Numbers = std::vector<double>;

/// A polytope by its vertices, of which each point that is tested is a combination.
struct Polytope {
  std::string set;
  Words settings;
  Shape shape;
  std::vector<Numbers> vertices;
  Case made() const { return test::set(set, settings); }
};

std::vector<Numbers> permutations(std::size_t n) {
  std::vector<std::size_t> to(n);
  std::iota(to.begin(), to.end(), std::size_t{0});
  std::vector<Numbers> all;
  do {
    all.emplace_back(n * n, 0.0);
    for (std::size_t j = 0; j < n; ++j) all.back()[j * n + to[j]] = 1.0;
  } while (std::next_permutation(to.begin(), to.end()));
  return all;
}

std::vector<Polytope> polytopes() {
  std::vector<Numbers> units, corners, signed_units, pairs, products, moved;
  for (std::size_t j = 0; j < 4; ++j) units.emplace_back(4, 0.0), units.back()[j] = 2.5;
  for (unsigned bits = 0; bits < 8; ++bits) {
    corners.emplace_back();
    for (unsigned j = 0; j < 3; ++j) corners.back().push_back(bits >> j & 1U ? 3.0 : -1.0);
  }
  std::vector<Numbers> uneven;
  for (const double one : {-1.0, 3.0})
    for (const double three : {2.0, 2.5}) uneven.push_back({one, 0.0, three});
  for (std::size_t j = 0; j < 3; ++j)
    for (const double end : {-0.5, 0.5}) signed_units.emplace_back(3, 0.0), signed_units.back()[j] = end;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j) pairs.emplace_back(4, 0.0), pairs.back()[i] = pairs.back()[j] = 1.0;
  std::vector<Numbers> capped;
  Numbers shares{0.0, 0.5, 1.0, 1.0};
  do capped.push_back(shares);
  while (std::next_permutation(shares.begin(), shares.end()));
  for (unsigned bits = 0; bits < 8; ++bits) {
    const double one = bits & 1U;
    products.push_back({one, 1.0 - one, bits & 2U ? 1.0 : 0.0, bits & 4U ? 1.0 : 0.0});
  }
  // One unit from the first row; the second has the rest.
  std::vector<Numbers> plans;
  for (std::size_t j = 0; j < 3; ++j) {
    plans.push_back({0, 1, 0, 1, 0, 1});
    plans.back()[2 * j] = 1.0;
    plans.back()[2 * j + 1] = 0.0;
  }
  for (std::size_t j = 0; j < 3; ++j) moved.push_back({1.0, 0.0, 0.5}), moved.back()[j] -= 2.0;
  return {{"simplex", {"radius=2.5"}, Shape::vector(4), units},
          {"simplex", {"radius=2.5", "upper=1"}, Shape::vector(4), capped},
          {"box", {"lower=-1", "upper=3"}, Shape::vector(3), corners},
          {"box", {"lowers=-1 0 2", "uppers=3 0 2.5"}, Shape::vector(3), uneven},
          {"birkhoff", {}, Shape::matrix(3, 3), permutations(3)},
          {"l1-ball", {"radius=0.5"}, Shape::vector(3), signed_units},
          {"matroid-base", {"rank=2"}, Shape::vector(4), pairs},
          {"transport", {"rows=1 2", "columns=1 1 1"}, Shape::matrix(2, 3), plans},
          {"flow",
           {"graph=1 2; 1 3; 2 4; 3 4; 2 3"},
           Shape::vector(5),
           {{1, 0, 1, 0, 0}, {0, 1, 0, 1, 0}, {1, 0, 0, 1, 1}}},
          {"product",
           {"blocks.1.use=simplex", "blocks.1.radius=1", "blocks.2.use=box"},
           Shape::vector(4),
           products},
          {"moved",
           {"factor=-2", "shift=1 0 0.5", "inner.use=simplex", "inner.radius=1"},
           Shape::vector(3),
           moved}};
}

/// Of a point x: the vertices v with x + b (x - v) in C for some b > 0.
std::vector<Numbers> face_of(const Polytope& p, Membership& membership, const Numbers& x) {
  constexpr double kStep = 1e-4;
  std::vector<Numbers> face;
  for (const Numbers& v : p.vertices)
    if (membership.violation(Element::dense(p.shape, combined(1.0 + kStep, x, -kStep, v))) < 1e-12)
      face.push_back(v);
  return face;
}

}  // namespace

TEST_CASE("decomposition-invariant: the worst vertex of the face, and how far a step away from it leads") {
  Engine engine(71);
  for (const Polytope& p : polytopes()) {
    CAPTURE(p.set);
    const auto C = p.made().make();
    auto& membership = *query<Membership>(*C);
    const auto count = static_cast<unsigned>(p.vertices.size());
    for (unsigned bits = 1; bits < (1U << count); ++bits) {
      CAPTURE(bits);
      Numbers x(p.vertices.front().size(), 0.0);
      double total = 0.0;
      for (unsigned k = 0; k < count; ++k)
        if (bits >> k & 1U) total += 1.0 + k;
      for (unsigned k = 0; k < count; ++k)
        if (bits >> k & 1U) x = combined(1.0, x, (1.0 + k) / total, p.vertices[k]);
      const Numbers g = testing::normals(engine, static_cast<Index>(x.size()));
      const std::vector<Numbers> face = face_of(p, membership, x);
      double most = -kInfinity;
      for (const Numbers& v : face) most = std::max(most, dot(g, v));
      Element a;
      const FaceInfo info =
          query<Faces>(*C)->away(Element::dense(p.shape, g), Element::dense(p.shape, x), {}, a);
      const Numbers worst = a.to_dense();
      CHECK(info.value == doctest::Approx(most));
      CHECK(dot(g, worst) == doctest::Approx(most));
      CHECK(std::ranges::find(face, worst) != face.end());
      CHECK(info.whole == (face.size() == p.vertices.size()));
      CHECK((info.longest == 0.0) == (face.size() == 1));
      const auto beyond = [&](double b) {
        return membership.violation(Element::dense(p.shape, combined(1.0 + b, x, -b, worst)));
      };
      CHECK(beyond(info.longest) <= 1e-12);
      if (face.size() > 1) CHECK(beyond(1.02 * info.longest) > 1e-6);
    }
  }
}

TEST_CASE("decomposition-invariant: faces of points that are not finite, and of directions of every size") {
  for (const Polytope& p : polytopes()) {
    CAPTURE(p.set);
    const auto C = p.made().make();
    const Numbers& x = p.vertices.front();
    Element a;
    for (const double scale : {0.0, 1e-300, 1e300}) {
      const Numbers g(x.size(), scale);
      const FaceInfo info =
          query<Faces>(*C)->away(Element::dense(p.shape, g), Element::dense(p.shape, x), {}, a);
      CHECK(a.to_dense() == x);  // the face of a vertex
      CHECK(info.longest == 0.0);
      CHECK(info.value == doctest::Approx(dot(g, x)));
    }
    Numbers bad(x);
    bad[1] = std::numeric_limits<double>::quiet_NaN();
    const Element sound = Element::dense(p.shape, x), broken = Element::dense(p.shape, bad);
    for (const auto& [g, at] : {std::pair{&broken, &sound}, {&sound, &broken}})
      check_mentions(refusal(ErrorKind::numerical,
                             [&, g = g, at = at] { (void)query<Faces>(*C)->away(*g, *at, {}, a); }),
                     {"not finite"});
  }
}

TEST_CASE(
    "decomposition-invariant: where a factor's face is one vertex, that of the product has this vertex") {
  const auto C =
      test::set("product", {"blocks.1.use=simplex", "blocks.1.radius=1", "blocks.2.use=box"}).make();
  const Shape shape = Shape::vector(4);
  for (const double near : {0.0, 1e-13}) {  // nearer to 0 than what counts as inside
    Element a;
    const FaceInfo info = query<Faces>(*C)->away(Element::dense(shape, {0.0, 0.0, -1e-100, -2e-100}),
                                                 Element::dense(shape, {1.0, 0.0, near, 0.0}), {}, a);
    CHECK(a.to_dense() == Numbers{1.0, 0.0, 0.0, 0.0});
    CHECK(info.value == 0.0);
    CHECK(info.longest == 0.0);
  }
}

TEST_CASE("decomposition-invariant: a step moves the weight of the worst vertex to the best one") {
  const auto after_one = [](const char* c, Numbers x0) {
    Solver solver(build_catalog());
    solver.objective("distance", {{"data", c}}).constraint("simplex", {{"radius", 1.0}});
    solver.algorithm("decomposition-invariant").stop_when({{"iterations", 1}});
    return solver.start_from(Element::dense(Shape::vector(3), std::move(x0))).solve().answer.to_dense();
  };
  // f = ||x - c||^2 / 2, g = x - c = (0.6, -0.2, -0.4): 0.2 goes from the first to the third.
  const Numbers x = after_one("-0.4 0.5 0.9", {0.2, 0.3, 0.5}), expected{0.0, 0.3, 0.7};
  for (std::size_t j = 0; j < 3; ++j) CHECK(std::abs(x[j] - expected[j]) <= 1e-14);
  // From a vertex it is a Frank-Wolfe step: towards the second, by 0.95 of the way.
  const Numbers y = after_one("0.1 1 0", {1.0, 0.0, 0.0}), towards{0.05, 0.95, 0.0};
  for (std::size_t j = 0; j < 3; ++j) CHECK(std::abs(y[j] - towards[j]) <= 1e-14);
}

TEST_CASE("decomposition-invariant: it comes to the minimum of other methods, and gaps fall geometrically") {
  Engine engine(72);
  const auto drawn = [&](Index n, double scale) {
    std::string text;
    for (const double value : testing::normals(engine, n)) text += print_real(scale * value) + ' ';
    return text;
  };
  std::string square;
  for (int i = 0; i < 8; ++i) square += drawn(8, 0.3) + ';';
  const Words rows{"data.use=synthetic-regression", "data.rows=60", "data.cols=30", "data.nonzero=5",
                   "objective.use=linear-model"};
  const std::vector<Words> problems{
      {"objective.use=distance", "objective.data=" + square, "set.use=birkhoff"},
      rows + Words{"set.use=simplex", "set.radius=2"},
      rows + Words{"set.use=box", "set.lower=-0.3", "set.upper=0.4"},
      rows + Words{"set.use=l1-ball", "set.radius=2"},
      rows + Words{"set.use=matroid-base", "set.rank=6"},
      rows + Words{"set.use=product", "set.blocks.1.use=simplex", "set.blocks.1.radius=1",
                   "set.blocks.2.use=l1-ball", "set.blocks.2.radius=0.5", "set.blocks.3.use=moved",
                   "set.blocks.3.shift=-0.5", "set.blocks.3.inner.use=box"},
      {"objective.use=distance", "objective.data=0.6 0.1 0.8 0.1 0.2", "set.use=flow",
       "set.graph=1 2; 1 3; 2 4; 3 4; 2 3"},
      {"objective.use=distance", "objective.data=" + drawn(20, 1.0), "set.use=monotone", "set.lower=-1"},
      {"data.use=synthetic", "objective.use=matrix-completion", "set.use=nuclear-ball", "set.radius=30"}};
  for (const Words& problem : problems) {
    CAPTURE(problem.back());
    const bool spectral = problem.front() == "data.use=synthetic";
    const auto by = [&](const std::string& algorithm, double gap, const Words& more = {}) {
      return solve(problem + more +
                   Words{"algorithm.use=" + algorithm, "stop.relative_gap=" + print_real(gap),
                         "stop.iterations=20000"});
    };
    const double coarse = spectral ? 1e-2 : 1e-4, fine = spectral ? 1e-3 : 1e-8;
    const RunResult expected = by("proximal-gradient", fine), first = by("decomposition-invariant", coarse),
                    r = by("decomposition-invariant", fine);
    CHECK_MESSAGE(r.status == Status::relative_gap, text(r.status));
    CHECK(r.measurement.confirmed);
    CHECK(std::abs(r.measurement.value - expected.measurement.value) <=
          2.0 * fine * std::abs(r.measurement.value));
    CHECK(r.violation <= 1e-10);
    CHECK(r.counts.partial_lo > 0);
    if (!spectral) CHECK(r.iterations <= 4 * first.iterations + 100);
    const RunResult blended = by("decomposition-invariant", fine, {"algorithm.move=blended"});
    CHECK_MESSAGE(blended.status == Status::relative_gap, text(blended.status));
    CHECK(std::abs(blended.measurement.value - expected.measurement.value) <=
          2.0 * fine * std::abs(blended.measurement.value));
    CHECK(blended.violation <= 1e-10);
  }
}

TEST_CASE("decomposition-invariant: a blended step stays in the face where that promises as much") {
  const auto after_one = [](const char* c, Numbers x0) {
    Solver solver(build_catalog());
    solver.objective("distance", {{"data", c}}).constraint("simplex", {{"radius", 1.0}});
    solver.algorithm("decomposition-invariant", {{"move", "blended"}}).stop_when({{"iterations", 1}});
    return solver.start_from(Element::dense(Shape::vector(3), std::move(x0))).solve().answer.to_dense();
  };
  // g = x - c = (0.5, -0.3, -0.4), <g, x> = 0.1: 0.8 within the face of the first two against 0.5 toward the
  // third. The least value along (-1, 1) is at 0.4, which is less than the 0.5 that the first entry has.
  const Numbers inside = after_one("0 0.8 0.4", {0.5, 0.5, 0.0}), expected{0.1, 0.9, 0.0};
  // g = (0.1, 0, -1), <g, x> = 0.05: 0.1 within the face against 1.05. Along (-1, -1, 2) / 2, by 1.05 / 1.5.
  const Numbers out = after_one("0.4 0.5 1", {0.5, 0.5, 0.0}), toward{0.15, 0.15, 0.7};
  for (std::size_t j = 0; j < 3; ++j) {
    CHECK(std::abs(inside[j] - expected[j]) <= 1e-14);
    CHECK(std::abs(out[j] - toward[j]) <= 1e-14);
  }
}

namespace {

/// A set of its defaults that counts its linear minimisations, without those that confirm a gap.
class Counted final : public Component, public LinearOracle {
 public:
  explicit Counted(const std::string& name) {
    const PluginEntry& entry = build_catalog().at(Kind::set, name);
    set_ = Catalog::create(entry, assign_settings(entry.parameters(), {}, entry.label()).checked().get(),
                           Context());
  }
  OracleInfo minimize(const Element& c, const OracleRequest& request, Element& vertex) override {
    if (!request.confirm) ++calls;
    return query<LinearOracle>(*set_)->minimize(c, request, vertex);
  }
  double diameter(const Shape& shape) override { return query<LinearOracle>(*set_)->diameter(shape); }
  void* ability(std::string_view id) noexcept override {
    void* own = offer<LinearOracle>(this, id);
    return own ? own : set_->ability(id);
  }
  Index calls = 0;

 private:
  std::shared_ptr<Component> set_;
};

}  // namespace

TEST_CASE(
    "decomposition-invariant: over a cached set it is lazy: as good a gap with fewer calls of the oracle") {
  Engine engine(73);
  std::string square;
  for (int i = 0; i < 12; ++i) {
    for (const double value : testing::normals(engine, 12)) square += print_real(0.3 * value) + ' ';
    square += ';';
  }
  const Words problem{"objective.use=distance", "objective.data=" + square,
                      "algorithm.use=decomposition-invariant", "stop.relative_gap=1e-7",
                      "stop.iterations=20000"};
  const auto every = std::make_shared<Counted>("birkhoff"), some = std::make_shared<Counted>("birkhoff");
  const auto over = [&](const Words& words, const std::string& role, const std::shared_ptr<Counted>& set) {
    HostParts parts;
    parts.parts[role] = {Kind::set, set};
    return run_composition(compose(build_catalog(), spec_of(problem + words), parts));
  };
  const RunResult plain = over({}, "set", every), lazy = over({"set.use=cached"}, "set.inner", some);
  for (const RunResult* r : {&plain, &lazy}) {
    CHECK_MESSAGE(r->status == Status::relative_gap, text(r->status));
    CHECK(r->measurement.confirmed);
  }
  CHECK(lazy.measurement.value == doctest::Approx(plain.measurement.value).epsilon(1e-6));
  CHECK(some->calls >= lazy.iterations / 21);
  CHECK(4 * some->calls < 3 * every->calls);
}

TEST_CASE("decomposition-invariant: a run resumed is the same run, and what it cannot work with is refused") {
  const Words words{"data.use=synthetic-regression",
                    "data.rows=40",
                    "data.cols=25",
                    "data.nonzero=5",
                    "set.use=simplex",
                    "set.radius=2",
                    "objective.use=linear-model",
                    "algorithm.use=decomposition-invariant",
                    "stop.iterations=25"};
  const Saved saved = solve_and_save(words, 4);
  REQUIRE(saved.result.failure.empty());
  for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
  const Words blended = words + Words{"algorithm.move=blended"};
  const Saved other = solve_and_save(blended, 4);
  for (const std::string& state : other.states) check_same(resumed(blended, state), other.result);
  check_mentions(composing_refused({"objective.use=distance", "objective.data=1 2 3", "set.use=l2-ball",
                                    "set.radius=1", "algorithm.use=decomposition-invariant"}),
                 {"minimal faces", "minimal face"});
}

}  // namespace claros::test::decomposition_invariant
