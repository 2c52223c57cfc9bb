// SPDX-License-Identifier: BSD-3-Clause
#include "papers/findings_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace claros::cli {

namespace {

/// The quartiles of `seeds` numbers. If some are unknown, the text says how many are known.
std::string shown(const Quartiles& q, std::size_t seeds = 0) {
  if (std::isnan(q.median)) return "-";
  return fmt::format("{:.3g} [{:.3g}, {:.3g}]", q.median, q.lower, q.upper) +
         (q.count < seeds ? fmt::format(" ({} of {} seeds)", q.count, seeds) : "");
}

/// Three digits behind the point, where that says something.
std::string shown(double number) {
  return std::abs(number) < 0.01 && number != 0.0 ? fmt::format("{:.2g}", number)
                                                  : fmt::format("{:.3f}", number);
}
std::string shown(const Ratio& ratio) {
  if (std::isnan(ratio.value)) return "-";
  return shown(ratio.value) + " [" + shown(ratio.low) + ", " + shown(ratio.high) + "]";
}

std::string marked(const Verdict& v) { return v.fails() ? "**fails**" : outcome_of(v); }

/// A bar is the end of a cell in Markdown.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

/// A row a panel, a column a curve.
std::string table_of(const Experiment& e, const std::function<std::string(std::size_t, std::size_t)>& cell) {
  std::string text = "| |";
  for (const Variant& curve : e.curves) text += ' ' + escaped(curve.label) + " |";
  text += "\n|---|";
  for (std::size_t c = 0; c < e.curves.size(); ++c) text += "---|";
  text += '\n';
  for (std::size_t p = 0; p < e.panels.size(); ++p) {
    text += "| " + escaped(e.panels[p].label) + " |";
    for (std::size_t c = 0; c < e.curves.size(); ++c) text += ' ' + cell(p, c) + " |";
    text += '\n';
  }
  return text;
}

std::string words(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& word : list) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string tuned_text(const Experiment& e, const Choices& choices) {
  const auto tuned = [](const Variant& curve) { return curve.tune.has_value(); };
  if (std::none_of(e.curves.begin(), e.curves.end(), tuned)) return {};
  std::string text =
      "\nTuned once a panel, on the first seed (* an end of the grid, ! no value ended well on all seeds; in "
      "brackets what was better there and "
      "ended in trouble on another):\n\n" +
      table_of(e, [&](std::size_t p, std::size_t c) {
        const Choice& choice = choices[p][c];
        if (choice.key.empty()) return std::string("-");
        return escaped(choice.key.substr(choice.key.find('.') + 1) + " = " + choice.value) +
               (!choice.found         ? " !"
                : choice.edge.empty() ? ""
                                      : " \\*") +
               (choice.unsound.empty() ? "" : " (" + words(choice.unsound) + ')');
      });
  return text;
}

/// Says what is subtracted from the columns of rows, which labels as a rule leave to the reader.
std::string less_text(const Experiment& e) {
  std::map<std::string, std::string> rows;  // by what is taken off
  for (const FigureRow& row : e.rows)
    if (row.less != 0.0 || row.over_reference) {
      std::string& labels = rows[fmt::format(
          "`{}` less {}{}", row.column,
          row.over_reference ? "the smallest of the reference" : fmt::format("{:.10g}", row.less),
          row.by.empty() ? "" : ", divided by `" + row.by + "` of the seed")];
      labels += (labels.empty() ? "" : ", ") + row.label;
    }
  std::string text;
  for (const auto& [what, labels] : rows) text += "\n" + what + ": " + labels + ".\n";
  return text;
}

std::string reference_text(const Measured& measured) {
  const Experiment& e = measured.experiment();
  if (!e.reference) return {};
  std::string text =
      fmt::format("\nThe reference of a panel and seed is the smallest value of one run with {}{}`{}`.",
                  e.reference->curve, e.reference->curve.empty() ? "" : " and ", words(e.reference->set));
  int runs = 0;
  double most = 0.0;
  for (const ComparisonRun& run : measured.grid().runs)
    if (const double below = measured.below_reference(run); below > 0.0) ++runs, most = std::max(most, below);
  if (runs > 0)
    text += fmt::format(" {} of {} runs got below it, at most by {:.2g}; their points there are {}.", runs,
                        measured.grid().runs.size(), most,
                        e.reference->has_target() ? "shown as its gap" : "left out");
  if (e.reference->has_target())
    text += " Its value may be above the minimum by its gap: smaller differences are shown as that gap.";
  text += '\n';
  if (measured.of_references(0, &ReferencePoint::rank).empty()) return text;
  text += "\n| panel | value | gap | rank or support |\n|---|---|---|---|\n";
  for (std::size_t p = 0; p < e.panels.size(); ++p) {
    const double gap = quartiles(measured.of_references(p, &ReferencePoint::gap)).median;
    text += fmt::format("| {} | {:.10g} | {} | {:g} |\n", escaped(e.panels[p].label),
                        quartiles(measured.of_references(p, &ReferencePoint::value)).median,
                        std::isnan(gap) ? "-" : fmt::format("{:.2g}", gap),
                        quartiles(measured.of_references(p, &ReferencePoint::rank)).median);
  }
  return text;
}

/// The level that Theorems 1 and 2 of QLX speak of.
std::string precision_text(const Measured& measured) {
  const Experiment& e = measured.experiment();
  if (std::none_of(e.rows.begin(), e.rows.end(), [](const FigureRow& row) { return row.precision; }))
    return {};
  std::string text =
      "\nThe statistical precision ||x^ - x*||^2, of the reference's last point and what the data was made "
      "from:\n\n| panel | |\n|---|---|\n";
  for (std::size_t p = 0; p < e.panels.size(); ++p)
    text += "| " + escaped(e.panels[p].label) + " | " +
            shown(quartiles(measured.of_references(p, &ReferencePoint::precision))) + " |\n";
  return text;
}

std::string row_label(const Experiment& e, const Verdict& v) {
  const FigureRow& row = e.rows[v.row];
  return escaped(row.label) +
         (v.finding->statistic.empty() && row.judged.size() == 1 ? "" : " (" + v.statistic + ")");
}

/// The median over all possible seeds lies between the smallest and the largest of n with probability 1 -
/// 2^(1-n). No interval of a bootstrap reaches beyond them.
std::string coverage(const std::vector<Verdict>& verdicts) {
  std::size_t fewest = 100;
  for (const Verdict& v : verdicts) fewest = std::min(fewest, v.seeds);
  if (fewest >= 10) return {};
  return fmt::format(
      "; of {} seeds it reaches at most from the smallest to the largest, and so holds the true median "
      "with a probability of at most {:.0f}%",
      fewest, 100.0 * (1.0 - std::pow(2.0, 1.0 - static_cast<double>(fewest))));
}

std::string shown(const Power& power, std::size_t panels) {
  if (std::isnan(power.slope.value)) return "-";
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]; {:.2f} to {:.2f}{}", power.slope.value, power.slope.low,
                     power.slope.high, power.least, power.most,
                     power.places == panels ? "" : fmt::format(" ({} of {} panels)", power.places, panels));
}

