// SPDX-License-Identifier: BSD-3-Clause
// Tables as people have them: text, blanks, decimal commas, weights and offsets in columns; and the same
// columns of rows to predict.
#include <claros/io/design_io.hpp>
#include <claros/io/fields.hpp>
#include <claros/io/linear_training.hpp>

#include "read_for_test.hpp"

#include <algorithm>
#include <functional>
#include <sstream>

using namespace claros;
using claros::testing::expanded;
using claros::testing::Names;
using claros::testing::Values;

namespace {

using Change = std::function<void(DesignOptions&)>;

struct ReadTable {
  Design design;
  std::string notes;
};

ReadTable read(const std::string& text, const Change& change = {}) {
  const TestFolder folder;
  ReadTable made;
  Context context;
  context.base = folder.path();
  context.messages = [&](Severity, const std::string& note) { made.notes += note + "\n"; };
  DesignOptions options;
  if (change) change(options);
  made.design = read_design(folder.put("table.csv", text), options, context);
  return made;
}

std::string refused(const std::string& text, const Change& change = {}, ErrorKind kind = ErrorKind::data) {
  return complaint([&] { (void)read(text, change); }, kind);
}

/// Read, kept in a folder and read back: what a prediction has.
std::shared_ptr<const TableEncoding> kept(const Design& design) {
  LinearTraining training;
  training.features = design.cols, training.shape = Shape::vector(design.cols);
  training.columns = design.column_names, training.response = design.response_name;
  training.encoding = design.encoding;
  const TestFolder folder;
  write_linear_training(folder.path(), training);
  return read_linear_training(folder.path()).encoding;
}

const std::string kCars =
    "colour,age,price,country\n"
    "red,3,10,DE\n"
    "blue,5,8,FR\n"
    "red,1,15,FR\n"
    "green,7,4,IT\n";

void of_price(DesignOptions& options) { options.response = "price"; }

}  // namespace

TEST_CASE("table: text becomes categories, the first of which is the reference") {
  const auto [design, notes] = read(kCars, of_price);
  CHECK(design.column_names ==
        Names{"colour = green", "colour = red", "age", "country = FR", "country = IT"});
  CHECK(expanded(design) ==
        Values{0, 1, 3, 0, 0, /**/ 0, 0, 5, 1, 0, /**/ 0, 1, 1, 1, 0, /**/ 1, 0, 7, 0, 1});
  CHECK(design.response == Values{10, 8, 15, 4});
  CHECK(design.response_name == "price");
  check_mentions(notes, {"column 1 (colour): 3 categories (blue, green, red)", "blue is the reference"});
}

TEST_CASE("table: all levels, and numbers that are categories") {
  const auto all = read(kCars, [](DesignOptions& o) {
    o.response = "price", o.levels = Levels::all, o.without = "country, age";
  });
  CHECK(all.design.column_names == Names{"colour = blue", "colour = green", "colour = red"});
  CHECK(expanded(all.design) == Values{0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0});
  const auto codes = read("1 0 2\n2 1 3\n7 1 4\n", [](DesignOptions& o) { o.categorical = "1"; });
  CHECK(codes.design.column_names == Names{"c1 = 2", "c1 = 7", "c2"});
  CHECK(expanded(codes.design) == Values{0, 0, 0, 1, 0, 1, 0, 1, 1});
}

TEST_CASE("table: chosen columns, in the order of the table") {
  const auto few = read(kCars, [](DesignOptions& o) { o.response = "price", o.columns = "4,2"; });
  CHECK(few.design.column_names == Names{"age", "country = FR", "country = IT"});
  const auto last = read("a,b,c\n1,2,3\n4,5,6\n", [](DesignOptions& o) { o.columns = "a,b"; });
  CHECK(last.design.response == Values{3, 6});
  const auto left = read("a,b,c\n1,2,3\n4,5,6\n", [](DesignOptions& o) { o.without = "c"; });
  CHECK(left.design.response == Values{2, 5});
  check_mentions(left.notes, {"the response is column 2 (b)"});
  check_mentions(refused(
                     kCars, [](DesignOptions& o) { o.without = "colr"; }, ErrorKind::usage),
                 {"without", "'colr' is not a column", "colour"});
  check_mentions(
      refused(
          kCars, [](DesignOptions& o) { o.without = "age", o.columns = "colour"; }, ErrorKind::usage),
      {"columns", "without"});
}

TEST_CASE("table: a first line that counts up as no other does is data, and a note says how it is a header") {
  const auto noted = [](const std::string& text, const std::string& header = "auto") {
    const auto made = read(text, [&](DesignOptions& o) { o.table.header = header; });
    return made.notes.find("set header = yes") != std::string::npos;
  };
  for (const std::string line : {"2019,2020,2021", "0,1,2,3", "-1,0,1,2,3", "1998,1999,2000,2001"}) {
    const auto width = std::ranges::count(line, ',') + 1;
    std::string rows;
    for (const char* number : {"2", "1.5", "7"}) {
      for (std::ptrdiff_t j = 0; j < width; ++j) rows += (j ? ",0" : "") + std::string(j ? "" : number);
      rows += '\n';
    }
    CAPTURE(line);
    const auto made = read(line + '\n' + rows);
    CHECK(made.design.rows == 4);
    check_mentions(made.notes, {"table.csv:1 is read as data", "set header = yes"});
    CHECK_FALSE(noted(line + '\n' + rows, "no"));
    CHECK_FALSE(noted(line + '\n' + rows, "yes"));
  }
  // Ordinary data: counting is theirs in every line, or an accident of three small numbers, or none.
  for (const std::string text : {"0,1,2,3\n4,5,6,7\n8,9,10,11\n", "1,2,3\n2,1,4\n5,5,1\n", "2019,2020\n3,1\n",
                                 "2019,2021,2022\n1,2,2\n", "1,2,3,4.5\n1,1,1,1\n", "4,3,2,1\n1,7,1,1\n",
                                 "0,1,2,3\n", "a,b,c,d\n0,1,2,3\n4,4,4,4\n"}) {
    CAPTURE(text);
    CHECK_FALSE(noted(text, "auto"));
  }
}

