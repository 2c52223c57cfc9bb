// SPDX-License-Identifier: BSD-3-Clause
/// @file blocks.hpp  Stored designs from blocks of arrays.
#pragma once

#include "arrays.hpp"

namespace claros::python {

/// Binds DesignWriter, which claros.blocks feeds. Data keep their arrays until they are written.
void bind_blocks(py::module_& module);

}  // namespace claros::python
