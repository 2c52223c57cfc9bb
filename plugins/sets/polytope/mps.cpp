// SPDX-License-Identifier: BSD-3-Clause
// Files of MPS format: the words of a line between blanks (free), or, where a file does not fit that because
// its names hold blanks, the fields in their columns (fixed).
#include "draft.hpp"

#include <claros/error.hpp>
#include <shared/sets/number_rows.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace polytope {

using namespace claros;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kRemedy = "give a file of MPS or LP format without it";

class Mps {
 public:
  using Words = std::vector<std::string_view>;

  Mps(const std::string& path, bool fixed) : input_(path), fixed_(fixed) {}

  Program read() {
    for (std::string_view line; section_ != "ENDATA" && input_.next_filled(line);) {
      if (line.front() == '*') continue;
      if (line.front() != ' ' && line.front() != '\t')
        open(line);
      else
        take(fixed_ ? fields(line) : sdk::pieces(line, " \t"));
    }
    if (section_ != "ENDATA")
      input_.fail("the file ends without ENDATA", "is it complete? " + std::string(kRemedy));
    finish();
    return draft_.program(input_);
  }

 private:
  static constexpr std::size_t kFree = static_cast<std::size_t>(-1);  ///< a row of type N
  struct Row {
    char type;
    std::size_t number;
    double right = 0.0;
    bool has_right = false, has_range = false;
    double range = 0.0;
  };

  [[noreturn]] void fail(const std::string& what, const std::string& remedy = kRemedy) const {
    input_.fail(what, remedy);
  }

  /// A line that begins in the first column: a section.
  void open(std::string_view line) {
    const Words words = sdk::pieces(line, " \t");
    std::string name = lower(words.front());
    for (char& c : name)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (name.ends_with(':')) name.pop_back();
    static constexpr std::array<std::string_view, 9> kKnown{"NAME", "OBJSENSE", "OBJNAME", "ROWS",  "COLUMNS",
                                                            "RHS",  "RANGES",   "BOUNDS",  "ENDATA"};
    if (std::ranges::find(kKnown, name) == kKnown.end())
      fail("expected a section of a linear program, found '" + std::string(words.front()) + "'",
           "the set has linear constraints and bounds alone (NAME, ROWS, COLUMNS, RHS, RANGES, BOUNDS); " +
               std::string(kRemedy));
    section_ = name, set_.clear();
  }

  /// The fields of a line in the columns 2, 5, 15, 25, 40 and 50; empty ones are left out.
  Words fields(std::string_view line) const {
    static constexpr std::array<std::pair<std::size_t, std::size_t>, 6> kColumns{
        {{1, 3}, {4, 12}, {14, 22}, {24, 36}, {39, 47}, {49, 61}}};
    Words words;
    std::size_t behind = 0;
    for (const auto& [from, to] : kColumns) {
      if (line.substr(std::min(behind, line.size()), from - behind).find_first_not_of(' ') != line.npos)
        fail("the line does not have the fields of the format", kRemedy);
      const std::string_view field = line.substr(std::min(from, line.size()), to - from);
      const std::size_t first = field.find_first_not_of(' ');
      if (first != field.npos) words.push_back(field.substr(first, field.find_last_not_of(' ') - first + 1));
      behind = to;
    }
    return words;
  }

  void take(Words words) {
    if (section_ == "OBJSENSE" || section_ == "OBJNAME" || words.empty()) return;  // no constraint
    if (section_ == "ROWS") return take_row(words);
    if (section_ == "COLUMNS") return take_column(words);
    if (section_ == "RHS" || section_ == "RANGES") return take_sides(words);
    if (section_ == "BOUNDS") return take_bound(words);
    fail("expected a section such as ROWS, found a line of data", kRemedy);
  }

  void take_row(const Words& words) {
    const std::string type = lower(words.front());
    if (words.size() != 2 || type.size() != 1 || std::string_view("nlge").find(type[0]) == std::string::npos)
      fail("expected N, L, G or E and the name of a row, found " + quoted(words));
    const std::size_t number = type == "n" ? kFree : draft_.constraint(-kInfinity, kInfinity);
    if (!rows_.emplace(words[1], Row{type[0], number}).second)
      fail("names the row '" + std::string(words[1]) + "' a second time", "give every row its own name");
  }

  void take_column(Words words) {
    if (words.size() >= 3 && words[1] == "'MARKER'") return take_marker(lower(words[2]));
    drop_comment(words);
    if (words.size() != 3 && words.size() != 5)
      fail("expected a column and one or two rows, each with a number, found " + quoted(words));
    const std::size_t known = draft_.names.size(), j = draft_.variable(words[0]);
    if (j == known) bounded_.push_back(0), lower_given_.push_back(false), marked_.push_back(integers_);
    if (integers_) draft_.integer[j] = 1;
    for (std::size_t k = 1; k < words.size(); k += 2) {
      const Row& row = row_named(words[k]);
      const double value = finite(words[k + 1]);
      if (row.number != kFree) draft_.entries.push_back({row.number, j, value, input_.line()});
    }
  }

  void take_marker(const std::string& word) {
    if (word != "'intorg'" && word != "'intend'")
      fail("expected a marker 'INTORG' or 'INTEND', found " + word);
    integers_ = word == "'intorg'";
  }

