// SPDX-License-Identifier: BSD-3-Clause
/// @file fingerprint.hpp  Whether the ranks of a job have the same data.
#pragma once

#include <claros/map/design.hpp>

#include <initializer_list>
#include <span>

namespace linear_model {

/// A hash of a design's sizes and entries and of `arrays`, not negative: other data have another one, except
/// for collisions of probability 2^-60. For entries that are read from their file while they are used, only
/// 4096 evenly spaced rows count, the first and the last among them. A pass over all of the file would cost
/// every rank as much as a full gradient.
claros::Index fingerprint(const claros::Design& design,
                          std::initializer_list<std::span<const double>> arrays);

}  // namespace linear_model
