// SPDX-License-Identifier: BSD-3-Clause
// Files of NumPy, made byte by byte; tests/peers/check_numpy.py reads what NumPy itself writes.
#include <claros/io/design_io.hpp>
#include <claros/io/ratings.hpp>

#include "numpy_files.hpp"
#include "read_for_test.hpp"

#include <algorithm>
#include <limits>

using namespace claros;
using claros::testing::expanded;
using claros::testing::Values;

namespace {

const Values kRows{1, 2, 3, 4, 5, 6}, kColumns{1, 4, 2, 5, 3, 6};

Values numbers_in(const std::string& bytes) {
  const TestFolder folder;
  const DenseTable table = read_numbers(folder.put("a.npy", bytes));
  CHECK(table.rows == 2);
  CHECK(table.cols == 3);
  return table.values;
}

std::string numbers_refusal(const std::string& bytes) {
  const TestFolder folder;
  return complaint([&] { read_numbers(folder.put("a", bytes)); });
}

template <class T>
void check_type(const std::string& letter) {
  const std::vector<T> numbers{1, 2, 3, 4, 5, 6};
  const std::string code = letter + std::to_string(sizeof(T)) + "'";
  CAPTURE(code);
  CHECK(numbers_in(npy("'<" + code, "(2, 3)", raw(numbers))) == kColumns);
  CHECK(numbers_in(npy("'>" + code, "(2, 3)", raw(numbers, true))) == kColumns);
}

Member member(const std::string& name, const std::string& descr, const std::string& shape,
              const std::string& bytes) {
  return {name + ".npy", npy(descr, shape, bytes)};
}

/// [[0, 7, 0], [8, 0, 9]] as SciPy saves it.
std::vector<Member> sparse_members(const std::string& format) {
  std::vector<Member> members{member("format", "'|S3'", "()", format),
                              member("shape", "'<i8'", "(2,)", raw<std::int64_t>({2, 3}))};
  const auto add = [&](const char* name, const std::vector<std::int32_t>& numbers) {
    members.push_back(member(name, "'<i4'", "(" + std::to_string(numbers.size()) + ",)", raw(numbers)));
  };
  const bool by_columns = format == "csc";
  members.push_back(
      member("data", "'<f8'", "(3,)", raw<double>(by_columns ? Values{8, 7, 9} : Values{7, 8, 9})));
  if (format == "coo") {
    add("row", {0, 1, 1});
    add("col", {1, 0, 2});
  } else {
    add("indices", by_columns ? std::vector<std::int32_t>{1, 0, 1} : std::vector<std::int32_t>{1, 0, 2});
    add("indptr", by_columns ? std::vector<std::int32_t>{0, 1, 2, 3} : std::vector<std::int32_t>{0, 1, 3});
  }
  return members;
}

}  // namespace

TEST_CASE("numpy: every type, byte order, order of storage and version") {
  check_type<double>("f");
  check_type<float>("f");
  check_type<std::int8_t>("i");
  check_type<std::int16_t>("i");
  check_type<std::int32_t>("i");
  check_type<std::int64_t>("i");
  check_type<std::uint8_t>("u");
  check_type<std::uint16_t>("u");
  check_type<std::uint32_t>("u");
  check_type<std::uint64_t>("u");
  CHECK(numbers_in(npy("'<f8'", "(2, 3)", raw(kRows), true)) == kRows);
  for (const int version : {2, 3})
    CHECK(numbers_in(npy("'<f8'", "(2, 3)", raw(kRows), false, version)) == kColumns);
  CHECK(numbers_in(npy("'|b1'", "(2, 3)", std::string("\1\0\0\1\1\0", 6))) == Values{1, 1, 0, 1, 0, 0});
  const TestFolder folder;
  const DenseTable column = read_numbers(folder.put("y.npy", npy("'<f8'", "(6,)", raw(kRows))));
  CHECK(column.rows == 6);
  CHECK(column.cols == 1);
  CHECK(column.values == kRows);
}

TEST_CASE("numpy: an array of more numbers than a piece, column by column") {
  Values numbers(30000);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>(k);
  const TestFolder folder;
  DesignOptions options;
  options.response = "y.npy";
  folder.put("y.npy", npy("'<f8'", "(10000,)", raw(Values(numbers.begin(), numbers.begin() + 10000))));
  Context context;
  context.base = folder.path();
  const Design design =
      read_design(folder.put("X.npy", npy("'<f8'", "(10000, 3)", raw(numbers), true)), options, context);
  const Values rows = expanded(design);
  bool same = true;
  for (std::size_t i = 0; i < 10000; ++i)
    for (std::size_t j = 0; j < 3; ++j) same = same && rows[3 * i + j] == numbers[i + 10000 * j];
  CHECK(same);
  CHECK(design.response[9999] == 9999);
}

