// SPDX-License-Identifier: BSD-3-Clause
#include <claros/run_loop.hpp>

namespace claros {

namespace {

std::string in_words(const std::string& ability) {
  if (ability == LinearOracle::kAbility) return "a linear oracle";
  if (ability == ProximalOracle::kAbility) return "a proximal oracle";
  if (ability == Curvature::kAbility) return "Hessian products";
  if (ability == ComponentCoefficients::kAbility)
    return "component gradients that are a few numbers on fixed rows (a table of whole gradients would take n times "
           "the memory of the variable)";
  return ability;
}

/// Whether the problem's `role` offers the ability; null-safe.
bool offers(const Problem& problem, const Need& need) {
  if (need.role == "penalty") return problem.penalty != nullptr;
  if (need.ability == LinearOracle::kAbility) return problem.linear_oracle != nullptr;
  if (need.ability == ProximalOracle::kAbility) return problem.projection != nullptr;
  return problem.set && problem.set->ability(need.ability);
}

}  // namespace

std::vector<MissingPart> missing_parts(const Problem& problem, const Algorithm& algorithm, const ComponentNames& names) {
  std::vector<MissingPart> missing;
  if (!problem.objective) missing.push_back({"objective", {}, {"objective", "is missing", "give one: a composition minimises something"}});
  if (!problem.estimator) missing.push_back({"estimator", {}, {"estimator", "is missing", "use full for the gradient itself"}});
  for (const Need& need : algorithm.needs()) {
    if (offers(problem, need)) continue;
    const bool of_set = need.role == "set", present = of_set ? problem.set != nullptr : problem.penalty != nullptr;
    const std::string state = present ? (of_set ? names.set : names.penalty) + " has none" : "there is no " + need.role;
    missing.push_back({need.role, need.ability,
                       {need.role, names.algorithm + " needs a " + need.role + " with " + in_words(need.ability) + ": " + need.reason + "; " + state, "compose with a " + need.role + " that has it, or another algorithm"}});
  }
  if (!problem.objective || !problem.estimator) return missing;
  for (const std::string& ability : problem.estimator->needs())
    if (!problem.objective->ability(ability))
      missing.push_back({"objective", ability,
                         {"estimator", names.estimator + " needs " + in_words(ability) + ", which " + names.objective + " does not have", "use another estimator, or an objective that has it"}});
  return missing;
}

}  // namespace claros
