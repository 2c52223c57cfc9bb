// SPDX-License-Identifier: BSD-3-Clause
/// @file survival.hpp  Responses that are times until an event, some of them censored.
#pragma once

#include <claros/io/design_io.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace claros {

/// One entry a row.
struct CLAROS_API Survival {
  std::vector<double> time;
  std::vector<bool> event;     ///< false: censored, the event comes after `time`
  std::vector<Index> stratum;  ///< rows of different strata are never compared; empty: one stratum

  std::size_t rows() const noexcept { return time.size(); }
};

/// What tells events and strata: a column of the table (name or number), or a file of one number a row.
struct SurvivalOptions {
  std::string event, strata;
};

/// |y| is the time of the response y, censored where y < 0. Throws Error(data) at `where` for a 0, which has
/// no sign, and where no row has an event.
CLAROS_API Survival signed_times(std::span<const double> response, const std::string& where);

/// Reads rows and times. With `event`, responses are times >= 0 and events numbers 0 (censored) or 1; else
/// the signs of the responses tell. The columns of `event` and `strata` are no features; they are read in a
/// second reading of the file. Throws as read_design, and Error(data) for what is no time, no event or no
/// stratum.
CLAROS_API Design read_survival(const std::filesystem::path& path, const DesignOptions& options,
                                const SurvivalOptions& survival, const Context& context, Survival& made);

/// The same of rows in memory, whose `event` and `strata` are files. Throws Error(data), and Error(usage) for
/// what is no file.
CLAROS_API Survival survival_of(const Design& design, const SurvivalOptions& survival,
                                const Context& context);

/// The share of the pairs in which it is known whose event comes first that `risk` orders so, ties of risk
/// half: pairs of a stratum with an event at t_i, and t_j > t_i or a row censored at t_j = t_i. (Harrell,
/// Califf, Pryor, Lee, Rosati 1982.) NaN without such a pair. O(n log n).
CLAROS_API double concordance(const Survival& survival, std::span<const double> risk);

}  // namespace claros
