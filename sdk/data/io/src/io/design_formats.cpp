// SPDX-License-Identifier: BSD-3-Clause
#include "io/design_formats.hpp"

#include <claros/error.hpp>
#include <claros/io/fields.hpp>
#include <claros/io/text_input.hpp>
#include <claros/io/triplets.hpp>
#include "io/file_kind.hpp"

#include <algorithm>

namespace claros::design_formats {

namespace {

constexpr std::string_view kBlank = " \t";

/// "label 3:0.5": the second field of the first line that is no comment holds a colon between two numbers, or
/// is the query of a ranking, "qid:7".
bool looks_like_libsvm(TextInput& input) {
  std::string_view line;
  if (input.next_filled(line) && looks_like_vowpal_wabbit(line)) return false;
  input.unread();
  while (input.next_filled(line)) {
    line = line.substr(line.find_first_not_of(kBlank));
    if (line.front() == '#') continue;
    const auto blank = line.find_first_of(kBlank);
    const auto next = line.find_first_not_of(kBlank, blank);
    if (next == line.npos && claros::number_of(line.substr(0, blank))) continue;  // a row without entries
    if (next == line.npos) return false;
    const auto field = line.substr(next, line.find_first_of(kBlank, next) - next);
    const auto colon = field.find(':');
    return colon != field.npos && (field.starts_with("qid:") || integer_of(field.substr(0, colon))) &&
           claros::number_of(field.substr(colon + 1));
  }
  return false;
}

bool is_matrix_market_text(TextInput& input) {
  std::string_view line;
  return input.next(line) && is_matrix_market(line);
}

bool is_vowpal_wabbit_text(TextInput& input) {
  std::string_view line;
  return input.next_filled(line) && looks_like_vowpal_wabbit(line);
}

/// `counts` says which lines are rows.
std::string place_in_text(const Path& path, Index row, bool (*counts)(std::string_view line)) {
  TextInput input(path);
  Index left = row + 1;
  for (std::string_view line; left > 0 && input.next_filled(line);)
    if (counts(line)) --left;
  return input.where(input.line());
}

Design read_whole_hdf5(const Path& path, const DesignOptions& options, const Context& context) {
  return read_hdf5(path, options, context);
}

std::string place_in_libsvm(const Path& path, const DesignOptions&, Index row, const Context&) {
  return place_in_text(path, row, [](std::string_view line) { return !libsvm_content(line).empty(); });
}

std::string place_in_vowpal_wabbit(const Path& path, const DesignOptions&, Index row, const Context&) {
  return place_in_text(path, row, [](std::string_view) { return true; });
}

/// Text that no other format recognises is a table. The order is that of the documentation.
const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {.name = "table",
       .reads = read_table_design,
       .options = {"delimiter", "header", "columns", "without", "categorical", "missing", "dates", "levels",
                   "decimal"},
       .names_response = true,
       .has_columns = true,
       .place = place_in_table},
      {.name = "matrix-market", .recognises_text = is_matrix_market_text, .reads = read_matrix_market},
      {.name = "libsvm",
       .recognises_text = looks_like_libsvm,
       .reads = read_libsvm,
       .options = {"features"},
       .place = place_in_libsvm},
      {.name = "vowpal-wabbit",
       .recognises_text = is_vowpal_wabbit_text,
       .reads = read_vowpal_wabbit,
       .options = {"features", "bits"},
       .place = place_in_vowpal_wabbit},
      {.name = "hdf5",
       .recognises = is_hdf5,
       .reads = read_whole_hdf5,
       .options = {"dataset", "features", "hdf5"},
       .names_response = true},
      {.name = "binary", .recognises = is_claros_binary, .reads = read_binary, .options = {"memory"}},
      {.name = "npy", .recognises = is_npy, .reads = read_npy, .options = {"memory"}},
      {.name = "npz",
       .recognises = is_zip,
       .reads = read_npz,
       .options = {"dataset"},
       .names_response = true}};
  return all;
}

/// An option that some formats alone ask for, and whether it is given.
struct GivenOption {
  const char* name;
  bool (*is_given)(const DesignOptions&);
};

constexpr GivenOption kOptionsOfFormats[] = {
    {"delimiter", [](const DesignOptions& o) { return o.table.delimiter != "auto"; }},
    {"header", [](const DesignOptions& o) { return o.table.header != "auto"; }},
    {"memory", [](const DesignOptions& o) { return o.memory == "map"; }},
    {"dataset", [](const DesignOptions& o) { return o.dataset != DesignOptions().dataset; }},
    {"features", [](const DesignOptions& o) { return o.features != 0; }},
    {"bits", [](const DesignOptions& o) { return o.bits != 0; }},
    {"columns", [](const DesignOptions& o) { return !o.columns.empty(); }},
    {"without", [](const DesignOptions& o) { return !o.without.empty(); }},
    {"categorical", [](const DesignOptions& o) { return !o.categorical.empty(); }},
    {"missing", [](const DesignOptions& o) { return o.missing != Missing::refuse; }},
    {"dates", [](const DesignOptions& o) { return o.dates != Dates::refuse; }},
    {"levels", [](const DesignOptions& o) { return o.levels != Levels::reference; }},
    {"decimal", [](const DesignOptions& o) { return o.decimal != Decimal::automatic; }},
    {"hdf5", [](const DesignOptions& o) { return o.hdf5 != DesignOptions().hdf5; }}};

const Format& recognised(const Path& path, const std::string& bytes) {
  for (const Format& format : formats())
    if (format.recognises && format.recognises(bytes)) return format;
  for (const Format& format : formats()) {
    if (!format.recognises_text) continue;
    TextInput input(path);
    if (format.recognises_text(input)) return format;
  }
  return formats().front();
}

}  // namespace

bool Format::asks_for(std::string_view option) const {
  return std::ranges::find(options, option) != options.end();
}

std::vector<std::string> names_of_formats() {
  std::vector<std::string> names{"auto"};
  for (const Format& format : formats()) names.emplace_back(format.name);
  return names;
}

const Format& format_of(const Path& path, const DesignOptions& options) {
  const std::string bytes = first_bytes(path);  // fails for a missing file, whatever its format
  if (options.format == "auto") return recognised(path, bytes);
  for (const Format& format : formats())
    if (format.name == options.format) return format;
  throw Error(ErrorKind::usage, "format", "'" + options.format + "' is not a format of designs",
              "choose one of " + joined(names_of_formats()));
}

void warn_unused(const Format& format, const Path& path, const DesignOptions& options,
                 const Context& context) {
  for (const GivenOption& option : kOptionsOfFormats)
    if (option.is_given(options) && !format.asks_for(option.name))
      context.warn(path.string() + ": the option " + option.name + " has no effect on a file of the format " +
                   std::string(format.name));
}

}  // namespace claros::design_formats
