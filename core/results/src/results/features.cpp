// SPDX-License-Identifier: BSD-3-Clause
#include <claros/results/features.hpp>

#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/io/ratings.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/random.hpp>
#include <claros/spectral/spectral.hpp>

#include "io/fields.hpp"
#include "results/id_lookup.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace claros {

namespace {

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

class FeatureOperator final : public LinearOperator {
 public:
  explicit FeatureOperator(const Features& a) : a_(a) {}
  Index rows() const override { return a_.rows(); }
  Index cols() const override { return a_.width; }
  void apply(std::span<const double> x, std::span<double> y) const override { a_.apply(x, y); }
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override {
    a_.apply_adjoint(y, x);
  }

 private:
  const Features& a_;
};

Features of_entries(const Ratings& entries) {
  Features made{.width = entries.cols,
                .start = std::vector<Index>(at(entries.rows) + 1, 0),
                .column = entries.col,
                .value = entries.value,
                .ids = entries.row_ids,
                .names = entries.col_ids};
  for (const std::int32_t i : entries.row) ++made.start[at(i) + 1];
  std::partial_sum(made.start.begin(), made.start.end(), made.start.begin());
  return made;
}

Features of_table(const DenseTable& table, const std::string& file) {
  Features made{.width = table.cols};
  for (Index i = 0; i < table.rows; ++i) {
    for (Index j = 0; j < table.cols; ++j) {
      const double value = table.values[at(j * table.rows + i)];
      if (std::isnan(value))
        throw Error(ErrorKind::data, file,
                    "expected a number for every feature, and found none in row " + std::to_string(i + 1) +
                        ", column " + std::to_string(j + 1),
                    "fill it in, for example with the mean of its column");
      made.column.push_back(static_cast<std::int32_t>(j)), made.value.push_back(value);
    }
    made.start.push_back(std::ssize(made.column));
  }
  return made;
}

/// A text file of three fields a line.
bool is_list(const std::filesystem::path& file) {
  if (file.extension() == ".npy" || holds_matrix(file)) return false;
  TextInput input(file);
  std::string_view line;
  if (!input.next(line)) return false;
  const std::string word = FieldSplitter::guess(line);
  return !word.empty() && FieldSplitter(input, word).split(line).size() == 3;
}

Features read_any(const std::filesystem::path& file, const Context& context) {
  if (holds_coordinates(file)) return of_entries(read_ratings(file, {}, context));
  if (is_list(file)) return of_entries(read_ratings(file, {.ids = "arbitrary", .columns = "1,2,3"}, context));
  return of_table(read_matrix(file, context), file.string());
}

constexpr const char *kOfRows = "row_features.csv", *kOfCols = "column_features.csv";

const char* name_of(Side side) { return side == Side::rows ? kOfRows : kOfCols; }

/// Of every feature its factors, one after the other.
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

SideFeatures::~SideFeatures() = default;

std::string Features::name(Index k) const { return names.empty() ? std::to_string(k + 1) : names[at(k)]; }

Features Features::indicators(Index rows, double c) {
  Features made{.width = rows, .start = {}, .value = std::vector<double>(at(rows), c)};
  for (Index i = 0; i <= rows; ++i) made.start.push_back(i);
  for (Index i = 0; i < rows; ++i) made.column.push_back(static_cast<std::int32_t>(i));
  return made;
}

std::vector<double> Features::squared_norms() const {
  std::vector<double> norms(at(rows()), 0.0);
  for (Index i = 0; i < rows(); ++i)
    for (Index e = start[at(i)]; e < start[at(i) + 1]; ++e) norms[at(i)] += value[at(e)] * value[at(e)];
  return norms;
}

void Features::apply(std::span<const double> x, std::span<double> y) const {
  for (Index i = 0; i < rows(); ++i) {
    double sum = 0.0;
    for (Index e = start[at(i)]; e < start[at(i) + 1]; ++e) sum += value[at(e)] * x[at(column[at(e)])];
    y[at(i)] = sum;
  }
}

void Features::apply_adjoint(std::span<const double> y, std::span<double> x) const {
  std::ranges::fill(x, 0.0);
  for (Index i = 0; i < rows(); ++i)
    for (Index e = start[at(i)]; e < start[at(i) + 1]; ++e) x[at(column[at(e)])] += value[at(e)] * y[at(i)];
}

double Features::norm_bound() const {
  const double frobenius =
      std::sqrt(std::inner_product(value.begin(), value.end(), value.begin(), 0.0));  // of one column exact
  RandomStream stream(0, Purpose::confirmation);
  const double lanczos = spectral_norm_bound(FeatureOperator(*this), {}, stream);
  return std::min(frobenius, lanczos);
}

Features read_features(const std::filesystem::path& file, const std::string& key, const Context& context) {
  Features made = read_any(file, context);
  if (made.width == 0 || made.value.empty())
    throw Error(ErrorKind::data, file.string(), key + " expected at least one feature, found none",
                "give lines of id, feature, value, or a matrix");
  return made;
}

Features in_order_of(Ids& ids, Features features, const std::string& side, const std::string& file) {
  const bool lines = features.ids.empty();
  if (lines && !ids.names.empty())
    throw Error(ErrorKind::data, file,
                "is a matrix, whose lines have no ids, and the " + side + "s of the data have labels",
                "give lines of id, feature, value");
  std::vector<Index> line_of(at(ids.count), -1);  // the line of the features of each
  if (!lines && ids.names.empty()) {
    for (Index k = 0; k < features.rows(); ++k) {
      const auto id = integer_of(features.ids[at(k)]);
      if (!id || *id < ids.first || *id - ids.first >= (Index{1} << 31))
        throw Error(ErrorKind::data, file,
                    "the id " + shown(features.ids[at(k)]) + " is not an index from " +
                        std::to_string(ids.first) + ", as the " + side + "s of the data are",
                    "correct the id");
      const Index row = *id - ids.first;
      if (row >= std::ssize(line_of)) line_of.resize(at(row) + 1, -1);
      line_of[at(row)] = k;
    }
  } else if (!lines) {
    const IdLookup lookup(ids);
    for (Index k = 0; k < features.rows(); ++k) {
      const Index row = lookup.find(features.ids[at(k)]);
      if (row < 0)
        ids.names.push_back(features.ids[at(k)]), line_of.push_back(k);
      else
        line_of[at(row)] = k;
    }
  } else {
    line_of.resize(at(std::max(ids.count, features.rows())), -1);
    std::iota(line_of.begin(), line_of.begin() + features.rows(), Index{0});
  }
  ids.count = std::ssize(line_of), ids.entries.resize(line_of.size(), 0);
  Features ordered{.width = features.width, .names = std::move(features.names)};
  for (std::size_t row = 0; row < line_of.size(); ++row) {
    const Index k = line_of[row];
    if (k < 0 && ids.entries[row] > 0)
      throw Error(ErrorKind::data, file,
                  "expected features of every " + side + " with entries, and found none of " + side + " " +
                      ids.name(static_cast<Index>(row)),
                  "add them, or remove its entries");
    for (Index e = k < 0 ? 0 : features.start[at(k)]; k >= 0 && e < features.start[at(k) + 1]; ++e)
      ordered.column.push_back(features.column[at(e)]), ordered.value.push_back(features.value[at(e)]);
    ordered.start.push_back(std::ssize(ordered.column));
  }
  return ordered;
}

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
