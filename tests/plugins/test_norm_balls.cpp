// SPDX-License-Identifier: BSD-3-Clause
// Balls of p-norms, of sparse points, of ordered weights, and ellipsoids: against their dual norms, against
// each other where they are the same set, and against enumeration.
#include "convex_cases.hpp"

// A namespace of its own: several files of tests are compiled as one.
namespace claros::test::norm_balls {

namespace {

using Numbers = std::vector<double>;

/// A set that is made once and asked on vectors.
struct Ball {
  explicit Ball(const std::string& name, const Words& options) : component(set(name, options).make()) {}
  double least(const Numbers& c) const {
    Element x;
    query<LinearOracle>(*component)->minimize(vector(c), {}, x);
    CHECK(violation(x.to_dense()) <= 1e-9);
    return dot(c, x.to_dense());
  }
  double violation(const Numbers& x) const { return query<Membership>(*component)->violation(vector(x)); }
  Numbers projected(const Numbers& v) const {
    return prox(*query<ProximalOracle>(*component), Shape::vector(static_cast<Index>(v.size())), v, 1.0);
  }
  double diameter(Index n) const { return query<LinearOracle>(*component)->diameter(Shape::vector(n)); }
  static Element vector(const Numbers& x) {
    return Element::dense(Shape::vector(static_cast<Index>(x.size())), x);
  }

