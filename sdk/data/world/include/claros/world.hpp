// SPDX-License-Identifier: BSD-3-Clause
/// @file world.hpp  The processes (ranks) that solve one problem together. One machine is a world of one
/// rank.
#pragma once

#include <claros/api.hpp>
#include <claros/error.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// The numbers that this rank has sent so far.
struct Traffic {
  Index calls = 0;       ///< collective calls, the agreement before each included in its call
  Index bytes = 0;       ///< sent to other ranks by `exchange`; an agreement adds a few numbers a call
  double seconds = 0.0;  ///< in collective calls: waiting for other ranks, and moving bytes
};

/// A world of ranks. This class itself is the world of one rank.
///
/// Points and sets are replicated: every rank does the same calls with the same numbers. A call is
/// collective: all ranks make it, in the same order, from the thread that runs. `what` names it ("gradient").
/// A rank that makes another call, or that has failed, is found before a number moves, and every rank throws
/// Error. So no rank waits for one that has given up. A process that is killed ends all (the launcher does
/// that).
class CLAROS_API World {
 public:
  World() = default;
  virtual ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  virtual int rank() const noexcept { return 0; }
  virtual int size() const noexcept { return 1; }
  virtual Traffic traffic() const { return {}; }

  /// The largest of the values that the ranks give.
  virtual Index largest(const char* what, Index value);
  /// Rank r gets send[r] into its receive[this rank]; both have an entry a rank, of sizes that agree.
  virtual void exchange(const char* what, const std::vector<std::span<const double>>& send,
                        const std::vector<std::span<double>>& receive);
  /// A rank whose own work for a call failed makes this call in its place. Every other rank throws `error`
  /// from that call, this one from here. All may go on with the next call.
  [[noreturn]] virtual void fail(const char* what, const Error& error);

  /// The world of this process. It has one rank, unless a WorldScope says otherwise.
  static World& here() noexcept;
};

/// The ranks whose value is another than that of rank 0; the same list on every rank. Collective.
CLAROS_API std::vector<int> ranks_that_differ(World& world, const char* what, Index value);
/// The text of rank 0, on every rank. Collective.
CLAROS_API std::string text_of_first(World& world, const char* what, std::string mine);
/// all <- the numbers of every rank, one after the other. Those of rank r lie in [start[r], start[r + 1]), on
/// every rank. `mine` may be a part of `all`. Collective.
CLAROS_API void gather(World& world, const char* what, std::span<const double> mine,
                       const std::vector<std::size_t>& start, std::span<double> all);
/// The number of processes that a launcher of MPI has started with this one, by its own statement (Open MPI,
/// MPICH and its relatives, Slurm with PMIx). It is 1 if none states it.
CLAROS_API Index launched_processes() noexcept;
/// "rank 3", "ranks 1, 2".
CLAROS_API std::string rank_list(const std::vector<int>& ranks);
/// A number of a text, the same in every process; not negative.
CLAROS_API Index text_number(std::string_view text) noexcept;

/// Makes `world`, which outlives it, that of this process until the scope ends. The program makes it before
/// it starts a thread.
class CLAROS_API WorldScope {
 public:
  explicit WorldScope(World& world) noexcept;
  ~WorldScope();
  WorldScope(const WorldScope&) = delete;
  WorldScope& operator=(const WorldScope&) = delete;

 private:
  World* previous_;
};

}  // namespace claros
