// SPDX-License-Identifier: BSD-3-Clause
#include "measurer.hpp"

#include <claros/contain.hpp>
#include <claros/watched.hpp>

#include <algorithm>
#include <cmath>
#include <variant>

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
  const bool has_gap =
      problem_.linear_oracle && !problem_.penalty && problem_.objective->components() != kUnbounded;
  if (has_gap && std::isfinite(m.value)) add_gap(point, m);
  if (problem_.truth) m.rmse_truth = rmse_truth(point);
  if (auto* held_out = query<HeldOut>(*problem_.objective))
    m.test_rmse = contain(names_.objective, [&] { return held_out->test_rmse(point); });
  return m;
}

/// Entry by entry where some form is dense anyway: else the norm comes from products of the forms, which
/// cancel.
double Measurer::rmse_truth(const Element& x) const {
  Element error(x);
  error.add(-1.0, *problem_.truth);
  if (std::any_of(error.parts().begin(), error.parts().end(),
                  [](const auto& part) { return std::holds_alternative<DenseForm>(part.form); }))
    (void)error.dense_values();
  return norm(error) / std::sqrt(static_cast<double>(x.shape().size()));
}

double Measurer::estimator_error(const Element& x, const Element& g) const {
  Element error(x.shape());
  contain(names_.objective, [&] { problem_.objective->add_gradient(x.detached(), Batch::all(), 1.0, error); });
  error.add(-1.0, g);
  return norm(error);
}

/// Confirmation tells singular values (or vertices) apart only to its tolerance: where that is not small
/// beside the gap, the bound on the minimum could rise above it, and the oracle is asked again, more tightly.
void Measurer::add_gap(const Element& x, Measurement& m) const {
  constexpr double kShare = 0.05, kTightest = 1e-10;
  Element g(x.shape()), vertex;
  contain(names_.objective, [&] {
    problem_.objective->add_gradient(x, Batch::all(), 1.0, g);
    if (problem_.smoother) problem_.smoother->add_gradient(x, Batch::all(), 1.0, g);
  });
  auto* membership = problem_.set ? query<Membership>(*problem_.set) : nullptr;
  m.gap_kind = "frank-wolfe";
  const double here = inner(g, x);
  for (double tolerance = tolerance_;;) {
    const OracleInfo info =
        minimize_checked(*problem_.linear_oracle, membership, names_, g, {tolerance, true}, vertex);
    m.gap = here - info.lower_bound;
    m.confirmed = info.confirmed;
    const double wanted = kShare * m.gap / std::abs(info.lower_bound);
    if (!m.confirmed || tolerance <= kTightest || !(wanted < tolerance)) return;
    tolerance = std::max(kTightest, 0.5 * wanted);
  }
}

}  // namespace claros
