// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/composition_tables.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace claros::cli {

namespace {

Words joined_words(std::initializer_list<Words> parts) {
  Words all;
  for (const Words& words : parts) all.insert(all.end(), words.begin(), words.end());
  return all;
}

/// A setting of the objective or its data is refused, which no other algorithm or estimator changes.
bool unfit_data(const Cell& cell) {
  return std::ranges::any_of(cell.refused, [](const Complaint& complaint) {
    return complaint.where.starts_with("objective.") || complaint.where.starts_with("[data]") ||
           complaint.where.starts_with("command line: objective.");
  });
}

class Tables {
 public:
  Tables(const Catalog& catalog, const PluginEntry* only)
      : catalog_(catalog), only_(only), examples_(catalog) {
    for (const std::string& name : catalog.names(Kind::algorithm)) companies_[name] = company_of(name);
  }

  std::vector<CompositionTable> all() {
    std::vector<CompositionTable> tables;
    const bool of_objectives = concern({Kind::objective, Kind::loss, Kind::estimator});
    if (of_objectives || concern({Kind::algorithm})) tables.push_back(estimators());
    if (of_objectives) tables.push_back(objectives(tables.front()));
    if (concern({Kind::set, Kind::algorithm}))
      tables.push_back(constraints(Kind::set, "Sets and algorithms", "sets"));
    if (concern({Kind::penalty, Kind::algorithm}))
      tables.push_back(constraints(Kind::penalty, "Penalties and algorithms", "penalties"));
    if (concern({Kind::smoother, Kind::algorithm}))
      tables.push_back(constraints(Kind::smoother, "Smoothers and algorithms", "smoothers"));
    if (concern({Kind::penalty, Kind::set})) tables.push_back(penalties_over_sets());
    if (only_)
      for (CompositionTable& table : tables) table = part_of(std::move(table));
    std::erase_if(tables,
                  [](const CompositionTable& table) { return table.rows.empty() || table.columns.empty(); });
    return tables;
  }

 private:
  bool concern(std::initializer_list<Kind> kinds) const {
    return !only_ || std::ranges::find(kinds, only_->kind) != kinds.end();
  }
  bool asked(Kind kind, const std::string& name) const {
    return !only_ || (only_->kind == kind && only_->name == name);
  }

  /// An objective's row may name the loss that it holds.
  bool of_row(Kind kind, const std::string& row) const {
    return asked(kind, row) || (only_->kind == Kind::loss && row.ends_with(", " + only_->name)) ||
           (only_->kind == Kind::objective && row.starts_with(only_->name + ", "));
  }

  /// Rows and columns of that name alone.
  CompositionTable part_of(CompositionTable table) const {
    const auto column = std::ranges::find(table.columns, only_->name);
    const bool of_columns = table.column_kind == only_->kind && column != table.columns.end();
    CompositionTable kept = table;
    kept.rows.clear(), kept.cells.clear();
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const std::string& row = table.rows[r];
      const bool own = of_row(table.row_kind, row);
      if (!own && !of_columns) continue;
      kept.rows.push_back(row);
      kept.cells.push_back(
          own ? table.cells[r]
              : std::vector{table.cells[r][static_cast<std::size_t>(column - table.columns.begin())]});
    }
    if (of_columns) kept.columns = {only_->name};
    return kept;
  }

  /// The parts that an algorithm needs: a problem, and a penalty or a set.
  struct Company {
    const SmallProblem* problem = nullptr;
    Words words;
  };

  Words example(Kind kind, const std::string& name) const {
    return examples_.of(kind, name, kind_name(kind));
  }

  Cell tried(const SmallProblem& problem, Words words) const {
    words.push_back("stop.iterations=" + std::to_string(kSteps));
    Cell cell{&problem, std::move(words), {}};
    cell.refused = refusal(catalog_, problem, cell.words);
    return cell;
  }

  /// The first that runs, else the one with the fewest errors.
  template <class Candidates>
  Cell first_of(const Candidates& candidates) const {
    std::optional<Cell> best;
    for (const auto& [problem, words] : candidates) {
      Cell cell = tried(*problem, words);
      if (cell.runs()) return cell;
      if (!best || cell.refused.size() < best->refused.size()) best = std::move(cell);
    }
    return best.value_or(Cell{});
  }

