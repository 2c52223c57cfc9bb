// SPDX-License-Identifier: BSD-3-Clause
// The set whose last vertices answer: which answers come from the cache, that their bounds are true, and that
// runs over it end where runs without it do.
#include <claros/sdk/dense_access.hpp>

#include "convex_cases.hpp"
#include "trace_for_test.hpp"

namespace claros::test::cached_set {

namespace {

using Values = std::vector<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The hull of points, whose oracle counts its calls. `loose`: what its bound is below the minimum.
class Hull final : public Component, public LinearOracle {
 public:
  explicit Hull(std::vector<Values> points, double loose = 0.0) : points_(std::move(points)), loose_(loose) {}

  OracleInfo minimize(const Element& c, const OracleRequest& request, Element& vertex) override {
    ++(request.confirm ? confirmed : calls);
    if (!all_finite(c)) throw Error(ErrorKind::numerical, "", "not finite", "none");
    const Values entries = c.to_dense();
    std::size_t best = 0;
    for (std::size_t k = 1; k < points_.size(); ++k)
      if (dot(entries, points_[k]) < dot(entries, points_[best])) best = k;
    vertex = Element::dense(c.shape(), points_[best]);
    const double value = dot(entries, points_[best]);
    return {.value = value, .lower_bound = value - loose_, .confirmed = request.confirm};
  }
  double diameter(const Shape&) override {
    double most = 0.0;
    for (const Values& u : points_)
      for (const Values& v : points_) {
        double square = 0.0;
        for (std::size_t j = 0; j < u.size(); ++j) square += (u[j] - v[j]) * (u[j] - v[j]);
        most = std::max(most, square);
      }
    return std::sqrt(most);
  }
  double least(const Values& c) const {
    double least = kInfinity;
    for (const Values& point : points_) least = std::min(least, dot(c, point));
    return least;
  }
  void* ability(std::string_view id) noexcept override { return offer<LinearOracle>(this, id); }

  int calls = 0, confirmed = 0;

 private:
  std::vector<Values> points_;
  double loose_;
};

/// A cached set over a hull of random points.
struct Cache {
  explicit Cache(const Words& words, double loose = 0.0, Index size = 6, int count = 40) {
    Engine engine(5);
    std::vector<Values> points;
    for (int k = 0; k < count; ++k) points.push_back(testing::normals(engine, size));
    hull = std::make_shared<Hull>(points, loose);
    const PluginEntry& entry = build_catalog().at(Kind::set, "cached");
    Context context;
    context.held = {{"inner", hull}};
    const Case made{Kind::set, "cached", words};
    set = Catalog::create(
        entry, assign_settings(entry.parameters(), made.settings(), entry.label()).checked().get(), context);
    oracle = query<LinearOracle>(*set);
  }
  OracleInfo ask(const Values& c, bool confirm = false) {
    return oracle->minimize(Element::dense(Shape::vector(static_cast<Index>(c.size())), c), {1e-3, confirm},
                            vertex);
  }
  std::string saved() {
    const References none;
    StateWriter out(none);
    query<State>(*set)->state(out);
    return out.bytes();
  }
  void load(const std::string& bytes) {
    const References none;
    StateReader in(std::string_view(bytes), none, "state");
    query<State>(*set)->state(in);
  }

  std::shared_ptr<Hull> hull;
  std::shared_ptr<Component> set;
  LinearOracle* oracle = nullptr;
  Element vertex;
};

/// Directions as Frank-Wolfe has them: the gradients of ||x - y||^2 / 2 at the points of its line searches.
struct Descent {
  Descent(Cache& cache, const Values& target) : cache_(cache), y_(target), x_(target.size(), 0.0) {}
  Values gradient() const {
    Values g = x_;
    for (std::size_t j = 0; j < g.size(); ++j) g[j] -= y_[j];
    return g;
  }
  OracleInfo step() {
    const Values g = gradient();
    const OracleInfo info = cache_.ask(g);
    const Values v = cache_.vertex.to_dense();
    double slope = 0.0, square = 0.0;
    for (std::size_t j = 0; j < v.size(); ++j)
      slope += g[j] * (x_[j] - v[j]), square += (v[j] - x_[j]) * (v[j] - x_[j]);
    const double gamma = square > 0.0 ? std::clamp(slope / square, 0.0, 1.0) : 0.0;
    for (std::size_t j = 0; j < v.size(); ++j) x_[j] += gamma * (v[j] - x_[j]);
    return info;
  }
  double gap() const {
    const Values g = gradient();
    return dot(g, x_) - cache_.hull->least(g);
  }

