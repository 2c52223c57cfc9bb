// SPDX-License-Identifier: BSD-3-Clause
/// @file sparse_map.hpp  The map of measurements with sparse matrices.
#pragma once

#include <claros/map/design_map.hpp>
#include <claros/map/sampling_map.hpp>

namespace matrix_sensing {

/// z = W X_P: the entries of X on a pattern P that all A_i share, and their products with the sparse rows of
/// W. A'c is the sparse matrix of values W'c on P, so that no array of all entries is made.
class SparseMap final : public claros::LinearMap {
 public:
  /// `values` has a column an entry of the pattern.
  SparseMap(std::shared_ptr<const claros::Pattern> pattern, std::shared_ptr<const claros::Design> values);
  const std::shared_ptr<const claros::Pattern>& pattern() const noexcept { return sampled_.pattern(); }
  /// W, as the map of a vector of entries.
  const std::shared_ptr<const claros::DesignMap>& values() const noexcept { return values_; }

  claros::Shape domain() const override { return sampled_.domain(); }
  claros::Index size() const override { return values_->size(); }
  void apply(double alpha, const claros::Element& x, double beta, std::span<double> z) const override;
  void dot(std::span<const claros::Index> rows, const claros::Element& x,
           std::span<double> out) const override;
  void fold(double a, const claros::AdjointForm& c, claros::Element& g) const override;
  bool cheap(const claros::Element& d) const override { return sampled_.cheap(d); }

 private:
  claros::SamplingMap sampled_;
  std::shared_ptr<const claros::DesignMap> values_;
};

}  // namespace matrix_sensing