  /// Right-hand sides or ranges, behind the name of their set, which may be left out.
  void take_sides(Words words) {
    drop_comment(words);
    if (words.size() % 2 == 1) {
      expect_one_set(words.front());
      words.erase(words.begin());
    }
    if (words.empty() || words.size() > 4)
      fail("expected one or two rows, each with a number, found " + quoted(words));
    for (std::size_t k = 0; k < words.size(); k += 2) {
      Row& row = row_named(words[k]);
      bool& given = section_ == "RHS" ? row.has_right : row.has_range;
      if (std::exchange(given, true))
        fail("gives the row '" + std::string(words[k]) + "' a second number", "give it once");
      (section_ == "RHS" ? row.right : row.range) = finite(words[k + 1]);
    }
  }

  void take_bound(Words words) {
    const std::string type = lower(words.front());
    words.erase(words.begin());
    static constexpr std::array<std::string_view, 9> kKnown{"lo", "up", "fx", "fr", "mi",
                                                            "pl", "bv", "li", "ui"};
    if (std::ranges::find(kKnown, type) == kKnown.end())
      fail("expected a bound LO, UP, FX, FR, MI, PL, BV, LI or UI, found '" + type + "'",
           "semicontinuous variables and the like are no linear constraints; " + std::string(kRemedy));
    const bool alone = type == "fr" || type == "mi" || type == "pl" || type == "bv";
    // The name of the set may be left out, and a bound without a number may have one.
    const bool has_set = words.size() == 3 || (alone && words.size() == 2 && draft_.find(words[1]));
    if (has_set) {
      expect_one_set(words.front());
      words.erase(words.begin());
    }
    if (words.empty() || words.size() > 2 || (!alone && words.size() != 2))
      fail("expected a bound of a column" + std::string(alone ? "" : " and its number") + ", found " +
           quoted(words));
    const auto j = draft_.find(words[0]);
    if (!j) fail("'" + std::string(words[0]) + "' is no column of the file", "check the name");
    const std::optional<double> number = words.size() == 2 ? number_in(words[1]) : std::nullopt;
    if (!alone && (!number || std::isnan(*number)))
      fail("expected a number, found '" + std::string(words[1]) + "'");
    set_bound(type, *j, number.value_or(0.0));
  }

  void set_bound(const std::string& type, std::size_t j, double number) {
    double &low = draft_.low[j], &high = draft_.high[j];
    bounded_[j] = 1;
    if (type == "lo" || type == "li" || type == "fx") low = number, lower_given_[j] = true;
    if (type == "up" || type == "ui" || type == "fx") high = number;
    if (type == "fr" || type == "mi") low = -kInfinity, lower_given_[j] = true;
    if (type == "fr" || type == "pl") high = kInfinity;
    if (type == "bv") low = 0.0, high = 1.0, lower_given_[j] = true;
    if (type == "bv" || type == "li" || type == "ui") draft_.integer[j] = 1;
  }

  /// An upper bound below 0 alone takes the lower bound of 0 away.
  void finish() {
    for (auto& [name, row] : rows_) {
      if (row.number == kFree) continue;
      double &least = draft_.least[row.number], &most = draft_.most[row.number];
      if (row.type != 'l') least = row.right;
      if (row.type != 'g') most = row.right;
      if (!row.has_range) continue;
      const double range = row.type == 'e' ? row.range : std::abs(row.range);
      if (row.type == 'g' || (row.type == 'e' && range >= 0.0)) most = row.right + range;
      if (row.type == 'l') least = row.right - range;
      if (row.type == 'e' && range < 0.0) least = row.right + range;
    }
    for (std::size_t j = 0; j < draft_.names.size(); ++j) {
      if (draft_.high[j] < 0.0 && !lower_given_[j]) draft_.low[j] = -kInfinity;
      if (marked_[j] && !bounded_[j])
        throw Error(ErrorKind::data, input_.path().string(),
                    "the integer column '" + draft_.names[j] +
                        "' has no bound, which some programs read as [0, 1] and others as [0, inf)",
                    "give it one, such as UP or PL");
    }
  }

  /// A word in the place of a row that begins with $ begins a comment.
  void drop_comment(Words& words) const {
    for (std::size_t k = 1; k < words.size(); ++k)
      if (words[k].starts_with('$') && !rows_.contains(std::string(words[k]))) return words.resize(k);
  }
  void expect_one_set(std::string_view name) {
    if (set_.empty()) set_ = name;
    if (set_ != name)
      fail("expected the one set '" + set_ + "' of " + section_ + ", found a second, '" + std::string(name) +
               "'",
           "keep the one that is meant");
  }
  Row& row_named(std::string_view name) {
    const auto found = rows_.find(std::string(name));
    if (found == rows_.end()) fail("'" + std::string(name) + "' is no row of the file", "check the name");
    return found->second;
  }
  double finite(std::string_view word) const {
    const auto number = number_in(word);
    if (!number || !std::isfinite(*number))
      fail("expected a finite number, found '" + std::string(word) + "'");
    return *number;
  }
  static std::string quoted(const Words& words) {
    std::string text;
    for (const std::string_view word : words) text += (text.empty() ? "'" : " ") + std::string(word);
    return text.empty() ? "nothing" : text + "'";
  }

  TextInput input_;
  bool fixed_, integers_ = false;
  std::string section_, set_;
  std::unordered_map<std::string, Row> rows_;
  Draft draft_;
  std::vector<char> bounded_, lower_given_, marked_;  ///< of every column
};

}  // namespace

Program read_mps(const std::string& path) {
  try {
    return Mps(path, false).read();
  } catch (const Error&) {
    try {
      return Mps(path, true).read();
    } catch (const Error&) {  // what is wrong with the words is the better message
    }
    throw;
  }
}

}  // namespace polytope
