// SPDX-License-Identifier: BSD-3-Clause
// Limits: what a file may ask for is told before it is taken, with the limit and what raises it; and what is
// said where memory ran out all the same.
#include <claros/compose/spec.hpp>
#include <claros/contain.hpp>
#include <claros/expected.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/ratings.hpp>

#include "environment_variable.hpp"
#include "hdf5_writer.hpp"
#include "numpy_files.hpp"
#include "test_files.hpp"

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>

#include <stdlib.h>

#include <new>

using namespace claros;

namespace {

/// 260 MiB of lines "0" and blanks, by a megabyte that is compressed once.
template <class Filter>
std::string bomb(const Filter& filter) {
  namespace io = boost::iostreams;
  std::string text, one, all;
  while (text.size() < (std::size_t{1} << 20U)) text += "0              \n";
  io::filtering_ostream out;
  out.push(filter);
  out.push(io::back_inserter(one));
  out << text;
  io::close(out);
  for (int i = 0; i < 260; ++i) all += one;
  return all;
}

std::vector<double> ones(std::size_t count) { return std::vector<double>(count, 1.0); }

}  // namespace

TEST_CASE("limits: every reader of designs says what it would take before it does") {
  const TestFolder folder;
  const std::string row = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n";
  std::string table, svm, market = "%%MatrixMarket matrix array real general\n20 20\n",
                          coordinates = "%%MatrixMarket matrix coordinate real general\n20 20 400\n";
  for (int i = 1; i <= 20; ++i) {
    table += row;
    svm += "1";
    for (int j = 1; j <= 20; ++j) {
      svm += " " + std::to_string(j) + ":1";
      market += "1\n";
      coordinates += std::to_string(i) + " " + std::to_string(j) + " 1\n";
    }
    svm += "\n";
  }
  const std::string matrix = npy("'<f8'", "(20, 20)", raw(ones(400)));
  folder.put("table", table), folder.put("svm", svm), folder.put("market", market),
      folder.put("coordinates", coordinates);
  folder.put("npy", matrix),
      folder.put("npz", zip({{"X.npy", matrix}, {"y.npy", npy("'<f8'", "(20,)", raw(ones(20)))}}, true));
  folder.put("ones", std::string(20, '1').replace(
                         0, 20, "1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n"));
  {
    const Hdf5Writer out(folder / "hdf5");
    out.put("X", {20, 20}, H5T_IEEE_F64LE, ones(400)), out.put("y", {20}, H5T_IEEE_F64LE, ones(20));
  }
  write_design(folder / "binary", read_design(folder / "hdf5"));
  for (const std::string file : {"table", "svm", "market", "coordinates", "npy", "npz", "hdf5", "binary"}) {
    CAPTURE(file);
    DesignOptions options;
    options.memory = "read";
    if (file == "market" || file == "coordinates" || file == "npy")
      options.response = (folder / "ones").string();
    const EnvironmentVariable memory("CLAROS_MEMORY", "1KiB");
    check_mentions(
        complaint([&] { read_design(folder / file, options); }),
        {file.c_str(), "design of 20 x", "of memory; CLAROS_MEMORY allows 1 KiB", "CLAROS_MEMORY="});
    const EnvironmentVariable more("CLAROS_MEMORY", "1MiB");
    CHECK_NOTHROW(read_design(folder / file, options));
  }
  DesignOptions dense;
  dense.storage = "dense", dense.features = 1000000;
  const EnvironmentVariable memory("CLAROS_MEMORY", "64KiB");
  check_mentions(complaint([&] { read_design(folder / "svm", dense); }),
                 {"svm", "design of 20 x 1000000", "CLAROS_MEMORY allows 64 KiB"});
  check_mentions(
      complaint([&] { read_numbers(folder.put("long.npy", npy("'<f8'", "(20000,)", raw(ones(20000))))); }),
      {"long.npy", "array of 20000"});
}

TEST_CASE("limits: the free memory of the machine is the default limit") {
  const TestFolder folder;
  const auto market = folder.put("m", "%%MatrixMarket matrix array real general\n2147483647 2147483647\n1\n");
  check_mentions(complaint([&] { read_design(market); }),
                 {"design of 2147483647 x 2147483647", "left here", "CLAROS_MEMORY="});
}

