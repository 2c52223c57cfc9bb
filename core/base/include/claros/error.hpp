// SPDX-License-Identifier: BSD-3-Clause
/// @file error.hpp  The one exception type of the library: where, what, and what to do about it.
#pragma once

#include <claros/api.hpp>

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// The kind of the error. Programs map it to an exit code (the command line: 2, 3, 4, 5).
enum class ErrorKind {
  usage,      ///< a specification, an option or a call that cannot be meant
  plugin,     ///< a plugin that cannot be loaded, or that broke its contract
  data,       ///< a file or an array whose content is not what was expected
  numerical,  ///< a computation that produced NaN, diverged, or did not converge
};

/// One complaint. `where` is file:line, section.key or a plugin, `what` has the offending value and what was
/// expected, and `remedy` says what to do; it may be empty.
///
/// A component names one of its own options or roles by its key alone ("step"), and itself by an empty
/// `where`. Claros puts the path of the component in front ("algorithm.inner.step").
struct CLAROS_API Complaint {
  std::string where;
  std::string what;
  std::string remedy;

  /// "where: what (remedy)" on one line.
  std::string sentence() const;
};

/// Thrown for anything that the caller can act upon. Carries every complaint that was found, not only the
/// first. A numerical outcome of a run (a budget that ran out, an interrupt) is a status and never an
/// exception.
class CLAROS_API Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string where, std::string what, std::string remedy = {});
  Error(ErrorKind kind, std::vector<Complaint> complaints);
  ~Error() override;

  ErrorKind kind() const noexcept { return kind_; }
  const std::vector<Complaint>& complaints() const noexcept { return complaints_; }
  /// All complaints, one a line.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  ErrorKind kind_;
  std::vector<Complaint> complaints_;
  std::string text_;
};

/// Returns "did you mean 'x'?" for the candidate x nearest to `word`, or an empty string if none is near
/// enough. The distance counts insertions, deletions, substitutions and transpositions.
CLAROS_API std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

/// "a, b, c"
CLAROS_API std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

}  // namespace claros
