// SPDX-License-Identifier: BSD-3-Clause
// Groups: their texts and files, what is wrong with them, and group norms against plain loops.
#include "convex_cases.hpp"

using namespace claros;
using namespace claros::test;

namespace {

Case group(const std::string& groups, const std::string& weights = "none") {
  return penalty("group", {"lambda=1", "groups=" + groups, "weights=" + weights});
}

double value(const Case& c, const Shape& shape, const std::vector<double>& x) {
  const auto component = c.make();
  return query<ProximalOracle>(*component)->value(Element::dense(shape, x));
}

const std::vector<double> kCounting{1, 2, 3, 4, 5, 6};

double norm_of(std::initializer_list<double> entries) {
  double sum = 0.0;
  for (const double entry : entries) sum += entry * entry;
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("groups: sizes, lists, rows and columns mean what they say") {
  const Shape vector = Shape::vector(6), matrix = Shape::matrix(2, 3);
  CHECK(value(group("3"), vector, kCounting) == doctest::Approx(norm_of({1, 2, 3}) + norm_of({4, 5, 6})));
  CHECK(value(group("0-2; 3-5"), vector, kCounting) ==
        doctest::Approx(norm_of({1, 2, 3}) + norm_of({4, 5, 6})));
  CHECK(value(group("5, 0;1-3 4"), vector, kCounting) ==
        doctest::Approx(norm_of({1, 6}) + norm_of({2, 3, 4, 5})));
  CHECK(value(group("columns"), matrix, kCounting) ==
        doctest::Approx(norm_of({1, 2}) + norm_of({3, 4}) + norm_of({5, 6})));
  CHECK(value(group("rows"), matrix, kCounting) == doctest::Approx(norm_of({1, 3, 5}) + norm_of({2, 4, 6})));
  CHECK(value(group("rows"), vector, kCounting) == doctest::Approx(21));
  CHECK(value(group("columns"), vector, kCounting) == doctest::Approx(norm_of({1, 2, 3, 4, 5, 6})));
  CHECK(value(group("rows", "sqrt"), matrix, kCounting) ==
        doctest::Approx(std::sqrt(3.0) * (norm_of({1, 3, 5}) + norm_of({2, 4, 6}))));
}

TEST_CASE("groups: groups and weights in files, and weights written out") {
  const TestFolder folder;
  const Shape shape = Shape::vector(6);
  const std::string lists = folder.put("groups.txt", "0 5\n\n1-3, 4\n").string();
  const std::string weights = folder.put("weights.csv", "2\n0.5\n").string();
  const double first = norm_of({1, 6}), second = norm_of({2, 3, 4, 5});
  CHECK(value(group(lists), shape, kCounting) == doctest::Approx(first + second));
  CHECK(value(group(lists, weights), shape, kCounting) == doctest::Approx(2 * first + 0.5 * second));
  const std::string line = folder.put("line.csv", "2,0.5\n").string();
  for (const std::string& same : {line, std::string("2 0.5"), std::string("2.0,0.5")})
    CHECK(value(group(lists, same), shape, kCounting) == doctest::Approx(2 * first + 0.5 * second));
}

TEST_CASE("groups: what is wrong is named with its place and index") {
  const auto refused = [](const Case& c, std::initializer_list<const char*> words,
                          ErrorKind kind = ErrorKind::usage) {
    CAPTURE(c.text());
    check_mentions(complaint([&] { (void)value(c, Shape::vector(6), kCounting); }, kind), words);
  };
  refused(penalty("group", {"lambda=1"}), {"groups", "0-9"});
  refused(group("0"), {"penalty.groups", "size"});
  refused(group("99999999999999999999"), {"penalty.groups", "size"});
  refused(group("4"), {"penalty.groups", "6 entries", "4", "2 are left over"});
  refused(group("0-3; 3-5"), {"penalty.groups", "entry 3", "group 0", "group 1"});
  refused(group("0-3, 2; 4-5"), {"penalty.groups", "entry 2", "twice"});
  refused(group("0-2; 4-5"), {"penalty.groups", "entry 3", "no group"});
  refused(group("0-2; 3-6"), {"penalty.groups", "group 1", "entry 6", "only 6"});
  refused(group("0-2;; 3-5"), {"penalty.groups", "group 1", "no entries"});
  refused(group("2-0; 3-5"), {"penalty.groups", "2-0", "backwards"});
  refused(group("0-2; 3-"), {"penalty.groups", "'3-'"});
  refused(group("0-2; 3-99999999999"), {"penalty.groups", "3-99999999999"});
  refused(group("3", "squrt"), {"penalty.weights", "squrt", "sqrt"});
  refused(group("no/such/file"), {"no/such/file"}, ErrorKind::data);
  refused(group("3", "1 2 3"), {"penalty.weights", "3 weights", "2 groups"});
  refused(group("3", "1 -1"), {"penalty.weights", "group 1", "-1", ">= 0"});
  refused(group("3", "1 nan"), {"penalty.weights", "nan"});
  refused(penalty("group-mcp", {"lambda=1", "groups=3", "weights=1 0"}),
          {"penalty.weights", "group 1", "0", "above 0"});
  refused(penalty("group", {"lambda=1", "groups=3", "weights=1 0", "rho=1"}),
          {"penalty.weights", "group 1", "0", "above 0"});

  const TestFolder folder;
  const auto file = [&](const char* name, const char* content) { return folder.put(name, content).string(); };
  refused(group(file("overlap", "0-3\n3-5\n")), {"overlap:2", "entry 3", "group 0"}, ErrorKind::data);
  refused(group(file("words", "0-3\nfour\n")), {"words:2", "four"}, ErrorKind::data);
  refused(group(file("hole", "0-3\n5\n")), {"hole", "entry 4", "no group"});
  refused(group("3", file("three", "1\n2\n3\n")), {"three", "3 weights", "2 groups"});
  refused(group("3", file("below", "1\n-1\n")), {"below", "group 1", "-1", ">= 0"}, ErrorKind::data);
  refused(group("3", file("table", "1,2\n3,4\n")), {"table", "2 lines of 2"}, ErrorKind::data);
}

TEST_CASE("groups: a change of the variable's shape is noticed") {
  const auto component = group("columns").make();
  auto& h = *query<ProximalOracle>(*component);
  CHECK(h.value(Element::dense(Shape::matrix(2, 3), kCounting)) ==
        doctest::Approx(norm_of({1, 2}) + norm_of({3, 4}) + norm_of({5, 6})));
  CHECK(h.value(Element::dense(Shape::matrix(3, 2), kCounting)) ==
        doctest::Approx(norm_of({1, 2, 3}) + norm_of({4, 5, 6})));
  CHECK(h.value(Element::dense(Shape::vector(6), kCounting)) == doctest::Approx(norm_of({1, 2, 3, 4, 5, 6})));
}

TEST_CASE("groups: contiguous ones and the same ones listed out of order agree") {
  Engine engine(501);
  const Shape shape = Shape::vector(12);
  for (const char* norm : {"norm=l2", "norm=linf"})
    for (const char* rho : {"rho=inf", "rho=0.8"}) {
      const auto a = penalty("group", {"lambda=0.6", "groups=4", norm, rho}).make();
      const auto b = penalty("group", {"lambda=0.6", "groups=3 2 1 0; 7-7 4-6; 8 11 9 10", norm, rho}).make();
      for (int trial = 0; trial < 50; ++trial) {
        const std::vector<double> v = random_point(engine, shape, 2.0);
        const std::vector<double> x = prox(*query<ProximalOracle>(*a), shape, v, 0.5),
                                  y = prox(*query<ProximalOracle>(*b), shape, v, 0.5);
        CHECK(std::sqrt(squared_distance(x, y)) <= 1e-12);
      }
    }
}
