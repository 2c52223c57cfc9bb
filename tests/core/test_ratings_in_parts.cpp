// SPDX-License-Identifier: BSD-3-Clause
// Ratings in parts: on any number of ranks the entries of the joined file, of which a rank keeps its lines.
#include "few_descriptors.hpp"
#include "test_files.hpp"
#include "thread_world.hpp"

#include <claros/parts/design_parts.hpp>
#include <claros/parts/rating_parts.hpp>
#include <claros/random.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace claros;
using namespace claros::test;

namespace {
namespace of_ratings {

struct Form {
  const char* name;
  Index rows, cols;
  std::string ids = "auto", duplicates = "error", weights = "none";
  double half_life = 0.0;
  bool header = false, repeated = false;
  Index declared_rows = 0, declared_cols = 0;
};

/// 60 lines of ids as the form has them; positions come twice where it says so.
std::vector<std::string> lines(const Form& form) {
  RandomStream random(11, Purpose::test);
  std::vector<std::string> all;
  std::vector<bool> seen(static_cast<std::size_t>(form.rows * form.cols));
  const std::string name = form.name;
  const auto id = [&](Index k) {
    if (name == "texts") return "id " + std::to_string(k % 4) + "-" + std::to_string(k);
    if (name == "late text" && k == 17) return std::string("x17");
    if (name == "large numbers") return std::to_string((Index{1} << 40U) - 3 * k);
    if (name == "negative numbers") return std::to_string(2 * k - 9);
    if (name == "leading zeros") return (k % 5 == 4 ? "00" : "") + std::to_string(k);
    if (name == "both sides of 32 bits") return std::to_string((Index{1} << 31U) + 4 * k - 40);
    return std::to_string(k + (form.ids == "zero-based" ? 0 : name == "far apart" ? 5000 * k : 1));
  };
  while (all.size() < 60) {
    const Index i = random.index(form.rows), j = random.index(form.cols);
    const auto at = static_cast<std::size_t>(i * form.cols + j);
    if (seen[at] && !form.repeated) continue;
    seen[at] = true;
    std::string line = id(i) + '\t' + id(j) + '\t' + std::to_string(random.normal());
    if (form.weights == "column" || form.half_life > 0.0) {
      const Index drawn = random.index(9);
      line += name.starts_with("zero weights") && drawn < 5 ? "\t0" : '\t' + std::to_string(1 + drawn) + ".5";
    }
    all.push_back(line + '\n');
  }
  return all;
}

RatingsOptions options_of(const Form& form) {
  RatingsOptions options;
  options.ids = form.ids, options.duplicates = form.duplicates;
  options.weights = form.weights, options.half_life = form.half_life;
  options.rows = form.declared_rows, options.cols = form.declared_cols;
  return options;
}

std::string joined(const Form& form, std::size_t from, std::size_t to) {
  const auto all = lines(form);
  std::string text = form.header ? "user\titem\trating\n" : "";
  for (std::size_t k = from; k < to; ++k) text += all[k];
  return text;
}

void write_parts(const TestFolder& folder, const Form& form) {
  const std::size_t cuts[] = {0, 1, 31, 38, 60};
  for (std::size_t k = 0; k < 4; ++k)
    (void)folder.put("part-" + std::to_string(k + 8), joined(form, cuts[k], cuts[k + 1]));
  (void)folder.put("all", joined(form, 0, 60));
}

Context in(const TestFolder& folder) {
  Context context;
  context.base = folder.path();
  return context;
}

bool same_bits(double a, double b) { return std::bit_cast<Index>(a) == std::bit_cast<Index>(b); }

/// Whether the chunks of this rank hold their entries of the whole, with their numbers there.
bool has_own(RatingParts& parts, const Ratings& all, std::size_t& held) {
  std::vector<Index> next = parts.first_numbers();
  const auto& first_line = parts.first_line();
  const auto& of_lines = parts.tall() ? parts.row_entries() : parts.col_entries();
  Index before =
      std::accumulate(of_lines.begin(),
                      of_lines.begin() + first_line[static_cast<std::size_t>(parts.mine().first)], Index{0});
  bool same = true;
  for (Index k = parts.mine().first; k < parts.mine().last; ++k) {
    const LineEntries& chunk = parts.chunk(k);
    same = same && chunk.first_line == first_line[static_cast<std::size_t>(k)];
    for (std::size_t e = 0; e < chunk.size(); ++e, ++held) {
      const auto number = static_cast<std::size_t>(
          parts.tall() ? before++ : next[static_cast<std::size_t>(chunk.across[e])]++);
      same = same && chunk.line[e] >= chunk.first_line && chunk.line[e] < chunk.last_line &&
             number < all.value.size() && (parts.tall() ? all.row : all.col)[number] == chunk.line[e] &&
             (parts.tall() ? all.col : all.row)[number] == chunk.across[e] &&
             same_bits(all.value[number], chunk.value[e]) &&
             (all.weight.empty() ? chunk.weight.empty() : same_bits(all.weight[number], chunk.weight[e]));
    }
  }
  return same;
}

bool same_heads(const RatingParts& parts, const Ratings& all) {
  const Ratings& head = parts.head();
  std::vector<Index> rows(static_cast<std::size_t>(all.rows)), cols(static_cast<std::size_t>(all.cols));
  for (std::size_t e = 0; e < all.value.size(); ++e)
    ++rows[static_cast<std::size_t>(all.row[e])], ++cols[static_cast<std::size_t>(all.col[e])];
  return head.rows == all.rows && head.cols == all.cols && head.row_ids == all.row_ids &&
         head.col_ids == all.col_ids && parts.row_entries() == rows && parts.col_entries() == cols &&
         parts.entries() == std::ssize(all.value);
}

/// What `work` makes of the parts, on a rank that passes its own error on to all.
std::string on_rank(World& world, const TestFolder& folder, const RatingsOptions& options,
                    std::uint64_t piece, const std::function<std::string(RatingParts&)>& work) {
  std::string said;
  try {
    try {
      RatingParts parts(part_files("part-*", in(folder)), options, in(folder), world, piece);
      said = work(parts);
    } catch (const Error& error) {
      world.fail("end", error);
    }
  } catch (const Error& error) {
    said = error.what();
  }
  return said;
}

/// Of all ranks together: "same", or what is not.
std::string compared(int ranks, const TestFolder& folder, const RatingsOptions& options, std::uint64_t piece,
                     const Ratings& all, Index chunks) {
  std::vector<std::size_t> held(static_cast<std::size_t>(ranks), 0);
  const auto results = on_ranks<std::string>(ranks, [&](World& world) {
    return on_rank(world, folder, options, piece, [&](RatingParts& parts) -> std::string {
      if (!same_heads(parts, all)) return "another head";
      std::size_t before = 0;
      if (!has_own(parts, all, before)) return "other entries";
      parts.cut(chunks);
      return has_own(parts, all, held[static_cast<std::size_t>(world.rank())]) ? "same"
                                                                               : "other entries once cut";
    });
  });
  for (const std::string& result : results)
    if (result != "same") return result;
  const std::size_t sum = std::accumulate(held.begin(), held.end(), std::size_t{0});
  return sum == all.value.size() ? "same" : "other numbers of entries";
}

/// The one error of all ranks.
std::string said_by_all(const TestFolder& folder, const RatingsOptions& options) {
  std::string first;
  for (const int ranks : {1, 2, 3}) {
    const auto results = on_ranks<std::string>(ranks, [&](World& world) {
      return on_rank(world, folder, options, 40, [](RatingParts&) { return "accepted"; });
    });
    for (const std::string& result : results) CHECK(result == results.front());
    first = results.front();
  }
  return first;
}

}  // namespace of_ratings
}  // namespace

