// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/matrix_market.hpp>

#include "read_for_test.hpp"

#include <limits>

using namespace claros;
using claros::testing::Positions;
using claros::testing::Values;

namespace {

DenseTable array(const std::string& text) {
  const TestFolder folder;
  return read_matrix_market_array(folder.put("a #1.mtx", "%%MatrixMarket matrix array " + text));
}
Ratings coordinate(const std::string& text) {
  const TestFolder folder;
  return read_matrix_market_coordinate(folder.put("a #1.mtx", "%%MatrixMarket matrix coordinate " + text));
}
std::string array_refusal(const std::string& text) {
  return complaint([&] { array(text); });
}
std::string coordinate_refusal(const std::string& text) {
  return complaint([&] { coordinate(text); });
}

}  // namespace

TEST_CASE("matrix market: a banner with words in quotes, longer than a short string") {
  const TestFolder folder;
  const std::string word(100, 'x');
  const auto file = folder.put("q", "%%MatrixMarket matrix array \"" + word + "\" general\n1 1\n1\n");
  check_mentions(complaint([&] { read_matrix_market_array(file); }),
                 {"q:1", ("the field is '" + word.substr(0, 60)).c_str()});
}

TEST_CASE("matrix market: arrays") {
  const DenseTable general = array("real general\n% a note\n%\n\n2 3\n1\n2\n3\n4\n5\n6e-1\n");
  CHECK(general.rows == 2);
  CHECK(general.cols == 3);
  CHECK(general.values == Values{1, 2, 3, 4, 5, 0.6});
  CHECK(array("INTEGER Symmetric\n2 2\n1\n2\n3\n").values == Values{1, 2, 2, 3});
  CHECK(array("real skew-symmetric\n3 3\n1\n2\n3\n").values == Values{0, 1, 2, -1, 0, 3, -2, -3, 0});
}

TEST_CASE("matrix market: coordinates") {
  const Ratings general = coordinate("real general\n3 4 2\n3 4 -1\n1 2 5\n");
  CHECK(general.rows == 3);
  CHECK(general.cols == 4);
  CHECK(general.row == Positions{0, 2});
  CHECK(general.col == Positions{1, 3});
  CHECK(general.value == Values{5, -1});
  CHECK(coordinate("pattern symmetric\n2 2 2\n2 1\n2 2\n").value == Values{1, 1, 1});
  const Ratings skew = coordinate("real skew-symmetric\n2 2 1\n2 1 3\n");
  CHECK(skew.row == Positions{0, 1});
  CHECK(skew.value == Values{-3, 3});
  CHECK(coordinate("real general\n3 4 0\n").value.empty());
}

TEST_CASE("matrix market: banners that are wrong") {
  const TestFolder folder;
  check_mentions(complaint([&] { read_matrix_market_array(folder.put("x", "1 2\n")); }),
                 {"x:1: ", "'1 2'", "%%MatrixMarket"});
  check_mentions(complaint([&] {
                   read_matrix_market_array(folder.put("y", "%%MatrixMarketing matrix array real general\n"));
                 }),
                 {"y:1: ", "banner"});
  check_mentions(array_refusal("complex general\n"), {"mtx:1: ", "'complex'", "real, integer or pattern"});
  check_mentions(array_refusal("real hermitian\n"), {"'hermitian'"});
  check_mentions(array_refusal("pattern general\n"), {"neither an array"});
  check_mentions(array_refusal("real\n"), {"mtx:1: ", "banner"});
  check_mentions(coordinate_refusal("pattern skew-symmetric\n"), {"nor skew-symmetric"});
  check_mentions(
      complaint([&] {
        read_matrix_market_array(folder.put("z", "%%MatrixMarket matrix coordinate real general\n"));
      }),
      {"layout is coordinate; expected array"});
  check_mentions(complaint([&] {
                   read_matrix_market_array(folder.put("w", "%%MatrixMarket matrix cube real general\n"));
                 }),
                 {"'cube'"});
}

TEST_CASE("matrix market: sizes that are wrong") {
  check_mentions(array_refusal("real general\n% only notes\n"), {"mtx:2: ", "before its sizes"});
  check_mentions(array_refusal("real general\n2\n1\n"), {"mtx:2: ", "2 fields, found 1"});
  check_mentions(array_refusal("real general\n0 2\n"), {"mtx:2: ", "rows is '0'"});
  check_mentions(array_refusal("real general\n2 x\n"), {"columns is 'x'"});
  check_mentions(array_refusal("real general\n2 3000000000\n"), {"'3000000000'"});
  check_mentions(array_refusal("real symmetric\n2 3\n"), {"mtx:2: ", "2 x 3", "as many rows as columns"});
  check_mentions(coordinate_refusal("real general\n2 2\n"), {"3 fields, found 2"});
  check_mentions(coordinate_refusal("real general\n2 2 5\n"), {"entries is '5'", "from 0 to 4"});
}

