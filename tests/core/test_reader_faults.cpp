// SPDX-License-Identifier: BSD-3-Clause
// What readers say of data that is not what it seems: nothing is taken otherwise without a word, nothing is
// believed that would take the memory of the machine, and nothing waits.
#include <claros/io/design_io.hpp>
#include <claros/io/ratings.hpp>
#include <claros/io/text_input.hpp>
#include <claros/map/instruction_set.hpp>

#include "read_for_test.hpp"

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <stdlib.h>
#include <sys/stat.h>

using namespace claros;
using claros::testing::with_ids;

namespace {

struct Heard {
  std::string notes, details;
  Context context() {
    Context c;
    c.messages = [this](Severity severity, const std::string& text) {
      (severity == Severity::detail ? details : notes) += text + "\n";
    };
    return c;
  }
};

std::string notes_of_ratings(const std::string& text, const RatingsOptions& options = {}) {
  const TestFolder folder;
  Heard heard;
  read_ratings(folder.put("r.txt", text), options, heard.context());
  return heard.notes;
}

}  // namespace

TEST_CASE("readers: ids that become labels are said, with the line that made them so") {
  for (const std::string id : {"1e5x", "+2", "02", "-0"}) {
    CAPTURE(id);
    const std::string shown = "'" + id + "'";
    check_mentions(notes_of_ratings("1 1 5\n2 1 4\n" + id + " 1 3\n"),
                   {"r.txt:3", "all row ids", "labels", shown.c_str()});
    CHECK(notes_of_ratings("1 1 5\n" + id + " 1 3\n", with_ids("arbitrary")).empty());
  }
  check_mentions(notes_of_ratings("1 1 5\n1 -1 4\n"), {"column ids", "labels", "-1 is not an index"});
  check_mentions(notes_of_ratings("0 1 5\n1 1 4\n"), {"row ids", "0 is not an index", "zero-based"});
  check_mentions(notes_of_ratings("1 1 5\n9999 1 4\n"), {"row ids", "9999", "ten times"});
  CHECK(notes_of_ratings("1 1 5\n2 1 4\n").empty());
}

TEST_CASE("readers: labels that are names alone are a detail, a number among them is a note") {
  const TestFolder folder;
  Heard names, codes;
  read_ratings(folder.put("n", "ann tea 5\nbob cake 4\n"), {}, names.context());
  CHECK(names.notes.empty());
  check_mentions(names.details, {"n:1", "all row ids", "all column ids"});
  read_ratings(folder.put("c", "A17 1 5\n17 2 4\n"), {}, codes.context());
  check_mentions(codes.notes, {"c:1", "all row ids", "'A17'"});
}

TEST_CASE("readers: a line that auto takes for a header is said") {
  const TestFolder folder;
  Heard ratings, numbers, design, declared;
  read_ratings(folder.put("r", "user item stars\n1 1 5\n"), {}, ratings.context());
  check_mentions(ratings.notes, {"r:1", "'user item stars' is taken for a header"});
  read_numbers(folder.put("n", "1e5x\n1\n2\n"), numbers.context());
  check_mentions(numbers.notes, {"n:1", "'1e5x' is taken for a header", "header = no"});
  read_design(folder.put("d", "a,b\n1,2\n"), {}, design.context());
  check_mentions(design.notes, {"d:1", "'a,b' is taken for a header"});
  RatingsOptions options;
  options.header = "yes";
  read_ratings(folder / "r", options, declared.context());
  CHECK(declared.notes.empty());
}

