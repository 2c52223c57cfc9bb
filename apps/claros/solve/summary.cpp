// SPDX-License-Identifier: BSD-3-Clause
#include "solve/summary.hpp"

#include <claros/expectation.hpp>
#include <claros/plugin/catalog.hpp>
#include <claros/results/certified.hpp>
#include <claros/results/coefficients.hpp>
#include <claros/results/run_folder.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "cli/accounts.hpp"
#include "cli/messages.hpp"
#include "cli/terminal.hpp"

namespace claros::cli {

namespace {

std::string real(double value) { return std::isfinite(value) ? fmt::format("{:.8g}", value) : "unknown"; }

std::string gap_text(const RunResult& r) {
  const Measurement& m = r.measurement;
  if (!std::isfinite(m.gap)) return r.note.empty() ? "unknown" : "not measured";
  return fmt::format("{:.3e} ({}, {})", m.gap, m.gap_kind, m.confirmed ? "confirmed" : "not confirmed");
}

std::string counts_text(const Counts& c) {
  std::string text;
  for (const Counter& counter : kCounters)
    if (const Index count = c.*counter.member; count && counter.words)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counter.words, count);
  return text.empty() ? "none" : text;
}

/// Describes proximal steps that are not all exact.
std::string certificate_text(const RunResult& r) {
  const Index without = r.counts.po - r.certification.certified;
  if (without)
    return fmt::format("none for {} of {} proximal steps (trace.certificate=yes computes it)", without,
                       r.counts.po);
  return fmt::format("{} of {} proximal steps exact, the others within {:.3e}", r.certification.exact,
                     r.counts.po, r.certification.error);
}

/// All of the wall time: before the run, the run (in earlier processes too, where it was resumed), and after
/// it.
std::string seconds_text(const RunResult& r, double writing) {
  const double share = r.elapsed_seconds > 0 ? 100 * r.measuring_seconds / r.elapsed_seconds : 0;
  const double rest =
      std::max(0.0, r.elapsed_seconds - r.seconds - r.measuring_seconds - r.checkpoint_seconds);
  const double all = r.preparing_seconds + r.elapsed_seconds + writing;
  if (!is_verbose()) return fmt::format("{:.3g} of wall time", all);
  return fmt::format(
      "{:.3g} of wall time: preparing {:.3g}, steps {:.3g} (objective {:.3g}, gradient estimator {:.3g}, "
      "oracle {:.3g}), measuring {:.3g} ({:.0f}%), checkpoints {:.3g}, between steps {:.3g}, writing {:.3g}",
      all, r.preparing_seconds, r.seconds, r.component_seconds.objective, r.component_seconds.estimator,
      r.component_seconds.oracle, r.measuring_seconds, share, r.checkpoint_seconds, rest, writing);
}

/// The word of `claros help` that says what to do about the end of a run; empty if it needs none.
std::string help_word(Status status, bool zero) {
  using enum Status;
  static const std::map<Status, std::string> words{
      {gap, ""},          {relative_gap, ""},    {residual, ""},          {value, ""},
      {validation, ""},   {stopped_by_host, ""}, {diverged, "diverged"},  {unbounded, "diverged"},
      {stall, "stalled"}, {seconds, "slow"},     {interrupted, "ctrl-c"}, {failed, "send"}};
  const auto found = words.find(status);
  if (found == words.end()) return "not-met";
  return found->second.empty() && zero ? "zero" : found->second;
}

std::string size_text(const Composition& c) {
  const Index n = c.objective->terms();
  return c.objective->shape().text() + (n == kUnbounded ? ", an expectation" : fmt::format(", n = {}", n));
}

}  // namespace

std::string coefficient_lines(const Coefficients& coefficients, const std::string& folder) {
  constexpr std::size_t kMost = 20;
  const auto& all = coefficients.largest_first;
  const std::string order =
      coefficients.standardized ? "largest first on standardized columns" : "largest first";
  std::vector<std::vector<std::string>> rows{{"column", "coefficient, " + order}};
  const auto add = [&](const NamedCoefficient& c) {
    rows.push_back({printable(c.output.empty() ? c.name : c.name + " (" + c.output + ")"),
                    fmt::format("{:.6g}", c.value)});
  };
  for (const NamedCoefficient& c : coefficients.intercepts) add(c);
  for (std::size_t k = 0; k < std::min(kMost, all.size()); ++k) add(all[k]);
  if (rows.size() == 1) return {};
  std::string text = '\n' + aligned(rows);
  if (all.size() > kMost)
    text += fmt::format("and {} more (--out DIR writes all to {}/solution/coefficients.csv)\n",
                        all.size() - kMost, folder);
  return text;
}

