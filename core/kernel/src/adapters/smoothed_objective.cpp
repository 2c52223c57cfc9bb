// SPDX-License-Identifier: BSD-3-Clause
#include "adapters/smoothed_objective.hpp"

#include <claros/error.hpp>
#include <claros/linear_predictor.hpp>
#include <claros/predictor.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace claros {

namespace {

/// The factor of every entry of a batch: 1 except for weighted lists.
double mean_weight(const Batch& batch) {
  const auto weights = batch.weights();
  if (weights.empty()) return 1.0;
  return std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
}

std::optional<double> sum(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

/// m of f + R: a convex term of unknown modulus has 0, a term that is not convex an unknown one.
std::optional<double> sum_of_moduli(const Constants& f, const Constants& R, bool whole) {
  const auto modulus = [](const Constants& c) {
    return c.strong_convexity ? c.strong_convexity : c.convex ? std::optional(0.0) : std::nullopt;
  };
  const auto of_R =
      whole || !R.strong_convexity ? modulus(R) : std::optional(std::min(0.0, *R.strong_convexity));
  const auto both = sum(modulus(f), of_R);
  const bool told = f.strong_convexity || (whole && R.strong_convexity);
  return told ? both : std::nullopt;
}

Constants added(const Constants& f, const Constants& R, bool whole) {
  const auto R_lower = R.convex ? std::optional(0.0) : R.lower_smoothness ? R.lower_smoothness : R.smoothness;
  return {.convex = f.convex && R.convex,
          .smoothness = sum(f.smoothness, R.smoothness),
          .term_smoothness = sum(f.term_smoothness, R.smoothness),
          .strong_convexity = sum_of_moduli(f, R, whole),
          .lower_smoothness = sum(f.lower_smoothness, R_lower),
          .hessian_smoothness = sum(f.hessian_smoothness, R.hessian_smoothness),
          .term_hessian_smoothness = sum(f.term_hessian_smoothness, R.hessian_smoothness),
          .lower_bound = sum(f.lower_bound, R.lower_bound)};
}

}  // namespace

SmoothedObjective::SmoothedObjective(std::shared_ptr<Objective> f, std::shared_ptr<Objective> R)
    : f_(std::move(f)),
      R_(std::move(R)),
      f_curvature_(query<Curvature>(*f_)),
      R_curvature_(query<Curvature>(*R_)),
      coefficients_(query<TermCoefficients>(*f_)),
      term_constants_(query<TermConstants>(*f_)),
      tail_(query<FreeTail>(*f_)),
      smoothing_(query<Smoothing>(*R_)),
      expectation_(query<MeasuredExpectation>(*f_)),
      f_domain_(query<Domain>(*f_)),
      R_domain_(query<Domain>(*R_)) {}

/// x without its free coordinates. It is x itself if there are none, whose images follow it; `copy` where
/// x is written to before it is read.
const Element& SmoothedObjective::seen(const Element& x, std::optional<Element>& held, bool copy) const {
  x.synchronise();
  if (!tail_ && !copy) return x;
  if (!tail_) return held.emplace(x);
  const Shape head = tail_->constrained_shape();
  std::vector<double> values = x.to_dense();
  values.resize(static_cast<std::size_t>(head.size()));
  return held.emplace(Element::dense(head, std::move(values)));
}

/// add(h), h being g without its free coordinates.
template <class Add>
void SmoothedObjective::add_seen(Element& g, Add add) const {
  if (!tail_) return add(g);
  Element head(tail_->constrained_shape());
  add(head);
  std::vector<double> values = head.to_dense();
  values.resize(static_cast<std::size_t>(g.shape().size()), 0.0);
  g.add(1.0, Element::dense(g.shape(), std::move(values)));
}

double SmoothedObjective::value(const Element& x) {
  std::optional<Element> head;
  return f_->value(x) + R_->value(seen(x, head));
}

void SmoothedObjective::add_gradient(const Element& x, const Batch& batch, double a, Element& g) {
  std::optional<Element> head;
  const Element& at = seen(x, head, &x == &g);
  f_->add_gradient(x, batch, a, g);
  add_seen(g, [&](Element& h) { R_->add_gradient(at, Batch::all(), a * mean_weight(batch), h); });
}

void SmoothedObjective::add_gradient_difference(const Element& x, const Element& y, const Batch& batch,
                                                double a, Element& g) {
  std::optional<Element> head, head_of_y;
  const Element &at = seen(x, head, &x == &g), &from = seen(y, head_of_y, &y == &g);
  f_->add_gradient_difference(x, y, batch, a, g);
  add_seen(
      g, [&](Element& h) { R_->add_gradient_difference(at, from, Batch::all(), a * mean_weight(batch), h); });
}

/// R is convex in the free coordinates, and no more.
Constants SmoothedObjective::constants() const { return added(f_->constants(), R_->constants(), !tail_); }

void SmoothedObjective::add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                                            Element& g) {
  std::optional<Element> head, head_of_d;
  const Element &point = seen(at, head, &at == &g), &direction = seen(d, head_of_d, &d == &g);
  f_curvature_->add_hessian_product(at, d, batch, a, g);
  add_seen(g, [&](Element& h) {
    R_curvature_->add_hessian_product(point, direction, Batch::all(), a * mean_weight(batch), h);
  });
}