TEST_CASE("ratings in parts: on 1 to 5 ranks, whole or in pieces, the entries of the joined file") {
  const of_ratings::Form forms[] = {
      {.name = "tall", .rows = 30, .cols = 9},
      {.name = "wide", .rows = 8, .cols = 40, .header = true},
      {.name = "from 0", .rows = 12, .cols = 12, .ids = "zero-based"},
      {.name = "from 1", .rows = 6, .cols = 100, .ids = "one-based"},
      {.name = "texts", .rows = 30, .cols = 31},
      {.name = "late text", .rows = 31, .cols = 30},
      {.name = "large numbers", .rows = 25, .cols = 40},
      {.name = "far apart", .rows = 25, .cols = 40},
      {.name = "numbers", .rows = 30, .cols = 9, .ids = "arbitrary"},
      {.name = "mean", .rows = 3, .cols = 11, .duplicates = "mean", .repeated = true},
      {.name = "last", .rows = 11, .cols = 3, .duplicates = "last", .repeated = true},
      {.name = "weighted mean",
       .rows = 11,
       .cols = 3,
       .duplicates = "mean",
       .weights = "column",
       .repeated = true},
      {.name = "times", .rows = 20, .cols = 25, .half_life = 2.5},
      {.name = "times that come twice",
       .rows = 4,
       .cols = 11,
       .duplicates = "mean",
       .half_life = 2.5,
       .repeated = true},
      {.name = "zero weights",
       .rows = 11,
       .cols = 3,
       .duplicates = "mean",
       .weights = "column",
       .repeated = true},
      {.name = "zero weights, wide",
       .rows = 3,
       .cols = 10,
       .duplicates = "mean",
       .weights = "column",
       .repeated = true},
      {.name = "zero weights, the last",
       .rows = 3,
       .cols = 10,
       .duplicates = "last",
       .weights = "column",
       .repeated = true},
      {.name = "negative numbers", .rows = 30, .cols = 9},
      {.name = "leading zeros", .rows = 9, .cols = 30},
      {.name = "both sides of 32 bits", .rows = 25, .cols = 20},
      {.name = "declared", .rows = 12, .cols = 20, .declared_rows = 30, .declared_cols = 20},
      {.name = "declared from 0",
       .rows = 12,
       .cols = 20,
       .ids = "zero-based",
       .declared_rows = 40,
       .declared_cols = 25}};
  for (const of_ratings::Form& form : forms) {
    CAPTURE(form.name);
    const TestFolder folder;
    of_ratings::write_parts(folder, form);
    const RatingsOptions options = of_ratings::options_of(form);
    const Ratings all = read_ratings(folder / "all", options);
    constexpr std::uint64_t kPieces = 40, kWhole = std::uint64_t{1} << 20U;
    for (const int ranks : {1, 2, 3, 5})
      for (const auto& [piece, chunks] :
           {std::pair{kPieces, Index{1}}, {kWhole, Index{7}}, {kPieces, Index{64}}})
        CHECK(of_ratings::compared(ranks, folder, options, piece, all, chunks) == "same");
  }
}

