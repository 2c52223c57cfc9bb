// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/design_io.hpp>
#include <claros/io/label_rule.hpp>

#include "read_for_test.hpp"

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>

using namespace claros;
using claros::testing::expanded;
using claros::testing::Names;
using claros::testing::Values;

namespace {

Context context_of(const TestFolder& folder, std::string* notes = nullptr) {
  Context context;
  context.base = folder.path();
  if (notes) context.messages = [notes](Severity, const std::string& text) { *notes += text + "\n"; };
  return context;
}

Design design_of(const std::string& text, DesignOptions options = {}, std::string* notes = nullptr) {
  const TestFolder folder;
  return read_design(folder.put("rows #1", text), options, context_of(folder, notes));
}

std::string design_refusal(const std::string& text, const DesignOptions& options = {},
                           ErrorKind kind = ErrorKind::data) {
  return complaint([&] { design_of(text, options); }, kind);
}

DesignOptions with_response(const std::string& response) {
  DesignOptions options;
  options.response = response;
  return options;
}

std::string gzipped(const std::string& text) {
  namespace io = boost::iostreams;
  std::string packed;
  io::filtering_ostream out;
  out.push(io::gzip_compressor());
  out.push(io::back_inserter(packed));
  io::copy(io::array_source(text.data(), text.size()), out);
  return packed;
}

}  // namespace

TEST_CASE("design: tables, and which column is the response") {
  std::string notes;
  const Design plain = design_of("1,2,3\n4,5,6\n", {}, &notes);
  CHECK(plain.rows == 2);
  CHECK(plain.cols == 2);
  CHECK(expanded(plain) == Values{1, 2, 4, 5});
  CHECK(plain.response == Values{3, 6});
  CHECK(notes ==
        "the response is column 3, the last that is not used otherwise\ndesign of 2 x 2 in double takes 32 "
        "bytes\n");
  const std::string named = "age price  area\n1 2 3\n4 5 6\n";
  const Design price = design_of(named, with_response("price"));
  CHECK(price.response == Values{2, 5});
  CHECK(expanded(price) == Values{1, 3, 4, 6});
  CHECK(price.column_names == Names{"age", "area"});
  CHECK(price.column_text(1) == "column 2 (area)");
  CHECK(design_of(named, with_response("1")).response == Values{1, 4});
  const Design packed = design_of(gzipped("1,2\n3,4\n"));
  CHECK(packed.response == Values{2, 4});
}

TEST_CASE("design: a column goes before a file of the same name") {
  const TestFolder folder;
  folder.put("y", "7\n8\n");
  folder.put("z", "9\n10\n");
  const auto table = folder.put("table", "x,y\n1,2\n3,4\n");
  CHECK(read_design(table, with_response("y"), context_of(folder)).response == Values{2, 4});
  const Design design = read_design(table, with_response("z"), context_of(folder));
  CHECK(design.response == Values{9, 10});
  CHECK(expanded(design) == Values{1, 2, 3, 4});
  const auto sparse = folder.put("sparse", "1 1:5\n2 2:6\n");
  CHECK(read_design(sparse, with_response("z"), context_of(folder)).response == Values{9, 10});
}

TEST_CASE("design: class names are numbered in alphabetical order") {
  const Design iris = design_of("5.1,setosa\n7.0,virginica\n6.0,setosa\n6.5,iridis\n");
  CHECK(iris.labels == Names{"iridis", "setosa", "virginica"});
  CHECK(iris.response == Values{1, 2, 1, 0});
  check_mentions(design_refusal("5,1\n6,setosa\n"), {":2: ", "'setosa'", "number"});
  check_mentions(design_refusal("5,setosa\n6,\n"), {":2: ", "column 2 is empty", "missing value"});
}

