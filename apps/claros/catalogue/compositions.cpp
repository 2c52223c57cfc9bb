// SPDX-License-Identifier: BSD-3-Clause
// The compatibility of components: text, Markdown and JSON of the same tables, and the runs of all cells that
// are not refused.
#include "catalogue/composition_pages.hpp"

#include <claros/json_text.hpp>

#include "catalogue/commands.hpp"
#include "catalogue/named_component.hpp"
#include "cli/messages.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"

namespace claros::cli {

namespace {

const PluginEntry* asked_for(const Catalog& catalog, const Words& words) {
  if (words.empty()) return nullptr;
  const PluginEntry* entry = named_component(catalog, words.front());
  if (!entry) nothing_named(catalog, words.front(), false);
  return entry;
}

/// Runs every cell that is not refused, and reports a failure with the settings that reproduce it.
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
        out().write("failed: " + joined(cell.problem->words, " ") + ' ' + joined(cell.words, " ") + ", on " +
                    cell.problem->name + "\n  " + printable(failure) + '\n');
      }
    out().write(table.title + ": " + std::to_string(runs - before) + " compositions made " +
                std::to_string(kSteps) + " steps\n");
  }
  if (runs == 0) {
    out().write("no composition was run: all are refused, or there are none\n");
    return kVerdict;
  }
  out().write(failed == 0
                  ? std::to_string(runs) + " compositions, none failed\n"
                  : std::to_string(failed) + " of " + std::to_string(runs) + " compositions failed\n");
  return failed == 0 ? kDone : kVerdict;
}

}  // namespace

int compositions_command(const Arguments& arguments) {
  if (arguments.has("json") + arguments.has("markdown") + arguments.has("run") > 1)
    throw Error(ErrorKind::usage, "claros compositions",
                "expected at most one of --json, --markdown and --run", "give one of them");
  Catalog catalog = open_catalog(arguments);
  catalog.load_all();
  const std::vector<CompositionTable> tables =
      composition_tables(catalog, asked_for(catalog, arguments.words()));
  if (arguments.has("run")) return run_all(catalog, tables);
  out().write(arguments.has("json")       ? json_text(compositions_json(tables))
              : arguments.has("markdown") ? compositions_markdown(tables)
                                          : compositions_text(tables));
  return kDone;
}

}  // namespace claros::cli
