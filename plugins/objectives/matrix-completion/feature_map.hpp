// SPDX-License-Identifier: BSD-3-Clause
/// @file feature_map.hpp  The map that reads the observed entries of A M B'.
#pragma once

#include <claros/element/element.hpp>
#include <claros/io/features.hpp>
#include <claros/map/sampling_map.hpp>

#include <memory>
#include <optional>

namespace matrix_completion {

/// A and B of X = A M B', with a row for each row and each column of X.
struct Sides {
  claros::Features rows, cols;

  claros::Shape inner() const { return claros::Shape::matrix(rows.width, cols.width); }
  /// A M B' in factors: of M in factors as many, else as many as M has rows or columns.
  claros::Element outer(const claros::Element& m) const;
};

/// M |-> (a_i' M b_j) over the entries (i, j) of a pattern of X; its adjoint makes A' G B of a sparse G.
class FeatureMap final : public claros::LinearMap {
 public:
  FeatureMap(std::shared_ptr<const claros::Pattern> pattern, std::shared_ptr<const Sides> sides);

  claros::Shape domain() const override { return sides_->inner(); }
  claros::Index size() const override { return sampling_.size(); }
  void apply(double alpha, const claros::Element& m, double beta, std::span<double> z) const override;
  void dot(std::span<const claros::Index> rows, const claros::Element& m,
           std::span<double> out) const override;
  /// A' G B as an array where that is not much larger than G, A and B, else as the operator A' (G (B .)).
  void fold(double a, const claros::AdjointForm& c, claros::Element& g) const override;
  bool cheap(const claros::Element& d) const override;

  /// ||a_i||^2 ||b_j||^2 of every entry.
  std::vector<double> squared_norms() const;
  /// A number not below the largest eigenvalue of the map after its adjoint.
  double largest_eigenvalue() const;

 private:
  claros::SamplingMap sampling_;
  std::shared_ptr<const Sides> sides_;
  mutable std::optional<double> eigenvalue_;
};

}  // namespace matrix_completion
