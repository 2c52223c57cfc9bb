// SPDX-License-Identifier: BSD-3-Clause
#include "random_elements.hpp"

#include <claros/error.hpp>
#include <claros/state/state.hpp>

#include <doctest/doctest.h>

#include <limits>

using namespace claros;

namespace {

struct Fixture {
  testing::Engine engine{31};
  std::shared_ptr<const Pattern> pattern = testing::random_pattern(engine, 9, 7, 0.5);
  MapPtr map = std::make_shared<SamplingMap>(pattern);
  References references;
  Fixture() {
    references.add("entries", map);
    references.add("entries", pattern);
  }
};

std::vector<double> image_of(const Element& x, const MapPtr& map) {
  const auto z = x.image(map);
  return {z.begin(), z.end()};
}

}  // namespace

TEST_CASE("state: every form comes back to the bit, with its image") {
  Fixture f;
  for (int form = 0; form + 1 < testing::kForms; ++form) {
    Element x = testing::random_element(f.engine, form, f.map);
    if (form % 2) (void)x.image(f.map);
    x.scale(0.3);
    x.add(0.1, Element::rank_one(2.0, testing::normals(f.engine, 9), testing::normals(f.engine, 7)));
    StateWriter out(f.references);
    out.put("x", x);
    StateReader in(out.bytes(), f.references, "test");
    Element y;
    in.get("x", y);
    CHECK(y.has_image(f.map) == x.has_image(f.map));
    CHECK(y.to_dense() == x.to_dense());
    CHECK(image_of(y, f.map) == image_of(x, f.map));
  }
}

TEST_CASE("state: what was shared is shared again, so that a difference still cancels") {
  Fixture f;
  Element x = Element::rank_one(1.0, testing::normals(f.engine, 9), testing::normals(f.engine, 7));
  (void)x.image(f.map);
  const Element snapshot = x;
  x.blend(0.25, Element::rank_one(1.0, testing::normals(f.engine, 9), testing::normals(f.engine, 7)));
  const Element gradient = Element::adjoint(f.map, Buffer(testing::normals(f.engine, f.map->size())));
  Element estimate = gradient;
  estimate.add_adjoint(1.0, f.map, std::vector<Index>{2}, std::vector<double>{0.5});
  StateWriter out(f.references);
  out.put("x", x);
  out.put("snapshot", snapshot);
  out.put("gradient", gradient);
  out.put("estimate", estimate);
  StateReader in(out.bytes(), f.references, "test");
  Element x2, snapshot2, gradient2, estimate2;
  in.get("estimate", estimate2);
  in.get("gradient", gradient2);
  in.get("snapshot", snapshot2);
  in.get("x", x2);
  x.add(-1.0, snapshot);
  x2.add(-1.0, snapshot2);
  CHECK(x2.columns() == x.columns());
  CHECK(image_of(x2, f.map) == image_of(x, f.map));
  estimate2.add(-1.0, gradient2);
  CHECK(std::get<AdjointForm>(estimate2.parts().front().form).full.empty());
}

TEST_CASE("state: numbers, lists, streams and groups") {
  Fixture f;
  struct Counter final : State {
    Index n = 0;
    std::vector<double> list;
    void save(StateWriter& out) const override { out.put("n", n), out.put("list", std::span<const double>(list)); }
    void load(StateReader& in) override { in.get("n", n), in.get("list", list); }
  } a, b;
  a.n = 7, a.list = {1.0 / 3.0, -0.0, std::numeric_limits<double>::infinity()};
  RandomStream stream(5, Purpose::test), again(5, Purpose::test);
  (void)stream.normal();
  StateWriter out(f.references);
  out.put("flag", true);
  out.put("text", std::string("caf\xc3\xa9"));
  out.put("nan", std::numeric_limits<double>::quiet_NaN());
  out.put("stream", stream);
  out.put("group", &a);
  out.put("absent", static_cast<const State*>(nullptr));
  const std::string bytes = out.bytes();
  StateReader in(bytes, f.references, "test");
  bool flag = false;
  std::string text;
  double nan = 0.0;
  in.get("flag", flag);
  in.get("text", text);
  in.get("nan", nan);
  in.get("stream", again);
  in.get("group", &b);
  in.get("absent", static_cast<State*>(nullptr));
  CHECK(flag);
  CHECK(text == "caf\xc3\xa9");
  CHECK(nan != nan);
  CHECK(again.next() == stream.next());
  CHECK(b.n == 7);
  CHECK(b.list == a.list);
  CHECK_THROWS_AS(in.get("missing", nan), Error);
  CHECK_THROWS_AS(in.get("text", nan), Error);
  CHECK_THROWS_AS(in.get("absent", &b), Error);
  for (std::size_t cut : {std::size_t{0}, bytes.size() / 2, bytes.size() - 1})
    CHECK_THROWS_AS(StateReader(std::string_view(bytes).substr(0, cut), f.references, "test"), Error);
}

TEST_CASE("state: a map that the objective does not name is refused") {
  Fixture f;
  const References none;
  StateWriter out(none);
  CHECK_THROWS_WITH_AS(out.put("x", Element::adjoint(f.map, Buffer(testing::normals(f.engine, f.map->size())))),
                       doctest::Contains("does not name"), Error);
}
