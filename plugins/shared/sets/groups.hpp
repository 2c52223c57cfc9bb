// SPDX-License-Identifier: BSD-3-Clause
/// @file groups.hpp  A partition of the entries of a variable into weighted groups: its parameters and its
/// reader.
#pragma once

#include <claros/abilities.hpp>
#include <claros/element/shape.hpp>
#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/text_input.hpp>
#include <claros/parameters.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/penalties/entry_weights.hpp>
#include <shared/sets/number_rows.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace claros::sdk {

struct GroupOptions {
  std::string groups;
  std::string weights = "none";
};

/// `note`: what a penalty adds to the meaning of its groups, `more` of its weights.
inline std::vector<ParameterRow<GroupOptions>> group_rows(const std::string& note = "",
                                                          const std::string& more = "") {
  return {
      row("groups", &GroupOptions::groups, required(any(), "a size such as `2`, or the groups themselves"),
          "the groups of entries, counted from 0 and column-major: a size (10), lists (0-9; 10-14, 19; "
          "15-18), rows or columns of a matrix, or a file with such a list a line" +
              note),
      row("weights", &GroupOptions::weights, any(),
          "the weight of each group's norm: none (all 1), sqrt (of the group's size), numbers written out "
          "(2 0.5 1), or a file of one "
          "number a group" +
              more)};
}

/// Weights that are given: above 0, or also 0 (the group is free) and inf (it stays 0).
enum class GroupWeights { positive, any };

namespace detail {

/// Reads lists of groups: "0-9" or "3 7, 12-15", every entry once, or once a group where they `overlap`.
/// `where` is the option or file:line.
class GroupLists {
 public:
  using Groups = std::vector<std::vector<std::int32_t>>;

  explicit GroupLists(bool overlap) : overlap_(overlap) {}

  void add(std::string_view list, const std::string& where) {
    constexpr std::string_view kSeparators = ", \t";
    std::vector<std::int32_t> members;
    for (std::size_t at = list.find_first_not_of(kSeparators); at != list.npos;) {
      const std::size_t end = std::min(list.find_first_of(kSeparators, at), list.size());
      add_range(list.substr(at, end - at), where, members);
      at = list.find_first_not_of(kSeparators, end);
    }
    if (members.empty())
      throw Error(ErrorKind::usage, where,
                  "group " + std::to_string(groups_.size()) + " (counted from 0) has no entries",
                  "take away the separator too many, or list the entries");
    groups_.push_back(std::move(members));
  }
  Groups take() { return std::move(groups_); }

 private:
  static Index entry(std::string_view text, std::string_view item, const std::string& where) {
    constexpr Index kMost = 100'000'000;  // a mistyped entry must not ask for all memory
    const bool digits =
        !text.empty() && text.find_first_not_of("0123456789") == text.npos && text.size() <= 10;
    const Index value = digits ? parse_integer(text) : -1;
    if (value < 0 || value >= kMost)
      throw Error(ErrorKind::usage, where, "'" + std::string(item) + "' is not a list of entries",
                  "expected entries, from 0 and below " + std::to_string(kMost) +
                      ", and ranges of them, such as 0-9 or 3, 7, 12-15");
    return value;
  }

  void add_range(std::string_view item, const std::string& where, std::vector<std::int32_t>& members) {
    const std::size_t dash = item.find('-');
    const Index first = entry(item.substr(0, dash), item, where);
    const Index last = dash == item.npos ? first : entry(item.substr(dash + 1), item, where);
    if (last < first)
      throw Error(ErrorKind::usage, where, "the range '" + std::string(item) + "' runs backwards",
                  "write the smaller entry first");
    if (static_cast<Index>(owner_.size()) <= last) owner_.resize(static_cast<std::size_t>(last) + 1, -1);
    for (Index k = first; k <= last; ++k) {
      std::int32_t& owner = owner_[static_cast<std::size_t>(k)];
      const auto mine = static_cast<std::int32_t>(groups_.size());
      if (owner == mine || (owner >= 0 && !overlap_))
        throw Error(
            ErrorKind::usage, where,
            "entry " + std::to_string(k) +
                (owner == mine
                     ? " is listed twice in group " + std::to_string(mine)
                     : " is in group " + std::to_string(owner) + " and in group " + std::to_string(mine)) +
                " (counted from 0)",
            owner == mine ? "list an entry of a group once"
                          : "groups must not overlap here; the penalties overlapping-group and tree-group "
                            "take groups that do");
      owner = mine;
      members.push_back(static_cast<std::int32_t>(k));
    }
  }

