// SPDX-License-Identifier: BSD-3-Clause
// What sdk::OracleSet makes of a corner, of what lies outside and of a diameter.
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/oracle_set.hpp>

#include <doctest/doctest.h>

namespace claros {

namespace {

/// The hull of s (e_1, ..., e_p): a simplex that does not hold 0, and whose corner leaves all but one entry
/// as they were.
class Hull final : public sdk::OracleSet {
 public:
  explicit Hull(double s = 2.0) : s_(s) {}
  double diameter(const Shape&) override { return std::sqrt(2.0) * s_; }
  int corners = 0;

 private:
  void corner(std::span<const double> c, std::span<double> x) override {
    ++corners;
    const auto least = std::min_element(c.begin(), c.end());
    std::fill(x.begin(), x.end(), 0.0);
    x[static_cast<std::size_t>(least - c.begin())] = s_;
  }
  double outside(std::span<const double> x) override {
    const double sum = sdk::sum_entries(x, [](double entry) { return entry; });
    return sdk::largest(x, std::abs(sum / s_ - 1.0), [this](double entry) { return -entry / s_; });
  }
  double s_;
};

Element vector_of(std::vector<double> entries) {
  const Shape shape = Shape::vector(static_cast<Index>(entries.size()));
  return Element::dense(shape, std::move(entries));
}

}  // namespace

TEST_CASE("oracle set: the value is that of the corner, in place too") {
  Hull C;
  Element c = vector_of({3.0, -0.5, 1.0});
  Element v;
  const OracleInfo info = C.minimize(c, {}, v);
  CHECK(v.to_dense() == std::vector<double>{0.0, 2.0, 0.0});
  CHECK(info.value == -1.0);
  CHECK(info.lower_bound == -1.0);
  CHECK(info.confirmed);
  CHECK(C.minimize(c, {}, c).value == -1.0);
  CHECK(c.to_dense() == v.to_dense());
}

TEST_CASE("oracle set: the support function is that of the corners") {
  Hull C;
  auto& h = *query<Conjugate>(C);
  CHECK(h.conjugate(vector_of({3.0, -0.5, 1.0})) == 6.0);
  CHECK(h.conjugate(vector_of({-3.0, -0.5, -1.0})) == -1.0);
  CHECK(h.into_domain(vector_of({3.0, 1.0})) == 1.0);
  CHECK(h.conjugate(vector_of({0.0, 0.0})) == 0.0);
  // Whatever the size of the numbers.
  CHECK(h.conjugate(vector_of({0x1.8p-1060, 0.0})) == 0x1.8p-1059);
  Hull small(0x1p-600);
  CHECK(query<Conjugate>(small)->conjugate(vector_of({0x1.8p600, 0.0})) == 1.5);
  CHECK(query<Conjugate>(small)->conjugate(vector_of({0x1p-400, 0.0})) == 0x1p-1000);
}

TEST_CASE("oracle set: what is not finite never reaches the author's functions") {
  Hull C;
  for (const double bad : {std::nan(""), sdk::kInfinity, -sdk::kInfinity}) {
    Element v;
    CHECK_THROWS_WITH_AS((void)C.minimize(vector_of({1.0, bad}), {}, v), doctest::Contains("not finite"),
                         Error);
    CHECK(std::isnan(query<Conjugate>(C)->conjugate(vector_of({1.0, bad}))));
    CHECK_FALSE(C.violation(vector_of({1.0, bad})) <= 1.0);
  }
  CHECK(C.corners == 0);
  Hull large(1e300);
  Element v;
  CHECK_THROWS_WITH_AS((void)large.minimize(vector_of({-1e300, 0.0}), {}, v),
                       doctest::Contains("too large to be multiplied"), Error);
}

TEST_CASE("oracle set: it starts at 0 where that lies inside, else at a corner") {
  Hull C;
  CHECK(C.start_point(Shape::vector(3)).to_dense() == std::vector<double>{2.0, 0.0, 0.0});
  CHECK(C.violation(C.start_point(Shape::matrix(2, 3))) == 0.0);
  struct Cube final : sdk::OracleSet {
    double diameter(const Shape&) override { return 2.0 * std::sqrt(3.0); }
    void corner(std::span<const double> c, std::span<double> x) override {
      sdk::map_entries(c, x, [](double entry) { return entry > 0.0 ? -1.0 : 1.0; });
    }
    double outside(std::span<const double> x) override {
      return std::max(sdk::largest_magnitude(x) - 1.0, 0.0);
    }
  } cube;
  CHECK(cube.start_point(Shape::vector(3)).to_dense() == std::vector<double>{0.0, 0.0, 0.0});
}

TEST_CASE("oracle set: no projection is claimed, and nothing is to be saved") {
  Hull C;
  CHECK(query<ProximalOracle>(C) == nullptr);
  CHECK(query<LinearOracle>(C) != nullptr);
  CHECK(query<Membership>(C) != nullptr);
  CHECK(query<Start>(C) != nullptr);
  CHECK(query<State>(C) != nullptr);
}

}  // namespace claros
