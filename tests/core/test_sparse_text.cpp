// SPDX-License-Identifier: BSD-3-Clause
// LIBSVM's and Vowpal Wabbit's text: what is read, and what is refused in which words.
#include <claros/io/design_io.hpp>

#include "read_for_test.hpp"

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <random>
#include <sstream>

using namespace claros;
using claros::testing::expanded;
using claros::testing::Positions;
using claros::testing::Values;

namespace {

struct Told {
  Design design;
  std::string notes;
};

Told told_of(const std::string& text, const DesignOptions& options = {}) {
  const TestFolder folder;
  Told told;
  Context context;
  context.messages = [&](Severity, const std::string& note) { told.notes += note + '\n'; };
  told.design = read_design(folder.put("rows", text), options, context);
  return told;
}

std::string sparse_refusal(const std::string& text, const DesignOptions& options = {},
                           ErrorKind kind = ErrorKind::data) {
  return complaint([&] { told_of(text, options); }, kind);
}

DesignOptions hashed(Index bits) {
  DesignOptions options;
  options.bits = bits;
  return options;
}

const SparseRows<double>& rows_of(const Design& design) {
  return std::get<SparseRows<double>>(design.entries);
}

template <class Filter>
std::string compressed_by(const Filter& filter, const std::string& text) {
  namespace io = boost::iostreams;
  std::string bytes;
  io::filtering_ostream out;
  out.push(filter);
  out.push(io::back_inserter(bytes));
  out << text;
  io::close(out);
  return bytes;
}

/// A line of more than 10 MB in either format, with `last` at its end.
std::string long_line(const std::string& head, const std::string& last) {
  std::string text = head;
  for (int j = 1; text.size() < 10'500'000; ++j) text += ' ' + std::to_string(j) + ":0.25";
  return text + ' ' + last + '\n';
}

}  // namespace

TEST_CASE("LIBSVM: numbers in every spelling are those that a careful reader takes") {
  std::mt19937_64 engine(5);
  const char* spellings[] = {
      "1",        "0",  "007", "123456789012345", "1234567890123456789",  "0.1", "-0.0", "-5", "+5", "1e300",
      "4.9e-324", ".5", "7.",  "-1.25E-3",        "179769313486231570000"};
  for (int trial = 0; trial < 50; ++trial) {
    std::string text;
    Values expected;
    for (int j = 1; j <= 12; ++j) {
      const std::string word = spellings[engine() % std::size(spellings)];
      text += (engine() % 2 ? " " : "\t ") + std::to_string(j) + ':' + word;
      expected.push_back(std::strtod(word.c_str(), nullptr));
    }
    CAPTURE(text);
    const Design design = told_of("-1" + text + "\n1 1:1\n").design;
    const auto& rows = rows_of(design);
    CHECK(std::equal(expected.begin(), expected.end(), rows.value.begin()));
    CHECK(design.response == Values{-1, 1});
  }
}

TEST_CASE("LIBSVM: what is refused, with file, line and what was expected") {
  check_mentions(sparse_refusal("1 1:2\n1 3:3 3:1\n"),
                 {"rows:2: ", "column 3 follows column 3", "each once", "keep one"});
  check_mentions(sparse_refusal("1 1:2\n1 3:3 2:1\n"), {"rows:2: ", "ascending", "sort the line"});
  check_mentions(sparse_refusal("1 1:2\n1 0:3 1:2\n"), {"rows:2: ", "'0:3'", "from 1", "add 1"});
  check_mentions(sparse_refusal("1 1:2\n1 2:nan\n"), {"rows:2: ", "column 2", "'nan'", "finite"});
  check_mentions(sparse_refusal("1 1:2\nnan 2:1\n"), {"rows:2: ", "the label", "finite"});
  check_mentions(sparse_refusal("1 1:2\n1 2:1e999\n"), {"rows:2: ", "column 2", "'1e999'"});
  check_mentions(sparse_refusal("1 1:2\n1 99999999999:1\n"), {"rows:2: ", "'99999999999:1'"});
  check_mentions(sparse_refusal("1 1:2\n1 1:2x 2:1\n"), {"rows:2: ", "'2x'", "not a number"});
}

