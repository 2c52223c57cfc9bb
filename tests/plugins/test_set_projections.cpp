// SPDX-License-Identifier: BSD-3-Clause
// Projections onto balls and combinatorial sets: by the inequality that defines them, over all corners at
// once; against other methods where two sets are the same; in small and large units, with ties, from inside
// and from far away. What they certify is held against answers of another method.
#include "../core/test_files.hpp"
#include "convex_cases.hpp"

// A namespace of its own: several files of tests are compiled as one.
namespace claros::test::set_projections {

namespace {

using Numbers = std::vector<double>;

/// A set that is made once and asked on one shape.
struct Set {
  Set(const Case& c, const Shape& of) : component(c.make()), shape(of) {}
  Numbers projected(const Numbers& v, Certificate* said = nullptr) const {
    Element x;
    const Certificate c = query<ProximalOracle>(*component)->apply(Element::dense(shape, v), 1.0, x, {});
    if (said) *said = c;
    return x.to_dense();
  }
  Numbers corner(const Numbers& c) const {
    Element x;
    query<LinearOracle>(*component)->minimize(Element::dense(shape, c), {}, x);
    return x.to_dense();
  }
  double violation(const Numbers& x) const {
    return query<Membership>(*component)->violation(Element::dense(shape, x));
  }
  /// max <v - p, u - p> over u in C: 0 at the projection p, and at least ||p - projection||^2 at any point of
  /// C.
  double slack(const Numbers& v, const Numbers& p) const {
    const Numbers pull = combined(1.0, p, -1.0, v), u = corner(pull);
    return dot(pull, combined(1.0, p, -1.0, u));
  }

  std::shared_ptr<Component> component;
  Shape shape;
};

double length(const Numbers& x) { return std::sqrt(dot(x, x)); }
double apart(const Numbers& x, const Numbers& y) { return std::sqrt(squared_distance(x, y)); }

Numbers scaled(Numbers x, double by) {
  for (double& value : x) value *= by;
  return x;
}

std::string edges_text(const std::vector<std::pair<std::size_t, std::size_t>>& edges) {
  std::string text;
  for (const auto& [a, b] : edges) text += std::to_string(a) + ' ' + std::to_string(b) + "; ";
  return text;
}

/// A path through all nodes, and arcs at random, without cycles unless asked for.
std::vector<std::pair<std::size_t, std::size_t>> network(Engine& engine, std::size_t nodes, std::size_t arcs,
                                                         bool cycles) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t node = 0; node + 1 < nodes; ++node) all.emplace_back(node, node + 1);
  while (all.size() < arcs) {
    const std::size_t a = engine() % nodes, b = engine() % nodes;
    if (a != b) all.emplace_back(cycles ? a : std::min(a, b), cycles ? b : std::max(a, b));
  }
  return all;
}
Case flow(const std::vector<std::pair<std::size_t, std::size_t>>& arcs, std::size_t nodes) {
  return set("flow", {"graph=" + edges_text(arcs), "source=0", "target=" + std::to_string(nodes - 1)});
}

/// The same flows as a linear program, with x <= 1.
Case flow_program(const std::vector<std::pair<std::size_t, std::size_t>>& arcs, std::size_t nodes) {
  std::string rows;
  for (std::size_t node = 0; node < nodes; ++node) {
    for (const auto& [from, to] : arcs) rows += std::to_string(int(from == node) - int(to == node)) + ' ';
    rows += node == 0 ? "= 1; " : node + 1 == nodes ? "= -1; " : "= 0; ";
  }
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    for (std::size_t k = 0; k < arcs.size(); ++k) rows += k == a ? "1 " : "0 ";
    rows += "<= 1; ";
  }
  return set("polytope", {"program=" + rows});
}

std::string assignment_rows(std::size_t n) {
  std::string rows;
  for (std::size_t line = 0; line < 2 * n; ++line) {
    for (std::size_t k = 0; k < n * n; ++k)
      rows += (line < n ? k / n == line : k % n == line - n) ? "1 " : "0 ";
    rows += "= 1; ";
  }
  return rows;
}

