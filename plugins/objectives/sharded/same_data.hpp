// SPDX-License-Identifier: BSD-3-Clause
/// @file same_data.hpp  What is checked before ranks sum: their data, and that each has some.
#pragma once

#include <claros/sdk/losses/loss_model.hpp>
#include <claros/world.hpp>

namespace sharded {

/// A hash of pattern, values and weights, not negative: other data have another one, except for collisions.
claros::Index fingerprint(const claros::sdk::LossModel& entries);
/// Throws Error(data) on all ranks where their numbers differ. Collective.
void expect_equal_data(claros::World& world, claros::Index fingerprint);
/// Throws Error(usage) if there are more ranks than chunks, of `things` ("terms") that could be cut.
void expect_enough_chunks(const claros::World& world, claros::Index chunks, claros::Index count,
                          const char* things);

}  // namespace sharded
