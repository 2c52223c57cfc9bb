// SPDX-License-Identifier: BSD-3-Clause
/// @file run_identity.hpp  The run that a file belongs to. Every run has a number of its own (a random UUID).
/// It stands in the first line of spec.ini, in the checkpoint and in result.json; result.json also has a hash
/// of every file that was written with it. Files that another run left, or a user changed, are thus not
/// mistaken for files of this run.
#pragma once

#include <claros/api.hpp>

#include <filesystem>
#include <map>
#include <string>

namespace claros {

struct CLAROS_API RunIdentity {
  std::string run;                           ///< "0f8fad5b-d9cb-469f-a165-70867728950e"
  std::map<std::string, std::string> files;  ///< "solution/U.mtx" and its hash

  /// The identity of trace.csv and solution/ in `folder`, as they are there now.
  static RunIdentity of_files(const std::string& run, const std::filesystem::path& folder);
  /// Reads the identity from folder/result.json. Throws Error(data) if there is none, because the run is not
  /// over; the error says what can be done. It also throws if the file is not a result, or if spec.ini
  /// belongs to another run.
  static RunIdentity read(const std::filesystem::path& folder);
  /// Throws Error(data) unless the file is there as it was written with the result.
  void require(const std::filesystem::path& folder, const std::string& name) const;
  /// Requires this of everything in a subfolder, which may hold no other file.
  void require_all(const std::filesystem::path& folder, const std::string& subfolder) const;
};

/// A number that no other run has.
CLAROS_API std::string new_run();
/// The run of the first line of folder/spec.ini. Throws Error(data) when it names none.
CLAROS_API std::string run_of_spec(const std::filesystem::path& folder);
/// spec.ini with its first line.
CLAROS_API std::string spec_of_run(const std::string& run, const std::string& spec);

}  // namespace claros