TEST_CASE("table: missing values are refused with the remedy, or dropped, or filled in") {
  const std::string text =
      "size,kind,y\n"
      "1,a,1\n"
      "NA,b,2\n"
      "3,,3\n"
      "8,b,4\n";
  check_mentions(refused(text), {"table.csv:3", "column 1 (size)", "'NA'", "missing value",
                                 "train with missing = mean", "missing = drop"});
  const auto by = [](Missing missing) { return [missing](DesignOptions& o) { o.missing = missing; }; };
  const auto dropped = read(text, by(Missing::drop));
  CHECK(dropped.design.response == Values{1, 4});
  CHECK(expanded(dropped.design) == Values{1, 0, 8, 1});
  check_mentions(dropped.notes, {"2 of 4 rows"});
  const auto mean = read(text, by(Missing::mean));
  CHECK(expanded(mean.design) == Values{1, 0, 4, 1, 3, 1, 8, 1});
  const auto median = read(text, by(Missing::median));
  CHECK(expanded(median.design) == Values{1, 0, 3, 1, 3, 1, 8, 1});
  const auto marked = read(text, by(Missing::indicator));
  CHECK(marked.design.column_names == Names{"size", "size is missing", "kind = b", "kind = (missing)"});
  CHECK(expanded(marked.design) == Values{1, 0, 0, 0, /**/ 4, 1, 1, 0, /**/ 3, 0, 0, 1, /**/ 8, 0, 1, 0});
  check_mentions(refused("a,y\n1,2\n3,\n", by(Missing::mean)), {":3", "column 2 (y)", "never filled in"});
  check_mentions(refused("a,b,y\n1,,2\n,3,4\n", by(Missing::drop)), {"every row has a missing value"});
}

TEST_CASE(
    "table: the most frequent category fills in, of equal ones the first, and only columns with holes are "
    "marked") {
  const auto by = [](Missing missing) { return [missing](DesignOptions& o) { o.missing = missing; }; };
  const std::string text = "size,kind,full,y\n1,b,1,1\n,a,2,2\n3,,3,3\n8,b,4,4\n4,a,5,5\n";
  const auto mean = read(text, by(Missing::mean));
  CHECK(mean.design.column_names == Names{"size", "kind = b", "full"});
  CHECK(expanded(mean.design) == Values{1, 1, 1, 4, 0, 2, 3, 0, 3, 8, 1, 4, 4, 0, 5});
  const auto marked = read(text, by(Missing::indicator));
  CHECK(marked.design.column_names ==
        Names{"size", "size is missing", "kind = b", "kind = (missing)", "full"});
  const auto whole = read("kind,full,y\nb,1,1\na,2,2\nb,3,3\n", by(Missing::indicator));
  CHECK(whole.design.column_names == Names{"kind = b", "full"});
}

TEST_CASE("table: a comma parts fields or decimals, and what a column uses otherwise is refused") {
  CHECK(expanded(read("a,b,y\n1.5,2,3\n2.5,4,1\n").design) == Values{1.5, 2, 2.5, 4});
  // In a table of commas a decimal comma is one only where it is asked for.
  check_mentions(refused("a,y\n\"1,5\",3\n\"2,5\",4\n"), {":2", "column 1 (a)", "decimal = comma"});
  CHECK(expanded(read("a,y\n\"1,5\",3\n\"2,5\",4\n", [](DesignOptions& o) {
                   o.decimal = Decimal::comma;
                 }).design) == Values{1.5, 2.5});
  check_mentions(refused("a;y\n1,5;3\n2.5;4\n"), {":3", "points and commas"});
}

TEST_CASE("table: an even number of values has the median between two") {
  const auto median = read("a,y\n1,1\n,2\n9,3\n", [](DesignOptions& o) { o.missing = Missing::median; });
  CHECK(expanded(median.design) == Values{1, 5, 9});
}

TEST_CASE("table: decimal commas") {
  const auto commas = read("a;b;y\n1,5;2;3\n2;4;0,25\n");
  CHECK(expanded(commas.design) == Values{1.5, 2, 2, 4});
  CHECK(commas.design.response == Values{3, 0.25});
  check_mentions(refused("a;y\n1,5;3\n2.5;4\n"), {":3", "points and commas", "decimal"});
  check_mentions(refused("a;y\n1.5;3\n2.5;4\n", [](DesignOptions& o) { o.decimal = Decimal::comma; }),
                 {"column 1 (a)", "'1.5'", "decimal = point"});
  check_mentions(refused("a;y\n1,5;3\n2,5;4\n", [](DesignOptions& o) { o.decimal = Decimal::point; }),
                 {"column 1 (a)", "'1,5'", "decimal = comma"});
}

TEST_CASE("table: a first line of numbers in any form is data, and a header of percentages or dates is one") {
  const Change comma = [](DesignOptions& o) { o.decimal = Decimal::comma; };
  for (const std::string text :
       {"1,5;2,5\n3,5;4,5\n", "1,5;2,5\n3;4\n", "$1;$2\n$3;$4\n", "1 %;2 %\n3 %;4 %\n", "x;$2\ny;$4\n",
        "-1,5;NA\n1,5;2\n", "1 234,5;1\n2 345,5;2\n", "2024-01-01;$1\n2024-01-02;$2\n"}) {
    CAPTURE(text);
    const TestFolder folder;
    const auto file = folder.put("t.csv", text);
    TextInput input(file);
    FieldReader reader(input, "auto", "auto", 1);
    CHECK(reader.names().empty());
    CHECK(reader.next());
    CHECK(reader.line() == 1);
    CHECK(reader.next());
    CHECK_FALSE(reader.next());
  }
  for (const std::string text : {"25%;50%\n1;2\n", "c;2024-01-01;2024-02-01\nDE;;5\n", "a;b\n1,5;2,5\n",
                                 "2024-01-01;2024-02-01\n1,5;2,5\n"}) {
    CAPTURE(text);
    const TestFolder folder;
    const auto file = folder.put("t.csv", text);
    TextInput input(file);
    CHECK_FALSE(FieldReader(input, "auto", "auto", 1).names().empty());
  }
  CHECK(read("1,5;2,5;1\n3,5;4,5;2\n", comma).design.rows == 2);
  CHECK(read("1,5;2,5;1\n3,5;4,5;2,5\n").design.response == Values{1, 2.5});
  CHECK(read("$1,$2\n$3,$4\n").design.response == Values{2, 4});
}

