// SPDX-License-Identifier: BSD-3-Clause
#include "compose/deferred_numbers.hpp"
#include "proof/null_model.hpp"

#include <claros/abilities.hpp>
#include <claros/contain.hpp>

#include <cmath>
#include <optional>

namespace claros {

namespace {

template <class Ability>
Ability& asked(const Node& part, const char* what, const char* remedy) {
  if (auto* ability = query<Ability>(*part.component)) return *ability;
  throw Error(ErrorKind::plugin, part.label(),
              std::string(what) + ": it does not have the ability " + std::string(Ability::kAbility), remedy);
}

}  // namespace

double largest_useful(const Node& part, Objective& f) {
  const std::string label = part.label();
  auto& ability = asked<LambdaMax>(part, "takes fractions of max and cannot compute max", "give a number");
  const std::vector<Index> free = contain(label, [&] { return ability.free_entries(); });
  const Element g = contain("objective", [&] { return null_gradient(f, free); });
  const double max = contain(label, [&] { return ability.lambda_max(g); });
  if (std::isfinite(max) && max >= 0.0) return max;
  throw Error(ErrorKind::numerical, label, "says that its largest useful value is " + print_real(max),
              "give a number, and look for values in the data that are not finite");
}

namespace {

double mu_for(const Node& smoother, double eps, Objective& f) {
  const auto& ability =
      asked<SmoothingAccuracy>(smoother, "takes eps and cannot compute mu from it", "give smoother.mu");
  const auto* tail = query<FreeTail>(f);
  const Shape shape = contain("objective", [&] { return tail ? tail->constrained_shape() : f.shape(); });
  const double mu = contain(smoother.label(), [&] { return ability.mu_for(eps, shape); });
  if (mu > 0.0 && std::isfinite(mu)) return mu;
  throw Error(ErrorKind::usage, "smoother.eps",
              "expected an eps with a finite mu above 0, got mu = " + print_real(mu) +
                  " for eps = " + print_real(eps) + ": this smoother smooths nothing",
              "give smoother.mu");
}

/// eps of the smoother, where its mu follows from it; 0 if it is not given, or is refused when read.
double given_eps(const Catalog& catalog, const Spec& spec) {
  const PluginEntry* entry = entry_at(catalog, spec, "smoother");
  const auto eps = spec.get("smoother", "eps");
  if (!eps || !entry || !entry->usable()) return 0.0;
  if (!entry->parameters().find("mu") || !entry->parameters().find("eps")) return 0.0;
  try {
    const double value = parse_real(eps->value);
    return value > 0.0 && std::isfinite(value) ? value : 0.0;
  } catch (const Error&) {
    return 0.0;
  }
}

}  // namespace

void DeferredNumbers::take_accuracy(const Catalog& catalog, Spec& spec, Findings& findings) {
  const double eps = given_eps(catalog, spec);
  if (eps == 0.0) return;
  spec.erase("smoother.eps");
  if (spec.get("smoother", "mu"))
    return findings.add(
        {"smoother.eps", "smoother.mu is given as well, and eps determines mu", "keep one of them"});
  spec.set("smoother.mu", "1");
  all_.push_back({{"smoother.mu", "eps = " + print_real(eps)}, eps, false});
}

void DeferredNumbers::take_fractions(const Node& planned) {
  for (const Node& held : planned.held) take_fractions(held);
  if (!planned.entry) return;
  const ParameterList& table = planned.entry->parameters();
  for (const ParameterInfo& row : table.rows()) {
    if (!row.range.of_max) continue;
    const ScaledNumber written = parse_scaled(table.print(planned.options.get(), row.name));
    if (!written.of_max) continue;
    all_.push_back({{planned.path + '.' + row.name, print_scaled(written)}, written.value});
    table.assign(planned.options.get(), row.name, example_value(row));
  }
}

bool DeferredNumbers::resolve(const Node& built, Objective& f, const Context& context) {
  bool any = false;
  for (const Node& held : built.held) any = resolve(held, f, context) || any;
  std::optional<double> max;
  for (Number& n : all_) {
    const auto dot = n.key.rfind('.');
    if (n.key.substr(0, dot) != built.path || !std::isnan(n.number)) continue;
    if (!built.component) return any;  // it could not be built, and that was said
    if (n.of_max) n.max = max ? *max : max.emplace(largest_useful(built, f));
    if (n.max == 0.0)
      context.warn(n.key +
                   " is 0, as max is: the response is 0 or orthogonal to all columns (check the data)");
    n.number = n.of_max ? n.given * n.max : mu_for(built, n.given, f);
    try {
      built.entry->parameters().assign(built.options.get(), n.key.substr(dot + 1), print_real(n.number));
    } catch (const Error& error) {
      if (!n.of_max) throw;
      throw Error(ErrorKind::usage, n.key,
                  n.written + " is " + print_real(n.number) + ", with max = " + print_real(n.max),
                  error.complaints().front().remedy);
    }
    if (!n.of_max) context.note("smoother: mu = " + print_real(n.number) + " for " + n.written);
    any = true;
  }
  return any;
}

void DeferredNumbers::report(Composition& composition) const {
  for (const Number& n : all_) {
    composition.effective.set(n.key, print_real(n.number));
    if (n.of_max) composition.fractions.push_back(n);
  }
}

}  // namespace claros
