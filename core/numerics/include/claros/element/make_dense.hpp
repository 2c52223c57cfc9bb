// SPDX-License-Identifier: BSD-3-Clause
/// @file make_dense.hpp  A sum of parts as one array.
#pragma once

#include <claros/element/element.hpp>

namespace claros {

/// x as one array (one a block), which costs what its entries do. For points that are made of sums of
/// themselves and of answers in factors: their parts would double in every step.
inline void make_dense(Element& x) {
  if (x.block_count() == 0) return void(x.dense_values());
  for (Index k = 0; k < x.block_count(); ++k) make_dense(x.edit_block(k));
}

}  // namespace claros
