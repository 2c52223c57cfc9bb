// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <claros/plugin/catalog.hpp>

#include <string>

#include "cli/arguments.hpp"

namespace claros::cli {

int list_command(const Arguments&);
int describe_command(const Arguments&);
/// The page of the component, section or role of that name; empty if there is none.
std::string description_of(const Arguments&, const Catalog&, const std::string& name);
int compositions_command(const Arguments&);
int cite_command(const Arguments&);

}  // namespace claros::cli
