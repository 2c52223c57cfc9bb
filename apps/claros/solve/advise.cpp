// SPDX-License-Identifier: BSD-3-Clause
// claros advise: the properties of a problem, the methods that solve it, and the cost of their steps.
#include <claros/json_text.hpp>
#include <claros/results/certified.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cli/interrupt.hpp"
#include "cli/messages.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "solve/commands.hpp"
#include "solve/methods.hpp"
#include "solve/problem_traits.hpp"
#include "solve/summary.hpp"

namespace claros::cli {

namespace {

/// "duality gap", "residual", ...: what a run is ended by and proves.
std::string certificate(const Measurement& m) {
  if (std::isfinite(m.gap)) return m.gap_kind + " gap";
  return std::isfinite(m.residual) ? "residual" : "nothing";
}

/// Counts of one step; passes over the data in the place of component gradients.
std::vector<std::pair<std::string, double>> costs(const Method& method) {
  const RunResult& r = method.trial;
  const double steps = static_cast<double>(std::max<Index>(1, r.iterations));
  std::vector<std::pair<std::string, double>> all;
  for (const Counter& counter : kCounters) {
    const auto count = static_cast<double>(r.counts.*counter.member);
    if (!(count > 0.0) || !counter.words) continue;
    const bool of_terms = counter.member == &Counts::sfo && method.terms > 0.0;
    all.emplace_back(of_terms ? "passes" : counter.words, count / steps / (of_terms ? method.terms : 1.0));
  }
  return all;
}

double milliseconds(const Method& method) {
  return 1e3 * method.trial.seconds / static_cast<double>(std::max<Index>(1, method.trial.iterations));
}

/// The cost of one step, and its certificate if that differs from the usual one.
std::string cost_text(const Method& method, const std::string& usual) {
  if (method.trial.iterations == 0) return "no step within --seconds";
  std::string text;
  for (const auto& [what, count] : costs(method)) text += fmt::format("{} {:.3g}, ", what, count);
  text += fmt::format("{:.2g} ms", milliseconds(method));
  if (const std::string own = certificate(method.trial.measurement); own != usual)
    text += "; certifies: " + own;
  return text + (method.is_auto ? " <- auto" : method.is_named ? " <- your [algorithm]" : "");
}

/// The first reason of a method that does not run, without its name and without the mathematics behind it, so
/// that methods share it.
std::string reason(const Method& method) {
  std::string text = method.refused.front().what;
  if (method.refused.front().where != "algorithm/" + method.algorithm) text = text.substr(0, text.find(": "));
  const std::string label = kind_name(Kind::algorithm) + '/' + method.algorithm;
  for (auto at = text.find(label); at != text.npos; at = text.find(label, at))
    text.replace(at, label.size(), "it");
  return text;
}

std::string refused_text(const std::vector<Method>& methods, std::size_t width) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const Method& method : methods) {
    if (method.runs()) continue;
    const std::string why = reason(method);
    auto at = std::ranges::find(reasons, why, &std::pair<std::string, std::vector<std::string>>::first);
    if (at == reasons.end()) at = reasons.insert(at, {why, {}});
    at->second.push_back(method.algorithm);
  }
  std::string text;
  for (const auto& [why, names] : reasons)
    text += wrapped("not " + joined(names) + ": " + printable(why), 2, width);
  return text;
}

std::string quoted(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+=/,:";
  return word.find_first_not_of(kPlain) == word.npos ? word : '\'' + word + '\'';
}

/// The rules of [stop] as settings; where the user gave none, those that Claros took, and a limit for methods
/// that do not meet them.
std::string rules(const Composition& chosen) {
  if (chosen.written.has("stop")) return {};
  std::string text;
  for (const Setting& rule : set_rules(chosen)) text += " stop." + rule.key + '=' + rule.value;
  return text + " stop.seconds=10";
}

/// The command that decides between the methods that run.
std::string comparison(const Arguments& arguments, const Composition& chosen,
                       const std::vector<Method>& methods) {
  std::string command = "claros compare", names;
  for (const std::string& word : arguments.words())
    if (!word.starts_with("algorithm")) command += ' ' + quoted(word);
  for (const Method& method : methods)
    if (method.runs()) names += (names.empty() ? "" : ",") + method.algorithm;
  return command + rules(chosen) + " --vary algorithm.use=" + names + " --jobs 1";  // seconds compare
}