TEST_CASE("table: a blank line of one column is a missing value, unless only blank lines follow") {
  const auto rows = [](const std::string& text, const std::string& delimiter = "auto") {
    const TestFolder folder;
    const auto file = folder.put("t.csv", text);
    TextInput input(file);
    FieldReader reader(input, delimiter, "auto", 1);
    std::string found;
    while (reader.next()) {
      found += std::to_string(reader.line()) + ":";
      for (const std::string_view field : reader.fields()) found += std::string(field) + ",";
      found += " ";
    }
    return found;
  };
  CHECK(rows("a\n1\n\n3\n") == "2:1, 3:, 4:3, ");
  CHECK(rows("a\n\n \t\n3\n\n\n") == "2:, 3:, 4:3, ");
  CHECK(rows("1\r\n\r\n\r\n2\r\n3\r\n\r\n") == "1:1, 2:, 3:, 4:2, 5:3, ");
  CHECK(rows("\n\n1\n2\n") == "1:, 2:, 3:1, 4:2, ");
  CHECK(rows("\n\na\n2\n") == "4:2, ");
  CHECK(rows("a\n1\n\n\"x\ny\"\n") == "2:1, 3:, 5:x y, ");
  CHECK(rows("1,2\n\n3,4\n") == "1:1,2, 3:3,4, ");
  CHECK(rows("1\t2\n\t\n\n3\t4\n") == "1:1,2, 2:,, 4:3,4, ");
  const auto alone = [](DesignOptions& o) { o.bare_columns = 1; };
  check_mentions(refused("a\n1\n\n3\n", alone), {"table.csv:3", "empty"});
  CHECK(expanded(read("a\n1\n\n3\n", [](DesignOptions& o) {
                   o.bare_columns = 1, o.missing = Missing::mean;
                 }).design) == Values{1, 2, 3});
}

TEST_CASE("table: weights and offsets of columns and of files") {
  const auto columns =
      read("w,a,o,y\n1,5,0.5,3\n2,6,0.25,4\n", [](DesignOptions& o) { o.weights = "w", o.offset = "3"; });
  CHECK(columns.design.weights == Values{1, 2});
  CHECK(columns.design.offset == Values{0.5, 0.25});
  CHECK(expanded(columns.design) == Values{5, 6});
  CHECK(columns.design.column_names == Names{"a"});
  const TestFolder folder;
  folder.put("w.txt", "3\n4\n");
  Context context;
  context.base = folder.path();
  DesignOptions options;
  options.weights = "w.txt";
  CHECK(read_design(folder.put("table", "1,2\n3,4\n"), options, context).weights == Values{3, 4});
  CHECK(read_design(folder.put("svm", "1 1:2\n-1 1:3\n"), options, context).weights == Values{3, 4});
  folder.put("w.txt", "3\n");
  check_mentions(complaint([&] { (void)read_design(folder / "table", options, context); }),
                 {"w.txt", "expected 2 weights"});
  options.weights = "none.txt";
  check_mentions(complaint([&] { (void)read_design(folder / "table", options, context); }, ErrorKind::usage),
                 {"none.txt", "not a column", "no such file"});
  check_mentions(refused("w,a,y\n1,5,3\n-2,6,4\n", [](DesignOptions& o) { o.weights = "w"; }),
                 {"weight of row 2", "-2"});
}

TEST_CASE("table: a column has one role, and a name means one column") {
  const auto both = [](const std::string& weights, const std::string& offset) {
    return refused(
        "w,a,y\n1,5,3\n2,6,4\n",
        [&](DesignOptions& o) { o.weights = weights, o.offset = offset, o.response = "y"; },
        ErrorKind::usage);
  };
  check_mentions(both("y", ""), {"response", "column 3 (y)", "a column of its own"});
  check_mentions(both("w", "1"), {"offset", "column 1 (w)"});
  check_mentions(refused(
                     "a,a,y\n1,2,3\n2,3,4\n", [](DesignOptions& o) { o.without = "a"; }, ErrorKind::usage),
                 {"'a' is the name of several columns", "column 1", "number"});
  check_mentions(refused("a,y\n1,cat\n2,\n3,dog\n"), {":3", "column 2 (y)", "missing = drop"});
  check_mentions(refused("a,y\n1,2\n2,NA\n"), {":3", "column 2 (y)", "'NA'", "never filled in"});
}

TEST_CASE("table: what is neither number nor category") {
  check_mentions(refused("size,y\n1,2\n10+,3\n"),
                 {":3", "column 1 (size) is '10+'", "not a number", "without = size", "categorical = size"});
  std::string ids = "id,y\n";
  for (int k = 0; k < 40; ++k) ids += "u" + std::to_string(k) + ",1\n";
  check_mentions(refused(ids), {"column 1 (id)", "40 different texts in 40 rows", "without = id"});
  const auto same = read("kind,a,y\nx,1,2\nx,2,3\n");
  CHECK(same.design.column_names == Names{"a"});
  check_mentions(same.notes, {"column 1 (kind) is left out", "'x' in all rows"});
  check_mentions(refused("kind,y\nx,2\nx,3\n"), {"no other column"});
}

TEST_CASE("table: rows to predict have the columns of the training, in any order") {
  const auto trained = read(kCars, of_price);
  const auto encoding = kept(trained.design);
  REQUIRE(encoding);
  const auto apply = [&](DesignOptions& o) {
    o.encoding = encoding, o.response = "price", o.bare_columns = trained.design.cols;
  };
  const auto rows = read("country,age,colour\nFR,2,red\nDE,9,blue\n", apply);
  CHECK(rows.design.column_names == trained.design.column_names);
  CHECK(expanded(rows.design) == Values{0, 1, 2, 1, 0, /**/ 0, 0, 9, 0, 0});
  CHECK(rows.design.response.empty());
  CHECK(read(kCars, apply).design.response == Values{10, 8, 15, 4});
  CHECK(expanded(read(kCars, apply).design) == expanded(trained.design));
  check_mentions(refused("country,age,colour\nES,2,red\n", apply),
                 {":2", "'ES'", "a category that the training data did not have", "DE, FR, IT"});
  check_mentions(refused("age,colour\n2,red\n", apply), {"lacks the column 'country'"});
  check_mentions(refused("country,age,colour,x\nFR,2,red,1\n", apply), {"has the column 'x'"});
  check_mentions(refused("country,age,colour\nFR,,red\n", apply), {"missing value", "did not fill in"});
}

TEST_CASE("table: rows to predict are filled in as the training was") {
  const auto trained =
      read("size,kind,y\n1,a,1\n,b,2\n3,b,3\n", [](DesignOptions& o) { o.missing = Missing::indicator; });
  const auto encoding = kept(trained.design);
  const auto rows = read("size,kind\n,\n7,a\n", [&](DesignOptions& o) {
    o.encoding = encoding, o.bare_columns = trained.design.cols;
  });
  CHECK(expanded(rows.design) == Values{2, 1, 1, /**/ 7, 0, 0});
}

