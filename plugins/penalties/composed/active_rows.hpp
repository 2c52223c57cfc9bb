// SPDX-License-Identifier: BSD-3-Clause
/// @file active_rows.hpp  The dual point at which chosen rows of B x vanish.
#pragma once

#include "column_map.hpp"

#include <claros/sdk/entries.hpp>

#include <Eigen/SparseCholesky>

#include <span>
#include <vector>

namespace composed {

/// A Newton step of the dual of a proximal step. The rows F on which the proximal step of g is 0 have (B x)_F
/// = 0 at the solution. If the others stay, u_F solves
///     t B_F B_F' u_F = B_F (v - t B_A'u_A).
/// With the right rows it is the solution if g is an l1 norm. (Primal-dual active sets: Hintermueller, Ito,
/// Kunisch 2002; of trend filtering: Kim, Koh, Boyd, Gorinevsky 2009.)
class ActiveRows {
 public:
  /// True if a factorisation is about as cheap as products with B: B has rows of few entries, and not more
  /// rows than columns.
  static bool suits(const ColumnMap& map) {
    constexpr std::ptrdiff_t kFew = 16;
    const SparseRows& B = map.matrix();
    return B.rows() <= B.cols() && B.nonZeros() <= kFew * B.rows();
  }
  /// u_F <- that point, F the rows where `image` is 0; false, with u anything, if none was found.
  bool operator()(const ColumnMap& map, std::span<const double> v, double t, std::span<const double> image,
                  std::span<double> u) {
    const auto n = static_cast<std::size_t>(map.matrix().cols()),
               m = static_cast<std::size_t>(map.matrix().rows());
    for (std::size_t c = 0; c < static_cast<std::size_t>(map.count()); ++c) {
      choose(map.matrix(), image.subspan(c * m, m));
      if (!column(map.matrix(), v.subspan(c * n, n), t, u.subspan(c * m, m))) return false;
    }
    return claros::sdk::all_finite(u);
  }

 private:
  using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, std::ptrdiff_t>;
  using Vector = Eigen::VectorXd;

  void choose(const SparseRows& B, std::span<const double> image) {
    rows_.clear();
    for (std::ptrdiff_t i = 0; i < B.rows(); ++i)
      if (image[static_cast<std::size_t>(i)] == 0.0) rows_.push_back(i);
    chosen_ = SparseRows(static_cast<std::ptrdiff_t>(rows_.size()), B.cols());
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      chosen_.startVec(static_cast<std::ptrdiff_t>(k));
      for (SparseRows::InnerIterator entry(B, rows_[k]); entry; ++entry)
        chosen_.insertBack(static_cast<std::ptrdiff_t>(k), entry.index()) = entry.value();
    }
    chosen_.finalize();
  }
  /// Refined, since B_F B_F' of differences of a high order has a condition near the unit of rounding.
  bool column(const SparseRows& B, std::span<const double> v, double t, std::span<double> u) const {
    constexpr int kRounds = 3;
    constexpr double kUnit = 1e-15;
    if (rows_.empty()) return true;
    Columns gram = Columns(chosen_ * SparseRows(chosen_.transpose()));
    const double largest = Vector(gram.diagonal()).maxCoeff();
    for (std::ptrdiff_t j = 0; j < gram.cols(); ++j) gram.coeffRef(j, j) += kUnit * largest;
    const Eigen::SimplicialLDLT<Columns> factor(gram);
    if (!(largest > 0.0) || factor.info() != Eigen::Success) return false;
    const Eigen::Map<const Vector> from(v.data(), static_cast<std::ptrdiff_t>(v.size()));
    const Eigen::Map<const Vector> dual(u.data(), static_cast<std::ptrdiff_t>(u.size()));
    for (int round = 0; round < kRounds; ++round) {
      const Vector x = from - t * (B.transpose() * dual), by = factor.solve(chosen_ * x) / t;
      for (std::size_t k = 0; k < rows_.size(); ++k)
        u[static_cast<std::size_t>(rows_[k])] += by[static_cast<std::ptrdiff_t>(k)];
    }
    return true;
  }

  std::vector<std::ptrdiff_t> rows_;
  SparseRows chosen_;
};

}  // namespace composed