TEST_CASE("ratings: a position that comes more than once has the weighted mean of its values, or the last") {
  struct Line {
    double value, weight;
  };
  for (const char* duplicates : {"mean", "last"})
    for (const bool weighted : {false, true})
      for (const bool tall : {false, true}) {
        CAPTURE(duplicates);
        CAPTURE(weighted);
        const bool mean = std::string(duplicates) == "mean";
        const of_ratings::Form form{.name = "zero weights",
                                    .rows = tall ? 9 : 3,
                                    .cols = tall ? 3 : 9,
                                    .duplicates = duplicates,
                                    .weights = weighted ? "column" : "none",
                                    .repeated = true};
        std::map<std::pair<int, int>, std::vector<Line>> expected;
        for (const std::string& line : of_ratings::lines(form)) {
          std::istringstream fields(line);
          int i = 0, j = 0;
          Line of{0.0, 1.0};
          fields >> i >> j >> of.value;
          if (weighted) fields >> of.weight;
          expected[{i - 1, j - 1}].push_back(of);
        }
        const TestFolder folder;
        of_ratings::write_parts(folder, form);
        World one;
        RatingParts parts(part_files("part-*", of_ratings::in(folder)), of_ratings::options_of(form),
                          of_ratings::in(folder), one);
        std::size_t without = 0;
        for (const Ratings& all :
             {read_ratings(folder / "all", of_ratings::options_of(form)), parts.whole()}) {
          REQUIRE(all.value.size() == expected.size());
          std::size_t e = 0;
          for (const auto& [position, of] : expected) {
            CHECK(all.row[e] == position.first);
            CHECK(all.col[e] == position.second);
            double sum = 0.0, weight = 0.0;
            for (const Line& one_line : of)
              sum += one_line.weight * one_line.value, weight += one_line.weight;
            without += weight == 0.0;
            if (!mean) CHECK(all.value[e] == of.back().value);
            if (mean && weight > 0.0) CHECK(all.value[e] == doctest::Approx(sum / weight).epsilon(1e-14));
            if (weighted) CHECK(all.weight[e] == doctest::Approx(mean ? weight : of.back().weight));
            ++e;
          }
        }
        CHECK((without > 0) == weighted);
      }
}

