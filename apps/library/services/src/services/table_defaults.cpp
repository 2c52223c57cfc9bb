// SPDX-License-Identifier: BSD-3-Clause
#include "services/table_defaults.hpp"

#include <claros/dataset.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/fields.hpp>
#include <claros/io/text_input.hpp>
#include <claros/map/design.hpp>
#include <claros/parts/design_parts.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace claros {

namespace {

/// The value of an option, or nothing if the component lacks it.
std::string option(const Node& part, const char* key) {
  const bool has = part.entry && part.entry->parameters().find(key);
  return has ? part.entry->parameters().print(part.options.get(), key) : std::string();
}

bool is_open(const Node& part, const char* key) { return option(part, key) == "auto"; }

bool is_of_table(const Node& objective, const Context& context) {
  const std::string data = option(objective, "data");
  DesignOptions options;
  options.format = option(objective, "format");
  options.table = {option(objective, "delimiter"), option(objective, "header")};
  if (!data.empty()) return !is_part_pattern(data, context) && is_table(context.resolve(data), options);
  const auto design = context.data ? context.data->design() : nullptr;
  return design && !design->is_sparse() && !design->column_names.empty();
}

/// True if an option is stated for the rows as they are written.
bool is_for_rows_as_they_are(const Node& objective) {
  constexpr std::array<std::pair<const char*, const char*>, 5> kUsual{{{"shape", "auto"},
                                                                       {"errors_in_variables", "0"},
                                                                       {"smoothness", "0"},
                                                                       {"strong_convexity", "0"},
                                                                       {"unit_rows", "false"}}};
  return std::ranges::any_of(kUsual, [&](const auto& usual) {
    const std::string value = option(objective, usual.first);
    return !value.empty() && value != usual.second;
  });
}

/// True for a factor of single coefficients or of groups of them. Bounds are in the units of the table, and
/// differences of neighbours compare coefficients with each other.
bool depends_on_units(const Node& penalty) {
  if (!penalty.held.empty()) return std::ranges::all_of(penalty.held, depends_on_units);
  const bool bounded = std::ranges::any_of(std::array{"rho", "radius"}, [&](const char* key) {
    const std::string value = option(penalty, key);
    return !value.empty() && value != "inf";
  });
  return !bounded && !option(penalty, "lambda").empty() && option(penalty, "along").empty() &&
         option(penalty, "map").empty();
}

/// The columns time and event of a table, for an objective of both if the user names neither.
std::vector<Setting> survival_columns(const Node& objective, const Context& context) {
  const bool open = objective.entry && objective.entry->parameters().find("event") &&
                    option(objective, "event").empty() && is_open(objective, "response");
  if (!open || !is_of_table(objective, context)) return {};
  std::vector<std::string> names;
  if (const std::string data = option(objective, "data"); !data.empty()) {
    TextInput input(context.resolve(data));
    names = FieldReader(input, option(objective, "delimiter"), option(objective, "header"), 1).names();
  }
  const auto named = [&](std::string_view wanted) {
    const auto is = [&](const std::string& name) {
      return std::ranges::equal(name, wanted, {}, [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    };
    return std::ranges::count_if(names, is) == 1 ? *std::ranges::find_if(names, is) : std::string();
  };
  const std::string time = named("time"), event = named("event");
  if (time.empty() || event.empty()) return {};
  context.note(
      "the columns time and event of the table are taken for both (objective.response, objective.event)");
  return {{"response", time, {}, "objective"}, {"event", event, {}, "objective"}};
}

const Node* of_kind(const std::vector<Node>& parts, Kind kind) {
  const auto at = std::ranges::find(parts, kind, &Node::kind);
  return at == parts.end() ? nullptr : &*at;
}

}  // namespace

std::vector<Setting> table_defaults(const std::vector<Node>& parts, const Context& context) {
  const Node& objective = *of_kind(parts, Kind::objective);
  std::vector<Setting> settings = survival_columns(objective, context);
  const bool intercept = is_open(objective, "intercept"), standardize = is_open(objective, "standardize");
  if ((!intercept && !standardize) || of_kind(parts, Kind::set) || is_for_rows_as_they_are(objective) ||
      !is_of_table(objective, context))
    return settings;
  const Node* penalty = of_kind(parts, Kind::penalty);
  std::string taken, left;
  int count = 0;
  const auto take = [&](const char* key, const char* words) {
    settings.push_back({key, "true", {}, "objective"});
    ++count;
    taken += (taken.empty() ? "" : " and ") + std::string(words);
    left += (left.empty() ? "objective." : ", objective.") + std::string(key) + " = no";
  };
  if (intercept) take("intercept", "an intercept");
  const std::string center = option(objective, "center");  // empty for a model without an intercept
  if (standardize && (center.empty() || center == "auto") && penalty && depends_on_units(*penalty))
    take("standardize", "standardised columns");
  if (count > 0)
    context.note("the data is a table: the model has " + taken + "; coefficients are in the table's units (" +
                 left + " leave" + (count == 1 ? "s it" : " them") + " out)");
  return settings;
}

}  // namespace claros
