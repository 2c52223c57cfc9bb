// SPDX-License-Identifier: BSD-3-Clause
#include "papers/experiment_grids.hpp"

#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <algorithm>

namespace claros::cli {

namespace {

using Words = std::vector<std::string>;

std::string numbered(const char* what, std::size_t index) { return what + std::to_string(index + 1); }

Comparison empty_grid(const Experiment& e, std::vector<Vary> varies) {
  Comparison grid;
  grid.spec = Spec::read(e.spec);
  grid.spec.assign(e.set, e.name);
  grid.varies = std::move(varies);
  return grid;
}

/// The settings of one curve in one panel, overridden by the user's.
Spec spec_of(const Experiment& e, const Spec& base, const Variant& panel, const Words& curve,
             const Words& own) {
  Spec spec = base;
  spec.assign(panel.set, e.name);
  spec.assign(curve, e.name);
  spec.assign(own);
  return spec;
}

/// Gives every cell the numbers of the seeds, but for keys of `assignments` and for sections that the cell
/// does not have. Seeds beyond the numbers are refused.
void follow_seeds(Comparison& grid, const Experiment& e, const Words& assignments) {
  for (const auto& [key, numbers] : e.by_seed)
    for (Cell& cell : grid.cells) {
      const auto given = cell.spec.get("run", "seed");
      const auto first = static_cast<std::size_t>(given ? parse_integer(given->value) : 0);
      if (numbers.size() < first + static_cast<std::size_t>(grid.repeats))
        throw Error(ErrorKind::usage, "--seeds",
                    "there is a " + key + " for the seeds below " + std::to_string(numbers.size()) + " alone",
                    "give fewer");
      const auto is_key = [&key](const std::string& word) { return word.starts_with(key + '='); };
      const auto dot = key.rfind('.');
      if (dot == std::string::npos || !cell.spec.has(key.substr(0, dot)) ||
          std::ranges::any_of(assignments, is_key))
        continue;
      cell.spec.set(key, print_real(numbers[first]));  // where no seed is named
      for (const double number : numbers) cell.by_seed[key].push_back(print_real(number));
    }
}

Words labels(const std::vector<Variant>& variants) {
  Words result;
  for (const Variant& variant : variants) result.push_back(variant.label);
  return result;
}

void apply(const Choice& choice, Spec& spec) {
  if (!choice.key.empty()) spec.set(choice.key, choice.value);
}

}  // namespace

Comparison tuning_grid(const Experiment& e, const Words& assignments) {
  Comparison grid = empty_grid(e, {{"panel", labels(e.panels)}, {"curve", {}}, {"value", {}}});
  for (std::size_t p = 0; p < e.panels.size(); ++p)
    for (std::size_t c = 0; c < e.curves.size(); ++c) {
      const Variant &panel = e.panels[p], &curve = e.curves[c];
      if (!curve.tune) continue;
      for (std::size_t v = 0; v < curve.tune->values.size(); ++v) {
        const std::string& value = curve.tune->values[v];
        Cell cell{{panel.label, curve.label, value},
                  panel.label + ", " + curve.label + ", " + curve.tune->key + '=' + value,
                  numbered("panel", p) + numbered("-curve", c) + numbered("-value", v),
                  spec_of(e, grid.spec, panel, curve.set_in(panel.label), assignments),
                  0};
        cell.spec.set(curve.tune->key, value, e.name);
        cell.spec.assign(curve.tune->set, e.name);
        grid.cells.push_back(std::move(cell));
      }
    }
  follow_seeds(grid, e, assignments);
  for (const Cell& cell : grid.cells)
    for (const std::size_t axis : {1U, 2U}) {
      Words& values = grid.varies[axis].values;
      if (std::find(values.begin(), values.end(), cell.values[axis]) == values.end())
        values.push_back(cell.values[axis]);
    }
  return grid;
}

Comparison reference_grid(const Experiment& e, const Words& assignments, const Choices& choices) {
  Comparison grid = empty_grid(e, {{"panel", labels(e.panels)}});
  const auto curve = std::find_if(e.curves.begin(), e.curves.end(),
                                  [&](const Variant& v) { return v.label == e.reference->curve; });
  for (std::size_t p = 0; p < e.panels.size(); ++p) {
    const Variant& panel = e.panels[p];
    const bool borrows = curve != e.curves.end();
    Cell cell{{panel.label},
              panel.label + ", reference",
              numbered("panel", p),
              spec_of(e, grid.spec, panel, borrows ? curve->set_in(panel.label) : Words{}, assignments),
              0};
    if (borrows) apply(choices[p][static_cast<std::size_t>(curve - e.curves.begin())], cell.spec);
    cell.spec.assign(e.reference->set, e.name);
    if (e.asks_distance()) cell.spec.assign({"output.solution=yes"}, e.name);
    grid.cells.push_back(std::move(cell));
  }
  grid.repeats = e.seeds;
  Words set = e.reference->set;
  set.insert(set.end(), assignments.begin(), assignments.end());
  follow_seeds(grid, e, set);
  return grid;
}

Comparison curve_grid(const Experiment& e, const Words& assignments, const Choices& choices) {
  Comparison grid = empty_grid(e, {{"panel", labels(e.panels)}, {"curve", labels(e.curves)}});
  for (std::size_t p = 0; p < e.panels.size(); ++p)
    for (std::size_t c = 0; c < e.curves.size(); ++c) {
      const Variant &panel = e.panels[p], &curve = e.curves[c];
      Cell cell{{panel.label, curve.label},
                panel.label + ", " + curve.label,
                numbered("panel", p) + numbered("-curve", c),
                spec_of(e, grid.spec, panel, curve.set_in(panel.label), assignments),
                0};
      apply(choices[p][c], cell.spec);
      grid.cells.push_back(std::move(cell));
    }
  grid.repeats = e.seeds;
  follow_seeds(grid, e, assignments);
  return grid;
}

}  // namespace claros::cli