TEST_CASE("sparse text: a line of 10 MB is read, and what is wrong at its end is told in few words") {
  const std::string sound = long_line("1", "9000000:7");
  const Design design = told_of("-1 1:1\n" + sound).design;
  CHECK(design.cols == 9000000);
  CHECK(rows_of(design).value.back() == 7.0);
  const std::string bad = sparse_refusal("-1 1:1\n" + long_line("1", "5:7"));
  check_mentions(bad, {"rows:2: ", "column 5 follows column"});
  CHECK(bad.size() < 500);
  CHECK(rows_of(told_of("-1 |f 1:1\n" + long_line("1 |f", "9000000:7")).design).value.back() == 7.0);
  const std::string name = sparse_refusal("-1 |f 1:1\n" + long_line("1 |f", std::string(100000, 'x')));
  check_mentions(name, {"rows:2: ", "'xxx", "not a whole number"});
  CHECK(name.size() < 500);
}

TEST_CASE("sparse text: the four compressions, and an archive that was cut") {
  namespace io = boost::iostreams;
  std::ostringstream libsvm, vowpal;
  std::mt19937_64 engine(3);
  for (int i = 0; i < 2000; ++i) {
    libsvm << (i % 2 ? "-1" : "1"), vowpal << (i % 2 ? "-1" : "1") << " |f";
    for (int j = 1; j < 9; ++j) {
      const auto value = static_cast<double>(engine() % 1000) / 1000;
      libsvm << ' ' << 10 * j << ':' << value, vowpal << ' ' << 10 * j << ':' << value;
    }
    libsvm << '\n', vowpal << '\n';
  }
  for (const std::string& text : {libsvm.str(), vowpal.str()}) {
    const Values plain = rows_of(told_of(text).design).value;
    for (const std::string& packed :
         {compressed_by(io::gzip_compressor(), text), compressed_by(io::bzip2_compressor(), text),
          compressed_by(io::lzma_compressor(), text), compressed_by(io::zstd_compressor(), text)}) {
      CHECK(rows_of(told_of(packed).design).value == plain);
      check_mentions(sparse_refusal(packed.substr(0, packed.size() * 2 / 3)), {"rows", "truncated"});
    }
  }
}

TEST_CASE("Vowpal Wabbit: whole numbers are columns, importances are weights, tags are passed over") {
  const Told told = told_of("-1 |f 9:0.5 2 4:-3\n1 2.5 'tag|f 0:1\n\n1 tag|f\n1 0.5|\n");
  const Design& design = told.design;
  CHECK(design.is_sparse());
  CHECK(design.rows == 4);
  CHECK(design.cols == 10);
  CHECK(rows_of(design).start == std::vector<Index>{0, 3, 4, 4, 4});
  CHECK(rows_of(design).column == Positions{2, 4, 9, 0});
  CHECK(rows_of(design).value == Values{1, -3, 0.5, 1});
  CHECK(design.response == Values{-1, 1, 1, 1});
  // "0.5|" touches the bar: vw takes it for a tag.
  CHECK(design.weights == Values{1, 2.5, 1, 1});
  check_mentions(told.notes, {"sparse design of 4 x 10 with 4 entries"});
  DesignOptions wide;
  wide.features = 20;
  wide.precision = "float";
  const Design more = told_of("1 | 3:0.1\n", wide).design;
  CHECK(more.cols == 20);
  CHECK(std::get<SparseRows<float>>(more.entries).value == std::vector<float>{0.1F});
  wide.features = 3;
  check_mentions(sparse_refusal("1 | 3:0.1\n", wide), {"feature 3", "3 columns were declared", "at least 4"});
}

TEST_CASE("Vowpal Wabbit: names are hashed as vw hashes them") {
  // MurmurHash3 (x86, 32 bits) of "hello" from seed 0 is 0x248bfa47; the others are from an independent
  // writing of it.
  const Told one = told_of("1 | hello:2 7 a1:3\n", hashed(18));
  CHECK(one.design.cols == 262144);
  CHECK(rows_of(one.design).column == Positions{7, 38778, 260679});
  CHECK(rows_of(one.design).value == Values{1, 3, 2});
  // The namespace is the seed, and is added to a name of digits; its factor multiplies.
  const Told spaces = told_of("1 |house:0.5 price:4 sqft:2 7 | 7:9\n", hashed(18));
  CHECK(rows_of(spaces.design).column == Positions{7, 106822, 204953, 215381});
  CHECK(rows_of(spaces.design).value == Values{9, 1, 2, 0.5});
  CHECK(rows_of(told_of("1 |house price sqft\n", hashed(10)).design).column == Positions{153, 326});
  // What falls on one column is added, in its order.
  const Told twice = told_of("1 | the:0.5 cat the the:0.25\n", hashed(18));
  CHECK(rows_of(twice.design).value.size() == 2);
  CHECK(rows_of(twice.design).value[0] + rows_of(twice.design).value[1] == 2.75);
  check_mentions(twice.notes, {"2 features", "added"});
}

