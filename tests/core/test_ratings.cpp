// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/ratings.hpp>
#include <claros/io/split_ratings.hpp>

#include "read_for_test.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <sstream>

using namespace claros;
using claros::testing::Positions;
using claros::testing::Values;
using claros::testing::with_ids;

namespace {

using Ids = std::vector<std::string>;

Ratings ratings_of(const std::string& text, const RatingsOptions& options = {}) {
  const TestFolder folder;
  return read_ratings(folder.put("ratings #1.txt", text), options);
}

std::string ratings_refusal(const std::string& text, const RatingsOptions& options = {},
                            ErrorKind kind = ErrorKind::data) {
  return complaint([&] { ratings_of(text, options); }, kind);
}

}  // namespace

TEST_CASE("ratings: every delimiter, extra columns, a header, blank lines") {
  for (const std::string delimiter : {"\t", ",", ";", "::", " ", "  \t ", " , "})
    for (const std::string header : {"", "header"})
      for (const std::string extra : {"", "97830"}) {
        CAPTURE(delimiter);
        const auto line = [&](const char* a, const char* b, const char* c) {
          return a + delimiter + b + delimiter + c + (extra.empty() ? "" : delimiter + extra) + "\n";
        };
        std::string text = line("2", "1", "3.5") + "\n" + line("1", "3", "-4") + line("1", "1", "+1e-1");
        if (!header.empty()) text = line("user", "item", "rating");
        if (!header.empty() && !extra.empty())
          text = "user" + delimiter + "item" + delimiter + "rating" + delimiter + "time\n";
        if (!header.empty()) text += line("2", "1", "3.5") + line("1", "3", "-4") + line("1", "1", "+1e-1");
        const Ratings r = ratings_of(text);
        CHECK(r.rows == 2);
        CHECK(r.cols == 3);
        CHECK(r.row == Positions{0, 0, 1});
        CHECK(r.col == Positions{0, 2, 0});
        CHECK(r.value == Values{0.1, -4, 3.5});
        CHECK(r.row_ids.empty());
      }
}

TEST_CASE("ratings: lines that are scanned are read as lines that are split, in any order and with any ids") {
  for (const Index scale : {Index{1}, Index{1000003}})
    for (const std::string delimiter : {"\t", ",", "::"}) {
      CAPTURE(scale);
      std::string plain, quoted;
      for (Index k = 0; k < 400; ++k) {
        const Index i = k * 77 % 401 % 23, j = k * 77 % 401 / 23;
        const std::string row = std::to_string((i + 1) * scale), col = std::to_string((j + 1) * scale),
                          value = std::to_string(k % 5) + (k % 3 ? "" : ".25");
        plain += row + delimiter + col + delimiter + value + '\n';
        quoted += '"' + row + '"' + delimiter + col + delimiter + '"' + value + "\"\n";
      }
      const Ratings a = ratings_of(plain), b = ratings_of(quoted);
      CHECK(a.row == b.row);
      CHECK(a.col == b.col);
      CHECK(a.value == b.value);
      CHECK(a.row_ids == b.row_ids);
      CHECK(a.col_ids == b.col_ids);
      CHECK((scale == 1) == a.row_ids.empty());
      CHECK(std::is_sorted(a.row.begin(), a.row.end()));
    }
}

TEST_CASE("ratings: ids as indices") {
  RatingsOptions options = with_ids("zero-based");
  CHECK(ratings_of("0 0 1\n2 1 5\n", options).rows == 3);
  options.rows = 10;
  options.cols = 20;
  const Ratings r = ratings_of("0 0 1\n2 1 5\n", options);
  CHECK(r.rows == 10);
  CHECK(r.cols == 20);
  CHECK(ratings_of("1 900 1\n", with_ids("one-based")).cols == 900);
}

