// SPDX-License-Identifier: BSD-3-Clause
/// @file run_state.hpp  The run loop's own part of a checkpoint.
#pragma once

#include <claros/proximal_sum.hpp>
#include <claros/run/run_loop.hpp>
#include <claros/state/state.hpp>

namespace claros {

/// What the loop remembers between steps, besides the result so far.
struct LoopState {
  Index next_row = 1, next_look = 0, next_confirmation = 0;
  Index best_iteration = 0, measured_iteration = -1, looked_iteration = -1, answer_iteration = -1;
  double last_value = std::numeric_limits<double>::quiet_NaN();
  double last_gap = std::numeric_limits<double>::quiet_NaN();
  double last_residual = std::numeric_limits<double>::quiet_NaN();
  double first_value = std::numeric_limits<double>::quiet_NaN();  ///< at the start
  double value_scale = 0.0;  ///< of values: the larger magnitude at the start and at 0
  Index next_hint = 0;       ///< the step after which the point before it is looked at
  Index next_guard = 16;     ///< the step after which the value is looked at for nothing but its growth
  Index far_looks = 0;       ///< in a row that found the value far above its start, and not falling
  double far_value = -std::numeric_limits<double>::infinity();  ///< at the last of these
  double next_look_work = 0.0, last_look_work = 0.0;
  double measuring_work = 0.0,
         spectral_work = 0.0;  ///< in component gradients: of measuring; of decompositions in steps
  Element best_point;          ///< of the smallest value measured, where a run may diverge
  double best_point_value = std::numeric_limits<double>::infinity();
  double best_value = std::numeric_limits<double>::infinity();
  double best_rounding = 0.0;                                         ///< the error of its arithmetic
  double bound_rounding = 0.0;                                        ///< ... and that of the lower bound
  double estimator_error = std::numeric_limits<double>::quiet_NaN();  ///< of this step, where a row needs it
  ProximalSum::Duals residual_duals;  ///< where the last residual of a penalty on a set ended
  bool unmeasured =
      false;  ///< what is due after the last step, or at the start, was given up or is under way
  Measurement answer_measurement;  ///< at the answer after answer_iteration steps
};

/// The whole run as named values.
class RunState {
 public:
  RunState(const Problem& problem, Algorithm& algorithm, Sampler& sampler, RunResult& result,
           LoopState& loop);

  /// Throws Error(usage) naming the component that cannot be saved.
  void require_savable() const;
  void save(const ByteSink& sink);
  void load(std::string_view bytes);

 private:
  void state(StateVisitor& v);
  void residual_duals(StateVisitor& v);

  Objective& objective_;
  std::vector<Kept> kept_;
  Sampler& sampler_;
  RunResult& result_;
  LoopState& loop_;
  References references_;
};

}  // namespace claros