/// Keeps what either keeps.
class SumOfHessians final : public Hessian {
 public:
  SumOfHessians(SmoothedObjective& sum, const Element& at, const Batch& batch)
      : sum_(sum), weight_(mean_weight(batch)), f_(sum.f_curvature_->hessian(at, batch)) {
    std::optional<Element> head;
    R_ = sum.R_curvature_->hessian(sum.seen(at, head), Batch::all());
  }
  void add_product(const Element& d, double a, Element& g) override {
    std::optional<Element> head;
    const Element& direction = sum_.seen(d, head, &d == &g);
    f_->add_product(d, a, g);
    sum_.add_seen(g, [&](Element& h) { R_->add_product(direction, a * weight_, h); });
  }
  bool recomputes() const override { return f_->recomputes(); }

 private:
  SmoothedObjective& sum_;
  double weight_;
  std::unique_ptr<Hessian> f_, R_;
};

std::unique_ptr<Hessian> SmoothedObjective::hessian(const Element& at, const Batch& batch) {
  return std::make_unique<SumOfHessians>(*this, at, batch);
}

void SmoothedObjective::add_common_gradient(const Element& x, double a, Element& g) {
  std::optional<Element> head;
  const Element& at = seen(x, head, &x == &g);
  if (coefficients_->has_common_gradient()) coefficients_->add_common_gradient(x, a, g);
  add_seen(g, [&](Element& h) { R_->add_gradient(at, Batch::all(), a, h); });
}

std::span<const double> SmoothedObjective::term_smoothness() const {
  if (term_smoothness_.empty()) {
    const std::span<const double> of_f = term_constants_->term_smoothness();
    term_smoothness_.assign(of_f.begin(), of_f.end());
    for (double& L : term_smoothness_) L += *R_->constants().smoothness;
  }
  return term_smoothness_;
}

void SmoothedObjective::refer(References& references) const {
  for (Objective* part : {f_.get(), R_.get()})
    if (auto* referable = query<Referable>(*part)) referable->refer(references);
}

double SmoothedObjective::correction(const Element& x) {
  std::optional<Element> head;
  return smoothing_->correction(seen(x, head));
}

Objective& SmoothedObjective::measured() {
  if (!measured_)
    measured_ =
        std::make_unique<SmoothedObjective>(std::shared_ptr<Objective>(f_, &expectation_->measured()), R_);
  return *measured_;
}

Element SmoothedObjective::inner_point(const Shape& shape) {
  if (f_domain_) {
    Element x = f_domain_->inner_point(shape);
    if (!R_domain_ || std::isfinite(value(x))) return x;
  }
  const Shape head = tail_ ? tail_->constrained_shape() : shape;
  std::vector<double> values = R_domain_->inner_point(head).to_dense();
  values.resize(static_cast<std::size_t>(shape.size()), 0.0);
  Element x = Element::dense(shape, std::move(values));
  if (!f_domain_ || std::isfinite(value(x))) return x;
  throw Error(ErrorKind::usage, "start",
              "the objective and the smoother have no common point in their domains that either knows",
              "give a point where both are finite (start.from)");
}

void* SmoothedObjective::ability(std::string_view id) noexcept {
  for (const std::string_view of_variable :
       {HeldOut::kAbility, Predictor::kAbility, LinearPredictor::kAbility, FreeTail::kAbility,
        Rescaled::kAbility})
    if (id == of_variable) return f_->ability(id);
  if (id == Curvature::kAbility && !(f_curvature_ && R_curvature_)) return nullptr;
  if (id == TermCoefficients::kAbility && !coefficients_) return nullptr;
  if (id == TermConstants::kAbility && !has_component_constants()) return nullptr;
  if (id == Smoothing::kAbility && !smoothing_) return nullptr;
  if (id == Rounding::kAbility && !query<Rounding>(*f_)) return nullptr;
  if (id == MeasuredExpectation::kAbility && !expectation_) return nullptr;
  if (id == Domain::kAbility && !f_domain_ && !R_domain_) return nullptr;
  return offer<Curvature, TermCoefficients, TermConstants, Referable, Smoothing, Rounding,
               MeasuredExpectation, Domain>(this, id);
}

double SmoothedObjective::rounding(const Element& x, double size) {
  Element g(x.shape());
  add_gradient(x, Batch::all(), 1.0, g);
  return query<Rounding>(*f_)->rounding(x, size) +
         sum_rounding(x.shape().size()) * (std::abs(value(x)) + 2.0 * size * norm(g));
}

bool SmoothedObjective::has_component_constants() const noexcept {
  try {
    return term_constants_ && R_->constants().smoothness;
  } catch (...) {  // reported where the constants are asked for
    return false;
  }
}

std::string unfit_smoother(const Objective& R, Objective& f) {
  if (R.terms() == kUnbounded) return "is an expectation, whose full gradient is not available";
  const auto* tail = query<FreeTail>(f);
  const Shape own = R.shape(), seen = tail ? tail->constrained_shape() : f.shape();
  return own == Shape() || own == seen
             ? std::string()
             : "is a function of " + own.text() + ", and what it is added to one of " + seen.text();
}

}  // namespace claros
