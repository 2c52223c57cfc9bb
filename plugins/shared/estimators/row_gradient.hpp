// SPDX-License-Identifier: BSD-3-Clause
/// @file row_gradient.hpp  Gradients that are a few sparse rows, entry by entry.
#pragma once

#include <claros/element/element.hpp>
#include <claros/map/linear_map.hpp>

#include <utility>

namespace claros::sdk {

/// g = D + w sum_k c_k a_k with D one dense array, or nothing, and a_k sparse rows of a map, or none.
class RowGradient {
 public:
  /// True if g has that form. g must outlive this object and must not change while this is used.
  bool read(const Element& g) {
    *this = {};
    for (const Part& part : g.parts()) {
      if (std::holds_alternative<DenseForm>(part.form)) {
        if (std::exchange(dense_, &part)) return false;
        continue;
      }
      SparseRow row;
      const auto* rows = std::get_if<AdjointForm>(&part.form);
      if (!rows || rows_ || !rows->full.empty() || rows->rows.empty() ||
          !rows->map->sparse_row(rows->rows.front(), row))
        return false;
      rows_ = rows;
      weight_ = part.weight;
    }
    return true;
  }

  /// D; null if there is none.
  const Part* dense() const noexcept { return dense_; }
  Index rows() const noexcept { return rows_ ? static_cast<Index>(rows_->rows.size()) : 0; }

  /// add(j, w c_k a_kj) of all entries, row after row.
  template <class Add>
  void for_each(Add&& add) const {
    SparseRow row;
    for (std::size_t k = 0; rows_ && k < rows_->rows.size(); ++k) {
      (void)rows_->map->sparse_row(rows_->rows[k], row);
      const double c = weight_ * rows_->coefficients[k];
      if (row.values)
        entries(row, row.values, c, add);
      else
        entries(row, row.singles, c, add);
      if (row.tail >= 0) add(static_cast<std::size_t>(row.tail), c);
    }
  }

 private:
  template <class Real, class Add>
  static void entries(const SparseRow& row, const Real* values, double c, Add& add) {
    for (std::size_t e = 0; e < row.columns.size(); ++e)
      add(static_cast<std::size_t>(row.columns[e] + row.offset), c * static_cast<double>(values[e]));
  }

  const Part* dense_ = nullptr;
  const AdjointForm* rows_ = nullptr;
  double weight_ = 0.0;
};

}  // namespace claros::sdk