TEST_CASE("table: rows without a header go by their places") {
  const auto trained = read("x,1,5\ny,2,6\nx,3,7\n", [](DesignOptions& o) { o.table.header = "no"; });
  CHECK(trained.design.column_names == Names{"c1 = y", "c2"});
  const auto encoding = kept(trained.design);
  const auto apply = [&](DesignOptions& o) {
    o.encoding = encoding, o.table.header = "no", o.bare_columns = trained.design.cols;
  };
  CHECK(expanded(read("y,9\nx,8\n", apply).design) == Values{1, 9, 0, 8});
  const auto known = read("y,9,4\nx,8,3\n", apply);
  CHECK(expanded(known.design) == Values{1, 9, 0, 8});
  CHECK(known.design.response == Values{4, 3});
  check_mentions(refused("y,9,4,1\n", apply), {"4 columns and no header", "had 3"});
}

TEST_CASE("table: places of rows count those that were left out") {
  const TestFolder folder;
  const auto file = folder.put("t", "a,y\n1,2\n,3\n4,5\n");
  DesignOptions options;
  options.missing = Missing::drop;
  CHECK(contains(place_of_row(file, options, 0), ":2"));
  CHECK(contains(place_of_row(file, options, 1), ":4"));
}

namespace {

const std::string kVisits =
    "day,visits\n"
    "1970-01-02,1\n"
    "2024-03-01,2\n"
    "1969-12-31T12:00,3\n"
    "2000-02-29 06:00:00Z,4\n"
    "1970-01-01T01:00:00.5+01:00,5\n";

void in_days(DesignOptions& options) { options.dates = Dates::days; }

}  // namespace

TEST_CASE("table: dates are refused with the remedy, or are days since 1970-01-01") {
  const std::string said = refused(kVisits);
  for (const char* word : {"table.csv:2", "column 1 (day) holds dates", "'1970-01-02'", "dates = days",
                           "without = day", "categorical = day"})
    CHECK_MESSAGE(said.find(word) != std::string::npos, said);
  const ReadTable made = read(kVisits, in_days);
  CHECK(expanded(made.design) == Values{1.0, 19783.0, -0.5, 11016.25, 0.5 / 86400.0});
  CHECK(made.design.column_names == Names{"day"});
  CHECK(made.notes.find("column 1 (day): dates, taken as days since 1970-01-01") != std::string::npos);
  // Zones in the west with minutes: half past three behind is half past three later in the day.
  const ReadTable west = read(
      "day,visits\n1970-01-01T01:00-03:30,1\n1970-01-01T01:00+03:30,2\n1970-01-02T00:00-00:15,3\n", in_days);
  CHECK(expanded(west.design) == Values{4.5 / 24.0, -2.5 / 24.0, 1.0 + 0.25 / 24.0});
  // Named as categories they are.
  CHECK(read(kVisits, [](DesignOptions& options) { options.categorical = "day"; }).design.cols == 4);
  // Left out, they are of no concern.
  CHECK(read("day,a,y\n2024-01-01,1,2\n2024-01-02,3,4\n", [](DesignOptions& options) {
          options.without = "day";
        }).design.cols == 1);
}

TEST_CASE("table: what only looks like a date is refused beside dates, and is text where it is named so") {
  for (const std::string text : {"2023-02-29",
                                 "2024-13-01",
                                 "2024-00-10",
                                 "2024-3-1",
                                 "2024-03-01T",
                                 "24-03-01",
                                 "2024-03-01T25:00",
                                 "2024-03-01T12:61",
                                 "2024-03-01 12",
                                 "2024-03-01T12:30+1",
                                 "2024-03-01T12:30:",
                                 "2024-03-01T12:30:00.",
                                 "2024-03-01x",
                                 "2024-03-01T12:30x",
                                 "2024-03-01T12:30Zx",
                                 "2024-03-01T12:30+01:00x",
                                 "2024-03-01T12:30:00.5 Z",
                                 "2024-03-01T24:00",
                                 "2024-03-01T12:30:61",
                                 "2024-03-01T12:30+24:00",
                                 "2024-03-01T12:30+01:60",
                                 "2024-04-31",
                                 "1900-02-29"}) {
    CAPTURE(text);
    const std::string table = "day,y\n2024-03-01,1\n" + text + ",2\n2024-03-01,3\n";
    check_mentions(refused(table, in_days), {":3", "column 1 (day)", text.c_str(), "categorical = day"});
    CHECK(read(table, [](DesignOptions& o) { o.categorical = "day"; }).design.column_names ==
          Names{"day = " + std::max(text, std::string("2024-03-01"))});
  }
  CHECK(refused("day,y\n2024-03-01,1\n7,2\n", in_days).find("day") != std::string::npos);
}

TEST_CASE("table: missing dates are filled in, and rows to predict are read by the same rule") {
  const std::string text = "day,y\n1970-01-02,1\nNA,2\n1970-01-04,3\n1970-01-09,4\n";
  const auto filled = [](Missing missing) {
    return [missing](DesignOptions& options) { options.dates = Dates::days, options.missing = missing; };
  };
  CHECK(expanded(read(text, filled(Missing::mean)).design) == Values{1, 4, 3, 8});
  CHECK(expanded(read(text, filled(Missing::median)).design) == Values{1, 3, 3, 8});
  CHECK(expanded(read(text, filled(Missing::drop)).design) == Values{1, 3, 8});
  CHECK(expanded(read(text, filled(Missing::indicator)).design) == Values{1, 0, 4, 1, 3, 0, 8, 0});
  const auto encoding = kept(read(text, filled(Missing::mean)).design);
  const auto predicted = [&](DesignOptions& options) {
    options.bare_columns = 1, options.encoding = encoding;
  };
  CHECK(expanded(read("day\n1970-01-11\nNA\n", predicted).design) == Values{10, 4});
  CHECK(refused("day\n1970-01-11\n12\n", predicted).find("column 1 (day) is '12'; expected a date") !=
        std::string::npos);
}

namespace {

Change dated(Dates dates) {
  return [dates](DesignOptions& options) { options.dates = dates; };
}
Change decimals(Decimal decimal) {
  return [decimal](DesignOptions& options) { options.decimal = decimal; };
}

}  // namespace

