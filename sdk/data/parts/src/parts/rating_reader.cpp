// SPDX-License-Identifier: BSD-3-Clause
#include "parts/rating_reader.hpp"

#include <claros/io/file_limits.hpp>
#include <claros/io/triplets.hpp>
#include "io/file_kind.hpp"
#include "io/list_columns.hpp"
#include "io/numpy_archive.hpp"
#include "io/plain_line.hpp"

#include <claros/error.hpp>
#include <claros/io/text_input.hpp>

#include <optional>
#include <utility>

namespace claros {

namespace fs = std::filesystem;

namespace {

/// The memory of an entry while it is read: two ids, a value, and perhaps a fourth number.
constexpr std::size_t kEntryBytes = 24;

const char* name_of_fourth(const RatingsOptions& options) {
  return options.half_life > 0.0 ? "the time" : "the weight";
}

bool is_matrix_market_file(const fs::path& file) {
  TextInput input(file);
  std::string_view first;
  return input.next(first) && is_matrix_market(first);
}

bool holds_positions(const fs::path& file) {
  return is_zip(first_bytes(file)) || is_matrix_market_file(file);
}

/// The delimiter, the fields of a line and their order, of the first line of a file.
struct Form {
  std::string delimiter;
  std::size_t fields = 0;
  std::optional<ListColumns> columns = {};
};
Form form_of(const fs::path& file, const RatingsOptions& options) {
  TextInput input(file);
  const FieldReader reader(input, options.delimiter, list_header(options.header, options.columns),
                           needs_of(options).fields(), list_header_rule(options.columns));
  return {std::string(reader.delimiter()), reader.width(),
          ListColumns(reader, options.columns, needs_of(options))};
}

/// The lines of a file of lists, or of a piece of one.
class UnitLines {
 public:
  UnitLines(const fs::path& file, const TextPiece& unit, const RatingsOptions& options)
      : form_(unit.from == 0 ? Form{.delimiter = options.delimiter} : form_of(file, options)) {
    if (unit.piece) stream_.emplace(file, unit);
    if (stream_ && stream_->empty()) return;
    stream_ ? input_.emplace(stream_->text(), stream_->name()) : input_.emplace(file);
    open(options, unit.from > 0);
  }

  /// Moves to the next line, and calls plain(PlainLine) where that is one that it accepts, else
  /// care(FieldReader); false at the end.
  template <class Plain, class Care>
  bool next(const Plain& plain, const Care& care) {
    std::string_view line;
    if (!reader_ || !input_->next_filled(line)) return false;
    if (line_ && line_->scan(line) && plain(*line_)) return true;
    input_->unread();
    (void)reader_->next();
    care(*reader_);
    return true;
  }
  std::string where() const { return input_->where(input_->line()); }
  std::size_t fields() const { return form_.fields; }
  const FieldReader* reader() const { return reader_ ? &*reader_ : nullptr; }
  /// The columns are known once a line was read.
  const ListColumns& columns() const { return *form_.columns; }
  const PlainLine* plain_line() const { return line_ ? &*line_ : nullptr; }

 private:
  void open(const RatingsOptions& options, bool goes_on) {
    std::string_view line;
    if (goes_on && !input_->next_filled(line)) return;
    if (goes_on) input_->unread();
    const std::string header = goes_on ? "no" : list_header(options.header, options.columns);
    reader_.emplace(*input_, form_.delimiter, header, needs_of(options).fields(),
                    list_header_rule(options.columns));
    const std::size_t fields = reader_->width();
    if (form_.fields > 0 && fields != form_.fields)
      input_->fail("the line has " + std::to_string(fields) + " fields when split at " + form_.delimiter +
                       ", expected " + std::to_string(form_.fields) + " as on the first line of the file",
                   "give every line the same fields");
    form_.fields = fields;
    if (!form_.columns) form_.columns.emplace(*reader_, options.columns, needs_of(options));
    if (form_.columns->in_order() && options.decimal != "comma")
      line_.emplace(reader_->delimiter(), fields, needs_of(options).fields());
  }

