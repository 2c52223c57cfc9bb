// SPDX-License-Identifier: BSD-3-Clause
#include <claros/results/certified.hpp>

#include <cmath>
#include <limits>

namespace claros {

std::string certified_by(const Measurement& m) {
  if (m.held_out > 0) return {};
  if (m.bounds_minimum) return "the value is within gap of the minimum";
  if (m.confirmed)
    return "stationarity: no direction into the set gains more than gap to first order; f is not convex, so "
           "the minimum may be far below";
  if (std::isfinite(m.residual))
    return "stationarity up to residual; the distance to the minimum is not bounded";
  return {};
}

std::string certified_by(const RunResult& result) {
  if (is_trouble(result.status)) return {};
  const std::string proved = certified_by(result.measurement);
  if (proved.empty() || !std::isnan(result.violation)) return proved;
  return proved + "; valid only if the solution lies in the set, which could not be checked";
}

double relative_gap(const RunResult& result) {
  const double gap = result.measurement.gap, value = std::abs(result.measurement.value);
  const bool is_zero = value == 0.0 || (result.status == Status::relative_gap && gap >= value);
  return is_zero ? std::numeric_limits<double>::quiet_NaN() : gap / value;
}

}  // namespace claros
