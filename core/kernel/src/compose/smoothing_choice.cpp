// SPDX-License-Identifier: BSD-3-Clause
#include "compose/smoothing_choice.hpp"

#include <claros/contain.hpp>
#include <claros/smoothing_accuracy.hpp>

#include <cmath>

namespace claros {

namespace {

constexpr const char* kSmoother = "smoother";

/// Whether the smoother that is named has a mu that follows from an eps.
bool chooses(const Catalog& catalog, const Spec& spec) {
  const auto use = spec.get(kSmoother, "use");
  const PluginEntry* entry = use ? catalog.find(Kind::smoother, use->value) : nullptr;
  if (!entry || !entry->usable()) return false;
  const auto has = [&](const std::string& name) {
    for (const ParameterInfo& row : entry->parameters().rows())
      if (row.name == name) return true;
    return false;
  };
  return has("mu") && has("eps");
}

}  // namespace

void SmoothingChoice::take(const Catalog& catalog, Spec& spec, Findings& findings) {
  const auto eps = spec.get(kSmoother, "eps");
  if (!eps || !chooses(catalog, spec)) return;
  double value = 0.0;
  try {
    value = parse_real(eps->value);
  } catch (const Error&) {
    return;  // told when the section is read
  }
  if (!(value > 0.0) || !std::isfinite(value)) return;  // likewise, or 0: not given
  if (spec.get(kSmoother, "mu")) {
    findings.add(
        {"smoother.eps", "both it and smoother.mu are given, and mu follows from eps", "keep one of them"});
    return spec.erase("smoother.eps");
  }
  eps_ = value;
  spec.erase("smoother.eps");
  spec.set("smoother.mu", "1");
}

double SmoothingChoice::put(Node& smoother, const Shape& shape) const {
  const auto* accuracy = query<SmoothingAccuracy>(*smoother.component);
  if (!accuracy)
    throw Error(ErrorKind::plugin, smoother.label(),
                "has the parameter eps and lacks the ability " + std::string(SmoothingAccuracy::kAbility),
                "give smoother.mu");
  const double gamma = contain(smoother.label(), [&] { return accuracy->gap_factor(shape); }),
               mu = 7.0 * eps_ / (92.0 * gamma);
  if (!(gamma > 0.0) || !(mu > 0.0) || !std::isfinite(mu))
    throw Error(ErrorKind::usage, "smoother.eps",
                "mu = 7 eps/(92 gamma) is no positive number for eps = " + print_real(eps_) +
                    " and gamma = " + print_real(gamma) + ", R_mu being within gamma mu of R",
                "give smoother.mu");
  smoother.entry->parameters().assign(smoother.options.get(), "mu", print_real(mu));
  return mu;
}

std::string SmoothingChoice::told(double mu) const {
  return "smoother: mu = 7 eps/(92 gamma) = " + print_real(mu) + " for eps = " + print_real(eps_) +
         " (gamma = " + print_real(7.0 * eps_ / (92.0 * mu)) + ")";
}

}  // namespace claros
