// SPDX-License-Identifier: BSD-3-Clause
#define CLAROS_ISA avx2
#define CLAROS_WIDTH 4
#include "element/block_loops.inc"
#include "element/elementary_loops.inc"
#include "map/dense_loops.inc"
#include "normal_loops.inc"
