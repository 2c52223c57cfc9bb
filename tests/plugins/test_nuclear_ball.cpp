// SPDX-License-Identifier: BSD-3-Clause
// The nuclear-norm ball by what defines it, for every engine, radius, shape and form of the direction.
#include <claros/linear_oracle.hpp>

#include <limits>

#include "../core/random_elements.hpp"
#include "compose_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

struct Ball {
  std::shared_ptr<Component> set;
  LinearOracle* oracle;
  Membership* membership;

  Ball(double radius, const std::string& engine, std::uint64_t seed = 1) {
    Context context;
    context.seed = seed;
    set = create_component(build_catalog(), Kind::set, "nuclear-ball",
                           {{"radius", print_real(radius), {}, {}}, {"engine", engine, {}, {}}}, context);
    oracle = query<LinearOracle>(*set);
    membership = query<Membership>(*set);
    REQUIRE(oracle);
    REQUIRE(membership);
  }
};

const Words kEngines{"lanczos", "arpack", "dense"};
constexpr double kRadii[] = {0.01, 1.0, 3000.0};
const std::vector<Shape> kShapes{Shape::matrix(1, 1),  Shape::matrix(7, 1),  Shape::matrix(1, 7),
                                 Shape::matrix(6, 30), Shape::matrix(30, 6), Shape::matrix(25, 24)};

MapPtr random_map(Engine& engine, const Shape& shape) {
  return std::make_shared<SamplingMap>(testing::random_pattern(engine, shape.rows, shape.cols, 0.5));
}

/// Single forms, and sums of two and of all.
std::vector<Element> directions(Engine& engine, const Shape& shape) {
  const MapPtr map = random_map(engine, shape);
  std::vector<Element> all;
  for (int form = 0; form < testing::kForms; ++form)
    all.push_back(testing::random_element(engine, form, map));
  for (const auto& [first, second] : {std::pair(1, 2), {3, 5}, {0, 4}}) {
    Element sum = all[static_cast<std::size_t>(first)];
    sum.add(-0.5, all[static_cast<std::size_t>(second)]);
    all.push_back(std::move(sum));
  }
  Element everything(shape);
  for (int form = 0; form < testing::kForms; ++form) everything.add(0.3, all[static_cast<std::size_t>(form)]);
  all.push_back(std::move(everything));
  return all;
}

std::vector<double> singular_values(const Element& x) {
  return dense_svd(x.shape().rows, x.shape().cols, x.to_dense()).s;
}

double nuclear_norm(const Element& x) {
  double sum = 0.0;
  for (const double s : singular_values(x)) sum += s;
  return sum;
}

/// A random point of the ball: a rank-one one or a Gaussian matrix, on the boundary or inside.
Element feasible(Engine& engine, const Shape& shape, double radius) {
  Element u = engine() % 2 ? Element::dense(shape, testing::normals(engine, shape.size()))
                           : Element::rank_one(1.0, testing::normals(engine, shape.rows),
                                               testing::normals(engine, shape.cols));
  const double share = engine() % 3 ? 1.0 : 0.5;
  u.scale(share * radius / nuclear_norm(u));
  return u;
}

void check_minimizer(Engine& engine, Ball& ball, double radius, const Element& c,
                     const OracleRequest& request) {
  Element v;
  const OracleInfo info = ball.oracle->minimize(c, request, v);
  const double exact = -radius * singular_values(c).front(), scale = std::abs(exact);
  REQUIRE(v.shape() == c.shape());
  const double value = inner(c, v);
  CHECK(std::abs(info.value - value) <= 1e-12 * scale);
  CHECK(value <= exact + request.tolerance * scale);
  CHECK(value >= exact - 1e-12 * scale);
  CHECK(nuclear_norm(v) <= radius * (1 + 1e-12));
  CHECK(ball.membership->violation(v) <= 1e-12);
  for (int k = 0; k < 20; ++k)
    CHECK(value <= inner(c, feasible(engine, c.shape(), radius)) + request.tolerance * scale);
  CHECK(info.confirmed == request.confirm);
  CHECK(info.singular_pairs == 1);
  if (!request.confirm) return;
  CHECK(info.lower_bound <= exact + 1e-12 * scale);
  CHECK(info.lower_bound >= exact - 2 * request.tolerance * scale);
}

}  // namespace

