// SPDX-License-Identifier: BSD-3-Clause
/// @file column_map.hpp  A design by its columns, all of them or chosen ones.
#pragma once

#include "map/kept_gram.hpp"

#include <claros/map/columns.hpp>
#include <claros/map/design_map.hpp>
#include <claros/once.hpp>

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace claros {

/// All columns of a design, and one of ones if there is an intercept.
Columns columns_of(const Design& design, bool intercept);
/// The columns of a dense design that were asked for, kept for later requests: to read a column of rows takes
/// a line of cache for every number. Working sets, and those of the next lambda of a path, have most columns
/// in common with some before.
class GatheredColumns {
 public:
  /// Those from design.cols on are of ones.
  Columns chosen(const Design& design, std::span<const Index> coordinates);
  /// For all columns of the design: they and chosen ones know each other's products.
  void share_gram(Columns& all) const;

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 23;  ///< numbers that are kept

  std::unordered_map<Index, std::vector<double>> kept_;
  std::shared_ptr<KeptGram> gram_ = std::make_shared<KeptGram>();
};

/// x |-> A x for a matrix that is at hand by columns. Functions that go by rows (batches of them, fused
/// passes) make the rows when they are first called.
class ColumnMap final : public LinearMap {
 public:
  explicit ColumnMap(Columns columns) : columns_(std::make_shared<const Columns>(std::move(columns))) {}

  Shape domain() const override { return Shape::vector(columns_->count()); }
  Index size() const override { return columns_->rows(); }
  void apply(double alpha, const Element& x, double beta, std::span<double> z) const override;
  void dot(std::span<const Index> rows, const Element& x, std::span<double> out) const override {
    by_rows().dot(rows, x, out);
  }
  void fold(double a, const AdjointForm& c, Element& g) const override { by_rows().fold(a, c, g); }
  bool cheap(const Element& d) const override { return by_rows().cheap(d); }

  bool fuses() const override { return true; }
  void round_trip(const Element& x, const Middle& middle, std::span<double> z,
                  std::span<double> g) const override {
    by_rows().round_trip(x, middle, z, g);
  }
  void add_adjoint(std::span<const double> c, std::span<double> g) const override;
  bool fuses_list(Index count) const override { return by_rows().fuses_list(count); }
  void list_trip(std::span<const Index> rows, const Element& x, const Middle& middle,
                 Element& g) const override {
    by_rows().list_trip(rows, x, middle, g);
  }
  std::shared_ptr<const Columns> columns() const override { return columns_; }
  std::shared_ptr<const LinearMap> restricted(std::span<const Index> coordinates) const override {
    return std::make_shared<ColumnMap>(columns_->chosen(coordinates));
  }

 private:
  const DesignMap& by_rows() const;

  std::shared_ptr<const Columns> columns_;
  mutable Once rows_made_;
  mutable std::unique_ptr<const DesignMap> rows_;
};

}  // namespace claros
