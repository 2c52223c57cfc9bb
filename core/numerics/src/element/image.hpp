// SPDX-License-Identifier: BSD-3-Clause
/// @file image.hpp  The lazily evaluated image z = A x of an element.
#pragma once

#include <claros/element/element.hpp>

#include <utility>

namespace claros {

/// z = sum_k w_k z_k + A(pending), until it is read; then `values`. Shared by the copies of an
/// element, so that one evaluation serves them all (x, a snapshot of it, their difference).
struct Image {
  MapPtr map;
  std::vector<std::pair<double, std::shared_ptr<Image>>> children;
  Element pending;
  Buffer values;
  bool evaluated = false;

  /// Makes `values`; takes over a child's array where no other image holds it.
  void evaluate();
  /// out_k = z_{rows[k]} without evaluating.
  void at(std::span<const Index> rows, std::span<double> out) const;
  /// How many nodes lie between this one and evaluated arrays; 0 when evaluated.
  int depth() const;
  /// Copies the image; the copy shares evaluated arrays but no node.
  static std::shared_ptr<Image> clone(const Image& other);
};

}  // namespace claros