TEST_CASE("ratings in parts: one rank has the whole, with weights where it asks for them") {
  for (const of_ratings::Form& form :
       {of_ratings::Form{.name = "tall", .rows = 30, .cols = 9}, {.name = "wide", .rows = 8, .cols = 40}}) {
    const TestFolder folder;
    of_ratings::write_parts(folder, form);
    const Ratings all = read_ratings(folder / "all");
    World one;
    RatingParts parts(part_files("part-*", of_ratings::in(folder)), {}, of_ratings::in(folder), one);
    parts.set_weighted(true);
    const Ratings whole = parts.whole();
    CHECK(whole.row == all.row);
    CHECK(whole.col == all.col);
    CHECK(whole.value == all.value);
    CHECK(whole.weight == std::vector<double>(all.value.size(), 1.0));
  }
}

TEST_CASE("ratings in parts: pieces are read whole or refused, however few descriptors are left" *
          doctest::skip(kTypesAreChecked)) {
  const of_ratings::Form form{.name = "tall", .rows = 30, .cols = 9};
  const TestFolder folder;
  of_ratings::write_parts(folder, form);
  const std::vector<double> expected = read_ratings(folder / "all").value;
  bool refused = false, read = false;
  for (std::size_t left = 0; left < 12; ++left) {
    CAPTURE(left);
    std::vector<double> values;
    std::string said;
    {
      const FewDescriptors few(left);
      try {
        World one;
        values =
            RatingParts(part_files("part-*", of_ratings::in(folder)), {}, of_ratings::in(folder), one, 64)
                .whole()
                .value;
      } catch (const Error& error) {
        said = error.what();
      }
    }
    (said.empty() ? read : refused) = true;
    if (said.empty())
      CHECK(values == expected);
    else
      check_mentions(said, {"Too many open files"});
  }
  CHECK(refused);
  CHECK(read);
}

