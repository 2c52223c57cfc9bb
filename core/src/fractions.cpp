// SPDX-License-Identifier: BSD-3-Clause
#include "fractions.hpp"
#include "null_model.hpp"

#include <claros/contain.hpp>

#include <cmath>

namespace claros {

namespace {

std::string name_of(const ResolvedFraction& fraction) { return fraction.key.substr(fraction.key.find('.') + 1); }

double largest_useful(const Composition::Choice& choice, Component& penalty, Objective& f) {
  const std::string label = choice.entry->label();
  auto* ability = query<LambdaMax>(penalty);
  if (!ability)
    throw Error(ErrorKind::plugin, label, "takes fractions of max and cannot say what max is: it lacks the ability " +
                std::string(LambdaMax::kAbility), "give a number");
  const Element g = contain("objective", [&] { return null_gradient(f); });
  const double max = contain(label, [&] { return ability->lambda_max(g); });
  if (std::isfinite(max) && max >= 0.0) return max;
  throw Error(ErrorKind::numerical, label, "says that its largest useful value is " + print_real(max),
              "give a number, and look for values in the data that are not finite");
}

}  // namespace

std::vector<ResolvedFraction> take_fractions(const Composition::Choice& choice) {
  std::vector<ResolvedFraction> fractions;
  if (!choice.entry) return fractions;
  const ParameterList& table = *choice.entry->parameters;
  for (const ParameterInfo& row : table.rows()) {
    if (!row.range.of_max) continue;
    const ScaledNumber written = parse_scaled(table.print(choice.options.get(), row.name));
    if (!written.of_max) continue;
    fractions.push_back({kind_name(choice.entry->kind) + '.' + row.name, print_scaled(written)});
    table.assign(choice.options.get(), row.name, example_value(row));
  }
  return fractions;
}

void resolve_fractions(std::vector<ResolvedFraction>& fractions, const Composition::Choice& choice, Component& penalty,
                       Objective& f) {
  const double max = largest_useful(choice, penalty, f);
  for (ResolvedFraction& fraction : fractions) {
    fraction.max = max;
    fraction.number = parse_scaled(fraction.written).value * max;
    try {
      choice.entry->parameters->assign(choice.options.get(), name_of(fraction), print_real(fraction.number));
    } catch (const Error& error) {
      throw Error(ErrorKind::usage, fraction.key,
                  fraction.written + " is " + print_real(fraction.number) + ", since 0 solves the problem for every value above " +
                      print_real(max),
                  error.complaints().front().remedy);
    }
  }
}

}  // namespace claros
