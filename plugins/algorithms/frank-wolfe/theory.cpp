// SPDX-License-Identifier: BSD-3-Clause
#include "theory.hpp"

#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace claros;

void NormalizedTheory::start(const Problem& problem, double diameter) {
  auto* theory = query<sdk::GradientTheory>(*problem.estimator);
  if (!theory)
    throw Error(ErrorKind::usage, "step",
                "'theory' needs a gradient estimator whose error is known to stay "
                "below epsilon/2 along steps of epsilon/L",
                "give estimator.batch = theory and estimator.epoch = theory (sg: the batch alone) with "
                "estimator.accuracy, or take estimator.use = full");
  numbers_ = theory->theory_steps();
  const auto lowest = problem.objective->constants().lower_bound;
  if (!lowest)
    throw Error(
        ErrorKind::usage, "step",
        "'theory' needs a lower bound of f for its number of steps, which the objective does not state",
        "give step = normalized, eta = epsilon/L and stop.iterations");
  lower_bound_ = *lowest;
  diameter_ = diameter;
  steps_ = 0;
}

double NormalizedTheory::eta() const {
  return numbers_.L > 0.0 ? numbers_.epsilon / numbers_.L : std::numeric_limits<double>::infinity();
}

void NormalizedTheory::see_first(const Problem& problem, const Element& x) {
  const double distance = std::max(0.0, problem.objective->value(x) - lower_bound_);
  const double steps =
      std::ceil(numbers_.L * distance / (numbers_.epsilon * numbers_.epsilon) * (1.0 - 1e-12));
  steps_ = static_cast<Index>(std::clamp(steps, 1.0, 0x1p53));
  problem.context.note("theory: epsilon = " + print_real(numbers_.epsilon) +
                       ", steps of epsilon/L = " + print_real(eta()) + ", T = " + std::to_string(steps_) +
                       " of them; x_t0 of a uniform t0 has an expected gap of at most 5 epsilon D = " +
                       print_real(5.0 * numbers_.epsilon * diameter_));
}
