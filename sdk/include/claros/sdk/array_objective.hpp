// SPDX-License-Identifier: BSD-3-Clause
/// @file array_objective.hpp  Base of objectives that work on the array of all entries.
#pragma once

#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/sdk/dense_access.hpp>

#include <span>
#include <utility>

namespace claros::sdk {

/// f = (1/n) sum_{i<n} f_i, or an expectation, of a variable that is one dense array; spans hold all entries,
/// column-major. With n = 1 every batch is the whole. Batches come without weights, unless the derived class
/// offers TermConstants. An objective that sees x through a linear map is better a LossOnMap: it forms
/// no gradient.
class ArrayObjective : public Objective, public Curvature {
 public:
  Shape shape() const final { return shape_; }
  Index terms() const final { return components_; }

  double value(const Element& x) final {
    require_shape(x);
    return value_at(reader_(x));
  }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) final {
    require_shape(x);
    const std::span<const double> at = &x == &g ? reader_.copy(x) : reader_(x);
    add_gradient_at(at, batch, a, g.dense_values());
  }
  void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                           Element& g) final {
    require_shape(at);
    require_shape(d);
    const std::span<const double> point = &at == &g ? reader_.copy(at) : reader_(at);
    const std::span<const double> direction = &d == &g ? directions_.copy(d) : directions_(d);
    add_hessian_product_at(point, direction, batch, a, g.dense_values());
  }

  void* ability(std::string_view id) noexcept override {
    return id == Curvature::kAbility && !has_hessian() ? nullptr : offer<Curvature>(this, id);
  }

 protected:
  explicit ArrayObjective(Shape shape, Index components = 1)
      : shape_(std::move(shape)), components_(components) {}

  /// f(x).
  virtual double value_at(std::span<const double> x) = 0;
  /// g <- g + a * (mean over the batch of grad f_i(x)).
  virtual void add_gradient_at(std::span<const double> x, const Batch& batch, double a,
                               std::span<double> g) = 0;
  /// g <- g + a * (mean over the batch of hess f_i(x) d); asked for only if has_hessian().
  virtual void add_hessian_product_at(std::span<const double>, std::span<const double>, const Batch&, double,
                                      std::span<double>) {}
  virtual bool has_hessian() const noexcept { return false; }

 private:
  void require_shape(const Element& x) const {
    if (x.shape() != shape_)
      throw Error(ErrorKind::usage, "",
                  "a point of " + x.shape().text() + " for a variable of " + shape_.text(),
                  "give one of its shape");
  }

  Shape shape_;
  Index components_;
  DenseReader reader_, directions_;
};

}  // namespace claros::sdk
