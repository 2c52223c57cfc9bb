// SPDX-License-Identifier: BSD-3-Clause
// How many bytes points hold, decompositions take and checkpoints write.
#include "allocations.hpp"
#include "random_elements.hpp"

#include <claros/error.hpp>
#include <claros/state/state.hpp>

#include <doctest/doctest.h>

using namespace claros;
using claros::testing::Allocations;
using claros::testing::Engine;
using claros::testing::normals;

namespace {

Element pair_of(Engine& engine, Index m, Index n) {
  return Element::rank_one(1.0, normals(engine, m), normals(engine, n));
}

/// A point of `rank` pairs.
Element point(Engine& engine, Index m, Index n, int rank) {
  Element x(Shape::matrix(m, n));
  for (int k = 0; k < rank; ++k) x.add(1.0, pair_of(engine, m, n));
  return x;
}

const FactorStore& store_of(const Element& x) { return *std::get<LowRankForm>(x.parts().front().form).store; }

}  // namespace

TEST_CASE("memory: differences from a snapshot of another store leave nothing with the iterate") {
  Engine engine(41);
  const Element snapshot = point(engine, 30, 20, 6);
  Element x = snapshot;
  x.recompress(0.0);
  for (int step = 0; step < 10; ++step) {
    Element d = x;
    d.add(-1.0, snapshot);
    CHECK(norm(d) <=
          1e-7 * norm(x));  // of a difference of sums as large as the points half the digits are left
    CHECK(store_of(d).count() == 12);
    CHECK(store_of(d).left(0).data() == store_of(x).left(0).data());
    CHECK(store_of(d).right(11).data() == store_of(snapshot).right(5).data());
  }
  CHECK(store_of(x).count() == 6);
}

TEST_CASE("memory: a vertex is held once, by the iterate, the line search and the vertex itself") {
  Engine engine(42);
  Element x = point(engine, 30, 20, 3);
  const Element snapshot = x, v = pair_of(engine, 30, 20);
  Element d = x;
  d.scale(-1.0);
  d.add(1.0, v);
  x.blend(0.25, v);
  CHECK(store_of(x).count() == 4);
  CHECK(store_of(x).left(3).data() == store_of(v).left(0).data());
  CHECK(&store_of(x) == &store_of(snapshot));
}

TEST_CASE("memory: stores that grew from one find their columns again") {
  Engine engine(43);
  Element x = point(engine, 30, 20, 5);
  Element a = x, b = x;
  a.add(1.0, point(engine, 30, 20, 3));
  b.add(1.0, point(engine, 30, 20, 2));
  REQUIRE(&store_of(a) != &store_of(b));
  Element d = a;
  d.add(-1.0, b);
  CHECK(store_of(d).count() == 10);
  CHECK(d.columns() == 5);
}

TEST_CASE("memory: decomposing factors takes their bytes once more") {
  if (!Allocations::counted()) return;
  Engine engine(44);
  constexpr Index m = 20000, n = 10000;
  constexpr int rank = 24;
  Element x = point(engine, m, n, rank);
  const double held = (m + n) * rank * sizeof(double);
  const Allocations run;
  x.recompress(0.0);
  CHECK(static_cast<double>(run.peak()) < 1.25 * held);
  CHECK(static_cast<double>(run.peak()) > 0.9 * held);  // the count counts
  CHECK(static_cast<double>(run.now()) < 0.05 * held);
}

TEST_CASE("memory: a state is streamed, and holds every array once") {
  Engine engine(45);
  constexpr Index m = 20000, n = 10000;
  Element x = point(engine, m, n, 20);
  Element other = x;
  other.recompress(0.0);
  Element d = other;
  d.add(-1.0, x);
  const double arrays = (m + n) * 40 * sizeof(double);
  std::size_t written = 0, largest = 0;
  const Allocations run;
  const References none;
  StateWriter out(none, [&](std::string_view piece) {
    written += piece.size(), largest = std::max(largest, piece.size());
  });
  for (const char* name : {"x", "snapshot"}) out(name, x);
  out("other", other);
  out("difference", d);
  out.finish();
  CHECK(static_cast<double>(written) > arrays);
  CHECK(static_cast<double>(written) < 1.01 * arrays);
  CHECK(largest <= std::size_t{1} << 20);
  if (Allocations::counted()) CHECK(static_cast<double>(run.peak()) < 0.05 * arrays);
}

TEST_CASE("memory: what is loaded shares what was shared") {
  Engine engine(46);
  Element x = point(engine, 50, 40, 4);
  Element y = x;
  y.add(1.0, point(engine, 50, 40, 2));
  const References none;
  StateWriter out(none);
  out("x", x);
  out("y", y);
  StateReader in(out.bytes(), none, "test");
  Element x2, y2;
  in("y", y2);
  in("x", x2);
  CHECK(y2.to_dense() == y.to_dense());
  CHECK(store_of(x2).left(0).data() == store_of(y2).left(0).data());
  CHECK(store_of(x2).count() == 4);
}

TEST_CASE("memory: a state with any byte changed or missing is refused") {
  Engine engine(47);
  const References none;
  StateWriter out(none);
  Element x = point(engine, 11, 9, 2);
  out("x", x);
  Index n = 7;
  out("n", n);
  const std::string bytes = out.bytes();
  CHECK_NOTHROW(StateReader(std::string_view(bytes), none, "test"));
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    std::string damaged = bytes;
    damaged[k] = static_cast<char>(damaged[k] ^ (1 << (k % 8)));
    CHECK_THROWS_AS(StateReader(std::string_view(damaged), none, "test"), Error);
    CHECK_THROWS_AS(StateReader(std::string_view(bytes).substr(0, k), none, "test"), Error);
  }
}
