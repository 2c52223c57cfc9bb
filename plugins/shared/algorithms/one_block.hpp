// SPDX-License-Identifier: BSD-3-Clause
/// @file one_block.hpp  For algorithms whose points are one array.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/error.hpp>

namespace claros::sdk {

/// Throws Error(usage) if the variable is a product of spaces.
inline void require_one_block(const Problem& problem) {
  const Shape shape = problem.objective->shape();
  if (!shape.is_product()) return;
  throw Error(ErrorKind::usage, "", "expected one matrix or vector as the variable, found " + shape.text(),
              "take algorithm.use = proximal-gradient");
}

}  // namespace claros::sdk
