// SPDX-License-Identifier: BSD-3-Clause
// Designs in Vowpal Wabbit's text.
#include <claros/io/fields.hpp>
#include <claros/io/file_limits.hpp>
#include <claros/io/triplets.hpp>
#include "io/design_formats.hpp"
#include "io/feature_hash.hpp"
#include "io/scan_number.hpp"

#include <claros/error.hpp>
#include <claros/io/text_input.hpp>

#include <algorithm>
#include <optional>

namespace claros::design_formats {
namespace {

constexpr const char* kLine = "a line is 'label [importance] [tag]|namespace feature[:value] ...'";

std::string_view between(const char* from, const char* to) {
  return {from, static_cast<std::size_t>(to - from)};
}

struct VowpalSizes {
  Index rows = 0, entries = 0;
};

/// The number of features behind the first bar: words that do not begin with a bar.
Index count_features(std::string_view line) {
  const auto bar = line.find('|');
  if (bar == line.npos) return 0;
  Index count = 0;
  for (std::size_t k = bar; k + 1 < line.size(); ++k)
    count += is_blank(line[k]) & !is_blank(line[k + 1]) & (line[k + 1] != '|');
  return count;
}

VowpalSizes count_lines(const Path& path) {
  TextInput input(path);
  VowpalSizes sizes;
  for (std::string_view line; input.next_filled(line); ++sizes.rows) sizes.entries += count_features(line);
  if (sizes.rows == 0)
    throw Error(ErrorKind::data, path.string(), "the file holds no data, only blank lines", kLine);
  return sizes;
}

/// One line after the other, into rows whose columns ascend.
template <class Real>
class VowpalReader {
 public:
  VowpalReader(TextInput& input, Design& design, const VowpalSizes& sizes, const DesignOptions& options)
      : input_(input),
        design_(design),
        rows_(design.entries.emplace<SparseRows<Real>>()),
        bits_(options.bits),
        ignores_labels_(options.ignores_responses) {
    rows_.start.reserve(static_cast<std::size_t>(sizes.rows + 1));
    rows_.column.reserve(static_cast<std::size_t>(sizes.entries));
    rows_.value.reserve(static_cast<std::size_t>(sizes.entries));
    design_.response.reserve(static_cast<std::size_t>(sizes.rows));
    rows_.start.push_back(0);
  }

  void line(std::string_view text) {
    const char *at = text.data(), *const end = at + text.size();
    const char* bar = std::find(at, end, '|');
    if (bar == end) input_.fail("the line holds no |: " + shown(text), kLine);
    head(between(at, bar));
    places_.clear(), values_.clear();
    for (ascending_ = true; bar != end; bar = at) at = features(name_space(bar + 1, end), end);
    finish_row();
  }
  Index largest() const { return largest_; }
  /// Entries that fell on one column and were added.
  Index added() const { return added_; }

 private:
  /// "label [importance] [tag]": a tag touches the bar, or begins with an apostrophe.
  void head(std::string_view text) {
    const bool touching = !text.empty() && !is_blank(text.back());
    words_.clear();
    for (const char *at = skip_blanks(text.data(), text.data() + text.size()), *const end =
                                                                                   text.data() + text.size();
         at != end;) {
      const char* stop = std::find_if(at, end, is_blank);
      words_.push_back(between(at, stop));
      at = skip_blanks(stop, end);
    }
    if (!words_.empty() && (words_.back().starts_with('\'') || (touching && words_.size() > 1)))
      words_.pop_back();
    if (words_.empty() && ignores_labels_) words_.push_back("0");
    if (words_.empty()) input_.fail("the line has no label; expected a number in front of the |", kLine);
    if (words_.size() > 2)
      input_.fail("in front of the | stand " + std::to_string(words_.size()) +
                      " numbers; expected a label and perhaps an importance",
                  "an initial prediction is not read");
    double label = 0.0;
    if (!scan_whole(words_[0], label) && !ignores_labels_)
      label = finite_number(input_, words_[0], "the label", kLine);
    design_.response.push_back(label);
    const double weight = words_.size() > 1 ? finite_number(input_, words_[1], "the importance", kLine) : 1.0;
    if (weight < 0.0) input_.fail("the importance is " + shown(words_[1]) + "; expected a number >= 0");
    if (weight != 1.0 && design_.weights.empty()) design_.weights.assign(design_.response.size() - 1, 1.0);
    if (weight != 1.0 || !design_.weights.empty()) design_.weights.push_back(weight);
  }

