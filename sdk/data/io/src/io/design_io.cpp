// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/fields.hpp>
#include <claros/io/file_limits.hpp>
#include <claros/io/triplets.hpp>
#include "io/design_formats.hpp"
#include "io/file_kind.hpp"
#include "io/holes.hpp"
#include "io/numpy_archive.hpp"
#include "io/table_roles.hpp"

#include <claros/dataset.hpp>
#include <claros/error.hpp>
#include <claros/io/picture.hpp>
#include <claros/io/text_input.hpp>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <map>
#include <tuple>
#include <utility>

namespace claros {

namespace design_formats {

bool is_file(const std::string& text, const Context& context) {
  std::error_code none;
  return !text.empty() && std::filesystem::is_regular_file(context.resolve(text), none);
}

bool response_is_file(const DesignOptions& options, const Context& context) {
  return options.response != "auto" && is_file(options.response, context);
}

namespace {

void read_response_file(Design& design, const DesignOptions& options, const Context& context) {
  design.response = read_row_numbers(context.resolve(options.response), design.rows, "responses", context);
  design.labels.clear();
}

void read_groups(Design& design, const DesignOptions& options, const Context& context) {
  std::map<double, Index> known;
  for (const double group : read_row_numbers(context.resolve(options.groups), design.rows, "groups", context))
    design.groups.push_back(known.try_emplace(group, static_cast<Index>(known.size())).first->second);
}

/// Those of a file; a table has read those of its columns.
void read_row_files(Design& design, const Format& format, const DesignOptions& options,
                    const Context& context) {
  const auto read = [&](std::vector<double>& numbers, const std::string& text, const std::string& what) {
    if (text.empty() || (format.has_columns && !numbers.empty())) return;
    if (options.encoding && !is_file(text, context)) return;  // a column that these rows lack
    numbers = read_row_numbers(context.resolve(text), design.rows, what, context);
    const auto negative = std::ranges::find_if(numbers, [](double w) { return w < 0.0; });
    if (what == "weights" && negative != numbers.end())
      throw Error(ErrorKind::data, context.resolve(text).string(),
                  "the weight of row " + std::to_string(negative - numbers.begin() + 1) + " is " +
                      print_real(*negative),
                  "weights are numbers >= 0");
  };
  read(design.weights, options.weights, "weights");
  read(design.offset, options.offset, "offsets");
  if (!options.groups.empty() && !(format.has_columns && !design.groups.empty()))
    read_groups(design, options, context);
}

/// The cost of passes and of random rows, for a file whose entries take `bytes`.
std::string reading_text(const Design& design, double bytes) {
  const std::string left = size_text(memory_allowed()) + " of memory are left, ";
  if (fits_memory(bytes)) return left + "which hold it";
  const double row = bytes / static_cast<double>(std::max<Index>(design.rows, 1));
  return left +
         "which do not hold it: every pass reads from disk what the system has dropped, and a random row (" +
         size_text(row) + ") is a read of its own";
}

/// Checks the numbers. For a mapped file this is the first pass over it, whose pace predicts that of the next
/// ones.
void read_once(const Design& design, const Path& path, const DesignOptions& options, const Context& context) {
  using Clock = std::chrono::steady_clock;
  const auto before = Clock::now();
  require_consistent(design, path.string(), options.bare_columns == 0);
  if (!design.source) return;
  const double bytes = static_cast<double>(design.stored()) * (design.is_single() ? 4 : 8);
  const double seconds = std::chrono::duration<double>(Clock::now() - before).count();
  const std::string what = "mapped: " + path.string() + ", " + size_text(bytes) + " of ";
  context.note(design.checked
                   ? what + "values, checked once; " + reading_text(design, bytes)
                   : what + (design.is_single() ? "floats; " : "doubles; ") + reading_text(design, bytes) +
                         " (the first pass: " + size_text(bytes / std::max(seconds, 1e-9)) + " a second)");
}

}  // namespace
}  // namespace design_formats

namespace {

/// Warns of numbers of the file that are 0 in single precision, which another reading in double shows.
void warn_of_zeros(const design_formats::Format& format, const std::filesystem::path& path,
                   DesignOptions options, Context context) {
  const MessageSink messages = std::exchange(context.messages, {});
  options.precision = "double";
  const Design full = format.reads(path, options, context);
  Index count = 0, row = 0, col = 0;
  double first = 0.0;
  const auto look = [&](double value, auto place) {
    if (value == 0.0 || static_cast<float>(value) != 0.0F) return;
    if (count++ > 0) return;
    std::tie(row, col) = place();
    first = value;
  };
  if (const auto* dense = std::get_if<DenseRows<double>>(&full.entries))
    for (Index k = 0; const double value : dense->view()) {
      look(value, [&] { return std::pair(k / full.cols, k % full.cols); });
      ++k;
    }
  if (const auto* sparse = std::get_if<SparseRows<double>>(&full.entries)) {
    const auto held = sparse->view();
    for (Index i = 0; i < full.rows; ++i)
      for (Index e = held.start[static_cast<std::size_t>(i)]; e < held.start[static_cast<std::size_t>(i) + 1];
           ++e)
        look(held.value[static_cast<std::size_t>(e)],
             [&] { return std::pair<Index, Index>(i, held.column[static_cast<std::size_t>(e)]); });
  }
  if (count == 0 || !messages) return;
  messages(Severity::warning, path.string() + ": " + std::to_string(count) +
                                  (count == 1 ? " entry" : " entries") +
                                  " became 0 in single precision, first " + print_real(first) + " in row " +
                                  std::to_string(row + 1) + ", column " + std::to_string(col + 1) +
                                  " (take precision = double, or scale the columns)");
}

}  // namespace

std::shared_ptr<const Design> design_of_data(const std::string& file, const DesignOptions& options,
                                             const Context& context) {
  const auto design = context.data ? context.data->design() : nullptr;
  std::vector<Complaint> complaints;
  if (context.data && !file.empty())
    complaints.push_back({"data",
                          "names '" + file + "', and the [data] section, or the data in memory, beside it",
                          "leave out one of them"});
  for (const auto& row : design ? design_rows() : std::vector<ParameterRow<DesignOptions>>()) {
    const std::string name(row.info.name);
    const bool of_rows = name == "weights" || name == "offset" || name == "groups";
    if (!of_rows && row.print(options) != row.print(DesignOptions()))
      complaints.push_back({name, "is about a file, and the rows are not read from one",
                            "leave it out, and give the rows and columns that are meant"});
  }
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
  if (!design || options.groups.empty()) return design;
  Design grouped(*design);
  grouped.groups.clear();
  design_formats::read_groups(grouped, options, context);
  return std::make_shared<const Design>(std::move(grouped));
}

Design read_design(const std::filesystem::path& path, const DesignOptions& options, const Context& context) {
  using namespace design_formats;
  static const auto rows = design_rows();
  expect_in_range(options, rows);
  const Format& format = format_of(path, options);
  warn_unused(format, path, options, context);
  std::feclearexcept(FE_UNDERFLOW);
  Design design = within_memory(path.string(), [&] { return format.reads(path, options, context); });
  if (is_single(options) && std::fetestexcept(FE_UNDERFLOW))
    within_memory(path.string(), [&] { warn_of_zeros(format, path, options, context); });
  const bool chosen = options.response != "auto" && !options.response.empty();
  if (options.ignores_responses)
    design.response.clear(), design.labels.clear();
  else if (response_is_file(options, context) && !(format.names_response && !design.response.empty()))
    read_response_file(design, options, context);
  else if (chosen && options.bare_columns == 0 && !format.names_response)
    throw Error(ErrorKind::data, context.resolve(options.response).string(),
                "there is no such file of responses", "objective.response names a file of one number a row");
  if (design.response.empty() && options.bare_columns == 0)
    throw Error(ErrorKind::data, path.string(), "the file holds no response",
                "give objective.response = FILE, one number a row");
  read_row_files(design, format, options, context);
  within_memory(path.string(), [&] { store_as_asked(path, design, options, context); });
  read_once(design, path, options, context);
  if (options.unit_rows) scale_to_unit_rows(design);
  return design;
}

bool is_table(const std::filesystem::path& path, const DesignOptions& options) try {
  if (design_formats::format_of(path, options).name != "table") return false;
  TextInput input(path);
  return !FieldReader(input, options.table.delimiter, options.table.header, 1).names().empty();
} catch (const Error&) {
  return false;
}

bool is_column(const std::filesystem::path& path, const DesignOptions& options, const std::string& word) try {
  if (!design_formats::format_of(path, options).has_columns) return false;
  TextInput input(path);
  const FieldReader reader(input, options.table.delimiter, options.table.header, 1);
  return design_formats::column_of(word, reader).has_value();
} catch (const Error&) {
  return false;
}

std::string place_of_row(const std::filesystem::path& path, const DesignOptions& options, Index row,
                         const Context& context) {
  using namespace design_formats;
  if (response_is_file(options, context)) return context.resolve(options.response).string();
  const Format& format = format_of(path, options);
  return format.place ? format.place(path, options, row, context) : path.string();
}

NamedTable numbers_of(const std::filesystem::path& path, Holes holes, const Context& context,
                      const DesignOptions* columns) {
  const std::string bytes = first_bytes(path);
  if (is_npy(bytes)) return {table_of(open_npy(path), holes), {}};
  if (is_png(bytes) || is_pgm(bytes)) return {read_picture(path, context), {}};
  if (is_zip(bytes)) {
    const NumpyArchive archive(path);
    if (archive.names().size() != 1) archive.fail_missing("a single array");
    return {table_of(archive.open(archive.names().front()), holes), {}};
  }
  TextInput input(path);
  std::string_view line;
  if (input.next(line) && is_matrix_market(line)) return {read_matrix_market_array(path), {}};
  return table_of_text(path, columns ? columns->table : TableOptions{}, holes, context, columns);
}

std::vector<double> read_row_numbers(const std::filesystem::path& path, Index rows, const std::string& what,
                                     const Context& context) {
  DenseTable table = read_numbers(path, context);
  if (table.rows * table.cols != rows || (table.rows != 1 && table.cols != 1))
    throw Error(ErrorKind::data, path.string(),
                "the file holds " + std::to_string(table.rows) + " x " + std::to_string(table.cols) +
                    " numbers; expected " + std::to_string(rows) + " " + what + ", one a row",
                "give one number a row");
  return std::move(table.values);
}

DenseTable read_numbers(const std::filesystem::path& path, const Context& context) {
  return within_memory(path.string(), [&] { return numbers_of(path, Holes::refuse, context).table; });
}

}  // namespace claros
