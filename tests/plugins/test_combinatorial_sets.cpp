// SPDX-License-Identifier: BSD-3-Clause
// Assignments, paths, bases, orders and linear programs: the corner is the best of all, listed one by one or
// found by another method; what is not such a set is refused with its reason.
#include "convex_cases.hpp"

#include "../core/test_files.hpp"

#include <fstream>

// A namespace of its own: several files of tests are compiled as one.
namespace claros::test::combinatorial_sets {

namespace {

using Numbers = std::vector<double>;

struct Set {
  explicit Set(const Case& c)
      : component(c.make()),
        oracle(*query<LinearOracle>(*component)),
        membership(*query<Membership>(*component)) {}
  Numbers corner(const Shape& shape, const Numbers& c) {
    Element x;
    const OracleInfo info = oracle.minimize(Element::dense(shape, c), {}, x);
    CHECK(info.confirmed);
    CHECK(info.value == doctest::Approx(dot(c, x.to_dense())).epsilon(1e-12));
    CHECK(membership.violation(x) <= 1e-9);
    return x.to_dense();
  }
  double least(const Shape& shape, const Numbers& c) { return dot(c, corner(shape, c)); }
  double violation(const Shape& shape, const Numbers& x) {
    return membership.violation(Element::dense(shape, x));
  }

  std::shared_ptr<Component> component;
  LinearOracle& oracle;
  Membership& membership;
};

/// Normal costs, some of them whole numbers so that there are ties.
Numbers costs(Engine& engine, Index n, bool whole) {
  Numbers c = testing::normals(engine, n);
  if (whole)
    for (double& cost : c) cost = std::round(2.0 * cost);
  return c;
}

std::string row_text(const Numbers& a, const std::string& relation, double b) {
  std::string text;
  for (const double value : a) text += print_real(value) + ' ';
  return text + relation + ' ' + print_real(b) + "; ";
}

std::string refused(const Case& c, ErrorKind kind) {
  return complaint([&] { c.make(); }, kind);
}

/// The least sum of c over all permutations.
double least_of_permutations(std::size_t n, const Numbers& c) {
  std::vector<std::size_t> to(n);
  std::iota(to.begin(), to.end(), std::size_t{0});
  double least = kInfinity;
  do {
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += c[j * n + to[j]];
    least = std::min(least, sum);
  } while (std::next_permutation(to.begin(), to.end()));
  return least;
}

/// Rows and columns of n x n sum to 1.
std::string assignment_rows(std::size_t n) {
  std::string rows;
  for (std::size_t line = 0; line < 2 * n; ++line) {
    Numbers a(n * n, 0.0);
    for (std::size_t k = 0; k < n; ++k) a[line < n ? line * n + k : k * n + (line - n)] = 1.0;
    rows += row_text(a, "=", 1.0);
  }
  return rows;
}

struct Arcs {
  std::size_t nodes;
  std::vector<std::pair<std::size_t, std::size_t>> list;

  std::string text() const {
    std::string all;
    for (const auto& [from, to] : list) all += std::to_string(from) + ' ' + std::to_string(to) + "; ";
    return all;
  }
  /// Of simple paths from the first node to the last.
  double shortest(const Numbers& c) const {
    std::vector<bool> seen(nodes, false);
    double least = kInfinity;
    const std::function<void(std::size_t, double)> walk = [&](std::size_t at, double sum) {
      if (at + 1 == nodes) return void(least = std::min(least, sum));
      seen[at] = true;
      for (std::size_t a = 0; a < list.size(); ++a)
        if (list[a].first == at && !seen[list[a].second]) walk(list[a].second, sum + c[a]);
      seen[at] = false;
    };
    walk(0, 0.0);
    return least;
  }
  std::string flow_rows() const {
    std::string rows;
    for (std::size_t node = 0; node < nodes; ++node) {
      Numbers a(list.size(), 0.0);
      for (std::size_t k = 0; k < list.size(); ++k)
        a[k] = static_cast<double>(list[k].first == node) - static_cast<double>(list[k].second == node);
      rows += row_text(a, "=", node == 0 ? 1.0 : node + 1 == nodes ? -1.0 : 0.0);
    }
    return rows;
  }
};

/// A path through all nodes, in the order of their numbers, and arcs at random, in that order too unless
/// `cycles`; shuffled.
Arcs random_graph(Engine& engine, std::size_t nodes, std::size_t more, bool cycles) {
  Arcs g{nodes, {}};
  for (std::size_t node = 0; node + 1 < nodes; ++node) g.list.emplace_back(node, node + 1);
  while (g.list.size() < nodes - 1 + more) {
    const std::size_t one = engine() % nodes, other = engine() % nodes;
    if (one != other)
      g.list.emplace_back(cycles ? one : std::min(one, other), cycles ? other : std::max(one, other));
  }
  std::shuffle(g.list.begin(), g.list.end(), engine);
  return g;
}

Case flow_of(const Arcs& g) {
  return set("flow", {"graph=" + g.text(), "source=0", "target=" + std::to_string(g.nodes - 1)});
}

/// min c over 0-1 points of `n` entries that `good` takes.
double least_of_subsets(std::size_t n, const Numbers& c,
                        const std::function<bool(const std::vector<bool>&)>& good) {
  double least = kInfinity;
  for (std::size_t bits = 0; bits < (std::size_t{1} << n); ++bits) {
    std::vector<bool> in(n);
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) in[j] = bits >> j & 1, sum += in[j] ? c[j] : 0.0;
    if (sum < least && good(in)) least = sum;
  }
  return least;
}

}  // namespace