TEST_CASE("ratings: arbitrary ids, sorted when all are integers, else by first appearance") {
  const Ratings text = ratings_of("bob,film 1,1\nann,\"a, \"\"b\"\"\",2\nbob,\"a, \"\"b\"\"\",3\n");
  CHECK(text.row_ids == Ids{"bob", "ann"});
  CHECK(text.col_ids == Ids{"film 1", "a, \"b\""});
  CHECK(text.row == Positions{0, 0, 1});
  CHECK(text.value == Values{1, 3, 2});
  const Ratings numbers = ratings_of("700 5 1\n-20 5 2\n10 6 3\n", with_ids("arbitrary"));
  CHECK(numbers.row_ids == Ids{"-20", "10", "700"});
  CHECK(numbers.col_ids == Ids{"5", "6"});
  CHECK(numbers.value == Values{2, 3, 1});
  CHECK(ratings_of("7 1 1\nx 1 2\n7 2 3\n").row_ids == Ids{"7", "x"});
  CHECK(ratings_of("007 1 1\n7 1 2\n").row_ids == Ids{"007", "7"});
}

TEST_CASE("ratings: auto ids decide by size, for rows and columns apart") {
  CHECK(ratings_of("1 1 1\n20 1 2\n").row_ids.empty());
  CHECK(ratings_of("1 1 1\n21 1 2\n").row_ids == Ids{"1", "21"});
  CHECK(ratings_of("0 1 1\n1 1 2\n").row_ids == Ids{"0", "1"});
  CHECK(ratings_of("a 1 1\nb 2 2\n").col_ids.empty());
  CHECK(ratings_of("1 9223372036854775807 1\n").col_ids == Ids{"9223372036854775807"});
  RatingsOptions options;
  options.rows = 50;
  CHECK(ratings_of("1 1 1\n21 1 2\n", options).rows == 50);
  check_mentions(ratings_refusal("1 1 1\n51 1 2\n2 1 2\n", options),
                 {"#1.txt:2: row 51 is beyond the declared 50"});
  options.ids = "arbitrary";
  check_mentions(ratings_refusal("1 1 1\n51 1 2\n", options), {"2 distinct row ids", "50 were declared"});
  options = with_ids("auto");
  options.rows = 3;
  for (const std::string ids : {"auto", "one-based"}) {  // the last index is one
    options.ids = ids;
    CHECK(ratings_of("1 1 1\n3 1 2\n", options).row == Positions{0, 2});
    check_mentions(ratings_refusal("1 1 1\n4 1 2\n", options), {":2"});
  }
  options.ids = "zero-based";
  CHECK(ratings_of("0 1 1\n2 1 2\n", options).row == Positions{0, 2});
  check_mentions(ratings_refusal("0 1 1\n3 1 2\n", options), {":2"});
  // Ten times the number of distinct ids, however often they come.
  CHECK(ratings_of("1 1 1\n1 2 1\n1 3 1\n20 1 2\n").row_ids.empty());
  CHECK(ratings_of("1 1 1\n1 2 1\n1 3 1\n21 1 2\n").row_ids == Ids{"1", "21"});
  for (const std::string text : {"-0", "007", "+7", "00"})  // no number's own text
    CHECK(ratings_of("0 1 1\n" + text + " 1 2\n").row_ids == Ids{"0", text});
}

TEST_CASE("ratings: duplicates") {
  RatingsOptions options;
  const std::string text = "1 2 3\n2 1 5\n\n1 2 4\n1 2 8\n";
  check_mentions(ratings_refusal(text), {".txt:4: ", "row 1, column 2", "line 1", "duplicates = mean"});
  options.duplicates = "mean";
  CHECK(ratings_of(text, options).value == Values{5, 5});
  options.duplicates = "last";
  CHECK(ratings_of(text, options).value == Values{8, 5});
}

