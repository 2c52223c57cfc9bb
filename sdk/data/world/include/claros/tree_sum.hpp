// SPDX-License-Identifier: BSD-3-Clause
/// @file tree_sum.hpp  Sums over chunks that are spread over ranks, with the same bits on any number of them.
#pragma once

#include <claros/api.hpp>
#include <claros/world.hpp>

#include <functional>
#include <span>

namespace claros {

/// The chunks [first, last) of `chunks` that belong to a rank.
struct ChunkRange {
  Index first = 0, last = 0;
};
CLAROS_API ChunkRange chunks_of_rank(Index chunks, int rank, int size) noexcept;

/// partial += what a chunk has to add; false if that is nothing, and partial stays as it is.
using AddChunk = std::function<bool(Index chunk, std::span<double> partial)>;

/// out <- sum over all chunks of what `add` adds to an array of zeros of out's size. A rank calls `add` for
/// its own chunks, in their order. Collective.
///
/// The sums are made along a binary tree. Its root is [0, chunks), and node [a, b) has the halves [a,
/// (a+b)/2) and [(a+b)/2, b). The tree does not depend on the ranks, so neither does a bit of the result. A
/// rank sums the largest nodes that lie within its chunks, at most 2 log2(chunks) of them. There is one if
/// the number of ranks is a power of two that divides the chunks. The rank sends a part of each node to every
/// other rank. Each rank sums its part of the upper tree, and sends the result to all: 2 (P-1)/P of the array
/// a rank and node. Arrays of at most 2048 numbers go to all ranks at once, each of which sums the upper
/// tree.
///
/// If `add` throws on a rank, all ranks throw the same Error, which names the rank.
CLAROS_API void tree_sum(World& world, const char* what, Index chunks, std::span<double> out,
                         const AddChunk& add);

}  // namespace claros
