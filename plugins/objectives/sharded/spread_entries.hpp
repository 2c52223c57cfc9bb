// SPDX-License-Identifier: BSD-3-Clause
/// @file spread_entries.hpp  A sparse matrix of which every rank holds its lines.
#pragma once

#include "entry_cut.hpp"

#include <claros/map/spread_operator.hpp>

#include <memory>
#include <span>
#include <vector>

namespace sharded {

/// G = sum_e c_e e_i(e) e_j(e)' with the coefficients of this rank's chunks. A product with the longer side
/// as its result gathers that; one with the shorter side as its result is a tree_sum of it.
class SpreadEntries final : public claros::SpreadOperator {
 public:
  /// `values`: of every chunk of this rank. `source` makes the same from `points`.
  SpreadEntries(std::shared_ptr<const EntryCut> cut, std::vector<std::vector<double>> values,
                std::weak_ptr<const claros::LinearMap> source, std::vector<claros::Element> points);

  claros::Index rows() const override { return cut_->rows(); }
  claros::Index cols() const override { return cut_->cols(); }
  void apply(std::span<const double> x, std::span<double> y) const override;
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override;
  void apply_block(std::span<const double> x, claros::Index count, std::span<double> y) const override;
  void apply_adjoint_block(std::span<const double> y, claros::Index count,
                           std::span<double> x) const override;
  void entries(std::span<double> out) const override;

  double long_round_trip(double weight, std::span<const double> x, double beta, std::span<double> image,
                         std::span<double> back) const override;
  double inner(const claros::LowRankForm& x) const override;
  double squared_norm() const override;
  claros::MapPtr source() const override { return source_.lock(); }
  std::span<const claros::Element> points() const override { return points_; }

 private:
  const std::vector<double>& values(claros::Index k) const { return values_[cut_->place(k)]; }
  /// The lines of a chunk in an array of the longer side.
  template <class T>
  std::span<T> lines(claros::Index k, std::span<T> all) const;
  void to_longer(std::span<const double> x, claros::Index count, std::span<double> y) const;
  void to_shorter(std::span<const double> y, claros::Index count, std::span<double> x) const;
  double norm(double sum_of_squares, std::span<const double> image) const;

  std::shared_ptr<const EntryCut> cut_;
  std::vector<std::vector<double>> values_;
  std::weak_ptr<const claros::LinearMap> source_;
  std::vector<claros::Element> points_;
};

}  // namespace sharded