TEST_CASE(
    "birkhoff: the assignment is the best of all permutations, with ties and without, and in any units") {
  Engine engine(17);
  for (const std::size_t n : {1, 2, 3, 4, 5, 6, 7})
    for (int trial = 0; trial < 12; ++trial) {
      const Shape shape = Shape::matrix(static_cast<Index>(n), static_cast<Index>(n));
      Numbers c = costs(engine, shape.size(), trial % 2);
      if (trial == 4) std::fill(c.begin(), c.end(), 1.0);
      Set birkhoff(set("birkhoff", {}));
      const double least = least_of_permutations(n, c);
      CHECK(birkhoff.least(shape, c) == doctest::Approx(least).epsilon(1e-12));
      const Numbers x = birkhoff.corner(shape, c);
      for (const double unit : {0x1p-1000, 0x1p900, 0x1p1000}) {
        Numbers scaled = c;
        for (double& cost : scaled) cost *= unit;
        const Numbers y = birkhoff.corner(shape, scaled);
        CHECK(dot(c, y) == doctest::Approx(least).epsilon(1e-9));
      }
      CHECK(std::count(x.begin(), x.end(), 1.0) == static_cast<std::ptrdiff_t>(n));
    }
}

TEST_CASE("birkhoff: of larger matrices the linear program has the same minimum") {
  Engine engine(18);
  for (const std::size_t n : {9, 20}) {
    const Shape shape = Shape::matrix(static_cast<Index>(n), static_cast<Index>(n));
    Set birkhoff(set("birkhoff", {})), program(set("polytope", {"program=" + assignment_rows(n)}));
    for (int trial = 0; trial < 6; ++trial) {
      Numbers c = costs(engine, shape.size(), trial % 2);
      // Where all rows want the same columns it takes long augmenting paths, and prices that are kept right
      // behind them.
      for (std::size_t e = 0; trial > 2 && e < c.size(); ++e)
        c[e] = 0.1 * c[e] + static_cast<double>((e / n + 1) * (e % n + 1));
      CHECK(birkhoff.least(shape, c) == doctest::Approx(program.least(shape, c)).epsilon(1e-8));
    }
  }
}

TEST_CASE("birkhoff: of 150 x 150 no exchange of two or three rows is better, and prices prove the minimum") {
  // c(i, j) = u(i) + v(j) + slack, with no slack along a hidden permutation: its cost is sum u + sum v, and
  // no assignment is cheaper.
  Engine engine(19);
  constexpr std::size_t n = 150;
  const Shape shape = Shape::matrix(n, n);
  for (const bool whole : {false, true}) {
    std::vector<std::size_t> hidden(n);
    std::iota(hidden.begin(), hidden.end(), std::size_t{0});
    std::shuffle(hidden.begin(), hidden.end(), engine);
    const Numbers u = costs(engine, n, whole), v = costs(engine, n, whole);
    Numbers c = costs(engine, shape.size(), whole);
    double total = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      total += u[j] + v[j];
      for (std::size_t i = 0; i < n; ++i)
        c[j * n + i] = u[i] + v[j] + (hidden[j] == i ? 0.0 : 0.05 * std::abs(c[j * n + i]));
    }
    CHECK(Set(set("birkhoff", {})).least(shape, c) == doctest::Approx(total).epsilon(1e-10));
  }
}

TEST_CASE("birkhoff: membership, and a matrix that is not square") {
  const Shape shape = Shape::matrix(2, 2);
  Set birkhoff(set("birkhoff", {}));
  CHECK(birkhoff.violation(shape, {0.3, 0.7, 0.7, 0.3}) <= 1e-15);
  CHECK(birkhoff.violation(shape, {0.3, 0.7, 0.7, 0.4}) == doctest::Approx(0.1));
  CHECK(birkhoff.violation(shape, {1.2, -0.2, -0.2, 1.2}) == doctest::Approx(0.2));
  CHECK(birkhoff.violation(shape, {1.0, 0.0, 1.0, 0.0}) ==
        doctest::Approx(1.0));  // columns are right, rows are not
  CHECK(birkhoff.oracle.diameter(shape) == 2.0);
  for (const Shape& other : {Shape::matrix(2, 3), Shape::vector(4)}) {
    Element x;
    check_mentions(complaint([&] { birkhoff.oracle.minimize(Element(other), {}, x); }, ErrorKind::usage),
                   {"square", other.text().c_str()});
  }
}

