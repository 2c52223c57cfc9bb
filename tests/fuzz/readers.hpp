// SPDX-License-Identifier: BSD-3-Clause
/// @file readers.hpp  What is fuzzed: a table, one line a reader.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace claros::fuzz {

struct Reader {
  std::string name;
  /// Reads the file and checks what came out; a claros::Error is a refusal, anything else is a finding.
  std::function<void(const std::filesystem::path& file)> read;
  /// Sound files, from which the fuzzer starts.
  std::function<std::vector<std::string>()> seeds;
  /// What becomes of the fuzzer's bytes before they are read; unset for nothing.
  std::function<std::string(const std::string& bytes)> wrap = {};
};

const std::vector<Reader>& readers();

}  // namespace claros::fuzz
