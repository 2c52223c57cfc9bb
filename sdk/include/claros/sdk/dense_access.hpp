// SPDX-License-Identifier: BSD-3-Clause
/// @file dense_access.hpp  Reading and writing elements as column-major arrays, without an allocation where
/// the storage already is one.
#pragma once

#include <claros/element/element.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace claros::sdk {

/// The one dense part of an element that is nothing else; null otherwise.
inline const Part* lone_dense(const Element& x) noexcept {
  const bool lone = x.parts().size() == 1 && x.block_count() == 0;
  return lone && std::holds_alternative<DenseForm>(x.parts().front().form) ? &x.parts().front() : nullptr;
}

/// Reads elements of any form; keeps its buffer between calls.
class DenseReader {
 public:
  /// The values of x, which live until the next call and as long as x does not change. Throws Error(usage)
  /// for a product.
  std::span<const double> operator()(const Element& x) {
    x.synchronise();
    const Part* part = lone_dense(x);
    if (part && part->weight == 1.0) return std::get<DenseForm>(part->form).values.view();
    return copy(x);
  }
  /// The values of x, copied into the reader's own buffer: x may change meanwhile.
  std::span<const double> copy(const Element& x) {
    x.synchronise();
    if (const Part* part = lone_dense(x)) {
      const auto values = std::get<DenseForm>(part->form).values.view();
      kept_.resize(values.size());
      std::transform(values.begin(), values.end(), kept_.begin(),
                     [w = part->weight](double value) { return w * value; });
    } else {
      kept_ = x.to_dense();
    }
    return kept_;
  }

 private:
  std::vector<double> kept_;
};

/// The array of x, made a lone dense part of the given shape; what it holds is to be overwritten.
inline std::span<double> overwrite_dense(const Shape& shape, Element& x) {
  if (x.shape() != shape) x = Element(shape);
  if (!lone_dense(x)) x.set_zero();
  return x.dense_values();
}

}  // namespace claros::sdk
