// SPDX-License-Identifier: BSD-3-Clause
// The logarithm, sine and cosine behind normal numbers, beside those of long double.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include <claros/random.hpp>

#define CLAROS_ISA tested
#define CLAROS_WIDTH 2
#include "../../core/numerics/src/element/elementary_loops.inc"
#include "../../core/numerics/src/normal_loops.inc"
#undef CLAROS_ISA
#undef CLAROS_WIDTH

namespace {

namespace tested = claros::kernels::tested::normals;
using Long = long double;

/// |made - exact| in units of the last place of `exact`.
double units(double made, Long exact) {
  if (static_cast<Long>(made) == exact) return 0.0;
  const Long unit = std::ldexp(1.0L, std::ilogb(exact) - 52);
  return static_cast<double>(std::fabs(static_cast<Long>(made) - exact) / unit);
}

double log_of(double x) { return claros::kernels::tested::Doubles::log_of_normal(tested::all(x))[0]; }

/// Numbers k / 2^53 in [0, 1): spread, and close to 0, 1 and the eighths, where signs, quadrants and
/// exponents change.
std::vector<double> uniforms() {
  std::vector<double> all(200000);
  claros::RandomStream(3, claros::Purpose::test).fill_uniform(all);
  for (int eighth = 0; eighth <= 8; ++eighth)
    for (int k = -3000; k <= 3000; ++k) {
      const double near = eighth / 8.0 + k * 0x1p-53;
      if (near >= 0.0 && near < 1.0) all.push_back(near);
    }
  for (double small = 0x1p-53; small < 1.0; small *= 1.7) all.push_back(std::floor(small * 0x1p53) * 0x1p-53);
  return all;
}

}  // namespace

TEST_CASE("normal loops: the logarithm is within 2 units of the last place") {
  double worst = 0.0;
  for (const double x : uniforms())
    worst = std::max(worst, units(log_of(1.0 - x), std::log(static_cast<Long>(1.0 - x))));
  CHECK(worst < 2.0);
  CHECK(log_of(1.0) == 0.0);
  CHECK(std::isfinite(log_of(0x1p-53)));
}

TEST_CASE(
    "normal loops: cosine and sine of a turn are within 2 units of the last place, and exact at its "
    "quarters") {
  double cosine = 0.0, sine = 0.0;
  for (const double x : uniforms()) {
    const auto made = tested::circle(tested::all(x));
    // Exact: the nearest eighth is taken off before pi rounds.
    const auto eighth = static_cast<int>(std::lround(8.0 * x));
    const Long rest =
        2.0L * std::numbers::pi_v<Long> * (static_cast<Long>(x) - static_cast<Long>(eighth) / 8.0L);
    const Long half = std::sqrt(0.5L), c = std::cos(rest), s = std::sin(rest);
    const Long at[8][2] = {{1, 0},  {half, half},   {0, 1},  {-half, half},
                           {-1, 0}, {-half, -half}, {0, -1}, {half, -half}};
    const Long* const of = at[eighth % 8];
    cosine = std::max(cosine, units(made.cosine[0], of[0] * c - of[1] * s));
    sine = std::max(sine, units(made.sine[0], of[1] * c + of[0] * s));
  }
  CHECK(cosine < 2.0);
  CHECK(sine < 2.0);
  for (int quarter = 0; quarter < 4; ++quarter) {
    const auto made = tested::circle(tested::all(quarter / 4.0));
    CHECK(made.cosine[0] == (quarter == 0 ? 1.0 : quarter == 2 ? -1.0 : 0.0));
    CHECK(made.sine[0] == (quarter == 1 ? 1.0 : quarter == 3 ? -1.0 : 0.0));
  }
}

TEST_CASE("normal loops: fills are the pairs of their uniforms, from even and odd positions, of any length") {
  for (const std::uint64_t position : {0U, 1U, 6U, 7U})
    for (const std::size_t count : {1U, 2U, 3U, 15U, 16U, 17U, 255U, 256U, 258U, 1001U}) {
      claros::RandomStream normals(11, claros::Purpose::test, 5), words(11, claros::Purpose::test, 5);
      normals.seek(position), words.seek(position);
      std::vector<double> made(count), u(count + count % 2);
      normals.fill_normal(made);
      words.fill_uniform(u);
      CHECK(normals.position() == words.position());
      for (std::size_t i = 0; i < count; ++i) {
        const Long radius = std::sqrt(-2.0L * std::log(1.0L - static_cast<Long>(u[i / 2 * 2])));
        const Long angle = 2.0L * std::numbers::pi_v<Long> * static_cast<Long>(u[i / 2 * 2 + 1]);
        const Long exact = radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
        REQUIRE(std::fabs(static_cast<Long>(made[i]) - exact) <= 1e-15L * radius);
      }
    }
}

TEST_CASE("normal loops: the tail of large samples, and independence of the numbers of a pair") {
  constexpr std::size_t kCount = 4'000'000;
  std::vector<double> z(kCount);
  claros::RandomStream(17, claros::Purpose::test).fill_normal(z);
  double beyond3 = 0.0, beyond4 = 0.0, product = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < kCount; i += 2) {
    product += z[i] * z[i + 1];
    squares += (z[i] * z[i] - 1.0) * (z[i + 1] * z[i + 1] - 1.0);
    for (const double value : {z[i], z[i + 1]})
      beyond3 += std::abs(value) > 3.0, beyond4 += std::abs(value) > 4.0;
  }
  const auto expect = [&](double found, double probability) {
    const double mean = probability * kCount;
    CHECK(std::abs(found - mean) < 4.5 * std::sqrt(mean));
  };
  expect(beyond3, 0.0026997960632602);
  expect(beyond4, 0.0000633424836662);
  const double pairs = kCount / 2.0;
  CHECK(std::abs(product) < 4.5 * std::sqrt(pairs));
  CHECK(std::abs(squares) < 4.5 * 2.0 * std::sqrt(pairs));
}
