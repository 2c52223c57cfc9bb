// SPDX-License-Identifier: BSD-3-Clause
/// @file mpi_world.hpp  The ranks of an MPI job. By the C interface of MPI alone: Boost.MPI would pass the
/// same int counts on, PARPACK and SLEPc would bring points that are spread over ranks, which here are
/// replicated.
#pragma once

#include <claros/world.hpp>

#include <mpi.h>

#include <functional>

namespace claros::mpi {

/// Every call begins with an agreement, one MPI_Iallreduce of a few integers: on the call and on whether a
/// rank has failed. While it waits longer than `patience` seconds, the first rank that waits says so on the
/// standard error, with the ranks that have not come. Counts of MPI are int: longer arrays are sent in
/// pieces.
class MpiWorld final : public World {
 public:
  /// Lines go to the descriptor `lines`.
  MpiWorld(MPI_Comm ranks, double patience, int lines);
  ~MpiWorld() override;

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  Traffic traffic() const override { return traffic_; }
  Index largest(const char* what, Index value) override;
  void exchange(const char* what, const std::vector<std::span<const double>>& send,
                const std::vector<std::span<double>>& receive) override;
  [[noreturn]] void fail(const char* what, const Error& error) override;

 private:
  /// The numbers that the ranks exchange before a call; the largest of each counts.
  struct Heading {
    Index failed;       // size - rank of a rank that failed, else 0: the first such rank wins
    Index call, minus;  // a hash of the name, and its negative: where they differ, so do the calls
    Index value;
  };

  Index agree(const char* what, Index value, const Error* error);
  void allreduce(Heading& heading, const char* what);
  /// Until `test` says so.
  void wait(const char* what, const std::function<void(int&)>& test);
  void tell_of_waiting(const char* what);
  [[noreturn]] void throw_error_of(int rank, const Error* own);
  [[noreturn]] void throw_difference(const char* what);

  MPI_Comm ranks_;
  int rank_ = 0, size_ = 1;
  double patience_;
  int lines_;
  Index calls_ = 0;
  bool apart_ = false;  // the ranks no longer make the same calls
  Traffic traffic_;
};

}  // namespace claros::mpi
