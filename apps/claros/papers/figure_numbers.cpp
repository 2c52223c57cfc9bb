// SPDX-License-Identifier: BSD-3-Clause
#include "papers/figure_numbers.hpp"

#include <claros/json_text.hpp>

#include <fmt/format.h>

#include <cmath>

namespace claros::cli {

namespace {

/// Six digits: more than a page shows, and few enough to read.
Json rounded(double number) {
  if (!std::isfinite(number)) return nullptr;
  return std::stod(fmt::format("{:.6g}", number));
}

Json numbers_of(const std::vector<double>& seeds) {
  const Quartiles q = quartiles(seeds);
  return Json::array({rounded(q.median), rounded(q.lower), rounded(q.upper), q.count, seeds.size()});
}

Json rows_of(const Experiment& e, const Statistics& statistics) {
  Json rows = Json::object();
  for (std::size_t r = 0; r < e.rows.size(); ++r)
    for (const std::string& name : e.rows[r].statistics)
      for (std::size_t p = 0; p < e.panels.size(); ++p)
        for (std::size_t c = 0; c < e.curves.size(); ++c)
          rows[e.rows[r].label][name][e.panels[p].label][e.curves[c].label] =
              numbers_of(statistics.at({r, name})[p][c]);
  return rows;
}

Json powers_of(const Experiment& e, const Statistics& statistics) {
  Json powers = Json::object();
  for (std::size_t r = 0; r < e.rows.size(); ++r)
    for (const std::string& name : e.rows[r].powers)
      for (std::size_t c = 0; c < e.curves.size(); ++c) {
        const Power power = power_over(e, statistics, r, name, c);
        powers[e.rows[r].label][name][e.curves[c].label] =
            Json::array({rounded(power.slope.value), rounded(power.slope.low), rounded(power.slope.high),
                         rounded(power.least), rounded(power.most)});
      }
  return powers;
}

Json tuned_of(const Experiment& e, const Choices& choices) {
  Json tuned = Json::object();
  for (std::size_t p = 0; p < e.panels.size(); ++p)
    for (std::size_t c = 0; c < e.curves.size(); ++c)
      if (const Choice& choice = choices[p][c]; !choice.key.empty())
        tuned[e.panels[p].label][e.curves[c].label] =
            choice.key.substr(choice.key.find('.') + 1) + " = " + choice.value;
  return tuned;
}

Json references_of(const Measured& measured) {
  Json references = Json::object();
  const Experiment& e = measured.experiment();
  for (std::size_t p = 0; e.reference && p < e.panels.size(); ++p)
    references[e.panels[p].label] =
        rounded(quartiles(measured.of_references(p, &ReferencePoint::value)).median);
  return references;
}

Json verdicts_json(const Experiment& e, const std::vector<Verdict>& verdicts) {
  Json all = Json::array();
  for (const Verdict& v : verdicts)
    all.push_back({{"claim", v.finding->claim},
                   {"of", v.of},
                   {"row", e.rows[v.row].label},
                   {"statistic", v.statistic},
                   {"panel", v.panel},
                   {"value", rounded(v.number.value)},
                   {"low", rounded(v.number.low)},
                   {"high", rounded(v.number.high)},
                   {"seeds", v.seeds},
                   {"outcome", outcome_of(v)}});
  return all;
}

}  // namespace

std::string figure_numbers(const Measured& measured, const Statistics& statistics, const Choices& choices,
                           const std::vector<Verdict>& verdicts) {
  const Experiment& e = measured.experiment();
  return json_text({{"figure", e.name},
                    {"seeds", measured.grid().repeats},
                    {"rows", rows_of(e, statistics)},
                    {"powers", powers_of(e, statistics)},
                    {"tuned", tuned_of(e, choices)},
                    {"references", references_of(measured)},
                    {"verdicts", verdicts_json(e, verdicts)}});
}

}  // namespace claros::cli
