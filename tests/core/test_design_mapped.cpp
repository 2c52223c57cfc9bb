// SPDX-License-Identifier: BSD-3-Clause
// Designs that are used where they stand in their file.
#include <claros/element/element.hpp>
#include <claros/io/design_io.hpp>
#include <claros/map/design_map.hpp>

#include "environment_variable.hpp"
#include "numpy_files.hpp"
#include "read_for_test.hpp"

#include <doctest/doctest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

using namespace claros;
using claros::testing::expanded;

namespace {

constexpr Index kRows = 30, kCols = 41;

template <class Real>
std::filesystem::path written(const TestFolder& folder, const std::string& name) {
  Design design;
  design.rows = kRows, design.cols = kCols;
  DenseRows<Real> rows;
  for (Index k = 0; k < kRows * kCols; ++k)
    rows.values.push_back(static_cast<Real>(std::sin(static_cast<double>(k))));
  for (Index i = 0; i < kRows; ++i) design.response.push_back(static_cast<double>(i));
  design.entries = std::move(rows);
  write_design(folder / name, design);
  return folder / name;
}

/// Its numbers begin at a multiple of eight, as NumPy's do.
std::string array(const std::string& type, bool fortran = false) {
  std::vector<double> numbers;
  for (Index k = 0; k < kRows * kCols; ++k) numbers.push_back(std::sin(static_cast<double>(k)));
  std::string shape = "(30, 41)", file;
  do file = npy("'" + type + "'", shape += ' ', raw(numbers, type.front() == '>'), fortran);
  while ((file.find('\n') + 1) % 8 != 0);
  return file;
}

DesignOptions by(const std::string& memory, const std::string& precision = "double") {
  DesignOptions options;
  options.memory = memory, options.precision = precision;
  return options;
}

std::vector<double> image(const Design& design) {
  const auto map =
      std::make_shared<const DesignMap>(std::make_shared<const Design>(design), Shape::vector(kCols));
  std::vector<double> x(kCols), z(kRows);
  for (Index j = 0; j < kCols; ++j) x[static_cast<std::size_t>(j)] = std::cos(static_cast<double>(j));
  map->apply(1.0, Element::dense(Shape::vector(kCols), x), 0.0, z);
  return z;
}

}  // namespace

TEST_CASE("mapped designs: the numbers, responses and sums are those of the design that was read") {
  const TestFolder folder;
  for (const auto& path : {written<double>(folder, "double.bin"), written<float>(folder, "float.bin")}) {
    const Design read = read_design(path, by("read")), mapped = read_design(path, by("map"));
    CHECK(read.source == nullptr);
    REQUIRE(mapped.source != nullptr);
    CHECK(expanded(mapped) == expanded(read));
    CHECK(mapped.response == read.response);
    CHECK(image(mapped) == image(read));  // of floats too, which were read into doubles
  }
  CHECK(read_design(folder / "float.bin", by("map")).is_single());
  CHECK(read_design(folder / "float.bin", by("map", "float")).is_single());
}

TEST_CASE("mapped designs: arrays of NumPy, and those that do not stand as they are used") {
  const TestFolder folder;
  std::string ones;
  for (Index i = 0; i < kRows; ++i) ones += "1\n";
  DesignOptions map = by("map"), read = by("read");
  map.response = read.response = folder.put("ones", ones).string();
  const auto plain = folder.put("plain.npy", array("<f8"));
  CHECK(expanded(read_design(plain, map)) == expanded(read_design(plain, read)));
  CHECK(read_design(plain, map).source != nullptr);
  check_mentions(complaint([&] { read_design(folder.put("big.npy", array(">f8")), map); }),
                 {"big.npy", "cannot be mapped", "byte order", "objective.memory = read"});
  check_mentions(complaint([&] { read_design(folder.put("fortran.npy", array("<f8", true)), map); }),
                 {"fortran.npy", "cannot be mapped", "column by column"});
  DesignOptions unit = by("map"), sparse = by("map");
  unit.unit_rows = true, sparse.storage = "sparse";
  const auto binary = written<double>(folder, "a.bin");
  check_mentions(complaint([&] { read_design(binary, by("map", "float")); }),
                 {"a.bin", "cannot be mapped", "doubles", "precision = float"});
  check_mentions(complaint([&] { read_design(binary, unit); }), {"cannot be mapped", "unit_rows"});
  check_mentions(complaint([&] { read_design(binary, sparse); }), {"cannot be mapped", "storage = sparse"});
}

TEST_CASE(
    "mapped designs: what memory does not hold is mapped, says so, and is refused by number where it may not "
    "be") {
  const TestFolder folder;
  const auto path = written<double>(folder, "a.bin");
  std::string notes;
  Context context;
  context.messages = [&](Severity, const std::string& text) { notes += text + "\n"; };
  {
    const EnvironmentVariable memory("CLAROS_MEMORY", "8KiB");  // the entries take 9.6
    CHECK(read_design(path, by("auto"), context).source != nullptr);
    check_mentions(notes, {"mapped: ", "a.bin, 9.6 KiB of doubles", "8 KiB of memory are left",
                           "which do not hold it: every pass reads from disk",
                           "a random row (328 bytes) is a read of its own"});
    check_mentions(complaint([&] { read_design(path, by("read")); }),
                   {"a.bin", "30 x 41", "9.6 KiB of memory", "allows 8 KiB", "precision = float",
                    "objective.memory = map"});
    CHECK(read_design(path, by("auto", "float")).source == nullptr);  // 4.8 do
  }
  notes.clear();
  CHECK(read_design(path, by("auto"), context).source == nullptr);
  CHECK(notes.find("mapped") == notes.npos);
  CHECK(read_design(path, by("map"), context).source != nullptr);
  check_mentions(notes, {"mapped: ", "which hold it"});
}

