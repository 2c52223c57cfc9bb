// SPDX-License-Identifier: BSD-3-Clause
/// @file fingerprint.hpp  Whether the ranks of a job have the same data.
#pragma once

#include <claros/map/design.hpp>

#include <initializer_list>
#include <span>

namespace linear_model {

/// A number of a design's sizes and entries and of `arrays`, not negative: other data have another one, but
/// for accidents of 2^-60. Of entries that are read from their file while they are used, 4096 rows that lie
/// evenly count, the first and the last among them: a pass over all of the file would cost as much as a
/// gradient of all of it on every rank.
claros::Index fingerprint(const claros::Design& design,
                          std::initializer_list<std::span<const double>> arrays);

}  // namespace linear_model
