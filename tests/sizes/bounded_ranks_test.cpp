// SPDX-License-Identifier: BSD-3-Clause
// Shrinkage along a sequence on matrices whose full decomposition is out of reach: ranks grow, and a step
// that is short of rank says so.
#include <claros/element/element.hpp>
#include <claros/error.hpp>
#include <claros/interruption.hpp>
#include <shared/spectral/shrinkage.hpp>

#include <doctest/doctest.h>

#include "../core/environment_variable.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

using namespace claros;

namespace {

constexpr Index kRows = 2000, kCols = 1600, kRank = 40;

/// U diag(s) V' with orthonormal U and V, s_k = 3 - k / 40.
Element of_known_values(std::vector<double>& s) {
  RandomStream stream(3, Purpose::test);
  std::vector<double> u(static_cast<std::size_t>(kRows * kRank)), v(static_cast<std::size_t>(kCols * kRank));
  stream.fill_normal(u);
  stream.fill_normal(v);
  const std::vector<double> ones(static_cast<std::size_t>(kRank), 1.0);
  TruncatedSvd bases = svd_of_product(kRows, kCols, std::move(u), ones, std::move(v));
  s.clear();
  for (Index k = 0; k < kRank; ++k) s.push_back(3.0 - static_cast<double>(k) / 40.0);
  return Element::low_rank(
      std::make_shared<FactorStore>(kRows, kCols, Buffer(std::move(bases.u)), Buffer(std::move(bases.v))), s);
}

/// Soft thresholding at 1.
double shrink(std::vector<double>& values) {
  for (double& value : values) value = std::max(value - 1.0, 0.0);
  return 1.0;
}

double distance(const Element& x, const Element& y) {
  Element d(x);
  d.add(-1.0, y);
  return norm(d);
}

}  // namespace

TEST_CASE(
    "bounded ranks: they at most double, once they have settled, until no value is missed; short of rank "
    "nothing is called exact") {
  REQUIRE(is_full_svd_out_of_reach(Shape::matrix(kRows, kCols)));
  std::vector<double> s;
  const Element v = of_known_values(s);
  (void)shrink(s);
  Element expected(v), x;
  {
    const auto& store = only_low_rank(v)->store;
    expected = Element::low_rank(store, s);
  }
  SpectralShrinkage shrinkage(Spectrum::singular, RandomStream(1, Purpose::oracle),
                              RandomStream(1, Purpose::confirmation));
  std::vector<Index> ranks;
  for (int step = 0; step < 8; ++step) {
    const Certificate c =
        shrinkage.apply(v, {.shrink = shrink}, x, {.tolerance = 1e-6, .certify = true, .sequence = true});
    ranks.push_back(c.rank);
    if (c.rank < kRank) {
      CHECK_FALSE(c.exact);
      CHECK(c.error >= distance(x, expected) * 0.999);
    }
    if (c.exact) CHECK(distance(x, expected) <= 1e-6 * norm(expected));
  }
  CHECK(ranks == std::vector<Index>{16, 16, 32, 32, 40, 40, 40, 40});
}

TEST_CASE("bounded ranks: decompositions are abandoned when the time of their thread is over") {
  std::vector<double> s;
  const Element v = of_known_values(s);
  SpectralShrinkage shrinkage(Spectrum::singular, RandomStream(1, Purpose::oracle),
                              RandomStream(1, Purpose::confirmation));
  Element x;
  const Interruption scope({.deadline = Interruption::Clock::now() - std::chrono::hours(1)});
  for (const bool sequence : {false, true})
    CHECK_THROWS_AS((void)shrinkage.apply(v, {.shrink = shrink}, x, {.sequence = sequence}), Interrupted);
}

TEST_CASE("bounded ranks: a point of no sequence has its error bounded where its rank is out of reach") {
  constexpr Index kEntries = 120000;
  RandomStream stream(4, Purpose::test);
  std::vector<std::int32_t> row, col;
  for (Index e = 0; e < kEntries; ++e)
    row.push_back(static_cast<std::int32_t>(e * kRows / kEntries)),
        col.push_back(static_cast<std::int32_t>(e * 7 % 1597));
  std::vector<std::pair<std::int32_t, std::int32_t>> places;
  for (std::size_t e = 0; e < row.size(); ++e) places.emplace_back(row[e], col[e]);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  row.clear(), col.clear();
  for (const auto& [i, j] : places) row.push_back(i), col.push_back(j);
  std::vector<double> values(row.size());
  stream.fill_normal(values);
  const Element v =
      Element::sparse(std::make_shared<Pattern>(kRows, kCols, row, col), Buffer(std::move(values)));
  SpectralShrinkage shrinkage(Spectrum::singular, RandomStream(1, Purpose::oracle),
                              RandomStream(1, Purpose::confirmation));
  Element x;
  const Certificate c = shrinkage.apply(v, {.shrink = shrink}, x, {});
  CHECK_FALSE(c.exact);
  CHECK(c.error > 0.0);
  CHECK(c.rank <= 2 * kEntries / (kRows + kCols));
  CHECK(c.rank >= 60);
}

TEST_CASE("bounded ranks: a decomposition says what memory it would take, before it takes it") {
  RandomStream stream(5, Purpose::test);
  std::vector<double> values(300 * 200);
  stream.fill_normal(values);
  const DenseOperator a(300, 200, values);
  const auto said = [&](const auto& decompose) -> std::string {
    try {
      decompose();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      return error.what();
    }
    return "nothing";
  };
  const auto svd = [&](SpectralEngine engine) { (void)truncated_svd(a, 20, engine, {}, stream); };
  const EnvironmentVariable little("CLAROS_MEMORY", "64KiB");
  for (const SpectralEngine engine :
       {SpectralEngine::arpack, SpectralEngine::dense, SpectralEngine::dense_gram})
    CHECK(said([&] { svd(engine); }).find("300 x 200 matrix takes ") != std::string::npos);
  const std::string block =
      said([&] { (void)BlockSvd().solve(a, Spectrum::singular, {.count = 20}, stream); });
  CHECK(block.find("20 values of a 300 x 200 matrix takes ") != std::string::npos);
  CHECK(block.find("CLAROS_MEMORY allows 64 KiB") != std::string::npos);
}
