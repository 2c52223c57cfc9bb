// SPDX-License-Identifier: BSD-3-Clause
#include "targets.hpp"

#include "offset_loss.hpp"
#include "responses.hpp"

#include <claros/io/label_rule.hpp>
#include <claros/parameters.hpp>
#include <claros/responses_loss.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace linear_model {

using namespace claros;

namespace {

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < 5; ++k) text += (k ? ", " : "") + names[k];
  return names.size() > 5 ? text + ", ..." : text;
}

Targets classes(const Design& design, const std::shared_ptr<Loss>& loss, const std::string& where,
                const Context& context) {
  Targets targets{design.response, loss, design.labels};
  if (design.labels.empty()) {
    std::vector<double> values = design.response;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const bool is_whole =
        std::all_of(values.begin(), values.end(), [](double y) { return y == std::floor(y); });
    if (static_cast<Index>(values.size()) * 2 > design.rows && values.size() > 20) {
      const std::string found = std::to_string(values.size()) + " different responses in " +
                                std::to_string(design.rows) + " rows are ";
      if (!is_whole)
        throw Error(ErrorKind::data, where, found + "not classes",
                    "a loss of classes needs few values, or whole ones; for numbers take loss = squared");
      context.note(found + "taken as classes; for numbers take loss = squared");
    }
    for (double& y : targets.values)
      y = static_cast<double>(std::lower_bound(values.begin(), values.end(), y) - values.begin());
    for (const double value : values) targets.classes.push_back(print_real(value));
  }
  if (targets.classes.size() < 2)
    throw Error(ErrorKind::data, where, "all responses are '" + targets.classes.front() + "'",
                "a loss of classes needs at least two");
  loss->set_classes(static_cast<Index>(targets.classes.size()));
  return targets;
}

/// The distinct responses, ascending; `most` of them at most.
std::vector<double> distinct(const std::vector<double>& y, std::size_t most) {
  std::vector<double> found;
  for (const double value : y) {
    const auto at = std::lower_bound(found.begin(), found.end(), value);
    if (at != found.end() && *at == value) continue;
    found.insert(at, value);
    if (found.size() > most) break;
  }
  return found;
}

std::vector<std::string> names_of(const Design& design) {
  if (!design.labels.empty()) return design.labels;
  std::vector<std::string> names;
  for (const double value : distinct(design.response, 20)) names.push_back(print_real(value));
  return names;
}

/// 1 if the rule holds, else -1.
std::vector<double> ruled(const Design& design, const LabelRule& rule, const Origin& origin,
                          const Context& context) {
  if (!design.labels.empty() && rule.list().empty())
    throw Error(
        ErrorKind::usage, "positive",
        "'" + rule.text() + "' compares numbers, and the responses are names (" + list(design.labels) + ")",
        "list the names: positive = " + design.labels.back());
  for (const std::string& item : rule.list()) {
    const auto is_item = [&](double y) {
      return design.labels.empty() ? LabelRule(item, "positive").holds(y)
                                   : design.labels[static_cast<std::size_t>(y)] == item;
    };
    if (std::none_of(design.response.begin(), design.response.end(), is_item))
      throw Error(ErrorKind::data, origin.where,
                  "no row has the response '" + item + "', which positive lists",
                  "the responses are " + list(names_of(design)));
  }
  std::vector<double> y;
  for (const double value : design.response)
    y.push_back((design.labels.empty() ? rule.holds(value)
                                       : rule.holds(design.labels[static_cast<std::size_t>(value)]))
                    ? 1.0
                    : -1.0);
  const auto positive = std::count(y.begin(), y.end(), 1.0);
  context.note("responses " + rule.text() + " (" + std::to_string(positive) +
               " rows) are taken as 1, all others (" +
               std::to_string(static_cast<Index>(y.size()) - positive) + " rows) as -1");
  return y;
}

