// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/arguments.hpp"

namespace claros::cli {

int data_command(const Arguments&);
int convert_command(const Arguments&);
int split_command(const Arguments&);
int predict_command(const Arguments&);
int recommend_command(const Arguments&);
int similar_command(const Arguments&);

}  // namespace claros::cli