TEST_CASE(
    "ratings: of a position that comes several times the mean is weighted, and has the sum of the weights") {
  RatingsOptions options;
  options.weights = "column";
  struct Given {
    int row, col;
    double value, weight;
  };
  const std::vector<Given> given{{2, 1, 8, 0.5}, {1, 1, 3, 2}, {1, 2, 7, 0}, {1, 1, 5, 0}, {2, 1, 4, 1.5},
                                 {1, 2, 9, 0},   {1, 1, 9, 4}, {3, 3, 1, 1}, {2, 2, 6, 0}};
  std::string text;
  std::map<std::pair<int, int>, Given> mean, last;
  for (const Given& each : given) {
    text += std::to_string(each.row) + "," + std::to_string(each.col) + "," + std::to_string(each.value) +
            "," + std::to_string(each.weight) + "\n";
    Given& sum = mean.try_emplace({each.row, each.col}, Given{each.row, each.col, 0, 0}).first->second;
    const double weights = sum.weight + each.weight;
    // Where all weights so far are 0, the last value counts.
    sum.value = weights > 0 ? (sum.weight * sum.value + each.weight * each.value) / weights : each.value;
    sum.weight = weights, last[{each.row, each.col}] = each;
  }
  for (const bool means : {true, false}) {
    options.duplicates = means ? "mean" : "last";
    const Ratings made = ratings_of(text, options);
    const auto& expected = means ? mean : last;
    REQUIRE(made.value.size() == expected.size());
    std::size_t k = 0;
    for (const auto& [place, each] : expected) {
      CHECK(made.row[k] == place.first - 1);
      CHECK(made.col[k] == place.second - 1);
      CHECK(made.value[k] == doctest::Approx(each.value));
      CHECK(made.weight[k] == doctest::Approx(each.weight));
      ++k;
    }
  }
  check_mentions(ratings_refusal("1,1,2,0\n1,2,3,0\n", options), {"all weights are 0"});
  for (const std::string wrong : {"-1", "inf", "nan"})
    check_mentions(ratings_refusal("1,1,2,1\n1,2,3," + wrong + "\n", options), {":2"});
}

TEST_CASE("ratings: bad lines name file, line, value and what was expected") {
  check_mentions(ratings_refusal("1 1 1\n1 2\n"), {".txt:2: ", "2 fields", "expected 3", "'1 2'"});
  check_mentions(ratings_refusal("1,1,1\n1 2 3\n"),
                 {".txt:2: ", "1 field when split at comma", "set delimiter = space"});
  check_mentions(ratings_refusal("1 1\n"), {".txt:1: ", "2 fields", "at least 3"});
  check_mentions(ratings_refusal("1 1 1\n1 2 nan\n"), {".txt:2: ", "'nan'", "not finite"});
  check_mentions(ratings_refusal("1 1 1\n1 2 -inf\n"), {".txt:2: ", "'-inf'", "not finite"});
  check_mentions(ratings_refusal("1 1 1\n1 2 1e999\n"), {".txt:2: ", "'1e999'"});
  CHECK(ratings_of("1;1;1\n1;2;3,5\n").value == Values{1, 3.5});
  check_mentions(ratings_refusal("1,1,1\n1,2,\n"), {".txt:2: ", "the value is empty"});
  check_mentions(ratings_refusal("1,1,1\n,2,3\n"), {".txt:2: ", "row id is empty"});
  check_mentions(ratings_refusal("1 1 x\n1 2 3\n"), {".txt:1: ", "'x'", "set header = yes"});
  check_mentions(ratings_refusal("1,\"2,3\n"), {".txt:1: ", "not closed"});
  check_mentions(ratings_refusal("1,\"2\"2,3\n"), {".txt:1: ", "follows a quoted field", "'2'"});
  check_mentions(ratings_refusal(std::string("1 1 1\n\0\0\n", 9)), {".txt:2: ", "0x00"});
  check_mentions(ratings_refusal("\n \n"), {"only blank lines"});
  check_mentions(ratings_refusal("user item rating\n"), {"header but no ratings"});
  check_mentions(ratings_refusal("1 1 " + std::string(200, 'z') + "\n"), {"...'"});
}

TEST_CASE("ratings: bad indices") {
  const RatingsOptions one_based = with_ids("one-based");
  check_mentions(ratings_refusal("1 1 1\n0 2 3\n", one_based),
                 {".txt:2: ", "row '0'", "from 1", "set ids = zero-based"});
  check_mentions(ratings_refusal("1 1 1\n1 1.5 3\n", one_based), {".txt:2: ", "column '1.5'", "integer"});
  check_mentions(ratings_refusal("1 1 1\n1 3000000000 3\n", one_based), {"'3000000000'", "2147483647"});
  RatingsOptions zero_based = with_ids("zero-based");
  zero_based.cols = 2;
  check_mentions(ratings_refusal("0 0 1\n0 2 3\n", zero_based), {".txt:2: ", "column '2'", "from 0 to 1"});
  check_mentions(ratings_refusal("0 -1 1\n", zero_based), {"column '-1'"});
}