/// Two classes that the data tell: by name, as -1 and 1, 0 and 1, or 1 and 2. Others stay, to be refused one
/// by one.
void map_signs(const Design& design, const Origin& origin, const Context& context, Targets& targets) {
  if (!design.labels.empty() && design.labels.size() != 2)
    throw Error(ErrorKind::data, origin.where,
                "the response has " + std::to_string(design.labels.size()) + " classes (" +
                    list(design.labels) + "); this loss tells two apart",
                "say with positive = NAME,... which are 1, or take loss = multinomial");
  const std::vector<double> values = distinct(design.response, 2);
  targets.classes = names_of(design);
  const bool taken = values == std::vector<double>{0.0, 1.0} || values == std::vector<double>{1.0, 2.0};
  if (!taken) return;
  for (double& value : targets.values) value = value == values[0] ? -1.0 : 1.0;
  const std::string mark = design.labels.empty() ? "" : "'";
  context.note("responses " + mark + targets.classes[0] + mark + " and " + mark + targets.classes[1] + mark +
               " are taken as -1 and 1");
}

void make_signs(const Design& design, const std::string& positive, const Origin& origin,
                const Context& context, Targets& targets) {
  if (positive.empty()) {
    map_signs(design, origin, context, targets);
  } else {
    targets.values = ruled(design, LabelRule(positive, "positive"), origin, context);
    targets.classes = {"-1", "1"};
  }
  if (distinct(targets.values, 1).size() == 1 && targets.loss->accepts(targets.values[0]))
    throw Error(ErrorKind::data, origin.where,
                "all " + std::to_string(targets.values.size()) + " responses are " +
                    (positive.empty() ? names_of(design).front()
                                      : print_real(targets.values[0]) + " by positive = " + positive) +
                    ": one class only",
                "a loss of two classes needs rows of both");
}

/// The targets of several responses a row, all of them numbers.
Targets of_responses(const Design& design, const std::shared_ptr<Loss>& loss, const Origin& origin) {
  if (loss->of_classes() || wants_signs(*loss))
    throw Error(ErrorKind::usage, "responses", "are several a row, and the loss is one of classes",
                "take a loss of numbers, such as squared, or one response");
  const auto& all = design.responses->values;
  const auto K = static_cast<std::size_t>(design.responses->count);
  for (std::size_t i = 0; i < design.response.size(); ++i)
    for (std::size_t k = 0; k < K; ++k)
      if (const double y = all[static_cast<std::size_t>(design.response[i]) * K + k]; !loss->accepts(y))
        throw Error(ErrorKind::data, origin.place(origin.row(static_cast<Index>(i))),
                    "response " + std::to_string(k + 1) + " of row " +
                        std::to_string(origin.row(static_cast<Index>(i)) + 1) + " is " + print_real(y) +
                        "; the loss needs " + loss->targets(),
                    "change the responses, or take another loss");
  return {design.response,
          std::make_shared<const ResponsesLoss>(loss, design.responses),
          {},
          largest_responses(design)};
}

/// True if the name is a number but for its commas, at least one; `thousands`: each before three digits.
bool has_commas(const std::string& name, bool thousands) {
  const std::size_t sign = name.starts_with('-') || name.starts_with('+') ? 1 : 0;
  std::size_t digits = 0, commas = 0;
  for (std::size_t k = name.size(); k-- > sign;) {
    if (name[k] >= '0' && name[k] <= '9') {
      ++digits;
      continue;
    }
    if (name[k] != ',' || digits == 0 || (thousands && digits != 3)) return false;
    ++commas, digits = 0;
  }
  return thousands ? commas > 0 && digits > 0 && digits <= 3 : commas == 1;
}

/// For numbers with commas, which are no names.
std::string remedy_of(const std::vector<std::string>& names) {
  const auto all = [&](bool thousands) {
    return std::ranges::all_of(names, [&](const std::string& name) { return has_commas(name, thousands); });
  };
  if (all(true))
    return "write thousands without commas, 1000 for 1,000; where the comma "
           "stands before decimals set decimal = comma";
  if (all(false)) return "set decimal = comma, if the comma stands before decimals";
  return "take loss = logistic or multinomial, or another response";
}

}  // namespace

