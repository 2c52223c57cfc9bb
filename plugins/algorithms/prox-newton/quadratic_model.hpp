// SPDX-License-Identifier: BSD-3-Clause
/// @file quadratic_model.hpp  f = phi(A x) to second order around a point.
#pragma once

#include <claros/abilities.hpp>
#include <claros/map/columns.hpp>
#include <claros/objective.hpp>

#include <algorithm>
#include <utility>
#include <vector>

/// q(x) = c'(A x - z) + (A x - z)' D (A x - z) / 2 with c = grad phi(z), D = diag(phi''(z)), as an objective
/// of one component.
class QuadraticModel final : public claros::Objective, public claros::LossOfImage, public claros::FreeTail {
 public:
  QuadraticModel(claros::MapPtr map, claros::Shape constrained, std::vector<double> z, std::vector<double> c,
                 std::vector<double> d)
      : map_(std::move(map)),
        constrained_(std::move(constrained)),
        z_(std::move(z)),
        c_(std::move(c)),
        d_(std::move(d)) {}

  const std::vector<double>& at() const noexcept { return z_; }     ///< z
  const std::vector<double>& slope() const noexcept { return c_; }  ///< c

  claros::Shape shape() const override { return map_->domain(); }
  claros::Index terms() const override { return 1; }
  double value(const claros::Element& x) override { return image_value(x.image(map_)); }
  void add_gradient(const claros::Element& x, const claros::Batch&, double a, claros::Element& g) override {
    const auto z = x.image(map_);
    std::vector<double> c(z.size());
    image_gradient({}, z, c);
    g.add_adjoint(a, map_, claros::Buffer(std::move(c)));
    g.fold();
  }
  claros::Constants constants() const override { return {.convex = true}; }
  claros::Shape constrained_shape() const override { return constrained_; }

  const claros::MapPtr& map() const noexcept override { return map_; }
  double image_value(std::span<const double> z) override {
    double sum = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) sum += (z[i] - z_[i]) * (c_[i] + 0.5 * d_[i] * (z[i] - z_[i]));
    return sum;
  }
  void image_gradient(std::span<const claros::Index> rows, std::span<const double> z,
                      std::span<double> out) override {
    for (std::size_t k = 0; k < z.size(); ++k) {
      const std::size_t i = rows.empty() ? k : static_cast<std::size_t>(rows[k]);
      out[k] = c_[i] + d_[i] * (z[k] - z_[i]);
    }
  }
  void image_curvature(std::span<const double>, std::span<double> out) override {
    std::copy(d_.begin(), d_.end(), out.begin());
  }
  bool curvature_bound(std::span<double> out) override { return image_curvature({}, out), true; }
  bool is_quadratic() const noexcept override { return true; }

  void* ability(std::string_view id) noexcept override {
    if (id == FreeTail::kAbility && constrained_ == shape()) return nullptr;
    return claros::offer<LossOfImage, FreeTail>(this, id);
  }

 private:
  claros::MapPtr map_;
  claros::Shape constrained_;
  std::vector<double> z_, c_, d_;
};