TEST_CASE("numpy: what is refused, and why") {
  check_mentions(numbers_refusal(npy("'|O'", "(2,)", "\x80\4")), {"Python objects", "allow_pickle=False"});
  check_mentions(numbers_refusal(npy("'<c16'", "(1,)", std::string(16, '\0'))),
                 {"<c16", "floats of 4 or 8 bytes", "astype"});
  check_mentions(numbers_refusal(npy("[('a', '<f8')]", "(1,)", raw<double>({1}))),
                 {"floats of 4 or 8 bytes"});
  check_mentions(numbers_refusal(npy("'<f8'", "(3,)", raw<double>({1, 2}))),
                 {"an array of 3 of 8 bytes", "truncated"});
  check_mentions(numbers_refusal(npy("'<f8'", "(1,)", raw<double>({1, 2}))), {"appended"});
  check_mentions(numbers_refusal(npy("'<f8'", "(4611686018427387904, 4)", "")),
                 {"the shape (4611686018427387904, 4) is none"});
  check_mentions(numbers_refusal(npy("'<f8'", "(-1,)", "")), {"the shape"});
  check_mentions(numbers_refusal(npy("'<f8'", "(1, 1, 2)", raw<double>({1, 2}))),
                 {"1 x 1 x 2", "one or two dimensions"});
  check_mentions(numbers_refusal(npy("'<f8'", "(0, 3)", "")), {"holds no numbers"});
  check_mentions(
      numbers_refusal(npy("'<f8'", "(1,)", raw<double>({std::numeric_limits<double>::quiet_NaN()}))),
      {"row 1, column 1 is not finite"});
  check_mentions(numbers_refusal(npy("'<f8'", "(1,)", raw<double>({1}), false, 4)), {"version 4", "1 to 3"});
  check_mentions(numbers_refusal(npy("'<U2'", "(1,)", std::string(8, 'x'))), {"holds text"});
  check_mentions(numbers_refusal(std::string("\x93NUMPY\1\0\xFF\xFF{'descr'", 18)), {"header"});
  const std::string whole = npy("'<f8'", "(2, 3)", raw(kRows));
  for (std::size_t kept = 6; kept < whole.size(); ++kept)
    CHECK(!numbers_refusal(whole.substr(0, kept)).empty());
}

TEST_CASE("numpy: archives of rows and responses, stored and deflated") {
  const Member X = member("X", "'<f8'", "(2, 3)", raw(kRows)),
               y = member("y", "'<i8'", "(2,)", raw<std::int64_t>({1, -1})),
               z = member("z", "'<f4'", "(2, 1)", raw<float>({5, 6}));
  const TestFolder folder;
  for (const bool deflate : {false, true}) {
    const auto file = folder.put("a.npz", zip({z, y, X}, deflate));
    const Design design = read_design(file);
    CHECK(expanded(design) == kRows);
    CHECK(design.response == Values{1, -1});
    DesignOptions options;
    options.response = "z";
    options.precision = "float";
    const Design other = read_design(file, options);
    CHECK(other.is_single());
    CHECK(other.response == Values{5, 6});
    options.response = "w";
    check_mentions(complaint([&] { read_design(file, options); }), {"holds z, y, X", "'w'"});
    options.dataset = "rows";
    check_mentions(complaint([&] { read_design(file, options); }), {"holds z, y, X", "rows (dense)"});
  }
  check_mentions(complaint([&] { read_design(folder.put("b.npz", zip({X}, true))); }), {"no response"});
  const Member three = member("y", "'<f8'", "(3,)", raw<double>({1, 2, 3}));
  check_mentions(complaint([&] {
                   read_design(folder.put("c.npz", zip({X, three}, true)));
                 }),
                 {"c.npz:y.npy", "3 numbers", "each of 2 rows"});
  CHECK(read_numbers(folder.put("one.npz", zip({X}, true))).values == kColumns);
  check_mentions(complaint([&] {
                   read_numbers(folder.put("two.npz", zip({X, y}, true)));
                 }),
                 {"X, y", "a single array"});
  check_mentions(complaint([&] {
                   read_design(folder.put("docx", zip({{"text.xml", "<a/>"}}, true)));
                 }),
                 {"zip archive without arrays", "Matrix Market"});
}

TEST_CASE("numpy: a damaged archive is never read") {
  const std::string whole = zip(
      {member("X", "'<f8'", "(2, 3)", raw(kRows)), member("y", "'<f8'", "(2,)", raw<double>({1, 2}))}, false);
  const TestFolder folder;
  std::string changed = whole;
  changed[whole.find(raw(kRows)) + 13] ^= 1;
  check_mentions(complaint([&] { read_design(folder.put("crc.npz", changed)); }),
                 {"crc.npz:X.npy", "damaged"});
  for (std::size_t kept = 4; kept < whole.size(); kept += 7)
    CHECK(!complaint([&] { read_design(folder.put("cut.npz", whole.substr(0, kept))); }).empty());
  // A member that is said to be larger than deflation can make it.
  std::string bomb = zip({member("X", "'<f8'", "(2, 3)", raw(kRows))}, true);
  bomb.replace(bomb.find("PK\1\2") + 24, 4, little(0x7FFFFFFF, 4));
  check_mentions(complaint([&] { read_numbers(folder.put("bomb.npz", bomb)); }), {"which deflation cannot"});
}

