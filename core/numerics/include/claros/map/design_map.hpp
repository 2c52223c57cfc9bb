// SPDX-License-Identifier: BSD-3-Clause
/// @file design_map.hpp  The map of a linear model: inner products with the rows of a design.
#pragma once

#include <claros/map/columns.hpp>
#include <claros/map/design.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/map/linear_operator.hpp>
#include <claros/map/output_columns.hpp>
#include <claros/once.hpp>

#include <memory>
#include <vector>

namespace claros {

class GatheredColumns;

/// z_{iK+k} = <a_i, x_k> + b_k, i < n rows, k < K outputs. The x_k are the K consecutive pieces of `cols`
/// numbers of the variable (column-major), and the b_k are its last K numbers, the intercepts. Without an
/// intercept b = 0. With K = 1 the variable may be a matrix: a_i is then vec(X_i), and z_i = <X_i, X>.
///
/// Sparse rows read a lazy point at their own coordinates only. A dense point is read in place; all other
/// forms are expanded first, a low-rank one too. A'c is dense. The sums of one row are always made in the
/// same order, so that a batch and a full pass agree to the bit. For a design that lies by columns, whose
/// full passes read columns, they agree to rounding.
class CLAROS_API DesignMap final : public LinearMap {
 public:
  /// `shape` has cols * outputs numbers; with an intercept the domain is a vector of outputs more. Throws
  /// Error(usage).
  DesignMap(std::shared_ptr<const Design> design, Shape shape, Index outputs = 1, bool intercept = false);
  const std::shared_ptr<const Design>& design() const noexcept { return design_; }
  Index outputs() const noexcept { return outputs_; }
  bool has_intercept() const noexcept { return intercept_; }
  /// The variable without its intercepts.
  const Shape& shape() const noexcept { return shape_; }
  /// ||a_i||^2 a row, the intercept's 1 included.
  std::vector<double> squared_norms() const;

  const DesignMap* design_map() const noexcept override { return this; }
  Shape domain() const override { return domain_; }
  Index size() const override { return design_->rows * outputs_; }
  void apply(double alpha, const Element& x, double beta, std::span<double> z) const override;
  void dot(std::span<const Index> rows, const Element& x, std::span<double> out) const override;
  void fold(double a, const AdjointForm& c, Element& g) const override;
  bool sparse_row(Index k, SparseRow& row) const override;
  /// True of sparse points of few entries, and of a dense design only.
  bool cheap(const Element& d) const override;

  bool fuses() const override { return true; }
  void round_trip(const Element& x, const Middle& middle, std::span<double> z,
                  std::span<double> g) const override;
  void add_adjoint(std::span<const double> c, std::span<double> g) const override;
  /// True of dense rows of one output that no cache holds for a second reading.
  bool fuses_list(Index count) const override;
  void list_trip(std::span<const Index> rows, const Element& x, const Middle& middle,
                 Element& g) const override;
  /// For one output a row.
  std::shared_ptr<const Columns> columns() const override;
  /// For several outputs a row.
  std::shared_ptr<const OutputColumns> output_columns() const override;
  std::shared_ptr<const LinearMap> restricted(std::span<const Index> coordinates) const override;

 private:
  /// Those of a design that lies by columns, for full passes; null for others.
  const Columns* entries_by_columns() const;
  /// All columns of the design, and one of ones if there are intercepts; made by the first call and kept.
  std::shared_ptr<const Columns> design_columns() const;
  /// The column and the output of a coordinate.
  Index column_of(Index c) const noexcept { return c < shape_.size() ? c % design_->cols : design_->cols; }
  Index output_of(Index c) const noexcept {
    return c < shape_.size() ? c / design_->cols : c - shape_.size();
  }
  /// Updates the coordinates of these sparse rows in a lazy point; false if the whole point has to be
  /// synchronised.
  bool update(std::span<const Index> outputs, const Element& x) const;
  /// g += a sum_k c.coefficients[k] a_{c.rows[k]}
  void add_rows(double a, const AdjointForm& c, std::span<double> g) const;

  std::shared_ptr<const Design> design_;
  Shape shape_, domain_;
  Index outputs_;
  bool intercept_;
  mutable Once columns_made_, outputs_made_;
  mutable std::shared_ptr<const Columns> columns_;
  mutable std::shared_ptr<const OutputColumns> output_columns_;
  std::shared_ptr<GatheredColumns> gathered_;  ///< of a dense design
};

/// diag(sqrt(w)) A as a matrix, for spectral solvers, if the map fuses: one reading a round trip. No weights
/// mean 1.
class CLAROS_API DesignOperator final : public LinearOperator {
 public:
  DesignOperator(MapPtr map, std::span<const double> weights = {});
  Index rows() const override { return map_->size(); }
  Index cols() const override { return map_->domain().size(); }
  void apply(std::span<const double> x, std::span<double> y) const override;
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override;
  void round_trip(std::span<const double> x, double beta, std::span<double> image,
                  std::span<double> back) const override;
  bool fuses_round_trip() const override { return true; }

 private:
  double root(std::size_t output) const { return roots_.empty() ? 1.0 : roots_[output]; }
  MapPtr map_;
  std::vector<double> roots_;  ///< sqrt(w) an output
};

}  // namespace claros
