// SPDX-License-Identifier: BSD-3-Clause
/// @file trace_for_test.hpp  Traces and results without what a clock says, for comparing to the bit.
#pragma once

#include <claros/run/trace.hpp>

#include "compose_for_test.hpp"

namespace claros::test {

/// trace.csv, in which numbers stand to the bit, with no seconds.
inline std::string timeless(std::vector<TraceRow> rows) {
  for (TraceRow& r : rows) r.seconds = 0.0;
  return trace_csv(rows);
}

/// The same, without the column estimator_error.
inline std::string without_error(std::vector<TraceRow> rows) {
  for (TraceRow& r : rows) r.estimator_error = std::numeric_limits<double>::quiet_NaN();
  return timeless(std::move(rows));
}

/// Everything of two results but times.
inline void check_same(const RunResult& a, const RunResult& b) {
  CHECK(text(a.status) == text(b.status));
  CHECK(timeless(a.trace) == timeless(b.trace));
  CHECK(same_bits(a.answer, b.answer));
  CHECK(a.counts == b.counts);
  CHECK(a.iterations == b.iterations);
  CHECK(a.measurement.value == b.measurement.value);
  CHECK((a.measurement.gap == b.measurement.gap ||
         (std::isnan(a.measurement.gap) && std::isnan(b.measurement.gap))));
  CHECK((a.measurement.residual == b.measurement.residual ||
         (std::isnan(a.measurement.residual) && std::isnan(b.measurement.residual))));
  REQUIRE(a.trials.size() == b.trials.size());
  for (std::size_t k = 0; k < a.trials.size(); ++k) {
    CHECK(text(a.trials[k].status) == text(b.trials[k].status));
    CHECK(a.trials[k].value == b.trials[k].value);
    CHECK(
        (a.trials[k].gap == b.trials[k].gap || (std::isnan(a.trials[k].gap) && std::isnan(b.trials[k].gap))));
    CHECK(a.trials[k].iterations == b.trials[k].iterations);
  }
}

/// The states that a run saved, the last one after its end.
struct Saved {
  RunResult result;
  std::vector<std::string> states;
};

inline Saved solve_and_save(const Words& words, Index every = 1) {
  Saved saved;
  saved.result = solve(words, [&](RunSettings& s) {
    s.checkpoint_every = every;
    s.checkpoint_seconds = 1e9;
    s.on_checkpoint = [&](const StateStream& state, bool) { saved.states.push_back(collected(state)); };
  });
  return saved;
}

inline RunResult resumed(const Words& words, const std::string& state) {
  return solve(words, [&](RunSettings& s) { s.resume = state; });
}

}  // namespace claros::test