TEST_CASE("table: dates of other orders are refused with the option that reads them") {
  const std::string german = "day,y\n31.12.2019,1\n1.1.2020,2\n02.01.2020 12:00,3\n";
  check_mentions(refused(german), {":2", "column 1 (day) holds dates", "'31.12.2019'", "dates = days"});
  for (const Dates rule : {Dates::days, Dates::day_first, Dates::month_first})
    CHECK(expanded(read(german, dated(rule)).design) == Values{18261, 18262, 18263.5});
  CHECK(expanded(read("day,y\n2019/12/31,1\n2020/01/01,2\n", dated(Dates::days)).design) ==
        Values{18261, 18262});
  for (const std::string separator : {"/", "-"}) {
    const std::string american =
        "day,y\n12" + separator + "31" + separator + "2019,1\n1" + separator + "2" + separator + "2020,2\n";
    for (const Dates rule : {Dates::refuse, Dates::days})
      check_mentions(refused(american, dated(rule)),
                     {":2", "column 1 (day)", "dates = month-first", "day-first"});
    CHECK(expanded(read(american, dated(Dates::month_first)).design) == Values{18261, 18263});
    check_mentions(refused(american, dated(Dates::day_first)), {":2", "dates = month-first"});
    const std::string early =
        "day,y\n1" + separator + "2" + separator + "2020,1\n3" + separator + "4" + separator + "2020,2\n";
    check_mentions(refused(early, dated(Dates::days)), {"month-first", "day-first"});
    CHECK(expanded(read(early, dated(Dates::day_first)).design) == Values{18293, 18355});
    CHECK(expanded(read(early, dated(Dates::month_first)).design) == Values{18263, 18325});
  }
  check_mentions(refused("day,y\n31.12.19,1\n1.1.20,2\n", dated(Dates::days)), {"four digits"});
  check_mentions(refused("day,y\n12/31/19,1\n1/1/20,2\n"), {"four digits"});
  check_mentions(refused("a,day\n1,31.12.2019\n2,01.01.2020\n"),
                 {":2", "column 2 (day)", "a date, and the response"});
}

TEST_CASE("table: an option of dates that finds none is an error") {
  for (const std::string text : {"a,y\n1,2\n3,4\n", "a,b,y\nx,1,2\nz,3,4\n"})
    check_mentions(refused(text, dated(Dates::days), ErrorKind::usage),
                   {"dates", "no column that is used holds dates"});
  check_mentions(refused(
                     "day,a,y\n2024-01-01,1,2\n2024-01-02,3,4\n",
                     [](DesignOptions& o) { o.without = "day", o.dates = Dates::days; }, ErrorKind::usage),
                 {"dates", "no column"});
}

TEST_CASE("table: separated thousands are read by the decimals that are given, and refused without") {
  const std::string german = "a;y\n1.234,5;1\n-12.345.678,25;2\n7;3\n";
  check_mentions(refused(german), {":2", "column 1 (a)", "'1.234,5'", "decimal = comma", "categorical = a"});
  CHECK(expanded(read(german, decimals(Decimal::comma)).design) == Values{1234.5, -12345678.25, 7});
  const std::string english = "a;y\n1,234.5;1\n12,345,678;2\n0.5;3\n";
  check_mentions(refused(english), {":2", "'1,234.5'", "decimal = point"});
  CHECK(expanded(read(english, decimals(Decimal::point)).design) == Values{1234.5, 12345678, 0.5});
  const std::string quoted = "a,y\n\"1,234.5\",1\n\"2,000\",2\n";
  check_mentions(refused(quoted), {":2", "decimal = point"});
  CHECK(expanded(read(quoted, decimals(Decimal::point)).design) == Values{1234.5, 2000});
  // It may be a thousand or one and a half: the user says it.
  check_mentions(refused("a,y\n\"1,500\",1\n\"2,000\",2\n"), {"decimal = point or decimal = comma"});
  check_mentions(refused("a;b;y\n1.500;1,5;1\n2.000;2,5;2\n"),
                 {"column 1 (a)", "thousands", "decimal = comma"});
  CHECK(expanded(read("a;b;y\n1.500;1,5;1\n2.000;2,5;2\n", decimals(Decimal::comma)).design) ==
        Values{1500, 1.5, 2000, 2.5});
  // Blanks and apostrophes are no decimals.
  const auto swiss = read("a;y\n1'234.5;1\n12 345;2\n1\u00A0000;3\n");
  CHECK(expanded(swiss.design) == Values{1234.5, 12345, 1000});
  check_mentions(swiss.notes, {"column 1 (a): '1'234.5' is read as 1234.5"});
  // Groups of other sizes, and codes with a leading 0, are no numbers.
  for (const std::string text : {"12 34", "1 2345", "030 123 456", "1.23.456", "1,2,3", "192.168.1.1"}) {
    CAPTURE(text);
    CHECK(read("a;y\n" + text + ";1\nb;2\n" + text + ";3\n").design.column_names.size() == 1);
  }
}

TEST_CASE(
    "table: commas before three digits are refused, unless the table shows that they are before decimals") {
  // By the points of other columns, in the features, the response and the weights.
  for (const char delimiter : {';', '\t', '|'})
    for (const std::string rows :
         {"0.02;7,341;1 1.55;953;2", "7,341;0.02;1 953;1.55;2", "1;0.02;7,341 2;1.55;953",
          "0.5;-12,345;1 1;-2;2", "$0.5;$7,341;1 $1;$953;2"})
      for (const std::string weights : {"", "a"}) {
        std::string text = "a;b;y\n" + rows + '\n';
        std::replace(text.begin(), text.end(), ' ', '\n');
        std::replace(text.begin(), text.end(), ';', delimiter);
        CAPTURE(text);
        const auto by = [&](DesignOptions& o) { o.weights = weights, o.response = "y"; };
        check_mentions(refused(text, by), {"table.csv", "the commas of column", "thousands", "have points",
                                           "decimal = point or decimal = comma"});
      }
  // Without points, if no column shows that its commas are before decimals.
  check_mentions(refused("a;b;y\n7,341;1;1\n953;2;2\n"),
                 {"the commas of column 1 (a)", "'7,341'", "three digits"});
  check_mentions(refused("a;y\n1;7,341\n2;953\n"), {"the commas of column 2 (y)", "three digits"});
  check_mentions(refused("a;b;y\n1.5;1,5;1,234\n"), {"the commas of column 3 (y)"});
  CHECK(expanded(read("a;b;y\n7,341;0,5;1\n953;2;2\n").design) == Values{7.341, 0.5, 953, 2});
  CHECK(expanded(read("a;y\n7,341;1\n0,500;2\n").design) == Values{7.341, 0.5});
  // Weights and offsets alone have commas before their decimals, too.
  for (const bool weighs : {true, false}) {
    const auto design = read("a;y;z\n1,5;1;2\n0,25;2;1\n", [&](DesignOptions& o) {
                          (weighs ? o.weights : o.offset) = "a", o.response = "y";
                        }).design;
    CHECK((weighs ? design.weights : design.offset) == Values{1.5, 0.25});
    CHECK(expanded(design) == Values{2, 1});
  }
  // Both decide, in every column, also in the response alone.
  const std::string thousands = "a;y\n1;953\n2;7,341\n";
  CHECK(read(thousands, decimals(Decimal::point)).design.response == Values{953, 7341});
  CHECK(read(thousands, decimals(Decimal::comma)).design.response == Values{953, 7.341});
}

