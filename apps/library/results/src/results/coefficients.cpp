// SPDX-License-Identifier: BSD-3-Clause
#include <claros/results/coefficients.hpp>

#include <claros/abilities.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/parameters.hpp>
#include <claros/predictor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace claros {

namespace {

/// The largest magnitude that is rounding beside the others.
double rounding_of(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return 4.0 * std::numeric_limits<double>::epsilon() * largest;
}

Index penalised_size(const Composition& composition, const Element& x) {
  auto* tail = query<FreeTail>(*composition.objective);
  return tail ? tail->constrained_shape().size() : x.shape().size();
}

const LinearTraining* named_model(const Composition& composition) {
  auto* predictor = query<LinearPredictor>(*composition.objective);
  const LinearTraining* model = predictor ? &predictor->linear_training() : nullptr;
  return model && model->shape.size() == model->features * model->outputs &&
                 (model->outputs > 1 || model->shape.cols == 1)
             ? model
             : nullptr;
}

std::string column_name(const LinearTraining& model, Index j) {
  return model.columns.empty() ? "column " + std::to_string(j + 1)
                               : model.columns[static_cast<std::size_t>(j)];
}

std::string output_name(const LinearTraining& model, Index k) {
  if (model.outputs == 1) return {};
  if (!model.responses.empty()) return model.responses[static_cast<std::size_t>(k)];
  return model.classes.empty() ? std::to_string(k + 1) : model.classes[static_cast<std::size_t>(k)];
}

std::string csv_row(const std::string& name, const std::string& output, bool outputs,
                    const std::string& number) {
  return field_text(name, ',', "coefficients") +
         (outputs ? ',' + field_text(output, ',', "coefficients") : "") + ',' + number + '\n';
}

}  // namespace

std::optional<Coefficients> coefficients_of(const Composition& composition, const Element& x) {
  const LinearTraining* model = named_model(composition);
  if (!model || x.shape().is_product()) return std::nullopt;
  auto* rescaled = query<Rescaled>(*composition.objective);
  const std::vector<double> solved = x.to_dense(),
                            values = rescaled ? rescaled->original(x).to_dense() : solved;
  Coefficients result{{}, {}, model->shape.size()};
  const auto size = static_cast<std::size_t>(result.all);
  result.standardized = !std::ranges::equal(std::span(solved).first(size), std::span(values).first(size));
  const double rounding = rounding_of(std::span(solved).first(size));
  std::vector<std::size_t> order;
  for (std::size_t e = 0; e < size; ++e)
    if (std::abs(solved[e]) > rounding) order.push_back(e);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(solved[a]) > std::abs(solved[b]); });
  for (const std::size_t e : order) {
    const auto at = static_cast<Index>(e);
    result.largest_first.push_back(
        {column_name(*model, at % model->features), output_name(*model, at / model->features), values[e]});
  }
  for (std::size_t e = size; e < values.size(); ++e)
    result.intercepts.push_back({"intercept", output_name(*model, static_cast<Index>(e - size)), values[e]});
  return result;
}

std::vector<double> column_deviations(const Composition& composition) {
  constexpr Index kMost = 100'000;
  auto* rescaled = query<Rescaled>(*composition.objective);
  const Shape& shape = composition.objective->shape();
  if (!rescaled || !named_model(composition) || shape.is_product() || shape.size() > kMost) return {};
  const std::vector<double> ones(static_cast<std::size_t>(shape.size()), 1.0);
  std::vector<double> all = rescaled->scaled(Element::dense(shape, ones)).to_dense();
  if (auto* tail = query<FreeTail>(*composition.objective))
    all.resize(static_cast<std::size_t>(tail->constrained_shape().size()));
  if (std::ranges::all_of(all, [](double deviation) { return deviation == 1.0; })) all.clear();
  return all;
}

std::string coefficients_csv(const Coefficients& coefficients) {
  bool outputs = false;
  for (const auto* list : {&coefficients.intercepts, &coefficients.largest_first})
    for (const NamedCoefficient& c : *list) outputs = outputs || !c.output.empty();
  std::string text = csv_row("name", "class", outputs, "coefficient");
  for (const auto* list : {&coefficients.intercepts, &coefficients.largest_first})
    for (const NamedCoefficient& c : *list) text += csv_row(c.name, c.output, outputs, print_real(c.value));
  return text;
}