/// "algorithm: NAME, since ..." among what the composer said.
std::string reason_of_auto(const Composition& chosen) {
  for (const std::string& notice : chosen.notices)
    if (const auto since = notice.find(", since "); notice.starts_with("algorithm: ") && since != notice.npos)
      return notice.substr(since + 2, notice.rfind(" (algorithm.use") - since - 2);
  return {};
}

std::string line(const char* name, const std::string& text) {
  return row(name, printable(text), 0, 11, out().width());
}

/// Describes the problem, the choice of auto, and what it proves: `first` is the trial of the choice.
std::string head(const Composition& chosen, const Method& first) {
  std::string page = line("problem", opening(chosen)) + line("", properties(Traits(chosen)));
  page += line("auto", algorithm_of(chosen) + ", " + reason_of_auto(chosen));
  const std::string certified = certified_by(first.trial.measurement);
  page += line("proves", first.runs() && !certified.empty()
                             ? certificate(first.trial.measurement) + ": " + certified
                             : "nothing beyond the value");
  if (first.runs() && !first.size.empty())
    page += line("solution", fmt::format("{} after {} steps", first.size, first.trial.iterations));
  return page;
}

std::string advice_text(const Arguments& arguments, const Composition& chosen,
                        const std::vector<Method>& methods) {
  const auto applies = std::ranges::count_if(methods, &Method::runs);
  const std::string usual = certificate(methods.front().trial.measurement);
  std::string page = head(chosen, methods.front());
  page +=
      line("methods", fmt::format("{} of {} apply; cost of a step, mean of the first steps on this problem:",
                                  applies, methods.size()));
  for (const Method& method : methods)
    if (method.runs()) page += row(method.name, printable(cost_text(method, usual)), 2, 28, out().width());
  page += refused_text(methods, out().width());
  if (applies > 1)
    page += "to compare their runs:\n  " + printable(comparison(arguments, chosen, methods)) + '\n';
  return page;
}

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json method_json(const Method& method) {
  Json json{{"algorithm", method.algorithm},
            {"name", method.name},
            {"auto", method.is_auto},
            {"named", method.is_named},
            {"runs", method.runs()}};
  if (!method.runs()) {
    json["reason"] = method.refused.front().what;
    json["remedy"] = method.refused.front().remedy;
    return json;
  }
  Json of_step = Json::object();
  for (const auto& [what, count] : costs(method)) of_step[what] = count;
  const std::string certified = certified_by(method.trial.measurement);
  json["step"] = of_step;
  json["milliseconds"] = milliseconds(method);
  json["steps"] = method.trial.iterations;
  json["certificate"] = certificate(method.trial.measurement);
  json["certifies"] = certified.empty() ? Json(nullptr) : Json(certified);
  return json;
}

Json advice_json(const Composition& chosen, const std::vector<Method>& methods) {
  const Traits t(chosen);
  const Index n = chosen.objective->terms();
  Json problem{{"sentence", opening(chosen)},
               {"shape", chosen.objective->shape().text()},
               {"terms", n == kUnbounded ? Json(nullptr) : Json(n)},
               {"smoothness", number(t.smoothness)},
               {"strong_convexity", number(t.strong_convexity)},
               {"convex", t.f_is_convex && t.weak_convexity == 0.0}};
  if (t.has_penalty) problem["penalty"] = of_penalty(t);
  if (t.has_set) problem["set"] = of_set(t);
  Json all = Json::array();
  for (const Method& method : methods) all.push_back(method_json(method));
  return {{"problem", problem},
          {"auto", {{"name", algorithm_of(chosen)}, {"reason", reason_of_auto(chosen)}}},
          {"methods", all}};
}

}  // namespace

int advise_command(const Arguments& arguments) {
  Request request = read_request(arguments);
  const double seconds = positive(arguments, "seconds", TrialLimits().seconds);
  const Catalog catalog = open_catalog(arguments, request);
  const Composition chosen =
      compose_beside(nullptr, catalog, without_algorithm(request.spec), {}, std::move(request.complaints));
  const TrialLimits limits{seconds, &catch_interrupts()};
  const std::vector<Method> methods = methods_of(catalog, chosen, request.spec, limits);
  if (methods.empty()) return kInterrupted;
  out().write(arguments.has("json") ? json_text(advice_json(chosen, methods))
                                    : advice_text(arguments, chosen, methods));
  return *limits.interrupt ? kInterrupted : kDone;
}

}  // namespace claros::cli
