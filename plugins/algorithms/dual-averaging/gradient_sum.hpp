// SPDX-License-Identifier: BSD-3-Clause
/// @file gradient_sum.hpp  The sum of all gradients so far, and points along it.
#pragma once

#include <claros/map/linear_map.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/state/state.hpp>

#include <algorithm>

/// t gbar_t = sum_{k <= t} g_k, and x_1 + a t gbar_t.
class GradientSum {
 public:
  void start(const claros::Element& x1) {
    origin_ = x1;
    origin_.drop_images();
    sum_ = claros::Element(x1.shape());
  }

  /// Adds g - mu x to the sum.
  void add(const claros::Element& g, double mu, const claros::Element& x) {
    sum_.add(1.0, g);
    if (mu > 0.0) sum_.add(-mu, x);
    expand();
  }

  /// v <- x_1 + a times the sum.
  void point(double a, claros::Element& v) const {
    const claros::Part* dense = claros::sdk::lone_dense(sum_);
    if (!dense) {
      v = origin_;
      return v.add(a, sum_);
    }
    const auto from = std::get<claros::DenseForm>(dense->form).values.view();
    const std::span<double> to = claros::sdk::overwrite_dense(sum_.shape(), v);
    for (std::size_t j = 0; j < to.size(); ++j) to[j] = a * dense->weight * from[j];
    if (origin_.is_zero()) return;
    v.add(1.0, origin_);
    (void)v.dense_values();
  }

  /// The sum as an array, for callers that add to its entries.
  std::span<double> edit() {
    if (!origin_.is_zero()) (void)origin_.dense_values();
    return sum_.dense_values();
  }
  /// The sum and x_1 (empty: 0) as arrays, after `edit` and until the next gradient.
  struct Reading {
    std::span<const double> values, origin;
  };
  Reading reading() const {
    return {array(sum_), origin_.is_zero() ? std::span<const double>() : array(origin_)};
  }

  void state(claros::StateVisitor& v) {
    v("sum", sum_);
    v.require(sum_.shape() == origin_.shape(), "sum", "of another shape than the start");
  }

 private:
  static std::span<const double> array(const claros::Element& x) {
    return std::get<claros::DenseForm>(x.parts().front().form).values.view();
  }

  /// Expands a sum of coefficients on rows: they are as many as the data has rows, and reading them costs all
  /// its nonzeros.
  void expand() {
    const auto rows = [](const claros::Part& part) {
      const auto* form = std::get_if<claros::AdjointForm>(&part.form);
      claros::SparseRow row;
      return form && (form->map->fuses() || (form->map->size() > 0 && form->map->sparse_row(0, row)));
    };
    if (std::any_of(sum_.parts().begin(), sum_.parts().end(), rows)) sum_.fold();
  }

  claros::Element origin_;  ///< x_1, where every run of the same specification starts
  claros::Element sum_;
};
