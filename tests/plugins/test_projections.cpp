// SPDX-License-Identifier: BSD-3-Clause
// The sets of bounded singular values and eigenvalues against decompositions of all entries: vertices,
// projections, membership, starts.
#include <claros/spectral/spectral.hpp>
#include <shared/spectral/symmetric_part.hpp>

#include "estimator_problems.hpp"
#include "spectral_sets.hpp"

using namespace claros;
using namespace claros::test;

namespace {

std::vector<Shape> shapes_for(const SpectralSet& set) {
  if (set.symmetric()) return {Shape::matrix(1, 1), Shape::matrix(5, 5), Shape::matrix(48, 48)};
  return {Shape::matrix(1, 6), Shape::matrix(7, 5), Shape::matrix(60, 44), Shape::matrix(40, 70)};
}

/// Every form, times `size`; of square ones also symmetric points; sums of forms.
std::vector<Element> spectral_points(testing::Engine& engine, const Shape& shape, double size) {
  const MapPtr map =
      std::make_shared<SamplingMap>(testing::random_pattern(engine, shape.rows, shape.cols, 0.3));
  std::vector<Element> all;
  for (int form = 0; form < testing::kForms; ++form)
    all.push_back(testing::random_element(engine, form, map));
  Element sum(shape);
  for (int form = 0; form < testing::kForms; ++form) sum.add(0.4, all[static_cast<std::size_t>(form)]);
  Element sparse_and_low_rank = all[1];
  sparse_and_low_rank.add(2.0, all[2]);
  all.push_back(sum);
  all.push_back(sparse_and_low_rank);
  if (shape.rows == shape.cols) {
    const std::vector<double> x = testing::normals(engine, shape.rows),
                              y = testing::normals(engine, shape.rows);
    Element gram = Element::rank_one(1.0, x, x);
    gram.add(-0.5, Element::rank_one(1.0, y, y));
    all.push_back(gram);
  }
  for (Element& v : all) v.scale(size);
  return all;
}

double off(const Element& x, const std::vector<double>& expected) {
  return distance(x.to_dense(), expected) / std::max(std::sqrt(dot(expected, expected)), 1e-3);
}

}  // namespace

TEST_CASE(
    "projections: a vertex is as good as the leading value of all, of symmetric and of other directions") {
  testing::Engine engine(301);
  for (const std::string& name : kSpectralSets)
    for (const double radius : {0.3, 40.0}) {
      const SpectralSet set(name, radius);
      for (const Shape& shape : shapes_for(set))
        for (const Element& g : spectral_points(engine, shape, 1.0)) {
          CAPTURE(name);
          CAPTURE(shape.text());
          Element vertex;
          const OracleInfo info = set.oracle().minimize(g, {1e-9, true}, vertex);
          const double least = set.least(g), slack = 1e-7 * radius * norm(g);
          CHECK(std::abs(inner(g, vertex) - least) <= slack);
          CHECK(std::abs(info.value - least) <= slack);
          CHECK(info.lower_bound <= least + 1e-12 * radius * norm(g));
          CHECK(info.confirmed);
          CHECK(set.violation(vertex) <= 1e-12);
        }
    }
}

TEST_CASE(
    "projections: the nearest point is that of all values, in every form of the point, far outside and "
    "inside") {
  testing::Engine engine(302);
  for (const std::string& name : kSpectralSets)
    for (const double size : {0.01, 1.0, 30.0}) {
      const SpectralSet set(name, 9.0);
      for (const Shape& shape : shapes_for(set))
        for (const Element& v : spectral_points(engine, shape, size)) {
          CAPTURE(name);
          CAPTURE(shape.text());
          CAPTURE(size);
          Element x;
          const Certificate c = set.projection().apply(v, 1.0, x, {});
          CHECK(off(x, set.projected(v)) <= 1e-7);
          CHECK(c.exact);
          CHECK(set.violation(x) <= 1e-9);
          CHECK(set.projection().value(x) == 0.0);
          Element again;
          (void)set.projection().apply(x, 1.0, again, {});
          CHECK(off(again, x.to_dense()) <= 1e-9);
        }
    }
}

