// SPDX-License-Identifier: BSD-3-Clause
/// @file same_storage.hpp A test for two elements that are copies of one another, without reading their
/// values.
#pragma once

#include <claros/element/element.hpp>

#include <algorithm>
#include <optional>

namespace claros::sdk {

namespace detail {

inline bool same_array(const Buffer& a, const Buffer& b) {
  return a.same_array(b) || (a.empty() && b.empty());
}

inline bool same_form(const DenseForm& a, const DenseForm& b) { return same_array(a.values, b.values); }
inline bool same_form(const SparseForm& a, const SparseForm& b) {
  return a.pattern == b.pattern && same_array(a.values, b.values);
}
inline bool same_form(const LowRankForm& a, const LowRankForm& b) {
  return a.store == b.store && a.weights == b.weights;
}
inline bool same_form(const AdjointForm& a, const AdjointForm& b) {
  return a.map == b.map && same_array(a.full, b.full) && a.rows == b.rows && a.coefficients == b.coefficients;
}
inline bool same_form(const OperatorForm& a, const OperatorForm& b) { return a.op == b.op; }

inline bool same_part(const Part& a, const Part& b) {
  if (a.weight != b.weight || a.form.index() != b.form.index()) return false;
  return std::visit(
      [&](const auto& form) { return same_form(form, std::get<std::decay_t<decltype(form)>>(b.form)); },
      a.form);
}

}  // namespace detail

/// True when x and y are the same point because they share everything; false says nothing. Costs O(number of
/// parts and columns).
inline bool same_storage(const Element& x, const Element& y) {
  if (x.shape() != y.shape()) return false;
  for (Index k = 0; k < x.block_count(); ++k)
    if (!same_storage(x.block(k), y.block(k))) return false;
  return std::equal(x.parts().begin(), x.parts().end(), y.parts().begin(), y.parts().end(),
                    detail::same_part);
}

/// a with x = a y, if both share the numbers of their only part; else empty, which says nothing.
inline std::optional<double> shared_multiple(const Element& x, const Element& y) {
  if (x.shape() != y.shape() || x.parts().size() != 1 || y.parts().size() != 1) return std::nullopt;
  const Part &of_x = x.parts().front(), &of_y = y.parts().front();
  if (!detail::same_part({1.0, of_x.form}, {1.0, of_y.form}) || of_y.weight == 0.0) return std::nullopt;
  return of_x.weight / of_y.weight;
}

}  // namespace claros::sdk
