// SPDX-License-Identifier: BSD-3-Clause
/// @file path_record.hpp  A path with what was chosen from it, and the folder that it is kept in.
#pragma once

#include <claros/api.hpp>
#include <claros/paths/folds.hpp>
#include <claros/paths/path.hpp>

#include <claros/io/owned_folder.hpp>

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace claros {

struct CLAROS_API PathRecord {
  std::string parameter;
  PathAxis over;                  ///< a second parameter
  double ratio = 0.0;             ///< the ratio of the smallest lambda to max
  StopOptions stop;               ///< of every lambda
  bool scaled_residual = false;   ///< its residual times lambda/max (residual_is_scaled)
  bool relaxed = false;           ///< points are refits
  std::vector<PathSlice> slices;  ///< one, or one for each value of `over`
  std::vector<PathPoint> points;  ///< solved, those of each slice after those of the slice before
  bool interrupted = false;
  Index folds = 0;  ///< asked for
  std::optional<CrossValidation> validation;
  std::string criterion;            ///< the criterion of `information`: aic, bic or ebic
  std::vector<double> information;  ///< one a point; empty if it was not asked for
  bool by_test = false;             ///< true if held-out entries have chosen
  std::string ranking;              ///< by their ranking (RankingMetric::name); empty: by their RMSE
  /// Names of folders ("best") and the points that are kept in them.
  std::vector<std::pair<std::string, std::size_t>> chosen;
  /// One for each of `chosen` where points are refits: the specification that made the point.
  std::vector<std::shared_ptr<const Composition>> refits;

  /// True if a fit of point k missed its target, on all rows or in a fold. It is chosen only if no other can
  /// be: the choice is then not a result to rely on.
  bool is_unfinished(std::size_t k) const {
    return points[k].missed || (validation && validation->unfinished[k]);
  }
  bool chose_unfinished() const;
  /// What has chosen, one number a point: the less, the better. NaN where there is none.
  std::vector<double> costs() const;
  /// Where "best" is at an end of its grid, so that the path does not know what lies beyond: that, as a
  /// sentence. Empty if it lies inside, and where nothing has chosen or one number alone was solved.
  std::string edge() const;

  /// The slice that is being solved; null after the last.
  const PathSlice* current() const;
  /// The score of a point on held-out entries: the larger, the better.
  double test_score(const PathPoint& point) const {
    return ranking.empty() ? -point.result.measurement.test_rmse : point.ranking;
  }
  /// How many points there will be, as far as that is known.
  std::size_t expected() const;
  bool complete() const { return !current() && !interrupted && (folds == 0 || validation); }
};

/// A number of a point, as tables name it. NaN if it is not known.
struct CLAROS_API PathColumn {
  const char* name;
  double (*value)(const PathPoint&);
};
CLAROS_API const std::vector<PathColumn>& path_columns();

/// A row a lambda: the second parameter if there is one, path_columns, the status, and bic. Then come the
/// means and errors of a cross-validation, whether it is unfinished (1, 0), and the rule that has chosen it.
CLAROS_API std::string path_csv(const PathRecord& record);
/// The record, its rows and their origin.
CLAROS_API std::string path_json(const Composition& composition, const PathRecord& record);

/// The folder of a path, owned while it is made (owned_folder.hpp).
class CLAROS_API PathFolder {
 public:
  /// Throws Error(data) if another process owns it.
  explicit PathFolder(const std::filesystem::path& folder);
  /// Writes the files of a path, whole or not at all: an earlier path is kept until then, or restored. They
  /// are spec.ini, path.csv, coefficients.mtx (a column a lambda, in the units of the data; not for matrices
  /// of low rank), coefficients.csv (the same by name, for a linear model once it is complete), the chosen
  /// solutions as folders of runs, and result.json. May be called again as the record grows. The composition
  /// is left at the last lambda of those chosen.
  void write(Composition& composition, const PathRecord& record);

 private:
  OwnedFolder owned_;
  bool begun_ = false;  ///< true if the folder holds this path
};

/// True if the folder holds a path.
CLAROS_API bool holds_path(const std::filesystem::path& folder);

/// The data of a folder with a path that a picture needs.
struct CLAROS_API KeptPath {
  std::string parameter;
  std::string over;            ///< the second parameter; empty: none
  std::vector<double> values;  ///< the values of `over`, one a lambda; empty: none
  std::vector<double> lambdas;
  std::vector<SparseColumn> coefficients;  ///< one a lambda; empty if they are not kept
  std::vector<std::string> names;          ///< the names of the columns of the data, as far as they have any
  Index penalised = std::numeric_limits<Index>::max();  ///< rows of coefficients before the intercepts
  /// Those of standardised columns: a coefficient times its deviation is its effect. Empty if none were.
  std::vector<double> deviations;
  std::vector<FoldMean> loss;  ///< of a cross-validation, else empty
  struct Chosen {
    std::string name;
    double lambda = 0.0, over = std::numeric_limits<double>::quiet_NaN();
    bool unfinished = false;  ///< PathRecord::is_unfinished
  };
  std::vector<Chosen> chosen;

  /// Its parts of one value of `over` each, in order; itself without one. `chosen` is split too.
  std::vector<KeptPath> slices() const;
  /// The slice that "best" is in, else the first.
  KeptPath best_slice() const;
};
/// Throws Error(data) if it is not what `write` leaves.
CLAROS_API KeptPath read_path(const std::filesystem::path& folder);

}  // namespace claros
