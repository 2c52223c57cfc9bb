// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/arguments.hpp"

namespace claros::cli {

int list_command(const Arguments&);
int describe_command(const Arguments&);
int compositions_command(const Arguments&);
int cite_command(const Arguments&);

}  // namespace claros::cli
