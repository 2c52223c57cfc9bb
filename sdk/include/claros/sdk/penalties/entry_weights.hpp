// SPDX-License-Identifier: BSD-3-Clause
/// @file entry_weights.hpp  Weights of the entries of a penalty: its parameter and its reader.
#pragma once

#include <claros/context.hpp>
#include <claros/element/shape.hpp>
#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/text_input.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace claros::sdk {

/// The row of the option `weights` of a penalty.
template <class Options>
ParameterRow<Options> entry_weights_row(std::string Options::*weights) {
  return row("weights", weights, any(),
             "factor of lambda of every entry, column-major: a list (1,0,2,inf), a file of one number an "
             "entry, or off-diagonal, which is 0 on the diagonal of a square matrix and 1 elsewhere; 0: the "
             "entry is free; inf: it stays 0; empty: 1",
             "w");
}

/// One number >= 0 an entry, inf allowed; none if every entry counts alike. Those of the word
/// `off-diagonal` are made with the first shape (fit).
class EntryWeights {
 public:
  EntryWeights() = default;
  explicit EntryWeights(std::vector<double> all) : all_(std::move(all)) {}
  /// By the text of the option. Throws Error(usage) for a negative number, NaN, or what is neither list nor
  /// file, and where no entry has a weight that is finite.
  EntryWeights(const std::string& text, const Context& context) {
    if (text.empty()) return;
    if (text == kOffDiagonal) {
      off_diagonal_ = true;
      return;
    }
    const std::filesystem::path path = context.resolve(text);
    std::error_code none;
    const bool is_file = std::filesystem::is_regular_file(path, none);
    if (is_file && is_list(text))
      throw Error(ErrorKind::usage, "weights", "'" + text + "' is numbers, and the name of a file",
                  "write ./" + text + " for the file, or rename it");
    all_ = is_file ? of_file(path, context) : of_list(text);
    const std::string where = is_file ? path.string() : "weights";
    for (std::size_t j = 0; j < all_.size(); ++j)
      if (!(all_[j] >= 0.0))
        throw Error(ErrorKind::usage, where,
                    "the weight of entry " + std::to_string(j + 1) + " is " + print_real(all_[j]),
                    "weights are numbers >= 0, or inf");
  }

  bool empty() const noexcept { return all_.empty() && !off_diagonal_; }
  /// True if the free entries are those of a diagonal.
  bool is_off_diagonal() const noexcept { return off_diagonal_; }
  double operator[](std::size_t j) const noexcept { return all_[j]; }
  std::span<const double> view() const noexcept { return all_; }
  /// Throws Error(usage) unless there is one for every entry.
  void fit(const Shape& shape) {
    if (off_diagonal_) fit_off_diagonal(shape);
    if (empty() || static_cast<Index>(all_.size()) == shape.size()) return;
    throw Error(ErrorKind::usage, "weights",
                std::to_string(all_.size()) + " weights for the " + std::to_string(shape.size()) +
                    " entries of a variable of " + shape.text(),
                "give one for every entry, the intercept not among them");
  }
  /// The largest that is finite; 1 if there are none.
  double largest() const {
    double most = all_.empty() ? 1.0 : 0.0;
    for (const double w : all_)
      if (std::isfinite(w)) most = std::max(most, w);
    return most;
  }
  bool has_free() const {
    return off_diagonal_ || std::ranges::any_of(all_, [](double w) { return w == 0.0; });
  }
  /// The entries of weight 0, ascending. Throws Error(usage) if they depend on a shape that is not known.
  std::vector<Index> free() const {
    if (off_diagonal_ && all_.empty())
      throw Error(ErrorKind::usage, "weights",
                  "off-diagonal weights are known with the shape of the variable, and max is made before it",
                  "give lambda as a number");
    std::vector<Index> found;
    for (std::size_t j = 0; j < all_.size(); ++j)
      if (all_[j] == 0.0) found.push_back(static_cast<Index>(j));
    return found;
  }
  EntryWeights chosen(std::span<const Index> entries) const {
    std::vector<double> some;
    if (!empty())
      for (const Index j : entries) some.push_back(all_[static_cast<std::size_t>(j)]);
    return EntryWeights(std::move(some));
  }

 private:
  /// A text may hold "inf", which `read_numbers` refuses.
  static std::vector<double> of_file(const std::filesystem::path& path, const Context& context) {
    const std::string_view marks = "\x93P%";
    const int mark = std::ifstream(path, std::ios::binary).peek();
    if (mark > 0 && marks.find(static_cast<char>(mark)) != marks.npos)
      return read_numbers(path, context).values;
    std::vector<double> all;
    TextInput input(path);
    for (std::string_view line; input.next_filled(line);) {
      const auto first = line.find_first_not_of(" \t,"), last = line.find_last_not_of(" \t,");
      if (first == line.npos) continue;
      all.push_back(one(std::string(line.substr(first, last - first + 1)), input.where(input.line())));
    }
    if (all.empty())
      throw Error(ErrorKind::data, path.string(), "the file holds no weight", "give one number an entry");
    return all;
  }
  static std::vector<double> of_list(const std::string& text) {
    std::vector<double> all;
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t to = std::min(text.find_first_of(", ", from), text.size());
      if (to > from) all.push_back(one(text.substr(from, to - from), "weights"));
      from = to + 1;
    }
    return all;
  }
  static bool is_list(const std::string& text) {
    try {
      return !of_list(text).empty();
    } catch (const Error&) {
      return false;
    }
  }
  static double one(const std::string& word, const std::string& where) {
    if (word == "inf") return std::numeric_limits<double>::infinity();
    try {
      return parse_real(word);
    } catch (const Error&) {
      throw Error(ErrorKind::usage, where, "'" + word + "' is not a weight, and no such file exists",
                  "give numbers >= 0 or inf, as in 1,0,2,inf, or the name of a file of one number a line");
    }
  }

  static constexpr const char* kOffDiagonal = "off-diagonal";

  void fit_off_diagonal(const Shape& shape) {
    if (shape.rows != shape.cols)
      throw Error(ErrorKind::usage, "weights",
                  "expected a square matrix for off-diagonal, found a variable of " + shape.text(),
                  "give a list or a file of one number an entry");
    if (static_cast<Index>(all_.size()) == shape.size()) return;
    all_.assign(static_cast<std::size_t>(shape.size()), 1.0);
    for (Index j = 0; j < shape.cols; ++j) all_[static_cast<std::size_t>(j * (shape.rows + 1))] = 0.0;
  }

  std::vector<double> all_;
  bool off_diagonal_ = false;
};

}  // namespace claros::sdk