TEST_CASE("ratings: a declared delimiter or header that does not fit") {
  RatingsOptions options;
  options.delimiter = "comma";
  check_mentions(ratings_refusal("1\t1\t1\n", options),
                 {".txt:1: ", "1 field when split at comma", "set delimiter = tab"});
  check_mentions(ratings_refusal("1::1::1\n", options), {"set delimiter = double-colon"});
  options = with_ids("one-based");
  options.header = "no";
  check_mentions(ratings_refusal("user item rating\n1 1 1\n", options),
                 {".txt:1: ", "'user'", "set header = yes"});
  options.ids = "auto";
  check_mentions(ratings_refusal("user item rating\n1 1 1\n", options),
                 {".txt:1: ", "'rating'", "set header = yes"});
  options.header = "yes";
  CHECK(ratings_of("1 2 2019\n1 1 1\n", options).value == Values{1});
}

TEST_CASE("ratings: options out of range are refused, and stand in a table") {
  RatingsOptions options;
  options.delimiter = "slash";
  check_mentions(ratings_refusal("1 1 1\n", options, ErrorKind::usage), {"slash", "comma"});
  options = {};
  options.rows = -1;
  check_mentions(ratings_refusal("1 1 1\n", options, ErrorKind::usage), {"-1"});
  struct Holder {
    RatingsOptions text;
  };
  const ParameterTable<Holder> table({}, {include(&Holder::text, ratings_rows())});
  Holder holder;
  table.assign(&holder, "duplicates", "mean");
  CHECK(holder.text.duplicates == "mean");
  CHECK(table.names() == Ids{"delimiter", "header", "ids", "duplicates", "dataset", "rows", "cols", "weights",
                             "half_life", "columns", "decimal"});
}

TEST_CASE("ratings: a Matrix Market file") {
  const std::string text = "%%MatrixMarket matrix coordinate real general\n% note\n2 3 2\n2 3 1.5\n1 1 2\n";
  const Ratings r = ratings_of(text);
  CHECK(r.rows == 2);
  CHECK(r.cols == 3);
  CHECK(r.value == Values{2, 1.5});
  RatingsOptions options;
  options.rows = 5;
  CHECK(ratings_of(text, options).rows == 5);
  options.rows = 2, options.cols = 3;  // as it is
  CHECK(ratings_of(text, options).rows == 2);
  CHECK(ratings_of(text, options).cols == 3);
  options.rows = 1;
  check_mentions(ratings_refusal(text, options), {"has 2 rows", "1 were declared"});
  check_mentions(ratings_refusal("%%MatrixMarket matrix coordinate real general\n2 3 0\n"), {"no entries"});
}

TEST_CASE("ratings: written and ratings_of again") {
  const TestFolder folder;
  const Ratings r{2, 3, {0, 1, 1}, {2, 0, 1}, {0.1, -1e-300, 1.0 / 3}, {}, {}};
  write_ratings(folder / "indices #", r);
  CHECK(folder.get("indices #").starts_with("1\t3\t0.1\n2\t1\t-1e-300\n"));
  const Ratings again = read_ratings(folder / "indices #");
  CHECK(again.value == r.value);
  CHECK(again.row == r.row);
  CHECK(again.col == r.col);
  Ratings named = r;
  named.row_ids = {"tab\there", "quote \" "};
  named.col_ids = {"\"", " blank", "plain word"};
  write_ratings(folder / "names", named);
  const Ratings named_again = read_ratings(folder / "names", with_ids("arbitrary"));
  CHECK(named_again.row_ids == named.row_ids);
  CHECK(named_again.col_ids == Ids{"plain word", "\"", " blank"});
  CHECK(named_again.value == named.value);
}

