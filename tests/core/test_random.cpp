// SPDX-License-Identifier: BSD-3-Clause
#include <Random123/philox.h>
#include <doctest/doctest.h>

#include <claros/context.hpp>
#include <claros/random.hpp>
#include <cmath>
#include <set>
#include <vector>

using namespace claros;

namespace {

std::uint64_t join(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }

std::vector<double> uniforms(std::uint64_t seed, Purpose purpose, std::uint32_t instance, std::size_t count) {
  std::vector<double> out(count);
  RandomStream(seed, purpose, instance).fill_uniform(out);
  return out;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - 0.5) * (b[i] - 0.5);
  return 12.0 * sum / static_cast<double>(a.size());
}

struct Moments {
  double mean = 0, variance = 0, third = 0, fourth = 0;
};

Moments moments(const std::vector<double>& sample) {
  Moments m;
  for (double z : sample) m.mean += z, m.variance += z * z, m.third += z * z * z, m.fourth += z * z * z * z;
  const auto n = static_cast<double>(sample.size());
  return {m.mean / n, m.variance / n, m.third / n, m.fourth / n};
}

void check_standard_normal(const std::vector<double>& sample) {
  const Moments m = moments(sample);
  const double deviation =
      4.5 / std::sqrt(static_cast<double>(sample.size()));  // of each moment, at 4.5 sigma
  CHECK(std::abs(m.mean) < deviation);
  CHECK(std::abs(m.variance - 1.0) < deviation * std::sqrt(2.0));
  CHECK(std::abs(m.third) < deviation * std::sqrt(15.0));
  CHECK(std::abs(m.fourth - 3.0) < deviation * std::sqrt(96.0));
}

}  // namespace

TEST_CASE("random: the published answer of Philox 4x32-10 at the zero counter and key") {
  RandomStream stream(0, static_cast<Purpose>(0), 0);
  CHECK(stream.next() == join(0x6627e8d5, 0xe169c58d));
  CHECK(stream.next() == join(0xbc57ac4c, 0x9b00dbd8));
}

TEST_CASE("random: every word is Random123's at (position / 2, purpose, instance) under the seed") {
  const std::uint64_t seed = 0x0123456789abcdefULL;
  for (const std::uint64_t position :
       {0ULL, 1ULL, 2ULL, 77ULL, 0x1ffffffffULL, 0x123456789abcdef0ULL, ~0ULL}) {
    RandomStream stream(seed, Purpose::oracle, 9);
    stream.seek(position);
    const std::uint64_t block = position / 2;
    const philox4x32_ctr_t counter = {
        {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 3, 9}};
    const philox4x32_ctr_t out = philox4x32_R(10, counter, {{0x89abcdef, 0x01234567}});
    CHECK(stream.next() == (position % 2 == 0 ? join(out[0], out[1]) : join(out[2], out[3])));
  }
}

TEST_CASE("random: the position is the whole state") {
  RandomStream stream(5, Purpose::sampling);
  stream.next();  // leaves the stream in the middle of a block
  const auto draw = [](RandomStream& s) {
    std::vector<double> out{s.uniform(), s.normal(), static_cast<double>(s.index(1000)), s.uniform()};
    std::vector<double> block(7);
    s.fill_normal(block);
    out.insert(out.end(), block.begin(), block.end());
    s.fill_uniform(block);
    out.insert(out.end(), block.begin(), block.end());
    return out;
  };
  draw(stream);
  RandomStream resumed(5, Purpose::sampling);
  resumed.seek(stream.position());
  CHECK(draw(stream) == draw(resumed));
  CHECK(stream.position() == resumed.position());
}

TEST_CASE("random: fills agree with single draws and consume what they say") {
  RandomStream one(8, Purpose::test), block(8, Purpose::test);
  std::vector<double> filled(11);
  block.fill_uniform(filled);
  for (double value : filled) CHECK(value == one.uniform());
  CHECK(block.position() == 11);
  block.fill_normal(filled);
  CHECK(block.position() == 23);
  for (std::size_t i = 0; i < filled.size(); i += 2) CHECK(filled[i] == one.normal());
}

