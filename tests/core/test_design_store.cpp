// SPDX-License-Identifier: BSD-3-Clause
// Stored designs: written block by block, used in memory and where they are, and refused where they are
// damaged.
#include "allocations.hpp"
#include "environment_variable.hpp"
#include "read_for_test.hpp"

#include <claros/element/element.hpp>
#include <claros/io/design_blocks.hpp>
#include <claros/io/design_writer.hpp>
#include <claros/map/design_map.hpp>
#include <claros/random.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>

using namespace claros;

namespace {

/// Sparse rows of LIBSVM text whose last row alone has the last column.
std::string svm_text(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed, Purpose::test);
  std::ostringstream text;
  text.precision(17);
  for (Index i = 0; i < rows; ++i) {
    text << random.normal();
    for (Index j = 1 + random.index(7); j <= cols; j += 1 + random.index(2 * cols / 5))
      text << ' ' << j << ':' << random.normal();
    if (i + 1 == rows) text << ' ' << cols + 1 << ":1";
    text << '\n';
  }
  return text.str();
}

Design dense_design(Index rows, Index cols) {
  Design design;
  design.rows = rows, design.cols = cols;
  DenseRows<double> entries;
  for (Index k = 0; k < rows * cols; ++k) entries.values.push_back(std::sin(static_cast<double>(k)));
  for (Index i = 0; i < rows; ++i)
    design.response.push_back(static_cast<double>(i % 3)),
        design.weights.push_back(1.0 + static_cast<double>(i % 2));
  design.labels = {"cat", "dog", "owl"};
  for (Index j = 0; j < cols; ++j) design.column_names.push_back("x" + std::to_string(j));
  design.response_name = "animal";
  design.entries = std::move(entries);
  return design;
}

DesignOptions kept(const std::string& memory, const std::string& precision = "double") {
  DesignOptions options;
  options.memory = memory, options.precision = precision;
  return options;
}

/// The same numbers, and what stands beside them.
void check_same(const Design& a, const Design& b) {
  REQUIRE(a.rows == b.rows);
  REQUIRE(a.cols == b.cols);
  std::vector<double> left(static_cast<std::size_t>(a.cols)), right(left.size());
  bool same = true;
  for (Index i = 0; i < a.rows; ++i) {
    a.row(i, left), b.row(i, right);
    same = same && left == right;
  }
  CHECK(same);
  CHECK(a.stored() == b.stored());
  CHECK(a.response == b.response);
  CHECK(a.weights == b.weights);
  CHECK(a.labels == b.labels);
  CHECK(a.column_names == b.column_names);
  CHECK(a.response_name == b.response_name);
  CHECK(a.offset == b.offset);
  CHECK(a.groups == b.groups);
  CHECK((a.encoding == nullptr) == (b.encoding == nullptr));
  if (a.encoding && b.encoding) CHECK(a.encoding->names() == b.encoding->names());
}

/// All of `path` through a writer, in blocks of about `bytes`.
void store(const std::filesystem::path& path, const std::filesystem::path& to, std::size_t bytes,
           const DesignOptions& options = {}) {
  DesignWriter writer(to, options.precision == "float");
  const auto blocks = open_design_blocks(path, options, {}, bytes);
  for (Design block; blocks->next(block);) writer.add(block, blocks->where());
  writer.finish();
}

void store(const Design& design, const std::filesystem::path& to) {
  DesignWriter writer(to, false);
  writer.add(design, "memory");
  writer.finish();
}

}  // namespace

TEST_CASE("a stored design: sparse text in blocks of any size is what the reader makes of the file") {
  const TestFolder folder;
  const auto text = folder.put("all.svm", svm_text(400, 60, 1));
  const Design whole = read_design(text);
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{3000}, std::size_t{1} << 25U}) {
    const auto file = folder / ("by-" + std::to_string(bytes));
    store(text, file, bytes);
    for (const std::string memory : {"read", "map", "auto"})
      check_same(read_design(file, kept(memory)), whole);
    CHECK(read_design(file, kept("map")).source != nullptr);
    CHECK(read_design(file, kept("read")).source == nullptr);
  }
  CHECK(folder.get("by-1") == folder.get("by-3000"));
}

TEST_CASE("a stored design: dense rows with weights, classes and names; and a stored design as the input") {
  const TestFolder folder;
  const Design design = dense_design(50, 7);
  store(design, folder / "one");
  check_same(read_design(folder / "one", kept("map")), design);
  store(folder / "one", folder / "two", 100);
  CHECK(folder.get("one") == folder.get("two"));
}

