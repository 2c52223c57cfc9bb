// SPDX-License-Identifier: BSD-3-Clause
// Designs in parts: on any number of ranks the rows of the joined file, of which a rank opens its own.
#include "test_files.hpp"
#include "thread_world.hpp"

#include <claros/io/design_writer.hpp>
#include <claros/parts/design_parts.hpp>
#include <claros/random.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace claros;
using namespace claros::test;

namespace {
namespace of_parts {

constexpr Index kRows = 61, kCols = 9;

/// Lines of LIBSVM text, or of a table without its header; lengths of lines differ.
std::vector<std::string> lines(bool sparse) {
  RandomStream random(4, Purpose::test);
  std::vector<std::string> all;
  for (Index i = 0; i < kRows; ++i) {
    std::ostringstream line;
    line << i;
    if (!sparse) line << ',' << 1 + i % 4;
    for (Index j = 1; j <= kCols; ++j) {
      if (!sparse)
        line << ',' << random.normal();
      else if (random.index(3) == 0)
        line << ' ' << j << ':' << random.normal();
    }
    if (sparse && i == 40) line << ' ' << kCols + 2 << ":1";
    all.push_back(line.str() + '\n');
  }
  return all;
}

std::string joined_lines(const std::vector<std::string>& all, std::size_t from, std::size_t to) {
  std::string text = all.front().find(',') == std::string::npos ? "" : "y,w,a,b,c,d,e,f,g,h,i\n";
  for (std::size_t i = from; i < to; ++i) text += all[i];
  return text;
}

DesignOptions options_of(bool sparse) {
  DesignOptions options;
  if (!sparse) options.response = "y", options.weights = "w";
  return options;
}

/// Parts 8 to 11, in whose names the order of the bytes is another than that of the numbers.
void write_parts(const TestFolder& folder, bool sparse) {
  const auto all = lines(sparse);
  const std::size_t cuts[] = {0, 1, 33, 40, kRows};
  for (std::size_t k = 0; k < 4; ++k)
    (void)folder.put("part-" + std::to_string(k + 8), joined_lines(all, cuts[k], cuts[k + 1]));
  (void)folder.put("all", joined_lines(all, 0, kRows));
}

Context in(const TestFolder& folder) {
  Context context;
  context.base = folder.path();
  return context;
}

std::vector<double> row_of(const Design& design, Index i) {
  std::vector<double> row(static_cast<std::size_t>(design.cols));
  design.row(i, row);
  return row;
}

bool same_rows(const Design& part, Index first, const Design& all) {
  bool same = part.cols == all.cols && part.stored() >= 0;
  for (Index i = 0; i < part.rows; ++i) same = same && row_of(part, i) == row_of(all, first + i);
  return same;
}

bool same_heads(const Design& a, const Design& b) {
  return a.rows == b.rows && a.cols == b.cols && a.response == b.response && a.weights == b.weights &&
         a.column_names == b.column_names && a.response_name == b.response_name &&
         a.entries.index() == b.entries.index();
}

/// What `work` makes of the parts, on a rank that passes its own error on to all.
std::string on_rank(World& world, const TestFolder& folder, const DesignOptions& options, std::uint64_t piece,
                    const std::function<std::string(DesignParts&)>& work) {
  std::string said;
  try {
    try {
      DesignParts parts(part_files("part-*", in(folder)), options, in(folder), world, piece);
      said = work(parts);
    } catch (const Error& error) {
      world.fail("end", error);
    }
  } catch (const Error& error) {
    said = error.what();
  }
  return said;
}

}  // namespace of_parts
}  // namespace

TEST_CASE("parts: on 1 to 5 ranks, whole or in pieces, the rows of the joined file") {
  for (const bool sparse : {true, false}) {
    const TestFolder folder;
    of_parts::write_parts(folder, sparse);
    const DesignOptions options = of_parts::options_of(sparse);
    const Design all = read_design(folder / "all", options, of_parts::in(folder));
    for (const int ranks : {1, 2, 3, 5})
      for (const std::uint64_t piece : {std::uint64_t{100}, std::uint64_t{1} << 20U}) {
        const auto results = on_ranks<std::string>(ranks, [&](World& world) {
          return of_parts::on_rank(world, folder, options, piece, [&](DesignParts& parts) -> std::string {
            if (!of_parts::same_heads(parts.head(), all)) return "another head";
            if (parts.entries() != all.stored()) return "other numbers of entries";
            const Index at[] = {0, 7, 8, 30, 39, 40, 61, 3, 50};  // the last but two end, and go back
            for (std::size_t k = 0; k + 1 < std::size(at); ++k)
              if (const Index count = at[k + 1] - at[k];
                  count > 0 && !of_parts::same_rows(parts.rows(at[k], count), at[k], all))
                return "other rows from " + std::to_string(at[k]);
            return of_parts::same_rows(parts.whole(), 0, all) ? "same" : "another whole";
          });
        });
        for (const std::string& result : results) CHECK(result == "same");
      }
  }
}

