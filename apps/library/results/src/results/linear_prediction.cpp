// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/element.hpp>
#include <claros/error.hpp>
#include <claros/io/table_encoding.hpp>
#include <claros/map/design_map.hpp>
#include <claros/parameters.hpp>
#include <claros/responses_loss.hpp>
#include <claros/results/linear_prediction.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

namespace claros {

namespace {

/// The position of every column of the training in the rows; all names are there, each once.
std::vector<std::size_t> positions(const Design& design, const LinearTraining& training,
                                   const std::string& where) {
  std::unordered_map<std::string, std::size_t> at;
  for (std::size_t j = 0; j < design.column_names.size(); ++j)
    if (!at.emplace(design.column_names[j], j).second)
      throw Error(ErrorKind::data, where, "has two columns '" + design.column_names[j] + "'",
                  "rename one of them");
  std::vector<std::size_t> found;
  for (const std::string& name : training.columns) {
    const auto column = at.find(name);
    if (column == at.end())
      throw Error(ErrorKind::data, where, "lacks the column '" + name + "' of the training data",
                  "expected " + joined(training.columns));
    found.push_back(column->second);
  }
  for (const std::string& name : design.column_names)
    if (std::find(training.columns.begin(), training.columns.end(), name) == training.columns.end())
      throw Error(ErrorKind::data, where,
                  "has the column '" + name + "', which the training data did not have",
                  "remove it; expected " + joined(training.columns));
  return found;
}

template <class Real>
void permute(DenseRows<Real>& rows, const std::vector<std::size_t>& from) {
  std::vector<Real> row(from.size());
  auto& values = rows.own();
  for (std::size_t at = 0; at < values.size(); at += row.size()) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = values[at + from[j]];
    std::copy(row.begin(), row.end(), values.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

Element point_of(const Solution& solution, const Shape& domain, const std::string& where) {
  if (solution.rows() * solution.cols() != domain.size())
    throw Error(ErrorKind::data, where,
                "the solution is " + std::to_string(solution.rows()) + " x " +
                    std::to_string(solution.cols()) + "; the model has " + domain.text(),
                "run again");
  std::vector<double> values;
  for (Index j = 0; j < solution.cols(); ++j)
    for (Index i = 0; i < solution.rows(); ++i) values.push_back(solution.at(i, j));
  return Element::dense(domain, std::move(values));
}

std::vector<double> targets_of(const Design& design, const LinearTraining& training, const Loss& loss,
                               const std::function<std::string(Index)>& place) {
  std::vector<double> targets;
  for (std::size_t i = 0; i < design.response.size(); ++i) {
    try {
      targets.push_back(target_of(training, design, i, {}));
      if (loss.accepts(targets.back())) continue;
    } catch (const Error&) {
      (void)target_of(training, design, i,
                      place(static_cast<Index>(i)));  // says where: the file is read once more for that
      throw;
    }
    throw Error(ErrorKind::data, place(static_cast<Index>(i)),
                "the response is " + print_real(targets.back()) + "; the loss needs " + loss.targets(),
                "fix it, or give --no-known where responses mean nothing");
  }
  return targets;
}

/// Two probabilities of one, and which class is told.
void choose_classes(RowPredictions& made) {
  const bool sign = made.width == 1;
  if (sign && made.kind == ResponseKind::probability) {
    std::vector<double> both;
    for (const double p : made.numbers) both.insert(both.end(), {1.0 - p, p});
    made.numbers = std::move(both);
    made.width = 2;
  }
  const auto K = static_cast<std::size_t>(made.width);
  for (std::size_t at = 0; at < made.numbers.size(); at += K) {
    const auto row = std::span<const double>(made.numbers).subspan(at, K);
    made.chosen.push_back(K == 1 ? row[0] > 0.0 : std::max_element(row.begin(), row.end()) - row.begin());
  }
}

/// The number of the class of a target: if there are two, -1 and 1 are 0 and 1.
std::size_t class_of(double target, bool signs) {
  return static_cast<std::size_t>(signs ? (target > 0.0 ? 1.0 : 0.0) : target);
}

std::vector<Index> known_classes(const RowPredictions& made, bool signs) {
  std::vector<Index> all;
  for (const double y : made.known) all.push_back(static_cast<Index>(class_of(y, signs)));
  return all;
}

PredictionQuality quality_of(const RowPredictions& made, const Loss& loss, std::span<const double> z) {
  PredictionQuality quality;
  const auto& y = made.known;
  const auto n = static_cast<double>(y.size());
  quality.loss = loss.sum(z, y) / n;
  if (made.kind == ResponseKind::value || made.kind == ResponseKind::count) {
    const PredictionErrors errors = prediction_errors(made.numbers, y);
    quality.rmse = errors.rmse;
    quality.mae = errors.mae;
    if (made.kind == ResponseKind::count && loss.has_conjugate())  // inf psi(., y) = -psi*(0, y)
      quality.deviance = 2.0 * (quality.loss + loss.conjugate(std::vector<double>(z.size(), 0.0), y, {}) / n);
    return quality;
  }
  double right = 0.0, log_loss = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto known = static_cast<std::size_t>(made.known_class[i]);
    right += made.chosen[i] == made.known_class[i];
    if (made.kind == ResponseKind::probability)
      log_loss -= std::log(std::max(made.numbers[i * static_cast<std::size_t>(made.width) + known],
                                    std::numeric_limits<double>::epsilon()));
  }
  quality.accuracy = right / n;
  if (made.kind == ResponseKind::probability) quality.log_loss = log_loss / n;
  return quality;
}

/// Throws Error(data) for a column in another unit than in the training. A training without an encoding had
/// numbers without units.
void require_units(const Design& design, const LinearTraining& training, const std::string& where) {
  static const TableEncoding kPlain;
  if (!design.encoding || design.encoding == training.encoding) return;
  const auto& known = (training.encoding ? *training.encoding : kPlain).columns;
  for (const auto& column : design.encoding->columns) {
    const auto at = std::ranges::find(known, column.name, &TableEncoding::Column::name);
    const std::string had = at == known.end() ? "" : at->unit.value_or(column.unit.value_or(""));
    if (column.unit.value_or(had) != had)
      throw Error(ErrorKind::data, where,
                  "column " + std::to_string(column.place + 1) + " (" + column.name + ") has " +
                      (column.unit->empty() ? "no unit" : "the unit " + *column.unit) +
                      ", and the training had " + (had.empty() ? "none" : had),
                  "write its numbers in the unit of the training");
  }
}

}  // namespace

void fit_columns(Design& design, const LinearTraining& training, const std::string& where) {
  if (!design.column_names.empty() && !training.columns.empty()) {
    const std::vector<std::size_t> from = positions(design, training, where);
    if (auto* rows = std::get_if<DenseRows<double>>(&design.entries)) permute(*rows, from);
    if (auto* rows = std::get_if<DenseRows<float>>(&design.entries)) permute(*rows, from);
    if (!design.is_sparse()) design.column_names = training.columns;
  }
  if (design.is_sparse() && design.cols < training.features)
    design.cols = training.features, design.column_names.clear();
  if (design.cols != training.features)
    throw Error(ErrorKind::data, where,
                "has " + std::to_string(design.cols) + " columns; the training data had " +
                    std::to_string(training.features),
                design.is_sparse() ? "remove the columns from " + std::to_string(training.features + 1) +
                                         " on, which the model does not know"
                                   : "give the columns of the training, with its response or without");
}

RowPredictions predictions_of(std::span<const double> z, std::vector<double> known, const Loss& loss,
                              std::vector<std::string> classes) {
  RowPredictions made;
  made.kind = loss.response();
  made.width = loss.outputs();
  made.known = std::move(known);
  made.numbers.resize(z.size());
  loss.mean(z, made.numbers);
  if (made.kind == ResponseKind::probability || made.kind == ResponseKind::score) {
    choose_classes(made);
    made.known_class = known_classes(made, !loss.of_classes());
    made.classes = std::move(classes);
    if (made.classes.empty() && !loss.of_classes()) made.classes = {"-1", "1"};
    for (Index k = static_cast<Index>(made.classes.size()); loss.of_classes() && k < made.width; ++k)
      made.classes.push_back(std::to_string(k));
  }
  if (!made.known.empty()) made.quality = quality_of(made, loss, z);
  return made;
}

std::vector<double> products_of_rows(const Solution& solution, const LinearTraining& training, Design design,
                                     const std::string& where,
                                     const std::function<void(const Design& fitted)>& use) {
  require_units(design, training, where);
  fit_columns(design, training, where);
  if (training.offset && design.offset.empty())
    throw Error(ErrorKind::data, where, "the model was trained with offsets, and these rows have none",
                "give them: --offset COLUMN, or --offset FILE with one number a row");
  const std::vector<double> offsets = training.offset ? std::move(design.offset) : std::vector<double>();
  use(design);
  const DesignMap map(std::make_shared<const Design>(std::move(design)), training.shape, training.outputs,
                      training.intercept);
  std::vector<double> z(static_cast<std::size_t>(map.size()));
  map.apply(1.0, point_of(solution, map.domain(), where), 0.0, z);
  for (std::size_t i = 0; i < offsets.size(); ++i) z[i] += offsets[i];
  return z;
}

RowPredictions predict_rows(const Solution& solution, const LinearTraining& training, const Loss& loss,
                            Design design, const std::string& where,
                            const std::function<std::string(Index)>& place) {
  if (!training.responses.empty()) {
    design.response.clear();
    const ResponsesLoss several(std::shared_ptr<const Loss>(std::shared_ptr<void>(), &loss),
                                std::make_shared<const Responses>(Responses{training.outputs, {}}));
    RowPredictions made = predictions_of(
        products_of_rows(solution, training, std::move(design), where, [](const Design&) {}), {}, several);
    made.responses = training.responses;
    return made;
  }
  std::vector<double> known;
  const std::vector<double> z =
      products_of_rows(solution, training, std::move(design), where,
                       [&](const Design& fitted) { known = targets_of(fitted, training, loss, place); });
  return predictions_of(z, std::move(known), loss, training.classes);
}

}  // namespace claros
