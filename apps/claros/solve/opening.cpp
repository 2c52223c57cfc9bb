// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/linear_predictor.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <vector>

#include "cli/terminal.hpp"
#include "solve/summary.hpp"

namespace claros::cli {

namespace {

/// The name of the component in the outermost role, with that of its loss; empty if there is none.
std::string name_of(const Composition& composition, const std::string& role) {
  for (const Node& part : composition.parts) {
    if (part.path != role) continue;
    std::string name = part.entry ? part.entry->name : part.label();
    for (const Node& held : part.held)
      if (held.role == "loss" && held.entry) name += " with the loss " + held.entry->name;
    return name;
  }
  return {};
}

std::string size_of(const Composition& composition) {
  const Index n = composition.objective->terms();
  return " (" + composition.objective->shape().text() +
         (n == kUnbounded ? ", an expectation)" : ", n = " + std::to_string(n) + ')');
}

/// " along columns" where a penalty of a matrix compares neighbours in some direction.
std::string direction(const Composition& composition) {
  const auto along = composition.effective.get("penalty", "along");
  if (!along) return {};
  const Shape& shape = composition.objective->shape();
  return shape.rows > 1 && shape.cols > 1 ? " along " + along->value : "";
}

/// ", with intercept, columns standardised" of a linear model that has both.
std::string units(const Composition& composition) {
  auto* model = query<LinearPredictor>(*composition.objective);
  auto* rescaled = query<Rescaled>(*composition.objective);
  std::string text = model && model->linear_training().intercept ? ", with intercept" : "";
  if (!model || !rescaled) return text;
  const std::vector<double> ones(static_cast<std::size_t>(composition.objective->shape().size()), 1.0);
  const auto original = rescaled->original(Element::dense(composition.objective->shape(), ones)).to_dense();
  const auto features = static_cast<std::ptrdiff_t>(model->linear_training().features);
  const bool scaled =
      std::any_of(original.begin(), original.begin() + features, [](double c) { return c != 1.0; });
  return text + (scaled ? ", columns standardised" : ", columns centred");
}

std::string problem(const Composition& composition) {
  std::string text = name_of(composition, "objective") + size_of(composition);
  for (const char* added : {"smoother", "penalty"})
    if (const std::string name = name_of(composition, added); !name.empty()) text += " + " + name;
  text += direction(composition);
  if (const std::string name = name_of(composition, "set"); !name.empty()) text += " over " + name;
  return text + units(composition);
}

std::string method(const Composition& composition) {
  const std::string estimator = name_of(composition, "estimator");
  return name_of(composition, "algorithm") +
         (estimator.empty() || estimator == "full" ? "" : " with " + estimator);
}

std::string ending(const Composition& composition) {
  std::vector<std::string> rules;
  for (const Setting& rule : set_rules(composition)) rules.push_back(rule.key + " = " + rule.value);
  return rules.empty() ? "" : ", until " + joined(rules, " or ");
}

}  // namespace

std::vector<Setting> set_rules(const Composition& composition) {
  std::vector<Setting> rules = composition.effective.settings("stop");
  std::erase_if(rules, [](const Setting& rule) {
    return rule.value == "0" || rule.value == "-inf" || rule.value.empty();
  });
  return rules;
}

std::string opening(const Composition& composition) {
  return printable("minimising " + problem(composition) + ", by " + method(composition) +
                   ending(composition));
}

}  // namespace claros::cli