TEST_CASE(
    "readers: responses that become classes, fields that are not read and options without effect are said") {
  const TestFolder folder;
  Heard classes, numbers, fields, three;
  read_design(folder.put("d", "1,2,low\n3,4,7\n5,6,8\n"), {}, classes.context());
  check_mentions(classes.notes,
                 {"d:1", "column 3", "names of classes", "'low' is not a number", "there are 3"});
  read_design(folder.put("n", "1,2,3\n4,5,6\n"), {}, numbers.context());
  CHECK(numbers.notes.find("classes") == std::string::npos);
  read_ratings(folder.put("r", "1 1 5 978300760\n2 1 4 978300761\n"), {}, fields.context());
  check_mentions(fields.notes, {"of 4 fields the first three are read"});
  read_ratings(folder.put("s", "1 1 5\n2 1 4\n"), {}, three.context());
  CHECK(three.notes.empty());

  DesignOptions options;
  options.features = 7;
  options.dataset = "Z";
  options.hdf5 = "all";
  Heard unused, none;
  read_design(folder / "n", options, unused.context());
  for (const std::string name : {"features", "dataset", "hdf5"})
    check_mentions(unused.notes, {("option " + name + " has no effect").c_str()});
  options = {};
  options.table.header = "no", options.table.delimiter = "comma";
  read_design(folder / "n", options, none.context());
  CHECK(none.notes.find("no effect") == std::string::npos);
  RatingsOptions ids = with_ids("arbitrary");
  ids.header = "no";
  Heard market;
  read_ratings(folder.put("m", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 5\n"), ids,
               market.context());
  check_mentions(market.notes, {"option ids has no effect", "option header has no effect"});
}

TEST_CASE("readers: LIBSVM's text with tabs and with blanks before the label") {
  const TestFolder folder;
  for (const std::string text :
       {"1\t1:0.5\t3:2\n-1\t2:4\n", " 1  1:0.5\t3:2\n -1 2:4\n", "1\t\n-1\t1:2\t3:4\n"}) {
    CAPTURE(text);
    Heard heard;
    const Design design = read_design(folder.put("x", text), {}, heard.context());
    CHECK(design.is_sparse());
    CHECK(design.rows == 2);
    CHECK(design.cols == 3);
    CHECK(design.response == std::vector<double>{1, -1});
    check_mentions(heard.details, {"sparse design of 2 x 3 with"});
  }
}

TEST_CASE("readers: a number that would take the memory of the machine") {
  const TestFolder folder;
  const auto svm = folder.put("x.svm", "1 1:0.5 2147483647:2\n");
  check_mentions(complaint([&] { read_design(svm); }),
                 {"2147483647 columns for 2 entries", "declare objective.features = 2147483647"});
  DesignOptions declared;
  declared.features = 2147483647;
  CHECK(read_design(svm, declared).cols == 2147483647);
  CHECK(read_design(folder.put("wide.svm", "1 100000000:2\n")).cols == 100000000);
  const auto market =
      folder.put("m.mtx", "%%MatrixMarket matrix coordinate real general\n2147483647 2 1\n1 1 5\n");
  DesignOptions options;
  options.response = "1";
  check_mentions(complaint([&] { read_design(market, options); }), {"2147483647 rows for 1 entries"});
  check_mentions(complaint([&] { read_ratings(market); }), {"2147483647 rows for 1 entries", "declare"});
  RatingsOptions rows;
  rows.rows = 2147483647;
  CHECK(read_ratings(market, rows).rows == 2147483647);
  check_mentions(complaint([&] { read_ratings(folder.put("r", "2147483647 1 5\n"), with_ids("one-based")); }),
                 {"2147483647 rows for 1 entries"});
}

TEST_CASE("readers: a line without an end") {
  namespace io = boost::iostreams;
  const TestFolder folder;
  std::string one;
  {
    io::filtering_ostream out;
    out.push(io::gzip_compressor());
    out.push(io::back_inserter(one));
    out << std::string(1 << 20, '1');
  }
  std::string many;
  for (int i = 0; i < 257; ++i) many += one;
  const auto file = folder.put("endless.gz", many);
  check_mentions(complaint([&] { read_numbers(file); }),
                 {"endless.gz:1", "longer than 256 MiB", "is this text?"});
}

TEST_CASE("readers: a file that is not data is named, with the formats that are read") {
  const TestFolder folder;
  const std::pair<std::string, const char*> files[] = {
      {"\x7F"
       "ELF\2\1\1",
       "a program or library (ELF)"},
      {"\xFF\xD8\xFF\xE0....", "a JPEG image"},
      {"PAR1....PAR1", "a Parquet file"},
      {"%PDF-1.5\n", "a PDF document"},
      {std::string("\x80\x04\x95\x10", 4), "a Python pickle"}};
  for (const auto& [bytes, kind] : files) {
    const auto file = folder.put("f", bytes);
    const std::vector<std::string> said{complaint([&] { read_design(file); }),
                                        complaint([&] { read_ratings(file); }),
                                        complaint([&] { read_numbers(file); })};
    for (const std::string& text : said) check_mentions(text, {kind, "Matrix Market", ".npz"});
  }
  check_mentions(complaint([&] { read_design(folder.put("g", "\x1f\x8bno gzip at all")); }),
                 {"gzip", "LIBSVM"});
  check_mentions(complaint([&] { read_design(folder.put("b", std::string("1 2\0 3\n", 7))); }),
                 {"0x00", "LIBSVM"});
  check_mentions(complaint([&] { read_ratings(folder.put("z", "PK\3\4 cut")); }),
                 {"zip archive cannot be read"});
}

TEST_CASE("readers: a pipe is refused and not waited for, whatever the format is said to be") {
  const TestFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  for (const std::string format :
       {"auto", "table", "matrix-market", "libsvm", "hdf5", "binary", "npy", "npz"}) {
    CAPTURE(format);
    DesignOptions options;
    options.format = format;
    check_mentions(complaint([&] { read_design(folder / "pipe", options); }), {"not a regular file"});
  }
  check_mentions(complaint([&] { read_ratings(folder / "pipe"); }), {"not a regular file"});
  check_mentions(complaint([&] { read_numbers(folder / "pipe"); }), {"not a regular file"});
}

TEST_CASE("CLAROS_CPU: a word that names no instruction set is refused") {
  const char* before = ::getenv("CLAROS_CPU");
  const std::string kept = before ? before : "";
  ::setenv("CLAROS_CPU", "foo", 1);
  check_mentions(complaint([] { check_asked_instruction_set({}); }, ErrorKind::usage),
                 {"CLAROS_CPU", "'foo'", "avx512"});
  for (const char* good : {"", "baseline", "avx2", "avx512"}) {
    ::setenv("CLAROS_CPU", good, 1);
    CHECK_NOTHROW(check_asked_instruction_set({}));
  }
  before ? ::setenv("CLAROS_CPU", kept.c_str(), 1) : ::unsetenv("CLAROS_CPU");
}
