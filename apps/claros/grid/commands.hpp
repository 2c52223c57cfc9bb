// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/arguments.hpp"

namespace claros::cli {

int compare_command(const Arguments&);
int tune_command(const Arguments&);
int path_command(const Arguments&);

}  // namespace claros::cli
