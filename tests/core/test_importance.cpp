// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/sampler.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace claros;

namespace {

RandomStream stream() { return {5, Purpose::test}; }

}  // namespace

TEST_CASE("importance: components come as often as their smoothness says, and weigh the inverse") {
  const std::vector<double> L{1.0, 0.5, 7.0, 0.0, 1e-9, 1.5, 30.0, 2.0};
  const double mean = 42.0 / 8.0, n = 8.0;  // but for 1e-9
  std::vector<double> p;
  double sum = 0.0;
  for (const double value : L) p.push_back(std::max(value, 1e-3 * mean)), sum += p.back();
  const Importance importance(L);
  const int draws = 200000;
  std::vector<double> count(L.size(), 0.0);
  RandomStream random = stream();
  for (int k = 0; k < draws; ++k) count.at(static_cast<std::size_t>(importance.draw(random))) += 1.0;
  for (std::size_t i = 0; i < L.size(); ++i) {
    CAPTURE(i);
    const double q = p[i] / sum;
    CHECK(importance.weight(static_cast<Index>(i)) == doctest::Approx(1.0 / (n * q)).epsilon(1e-9));
    CHECK(std::abs(count[i] - draws * q) <= 4.5 * std::sqrt(draws * q * (1.0 - q)));
    CHECK(importance.weight(static_cast<Index>(i)) <= 1010.0);
  }
}

TEST_CASE("importance: numbers of any size, equal ones, a single one") {
  const double huge = 1e308, tiny = 1e-308;
  const std::vector<double> large{huge, huge, huge, huge / 4}, small{tiny, tiny, tiny, tiny / 4}, one{3.0};
  for (const auto* L : {&large, &small}) {
    CHECK(Importance(*L).weight(0) == doctest::Approx(3.25 / 4.0));
    CHECK(Importance(*L).weight(3) == doctest::Approx(3.25));
  }
  RandomStream random = stream();
  CHECK(Importance(one).draw(random) == 0);
  CHECK(Importance(one).weight(0) == 1.0);
}

TEST_CASE("importance: a sampler's position is its whole state") {
  std::vector<double> L;
  for (int i = 1; i <= 50; ++i) L.push_back(i * i);
  const Importance importance(L);
  Sampler sampler(stream(), 50), other(stream(), 50);
  (void)sampler.draw(13, importance);
  other.seek(sampler.position());
  const Batch a = sampler.draw(20, importance), b = other.draw(20, importance);
  REQUIRE(a.weights().size() == 20);
  for (Index k = 0; k < 20; ++k) {
    CHECK(a[k] == b[k]);
    CHECK(a.weight(k) == importance.weight(a[k]));
  }
  CHECK(a.unweighted().weights().empty());
  CHECK(a.unweighted().weight(3) == 1.0);
  CHECK(a.unweighted().list().data() == a.list().data());
  CHECK(other.draw(5).weights().empty());
}

TEST_CASE("importance: what is not a smoothness constant is refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& L :
       {std::vector<double>{1.0, -1.0}, std::vector<double>{1.0, nan}, std::vector<double>{inf, 1.0},
        std::vector<double>{0.0, 0.0}, std::vector<double>{}})
    CHECK_THROWS_AS(Importance{L}, Error);
}
