// SPDX-License-Identifier: BSD-3-Clause
/// @file options.hpp  The options of `sharded`.
#pragma once

#include <claros/api.hpp>

namespace sharded {

struct Options {
  claros::Index chunks = 64;
};

}  // namespace sharded
