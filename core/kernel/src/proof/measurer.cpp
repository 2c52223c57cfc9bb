// SPDX-License-Identifier: BSD-3-Clause
#include "proof/measurer.hpp"

#include "state/state_members.hpp"

#include <claros/abilities.hpp>
#include <claros/contain.hpp>
#include <claros/domain.hpp>
#include <claros/expectation.hpp>
#include <claros/interruption.hpp>
#include <claros/watch/watched.hpp>

#include <algorithm>
#include <cmath>
#include <variant>

namespace claros {

bool FullData::measures() const { return measured_function(*problem_.objective) != nullptr; }

/// For an expectation without a measured function, the expectation itself: its value may be known.
Objective& FullData::function() const {
  Objective* f = contain(names_.objective, [&] { return measured_function(*problem_.objective); });
  return f ? *f : *problem_.objective;
}

double FullData::value(const Element& x) const {
  const Uncounted measuring(*problem_.ledger);
  const Element point = x.detached();
  Objective& f = function();
  double value = contain(names_.objective, [&] { return f.value(point); });
  if (problem_.smoother) value += problem_.smoother->value(point);
  if (problem_.penalty) value += contain(names_.penalty, [&] { return problem_.penalty->value(point); });
  return value;
}

double FullData::value_at_zero() const try {
  return value(Element(problem_.objective->shape()));
} catch (const Error&) {
  return kUnknown;
}

Element FullData::gradient(const Element& x) const {
  Element g(x.shape());
  contain(names_.objective, [&] {
    function().add_gradient(x, Batch::all(), 1.0, g);
    if (problem_.smoother) problem_.smoother->add_gradient(x, Batch::all(), 1.0, g);
  });
  return g;
}

double FullData::diameter() {
  if (!diameter_) diameter_ = problem_.linear_oracle->diameter(problem_.objective->shape());
  return *diameter_;
}

Remembered::Remembered(const Problem& problem) {
  const auto add = [&](const std::string& name, Component* part) {
    State* state = part ? query<State>(*part) : nullptr;
    if (state && has_members(*state)) parts_.emplace_back(name, state);
  };
  for (const Kept& kept : problem.kept)
    if (kept.name.starts_with("set") || kept.name.starts_with("penalty")) add(kept.name, kept.component);
  if (problem.kept.empty()) add("set", problem.set);
  if (parts_.empty()) return;
  if (auto* referable = query<Referable>(*problem.objective)) referable->refer(references_);
  StateWriter out(references_);
  for (const auto& [name, state] : parts_) out(name, state);
  bytes_ = out.bytes();
}

void Remembered::give_back() const {
  if (parts_.empty()) return;
  StateReader in(bytes_, references_, "measurement");
  for (const auto& [name, state] : parts_) in(name, state);
}

void Measurer::start(const Element& x0) {
  if (measures() && x0.is_zero() && residual_.exists(gap_.exists())) residual_.start(x0);
}

Measurement Measurer::measure(const Element& x, double multiplications, const Element* subgradient) {
  const Uncounted measuring(*problem_.ledger);
  value_measured_ = kUnknown;
  const Element point = x.detached();
  Measurement m;
  Remembered(problem_).during([&] {
    gap_.begin(subgradient);
    const double bound = gap_.lower_bound(point);  // its pass leaves the image to the value
    m.value = value_measured_ = value(point);
    Interruption::poll();
    if (!measures() || !std::isfinite(m.value)) return;
    const bool has_gap = gap_.add(point, bound, m);
    if (residual_.exists(has_gap)) residual_.add(point, multiplications, m);
  });
  if ((m.held_out = held_out_draws(*problem_.objective)) > 0) m.bounds_minimum = false;
  if (auto* smoothing = query<Smoothing>(problem_.smoother ? *problem_.smoother : function()))
    m.unsmoothed = m.value + contain(names_.objective, [&] { return smoothing->correction(point); });
  if (problem_.truth) m.rmse_truth = rmse_truth(point);
  m.test_rmse = test_rmse(point);
  return m;
}

double Measurer::test_rmse(const Element& x) const {
  auto* held_out = query<HeldOut>(*problem_.objective);
  if (!held_out) return kUnknown;
  const Uncounted measuring(*problem_.ledger);
  return contain(names_.objective, [&] { return held_out->test_rmse(x.detached()); });
}

/// Works entry by entry if some form is dense anyway: the norm's products of forms cancel.
double Measurer::rmse_truth(const Element& x) const {
  Element error(x);
  error.add(-1.0, *problem_.truth);
  if (std::any_of(error.parts().begin(), error.parts().end(),
                  [](const auto& part) { return std::holds_alternative<DenseForm>(part.form); }))
    (void)error.dense_values();
  return norm(error) / std::sqrt(static_cast<double>(x.shape().size()));
}

double Measurer::eigengap(const Element& x) const {
  auto* gap = problem_.set ? query<SpectralGap>(*problem_.set) : nullptr;
  const Index rank = gap && only_low_rank(x) ? rank_or_support(x) : 0;
  if (rank < 1 || rank >= std::min(x.shape().rows, x.shape().cols)) return kUnknown;
  const Uncounted measuring(*problem_.ledger);
  return gap->eigengap(gradient(x.detached()), rank);
}

double Measurer::estimator_error(const Element& x, const Element& g) const {
  const Uncounted measuring(*problem_.ledger);
  Element error(x.shape());
  if (leaves_domain(function(), x)) return kUnknown;
  contain(names_.objective, [&] { function().add_gradient(x.detached(), Batch::all(), 1.0, error); });
  error.add(-1.0, g);
  return norm(error);
}

/// The duals of a penalty on a set: two terms, and so one dual.
void Measurer::state(StateVisitor& v) {
  Element y = residual_.duals_.y.empty() ? Element() : residual_.duals_.y.front();
  v("residual scale", residual_.scale_);
  v("residual scale in units", residual_.scale_in_units_);
  v("rounding", gap_.rounding_);  // which the target of the next step depends on
  v("dual step", residual_.duals_.step);
  v("dual", y);
  if (!v.loading()) return;
  v.require(residual_.duals_.step >= 0.0 && std::isfinite(residual_.duals_.step), "dual step", "no length");
  residual_.duals_.y.clear();
  if (residual_.duals_.step == 0.0) return;
  v.require(y.shape() == problem_.objective->shape(), "dual", "of another shape than the variable");
  residual_.duals_.y.push_back(std::move(y));
}

}  // namespace claros
