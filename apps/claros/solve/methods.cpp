// SPDX-License-Identifier: BSD-3-Clause
#include "solve/methods.hpp"

#include <claros/compose/compose_again.hpp>
#include <claros/results/coefficients.hpp>
#include <claros/watch/counts.hpp>

#include <algorithm>
#include <utility>

#include "catalogue/small_problems.hpp"

namespace claros::cli {

namespace {

constexpr Index kTrialSteps = 5;
constexpr double kTrialPasses = 5.0;
constexpr Index kTrialDraws = 100;  ///< steps on an expectation, which has no passes

const std::string kSection = kind_name(Kind::algorithm);

const Node& algorithm_node(const Composition& c) {
  return *std::ranges::find(c.parts, Kind::algorithm, &Node::kind);
}

/// The settings that every method gets: numbers in the place of fractions of max, and a few steps as the only
/// rule.
Spec trial_spec(const Composition& chosen, Spec spec, double seconds) {
  for (const ResolvedFraction& fraction : chosen.fractions)
    spec.set(fraction.key, print_real(fraction.number));
  for (const char* section : {"stop", "trace", "output"}) spec.erase(section);
  const bool exact = chosen.estimator->exact(), finite = chosen.objective->terms() != kUnbounded;
  if (exact || !finite) spec.set("stop.iterations", std::to_string(exact ? kTrialSteps : kTrialDraws));
  if (!exact && finite) spec.set("stop.passes", print_real(kTrialPasses));
  spec.set("stop.seconds", print_real(seconds));
  spec.set("trace.on", "no");
  spec.set("run.trials", "1");
  return spec;
}

std::string size_text(const Composition& c, const Element& x) {
  const SolutionSize size = solution_size(c, x);
  if (size.count < 0) return {};
  return size.is_rank ? "rank " + std::to_string(size.count) : std::to_string(size.count) + " nonzeros";
}

/// Composes and makes the steps; what is refused or fails is kept as complaints.
void try_out(Method& method, const Catalog& catalog, const Composition& chosen, const Spec& spec,
             const TrialLimits& limits) {
  try {
    const Composition c = compose_again(chosen, catalog, spec);
    method.name = algorithm_of(c);
    RunSettings settings = run_settings(c);
    settings.interrupt = limits.interrupt;
    method.trial = run(c, settings);
    if (is_trouble(method.trial.status))
      method.refused = {{"algorithm/" + method.algorithm,
                         text(method.trial.status) + ": " + method.trial.failure, "take another algorithm"}};
    const Index n = c.objective->terms();
    method.terms = n == kUnbounded ? 0.0 : static_cast<double>(n);
    method.size = size_text(c, method.trial.answer);
  } catch (const Error& error) {
    method.refused = error.complaints();
  }
}

}  // namespace

std::string algorithm_of(const Composition& composition) {
  const Node& node = algorithm_node(composition);
  std::string name = node.entry ? node.entry->name : node.label();
  for (const Node& held : node.held)
    if (held.kind == Kind::algorithm && held.entry) name += " with " + held.entry->name + " inside";
  return name;
}

Spec without_algorithm(const Spec& spec) {
  const auto use = spec.get(kSection, std::string(kUse));
  Spec open = spec;
  if (use && use->value != kAutoAlgorithm) open.erase(kSection);
  return open;
}

std::vector<Method> methods_of(const Catalog& catalog, const Composition& chosen, const Spec& spec,
                               const TrialLimits& limits) {
  const std::string of_auto = algorithm_node(chosen).entry->name;
  const auto use = spec.get(kSection, std::string(kUse));
  const PluginEntry* named = use ? catalog.find(Kind::algorithm, use->value) : nullptr;
  const ExampleWords examples(catalog);
  std::vector<Method> methods;
  for (const std::string& name : catalog.names(Kind::algorithm)) {
    if (limits.interrupt && *limits.interrupt) break;
    Method method;
    method.algorithm = method.name = name;
    method.is_auto = name == of_auto;
    method.is_named = named && named->name == name;
    Spec own = method.is_named ? spec : without_algorithm(spec);
    if (!method.is_named && !method.is_auto) {
      own.erase(kSection);
      own.assign(examples.of(Kind::algorithm, name, kSection));
    }
    try_out(method, catalog, chosen, trial_spec(chosen, std::move(own), limits.seconds), limits);
    methods.push_back(std::move(method));
  }
  std::ranges::stable_sort(methods, {}, [](const Method& m) { return m.runs() ? (m.is_auto ? 0 : 1) : 2; });
  return methods;
}

}  // namespace claros::cli
