// SPDX-License-Identifier: BSD-3-Clause
// Sums over ranks, whose messages pass between threads here: the bits of one rank, and errors that all see.
#include "thread_world.hpp"

#include <claros/tree_sum.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace claros;
using namespace claros::test;

namespace {

/// Numbers whose sum depends on the order.
std::vector<std::vector<double>> arrays(Index chunks, std::size_t size) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> all(static_cast<std::size_t>(chunks), std::vector<double>(size));
  for (auto& array : all)
    for (double& value : array) value = normal(engine) * std::exp(8.0 * normal(engine));
  return all;
}

AddChunk adding(const std::vector<std::vector<double>>& all, Index without = -1) {
  return [&all, without](Index chunk, std::span<double> partial) {
    if (chunk == without) return false;
    const auto& array = all[static_cast<std::size_t>(chunk)];
    for (std::size_t j = 0; j < array.size(); ++j) partial[j] += array[j];
    return true;
  };
}

std::vector<double> tree(const std::vector<std::vector<double>>& all, Index first, Index last) {
  if (last - first == 1) return all[static_cast<std::size_t>(first)];
  std::vector<double> left = tree(all, first, (first + last) / 2);
  const std::vector<double> right = tree(all, (first + last) / 2, last);
  for (std::size_t j = 0; j < left.size(); ++j) left[j] += right[j];
  return left;
}

}  // namespace

TEST_CASE("tree sum: the same bits on 1 to 9 ranks, those of the tree; of small and of large arrays") {
  for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{2048}, std::size_t{2049}})
    for (const Index chunks : {Index{9}, Index{16}, Index{37}, Index{64}}) {
      CAPTURE(size);
      CAPTURE(chunks);
      const auto all = arrays(chunks, size);
      const auto expected = tree(all, 0, chunks);
      std::vector<double> one(size, 5.0);
      tree_sum(World::here(), "sum", chunks, one, adding(all));
      CHECK(one == expected);
      for (int ranks = 1; ranks <= 9; ++ranks) {
        const auto sums = on_ranks<std::vector<double>>(ranks, [&](World& world) {
          std::vector<double> sum(size, 5.0);
          tree_sum(world, "sum", chunks, sum, adding(all));
          return sum;
        });
        for (const auto& sum : sums) CHECK(sum == expected);
      }
    }
}

TEST_CASE("tree sum: the order matters for these numbers, so that equal bits say something") {
  const auto all = arrays(37, 64);
  std::vector<double> in_order(64, 0.0);
  for (const auto& array : all)
    for (std::size_t j = 0; j < array.size(); ++j) in_order[j] += array[j];
  CHECK(in_order != tree(all, 0, 37));
}

TEST_CASE(
    "tree sum: a chunk that has nothing to add changes no bit, whichever rank owns it, and no sum is -0") {
  auto all = arrays(16, 5);
  all[6].assign(5, -0.0);
  for (int ranks = 1; ranks <= 5; ++ranks)
    for (const Index without : {Index{-1}, Index{6}}) {
      const auto sums = on_ranks<std::vector<double>>(ranks, [&](World& world) {
        std::vector<double> sum(5);
        tree_sum(world, "sum", 16, sum, adding(all, without));
        return sum;
      });
      for (const auto& sum : sums) CHECK(sum == sums.front());
      std::vector<double> none(5, 1.0);
      tree_sum(World::here(), "sum", 16, none, [](Index, std::span<double>) { return false; });
      for (const double value : none) CHECK(std::bit_cast<std::uint64_t>(value) == 0);
    }
}

TEST_CASE("tree sum: what one rank's work throws, all throw, with its rank; the next sum works") {
  const auto all = arrays(16, 4);
  const auto said = on_ranks<std::string>(3, [&](World& world) {
    std::string text;
    std::vector<double> sum(4);
    try {
      tree_sum(world, "sum", 16, sum, [&](Index chunk, std::span<double>) -> bool {
        if (chunk == 7) throw Error(ErrorKind::data, "rows", "cannot be read");
        return true;
      });
    } catch (const Error& error) {
      text = error.what();
    }
    tree_sum(world, "sum", 16, sum, adding(all));
    return text + (sum == tree(all, 0, 16) ? ", then well" : ", then ill");
  });
  for (const auto& text : said) CHECK(text == "rows: cannot be read (on rank 1), then well");
}

TEST_CASE("world: differing values, the text of the first rank, chunks of a rank") {
  const auto differ = on_ranks<std::string>(4, [](World& world) {
    return rank_list(ranks_that_differ(world, "test", world.rank() % 2 == 0 ? 5 : 6));
  });
  for (const auto& text : differ) CHECK(text == "ranks 1, 3");
  for (const std::string text : {"", "12345678", "a text of some length"}) {
    const auto texts = on_ranks<std::string>(
        3, [&](World& world) { return text_of_first(world, "test", world.rank() == 0 ? text : "another"); });
    for (const auto& found : texts) CHECK(found == text);
  }
  for (int size = 1; size <= 9; ++size)
    for (int rank = 0, next = 0; rank < size; ++rank) {
      const ChunkRange range = chunks_of_rank(9, rank, size);
      CHECK(range.first == next);
      CHECK(range.last > range.first);
      next = static_cast<int>(range.last);
    }
}
