// SPDX-License-Identifier: BSD-3-Clause
/// @file orphans.hpp  Temporary files (atomic_file.cpp: ".claros-PID-K.tmp") of processes that are no more.
#pragma once

#include <filesystem>

namespace claros {

/// Marks the temporary file that was just made as at work, by a lock (flock) that ends with its process on
/// whichever machine. False where another process has removed it in the meantime.
bool hold_temporary(int descriptor, const std::filesystem::path& file) noexcept;

/// Removes the user's temporary files in `folder` whose process is no more: it bears a number that no process
/// has, and nobody holds the lock, be it on another machine or in a container. One of this process's number
/// was left by another that bore it.
void remove_orphans(const std::filesystem::path& folder) noexcept;
/// The same when this process asks for the first time.
void remove_orphans_once(const std::filesystem::path& folder) noexcept;

}  // namespace claros