namespace {

/// The entries of every block that are not 0.
NamedEntries entries_of_blocks(const Element& x) {
  NamedEntries all;
  all.second = "column";
  for (Index k = 0; k < std::ssize(x.shape().blocks); ++k) {
    const Element& block = x.block(k);
    const std::vector<double> values = block.to_dense();
    const Index rows = block.shape().rows;
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < block.shape().cols; ++j)
        if (const double value = values[static_cast<std::size_t>(j * rows + i)]; value != 0.0)
          all.entries.push_back({"block " + std::to_string(k + 1) + ": " + std::to_string(i + 1),
                                 std::to_string(j + 1), value});
  }
  return all;
}

}  // namespace

std::optional<NamedEntries> entries_of(const Composition& composition, const Element& x) {
  constexpr Index kMost = 1'000'000, kMostOfFactors = 100'000;
  if (x.shape().size() > (only_low_rank(x) ? kMostOfFactors : kMost) ||
      query<Predictor>(*composition.objective))
    return std::nullopt;
  if (x.shape().is_product()) return entries_of_blocks(x);
  auto* rescaled = query<Rescaled>(*composition.objective);
  const std::vector<double> values = rescaled ? rescaled->original(x).to_dense() : x.to_dense();
  NamedEntries all;
  if (const LinearTraining* model = named_model(composition)) {
    all.second = model->outputs > 1 ? "class" : "";
    all.named = !model->columns.empty();
    for (Index e = 0; e < static_cast<Index>(values.size()); ++e) {
      const bool free = e >= model->shape.size();
      all.entries.push_back({free ? "intercept" : column_name(*model, e % model->features),
                             output_name(*model, free ? e - model->shape.size() : e / model->features),
                             values[static_cast<std::size_t>(e)]});
    }
    return all;
  }
  const Index rows = x.shape().rows, cols = x.shape().cols;
  const EntryNames names = entry_names(composition, x.shape());
  const auto name = [](const std::vector<std::string>& list, Index k) {
    return list.empty() ? std::to_string(k + 1) : list[static_cast<std::size_t>(k)];
  };
  all.named = !names.rows.empty() || !names.cols.empty();
  if (cols > 1) all.second = "column";
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      const double value = values[static_cast<std::size_t>(j * rows + i)];
      if (cols > 1 && value == 0.0) continue;
      all.entries.push_back({name(names.rows, i), cols > 1 ? name(names.cols, j) : std::string(), value});
    }
  return all;
}

std::string solution_csv(const NamedEntries& all) {
  std::string text =
      csv_row(all.second == "column" ? "row" : "name", all.second, !all.second.empty(), "value");
  for (const NamedCoefficient& e : all.entries)
    text += csv_row(e.name, e.output, !all.second.empty(), print_real(e.value));
  return text;
}

SolutionSize solution_size(const Composition& composition, const Element& x) {
  constexpr double kNegligible = 1e-10, kMostWork = 5e8;
  const Index plain = rank_or_support(x);
  if (plain == 0 || only_low_rank(x)) return {plain, only_low_rank(x) != nullptr};
  const Index rows = x.shape().rows, cols = x.shape().cols, less = std::min(rows, cols);
  const double work = static_cast<double>(rows) * static_cast<double>(cols) * static_cast<double>(less);
  // A product of blocks has no entries of its own, and those of a large sum of forms would fill memory.
  if (plain < 0 && (x.shape().is_product() || work > kMostWork)) return {plain, false};
  const std::vector<double> values = x.to_dense();
  const auto head = std::span(values).first(static_cast<std::size_t>(penalised_size(composition, x)));
  const double rounding = rounding_of(head);
  const auto support = static_cast<Index>(
      std::ranges::count_if(head, [&](double value) { return std::abs(value) > rounding; }));
  if (less < 2 || support < x.shape().size() || named_model(composition) || work > kMostWork)
    return {support, false};
  const std::vector<double> s = x.singular_values();
  return {static_cast<Index>(std::ranges::count_if(s, [&](double v) { return v > kNegligible * s.front(); })),
          true};
}

}  // namespace claros
