// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include "terminal.hpp"

#include <fmt/format.h>

#include <cmath>

namespace claros::cli {

namespace {

std::string value_and_gap(double value, double gap, const std::string& separator) {
  std::string text;
  if (!std::isnan(value)) text += fmt::format("value {:.6g}", value);
  if (!std::isnan(gap)) text += fmt::format("{}gap {:.2e}", text.empty() ? "" : separator, gap);
  return text;
}

}  // namespace

ProgressLine::ProgressLine(bool wanted) : on_(wanted && err().cursor()) {}

void ProgressLine::show(const Progress& p, const std::string& lead) {
  if (!on_) return;
  std::string text = printable(lead) + fmt::format("{} steps  ", p.iteration);
  if (p.epoch > 0 && p.epoch != p.iteration) text += fmt::format("{} epochs  ", p.epoch);
  text += fmt::format("{:.1f} s  {}", p.seconds, value_and_gap(p.value, p.gap, "  "));
  err().write('\r' + text.substr(0, err().width() - 1) + "\x1b[K");
}

void ProgressLine::erase() {
  if (on_) err().write("\r\x1b[K");
}

std::string last_line(const RunResult& r) {
  const std::string measured = value_and_gap(r.measurement.value, r.measurement.gap, ", ");
  return fmt::format("{} after {} step{}, {:.3g} s{}{}", text(r.status), r.iterations,
                     r.iterations == 1 ? "" : "s", r.seconds, measured.empty() ? "" : ": ", measured);
}

}  // namespace claros::cli