TEST_CASE("table: rows to predict have the commas of the training") {
  const auto predicted = [](const Design& trained, const std::string& text) {
    const auto encoding = kept(trained);
    return [=] {
      return read(text, [&](DesignOptions& o) { o.encoding = encoding, o.bare_columns = trained.cols; });
    };
  };
  const std::string points = "k;a;b;y\nu;953;0.5;1\nv;12;1.5;2\n",
                    commas = "k;a;b;y\nu;9,53;0.5;1\nv;12;1.5;2\n";
  const auto plain = read(points).design, german = read(commas).design;
  check_mentions(complaint([&] { (void)predicted(plain, "k;a;b\nu;7,341;0.25\n")(); }),
                 {"the commas of column 2 (a)", "'7,341'", "train with decimal"});
  check_mentions(complaint([&] { (void)predicted(plain, "k;a;b\nu;7,341;2\n")(); }), {"three digits"});
  CHECK(expanded(predicted(german, "k;a;b\nu;7,341;0.25\n")().design) == Values{0, 7.341, 0.25});
  check_mentions(complaint([&] { (void)predicted(german, "k;a;b\nu;7.341;0.25\n")(); }),
                 {"the points of column 2 (a)", "thousands"});
}

TEST_CASE("table: a currency or percent sign is left out, and a column has one for all its numbers") {
  const auto made = read(
      "share;price;fee;gain;y\n10%;$10.50;3 EUR;-$1,50;$1\n2,5 %;$7;4 EUR;$-2;$2\n"
      "\u221230%;-$2;0 EUR;$3;$3\n");
  CHECK(expanded(made.design) == Values{10, 10.5, 3, -1.5, 2.5, 7, 4, -2, -30, -2, 0, 3});
  CHECK(made.design.response == Values{1, 2, 3});
  CHECK(made.design.labels.empty());
  check_mentions(made.notes,
                 {"column 1 (share): '10%' is read as 10", "column 2 (price): '$10.50' is read as 10.5"});
  for (const std::string other : {"0.1", "\u20AC5"})
    check_mentions(refused("a;y\n10%;1\n" + other + ";2\n"),
                   {":3", "column 1 (a)", "the unit %", "one unit"});
  check_mentions(refused("a;y\n1;1\n5%;2\n"), {":3", "no unit"});
  const auto encoding = kept(made.design);
  CHECK(expanded(read("share;price;fee;gain\n20%;$1;5 EUR;-$4\n", [&](DesignOptions& o) {
                   o.encoding = encoding, o.bare_columns = made.design.cols;
                 }).design) == Values{20, 1, 5, -4});
  const auto apply = [&](DesignOptions& o) { o.encoding = encoding, o.bare_columns = made.design.cols; };
  for (const std::string row : {"$20;$1;5 EUR;-$4", "20;$1;5 EUR;-$4", "20%;1;5 EUR;-$4", "20%;$1;5 EUR;4%"})
    check_mentions(refused("share;price;fee;gain\n20%;$1;5 EUR;-$4\n" + row + "\n", apply),
                   {":3", "column ", "the unit ", "in the training"});
  check_mentions(refused("share;price;fee;gain;y\n20%;$1;5 EUR;-$4;$1\n1%;$1;5 EUR;-$4;1%\n",
                         [&](DesignOptions& o) { apply(o), o.response = "y"; }),
                 {":3", "column 5 (y)", "the unit $"});
  const auto plain = kept(read("a;b;y\n1;2;3\n4;5;6\n", [](DesignOptions& o) { o.without = "b"; }).design);
  check_mentions(refused("a\n1%\n", [&](DesignOptions& o) { o.encoding = plain, o.bare_columns = 1; }),
                 {":2", "column 1 (a)", "no unit"});
  for (const std::string text : {"%", "$", "EUR", "1 $ 2", "$$5", "5%%", "US$5", "a$5"}) {
    CAPTURE(text);
    CHECK(read("a;y\n" + text + ";1\nb;2\n" + text + ";3\n").design.column_names.size() == 1);
  }
}

TEST_CASE("table: numbers with a unit, a magnitude or a colon are categories only where they are named so") {
  const auto of = [](const Names& a) { return "a,y\n" + a[0] + ",1\n" + a[1] + ",2\n" + a[2] + ",3\n"; };
  for (const Names& fields : std::vector<Names>{{"5kg", "6kg", "12.5kg"},
                                                {"5 km", "6 km", "-7 km"},
                                                {"1.2M", "300k", "5M"},
                                                {"10:30", "9:15", "23:59:59"},
                                                {"20\u00b0C", "21\u00b0C", "22\u00b0C"},
                                                {"3h", "4h", "5h"}}) {
    CAPTURE(fields.front());
    check_mentions(refused(of(fields)),
                   {"column 1 (a) holds ", "write plain numbers", "without = a", "categorical = a"});
    CHECK(read(of(fields), [](DesignOptions& o) { o.categorical = "a"; }).design.cols == 2);
  }
  for (const Names& labels : std::vector<Names>{{"1st", "2nd", "3rd"},
                                                {"18-25", "26-35", "36+"},
                                                {"A1", "A2", "B1"},
                                                {"4x4", "2x4", "8x2"},
                                                {"<5", "5-10", ">10"}}) {
    CAPTURE(labels.front());
    CHECK(read(of(labels)).design.cols == 2);
  }
}

