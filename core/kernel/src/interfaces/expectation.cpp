// SPDX-License-Identifier: BSD-3-Clause
#include <claros/expectation.hpp>

namespace claros {

MeasuredExpectation::~MeasuredExpectation() = default;

Objective* measured_function(Objective& f) {
  if (f.terms() != kUnbounded) return &f;
  auto* expectation = query<MeasuredExpectation>(f);
  return expectation ? &expectation->measured() : nullptr;
}

Index held_out_draws(Objective& f) {
  auto* expectation = f.terms() == kUnbounded ? query<MeasuredExpectation>(f) : nullptr;
  return expectation ? expectation->held_out() : 0;
}

std::string measured_on(Objective& f) {
  if (const Index n = f.terms(); n != kUnbounded)
    return n == 1 ? "the function" : "all " + std::to_string(n) + " components";
  if (!query<MeasuredExpectation>(f))
    return "nothing: of this expectation neither a closed form nor a sample is known";
  const Index draws = held_out_draws(f);
  return draws == 0 ? "the expectation, in closed form" : std::to_string(draws) + " draws held out";
}

}  // namespace claros
