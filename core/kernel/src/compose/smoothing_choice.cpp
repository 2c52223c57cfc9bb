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
    return;  // reported when the section is read
  }
  if (!(value > 0.0) || !std::isfinite(value)) return;  // likewise, or 0: not given
  if (spec.get(kSmoother, "mu")) {
    findings.add({"smoother.eps", "smoother.mu is given as well, and eps determines mu", "keep one of them"});
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
                "has the parameter eps and not the ability " + std::string(SmoothingAccuracy::kAbility),
                "give smoother.mu");
  const double mu = contain(smoother.label(), [&] { return accuracy->mu_for(eps_, shape); });
  if (!(mu > 0.0) || !std::isfinite(mu))
    throw Error(ErrorKind::usage, "smoother.eps",
                "expected an eps with a finite mu above 0, got mu = " + print_real(mu) +
                    " for eps = " + print_real(eps_) + ": this smoother smooths nothing",
                "give smoother.mu");
  smoother.entry->parameters().assign(smoother.options.get(), "mu", print_real(mu));
  return mu;
}

std::string SmoothingChoice::text(double mu) const {
  return "smoother: mu = " + print_real(mu) + " for eps = " + print_real(eps_);
}

}  // namespace claros
