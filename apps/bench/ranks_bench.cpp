// SPDX-License-Identifier: BSD-3-Clause
// mpirun -n P claros-bench-ranks [REPEATS]: the cost of messages: latency, bandwidth, and sums over the ranks
// by tree_sum beside MPI_Allreduce. Prints tables; asserts that both sums agree.
#include <claros/tree_sum.hpp>

#include "mpi_world.hpp"

#include <fmt/format.h>

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

using namespace claros;

struct Times {
  double least = 0, median = 0;  ///< seconds
};

Times times_of(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return {seconds.front(), seconds[seconds.size() / 2]};
}

/// Seconds of each work on the slowest rank. Works take turns, since the pace of a shared machine changes.
std::vector<Times> times(const std::vector<std::function<void()>>& works, int repeats) {
  std::vector<std::vector<double>> seconds(works.size());
  for (int k = 0; k <= repeats; ++k)
    for (std::size_t w = 0; w < works.size(); ++w) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      works[w]();
      double took = MPI_Wtime() - begin;
      MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      if (k > 0) seconds[w].push_back(took);  // the first touches memory
    }
  std::vector<Times> result;
  for (const auto& some : seconds) result.push_back(times_of(some));
  return result;
}

/// Seconds of one message of that many doubles, half of a round trip, between the first two ranks.
Times message(World& world, int size, int repeats) {
  std::vector<double> numbers(static_cast<std::size_t>(size), 1.0);
  const auto there_and_back = [&] {
    if (world.rank() > 1) return;
    const int other = 1 - world.rank();
    for (int turn = 0; turn < 2; ++turn)
      if (turn == world.rank())
        MPI_Send(numbers.data(), size, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
      else
        MPI_Recv(numbers.data(), size, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  const Times both = times({there_and_back}, repeats).front();
  return {both.least / 2, both.median / 2};
}

/// Sums one array a rank in three ways: MPI_Allreduce, tree_sum of one chunk a rank, and tree_sum of 64
/// chunks, each in an array of its rank.
void sums(World& world, std::size_t size, int repeats) {
  constexpr Index kChunks = 64;
  const std::vector<double> mine(size, 1.0 / 3.0);
  std::vector<double> library(size), one(size), many(size);
  const auto add = [&](Index, std::span<double> partial) {
    for (std::size_t j = 0; j < size; ++j) partial[j] += mine[j];
    return true;
  };
  const auto first_of_rank = [&](Index chunk, std::span<double> partial) {
    return chunk == chunks_of_rank(kChunks, world.rank(), world.size()).first && add(chunk, partial);
  };
  const auto found = times({[&] {
                              MPI_Allreduce(mine.data(), library.data(), static_cast<int>(size), MPI_DOUBLE,
                                            MPI_SUM, MPI_COMM_WORLD);
                            },
                            [&] { tree_sum(world, "one", world.size(), one, add); },
                            [&] { tree_sum(world, "many", kChunks, many, first_of_rank); }},
                           repeats);
  const double expected = static_cast<double>(world.size()) / 3.0;
  for (const auto* sum : {&library, &one, &many})
    for (const double value : *sum)
      if (!(std::abs(value - expected) <= 1e-12)) MPI_Abort(MPI_COMM_WORLD, 1);
  if (world.rank() > 0) return;
  fmt::print("{:>9}", size);
  for (const Times& t : found) fmt::print("  {:>9.4f} {:>9.4f}", 1e3 * t.least, 1e3 * t.median);
  fmt::print("  {:>6.2f}\n", found[1].least / found[0].least);
}

void table(World& world, int repeats) {
  const Times latency = message(world, 1, 50 * repeats), large = message(world, 1 << 20, 5 * repeats);
  const Times agree = times({[&] { (void)world.largest("agreement", 0); }}, 50 * repeats).front();
  if (world.rank() == 0) {
    fmt::print("{} ranks; least and median of {} repeats or more, on the slowest rank\n", world.size(),
               repeats);
    fmt::print("latency of a message   {:.2f} {:.2f} us\n", 1e6 * latency.least, 1e6 * latency.median);
    fmt::print("bandwidth, 8 MiB       {:.2f} {:.2f} GB/s\n", 8e-9 * (1 << 20) / large.least,
               8e-9 * (1 << 20) / large.median);
    fmt::print("agreement before a call {:.2f} {:.2f} us\n", 1e6 * agree.least, 1e6 * agree.median);
    fmt::print("\n  doubles  MPI_Allreduce, ms    tree_sum, ms         of 64 chunks, ms       ratio\n");
  }
  for (const std::size_t size : {1000, 10000, 100000, 1000000, 10000000}) sums(world, size, repeats);
}

}  // namespace

int main(int argc, char** argv) {
#if defined(__GLIBC__)  // as the program does
  (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
  (void)mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
  MPI_Init(&argc, &argv);
  {
    mpi::MpiWorld world(MPI_COMM_WORLD, 60.0, 2);
    if (world.size() < 2) {
      if (world.rank() == 0) fmt::print("usage: mpirun -n P claros-bench-ranks [REPEATS], P of at least 2\n");
    } else {
      table(world, argc > 1 ? std::max(1, std::atoi(argv[1])) : 11);
    }
  }
  MPI_Finalize();
}
