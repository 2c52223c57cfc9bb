// SPDX-License-Identifier: BSD-3-Clause
/// @file block_image.hpp  f(x) = phi(A x) while one block of x moves, at the price of the block's columns.
#pragma once

#include <claros/abilities.hpp>
#include <claros/map/columns.hpp>
#include <claros/objective.hpp>
#include <claros/state/state.hpp>
#include <shared/losses/image_search.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

/// z = A x and c = grad phi(z), updated on the rows that a block's columns meet. These are all rows of a
/// dense matrix, and those with entries of a sparse one.
class BlockImage {
 public:
  /// False if f is not a sum of losses of A x, or the columns of A are not at hand.
  bool start(claros::Objective& f, const claros::Element& x) {
    phi_ = claros::query<claros::LossOfImage>(f);
    const bool of_rows = phi_ && (phi_->is_quadratic() || f.terms() > 1);  // some of which may be asked for
    columns_ = of_rows ? phi_->map()->columns() : nullptr;
    rows_.clear();
    if (!columns_) return z_.clear(), false;
    const auto size = static_cast<std::size_t>(columns_->rows());
    along_.assign(size, 0.0), met_.assign(columns_->are_sparse() ? size : 0, false), c_.resize(size);
    renew(x);
    curvature_.resize(size);
    if (phi_->is_quadratic())
      phi_->image_curvature(z_, curvature_);
    else if (!phi_->curvature_bound(curvature_))
      curvature_.clear();
    return true;
  }
  /// Forgets the rounding that moves have summed up.
  void renew(const claros::Element& x) {
    const auto z = x.image(phi_->map());
    z_.assign(z.begin(), z.end());
    phi_->image_gradient({}, z_, c_);
  }

  /// out <- the partial derivatives of the coordinates from `first` on: A_k' grad phi(A x).
  void gradient(claros::Index first, std::span<double> out) const {
    for (double& partial : out) partial = columns_->dot(first++, c_);
  }
  /// The direction d of the next move, for the coordinates from `first` on.
  void aim(claros::Index first, std::span<const double> d) {
    forget();
    for (const double by : d) {
      if (by != 0.0) columns_->add(first, by, along_), meet(first);
      ++first;
    }
    if (columns_->are_sparse()) std::sort(rows_.begin(), rows_.end());
  }
  /// argmin over gamma in [0, 1] of f(x + gamma d); `slope` = -<grad f(x), d>.
  double search(double slope) {
    if (phi_->is_quadratic()) return bounded(slope);
    return claros::sdk::least_on_segment([&](double gamma) {
      gather(gamma);
      phi_->image_gradient(rows_, at_, slopes_);
      double sum = 0.0;
      each([&](std::size_t k, std::size_t row) { sum += slopes_[k] * along_[row]; });
      return sum;
    });
  }
  /// True if phi'' is known, or bounded.
  bool has_bound() const { return !curvature_.empty(); }
  /// argmin over gamma in [0, 1] of the model -gamma slope + gamma^2/2 ||A d||^2 in that norm of phi''.
  double bounded(double slope) const {
    double square = 0.0;
    each([&](std::size_t, std::size_t row) { square += curvature_[row] * along_[row] * along_[row]; });
    return slope > 0.0 ? square > slope ? slope / square : 1.0 : 0.0;
  }
  /// x <- x + gamma d.
  void move(double gamma) {
    gather(gamma);
    phi_->image_gradient(rows_, at_, slopes_);
    each([&](std::size_t k, std::size_t row) { z_[row] = at_[k], c_[row] = slopes_[k]; });
  }

  void state(claros::StateVisitor& v) {
    v("z", std::span<double>(z_));
    if (v.loading() && columns_) phi_->image_gradient({}, z_, c_);
  }

 private:
  /// work(place in the list, row) of the rows that the direction meets.
  template <class Work>
  void each(Work work) const {
    const std::size_t count = columns_->are_sparse() ? rows_.size() : z_.size();
    for (std::size_t k = 0; k < count; ++k)
      work(k, columns_->are_sparse() ? static_cast<std::size_t>(rows_[k]) : k);
  }
  void meet(claros::Index column) {
    for (const std::int32_t row : columns_->rows_of(column)) {
      if (met_[static_cast<std::size_t>(row)]) continue;
      met_[static_cast<std::size_t>(row)] = true;
      rows_.push_back(row);
    }
  }
  void forget() {
    if (columns_->are_sparse())
      for (const claros::Index row : rows_) {
        along_[static_cast<std::size_t>(row)] = 0.0;
        met_[static_cast<std::size_t>(row)] = false;
      }
    else
      std::fill(along_.begin(), along_.end(), 0.0);
    rows_.clear();
  }
  /// at_ <- z + gamma A d, on these rows.
  void gather(double gamma) {
    at_.resize(columns_->are_sparse() ? rows_.size() : z_.size());
    slopes_.resize(at_.size());
    each([&](std::size_t k, std::size_t row) { at_[k] = z_[row] + gamma * along_[row]; });
  }

  claros::LossOfImage* phi_ = nullptr;
  std::shared_ptr<const claros::Columns> columns_;
  std::vector<double> z_, c_, curvature_;
  std::vector<double> along_, at_, slopes_;  ///< A d; z + gamma A d and grad phi there, of the rows met
  std::vector<claros::Index> rows_;          ///< that d meets; empty if columns are dense
  std::vector<bool> met_;
};
