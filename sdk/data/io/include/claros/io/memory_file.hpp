// SPDX-License-Identifier: BSD-3-Clause
/// @file memory_file.hpp  Numbers of a program for parameters that take the name of a file.
#pragma once

#include <claros/api.hpp>
#include <claros/element/element.hpp>

#include <span>
#include <string>
#include <string_view>

namespace claros {

/// A file in memory. `name()` is the value of the parameter, and holds while the object lives:
///
///     const MemoryFile weights("objective.weights", w, n, 1);
///     solver.objective("linear-model", {{"weights", weights.name()}});
class CLAROS_API MemoryFile {
 public:
  /// A matrix, column-major. Errors about it name the parameter.
  MemoryFile(const std::string& parameter, std::span<const double> values, Index rows, Index cols);
  /// A text in the format of a file: the lines of objective.test. `-` stands for the standard input.
  MemoryFile(const std::string& parameter, std::string_view text);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string name() const;

 private:
  void write(std::string_view bytes);

  std::string parameter_;
  int file_;
};

}  // namespace claros