TEST_CASE(
    "flow: without cycles the path is the best of all for costs of any sign, and the linear program agrees") {
  Engine engine(20);
  for (const std::size_t nodes : {2, 3, 5, 8})
    for (int trial = 0; trial < 10; ++trial) {
      const Arcs g = random_graph(engine, nodes, 2 * nodes, false);
      const Shape shape = Shape::vector(static_cast<Index>(g.list.size()));
      Set flow(flow_of(g)), program(set("polytope", {"program=" + g.flow_rows()}));
      for (int k = 0; k < 4; ++k) {
        const Numbers c = costs(engine, shape.size(), k % 2);
        const double least = flow.least(shape, c);
        CHECK(least == doctest::Approx(g.shortest(c)).epsilon(1e-12));
        CHECK(least == doctest::Approx(program.least(shape, c)).epsilon(1e-8));
      }
      // The program's own corners are flows of the set, and what does not balance is none.
      Numbers x = program.corner(shape, costs(engine, shape.size(), false));
      CHECK(flow.violation(shape, x) <= 1e-9);
      x.front() += 0.25;
      CHECK(flow.violation(shape, x) >= 0.1);
    }
}

TEST_CASE("flow: with cycles, for costs of any sign, and the linear program agrees") {
  Engine engine(21);
  int negative = 0, around = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Arcs g = random_graph(engine, 6, 8, true);
    const Shape shape = Shape::vector(static_cast<Index>(g.list.size()));
    Set flow(flow_of(g));
    Numbers c = costs(engine, shape.size(), trial % 2);
    for (double& cost : c) cost = std::abs(cost);
    CHECK(flow.least(shape, c) == doctest::Approx(g.shortest(c)).epsilon(1e-12));
    // Potentials make costs negative and no cycle.
    const Numbers potential = costs(engine, 6, false);
    for (std::size_t a = 0; a < c.size(); ++a)
      c[a] += potential[g.list[a].second] - potential[g.list[a].first];
    negative += *std::min_element(c.begin(), c.end()) < 0.0;
    for (double& cost : c) cost += 1e-9;
    CHECK(flow.least(shape, c) == doctest::Approx(g.shortest(c)).epsilon(1e-9));
    // Around a cycle of negative cost a unit flows beside the path.
    std::string rows = g.flow_rows();
    for (std::size_t a = 0; a < c.size(); ++a) {
      Numbers one(c.size(), 0.0);
      one[a] = 1.0;
      rows += row_text(one, "<=", 1.0);
    }
    Set program(set("polytope", {"program=" + rows}));
    for (int k = 0; k < 4; ++k) {
      const Numbers any = costs(engine, shape.size(), k % 2);
      const double least = flow.least(shape, any);
      CHECK(least == doctest::Approx(program.least(shape, any)).epsilon(1e-8));
      around += least < g.shortest(any) - 1e-9;
    }
  }
  CHECK(negative > 30);
  CHECK(around > 30);
  // Nodes that no path reaches have cycles of their own.
  Set apart(set("flow", {"graph=1 2; 3 4; 4 3", "source=1", "target=2"}));
  CHECK(apart.corner(Shape::vector(3), {1.0, -2.0, 1.0}) == Numbers{1.0, 1.0, 1.0});
  CHECK(apart.corner(Shape::vector(3), {1.0, -1.0, 2.0}) == Numbers{1.0, 0.0, 0.0});
}

TEST_CASE("flow: parallel arcs, nodes of any number, and the default ends") {
  Set flow(set("flow", {"graph=70 900; 70 900; 900 12"}));
  CHECK(flow.corner(Shape::vector(3), {2.0, 1.0, 5.0}) == Numbers{0.0, 1.0, 1.0});
  CHECK(flow.corner(Shape::vector(3), {1.0, 2.0, 5.0}) == Numbers{1.0, 0.0, 1.0});
  CHECK(flow.oracle.diameter(Shape::vector(3)) == doctest::Approx(std::sqrt(3.0)));
  check_conformance(set("flow", {"graph=1 2; 2 3; 3 1; 2 4", "source=1", "target=4"}), Shape::vector(4),
                    {"start"});
}

TEST_CASE(
    "flow: an arc from a node to itself has the flow that its cost asks for, and circulations are flows") {
  const Shape shape = Shape::vector(4);
  const Words loops{"graph=1 1; 1 2; 2 2; 2 3"}, around{"graph=1 2; 2 1; 2 3; 3 2", "source=2", "target=2"};
  Set flow(set("flow", loops));
  CHECK(flow.corner(shape, {-1.0, 1.0, 2.0, 1.0}) == Numbers{1.0, 1.0, 0.0, 1.0});
  CHECK(flow.corner(shape, {1.0, 1.0, -2.0, 1.0}) == Numbers{0.0, 1.0, 1.0, 1.0});
  Set circulation(set("flow", around));
  CHECK(circulation.corner(shape, {1.0, 1.0, 1.0, 1.0}) == Numbers{0.0, 0.0, 0.0, 0.0});
  CHECK(circulation.corner(shape, {-3.0, 1.0, 1.0, 1.0}) == Numbers{1.0, 1.0, 0.0, 0.0});
  for (const Words& words : {loops, around}) check_conformance(set("flow", words), shape, {"start"});
}

