// SPDX-License-Identifier: BSD-3-Clause
/// @file smoothed_objective.hpp  f + R as one objective, for algorithms that do not ask for R apart.
#pragma once

#include <claros/abilities.hpp>
#include <claros/domain.hpp>
#include <claros/expectation.hpp>
#include <claros/objective.hpp>
#include <claros/state/state.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace claros {

/// f + R with the components of f. Component i is f_i + R, so that a call on a batch adds R's gradient once,
/// whole. Both are behind their own watchers: calls of f count as without R, and R's calls count apart. Like
/// penalties and sets, R leaves the free coordinates of f alone (FreeTail).
///
/// The sum offers those abilities of f that it has too:
/// - facts about the variable and the data,
/// - Hessian products if R has them,
/// - coefficients of term gradients, with R in the part common to all,
/// - constants of the terms if R's is known,
/// - the function on which an expectation is measured.
///
/// It does not offer lower bounds by duality, which are those of f + h, restrictions, and abilities that
/// Claros does not know: they may not hold for a sum.
class SmoothedObjective final : public Objective,
                                public Curvature,
                                public TermCoefficients,
                                public TermConstants,
                                public Referable,
                                public Smoothing,
                                public Rounding,
                                public MeasuredExpectation,
                                public Domain {
 public:
  SmoothedObjective(std::shared_ptr<Objective> f, std::shared_ptr<Objective> R);

  Shape shape() const override { return f_->shape(); }
  Index terms() const override { return f_->terms(); }
  double value(const Element& x) override;
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override;
  void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                               Element& g) override;
  Constants constants() const override;
  void* ability(std::string_view id) noexcept override;

  void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                           Element& g) override;
  std::unique_ptr<Hessian> hessian(const Element& at, const Batch& batch) override;

  /// That of f, where f knows it, and that of sums as large as value and gradient.
  double rounding(const Element& x, double size) override;

  const MapPtr& map() const noexcept override { return coefficients_->map(); }
  Index outputs() const noexcept override { return coefficients_->outputs(); }
  bool has_common_gradient() const noexcept override { return true; }
  void coefficients(const Element& x, const Batch& batch, std::span<double> out) override {
    coefficients_->coefficients(x, batch, out);
  }
  void add_common_gradient(const Element& x, double a, Element& g) override;

  std::span<const double> term_smoothness() const override;
  void refer(References& references) const override;
  double correction(const Element& x) override;
  Index held_out() const override { return expectation_->held_out(); }
  /// The measured function of f, and R.
  Objective& measured() override;
  /// The point of f or of R that both are finite at. Throws Error(usage) if neither is one.
  Element inner_point(const Shape& shape) override;

 private:
  friend class SumOfHessians;
  const Element& seen(const Element& x, std::optional<Element>& held, bool copy = false) const;
  template <class Add>
  void add_seen(Element& g, Add add) const;
  bool has_component_constants() const noexcept;

  std::shared_ptr<Objective> f_, R_;
  Curvature *f_curvature_, *R_curvature_;
  TermCoefficients* coefficients_;
  TermConstants* term_constants_;
  FreeTail* tail_;
  Smoothing* smoothing_;
  MeasuredExpectation* expectation_;
  Domain *f_domain_, *R_domain_;
  std::unique_ptr<SmoothedObjective> measured_;
  mutable std::vector<double> term_smoothness_;
};

/// Says in words why R is not a function of such a variable; empty if it is. A smoother of shape Shape() is
/// one of all shapes.
std::string unfit_smoother(const Objective& R, Objective& f);

}  // namespace claros
