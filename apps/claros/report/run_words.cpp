// SPDX-License-Identifier: BSD-3-Clause
#include "report/run_words.hpp"

#include <claros/watch/counts.hpp>

#include <fmt/format.h>

#include <cmath>

namespace claros::cli {

namespace {

std::string text_in(const Json& json, const char* name) {
  return json.contains(name) && json.at(name).is_string() ? json.at(name).get<std::string>() : std::string();
}

/// The first plugin of that kind.
std::string plugin_of(const Json& versions, const std::string& kind) {
  for (const auto& [name, version] : versions.items())
    if (name.starts_with(kind + "/")) return name.substr(kind.size() + 1);
  return {};
}

std::string certainty(const Json& result) {
  const double gap = number_in(result, "gap"), relative = number_in(result, "relative_gap"),
               residual = number_in(result, "residual");
  const std::string certifies = text_in(result, "certifies");
  if (certifies.empty()) return " Nothing is certified about its distance to the minimum.";
  if (std::isfinite(gap) && certifies.starts_with("the value is within gap")) {
    const std::string share = relative < 1.0 ? fmt::format(" (a relative gap of {:.2g})", relative) : "";
    return fmt::format(" It is certified to be at most {:.3g} above the minimum{}.{}", gap, share,
                       certifies.substr(certifies.find("minimum") + 7).empty()
                           ? ""
                           : " That is" + certifies.substr(certifies.find("minimum") + 8) + ".");
  }
  if (std::isfinite(gap)) return fmt::format(" Certified, with a gap of {:.3g}: {}.", gap, certifies);
  return fmt::format(" Certified, with a residual of {:.3g}: {}.", residual, certifies);
}

}  // namespace

double number_in(const Json& json, const std::string& name) {
  return json.is_object() && json.contains(name) && json.at(name).is_number()
             ? json.at(name).get<double>()
             : std::numeric_limits<double>::quiet_NaN();
}

std::string problem_words(const Json& versions, bool method) {
  std::string text = plugin_of(versions, "objective");
  if (const std::string loss = plugin_of(versions, "loss"); !loss.empty()) text += " with the loss " + loss;
  const std::string penalty = plugin_of(versions, "penalty"), set = plugin_of(versions, "set");
  if (!penalty.empty()) text += " and the penalty " + penalty;
  if (!set.empty()) text += " over the set " + set;
  if (!method) return text;
  if (const std::string algorithm = plugin_of(versions, "algorithm"); !algorithm.empty())
    text += ", by " + algorithm;
  if (const std::string estimator = plugin_of(versions, "estimator");
      !estimator.empty() && estimator != "full")
    text += " with the gradients of " + estimator;
  return text;
}

std::string ending_words(const Json& result) {
  const double iterations = number_in(result, "iterations"), seconds = number_in(result, "waited_seconds");
  std::string text = fmt::format("It ended after {} iteration{} and {:.3g} s: {}.", report_number(iterations),
                                 iterations == 1.0 ? "" : "s", seconds, text_in(result, "explanation"));
  const double value = number_in(result, "value");
  if (!std::isfinite(value)) return text + " No value is known.";
  text += fmt::format(" The value is {:.6g}.", value);
  return result.contains("failure") ? text : text + certainty(result);
}

ReportBars time_bars(const Json& result) {
  const double steps = number_in(result, "seconds"), waited = number_in(result, "waited_seconds"),
               measuring = number_in(result, "measuring_seconds"),
               checkpoints = number_in(result, "checkpoint_seconds");
  ReportBars bars{"Where the time went", " s", {}, {}};
  const auto add = [&](const char* label, double seconds, int depth = 0) {
    if (seconds > 0.0) bars.bars.push_back({label, seconds, depth});
  };
  add("preparing, reading data", number_in(result, "preparing_seconds"));
  add("steps", steps);
  const Json parts = result.contains("component_seconds") ? result.at("component_seconds") : Json::object();
  double inside = 0.0;
  for (const char* part : {"objective", "estimator", "oracle"}) {
    const double seconds = number_in(parts, part);
    add(part, seconds, 1);
    if (seconds > 0.0) inside += seconds;
  }
  add("algorithm itself", steps - inside, 1);
  add("measuring value and gap", measuring);
  add("checkpoints", checkpoints);
  add("between steps", waited - steps - measuring - checkpoints);
  bars.note = "Wall time of the run and of preparing it. Light bars are parts of the steps.";
  return bars;
}

ReportTable counts_table(const Json& counts) {
  ReportTable table{"What was computed", {"counter", "times"}, {}};
  for (const Counter& counter : kCounters)
    if (const double number = number_in(counts, counter.name); number > 0.0 && counter.words)
      table.rows.push_back({counter.words, report_number(number)});
  return table;
}

ReportTable versions_table(const Json& result) {
  ReportTable table{"What computed it", {"component", "version"}, {}};
  for (const char* part : {"versions", "arithmetic"})
    if (result.contains(part))
      for (const auto& [name, version] : result.at(part).items())
        table.rows.push_back({name, version.is_string() ? version.get<std::string>() : std::string()});
  return table;
}

void add_remarks(Report& report, const Json& result) {
  for (const char* part : {"failure", "note"})
    if (const std::string text = text_in(result, part); !text.empty()) report.warnings.push_back(text);
  std::string notices;
  if (result.contains("notices") && result.at("notices").is_array())
    for (const Json& notice : result.at("notices"))
      if (notice.is_string()) notices += (notices.empty() ? "" : "\n") + notice.get<std::string>();
  if (!notices.empty()) report.texts.push_back({"Notices", notices});
}

}  // namespace claros::cli
