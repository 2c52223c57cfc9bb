// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/fields.hpp>
#include <claros/io/triplets.hpp>
#include <claros/memory_limits.hpp>
#include "io/design_formats.hpp"
#include "io/file_kind.hpp"
#include "io/holes.hpp"
#include "io/numpy_archive.hpp"

#include <claros/error.hpp>
#include <claros/io/picture.hpp>
#include <claros/io/text_input.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>

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

/// `text` is memory_text's.
void announce(const Path& path, const std::string& text, double bytes, int times, const Context& context) {
  const std::string more = times == 1   ? ""
                           : times == 2 ? ", and twice as much while it is read"
                                        : ", and three times as much while it is read";
  context.note(text + more);
  expect_memory(bytes * times, path.string(),
                "the " + text.substr(0, text.find(" takes ")) + (times == 1 ? "" : ", while it is read,"));
}

}  // namespace

void announce_dense(const Path& path, Index rows, Index cols, bool single, int times,
                    const Context& context) {
  announce(path, memory_text(rows, cols, single),
           static_cast<double>(rows) * static_cast<double>(cols) * (single ? 4 : 8), times, context);
}

void announce_sparse(const Path& path, Index rows, Index cols, Index stored, bool single, int times,
                     const Context& context) {
  announce(path, memory_text(rows, cols, stored, single),
           static_cast<double>(stored) * (single ? 8 : 12) + 8.0 * static_cast<double>(rows), times, context);
}

namespace {

template <class Real>
SparseRows<Real> sparse_of(const Design& design) {
  SparseRows<Real> sparse;
  std::vector<double> row(static_cast<std::size_t>(design.cols));
  sparse.start.push_back(0);
  for (Index i = 0; i < design.rows; ++i) {
    design.row(i, row);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0.0) continue;
      sparse.column.push_back(static_cast<std::int32_t>(j));
      sparse.value.push_back(static_cast<Real>(row[j]));
    }
    sparse.start.push_back(static_cast<Index>(sparse.value.size()));
  }
  return sparse;
}

template <class Real>
DenseRows<Real> dense_of(const Design& design) {
  DenseRows<Real> dense;
  dense.values.reserve(static_cast<std::size_t>(design.rows) * static_cast<std::size_t>(design.cols));
  std::vector<double> row(static_cast<std::size_t>(design.cols));
  for (Index i = 0; i < design.rows; ++i) {
    design.row(i, row);
    std::transform(row.begin(), row.end(), std::back_inserter(dense.values),
                   [](double v) { return static_cast<Real>(v); });
  }
  return dense;
}

}  // namespace

void store_as_asked(const Path& path, Design& design, const DesignOptions& options, const Context& context) {
  const bool single = design.is_single();
  if (options.storage == "dense" && design.is_sparse()) {
    announce_dense(path, design.rows, design.cols, single, 1, context);
    if (single)
      design.entries = dense_of<float>(design);
    else
      design.entries = dense_of<double>(design);
  }
  if (options.storage == "sparse" && !design.is_sparse()) {
    if (single)
      design.entries = sparse_of<float>(design);
    else
      design.entries = sparse_of<double>(design);
    context.note(memory_text(design.rows, design.cols, design.stored(), single));
  }
}

