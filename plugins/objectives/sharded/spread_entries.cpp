// SPDX-License-Identifier: BSD-3-Clause
#include "spread_entries.hpp"

#include "point_lines.hpp"

#include <claros/element/sparse_kernels.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sharded {

using namespace claros;

namespace {

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

double squares(std::span<const double> values, double unit) {
  double sum = 0.0;
  for (const double value : values) sum += (value / unit) * (value / unit);
  return sum;
}

/// NaN if one of them is.
double larger(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

}  // namespace

SpreadEntries::SpreadEntries(std::shared_ptr<const EntryCut> cut, std::vector<std::vector<double>> values,
                             std::weak_ptr<const LinearMap> source, std::vector<Element> points)
    : cut_(std::move(cut)),
      values_(std::move(values)),
      source_(std::move(source)),
      points_(std::move(points)) {
  for (Element& point : points_) point.drop_images();
}

template <class T>
std::span<T> SpreadEntries::lines(Index k, std::span<T> all) const {
  const EntryChunk& chunk = cut_->chunk(k);
  return all.subspan(size(chunk.first_line), size(chunk.lines()));
}

void SpreadEntries::apply(std::span<const double> x, std::span<double> y) const { apply_block(x, 1, y); }

void SpreadEntries::apply_adjoint(std::span<const double> y, std::span<double> x) const {
  apply_adjoint_block(y, 1, x);
}

void SpreadEntries::apply_block(std::span<const double> x, Index count, std::span<double> y) const {
  cut_->tall() ? to_longer(x, count, y) : to_shorter(x, count, y);
}

void SpreadEntries::apply_adjoint_block(std::span<const double> y, Index count, std::span<double> x) const {
  cut_->tall() ? to_shorter(y, count, x) : to_longer(y, count, x);
}

/// Y = B X: the lines of all ranks, which are sent in one call, a rank's own one column after the other.
void SpreadEntries::to_longer(std::span<const double> X, Index count, std::span<double> Y) const {
  World& world = cut_->world();
  const auto lines_of = [&](int rank) {
    const ChunkRange range = cut_->lines_of(rank);
    return std::pair(size(range.first), size(range.last - range.first));
  };
  const auto [first, own] = lines_of(world.rank());
  std::vector<double> mine(own * size(count), 0.0);
  for (Index k = cut_->mine().first; k < cut_->mine().last; ++k) {
    const EntryChunk& chunk = cut_->chunk(k);
    std::vector<double> block(size(chunk.lines() * count), 0.0);
    if (count == 1)
      sparse::add_product(1.0, *chunk.pattern, values(k), X, block);
    else
      sparse::add_block_product(1.0, *chunk.pattern, values(k), X, count, block);
    for (std::size_t j = 0; j < size(count); ++j)
      std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(j * size(chunk.lines())), chunk.lines(),
                  mine.begin() + static_cast<std::ptrdiff_t>(j * own + size(chunk.first_line) - first));
  }
  std::vector<double> all(size(cut_->longer() * count));
  std::vector<std::span<double>> receive;
  for (int r = 0; r < world.size(); ++r)
    receive.push_back(
        std::span<double>(all).subspan(lines_of(r).first * size(count), lines_of(r).second * size(count)));
  world.exchange("product of a gradient", std::vector<std::span<const double>>(size(world.size()), mine),
                 receive);
  for (int r = 0; r < world.size(); ++r)
    for (std::size_t j = 0; j < size(count); ++j)
      std::copy_n(receive[size(r)].begin() + static_cast<std::ptrdiff_t>(j * lines_of(r).second),
                  lines_of(r).second,
                  Y.begin() + static_cast<std::ptrdiff_t>(j * size(cut_->longer()) + lines_of(r).first));
}

/// X = B'Y
void SpreadEntries::to_shorter(std::span<const double> Y, Index count, std::span<double> X) const {
  tree_sum(cut_->world(), "adjoint product of a gradient", cut_->count(), X,
           [&](Index k, std::span<double> partial) {
             const EntryChunk& chunk = cut_->chunk(k);
             if (count == 1) {
               sparse::add_adjoint_product(1.0, *chunk.pattern, values(k), lines(k, Y), partial);
               return true;
             }
             std::vector<double> block;
             for (Index j = 0; j < count; ++j) {
               const auto column = lines(k, Y.subspan(size(j * cut_->longer()), size(cut_->longer())));
               block.insert(block.end(), column.begin(), column.end());
             }
             sparse::add_adjoint_block_product(1.0, *chunk.pattern, values(k), block, count, partial);
             return true;
           });
}

void SpreadEntries::entries(std::span<double> out) const {
  tree_sum(cut_->world(), "entries of a gradient", cut_->count(), out,
           [&](Index k, std::span<double> partial) {
             const EntryChunk& chunk = cut_->chunk(k);
             for (std::size_t e = 0; e < values(k).size(); ++e)
               partial[size(cut_->position(chunk, e))] += values(k)[e];
             return true;
           });
}

/// The sum of squares rides at the end of the shorter vector.
double SpreadEntries::long_round_trip(double weight, std::span<const double> x, double beta,
                                      std::span<double> image, std::span<double> back) const {
  std::vector<double> sums(back.size() + 1);
  tree_sum(cut_->world(), "Lanczos step", cut_->count(), sums, [&](Index k, std::span<double> partial) {
    const std::span<double> mine = lines(k, image);
    sparse::round_trip(weight, *cut_->chunk(k).pattern, values(k), x, beta, mine, partial.first(back.size()));
    partial[back.size()] += squares(mine, 1.0);
    return true;
  });
  std::copy_n(sums.begin(), back.size(), back.begin());
  return norm(sums.back(), image);
}

/// Once more in units of the largest entry, if squares leave the range of numbers.
double SpreadEntries::norm(double sum_of_squares, std::span<const double> image) const {
  constexpr double kSafe = 1e-280;
  if (sum_of_squares > kSafe && sum_of_squares < 1.0 / kSafe) return std::sqrt(sum_of_squares);
  std::vector<double> largest(size(cut_->count()));
  tree_sum(cut_->world(), "norm", cut_->count(), largest, [&](Index k, std::span<double> partial) {
    for (const double value : lines(k, image)) partial[size(k)] = larger(partial[size(k)], std::abs(value));
    return true;
  });
  const double unit = std::accumulate(largest.begin(), largest.end(), 0.0, larger);
  if (unit == 0.0 || !std::isfinite(unit)) return unit;
  double sum = 0.0;
  tree_sum(cut_->world(), "norm", cut_->count(), {&sum, 1}, [&](Index k, std::span<double> partial) {
    partial[0] += squares(lines(k, image), unit);
    return true;
  });
  return unit * std::sqrt(sum);
}

double SpreadEntries::inner(const LowRankForm& x) const {
  double sum = 0.0;
  tree_sum(cut_->world(), "inner product", cut_->count(), {&sum, 1}, [&](Index k, std::span<double> partial) {
    const EntryChunk& chunk = cut_->chunk(k);
    std::vector<double> z(values(k).size());
    chunk.model.map->apply(1.0, low_rank_lines(1.0, x, cut_->tall(), chunk.first_line, chunk.lines()), 0.0,
                           z);
    partial[0] += std::inner_product(z.begin(), z.end(), values(k).begin(), 0.0);
    return true;
  });
  return sum;
}

double SpreadEntries::squared_norm() const {
  double sum = 0.0;
  tree_sum(cut_->world(), "norm", cut_->count(), {&sum, 1}, [&](Index k, std::span<double> partial) {
    partial[0] += squares(values(k), 1.0);
    return true;
  });
  return sum;
}

}  // namespace sharded
