// SPDX-License-Identifier: BSD-3-Clause
// Total variation of images: proximal steps against long runs of projected gradient on the dual, their
// certificates, and a picture with a jump.
#include "../core/random_elements.hpp"
#include "trace_for_test.hpp"

namespace claros::test::grid_variation {

namespace {

using Values = std::vector<double>;

std::shared_ptr<Component> penalty(double lambda, const std::string& kind) {
  return create_component(
      build_catalog(), Kind::penalty, "tv",
      {{"lambda", print_real(lambda), {}, {}}, {"along", "both", {}, {}}, {"kind", kind, {}, {}}}, {});
}

/// Differences of a column-major m x n array, those to the entry below and then those to the right, by their
/// definition.
struct Differences {
  Index m, n;
  std::size_t at(Index i, Index j) const { return static_cast<std::size_t>(j * m + i); }
  template <class Work>
  void each(Work work) const {
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i)
        work(at(i, j), i + 1 < m ? at(i + 1, j) : at(i, j), j + 1 < n ? at(i, j + 1) : at(i, j));
  }
  double variation(const Values& x, bool isotropic) const {
    double sum = 0.0;
    each([&](std::size_t k, std::size_t below, std::size_t right) {
      const double a = x[below] - x[k], b = x[right] - x[k];
      sum += isotropic ? std::sqrt(a * a + b * b) : std::abs(a) + std::abs(b);
    });
    return sum;
  }
  /// Projected gradient on the dual, 40000 plain steps of 1/8.
  Values reference(const Values& v, double t, bool isotropic) const {
    Values x(v), u(2 * v.size(), 0.0);
    for (int step = 0; step < 40000; ++step) {
      x = v;
      each([&](std::size_t k, std::size_t below, std::size_t right) {
        x[below] -= u[k], x[k] += u[k];
        x[right] -= u[v.size() + k], x[k] += u[v.size() + k];
      });
      each([&](std::size_t k, std::size_t below, std::size_t right) {
        double &a = u[k], &b = u[v.size() + k];
        a += 0.125 * (x[below] - x[k]), b += 0.125 * (x[right] - x[k]);
        const double length = std::hypot(a, b);
        if (isotropic && length > t) a *= t / length, b *= t / length;
        if (!isotropic) a = std::clamp(a, -t, t), b = std::clamp(b, -t, t);
      });
    }
    return x;
  }
};

double distance(const Values& a, const Values& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += std::pow(a[k] - b[k], 2);
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE(
    "tv of an image: the proximal step is that of a long run on the dual, within what its certificate says") {
  Engine engine(81);
  for (const std::string kind : {"anisotropic", "isotropic"})
    for (const auto& [m, n] : {std::pair<Index, Index>{6, 5}, {1, 7}, {7, 1}, {4, 4}, {1, 1}})
      for (const double t : {0.0, 0.05, 0.4, 3.0}) {
        CAPTURE(kind + ' ' + std::to_string(m) + ' ' + std::to_string(n) + ' ' + print_real(t));
        const Differences D{m, n};
        const Values v = testing::normals(engine, m * n);
        const auto h = penalty(t / 0.5, kind);
        Element x;
        const Certificate c =
            query<ProximalOracle>(*h)->apply(Element::dense(Shape::matrix(m, n), v), 0.5, x, {});
        CHECK(query<ProximalOracle>(*h)->value(x) ==
              doctest::Approx(t / 0.5 * D.variation(x.to_dense(), kind == "isotropic")));
        CHECK(distance(x.to_dense(), D.reference(v, t, kind == "isotropic")) <= c.error + 2e-6);
        CHECK(c.error <= 2e-6);
      }
}

TEST_CASE("tv of an image: a certificate bounds the error, and a looser step says so") {
  Engine engine(82);
  const Values v = testing::normals(engine, 30 * 20);
  for (const std::string kind : {"anisotropic", "isotropic"}) {
    // Of two penalties: an isotropic step starts where the last one ended.
    const auto h = penalty(0.5, kind), other = penalty(0.5, kind);
    Element best, loose;
    (void)query<ProximalOracle>(*h)->apply(Element::dense(Shape::matrix(30, 20), v), 1.0, best, {});
    const Certificate c = query<ProximalOracle>(*other)->apply(Element::dense(Shape::matrix(30, 20), v), 1.0,
                                                               loose, {.tolerance = 1e-2});
    CHECK(c.exact);
    CHECK(c.error > 1e-6);
    CHECK(distance(best.to_dense(), loose.to_dense()) > 1e-9);
    CHECK(distance(best.to_dense(), loose.to_dense()) <= c.error + 1e-6);
    CHECK(c.error <= 1e-2 * norm(loose));
  }
}

TEST_CASE("tv of an image: a square on a ground is found in noise") {
  Engine engine(83);
  constexpr Index side = 24;
  Values truth(side * side, 0.0);
  for (Index j = 8; j < 16; ++j)
    for (Index i = 6; i < 18; ++i) truth[static_cast<std::size_t>(j * side + i)] = 1.0;
  Values noisy = testing::normals(engine, side * side);
  for (std::size_t k = 0; k < noisy.size(); ++k) noisy[k] = truth[k] + 0.2 * noisy[k];
  for (const std::string kind : {"anisotropic", "isotropic"}) {
    Element x;
    (void)query<ProximalOracle>(*penalty(0.25, kind))
        ->apply(Element::dense(Shape::matrix(side, side), noisy), 1.0, x, {});
    const Values recovered = x.to_dense();
    CHECK(distance(recovered, truth) <= 0.4 * distance(noisy, truth));
    for (std::size_t k = 0; k < truth.size(); ++k) CHECK((recovered[k] > 0.5) == (truth[k] > 0.5));
  }
}

TEST_CASE("tv of an image: isotropic along one direction is refused with the reason") {
  check_mentions(refusal(ErrorKind::usage,
                         [] {
                           (void)create_component(build_catalog(), Kind::penalty, "tv",
                                                  {{"lambda", "1", {}, {}}, {"kind", "isotropic", {}, {}}},
                                                  {});
                         }),
                 {"penalty.kind", "along = both"});
}

}  // namespace claros::test::grid_variation
