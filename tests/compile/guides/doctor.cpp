// SPDX-License-Identifier: BSD-3-Clause
// What docs/guides/doctor.md leaves out around its blocks (check_guide).
#include <cstdio>
#include "1.inc"
