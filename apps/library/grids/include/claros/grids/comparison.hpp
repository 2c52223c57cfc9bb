// SPDX-License-Identifier: BSD-3-Clause
/// @file comparison.hpp  A grid of runs: what varies, its cells, their runs one after the other, and what a
/// folder of them says.
#pragma once

#include <claros/compose/spec.hpp>
#include <claros/io/owned_folder.hpp>
#include <claros/plugin/catalog.hpp>
#include <claros/run/run_loop.hpp>

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace claros {

/// One axis of a grid: a key of the specification ("estimator.use") and the values that it takes in turn.
struct CLAROS_API Vary {
  std::string name;
  std::vector<std::string> values;
};

/// "section.key=a,b,c", each. Faults (no '=', no key, an empty or a repeated value, a key given twice) are
/// added to `complaints` at the place `where`. A comma always separates: a value cannot hold one.
CLAROS_API std::vector<Vary> read_varies(const std::vector<std::string>& texts, const std::string& where,
                                         std::vector<Complaint>& complaints);

/// One cell of a grid.
struct CLAROS_API Cell {
  std::vector<std::string> values;  ///< the values of the axes, in their order
  std::string label;                ///< "step=short, radius=40"; "all" when nothing varies
  std::string folder;               ///< the same as a name of letters, digits and "._+-", unique in the grid
  Spec spec;
  Index seed = 0;  ///< the seed of the first repeat
  /// Keys of the specification and the values that they have with the seeds 0, 1, ...
  std::map<std::string, std::vector<std::string>> by_seed = {};

  /// The specification of the repeat with that seed, but for run.seed.
  Spec spec_of(Index of) const {
    Spec own = spec;
    for (const auto& [key, texts] : by_seed) own.set(key, texts.at(static_cast<std::size_t>(of)));
    return own;
  }
};

/// The cartesian product of the axes on top of `spec`, the last axis running fastest; one cell when there is
/// none. Throws Error(usage) with every axis that names no key of a specification, and for a grid beyond
/// 100000 cells.
CLAROS_API std::vector<Cell> expand(const Spec& spec, const std::vector<Vary>& varies);

/// One run of a grid. NaN if a number is not known.
struct CLAROS_API ComparisonRun {
  std::size_t cell = 0;
  Index seed = 0;
  Status status = Status::failed;
  std::string failure;
  ErrorKind failure_kind = ErrorKind::numerical;
  Measurement measurement;
  Index iterations = 0, epochs = 0;
  double passes = 0.0;  ///< (sfo + hvp) / n
  double seconds = 0.0;
  double measuring_seconds = 0.0;
  Counts counts;
  std::string folder;  ///< "CELL/SEED" in the folder of the comparison; empty when nothing was written
  std::string id;      ///< the id of the run there (state/run_identity.hpp)
  std::vector<std::string> changed_inputs;  ///< files that have other contents than when the run read them
  bool earlier = false;                     ///< it stood in the folder, and was not made again
};

/// A number of a run, as tables name it. NaN if it is not known.
struct ComparisonColumn {
  const char* name;
  std::function<double(const ComparisonRun&)> value;
};
/// All of them in their order, every counter (counts.hpp) among them.
CLAROS_API const std::vector<ComparisonColumn>& comparison_columns();

/// A grid with the runs that were done, in order: cell by cell, in each the seeds seed, seed + 1, ...
struct CLAROS_API Comparison {
  Spec spec;
  std::vector<Vary> varies;
  std::vector<Cell> cells;
  Index repeats = 1;
  std::vector<ComparisonRun> runs;
};

struct ComparisonSettings {
  /// Gets CELL/SEED/ (run_folder.hpp), comparison.csv, comparison.json and spec.ini; empty: nothing is
  /// written.
  std::filesystem::path folder;
  const std::atomic<bool>* interrupt = nullptr;  ///< ends the running step and the grid
  int jobs = 1;  ///< runs at a time; results do not depend on it, run times do
  /// Fills in the run of cell and seed that is in its folder, which is then not made again, or says
  /// false. Called before the first run.
  std::function<bool(const Cell&, ComparisonRun&)> earlier;
  /// Calls its argument in a child process, and returns true if it could. Every run then has a watchdog
  /// (watchdog.hpp). A run that is stuck after its stop.seconds or an interrupt has failed or was
  /// interrupted. The watchdog writes its results so far, and another thread does the remaining work. The
  /// threads of such runs stay: the process is then to end by _exit.
  std::function<bool(const std::function<void()>&)> in_child;
  // One call at a time, from the threads that run.
  std::function<void(const Cell&, Index seed, const Progress&)> on_progress;
  std::function<void(const ComparisonRun&)> on_run;  ///< after every run, in their order
  MessageSink messages;
};

/// Composes every cell, starts it dry (dry_start.hpp) and lets go of it; fills the seeds of the cells. Cells
/// with the same objective, data and [run] share them, so that a file is read once. Throws Error with all
/// complaints of all cells, in the words of `claros check`. A complaint that not every cell has names its
/// cells. `complaints` are those found while reading the specification.
CLAROS_API void check(const Catalog& catalog, Comparison& comparison, const ComparisonSettings& settings,
                      const std::vector<Complaint>& complaints = {});

/// Runs the grid after `check`, adding to comparison.runs. A run that fails is one of the runs. After every
/// run the files of the folder say what was done. Throws Error(data) when they cannot be written.
CLAROS_API void run(const Catalog& catalog, Comparison& comparison, const ComparisonSettings& settings);

/// The contents of comparison.json: the axes, the cells with the medians and quartiles of their runs, the
/// runs.
CLAROS_API std::string comparison_json(const Comparison& comparison);
/// Reads the facts of a run from result.json of a run folder, except its cell and seed; `run.folder` is left
/// alone. Throws Error(data) if there is none, or it is not one of `write_run_folder`.
CLAROS_API void read_run(const std::filesystem::path& folder, ComparisonRun& run);
/// One row a run.
CLAROS_API std::string comparison_csv(const Comparison& comparison);

/// The folder of a comparison, owned while it is made (owned_folder.hpp). An earlier comparison is kept in
/// folder/.claros-earlier until every run of the new one is there, unless the new one `goes_on` with its
/// runs. Throws Error(data) if another process owns it.
class CLAROS_API ComparisonFolder {
 public:
  ComparisonFolder(const std::filesystem::path& folder, bool goes_on);
  /// The comparison is whole.
  void finish() { owned_.drop_earlier(); }

 private:
  OwnedFolder owned_;
};

/// Run folders that belong together.
struct FolderGroup {
  std::string label;
  std::vector<std::filesystem::path> folders;
};
/// The cells of the comparison kept in `folder`, each with the folders of its runs; cells without a run are
/// left out. Throws Error(data) if comparison.json is missing or not one of `comparison_json`. It also throws
/// if a named folder is not within its own, or holds another run.
CLAROS_API std::vector<FolderGroup> read_comparison(const std::filesystem::path& folder);

}  // namespace claros
