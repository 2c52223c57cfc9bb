// SPDX-License-Identifier: BSD-3-Clause
#include "run/run_state.hpp"

#include <claros/adversary.hpp>
#include <claros/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace claros {

namespace {

std::string name_of(const TraceColumn& column) { return std::string("trace ") + column.name; }

/// A count of a row; NaN stands for none.
bool is_whole(double value) {
  return std::isnan(value) || (std::abs(value) <= 0x1p53 && std::trunc(value) == value);
}

/// Column by column.
void trace_state(StateVisitor& v, std::vector<TraceRow>& rows) {
  for (const TraceColumn& column : trace_columns()) {
    std::vector<double> values;
    for (const TraceRow& row : rows) values.push_back(column.value(row));
    v(name_of(column), values);
    v.require(&column == &trace_columns().front() || values.size() == rows.size(), name_of(column),
              "columns of a trace are of one length");
    v.require(!column.whole() || std::ranges::all_of(values, is_whole), name_of(column), "no whole number");
    if (!v.loading()) continue;
    rows.resize(values.size());
    for (std::size_t k = 0; k < rows.size(); ++k) column.set(rows[k], values[k]);
  }
}

}  // namespace

RunState::RunState(const Problem& problem, Algorithm& algorithm, Sampler& sampler, RunResult& result,
                   LoopState& loop)
    : objective_(*problem.objective), kept_(problem.kept), sampler_(sampler), result_(result), loop_(loop) {
  if (kept_.empty())
    for (const Kept& kept :
         {Kept{"algorithm", "algorithm", &algorithm}, Kept{"estimator", "estimator", problem.estimator},
          Kept{"set", "set", problem.set}})
      if (kept.component) kept_.push_back(kept);
  if (problem.kept.empty() && query<Adversary>(*problem.objective))
    kept_.push_back({"objective", "objective", problem.objective});
  if (auto* referable = query<Referable>(*problem.objective)) referable->refer(references_);
}

/// Functions (objectives, smoothers, data) have none: the same call gives the same answer. An Adversary has
/// one.
void RunState::require_savable() const {
  std::vector<Complaint> complaints;
  for (const Kept& kept : kept_)
    if (!query<State>(*kept.component))
      complaints.push_back(
          {kept.label, "cannot save its state, so the run cannot be resumed", "run without checkpoints"});
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

void RunState::save(const ByteSink& sink) {
  StateWriter out(references_, sink);
  state(out);
  out.finish();
}

void RunState::load(std::string_view bytes) {
  StateReader in(bytes, references_, "checkpoint");
  state(in);
}

/// Of a penalty on a set: two terms, and so one dual.
void RunState::residual_duals(StateVisitor& v) {
  ProximalSum::Duals& duals = loop_.residual_duals;
  Element y = duals.y.empty() ? Element() : duals.y.front();
  v("residual dual step", duals.step);
  v("residual dual", y);
  if (!v.loading()) return;
  v.require(duals.step >= 0.0 && std::isfinite(duals.step), "residual dual step", "no length");
  duals.y.clear();
  if (duals.step == 0.0) return;
  v.require(y.shape() == objective_.shape(), "residual dual", "of another shape than the variable");
  duals.y.push_back(std::move(y));
}

/// What components add to while they are loaded comes after them.
void RunState::state(StateVisitor& v) {
  v("iterations", result_.iterations);
  v.require(result_.iterations >= 0, "iterations", "negative");
  v("confirmations failed", result_.confirmations_failed);
  v("lower bound", result_.lower_bound);
  v("seconds", result_.seconds);
  v("measuring seconds", result_.measuring_seconds);
  v("checkpoint seconds", result_.checkpoint_seconds);
  v("waited seconds", result_.waited_seconds);
  v("residual scale", result_.residual_scale);
  v("objective seconds", result_.component_seconds.objective);
  v("estimator seconds", result_.component_seconds.estimator);
  v("oracle seconds", result_.component_seconds.oracle);
  v("next row", loop_.next_row);
  v("next look", loop_.next_look);
  v("next look work", loop_.next_look_work);
  v("last look work", loop_.last_look_work);
  v("next confirmation", loop_.next_confirmation);
  v("best iteration", loop_.best_iteration);
  v("measured iteration", loop_.measured_iteration);
  v("looked iteration", loop_.looked_iteration);
  v("answer iteration", loop_.answer_iteration);
  v("answer value", loop_.answer_measurement.value);
  v("answer gap", loop_.answer_measurement.gap);
  v("answer gap kind", loop_.answer_measurement.gap_kind);
  v("answer confirmed", loop_.answer_measurement.confirmed);
  v("answer bounds", loop_.answer_measurement.bounds_minimum);
  v("answer held out", loop_.answer_measurement.held_out);
  v("answer residual", loop_.answer_measurement.residual);
  v("answer unsmoothed", loop_.answer_measurement.unsmoothed);
  v("answer rmse to truth", loop_.answer_measurement.rmse_truth);
  v("answer test rmse", loop_.answer_measurement.test_rmse);
  v("estimator error", loop_.estimator_error);
  v("last value", loop_.last_value);
  v("last gap", loop_.last_gap);
  v("last residual", loop_.last_residual);
  v("first value", loop_.first_value);
  v("value scale", loop_.value_scale);
  v("next guard", loop_.next_guard);
  v("next hint", loop_.next_hint);
  v("far looks", loop_.far_looks);
  v("far value", loop_.far_value);
  v("measuring work", loop_.measuring_work);
  v("spectral work", loop_.spectral_work);
  v("unmeasured", loop_.unmeasured);
  residual_duals(v);
  v("best point", loop_.best_point);
  v("best point value", loop_.best_point_value);
  v("best value", loop_.best_value);
  v("best rounding", loop_.best_rounding);
  v("bound rounding", loop_.bound_rounding);
  v.require(!std::isfinite(loop_.best_point_value) || loop_.best_point.shape() == objective_.shape(),
            "best point", "of another shape than the variable");
  trace_state(v, result_.trace);
  v("sampler", sampler_);
  for (const Kept& kept : kept_) v(kept.name, query<State>(*kept.component));
  for (const Counter& counter : kCounters)
    v(std::string("counts ") + counter.name, result_.counts.*counter.member);
  v("proximal steps exact", result_.certification.exact);
  v("proximal steps certified", result_.certification.certified);
  v("proximal error", result_.certification.error);
  v("rank asked", result_.certification.asked);
  v("rank needed", result_.certification.needed);
  v("rank largest", result_.certification.largest);
}

}  // namespace claros