TEST_CASE(
    "sparse text: a bar in a comment of LIBSVM's text, or between the columns of a table, makes no Vowpal "
    "Wabbit") {
  CHECK(told_of("1 1:0.5 # a|b\n-1 2:1\n").design.stored() == 2);
  CHECK(told_of("1|2|3\n4|5|6\n").design.rows == 2);
  CHECK(told_of("1 2 |a 5\n").design.weights == Values{2});
}

TEST_CASE("Vowpal Wabbit: what is refused, with file, line and what was expected") {
  const std::string sound = "1 | 3:1\n";
  check_mentions(sparse_refusal(sound + "1 | price:2\n"),
                 {"rows:2: ", "'price'", "whole number", "objective.bits = 18"});
  check_mentions(sparse_refusal(sound + "1 |b 3:2\n"),
                 {"rows:2: ", "namespace 'b' beside ''", "objective.bits = 18"});
  check_mentions(sparse_refusal(sound + "1 3:2\n"), {"rows:2: ", "no |", "label [importance]"});
  check_mentions(sparse_refusal(sound + "| 3:2\n"), {"rows:2: ", "no label"});
  check_mentions(sparse_refusal("| 3:2\n"), {"rows:1: ", "no label"});
  check_mentions(sparse_refusal(sound + "1 2 0.5 | 3:2\n"), {"rows:2: ", "3 numbers", "initial prediction"});
  check_mentions(sparse_refusal(sound + "cat | 3:2\n"), {"rows:2: ", "the label is 'cat'"});
  check_mentions(sparse_refusal(sound + "1 -2 | 3:2\n"), {"rows:2: ", "importance is '-2'", ">= 0"});
  check_mentions(sparse_refusal(sound + "1 | 3:nan\n"), {"rows:2: ", "value of '3'", "finite"});
  check_mentions(sparse_refusal(sound + "1 | 3:2x 4\n"), {"rows:2: ", "value of '3'", "'2x'"});
  check_mentions(sparse_refusal(sound + "1 | :2\n"), {"rows:2: ", "no name"});
  check_mentions(sparse_refusal(sound + "1 |f:x 2\n"), {"rows:2: ", "factor of the namespace 'f'"});
  check_mentions(sparse_refusal(sound + "1 | 3000000000:2\n"), {"rows:2: ", "'3000000000' is above"});
  check_mentions(sparse_refusal("1 | 2000000000\n"), {"2000000001 columns", "objective.features"});
  DesignOptions both = hashed(4);
  both.features = 16;
  check_mentions(sparse_refusal(sound, both, ErrorKind::usage), {"features", "objective.bits = 4"});
  check_mentions(told_of("1 1:2\n-1 2:1\n", hashed(4)).notes, {"option bits has no effect"});
}

TEST_CASE("designs: rows of length 1, dense and sparse, however large or small their numbers are") {
  DesignOptions options;
  options.unit_rows = true;
  const Values expected{0.6, 0.8, 0, 0, 0, -1, 0.6, -0.8};
  for (const char* text :
       {"1 1:3 2:4\n1\n-1 2:-1e-200\n1 1:3e300 2:-4e300\n", "3,4,1\n0,0,1\n0,-1e-200,1\n3e300,-4e300,1\n"}) {
    const Values rows = expanded(told_of(text, options).design);
    REQUIRE(rows.size() == expected.size());
    for (std::size_t k = 0; k < rows.size(); ++k)
      CHECK(rows[k] == doctest::Approx(expected[k]).epsilon(1e-15));
  }
}

TEST_CASE("designs: the line on which a row stands") {
  const TestFolder folder;
  const auto place = [&](const std::string& text, Index row) {
    return place_of_row(folder.put("x", text), {}, row);
  };
  CHECK(place("# one\n1 1:2\n\n# two\n-1 1:3\n", 1).ends_with("x:5"));
  CHECK(place("1 | 1\n\n-1 | 1\n", 1).ends_with("x:3"));
  CHECK(place("a,b\n1,2\n\n3,4\n", 1).ends_with("x:4"));
}
