// SPDX-License-Identifier: BSD-3-Clause
/// @file arguments.hpp  Options and words of one command, taken apart by Boost.Program_options.
#pragma once

#include <claros/error.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace claros::cli {

/// `--name VALUE`, or a flag when `value` is empty.
struct Option {
  std::string name;
  std::string value;
  std::string meaning;
  bool repeatable = false;
  std::vector<std::string> choices = {};  ///< where only some words are a value

  /// "--out DIR"
  std::string usage() const;
};

/// What stood on the command line after the name of the command.
class Arguments {
 public:
  /// Throws Error(usage) with everything that is wrong; `command` names the owner of the options in it. An
  /// option is written out (no abbreviations, which would break a script when a longer option is added) and
  /// given once unless repeatable.
  Arguments(const std::vector<std::string>& tokens, const std::vector<Option>& options,
            const std::string& command);

  bool has(const std::string& option) const { return values_.contains(option); }
  std::optional<std::string> get(const std::string& option) const;
  std::vector<std::string> all(const std::string& option) const;
  /// What is no option, in its order.
  const std::vector<std::string>& words() const noexcept { return words_; }

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> words_;
};

}  // namespace claros::cli