TEST_CASE("random: moments of the normal draws, single and filled") {
  std::vector<double> sample(200000);
  RandomStream stream(1, Purpose::test);
  stream.fill_normal(sample);
  check_standard_normal(sample);
  for (double& value : sample) value = stream.normal();
  check_standard_normal(sample);
}

TEST_CASE("random: uniform indices pass a chi-square test, and stay in range at the extremes") {
  const Index cells = 37, draws = 370000;
  std::vector<double> counts(static_cast<std::size_t>(cells));
  RandomStream stream(2, Purpose::test);
  for (Index i = 0; i < draws; ++i) counts[static_cast<std::size_t>(stream.index(cells))] += 1.0;
  double statistic = 0.0;
  for (double count : counts) statistic += (count - 10000.0) * (count - 10000.0) / 10000.0;
  CHECK(statistic > 12.0);  // 36 degrees of freedom: both tails at about 1e-4
  CHECK(statistic < 76.0);
  CHECK(stream.index(1) == 0);
  const Index huge = 3 * (Index{1} << 61);  // a quarter of all words is rejected
  Index lower_third = 0;
  const std::uint64_t before = stream.position();
  for (int i = 0; i < 3000; ++i) {
    const Index drawn = stream.index(huge);
    REQUIRE((drawn >= 0 && drawn < huge));
    lower_third += drawn < huge / 3;
  }
  CHECK(std::abs(static_cast<double>(lower_third) - 1000.0) < 120.0);
  CHECK(stream.position() - before > 3500);  // rejections consume further positions
}

TEST_CASE("random: uniform draws fill the unit interval evenly") {
  std::vector<double> counts(64);
  for (double value : uniforms(3, Purpose::test, 0, 640000)) {
    REQUIRE((value >= 0.0 && value < 1.0));
    counts[static_cast<std::size_t>(value * 64.0)] += 1.0;
  }
  double statistic = 0.0;
  for (double count : counts) statistic += (count - 10000.0) * (count - 10000.0) / 10000.0;
  CHECK(statistic < 112.0);  // 63 degrees of freedom, at about 1e-4
}

TEST_CASE(
    "random: every purpose has a stream of its own, every instance too, and trials share that of the data "
    "alone") {
  using enum Purpose;
  const auto first = [](Purpose purpose, std::uint32_t trial, std::uint32_t instance) {
    Context context;
    context.seed = 7, context.trial = trial;
    return context.stream(purpose, instance).next();
  };
  std::set<std::uint64_t> seen;
  std::size_t streams = 0;
  for (const Purpose purpose : {sampling, data, oracle, confirmation, output, start, test, draws, coins})
    for (const std::uint32_t trial : {0U, 1U, 2U})
      for (const std::uint32_t instance : {0U, 1U, 65535U}) {
        if (purpose == data && trial > 0) {
          CHECK(first(purpose, trial, instance) == first(purpose, 0, instance));
          continue;
        }
        seen.insert(first(purpose, trial, instance));
        ++streams;
      }
  CHECK(seen.size() == streams);
}

TEST_CASE("random: streams of other seeds, purposes and instances are uncorrelated") {
  const std::size_t count = 100000;
  const std::vector<double> reference = uniforms(7, Purpose::sampling, 0, count);
  const double bound = 4.5 / std::sqrt(static_cast<double>(count));
  CHECK(std::abs(correlation(reference, uniforms(8, Purpose::sampling, 0, count))) < bound);
  CHECK(std::abs(correlation(reference, uniforms(7, Purpose::data, 0, count))) < bound);
  CHECK(std::abs(correlation(reference, uniforms(7, Purpose::sampling, 1, count))) < bound);
  CHECK(correlation(reference, reference) > 0.95);
}