TEST_CASE("ratings in parts: columns in any order, by a header or by their names and numbers") {
  const of_ratings::Form form{.name = "late text", .rows = 31, .cols = 30};
  const auto turned = [&](std::size_t from, std::size_t to, bool header) {
    std::string text = header ? "rating|time|item|user\n" : "";
    const auto all = of_ratings::lines(form);
    for (std::size_t k = from; k < to; ++k) {
      std::istringstream fields(all[k]);
      std::string row, col, value;
      fields >> row >> col >> value;
      text += value + '|' + std::to_string(k) + '|' + col + '|' + row + '\n';
    }
    return text;
  };
  for (const std::string columns : {"", "user,item,rating", "4,3,1"}) {
    CAPTURE(columns);
    const TestFolder folder;
    (void)folder.put("all", turned(0, 60, columns != "4,3,1"));
    for (std::size_t k = 0; k < 3; ++k)
      (void)folder.put("part-" + std::to_string(k), turned(20 * k, 20 * k + 20, columns != "4,3,1"));
    RatingsOptions options;
    options.columns = columns;
    const Ratings all = read_ratings(folder / "all", options);
    (void)folder.put("plain", of_ratings::joined(form, 0, 60));
    CHECK(all.value == read_ratings(folder / "plain").value);
    for (const std::uint64_t piece : {std::uint64_t{40}, std::uint64_t{1} << 20U})
      CHECK(of_ratings::compared(2, folder, options, piece, all, 5) == "same");
  }
}

TEST_CASE("ratings in parts: what is wrong with the first line and the decimals is found in any part") {
  const TestFolder folder;
  (void)folder.put("part-1", "u1;a;3\nu1;b;2.5\n");
  (void)folder.put("part-2", "u2;a;3,5\nu2;b;2\n");
  check_mentions(of_ratings::said_by_all(folder, {}), {"points and commas", "decimal = "});
  (void)folder.put("part-1", "u1;a;3\nu1;b;2,5\n");
  CHECK(of_ratings::said_by_all(folder, {}) == "accepted");
  (void)folder.put("part-1", "u1;a;3\nu1;b;7,341\n");
  CHECK(of_ratings::said_by_all(folder, {}) == "accepted");
  (void)folder.put("part-2", "u2;a;3\nu2;b;1,779\n");
  check_mentions(of_ratings::said_by_all(folder, {}), {"may separate thousands"});
  (void)folder.put("part-1", "u1;a;3\nu1;b;2,5\n");
  for (const std::string broken : {"u3;a;None\nu3;b;1\n", "u3;a;bad\nu4;b;1\n", "ann;a;bad\nbob;b;1\n"}) {
    (void)folder.put("part-2", broken);
    check_mentions(of_ratings::said_by_all(folder, {}), {"part-2:1"});
  }
}

TEST_CASE("ratings in parts: Matrix Market files, of which the largest size counts, and declared sizes") {
  const TestFolder folder;
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  (void)folder.put("part-1", head + "4 3 2\n2 3 1.5\n4 1 2\n");
  (void)folder.put("part-2", head + "3 5 1\n1 1 -1\n");
  World one;
  const auto read = [&](const RatingsOptions& options) {
    return RatingParts(part_files("part-*", of_ratings::in(folder)), options, of_ratings::in(folder), one)
        .whole();
  };
  const Ratings all = read({});
  CHECK(all.rows == 4);
  CHECK(all.cols == 5);
  CHECK(all.row == std::vector<std::int32_t>{0, 1, 3});
  CHECK(all.col == std::vector<std::int32_t>{0, 2, 0});
  CHECK(all.value == std::vector<double>{-1, 1.5, 2});
  CHECK(read({.rows = 9}).rows == 9);
  CHECK(contains(refusal(ErrorKind::data, [&] { (void)read({.cols = 4}); }), "beyond the declared 4"));
  (void)folder.put("part-3", "1\t1\t2\n");
  CHECK(contains(refusal(ErrorKind::data, [&] { (void)read({}); }), "part-3: has lines of 3 fields"));
}

