// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/arguments.hpp"

namespace claros::cli {

int complete_command(const Arguments&);

}  // namespace claros::cli
