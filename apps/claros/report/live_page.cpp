// SPDX-License-Identifier: BSD-3-Clause
#include "report/live_page.hpp"

#include <claros/io/atomic_file.hpp>
#include <claros/json_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/messages.hpp"
#include "plot/axis_labels.hpp"
#include "report/convergence.hpp"
#include "report/page.hpp"
#include "report/read_report.hpp"
#include "report/run_words.hpp"

namespace claros::cli {

namespace {

using PageClock = std::chrono::steady_clock;
constexpr std::size_t kMostLiveRows = 4 * kReportPoints;

double since(PageClock::time_point begin) {
  return std::chrono::duration<double>(PageClock::now() - begin).count();
}

TraceTable table_of(const std::vector<TraceRow>& rows) {
  TraceTable table;
  for (const TraceColumn& column : trace_columns()) {
    table.names.emplace_back(column.name);
    std::vector<double>& numbers = table.columns.emplace_back();
    for (const TraceRow& row : rows) numbers.push_back(column.value(row));
  }
  return table;
}

/// The rows that a picture needs.
std::vector<TraceRow> fewer(const std::vector<TraceRow>& rows) {
  std::vector<std::vector<double>> measured(3);
  for (const TraceRow& row : rows)
    measured[0].push_back(row.value), measured[1].push_back(row.gap), measured[2].push_back(row.residual);
  std::vector<TraceRow> kept;
  for (const std::size_t k : decimated(measured, kReportPoints)) kept.push_back(rows[k]);
  return kept;
}

std::string label_of_folder(const std::filesystem::path& folder) {
  return folder_labels({folder.string()}).front();
}

}  // namespace

void check_watch(const Arguments& arguments, std::vector<Complaint>& complaints) {
  if (arguments.has("watch") && !arguments.has("out"))
    complaints.push_back({"--watch", "expected --out DIR beside it: the page is DIR/report.html",
                          "add --out DIR, or remove --watch"});
}

void LivePage::write(const Make& make, bool live) {
  const PageClock::time_point begin = PageClock::now();
  try {
    Report report = make();
    report.live = live;
    const UnsyncedFiles quick;
    write_atomically(folder_ / "report.html", page(report));
    if (!written_ && live && !quiet_)
      cli::report("open " + (folder_ / "report.html").string() + " in a browser to watch");
    written_ = true;
  } catch (const Error& error) {
    if (!warned_) cli::report(error), cli::report("warning: the page of --watch is not up to date");
    warned_ = true;
  }
  last_ = PageClock::now();
  cost_ = since(begin);
}

void LivePage::refresh(const Make& make) {
  constexpr double kSeconds = 2.0, kTimes = 20.0;
  if (!written_ || since(last_) >= std::max(kSeconds, kTimes * cost_)) write(make, true);
}

void LivePage::finish(const Make& make) { write(make, false); }

LiveRun::LiveRun(std::filesystem::path folder, const Composition& composition, bool quiet)
    : page_(std::move(folder), quiet), composition_(composition) {}

void LiveRun::add(const TraceRow& row) {
  rows_.push_back(row);
  if (rows_.size() > kMostLiveRows) rows_ = fewer(rows_);
  page_.refresh([this] { return report(); });
}

void LiveRun::finish() {
  page_.finish([this] { return report_of_run(page_.folder(), label_of_folder(page_.folder())); });
}

Report LiveRun::report() const {
  Json versions = Json::object();
  for (const auto& [label, version] : composition_.versions()) versions[label] = version;
  Report report;
  report.title = label_of_folder(page_.folder());
  const TraceRow& last = rows_.back();
  report.sentence = fmt::format("Claros solves {}. So far: {} iterations in {:.3g} s",
                                problem_words(versions), last.iteration, last.seconds);
  if (std::isfinite(last.value)) report.sentence += fmt::format(", value {:.6g}", last.value);
  if (std::isfinite(last.gap)) report.sentence += fmt::format(", gap {:.3g}", last.gap);
  report.sentence += '.';
  ReportFigure figure = convergence("Convergence", {{report.title, {drawn_columns(table_of(rows_))}}});
  if (!figure.y.empty()) report.figures.push_back(std::move(figure));
  report.texts.push_back({"Specification", composition_.effective.text()});
  return report;
}

}  // namespace claros::cli
