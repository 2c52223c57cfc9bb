// SPDX-License-Identifier: BSD-3-Clause
#include "targets.hpp"

#include <claros/parameters.hpp>

#include <algorithm>

namespace linear_model {

using namespace claros;

namespace {

bool wants_signs(const Loss& loss) {
  return loss.accepts(-1.0) && loss.accepts(1.0) && !loss.accepts(0.0);
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < 5; ++k) text += (k ? ", " : "") + names[k];
  return names.size() > 5 ? text + ", ..." : text;
}

Targets classes(const Design& design, const std::shared_ptr<Loss>& loss, const std::string& where) {
  Targets targets{design.response, loss, design.labels};
  if (design.labels.empty()) {
    std::vector<double> distinct = design.response;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    if (static_cast<Index>(distinct.size()) * 2 > design.rows && distinct.size() > 20)
      throw Error(
          ErrorKind::data, where,
          std::to_string(distinct.size()) + " different responses in " + std::to_string(design.rows) +
              " rows are not classes",
          "a loss of classes needs a response with few values; for numbers take objective.loss = squared");
    for (double& y : targets.values)
      y = static_cast<double>(std::lower_bound(distinct.begin(), distinct.end(), y) - distinct.begin());
    for (const double value : distinct) targets.classes.push_back(print_real(value));
  }
  if (targets.classes.size() < 2)
    throw Error(ErrorKind::data, where, "all responses are '" + targets.classes.front() + "'",
                "a loss of classes needs at least two");
  loss->set_classes(static_cast<Index>(targets.classes.size()));
  return targets;
}

void map_signs(const Design& design, const std::string& where, const Context& context,
               std::vector<double>& y) {
  if (!design.labels.empty() && design.labels.size() != 2)
    throw Error(ErrorKind::data, where,
                "the response has " + std::to_string(design.labels.size()) + " classes (" +
                    list(design.labels) + "); this loss tells two apart",
                "take objective.loss = multinomial");
  const bool zeros_and_ones =
      std::all_of(y.begin(), y.end(), [](double v) { return v == 0.0 || v == 1.0; }) &&
      std::count(y.begin(), y.end(), 0.0) > 0;
  if (design.labels.empty() && !zeros_and_ones) return;
  for (double& value : y) value = value == 0.0 ? -1.0 : 1.0;
  context.note(design.labels.empty() ? "responses 0 and 1 are taken as -1 and 1"
                                     : "responses '" + design.labels[0] + "' and '" + design.labels[1] +
                                           "' are taken as -1 and 1");
}

}  // namespace

Targets make_targets(const Design& design, const std::shared_ptr<Loss>& loss, const std::string& where,
                     const Context& context) {
  if (loss->of_classes()) return classes(design, loss, where);
  Targets targets{design.response, loss, {}};
  if (wants_signs(*loss))
    map_signs(design, where, context, targets.values);
  else if (!design.labels.empty())
    throw Error(ErrorKind::data, where,
                "the response holds class names (" + list(design.labels) + "), and the loss needs numbers",
                "take objective.loss = logistic or multinomial, or another objective.response");
  for (std::size_t i = 0; i < targets.values.size(); ++i)
    if (!loss->accepts(targets.values[i]))
      throw Error(ErrorKind::data, where,
                  "the response of row " + std::to_string(i + 1) + " is " + print_real(targets.values[i]) +
                      "; the loss needs " + loss->targets(),
                  "change the responses, or take another objective.loss");
  return targets;
}

}  // namespace linear_model
