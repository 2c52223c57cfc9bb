// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/arguments.hpp"

namespace claros::cli {

int check_command(const Arguments&);
int advise_command(const Arguments&);
int run_command(const Arguments&);
int resume_command(const Arguments&);

}  // namespace claros::cli
