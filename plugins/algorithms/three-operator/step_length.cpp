// SPDX-License-Identifier: BSD-3-Clause
#include "step_length.hpp"

#include <claros/error.hpp>

#include <cmath>
#include <limits>

using namespace claros;

namespace {

// Of the values that are compared.
constexpr double kRounding = 1e-13;

bool is_known(double L) { return L > 0.0 && std::isfinite(L); }

}  // namespace

void StepLength::start(Objective& f, bool exact) {
  f_ = &f;
  std::string rule = options_.step;
  if (rule == "line-search" && !exact)
    throw Error(ErrorKind::usage, "algorithm.step",
                "'line-search' compares values of f along its gradient, which a stochastic estimate is not",
                "use estimator.use = full, or give algorithm.step = NUMBER");
  double L = 0.0;
  if (rule == "auto" || rule == "1/L")
    L = (exact || rule == "1/L" ? f.constants().smoothness : f.constants().component_smoothness)
            .value_or(0.0);
  if (rule == "auto" && exact && !is_known(L)) rule = "line-search";
  searches_ = grows_ = rule == "line-search";
  if (searches_ && options_.decay != "none")
    throw Error(ErrorKind::usage, "algorithm.decay", "the line search finds the lengths of its steps",
                "give algorithm.step = NUMBER or 1/L, or leave the decay out");
  if ((rule == "auto" || rule == "1/L") && !is_known(L))
    throw Error(ErrorKind::usage, "algorithm.step",
                "'" + rule + "' needs the smoothness of " + (exact || rule == "1/L" ? "f" : "one component") +
                    ", which the objective does not know",
                "give algorithm.step = NUMBER");
  if (searches_)
    gamma_ = 1.0;
  else if (rule == "auto")
    gamma_ = exact ? 1.0 / L : 1.0 / (3.0 * L);
  else
    gamma_ = rule == "1/L" ? 1.0 / L : parse_real(rule);
}

double StepLength::at(Index t) const {
  if (options_.decay == "none") return gamma_;
  const double slowed = 1.0 + static_cast<double>(t) / static_cast<double>(options_.decay_steps);
  return gamma_ / (options_.decay == "sqrt" ? std::sqrt(slowed) : slowed);
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
    throw Error(ErrorKind::numerical, "algorithm.step",
                "no step is short enough for f to lie below its parabola",
                "see whether the gradient is that of the value: claros doctor shows it");
  return gamma_ *= 0.5, true;
}

void StepLength::state(StateVisitor& v) {
  v("length", gamma_);
  v.require(gamma_ > 0.0 && std::isfinite(gamma_), "length", "no length of a step");
  v("grows", grows_);
}
