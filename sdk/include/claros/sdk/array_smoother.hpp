// SPDX-License-Identifier: BSD-3-Clause
/// @file array_smoother.hpp  Base of smoothers that work on the array of all entries.
#pragma once

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/sdk/smoothing_accuracy.hpp>

#include <span>

namespace claros::sdk {

/// R of a variable of any shape; spans hold all its entries, column-major. One component: every batch is the
/// whole. (A smoother of one shape alone returns it from `shape`, and is an Objective like any other.)
class ArraySmoother : public Objective, public Curvature, public Smoothing, public SmoothingAccuracy {
 public:
  Shape shape() const final { return {}; }
  Index terms() const final { return 1; }

  double value(const Element& x) final { return value_at(reader_(x)); }
  double correction(const Element& x) final { return correction_at(reader_(x)); }
  void add_gradient(const Element& x, const Batch&, double a, Element& g) final {
    require_same(x, g);
    const std::span<const double> at = &x == &g ? reader_.copy(x) : reader_(x);
    add_gradient_at(at, a, g.dense_values());
  }
  void add_hessian_product(const Element& at, const Element& d, const Batch&, double a, Element& g) final {
    require_same(at, g);
    require_same(d, g);
    const std::span<const double> point = &at == &g ? reader_.copy(at) : reader_(at);
    const std::span<const double> direction = &d == &g ? directions_.copy(d) : directions_(d);
    add_hessian_product_at(point, direction, a, g.dense_values());
  }

  double mu_for(double eps, const Shape& shape) const final {
    return mu_for_accuracy(eps, gap_factor_at(static_cast<double>(shape.size())));
  }

  void* ability(std::string_view id) noexcept override {
    if ((id == Curvature::kAbility && !has_hessian()) ||
        ((id == Smoothing::kAbility || id == SmoothingAccuracy::kAbility) && !has_corners()))
      return nullptr;
    return offer<Curvature, Smoothing, SmoothingAccuracy>(this, id);
  }

 protected:
  /// R(x).
  virtual double value_at(std::span<const double> x) = 0;
  /// g <- g + a grad R(x).
  virtual void add_gradient_at(std::span<const double> x, double a, std::span<double> g) = 0;
  /// g <- g + a hess R(x) d; asked for only if has_hessian().
  virtual void add_hessian_product_at(std::span<const double>, std::span<const double>, double,
                                      std::span<double>) {}
  virtual bool has_hessian() const noexcept { return false; }
  /// The excess of the function that R stands for over R; called only if has_corners().
  virtual double correction_at(std::span<const double>) { return 0.0; }
  virtual bool has_corners() const noexcept { return false; }
  /// gamma for that many entries: R is within gamma mu of the function with corners. Called only if
  /// has_corners().
  virtual double gap_factor_at(double) const noexcept { return 0.0; }

 private:
  static void require_same(const Element& x, const Element& g) {
    if (x.shape() != g.shape())
      throw Error(ErrorKind::usage, "",
                  "a point of " + x.shape().text() + " and a gradient of " + g.shape().text(),
                  "give both in one shape");
  }

  DenseReader reader_, directions_;
};

}  // namespace claros::sdk