  bool overlap_;
  Groups groups_;
  std::vector<std::int32_t> owner_;  ///< the last group of each entry listed so far; -1: none
};

}  // namespace detail

/// The groups of one variable: entries of group g are `members(g)`, or `first(g)` and the `size(g)` - 1 that
/// follow.
class Groups {
 public:
  /// Reads and checks what does not depend on the variable. Throws Error(usage) for options, Error(data) for
  /// files. Groups that may `overlap` are no Blocks.
  Groups(const GroupOptions& options, const Context& context, bool overlap = false,
         GroupWeights taken = GroupWeights::positive)
      : options_(options), overlap_(overlap), where_("groups"), where_weights_("weights") {
    read_groups(context);
    read_weights(context, taken);
    sort_single();
  }

  /// To be called with the shape of every variable, at no cost when it is that of the last one. Throws
  /// Error(usage) when the groups do not fit it.
  void fit(const Shape& shape) {
    if (fitted_ && shape == shape_) return;
    fitted_ = false;
    build(shape);
    shape_ = shape;
    fitted_ = true;
  }

  /// Some groups of the shape told last, one after the other.
  Groups chosen(std::span<const Index> groups) const {
    Groups some;
    some.offsets_.push_back(0);
    for (const Index g : groups) {
      some.offsets_.push_back(some.offsets_.back() + size(static_cast<std::size_t>(g)));
      some.weights_.push_back(weight(static_cast<std::size_t>(g)));
    }
    some.shape_ = Shape::vector(static_cast<Index>(some.offsets_.back()));
    some.fitted_ = true;
    return some;
  }
  /// The groups in the form that the abilities of penalties have.
  Blocks blocks() const {
    std::vector<Index> start(offsets_.begin(), offsets_.end()), members(members_.begin(), members_.end());
    for (Index j = 0; contiguous() && j < start.back(); ++j) members.push_back(j);
    return Blocks::of(std::move(start), std::move(members));
  }

  bool has_free() const {
    const std::vector<double>& all = given_weights_.empty() ? weights_ : given_weights_;
    return std::ranges::find(all, 0.0) != all.end();
  }
  /// The entries of groups of weight 0, ascending. Throws Error(usage) if they depend on a shape that is not
  /// known.
  std::vector<Index> free() const {
    std::vector<Index> found;
    if (!has_free()) return found;
    if (layout_ != Layout::lists)
      throw Error(ErrorKind::usage, where_weights_,
                  "groups by a size, by rows or by columns are known with the shape of the variable, and max "
                  "is made before it",
                  "list the groups, or give lambda as a number");
    for (std::size_t g = 0; g < std::min(lists_.size(), given_weights_.size()); ++g)
      if (given_weights_[g] == 0.0) found.insert(found.end(), lists_[g].begin(), lists_[g].end());
    std::ranges::sort(found);
    return found;
  }

  std::size_t count() const noexcept { return weights_.size(); }
  std::size_t size(std::size_t g) const noexcept { return offsets_[g + 1] - offsets_[g]; }
  double weight(std::size_t g) const noexcept { return weights_[g]; }
  std::span<const double> weights() const noexcept { return weights_; }
  /// The first of each group and, behind the last, its end: indices of the entries, or of `listed` unless
  /// that is empty.
  std::span<const std::size_t> offsets() const noexcept { return offsets_; }
  std::span<const std::int32_t> listed() const noexcept { return members_; }
  /// True if every group is a run of neighbouring entries, in order.
  bool contiguous() const noexcept { return members_.empty(); }
  std::size_t first(std::size_t g) const noexcept { return offsets_[g]; }
  std::span<const std::int32_t> members(std::size_t g) const noexcept {
    return std::span(members_).subspan(offsets_[g], size(g));
  }

 private:
  enum class Layout { size, rows, columns, lists };

  Groups() = default;

