// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/csv.hpp>
#include <claros/io/matrix_file.hpp>

#include "read_for_test.hpp"

#include <cmath>

using namespace claros;
using claros::testing::Names;
using claros::testing::Values;

namespace {

NamedTable table_of(const std::string& text, const TableOptions& options = {}) {
  const TestFolder folder;
  return read_table(folder.put("table #1.csv", text), options);
}
std::string table_refusal(const std::string& text, const TableOptions& options = {},
                          ErrorKind kind = ErrorKind::data) {
  return complaint([&] { table_of(text, options); }, kind);
}

}  // namespace

TEST_CASE("csv: tables with and without names") {
  const NamedTable plain = table_of("1,2,3\n4,5,6\n");
  CHECK(plain.names.empty());
  CHECK(plain.table.rows == 2);
  CHECK(plain.table.cols == 3);
  CHECK(plain.table.values == Values{1, 4, 2, 5, 3, 6});
  const NamedTable named = table_of("\"a, b\"; c\n1;2\n");
  CHECK(named.names == Names{"a, b", "c"});
  CHECK(named.table.values == Values{1, 2});
  CHECK(table_of("  1   2\n 3\t4  \n").table.values == Values{1, 3, 2, 4});
  CHECK(table_of("1\n2\n").table.rows == 2);
  CHECK(table_of("2019,2020\n1,2\n", {"comma", "yes"}).names == Names{"2019", "2020"});
}

TEST_CASE("csv: bad input") {
  check_mentions(table_refusal("1,2\n3\n"), {"csv:2: ", "1 field", "expected 2"});
  check_mentions(table_refusal("1,2\n3,x\n"), {"csv:2: ", "column 2 is 'x'"});
  check_mentions(table_refusal("a,b\n3,\n"), {"csv:2: ", "column 2 (b) is empty"});
  check_mentions(table_refusal("1,2\n3,NaN\n"), {"csv:2: ", "'NaN'", "not finite"});
  check_mentions(table_refusal("a,1\n3,4\n"), {"csv:1: ", "'a'", "set header = yes"});
  check_mentions(table_refusal("a,b\n", {"auto", "no"}), {"csv:1: ", "'a'", "set header = yes"});
  check_mentions(table_refusal("a,b\n"), {"header but no numbers"});
  check_mentions(table_refusal("1\n\n\n3\n"), {"csv:2: ", "is empty", "blank line"});
  CHECK(table_of("1\n3\n\n\n").table.values == Values{1, 3});
  check_mentions(table_refusal("\n\n"), {"only blank lines"});
  check_mentions(table_refusal(""), {"empty"});
  check_mentions(table_refusal("a;b\n1;2\n", {"comma", "auto"}),
                 {"csv:2: ", "'1;2'", "set delimiter = semicolon"});
  check_mentions(table_refusal("1\n", {"bar", "auto"}, ErrorKind::usage), {"bar"});
  check_mentions(table_refusal("1\n", {"auto", "perhaps"}, ErrorKind::usage), {"perhaps"});
}

TEST_CASE("csv: written and table_of again") {
  const TestFolder folder;
  const DenseTable table{2, 3, {0.1, -1e300, 1.0 / 3, 4, 5e-320, 6}};
  const Names names{"a", "with, comma", "with \"quote\""};
  write_table(folder / "named", table, names);
  const NamedTable again = read_table(folder / "named");
  CHECK(again.names == names);
  CHECK(again.table.values == table.values);
  write_table(folder / "plain", {1, 2, {1, 2.5}});
  CHECK(folder.get("plain") == "1,2.5\n");
}

TEST_CASE("csv: what cannot be written leaves no file") {
  const TestFolder folder;
  const auto refused = [&](const DenseTable& table, const Names& names) {
    const std::string text = complaint([&] { write_table(folder / "out", table, names); });
    CHECK(folder.files() == 0);
    return text;
  };
  check_mentions(refused({2, 2, {1}}, {}), {"1 values for 2 x 2"});
  check_mentions(refused({1, 1, {std::nan("")}}, {}), {"nan"});
  check_mentions(refused({1, 1, {1}}, {"a", "b"}), {"2 names for 1 columns"});
  check_mentions(refused({1, 1, {1}}, {"a\nb"}), {"control character"});
}

