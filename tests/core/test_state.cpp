// SPDX-License-Identifier: BSD-3-Clause
#include "random_elements.hpp"

#include <claros/error.hpp>
#include <claros/random.hpp>
#include <claros/state/state.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

using namespace claros;

namespace {

struct Referenced {
  testing::Engine engine{31};
  std::shared_ptr<const Pattern> pattern = testing::random_pattern(engine, 9, 7, 0.5);
  MapPtr map = std::make_shared<SamplingMap>(pattern);
  References references;
  Referenced() {
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
  Referenced f;
  for (int form = 0; form + 1 < testing::kForms; ++form) {
    Element x = testing::random_element(f.engine, form, f.map);
    if (form % 2) (void)x.image(f.map);
    x.scale(0.3);
    x.add(0.1, Element::rank_one(2.0, testing::normals(f.engine, 9), testing::normals(f.engine, 7)));
    StateWriter out(f.references);
    out("x", x);
    StateReader in(out.bytes(), f.references, "test");
    Element y;
    in("x", y);
    CHECK(y.has_image(f.map) == x.has_image(f.map));
    CHECK(y.to_dense() == x.to_dense());
    CHECK(image_of(y, f.map) == image_of(x, f.map));
  }
}

TEST_CASE("state: what was shared is shared again, so that a difference still cancels") {
  Referenced f;
  Element x = Element::rank_one(1.0, testing::normals(f.engine, 9), testing::normals(f.engine, 7));
  (void)x.image(f.map);
  Element snapshot = x;
  x.blend(0.25, Element::rank_one(1.0, testing::normals(f.engine, 9), testing::normals(f.engine, 7)));
  Element gradient = Element::adjoint(f.map, Buffer(testing::normals(f.engine, f.map->size())));
  Element estimate = gradient;
  estimate.add_adjoint(1.0, f.map, std::vector<Index>{2}, std::vector<double>{0.5});
  StateWriter out(f.references);
  out("x", x);
  out("snapshot", snapshot);
  out("gradient", gradient);
  out("estimate", estimate);
  StateReader in(out.bytes(), f.references, "test");
  Element x2, snapshot2, gradient2, estimate2;
  in("estimate", estimate2);
  in("gradient", gradient2);
  in("snapshot", snapshot2);
  in("x", x2);
  x.add(-1.0, snapshot);
  x2.add(-1.0, snapshot2);
  CHECK(x2.columns() == x.columns());
  CHECK(image_of(x2, f.map) == image_of(x, f.map));
  estimate2.add(-1.0, gradient2);
  CHECK(std::get<AdjointForm>(estimate2.parts().front().form).full.empty());
}

namespace {

/// Every kind of member.
struct Everything final : State {
  explicit Everything(std::uint64_t position = 0) : stream(5, Purpose::test) { stream.seek(position); }
  Index n = 0;
  bool flag = false;
  std::string text;
  double number = 0.0;
  std::vector<double> list;
  std::vector<Index> indices;
  std::array<double, 3> fixed{};
  Buffer array, nothing;
  std::optional<double> given, absent = 1.0;
  RandomStream stream;
  struct Part {
    Index n = 0;
    void state(StateVisitor& v) { v("n", n); }
  } part;
  double twice_n = 0.0;  ///< follows from n
  void state(StateVisitor& v) override {
    v("n", n), v("flag", flag), v("text", text), v("number", number), v("list", list), v("indices", indices);
    v("fixed", std::span(fixed)), v("array", array), v("nothing", nothing);
    v("given", given), v("absent", absent), v("stream", stream), v("part", part);
    v.require(n >= 0, "n", "negative");
    if (v.loading()) twice_n = 2.0 * static_cast<double>(n);
  }
};

std::string written(State& state) {
  const References none;
  StateWriter out(none);
  out("group", state);
  out("absent", static_cast<State*>(nullptr));
  return out.bytes();
}

void read_into(State& state, const std::string& bytes) {
  const References none;
  StateReader in(bytes, none, "test");
  in("group", state);
  in("absent", static_cast<State*>(nullptr));
}

}  // namespace

TEST_CASE("state: one list of members, written and read_into") {
  Everything a(9), b;
  a.n = 7, a.flag = true, a.text = "caf\xc3\xa9", a.number = std::numeric_limits<double>::quiet_NaN();
  a.list = {1.0 / 3.0, -0.0, std::numeric_limits<double>::infinity()}, a.indices = {3, -1},
  a.fixed = {1, 2, 3};
  a.array = Buffer({0.1, 0.2}), a.given = 0.5, a.absent.reset(), a.part.n = 4;
  b.nothing = Buffer({1.0});
  const std::string bytes = written(a);
  CHECK(a.stream.position() == 9);
  read_into(b, bytes);
  CHECK(b.n == 7);
  CHECK(b.flag);
  CHECK(b.text == a.text);
  CHECK(b.number != b.number);
  CHECK(b.list == a.list);
  CHECK(std::signbit(b.list[1]));
  CHECK(b.indices == a.indices);
  CHECK(b.fixed == a.fixed);
  CHECK(std::ranges::equal(b.array.view(), a.array.view()));
  CHECK(b.nothing.empty());
  CHECK(b.given == a.given);
  CHECK(!b.absent);
  CHECK(b.stream.next() == a.stream.next());
  CHECK(b.part.n == 4);
  CHECK(b.twice_n == 14.0);
  CHECK(a.twice_n == 0.0);  // writing makes nothing anew
  const References none;
  for (std::size_t cut : {std::size_t{0}, bytes.size() / 2, bytes.size() - 1})
    CHECK_THROWS_AS(StateReader(std::string_view(bytes).substr(0, cut), none, "test"), Error);
}

namespace {

/// One group whose list is the test's.
struct Listed final : State {
  std::function<void(StateVisitor&)> list;
  explicit Listed(std::function<void(StateVisitor&)> l) : list(std::move(l)) {}
  void state(StateVisitor& v) override { list(v); }
};

std::string complaint_reading(const std::function<void(StateVisitor&)>& writes,
                              const std::function<void(StateVisitor&)>& reads) {
  Listed out(writes), in(reads);
  const std::string bytes = written(out);
  try {
    read_into(in, bytes);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("state: what does not fit is refused before it is used, by its full name") {
  Index n = -3;
  double number = 0.0;
  bool flag = false;
  std::string text;
  std::vector<double> list{1, 2};
  std::array<double, 3> fixed{};
  Element x = Element::dense(Shape::vector(2), {1.0, 2.0}), y(Shape::vector(3)), z;
  const auto shows = [](const std::string& said, const std::string& part) {
    CAPTURE(said);
    CHECK(said.find(part) != said.npos);
  };
  shows(complaint_reading([&](auto& v) { v("n", n); }, [&](auto& v) { v("n", n), v("number", number); }),
        "lacks 'group.number'");
  shows(complaint_reading([&](auto& v) { v("n", n); }, [&](auto& v) { v("n", flag); }),
        "'group.n' is damaged");
  shows(complaint_reading([&](auto& v) { v("n", n); },
                          [&](auto& v) { v("n", n), v.require(n >= 0, "n", "negative"); }),
        "'group.n' does not fit: negative");
  shows(complaint_reading([&](auto& v) { v("list", list); }, [&](auto& v) { v("list", std::span(fixed)); }),
        "2 numbers instead of 3");
  shows(complaint_reading([&](auto& v) { v("x", x); }, [&](auto& v) { v("x", y); }),
        "2 x 1 instead of 3 x 1");
  CHECK(complaint_reading([&](auto& v) { v("x", x); }, [&](auto& v) { v("x", z); }) == "");
  shows(complaint_reading([&](auto& v) { v("n", n), v("text", text); }, [&](auto& v) { v("n", n); }),
        "has 2 members, and 1 were asked for");
  Everything part;
  shows(complaint_reading([&](auto& v) { v("part", part); },
                          [&](auto& v) { v("part", static_cast<State*>(nullptr)); }),
        "has a part 'group.part'");
  shows(complaint_reading([&](auto& v) { v("part", static_cast<State*>(nullptr)); },
                          [&](auto& v) { v("part", part); }),
        "lacks a part 'group.part'");
  Listed twice([&](auto& v) { v("n", n), v("n", number); });
  CHECK_THROWS_WITH_AS(written(twice), doctest::Contains("names 'n' twice"), Error);
}

TEST_CASE("state: an array that a member and an element share is written once, and shared again") {
  Referenced f;
  struct Table final : State {
    Buffer table;
    Element average;
    void state(StateVisitor& v) override { v("table", table), v("average", average); }
  } a, b;
  a.table = Buffer(testing::normals(f.engine, f.map->size()));
  a.average = Element::adjoint(f.map, a.table);
  StateWriter out(f.references);
  out("a", a);
  const std::string bytes = out.bytes();
  CHECK(bytes.size() < 2 * sizeof(double) * static_cast<std::size_t>(f.map->size()));
  StateReader in(bytes, f.references, "test");
  in("a", b);
  CHECK(std::get<AdjointForm>(b.average.parts().front().form).full.same_array(b.table));
  CHECK(b.average.to_dense() == a.average.to_dense());
}

TEST_CASE("state: a map that the objective does not name is refused") {
  Referenced f;
  const References none;
  StateWriter out(none);
  Element x = Element::adjoint(f.map, Buffer(testing::normals(f.engine, f.map->size())));
  CHECK_THROWS_WITH_AS(out("x", x), doctest::Contains("does not name"), Error);
}
