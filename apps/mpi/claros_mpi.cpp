// SPDX-License-Identifier: BSD-3-Clause
/// @file claros_mpi.cpp  What the program loads when a launcher of MPI has started it: three functions.
#include "mpi_world.hpp"

#include <memory>

namespace {

std::unique_ptr<claros::mpi::MpiWorld> world;
bool started_here = false;

}  // namespace

extern "C" {

/// Starts MPI, unless the process has done so, and returns its World; null if MPI does not start. The World
/// waits `patience` seconds, and `lines` is the descriptor that messages go to. Call it once, before a thread
/// is started.
CLAROS_API claros::World* claros_mpi_start(double patience, int lines) noexcept {
  int running = 0, level = 0;
  MPI_Initialized(&running);
  if (!running && MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
    return nullptr;
  started_here = !running;
  MPI_Comm ranks;  // messages of the program's own, if it has any, do not mix with these
  if (world || MPI_Comm_dup(MPI_COMM_WORLD, &ranks) != MPI_SUCCESS) return nullptr;
  world = std::make_unique<claros::mpi::MpiWorld>(ranks, patience, lines);
  return world.get();
}

/// When all ranks have come to their end.
CLAROS_API void claros_mpi_end() noexcept {
  if (started_here) MPI_Finalize();
}

/// Ends all ranks now.
CLAROS_API void claros_mpi_abort(int code) noexcept { MPI_Abort(MPI_COMM_WORLD, code); }
}