TEST_CASE("ratings: what cannot be written") {
  const TestFolder folder;
  const Ratings good{1, 2, {0, 0}, {0, 1}, {1, 2}, {}, {}};
  const auto check = [&](auto change, std::initializer_list<const char*> parts) {
    Ratings bad = good;
    change(bad);
    check_mentions(complaint([&] { write_ratings(folder / "out", bad); }), parts);
    CHECK(folder.files() == 0);
  };
  check([](Ratings& r) { r.col[1] = 2; }, {"column 3", "outside 1 x 2"});
  check([](Ratings& r) { r.col[1] = 0; }, {"sorted"});
  check([](Ratings& r) { r.value[1] = std::numeric_limits<double>::quiet_NaN(); },
        {"column 2", "nan", "finite"});
  check([](Ratings& r) { r.row.pop_back(); }, {"1 rows, 2 columns"});
  check([](Ratings& r) { r.row_ids = {"a", "b"}; }, {"2 row ids"});
  check([](Ratings& r) { r.row_ids = {""}; }, {"an id is empty"});
  check([](Ratings& r) { r.row_ids = {"line\nfeed"}; }, {"control character"});
}

namespace {

struct Split {
  std::vector<std::string> kept, held;  ///< lines
};

std::vector<std::string> text_lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

Split split_of(const std::string& text, const SplitRule& rule) {
  const TestFolder folder;
  const SplitCounts counts =
      split_ratings(folder.put("all.csv", text), folder / "kept", folder / "held", rule);
  Split split{text_lines(folder.get("kept")), text_lines(folder.get("held"))};
  CHECK(static_cast<Index>(split.kept.size()) == counts.kept);
  CHECK(static_cast<Index>(split.held.size()) == counts.held);
  std::vector<std::string> both = split.kept, all = text_lines(text);
  both.insert(both.end(), split.held.begin(), split.held.end());
  std::ranges::sort(both), std::ranges::sort(all);
  CHECK(both == all);
  return split;
}

std::string split_refusal(const std::string& text, const SplitRule& rule, ErrorKind kind) {
  return complaint([&] { (void)split_of(text, rule); }, kind);
}

}  // namespace

TEST_CASE("ratings: the newest lines are held out by the fourth field, of equal times the later one") {
  // Values fall where times rise; rows a and b have equal times, c one line.
  const std::string text = "a,1,9,5\na,2,8,7\na,3,1,7\nb,1,7,-1\nb,2,6,-1\nc,1,5,100\na,4,4,6\n";
  CHECK(split_of(text, {.one_a_row = true, .newest = true}).held ==
        std::vector<std::string>{"a,3,1,7", "b,2,6,-1"});
  for (const auto& [share, held] : std::vector<std::pair<double, std::vector<std::string>>>{
           {1.0 / 7.0, {"c,1,5,100"}},
           {2.0 / 7.0, {"a,3,1,7", "c,1,5,100"}},
           {0.5, {"a,2,8,7", "a,3,1,7", "c,1,5,100", "a,4,4,6"}}})  // 3.5 lines are 4
    CHECK(split_of(text, {.share = share, .newest = true}).held == held);
  CHECK(split_refusal("a,1,9\na,2,8\n", {.newest = true}, ErrorKind::data).find("4") != std::string::npos);
  CHECK(split_of("a,1\na,2\nb,1\n", {.share = 0.4}).held.size() == 1);
}

TEST_CASE("ratings: a share is of the lines, one a row leaves another, and no file is empty") {
  std::string text;
  std::map<std::string, int> count;
  for (int k = 0; k < 60; ++k) {
    const std::string row = "r" + std::to_string(k * k % 11);
    text += row + "," + std::to_string(k) + ",1\n", ++count[row];
  }
  std::set<std::vector<std::string>> drawn;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    CHECK(split_of(text, {.share = 0.3, .seed = seed}).held.size() == 18);
    const Split one = split_of(text, {.one_a_row = true, .seed = seed});
    std::map<std::string, int> held;
    for (const std::string& line : one.held) ++held[line.substr(0, line.find(','))];
    for (const auto& [row, all] : count) CHECK(held[row] == (all > 1 ? 1 : 0));
    drawn.insert(one.held);
  }
  CHECK(drawn.size() == 3);
  for (const double share : {0.0, 1.0, -0.1, 1.5, std::numeric_limits<double>::quiet_NaN()})
    CHECK(split_refusal(text, {.share = share}, ErrorKind::usage).find("share") != std::string::npos);
  for (const double share : {0.001, 0.999})
    CHECK(split_refusal(text, {.share = share}, ErrorKind::data).find("would be held out") !=
          std::string::npos);
  CHECK(split_refusal("a,1,1\nb,2,1\n", {.one_a_row = true}, ErrorKind::data).find("0 of 2") !=
        std::string::npos);
}