  Company company_of(const std::string& algorithm) const {
    const auto runs = [&](const SmallProblem& problem, const Words& with) {
      return tried(problem, joined_words({example(Kind::algorithm, algorithm), with})).runs();
    };
    for (const SmallProblem& problem : small_problems())
      if (runs(problem, {})) return {&problem, {}};
    for (const Kind kind : {Kind::set, Kind::penalty})
      for (const SmallProblem& problem : small_problems())
        for (const std::string& name : catalog_.names(kind))
          if (const Words with = example(kind, name); runs(problem, with)) return {&problem, with};
    return {&small_problems().front(), {}};
  }

  CompositionTable estimators() const {
    CompositionTable table{"Algorithms and gradient estimators",
                           "On a loss of a linear model, without a constraint where the algorithm needs "
                           "none, else with the first set or penalty that it takes.",
                           Kind::algorithm,
                           Kind::estimator,
                           catalog_.names(Kind::algorithm),
                           catalog_.names(Kind::estimator),
                           {}};
    for (const std::string& algorithm : table.rows) {
      const Company& company = companies_.at(algorithm);
      auto& row = table.cells.emplace_back();
      for (const std::string& estimator : table.columns)
        row.push_back(
            tried(*company.problem, joined_words({example(Kind::algorithm, algorithm),
                                                  example(Kind::estimator, estimator), company.words})));
    }
    return table;
  }

  /// Every objective with every loss that it holds, on the data that fit; under the algorithm that takes most
  /// estimators.
  CompositionTable objectives(const CompositionTable& of_algorithms) const {
    CompositionTable table{"Objectives and gradient estimators",
                           "Under the first algorithm that takes both.",
                           Kind::objective,
                           Kind::estimator,
                           {},
                           catalog_.names(Kind::estimator),
                           {}};
    std::vector<std::pair<long, std::string>> algorithms;
    for (std::size_t r = 0; r < of_algorithms.rows.size(); ++r)
      algorithms.emplace_back(-std::ranges::count_if(of_algorithms.cells[r], &Cell::runs),
                              of_algorithms.rows[r]);
    std::ranges::stable_sort(algorithms, {}, &std::pair<long, std::string>::first);
    const SmallProblem* home = nullptr;  // of the losses before of the same objective
    std::string last_use;
    for (const auto& [name, words] : objective_rows()) {
      if (words.front() != last_use) home = nullptr;
      last_use = words.front();
      std::map<std::pair<const SmallProblem*, std::string>, Cell> known;
      const auto words_of = [&, &own = words](const std::string& algorithm, const std::string& estimator) {
        return joined_words({own, example(Kind::algorithm, algorithm), example(Kind::estimator, estimator),
                             companies_.at(algorithm).words});
      };
      const auto cell_of = [&](const SmallProblem& problem, const std::string& estimator) -> const Cell& {
        const auto [at, added] = known.try_emplace({&problem, estimator});
        if (!added) return at->second;
        std::vector<std::pair<const SmallProblem*, Words>> candidates;
        for (const auto& [count, algorithm] : algorithms)
          candidates.emplace_back(&problem, words_of(algorithm, estimator));
        return at->second = first_of(candidates);
      };
      // On the first data with which any estimator runs, else on those of the losses before.
      for (const SmallProblem& problem : problems_of_targets()) {
        if (algorithms.empty() || table.columns.empty() ||
            unfit_data(tried(problem, words_of(algorithms.front().second, table.columns.front()))))
          continue;
        if (std::ranges::none_of(table.columns, [&](const std::string& estimator) {
              return cell_of(problem, estimator).runs();
            }))
          continue;
        home = &problem;
        break;
      }
      table.rows.push_back(name);
      auto& row = table.cells.emplace_back();
      for (const std::string& estimator : table.columns)
        row.push_back(of_row(Kind::objective, name) || asked(Kind::estimator, estimator)
                          ? cell_of(home ? *home : problems_of_targets().front(), estimator)
                          : Cell{});
    }
    return table;
  }

