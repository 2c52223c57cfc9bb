// SPDX-License-Identifier: BSD-3-Clause
#include "spread_ratings.hpp"

#include "spread_biases.hpp"

#include <claros/tree_sum.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace matrix_completion {

using namespace claros;

namespace {

constexpr const char* kCall = "baseline of ratings";

/// Ascending as the numbers are.
std::uint64_t ordered(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits >> 63U ? ~bits : bits | std::uint64_t{1} << 63U;
}
double number_of(std::uint64_t key) {
  return std::bit_cast<double>(key >> 63U ? key & ~(std::uint64_t{1} << 63U) : ~key);
}

}  // namespace

double largest_of(World& world, const char* what, double mine) {
  constexpr auto kSign = std::uint64_t{1} << 63U;  // of a key, which is not negative if an Index is
  const Index largest = world.largest(what, std::bit_cast<Index>(ordered(mine) ^ kSign));
  return number_of(std::bit_cast<std::uint64_t>(largest) ^ kSign);
}

void SpreadRatings::for_each(const Use& use) {
  const ChunkRange mine = parts_.mine();
  for (Index k = mine.first; k < mine.last; ++k) {
    LineEntries& chunk = parts_.chunk(k);
    const auto change = [&] {
      std::swap(parts_.tall() ? some_.row : some_.col, chunk.line);
      std::swap(parts_.tall() ? some_.col : some_.row, chunk.across);
      std::swap(some_.value, chunk.value), std::swap(some_.weight, chunk.weight);
    };
    change();
    use(some_, k);
    change();
  }
}

double SpreadRatings::sum(const char* what, const std::function<double(Ratings&)>& of_chunk) {
  std::vector<double> sums;
  for_each([&](Ratings& entries, Index) { sums.push_back(of_chunk(entries)); });
  double all = 0.0;
  tree_sum(parts_.world(), what, parts_.count(), {&all, 1}, [&](Index k, std::span<double> partial) {
    partial[0] += sums[at(k - parts_.mine().first)];
    return true;
  });
  return all;
}

std::pair<double, double> SpreadRatings::range() {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for_each([&](Ratings& entries, Index) {
    for (const double value : entries.value) low = std::min(low, value), high = std::max(high, value);
  });
  return {-largest_of(parts_.world(), kCall, -low), largest_of(parts_.world(), kCall, high)};
}

double SpreadRatings::largest_weight() {
  double largest = 0.0;
  for_each([&](Ratings& entries, Index) {
    for (const double weight : entries.weight) largest = std::max(largest, weight);
  });
  return parts_.weighted() ? largest_of(parts_.world(), kCall, largest) : 1.0;
}

double SpreadRatings::mean_weight() {
  if (!parts_.weighted()) return 1.0;
  const auto of_chunk = [](Ratings& entries) {
    return std::accumulate(entries.weight.begin(), entries.weight.end(), 0.0);
  };
  return sum(kCall, of_chunk) / static_cast<double>(parts_.entries());
}

/// No sum overflows, as in weights_of_mean.
void SpreadRatings::scale_weights() {
  if (!parts_.weighted()) return;
  const double largest = largest_weight();
  double least = largest;
  for_each([&](Ratings& entries, Index) {
    for (const double weight : entries.weight) least = std::min(least, weight);
  });
  if (-largest_of(parts_.world(), kCall, -least) == largest) return parts_.set_weighted(false);
  const double all = sum(kCall, [&](Ratings& entries) {
    double of_chunk = 0.0;
    for (double& weight : entries.weight) of_chunk += weight /= largest;
    return of_chunk;
  });
  const double scale = static_cast<double>(parts_.entries()) / all;
  for_each([&](Ratings& entries, Index) {
    for (double& weight : entries.weight) weight *= scale;
  });
}

double SpreadRatings::mean() {
  const auto of_chunk = [](Ratings& entries) {
    return std::accumulate(entries.value.begin(), entries.value.end(), 0.0);
  };
  return sum(kCall, of_chunk) / static_cast<double>(parts_.entries());
}

double SpreadRatings::squares() {
  return sum(kCall, [](Ratings& entries) {
    return std::inner_product(entries.value.begin(), entries.value.end(), entries.value.begin(), 0.0);
  });
}