TEST_CASE("flow: what is not a graph is refused with the reason") {
  const auto said = [](const Words& words, ErrorKind kind = ErrorKind::data) {
    return refused(set("flow", words), kind);
  };
  check_mentions(said({"graph=1 2; 3 4", "source=1", "target=4"}),
                 {"set.graph", "no path leads from node 1 to node 4", "direction"});
  check_mentions(said({"graph=1 2; 3 2", "source=1", "target=3"}), {"no path"});
  check_mentions(said({"graph=1 2 7; 2 3 1"}), {"3 numbers", "from and to"});
  check_mentions(said({"graph=1 2; 2 2.5"}), {"2.5", "whole numbers"});
  check_mentions(said({"graph=1 2; 2"}, ErrorKind::usage), {"row 2 has 1 numbers, and the first has 2"});
  check_mentions(said({"graph=1 2; 2 x"}, ErrorKind::usage), {"'x'"});
  check_mentions(said({"graph=1 2; 3 2"}, ErrorKind::usage), {"set.source", "several nodes"});
  check_mentions(said({"graph=1 2; 2 1"}, ErrorKind::usage), {"set.source", "no node"});
  check_mentions(said({"graph=1 2; 2 3", "source=9"}, ErrorKind::usage), {"set.source", "no node 9"});
  check_mentions(said({"graph=1 2; 2 3", "source=2", "target=2"}, ErrorKind::usage),
                 {"set.target", "node 2", "no cycle"});
  check_mentions(said({"graph=/nowhere/arcs.txt"}), {"arcs.txt"});
  const TestFolder folder;
  folder.put("ragged.txt", "1 2\n2 3 4\n");
  check_mentions(said({"graph=" + (folder / "ragged.txt").string()}), {"ragged.txt:2"});
  folder.put("arcs.txt", "1 2\n2 3\n1 3\n");
  CHECK(Set(set("flow", {"graph=" + (folder / "arcs.txt").string()}))
            .corner(Shape::vector(3), {1.0, 1.0, 3.0}) == Numbers{1.0, 1.0, 0.0});
  Element x;
  Set flow(set("flow", {"graph=1 2; 2 3"}));
  check_mentions(complaint([&] { flow.oracle.minimize(Element(Shape::vector(3)), {}, x); }, ErrorKind::usage),
                 {"2 arcs", "3 x 1"});
}

TEST_CASE("polytope: the corner is the best of all corners, found from every choice of constraints") {
  Engine engine(22);
  for (int trial = 0; trial < 20; ++trial) {
    // a' x <= b around the point (1, 1, 1), with x >= 0 and a roof.
    std::vector<Numbers> rows;
    std::string text;
    for (int k = 0; k < 5; ++k) {
      Numbers a = testing::normals(engine, 3);
      const double b = a[0] + a[1] + a[2] + std::abs(testing::normals(engine, 1)[0]);
      text += k % 2 ? row_text(a, "<=", b) : row_text({-a[0], -a[1], -a[2]}, ">=", -b);
      a.push_back(b), rows.push_back(a);
    }
    text += row_text({1.0, 1.0, 1.0}, "<=", 9.0);
    rows.push_back({1.0, 1.0, 1.0, 9.0});
    for (std::size_t j = 0; j < 3; ++j) rows.push_back({0.0, 0.0, 0.0, 0.0}), rows.back()[j] = -1.0;
    Set program(set("polytope", {"program=" + text}));
    for (int k = 0; k < 5; ++k) {
      const Numbers c = testing::normals(engine, 3);
      double least = kInfinity;
      for (std::size_t p = 0; p < rows.size(); ++p)
        for (std::size_t q = 0; q < p; ++q)
          for (std::size_t r = 0; r < q; ++r) {
            // Cramer's rule on the three borders.
            const auto det = [](const Numbers& a, const Numbers& b, const Numbers& d, std::size_t i,
                                std::size_t j, std::size_t l) {
              return a[i] * (b[j] * d[l] - b[l] * d[j]) - a[j] * (b[i] * d[l] - b[l] * d[i]) +
                     a[l] * (b[i] * d[j] - b[j] * d[i]);
            };
            const Numbers &a = rows[p], &b = rows[q], &d = rows[r];
            const double whole = det(a, b, d, 0, 1, 2);
            if (std::abs(whole) < 1e-9) continue;
            const Numbers x{det(a, b, d, 3, 1, 2) / whole, det(a, b, d, 0, 3, 2) / whole,
                            det(a, b, d, 0, 1, 3) / whole};
            const bool inside = std::all_of(rows.begin(), rows.end(), [&](const Numbers& row) {
              return row[0] * x[0] + row[1] * x[1] + row[2] * x[2] <= row[3] + 1e-9;
            });
            if (inside) least = std::min(least, dot(c, x));
          }
      CHECK(program.least(Shape::vector(3), c) == doctest::Approx(least).epsilon(1e-7));
    }
  }
}

