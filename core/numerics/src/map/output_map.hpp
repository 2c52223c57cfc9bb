// SPDX-License-Identifier: BSD-3-Clause
/// @file output_map.hpp  Chosen coordinates of a design of several outputs a row, by columns.
#pragma once

#include <claros/map/linear_map.hpp>
#include <claros/map/output_columns.hpp>

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace claros {

/// The distinct columns of some coordinates, in the order in which they come, and the place among them of
/// each coordinate's.
struct DistinctColumns {
  std::vector<Index> columns, places;
};
DistinctColumns distinct_columns(std::span<const Index> coordinates,
                                 const std::function<Index(Index)>& column_of);

/// x |-> z, z_{iK+k} = sum_c a_{i,column(c)} x_c over the coordinates c of output k: full passes read
/// columns. A request for single outputs makes all of them: methods on batches of rows are better off with
/// the whole design.
class OutputMap final : public LinearMap {
 public:
  explicit OutputMap(std::shared_ptr<const OutputColumns> columns) : columns_(std::move(columns)) {}

  Shape domain() const override { return Shape::vector(columns_->count()); }
  Index size() const override { return columns_->columns().rows() * columns_->outputs(); }
  void apply(double alpha, const Element& x, double beta, std::span<double> z) const override;
  void dot(std::span<const Index> rows, const Element& x, std::span<double> out) const override;
  void fold(double a, const AdjointForm& c, Element& g) const override;
  bool cheap(const Element&) const override { return false; }

  bool fuses() const override { return true; }
  void round_trip(const Element& x, const Middle& middle, std::span<double> z,
                  std::span<double> g) const override;
  void add_adjoint(std::span<const double> c, std::span<double> g) const override;
  std::shared_ptr<const OutputColumns> output_columns() const override { return columns_; }
  std::shared_ptr<const LinearMap> restricted(std::span<const Index> coordinates) const override {
    return std::make_shared<OutputMap>(columns_->chosen(coordinates));
  }

 private:
  std::shared_ptr<const OutputColumns> columns_;
};

}  // namespace claros
