// SPDX-License-Identifier: BSD-3-Clause
#include "risk_sets.hpp"

#include <algorithm>

namespace cox {

RiskSets::RiskSets(const claros::Survival& s, std::span<const double> weights,
                   std::span<const double> offsets)
    : rows(s.rows()) {
  const auto stratum = [&](std::size_t i) { return s.stratum.empty() ? Index{0} : s.stratum[i]; };
  for (std::size_t i = 0; i < rows; ++i)
    if (weights.empty() || weights[i] > 0.0) row.push_back(i);
  std::stable_sort(row.begin(), row.end(), [&](std::size_t a, std::size_t b) {
    if (stratum(a) != stratum(b)) return stratum(a) < stratum(b);
    return s.time[a] != s.time[b] ? s.time[a] > s.time[b] : s.event[a] < s.event[b];
  });
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::size_t i = row[k];
    weight.push_back(weights.empty() ? 1.0 : weights[i]);
    offset.push_back(offsets.empty() ? 0.0 : offsets[i]);
    const bool opens = k == 0 || stratum(i) != stratum(row[k - 1]);
    if (opens || s.time[i] != s.time[row[k - 1]]) ties.push_back({.first = k, .events = k, .opens = opens});
    Ties& last = ties.back();
    last.last = k + 1;
    own.push_back(ties.size() - 1);
    if (s.event[i]) {
      last.mass += weight.back();
      mass += weight.back();
    } else
      last.events = k + 1;
  }
  if (!s.entry.empty()) note_entries(s);
}

void RiskSets::note_entries(const claros::Survival& s) {
  const auto time = [&](const Ties& at) { return s.time[row[at.first]]; };
  std::vector<std::size_t> end(ties.size() + 1, ties.size());  // of the stratum
  for (std::size_t k = ties.size(); k-- > 0;)
    end[k] = k + 1 < ties.size() && !ties[k + 1].opens ? end[k + 1] : k + 1;
  bool late = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto first = ties.begin() + static_cast<std::ptrdiff_t>(own[i]),
               last = ties.begin() + static_cast<std::ptrdiff_t>(end[own[i]]);
    const auto out =
        std::partition_point(first, last, [&](const Ties& at) { return time(at) > s.entry[row[i]]; });
    late = late || std::any_of(out, last, [](const Ties& at) { return at.count() > 0; });
    until.push_back(static_cast<std::size_t>(out - ties.begin()));
  }
  if (!late) until.clear();
}

}  // namespace cox
