// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/survival.hpp>
#include <claros/parameters.hpp>

#include "io/design_formats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace claros {

namespace {

struct EventColumns {
  std::vector<double> event;
  std::vector<Index> stratum;
  std::vector<double> entry;
};

std::vector<Index> numbered(const std::vector<double>& values) {
  std::map<double, Index> known;
  std::vector<Index> numbers;
  for (const double value : values)
    numbers.push_back(known.try_emplace(value, static_cast<Index>(known.size())).first->second);
  return numbers;
}

void require_events(const Survival& made, const std::string& where) {
  if (std::ranges::find(made.event, true) == made.event.end())
    throw Error(ErrorKind::data, where,
                "all " + std::to_string(made.rows()) + " rows are censored, so that no risk can be estimated",
                "give rows with an event");
}

Survival with_events(const std::vector<double>& time, const std::vector<double>& event,
                     const std::function<std::string(Index)>& place) {
  Survival made;
  for (std::size_t i = 0; i < time.size(); ++i) {
    const auto row = static_cast<Index>(i);
    if (!(time[i] >= 0.0))
      throw Error(ErrorKind::data, place(row),
                  "expected a time >= 0, got " + print_real(time[i]) + " in row " + std::to_string(i + 1),
                  "leave `event` out where the sign of the response says what is censored");
    if (event[i] != 0.0 && event[i] != 1.0)
      throw Error(ErrorKind::data, place(row),
                  "expected 0 (censored) or 1 (an event), got " + print_real(event[i]) + " in row " +
                      std::to_string(i + 1),
                  "recode the column that `event` names");
    made.time.push_back(time[i]), made.event.push_back(event[i] == 1.0);
  }
  return made;
}

/// Takes the entries into `made`, whose rows have to enter before their times.
void take_entries(std::vector<double> entry, Survival& made, const std::function<std::string(Index)>& place) {
  for (std::size_t i = 0; i < entry.size(); ++i)
    if (!(entry[i] < made.time[i]))
      throw Error(ErrorKind::data, place(static_cast<Index>(i)),
                  "row " + std::to_string(i + 1) + " enters at " + print_real(entry[i]) +
                      ", expected a time before its own, " + print_real(made.time[i]),
                  "leave the row out: it is at risk at no time");
  made.entry = std::move(entry);
}

/// A file of one number a row; empty if none is named.
std::vector<double> of_file(const std::string& file, Index rows, const std::string& what,
                            const Context& context) {
  return file.empty() ? std::vector<double>() : read_row_numbers(context.resolve(file), rows, what, context);
}

/// Signed, if no events are given.
Survival survival_of(const Design& design, EventColumns columns, const std::string& where,
                     const std::function<std::string(Index)>& place) {
  if (!design.labels.empty())
    throw Error(ErrorKind::data, where, "the response holds names, and times are numbers",
                "name the column of times: response = COLUMN");
  Survival made = columns.event.empty() ? signed_times(design.response, where)
                                        : with_events(design.response, columns.event, place);
  made.stratum = std::move(columns.stratum);
  take_entries(std::move(columns.entry), made, place);
  require_events(made, where);
  return made;
}

}  // namespace

Survival signed_times(std::span<const double> response, const std::string& where) {
  Survival made;
  for (const double y : response) {
    if (y == 0.0)
      throw Error(ErrorKind::data, where,
                  "the response of row " + std::to_string(made.rows() + 1) +
                      " is 0, and the sign of a response says whether it is an event (above 0) or censored",
                  "name the column of events: event = COLUMN");
    made.time.push_back(std::abs(y)), made.event.push_back(y > 0.0);
  }
  require_events(made, where);
  return made;
}