TEST_CASE(
    "projections: of a point of low rank the answer is held in factors, and of a large one it computes few "
    "values") {
  testing::Engine engine(303);
  for (const std::string& name : kSpectralSets) {
    CAPTURE(name);
    const SpectralSet set(name, 300.0);
    const std::vector<double> u = testing::normals(engine, 300),
                              v = name == "nuclear-ball" ? testing::normals(engine, 240) : u;
    Element x = Element::rank_one(3.0, u, v), answer;
    const auto pattern = testing::random_pattern(engine, 300, static_cast<Index>(v.size()), 0.02);
    x.add(0.01, Element::sparse(pattern, Buffer(testing::normals(engine, pattern->entries()))));
    const Certificate c = set.projection().apply(x, 1.0, answer, {});
    CHECK(c.exact);
    CHECK(only_low_rank(answer));
    CHECK(c.rank == answer.columns());
    CHECK(c.rank <= 3);
    CHECK(c.singular_pairs < 40);
    CHECK(off(answer, set.projected(x)) <= 1e-7);
  }
}

TEST_CASE("projections: membership measures what lies outside") {
  const Element three = Element::dense(Shape::matrix(2, 2), {3.0, 0.0, 0.0, 0.0}),
                negative = Element::dense(Shape::matrix(2, 2), {3.0, 0.0, 0.0, -1.0}),
                skew = Element::dense(Shape::matrix(2, 2), {1.0, 0.5, -0.5, 1.0}),
                two = Element::dense(Shape::matrix(2, 2), {1.0, 0.0, 0.0, 1.0});
  const auto violation = [](const std::string& name, const Element& x) {
    return SpectralSet(name, 2.0).violation(x);
  };
  for (const std::string& name : kSpectralSets) {
    CAPTURE(name);
    CHECK(violation(name, two) <= 1e-12);
    CHECK(violation(name, three) == doctest::Approx(0.5));
    const std::vector<double> nan(4, kNan);
    CHECK_THROWS_AS((void)violation(name, Element::dense(Shape::matrix(2, 2), nan)),
                    Error);  // no decomposition of NaN
  }
  CHECK(violation("nuclear-ball", negative) == doctest::Approx(1.0));
  for (const char* name : {"spectrahedron", "psd-trace"}) {
    CAPTURE(name);
    CHECK(violation(name, negative) == doctest::Approx(0.5));               // an eigenvalue of -1
    CHECK(violation(name, skew) == doctest::Approx(std::sqrt(0.5) / 2.0));  // ||(X - X')/2||_F = 1/sqrt(2)
    CHECK_FALSE(violation(name, Element::dense(Shape::matrix(1, 2), {1.0, 0.0})) <= 1e-6);
    // u v' with u different from v, and a negative weight: no sum of w u u'.
    const std::vector<double> u{1.0, 0.0}, v{0.0, 1.0};
    CHECK(violation(name, Element::rank_one(2.0, u, v)) > 0.1);
    CHECK(violation(name, Element::rank_one(-2.0, u, u)) >= 1.0);
  }
  CHECK(violation("spectrahedron", Element(Shape::matrix(2, 2))) == 1.0);
  CHECK(violation("psd-trace", Element(Shape::matrix(2, 2))) == 0.0);
}

TEST_CASE("projections: where the sets start is inside, and those of symmetric matrices refuse others") {
  for (const std::string& name : kSpectralSets) {
    const SpectralSet set(name, 7.0);
    const Element x = query<Start>(*set.set)->start_point(Shape::matrix(6, 6));
    CHECK(set.violation(x) <= 1e-12);
    if (!set.symmetric()) continue;
    Element y;
    const Element wide = Element::dense(Shape::matrix(2, 3), std::vector<double>(6, 1.0));
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { (void)query<Start>(*set.set)->start_point(Shape::matrix(6, 5)); },
             [&] { (void)set.projection().apply(wide, 1.0, y, {}); },
             [&] {
               (void)set.oracle().minimize(wide, {1e-6, true}, y);
             }}) {
      const std::string said = refusal(ErrorKind::usage, call);
      CAPTURE(said);
      CHECK(contains(said, "symmetric matrices are square"));
    }
  }
}

