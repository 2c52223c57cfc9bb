// SPDX-License-Identifier: BSD-3-Clause
// What docs/guides/data-formats.md leaves out around its blocks (check_guide).
#include <claros/io/design_blocks.hpp>
#include <claros/io/design_writer.hpp>

void write() {
#include "1.inc"
}