TEST_CASE("mapped designs: a file of bad numbers, cut off or changed is refused with its name") {
  const TestFolder folder;
  const auto path = written<double>(folder, "a.bin");
  const std::string good = folder.get("a.bin");
  std::string bad = good;
  const double infinite = std::numeric_limits<double>::infinity();
  std::memcpy(bad.data() + 64 + 8 * kRows + 8 * (2 * kCols + 4), &infinite, 8);
  check_mentions(complaint([&] { read_design(folder.put("bad.bin", bad), by("map")); }),
                 {"bad.bin", "row 3, column 5", "infinite"});
  check_mentions(
      complaint([&] { read_design(folder.put("cut.bin", good.substr(0, good.size() - 8)), by("map")); }),
      {"cut.bin", "truncated"});
  std::string empty = good;
  std::memset(empty.data() + 24, 0, 8);  // rows
  check_mentions(complaint([&] { read_design(folder.put("empty.bin", empty), by("map")); }),
                 {"empty.bin", "0 x 41", "positive sizes"});

  const Design shorter = read_design(path, by("map"));
  std::filesystem::resize_file(path, good.size() - 4096);
  check_mentions(complaint([&] { image(shorter); }), {"a.bin", "bytes, and had", "objective.memory = read"});
  folder.put("b.bin", good);
  const Design touched = read_design(folder / "b.bin", by("map"));
  CHECK_NOTHROW(image(touched));
  std::filesystem::last_write_time(folder / "b.bin",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  check_mentions(complaint([&] { image(touched); }), {"b.bin", "written to"});
}

TEST_CASE("mapped designs: a handler of SIGBUS learns which file was cut off, and nothing of others") {
  const TestFolder folder;
  const auto path = written<double>(folder, "a.bin");
  int here = 0;
  CHECK(mapped_file_at(&here) == nullptr);
  const double* last = nullptr;
  {
    const Design design = read_design(path, by("map"));
    last = &std::get<DenseRows<double>>(design.entries).view().back();
    REQUIRE(mapped_file_at(last) != nullptr);
    CHECK(mapped_file_at(last) == path.string());
    std::filesystem::resize_file(path, 64);
    const pid_t child = ::fork();
    if (child == 0) {
      struct sigaction action {};
      action.sa_sigaction = [](int, siginfo_t* about, void*) {
        ::_exit(mapped_file_at(about->si_addr) ? 42 : 1);
      };
      action.sa_flags = SA_SIGINFO;
      ::sigaction(SIGBUS, &action, nullptr);
      ::_exit(*static_cast<const volatile double*>(last) == 0.0 ? 2 : 3);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 42);
  }
  CHECK(mapped_file_at(last) == nullptr);
}

namespace {

/// Two passes over the rows: z = A x, and g = A' (z - y).
std::vector<double> passes(const Design& given) {
  const auto design = std::make_shared<const Design>(given);
  const DesignMap map(design, Shape::vector(design->cols));
  std::vector<double> x(static_cast<std::size_t>(design->cols)), z(static_cast<std::size_t>(design->rows)),
      g(x.size(), 0.0);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::cos(static_cast<double>(j));
  const Element at = Element::dense(Shape::vector(design->cols), x);
  map.apply(1.0, at, 0.0, z);
  std::vector<double> again(z.size());
  map.round_trip(
      at,
      [&](Index first, std::span<const double> image, std::span<double> c) {
        for (std::size_t i = 0; i < image.size(); ++i)
          c[i] = image[i] - design->response[static_cast<std::size_t>(first) + i];
      },
      again, g);
  CHECK(again == z);
  map.add_adjoint(z, g);
  z.insert(z.end(), g.begin(), g.end());
  return z;
}

}  // namespace

TEST_CASE("mapped designs: one that memory does not hold is read in pieces, with the same bits") {
  const TestFolder folder;
  for (const Index cols : {Index{7}, Index{5000}}) {
    CAPTURE(cols);
    Design design;
    design.rows = 6'000'000 / cols / 8, design.cols = cols;
    DenseRows<double> rows;
    for (Index k = 0; k < design.rows * cols; ++k) rows.values.push_back(std::sin(static_cast<double>(k)));
    for (Index i = 0; i < design.rows; ++i) design.response.push_back(static_cast<double>(i % 5));
    design.entries = std::move(rows);
    const std::vector<double> expected = passes(design);
    const auto path = folder / ("a" + std::to_string(cols) + ".bin");
    write_design(path, design);
    std::filesystem::remove(folder / "gone.bin");
    std::filesystem::create_hard_link(path, folder / "gone.bin");
    const EnvironmentVariable memory("CLAROS_MEMORY", "64KiB");
    const Design mapped = read_design(folder / "gone.bin", by("map"));
    REQUIRE(mapped.source->larger_than_memory());
    CHECK(passes(mapped) == expected);
    std::filesystem::remove(folder / "gone.bin");  // deleting its name takes nothing away
    CHECK(passes(mapped) == expected);
    const auto all = std::get<DenseRows<double>>(mapped.entries).view();
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 100000);
    std::vector<double> room(1000);
    CHECK_NOTHROW(mapped.source->read(all.data(), 8000, room.data()));
    CHECK(room.front() == all.front());
    check_mentions(complaint([&] { mapped.source->read(&all.back() - 999, 8000, room.data()); }),
                   {"gone.bin", "cut off while this run reads it"});
    check_mentions(complaint([&] { passes(mapped); }), {"gone.bin", "bytes, and had"});
  }
}
