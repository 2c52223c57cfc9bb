// SPDX-License-Identifier: BSD-3-Clause
/// @file table_notes.hpp  Notes of lines and columns of a table that may not be what they are read as.
#pragma once

#include <claros/context.hpp>
#include <claros/io/fields.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace claros::design_formats {

/// Notes a first line of data that may be a header: it counts up, as years do, and the second line does not.
class DoubtfulHeader {
 public:
  /// `header` is the option.
  DoubtfulHeader(const FieldReader& reader, const std::string& header)
      : reader_(reader), is_open_(header == "auto" && reader.names().empty()) {}
  bool is_open() const noexcept { return is_open_; }
  /// Called at the first line of data, and at the next ones while it is open.
  void see(const Context& context);

 private:
  const FieldReader& reader_;
  bool is_open_;
  std::string where_;  ///< of the first line
};

/// Notes columns of different whole numbers that count from 0 or 1 or are called as an id is. `read_row`
/// writes the numbers of a row, and `text` is what messages call a column.
void note_ids(Index rows, const std::vector<std::string>& names, std::size_t width,
              const std::function<void(Index, std::span<double>)>& read_row,
              const std::function<std::string(std::size_t)>& text, const Context& context);

}  // namespace claros::design_formats