TEST_CASE("parts: a file that holds none of the rows is not opened again") {
  const TestFolder folder;
  of_parts::write_parts(folder, true);
  World one;
  DesignParts parts(part_files("part-*", of_parts::in(folder)), {}, of_parts::in(folder), one);
  const Design all = read_design(folder / "all", {}, of_parts::in(folder));
  for (const char* name : {"part-8", "part-9", "part-11"}) std::filesystem::remove(folder / name);
  CHECK(of_parts::same_rows(parts.rows(33, 7), 33, all));
  CHECK(contains(complaint([&] { (void)parts.rows(33, 8); }), "part-11"));
  CHECK(parts.place_of_row(33).ends_with("part-10, row 1"));
  CHECK(parts.place_of_row(39).ends_with("part-10, row 7"));
}

TEST_CASE("parts: a file that changes, or is another one on a rank, is refused") {
  const TestFolder folder;
  of_parts::write_parts(folder, true);
  World one;
  DesignParts parts(part_files("part-*", of_parts::in(folder)), {}, of_parts::in(folder), one);
  std::string text = folder.get("part-10");
  text[0] = '7';  // the first response
  (void)folder.put("part-10", text);
  CHECK_NOTHROW((void)parts.rows(0, 33));
  CHECK(contains(complaint([&] { (void)parts.rows(0, 34); }), "part-10: holds other rows"));
}

TEST_CASE("parts: a number that is missing or occurs twice, and no file at all, are refused") {
  const TestFolder folder;
  of_parts::write_parts(folder, true);
  const auto said = [&](const std::string& pattern) {
    return refusal(ErrorKind::data, [&] { (void)part_files(pattern, of_parts::in(folder)); });
  };
  const auto files = part_files("part-*", of_parts::in(folder));
  REQUIRE(files.size() == 4);
  CHECK(files.front().filename() == "part-8");
  CHECK(part_files("part-??", of_parts::in(folder)).front().filename() == "part-10");
  CHECK(contains(said("none-*"), "no file matches"));
  CHECK(contains(said("part-[8]*"), "no file matches"));
  (void)folder.put("part-008", "1 1:1\n");
  CHECK(contains(said("part-*"), "the same number"));
  std::filesystem::remove(folder / "part-008");
  std::filesystem::remove(folder / "part-9");
  CHECK(contains(said("part-*"), "part 9 is missing"));
  (void)folder.put("part-a", "1 1:1\n");  // names that are no numbers have no gaps
  CHECK(said("part-*") == "accepted");
  CHECK(is_part_pattern("part-*", of_parts::in(folder)));
  (void)folder.put("part-*", "1 1:1\n");
  CHECK_FALSE(is_part_pattern("part-*", of_parts::in(folder)));
}

TEST_CASE("parts: what does not fit is one error on all ranks") {
  using Break = std::function<void(const TestFolder&)>;
  const std::pair<Break, const char*> broken[] = {
      {[](const TestFolder& f) { (void)f.put("part-11", ""); }, "the file is empty"},
      {[](const TestFolder& f) { (void)f.put("part-11", "# none\n"); }, "holds no data"},
      {[](const TestFolder& f) { (void)f.put("part-11", "1 3:1 2:1\n"); }, "ascending"},
      {[](const TestFolder& f) { (void)f.put("part-11", "y,a\n1,2\n"); }, "part-11"}};
  for (const auto& [damage, text] : broken) {
    CAPTURE(text);
    const TestFolder folder;
    of_parts::write_parts(folder, true);
    damage(folder);
    for (const int ranks : {1, 2, 3}) {
      const auto results = on_ranks<std::string>(ranks, [&](World& world) {
        return of_parts::on_rank(world, folder, {}, 100, [](DesignParts&) { return "accepted"; });
      });
      for (const std::string& result : results) {
        CHECK(contains(result, text));
        CHECK(result == results.front());
      }
    }
  }
  const TestFolder folder;
  of_parts::write_parts(folder, false);
  (void)folder.put("part-11", "y,w,a\n1,1,2\n");
  for (const int ranks : {1, 2}) {
    const auto results = on_ranks<std::string>(ranks, [&](World& world) {
      return of_parts::on_rank(world, folder, of_parts::options_of(false), 100,
                               [](DesignParts&) { return "accepted"; });
    });
    for (const std::string& result : results) CHECK(contains(result, "has 1 columns"));
  }
}