  /// "name[:factor]", which touches its bar; what follows it.
  const char* name_space(const char* at, const char* end) {
    const char* stop = std::find_if(at, end, [](char c) { return is_blank(c) || c == '|'; });
    const char* colon = std::find(at, stop, ':');
    const std::string_view name = between(at, colon);
    factor_ = colon == stop ? 1.0
                            : finite_number(input_, between(colon + 1, stop),
                                            "the factor of the namespace " + shown(name));
    if (bits_ > 0) seed_ = name.empty() ? 0 : feature_hash(name, 0);
    const char* first = skip_blanks(stop, end);
    if (bits_ == 0 && first != end && *first != '|') expect_only(name);
    return stop;
  }
  void expect_only(std::string_view name) {
    if (!name_) name_ = name;
    if (*name_ == name) return;
    input_.fail("a namespace " + shown(name) + " beside " + shown(*name_) +
                    ": their features may have the same numbers",
                "set objective.bits = 18 to hash features into 2^18 columns, as vw does");
  }

  /// The features up to the next bar.
  const char* features(const char* at, const char* end) {
    for (at = skip_blanks(at, end); at != end && *at != '|'; at = skip_blanks(at, end)) at = feature(at, end);
    return at;
  }

  const char* feature(const char* at, const char* end) {
    const char* stop = at;
    while (stop != end && *stop != ':' && *stop != '|' && !is_blank(*stop)) ++stop;
    const std::string_view name = between(at, stop);
    double value = 1.0;
    if (stop != end && *stop == ':') {
      const char* behind = scan_real(stop + 1, end, value);
      stop = behind ? behind : careful_value(name, stop + 1, end, value);
    }
    keep(column(name), value * factor_);
    return stop;
  }
  const char* careful_value(std::string_view name, const char* at, const char* end, double& value) const {
    const char* stop = std::find_if(at, end, [](char c) { return is_blank(c) || c == '|'; });
    value = finite_number(input_, between(at, stop), "the value of " + shown(name), kLine);
    return stop;
  }

  std::int32_t column(std::string_view name) const {
    if (name.empty()) input_.fail("a feature has no name", kLine);
    if (bits_ > 0)
      return static_cast<std::int32_t>(feature_hash(name, seed_) & ((std::uint64_t{1} << bits_) - 1));
    std::uint64_t number = 0;
    const char* const end = name.data() + name.size();
    if (scan_digits(name.data(), end, 10, number) != end)
      input_.fail("the feature " + shown(name) + " is not a whole number of at most ten digits",
                  "set objective.bits = 18 to hash names into 2^18 columns, as vw does");
    if (number >= static_cast<std::uint64_t>(kLargestIndex))
      input_.fail("the feature " + shown(name) + " is above " + std::to_string(kLargestIndex - 1));
    return static_cast<std::int32_t>(number);
  }