  Form form_;
  std::optional<PieceStream> stream_;
  std::optional<TextInput> input_;
  std::optional<FieldReader> reader_;
  std::optional<PlainLine> line_;
};

void expect_weight(double weight, const RatingsOptions& options, const UnitLines& lines) {
  if (options.half_life > 0.0 || weight >= 0.0) return;
  throw Error(ErrorKind::data, lines.where(),
              "the weight is " + print_real(weight) + "; expected a finite number >= 0",
              "change it, or leave the weights out");
}

void note_form(const UnitLines& lines, const Context& context) {
  if (!lines.reader()) return;
  lines.columns().note(*lines.reader(), context);
}

UnitFacts read_lines(const fs::path& file, const TextPiece& unit, const RatingsOptions& options,
                     const Context& context, RatingQueue& to) {
  UnitLines lines(file, unit, options);
  note_form(lines, context);
  Decimals values(options.decimal, lines.reader() ? lines.reader()->delimiter() : ""), fourths = values;
  const bool fourth = reads_fourth_field(options);
  GrowthWatch memory("the entries that this rank reads");
  const auto numbers = [&](double value, double other) {
    to.value.push(value);
    if (!fourth) return;
    expect_weight(other, options, lines);
    to.fourth.push(other);
  };
  const auto plain = [&](const PlainLine& line) {
    if (!to.rows.takes(line.row) || !to.cols.takes(line.col)) return false;
    to.rows.add(line.row), to.cols.add(line.col);
    numbers(line.value, line.fourth);
    return true;
  };
  const auto care = [&](const FieldReader& reader) {
    const ListColumns& at = lines.columns();
    to.rows.add(reader, at.row), to.cols.add(reader, at.col);
    const double value = values.number(reader, *at.value, "the value");
    numbers(value, fourth ? fourths.number(reader, *at.fourth, name_of_fourth(options)) : 0.0);
  };
  const std::size_t before = to.value.size();
  const std::string name = file.string();
  while (lines.next(plain, care)) memory.grown(kEntryBytes * to.value.size(), name);
  if (const PlainLine* plain_line = lines.plain_line()) {
    values.point |= plain_line->point;
    fourths.point |= plain_line->fourth_point;
  }
  if (lines.reader())
    if (auto guess = lines.columns().guess(*lines.reader())) to.headers.push_back(std::move(*guess));
  const auto bits = [](const Decimals& of) {
    return Index{of.point} | Index{of.comma} << 1 | Index{of.decimal} << 2;
  };
  const Index decimals = bits(values) | bits(fourths) << 3;
  return {static_cast<Index>(to.value.size() - before), static_cast<Index>(lines.fields()), 0, 0, decimals};
}

Triplets positions_in(const fs::path& file) {
  if (is_matrix_market_file(file)) {
    TextInput input(file);
    return read_coordinates(input);
  }
  return NumpyArchive(file).sparse();
}

UnitFacts read_positions(const fs::path& file, const RatingsOptions& options, RatingQueue& to) {
  if (reads_fourth_field(options))
    throw Error(ErrorKind::usage, options.half_life > 0.0 ? "half_life" : "weights",
                "is about a fourth field, and " + file.string() + " has positions and values alone",
                "write lines of row, column, value and weight (or time)");
  const Triplets found = positions_in(file);
  to.rows.hold_positions(), to.cols.hold_positions();
  for (std::size_t e = 0; e < found.value.size(); ++e) {
    to.rows.add(Index{found.row[e]}), to.cols.add(Index{found.col[e]});
    to.value.push(found.value[e]);
  }
  return {static_cast<Index>(found.value.size()), 0, found.rows, found.cols};
}

std::vector<std::string> places_of_positions(const fs::path& file, Index row, Index col) {
  const Triplets found = positions_in(file);
  std::vector<std::string> places;
  for (std::size_t e = 0; e < found.value.size() && places.size() < 2; ++e)
    if (found.row[e] == row && found.col[e] == col)
      places.push_back(file.string() + (found.line.empty() ? ", number " + std::to_string(e + 1)
                                                           : ":" + std::to_string(found.line[e])));
  return places;
}

}  // namespace

bool reads_fourth_field(const RatingsOptions& options) {
  return options.weights == "column" || options.half_life > 0.0;
}

void expect_ratings_in_parts(const fs::path& file) {
  const std::string bytes = first_bytes(file);
  if (is_npy(bytes) || is_hdf5(bytes) || (is_zip(bytes) && !NumpyArchive(file).is_sparse()))
    throw Error(ErrorKind::data, file.string(),
                "is " + binary_kind(bytes) +
                    "; ratings in parts are text (row, column, value), Matrix Market "
                    "files of coordinates, or .npz files of sparse matrices",
                "write the parts so, or all of them into one file");
}

bool is_plain_list(const fs::path& file) {
  return is_plain(file) && binary_kind(first_bytes(file)).empty() && !is_matrix_market_file(file);
}

UnitFacts read_unit(const fs::path& file, const TextPiece& unit, const RatingsOptions& options,
                    const Context& context, RatingQueue& to) {
  if (unit.piece) return read_lines(file, unit, options, context, to);
  expect_ratings_in_parts(file);
  return holds_positions(file) ? read_positions(file, options, to)
                               : read_lines(file, unit, options, context, to);
}

std::vector<std::string> places_in_unit(const fs::path& file, const TextPiece& unit,
                                        const RatingsOptions& options, const RatingIds& rows,
                                        const RatingIds& cols, Index row, Index col) {
  if (!unit.piece && holds_positions(file)) return places_of_positions(file, row, col);
  std::vector<std::string> places;
  UnitLines lines(file, unit, options);
  const auto plain = [](const PlainLine&) { return false; };
  const auto care = [&](const FieldReader& reader) {
    const ListColumns& at = lines.columns();
    if (rows.stands_for(reader.fields()[at.row], row) && cols.stands_for(reader.fields()[at.col], col))
      places.push_back(reader.where());
  };
  while (places.size() < 2 && lines.next(plain, care)) continue;
  return places;
}

}  // namespace claros
