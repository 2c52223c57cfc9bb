// SPDX-License-Identifier: BSD-3-Clause
/// @file design_access.hpp  How the loops of DesignMap reach a point and the rows.
#pragma once

#include "map/design_kernels.hpp"

#include <claros/element/element.hpp>
#include <claros/map/design_map.hpp>

#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace claros::design_access {

/// The numbers of a point, column-major, times `weight`: in place when it is one dense array, else expanded.
/// Lazy values are synchronised first, unless the caller has updated what it reads.
class DensePoint {
 public:
  explicit DensePoint(const Element& x, bool up_to_date = false) {
    if (!up_to_date) x.synchronise();
    const auto* dense = in_place(x);
    if (dense)
      weight_ = x.lazy_parts().front().weight;
    else
      expanded_ = x.to_dense();
    values_ = dense ? dense->values.view() : std::span<const double>(expanded_);
  }
  DensePoint(const DensePoint&) = delete;
  DensePoint& operator=(const DensePoint&) = delete;
  const double* data() const noexcept { return values_.data(); }
  double weight() const noexcept { return weight_; }
  static const DenseForm* in_place(const Element& x) {
    return x.lazy_parts().size() == 1 ? std::get_if<DenseForm>(&x.lazy_parts().front().form) : nullptr;
  }

 private:
  std::vector<double> expanded_;
  std::span<const double> values_;
  double weight_ = 1.0;
};

/// The sizes that every loop needs.
struct Layout {
  Index cols, outputs;
  bool intercept;
  const double* intercepts(const double* x) const { return x + cols * outputs; }
  double* intercepts(double* g) const { return g + cols * outputs; }
};

template <class F>
decltype(auto) with_rows(const Design& design, F f) {
  if (design.source) design.source->require_unchanged();
  return std::visit([&](const auto& rows) { return f(kernels::view(rows, design.cols)); }, design.entries);
}

inline Layout layout(const DesignMap& map) {
  return {map.design()->cols, map.outputs(), map.has_intercept()};
}

}  // namespace claros::design_access