TEST_CASE("table: rows of weight 0 neither fill in nor make categories") {
  const std::string rows = "red,1,1,1\n,2,1,2\nblue,,2,3\nblue,5,1,4\n";
  for (const Missing missing : {Missing::mean, Missing::median, Missing::indicator}) {
    const auto of = [&](const std::string& more) {
      return read("colour,a,w,y\n" + more + rows,
                  [&](DesignOptions& o) { o.weights = "w", o.missing = missing; })
          .design;
    };
    const Design plain = of(""), more = of("amber,900,0,7\nzinc,-5,0,8\nblue,,0,9\n");
    const Values all = expanded(more), some = expanded(plain);
    CHECK(more.column_names == plain.column_names);
    CHECK(Values(all.end() - std::ssize(some), all.end()) == some);
    CHECK(more.weights == Values{0, 0, 0, 1, 1, 2, 1});
  }
  CHECK_FALSE(contains(read("a,b,w,y\n1,3,1,1\n2,,1,2\n2,1,1,2\n",
                            [](DesignOptions& o) { o.weights = "w", o.missing = Missing::mean; })
                           .notes,
                       "left out"));
  check_mentions(read("a,b,w,y\n1,3,0,1\n2,,1,2\n3,,1,2\n",
                      [](DesignOptions& o) { o.weights = "w", o.missing = Missing::mean; })
                     .notes,
                 {"column 2 (b) is left out", "weight 0"});
}

TEST_CASE("table: columns that name the features leave one response, or need its name") {
  const std::string table = "a,b,c,y\n1,2,3,4\n2,1,5,6\n3,3,1,1\n";
  CHECK(read(table, [](DesignOptions& o) { o.columns = "a,b,y"; }).design.response_name == "c");
  check_mentions(
      refused(
          table, [](DesignOptions& o) { o.columns = "a,b"; }, ErrorKind::usage),
      {"columns", "leaves open which of the 2 other columns is the response", "response = COLUMN"});
  CHECK(read(table, [](DesignOptions& o) { o.columns = "a,b", o.response = "y"; }).design.response_name ==
        "y");
}

TEST_CASE("table: a dash is missing, and a category where the column is named as one") {
  check_mentions(refused("a,y\n1,1\n-,2\n"), {":3", "'-'", "missing value"});
  CHECK(expanded(read("a,y\n1,1\n-,2\n3,3\n", [](DesignOptions& o) { o.missing = Missing::mean; }).design) ==
        Values{1, 2, 3});
  const auto rhesus = read("a,y\n+,1\n-,2\n+,3\n", [](DesignOptions& o) { o.categorical = "a"; });
  CHECK(expanded(rhesus.design) == Values{0, 1, 0});
}

TEST_CASE("table: a column without a value is left out, and its missing values do not count") {
  const auto by = [](Missing missing) { return [missing](DesignOptions& o) { o.missing = missing; }; };
  for (const std::string none : {"", "NA", "?"})
    for (const Missing missing : {Missing::refuse, Missing::drop, Missing::mean, Missing::indicator}) {
      const auto made = read("a,e,,y\n1," + none + ",,2\n2,,,3\n3," + none + ",,4\n", by(missing));
      CHECK(made.design.column_names == Names{"a"});
      CHECK(made.design.response == Values{2, 3, 4});
      check_mentions(made.notes, {"column 2 (e) is left out: it has no value", "column 3 ()"});
      CHECK(made.notes.find("rows have a missing") == std::string::npos);
      // Rows to predict may have both columns, with values, or none.
      const auto encoding = kept(made.design);
      const auto apply = [&](DesignOptions& o) { o.encoding = encoding, o.bare_columns = 1; };
      CHECK(expanded(read("a\n5\n", apply).design) == Values{5});
      CHECK(expanded(read("a,e,\n5,7,8\n", apply).design) == Values{5});
    }
  check_mentions(refused("a,e,y\n1,,2\n,,3\n"), {":3", "column 1 (a) is empty"});
  const std::string holes = "a,e,y\n,,2\n2,,3\n3,,0\n";
  CHECK(read(holes, by(Missing::drop)).design.response == Values{3, 0});
  const TestFolder folder;
  DesignOptions options;
  options.missing = Missing::drop;
  CHECK(place_of_row(folder.put("t", holes), options, 1) == (folder / "t").string() + ":4");
  // The rows that are dropped do not depend on columns that turn out to be constant.
  const auto constant = read("k,a,y\nx,1,2\n,2,3\nx,3,4\n", by(Missing::drop));
  CHECK(constant.design.response == Values{2, 4});
  CHECK(expanded(constant.design) == Values{1, 3});
  // A dash is a category, not a missing value.
  const auto dash = read("a,b,y\n-,1,1\n+,2,2\n-,,3\n",
                         [](DesignOptions& o) { o.categorical = "a", o.missing = Missing::drop; });
  CHECK(dash.design.response == Values{1, 2});
}

TEST_CASE("table: a response of numbers has no infinite or missing value, in whichever row") {
  for (const std::string word : {"-Infinity", "inf", "+inf", "INF", "NaN", "NAN", "-nan", "NA", "?", "null"})
    for (const int row : {0, 1, 2}) {
      std::string text = "a,y\n";
      for (int i = 0; i < 3; ++i) text += std::to_string(i) + ',' + (i == row ? word : "-0.076") + '\n';
      CAPTURE(text);
      const std::string where = ":" + std::to_string(row + 2), what = "'" + word + "'";
      check_mentions(refused(text), {where.c_str(), "column 2 (y)", what.c_str()});
      check_mentions(refused(text, [](DesignOptions& o) { o.categorical = "a"; }), {"column 2 (y)"});
    }
  check_mentions(refused("a,y\n1,-inf\n2,3\n"), {"finite number"});
  CHECK(read("a,y\n1,inf\n2,sup\n").design.labels == Names{"inf", "sup"});
}

TEST_CASE("table: categories are features") {
  const auto named = [](const std::string& categorical, const Change& more = {}) {
    return refused(
        "w,a,g,y\n1,2,3,4\n2,3,4,5\n",
        [&](DesignOptions& o) {
          o.categorical = categorical;
          if (more) more(o);
        },
        ErrorKind::usage);
  };
  check_mentions(named("y"), {"categorical", "column 4 (y)", "the response"});
  check_mentions(named("4"), {"column 4 (y)", "the response"});
  check_mentions(named("a,g", [](DesignOptions& o) { o.response = "g"; }), {"column 3 (g)", "the response"});
  check_mentions(named("w", [](DesignOptions& o) { o.weights = "w"; }), {"column 1 (w)", "no feature"});
  check_mentions(named("w", [](DesignOptions& o) { o.offset = "w"; }), {"column 1 (w)", "no feature"});
  check_mentions(named("a", [](DesignOptions& o) { o.without = "a"; }), {"column 2 (a)", "no feature"});
  check_mentions(named("a", [](DesignOptions& o) { o.columns = "w,g", o.response = "y"; }), {"no feature"});
}

