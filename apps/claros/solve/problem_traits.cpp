// SPDX-License-Identifier: BSD-3-Clause
#include "solve/problem_traits.hpp"

#include <claros/abilities.hpp>
#include <claros/objective.hpp>

#include <fmt/format.h>

#include <cmath>

namespace claros::cli {

namespace {

std::string of_objective(const Traits& t) {
  std::string text = "f is ";
  text += t.smoothness ? fmt::format("smooth (L = {:.3g})", *t.smoothness) : "of unknown smoothness";
  text += t.f_is_convex ? " and convex" : " and not known to be convex";
  if (t.strong_convexity && *t.strong_convexity > 0.0)
    text += fmt::format(" (strongly: {:.3g})", *t.strong_convexity);
  return text;
}

}  // namespace

Traits::Traits(const Composition& c) {
  const Constants constants = c.objective->constants();
  smoothness = constants.smoothness;
  strong_convexity = constants.strong_convexity;
  f_is_convex = is_convex(*c.objective);
  const Problem p = c.problem();
  if (p.penalty) weak_convexity = p.penalty->weak_convexity();
  has_penalty = p.penalty;
  has_set = p.set;
  separable = p.separable;
  linear_oracle = p.linear_oracle;
  projection = p.projection;
  spectral = p.set && query<SpectralGap>(*p.set);
  expensive = p.set && p.projection && query<ProximalOracle>(*p.set)->is_expensive();
}

std::string of_penalty(const Traits& t) {
  return std::string("the penalty is ") +
         (t.weak_convexity == 0.0           ? "convex"
          : std::isfinite(t.weak_convexity) ? "weakly convex"
                                            : "not convex") +
         (t.separable ? ", separable" : ", not separable");
}

std::string of_set(const Traits& t) {
  std::string text = "the set has ";
  text += t.linear_oracle ? "a linear oracle" : "no linear oracle";
  text += !t.projection ? " and no projection"
          : t.expensive ? " and an expensive projection"
                        : " and a projection";
  return text + (t.spectral ? ", and vertices of low rank" : "");
}

std::string properties(const Traits& t) {
  std::string text = of_objective(t);
  if (t.has_penalty) text += "; " + of_penalty(t);
  if (t.has_set) text += "; " + of_set(t);
  return text;
}

}  // namespace claros::cli
