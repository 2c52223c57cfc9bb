// SPDX-License-Identifier: BSD-3-Clause
/// @file run_state.hpp  A run as named values, for checkpoints.
#pragma once

#include <claros/run/run_loop.hpp>
#include <claros/state/state.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace claros {

/// The last measurements, and the numbers of steps before them.
struct LastMeasured {
  Index value_after = -1, iterate_after = -1, solution_after = -1;
  double value = std::numeric_limits<double>::quiet_NaN();
  double gap = std::numeric_limits<double>::quiet_NaN();
  double residual = std::numeric_limits<double>::quiet_NaN();
  double estimator_error = std::numeric_limits<double>::quiet_NaN();  ///< of this step, where a row needs it
  Measurement solution;
  /// True if a measurement that is due after the last step, or at the start, was given up or is under way.
  bool due_again = false;

  void state(StateVisitor& v);
};

/// Since when a run gains nothing.
struct Standing {
  double value = std::numeric_limits<double>::quiet_NaN();
  Index since = 0;                ///< steps after which nothing has changed that steps depend on
  std::uint64_t fingerprint = 0;  ///< of the state then; 0: not made
  double least_value = std::numeric_limits<double>::infinity(), least_gap = least_value,
         least_residual = least_value;
  Index gained = 0;  ///< steps after which one of these has fallen by more than rounding

  /// Notes a measurement after so many steps.
  void note(const Measurement& m, Index steps);
  void state(StateVisitor& v);
};

/// The whole run as named values.
class RunState {
 public:
  /// `loop` shows the members of the run loop and of its objects.
  RunState(const Problem& problem, Algorithm& algorithm, Sampler& sampler, RunResult& result,
           std::function<void(StateVisitor&)> loop);

  /// Throws Error(usage) naming the component that cannot be saved.
  void require_savable() const;
  void save(const ByteSink& sink);
  void load(std::string_view bytes);
  /// A number of all that steps depend on, the draws included: another one, almost surely, if anything of it
  /// is. 0 if a component cannot be saved.
  std::uint64_t fingerprint() const;

 private:
  void state(StateVisitor& v);

  const Problem& problem_;
  std::vector<Kept> kept_;
  Sampler& sampler_;
  RunResult& result_;
  std::function<void(StateVisitor&)> loop_;
  References references_;
};

}  // namespace claros
