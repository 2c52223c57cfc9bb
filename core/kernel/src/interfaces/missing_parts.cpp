// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/missing_parts.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace claros {

namespace {

std::string in_words(const std::string& ability) {
  if (ability == LinearOracle::kAbility) return "a linear oracle";
  if (ability == ProximalOracle::kAbility) return "a proximal oracle";
  if (ability == BlockOracle::kAbility) return "blocks (set.use = product)";
  if (ability == Faces::kAbility) return "in-face directions (nuclear-ball, spectrahedron, psd-trace)";
  if (ability == Curvature::kAbility) return "Hessian products";
  if (ability == ComponentCoefficients::kAbility)
    return "component gradients that are a few numbers on fixed rows (a table of whole gradients would take "
           "n times "
           "the memory of the variable)";
  if (ability == LossOfImage::kAbility || ability == Restrictable::kAbility)
    return "a loss of A x whose columns are at hand (linear-model of one output a row, without errors in "
           "variables; no smoother added)";
  if (ability == Separable::kAbility)
    return "a proximal step for every coordinate or group (no side constraint rho)";
  return ability;
}

/// Whether the problem's `role` offers the ability; null-safe. An estimator that is missing is complained
/// about already.
bool offers(const Problem& problem, const std::string& role, const Need& need) {
  if (role == "estimator") return !problem.estimator || has_property(*problem.estimator, need.ability);
  if (role == "objective") return !problem.objective || problem.objective->ability(need.ability);
  if (role == "penalty")
    return need.ability == Separable::kAbility ? problem.separable != nullptr : problem.penalty != nullptr;
  if (need.ability == LinearOracle::kAbility) return problem.linear_oracle != nullptr;
  if (need.ability == ProximalOracle::kAbility) return problem.projection != nullptr;
  return problem.set && problem.set->ability(need.ability);
}

void add_needed(const Problem& p, const Algorithm& algorithm, const ComponentNames& names,
                std::vector<MissingPart>& missing) {
  for (const Need& need : algorithm.needs()) {
    const bool if_given = need.role.ends_with('?');
    const std::string role = need.role.substr(0, need.role.size() - (if_given ? 1 : 0));
    const bool of_set = role == "set",
               present = of_set ? p.set != nullptr : role != "penalty" || p.penalty != nullptr;
    if ((if_given && !present) || offers(p, role, need)) continue;
    const std::string& name = of_set                ? names.set
                              : role == "estimator" ? names.estimator
                              : role == "objective" ? names.objective
                                                    : names.penalty;
    const std::string article = role == "estimator" || role == "objective" ? "an " : "a ";
    const std::string wanted = role == "estimator"
                                   ? " needs an estimator that is " + need.ability
                                   : " needs " + article + role + " with " + in_words(need.ability);
    const std::string state =
        !present ? "there is no " + role : name + (role == "estimator" ? " is not" : " has none");
    missing.push_back({role,
                       need.ability,
                       {role, names.algorithm + wanted + ": " + need.reason + "; " + state,
                        "compose with " + article + role +
                            (role == "estimator" ? " that is" : " that has it") + ", or another algorithm"}});
  }
}

/// What is composed and would be left out of the answer in silence, or cannot be worked with.
void add_untaken(const Problem& p, const Algorithm& algorithm, const ComponentNames& names,
                 std::vector<MissingPart>& missing) {
  const Takes takes = algorithm.takes();
  const std::string because = takes.reason.empty() ? "" : ": " + takes.reason;
  const auto refuse = [&](const std::string& where, const std::string& what, const std::string& remedy) {
    missing.push_back(
        {"algorithm", where, {where, names.algorithm + " does not minimise " + what + because, remedy}});
  };
  if (p.penalty && !takes.penalty)
    refuse("penalty", "a penalty, and would leave out " + names.penalty,
           "leave it out, or take another algorithm");
  if (p.set && !takes.set)
    refuse("set", "over a set, and would leave out " + names.set, "leave it out, or take another algorithm");
  if (p.penalty && p.set && takes.penalty && takes.set && !takes.both)
    missing.push_back({"algorithm",
                       "penalty and set",
                       {"set",
                        "a penalty and a set at once are not taken by " + names.algorithm + because +
                            " (in the place of a ball most penalties take a side constraint, penalty.rho)",
                        "leave one out, or take another algorithm"}});
  if (p.smoother && !takes.smoother)
    refuse("smoother", "a smoother", "give it the sum of the objective and the smoother as its objective");
}

/// What steps, constants and residuals are made of.
void add_unfit_convexity(const ProximalOracle* oracle, const std::string& role, const std::string& name,
                         std::vector<MissingPart>& missing) {
  const double mu = oracle ? oracle->weak_convexity() : 0.0;
  if (mu >= 0.0 && (std::isfinite(mu) || role == "penalty")) return;
  missing.push_back({role,
                     {},
                     {role, name + " states a weak convexity of " + std::to_string(mu),
                      role == "penalty" ? "it is at least 0, and infinite of a penalty that no multiple of "
                                          "the squared norm makes convex: tell its author"
                                        : "a set is convex: tell its author"}});
}

void add_unconvexifiable(const Problem& p, const Algorithm& algorithm, const ComponentNames& names,
                         std::vector<MissingPart>& missing) {
  const Takes takes = algorithm.takes();
  if (!p.penalty || !takes.penalty || takes.any_penalty ||
      p.penalty->weak_convexity() != std::numeric_limits<double>::infinity())
    return;
  missing.push_back(
      {"algorithm",
       "any penalty",
       {"penalty",
        names.algorithm +
            " works with penalties that a multiple of the squared norm makes convex, and none does so with " +
            names.penalty,
        "take a penalty such as mcp or scad, or another algorithm"}});
}

}  // namespace

std::vector<MissingPart> missing_parts(const Problem& problem, const Algorithm& algorithm,
                                       const ComponentNames& names) {
  std::vector<MissingPart> missing;
  if (!problem.objective)
    missing.push_back(
        {"objective", {}, {"objective", "is missing", "give one: a composition minimises something"}});
  if (!problem.estimator)
    missing.push_back({"estimator", {}, {"estimator", "is missing", "use full for the gradient itself"}});
  add_needed(problem, algorithm, names, missing);
  add_untaken(problem, algorithm, names, missing);
  add_unconvexifiable(problem, algorithm, names, missing);
  add_unfit_convexity(problem.penalty, "penalty", names.penalty, missing);
  add_unfit_convexity(problem.projection, "set", names.set, missing);
  if (!problem.objective || !problem.estimator) return missing;
  for (const std::string& ability : problem.estimator->needs())
    if (!problem.objective->ability(ability))
      missing.push_back(
          {"objective",
           ability,
           {"estimator",
            names.estimator + " needs " + in_words(ability) + ", which " + names.objective + " does not have",
            "use another estimator, or an objective that has it"}});
  return missing;
}

bool has_property(GradientEstimator& estimator, std::string_view property) {
  if (property == Need::kExact) return estimator.exact();
  if (property == Need::kUnbiased) return estimator.unbiased() || estimator.exact();
  return estimator.ability(property) != nullptr;
}

void refuse_missing(const Problem& problem, const Algorithm& algorithm, const ComponentNames& names) {
  std::vector<Complaint> complaints;
  for (MissingPart& missing : missing_parts(problem, algorithm, names))
    complaints.push_back(std::move(missing.complaint));
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

}  // namespace claros