  std::shared_ptr<Component> component;
};

double norm(const Numbers& x, double p) {
  double sum = 0.0, top = 0.0;
  for (const double value : x) sum += std::pow(std::abs(value), p), top = std::max(top, std::abs(value));
  return p < kInfinity ? std::pow(sum, 1.0 / p) : top;
}

Numbers times(const Numbers& x, const Numbers& w, double power = 1.0) {
  Numbers y = x;
  for (std::size_t j = 0; j < y.size(); ++j) y[j] *= std::pow(w[j], power);
  return y;
}

std::string refused(const std::string& name, const Words& options) {
  return complaint([&] { set(name, options).make(); }, ErrorKind::usage);
}

const Words kOracle{"oracle-optimal", "oracle-value", "oracle-member", "oracle-forms",  "diameter",
                    "support",        "membership",   "start",         "extreme-input", "state"};
const Words kProjection{"projection-optimal", "projection-member", "projection-nonexpansive"};

}  // namespace

TEST_CASE("lp-ball: the minimum is minus the dual norm, with weights, and membership is the norm") {
  Engine engine(41);
  const Numbers w{0.5, 2.0, 1.0, 3.0, 0.25};
  for (const auto& [p, q, text] :
       std::vector<std::tuple<double, double, std::string>>{{1.0, kInfinity, "1"},
                                                            {1.25, 5.0, "1.25"},
                                                            {2.0, 2.0, "2"},
                                                            {3.0, 1.5, "3"},
                                                            {kInfinity, 1.0, "inf"}}) {
    const Ball plain("lp-ball", {"radius=1.5", "p=" + text}),
        weighted("lp-ball", {"radius=1.5", "p=" + text, "weights=0.5 2 1 3 0.25"});
    for (int trial = 0; trial < 10; ++trial) {
      Numbers c = testing::normals(engine, 5);
      if (trial % 3 == 0) c[1] = 0.0;
      CHECK(plain.least(c) == doctest::Approx(-1.5 * norm(c, q)).epsilon(1e-12));
      CHECK(weighted.least(c) == doctest::Approx(-1.5 * norm(times(c, w, -1.0), q)).epsilon(1e-12));
      CHECK(plain.violation(c) == doctest::Approx(std::max(norm(c, p) / 1.5 - 1.0, 0.0)).epsilon(1e-10));
      CHECK(weighted.violation(c) ==
            doctest::Approx(std::max(norm(times(c, w), p) / 1.5 - 1.0, 0.0)).epsilon(1e-10));
    }
    check_conformance(set("lp-ball", {"radius=0.7", "p=" + text, "weights=0.5 2 1 3 0.25 1"}),
                      Shape::matrix(2, 3), kOracle);
  }
  // The diameter is attained: on an axis for p <= 2, and along a point with all entries beyond.
  CHECK(Ball("lp-ball", {"radius=1.5", "p=1.25", "weights=0.5 2"}).diameter(2) == doctest::Approx(6.0));
  const Ball four("lp-ball", {"radius=1", "p=4", "weights=1 2"});
  double longest = 0.0;
  for (int k = 0; k <= 100000; ++k) {
    const double y = std::pow(k / 100000.0, 0.25), z = std::pow(1.0 - k / 100000.0, 0.25) / 2.0;
    longest = std::max(longest, 2.0 * std::sqrt(y * y + z * z));
  }
  CHECK(four.diameter(2) == doctest::Approx(longest).epsilon(1e-8));
  check_mentions(refused("lp-ball", {"radius=1", "p=0.5"}), {"p", "0.5", ">= 1"});
  check_mentions(refused("lp-ball", {"radius=1", "weights=1 0 2"}), {"set.weights", "weight 2", "no bound"});
}

TEST_CASE("k-sparse: the best of all sparse points, and membership by the norm that this minimum defines") {
  Engine engine(42);
  for (const Index k : {1, 2, 4, 6, 9})
    for (const std::string kind : {"l2", "linf"}) {
      const Ball ball("k-sparse", {"radius=2", "k=" + std::to_string(k), "norm=" + kind});
      const auto most = static_cast<std::size_t>(std::min<Index>(k, 6));
      for (int trial = 0; trial < 20; ++trial) {
        Numbers c = testing::normals(engine, 6), sorted = c;
        if (trial % 4 == 0) c[2] = c[3], sorted = c;
        std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return std::abs(a) > std::abs(b); });
        sorted.resize(most);
        CHECK(ball.least(c) == doctest::Approx(-2.0 * norm(sorted, kind == "l2" ? 2.0 : 1.0)).epsilon(1e-12));
        // ||x|| = max <c, x> over c with support 1: no c shows more than the membership says, and the best of
        // many comes near.
        const Numbers x = testing::normals(engine, 6);
        const double stated = ball.violation(x) + 1.0;
        double shown = 0.0;
        for (int look = 0; look < 400; ++look) {
          const Numbers d = look ? combined(1.0, x, 2.0 / look, testing::normals(engine, 6)) : x;
          shown = std::max(shown, dot(d, x) / -ball.least(d));
        }
        CHECK(shown <= std::max(stated, 1.0) * (1 + 1e-12));
      }
      check_conformance(set("k-sparse", {"radius=2", "k=" + std::to_string(k), "norm=" + kind}),
                        Shape::vector(6), kOracle);
    }
  const Ball one("k-sparse", {"radius=2", "k=1"}), all("k-sparse", {"radius=2", "k=6"}),
      two("k-sparse", {"radius=1", "k=2"});
  const Numbers x{3.0, -1.0, 0.5, 0.0, 2.0, 1.0};
  CHECK(one.violation(x) == doctest::Approx(norm(x, 1.0) / 2.0 - 1.0));
  CHECK(all.violation(x) == doctest::Approx(norm(x, 2.0) / 2.0 - 1.0));
  // (3, 1, 1) = 1/2 ((3, 2, 0) + (3, 0, 2)): k = 2 gives sqrt(3^2 + (1 + 1)^2).
  CHECK(two.violation({3.0, 1.0, 1.0}) == doctest::Approx(std::sqrt(13.0) - 1.0));
}

TEST_CASE("ordered-weight: equal weights are the l1 ball, one weight the box, and projections meet both") {
  Engine engine(43);
  const Ball l1("ordered-weight", {"radius=1.5", "weights=2 2 2 2 2"}), plain("l1-ball", {"radius=0.75"});
  const Ball top("ordered-weight", {"radius=1.5", "weights=2 0 0 0 0"}),
      box("box", {"lower=-0.75", "upper=0.75"});
  for (int trial = 0; trial < 20; ++trial) {
    Numbers v = testing::normals(engine, 5);
    if (trial % 3 == 0) v[1] = -v[4];
    CHECK(l1.least(v) == doctest::Approx(plain.least(v)));
    CHECK(top.least(v) == doctest::Approx(box.least(v)));
    for (const double scale : {0.1, 1.0, 100.0, 1e6}) {
      Numbers far = v;
      for (double& value : far) value *= scale;
      CHECK(std::sqrt(squared_distance(l1.projected(far), plain.projected(far))) <=
            1e-9 * (1 + scale * 1e-6));
      CHECK(std::sqrt(squared_distance(top.projected(far), box.projected(far))) <= 1e-9 * (1 + scale * 1e-6));
    }
  }
  CHECK(l1.diameter(5) == doctest::Approx(1.5));
  CHECK(top.diameter(5) == doctest::Approx(2 * 0.75 * std::sqrt(5.0)));
}

