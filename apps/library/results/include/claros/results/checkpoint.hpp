// SPDX-License-Identifier: BSD-3-Clause
/// @file checkpoint.hpp  The file from which a killed or stopped run continues.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/state/state.hpp>
#include <claros/world.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// The file folder/checkpoint of one run. It holds the identity of the run (RunFolder::id), the facts without
/// which its steps would not be the same, and then the state (RunSettings::on_checkpoint). The facts are the
/// effective specification, the versions and bytes of the libraries that take part, hashes of every file that
/// was read and of data in memory, and whose code computes (arithmetic.hpp). The places of the files are not
/// among them.
class CLAROS_API CheckpointFile {
 public:
  /// Finds the facts, reading the files once more; f at the start, which is one of them, with the first
  /// state. The composition must outlive it. Where a file has changed since it was read, it warns: the run
  /// goes on with what it read, and cannot be resumed.
  CheckpointFile(const std::filesystem::path& folder, const Composition& composition, const std::string& run);
  /// Streams the state to the file, whole or not at all: until it is on disk the checkpoint before stays.
  /// Throws Error(data).
  void write(const StateStream& state);
  /// Finds f at the start now, where it is not known yet.
  void find_start();

 private:
  std::filesystem::path file_;
  const Composition* composition_;
  std::string run_, head_;
  std::map<std::string, std::string> facts_;
};

/// Reads the files of a composition once more for the hashes of their contents, every rank its share of them,
/// so that no rank reads all before it makes a CheckpointFile or reads a checkpoint. Collective. Does nothing
/// where the ranks have other files.
CLAROS_API void share_contents(const Composition& composition, World& world);

/// The paths of the files that have other contents than when the run read them. A file that is gone has none.
CLAROS_API std::vector<std::string> changed_inputs(const Composition& composition);
/// Warns of each of them; whether there are any. To be called when the run is over.
CLAROS_API bool warn_of_changed_inputs(const Composition& composition);

/// The state in a checkpoint, where it stands in the file; copies share the file.
class CLAROS_API SavedState {
 public:
  SavedState(std::shared_ptr<const void> file, std::string_view bytes)
      : file_(std::move(file)), bytes_(bytes) {}
  std::string_view bytes() const noexcept { return bytes_; }

 private:
  std::shared_ptr<const void> file_;
  std::string_view bytes_;
};

/// The state of folder/checkpoint; nothing when there is no such file (a run killed before its first
/// checkpoint). Throws Error(data) if the file is damaged or belongs to another run than `run`. Throws
/// Error(usage) with every difference if the specification, a plugin or the data has changed since: the run
/// would not be the same. [stop], [output] and the places of files may change. Warns where only its roundings
/// would not be. The state is checked by its reader.
CLAROS_API std::optional<SavedState> read_checkpoint(const std::filesystem::path& folder,
                                                     const Composition& composition, const std::string& run);

}  // namespace claros
