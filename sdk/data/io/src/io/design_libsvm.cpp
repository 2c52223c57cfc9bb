// SPDX-License-Identifier: BSD-3-Clause
// Designs in LIBSVM's sparse text.
#include <claros/io/fields.hpp>
#include <claros/io/triplets.hpp>
#include "io/design_formats.hpp"
#include "io/scan_number.hpp"

#include <claros/error.hpp>
#include <claros/io/text_input.hpp>

#include <algorithm>
#include <limits>

namespace claros::design_formats {
namespace {

struct Sizes {
  Index rows = 0, entries = 0, largest = 0;
};

/// The column of the last entry of a line, the largest if they ascend. It is 0 if it cannot be told; the
/// reader proper then complains.
Index last_column(std::string_view line) {
  const auto colon = line.rfind(':');
  if (colon == line.npos) return 0;
  const auto blank = line.find_last_of(" \t", colon);
  const auto from = blank == line.npos ? 0 : blank + 1;
  return integer_of(line.substr(from, colon - from)).value_or(0);
}

Sizes count(const Path& path) {
  TextInput input(path);
  Sizes sizes;
  for (std::string_view line; input.next_filled(line);) {
    line = libsvm_content(line);
    if (line.empty()) continue;
    ++sizes.rows;
    sizes.entries += std::count(line.begin(), line.end(), ':');
    sizes.largest = std::max(sizes.largest, last_column(line));
  }
  if (sizes.rows == 0)
    throw Error(ErrorKind::data, path.string(), "the file holds no data, only comments",
                "expected lines such as '1 3:0.5 7:2'");
  return sizes;
}

/// Takes the next field off the front of `line`.
std::string_view take(std::string_view& line) {
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view field = line.substr(0, end);
  const auto next = line.find_first_not_of(" \t", end);
  line = next == line.npos ? std::string_view() : line.substr(next);
  return field;
}

template <class Real>
class LibsvmReader {
 public:
  LibsvmReader(TextInput& input, Design& design, const Sizes& sizes, bool ignores_labels = false)
      : input_(input),
        design_(design),
        ignores_labels_(ignores_labels),
        rows_(design.entries.emplace<SparseRows<Real>>()) {
    rows_.start.reserve(static_cast<std::size_t>(sizes.rows + 1));
    rows_.column.reserve(static_cast<std::size_t>(sizes.entries));
    rows_.value.reserve(static_cast<std::size_t>(sizes.entries));
    design_.response.reserve(static_cast<std::size_t>(sizes.rows));
    rows_.start.push_back(0);
  }
  void line(std::string_view text) {
    double label = 0.0;
    const std::string_view first = take(text);
    if (!scan_whole(first, label) && !ignores_labels_)
      label = finite_number(input_, first, "the label", "a line is 'label column:value ...'");
    design_.response.push_back(label);
    Index previous = 0;
    for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
      if (const char* behind = plain_entry(at, end, previous)) {
        at = behind;
        continue;
      }
      std::string_view rest(at, static_cast<std::size_t>(end - at));
      previous = entry(take(rest), previous);
      at = rest.empty() ? end : rest.data();
    }
    rows_.start.push_back(static_cast<Index>(rows_.value.size()));
  }
  Index largest() const { return largest_; }

 private:
  /// Takes an entry that is written and placed as nearly all are: what follows it, or null, if `entry` has
  /// the last word.
  const char* plain_entry(const char* at, const char* end, Index& previous) {
    std::uint64_t column = 0;
    double value = 0.0;
    const char* stop = scan_digits(at, end, 10, column);
    if (!stop || stop == end || *stop != ':' || column > std::numeric_limits<std::int32_t>::max())
      return nullptr;
    if (static_cast<Index>(column) <= previous || !(stop = scan_real(stop + 1, end, value))) return nullptr;
    previous = static_cast<Index>(column);
    keep(previous, value);
    return skip_blanks(stop, end);
  }
  void keep(Index column, double value) {
    largest_ = std::max(largest_, column);
    rows_.column.push_back(static_cast<std::int32_t>(column - 1));
    rows_.value.push_back(static_cast<Real>(value));
  }
  Index entry(std::string_view field, Index previous) {
    const auto colon = field.find(':');
    if (colon == field.npos)
      input_.fail("the field " + shown(field) + " holds no colon; expected column:value");
    if (field.starts_with("qid:"))
      input_.fail("the field " + shown(field) + " names the query of a ranking; expected column:value",
                  "take these fields out, since no loss compares the rows of a query");
    const auto column = integer_of(field.substr(0, colon));
    if (!column || *column < 1 || *column > std::numeric_limits<std::int32_t>::max())
      input_.fail(
          "the column in " + shown(field) + " is not a number from 1 on",
          column == 0 ? "columns are counted from 1: add 1 to all of them" : "columns are counted from 1");
    if (*column <= previous)
      input_.fail("column " + std::to_string(*column) + " follows column " + std::to_string(previous) +
                      "; expected ascending columns, each once",
                  *column == previous ? "keep one of the two entries" : "sort the line");
    keep(*column,
         finite_number(input_, field.substr(colon + 1), "the value of column " + std::to_string(*column)));
    return *column;
  }