TEST_CASE(
    "a stored design: floats stay floats where they are, and are numbers of the other precision in a copy") {
  const TestFolder folder;
  const auto text = folder.put("all.svm", svm_text(60, 20, 2));
  store(text, folder / "float", 500, kept("auto", "float"));
  const Design single = read_design(text, kept("auto", "float"));
  check_same(read_design(folder / "float", kept("map")), single);
  CHECK(read_design(folder / "float", kept("map")).is_single());
  CHECK(!read_design(folder / "float", kept("read")).is_single());
  store(text, folder / "double", 500);
  CHECK(complaint([&] {
          (void)read_design(folder / "double", kept("map", "float"));
        }).find("ask for a copy") != std::string::npos);
}

TEST_CASE("a stored design: a damaged byte, a file cut off, and one that was appended to are refused") {
  const TestFolder folder;
  const auto text = folder.put("all.svm", svm_text(80, 30, 3));
  store(text, folder / "good", 1000);
  const std::string good = folder.get("good");
  const auto refused = [&](const std::string& bytes) {
    const auto bad = folder.put("bad", bytes);
    for (const std::string memory : {"map", "read"})
      CHECK(complaint([&] { (void)read_design(bad, kept(memory)); }).find("bad") != std::string::npos);
  };
  RandomStream random(4, Purpose::test);
  // Behind the head, whose reserved bytes mean nothing, every section has a checksum; the zeros between
  // sections do not.
  const Design whole = read_design(folder / "good");
  Index changed = 0;
  for (int k = 0; k < 60; ++k) {
    std::string bytes = good;
    const auto at = static_cast<std::size_t>(4096 + random.index(static_cast<Index>(good.size()) - 4096));
    if (bytes[at] == '\0') continue;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    const auto bad = folder.put("bad", bytes);
    ++changed;
    try {
      check_same(read_design(bad, kept("map")), whole);  // blanks of the index, or the name of nothing
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
    }
  }
  CHECK(changed > 20);
  refused(good.substr(0, good.size() - 1));
  refused(good.substr(0, 4096));
  refused(good.substr(0, 100));
  refused(good + "x");
}

TEST_CASE("a stored design: an index that lies about places and sizes is refused") {
  const TestFolder folder;
  const auto text = folder.put("all.svm", svm_text(80, 30, 5));
  store(text, folder / "good", 1000);
  const std::string good = folder.get("good");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    const auto at = bytes.find(from);
    REQUIRE(at != std::string::npos);
    bytes.replace(at, from.size(), to);
    std::uint64_t size = 0;
    std::memcpy(&size, good.data() + good.size() - 16, 8);
    size += to.size() - from.size();
    std::memcpy(bytes.data() + bytes.size() - 16, &size, 8);
    return folder.put("bad", bytes);
  };
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"rows\": 80", "\"rows\": 81"},
           {"\"rows\": 80", "\"rows\": -80"},
           {"\"rows\": 80", "\"rows\": 9223372036854775807"},
           {"\"cols\": 31", "\"cols\": 30"},
           {"\"cols\": 31", "\"cols\": 0"},
           {"\"offset\": 4096", "\"offset\": 8192"},
           {"\"offset\": 4096", "\"offset\": 4097"},
           {"\"offset\": 4096", "\"offset\": 1125899906842624"},
           {"\"entries\"", "\"antries\""},
           {"\"labels\": []", "\"labels\": [\"one\"]"},
           {"\"column_names\": []", "\"column_names\": [\"one\"]"}}) {
    CAPTURE(to);
    CHECK(complaint([&, bad = with(from, to)] { (void)read_design(bad, kept("map")); }).find("damaged") !=
          std::string::npos);
  }
}

TEST_CASE("a stored design: blocks that do not fit are refused with their place, and no file is left") {
  const TestFolder folder;
  const Design dense = dense_design(4, 3);
  const auto refused = [&](Design second, const std::string& word) {
    DesignWriter writer(folder / "out", false);
    writer.add(dense, "first");
    const std::string text = complaint([&] { writer.add(second, "second.csv"); });
    CHECK(text.find("second.csv") != std::string::npos);
    CHECK_MESSAGE(text.find(word) != std::string::npos, text);
  };
  refused(dense_design(4, 2), "columns");
  Design other = dense;
  other.labels = {"cat", "dog", "hen"};
  refused(other, "classes");
  other = dense, other.column_names.back() = "y";
  refused(other, "names");
  other = dense, other.weights.clear();
  refused(other, "weights");
  other = dense, other.groups = {0, 0, 1, 1};
  refused(other, "groups");
  other = dense, other.encoding = std::make_shared<const TableEncoding>();
  refused(other, "in another way");
  other = dense, std::get<DenseRows<double>>(other.entries).values[2] = NAN;
  refused(other, "nan");
  CHECK(complaint([&] { DesignWriter(folder / "out", false).finish(); }).find("no rows") !=
        std::string::npos);
  CHECK(complaint([&] { DesignWriter(folder / "no" / "out", false); }).find("no") != std::string::npos);
  CHECK(folder.files() == 0);
}

