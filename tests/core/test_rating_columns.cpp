// SPDX-License-Identifier: BSD-3-Clause
// Which fields of a list are row, column and value: by a header, by options.columns, and what is refused.
#include <claros/io/ratings.hpp>
#include <claros/io/split_ratings.hpp>

#include "read_for_test.hpp"

#include <algorithm>
#include <tuple>

using namespace claros;
using claros::testing::Values;

namespace {

struct Heard {
  std::string notes;
  Context context() {
    Context c;
    c.messages = [this](Severity, const std::string& text) { notes += text + "\n"; };
    return c;
  }
};

Ratings list_of(const std::string& text, const RatingsOptions& options = {}) {
  const TestFolder folder;
  return read_ratings(folder.put("list.txt", text), options);
}

std::string refusal_of(const std::string& text, const RatingsOptions& options = {},
                       ErrorKind kind = ErrorKind::data) {
  return complaint([&] { list_of(text, options); }, kind);
}

/// Four ratings of u1, u2 and a, b, with the words between fields and lines as they are given.
std::string list(const std::string& delimiter, const std::string& header = "", bool decimal_comma = false) {
  std::string text = header.empty() ? "" : header + "\n";
  for (const auto& [row, col, value] :
       {std::tuple("u1", "a", "5.5"), {"u1", "b", "3"}, {"u2", "a", "1.25"}, {"u2", "b", "4"}}) {
    std::string number = value;
    if (decimal_comma) std::replace(number.begin(), number.end(), '.', ',');
    text += row + delimiter + col + delimiter + number + "\n";
  }
  return text;
}

void check_list(const Ratings& r) {
  CHECK(r.row_ids == std::vector<std::string>{"u1", "u2"});
  CHECK(r.col_ids == std::vector<std::string>{"a", "b"});
  CHECK(r.value == Values{5.5, 3, 1.25, 4});
}

}  // namespace

TEST_CASE("lists: a header that names row, column and value in another order is used, with a note") {
  const std::string rest = "96,7,u1,5.5,a\n97,8,u1,3,b\n98,9,u2,1.25,a\n99,9,u2,4,b\n";
  for (const std::string header :
       {"timestamp,n,user,rating,item", ",n,userId,Rating,movieId", "Unnamed: 0,timestamp,user_id,score,ISBN",
        "id,x,customer,stars,product"}) {
    CAPTURE(header);
    check_list(list_of(header + "\n" + rest));
  }
  const TestFolder folder;
  Heard heard;
  check_list(read_ratings(folder.put("r.csv", "item,rating,user\na,5.5,u1\nb,3,u1\na,1.25,u2\nb,4,u2\n"), {},
                          heard.context()));
  check_mentions(heard.notes, {"'user' is the row", "'item' the column", "'rating' the value"});
  RatingsOptions weighted;
  weighted.weights = "column";
  CHECK(list_of("user,item,rating,time,weight\nu1,a,5,99,2\nu1,b,3,98,1\n", weighted).weight == Values{2, 1});
  weighted = {};
  weighted.half_life = 1.0;
  CHECK(list_of("user,item,rating,weight,time\nu1,a,5,7,2\nu1,b,3,7,1\n", weighted).weight == Values{1, 0.5});
}

TEST_CASE("lists: a header that contradicts the order row, column, value is refused with the words to type") {
  for (const auto& [header, words] :
       std::vector<std::pair<std::string, std::string>>{{"timestamp,who,what,how", "columns = who,what,how"},
                                                        {",who,what,how", "columns = who,what,how"},
                                                        {"rating,who,what,z", "columns = who,what,rating"},
                                                        {"item,user,user2,how", "columns = user,item"}}) {
    CAPTURE(header);
    check_mentions(refusal_of(header + "\n1,2,3,4\n5,6,7,8\n"), {"list.txt:1", words.c_str()});
  }
  RatingsOptions times;
  times.half_life = 1.0;
  check_mentions(refusal_of("user,item,rating,weight\n1,2,3,4\n", times),
                 {"the time", "columns = user,item"});
  times.half_life = 0.0, times.weights = "column";
  check_mentions(refusal_of("user,item,rating,timestamp\n1,2,3,4\n", times), {"the weight"});
  // Other names are no contradiction: the first three fields are meant.
  CHECK(list_of("who,what,how\n1,2,3\n").value == Values{3});
  CHECK(list_of("person,film,sterne\n1,2,3\n").value == Values{3});
}