TEST_CASE("polytope: an answer depends on its costs alone, to the last bit") {
  Engine engine(23);
  const Case c = set("polytope", {"program=" + assignment_rows(6)});
  const Shape shape = Shape::matrix(6, 6);
  Set busy(c);
  for (int k = 0; k < 12; ++k) {
    const Numbers direction = costs(engine, 36, k % 2);
    CHECK(busy.corner(shape, direction) == Set(c).corner(shape, direction));
  }
}

TEST_CASE("polytope: files of MPS and LP format, with bounds, ranges and comments") {
  const TestFolder folder;
  folder.put("two.lp",
             "\\ a comment\nminimize\n obj: 3 x + y\nsubject to\n sum: x + y <= 4\n gap: x - y >= "
             "-2\nbounds\n -3 <= x <= 5\n y <= 3\nend\n");
  folder.put("two.mps",
             "NAME T FREE\nROWS\n N obj\n L sum\n G gap\nCOLUMNS\n x obj 3 sum 1\n x gap 1\n y obj 1 sum 1\n "
             "y gap -1\nRHS\n b sum 4 gap -2\nBOUNDS\n LO n x -3\n UP n x 5\n UP n y 3\nENDATA\n");
  for (const char* name : {"two.lp", "two.mps"}) {
    CAPTURE(name);
    Set program(set("polytope", {"program=" + (folder / name).string()}));
    CHECK(program.least(Shape::vector(2), {1.0, 0.0}) == doctest::Approx(-2.0));  // y >= 0, y <= x + 2
    CHECK(program.least(Shape::vector(2), {-1.0, -1.0}) == doctest::Approx(-4.0));
    CHECK(program.least(Shape::vector(2), {0.0, -1.0}) == doctest::Approx(-3.0));
    CHECK(program.violation(Shape::vector(2), {1.0, 3.0}) <= 1e-12);
    CHECK(program.violation(Shape::vector(2), {0.0, 3.0}) > 0.05);
  }
}

TEST_CASE("polytope: both spellings of a relation mean the same, and one row alone is a program") {
  const Shape shape = Shape::vector(2);
  const auto corner = [&](const std::string& program, const Numbers& c) {
    return Set(set("polytope", {"program=" + program})).corner(shape, c);
  };
  for (const std::string at_most : {"<=", "=<", "<"})
    for (const std::string at_least : {">=", "=>", ">"})
      for (const std::string blank : {"", " "}) {
        const std::string program =
            "1 1" + blank + at_most + blank + "4; 1 0" + blank + at_least + blank + "1";
        CAPTURE(program);
        CHECK(corner(program, {-1.0, 0.0}) == Numbers{4.0, 0.0});
        CHECK(corner(program, {1.0, 0.0}).front() == doctest::Approx(1.0));
        CHECK(corner(program, {0.0, -1.0}) == Numbers{1.0, 3.0});
      }
  for (const std::string program : {"1 1 <= 1", "1 1 = 1", "1,1=1", " 1 1 =< 1 "})
    CHECK(corner(program, {0.0, -1.0}) == Numbers{0.0, 1.0});
  check_mentions(refused(set("polytope", {"program=x + y <= 1"}), ErrorKind::usage),
                 {"'x' is not a finite number"});
}

TEST_CASE("sets: one row of numbers alone is a table, not the name of a file") {
  CHECK(Set(set("flow", {"graph=1 2"})).corner(Shape::vector(1), {3.0}) == Numbers{1.0});
  CHECK(Set(set("vertices", {"vertices=0.5 -2"})).corner(Shape::vector(2), {1.0, 1.0}) == Numbers{0.5, -2.0});
  CHECK(Set(set("matroid-base", {"matroid=graphic", "graph=1, 2"})).corner(Shape::vector(1), {1.0}) ==
        Numbers{1.0});
  check_mentions(refused(set("flow", {"graph=1 2 3"}), ErrorKind::data), {"set.graph", "3 numbers"});
  check_mentions(refused(set("flow", {"graph=arcs-1 2.txt"}), ErrorKind::data), {"arcs-1 2.txt"});
}

