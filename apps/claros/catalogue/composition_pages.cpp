// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/composition_pages.hpp"

#include "catalogue/markdown_page.hpp"
#include "cli/terminal.hpp"

#include <algorithm>

namespace claros::cli {

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

/// The reasons of one row, in the order of their first column, and the columns of each.
std::vector<std::pair<std::string, std::vector<std::string>>> reasons_of_row(const CompositionTable& table,
                                                                             std::size_t r) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.cells[r][c].runs()) continue;
    const std::string reason = reason_of(table, r, c);
    auto at = std::ranges::find(reasons, reason, &std::pair<std::string, std::vector<std::string>>::first);
    if (at == reasons.end()) at = reasons.insert(at, {reason, {}});
    at->second.push_back(table.columns[c]);
  }
  return reasons;
}

}  // namespace

std::string reason_of(const CompositionTable& table, std::size_t r, std::size_t c) {
  const Cell& cell = table.cells[r][c];
  std::string text;
  for (const Complaint& complaint : cell.refused) text += (text.empty() ? "" : "; ") + complaint.what;
  for (const auto& [kind, name] : {std::pair(kind_name(table.row_kind), table.rows[r]),
                                   std::pair(kind_name(table.column_kind), table.columns[c])})
    text = replaced(std::move(text), kind + '/' + name.substr(0, name.find(',')), "this " + kind);
  return text;
}

std::string compositions_text(const std::vector<CompositionTable>& tables) {
  const std::size_t width = out().width();
  std::string page;
  for (const CompositionTable& table : tables) {
    page += (page.empty() ? "" : "\n") + out().bold(table.title) + '\n' + wrapped(table.meaning, 2, width);
    std::size_t column = 0;
    for (const std::string& row : table.rows) column = std::max(column, row.size() + 2);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      std::vector<std::string> taken;
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.cells[r][c].runs()) taken.push_back(table.columns[c]);
      page += row(table.rows[r],
                  taken.size() == table.columns.size() ? "all"
                  : taken.empty()                      ? "none"
                                                       : joined(taken),
                  2, column, width);
      for (const auto& [reason, columns] : reasons_of_row(table, r))
        page += wrapped("not " + joined(columns) + ": " + reason, 2 + column, width);
    }
  }
  return page;
}

std::string compositions_markdown(const std::vector<CompositionTable>& tables) {
  std::string page =
      "# What composes with what\n\nWritten by `claros describe --markdown --out DIR`, which asks the "
      "components: every cell was composed and started on a problem of a few numbers, as\n"
      "`claros check` does. `claros compositions --run` runs all that are not refused (a test does), `claros "
      "compositions NAME` shows the cells of one component, your own\n"
      "plugins included. + means that the pair runs; a number is that of the reason below the table.\n";
  for (const CompositionTable& table : tables) {
    page += "\n## " + table.title + "\n\n" + table.meaning + "\n\n| |";
    std::string rule = "|---|";
    for (const std::string& column : table.columns) page += ' ' + column + " |", rule += ":-:|";
    page += '\n' + rule + '\n';
    std::vector<std::string> reasons;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      page += "| " + table.rows[r] + " |";
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const Cell& cell = table.cells[r][c];
        if (cell.runs()) {
          page += " + |";
          continue;
        }
        const std::string reason = reason_of(table, r, c);
        auto at = std::ranges::find(reasons, reason);
        if (at == reasons.end()) at = reasons.insert(at, reason);
        page += ' ' + std::to_string(at - reasons.begin() + 1) + " |";
      }
      page += '\n';
    }
    if (!reasons.empty()) page += '\n';
    for (std::size_t k = 0; k < reasons.size(); ++k)
      page += std::to_string(k + 1) + ". " + escaped(reasons[k]) + '\n';
  }
  return page;
}

Json compositions_json(const std::vector<CompositionTable>& tables) {
  Json all = Json::array();
  for (const CompositionTable& table : tables)
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const Cell& cell = table.cells[r][c];
        Json row{{"table", table.title},
                 {"row", table.rows[r]},
                 {"column", table.columns[c]},
                 {"runs", cell.runs()}};
        if (!cell.runs()) row["reason"] = reason_of(table, r, c);
        Words words = cell.problem ? cell.problem->words : Words{};
        words.insert(words.end(), cell.words.begin(), cell.words.end());
        row["words"] = words;
        all.push_back(std::move(row));
      }
  return all;
}

}  // namespace claros::cli