void expect_weight_of_classes(const Design& design, const std::vector<Index>& kept,
                              const std::string& where) {
  if (kept.empty()) return;
  std::vector<double> seen;
  for (const Index i : kept) seen.push_back(design.response[at(i)]);
  std::ranges::sort(seen);
  for (const double y : design.response)
    if (!std::ranges::binary_search(seen, y))
      throw Error(ErrorKind::data, where,
                  "all rows of class '" +
                      (design.labels.empty() ? print_real(y) : design.labels[static_cast<std::size_t>(y)]) +
                      "' have the weight 0",
                  "leave out the rows of this class, or give one of them a weight above 0");
}

Targets make_targets(const Design& design, const std::shared_ptr<Loss>& loss, const std::string& positive,
                     const Origin& origin, const Context& context) {
  if (!positive.empty() && !wants_signs(*loss))
    throw Error(ErrorKind::usage, "positive", "is given, and the loss is not one of two classes",
                "take loss = logistic or squared-hinge, or leave it out");
  if (design.responses) return of_responses(design, loss, origin);
  if (loss->of_classes()) return classes(design, loss, origin.where, context);
  Targets targets{design.response, loss, {}};
  if (wants_signs(*loss))
    make_signs(design, positive, origin, context, targets);
  else if (!design.labels.empty())
    throw Error(ErrorKind::data, origin.where,
                "the response holds class names (" + list(design.labels) + "), and the loss needs numbers",
                remedy_of(design.labels));
  for (std::size_t i = 0; i < targets.values.size(); ++i)
    if (!loss->accepts(targets.values[i]))
      throw Error(ErrorKind::data, origin.place(origin.row(static_cast<Index>(i))),
                  "the response of row " + std::to_string(origin.row(static_cast<Index>(i)) + 1) + " is " +
                      print_real(targets.values[i]) + "; the loss needs " + loss->targets() +
                      (wants_signs(*loss) ? ", or 0 and 1, or 1 and 2" : ""),
                  wants_signs(*loss) ? "say with positive which responses are 1 (1,3,7 or <= 10), "
                                       "or take another loss"
                                     : "change the responses, or take another loss");
  return targets;
}

void expect_intercept(const Targets& targets, const std::vector<double>& weights, const std::string& where) {
  if (targets.loss->response() != ResponseKind::count) return;
  const auto K = static_cast<std::size_t>(targets.loss->outputs());
  std::vector<double> slope(targets.values.size() * K);
  std::vector<bool> rises(K, false);  // as the intercept falls; far out exponentials go on along tangents
  for (const double far : {-1e1, -1e2, -1e3, -1e6}) {
    targets.loss->derivative(std::vector<double>(slope.size(), far), targets.values, slope);
    for (std::size_t k = 0; k < K; ++k) {
      double sum = 0.0;
      for (std::size_t i = 0; i < targets.values.size(); ++i)
        sum += (weights.empty() ? 1.0 : weights[i]) * slope[i * K + k];
      rises[k] = rises[k] || sum < 0.0;
    }
  }
  if (std::ranges::all_of(rises, std::identity())) return;
  throw Error(ErrorKind::data, where,
              "all " + std::to_string(targets.values.size()) + " responses are 0" +
                  (K > 1 ? " of one of the " + std::to_string(K) + " that a row has" : "") +
                  ": the intercept that fits them best is minus infinity, and no minimum exists",
              "give rows with a response above 0, or leave out the intercept");
}

Targets with_offsets(Targets targets, const std::vector<double>& offsets, const std::string& where) {
  if (targets.loss->outputs() > 1)
    throw Error(
        ErrorKind::usage, "offset",
        "the rows (" + where + ") have offsets, one number a row, and the loss has several outputs a row",
        "leave the offset out, or subtract it from several responses");
  if (std::ranges::all_of(offsets, [](double o) { return o == 0.0; })) return targets;
  if (targets.loss->constants().of_difference) {
    for (std::size_t i = 0; i < offsets.size(); ++i) targets.values[i] -= offsets[i];
    return targets;
  }
  for (std::size_t i = 0; i < offsets.size(); ++i)
    targets.sizes.push_back(std::abs(targets.values[i]) + std::abs(offsets[i]));
  auto loss = std::make_shared<const OffsetLoss>(targets.loss, std::move(targets.values), offsets);
  targets.values = loss->numbers();
  targets.loss = std::move(loss);
  return targets;
}

}  // namespace linear_model
