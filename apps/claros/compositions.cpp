// SPDX-License-Identifier: BSD-3-Clause
// What composes with what: text, Markdown and JSON of the same tables, and the runs of what is not refused.
#include "composition_pages.hpp"

#include <claros/json_text.hpp>

#include "command.hpp"
#include "named_component.hpp"
#include "report.hpp"
#include "session.hpp"
#include "terminal.hpp"

#include <algorithm>

namespace claros::cli {

namespace {

/// Rows and columns of that name alone; a name of neither leaves a table empty, and out.
std::vector<CompositionTable> named(const Catalog& catalog, std::vector<CompositionTable> tables, const std::string& word) {
  const PluginEntry* entry = named_component(catalog, word);
  if (!entry) nothing_named(catalog, word, false);
  for (CompositionTable& table : tables) {
    const auto column = std::ranges::find(table.columns, entry->name);
    const bool of_columns = table.column_kind == entry->kind && column != table.columns.end();
    CompositionTable kept = table;
    kept.rows.clear(), kept.cells.clear();
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const std::string& row = table.rows[r];
      const bool own = (table.row_kind == entry->kind && row == entry->name) || (entry->kind == Kind::loss && row.ends_with(", " + entry->name)) ||
                       (entry->kind == Kind::objective && row.starts_with(entry->name + ", "));
      if (!own && !of_columns) continue;
      kept.rows.push_back(row);
      kept.cells.push_back(table.cells[r]);
      if (!own) kept.cells.back() = {table.cells[r][static_cast<std::size_t>(column - table.columns.begin())]};
    }
    const bool one_column = of_columns && !kept.rows.empty() && kept.cells.front().size() == 1;
    if (one_column) kept.columns = {entry->name};
    table = std::move(kept);
  }
  std::erase_if(tables, [](const CompositionTable& table) { return table.rows.empty(); });
  return tables;
}

/// Every cell that is not refused; what fails is told with the words that compose it again.
int run_all(const Catalog& catalog, const std::vector<CompositionTable>& tables) {
  Index runs = 0, failed = 0;
  for (const CompositionTable& table : tables) {
    const Index before = runs;
    for (const auto& row : table.cells)
      for (const Cell& cell : row) {
        if (!cell.runs()) continue;
        ++runs;
        const std::string failure = failure_of_run(catalog, *cell.problem, cell.words, kSteps);
        if (failure.empty()) continue;
        ++failed;
        out().write("failed: " + joined(cell.problem->words, " ") + ' ' + joined(cell.words, " ") + ", on " + cell.problem->name + "\n  " + printable(failure) + '\n');
      }
    out().write(table.title + ": " + std::to_string(runs - before) + " compositions made " + std::to_string(kSteps) + " steps\n");
  }
  out().write(failed == 0 ? std::to_string(runs) + " compositions, none failed\n" : std::to_string(failed) + " of " + std::to_string(runs) + " compositions failed\n");
  return failed == 0 ? kDone : kVerdict;
}

}  // namespace

int compositions_command(const Arguments& arguments) {
  if (arguments.has("json") + arguments.has("markdown") + arguments.has("run") > 1)
    throw Error(ErrorKind::usage, "claros compositions", "--json, --markdown and --run are three things to do", "give one of them");
  Catalog catalog = open_catalog(arguments);
  catalog.load_all();
  std::vector<CompositionTable> tables = composition_tables(catalog);
  if (!arguments.words().empty()) tables = named(catalog, std::move(tables), arguments.words().front());
  if (arguments.has("run")) return run_all(catalog, tables);
  out().write(arguments.has("json") ? json_text(compositions_json(tables)) : arguments.has("markdown") ? compositions_markdown(tables) : compositions_text(tables));
  return kDone;
}

}  // namespace claros::cli