  void read_groups(const Context& context) {
    const std::string& text = options_.groups;
    if (text.empty())
      throw Error(ErrorKind::usage, where_, "expected a description of the groups, got nothing",
                  "give a size such as 10, lists such as 0-9; 10-19, rows, columns, or a file");
    if (text == "rows" || text == "columns") {
      layout_ = text == "rows" ? Layout::rows : Layout::columns;
    } else if (text.find_first_not_of("0123456789") == text.npos) {
      block_ = text.size() <= 10 ? parse_integer(text) : 0;
      if (block_ < 1)
        throw Error(ErrorKind::usage, where_, "'" + text + "' is not a group size",
                    "expected a number of entries, at least 1");
    } else {
      layout_ = Layout::lists;
      text.find_first_not_of("0123456789-,; \t") == text.npos ? read_lists(text)
                                                              : read_file(context.resolve(text));
    }
  }

  void read_lists(std::string_view text) {
    detail::GroupLists lists(overlap_);
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(';', at), text.size());
      lists.add(text.substr(at, end - at), where_);
      at = end + 1;
    }
    lists_ = lists.take();
  }

  void read_file(const std::filesystem::path& path) try {
    TextInput input(path);
    detail::GroupLists lists(overlap_);
    for (std::string_view line; input.next_filled(line);) lists.add(line, input.where(input.line()));
    lists_ = lists.take();
    where_ = path.string();
  } catch (const Error& error) {
    throw Error(ErrorKind::data, error.complaints());
  }

  void read_weights(const Context& context, GroupWeights taken) {
    if (options_.weights == "none" || options_.weights == "sqrt") return;
    if (const std::string guess = did_you_mean(options_.weights, {"none", "sqrt"}); !guess.empty())
      throw Error(ErrorKind::usage, where_weights_,
                  "'" + options_.weights + "' is neither none, sqrt nor a file", guess);
    const bool written = is_row(options_.weights, where_weights_, context);
    if (!written) where_weights_ = context.resolve(options_.weights).string();
    given_weights_ = written ? written_weights(taken) : filed_weights(taken, context);
    for (std::size_t g = 0; g < given_weights_.size(); ++g)
      if (!(given_weights_[g] > 0.0 || (taken == GroupWeights::any && given_weights_[g] == 0.0)))
        throw Error(
            written ? ErrorKind::usage : ErrorKind::data, where_weights_,
            "the weight of group " + std::to_string(g) + " (counted from 0) is " +
                print_real(given_weights_[g]),
            taken == GroupWeights::any ? "expected numbers >= 0, or inf" : "expected numbers above 0");
  }

  std::vector<double> written_weights(GroupWeights taken) const {
    if (taken == GroupWeights::positive) return numbers_of(options_.weights, where_weights_);
    std::vector<double> all;
    for (const std::string_view word : pieces(options_.weights, ", \t"))
      all.push_back(word == "inf" ? kInfinity : numbers_of(word, where_weights_).front());
    return all;
  }

  std::vector<double> filed_weights(GroupWeights taken, const Context& context) const try {
    const DenseTable read = read_numbers(where_weights_, context);
    if (read.cols != 1 && read.rows != 1)
      throw Error(
          ErrorKind::data, where_weights_,
          "holds " + std::to_string(read.rows) + " lines of " + std::to_string(read.cols) + " numbers",
          "expected one number a group, all in one column or all on one line");
    return read.values;
  } catch (const Error& error) {
    // A table holds no inf; a list of weights may.
    if (taken == GroupWeights::positive ||
        std::string_view(error.what()).find("'inf'") == std::string_view::npos)
      throw;
    const EntryWeights all(where_weights_, context);
    return {all.view().begin(), all.view().end()};
  }

  /// Groups of one entry each are in the order of the entries, so that they are single Blocks.
  void sort_single() {
    const bool weighted = !given_weights_.empty();
    if (lists_.empty() || (weighted && given_weights_.size() != lists_.size()) ||
        std::ranges::any_of(lists_, [](const auto& list) { return list.size() != 1; }))
      return;
    std::vector<std::pair<std::int32_t, double>> all;
    for (std::size_t g = 0; g < lists_.size(); ++g)
      all.emplace_back(lists_[g][0], weighted ? given_weights_[g] : 1.0);
    std::ranges::sort(all, {}, &std::pair<std::int32_t, double>::first);
    for (std::size_t g = 0; g < lists_.size(); ++g) {
      lists_[g][0] = all[g].first;
      if (weighted) given_weights_[g] = all[g].second;
    }
  }

  void build(const Shape& shape) {
    if (shape.is_product())
      throw Error(ErrorKind::usage, where_, "the variable is a product of spaces, " + shape.text(),
                  "groups need a vector or a matrix");
    const Index count = layout_ == Layout::size    ? blocks_of(shape)
                        : layout_ == Layout::lists ? static_cast<Index>(lists_.size())
                        : layout_ == Layout::rows  ? shape.rows
                                                   : shape.cols;
    members_.clear();
    offsets_.assign(1, 0);
    if (layout_ == Layout::lists) return build_lists(shape), build_weights(shape);
    const auto size = static_cast<std::size_t>(shape.size() / std::max<Index>(count, 1));
    for (Index g = 0; g < count; ++g) offsets_.push_back(offsets_.back() + size);
    if (layout_ == Layout::rows && shape.cols > 1)
      for (Index i = 0; i < shape.rows; ++i)
        for (Index j = 0; j < shape.cols; ++j)
          members_.push_back(static_cast<std::int32_t>(i + j * shape.rows));
    build_weights(shape);
  }

  Index blocks_of(const Shape& shape) const {
    if (shape.size() % block_ == 0) return shape.size() / block_;
    throw Error(ErrorKind::usage, where_,
                std::to_string(shape.size()) + " entries (" + shape.text() + ") do not make groups of " +
                    std::to_string(block_) + ": " + std::to_string(shape.size() % block_) + " are left over",
                "take a size that divides the number of entries, or list the groups");
  }

  [[noreturn]] void fail_beyond(std::size_t g, Index entry, const Shape& shape) const {
    throw Error(ErrorKind::usage, where_,
                "group " + std::to_string(g) + " (counted from 0) holds entry " + std::to_string(entry) +
                    ", but the variable (" + shape.text() + ") has only " + std::to_string(shape.size()),
                "entries are counted from 0");
  }

  void build_lists(const Shape& shape) {
    std::vector<bool> covered(static_cast<std::size_t>(shape.size()), false);
    bool in_order = true;
    for (std::size_t g = 0; g < lists_.size(); ++g) {
      for (const std::int32_t k : lists_[g]) {
        if (k >= shape.size()) fail_beyond(g, k, shape);
        in_order = in_order && k == static_cast<std::int32_t>(members_.size());
        covered[static_cast<std::size_t>(k)] = true;
        members_.push_back(k);
      }
      offsets_.push_back(members_.size());
    }
    if (const auto hole = std::find(covered.begin(), covered.end(), false); hole != covered.end())
      throw Error(ErrorKind::usage, where_,
                  "entry " + std::to_string(hole - covered.begin()) + " of the variable (" + shape.text() +
                      ") is in no group",
                  "put every entry into a group, alone if need be");
    if (in_order) members_.clear();
  }

  void build_weights(const Shape& shape) {
    const std::size_t count = offsets_.size() - 1;
    if (!given_weights_.empty() && given_weights_.size() != count)
      throw Error(ErrorKind::usage, where_weights_,
                  std::to_string(given_weights_.size()) + " weights for " + std::to_string(count) +
                      " groups of the variable (" + shape.text() + ")",
                  "give one weight a group");
    weights_ = given_weights_;
    if (!weights_.empty()) return;
    for (std::size_t g = 0; g < count; ++g)
      weights_.push_back(options_.weights == "sqrt" ? std::sqrt(static_cast<double>(size(g))) : 1.0);
  }

  GroupOptions options_;
  bool overlap_ = false;
  std::string where_, where_weights_;  ///< an option or a file
  Layout layout_ = Layout::size;
  Index block_ = 1;
  detail::GroupLists::Groups lists_;
  std::vector<double> given_weights_;

  bool fitted_ = false;
  Shape shape_;
  std::vector<std::size_t> offsets_;
  std::vector<std::int32_t> members_;  ///< group after group; empty when that is their order anyway
  std::vector<double> weights_;
};

}  // namespace claros::sdk
