// SPDX-License-Identifier: BSD-3-Clause
// The convex hull of the integer points of a program: minimisers against all such points and against dynamic
// programming, bounds that are proved, nearest points against those of the listed vertices.
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

#include "../core/test_files.hpp"

#include <numeric>

namespace claros::test::integer_polytope {

namespace {

using Numbers = std::vector<double>;

std::string row_text(const Numbers& a, const std::string& relation, double b) {
  std::string text;
  for (const double value : a) text += print_real(value) + ' ';
  return text + relation + ' ' + print_real(b) + "; ";
}

/// {x in {0, ..., 3}^4 : A x <= b}, which holds 0, as rows and as all its points.
struct Knapsacks {
  std::string rows;
  std::vector<Numbers> points;

  explicit Knapsacks(Engine& engine) {
    std::vector<Numbers> A;
    Numbers b;
    for (int i = 0; i < 3; ++i) {
      A.push_back(testing::normals(engine, 4));
      for (double& a : A.back()) a = i == 0 ? std::abs(a) + 0.1 : a;
      b.push_back(1.0 + 2.0 * std::abs(testing::normals(engine, 1)[0]));
      rows += row_text(A.back(), "<=", b.back());
    }
    for (std::size_t j = 0; j < 4; ++j) {
      Numbers one(4, 0.0);
      one[j] = 1.0, rows += row_text(one, "<=", 3.0);
    }
    for (int code = 0; code < 256; ++code) {
      const Numbers x{double(code % 4), double(code / 4 % 4), double(code / 16 % 4), double(code / 64)};
      bool inside = true;
      for (std::size_t i = 0; i < A.size(); ++i) inside = inside && dot(A[i], x) <= b[i];
      if (inside) points.push_back(x);
    }
  }
  Case hull() const { return test::set("polytope", {"program=" + rows, "integers=all"}); }
  Case listed() const {
    std::string text;
    for (const Numbers& x : points) {
      for (const double value : x) text += print_real(value) + ' ';
      text += "; ";
    }
    return test::set("vertices", {"vertices=" + text});
  }
};

struct Found {
  Numbers x;
  double value, bound;
};
Found corner(Component& C, const Numbers& c) {
  Element x;
  const OracleInfo info =
      query<LinearOracle>(C)->minimize(Element::dense(Shape::vector(static_cast<Index>(c.size())), c), {}, x);
  CHECK(info.confirmed);
  return {x.to_dense(), info.value, info.lower_bound};
}

}  // namespace

TEST_CASE("integers: the corner is the best of all integer points, and the bound is proved") {
  Engine engine(91);
  int apart = 0;
  for (int trial = 0; trial < 25; ++trial) {
    const Knapsacks knapsacks(engine);
    const auto C = knapsacks.hull().make(),
               relaxed = test::set("polytope", {"program=" + knapsacks.rows}).make();
    for (int k = 0; k < 8; ++k) {
      CAPTURE(trial);
      CAPTURE(k);
      Numbers c = testing::normals(engine, 4);
      for (double& cost : c)
        cost = k % 2 ? std::round(2.0 * cost) : cost * (k == 2 ? 1e8 : k == 4 ? 1e-8 : 1.0);
      double least = kInfinity;
      for (const Numbers& x : knapsacks.points) least = std::min(least, dot(c, x));
      const Found found = corner(*C, c);
      const double scale = std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]) + std::abs(c[3]);
      CHECK(std::abs(found.value - least) <= 1e-12 * scale);
      CHECK(std::ranges::find(knapsacks.points, found.x) != knapsacks.points.end());
      CHECK(found.bound <= least + 1e-15 * scale);
      CHECK(found.bound >= least - 1e-9 * scale);
      apart += corner(*relaxed, c).value < least - 1e-6 * scale;
    }
  }
  CHECK(apart > 60);  // where the program alone goes further
}

TEST_CASE("integers: a knapsack of 30 things is packed as dynamic programming packs it") {
  Engine engine(92);
  for (int trial = 0; trial < 4; ++trial) {
    Numbers weights, gains = testing::normals(engine, 30);
    std::string rows;
    for (std::size_t j = 0; j < 30; ++j) {
      weights.push_back(std::round(5.0 + 20.0 * std::abs(testing::normals(engine, 1)[0])));
      gains[j] = weights.back() + 3.0 * gains[j];  // the hard kind: a gain is nearly a weight
      Numbers one(30, 0.0);
      one[j] = 1.0, rows += row_text(one, "<=", 1.0);
    }
    const double room = std::round(0.4 * std::accumulate(weights.begin(), weights.end(), 0.0));
    std::vector<double> best(static_cast<std::size_t>(room) + 1, 0.0);
    for (std::size_t j = 0; j < 30; ++j)
      for (auto left = best.size(); left-- > static_cast<std::size_t>(weights[j]);)
        best[left] = std::max(best[left], best[left - static_cast<std::size_t>(weights[j])] + gains[j]);
    Numbers c = gains;
    for (double& cost : c) cost = -cost;
    const Found found = corner(
        *test::set("polytope", {"program=" + rows + row_text(weights, "<=", room), "integers=all"}).make(),
        c);
    CHECK(found.value == doctest::Approx(-best.back()).epsilon(1e-12));
    CHECK(dot(weights, found.x) <= room);
    CHECK(found.bound == doctest::Approx(found.value).epsilon(1e-9));
  }
}

