// SPDX-License-Identifier: BSD-3-Clause
#include "run/run_state.hpp"

#include <claros/error.hpp>

#include <string>

namespace claros {

namespace {

std::string name_of(const TraceColumn& column) { return std::string("trace ") + column.name; }

/// Column by column.
void save(const std::vector<TraceRow>& rows, StateWriter& out) {
  for (const TraceColumn& column : trace_columns()) {
    std::vector<double> values;
    for (const TraceRow& row : rows) values.push_back(column.value(row));
    out.put(name_of(column), std::span<const double>(values));
  }
}

void load(StateReader& in, std::vector<TraceRow>& rows) {
  for (const TraceColumn& column : trace_columns()) {
    std::vector<double> values;
    in.get(name_of(column), values);
    rows.resize(values.size());
    for (std::size_t k = 0; k < rows.size(); ++k) column.set(rows[k], values[k]);
  }
}

/// What components add to while they are loaded, to be loaded after them: visit(name, member).
template <class Result, class Visit>
void visit_counts(Result& result, Visit visit) {
  for (const Counter& counter : kCounters) visit(std::string("counts ") + counter.name, result.counts.*counter.member);
  visit("proximal steps exact", result.certification.exact);
  visit("proximal steps certified", result.certification.certified);
  visit("proximal error", result.certification.error);
}

/// visit(name, member) for every plain number of the run, to save and to load by the same list.
template <class Result, class Loop, class Visit>
void visit_numbers(Result& result, Loop& loop, Visit visit) {
  visit("iterations", result.iterations);
  visit("confirmations failed", result.confirmations_failed);
  visit("lower bound", result.lower_bound);
  visit("seconds", result.seconds);
  visit("measuring seconds", result.measuring_seconds);
  visit("waited seconds", result.waited_seconds);
  visit("residual scale", result.residual_scale);
  visit("objective seconds", result.component_seconds.objective);
  visit("estimator seconds", result.component_seconds.estimator);
  visit("oracle seconds", result.component_seconds.oracle);
  visit("next row", loop.next_row);
  visit("next look", loop.next_look);
  visit("next look work", loop.next_look_work);
  visit("next confirmation", loop.next_confirmation);
  visit("best iteration", loop.best_iteration);
  visit("measured iteration", loop.measured_iteration);
  visit("looked iteration", loop.looked_iteration);
  visit("answer iteration", loop.answer_iteration);
  visit("answer value", loop.answer_measurement.value);
  visit("answer gap", loop.answer_measurement.gap);
  visit("answer gap kind", loop.answer_measurement.gap_kind);
  visit("answer confirmed", loop.answer_measurement.confirmed);
  visit("answer bounds", loop.answer_measurement.bounds_minimum);
  visit("answer residual", loop.answer_measurement.residual);
  visit("answer rmse to truth", loop.answer_measurement.rmse_truth);
  visit("answer test rmse", loop.answer_measurement.test_rmse);
  visit("estimator error", loop.estimator_error);
  visit("last value", loop.last_value);
  visit("last gap", loop.last_gap);
  visit("last residual", loop.last_residual);
  visit("first value", loop.first_value);
  visit("value scale", loop.value_scale);
  visit("next guard", loop.next_guard);
  visit("far looks", loop.far_looks);
  visit("far value", loop.far_value);
  visit("measuring work", loop.measuring_work);
  visit("spectral work", loop.spectral_work);
  visit("best point", loop.best_point);
  visit("best point value", loop.best_point_value);
  visit("best value", loop.best_value);
}

}  // namespace

RunState::RunState(const Problem& problem, Algorithm& algorithm, Sampler& sampler, RunResult& result, LoopState& loop)
    : kept_(problem.kept), sampler_(sampler), result_(result), loop_(loop) {
  if (kept_.empty())
    for (const Kept& kept : {Kept{"algorithm", "algorithm", &algorithm}, Kept{"estimator", "estimator", problem.estimator}, Kept{"set", "set", problem.set}})
      if (kept.component) kept_.push_back(kept);
  if (auto* referable = query<Referable>(*problem.objective)) referable->refer(references_);
}

/// Functions (objectives, smoothers, data) have none: the same call gives the same answer.
void RunState::require_savable() const {
  std::vector<Complaint> complaints;
  for (const Kept& kept : kept_)
    if (!query<State>(*kept.component))
      complaints.push_back({kept.label, "cannot save its state, so the run cannot be resumed", "run without checkpoints"});
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

void RunState::save(const ByteSink& sink) const {
  StateWriter out(references_, sink);
  const auto put = [&](std::string_view name, const auto& value) { out.put(name, value); };
  visit_numbers(result_, loop_, put);
  visit_counts(result_, put);
  claros::save(result_.trace, out);
  out.put("sampler", static_cast<Index>(sampler_.position()));
  for (const Kept& kept : kept_) out.put(kept.name, query<State>(*kept.component));
  out.finish();
}

void RunState::load(std::string_view bytes) {
  StateReader in(bytes, references_, "checkpoint");
  const auto get = [&](std::string_view name, auto& value) { in.get(name, value); };
  visit_numbers(result_, loop_, get);
  claros::load(in, result_.trace);
  Index position = 0;
  in.get("sampler", position);
  sampler_.seek(static_cast<std::uint64_t>(position));
  for (const Kept& kept : kept_) in.get(kept.name, query<State>(*kept.component));
  visit_counts(result_, get);
}

}  // namespace claros
