// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/elementary.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace claros;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity(),
                 kNone = std::numeric_limits<double>::quiet_NaN();

struct Function {
  const char* name;
  void (*each)(std::span<const double>, std::span<double>) noexcept;
  long double (*exact)(long double);
};
const Function kFunctions[] = {{"exp", exp_each, [](long double x) { return std::exp(x); }},
                               {"log1p", log1p_each, [](long double x) { return std::log1p(x); }}};

/// In units in the last place of the exact result, that of the smallest normal number at least.
double error(double found, long double exact) {
  const double rounded = static_cast<double>(exact);
  if (std::isnan(rounded)) return std::isnan(found) ? 0.0 : kInfinite;
  if (!std::isfinite(rounded) || !std::isfinite(found)) return rounded == found ? 0.0 : kInfinite;
  const double size = std::max(std::abs(rounded), std::numeric_limits<double>::min());
  const double unit = std::nextafter(size, kInfinite) - size;
  return static_cast<double>(std::abs(static_cast<long double>(found) - exact)) / unit;
}

/// Numbers of every size and sign, those near the ends of what the functions take, and neighbours of 1 and of
/// the roots of 2.
std::vector<double> points() {
  std::vector<double> all{0.0,    -0.0,   1.0,    -1.0,     0.5,      -0.5,   kInfinite, -kInfinite,
                          kNone,  5e-324, 1e-310, 2.3e-308, 1.79e308, 709.78, 709.79,    710.0,
                          -708.4, -745.1, -745.2, -760.0,   1e300,    -1e300};
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-320.0, 308.0), near(-1.0, 1.0), far(-750.0, 715.0);
  for (int k = 0; k < 20000; ++k) {
    const double size = std::pow(10.0, exponent(random));
    all.insert(all.end(), {size, -size, near(random), 1.0 + 0.5 * near(random), 1.0 + 1e-6 * near(random),
                           std::sqrt(2.0) * (1.0 + 1e-12 * near(random)), -1.0 + 1e-9 * near(random),
                           far(random), 1e-15 * near(random)});
  }
  return all;
}

}  // namespace

TEST_CASE("exp and log1p of arrays: two units in the last place of the exact ones, for every double") {
  const std::vector<double> x = points();
  std::vector<double> out(x.size());
  for (const Function& f : kFunctions) {
    CAPTURE(f.name);
    f.each(x, out);
    double worst = 0.0, at = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double by = error(out[k], f.exact(static_cast<long double>(x[k])));
      if (by > worst) worst = by, at = x[k];
    }
    CAPTURE(at);
    CHECK(worst <= 2.0);
    CHECK(worst > 0.0);
  }
}

TEST_CASE(
    "exp and log1p of arrays: the bits depend on the number alone, not on its place or its neighbours") {
  const std::vector<double> x = points();
  for (const Function& f : kFunctions) {
    CAPTURE(f.name);
    std::vector<double> together(x.size()), in_place(x);
    f.each(x, together);
    f.each(in_place, in_place);
    bool alike = std::memcmp(together.data(), in_place.data(), x.size() * sizeof(double)) == 0;
    for (std::size_t k = 0; k + 3 <= x.size(); k += 31) {
      std::vector<double> few(3);
      f.each({x.data() + k, 3}, few);
      alike = alike && std::memcmp(few.data(), together.data() + k, 3 * sizeof(double)) == 0;
    }
    CHECK(alike);
  }
}

TEST_CASE("exp and log1p of arrays: signs of zero, and an empty array") {
  std::vector<double> x{0.0, -0.0}, out(2);
  log1p_each(x, out);
  CHECK(!std::signbit(out[0]));
  CHECK(std::signbit(out[1]));
  exp_each({}, {});
}
