// SPDX-License-Identifier: BSD-3-Clause
/// @file checkpoint.hpp  The file from which a killed or stopped run continues.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/state/state.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace claros {

/// The file folder/checkpoint of one run: a state (RunSettings::on_checkpoint), behind what it belongs to: the effective
/// specification, the versions of the plugins, a fingerprint of the data. What it belongs to is found
/// once, with the first state.
class CLAROS_API CheckpointFile {
 public:
  /// The composition must outlive it.
  CheckpointFile(const std::filesystem::path& folder, const Composition& composition);
  /// Streams the state to the file, whole or not at all: until it is on disk the checkpoint before stays. Throws
  /// Error(data).
  void write(const StateStream& state);

 private:
  std::filesystem::path file_;
  const Composition* composition_;
  std::string head_;
};

/// The state in a checkpoint, where it stands in the file; copies share the file.
class CLAROS_API SavedState {
 public:
  SavedState(std::shared_ptr<const void> file, std::string_view bytes) : file_(std::move(file)), bytes_(bytes) {}
  std::string_view bytes() const noexcept { return bytes_; }

 private:
  std::shared_ptr<const void> file_;
  std::string_view bytes_;
};

/// The state of folder/checkpoint; nothing when there is no such file (a run killed before its first checkpoint). Throws
/// Error(data) when the file is damaged, and Error(usage) with everything that differs when the specification (apart
/// from [stop] and [output]), a plugin's version or the data has changed since: the run would not be the same. The state
/// is checked by its reader.
CLAROS_API std::optional<SavedState> read_checkpoint(const std::filesystem::path& folder, const Composition& composition);

}  // namespace claros