namespace {

/// The solution by name, after an empty line, if it is short: 20 entries of a vector, or few of a matrix.
/// A longer vector with names shows its largest.
std::string entry_lines(NamedEntries all, Index rows, Index cols) {
  constexpr std::size_t kMost = 20, kMostPairs = 60;
  auto& list = all.entries;
  const bool matrix = cols > 1;
  const std::size_t most = matrix ? kMostPairs : kMost;
  if (matrix && list.size() > static_cast<std::size_t>(rows + cols)) return {};
  if (!matrix && list.size() > most) {
    std::erase_if(list, [](const NamedCoefficient& e) { return e.value == 0.0; });
    if (list.size() > most && !all.named) return {};
    std::ranges::stable_sort(list, std::greater{},
                             [](const NamedCoefficient& e) { return std::abs(e.value); });
  }
  // The value of each pair of an assignment is 1.
  const bool pairs = matrix && std::ranges::all_of(list, [](const NamedCoefficient& e) {
                       return std::abs(e.value - 1) < 1e-9;
                     });
  std::vector<std::vector<std::string>> table{{matrix ? "row" : all.named ? "name" : "entry"}};
  if (matrix) table[0].emplace_back("column");
  if (!pairs) table[0].emplace_back("value");
  for (std::size_t k = 0; k < std::min(most, list.size()); ++k) {
    table.push_back({printable(list[k].name)});
    if (matrix) table.back().push_back(printable(list[k].output));
    if (!pairs) table.back().push_back(fmt::format("{:.6g}", list[k].value));
  }
  if (table.size() == 1) return {};
  std::string text = '\n' + aligned(table);
  if (list.size() > most)
    text +=
        fmt::format("and {} more (--out DIR writes all to DIR/solution/solution.csv)\n", list.size() - most);
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> parts_of(const Composition& composition) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const std::string& section : composition.effective.sections())
    for (const Node* part : composition.all_parts()) {
      if (part->path != section || !part->entry) continue;
      const std::string size = part->role == "objective" ? ": " + size_text(composition) : "";
      result.emplace_back(section, part->entry->name + ' ' + part->entry->version + size);
    }
  return result;
}

std::string summary(const Composition& composition, const RunResult& r, const std::filesystem::path& folder,
                    double ended) {
  const Measurement& m = r.measurement;
  const SolutionSize size =
      solution_size(composition, r.answer);  // which may take time, and is in the account of writing
  const std::size_t width = out().width();
  std::string page = wrapped(out().bold(text(r.status)) + ": " + explanation(r.status), 0, width);
  const auto add = [&](const char* name, const std::string& value) {
    page += row(name, value, 2, 14, width);
  };
  if (!r.note.empty()) add("note", r.note);
  add("value", real(m.value));
  if (composition.objective->terms() == kUnbounded) add("measured on", measured_on(*composition.objective));
  if (std::isfinite(m.unsmoothed)) add("unsmoothed", real(m.unsmoothed));
  if (std::isfinite(m.gap) || !std::isfinite(m.residual)) add("gap", gap_text(r));
  if (std::isfinite(m.gap))
    add("relative gap", std::isfinite(relative_gap(r))     ? fmt::format("{:.3e}", relative_gap(r))
                        : r.status == Status::relative_gap ? "not meaningful: the value is 0 to rounding"
                                                           : "not defined: the value is 0");
  if (std::isfinite(m.residual)) add("residual", fmt::format("{:.3e} (relative)", m.residual));
  if (const std::string certified = certified_by(r); !certified.empty()) add("which means", certified);
  if (std::isfinite(r.lower_bound)) add("lower bound", real(r.lower_bound));
  if (std::isfinite(m.rmse_truth)) add("rmse (truth)", real(m.rmse_truth));
  if (std::isfinite(m.test_rmse)) add("rmse (test)", real(m.test_rmse));
  if (!r.trials.empty()) add("trials", fmt::format("{}, of which the smallest gap is kept", r.trials.size()));
  for (const ResolvedFraction& f : composition.fractions)
    add(f.key.c_str(), fmt::format("{:.6g} ({}, max = {:.6g})", f.number, f.written, f.max));
  add("iterations", std::to_string(r.iterations) +
                        (std::isfinite(r.step) ? fmt::format(", the last step {:.4g}", r.step) : ""));
  if (r.epochs) add("epochs", std::to_string(r.epochs));
  add("work", counts_text(r.counts));
  if (is_verbose() && r.certification.exact < r.counts.po) add("certificate", certificate_text(r));
  add("seconds", seconds_text(r, seconds_of_program() - ended));
  const auto coefficients = coefficients_of(composition, r.answer);
  if (coefficients)
    add("nonzeros",
        fmt::format("{} of {} coefficients", coefficients->largest_first.size(), coefficients->all));
  else if (size.count >= 0)
    add(size.is_rank || r.answer.is_zero() ? "rank" : "nonzeros", std::to_string(size.count));
  add("problem", size_text(composition) + ", seed " + std::to_string(composition.run.seed));
  if (!folder.empty()) add("folder", folder.string());
  const bool zero = coefficients ? coefficients->largest_first.empty() : r.answer.is_zero();
  if (const std::string word = help_word(r.status, zero); !word.empty()) add("help", "claros help " + word);
  if (coefficients) return page + coefficient_lines(*coefficients, "DIR");
  const Shape& shape = composition.objective->shape();
  auto entries = entries_of(composition, r.answer);
  const bool is_shown = entries && !shape.is_product();
  return is_shown ? page + entry_lines(*std::move(entries), shape.rows, shape.cols) : page;
}

}  // namespace claros::cli
