// SPDX-License-Identifier: BSD-3-Clause
/// @file rank_one_map.hpp  The map of measurements a_i' X b_i of a matrix.
#pragma once

#include <claros/map/design.hpp>
#include <claros/map/linear_map.hpp>

#include <memory>
#include <vector>

namespace claros {

class RankOneRows;

/// z_i = <a_i b_i', X> = a_i' X b_i, X in R^{m x p}, and A'c = sum_i c_i a_i b_i'. Without right rows b_i =
/// a_i and m = p: A'c is symmetric, and A sees the symmetric part of X alone.
///
/// An m x p array is made only if it is needed. For a low-rank point X = U diag(w) V', z is made of the
/// products A U and B V, in O(n (m + p) rank); for other points it takes O(n m p). `adjoints` chooses the
/// form of A'c:
/// - dense: one array, made in O(n m p) in the reading of the rows that makes z; for a symmetric map in half
///   of that.
/// - products: an operator with (A'c) x = sum_i c_i a_i <b_i, x>, O(n (m + p)) a product, and blocks of
///   products by blocks of rows.
/// - automatic: dense up to m p / (m + p) = kDense, at which an array costs as much as 25 to 30 products. A
///   gradient of all components that meets one leading singular pair (7 to 25 products) is made faster by
///   products already from 100 on. A gradient that an estimator keeps for the steps of an epoch, or that is
///   added to an array, is made faster by the array.
///
/// Rows are worked on in blocks, by the BLAS, in double; rows of other forms are expanded once.
class RankOneMap final : public LinearMap {
 public:
  enum class Adjoints { automatic, dense, products };
  static constexpr double kDense = 250.0;

  /// Responses play no part. Throws Error(data) if the two have not as many rows, and if there is none.
  explicit RankOneMap(std::shared_ptr<const Design> left, std::shared_ptr<const Design> right = nullptr,
                      Adjoints adjoints = Adjoints::automatic);
  /// ||a_i||^2 ||b_i||^2, the squared norm of a_i b_i'.
  std::vector<double> squared_norms() const;

  Shape domain() const override;
  Index size() const override;
  void apply(double alpha, const Element& x, double beta, std::span<double> z) const override;
  void dot(std::span<const Index> rows, const Element& x, std::span<double> out) const override;
  void fold(double a, const AdjointForm& c, Element& g) const override;
  /// True for points of low rank or few entries.
  bool cheap(const Element& d) const override;

  bool fuses() const override { return dense_; }
  /// There in any case.
  void round_trip(const Element& x, const Middle& middle, std::span<double> z,
                  std::span<double> g) const override;
  void add_adjoint(std::span<const double> c, std::span<double> g) const override;

 private:
  std::shared_ptr<const RankOneRows> rows_;
  bool dense_;
};

}  // namespace claros
