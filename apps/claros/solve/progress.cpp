// SPDX-License-Identifier: BSD-3-Clause
#include "solve/progress.hpp"

#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <cmath>

namespace claros::cli {

namespace {

std::string measured_text(double value, double gap, double residual, const std::string& separator) {
  std::string text;
  if (!std::isnan(value)) text += fmt::format("value {:.6g}", value);
  if (!std::isnan(gap)) text += fmt::format("{}gap {:.2e}", text.empty() ? "" : separator, gap);
  if (std::isnan(gap) && !std::isnan(residual))
    text += fmt::format("{}residual {:.2e}", text.empty() ? "" : separator, residual);
  return text;
}

}  // namespace

ProgressLine::ProgressLine(bool wanted) : on_(wanted && err().cursor()) {}

void ProgressLine::show(const Progress& p, const std::string& lead) {
  if (!on_) return;
  std::string text = printable(lead) + fmt::format("{} steps  ", p.iteration);
  if (p.epoch > 0 && p.epoch != p.iteration) text += fmt::format("{} epochs  ", p.epoch);
  text += fmt::format("{:.1f} s  {}", p.seconds, measured_text(p.value, p.gap, p.residual, "  "));
  err().write('\r' + text.substr(0, err().width() - 1) + "\x1b[K");
}

void ProgressLine::erase() {
  if (on_) err().write("\r\x1b[K");
}

std::string last_line(const RunResult& r) {
  const std::string measured =
      measured_text(r.measurement.value, r.measurement.gap, r.measurement.residual, ", ");
  return fmt::format("{} after {} step{}, {:.3g} s{}{}", text(r.status), r.iterations,
                     r.iterations == 1 ? "" : "s", r.elapsed_seconds, measured.empty() ? "" : ": ", measured);
}

}  // namespace claros::cli