/// The lower one, digit after digit of its key.
double SpreadRatings::median() {
  constexpr unsigned kBits = 16, kKey = 64;
  constexpr std::size_t kDigits = std::size_t{1} << kBits;
  Index before = (parts_.entries() - 1) / 2;  // so many below it, among those with its digits so far
  std::uint64_t key = 0;
  for (unsigned shift = kKey - kBits; shift < kKey; shift -= kBits) {
    std::vector<double> own(kDigits, 0.0), all(kDigits);
    for_each([&](Ratings& entries, Index) {
      for (const double value : entries.value) {
        const std::uint64_t of = ordered(value);
        const bool same = shift + kBits == kKey || (of ^ key) >> (shift + kBits) == 0;
        if (same) own[of >> shift & (kDigits - 1)] += 1.0;
      }
    });
    tree_sum(parts_.world(), kCall, parts_.world().size(), all, [&](Index, std::span<double> partial) {
      for (std::size_t d = 0; d < kDigits; ++d) partial[d] += own[d];
      return true;
    });
    std::size_t digit = 0;
    for (; static_cast<Index>(all[digit]) <= before; ++digit) before -= static_cast<Index>(all[digit]);
    key |= static_cast<std::uint64_t>(digit) << shift;
  }
  return number_of(key);
}

/// The location as in baseline.cpp, from the median.
double SpreadRatings::location(const Loss& loss, double spread) {
  double mu = median();
  for (int round = 0; round < kBaselineRounds; ++round) {
    double moves = 0.0;
    const auto weight_and_move = [&](bool moved) {
      return sum(kCall, [&](Ratings& entries) {
        const std::vector<double>& y = entries.value;
        const std::vector<double> w = reweighted(std::vector<double>(y.size(), mu), y, loss, entries.weight);
        double of_chunk = 0.0;
        for (std::size_t e = 0; e < y.size(); ++e) of_chunk += moved ? w[e] * (y[e] - mu) : w[e];
        return of_chunk;
      });
    };
    moves = weight_and_move(true) / weight_and_move(false);
    mu += moves;
    if (std::abs(moves) <= kBaselineSettled * spread) break;
  }
  return mu;
}

std::vector<std::vector<double>> SpreadRatings::weights_at(const Baseline& baseline, const Loss& loss) {
  Spread w;
  for_each([&](Ratings& entries, Index) {
    std::vector<double> z(entries.value.size());
    for (std::size_t e = 0; e < z.size(); ++e) z[e] = baseline.at(entries.row[e], entries.col[e]);
    w.push_back(reweighted(z, entries.value, loss, entries.weight));
  });
  return w;
}

/// By how much a prediction of an entry changes at the most.
double SpreadRatings::move_to(Baseline& baseline, Baseline moved) {
  double change = 0.0;
  for_each([&](Ratings& entries, Index) {
    for (std::size_t e = 0; e < entries.value.size(); ++e) {
      const std::int32_t i = entries.row[e], j = entries.col[e];
      change = std::max(change, std::abs(moved.at(i, j) - baseline.at(i, j)));
    }
  });
  baseline = std::move(moved);
  return largest_of(parts_.world(), kCall, change);
}

Baseline SpreadRatings::fit(const Loss& loss, const BaselineOptions& options) {
  Baseline baseline{word_of(center_words(), options.center), 0.0, {}, {}};
  if (baseline.is_none()) return baseline;
  const auto [low, high] = range();
  baseline.mean = location(loss, high - low);
  if (options.center == Center::mean) return baseline;
  Spread residual;
  for_each([&](Ratings& entries, Index) {
    residual.push_back(entries.value);
    for (double& value : residual.back()) value -= baseline.mean;
  });
  const bool tall = parts_.tall();
  const double row = options.row_bias_regularization, col = options.col_bias_regularization;
  for (int round = 0; round < kBaselineRounds; ++round) {
    const Spread w = weights_at(baseline, loss);
    Baseline moved = baseline;
    SpreadBiases(parts_, w, residual, tall ? row : col, tall ? col : row)
        .solve(tall ? moved.row : moved.col, tall ? moved.col : moved.row);
    const double change = move_to(baseline, std::move(moved));
    const bool quadratic = loss.constants().third == 0.0;
    if (quadratic || change <= kBaselineSettled * (high - low)) break;
  }
  return baseline;
}

void SpreadRatings::subtract(const Baseline& baseline) {
  if (baseline.is_none()) return;
  for_each([&](Ratings& entries, Index) {
    for (std::size_t e = 0; e < entries.value.size(); ++e)
      entries.value[e] -= baseline.at(entries.row[e], entries.col[e]);
  });
}

}  // namespace matrix_completion
