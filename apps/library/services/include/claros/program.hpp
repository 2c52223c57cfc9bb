// SPDX-License-Identifier: BSD-3-Clause
/// @file program.hpp  A catalogue with the services of a program: names of other libraries, points in files.
#pragma once

#include <claros/api.hpp>
#include <claros/plugin/catalog.hpp>

#include <filesystem>
#include <vector>

namespace claros {

/// Gives `catalog` the services: names of other libraries (other_names.hpp) are understood, and start.from
/// and trace.truth may name files (results/start_point.hpp).
CLAROS_API void serve(Catalog& catalog);

/// Catalog::standard with these services.
CLAROS_API Catalog standard_catalog(const std::vector<std::filesystem::path>& extra = {});

}  // namespace claros
