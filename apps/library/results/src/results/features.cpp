// SPDX-License-Identifier: BSD-3-Clause
#include <claros/results/features.hpp>

#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/fields.hpp>
#include <claros/io/id_lookup.hpp>
#include <claros/io/text_input.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/parameters.hpp>

#include <map>

namespace claros {

namespace {

constexpr const char *kOfRows = "row_features.csv", *kOfCols = "column_features.csv";

const char* name_of(Side side) { return side == Side::rows ? kOfRows : kOfCols; }

/// The factors of every feature, one feature after the other.
struct Effects {
  std::vector<std::string> names;
  std::vector<double> factors;
};

Effects read_effects(const std::filesystem::path& folder, Side side, Index rank, const std::string& where) {
  const std::filesystem::path file = folder / "solution" / name_of(side);
  std::error_code code;
  if (!std::filesystem::exists(file, code))
    throw Error(
        ErrorKind::data, where,
        "describes new rows or columns, and the run in " + folder.string() + " has no features of that side",
        "run with objective." + std::string(side == Side::rows ? "row" : "col") + "_features = FILE");
  TextInput input(file);
  FieldReader reader(input, rank > 0 ? "comma" : "auto", "yes", at(rank) + 1);
  Effects effects;
  while (reader.next()) {
    effects.names.emplace_back(reader.fields()[0]);
    for (Index k = 0; k < rank; ++k) effects.factors.push_back(reader.number(at(k) + 1, "a factor"));
  }
  return effects;
}

}  // namespace

void write_features(const std::filesystem::path& folder, const SideFeatures& of, const Element& m,
                    const Element& x) {
  Solution solution = Solution::of(x, {});
  for (const Side side : {Side::rows, Side::cols}) {
    const Features* features = of.features(side);
    if (!features) continue;
    const Side other = side == Side::rows ? Side::cols : Side::rows;
    const std::vector<double> q = solution.factors(other);  // row by row
    const Index r = solution.rank(), n = r > 0 ? std::ssize(q) / r : 0;
    const Element across = of.across(m, side);
    const Index width = side == Side::rows ? across.shape().rows : across.shape().cols;  // with indicators
    const ElementOperator product(across);
    std::vector<std::vector<double>> effects(at(r), std::vector<double>(at(width)));
    for (Index k = 0; k < r; ++k) {
      std::vector<double> column(at(n));
      double square = 0.0;
      for (Index j = 0; j < n; ++j) column[at(j)] = q[at(j * r + k)], square += column[at(j)] * column[at(j)];
      side == Side::rows ? product.apply(column, effects[at(k)])
                         : product.apply_adjoint(column, effects[at(k)]);
      for (double& value : effects[at(k)]) value /= square;
    }
    std::string text = "feature";
    for (Index k = 0; k < r; ++k) text += "," + std::to_string(k + 1);
    for (Index f = 0; f < features->width; ++f) {
      text += '\n' + field_text(features->name(f), ',', name_of(side));
      for (Index k = 0; k < r; ++k) text += ',' + print_real(effects[at(k)][at(f)]);
    }
    write_atomically(folder / name_of(side), text + '\n');
  }
}

Described add_described(Solution& solution, const std::filesystem::path& folder, Side side,
                        const Features& features, const std::string& where) {
  if (features.ids.empty())
    throw Error(ErrorKind::data, where, "is a matrix, whose lines have no ids, and new ones have ids",
                "give lines of id, feature, value");
  (void)solution.factors(side);
  const Index r = solution.rank();
  const Effects effects = read_effects(folder, side, r, where);
  std::map<std::string, Index> position;
  for (const std::string& name : effects.names) position.emplace(name, std::ssize(position));
  const IdLookup known(side == Side::rows ? solution.training().rows : solution.training().cols);
  const Baseline& baseline = solution.training().baseline;
  NewFactors made;
  Described told;
  for (Index i = 0; i < features.rows(); ++i) {
    if (known.find(features.ids[at(i)]) >= 0) {
      ++told.present;
      continue;
    }
    std::vector<double> factors(at(r), 0.0);
    for (Index e = features.start[at(i)]; e < features.start[at(i) + 1]; ++e) {
      const std::string name = features.name(features.column[at(e)]);
      const auto found = position.find(name);
      if (found == position.end())
        throw Error(ErrorKind::data, where, "the feature " + shown(name) + " is not one of the run",
                    "name one of " + (folder / "solution" / name_of(side)).string());
      for (Index k = 0; k < r; ++k)
        factors[at(k)] += features.value[at(e)] * effects.factors[at(found->second * r + k)];
    }
    made.names.push_back(features.ids[at(i)]), made.entries.push_back(0), ++told.added;
    made.factors.insert(made.factors.end(), factors.begin(), factors.end());
    if (!(side == Side::rows ? baseline.row : baseline.col).empty()) made.biases.push_back(0.0);
  }
  if (told.added > 0) (void)solution.put(side, made);
  return told;
}

}  // namespace claros
