// SPDX-License-Identifier: BSD-3-Clause
/// @file arguments.hpp  Options and words of one command.
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
  std::vector<std::string> choices =
      {};  ///< where only some words are a value, or, ending in '=' or '@', begin one

  /// "--out DIR"
  std::string usage() const;
};

/// The complaint about an option that is not in `options`, with a guess or the command that has it.
Complaint unknown_option(const std::string& written, const std::vector<Option>& options,
                         const std::string& command);

/// The command line after the name of the command.
class Arguments {
 public:
  /// Throws Error(usage) with everything that is wrong; `command` names the owner of the options in it, and
  /// is empty if there is none. An option is given once unless it is repeatable or a flag.
  Arguments(const std::vector<std::string>& tokens, const std::vector<Option>& options,
            const std::string& command);

  bool has(const std::string& option) const { return values_.contains(option); }
  std::optional<std::string> get(const std::string& option) const;
  std::vector<std::string> all(const std::string& option) const;
  /// Errors of values that are not among the choices of their options; the command reports them with its
  /// other errors.
  const std::vector<Complaint>& unfit() const noexcept { return unfit_; }
  /// The words that are not options, in order.
  const std::vector<std::string>& words() const noexcept { return words_; }

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> words_;
  std::vector<Complaint> unfit_;
};

}  // namespace claros::cli
