// SPDX-License-Identifier: BSD-3-Clause
#include "compose/fractions.hpp"
#include "compose/null_model.hpp"

#include <claros/contain.hpp>

#include <cmath>
#include <optional>

namespace claros {

namespace {

std::string name_of(const ResolvedFraction& fraction) {
  return fraction.key.substr(fraction.key.rfind('.') + 1);
}

double largest_useful(const Node& part, Objective& f) {
  const std::string label = part.label();
  auto* ability = query<LambdaMax>(*part.component);
  if (!ability)
    throw Error(ErrorKind::plugin, label,
                "takes fractions of max and cannot compute max: it does not have the ability " +
                    std::string(LambdaMax::kAbility),
                "give a number");
  const auto free = contain(label, [&] { return ability->free_entries(); });
  const Element g = contain("objective", [&] { return null_gradient(f, free); });
  const double max = contain(label, [&] { return ability->lambda_max(g); });
  if (std::isfinite(max) && max >= 0.0) return max;
  throw Error(ErrorKind::numerical, label, "says that its largest useful value is " + print_real(max),
              "give a number, and look for values in the data that are not finite");
}

void resolve(ResolvedFraction& fraction, const Node& part, double max) {
  fraction.max = max;
  fraction.number = parse_scaled(fraction.written).value * max;
  try {
    part.entry->parameters().assign(part.options.get(), name_of(fraction), print_real(fraction.number));
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, fraction.key,
                fraction.written + " is " + print_real(fraction.number) +
                    ", since 0 solves the problem for every value above " + print_real(max),
                error.complaints().front().remedy);
  }
}

}  // namespace

void take_fractions(const Node& part, std::vector<ResolvedFraction>& fractions) {
  for (const Node& held : part.held) take_fractions(held, fractions);
  if (!part.entry || !part.options) return;
  const ParameterList& table = part.entry->parameters();
  for (const ParameterInfo& row : table.rows()) {
    if (!row.range.of_max) continue;
    const ScaledNumber written = parse_scaled(table.print(part.options.get(), row.name));
    if (!written.of_max) continue;
    fractions.push_back({part.path + '.' + row.name, print_scaled(written)});
    table.assign(part.options.get(), row.name, example_value(row));
  }
}

bool resolve_fractions(std::vector<ResolvedFraction>& fractions, const Node& part, Objective& f) {
  bool any = false;
  for (const Node& held : part.held) any = resolve_fractions(fractions, held, f) || any;
  std::optional<double> max;
  for (ResolvedFraction& fraction : fractions) {
    if (fraction.key != part.path + '.' + name_of(fraction)) continue;
    if (!part.component) return any;  // it could not be made, and that was said
    if (!max) max = largest_useful(part, f);
    resolve(fraction, part, *max);
    any = true;
  }
  return any;
}

}  // namespace claros