  /// The column and, so that a sum of several is made in their order, the number of the entry: sorted as one
  /// number.
  void keep(std::int32_t column, double value) {
    const std::uint64_t place = static_cast<std::uint64_t>(column) << 32U | values_.size();
    ascending_ = ascending_ && (places_.empty() || column_of(places_.back()) < column);
    places_.push_back(place);
    values_.push_back(value);
  }
  static std::int32_t column_of(std::uint64_t place) { return static_cast<std::int32_t>(place >> 32U); }
  double value_of(std::uint64_t place) const { return values_[place & 0xFFFFFFFFU]; }
  void finish_row() {
    if (!ascending_) std::sort(places_.begin(), places_.end());
    for (std::size_t k = 0; k < places_.size();) {
      const std::int32_t column = column_of(places_[k]);
      double value = value_of(places_[k]);
      for (++k; k < places_.size() && column_of(places_[k]) == column; ++k, ++added_)
        value += value_of(places_[k]);
      rows_.column.push_back(column);
      rows_.value.push_back(static_cast<Real>(value));
    }
    if (!places_.empty()) largest_ = std::max<Index>(largest_, column_of(places_.back()));
    rows_.start.push_back(static_cast<Index>(rows_.value.size()));
  }

  TextInput& input_;
  Design& design_;
  SparseRows<Real>& rows_;
  Index bits_;
  bool ignores_labels_;
  std::optional<std::string> name_;  ///< the name of the only namespace
  std::vector<std::string_view> words_;
  std::vector<std::uint64_t> places_;  ///< of the entries of the line, and their values
  std::vector<double> values_;
  bool ascending_ = true;
  double factor_ = 1.0;
  std::uint64_t seed_ = 0;
  Index largest_ = -1, added_ = 0;
};

template <class Real>
void read_vowpal_lines(const Path& path, Design& design, const VowpalSizes& sizes,
                       const DesignOptions& options, const Context& context) {
  TextInput input(path);
  VowpalReader<Real> reader(input, design, sizes, options);
  for (std::string_view line; input.next_filled(line);) reader.line(line);
  design.cols = options.bits > 0 ? Index{1} << options.bits
                                 : std::max<Index>({reader.largest() + 1, options.features, 1});
  if (reader.added())
    context.note(path.string() + ": " + std::to_string(reader.added()) +
                 " features fell on the column of another one of their line, and were added to it");
}

}  // namespace

bool looks_like_vowpal_wabbit(std::string_view line) {
  const auto bar = line.find('|');
  if (bar == line.npos) return false;
  const auto from = line.find_first_not_of(" \t"), to = std::min(line.find_first_of(" \t", from), bar);
  if (from == bar) return true;
  // No entry of LIBSVM's text, no comment, and no table that is separated by bars.
  return to < bar && claros::number_of(line.substr(from, to - from)).has_value() &&
         line.substr(0, bar).find_first_of(":#,;") == line.npos;
}

Design read_vowpal_wabbit(const Path& path, const DesignOptions& options, const Context& context) {
  const VowpalSizes sizes = count_lines(path);
  const bool single = is_single(options);
  expect_memory(
      static_cast<double>(sizes.entries) * (single ? 8 : 12) + 16.0 * static_cast<double>(sizes.rows),
      path.string(), "the design", kSmallerData);
  if (options.bits > 0 && options.features > 0)
    throw Error(ErrorKind::usage, "features",
                "is given beside objective.bits = " + std::to_string(options.bits) +
                    ", which says the number of columns",
                "leave one of the two out");
  Design design;
  design.rows = sizes.rows;
  single ? read_vowpal_lines<float>(path, design, sizes, options, context)
         : read_vowpal_lines<double>(path, design, sizes, options, context);
  if (options.bits == 0 && options.features > 0 && design.cols > options.features)
    throw Error(ErrorKind::data, path.string(),
                "the file has feature " + std::to_string(design.cols - 1) + ", but " +
                    std::to_string(options.features) + " columns were declared",
                "leave objective.features at 0 or declare at least " + std::to_string(design.cols));
  if (options.bits == 0 && options.features == 0)
    expect_plausible_size(
        "columns", design.cols, static_cast<std::size_t>(sizes.entries), path.string(),
        "if that feature is meant, declare objective.features = " + std::to_string(design.cols));
  context.detail(memory_text(design.rows, design.cols, design.stored(), single));
  return design;
}

}  // namespace claros::design_formats
