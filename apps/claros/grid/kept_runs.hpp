// SPDX-License-Identifier: BSD-3-Clause
/// @file kept_runs.hpp  The runs of an earlier grid in the same folder that are up to date, and need not be
/// made again.
#pragma once

#include <claros/grids/comparison.hpp>
#include <claros/plugin/catalog.hpp>

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace claros::cli {

/// The origin of a grid, beside its runs in made.json. It is the content (a checksum) of the library, of
/// every plugin, and of every cell's specification with the files that it names. A run is up to date if its
/// result is whole, it ended by itself, and its specification is the cell's. The library and its plugins must
/// be those of today. Contents decide, not versions or dates: a rebuilt plugin with the same version counts
/// as another.
class KeptRuns {
 public:
  /// `redraw`: whatever the library and the plugins were.
  KeptRuns(const Catalog& catalog, bool redraw) : catalog_(catalog), redraw_(redraw) {}

  /// Judges the runs in `folder` for the checked grid. It removes the mark of completeness from all that are
  /// not up to date, so that no later call counts them, and writes made.json again. Throws Error(usage) when
  /// a run to redraw is missing.
  void begin(const Comparison& grid, const std::filesystem::path& folder);
  /// For ComparisonSettings::earlier.
  bool take(const Cell& cell, ComparisonRun& run) const;
  std::size_t size() const noexcept { return standing_.size(); }
  /// The contents of made.json, for a record of the figure.
  const std::map<std::string, std::string>& parts() const noexcept { return parts_; }

 private:
  struct Made {
    std::map<std::string, std::string> parts, cells;
  };
  Made read() const;
  void write(const Made& made) const;
  Made today(const Comparison& grid) const;
  bool is_current(const std::filesystem::path& run, const std::string& cell, const Made& old,
                  const Made& now) const;

  const Catalog& catalog_;
  bool redraw_;
  std::filesystem::path folder_;
  std::set<std::string> standing_;  ///< "CELL/SEED"
  std::map<std::string, std::string> parts_;
};

}  // namespace claros::cli
