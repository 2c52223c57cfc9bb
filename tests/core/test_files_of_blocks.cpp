// SPDX-License-Identifier: BSD-3-Clause
// Files that are larger than what is read, written or summed up at a time: every number comes back, from
// before, at and behind the borders, and a damaged byte is found in the last block as in the first.
#include <claros/io/design_io.hpp>
#include <claros/io/design_writer.hpp>

#include "hdf5_writer.hpp"
#include "test_files.hpp"

#include <fstream>
#include <string_view>

namespace claros::test::files_of_blocks {

namespace {

// Blocks of HDF5 have 4 MiB, sections of a stored design 2^20 entries or 8 MiB a checksum.
constexpr Index kLongRows = 300'000, kStoredRows = (Index{1} << 20U) + 77;

double number_at(Index k) { return static_cast<double>((k * 7919) % 100'003) - 50'000.0; }

/// Shifted, so that no part of one list is a part of another.
std::vector<double> numbers_to(Index count, double shift = 0.0) {
  std::vector<double> all(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k) all[static_cast<std::size_t>(k)] = number_at(k) + shift;
  return all;
}

hid_t chunks_of(std::vector<hsize_t> sizes) {
  const hid_t made = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(made, static_cast<int>(sizes.size()), sizes.data());
  return made;
}

}  // namespace

TEST_CASE("files of blocks: dense rows of an HDF5 file, contiguous and in chunks of any size") {
  const std::vector<double> x = numbers_to(2 * kLongRows), y = numbers_to(kLongRows, 5.0);
  // As one; of a number of rows that divides nothing; of more rows than a block holds; of one column.
  for (const std::vector<hsize_t>& chunk : {std::vector<hsize_t>{}, {7'001, 2}, {280'000, 2}, {100'000, 1}}) {
    const TestFolder folder;
    {
      const Hdf5Writer out(folder / "d.h5");
      out.put("X", {kLongRows, 2}, H5T_IEEE_F64LE, x, chunk.empty() ? H5P_DEFAULT : chunks_of(chunk));
      out.put("y", {kLongRows}, H5T_STD_I32BE, y, chunk.empty() ? H5P_DEFAULT : chunks_of({chunk[0]}));
    }
    const Design design = read_design(folder / "d.h5");
    CHECK(design.rows == kLongRows);
    CHECK(design.cols == 2);
    CHECK(std::get<DenseRows<double>>(design.entries).values == x);
    CHECK(design.response == y);
    if (!chunk.empty()) continue;
    DesignOptions single;
    single.precision = "float";
    CHECK(std::get<DenseRows<float>>(read_design(folder / "d.h5", single).entries).values ==
          std::vector<float>(x.begin(), x.end()));
  }
}

TEST_CASE("files of blocks: compressed rows of an HDF5 file, of which some are empty and some out of order") {
  constexpr Index kEntries = 1'200'000, kRowEntries = 40, kCols = 50;
  std::vector<double> starts{0}, columns;
  for (Index e = 0; e < kEntries; e += kRowEntries) {
    if (e % (3 * kRowEntries) == 0) starts.push_back(starts.back());
    starts.push_back(static_cast<double>(e + kRowEntries));
    const bool turned = (e / kRowEntries) % 1000 == 999;
    for (Index k = 0; k < kRowEntries; ++k)
      columns.push_back(static_cast<double>(turned ? kCols - 1 - k : k + (e / kRowEntries) % 10));
  }
  const auto rows = static_cast<Index>(starts.size()) - 1;
  const TestFolder folder;
  {
    const Hdf5Writer out(folder / "d.h5");
    H5Gclose(H5Gcreate2(out.file, "X", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    out.put("X/data", {kEntries}, H5T_IEEE_F64LE, numbers_to(kEntries), chunks_of({65'537}));
    out.put("X/indices", {kEntries}, H5T_STD_I32LE, columns);
    out.put("X/indptr", {starts.size()}, H5T_STD_I64LE, starts);
    out.put("y", {static_cast<hsize_t>(rows)}, H5T_IEEE_F64LE, numbers_to(rows));
  }
  const Design design = read_design(folder / "d.h5");
  const auto& held = std::get<SparseRows<double>>(design.entries);
  CHECK(design.rows == rows);
  CHECK(design.cols == kCols);
  CHECK(design.response == numbers_to(rows));
  CHECK(std::equal(held.start.begin(), held.start.end(), starts.begin(), starts.end()));
  Index wrong = 0;
  for (Index e = 0; e < kEntries; e += kRowEntries) {
    const bool turned = (e / kRowEntries) % 1000 == 999;
    for (Index k = 0; k < kRowEntries; ++k) {
      const auto at = static_cast<std::size_t>(turned ? e + kRowEntries - 1 - k : e + k);
      wrong += held.value[at] != number_at(e + k) ||
               held.column[at] != static_cast<std::int32_t>(columns[static_cast<std::size_t>(e + k)]);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("files of blocks: a stored design of several checksums, and a damaged byte in each of them") {
  const TestFolder folder;
  Design design;
  design.rows = kStoredRows, design.cols = 1;
  design.entries = DenseRows<double>{numbers_to(kStoredRows), {}, nullptr};
  design.response = numbers_to(kStoredRows, 0.25);
  design.offset = numbers_to(kStoredRows, 0.5);
  {
    DesignWriter writer(folder / "d", false);
    writer.add(design, "memory");
    writer.finish();
  }
  DesignOptions options;
  for (const char* memory : {"map", "read"}) {
    options.memory = memory;
    const Design read = read_design(folder / "d", options);
    std::vector<double> row(1);
    Index wrong = 0;
    for (Index i = 0; i < kStoredRows; ++i) {
      read.row(i, row);
      wrong += row[0] != number_at(i);
    }
    CHECK(wrong == 0);
    CHECK(read.response == design.response);
    CHECK(read.offset == design.offset);
  }
  const std::string bytes = folder.get("d");
  const auto first_of = [&](const std::vector<double>& section) {
    const std::string_view all(reinterpret_cast<const char*>(section.data()), 8 * section.size());
    const std::size_t begin = bytes.find(all.substr(0, 64));
    REQUIRE(begin != bytes.npos);
    REQUIRE(std::string_view(bytes).substr(begin, all.size()) == all);
    return begin;
  };
  struct Damage {
    const std::vector<double>& section;
    Index k;
    const char *name, *part;
  };
  const std::vector<double> values = numbers_to(kStoredRows);
  constexpr Index kBorder = Index{1} << 20U;
  for (const Damage& damage : {Damage{values, kBorder - 1, "values", "part 1"},
                               {values, kBorder, "values", "part 2"},
                               {design.response, kStoredRows - 1, "response", "part 2"},
                               {design.offset, kBorder, "offset", "part 2"}}) {
    CAPTURE(damage.name);
    CAPTURE(damage.k);
    const std::size_t at = first_of(damage.section) + 8 * static_cast<std::size_t>(damage.k);
    const auto put_byte = [&](int change) {
      std::fstream file(folder / "d", std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(at));
      file.put(static_cast<char>(bytes[at] ^ change));
    };
    put_byte(1);
    options.memory = "map";
    const std::string said = complaint([&] { (void)read_design(folder / "d", options); });
    CHECK(said.find("checksum of its " + std::string(damage.name) + ", " + damage.part) != said.npos);
    put_byte(0);
  }
}

TEST_CASE("files of blocks: sparse rows of a stored design that go over the border of two checksums") {
  constexpr Index kRowEntries = 10'007, kCols = 10'010, kRows = 125;
  const TestFolder folder;
  Design design;
  design.rows = kRows, design.cols = kCols;
  SparseRows<float> rows{{0}, {}, {}};
  for (Index i = 0; i < kRows; ++i) {
    for (Index k = 0; i % 13 != 0 && k < kRowEntries; ++k)
      rows.column.push_back(static_cast<std::int32_t>(k + i % 3)),
          rows.value.push_back(static_cast<float>(number_at(i * kRowEntries + k)));
    rows.start.push_back(std::ssize(rows.value));
    design.response.push_back(static_cast<double>(i));
  }
  REQUIRE(std::ssize(rows.value) > (Index{1} << 20U));
  design.entries = rows;
  {
    DesignWriter writer(folder / "d", true);
    writer.add(design, "memory");
    writer.finish();
  }
  DesignOptions options;
  for (const char* memory : {"map", "read"}) {
    options.memory = memory, options.precision = "float";
    const Design read = read_design(folder / "d", options);
    const auto held = std::get<SparseRows<float>>(read.entries).view();
    CHECK(std::equal(held.start.begin(), held.start.end(), rows.start.begin(), rows.start.end()));
    CHECK(std::equal(held.column.begin(), held.column.end(), rows.column.begin(), rows.column.end()));
    CHECK(std::equal(held.value.begin(), held.value.end(), rows.value.begin(), rows.value.end()));
  }
}

}  // namespace claros::test::files_of_blocks
