// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/corners.hpp>
#include <claros/error.hpp>
#include <claros/kind.hpp>
#include <claros/missing_parts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace claros {

namespace {

/// True if the problem has what is needed; null-safe. A missing objective or estimator is another complaint.
bool offers(const Problem& problem, const Need& need) {
  if (need.role == Kind::estimator)
    return !problem.estimator || has_property(*problem.estimator, need.ability);
  if (need.role == Kind::objective) return !problem.objective || problem.objective->ability(need.ability);
  // The problem has these as the variable sees them.
  if (need.ability == LinearOracle::kAbility) return problem.linear_oracle != nullptr;
  if (need.ability == Separable::kAbility) return problem.separable != nullptr;
  if (need.role == Kind::penalty) return problem.penalty != nullptr;
  if (need.ability == ProximalOracle::kAbility) return problem.projection != nullptr;
  return problem.set && problem.set->ability(need.ability);
}

bool is_present(const Problem& problem, Kind role) {
  if (role == Kind::set) return problem.set != nullptr;
  return role != Kind::penalty || problem.penalty != nullptr;
}

const std::string& name_of(Kind role, const ComponentNames& names) {
  switch (role) {
    case Kind::set:
      return names.set;
    case Kind::estimator:
      return names.estimator;
    case Kind::objective:
      return names.objective;
    default:
      return names.penalty;
  }
}

/// The complaint about a need that `owner` has and the problem does not meet.
MissingPart unmet(const Problem& problem, const Need& need, const std::string& owner,
                  const ComponentNames& names) {
  const std::string role = kind_name(need.role);
  const bool property = need.role == Kind::estimator, present = is_present(problem, need.role);
  const std::string article = property || need.role == Kind::objective ? "an " : "a ";
  const std::string wanted = " needs " + article + role + (property ? " that is " : " with ") + need.words;
  const std::string state = !present ? "no " + role + " is given"
                                     : name_of(need.role, names) + (property ? " is not" : " has none");
  return {role,
          need.ability,
          {role, owner + wanted + ": " + need.reason + "; " + state,
           "choose " + article + role + (property ? " that is" : " that has it") + ", or another algorithm"}};
}

void add_needed(const Problem& p, const Algorithm& algorithm, const ComponentNames& names,
                std::vector<MissingPart>& missing) {
  for (const Need& need : algorithm.needs())
    if (!(need.if_any && !is_present(p, need.role)) && !offers(p, need))
      missing.push_back(unmet(p, need, names.algorithm, names));
}

/// Adds composed parts that the algorithm would leave out of the solution in silence, or cannot work with.
void add_untaken(const Problem& p, const Algorithm& algorithm, const ComponentNames& names,
                 std::vector<MissingPart>& missing) {
  const Takes takes = algorithm.takes();
  const std::string because = takes.reason.empty() ? "" : ": " + takes.reason;
  const auto refuse = [&](const std::string& where, const std::string& what, const std::string& remedy) {
    missing.push_back(
        {"algorithm", where, {where, names.algorithm + " does not minimise " + what + because, remedy}});
  };
  const auto rounds = [](const Need& need) { return need.ability == Cornered::kAbility; };
  if (p.objective && query<Cornered>(*p.objective) && std::ranges::none_of(algorithm.needs(), rounds))
    missing.push_back(
        {"algorithm",
         {},
         {"objective", names.algorithm + " needs a smooth objective, and the loss has a corner",
          "take algorithm.use = multipliers, or round the corner: objective.loss.delta above 0"}});
  if (p.penalty && !takes.penalty)
    refuse("penalty", "a penalty, and would leave out " + names.penalty,
           "leave it out, or take another algorithm");
  if (p.set && !takes.set)
    refuse("set", "over a set, and would leave out " + names.set, "leave it out, or take another algorithm");
  if (p.penalty && p.set && takes.penalty && takes.set && !takes.both)
    missing.push_back({"algorithm",
                       "penalty and set",
                       {"set",
                        names.algorithm + " does not take a penalty and a set at once" + because +
                            " (most penalties take a ball as a side constraint, penalty.rho)",
                        "leave one out, or take another algorithm"}});
  if (p.smoother && !takes.smoother)
    refuse("smoother", "a smoother", "give it the sum of the objective and the smoother as its objective");
}

/// Steps, constants and residuals are made of this number.
void add_unfit_convexity(const ProximalOracle* oracle, const std::string& role, const std::string& name,
                         std::vector<MissingPart>& missing) {
  const double mu = oracle ? oracle->weak_convexity() : 0.0;
  if (mu >= 0.0 && (std::isfinite(mu) || role == "penalty")) return;
  missing.push_back(
      {role,
       {},
       {role, name + " states a weak convexity of " + std::to_string(mu),
        role == "penalty" ? "expected a number >= 0, or infinity where no multiple of the "
                            "squared norm makes the penalty convex: report it to the plugin's author"
                          : "expected 0, since a set is convex: report it to the plugin's author"}});
}

void add_unconvexifiable(const Problem& p, const Algorithm& algorithm, const ComponentNames& names,
                         std::vector<MissingPart>& missing) {
  const Takes takes = algorithm.takes();
  if (!p.penalty || !takes.penalty || takes.any_penalty ||
      p.penalty->weak_convexity() != std::numeric_limits<double>::infinity())
    return;
  missing.push_back(
      {"algorithm",
       p.set ? "" : "any penalty",  // none takes it on a set
       {"penalty",
        names.algorithm +
            " needs a weakly convex penalty (h + (mu/2)||.||^2 convex for some finite mu), and " +
            names.penalty + " is not weakly convex",
        p.set ? "leave the set out, or choose a penalty such as mcp or scad"
              : "choose a penalty such as mcp or scad, or another algorithm"}});
}

}  // namespace

std::vector<MissingPart> missing_parts(const Problem& problem, const Algorithm& algorithm,
                                       const ComponentNames& names) {
  std::vector<MissingPart> missing;
  if (!problem.objective)
    missing.push_back({"objective", {}, {"objective", "is missing", "choose one: objective.use = NAME"}});
  if (!problem.estimator)
    missing.push_back(
        {"estimator",
         {},
         {"estimator", "is missing", "choose one: estimator.use = full is the exact gradient"}});
  add_needed(problem, algorithm, names, missing);
  add_untaken(problem, algorithm, names, missing);
  add_unconvexifiable(problem, algorithm, names, missing);
  add_unfit_convexity(problem.penalty, "penalty", names.penalty, missing);
  add_unfit_convexity(problem.projection, "set", names.set, missing);
  if (!problem.objective || !problem.estimator) return missing;
  for (const Need& need : problem.estimator->needs())
    if (!offers(problem, need))
      missing.push_back({"objective",
                         need.ability,
                         {"estimator",
                          names.estimator + " needs " + need.words + ": " + need.reason + "; " +
                              names.objective + " does not have it",
                          "use another gradient estimator, or an objective that has it"}});
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