namespace {

constexpr std::string_view kBlank = " \t";

/// "label 3:0.5": the second field of the first line that is no comment holds a colon between two numbers.
bool looks_like_libsvm(TextInput& input) {
  std::string_view line;
  while (input.next_filled(line)) {
    line = line.substr(line.find_first_not_of(kBlank));
    if (line.front() == '#') continue;
    const auto blank = line.find_first_of(kBlank);
    const auto next = line.find_first_not_of(kBlank, blank);
    if (next == line.npos && claros::number_of(line.substr(0, blank))) continue;  // a row without entries
    if (next == line.npos) return false;
    const auto field = line.substr(next, line.find_first_of(kBlank, next) - next);
    const auto colon = field.find(':');
    return colon != field.npos && integer_of(field.substr(0, colon)) &&
           claros::number_of(field.substr(colon + 1));
  }
  return false;
}

/// `next(i)` is the end of row i.
template <class Real, class Next>
void scale_rows(std::span<Real> values, Index rows, const Next& next) {
  std::size_t from = 0;
  for (Index i = 0; i < rows; ++i) {
    const std::size_t to = next(i);
    double square = 0.0, largest = 0.0;
    for (std::size_t k = from; k < to; ++k)
      largest = std::max(largest, std::abs(static_cast<double>(values[k])));
    // By the largest, so that no square overflows or vanishes.
    for (std::size_t k = from; k < to && largest > 0.0; ++k)
      square += std::pow(static_cast<double>(values[k]) / largest, 2);
    for (std::size_t k = from; k < to && largest > 0.0; ++k)
      values[k] = static_cast<Real>(static_cast<double>(values[k]) / largest / std::sqrt(square));
    from = to;
  }
}

template <class Real>
void make_unit_rows(DenseRows<Real>& rows, const Design& design) {
  scale_rows(std::span<Real>(rows.values), design.rows, [&](Index i) {
    return static_cast<std::size_t>(i + 1) * static_cast<std::size_t>(design.cols);
  });
}
template <class Real>
void make_unit_rows(SparseRows<Real>& rows, const Design& design) {
  scale_rows(rows.own_values(), design.rows,
             [&](Index i) { return static_cast<std::size_t>(rows.start[static_cast<std::size_t>(i) + 1]); });
}

}  // namespace

std::string format_of(const Path& path, const DesignOptions& options) {
  const std::string bytes = first_bytes(path);
  if (options.format != "auto") return options.format;
  if (is_claros_binary(bytes)) return "binary";
  if (is_hdf5(bytes)) return "hdf5";
  if (is_npy(bytes)) return "npy";
  if (is_zip(bytes)) return "npz";
  TextInput input(path);
  std::string_view line;
  if (input.next(line) && is_matrix_market(line)) return "matrix-market";
  input.unread();
  if (input.next_filled(line) && looks_like_vowpal_wabbit(line)) return "vowpal-wabbit";
  input.unread();
  return looks_like_libsvm(input) ? "libsvm" : "table";
}

