// SPDX-License-Identifier: BSD-3-Clause
/// @file tuned_curves.hpp  The values that the curves of an experiment take.
#pragma once

#include "papers/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace claros::cli {

/// The choice of tuning for one curve in one panel.
struct Choice {
  std::string key, value;            ///< both empty if nothing was tuned
  std::string edge;                  ///< "smallest" or "largest" where the value is an end of its grid
  bool found = true;                 ///< false: no run ended well, and the first value is used
  std::vector<std::string> unsound;  ///< values that were better on the first seed and were lost on another
};
/// choices[panel][curve]
using Choices = std::vector<std::vector<Choice>>;

/// True if the run of a tuned curve, in a folder of `folder`, is lost. Its status then is trouble, or its
/// last value is above its first one (a bounded set keeps a divergent run bounded).
bool is_lost(const ComparisonRun& run, const std::filesystem::path& folder);

/// The best value of every tuned curve on the first seed, by the rule of its tuning. If values are equal up
/// to rounding, it is the fastest. A value with which a curve is then lost on another seed is not chosen: the
/// next best takes its place.
class TunedCurves {
 public:
  /// From the grid that tunes, after its runs in `folder`. Losses of earlier runs are read from the file
  /// `record`, and hold if the runs that tune are the same.
  TunedCurves(const Experiment& experiment, const Comparison& grid, const std::filesystem::path& folder,
              std::filesystem::path record);

  const Choices& choices() const noexcept { return choices_; }
  /// True if a curve of the runs in `folder` was lost and another value took the place of its own. The record
  /// is written then.
  bool replaced(const Comparison& curves, const std::filesystem::path& folder);

 private:
  /// One tuned curve in one panel.
  struct TunedCurve {
    std::size_t panel, curve;
    const Tuning* tune;
    std::string identity;             ///< the identity of its runs
    std::vector<std::string> ranked;  ///< values that ended well, the best first
    std::vector<std::string> unsound = {};
  };
  void choose();
  void read_record();
  void write_record() const;

  std::filesystem::path record_;
  std::vector<TunedCurve> places_;
  Choices choices_;
};

}  // namespace claros::cli
