// SPDX-License-Identifier: BSD-3-Clause
/// @file sampling_map.hpp  The map that reads the observed entries of a matrix.
#pragma once

#include <claros/element/pattern.hpp>
#include <claros/map/linear_map.hpp>

#include <memory>

namespace claros {

/// (A X)_e = X(row_e, col_e) over the entries e of a pattern; A'c is the sparse matrix with values c. A full
/// coefficient array becomes those values without a copy.
class CLAROS_API SamplingMap final : public LinearMap {
 public:
  explicit SamplingMap(std::shared_ptr<const Pattern> pattern);
  const std::shared_ptr<const Pattern>& pattern() const noexcept { return pattern_; }

  Shape domain() const override;
  Index size() const override;
  void apply(double alpha, const Element& x, double beta, std::span<double> z) const override;
  void dot(std::span<const Index> rows, const Element& x, std::span<double> out) const override;
  void fold(double a, const AdjointForm& c, Element& g) const override;
  bool cheap(const Element& d) const override;

 private:
  std::shared_ptr<const Pattern> pattern_;
};

}  // namespace claros
