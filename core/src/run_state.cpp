// SPDX-License-Identifier: BSD-3-Clause
#include "run_state.hpp"

#include <claros/error.hpp>

#include <array>

namespace claros {

namespace {

constexpr std::size_t kRowNumbers = 21;

std::array<Index*, 9> members(Counts& c) {
  return {&c.sfo, &c.sfo_indices, &c.sso, &c.hessian_products, &c.hvp, &c.lo, &c.po, &c.svd, &c.matvec};
}

std::vector<Index> numbers(Counts counts) {
  std::vector<Index> all;
  for (const Index* count : members(counts)) all.push_back(*count);
  return all;
}

/// Rows as one array of doubles; counts and positions stay below 2^53.
std::vector<double> pack(const std::vector<TraceRow>& rows) {
  std::vector<double> all;
  for (const TraceRow& r : rows) {
    for (const double value : {static_cast<double>(r.iteration), static_cast<double>(r.epoch), r.passes, r.seconds, r.value, r.gap, r.residual,
                               r.estimator_error, r.rmse_truth, r.test_rmse, r.step, static_cast<double>(r.rank_or_support)})
      all.push_back(value);
    for (const Index count : numbers(r.counts)) all.push_back(static_cast<double>(count));
  }
  return all;
}

std::vector<TraceRow> unpack(const std::vector<double>& all) {
  std::vector<TraceRow> rows;
  for (std::size_t k = 0; k + kRowNumbers <= all.size(); k += kRowNumbers) {
    TraceRow r;
    r.iteration = static_cast<Index>(all[k]);
    r.epoch = static_cast<Index>(all[k + 1]);
    r.passes = all[k + 2], r.seconds = all[k + 3], r.value = all[k + 4], r.gap = all[k + 5];
    r.residual = all[k + 6];
    r.estimator_error = all[k + 7], r.rmse_truth = all[k + 8], r.test_rmse = all[k + 9];
    r.step = all[k + 10];
    r.rank_or_support = static_cast<Index>(all[k + 11]);
    std::size_t next = k + 12;
    for (Index* count : members(r.counts)) *count = static_cast<Index>(all[next++]);
    rows.push_back(r);
  }
  return rows;
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
  visit_numbers(result_, loop_, [&](std::string_view name, const auto& value) { out.put(name, value); });
  out.put("counts", std::span<const Index>(numbers(result_.counts)));
  out.put("trace", std::span<const double>(pack(result_.trace)));
  out.put("sampler", static_cast<Index>(sampler_.position()));
  for (const Kept& kept : kept_) out.put(kept.name, query<State>(*kept.component));
  out.finish();
}

void RunState::load(std::string_view bytes) {
  StateReader in(bytes, references_, "checkpoint");
  visit_numbers(result_, loop_, [&](std::string_view name, auto& value) { in.get(name, value); });
  std::vector<double> rows;
  in.get("trace", rows);
  result_.trace = unpack(rows);
  Index position = 0;
  in.get("sampler", position);
  sampler_.seek(static_cast<std::uint64_t>(position));
  for (const Kept& kept : kept_) in.get(kept.name, query<State>(*kept.component));
  // Last, since a component may evaluate something again while it is loaded.
  std::vector<Index> counts;
  in.get("counts", counts);
  std::size_t next = 0;
  for (Index* count : members(result_.counts)) *count = counts.at(next++);
}

}  // namespace claros