TEST_CASE("ordered-weight: the corner is the best of all signs and orders, and all tests of the kit") {
  Engine engine(44);
  const Numbers w{1.0, 0.8, 0.3, 0.3};
  const Ball ball("ordered-weight", {"radius=2", "weights=1 0.8 0.3 0.3"});
  for (int trial = 0; trial < 30; ++trial) {
    const Numbers c = testing::normals(engine, 4);
    // Every face of the ball is cut out by signs and an order: Omega(x) = max over them, so that min <c, x> =
    // -r / (max of Omega on <c, x> = 1) is found among multiples of 0-1 points.
    double best = 0.0;
    for (std::size_t in = 1; in < 16; ++in) {
      double sum = 0.0, total = 0.0;
      std::size_t count = 0;
      for (std::size_t j = 0; j < 4; ++j)
        if (in >> j & 1) sum += std::abs(c[j]), total += w[count++];
      best = std::max(best, sum / total);
    }
    CHECK(ball.least(c) == doctest::Approx(-2.0 * best));
  }
  check_conformance(set("ordered-weight", {"radius=2", "weights=1 0.8 0.3 0.3"}), Shape::matrix(2, 2),
                    kOracle + kProjection);
  check_conformance(set("ordered-weight", {"radius=0.3", "weights=1 0 0"}), Shape::vector(3),
                    kOracle + kProjection);
  check_mentions(refused("ordered-weight", {"radius=1", "weights=1 2"}),
                 {"weight 2", "above the one before", "no norm"});
  check_mentions(refused("ordered-weight", {"radius=1", "weights=0 0"}), {"all weights are 0"});
  check_mentions(refused("ordered-weight", {"radius=1", "weights=1 -1"}), {"negative"});
  Element x;
  check_mentions(
      complaint([&] { query<LinearOracle>(*ball.component)->minimize(Element(Shape::vector(3)), {}, x); },
                ErrorKind::usage),
      {"4 weights", "3 entries"});
}

TEST_CASE("ellipsoid: a ball that is stretched and moved, by its corners and projections") {
  Engine engine(45);
  const Numbers a{0.5, 2.0, 1.0, 3.0}, m{1.0, -1.0, 0.0, 10.0};
  const Ball ellipsoid("ellipsoid", {"radius=1.5", "axes=0.5 2 1 3", "center=1 -1 0 10"}),
      round("ellipsoid", {"radius=1.5"}), l2("l2-ball", {"radius=1.5"});
  CHECK(ellipsoid.diameter(4) == 9.0);
  for (int trial = 0; trial < 20; ++trial) {
    const Numbers c = testing::normals(engine, 4);
    CHECK(ellipsoid.least(c) == doctest::Approx(dot(c, m) - 1.5 * norm(times(c, a), 2.0)));
    for (const double scale : {0.2, 3.0, 1e5}) {
      Numbers v = c;
      for (double& value : v) value *= scale;
      CHECK(std::sqrt(squared_distance(round.projected(v), l2.projected(v))) <= 1e-12);
      // On the border, and v - P v along the gradient of the quadratic there.
      const Numbers p = ellipsoid.projected(v), normal = combined(1.0, v, -1.0, p),
                    slope = times(combined(1.0, p, -1.0, m), a, -2.0);
      if (norm(normal, 2.0) == 0.0) continue;
      CHECK(norm(times(combined(1.0, p, -1.0, m), a, -1.0), 2.0) == doctest::Approx(1.5).epsilon(1e-12));
      CHECK(dot(normal, slope) == doctest::Approx(norm(normal, 2.0) * norm(slope, 2.0)).epsilon(1e-9));
    }
  }
  check_conformance(set("ellipsoid", {"radius=1.5", "axes=0.5 2 1 3", "center=1 -1 0 10"}), Shape::vector(4),
                    kOracle + kProjection);
  check_mentions(refused("ellipsoid", {"radius=1", "axes=1 0"}), {"set.axes", "half-length 2"});
  Element x;
  check_mentions(
      complaint(
          [&] { query<LinearOracle>(*ellipsoid.component)->minimize(Element(Shape::vector(3)), {}, x); },
          ErrorKind::usage),
      {"4 half-lengths", "3 entries"});
}

