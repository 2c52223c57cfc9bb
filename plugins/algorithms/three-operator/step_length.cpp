// SPDX-License-Identifier: BSD-3-Clause
#include "step_length.hpp"

#include <claros/error.hpp>

#include <cmath>
#include <string>

using namespace claros;

namespace {

// The rounding of the values that are compared.
constexpr double kRounding = 1e-13;

bool is_known(double L) { return L > 0.0 && std::isfinite(L); }

}  // namespace

void StepLength::start(Objective& f, bool exact) {
  f_ = &f;
  const bool automatic = options_.step == StepWord::automatic, of_f = options_.step == StepWord::one_over_L;
  searches_ = options_.step == StepWord::line_search;
  if (searches_ && !exact)
    throw Error(ErrorKind::usage, "step",
                "'line-search' compares values of f along its gradient, which a stochastic estimate is not",
                "use estimator.use = full, or give step = NUMBER");
  double L = 0.0;
  if (automatic || of_f)
    L = (exact || of_f ? f.constants().smoothness : f.constants().term_smoothness).value_or(0.0);
  if (automatic && exact && !is_known(L)) searches_ = true;
  grows_ = searches_;
  if (searches_ && options_.decay != sdk::Decay::none)
    throw Error(ErrorKind::usage, "decay", "the line search finds the lengths of its steps",
                "give step = NUMBER or 1/L, or leave the decay out");
  if (!searches_ && (automatic || of_f) && !is_known(L))
    throw Error(ErrorKind::usage, "step",
                std::string("'") + (of_f ? "1/L" : "auto") + "' needs the smoothness of " +
                    (exact || of_f ? "f" : "one component") + ", which the objective does not state",
                "give step = NUMBER");
  if (searches_)
    gamma_ = 1.0;
  else
    gamma_ = options_.step.is_number() ? options_.step.number() : exact || of_f ? 1.0 / L : 1.0 / (3.0 * L);
}

bool StepLength::is_good(const Element& x, const Element& g, const Element& to) const {
  const double from = f_->value(x), square = inner_differences(to, x, to, x);
  return f_->value(to) <=
         from + inner_difference(g, to, x) + square / (2.0 * gamma_) + kRounding * std::abs(from);
}

bool StepLength::again(const Element& x, const Element& g, const Element& to) {
  constexpr double kShortest = 1e-100, kLongest = 1e100;
  if (!searches_) return false;
  const bool good = is_good(x, g, to), moved = inner_differences(to, x, to, x) > 0.0;
  if (good && grows_ && moved && gamma_ < kLongest) return gamma_ *= 2.0, true;
  if (good) return false;
  grows_ = false;
  if (gamma_ < kShortest)
    throw Error(ErrorKind::numerical, "step", "no step is short enough for f to lie below its parabola",
                "see whether the gradient is that of the value: claros doctor shows it");
  return gamma_ *= 0.5, true;
}

void StepLength::state(StateVisitor& v) {
  v("length", gamma_);
  v.require(gamma_ > 0.0 && std::isfinite(gamma_), "length", "no length of a step");
  v("grows", grows_);
}