TEST_CASE("nuclear-ball: the vertex minimises the direction over the ball") {
  Engine engine(101);
  for (const std::string& name : kEngines)
    for (const double radius : kRadii)
      for (const Shape& shape : kShapes) {
        CAPTURE(name);
        CAPTURE(radius);
        CAPTURE(shape.text());
        Ball ball(radius, name);
        for (const Element& c : directions(engine, shape)) {
          check_minimizer(engine, ball, radius, c, {1e-3, false});
          check_minimizer(engine, ball, radius, c, {1e-8, true});
          check_minimizer(engine, ball, radius, c, {1e-4, true});
        }
      }
}

TEST_CASE("nuclear-ball: a confirmed lower bound holds where singular values are close together") {
  Engine engine(102);
  for (const std::string& name : kEngines)
    for (const double spread : {0.0, 1e-7, 1e-5, 1e-4, 3e-4, 1e-3})
      for (int trial = 0; trial < 10; ++trial) {
        const Shape shape = trial % 2 ? Shape::matrix(14, 40) : Shape::matrix(40, 14);
        const TruncatedSvd bases = dense_svd(shape.rows, shape.cols, testing::normals(engine, shape.size()));
        auto store = std::make_shared<FactorStore>(shape.rows, shape.cols);
        std::vector<double> s;
        const auto m = static_cast<std::size_t>(shape.rows), n = static_cast<std::size_t>(shape.cols);
        for (std::size_t k = 0; k < 14; ++k) {
          s.push_back(k < 8 ? 1.0 - spread * static_cast<double>(k) : 0.3 / static_cast<double>(k));
          store->append(std::span(bases.u).subspan(k * m, m), std::span(bases.v).subspan(k * n, n));
        }
        Ball ball(10.0, name, static_cast<std::uint64_t>(trial));
        Element v;
        const OracleInfo info = ball.oracle->minimize(Element::low_rank(store, s), {1e-4, true}, v);
        CAPTURE(name);
        CAPTURE(spread);
        CHECK(info.confirmed);
        CHECK(info.lower_bound <= -10.0 * (1 - 1e-12));
      }
}

TEST_CASE("nuclear-ball: the diameter is the largest distance") {
  Engine engine(103);
  for (const double radius : kRadii) {
    Ball ball(radius, "lanczos");
    CHECK(ball.oracle->diameter(Shape::matrix(3, 4)) == 2 * radius);
    const Element c = Element::dense(Shape::matrix(5, 4), testing::normals(engine, 20));
    Element minus(c), v, w;
    minus.scale(-1.0);
    ball.oracle->minimize(c, {1e-10, true}, v);
    ball.oracle->minimize(minus, {1e-10, true}, w);
    v.add(-1.0, w);
    CHECK(norm(v) == doctest::Approx(2 * radius).epsilon(1e-9));
  }
}

TEST_CASE("nuclear-ball: of a zero direction any point of the ball will do") {
  Engine engine(104);
  for (const std::string& name : kEngines)
    for (const Shape& shape : kShapes)
      for (const bool confirm : {false, true}) {
        Ball ball(2.0, name);
        Element shared = Element::dense(shape, testing::normals(engine, shape.size())), cancelled(shared);
        cancelled.add(-1.0, shared);
        const std::vector<double> zeros(static_cast<std::size_t>(shape.size()), 0.0);
        for (const Element& c : {Element(shape), Element::dense(shape, zeros), cancelled}) {
          Element v;
          const OracleInfo info = ball.oracle->minimize(c, {1e-3, confirm}, v);
          CHECK(info.value == 0.0);
          CHECK(info.lower_bound == 0.0);
          CHECK(v.shape() == shape);
          CHECK(nuclear_norm(v) <= 2.0 * (1 + 1e-12));
        }
        // And the next direction is answered as if nothing had happened.
        check_minimizer(engine, ball, 2.0, shared, {1e-6, confirm});
      }
}

