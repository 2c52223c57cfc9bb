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
  std::vector<double> entry;   ///< a row is at risk at times in (entry, time]; empty: at all up to `time`

  std::size_t rows() const noexcept { return time.size(); }
};

/// The sources of events, strata and times of entry: a column of the table (name or number), or a file of one
/// number a row.
struct SurvivalOptions {
  std::string event, strata, entry;
};

/// |y| is the time of the response y, which is censored if y < 0. Throws Error(data) at `where` for a 0,
/// which has no sign, and if no row has an event.
CLAROS_API Survival signed_times(std::span<const double> response, const std::string& where);

/// Reads rows and times. With `event`, responses are times >= 0 and events numbers 0 (censored) or 1; else
/// the signs of the responses tell. The columns of `event`, `strata` and `entry` are not features; a
/// missing value in them is refused, or drops its row. Rows to predict that lack one of them have no known
/// times. Throws as read_design. Throws Error(data) for a field that is not a time, an event or a stratum. A
/// row that does not enter before its time is another.
CLAROS_API Design read_survival(const std::filesystem::path& path, const DesignOptions& options,
                                const SurvivalOptions& survival, const Context& context, Survival& made);

/// Takes rows in memory, whose `event`, `strata` and `entry` are files. Throws Error(data), and Error(usage)
/// if one is not a file.
CLAROS_API Survival survival_of(const Design& design, const SurvivalOptions& survival,
                                const Context& context);

/// The share of comparable pairs that `risk` orders by their events; ties of risk count half. A pair is
/// comparable if both rows are in one stratum with an event at t_i, and row j is at risk then. So it has
/// entered before t_i, and t_j > t_i or it is censored at t_j = t_i. It counts w_i w_j times; w = 1 if there
/// are no weights. The share is NaN without such a pair. (Harrell, Califf, Pryor, Lee, Rosati 1982.) O(n log
/// n).
CLAROS_API double concordance(const Survival& survival, std::span<const double> risk,
                              std::span<const double> weights = {});

}  // namespace claros
