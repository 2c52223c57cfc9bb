// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/arguments.hpp"

namespace claros::cli {

int doctor_command(const Arguments&);
int new_plugin_command(const Arguments&);

}  // namespace claros::cli