TEST_CASE("a stored design: writing and using it takes memory for a block, not for the design") {
  using claros::testing::Allocations;
  if (!Allocations::counted()) return;
  const TestFolder folder;
  const auto text = folder.put("all.svm", svm_text(60000, 400, 6));
  const auto size = static_cast<std::ptrdiff_t>(std::filesystem::file_size(text));
  {
    const Allocations made;
    store(text, folder / "design", std::size_t{1} << 16U);
    CHECK(made.peak() < 9'000'000);  // four spools of a MiB, and pieces
    CHECK(made.peak() < size);
  }
  const Allocations made;
  const Design design = read_design(folder / "design", kept("map"));
  CHECK(made.peak() < 16 * design.rows + 1'000'000);  // responses, and the index
}

TEST_CASE("a stored design: dense binary files go through in blocks, without a copy of the whole") {
  using claros::testing::Allocations;
  const TestFolder folder;
  const Design design = dense_design(3000, 700);
  Design plain = design;
  plain.labels.clear(), plain.weights.clear(), plain.column_names.clear(), plain.response_name.clear();
  write_design(folder / "raw", plain);
  const Allocations made;
  store(folder / "raw", folder / "stored", std::size_t{1} << 18U);
  if (Allocations::counted()) CHECK(made.peak() < 10'000'000);  // of 16.8 MB
  check_same(read_design(folder / "stored"), plain);
}

TEST_CASE("a stored design: the categories of a table and the groups of its rows are kept") {
  const TestFolder folder;
  const auto table =
      folder.put("cars.csv",
                 "colour,owner,day,age,price\nred,ann,2024-01-02,3,10\nblue,bob,2024-01-05,NA,8\n"
                 "red,ann,2024-02-01,1,15\ngreen,cid,2024-01-02,7,4\n");
  DesignOptions options;
  options.groups = "owner", options.missing = Missing::mean, options.dates = Dates::days;
  const Design read = read_design(table, options);
  REQUIRE(read.groups.size() == 4);
  REQUIRE(read.encoding);
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{1} << 25U}) {
    const auto file = folder / ("stored-" + std::to_string(bytes));
    store(table, file, bytes, options);
    for (const std::string memory : {"read", "map"}) {
      const Design stored = read_design(file, kept(memory));
      check_same(stored, read);
      // A row to predict becomes the same numbers by either encoding.
      const auto row = folder.put("row.csv", "colour,day,age\ngreen,2024-03-01,NA\n");
      for (const Design* made : {&read, &stored}) {
        DesignOptions predicting;
        predicting.bare_columns = made->cols, predicting.encoding = made->encoding;
        std::vector<double> numbers(static_cast<std::size_t>(made->cols));
        read_design(row, predicting).row(0, numbers);
        CHECK(numbers == std::vector<double>{1, 0, 19783, 11.0 / 3.0});
      }
    }
  }
  // Another table has other categories.
  const auto other = folder.put("more.csv",
                                "colour,owner,day,age,price\nred,ann,2024-01-02,3,10\n"
                                "black,bob,2024-01-05,4,8\n");
  DesignWriter writer(folder / "joined", false);
  writer.add_all(*open_design_blocks(table, options));
  CHECK(complaint([&] {
          writer.add_all(*open_design_blocks(other, options));
        }).find("more.csv, rows 1 to 2") != std::string::npos);
}

namespace {

/// Blocks of a program: of `rows_of_block` rows each, with a fault in one of them.
class MadeBlocks final : public DesignBlocks {
 public:
  std::vector<Index> rows_of_block{4, 4, 2};
  std::optional<Index> announced;
  std::size_t faulty = 99;
  std::function<void(Design&)> fault;
  bool next(Design& block) override {
    if (at_ == faulty && fault) fault(block);
    if (at_ == rows_of_block.size()) return false;
    block = dense_design(rows_of_block[at_], 3);
    if (at_ == faulty && fault) fault(block);
    ++at_;
    return true;
  }
  std::string where() const override { return "my blocks, number " + std::to_string(at_); }
  std::optional<Index> rows() const override { return announced; }