TEST_CASE("numpy: sparse matrices of SciPy as designs and as entries") {
  const TestFolder folder;
  for (const std::string format : {"csr", "csc", "coo"}) {
    CAPTURE(format);
    auto members = sparse_members(format);
    const auto entries = folder.put("m.npz", zip(members, true));
    const Ratings ratings = read_ratings(entries);
    CHECK(ratings.rows == 2);
    CHECK(ratings.cols == 3);
    CHECK(ratings.row == std::vector<std::int32_t>{0, 1, 1});
    CHECK(ratings.col == std::vector<std::int32_t>{1, 0, 2});
    CHECK(ratings.value == Values{7, 8, 9});
    CHECK(ratings.row_ids.empty());
    members.push_back(member("y", "'<f8'", "(2,)", raw<double>({3, 4})));
    const Design design = read_design(folder.put("Xy.npz", zip(members, true)));
    CHECK(design.is_sparse());
    CHECK(expanded(design) == Values{0, 7, 0, 8, 0, 9});
    CHECK(design.response == Values{3, 4});
  }
  auto members = sparse_members("coo");
  std::erase_if(members, [](const Member& m) { return m.name == "format.npy"; });
  CHECK(read_ratings(folder.put("coo.npz", zip(members, false))).value == Values{7, 8, 9});
  members = sparse_members("csr");
  std::erase_if(members, [](const Member& m) { return m.name == "format.npy"; });
  check_mentions(complaint([&] { read_ratings(folder.put("csr.npz", zip(members, false))); }),
                 {"layout", "csr, csc or coo"});
  check_mentions(
      complaint([&] {
        read_ratings(folder.put("X.npz", zip({member("X", "'<f8'", "(1,)", raw<double>({1}))}, false)));
      }),
      {"holds X", "a sparse matrix"});
}

TEST_CASE("numpy: sparse members that do not fit each other") {
  const TestFolder folder;
  const auto with = [&](const std::string& format, const std::string& name, const std::string& descr,
                        const std::string& shape, const std::string& bytes) {
    auto members = sparse_members(format);
    for (Member& m : members)
      if (m.name == name + ".npy") m = member(name, descr, shape, bytes);
    return complaint([&] { read_ratings(folder.put("bad.npz", zip(members, false))); });
  };
  using Ints = std::vector<std::int32_t>;
  check_mentions(with("csr", "indptr", "'<i4'", "(3,)", raw(Ints{0, 2, 1})), {"indptr", "do not cover"});
  check_mentions(with("csr", "indptr", "'<i4'", "(3,)", raw(Ints{0, 9, 3})), {"indptr", "number 2 is 9"});
  check_mentions(with("csr", "indptr", "'<i4'", "(2,)", raw(Ints{0, 3})), {"do not cover"});
  check_mentions(with("csr", "indices", "'<i4'", "(3,)", raw(Ints{1, 0, 3})), {"number 3 is 3", "0 to 2"});
  check_mentions(with("csr", "indices", "'<i4'", "(3,)", raw(Ints{1, -1, 2})), {"number 2 is -1"});
  check_mentions(with("coo", "row", "'<i4'", "(2,)", raw(Ints{0, 1})), {"2 indices for 3 values"});
  check_mentions(with("coo", "col", "'<i4'", "(3,)", raw(Ints{1, 0, 0})), {"row 2, column 1", "given twice"});
  check_mentions(with("coo", "shape", "'<i8'", "(2,)", raw<std::int64_t>({2, 2147483647})),
                 {"2147483647 columns for 3 entries"});
  check_mentions(with("csr", "format", "'|S3'", "()", "bsr"), {"'bsr'", "csr, csc or coo"});
}

TEST_CASE("numpy: entries as rows of an array follow the rules of text") {
  const TestFolder folder;
  const auto file = folder.put("e.npy", npy("'<f8'", "(3, 3)", raw<double>({2, 1, 0.5, 1, 3, -4, 1, 1, 7})));
  const Ratings ratings = read_ratings(file);
  CHECK(ratings.row == std::vector<std::int32_t>{0, 0, 1});
  CHECK(ratings.col == std::vector<std::int32_t>{0, 2, 0});
  CHECK(ratings.value == Values{7, -4, 0.5});
  CHECK(ratings.row_ids.empty());
  RatingsOptions options;
  options.ids = "zero-based";
  CHECK(read_ratings(file, options).rows == 3);
  check_mentions(complaint([&] {
                   read_ratings(folder.put("h.npy", npy("'<f8'", "(1, 3)", raw<double>({1.5, 1, 1}))));
                 }),
                 {"row 1", "row id 1.5 is not an integer"});
  check_mentions(complaint([&] {
                   read_ratings(folder.put("w.npy", npy("'<f8'", "(1, 2)", raw<double>({1, 1}))));
                 }),
                 {"1 x 2", "row, column, value"});
}