TEST_CASE("lists: the fourth field is not a weight and a time at once") {
  for (const std::string columns : {"", "1,2,3,4"})
    check_mentions(refusal_of("1,1,5,2\n1,2,4,3\n",
                              {.weights = "column", .half_life = 1.0, .columns = columns}, ErrorKind::usage),
                   {"half_life", "weights = column", "one of them"});
}

TEST_CASE("lists: ids of a first line are looked for in the fields that columns number") {
  const std::string text = "x7,red,c,a1\nx8,blue,d,a2\n";
  RatingsOptions options;
  options.columns = "4,3,2";
  // The value "red" may be a name, but the id a1 is made as the id a2 below it.
  check_mentions(refusal_of(text, options), {"list.txt:1", "id like that of the next line"});
}

TEST_CASE("lists: columns are named or numbered, in any order") {
  RatingsOptions options;
  const std::string rest = "9,5.5,a,u1\n8,3,b,u1\n7,1.25,a,u2\n6,4,b,u2\n";
  for (const std::string columns : {"4,3,2", "4, 3, 2"}) {
    options.columns = columns;
    check_list(list_of(rest, options));
    check_list(list_of("w,x,y,z\n" + rest, options));
  }
  options.columns = "z,y,x";
  check_list(list_of("w,x,y,z\n" + rest, options));
  check_list(list_of("2019,x,y,z\n" + rest, options));  // names: the first line is the header
  options.columns = "z,y,x,w", options.half_life = 1.0;
  CHECK(list_of("w,x,y,z\n" + rest, options).weight == Values{1, 0.5, 0.25, 0.125});
  options.columns = "z,y,x";
  check_mentions(refusal_of("w,x,y,z\n" + rest, options, ErrorKind::usage), {"columns", "four", "time"});
  options = {};
  for (const auto& [columns, part] :
       std::vector<std::pair<std::string, std::string>>{{"z,y", "three or four"},
                                                        {"z,y,x,w,w", "three or four"},
                                                        {"z,y,y", "twice"},
                                                        {"z,y,q", "'q' is not a column"},
                                                        {"1,2,5", "1 to 4"},
                                                        {"0,1,2", "1 to 4"}}) {
    CAPTURE(columns);
    options.columns = columns;
    check_mentions(refusal_of("w,x,y,z\n" + rest, options, ErrorKind::usage), {"columns", part.c_str()});
  }
  options.columns = "z,y,x", options.header = "no";
  check_mentions(refusal_of("w,x,y,z\n" + rest, options, ErrorKind::usage), {"header = no"});
}

TEST_CASE("lists: a first line with a broken value is refused, not taken for a header") {
  for (const std::string value : {"", "None", "NA", "n/a", "null", "5/5", "5 stars", "?", "-", "5;0"}) {
    CAPTURE(value);
    const std::string line = "u1\ta\t" + value + "\n", rest = "u2\tb\t3\nu3\tc\t4\n";
    check_mentions(refusal_of(line + rest), {"list.txt:1"});
    check_mentions(refusal_of("u2\tb\t3\n" + line), {"list.txt:2"});
  }
  // The value may be a name, but the ids are those of ratings.
  check_mentions(refusal_of("u1,a,bad\nu1,b,3\n"), {"list.txt:1", "header = yes"});
  check_mentions(refusal_of("u1,a,bad\nu2,b,3\n"), {"list.txt:1", "header = yes"});
  check_mentions(refusal_of("ann,a,bad\nbob,b,3\nbob,a,2\n"), {"list.txt:1", "header = yes"});
  RatingsOptions options;
  options.header = "yes";
  CHECK(list_of("u1,a,bad\nu2,b,3\n", options).value == Values{3});
  CHECK(list_of("user,item,rating\nuser,b,3\n").row_ids == std::vector<std::string>{"user"});
}