  std::vector<std::pair<std::string, Words>> objective_rows() const {
    std::vector<std::pair<std::string, Words>> rows;
    for (const std::string& name : catalog_.names(Kind::objective)) {
      const Words words = example(Kind::objective, name);
      bool holds_loss = false;
      for (const Role& role : catalog_.at(Kind::objective, name).parameters().roles()) {
        if (role.kind != Kind::loss) continue;
        holds_loss = true;
        for (const std::string& loss : catalog_.names(Kind::loss))
          rows.emplace_back(name + ", " + loss,
                            joined_words({words, examples_.of(Kind::loss, loss, "objective." + role.name)}));
      }
      if (!holds_loss) rows.emplace_back(name, words);
    }
    return rows;
  }

  /// Rows are of one kind: alone, and with the set or penalty without which the algorithm does nothing.
  CompositionTable constraints(Kind kind, const std::string& title, const std::string& what) const {
    CompositionTable table{
        title,
        "With exact gradients; " + what + " alone, or beside the constraint that the algorithm needs.",
        kind,
        Kind::algorithm,
        catalog_.names(kind),
        catalog_.names(Kind::algorithm),
        {}};
    for (const std::string& name : table.rows) {
      const Words own = example(kind, name);
      std::map<std::pair<const SmallProblem*, std::string>, Cell> known;
      const auto cell_of = [&](const SmallProblem& problem, const std::string& algorithm) -> const Cell& {
        const auto [at, added] = known.try_emplace({&problem, algorithm});
        if (!added) return at->second;
        const Words words = joined_words({example(Kind::algorithm, algorithm), own});
        std::vector<std::pair<const SmallProblem*, Words>> candidates{{&problem, words}};
        const Words& company = companies_.at(algorithm).words;
        if (!company.empty() && !company.front().starts_with(kind_name(kind) + '.'))
          candidates.emplace_back(&problem, joined_words({words, company}));
        return at->second = first_of(candidates);
      };
      const auto first_that_runs = [&](const std::string& algorithm) {
        return std::ranges::find_if(small_problems(), [&](const SmallProblem& problem) {
          return cell_of(problem, algorithm).runs();
        });
      };
      // A refusal is that of the first problem on which any algorithm takes the row.
      const auto home = [&] {
        return std::ranges::find_if(small_problems(), [&](const SmallProblem& problem) {
          return std::ranges::any_of(table.columns, [&](const std::string& algorithm) {
            return cell_of(problem, algorithm).runs();
          });
        });
      };
      auto& row = table.cells.emplace_back();
      for (const std::string& algorithm : table.columns) {
        row.emplace_back();
        if (!asked(kind, name) && !asked(Kind::algorithm, algorithm)) continue;
        auto problem = first_that_runs(algorithm);
        if (problem == small_problems().end()) problem = home();
        if (problem != small_problems().end()) row.back() = cell_of(*problem, algorithm);
      }
    }
    return table;
  }

  /// Under the first algorithm that takes both.
  CompositionTable penalties_over_sets() const {
    CompositionTable table{"Penalties and sets at once",
                           "Under the first algorithm that takes both.",
                           Kind::penalty,
                           Kind::set,
                           catalog_.names(Kind::penalty),
                           catalog_.names(Kind::set),
                           {}};
    std::vector<std::string> algorithms;
    for (const std::string& name : catalog_.names(Kind::algorithm)) {
      const auto component = create_example(catalog_, catalog_.at(Kind::algorithm, name), Context{});
      if (static_cast<Algorithm*>(component.get())->takes().both) algorithms.push_back(name);
    }
    if (algorithms.empty()) table.rows.clear();
    for (const std::string& penalty : table.rows) {
      auto& row = table.cells.emplace_back();
      for (const std::string& set : table.columns) {
        if (!asked(Kind::penalty, penalty) && !asked(Kind::set, set)) {
          row.emplace_back();
          continue;
        }
        std::vector<std::pair<const SmallProblem*, Words>> candidates;
        for (const std::string& algorithm : algorithms)
          for (const SmallProblem& problem : small_problems())
            candidates.emplace_back(
                &problem, joined_words({example(Kind::algorithm, algorithm), example(Kind::penalty, penalty),
                                        example(Kind::set, set)}));
        row.push_back(first_of(candidates));
      }
    }
    return table;
  }

  const Catalog& catalog_;
  const PluginEntry* only_;
  const ExampleWords examples_;
  std::map<std::string, Company> companies_;
};

}  // namespace

std::vector<CompositionTable> composition_tables(const Catalog& catalog, const PluginEntry* only) {
  return Tables(catalog, only).all();
}

}  // namespace claros::cli
