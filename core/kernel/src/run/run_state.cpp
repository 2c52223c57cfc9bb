// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.hpp"

#include <claros/abilities.hpp>
#include <claros/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace claros {

namespace {

std::string name_of(const TraceColumn& column) { return std::string("trace ") + column.name; }

/// A count of a row; NaN: none.
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
    v.require(!column.whole() || std::ranges::all_of(values, is_whole), name_of(column),
              "not a whole number");
    if (!v.loading()) continue;
    rows.resize(values.size());
    for (std::size_t k = 0; k < rows.size(); ++k) column.set(rows[k], values[k]);
  }
}

}  // namespace

RunState::RunState(const Problem& problem, Algorithm& algorithm, Sampler& sampler, RunResult& result,
                   std::function<void(StateVisitor&)> loop)
    : problem_(problem), kept_(problem.kept), sampler_(sampler), result_(result), loop_(std::move(loop)) {
  if (kept_.empty())
    for (const Kept& kept :
         {Kept{"algorithm", "algorithm", &algorithm}, Kept{"estimator", "estimator", problem.estimator},
          Kept{"set", "set", problem.set}})
      if (kept.component) kept_.push_back(kept);
  if (problem.kept.empty() && query<Adversary>(*problem.objective))
    kept_.push_back({"objective", "objective", problem.objective});
  if (auto* referable = query<Referable>(*problem.objective)) referable->refer(references_);
}

/// Functions (objectives, smoothers, data) have no state: the same call gives the same answer. A resisting
/// oracle (Adversary) has one.
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

/// FNV-1a, in bits that an archive keeps. An exact estimator has counts alone.
std::uint64_t RunState::fingerprint() const try {
  const auto cannot = [](const Kept& kept) { return !query<State>(*kept.component); };
  if (std::ranges::any_of(kept_, cannot)) return 0;
  std::uint64_t hash = 0xcbf29ce484222325;
  StateWriter out(references_, [&](std::string_view bytes) {
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  });
  out("sampler", sampler_);
  for (const Kept& kept : kept_)
    if (kept.name != "estimator" || !problem_.estimator->exact())
      out(kept.name, query<State>(*kept.component));
  out.finish();
  return (hash >> 12) | 1;
} catch (const Error&) {
  return 0;
}

/// What components add to while they are loaded comes after them.
void RunState::state(StateVisitor& v) {
  v("iterations", result_.iterations);
  v.require(result_.iterations >= 0, "iterations", "negative");
  v("confirmations failed", result_.confirmations_failed);
  v("seconds", result_.seconds);
  v("measuring seconds", result_.measuring_seconds);
  v("checkpoint seconds", result_.checkpoint_seconds);
  v("objective seconds", result_.component_seconds.objective);
  v("estimator seconds", result_.component_seconds.estimator);
  v("oracle seconds", result_.component_seconds.oracle);
  loop_(v);
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
