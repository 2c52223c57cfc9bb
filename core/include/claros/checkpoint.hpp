// SPDX-License-Identifier: BSD-3-Clause
/// @file checkpoint.hpp  The file from which a killed or stopped run continues.
#pragma once

#include <claros/composition.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace claros {

/// Writes `state` (RunSettings::on_checkpoint) to folder/checkpoint, together with the effective specification, the
/// versions of the plugins and a fingerprint of the data, whole or not at all. Throws Error(data).
CLAROS_API void write_checkpoint(const std::filesystem::path& folder, const Composition& composition, const std::string& state);

/// The state of folder/checkpoint; nothing when there is no such file (a run killed before its first checkpoint). Throws
/// Error(data) when the file is damaged, and Error(usage) with everything that differs when the specification (apart
/// from [stop] and [output]), a plugin's version or the data has changed since: the run would not be the same.
CLAROS_API std::optional<std::string> read_checkpoint(const std::filesystem::path& folder, const Composition& composition);

}  // namespace claros