TEST_CASE("ratings: a split keeps records of several lines and the header before blank lines") {
  const std::string header = "user,item,rating,review\n";
  const std::vector<std::string> records{"u1,A,5,\"nice\n\nfilm\"\n", "u1,B,3,ok\n", "u2,A,4,\"so\nso\"\n",
                                         "u2,B,1,\"x \"\"y\"\"\"\n", "\"u\n3\",A,2,\n"};
  for (const std::string between : {"", "\n", " \n\n"})
    for (const bool named : {true, false})
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        CAPTURE(between);
        CAPTURE(named);
        CAPTURE(seed);
        std::string text = between + (named ? header + between : "");
        for (const std::string& record : records) text += record + between;
        const TestFolder folder;
        const SplitRule rule{.share = 0.4, .seed = seed};
        CHECK(split_ratings(folder.put("all.csv", text), folder / "kept", folder / "held", rule).held == 2);
        std::string all;
        for (const std::string name : {"kept", "held"}) {
          const std::string part = folder.get(name);
          CHECK(part.starts_with(header) == named);
          all += part.substr(named ? header.size() : 0);
        }
        CHECK(all.size() == text.size() - between.size() * (records.size() + 1 + (named ? 1 : 0)) -
                                (named ? header.size() : 0));
        for (const std::string& record : records) CHECK(all.find(record) != all.npos);
      }
  const TestFolder folder;
  const auto file = folder.put("all.csv", "1,1,1\n1,2,2\n");
  for (const std::string end : {".gz", ".bz2", ".xz", ".zst"}) {
    check_mentions(complaint([&] { (void)split_ratings(file, folder / ("a" + end), folder / "b", {}); },
                             ErrorKind::usage),
                   {"compressed", "plain text"});
    check_mentions(complaint([&] { (void)split_ratings(file, folder / "b", folder / ("a" + end), {}); },
                             ErrorKind::usage),
                   {"compressed"});
  }
}

TEST_CASE("ratings: ids of a sparse matrix count from 0 or 1, and only arbitrary ones have no effect") {
  const TestFolder folder;
  const auto file =
      folder.put("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 5\n2 2 4\n");
  for (const std::string ids : {"auto", "zero-based", "one-based", "arbitrary"}) {
    std::string warnings;
    Context context;
    context.messages = [&](Severity severity, const std::string& text) {
      if (severity == Severity::warning) warnings += text;
    };
    (void)read_ratings(file, {.ids = ids}, context);
    CHECK(warnings.empty() == (ids != "arbitrary"));
  }
}

TEST_CASE("ratings: signs of numbers stand alone, and a fourth field that is read is not said to be left") {
  for (const std::string number : {"+-5", "-+5", "++5", "--5", "+", "-", "5+", "+ 5"}) {
    CAPTURE(number);
    CHECK(ratings_refusal("1,1,2\n1,2," + number + "\n").find(":2") != std::string::npos);
  }
  CHECK(ratings_of("1,1,+5\n1,2,-5\n1,3,+1e-3\n").value == Values{5, -5, 1e-3});
  const TestFolder folder;
  std::string notes;
  Context context;
  context.messages = [&](Severity, const std::string& text) { notes += text; };
  RatingsOptions options;
  (void)read_ratings(folder.put("r", "1,1,5,2\n1,2,4,3\n"), options, context);
  check_mentions(notes, {"of 4 fields the first three are read"});
  for (const bool weights : {true, false}) {
    notes.clear();
    options.weights = weights ? "column" : "none", options.half_life = weights ? 0.0 : 1.0;
    CHECK(read_ratings(folder / "r", options, context).weight == (weights ? Values{2, 3} : Values{0.5, 1}));
    CHECK(notes.empty());
  }
}