TEST_CASE("limits: a file that grows beyond reason, in every compression, unless the limit is raised") {
  const TestFolder folder;
  namespace io = boost::iostreams;
  folder.put("bzip2", bomb(io::bzip2_compressor())), folder.put("xz", bomb(io::lzma_compressor())),
      folder.put("zstd", bomb(io::zstd_compressor()));
  for (const std::string file : {"bzip2", "xz", "zstd"}) {
    const std::string text = complaint([&] { read_numbers(folder / file); });
    check_mentions(text, {file.c_str(), "hold more than 25", "2000 times", "CLAROS_EXPANSION="});
    const auto at = text.find("CLAROS_EXPANSION=") + 17;
    const EnvironmentVariable raised("CLAROS_EXPANSION", text.substr(at, text.find(' ', at) - at)),
        memory("CLAROS_MEMORY", "64MiB");
    // Not the growth is complained of now but the memory that it takes.
    check_mentions(complaint([&] { read_numbers(folder / file); }),
                   {file.c_str(), "the table, 1", "MiB so far", "CLAROS_MEMORY allows 64 MiB"});
  }
}

TEST_CASE("limits: entries are counted while they are read") {
  const TestFolder folder;
  const auto file = folder.put("r.bz2", [] {
    namespace io = boost::iostreams;
    std::string text, one, all;
    while (text.size() < (std::size_t{1} << 20U)) text += "1 1 5\n";
    io::filtering_ostream out;
    out.push(io::bzip2_compressor());
    out.push(io::back_inserter(one));
    out << text;
    io::close(out);
    for (int i = 0; i < 8; ++i) all += one;
    return all;
  }());
  const EnvironmentVariable memory("CLAROS_MEMORY", "60MiB");
  check_mentions(complaint([&] { read_ratings(file); }),
                 {"r.bz2", "the table of entries, 64 MiB so far", "CLAROS_MEMORY"});
}

TEST_CASE("limits: the length of a line and the number of its fields") {
  const TestFolder folder;
  {
    const EnvironmentVariable line("CLAROS_LINE", "2MiB");
    const auto file = folder.put("line", std::string(std::size_t{3} << 20U, '1'));
    check_mentions(complaint([&] { read_numbers(file); }), {"line:1", "longer than 2 MiB", "CLAROS_LINE"});
  }
  std::string wide;
  for (int i = 0; i < (1 << 24) + 1; ++i) wide += "1,";
  check_mentions(complaint([&] { read_numbers(folder.put("wide", wide + "1\n")); }),
                 {"wide:1", "more than 16777216 fields", "LIBSVM"});
}

TEST_CASE("limits: a variable that is not a size is refused") {
  const TestFolder folder;
  const auto file = folder.put("n", "1\n2\n");
  for (const char* bad : {"foo", "-1", "0", "1GB", "nan", "inf", "1 GiB"}) {
    CAPTURE(bad);
    const EnvironmentVariable line("CLAROS_LINE", bad);
    check_mentions(complaint([&] { read_numbers(file); }, ErrorKind::usage), {"CLAROS_LINE", bad, "8GiB"});
  }
  for (const char* good : {"1e6", "1.5GiB", "4096", "64KiB", ""}) {
    const EnvironmentVariable line("CLAROS_LINE", good);
    CHECK_NOTHROW(read_numbers(file));
  }
}

TEST_CASE("limits: exhausted memory is reported as such, not as a fault of a plugin") {
  const std::string text = complaint([] { contain("objective/x", []() -> int { throw std::bad_alloc(); }); });
  check_mentions(
      text, {"objective/x", "more memory than there is", "in use by this process", "are left", "ulimit"});
  CHECK(text.find("author") == std::string::npos);
  const auto failed = attempt([]() -> int { throw std::bad_alloc(); });
  REQUIRE_FALSE(failed.has_value());
  check_mentions(failed.error().what(), {"this program", "memory", "are left"});
}