/// The rows that are shown as a power of the panels' numbers.
std::string powers_text(const Experiment& e, const Statistics& statistics) {
  std::string rows;
  for (std::size_t r = 0; r < e.rows.size(); ++r)
    for (const std::string& name : e.rows[r].powers) {
      rows += fmt::format("| {} ({}) |", escaped(e.rows[r].label), name);
      for (std::size_t c = 0; c < e.curves.size(); ++c)
        rows += ' ' + shown(power_over(e, statistics, r, name, c), e.panels.size()) + " |";
      rows += '\n';
    }
  if (rows.empty()) return rows;
  std::string head = "| |", line = "|---|";
  for (const Variant& curve : e.curves) head += ' ' + escaped(curve.label) + " |", line += "---|";
  return "\nExponents a of " + e.at +
         "^a over the panels: the least-squares slope of the logarithms of the medians with its interval "
         "(bootstrap over the seeds); then the least and the largest slope "
         "between neighbouring panels. Panels where a run has no number, or starts below twice the target "
         "that it has to reach, are left out:\n\n" +
         head + '\n' + line + '\n' + rows;
}

std::string ratio_table(const Experiment& e, const std::vector<Verdict>& verdicts) {
  std::string rows;
  for (const Verdict& v : verdicts)
    if (v.finding->second)
      rows += fmt::format("| {} | {} | {} | {} | {} | {} |\n", escaped(v.finding->claim), v.of,
                          row_label(e, v), escaped(v.panel), shown(v.number), marked(v));
  if (rows.empty()) return rows;
  return "\nA ratio of medians with its interval (paired bootstrap over the seeds, percentiles 2.5 and 97.5" +
         coverage(verdicts) +
         "). A finding holds where the whole "
         "interval is below 1, and fails where it is above.\n\n| finding | ratio of | in | panel | ratio | "
         "|\n"
         "|---|---|---|---|---|---|\n" +
         rows;
}