TEST_CASE("design: bad tables") {
  check_mentions(design_refusal("1,2,3\n4,5\n"), {":2: ", "2 fields", "expected 3"});
  check_mentions(design_refusal("1,2\nnan,3\n"), {":2: ", "'nan'", "missing value"});
  check_mentions(design_refusal("a,b\n1,2\n", with_response("surface"), ErrorKind::usage),
                 {"'surface' is not a column", "a to b"});
  check_mentions(design_refusal("price,b\n1,2\n", with_response("pirce"), ErrorKind::usage),
                 {"did you mean 'price'"});
  check_mentions(design_refusal("1,2\n", with_response("7"), ErrorKind::usage), {"column 7", "1 to 2"});
  check_mentions(design_refusal("1\n2\n"), {"the response and no other column"});
  check_mentions(design_refusal("a,b\n"), {"header but no numbers"});
  DesignOptions half;
  half.precision = "half";
  check_mentions(design_refusal("1,2\n", half, ErrorKind::usage), {"precision", "half"});
}

TEST_CASE("design: libsvm") {
  const std::string text = "# a comment\n+1 1:0.5 3:-2 # another\n\n-1 2:1e-3\n-1\n";
  const Design design = design_of(text);
  CHECK(design.is_sparse());
  CHECK(design.rows == 3);
  CHECK(design.cols == 3);
  CHECK(design.stored() == 3);
  CHECK(expanded(design) == Values{0.5, 0, -2, 0, 1e-3, 0, 0, 0, 0});
  CHECK(design.response == Values{1, -1, -1});
  DesignOptions options;
  options.features = 5;
  options.storage = "dense";
  options.precision = "float";
  const Design wide = design_of(text, options);
  CHECK(!wide.is_sparse());
  CHECK(wide.is_single());
  CHECK(wide.cols == 5);
  CHECK(expanded(wide)[6] == static_cast<double>(1e-3F));
  options.features = 2;
  check_mentions(design_refusal(text, options), {"column 3", "2 were declared"});
}

TEST_CASE("design: numbers that single precision makes 0 are counted, with the first and its place") {
  const TestFolder folder;
  folder.put("dense.csv", "2,1e-50,1\n3e-60,1e-40,2\n");
  folder.put("rows.svm", "1 1:2 2:1e-50\n-1 1:3e-60 2:1e-40\n");
  folder.put(
      "a.mtx",
      "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2\n1 2 1e-50\n2 1 3e-60\n2 2 1e-40\n");
  folder.put("y", "1\n2\n");
  const auto warnings = [&](const std::string& file, const std::string& precision) {
    DesignOptions options;
    options.precision = precision;
    if (file == "a.mtx") options.response = (folder / "y").string();
    std::string said;
    Context context;
    context.messages = [&](Severity severity, const std::string& text) {
      if (severity == Severity::warning) said += text;
    };
    (void)read_design(folder / file, options, context);
    return said;
  };
  for (const std::string file : {"dense.csv", "rows.svm", "a.mtx"}) {
    CAPTURE(file);
    check_mentions(warnings(file, "float"), {file.c_str(), "2 entries became 0 in single precision",
                                             "first 1e-50 in row 1, column 2"});
    CHECK(warnings(file, "double").empty());
  }
  folder.put("dense.csv", "2,1e-40,1\n0,1,2\n");
  CHECK(warnings("dense.csv", "float").empty());
}

TEST_CASE("design: bad libsvm lines") {
  check_mentions(design_refusal("1 1:2\n1 0:3\n"), {":2: ", "'0:3'", "from 1"});
  check_mentions(design_refusal("1 1:2\n1 3:3 2:1\n"), {":2: ", "column 2 follows column 3", "ascending"});
  check_mentions(design_refusal("1 1:2\nx 1:3\n"), {":2: ", "the label is 'x'"});
  check_mentions(design_refusal("1 1:2\n1 2:inf\n"), {":2: ", "column 2", "not finite"});
  check_mentions(design_refusal("1 1:2\n1 2\n"), {":2: ", "'2'", "colon"});
  check_mentions(design_refusal("1 1:2\n1 2:\n"), {":2: ", "column 2 is empty"});
}

