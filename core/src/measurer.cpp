// SPDX-License-Identifier: BSD-3-Clause
#include "measurer.hpp"

#include <claros/contain.hpp>

namespace claros {

double Measurer::value(const Element& x) const {
  const Element point = x.detached();
  double value = contain(names_.objective, [&] { return problem_.objective->value(point); });
  if (problem_.smoother) value += problem_.smoother->value(point);
  if (problem_.penalty) value += contain(names_.penalty, [&] { return problem_.penalty->value(point); });
  return value;
}

Measurement Measurer::measure(const Element& x) const {
  const Element point = x.detached();
  Measurement m;
  m.value = value(point);
  const bool has_gap = problem_.linear_oracle && !problem_.penalty && problem_.objective->components() != kUnbounded;
  if (!has_gap) return m;
  Element g(point.shape());
  contain(names_.objective, [&] {
    problem_.objective->add_gradient(point, Batch::all(), 1.0, g);
    if (problem_.smoother) problem_.smoother->add_gradient(point, Batch::all(), 1.0, g);
  });
  Element vertex;
  const OracleInfo info =
      contain(names_.set, [&] { return problem_.linear_oracle->minimize(g, {tolerance_, true}, vertex); });
  m.gap = inner(g, point) - info.lower_bound;
  m.gap_kind = "frank-wolfe";
  m.confirmed = info.confirmed;
  return m;
}

}  // namespace claros
