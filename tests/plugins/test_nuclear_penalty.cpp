// SPDX-License-Identifier: BSD-3-Clause
// The nuclear-norm penalty at a limited rank: its certificate says exact only where it is.
#include "convex_cases.hpp"

using namespace claros;
using namespace claros::test;

namespace {

/// A matrix with the given singular values and random singular vectors.
Element with_values(Engine& engine, const Shape& shape, const std::vector<double>& s) {
  const TruncatedSvd bases = dense_svd(shape.rows, shape.cols, testing::normals(engine, shape.size()));
  auto store = std::make_shared<FactorStore>(shape.rows, shape.cols);
  const auto m = static_cast<std::size_t>(shape.rows), n = static_cast<std::size_t>(shape.cols);
  for (std::size_t k = 0; k < s.size(); ++k)
    store->append(std::span(bases.u).subspan(k * m, m), std::span(bases.v).subspan(k * n, n));
  return Element::low_rank(store, s);
}

double elements_apart(const Element& x, const Element& y) {
  return std::sqrt(squared_distance(x.to_dense(), y.to_dense()));
}

}  // namespace

TEST_CASE("nuclear: singular values are soft-thresholded, all else stays") {
  Engine engine(601);
  for (const Shape& shape : {Shape::matrix(20, 12), Shape::matrix(12, 20)}) {
    const auto component = penalty("nuclear", {"lambda=2"}).make();
    Element x;
    const Element v = with_values(engine, shape, {5.0, 3.0, 1.5, 0.5});
    Certificate c = query<ProximalOracle>(*component)->apply(v, 0.5, x, {});
    CHECK(c.exact);
    CHECK(c.rank == 3);
    CHECK(c.error < 1e-12);  // of rounding
    std::vector<double> s = dense_svd(shape.rows, shape.cols, x.to_dense()).s;
    CHECK(s[0] == doctest::Approx(4.0));
    CHECK(s[1] == doctest::Approx(2.0));
    CHECK(s[2] == doctest::Approx(0.5));
    CHECK(s[3] == doctest::Approx(0.0));
    CHECK(query<ProximalOracle>(*component)->value(x) == doctest::Approx(2 * 6.5));
  }
}

TEST_CASE("nuclear: at a limited rank, exact is said only where it is, and the error is a bound") {
  Engine engine(602);
  const std::vector<double> values{5.0, 3.0, 1.5, 0.5, 0.25};
  for (const Shape& shape : {Shape::matrix(60, 50), Shape::matrix(50, 60), Shape::matrix(6, 7)})
    for (const char* rho : {"rho=inf", "rho=3"}) {
      const auto component = penalty("nuclear", {"lambda=1", rho}).make();
      auto& h = *query<ProximalOracle>(*component);
      const Element v = with_values(engine, shape, values);
      for (const double step : {0.1, 0.6, 2.0})
        for (Index rank = 1; rank <= 5; ++rank) {
          CAPTURE(rank);
          CAPTURE(step);
          CAPTURE(shape.text());
          Element full, limited;
          h.apply(v, step, full, {});
          const Certificate c = h.apply(v, step, limited, {1e-12, rank, true});
          Element unasked;
          const Certificate silent = h.apply(v, step, unasked, {1e-12, rank});
          // All values of a small matrix are computed, and prove what they prove at no cost.
          const bool all = shape.rows < 10;
          CHECK(silent.exact == (all && c.exact));
          CHECK((c.products == 0) == all);
          const double distance_to_full = elements_apart(full, limited);
          CHECK(c.rank <= rank);
          CHECK(distance_to_full <= c.error + 1e-9);
          if (c.exact) CHECK(c.error <= 2e-12 * norm(v));
          // Exact as soon as the first value left out is below the threshold, by a margin that Lanczos can
          // see.
          if (static_cast<std::size_t>(rank) < values.size() &&
              values[static_cast<std::size_t>(rank)] < 0.99 * step)
            CHECK(c.exact);
          if (distance_to_full > 1e-9) CHECK_FALSE(c.exact);
        }
    }
}

TEST_CASE("nuclear: two equal components make the same answers, a loaded state too") {
  Engine engine(603);
  const Shape shape = Shape::matrix(30, 25);
  const auto a = penalty("nuclear", {"lambda=0.1"}).make(), b = penalty("nuclear", {"lambda=0.1"}).make();
  for (int k = 0; k < 3; ++k) {
    const Element v = Element::dense(shape, testing::normals(engine, shape.size()));
    Element x, y;
    query<ProximalOracle>(*a)->apply(v, 0.5, x, {1e-10, 3});
    query<ProximalOracle>(*b)->apply(v, 0.5, y, {1e-10, 3});
    CHECK(same_bits(x, y));
  }
  const References references;
  StateWriter out(references);
  out("penalty", query<State>(*a));
  const auto resumed = penalty("nuclear", {"lambda=0.1"}).make();
  const std::string bytes = out.bytes();
  StateReader in(bytes, references, "test");
  in("penalty", query<State>(*resumed));
  const Element v = Element::dense(shape, testing::normals(engine, shape.size()));
  Element x, y;
  query<ProximalOracle>(*a)->apply(v, 0.5, x, {1e-10, 3});
  query<ProximalOracle>(*resumed)->apply(v, 0.5, y, {1e-10, 3});
  CHECK(same_bits(x, y));
}
