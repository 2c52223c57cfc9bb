// SPDX-License-Identifier: BSD-3-Clause
#include <claros/grids/quartiles.hpp>
#include <claros/random.hpp>

#include "numbers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace claros;

TEST_CASE("quartiles: interpolated between order statistics, without NaN") {
  const Quartiles q = quartiles({4, kNan, 1, 3, 2});
  CHECK(q.lower == 1.75);
  CHECK(q.median == 2.5);
  CHECK(q.upper == 3.25);
  CHECK(q.count == 4);
  CHECK(quartiles({7}).upper == 7);
  CHECK(std::isnan(quartiles({kNan}).median));
  CHECK(quartiles({1, 2, kInfinity}).median == 2);
  CHECK(quartiles({kInfinity, kInfinity}).lower == kInfinity);
}

TEST_CASE("band: quartiles over the x that all series cover") {
  const Band b = band({{{0, 2, 4}, {0, 2, 4}}, {{1, 3}, {3, 3}}, {{0, 1, 5}, {5, kNan, 5}}, {{}, {}}}, false);
  CHECK(b.members == 3);
  CHECK(b.x == std::vector<double>{1, 2, 3});
  CHECK(b.median == std::vector<double>{3, 3, 3});
  CHECK(b.lower == std::vector<double>{2, 2.5, 3});
  CHECK(b.upper == std::vector<double>{4, 4, 4});
}

TEST_CASE("band: in logarithms the middle of 1 and 100 is 10, unless a value is not positive") {
  CHECK(band({{{0, 2}, {1, 1}}, {{0, 2}, {100, 100}}}, true).median[1] == doctest::Approx(10));
  CHECK(band({{{0, 2}, {0, 0}}, {{0, 2}, {100, 100}}}, true).median[1] == doctest::Approx(50));
}

TEST_CASE("band: one series is itself; of equal x the last counts; many points are thinned to both ends") {
  const Band one = band({{{0, 1, 1, 2}, {5, 6, 7, 8}}}, true);
  CHECK(one.x == std::vector<double>{0, 1, 2});
  CHECK(one.upper == std::vector<double>{5, 7, 8});
  Series s;
  for (int k = 0; k < 1000; ++k) s.x.push_back(k), s.y.push_back(2 * k);
  const Band thin = band({s, s}, false, 10);
  CHECK(thin.x.size() == 10);
  CHECK(thin.x.front() == 0);
  CHECK(thin.x.back() == 999);
  CHECK(thin.median[4] == 2 * thin.x[4]);
  CHECK(band({{{0, 1}, {1, 1}}, {{2, 3}, {1, 1}}}, false).x.empty());
}

TEST_CASE("band: thinning does not fall in step with what recurs") {
  for (const int period : {7, 10, 11, 20, 22, 33}) {
    Series s;
    for (int k = 0; k <= 1100; ++k) s.x.push_back(k), s.y.push_back(k % period < period / 2 ? 1.0 : 3.0);
    const Band thin = band({s, s}, false, 101);  // a stride of 11
    const auto low = std::count(thin.median.begin(), thin.median.end(), 1.0);
    CAPTURE(period);
    CHECK(low >= 30);
    CHECK(low <= 70);
  }
}

TEST_CASE("ratio of medians: its interval covers the true ratio about as often as it says") {
  int covered = 0;
  constexpr int kTrials = 200;
  for (int trial = 0; trial < kTrials; ++trial) {
    RandomStream stream(static_cast<std::uint64_t>(trial), Purpose::test);
    std::vector<double> above(25), below(25);
    for (std::size_t k = 0; k < above.size(); ++k) {
      const double common = 10.0 + stream.normal();
      above[k] = 0.8 * common + 0.1 * stream.normal(), below[k] = common + 0.1 * stream.normal();
    }
    const Ratio ratio = ratio_of_medians(above, below);
    CHECK(ratio.low <= ratio.value);
    CHECK(ratio.value <= ratio.high);
    covered += ratio.low <= 0.8 && 0.8 <= ratio.high;
  }
  CHECK(covered >= 0.85 * kTrials);
  CHECK(covered < kTrials);
}

TEST_CASE("ratio of medians: what cannot be compared is not a number") {
  const double nan = kNan;
  CHECK(std::isnan(ratio_of_medians({}, {}).value));
  CHECK(std::isnan(ratio_of_medians({1.0, nan}, {1.0, 2.0}).value));
  CHECK(std::isnan(ratio_of_medians({1.0}, {1.0, 2.0}).value));
  const Ratio same = ratio_of_medians({3.0}, {2.0});
  CHECK(same.value == 1.5);
  CHECK(same.low == 1.5);
  CHECK(same.high == 1.5);
}

TEST_CASE("power of medians: of what follows a power, of noise around it, and of too little") {
  const std::vector<double> at{0.02, 0.014, 0.01, 0.007};
  std::vector<std::vector<double>> numbers;
  for (const double eps : at)
    numbers.push_back({3.0 * std::pow(eps, -1.5), 4.0 * std::pow(eps, -1.5), 5.0 * std::pow(eps, -1.5)});
  const Power exact = power_of_medians(at, numbers);
  CHECK(exact.places == 4);
  CHECK(exact.slope.value == doctest::Approx(-1.5).epsilon(1e-12));
  CHECK(exact.slope.low == doctest::Approx(-1.5).epsilon(1e-12));
  CHECK(exact.least == doctest::Approx(-1.5).epsilon(1e-12));
  CHECK(exact.most == doctest::Approx(-1.5).epsilon(1e-12));
  // A seed that one place lacks takes that place away; what bends is told by its neighbours.
  numbers[3][1] = kNan;
  CHECK(power_of_medians(at, numbers).places == 3);
  numbers[3] = {1.0, 1.0, 1.0};
  const Power bent = power_of_medians(at, numbers);
  CHECK(bent.least == doctest::Approx(-1.5).epsilon(1e-9));
  CHECK(bent.most > 10.0);
  CHECK(bent.slope.value > -1.5);
  numbers.resize(2);
  CHECK(std::isnan(power_of_medians(at, numbers).slope.value));
  CHECK(std::isnan(power_of_medians({1.0, 2.0, 3.0}, {{1.0}, {2.0}, {3.0, 4.0}}).slope.value));
  // Noise of the seeds is in the interval.
  RandomStream stream(4, Purpose::test);
  std::vector<std::vector<double>> noisy;
  for (const double eps : at) {
    noisy.emplace_back();
    for (int seed = 0; seed < 9; ++seed)
      noisy.back().push_back(std::exp(0.2 * stream.normal()) * std::pow(eps, -2.0));
  }
  const Power around = power_of_medians(at, noisy);
  CHECK(around.slope.low < -2.0);
  CHECK(around.slope.high > -2.0);
  CHECK(around.slope.high - around.slope.low < 1.0);
}