TEST_CASE("csv: a header of years that is read as data, and columns that count or are ids, are noted") {
  std::string notes;
  const TestFolder folder;
  const auto read = [&](const std::string& text, const std::string& header = "auto") {
    Context context;
    notes.clear();
    context.messages = [&](Severity, const std::string& said) { notes += said + '\n'; };
    DesignOptions options;
    options.table.header = header;
    return read_matrix(folder.put("table.csv", text), options, context);
  };
  const std::string rows = "1,.5,2\n3,.1,4\n0,.2,9\n7,.3,1\n2,.9,5\n";
  CHECK(read("2019,2020,2021\n" + rows).table.rows == 6);
  check_mentions(notes, {"table.csv:1 is read as data", "set header = yes"});
  CHECK(read("2019,2020,2021\n" + rows, "yes").names == Names{"2019", "2020", "2021"});
  for (const std::string header : {"yes", "no"}) {
    (void)read("2019,2020,2021\n" + rows, header);
    CHECK(notes.find("set header") == notes.npos);
  }
  const std::string counting = "1,5,.1\n2,5,.2\n3,7,.3\n4,9,.4\n5,2,.5\n",
                    drawn = "77,5,.1\n12,5,.2\n30,7,.3\n4,9,.4\n51,2,.5\n";
  for (const auto& [text, column] : {std::pair("nr,a,b\n" + counting, "column nr"),
                                     {"x,a,b\n" + counting, "column x"},
                                     {"user_id,a,b\n" + drawn, "column user_id"}}) {
    CHECK(read(text).table.cols == 3);
    check_mentions(notes, {column, "objective.without leaves it out"});
  }
  for (const std::string& text : {counting, "x,a,b\n" + drawn, std::string("id\n1\n2\n3\n4\n5\n"),
                                  std::string("id,a,b\n1,2,3\n2,3,4\n")}) {
    (void)read(text);
    CAPTURE(text);
    CHECK(notes.find("objective.without") == notes.npos);
  }
}

TEST_CASE("csv: a first column of texts, or of whole numbers without a name, names the rows") {
  std::string notes;
  const TestFolder folder;
  const auto read = [&](const std::string& text) {
    Context context;
    notes.clear();
    context.messages = [&](Severity, const std::string& said) { notes += said + '\n'; };
    return read_table(folder.put("table.csv", text), {}, context);
  };
  const NamedTable jobs = read("worker,dig,paint\nAnn,1,2\n\"Bob, jr\",3,4\n");
  CHECK(jobs.rows == Names{"Ann", "Bob, jr"});
  CHECK(jobs.names == Names{"dig", "paint"});
  CHECK(jobs.table.values == Values{1, 3, 2, 4});
  check_mentions(notes, {"column 1 (worker) names the rows"});
  CHECK(read("Date,A\n2024-01-02,1\n2024-01-03,2\n").rows == Names{"2024-01-02", "2024-01-03"});
  CHECK(read("\"\",a,b\n0,1,2\n1,3,4\n").rows == Names{"0", "1"});
  CHECK(read("Unnamed: 0,a\n7,1\n3,2\n").rows == Names{"7", "3"});
  // Neither names the rows: numbers under a name, fractions, or numbers that come twice.
  for (const char* text : {"a,b\n1,2\n3,4\n", "\"\",b\n1.5,2\n3,4\n", "\"\",b\n1,2\n1,4\n", "a\n1\n2\n"}) {
    CAPTURE(text);
    const NamedTable numbers = read(text);
    CHECK(numbers.rows.empty());
    CHECK(numbers.table.cols == static_cast<Index>(numbers.names.size()));
    CHECK(notes.find("names the rows") == notes.npos);
  }
  check_mentions(table_refusal("who,a\nAnn,1\n2,3\n"), {"csv:3: ", "column 1 (who) is '2'", "'Ann'"});
  check_mentions(table_refusal("who,a\nAnn,x\n"), {"csv:2: ", "column 2 (a) is 'x'"});
  check_mentions(table_refusal("who\nAnn\n"), {"csv:2: ", "'Ann'"});
}
