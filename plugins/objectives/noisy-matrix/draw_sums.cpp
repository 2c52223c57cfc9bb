// SPDX-License-Identifier: BSD-3-Clause
#include "draw_sums.hpp"

#include <claros/element/parallel.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

using namespace claros;

namespace {

/// Entries that are worked on at once: their sums at all depths of a tree stay in a cache. Even, as
/// fill_normal takes positions in pairs.
constexpr Index kGrain = 512;

}  // namespace

/// The work of one chunk of entries on one tree, for the draws [first, last).
struct DrawSums::Piece {
  Index first_entry, first, last, tree;  ///< tree: its number of draws
  double a;
  std::span<double> out;
  std::vector<double> sums, z;  ///< two halves a depth
};

DrawSums::DrawSums(RandomStream stream, Index entries) : stream_(std::move(stream)), entries_(entries) {}

void DrawSums::normals(std::uint64_t node, Index first_entry, std::span<double> out) const {
  RandomStream random = stream_;
  random.seek(node * static_cast<std::uint64_t>(entries_ + entries_ % 2) +
              static_cast<std::uint64_t>(first_entry));
  random.fill_normal(out);
}

void DrawSums::add(Index first, Index count, double a, std::span<double> out) const {
  for_chunks(entries_, kGrain, [&](Index, Index from, Index to) {
    const auto width = static_cast<std::size_t>(to - from),
               depths =
                   static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(first + count))) + 1;
    Piece piece{from,
                0,
                0,
                0,
                a,
                out.subspan(static_cast<std::size_t>(from), width),
                std::vector<double>(2 * depths * width),
                std::vector<double>(width)};
    for (Index draws = 1; draws - 1 < first + count;
         draws *= 2) {  // the tree of the draws [draws - 1, 2 draws - 1)
      piece.first = std::max(first, draws - 1), piece.last = std::min(first + count, 2 * draws - 1),
      piece.tree = draws;
      if (piece.first >= piece.last) continue;
      double* const root = piece.sums.data();
      normals(static_cast<std::uint64_t>(draws), from, {root, width});
      for (std::size_t j = 0; j < width; ++j) root[j] *= std::sqrt(static_cast<double>(draws));
      add_piece(piece, 1, draws - 1, draws, root, 1);
    }
  });
}

/// `sum` is that of the draws [begin, begin + draws). Nodes are numbered so that every split has its own Z.
/// The root of the tree of k draws has its sum at k. The split of its node h, h = 1, 2, ... in the order of a
/// heap, has its Z at k + h.
void DrawSums::add_piece(Piece& piece, Index node, Index begin, Index draws, const double* sum,
                         int depth) const {
  const Index end = begin + draws;
  if (piece.last <= begin || end <= piece.first) return;
  const std::size_t width = piece.out.size();
  if (piece.first <= begin && end <= piece.last) {
    for (std::size_t j = 0; j < width; ++j) piece.out[j] += piece.a * sum[j];
    return;
  }
  double* const left = piece.sums.data() + 2 * static_cast<std::size_t>(depth) * width;
  double* const right = left + width;
  normals(static_cast<std::uint64_t>(piece.tree + node), piece.first_entry, piece.z);
  const double spread = 0.5 * std::sqrt(static_cast<double>(draws));
  for (std::size_t j = 0; j < width; ++j) {
    left[j] = 0.5 * sum[j] + spread * piece.z[j];
    right[j] = sum[j] - left[j];
  }
  add_piece(piece, 2 * node, begin, draws / 2, left, depth + 1);
  add_piece(piece, 2 * node + 1, begin + draws / 2, draws / 2, right, depth + 1);
}