TEST_CASE("polytope: what is neither a polytope nor a program is refused with the reason") {
  const auto said = [](const std::string& program, ErrorKind kind = ErrorKind::data) {
    return refused(set("polytope", {"program=" + program}), kind);
  };
  check_mentions(said("1 1 <= 1; 1 1 >= 2"), {"set.program", "no point satisfies all constraints"});
  check_mentions(said("1 -1 <= 1; 1 1 >= 2"),
                 {"set.program", "variable 1", "unbounded above", "add a bound"});
  check_mentions(said("1 1 <= 1; 1 >= 2", ErrorKind::usage), {"row 2 has 1 coefficients"});
  check_mentions(said("1 1 <= 1; 1 1", ErrorKind::usage), {"'1 1'", "not a constraint"});
  check_mentions(said("1 1 <= ; 1 1 <= 2", ErrorKind::usage), {"not a constraint"});
  check_mentions(said(";", ErrorKind::usage), {"holds no constraint"});
  for (const std::string sign : {"<>", "<<", ">>", "==", "><", "=<=", "<=>"})
    check_mentions(said("1 1 " + sign + " 1; 1 0 <= 1", ErrorKind::usage),
                   {"expected one of <=, >= and =", ("'" + sign + "'").c_str()});
  check_mentions(said("/nowhere/x.lp"), {"x.lp"});
  const TestFolder folder;
  // The reader of LP format crashes on some of these, in a process of its own.
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"empty.lp", ""},
           {"blank.lp", "\n\n"},
           {"words.lp", "garbage here\n 1 2 3 &&&\n"},
           {"half.lp", "minimize\n obj: x + y\nsubject to\n c: x + y 4\nend\n"},
           {"empty.mps", ""},
           {"words.mps", "garbage here\n"},
           {"bytes", std::string("\x01\x80\xff\x00zz", 6)}}) {
    CAPTURE(name);
    folder.put(name, text);
    check_mentions(said((folder / name).string()), {name.c_str(), "MPS or LP"});
  }
  folder.put("open.lp", "minimize\n obj: x\nsubject to\n c: x + y >= 1\nend\n");
  check_mentions(said((folder / "open.lp").string()), {"open.lp", "variable", "add a bound"});
}

TEST_CASE("transport: the plan costs what the linear program of Clp does, at any size and in any units") {
  Engine engine(26);
  const std::pair<std::size_t, std::size_t> sizes[]{{1, 1}, {1, 4}, {3, 1}, {2, 2}, {4, 3}, {5, 7}, {9, 6}};
  for (int trial = 0; trial < 40; ++trial)
    for (const auto& [m, n] : sizes) {
      // Whole amounts, zeros among them, make ties; others are split at random.
      const double unit = std::pow(10.0, static_cast<double>(trial % 5 - 2) * 4.0);
      Numbers a(m, 0.0), b(n, 0.0);
      for (std::size_t k = 0; k < 3 * (m + n); ++k) {
        const double amount = trial % 2 ? 1.0 : std::uniform_real_distribution<>(0.1, 2.0)(engine);
        a[engine() % m] += amount;
        b[engine() % n] += amount;
      }
      const Numbers c = costs(engine, static_cast<Index>(m * n), trial % 4 == 1);
      std::string program, rows, columns;
      for (std::size_t i = 0; i < m; ++i) {
        Numbers of(m * n, 0.0);
        for (std::size_t j = 0; j < n; ++j) of[j * m + i] = 1.0;
        program += row_text(of, "=", a[i]);
        rows += print_real(unit * a[i]) + ' ';
      }
      for (std::size_t j = 0; j < n; ++j) {
        Numbers of(m * n, 0.0);
        for (std::size_t i = 0; i < m; ++i) of[j * m + i] = 1.0;
        program += row_text(of, "=", b[j]);
        columns += print_real(unit * b[j]) + ' ';
      }
      const double least =
          Set(set("polytope", {"program=" + program})).least(Shape::vector(static_cast<Index>(m * n)), c);
      Set plans(set("transport", {"rows=" + rows, "columns=" + columns}));
      const Shape shape = Shape::matrix(static_cast<Index>(m), static_cast<Index>(n));
      CHECK(plans.least(shape, c) / unit == doctest::Approx(least).epsilon(1e-7));
      Element x;
      const OracleInfo info = plans.oracle.minimize(Element::dense(shape, c), {}, x);
      const double size = std::sqrt(dot(c, c)) * unit * static_cast<double>(3 * (m + n));
      CHECK(info.value - info.lower_bound <= 1e-12 * size);
    }
}

TEST_CASE("transport: all tests of the kit, and everything that is wrong is named at once") {
  check_conformance(set("transport", {"rows=2 1 3", "columns=1.5 0 4 0.5"}), Shape::matrix(3, 4), {});
  check_conformance(set("transport", {"rows=2", "columns=2"}), Shape::matrix(1, 1), {});
  const auto said = [](const char* rows, const char* columns) {
    return refused(set("transport", {rows, columns}), ErrorKind::usage);
  };
  check_mentions(said("rows=2 -1", "columns=3 -0.5"),
                 {"set.rows", "number 2 of rows is -1", "number 2 of columns is -0.5", "sum to 1", "2.5"});
  check_mentions(said("rows=2 1", "columns=1 1"), {"set.columns", "sum to 3", "to 2"});
  check_mentions(said("rows=0 0", "columns=0"), {"set.rows", "all amounts are 0"});
  Set plans(set("transport", {"rows=2 1", "columns=1 1 1"}));
  Element x;
  check_mentions(
      complaint([&] { plans.oracle.minimize(Element(Shape::matrix(3, 2)), {}, x); }, ErrorKind::usage),
      {"2 x 3", "3 x 2"});
}