TEST_CASE("nuclear-ball: a direction that is not finite is an error that can be acted upon") {
  Engine engine(105);
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  for (const std::string& name : kEngines)
    for (const Shape& shape : kShapes)
      for (const double value : bad) {
        const MapPtr map = random_map(engine, shape);
        for (int form = 0; form < testing::kForms; ++form) {
          CAPTURE(name);
          CAPTURE(form);
          Element c = testing::random_element(engine, form, map);
          c.add(1.0, Element::rank_one(value, testing::normals(engine, shape.rows),
                                       testing::normals(engine, shape.cols)));
          Ball ball(1.0, name);
          Element v;
          const auto minimize = [&](bool confirm) { ball.oracle->minimize(c, {1e-3, confirm}, v); };
          for (const bool confirm : {false, true})
            check_mentions(complaint([&] { minimize(confirm); }, ErrorKind::numerical),
                           {"finite", "look for"});
        }
      }
}

TEST_CASE("nuclear-ball: membership of every form and of sums") {
  Engine engine(106);
  for (const Shape& shape : kShapes) {
    const auto all = directions(engine, shape);
    for (std::size_t k = 0; k < all.size(); ++k) {
      CAPTURE(k);
      const double size = nuclear_norm(all[k]);
      for (const double share : {0.5, 1.0 - 1e-9, 1.25, 3.0}) {
        Ball ball(size / share, "lanczos");
        CHECK(ball.membership->violation(all[k]) == doctest::Approx(std::max(0.0, share - 1)).epsilon(1e-8));
      }
    }
    Ball ball(1.0, "lanczos");
    CHECK(ball.membership->violation(Element(shape)) == 0.0);
    CHECK(ball.membership->violation(
              Element::low_rank(std::make_shared<FactorStore>(shape.rows, shape.cols), {})) == 0.0);
    // A mean of vertices lies inside, twice a vertex outside by the whole radius.
    Element v, w;
    ball.oracle->minimize(all[0], {1e-6, false}, v);
    ball.oracle->minimize(all[2], {1e-6, false}, w);
    Element twice(v), mean(v);
    twice.scale(2.0);
    mean.blend(0.5, w);
    CHECK(ball.membership->violation(mean) <= 1e-12);
    CHECK(ball.membership->violation(twice) == doctest::Approx(1.0));
  }
}

TEST_CASE("nuclear-ball: a point that holds NaN is never inside") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> u{1.0, nan, 0.0}, v{1.0, 2.0};
  Ball ball(1.0, "lanczos");
  CHECK_FALSE(ball.membership->violation(Element::rank_one(0.1, u, v)) <= 1e-6);
  CHECK_FALSE(ball.membership->violation(Element::rank_one(nan, v, v)) <= 1e-6);
}

TEST_CASE("nuclear-ball: confirming leaves the warm state and the run's random numbers alone") {
  Engine engine(107);
  for (const std::string& name : kEngines)
    for (const Shape& shape : kShapes) {
      CAPTURE(name);
      CAPTURE(shape.text());
      const MapPtr map = random_map(engine, shape);
      Ball measured(3.0, name), plain(3.0, name);
      for (int k = 0; k < 6; ++k) {
        const Element c = testing::random_element(engine, k % 2 ? 3 : 1, map);
        Element v, w, ignored;
        const OracleInfo a = plain.oracle->minimize(c, {0.02, false}, v);
        const OracleInfo b = measured.oracle->minimize(c, {0.02, false}, w);
        CHECK(same_bits(v, w));
        CHECK(a.value == b.value);
        CHECK(a.products == b.products);
        for (int times = 0; times <= k % 3; ++times)
          measured.oracle->minimize(testing::random_element(engine, 1, map), {1e-4, true}, ignored);
      }
    }
}

TEST_CASE("nuclear-ball: starts in its middle") {
  Ball ball(1.0, "lanczos");
  auto* start = query<Start>(*ball.set);
  REQUIRE(start);
  const Element x = start->start_point(Shape::matrix(4, 3));
  CHECK(x.shape() == Shape::matrix(4, 3));
  CHECK(norm(x) == 0.0);
}

TEST_CASE("nuclear-ball: too few products leave the answer unconfirmed") {
  Engine engine(108);
  const auto set = create_component(build_catalog(), Kind::set, "nuclear-ball",
                                    {{"radius", "1", {}, {}}, {"products", "4", {}, {}}}, {});
  Element v;
  const Element c = Element::dense(Shape::matrix(30, 30), testing::normals(engine, 900));
  const OracleInfo info = query<LinearOracle>(*set)->minimize(c, {1e-6, true}, v);
  CHECK_FALSE(info.confirmed);
  CHECK(info.products <= 4);
}