TEST_CASE("table: two columns of a name are refused, if one of them is used") {
  const auto without = [](const std::string& list) { return [list](DesignOptions& o) { o.without = list; }; };
  check_mentions(refused("a,a,g,y\n1,2,3,4\n2,3,4,5\n"),
                 {"table.csv:1", "columns 1,2", "'a'", "rename", "without = 1,2"});
  check_mentions(refused("a,g,a,y\nu,2,3,4\nv,3,4,5\n", without("1")), {"columns 1,3", "'a'"});
  check_mentions(refused("y,g,y\n1,2,3\n2,3,5\n"), {"columns 1,3", "'y'"});
  check_mentions(refused("g,,,y\n1,2,3,4\n2,3,4,5\n"), {"columns 2,3", "''"});
  CHECK(read("a,a,g,y\n1,2,3,4\n2,3,4,5\n", without("1,2")).design.column_names == Names{"g"});
  CHECK(read("g,,,y\n1,,,4\n2,,,5\n").design.column_names == Names{"g"});
  // Rows to predict have one of each name, too.
  const auto trained = read("a,g,y\n1,u,4\n2,v,5\n");
  const auto encoding = kept(trained.design);
  check_mentions(
      refused("a,a,g\n1,2,u\n", [&](DesignOptions& o) { o.encoding = encoding, o.bare_columns = 2; }),
      {"'a'"});
}

TEST_CASE("table: all faults of a table come at once") {
  std::string text = "id,size,day,share,kind,y\n";
  for (int k = 0; k < 30; ++k)
    text += "u" + std::to_string(k) + ',' + (k == 3 ? "" : std::to_string(k)) + ",2024-01-01," +
            (k == 4 ? "5%" : "1") + ',' + (k % 2 ? "a" : "b") + "," + std::to_string(k) + '\n';
  check_mentions(refused(text),
                 {"table.csv:5: column 2 (size) is empty", "column 1 (id) holds 30 different texts",
                  "column 3 (day) holds dates", "column 4 (share) is '5%'"});
}

TEST_CASE("table: a first column without a name that tells rows apart is left out") {
  for (const std::string header : {",a,y", "\"\",a,y", "Unnamed: 0,a,y"})
    for (const std::string names : {"0 1 2", "1 2 3", "7 3 9", "x y z", "1.0 2.0 3.0"}) {
      CAPTURE(header);
      CAPTURE(names);
      std::istringstream each(names);
      std::string text = header + '\n', name;
      for (int k = 0; each >> name; ++k)
        text += name + ',' + std::to_string(k * k) + ',' + std::to_string(k) + '\n';
      const auto made = read(text);
      CHECK(made.design.column_names == Names{"a"});
      check_mentions(made.notes, {"column 1 has no name", "left out"});
      // Rows to predict may have it or not.
      const auto encoding = kept(made.design);
      const auto apply = [&](DesignOptions& o) { o.encoding = encoding, o.bare_columns = 1; };
      CHECK(expanded(read("a\n5\n", apply).design) == Values{5});
      CHECK(expanded(read(header.substr(0, header.size() - 2) + "\n0,5\n", apply).design) == Values{5});
    }
  // Likewise if the table of the training had none, read by its names or by an encoding.
  for (const std::string header : {"", "\"\"", "Unnamed: 0"})
    for (const std::string kind : {"1", "u"}) {
      const auto trained =
          read("a,k,y\n1," + kind + ",2\n2,2,3\n4,3,1\n", [](DesignOptions& o) { o.categorical = "k"; });
      const auto encoding = kept(trained.design);
      const auto made = read(header + ",a,k,y\n7,5,2,1\n9,6,3,1\n", [&](DesignOptions& o) {
        o.encoding = encoding, o.bare_columns = trained.design.cols, o.response = "y";
      });
      CHECK(made.design.cols == trained.design.cols);
      const auto plain = [](DesignOptions& o) { o.bare_columns = 2, o.response = "y"; };
      CHECK(read(header + ",a,b,y\n0,5,2,1\n1,6,3,1\n", plain).design.column_names == Names{"a", "b"});
      CHECK(read(header + ",a,b\n0,5,2\n1,6,3\n", plain).design.column_names == Names{"a", "b"});
      CHECK(read(header + ",b,y\n0,2,1\n1,3,1\n", plain).design.cols == 2);  // a column of the training
    }
  for (const std::string text : {",a,y\n1,2,3\n1,4,5\n", ",a,y\n0.5,2,3\n1,4,5\n", "i,a,y\n1,2,3\n2,4,5\n"})
    CHECK(read(text).design.cols == 2);
  CHECK(read(",a,y\n1,2,3\n2,4,5\n", [](DesignOptions& o) { o.columns = "1,2"; }).design.cols == 2);
}

TEST_CASE("table: whole numbers that tell rows apart are noted where they are called or count as ids") {
  const auto notes = [](const std::string& name, const std::function<int(int)>& value) {
    std::string text = name + ",a,y\n";
    for (int k = 0; k < 8; ++k)
      text += std::to_string(value(k)) + ',' + std::to_string(k % 3) + ',' + std::to_string(k % 5) + '\n';
    return read(text).notes.find("each another one") != std::string::npos;
  };
  CHECK(notes("id", [](int k) { return 100 - 7 * k; }));
  CHECK(notes("customer_ID", [](int k) { return 100 - 7 * k; }));
  CHECK(notes("n", [](int k) { return k + 1; }));
  CHECK_FALSE(notes("area", [](int k) { return 100 - 7 * k; }));
  CHECK_FALSE(notes("id", [](int k) { return k / 2; }));
  CHECK_FALSE(notes("year", [](int k) { return 2000 + k; }));
}

TEST_CASE("table: quotes hold line breaks, which are blanks") {
  const auto made = read("\"first\nname\",a,y\n\"x\ny\",1,2\nz,3,\"4\"\n\"x\r\ny\",5,6\n");
  CHECK(made.design.column_names == Names{"first name = z", "a"});
  CHECK(expanded(made.design) == Values{0, 1, 1, 3, 0, 5});
  CHECK(made.design.response == Values{2, 4, 6});
  // The separator is that of the whole first record.
  CHECK(read("\"a; b\nc\",d,y\n1,2,3\n4,5,6\n").design.column_names == Names{"a; b c", "d"});
  CHECK(read("a,text,y\n1,\"many\n\nlines, \"\"quoted\"\"\n\",2\n3,\"b\",4\n", [](DesignOptions& o) {
          o.without = "text";
        }).design.response == Values{2, 4});
  check_mentions(refused("a,y\n\"1,2\n3,4\n"), {"table.csv:2", "not closed", "end of the file"});
  check_mentions(refused("a,y\n1,2\n\"x\ny\",3,4\n"), {":4", "3 fields"});
}