TEST_CASE("matroid-base: greedy is the best of all bases") {
  Engine engine(24);
  constexpr std::size_t n = 8;
  const Shape shape = Shape::vector(n);
  for (int trial = 0; trial < 20; ++trial) {
    const Numbers c = costs(engine, n, trial % 2);
    for (const std::size_t k : {0, 1, 3, 8}) {
      const double least = least_of_subsets(n, c, [&](const std::vector<bool>& in) {
        return static_cast<std::size_t>(std::count(in.begin(), in.end(), true)) == k;
      });
      CHECK(Set(set("matroid-base", {"rank=" + std::to_string(k)})).least(shape, c) ==
            doctest::Approx(least));
      const double at_most = least_of_subsets(n, c, [&](const std::vector<bool>& in) {
        return static_cast<std::size_t>(std::count(in.begin(), in.end(), true)) <= k;
      });
      CHECK(Set(set("matroid-base", {"rank=" + std::to_string(k), "corners=independent"})).least(shape, c) ==
            doctest::Approx(at_most));
    }
    const double parts = least_of_subsets(n, c, [](const std::vector<bool>& in) {
      return in[0] + in[5] + in[7] == 2 && in[1] + in[2] + in[3] + in[4] + in[6] == 1;
    });
    CHECK(
        Set(set("matroid-base", {"matroid=partition", "groups=0 5 7; 1-4 6", "rank=2 1"})).least(shape, c) ==
        doctest::Approx(parts));
    // Five nodes, parallel edges among them.
    const std::vector<std::pair<int, int>> edges{{0, 1}, {1, 2}, {2, 0}, {2, 3},
                                                 {3, 4}, {4, 0}, {3, 4}, {1, 3}};
    std::string text;
    for (const auto& [a, b] : edges) text += std::to_string(10 * a) + ' ' + std::to_string(10 * b) + "; ";
    const auto edges_of_forest = [&](const std::vector<bool>& in) {
      std::vector<int> tree{0, 1, 2, 3, 4};
      int count = 0;
      for (std::size_t e = 0; e < n; ++e) {
        if (!in[e]) continue;
        const int one = tree[static_cast<std::size_t>(edges[e].first)],
                  other = tree[static_cast<std::size_t>(edges[e].second)];
        if (one == other) return -1;
        std::replace(tree.begin(), tree.end(), one, other), ++count;
      }
      return count;
    };
    const double trees = least_of_subsets(n, c, [&](const auto&in) { return edges_of_forest(in) == 4; }),
                 forests = least_of_subsets(n, c, [&](const auto&in) { return edges_of_forest(in) >= 0; });
    CHECK(Set(set("matroid-base", {"matroid=graphic", "graph=" + text})).least(shape, c) ==
          doctest::Approx(trees));
    CHECK(Set(set("matroid-base", {"matroid=graphic", "corners=independent", "graph=" + text}))
              .least(shape, c) == doctest::Approx(forests));
  }
}

TEST_CASE("matroid-base: membership of the spanning trees, all tests of the kit on each kind, and refusals") {
  const Case triangle = set("matroid-base", {"matroid=graphic", "graph=1 2; 2 3; 1 3; 3 4"});
  Set trees(triangle);
  CHECK(trees.violation(Shape::vector(4), {2.0 / 3, 2.0 / 3, 2.0 / 3, 1.0}) <= 1e-12);
  CHECK(trees.violation(Shape::vector(4), {1.0, 1.0, 0.5, 0.5}) >
        0.05);  // more than two edges' worth in a triangle
  CHECK(trees.oracle.diameter(Shape::vector(4)) == doctest::Approx(std::sqrt(2.0)));
  const Words tests{"oracle-optimal", "oracle-value", "oracle-member", "oracle-forms",  "diameter",
                    "support",        "membership",   "start",         "extreme-input", "state"};
  check_conformance(triangle, Shape::vector(4), tests);
  check_conformance(set("matroid-base", {"matroid=partition", "groups=rows", "rank=2"}), Shape::matrix(3, 4),
                    tests);
  for (const char* corners : {"corners=bases", "corners=independent"})
    check_conformance(set("matroid-base", {"rank=4", corners}), Shape::vector(9), tests);
  const auto said = [](const Words& words, ErrorKind kind = ErrorKind::usage) {
    return refused(set("matroid-base", words), kind);
  };
  check_mentions(said({"rank=1.5"}), {"set.rank", "1.5"});
  check_mentions(said({"rank=2 1"}), {"set.rank"});
  check_mentions(said({"matroid=partition"}), {"set.groups"});
  check_mentions(said({"matroid=graphic"}), {"set.graph"});
  check_mentions(said({"matroid=graphic", "graph=1 2 3; 2 3 4"}, ErrorKind::data), {"3 numbers"});
  Element x;
  Set five(set("matroid-base", {"rank=5"}));
  check_mentions(complaint([&] { five.oracle.minimize(Element(Shape::vector(3)), {}, x); }, ErrorKind::usage),
                 {"5 entries", "3"});
}