TEST_CASE("ratings in parts: fields are read as of one file, however they are written") {
  for (const char* text :
       {"2::1::3.5::9\n1::3::-4::8\n", "2 1 3.5\n1  3\t-4 \n", "\"2\",1,3.5\n1, 3 ,+1e-1\n",
        "2;1;3.5;\"a;b\"\n1;3;4;c\n", "2\t1\t3.5\t1\t2\n1\t3\t1e3\t\t\n", "02\t1\t3\n1\t1\t4\n"}) {
    CAPTURE(text);
    const TestFolder folder;
    (void)folder.put("part-1", text);
    (void)folder.put("all", text);
    const Ratings all = read_ratings(folder / "all");
    World one;
    const Ratings whole =
        RatingParts(part_files("part-*", of_ratings::in(folder)), {}, of_ratings::in(folder), one, 1).whole();
    CHECK(whole.row == all.row);
    CHECK(whole.col == all.col);
    CHECK(whole.value == all.value);
    CHECK(whole.row_ids == all.row_ids);
  }
}

TEST_CASE("ratings in parts: what does not fit is one error on all ranks, with its place") {
  using Break = std::function<void(const TestFolder&)>;
  const std::pair<Break, std::vector<std::string>> broken[] = {
      {[](const TestFolder& f) { (void)f.put("part-10", ""); }, {"part-10: the file is empty"}},
      {[](const TestFolder& f) { (void)f.put("part-11", "\n\n"); }, {"part-11", "only blank lines"}},
      {[](const TestFolder& f) { (void)f.put("part-11", "a\tb\tc\n"); }, {"part-11", "holds no ratings"}},
      {[](const TestFolder& f) { (void)f.put("part-11", "1\t2\tx\n1\t3\t4\n"); }, {"part-11:1", "'x'"}},
      {[](const TestFolder& f) { (void)f.put("part-11", "1\t2\n"); }, {"part-11:1", "2 fields"}},
      {[](const TestFolder& f) { (void)f.put("part-11", "1\t2\t3\n1\t3\t4\t9\n"); },
       {"part-11:2", "4 fields"}},
      {[](const TestFolder& f) { (void)f.put("part-11", "1\t2\t3\t4\n"); },
       {"part-11: has lines of 4 fields", "part-8 has lines of 3 fields"}},
      {[](const TestFolder& f) { (void)f.put("part-11", "\x93NUMPY"); }, {"part-11", "a NumPy array"}},
      {[](const TestFolder& f) {
         (void)f.put("part-8", "31\t1\t5\n"), (void)f.put("part-11", "30\t2\t1\n31\t1\t6\n");
       },
       {"part-11:2: the entry in row 31, column 1 (counted from 1) stands at", "part-8:1 too"}}};
  for (const auto& [damage, texts] : broken) {
    const TestFolder folder;
    of_ratings::write_parts(folder, {.name = "tall", .rows = 30, .cols = 9});
    damage(folder);
    const std::string said = of_ratings::said_by_all(folder, {});
    for (const std::string& text : texts) CHECK_MESSAGE(contains(said, text), said);
  }
  const TestFolder folder;
  of_ratings::write_parts(folder, {.name = "tall", .rows = 30, .cols = 9});
  CHECK(contains(of_ratings::said_by_all(folder, {.ids = "one-based", .rows = 5}), "is not an index"));
  CHECK(contains(of_ratings::said_by_all(folder, {.ids = "arbitrary", .cols = 5}),
                 "distinct column ids, but 5"));
  CHECK(contains(of_ratings::said_by_all(folder, {.weights = "column"}), "3 fields"));
  of_ratings::write_parts(folder, {.name = "w", .rows = 30, .cols = 9, .weights = "column"});
  (void)folder.put("part-11", "1\t1\t2\t-1\n");
  CHECK(contains(of_ratings::said_by_all(folder, {.weights = "column"}), "part-11:1: the weight is -1"));
  for (const char* part : {"part-8", "part-9", "part-10", "part-11"})
    (void)folder.put(part, std::string(part).substr(5) + "\t1\t2\t0\n");
  CHECK(contains(of_ratings::said_by_all(folder, {.weights = "column"}), "all weights are 0"));
}