  TextInput& input_;
  Design& design_;
  bool ignores_labels_;
  SparseRows<Real>& rows_;
  Index largest_ = 0;
};

template <class Real>
bool read_block(TextInput& input, Design& block, std::size_t bytes) {
  LibsvmReader<Real> reader(input, block, {});
  const auto& rows = std::get<SparseRows<Real>>(block.entries);
  const auto has_room = [&] {
    return rows.start.size() == 1 || rows.value.size() * (4 + sizeof(Real)) + rows.start.size() * 16 < bytes;
  };
  for (std::string_view line; has_room() && input.next_filled(line);)
    if (const auto text = libsvm_content(line); !text.empty()) reader.line(text);
  block.rows = static_cast<Index>(rows.start.size()) - 1;
  block.cols = std::max<Index>(reader.largest(), 1);
  return block.rows > 0;
}

template <class Real>
Index read_lines(const Path& path, Design& design, const Sizes& sizes, bool ignores_labels) {
  TextInput input(path);
  LibsvmReader<Real> reader(input, design, sizes, ignores_labels);
  for (std::string_view line; input.next_filled(line);)
    if (const auto text = libsvm_content(line); !text.empty()) reader.line(text);
  return reader.largest();
}

}  // namespace

struct LibsvmBlocks::State {
  State(const Path& path, const DesignOptions& options)
      : input(path), single(is_single(options)), features(options.features) {}
  State(std::istream& stream, const std::string& name, const DesignOptions& options)
      : input(stream, name), single(is_single(options)), features(options.features) {}
  TextInput input;
  bool single;
  Index features;
};

LibsvmBlocks::LibsvmBlocks(const Path& path, const DesignOptions& options)
    : state_(std::make_unique<State>(path, options)) {}
LibsvmBlocks::LibsvmBlocks(std::istream& stream, const std::string& name, const DesignOptions& options)
    : state_(std::make_unique<State>(stream, name, options)) {}
LibsvmBlocks::~LibsvmBlocks() = default;

bool LibsvmBlocks::next(Design& block, std::size_t bytes) {
  block = Design{};
  const bool more = state_->single ? read_block<float>(state_->input, block, bytes)
                                   : read_block<double>(state_->input, block, bytes);
  if (state_->features > 0 && block.cols > state_->features)
    state_->input.fail("has column " + std::to_string(block.cols) + ", but " +
                           std::to_string(state_->features) + " were declared",
                       "leave objective.features at 0 or declare at least as many");
  block.cols = std::max(block.cols, state_->features);
  return more;
}

std::string_view libsvm_content(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const auto first = line.find_first_not_of(" \t");
  if (first == line.npos) return {};
  return line.substr(first, line.find_last_not_of(" \t") - first + 1);
}

Design read_libsvm(const Path& path, const DesignOptions& options, const Context& context) {
  const Sizes sizes = count(path);
  Design design;
  design.rows = sizes.rows;
  announce_sparse(path, sizes.rows, std::max<Index>({sizes.largest, options.features, 1}), sizes.entries,
                  is_single(options), 1, context);
  const Index largest = is_single(options)
                            ? read_lines<float>(path, design, sizes, options.ignores_responses)
                            : read_lines<double>(path, design, sizes, options.ignores_responses);
  if (options.features > 0 && options.features < largest)
    throw Error(ErrorKind::data, path.string(),
                "the file has column " + std::to_string(largest) + ", but " +
                    std::to_string(options.features) + " were declared",
                "leave objective.features at 0 or declare at least as many");
  if (options.features < largest)
    expect_plausible_size("columns", largest, static_cast<std::size_t>(sizes.entries), path.string(),
                          "if that column is meant, declare objective.features = " + std::to_string(largest));
  design.cols = std::max<Index>({largest, options.features, 1});
  return design;
}

}  // namespace claros::design_formats