TEST_CASE("design: Matrix Market, dense and coordinate, with the response in a file") {
  const TestFolder folder;
  folder.put("y", "7\n8\n");
  folder.put("short", "7\n");
  const Context context = context_of(folder);
  const auto dense =
      folder.put("dense", "%%MatrixMarket matrix array real general\n% c\n2 3\n1\n2\n3\n4\n5\n6\n");
  const auto sparse =
      folder.put("sparse", "%%MatrixMarket matrix coordinate real general\n2 3 3\n2 1 5\n1 3 4\n1 1 1\n");
  for (const char* precision : {"double", "float"}) {
    DesignOptions options = with_response("y");
    options.precision = precision;
    const Design full = read_design(dense, options, context), few = read_design(sparse, options, context);
    CHECK(expanded(full) == Values{1, 3, 5, 2, 4, 6});
    CHECK(full.response == Values{7, 8});
    CHECK(few.is_sparse());
    CHECK(few.stored() == 3);
    CHECK(expanded(few) == Values{1, 0, 4, 5, 0, 0});
  }
  check_mentions(complaint([&] { read_design(dense, {}, context); }), {"no response", "objective.response"});
  check_mentions(complaint([&] { read_design(dense, with_response("short"), context); }),
                 {"1 x 1", "2 responses"});
  check_mentions(complaint([&] { read_design(dense, with_response("none"), context); }),
                 {"none", "no such file"});
}

TEST_CASE("design: raw binary, written and design_of") {
  const TestFolder folder;
  const Design dense = design_of("0.1,-1e300,3\n4,5e-320,6\n"), sparse = design_of("1 2:0.25\n-1 1:3\n");
  write_design(folder / "d", dense);
  write_design(folder / "s", sparse);
  CHECK(expanded(read_design(folder / "d")) == expanded(dense));
  CHECK(read_design(folder / "d").response == dense.response);
  CHECK(expanded(read_design(folder / "s")) == expanded(sparse));
  DesignOptions narrow;
  narrow.precision = "float";
  narrow.storage = "sparse";
  const Design read_narrow = read_design(folder / "s", narrow);
  CHECK(read_narrow.is_single());
  CHECK(read_narrow.is_sparse());
  CHECK(expanded(read_narrow) == expanded(sparse));
  write_design(folder / "n", read_narrow);
  CHECK(folder.get("n").size() == 64 + 2 * 8 + 4 * 4);
  CHECK(expanded(read_design(folder / "n")) == expanded(sparse));
}

TEST_CASE("design: the other byte order is design_of, and damage is found") {
  const TestFolder folder;
  write_design(folder / "d", design_of("1,2,3\n4,5,6\n"));
  std::string bytes = folder.get("d");
  check_mentions(complaint([&] { read_design(folder.put("cut", bytes.substr(0, bytes.size() - 3))); }),
                 {"cut", "truncated", "2 x 2"});
  check_mentions(complaint([&] { read_design(folder.put("long", bytes + "x")); }), {"appended"});
  check_mentions(complaint([&] { read_design(folder.put("head", bytes.substr(0, 30))); }),
                 {"header is cut short"});
  std::string version = bytes;
  version[8] = 9;
  check_mentions(complaint([&] { read_design(folder.put("version", version)); }),
                 {"version 9", "expected 1"});
  std::string infinite = bytes;
  const double bad = std::nan("");
  std::copy_n(reinterpret_cast<const char*>(&bad), 8, infinite.end() - 8);
  check_mentions(complaint([&] { read_design(folder.put("nan", infinite)); }), {"row 2, column 2", "nan"});
  for (const auto& [at, size] : {std::pair{8, 4}, {12, 4}, {16, 4}, {20, 4}, {24, 8}, {32, 8}})
    std::reverse(bytes.begin() + at, bytes.begin() + at + size);
  for (std::size_t at = 64; at < bytes.size(); at += 8)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at) + 8);
  const Design swapped = read_design(folder.put("swapped", bytes));
  CHECK(expanded(swapped) == Values{1, 2, 4, 5});
  CHECK(swapped.response == Values{3, 6});
}