namespace {

Design read_format(const std::string& format, const Path& path, const DesignOptions& options,
                   const Context& context) {
  if (format == "binary") return read_binary(path, options, context);
  if (format == "hdf5") return read_hdf5(path, options, context);
  if (format == "npy") return read_npy(path, options, context);
  if (format == "npz") return read_npz(path, options, context);
  if (format == "matrix-market") return read_matrix_market(path, options, context);
  if (format == "libsvm") return read_libsvm(path, options, context);
  if (format == "vowpal-wabbit") return read_vowpal_wabbit(path, options, context);
  return read_table_design(path, options, context);
}

/// Warns of options that a file of that format does not ask for.
void warn_unused(const std::string& format, const Path& path, const DesignOptions& options,
                 const Context& context) {
  const bool members = format == "hdf5" || format == "npz";
  const std::pair<const char*, bool> asked[] = {
      {"delimiter", options.table.delimiter != "auto" && format != "table"},
      {"header", options.table.header != "auto" && format != "table"},
      {"memory", options.memory == "map" && format != "binary" && format != "npy"},
      {"dataset", options.dataset != DesignOptions().dataset && !members},
      {"features",
       options.features != 0 && format != "libsvm" && format != "vowpal-wabbit" && format != "hdf5"},
      {"bits", options.bits != 0 && format != "vowpal-wabbit"},
      {"columns", !options.columns.empty() && format != "table"},
      {"without", !options.without.empty() && format != "table"},
      {"categorical", !options.categorical.empty() && format != "table"},
      {"missing", options.missing != Missing::refuse && format != "table"},
      {"dates", options.dates != Dates::refuse && format != "table"},
      {"levels", options.levels != Levels::reference && format != "table"},
      {"decimal", options.decimal != Decimal::automatic && format != "table"},
      {"hdf5", options.hdf5 != DesignOptions().hdf5 && format != "hdf5"}};
  for (const auto& [name, given] : asked)
    if (given)
      context.warn(path.string() + ": the option " + name + " has no effect on a file of the format " +
                   format);
}

void read_response_file(Design& design, const DesignOptions& options, const Context& context) {
  design.response = read_row_numbers(context.resolve(options.response), design.rows, "responses", context);
  design.labels.clear();
}

/// Those of a file; a table has read those of its columns.
void read_row_files(Design& design, const std::string& format, const DesignOptions& options,
                    const Context& context) {
  const auto read = [&](std::vector<double>& numbers, const std::string& text, const std::string& what) {
    if (text.empty() || (format == "table" && !numbers.empty())) return;
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
  if (options.groups.empty() || (format == "table" && !design.groups.empty())) return;
  std::map<double, Index> known;
  for (const double group : read_row_numbers(context.resolve(options.groups), design.rows, "groups", context))
    design.groups.push_back(known.try_emplace(group, static_cast<Index>(known.size())).first->second);
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

std::vector<ParameterRow<DesignOptions>> design_rows() {
  using O = DesignOptions;
  std::vector<ParameterRow<O>> rows{
      row("format", &O::format,
          one_of(
              {"auto", "table", "matrix-market", "libsvm", "vowpal-wabbit", "hdf5", "binary", "npy", "npz"}),
          "how the file of the design is written"),
      row("response", &O::response, any(),
          "name or number (from 1) of the response's column, a file of one number a row, an "
          "HDF5 dataset or a member of a .npz; auto: the last column, or y",
          "y"),
      row("dataset", &O::dataset, any(),
          "HDF5 and .npz: the dataset, group of compressed rows, or member that holds the rows"),
      row("precision", &O::precision, one_of({"double", "float"}),
          "of the stored entries; sums are made in double. float: an entry below 1e-45 becomes 0, one beyond "
          "3.4e38 is refused"),
      row("storage", &O::storage, one_of({"auto", "dense", "sparse"}), "auto: as the file is written"),
      row("memory", &O::memory, one_of({"auto", "read", "map"}),
          "binary and .npy: read: the entries are copied into memory; map: they are used where they stand in "
          "the file, of which the "
          "system keeps what fits; auto: mapped where they do not fit"),
      row("hdf5", &O::hdf5, one_of({"own", "plugins", "files", "all"}),
          "what an HDF5 file may bring in: own: nothing; plugins: filters from HDF5_PLUGIN_PATH, which run "
          "as code; files: "
          "external storage, external links and virtual datasets, which read other files; all"),
      row("patience", &O::patience, between(0.1, 1e6),
          "HDF5: seconds without a number after which reading is given up"),
      row("features", &O::features, between(0, std::numeric_limits<std::int32_t>::max()),
          "sparse text and sparse HDF5: number of columns; 0: the largest in the file", "p"),
      row("columns", &O::columns, any(),
          "table: the columns to read: names or numbers from 1, with commas; empty: all"),
      row("without", &O::without, any(), "table: columns to leave out, likewise"),
      row("categorical", &O::categorical, any(),
          "table: columns of numbers that are names of categories; columns of text are without being named"),
      row("missing", &O::missing,
          one_of<Missing>({{Missing::refuse, "refuse"},
                           {Missing::drop, "drop"},
                           {Missing::mean, "mean"},
                           {Missing::median, "median"},
                           {Missing::indicator, "indicator"}}),
          "table: what is done about a blank, NA, NaN, null, None, ? or a dot: refuse; drop: the row is left "
          "out; mean, median: that of the column, and the most frequent category; indicator: the mean, and a "
          "column that says where"),
      row("levels", &O::levels, one_of<Levels>({{Levels::reference, "reference"}, {Levels::all, "all"}}),
          "table: the columns of a category: reference: one a level but the first; all: one a level"),
      row("decimal", &O::decimal,
          one_of<Decimal>(
              {{Decimal::automatic, "auto"}, {Decimal::point, "point"}, {Decimal::comma, "comma"}}),
          "table: what stands before the decimals; auto: a comma where no number of the column has a point"),
      row("dates", &O::dates, one_of<Dates>({{Dates::refuse, "refuse"}, {Dates::days, "days"}}),
          "table: columns of dates such as 2024-03-01 or "
          "2024-03-01T12:30: refuse; days: the days since 1970-01-01"),
      row("weights", &O::weights, any(),
          "one number >= 0 a row: a column of a table (name or number), "
          "or a file; empty: those of the data, else 1",
          "w"),
      row("offset", &O::offset, any(),
          "one number a row that is added to <a_i, x>, as the log of an exposure: a column of a table, or a "
          "file; empty: those of the data, else 0",
          "o"),
      row("groups", &O::groups, any(),
          "rows with the same value stay in one fold of a cross-validation: a "
          "column of a table, or a file of one number a row"),
      row("unit_rows", &O::unit_rows, "whether every row is divided by its Euclidean length"),
      row("bits", &O::bits, between(0, 30),
          "vowpal-wabbit: features are hashed into 2^bits columns, as vw does (18 there); 0: they are whole "
          "numbers, those of their columns from 0")};
  for (auto& r : include(&O::table, table_rows())) rows.push_back(std::move(r));
  return rows;
}

Design read_design(const std::filesystem::path& path, const DesignOptions& options, const Context& context) {
  using namespace design_formats;
  static const auto rows = design_rows();
  expect_in_range(options, rows);
  const std::string format = format_of(path, options);
  warn_unused(format, path, options, context);
  Design design = within_memory(path.string(), [&] { return read_format(format, path, options, context); });
  const bool chosen = options.response != "auto" && !options.response.empty();
  if (response_is_file(options, context) &&
      !((format == "hdf5" || format == "npz" || format == "table") && !design.response.empty()))
    read_response_file(design, options, context);
  else if (chosen && options.bare_columns == 0 &&
           (format == "matrix-market" || format == "libsvm" || format == "vowpal-wabbit" ||
            format == "binary" || format == "npy"))
    throw Error(ErrorKind::data, context.resolve(options.response).string(),
                "there is no such file of responses", "objective.response names a file of one number a row");
  if (design.response.empty() && options.bare_columns == 0)
    throw Error(ErrorKind::data, path.string(), "the file holds no response",
                "give objective.response = FILE, one number a row");
  read_row_files(design, format, options, context);
  within_memory(path.string(), [&] { store_as_asked(path, design, options, context); });
  read_once(design, path, options, context);
  if (options.unit_rows) std::visit([&](auto& entries) { make_unit_rows(entries, design); }, design.entries);
  return design;
}

std::string place_of_row(const std::filesystem::path& path, const DesignOptions& options, Index row,
                         const Context& context) {
  using namespace design_formats;
  if (response_is_file(options, context)) return context.resolve(options.response).string();
  const std::string format = format_of(path, options);
  if (format != "table" && format != "libsvm" && format != "vowpal-wabbit") return path.string();
  if (format == "table") return place_in_table(path, options, row, context);
  TextInput input(path);
  Index left = row + 1;
  for (std::string_view line; left > 0 && input.next_filled(line);)
    if (format != "libsvm" || !libsvm_content(line).empty()) --left;
  return input.where(input.line());
}

DenseTable numbers_of(const std::filesystem::path& path, Holes holes, const Context& context) {
  const std::string bytes = first_bytes(path);
  if (is_npy(bytes)) return table_of(open_npy(path), holes);
  if (is_png(bytes) || is_pgm(bytes)) return read_picture(path, context);
  if (is_zip(bytes)) {
    const NumpyArchive archive(path);
    if (archive.names().size() != 1) archive.fail_missing("a single array");
    return table_of(archive.open(archive.names().front()), holes);
  }
  TextInput input(path);
  std::string_view line;
  if (input.next(line) && is_matrix_market(line)) return read_matrix_market_array(path);
  return table_of_text(path, {}, holes, context).table;
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
  return within_memory(path.string(), [&] { return numbers_of(path, Holes::refuse, context); });
}

}  // namespace claros