std::string bound_table(const Experiment& e, const std::vector<Verdict>& verdicts) {
  std::string rows;
  for (const Verdict& v : verdicts) {
    if (v.finding->second) continue;
    const bool below = !std::isnan(v.finding->below), above = !std::isnan(v.finding->above);
    const std::string wanted = (above ? fmt::format("above {:.4g}", v.finding->above) : "") +
                               (below && above ? ", " : "") +
                               (below ? fmt::format("below {:.4g}", v.finding->below) : "");
    rows += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", escaped(v.finding->claim), v.of,
                        row_label(e, v), escaped(v.panel), shown(v.number), wanted, marked(v));
  }
  if (rows.empty()) return rows;
  return "\nA median with its interval (bootstrap over the seeds, percentiles 2.5 and 97.5" +
         coverage(verdicts) +
         "). A finding holds where the whole "
         "interval is on "
         "its side of the bound, and fails where it is on the other.\n\n"
         "| finding | of | in | panel | median | wanted | |\n|---|---|---|---|---|---|---|\n" +
         rows;
}

/// The seeds that a verdict can rest on.
std::string seeds_text(const Comparison& grid) {
  const Index first = grid.cells.front().seed;
  if (grid.repeats == 1)
    return fmt::format("Seed {} alone: a finding neither holds nor fails, and no interval means anything.",
                       first);
  return fmt::format(
      "Seeds {} to {}; numbers are medians over the seeds with [lower quartile, upper quartile], of the "
      "seeds that have one where a number of seeds is given.",
      first, first + grid.repeats - 1);
}

}  // namespace

std::string findings_page(const Measured& measured, const Statistics& statistics, const Choices& choices,
                          const std::vector<Verdict>& verdicts, const std::string& command) {
  const Experiment& e = measured.experiment();
  const Comparison& grid = measured.grid();
  std::string text =
      fmt::format("# {}\n\n{}\n\nMade by `{}`. {}\n", e.title, e.paper, command, seeds_text(grid));
  text += tuned_text(e, choices) + reference_text(measured) + less_text(e);
  for (std::size_t r = 0; r < e.rows.size(); ++r)
    for (const std::string& name : e.rows[r].statistics) {
      const Numbers& numbers = statistics.at({r, name});
      text += fmt::format("\n{} ({} over the run):\n\n{}", e.rows[r].label, name,
                          table_of(e, [&](std::size_t p, std::size_t c) {
                            return shown(quartiles(numbers[p][c]), numbers[p][c].size());
                          }));
    }
  text += precision_text(measured) + powers_text(e, statistics);
  if (verdicts.empty()) return text;
  return text + "\n## Verdicts\n" + ratio_table(e, verdicts) + bound_table(e, verdicts);
}

}  // namespace claros::cli
