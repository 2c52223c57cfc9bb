// SPDX-License-Identifier: BSD-3-Clause
/// @file ranks.hpp  The program as one of several ranks that a launcher of MPI (mpirun, srun) has started.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/run/run_loop.hpp>
#include <claros/world.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace claros::cli {

/// The world of the program. MPI is started where the environment says that a launcher has started more than
/// one process, and nowhere else: before threads and children. Ranks but the first print nothing.
class Ranks {
 public:
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// Throws Error(usage) if this build has no MPI, Error(data) if MPI does not start.
  void start();
  /// When this rank has come to its end with `code`: waits for the others. If another one failed, its error
  /// is reported and its code returned.
  int end(int code) noexcept;

 private:
  std::unique_ptr<WorldScope> scope_;
  void (*finalize_)() = nullptr;
};

/// True if this process prints, and writes the folder of the run.
bool is_first_rank() noexcept;

/// Throws Error(usage) on all ranks if `text` is another on some of them: "the specification".
void expect_same_on_all_ranks(const std::string& name, const std::string& text, const std::string& remedy);

/// f at the start is among the facts of a checkpoint, which the first rank alone writes and reads. If it asks
/// (an `ask` that is not empty), the other ranks sum with it. The hashes of files, which are facts too, are
/// made before, by each rank of its share of the files.
void ask_for_start(const Composition& composition, const std::function<void()>& ask);

/// For a run on several ranks: makes all ranks end at the same step. A clock or a signal would end each at
/// another one. Interrupts and stop.seconds are seen after a step, by one agreement of a few integers a step.
class CommonEnd {
 public:
  /// With one rank nothing changes. `settings` has no time limit and no interrupt of its own afterwards;
  /// seconds count from here.
  explicit CommonEnd(RunSettings& settings);
  CommonEnd(const CommonEnd&) = delete;
  CommonEnd& operator=(const CommonEnd&) = delete;
  /// The status with which the run ended.
  void name(RunResult& result) const;

 private:
  enum class Wish : Index { go_on, seconds, interrupt };
  bool after_step();

  const std::atomic<bool>* interrupt_ = nullptr;
  double seconds_ = 0.0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Wish wish_ = Wish::go_on;
};

/// Beside the summary of a run on several ranks: what was sent. Empty with one rank.
std::string traffic_line();

}  // namespace claros::cli