Design read_survival(const std::filesystem::path& path, const DesignOptions& options,
                     const SurvivalOptions& survival, const Context& context, Survival& made) {
  DesignOptions of_rows = options;
  of_rows.beside = std::make_shared<std::vector<ColumnBeside>>();
  for (const auto& [key, word] :
       {std::pair{"event", &survival.event}, {"strata", &survival.strata}, {"entry", &survival.entry}}) {
    if (word->empty()) continue;
    const bool column = is_column(path, options, *word), file = design_formats::is_file(*word, context);
    if (options.bare_columns > 0 && !column && !file) {
      of_rows.ignores_responses = true;
      of_rows.beside = nullptr;
      return read_design(path, of_rows, context);
    }
    if (column || !file) of_rows.beside->push_back({key, *word, key == std::string_view("strata")});
  }
  Design design = read_design(path, of_rows, context);
  const auto numbers = [&](std::string_view key, const std::string& word, const char* what) {
    for (ColumnBeside& one : *of_rows.beside)
      if (one.key == key && !one.numbers.empty()) return std::move(one.numbers);
    return of_file(word, design.rows, what, context);
  };
  EventColumns columns{numbers("event", survival.event, "events"),
                       numbered(numbers("strata", survival.strata, "strata")),
                       numbers("entry", survival.entry, "entries")};
  const auto place = [&](Index row) { return place_of_row(path, of_rows, row, context); };
  if (!design.response.empty()) made = survival_of(design, std::move(columns), path.string(), place);
  return design;
}

Survival survival_of(const Design& design, const SurvivalOptions& survival, const Context& context) {
  EventColumns columns{of_file(survival.event, design.rows, "events", context),
                       numbered(of_file(survival.strata, design.rows, "strata", context)),
                       of_file(survival.entry, design.rows, "entries", context)};
  return survival_of(design, std::move(columns), "[data]", [](Index) { return std::string("[data]"); });
}

namespace {

/// How many numbers are at each of some places, for sums over all places below one. (Fenwick 1994.)
class Counts {
 public:
  explicit Counts(std::size_t places) : sums_(places + 1, 0.0) {}
  void add(std::size_t place, double by) {
    for (std::size_t k = place + 1; k < sums_.size(); k += k & (~k + 1)) sums_[k] += by;
  }
  /// At the places [0, end).
  double below(std::size_t end) const {
    double sum = 0.0;
    for (std::size_t k = end; k > 0; k -= k & (~k + 1)) sum += sums_[k];
    return sum;
  }

 private:
  std::vector<double> sums_;
};

}  // namespace

double concordance(const Survival& s, std::span<const double> risk, std::span<const double> weights) {
  const auto w = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  std::vector<double> distinct(risk.begin(), risk.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const auto place = [&](std::size_t i) {
    return static_cast<std::size_t>(std::lower_bound(distinct.begin(), distinct.end(), risk[i]) -
                                    distinct.begin());
  };
  const auto stratum = [&](std::size_t i) { return s.stratum.empty() ? Index{0} : s.stratum[i]; };
  std::vector<std::size_t> order(s.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (stratum(a) != stratum(b)) return stratum(a) < stratum(b);
    return s.time[a] != s.time[b] ? s.time[a] > s.time[b] : s.event[a] < s.event[b];
  });
  std::vector<std::size_t> entering(s.entry.empty() ? 0 : s.rows());  // by stratum, the latest first
  std::iota(entering.begin(), entering.end(), std::size_t{0});
  std::sort(entering.begin(), entering.end(), [&](std::size_t a, std::size_t b) {
    return stratum(a) != stratum(b) ? stratum(a) < stratum(b) : s.entry[a] > s.entry[b];
  });
  double right = 0.0, pairs = 0.0, later = 0.0;
  std::size_t gone = 0;
  Counts counts(distinct.size());
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    const auto same = [&](std::size_t k) {
      return stratum(order[k]) == stratum(order[from]) && s.time[order[k]] == s.time[order[from]] &&
             s.event[order[k]] == s.event[order[from]];
    };
    for (to = from; to < order.size() && same(to);) ++to;
    if (from == 0 || stratum(order[from]) != stratum(order[from - 1])) {
      counts = Counts(distinct.size());
      later = 0.0;
      while (gone < entering.size() && stratum(entering[gone]) < stratum(order[from])) ++gone;
    }
    for (; gone < entering.size() && stratum(entering[gone]) == stratum(order[from]) &&
           s.entry[entering[gone]] >= s.time[order[from]];
         ++gone)
      counts.add(place(entering[gone]), -w(entering[gone])), later -= w(entering[gone]);
    for (std::size_t k = from; k < to && s.event[order[k]]; ++k) {
      const std::size_t at = place(order[k]);
      const double below = counts.below(at);
      right += w(order[k]) * (below + 0.5 * (counts.below(at + 1) - below));
      pairs += w(order[k]) * later;
    }
    for (std::size_t k = from; k < to; ++k) counts.add(place(order[k]), w(order[k])), later += w(order[k]);
  }
  return pairs > 0.0 ? right / pairs : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace claros