TEST_CASE("design: the first lines of a text tell its format, and options of other formats draw a warning") {
  DesignOptions options;
  options.bits = 4;
  options.columns = "1,2";
  options.features = 5;
  options.dataset = "Z";
  options.memory = "map";
  const auto unused = [&](const std::string& text) {
    std::string notes;
    const TestFolder folder;
    folder.put("y.txt", "1\n2\n");
    DesignOptions given = options;
    if (text.find('|') != text.npos) given.features = 0;  // bits says the number of columns
    given.response = text.starts_with("%%") ? "y.txt" : "auto";
    (void)read_design(folder.put("rows", text), given, context_of(folder, &notes));
    std::string names;
    for (const std::string name : {"bits", "columns", "features", "dataset", "memory", "decimal"})
      if (notes.find("the option " + name + " has no effect") != notes.npos) names += name + ' ';
    return names + notes.substr(std::min(notes.size(), notes.find("of the format ") + 14));
  };
  const auto begins = [](const std::string& text, const std::string& with) { return text.starts_with(with); };
  CHECK(begins(unused("1,2,3\n4,5,6\n"), "bits features dataset memory table\n"));
  CHECK(begins(unused("1 1:2\n-1 2:3\n"), "bits columns dataset memory libsvm\n"));
  CHECK(begins(unused("# rows\n1\n-1 2:3\n"), "bits columns dataset memory libsvm\n"));
  CHECK(begins(unused("1 |a x:2\n-1 |a y:3\n"), "columns dataset memory vowpal-wabbit\n"));
  CHECK(begins(unused("1 |a 3:0.5\n-1 |a 4:1\n"), "columns dataset memory vowpal-wabbit\n"));
  CHECK(begins(unused("%%MatrixMarket matrix array real general\n2 1\n1\n2\n"),
               "bits columns features dataset memory matrix-market\n"));
}

TEST_CASE("design: what does not fit together is refused") {
  Design design;
  design.rows = 2;
  design.cols = 2;
  design.entries = DenseRows<double>{{1, 2, 3}};
  design.response = {1, 2};
  check_mentions(complaint([&] { require_consistent(design, "host"); }),
                 {"host", "3 entries", "2 x 2", "expected 4"});
  design.entries = SparseRows<double>{{0, 2, 2}, {1, 0}, {1, 2}};
  check_mentions(complaint([&] { require_consistent(design, "host"); }), {"row 1", "column 1", "ascending"});
  design.entries = SparseRows<double>{{0, 2, 1}, {0, 1}, {1, 2}};
  check_mentions(complaint([&] { require_consistent(design, "host"); }), {"row starts"});
  design.entries = DenseRows<float>{{1, 2, 3, 4}};
  design.weights = {1, -1};
  check_mentions(complaint([&] { require_consistent(design, "host"); }), {"weight", "row 2", "-1"});
  CHECK(memory_text(2500, 5000, false) == "design of 2500 x 5000 in double takes 95 MiB");
  CHECK(memory_text(15000, 90000, true) == "design of 15000 x 90000 in float takes 5 GiB");
}

TEST_CASE("label rule: every comparison on, below and above its bound, and lists of numbers and names") {
  for (const std::string blank : {"", " ", "\t"})
    for (const auto& [word, below, on, above] :
         std::vector<std::tuple<std::string, bool, bool, bool>>{{"<", true, false, false},
                                                                {"<=", true, true, false},
                                                                {">", false, false, true},
                                                                {">=", false, true, true}}) {
      CAPTURE(word);
      const LabelRule rule(blank + word + blank + "-2.5" + blank, "positive");
      CHECK(rule.holds(-2.6) == below);
      CHECK(rule.holds(-2.5) == on);
      CHECK(rule.holds(-2.4) == above);
      CHECK(rule.list().empty());
      CHECK_FALSE(rule.holds(std::string_view("-2.5")));
      CHECK_FALSE(rule.holds(std::string_view("")));
    }
  const LabelRule list(" 1, 3.0 ,cat", "positive");
  for (const double in : {1.0, 3.0}) CHECK(list.holds(in));
  CHECK_FALSE(list.holds(2.0));
  for (const std::string_view in : {"cat", "3.0", "1"}) CHECK(list.holds(in));
  CHECK_FALSE(list.holds(std::string_view(" cat")));
  CHECK(list.list() == Names{"1", "3.0", "cat"});
  for (const std::string wrong :
       {"", " ", "1,,2", "1,", ",1", "<", "<= many", ">= inf", "< nan", "<> 1", "=> 1 2 <"}) {
    CAPTURE(wrong);
    if (wrong.starts_with("=>"))
      CHECK(LabelRule(wrong, "positive").list().size() == 1);  // a name as any other
    else
      CHECK(complaint([&] { LabelRule(wrong, "objective.positive"); }, ErrorKind::usage)
                .find("objective.positive") != std::string::npos);
  }
}
