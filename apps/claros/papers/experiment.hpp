// SPDX-License-Identifier: BSD-3-Clause
/// @file experiment.hpp  A paper's figure as a file: which runs, which curves in which panels, and which
/// findings.
#pragma once

#include <claros/grids/comparison.hpp>

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace claros::cli {

/// A key that takes the best of several values: tuned once a panel, on the first seed.
struct Tuning {
  std::string key;
  std::vector<std::string> values;
  std::string by;                ///< a rule of tuning.hpp
  std::vector<std::string> set;  ///< of the runs that tune, on top of everything: a smaller budget, a target
};

/// A panel or a curve: its label, and the settings ("section.key=value") that make it. Only curves are tuned,
/// and only they have settings of their own in a panel (by its label, on top of `set`). Only panels have an
/// accuracy: `at`, which numbers are powers of, and a `floor` that goes before the rows'.
struct Variant {
  std::string label;
  std::vector<std::string> set;
  std::optional<Tuning> tune;
  std::map<std::string, std::vector<std::string>> in;
  double at = std::numeric_limits<double>::quiet_NaN(), floor = at;
  bool drawn = true;        ///< of a curve: or in the tables alone
  double projection = 0.0;  ///< of a panel: what a full decomposition costs, in singular pairs

  std::vector<std::string> set_in(const std::string& panel) const;
};

/// One row of panels: a column of the trace (or kSuboptimality), and the numbers that represent a run in
/// tables. Verdicts are about the `judged` ones if a finding names none: the first, unless the file says
/// more.
struct FigureRow {
  std::string column, label;
  std::vector<std::string> statistics;
  double from = 0.0, floor = 0.0;  ///< x where the fit of `slope` begins, y where it ends
  bool log = false;
  std::vector<std::string> judged;
  std::string x;           ///< instead of the experiment's own
  bool precision = false;  ///< true if panels show the statistical precision as a level
  bool drawn = true;       ///< or in the tables alone
  double less =
      0.0;  ///< what is taken off the column: a minimum that is known, of the same problem in every run
  double per = 0.0;                 ///< the column is divided by so many times the panel's `at`; 0: it is not
  std::vector<std::string> powers;  ///< the statistics that are shown as powers of the panels' `at`
  bool log_x = false;
  std::string level;    ///< what the floor is called where panels show it as a level: "eps"
  std::string x_label;  ///< under the x axis, where a paper has a word of its own for the column; empty: none
  bool over_reference = false;  ///< what is taken off is the smallest of the reference of that panel and seed
  std::string by;               ///< the column is divided by this number of the seed (Experiment::by_seed)

  /// The row as the panel has it.
  FigureRow in(const Variant& panel) const;
};

/// The numbers that represent a run:
/// - best (smallest), and best_at: the x of the first smallest over the last x;
/// - largest, last, median, mean and rms (root of the mean square) over the run;
/// - ratio: last y over last x;
/// - whole: last, for a run that made all its steps (status iterations), and unknown for others;
/// - common: the last up to the x that every curve of the panel and seed reaches, which compares them at the
///   same cost (in a finding of two curves: that these two reach);
/// - reached: the x of the first point at or below the row's floor, unknown if there is none;
/// - slope: of log10 over x, by least squares, from the first point to the first at or below the row's floor;
/// - straightness: the slope of the later half of that stretch of x over that of the earlier. It is 1 for a
///   geometric rate at any speed. For a power of 1 + x it is ln 2 / ln(1 + X/2) over a stretch of X (0.16 at
///   150);
/// - power: the slope over log10 x there, for the points that are lower than all before. It is -a if y falls
///   as x^-a.
extern const std::vector<std::string> kStatistics;

/// One long run a panel and seed, on the same data as the curves; its smallest value is taken for the
/// minimum.
struct Reference {
  std::string curve;  ///< whose settings, and tuned ones, it takes; empty: none
  std::vector<std::string> set;

  /// True if it is solved to a gap: the gap then bounds what differences from its value can say.
  bool has_target() const;
};
/// A curve in a panel; an empty panel is each of the finding's in turn.
struct Place {
  std::string curve, panel;
};

/// "The statistic of `first` is below that of `second`", or, without `second`, "is below (above) a bound".
/// For a `power`, the exponent over the panels takes the place of the statistic.
struct Finding {
  std::string claim;
  Place first;
  std::optional<Place> second;
  double below = std::numeric_limits<double>::quiet_NaN(), above = below;
  std::string statistic;                  ///< empty: the row's own
  std::vector<std::string> rows, panels;  ///< columns or labels, labels; empty: all
  bool power = false;
  bool judged = true;  ///< or shown alone: the row does not measure what the paper claims
  bool falls = false;  ///< from the start to the bound: a start that meets `below` tests nothing
  Index after = 0;     ///< iterations of a run that can decide it
};

/// The size of `reproduce --small`: what a test can make in seconds.
struct Small {
  std::vector<std::string> set;
  Index seeds = 2;
};

/// A figure of docs/papers/<key>/experiment.json. Keys beside "figures" hold for all of them, and
/// each may replace any of it.
struct Experiment {
  std::string name;  ///< "sfz/figure1"
  std::string paper, title, x;
  std::string at = "at";       ///< what the panels' `at` is called: eps, n
  std::filesystem::path spec;  ///< what all its runs share
  std::vector<std::string> set;
  Index seeds = 1;
  std::vector<FigureRow> rows;
  std::vector<Variant> panels, curves;
  std::optional<Reference> reference;
  std::vector<Finding> findings;
  std::vector<std::string>
      methods;  ///< the methods of all figures of the paper: a curve has its colour by its place here
  Small small;
  /// Numbers of the seeds 0, 1, ...: keys of the specification ("set.radius") that follow the data of a
  /// seed, and units of rows ("eps").
  std::map<std::string, std::vector<double>> by_seed;
  std::string needs;  ///< data that the user has to give, in words; empty: none

  /// True if a row shows kDistance.
  bool asks_distance() const;
  /// The column under a row's x axis.
  const std::string& x_of(const FigureRow& row) const { return row.x.empty() ? x : row.x; }
};

/// "key/figure" for every figure there is.
std::vector<std::string> experiment_names(const std::filesystem::path& papers);

/// Throws Error(usage) with a guess for a name that does not exist, Error(data) for a file that is not what
/// it should be.
Experiment read_experiment(const std::filesystem::path& papers, const std::string& name);

/// Makes labels true of runs with `assignments` on top. "{data.rows}" becomes what the settings say. The
/// title names the assignments, and a panel, a curve or a row what they overrule in it.
void label_by_settings(Experiment& experiment, const std::vector<std::string>& assignments);

}  // namespace claros::cli
