// SPDX-License-Identifier: BSD-3-Clause
#include <claros/grids/comparison.hpp>

#include <claros/json_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "cli/messages.hpp"
#include "cli/out_folder.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "grid/commands.hpp"
#include "grid/comparison_table.hpp"
#include "grid/grid_run.hpp"
#include "grid/tuning.hpp"
#include "report/live_page.hpp"

namespace claros::cli {

namespace {

constexpr const char* kOver = "--over";

std::vector<Vary> axes(const Arguments& arguments, std::vector<Complaint>& complaints) {
  std::vector<std::string> texts;
  for (const std::string& text : arguments.all("over")) try {
      const std::size_t values = std::min(text.find('='), text.size() - 1) + 1;
      texts.push_back(text.substr(0, values) + with_ranges(text.substr(values), kOver));
    } catch (const Error& error) {
      complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
    }
  if (!arguments.has("over"))
    complaints.push_back({"tune", "no grid given", "write --over section.key=2^-12..2^1"});
  return read_varies(texts, kOver, complaints);
}

/// --to value=3 is stop.value=3 in every run.
TunedBy rule(const Arguments& arguments, Spec& spec, std::vector<Complaint>& complaints) {
  const auto to = arguments.get("to");
  const std::string by = arguments.get("by").value_or("final");
  if (!to)
    return by == "test_rmse"    ? TunedBy::test_rmse
           : by == "rmse_truth" ? TunedBy::rmse_truth
                                : TunedBy::final_value;
  if (arguments.has("by")) complaints.push_back({"--to", "cannot be combined with --by", "give one of them"});
  if (arguments.unfit().empty()) spec.assign({"stop." + *to}, "--to", complaints);
  return TunedBy::passes_to_target;
}

struct Tuned {
  std::string assignments;         ///< "algorithm.step=2^-3", blanks between several
  std::vector<std::string> edges;  ///< "algorithm.step is the largest of the grid"
};

Tuned tuned(const Comparison& comparison, std::size_t best) {
  Tuned result;
  for (std::size_t axis = 0; axis < comparison.varies.size(); ++axis) {
    const Vary& vary = comparison.varies[axis];
    const std::string& value = comparison.cells[best].values[axis];
    result.assignments += (axis ? " " : "") + vary.name + '=' + value;
    if (const std::string edge = edge_of(vary.values, value); !edge.empty())
      result.edges.push_back(
          fmt::format("{}={} is the {} of the grid: a better one may lie beyond it", vary.name, value, edge));
  }
  return result;
}

std::string verdict_text(const Comparison& comparison, const std::size_t* best, TunedBy by) {
  const bool target = by == TunedBy::passes_to_target;
  if (!best && (by == TunedBy::test_rmse || by == TunedBy::rmse_truth))
    return by == TunedBy::test_rmse ? "\nno run has an RMSE on test data: give objective.test = FILE\n"
                                    : "\nno run has an RMSE to the truth: give trace.truth = FILE\n";
  if (!best)
    return target ? "\nno run reached the target\n"
                  : "\nno run ended well: all diverged, failed, or were not run\n";
  const Tuned result = tuned(comparison, *best);
  std::string text = fmt::format("\nbest of {} by {}:\n", comparison.cells.size(), criterion_text(by));
  for (const std::string& edge : result.edges) text += edge + '\n';
  return text + printable(result.assignments) + '\n';
}

const char* by_word(TunedBy by) {
  if (by == TunedBy::test_rmse) return "test_rmse";
  if (by == TunedBy::rmse_truth) return "rmse_truth";
  return by == TunedBy::final_value ? "final" : "target";
}

std::string json_of(const Comparison& comparison, const std::size_t* best, TunedBy by) {
  Json json = Json::parse(comparison_json(comparison));
  Json& part = json["tuned"] = {{"by", by_word(by)}, {"best", nullptr}};
  if (best) {
    const Tuned result = tuned(comparison, *best);
    part["best"] = result.assignments;
    part["edges"] = result.edges;
    part["cell"] = *best;
  }
  return json_text(json);
}

int code_of_choice(const Comparison& comparison, bool found) {
  if (found) return kDone;
  const auto code = [](const ComparisonRun& run) { return exit_code(run.status, run.failure_kind); };
  const auto ended = [&](const ComparisonRun& run) { return code(run) == kDone; };
  if (comparison.runs.empty() || std::any_of(comparison.runs.begin(), comparison.runs.end(), ended))
    return kVerdict;
  return code(comparison.runs.front());
}

}  // namespace

int tune_command(const Arguments& arguments) {
  Request request = read_request(arguments);
  std::optional<OutFolder> folder;
  if (const auto path = arguments.get("out")) folder.emplace(*path, request.complaints, Keeps::comparison);
  const TunedBy by = rule(arguments, request.spec, request.complaints);
  const Catalog catalog = open_catalog(arguments, request);
  Comparison comparison = grid_of(arguments, request, axes(arguments, request.complaints));
  check_watch(arguments, request.complaints);
  const GridOutcome outcome =
      run_grid(catalog, comparison, folder ? &*folder : nullptr, arguments, std::move(request.complaints));
  std::vector<std::size_t> all(comparison.cells.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<std::size_t> ranked = ranked_cells(comparison, all, by);
  const std::size_t* best = ranked.empty() ? nullptr : &ranked.front();
  out().write(arguments.has("json") ? json_of(comparison, best, by)
                                    : comparison_table(comparison) + verdict_text(comparison, best, by));
  if (outcome.unwritten) std::rethrow_exception(outcome.unwritten);
  if (outcome.interrupted) return kInterrupted;
  return outcome.exit_code(code_of_choice(comparison, best != nullptr));
}

}  // namespace claros::cli
