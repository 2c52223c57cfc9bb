// SPDX-License-Identifier: BSD-3-Clause
/// @file draft.hpp  A linear program while its file is read.
#pragma once

#include "program.hpp"

#include <claros/io/text_input.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace polytope {

/// Variables and constraints in the order of the file.
class Draft {
 public:
  struct Entry {
    std::size_t row, column;
    double value;
    Index line;
  };

  std::vector<std::string> names;
  std::vector<double> low, high, least, most;
  std::vector<char> integer;
  std::vector<Entry> entries;

  std::optional<std::size_t> find(std::string_view name) const;
  /// The variable of that name, which is made with the bounds 0 and infinity if it is new.
  std::size_t variable(std::string_view name);
  /// Adds a constraint and returns its number.
  std::size_t constraint(double least, double most);
  /// Throws Error(data) for two entries of a row and a column, at the line of the second.
  Program program(const claros::TextInput& input);

 private:
  std::unordered_map<std::string, std::size_t> known_;
};

/// The whole word as a number, inf and -inf among them; from 1e30 on numbers are infinite. Nothing for a word
/// that is none.
std::optional<double> number_in(std::string_view word);
/// In lower case.
std::string lower(std::string_view text);

/// Files of the two formats, read by their lines. Throw Error(data) at the line of what is not of the format,
/// of what is no linear constraint (quadratic terms, indicators, special ordered sets, ...), and of a file
/// that ends before its end.
Program read_mps(const std::string& path);
Program read_lp(const std::string& path);

}  // namespace polytope