/// Sets whose corners all have a linear oracle of any direction, with the size of their points, and how near
/// 0 the slack comes.
struct Sized {
  Case set;
  Shape shape;
  double size, accuracy = 1e-13;
};
/// Three rows and four columns, one of them empty.
Sized transport(double unit) {
  const auto amounts = [&](const Numbers& of) {
    std::string text;
    for (const double amount : of) text += print_real(unit * amount) + ' ';
    return text;
  };
  return {set("transport", {"rows=" + amounts({2, 1, 3}), "columns=" + amounts({1.5, 0, 4, 0.5})}),
          Shape::matrix(3, 4), unit * 5.0};
}
std::vector<Sized> all_of(Engine& engine) {
  std::vector<Sized> all;
  for (const double radius : {1.0, 1e-8, 1e8}) {
    const std::string r = "radius=" + print_real(radius);
    for (const double upper : {0.1, 0.12, 0.4, 0.5, 0.999, 1.0})  // of ten entries the first is one point
      all.push_back({set("simplex", {r, "upper=" + print_real(upper * radius)}), Shape::vector(10), radius});
    for (const char* p : {"1", "1.0000001", "1.1", "1.5", "2", "3", "20", "1000", "inf"})
      for (const Words& weights :
           {Words{}, Words{"weights=0.5 2 1 3 0.25 1 1 0.1 7 2"}})  // Near p = 1 a last bit of v moves
                                                                    // corners by that over p - 1.
        all.push_back({set("lp-ball", Words{r, std::string("p=") + p} + weights), Shape::vector(10),
                       radius * 10.0, std::string(p) == "1.0000001" ? 1e-8 : 1e-12});
    for (const char* k : {"1", "2", "5", "9", "10", "40"})
      for (const char* norm : {"l2", "linf"})
        all.push_back({set("k-sparse", {r, std::string("k=") + k, std::string("norm=") + norm}),
                       Shape::vector(10), radius * std::sqrt(10.0)});
  }
  for (const char* rank : {"0", "1", "4", "10"})
    for (const char* corners : {"bases", "independent"})
      all.push_back({set("matroid-base", {std::string("rank=") + rank, std::string("corners=") + corners}),
                     Shape::vector(10), 3.0});
  all.push_back({set("matroid-base",
                     {"matroid=partition", "groups=0 5 7; 1-4 6; 8-9", "rank=2 1 0", "corners=independent"}),
                 Shape::vector(10), 2.0});
  for (const double unit : {1.0, 1e-8, 1e8}) all.push_back(transport(unit));
  all.push_back({set("matroid-base", {"matroid=partition", "groups=0 5 7; 1-4 6; 8-9", "rank=2 1 0"}),
                 Shape::vector(10), 2.0});
  all.push_back(
      {set("matroid-base", {"matroid=graphic", "graph=0 1; 1 2; 2 0; 2 3; 3 4; 4 0; 3 4; 1 3; 5 6"}),
       Shape::vector(9), 3.0});
  all.push_back({set("matroid-base", {"matroid=graphic", "corners=independent",
                                      "graph=0 1; 1 2; 2 0; 2 3; 3 4; 4 0; 3 4; 1 3; 5 6"}),
                 Shape::vector(9), 3.0});
  for (const Index n : {1, 2, 7})
    all.push_back({set("birkhoff", {}), Shape::matrix(n, n), std::sqrt(static_cast<double>(n))});
  all.push_back({flow(network(engine, 8, 24, false), 8), Shape::vector(24), 3.0});
  all.push_back({set("flow", {"graph=1 2; 2 3"}), Shape::vector(2), 1.5});  // one point
  all.push_back(
      {set("polytope", {"program=1 2 1 <= 4; 3 1 0 <= 6; 1 1 1 >= 1; 1 1 0 <= 2; 2 2 0 <= 4; 1 0 -1 = 0.5"}),
       Shape::vector(3), 4.0, 1e-8});  // corners are Clp's, to 1e-9
  all.push_back(
      {set("polytope", {"program=1 1 = 1; 1 0 = 0.25"}), Shape::vector(2), 1.0, 1e-8});  // one point
  all.push_back(
      {set("vertices", {"vertices=0 0 0; 1 0 0; 0 1 0; 2 2 0; 0 0 3; 1 1 1; 1 1 1"}), Shape::vector(3), 3.0});
  return all;
}

}  // namespace