 private:
  Cache& cache_;
  Values y_, x_;
};

const Values kFar{0.4, -0.2, 0.9, 0.3, -0.7, 0.5};

}  // namespace

TEST_CASE("cached: Frank-Wolfe asks the inner set for a part of its vertices, and comes as near") {
  Cache lazy({}), plain({"reuse=0"});
  Descent with(lazy, kFar), without(plain, kFar);
  for (int t = 0; t < 400; ++t) (void)with.step(), (void)without.step();
  CHECK(plain.hull->calls == 400);
  CHECK(lazy.hull->calls < 250);
  CHECK(lazy.hull->calls >= 400 / 21);
  CHECK(with.gap() <= 3.0 * without.gap() + 1e-9);
  CHECK(with.gap() < 0.1);
}

TEST_CASE("cached: a value is that of the vertex, and a lower bound is one, of exact and loose inner sets") {
  for (const double loose : {0.0, 0.3}) {
    Cache cache({"share=0.1"}, loose);
    Descent descent(cache, kFar);
    int kept = 0;
    for (int t = 0; t < 300; ++t) {
      const Values g = descent.gradient();
      const int before = cache.hull->calls;
      const OracleInfo info = descent.step();
      CHECK(info.value == doctest::Approx(dot(g, cache.vertex.to_dense())).epsilon(1e-12));
      CHECK(info.lower_bound <= cache.hull->least(g) + 1e-12);
      CHECK_FALSE(info.confirmed);
      if (cache.hull->calls > before) continue;
      ++kept;
      CHECK(info.lower_bound == -kInfinity);
    }
    CHECK(kept > 50);
  }
}

TEST_CASE("cached: after a jump of the direction bounds are true, and the inner set is asked soon") {
  Engine engine(8);
  for (const double scale : {1.0, -1.0, 1e6, -1e6, 1e-6, -1e-6}) {
    Cache cache({"reuse=3"});
    Descent descent(cache, kFar);
    for (int t = 0; t < 40; ++t) (void)descent.step();
    Values c = descent.gradient();
    for (double& entry : c) entry *= scale;
    const int before = cache.hull->calls;
    for (int t = 0; t < 4; ++t) {
      const OracleInfo info = cache.ask(c);
      CHECK(info.lower_bound <= cache.hull->least(c) + 1e-9 * std::abs(scale));
      CHECK(info.value == doctest::Approx(dot(c, cache.vertex.to_dense())));
    }
    CHECK(cache.hull->calls > before);
    // An answer of the inner set is the best that there is: asked again, nothing kept is better.
    const OracleInfo again = cache.ask(c);
    CHECK(again.value == doctest::Approx(cache.hull->least(c)));
  }
}

TEST_CASE("cached: answers in a row come from the cache `reuse` times at most") {
  for (const int reuse : {0, 1, 5}) {
    // Any gain is enough.
    Cache cache({"share=1e-9", "reuse=" + std::to_string(reuse)});
    Engine engine(9);
    int row = 0, longest = 0;
    for (int t = 0; t < 300; ++t) {
      const int before = cache.hull->calls;
      (void)cache.ask(testing::normals(engine, 6));
      row = cache.hull->calls > before ? 0 : row + 1;
      longest = std::max(longest, row);
    }
    CHECK(longest == reuse);
  }
}

TEST_CASE("cached: what is to be confirmed is asked of the inner set, and changes nothing") {
  Cache cache({});
  Descent descent(cache, kFar);
  for (int t = 0; t < 30; ++t) (void)descent.step();
  const std::string before = cache.saved();
  const Values g = descent.gradient();
  for (int k = 0; k < 5; ++k) {
    const OracleInfo info = cache.ask(g, true);
    CHECK(info.confirmed);
    CHECK(info.value == doctest::Approx(cache.hull->least(g)));
  }
  CHECK(cache.hull->confirmed == 5);
  CHECK(cache.saved() == before);
}

TEST_CASE("cached: what was saved goes on as it would have, also where another shape was seen before") {
  Cache cache({"keep=7"});
  Descent descent(cache, kFar);
  for (int t = 0; t < 25; ++t) (void)descent.step();
  const std::string bytes = cache.saved();
  Cache fresh({"keep=7"}), used({"keep=7"}, 0.0, 4);
  (void)used.ask({1, 2, 3, 4});
  fresh.load(bytes);
  CHECK(fresh.saved() == bytes);
  CHECK_NOTHROW(used.load(bytes));
  CHECK(used.saved() == bytes);
  Engine engine(10);
  for (int t = 0; t < 50; ++t) {
    Values c = descent.gradient();
    for (double& entry : c) entry += 0.1 * testing::normals(engine, 1).front();
    const int calls = cache.hull->calls, others = fresh.hull->calls;
    const OracleInfo a = cache.ask(c), b = fresh.ask(c);
    CHECK(a.value == b.value);
    CHECK(a.lower_bound == b.lower_bound);
    CHECK(cache.vertex.to_dense() == fresh.vertex.to_dense());
    CHECK(cache.hull->calls - calls == fresh.hull->calls - others);
  }
  Cache small({"keep=2"});
  CHECK_THROWS_AS(small.load(bytes), Error);
}

TEST_CASE("cached: a direction that is not finite is not answered from the cache") {
  // Vertices of one entry, which do not meet the entry that is not finite.
  const std::shared_ptr<Component> set =
      create_component(build_catalog(), Kind::set, "cached",
                       Case{Kind::set, "cached", {"inner.use=l1-ball", "inner.radius=1"}}.settings(), {});
  auto* oracle = query<LinearOracle>(*set);
  Element vertex;
  Values c(64, 1e-3);
  for (int t = 0; t < 6; ++t) {
    c[0] = t % 2 ? 1.0 : 0.9, c[1] = t % 2 ? 0.8 : 1.1;
    (void)oracle->minimize(Element::dense(Shape::vector(64), c), {}, vertex);
  }
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), kInfinity}) {
    Values wrong = c;
    wrong[40] = bad;
    CHECK_THROWS_AS((void)oracle->minimize(Element::dense(Shape::vector(64), wrong), {}, vertex), Error);
  }
}

