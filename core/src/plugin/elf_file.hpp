// SPDX-License-Identifier: BSD-3-Clause
/// @file elf_file.hpp  What can be said about a shared library without loading it.
#pragma once

#include <filesystem>

namespace claros {

/// Throws Error(plugin) unless `file` is a complete ELF shared library for the host's architecture that
/// exports the object `claros_plugin` and was built with the host's sanitizer. Reads the file and runs
/// nothing of it: loading a truncated library raises SIGBUS, and a sanitizer's runtime that comes late ends
/// the process.
void check_elf_file(const std::filesystem::path& file);

}  // namespace claros
