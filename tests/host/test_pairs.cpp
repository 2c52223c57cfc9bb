// SPDX-License-Identifier: BSD-3-Clause
// Pairs to predict: their columns, and those of unknown ids.
#include "../core/test_files.hpp"

#include <claros/results/prediction.hpp>

#include <doctest/doctest.h>

using namespace claros;

TEST_CASE("pairs: fields are found as those of the training list, and the value may be missing") {
  Training training;
  training.rows = {2, 1, {"u1", "u2"}, {1, 1}}, training.cols = {2, 1, {"a", "b"}, {1, 1}};
  const TestFolder folder;
  const auto pairs_of = [&](const std::string& text, const PairsOptions& options = {}) {
    TextInput input(folder.put("pairs", text));
    return read_pairs(input, training, options);
  };
  for (const std::string text :
       {"u1,b\n", "user,item\nu1,b\n", "item,user\nb,u1\n", "time,user,item\n9,u1,b\n", "u1|b\n",
        "user,item,timestamp\nu1,b,9\n", "item,rating,user\nb,4,u1\n", "u1;b;4,0\n", "u1,b,4\n"}) {
    CAPTURE(text);
    const Pairs pairs = pairs_of(text);
    CHECK(pairs.row == std::vector<Index>{0});
    CHECK(pairs.col == std::vector<Index>{1});
    CHECK((pairs.known.empty() || pairs.known == std::vector<double>{4}));
    CHECK(pairs.known.empty() == (text.find('4') == text.npos));
  }
  PairsOptions options;
  options.columns = "3,1";
  CHECK(pairs_of("b,9,u1\n", options).col == std::vector<Index>{1});
  check_mentions(complaint([&] { pairs_of("u1,a,None\n"); }), {"pairs:1", "None"});
  check_mentions(complaint([&] { pairs_of("new,a,None\n"); }), {"pairs:1"});
}

TEST_CASE("pairs: a first line is data if a field that columns number is a known id") {
  Training training;
  training.rows = {2, 1, {"u1", "u2"}, {1, 1}}, training.cols = {2, 1, {"a", "b"}, {1, 1}};
  const TestFolder folder;
  const auto pairs_of = [&](const std::string& text, const std::string& columns) {
    TextInput input(folder.put("pairs", text));
    return read_pairs(input, training, {.columns = columns, .skips_unknown = true});
  };
  for (const auto& [text, columns] : std::vector<std::pair<std::string, std::string>>{
           {"b,u1\na,u2\n", "2,1"}, {"x,b,u1\ny,a,u2\n", "3,2"}, {"u1,x,b\nu2,x,a\n", "1,3"}}) {
    CAPTURE(text);
    const Pairs pairs = pairs_of(text, columns);
    CHECK(pairs.row == std::vector<Index>{0, 1});
    CHECK(pairs.col == std::vector<Index>{1, 0});
    CHECK(pairs.header.empty());
  }
  CHECK(pairs_of("what,who\nb,u1\n", "2,1").header == "what, who");
}

TEST_CASE("pairs: those of which nothing is known are left out and counted where that is asked for") {
  Training training;
  training.rows = {2, 1, {"u1", "u2"}, {1, 1}}, training.cols = {2, 1, {"a", "b"}, {1, 1}};
  const TestFolder folder;
  const auto pairs_of = [&](const std::string& text, bool skips) {
    TextInput input(folder.put("pairs", text));
    return read_pairs(input, training, {.skips_unknown = skips});
  };
  const std::string text = "u1,b,1\nnew,b,2\nu2,z,3\nu2,a,4\n";
  const Pairs some = pairs_of(text, true);
  CHECK(some.row == std::vector<Index>{0, 1});
  CHECK(some.known == std::vector<double>{1, 4});
  CHECK(some.skipped == 2);
  check_mentions(complaint([&] { pairs_of(text, false); }), {"pairs:2", "'new'"});
  check_mentions(complaint([&] { pairs_of("x,y,1\nnew,b,2\n", true); }), {"none of its 2 pairs"});
  training.baseline.center = "mean";
  CHECK(pairs_of(text, true).row == std::vector<Index>{0, -1, 1, 1});
}