TEST_CASE("cached: direction and vertex may be one element, and vertices come back in their form") {
  const auto make = [](const Words& words) {
    return create_component(build_catalog(), Kind::set, "cached", Case{Kind::set, "cached", words}.settings(),
                            {});
  };
  Engine engine(11);
  const auto arrays = make({"inner.use=l1-ball", "inner.radius=1", "share=1e-9"}),
             same = make({"inner.use=l1-ball", "inner.radius=1", "share=1e-9"});
  const auto factors = make({"inner.use=nuclear-ball", "inner.radius=1", "share=1e-9"});
  for (int t = 0; t < 30; ++t) {
    const Element c = Element::dense(Shape::vector(30), testing::normals(engine, 30));
    Element v, both = c;
    const double value = query<LinearOracle>(*arrays)->minimize(c, {}, v).value;
    CHECK(query<LinearOracle>(*same)->minimize(both, {}, both).value == value);
    CHECK(both.to_dense() == v.to_dense());
    CHECK(sdk::lone_dense(v) != nullptr);
    Element low;
    const Element matrix = Element::dense(Shape::matrix(5, 6), testing::normals(engine, 30));
    (void)query<LinearOracle>(*factors)->minimize(matrix, {}, low);
    CHECK(only_low_rank(low) != nullptr);
  }
}

TEST_CASE("cached: everything else is what the inner set offers") {
  const auto abilities = {ProximalOracle::kAbility, Membership::kAbility,  Start::kAbility,
                          Conjugate::kAbility,      BlockOracle::kAbility, Faces::kAbility,
                          SpectralGap::kAbility};
  const std::vector<Case> sets{
      set("simplex", {"radius=1"}), set("nuclear-ball", {"radius=2"}),
      set("product", {"blocks.1.use=simplex", "blocks.1.radius=1", "blocks.2.use=box"}),
      set("vertices", {"vertices=0 0; 1 0; 0 1"})};
  for (const Case& inner : sets) {
    CAPTURE(inner.text());
    Words words{"inner.use=" + inner.name};
    for (const std::string& option : inner.options) words.push_back("inner." + option);
    const auto cached = set("cached", words).make(), alone = inner.make();
    for (const std::string_view id : abilities)
      CHECK((cached->ability(id) != nullptr) == (alone->ability(id) != nullptr));
    CHECK(query<State>(*cached) != nullptr);
  }
  CHECK(complaint(
            [] {
              (void)set("cached", {"inner.use=intersection", "inner.sets.1.use=l2-ball",
                                   "inner.sets.1.radius=1", "inner.sets.2.use=box"})
                  .make();
            },
            ErrorKind::usage)
            .find("no linear oracle") != std::string::npos);
}

TEST_CASE("cached: runs end at a verified gap where runs without it do, and a run resumed is the same run") {
  const Words problem{
      "data.use=synthetic-regression", "data.rows=60", "data.cols=25", "data.nonzero=5", "data.seed=4",
      "objective.use=linear-model"};
  for (const std::string& name :
       {std::string("frank-wolfe"), std::string("away-step"), std::string("pairwise"),
        std::string("blended-pairwise"), std::string("fully-corrective")}) {
    CAPTURE(name);
    const Words polytope{"set.use=l1-ball", "set.radius=3"},
        kept{"set.use=cached", "set.inner.use=l1-ball", "set.inner.radius=3"},
        algorithm{"algorithm.use=" + name, "stop.gap=1e-3", "stop.iterations=20000"};
    const RunResult a = solve(problem + polytope + algorithm), b = solve(problem + kept + algorithm);
    REQUIRE(is_target(a.status));
    CHECK_MESSAGE(is_target(b.status), text(b.status));
    CHECK(b.measurement.confirmed);
    CHECK(b.measurement.value <= a.measurement.value + 1e-3);
    CHECK(b.measurement.value >= a.measurement.value - 1e-3);
    const Words words = problem + kept + Words{"algorithm.use=" + name, "stop.iterations=25"};
    const Saved saved = solve_and_save(words, 6);
    REQUIRE(saved.result.failure.empty());
    for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
  }
}

}  // namespace claros::test::cached_set