TEST_CASE("integers: nearest points and membership are those of the listed points' hull") {
  Engine engine(93);
  int outside = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const Knapsacks knapsacks(engine);
    const auto C = knapsacks.hull().make(), L = knapsacks.listed().make();
    for (int k = 0; k < 4; ++k) {
      Numbers v = testing::normals(engine, 4);
      for (double& entry : v) entry = 1.0 + 1.5 * entry;
      const Element from = Element::dense(Shape::vector(4), v);
      Element x, expected;
      const Certificate certificate = query<ProximalOracle>(*C)->apply(from, 1.0, x, {1e-6, 0});
      (void)query<ProximalOracle>(*L)->apply(from, 1.0, expected, {1e-6, 0});
      CHECK(certificate.error <= 1e-6);
      x.add(-1.0, expected);
      CHECK(norm(x) <= 1e-7);
      CHECK(query<Membership>(*C)->violation(expected) <= 1e-9);
      const double out = query<Membership>(*C)->violation(from),
                   known = query<Membership>(*L)->violation(from);
      CHECK((out <= 1e-9) == (known <= 1e-9));
      outside += out > 1e-9;
    }
  }
  CHECK(outside > 20);
  // Nearly an integer point, and outside.
  const auto C = test::set("polytope", {"program=1 2 <= 4; 3 1 <= 6; 1 1 >= 1", "integers=all"}).make();
  for (const double beyond : {1e-5, 5e-7, 1e-8}) {
    const Element x = Element::dense(Shape::vector(2), {1.0 + beyond, 1.0 + beyond});
    CHECK(query<Membership>(*C)->violation(x) == doctest::Approx(beyond / std::sqrt(2.0)).epsilon(0.5));
  }
}

TEST_CASE("integers: those that a file declares, beside variables that are none") {
  const TestFolder folder;
  folder.put(
      "mixed.lp",
      "maximize\n obj: a + b + c\nsubject to\n sum: 2 a + 3 b + c <= 7.5\n pair: a - b >= -1.2\nbounds\n "
      "a <= 2.9\n b <= 3\n c <= 0.8\ngeneral\n a b\nend\n");
  const std::string file = "program=" + (folder / "mixed.lp").string();
  const auto C = test::set("polytope", {file, "integers=declared"}).make();
  Engine engine(94);
  for (int k = 0; k < 40; ++k) {
    const Numbers c = testing::normals(engine, 3);
    double least = kInfinity;
    for (const double a : {0.0, 1.0, 2.0})
      for (const double b : {0.0, 1.0, 2.0})
        if (const double most = std::min(0.8, 7.5 - 2.0 * a - 3.0 * b); a - b >= -1.2 && most >= 0.0)
          least = std::min({least, c[0] * a + c[1] * b, c[0] * a + c[1] * b + c[2] * most});
    const Found found = corner(*C, c);
    CHECK(found.value == doctest::Approx(least).epsilon(1e-9));
    CHECK(found.bound <= least + 1e-12);
    CHECK(found.bound >= least - 1e-8);
    CHECK(found.x[0] == std::round(found.x[0]));
    CHECK(found.x[1] == std::round(found.x[1]));
  }
  // Declared and not asked for, they play no part.
  CHECK(corner(*test::set("polytope", {file}).make(), {-1.0, 0.0, 0.0}).value == doctest::Approx(-2.9));
}

TEST_CASE("integers: programs without an integer point, and integers that nobody declared, are refused") {
  const auto said = [](const std::string& program, const std::string& which, ErrorKind kind) {
    return complaint(
        [&] {
          (void)test::set("polytope", {"program=" + program, "integers=" + which}).make();
        },
        kind);
  };
  check_mentions(said("2 2 = 3; 1 1 <= 5", "all", ErrorKind::data),
                 {"set.program", "integers", "integers at no"});
  check_mentions(said("4 6 >= 4.5; 4 6 <= 5.5; 1 0 <= 1; 0 1 <= 1", "all", ErrorKind::data), {"integers"});
  check_mentions(said("1 1 <= 4", "declared", ErrorKind::usage),
                 {"set.integers", "declares no integers", "all"});
  check_mentions(said("1 1 <= 4", "some", ErrorKind::usage), {"set.integers", "declared"});
}

TEST_CASE("integers: a run over the hull comes to the solution over the listed points, with a proved gap") {
  Engine engine(95);
  for (int trial = 0; trial < 4; ++trial) {
    const Knapsacks knapsacks(engine);
    Numbers v = testing::normals(engine, 4);
    std::string target, listed;
    for (const double entry : v) target += print_real(1.0 + entry) + ' ';
    const Words problem{"objective.use=distance", "objective.data=" + target, "stop.gap=1e-8"};
    const auto over = [&](const Case& C) {
      Words words = problem + Words{"set.use=" + C.name};
      for (const std::string& word : C.options) words.push_back("set." + word);
      return solve(words);
    };
    const RunResult r = over(knapsacks.hull()), expected = over(knapsacks.listed());
    CHECK_MESSAGE(is_target(r.status), text(r.status));
    CHECK(r.measurement.confirmed);
    CHECK(r.measurement.value == doctest::Approx(expected.measurement.value).epsilon(1e-7));
    CHECK(r.violation <= 1e-9);
  }
}

}  // namespace claros::test::integer_polytope
