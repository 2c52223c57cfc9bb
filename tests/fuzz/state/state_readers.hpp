// SPDX-License-Identifier: BSD-3-Clause
/// @file state_readers.hpp  What a killed run leaves, as readers of the table of readers.hpp.
#pragma once

#include "readers.hpp"

namespace claros::fuzz {

/// States and checkpoints: as they are, and `crafted`, with sizes and checksums that are right.
std::vector<Reader> state_readers();
/// Result folders: as they are, and `crafted`, with hashes that are right.
std::vector<Reader> folder_readers();

/// States of whole runs, in which the members of algorithms, estimators, sets and penalties are other
/// numbers; each is resumed.
std::vector<Reader> component_readers();

/// Ends the process: what was read does not hold together.
void expect(bool fits, const char* what);
std::string bytes_of(const std::filesystem::path& file);
/// A folder of this process for the files of one input.
const std::filesystem::path& work_folder();

}  // namespace claros::fuzz