 private:
  std::size_t at_ = 0;
};

}  // namespace

TEST_CASE("a stored design: a program's own blocks, and what is wrong with them") {
  const TestFolder folder;
  MadeBlocks good;
  good.announced = 10;
  DesignWriter writer(folder / "out", false);
  writer.add_all(good);
  CHECK(writer.rows() == 10);
  writer.finish();
  const Design stored = read_design(folder / "out");
  CHECK(stored.rows == 10);
  std::vector<double> row(3), first(3);
  stored.row(8, row), dense_design(2, 3).row(0, first);
  CHECK(row == first);
  std::filesystem::remove(folder / "out");

  const auto refused = [&](MadeBlocks blocks, const std::vector<std::string>& words) {
    DesignWriter bad(folder / "out", false);
    const std::string said = complaint([&] { bad.add_all(blocks); });
    for (const std::string& word : words) CHECK_MESSAGE(said.find(word) != std::string::npos, said);
  };
  MadeBlocks throws;
  throws.faulty = 1, throws.fault = [](Design&) { throw std::runtime_error("the line is dead"); };
  refused(throws, {"block 2, after my blocks, number 1", "threw 'the line is dead'", "nothing is written"});
  MadeBlocks fewer;
  fewer.announced = 12;
  refused(fewer, {"my blocks, number 3", "ended after 10 rows; 12 were announced"});
  MadeBlocks other;
  other.faulty = 2, other.fault = [](Design& block) { block = dense_design(2, 4); };
  refused(other, {"my blocks, number 3", "has 4 columns; the rows before it have 3"});
  MadeBlocks shorter;
  shorter.faulty = 1, shorter.fault = [](Design& block) {
    if (!block.response.empty()) block.response.pop_back();
  };
  refused(shorter, {"my blocks, number 2", "response"});
  CHECK(complaint([&] { good.rewind(); }, ErrorKind::usage).find("read once only") != std::string::npos);
  CHECK(folder.files() == 0);  // nothing half-written
}

TEST_CASE("blocks of files begin again, and say how many rows there are where that is known") {
  const TestFolder folder;
  const auto text = folder.put("all.svm", svm_text(90, 20, 8));
  store(text, folder / "stored", 1000);
  for (const auto& [file, known] : {std::pair{text, false}, {folder / "stored", true}}) {
    const auto blocks = open_design_blocks(file, {}, {}, 500);
    CHECK(blocks->rows().has_value() == known);
    if (known) CHECK(*blocks->rows() == 90);
    Index first = 0, second = 0;
    for (Design block; blocks->next(block);) first += block.rows;
    blocks->rewind();
    for (Design block; blocks->next(block);) second += block.rows;
    CHECK(first == 90);
    CHECK(second == 90);
  }
  // Weights in a file of their own are not lost on the way.
  std::string weights;
  for (int i = 0; i < 90; ++i) weights += std::to_string(1 + i % 3) + '\n';
  DesignOptions options;
  options.weights = folder.put("weights.txt", weights).string();
  store(text, folder / "weighted", 500, options);
  CHECK(read_design(folder / "weighted").weights == read_design(text, options).weights);
}

TEST_CASE(
    "a stored design: one that memory does not hold is checked and read in pieces, with the same bits") {
  const TestFolder folder;
  const auto text = folder.put("all.svm", svm_text(30000, 300, 9));
  for (const std::string precision : {"double", "float"}) {
    store(text, folder / precision, std::size_t{1} << 20U, kept("auto", precision));
    const Design read = read_design(folder / precision, kept("read", precision));
    const auto product = [&](const Design& given) {
      const DesignMap map(std::make_shared<const Design>(given), Shape::vector(given.cols));
      std::vector<double> x(static_cast<std::size_t>(given.cols)), z(static_cast<std::size_t>(given.rows));
      for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::cos(static_cast<double>(j));
      map.apply(1.0, Element::dense(Shape::vector(given.cols), x), 0.0, z);
      map.add_adjoint(z, x);
      z.insert(z.end(), x.begin(), x.end());
      return z;
    };
    const std::vector<double> expected = product(read);
    const EnvironmentVariable memory("CLAROS_MEMORY", "1MiB");
    const Design mapped = read_design(folder / precision, kept("map"));
    REQUIRE(mapped.source->larger_than_memory());
    CHECK(product(mapped) == expected);
    std::string bytes = folder.get(precision);
    bytes[bytes.size() / 4] ^= 1;
    CHECK(complaint([&, bad = folder.put("bad", bytes)] {
            (void)read_design(bad, kept("map"));
          }).find("damaged") != std::string::npos);
  }
}