TEST_CASE(
    "set projections: no corner is on the side of the point that is projected, in any units, with ties, from "
    "near and far") {
  Engine engine(701);
  for (const Sized& c : all_of(engine)) {
    CAPTURE(c.set.text());
    const Set C(c.set, c.shape);
    for (const double distance : {1e-6, 0.3, 3.0, 1e6})
      for (int trial = 0; trial < 3; ++trial) {
        CAPTURE(distance);
        const Numbers v = random_point(engine, c.shape, c.size * distance);
        Certificate said;
        const Numbers p = C.projected(v, &said);
        const double far = c.size + length(v);
        CHECK(C.violation(p) <= 1e-12);
        CHECK(C.slack(v, p) <= c.accuracy * far * c.size);
        CHECK(apart(C.projected(p), p) <= 1e-12 * c.size);
        CHECK(said.error <= 1e-7 * far);
        // No two points come nearer to each other's place: nonexpansive.
        const Numbers w = combined(1.0, v, 1e-3 * distance, random_point(engine, c.shape, c.size)),
                      q = C.projected(w);
        CHECK(apart(p, q) <= apart(v, w) + 1e-13 * far);
      }
  }
}

TEST_CASE("set projections: balls of one radius are those of another in other units") {
  Engine engine(702);
  for (const Words& words : {Words{"lp-ball", "p=1"}, Words{"lp-ball", "p=1.3"}, Words{"lp-ball", "p=1000"},
                             Words{"k-sparse", "k=3"}, Words{"k-sparse", "k=3", "norm=linf"}}) {
    const auto ball = [&](const char* radius) {
      return Set(set(words[0], Words{radius} + Words(words.begin() + 1, words.end())), Shape::vector(12));
    };
    const Set one = ball("radius=1"), small = ball("radius=1e-6"), large = ball("radius=1e6");
    for (int trial = 0; trial < 10; ++trial) {
      const Numbers v = random_point(engine, Shape::vector(12), trial % 2 ? 1.0 : 30.0), p = one.projected(v);
      CHECK(apart(scaled(small.projected(scaled(v, 1e-6)), 1e6), p) <= 1e-13 * length(p));
      CHECK(apart(scaled(large.projected(scaled(v, 1e6)), 1e-6), p) <= 1e-13 * length(p));
    }
  }
}

TEST_CASE("simplex: a cap that no entries can keep is refused with the least that they can") {
  const auto refused = [](const Words& words, Index n) {
    return complaint(
        [&] {
          Set(set("simplex", words), Shape::vector(n)).projected(Numbers(static_cast<std::size_t>(n), 1.0));
        },
        ErrorKind::usage);
  };
  check_mentions(refused({"radius=1", "upper=0.2"}, 4), {"upper", "4 entries", "0.8", "at least 0.25"});
  CHECK(Set(set("simplex", {"radius=1", "upper=0.25"}), Shape::vector(4)).projected({9, 0, 0, -9}) ==
        Numbers(4, 0.25));
}