TEST_CASE("lists: commas stand before decimals where the column has no point and commas do not part fields") {
  for (const std::string delimiter : {";", "\t", "|", " ", "::"}) {
    CAPTURE(delimiter);
    check_list(list_of(list(delimiter, "", true)));
    check_list(list_of(list(delimiter)));
  }
  check_mentions(refusal_of("u1;a;3,5\nu2;a;2.5\n"), {"points and commas", "decimal = "});
  RatingsOptions options;
  options.decimal = "comma";
  CHECK(list_of("u1;a;3,5\nu2;a;2\n", options).value == Values{3.5, 2});
  check_mentions(refusal_of("u1;a;3,5\nu2;a;2.5\n", options), {"list.txt:2", "decimal = comma"});
  options.decimal = "point";
  check_mentions(refusal_of("u1;a;3.5\nu2;a;2,5\n", options), {"list.txt:2", "comma"});
  // Before three digits each they may separate thousands.
  for (const std::string text : {"u1;a;7,341\nu2;a;953\n", "u1;a;953\nu2;a;1\nu3;b;-7,341\n"})
    check_mentions(refusal_of(text), {"list.txt", "may separate thousands", "decimal = comma"});
  CHECK(list_of("u1;a;7,341\nu2;a;953,5\n").value == Values{7.341, 953.5});
  options.decimal = "comma";
  CHECK(list_of("u1;a;7,341\nu2;a;953\n", options).value == Values{7.341, 953});
  options.decimal = "auto";
  options.weights = "column";
  check_mentions(refusal_of("u1;a;1;7,341\nu2;a;2;953\n", options), {"may separate thousands"});
}

TEST_CASE("lists: a delimiter within quotes does not part fields, and | does outside of them") {
  const Ratings quoted = list_of("\"a;b\",x,4\n\"c|d\",\"y, z\",5\n");
  CHECK(quoted.row_ids == std::vector<std::string>{"a;b", "c|d"});
  CHECK(quoted.col_ids == std::vector<std::string>{"x", "y, z"});
  CHECK(list_of("\"say \"\";\"\"\",x,4\n").row_ids == std::vector<std::string>{"say \";\""});
  check_list(list_of(list("|")));
  check_list(list_of(list("|", "user|item|rating")));
  CHECK(list_of("1,2,5,Action|Comedy\n2,2,4,Drama\n").value == Values{5, 4});
}

TEST_CASE("lists: ids that differ by what cannot be seen are said") {
  const TestFolder folder;
  for (const std::string invisible : {"\u00a0", "\u200b", "\ufeff", "\u2009"}) {
    Heard heard;
    CHECK(read_ratings(folder.put("r", "u1\ta\t5\nu1" + invisible + "\tb\t3\n"), {}, heard.context()).rows ==
          2);
    check_mentions(heard.notes, {"row ids", "cannot be seen", "1 of them", "'u1<U+"});
  }
  Heard heard;
  (void)read_ratings(folder.put("r", "Jos\u00e9\ta\t5\n\u540d\u524d\tb\t3\n"), {}, heard.context());
  CHECK(heard.notes.find("cannot be seen") == std::string::npos);
  check_mentions(refusal_of("u1\ta\t\u00a05\n"), {"<U+00A0>5"});
}

TEST_CASE("lists: a division takes row and time from the header or the columns, and never writes its input") {
  const TestFolder folder;
  const auto file = folder.put("all.csv", "w,item,who,z\n5,x,a,1\n7,y,a,1\n1,x,b,1\n9,z,b,1\n");
  (void)split_ratings(file, folder / "kept", folder / "held",
                      {.one_a_row = true, .newest = true, .columns = "who,item,z,w"});
  CHECK(folder.get("held") == "w,item,who,z\n7,y,a,1\n9,z,b,1\n");
  const auto named = folder.put("named.csv", "time,user,item,rating\n5,a,x,1\n7,a,y,1\n9,b,x,1\n1,b,z,1\n");
  (void)split_ratings(named, folder / "kept", folder / "held", {.one_a_row = true, .newest = true});
  CHECK(folder.get("held") == "time,user,item,rating\n7,a,y,1\n9,b,x,1\n");
  const std::string before = folder.get("named.csv");
  std::filesystem::create_symlink(named, folder / "link");
  for (const auto& [out, held] : std::vector<std::pair<std::filesystem::path, std::filesystem::path>>{
           {named, folder / "held"},
           {folder / "kept", named},
           {folder / "link", folder / "held"},
           {folder / "." / "named.csv", folder / "held"},
           {folder / "new", folder / "." / "new"}}) {
    check_mentions(complaint([&] { (void)split_ratings(named, out, held, {}); }, ErrorKind::usage),
                   {"is the same file"});
    CHECK(folder.get("named.csv") == before);
  }
  check_mentions(complaint([&] {
                   (void)split_ratings(folder.put("bad.csv", "a,x,bad\na,y,2\nb,x,3\n"), folder / "kept",
                                       folder / "held", {});
                 }),
                 {"bad.csv:1"});
}
