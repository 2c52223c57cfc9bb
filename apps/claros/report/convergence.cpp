// SPDX-License-Identifier: BSD-3-Clause
#include "report/convergence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "plot/axis_labels.hpp"

namespace claros::cli {

namespace {

constexpr std::array kAcross{"passes", "seconds", "iteration", "epoch",           "sfo", "lo", "po",
                             "svd",    "hvp",     "matvec",    "coordinate_steps"};
constexpr std::array kUp{"gap",        "residual",  "value", "unsmoothed",      "estimator_error",
                         "rmse_truth", "test_rmse", "step",  "rank_or_support", "certificate_error"};

void each_member(const std::vector<ReportCurve>& curves,
                 const std::function<void(const ReportColumns&)>& see) {
  for (const ReportCurve& curve : curves)
    for (const ReportColumns& member : curve.members) see(member);
}

bool changes(const std::vector<ReportCurve>& curves, const char* name) {
  bool found = false;
  each_member(curves, [&](const ReportColumns& member) {
    const auto column = member.find(name);
    if (column == member.end()) return;
    for (const double v : column->second) found = found || (std::isfinite(v) && v != column->second.front());
  });
  return found;
}

bool holds_number(const std::vector<ReportCurve>& curves, const char* name) {
  bool found = false;
  each_member(curves, [&](const ReportColumns& member) {
    const auto column = member.find(name);
    if (column == member.end()) return;
    for (const double v : column->second) found = found || std::isfinite(v);
  });
  return found;
}

bool all_positive(const std::vector<ReportCurve>& curves, const std::string& name) {
  bool positive = true;
  each_member(curves, [&](const ReportColumns& member) {
    const auto column = member.find(name);
    if (column == member.end()) return;
    for (const double v : column->second) positive = positive && !(v < 0.0);
  });
  return positive;
}

std::vector<std::vector<double>> measured_columns(const ReportColumns& columns) {
  std::vector<std::vector<double>> found;
  for (const char* name : kUp)
    if (const auto column = columns.find(name); column != columns.end()) found.push_back(column->second);
  return found;
}

ReportColumns thinned(const ReportColumns& columns, std::size_t most) {
  const std::vector<std::size_t> rows = decimated(measured_columns(columns), most);
  ReportColumns kept;
  for (const auto& [name, numbers] : columns) {
    std::vector<double>& some = kept[name];
    some.reserve(rows.size());
    for (const std::size_t k : rows) some.push_back(numbers[k]);
  }
  return kept;
}

void drop_unused(std::vector<ReportCurve>& curves, const ReportFigure& figure) {
  const auto used = [&](const std::string& name) {
    const auto is = [&](const ReportAxis& axis) { return axis.name == name; };
    return std::any_of(figure.x.begin(), figure.x.end(), is) ||
           std::any_of(figure.y.begin(), figure.y.end(), is);
  };
  for (ReportCurve& curve : curves)
    for (ReportColumns& member : curve.members)
      std::erase_if(member, [&](const auto& column) { return !used(column.first); });
}

}  // namespace

ReportColumns drawn_columns(const TraceTable& trace) {
  ReportColumns columns;
  const auto take = [&](const char* name) {
    if (const auto* found = trace.find(name)) columns[name] = *found;
  };
  for (const char* name : kAcross) take(name);
  for (const char* name : kUp)
    if (const auto* found = trace.find(name);
        found && std::any_of(found->begin(), found->end(), [](double v) { return std::isfinite(v); }))
      take(name);
  return thinned(columns, kReportPoints);
}

ReportFigure convergence(const std::string& title, std::vector<ReportCurve> curves, std::size_t numbers) {
  ReportFigure figure;
  figure.title = title;
  for (const char* name : kAcross)
    if (changes(curves, name)) figure.x.push_back({name, axis_label(name)});
  for (const char* name : kUp)
    if (holds_number(curves, name)) figure.y.push_back({name, axis_label(name)});
  if (figure.y.empty()) return figure;
  if (figure.x.empty()) figure.x.push_back({"iteration", axis_label("iteration")});
  drop_unused(curves, figure);
  const std::string& shown = figure.y.front().name;
  figure.log_y = (shown == "gap" || shown == "residual") && all_positive(curves, shown);
  std::size_t members = 0;
  for (const ReportCurve& curve : curves) members += curve.members.size();
  const std::size_t width = figure.x.size() + figure.y.size();
  const std::size_t most = std::max<std::size_t>(20, numbers / std::max<std::size_t>(1, members * width));
  for (ReportCurve& curve : curves)
    for (ReportColumns& member : curve.members)
      if (!member.empty() && member.begin()->second.size() > most) member = thinned(member, most);
  figure.curves = std::move(curves);
  return figure;
}

}  // namespace claros::cli
