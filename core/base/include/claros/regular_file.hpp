// SPDX-License-Identifier: BSD-3-Clause
/// @file regular_file.hpp  Opening files of which only files may be meant.
#pragma once

#include <claros/api.hpp>
#include <claros/error.hpp>

#include <filesystem>
#include <fstream>

namespace claros {

/// True if something is at `path`; false if that cannot be found out.
CLAROS_API bool is_present(const std::filesystem::path& path) noexcept;

/// Whether two names are of one file, by links too; of files that do not exist, whether the names mean the
/// same place.
CLAROS_API bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) noexcept;

/// Throws an Error of that kind, at `path`, unless it is a file: to open a pipe waits until a process writes,
/// and a device may never end. A folder, a socket, a device and what is missing are named as such.
CLAROS_API void expect_regular_file(const std::filesystem::path& path, ErrorKind kind = ErrorKind::data);

/// The file, opened for reading bytes; Error if it is none or cannot be opened.
CLAROS_API std::ifstream open_regular_file(const std::filesystem::path& path,
                                           ErrorKind kind = ErrorKind::data);

}  // namespace claros