TEST_CASE("set projections: where two sets are the same, another method finds the same point") {
  Engine engine(703);
  const Shape shape = Shape::vector(8);
  const std::string w = "0.5 2 1 3 0.25 1 0.1 7",
                    inverse = "2 0.5 1 0.33333333333333331 4 1 10 0.14285714285714285";
  std::string cycle;
  for (int node = 0; node < 8; ++node)
    cycle += std::to_string(node) + ' ' + std::to_string((node + 1) % 8) + "; ";
  const std::vector<std::pair<Case, Case>> pairs{
      {set("lp-ball", {"radius=2", "p=1"}), set("l1-ball", {"radius=2"})},
      {set("lp-ball", {"radius=2", "p=2"}), set("l2-ball", {"radius=2"})},
      {set("lp-ball", {"radius=2", "p=2", "weights=" + w}),
       set("ellipsoid", {"radius=2", "axes=" + inverse})},
      {set("lp-ball", {"radius=2", "p=inf"}), set("box", {"lower=-2", "upper=2"})},
      {set("lp-ball", {"radius=2", "p=inf", "weights=" + w}),
       set("box", {"lowers=-4 -1 -2 -0.66666666666666663 -8 -2 -20 -0.2857142857142857",
                   "uppers=4 1 2 0.66666666666666663 8 2 20 0.2857142857142857"})},
      {set("lp-ball", {"radius=2", "p=1.000000000001"}), set("l1-ball", {"radius=2"})},
      {set("k-sparse", {"radius=2", "k=1"}), set("l1-ball", {"radius=2"})},
      {set("k-sparse", {"radius=2", "k=1", "norm=linf"}), set("l1-ball", {"radius=2"})},
      {set("k-sparse", {"radius=2", "k=8"}), set("l2-ball", {"radius=2"})},
      {set("k-sparse", {"radius=2", "k=8", "norm=linf"}), set("box", {"lower=-2", "upper=2"})},
      {set("matroid-base", {"rank=1"}), set("simplex", {"radius=1"})},
      {set("matroid-base", {"rank=1", "corners=independent"}), set("unit-simplex", {"radius=1"})},
      {set("matroid-base", {"rank=8", "corners=independent"}), set("box", {"lower=0", "upper=1"})},
      {set("matroid-base", {"matroid=graphic", "graph=" + cycle}),
       set("matroid-base", {"rank=7"})},  // trees of a cycle: all edges but one
      {set("simplex", {"radius=3", "upper=1"}), set("matroid-base", {"rank=3"})},
      {set("simplex", {"radius=2", "upper=2"}), set("simplex", {"radius=2"})},
      {set("simplex", {"radius=2.5", "upper=1"}), set("permutahedron", {"values=1 1 0.5 0 0 0 0 0"})},
      {set("matroid-base", {"rank=3"}), set("permutahedron", {"values=1 1 1 0 0 0 0 0"})},
      {set("matroid-base", {"rank=3"}),
       set("polytope",
           {"program=1 1 1 1 1 1 1 1 = 3; 1 0 0 0 0 0 0 0 <= 1; 0 1 0 0 0 0 0 0 <= 1; 0 0 1 0 0 0 0 0 <= 1; "
            "0 0 0 1 0 0 0 0 <= 1; "
            "0 0 0 0 1 0 0 0 <= 1; 0 0 0 0 0 1 0 0 <= 1; 0 0 0 0 0 0 1 0 <= 1; 0 0 0 0 0 0 0 1 <= 1"})}};
  for (const auto& [one, other] : pairs) {
    CAPTURE(one.text());
    CAPTURE(other.text());
    const Set A(one, shape), B(other, shape);
    for (const double size : {0.1, 1.0, 10.0, 1e4})
      for (int trial = 0; trial < 5; ++trial) {
        const Numbers v = random_point(engine, shape, size), p = A.projected(v);
        CHECK(apart(p, B.projected(v)) <=
              (one.text().find("000000000001") == std::string::npos ? 1e-12 : 1e-9) * (length(v) + 1.0));
      }
  }
}

TEST_CASE(
    "set projections: assignments and flows are those of the linear program, by Newton's method here and an "
    "active set there") {
  Engine engine(704);
  for (const std::size_t n : {2, 4, 8}) {
    const Shape shape = Shape::matrix(static_cast<Index>(n), static_cast<Index>(n));
    const Set birkhoff(set("birkhoff", {}), shape),
        program(set("polytope", {"program=" + assignment_rows(n)}), shape);
    for (const double size : {0.01, 1.0, 100.0})
      for (int trial = 0; trial < 4; ++trial) {
        const Numbers v = random_point(engine, shape, size);
        CHECK(apart(birkhoff.projected(v), program.projected(v)) <= 1e-12 * (length(v) + 1.0));
      }
  }
  // With cycles, too: the projection asks for no shortest path.
  for (int trial = 0; trial < 24; ++trial) {
    const auto arcs = network(engine, 6, 14, trial % 2 == 0);
    const Shape shape = Shape::vector(14);
    const Set flows(flow(arcs, 6), shape), program(flow_program(arcs, 6), shape);
    for (const double size : {0.01, 1.0, 100.0}) {
      const Numbers v = random_point(engine, shape, size);
      CHECK(apart(flows.projected(v), program.projected(v)) <= 1e-12 * (length(v) + 1.0));
    }
  }
}

TEST_CASE("set projections: from far away, what rounding leaves of an equation lets go of no bound") {
  const Set C(set("polytope", {"program=1 2 1 <= 4; 3 -1 0.5 <= 6; 1 1 1 >= 1; 1 -1 2 = 0.5"}),
              Shape::vector(3));
  const Numbers corner{5.0 / 3.0, 7.0 / 6.0, 0.0};
  for (const double size : {1.0, 1e2, 1e4}) {
    const Numbers p =
        C.projected(scaled({1487264.8598775235, 15496.981633518813, -149549.42900430053}, size));
    CHECK(apart(p, corner) <= 1e-13 * 1.5e6 * size);
    CHECK(C.violation(p) <= 1e-9 * size);
  }
}