TEST_CASE(
    "projections: calls of a sequence at one point come to the projection, and say exact when they are there "
    "and not before") {
  testing::Engine engine(304);
  for (const std::string& name : kSpectralSets) {
    CAPTURE(name);
    const SpectralSet set(name, 60.0);
    Element v = Element::dense(Shape::matrix(90, 90), testing::normals(engine, 8100));
    const std::vector<double> u = testing::normals(engine, 90);
    v.add(1.0, Element::rank_one(1.0, u, u));
    const std::vector<double> expected = set.projected(v);
    double error = 0.0;
    for (int call = 0; call < 60; ++call) {
      Element x;
      const Certificate c = set.projection().apply(v, 1.0, x, {.certify = true, .sequence = true});
      error = distance(x.to_dense(), expected);
      if (c.exact) CHECK(error <= 1e-8 * norm(v));
      if (!c.exact && c.error > 0.0) CHECK(error <= 1.000001 * c.error + 1e-12);
    }
    CHECK(error <= 1e-6 * norm(v));
  }
}

TEST_CASE(
    "projections: a corner of the fantope is a projection onto the k least eigenvectors, its projection cuts "
    "eigenvalues to [0, 1], and with k = 1 it is the spectrahedron") {
  testing::Engine engine(305);
  const auto make = [](Index k) {
    return create_component(build_catalog(), Kind::set, "fantope", {{"k", std::to_string(k), {}, {}}}, {});
  };
  for (const Index k : {1, 2, 5}) {
    const auto fantope = make(k);
    const Shape shape = Shape::matrix(6, 6);
    for (int trial = 0; trial < 8; ++trial) {
      const Element g = Element::dense(shape, testing::normals(engine, 36));
      const ElementOperator G(g);
      const std::vector<double> values = dense_eigen(SymmetricPart(G)).s;
      double least = 0.0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) least += values[5 - i];
      Element vertex, near, one;
      const OracleInfo info = query<LinearOracle>(*fantope)->minimize(g, {}, vertex);
      CHECK(info.confirmed);
      CHECK(info.value == doctest::Approx(least));
      CHECK(inner(g, vertex) == doctest::Approx(least));
      CHECK(query<Membership>(*fantope)->violation(vertex) <= 1e-12);
      CHECK(query<ProximalOracle>(*fantope)->apply(g, 1.0, near, {}).exact);
      const ElementOperator N(near);
      const std::vector<double> kept = dense_eigen(SymmetricPart(N)).s;
      // One number is taken from all that are neither 0 nor 1.
      double level = kNan;
      for (std::size_t i = 0; i < 6; ++i)
        if (kept[i] > 1e-9 && kept[i] < 1.0 - 1e-9) {
          if (std::isnan(level)) level = values[i] - kept[i];
          CHECK(values[i] - kept[i] == doctest::Approx(level).epsilon(1e-7));
        }
      CHECK(std::accumulate(kept.begin(), kept.end(), 0.0) == doctest::Approx(static_cast<double>(k)));
      if (k > 1) continue;
      const SpectralSet spectrahedron("spectrahedron", 1.0);
      CHECK(off(near, spectrahedron.projected(g)) <= 1e-7);
    }
    CHECK(query<LinearOracle>(*fantope)->diameter(shape) ==
          doctest::Approx(std::sqrt(2.0 * static_cast<double>(std::min<Index>(k, 6 - k)))));
  }
  CHECK(contains(
      refusal(ErrorKind::usage, [&] { (void)query<Start>(*make(7))->start_point(Shape::matrix(6, 6)); }),
      "at most 6"));
  CHECK(contains(
      refusal(ErrorKind::usage, [&] { (void)query<Start>(*make(2))->start_point(Shape::matrix(6, 5)); }),
      "square"));
}