TEST_CASE("matrix market: counts and entries that are wrong") {
  check_mentions(array_refusal("real general\n1 2\n1\n"),
                 {"mtx:3: ", "after 1 entries; expected 2", "truncated"});
  check_mentions(array_refusal("real general\n1 1\n1\n2\n"), {"mtx:4: ", "too many", "expected 1"});
  check_mentions(array_refusal("real general\n2147483647 2147483647\n1\n"), {"after 1 entries"});
  check_mentions(array_refusal("real general\n1 1\nnan\n"), {"mtx:3: ", "'nan'"});
  check_mentions(array_refusal("integer general\n1 1\n1.5\n"), {"mtx:3: ", "'1.5'", "integer"});
  check_mentions(coordinate_refusal("real general\n2 2 1\n0 1 5\n"),
                 {"mtx:3: ", "row is '0'", "from 1 to 2"});
  check_mentions(coordinate_refusal("real general\n2 2 1\n1 3 5\n"), {"column is '3'"});
  check_mentions(coordinate_refusal("real general\n2 2 1\n1 1\n"), {"3 fields, found 2"});
  check_mentions(coordinate_refusal("pattern general\n2 2 1\n1 1 1\n"), {"2 fields, found 3"});
  check_mentions(coordinate_refusal("real general\n2 2 2\n1 1 1\n1 1 2\n"),
                 {"mtx:4: ", "row 1, column 1", "line 3"});
  check_mentions(coordinate_refusal("real symmetric\n2 2 1\n1 2 1\n"), {"mtx:3: ", "lower triangle"});
  check_mentions(coordinate_refusal("real skew-symmetric\n2 2 1\n1 1 1\n"), {"without the diagonal"});
}

TEST_CASE("matrix market: arrays written and read again") {
  const TestFolder folder;
  const auto path = folder / "out #.mtx";
  const auto round_trip = [&](const DenseTable& table, const MatrixMarketFormat& format) {
    write_matrix_market(path, table, format);
    const DenseTable again = read_matrix_market_array(path);
    CHECK(again.rows == table.rows);
    CHECK(again.values == table.values);
  };
  round_trip({2, 3, {0.1, -1e300, 1.0 / 3, 4, 5e-324, 6}}, {});
  round_trip({2, 3, {1, -2, 3, 4, 5, 1e15}}, {"integer", "general"});
  round_trip({2, 2, {1, 2.5, 2.5, 3}}, {"real", "symmetric"});
  round_trip({2, 2, {0, -2.5, 2.5, 0}}, {"real", "skew-symmetric"});
  CHECK(folder.get("out #.mtx") == "%%MatrixMarket matrix array real skew-symmetric\n2 2\n-2.5\n");
}

TEST_CASE("matrix market: entries written and read again") {
  const TestFolder folder;
  const auto path = folder / "out";
  const auto round_trip = [&](const Ratings& entries, const MatrixMarketFormat& format) {
    write_matrix_market(path, entries, format);
    const Ratings again = read_matrix_market_coordinate(path);
    CHECK(again.cols == entries.cols);
    CHECK(again.row == entries.row);
    CHECK(again.col == entries.col);
    CHECK(again.value == entries.value);
  };
  round_trip({2, 3, {0, 1}, {2, 0}, {0.1, -7}, {}, {}}, {});
  round_trip({2, 3, {0, 1}, {2, 0}, {1, 1}, {}, {}}, {"pattern", "general"});
  round_trip({3, 3, {0, 0, 2, 2}, {0, 2, 0, 2}, {1, 5, 5, 2}, {}, {}}, {"integer", "symmetric"});
  round_trip({2, 2, {0, 1}, {1, 0}, {-0.5, 0.5}, {}, {}}, {"real", "skew-symmetric"});
  CHECK(folder.get("out") == "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 0.5\n");
}

TEST_CASE("matrix market: what a format cannot hold leaves no file") {
  const TestFolder folder;
  const auto refused = [&](const auto& data, const MatrixMarketFormat& format,
                           ErrorKind kind = ErrorKind::data) {
    const std::string text = complaint([&] { write_matrix_market(folder / "out", data, format); }, kind);
    CHECK(folder.files() == 0);
    return text;
  };
  const DenseTable table{2, 2, {1, 2.5, 3, 4}};
  const Ratings entries{2, 2, {0}, {1}, {2.5}, {}, {}};
  check_mentions(refused(table, {"integer", "general"}), {"row 2, column 1", "2.5", "an integer"});
  check_mentions(refused(table, {"real", "symmetric"}), {"mirror image"});
  check_mentions(refused(table, {"real", "skew-symmetric"}), {"minus the value"});
  check_mentions(refused(DenseTable{1, 2, {1, 2}}, {"real", "symmetric"}), {"1 x 2", "not square"});
  check_mentions(refused(DenseTable{1, 2, {1}}, {}), {"1 values for 1 x 2"});
  check_mentions(refused(DenseTable{1, 1, {std::numeric_limits<double>::infinity()}}, {}), {"inf", "finite"});
  check_mentions(refused(entries, {"pattern", "general"}), {"1 in a pattern"});
  check_mentions(refused(entries, {"real", "symmetric"}), {"mirror image"});
  check_mentions(refused(table, {"pattern", "general"}, ErrorKind::usage), {"neither an array"});
  check_mentions(refused(table, {"complex", "general"}, ErrorKind::usage), {"'complex'"});
}
