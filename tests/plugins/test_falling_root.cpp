// SPDX-License-Identifier: BSD-3-Clause
// The root finder behind side constraints, and the norm that does not overflow, where doubles end.
#include <claros/element/falling_root.hpp>
#include <claros/sdk/entries.hpp>

#include "convex_cases.hpp"

using namespace claros;
using namespace claros::test;

TEST_CASE("falling root: to the last bits, on the side where f <= 0, over the whole range of doubles") {
  for (const double root : {1e-290, 1e-200, 1e-3, 1.0, 3.0, 12345.678, 1e150, 1e299})
    for (const double guess : {1.0, 1e-12, 1e12, 0.0, kInfinity}) {
      CAPTURE(root);
      CAPTURE(guess);
      int calls = 0;
      const auto check = [&](const auto& f) {
        calls = 0;
        const double t = falling_root(f, guess);
        CHECK(f(t) <= 0.0);
        CHECK(t == doctest::Approx(root).epsilon(1e-14));
        CHECK(calls <= 260);
      };
      check([&](double t) { return ++calls, root - t; });
      check([&](double t) { return ++calls, root / t - 1.0; });         // infinite at 0
      check([&](double t) { return ++calls, t < root ? 1.0 : -1.0; });  // a jump
      check([&](double t) { return ++calls, t < 0.5 * root ? kNan : root - t; });
    }
}

TEST_CASE("falling root: an f that stays positive, or is NaN, ends at the largest double") {
  for (const double value : {1.0, kNan, kInfinity})
    CHECK(falling_root([&](double) { return value; }, 1.0) == std::numeric_limits<double>::max());
}

TEST_CASE("entries: norms and maxima at the ends of the range, with and without NaN") {
  for (const std::size_t n : {1u, 7u, 8u, 9u, 40u})
    for (const double value : {1e-320, 1e-300, 1.0, 1e160, 1e300}) {
      const std::vector<double> x(n, -value);
      CHECK(sdk::euclidean_norm(x) ==
            doctest::Approx(value * std::sqrt(static_cast<double>(n))).epsilon(1e-3));
      CHECK(sdk::largest_magnitude(x) == value);
      for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
        std::vector<double> holed = x;
        holed[at] = kNan;
        CHECK(std::isnan(sdk::largest_magnitude(holed)));
        CHECK(std::isnan(sdk::euclidean_norm(holed)));
        CHECK(std::isnan(sdk::sum_of_magnitudes(holed)));
      }
    }
  CHECK(sdk::largest_magnitude({}) == 0.0);
  CHECK(sdk::euclidean_norm({}) == 0.0);
}