/// a ||x||_1 + (1 - a) ||x||^2 / 2.
double elastic(const Numbers& x, double a) {
  return a * norm(x, 1.0) + 0.5 * (1.0 - a) * std::pow(norm(x, 2.0), 2.0);
}
/// x over the least number that brings it to elastic(x, a) <= r, by halving.
Numbers on_border(const Numbers& x, double a, double r) {
  double low = 0.0, high = 1e12;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (elastic(times(x, Numbers(x.size(), middle)), a) <= r ? low : high) = middle;
  }
  return times(x, Numbers(x.size(), low));
}

TEST_CASE("elastic-net-ball: minima, membership and diameter are those of an enumeration of the border") {
  for (const double a : {0.0, 0.3, 0.9})
    for (const double r : {1e-3, 0.7, 1e3}) {
      CAPTURE(a);
      CAPTURE(r);
      const Ball ball("elastic-net-ball", {"ratio=" + print_real(a), "radius=" + print_real(r)});
      std::vector<Numbers> border;
      for (int k = 0; k < 2000; ++k)
        border.push_back(on_border(
            {std::cos(3.14159265358979 * k / 1000.0), std::sin(3.14159265358979 * k / 1000.0)}, a, r));
      double widest = 0.0;
      for (const Numbers& x : border) {
        widest = std::max(widest, 2.0 * norm(x, 2.0));
        CHECK(ball.violation(times(x, {3.0, 3.0})) == doctest::Approx(2.0).epsilon(1e-9));
        CHECK(ball.violation(times(x, {0.999, 0.999})) == 0.0);
      }
      CHECK(ball.diameter(2) == doctest::Approx(widest).epsilon(1e-9));
      for (const Numbers& c : {Numbers{1.0, 0.2}, {-3e-5, 2e-5}, {0.0, 1e6}, {-1.0, -1.0}}) {
        double least = kInfinity;
        for (const Numbers& x : border) least = std::min(least, dot(c, x));
        CHECK(ball.least(c) == doctest::Approx(least).epsilon(1e-5));
        CHECK(ball.least(c) <= least + 1e-12 * std::abs(least));
      }
    }
}

TEST_CASE(
    "elastic-net-ball: the projection is the proximal step of the penalty whose lambda meets the border") {
  Engine engine(47);
  for (const double a : {0.0, 0.4, 0.95})
    for (const double r : {0.05, 2.0}) {
      const Ball ball("elastic-net-ball", {"ratio=" + print_real(a), "radius=" + print_real(r)});
      const Numbers v = times(testing::normals(engine, 8), Numbers(8, 3.0));
      const auto step = [&](double lambda) {
        Numbers x = v;
        for (double& value : x)
          value =
              std::copysign(std::max(std::abs(value) - lambda * a, 0.0), value) / (1.0 + lambda * (1.0 - a));
        return x;
      };
      double low = 0.0, high = 1e6;
      for (int k = 0; k < 200; ++k) {
        const double middle = 0.5 * (low + high);
        (elastic(step(middle), a) > r ? low : high) = middle;
      }
      const Numbers x = ball.projected(v), y = step(high);
      for (std::size_t j = 0; j < x.size(); ++j) CHECK(x[j] == doctest::Approx(y[j]).epsilon(1e-8));
      CHECK(elastic(x, a) <= r * (1.0 + 1e-12));
      const Numbers inside = times(on_border(v, a, r), Numbers(8, 0.99));
      CHECK(ball.projected(inside) == inside);
    }
}

TEST_CASE("elastic-net-ball: the tests of sets, also of tiny and of large balls") {
  for (const char* radius : {"1e-6", "1", "1e6"})
    for (const char* ratio : {"0", "0.5", "0.999"})
      check_conformance(
          set("elastic-net-ball", {std::string("radius=") + radius, std::string("ratio=") + ratio}),
          Shape::vector(6), kOracle + kProjection);
}

}  // namespace claros::test::norm_balls
