// SPDX-License-Identifier: BSD-3-Clause
/// @file run_state.hpp  A run as named values, for checkpoints.
#pragma once

#include <claros/run/run_loop.hpp>
#include <claros/state/state.hpp>

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

 private:
  void state(StateVisitor& v);

  std::vector<Kept> kept_;
  Sampler& sampler_;
  RunResult& result_;
  std::function<void(StateVisitor&)> loop_;
  References references_;
};

}  // namespace claros