TEST_CASE("set projections: large sets come to 1e-10 and say so, and a point inside is its own projection") {
  Engine engine(705);
  const Shape square = Shape::matrix(30, 30), arcs = Shape::vector(2000);
  const auto graph = network(engine, 400, 2000, false);
  for (const auto& [C, size] : std::vector<std::pair<Set, double>>{{Set(set("birkhoff", {}), square), 0.05},
                                                                   {Set(set("birkhoff", {}), square), 1.0},
                                                                   {Set(flow(graph, 400), arcs), 0.1},
                                                                   {Set(flow(graph, 400), arcs), 1.0}}) {
    const Numbers v = random_point(engine, C.shape, size);
    Certificate said;
    const Numbers p = C.projected(v, &said);
    CHECK(said.exact);
    CHECK(said.error <= 1e-10 * length(p));
    CHECK(C.slack(v, p) <= 1e-13 * length(v) * length(p));
    const Numbers inside = combined(0.5, p, 0.5, C.corner(v));
    CHECK(apart(C.projected(inside), inside) <= 1e-13);
  }
}

TEST_CASE(
    "set projections: what is certified is no more than true, and a projection that cannot reach the "
    "accuracy says so") {
  Engine engine(706);
  const Shape shape = Shape::matrix(6, 6);
  const Set birkhoff(set("birkhoff", {}), shape);
  int inexact = 0;
  for (const double size : {1.0, 1e4, 1e8, 1e12}) {
    // v = p + pull, where the pull is 0 on a hidden permutation and negative elsewhere, up to numbers for
    // rows and columns, and p that permutation.
    Numbers p(36, 0.0), v(36);
    std::vector<std::size_t> hidden{0, 1, 2, 3, 4, 5};
    std::shuffle(hidden.begin(), hidden.end(), engine);
    const Numbers rows = random_point(engine, Shape::vector(6), size),
                  columns = random_point(engine, Shape::vector(6), size);
    for (std::size_t j = 0; j < 6; ++j)
      for (std::size_t i = 0; i < 6; ++i) {
        const bool is = hidden[j] == i;
        p[j * 6 + i] = is;
        v[j * 6 + i] = (is ? 1.0 : -0.1 * static_cast<double>(engine() % 3)) + std::round(rows[i]) +
                       std::round(columns[j]);  // exact in binary, but for the tenths
      }
    Certificate said;
    const Numbers found = birkhoff.projected(v, &said);
    const double rounding = 1e-15 * length(v);  // with which v is written
    CHECK(apart(found, p) <= said.error + rounding);
    CHECK(said.error <= 1e-13 * length(v) + 1e-13);
    inexact += !said.exact;
  }
  CHECK(inexact >= 1);
}

TEST_CASE("set projections: the kit's tests of projections, certificates and states") {
  Engine engine(707);
  const Words tests{"projection-optimal", "projection-member", "projection-nonexpansive",
                    "certificate",        "extreme-input",     "state"};
  check_conformance(set("lp-ball", {"radius=0.7", "p=3", "weights=0.5 2 1 3 0.25 1"}), Shape::matrix(2, 3),
                    tests);
  check_conformance(set("lp-ball", {"radius=0.7", "p=1.2"}), Shape::matrix(2, 3), tests);
  check_conformance(set("k-sparse", {"radius=2", "k=3"}), Shape::vector(6), tests);
  check_conformance(set("k-sparse", {"radius=2", "k=3", "norm=linf"}), Shape::vector(6), tests);
  check_conformance(set("birkhoff", {}), Shape::matrix(4, 4), tests);
  check_conformance(flow(network(engine, 5, 10, false), 5), Shape::vector(10), tests);
  check_conformance(set("polytope", {"program=1 2 1 <= 4; 3 1 0 <= 6; 1 1 1 >= 1"}), Shape::vector(3), tests);
  check_conformance(set("matroid-base", {"matroid=graphic", "graph=1 2; 2 3; 1 3; 3 4"}), Shape::vector(4),
                    tests);
  check_conformance(set("matroid-base", {"matroid=partition", "groups=rows", "rank=2"}), Shape::matrix(3, 4),
                    tests);
}

}  // namespace claros::test::set_projections