TEST_CASE(
    "permutahedron: the corner is the best order of all, membership is Rado's, and the numbers may be one's "
    "own") {
  Engine engine(25);
  const Numbers w{3.5, 1.0, 1.0, -2.0, 0.25};
  const Shape shape = Shape::vector(5);
  Set orders(set("permutahedron", {"values=3.5 1 1 -2 0.25"}));
  for (int trial = 0; trial < 20; ++trial) {
    const Numbers c = costs(engine, 5, trial % 2);
    Numbers order = w;
    std::sort(order.begin(), order.end());
    double least = kInfinity;
    do least = std::min(least, dot(c, order));
    while (std::next_permutation(order.begin(), order.end()));
    CHECK(orders.least(shape, c) == doctest::Approx(least));
  }
  CHECK(orders.violation(shape, {0.75, 0.75, 0.75, 0.75, 0.75}) <= 1e-15);
  CHECK(orders.violation(shape, {3.5, 3.5, -1.0, -1.0, -1.25}) > 0.1);
  Set small(set("permutahedron", {}));
  CHECK(small.corner(Shape::vector(3), {0.0, -1.0, 5.0}) == Numbers{2.0, 3.0, 1.0});
  CHECK(small.oracle.diameter(Shape::vector(3)) == doctest::Approx(std::sqrt(8.0)));
  check_conformance(set("permutahedron", {"values=4 -1 0.5 2"}), Shape::vector(4),
                    {"oracle-optimal", "diameter", "projection-optimal", "projection-member",
                     "projection-nonexpansive", "membership", "start"});
  check_mentions(refused(set("permutahedron", {"values=1, nan"}), ErrorKind::usage), {"nan"});
  Element x;
  check_mentions(
      complaint([&] { orders.oracle.minimize(Element(Shape::vector(3)), {}, x); }, ErrorKind::usage),
      {"5 values", "3 entries"});
}

TEST_CASE("vertices: the best row, the projection onto a square, and rows that are no points") {
  Engine engine(26);
  Set square(set("vertices", {"vertices=-1 -1; 1 -1; 1 1; -1 1; 0 0.5"}));
  const Shape plane = Shape::vector(2);
  auto& projection = *query<ProximalOracle>(*square.component);
  for (int trial = 0; trial < 40; ++trial) {
    const Numbers c = costs(engine, 2, trial % 2);
    CHECK(square.least(plane, c) == doctest::Approx(-std::abs(c[0]) - std::abs(c[1])));
    const Numbers x = prox(projection, plane, {3.0 * c[0], 3.0 * c[1]}, 1.0);
    for (std::size_t j = 0; j < 2; ++j)
      CHECK(x[j] == doctest::Approx(std::clamp(3.0 * c[j], -1.0, 1.0)).epsilon(1e-12));
  }
  CHECK(square.oracle.diameter(plane) == doctest::Approx(std::sqrt(8.0)));
  CHECK(Set(set("vertices", {"vertices=2 3;"})).corner(plane, {1.0, 1.0}) == Numbers{2.0, 3.0});
  const TestFolder folder;
  folder.put("points.csv", "0,0,1\n1,0,0\n0,1,0\n");
  folder.put("ragged.csv", "0,0,1\n1,0\n0,1,0\n");
  CHECK(Set(set("vertices", {"vertices=" + (folder / "points.csv").string()}))
            .corner(Shape::vector(3), {0.0, -1.0, 2.0}) == Numbers{0.0, 1.0, 0.0});
  check_mentions(refused(set("vertices", {"vertices=" + (folder / "ragged.csv").string()}), ErrorKind::data),
                 {"ragged.csv:2"});
  check_mentions(refused(set("vertices", {"vertices=1 2; 3"}), ErrorKind::usage),
                 {"row 2 has 1 numbers, and the first has 2"});
  check_mentions(refused(set("vertices", {"vertices=1e308 0; -1e308 0"}), ErrorKind::data),
                 {"too far apart"});
}

TEST_CASE("vertices: the nearest of many points in some dimensions meets its variational inequality") {
  Engine engine(27);
  for (const Index n : {3, 8, 20}) {
    std::string text;
    std::vector<Numbers> rows;
    for (Index i = 0; i < 3 * n; ++i) {
      rows.push_back(testing::normals(engine, n));
      for (const double value : rows.back()) text += print_real(value) + ' ';
      text += ';';
    }
    Set hull(set("vertices", {"vertices=" + text}));
    const Shape shape = Shape::vector(n);
    auto& projection = *query<ProximalOracle>(*hull.component);
    for (const double scale : {0.1, 0.5, 1.0, 10.0}) {
      Numbers v = testing::normals(engine, n);
      for (double& value : v) value *= scale;
      const Numbers x = prox(projection, shape, v, 1.0), normal = combined(1.0, v, -1.0, x);
      CHECK(hull.violation(shape, x) <= 1e-12);
      for (const Numbers& u : rows) CHECK(dot(normal, combined(1.0, u, -1.0, x)) <= 1e-10 * (1.0 + scale));
    }
  }
}

}  // namespace claros::test::combinatorial_sets
