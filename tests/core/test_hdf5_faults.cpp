// SPDX-License-Identifier: BSD-3-Clause
// HDF5 files that are not to be trusted: sizes that no machine has, code and files from elsewhere, and the
// end of the program that reads them.
#include <claros/io/design_io.hpp>

#include "environment_variable.hpp"
#include "hdf5_writer.hpp"
#include "test_files.hpp"

#include <stdlib.h>
#include <sys/wait.h>

#include <cerrno>
#include <numeric>
#include <thread>

using namespace claros;

namespace {

constexpr double kOne = 1;

DesignOptions allowing(const std::string& what) {
  DesignOptions options;
  options.hdf5 = what;
  return options;
}

std::string hdf5_refusal(const std::filesystem::path& file, const DesignOptions& options = {},
                         ErrorKind kind = ErrorKind::data) {
  return complaint([&] { read_design(file, options); }, kind);
}

std::vector<double> values_of(const std::filesystem::path& file, const DesignOptions& options = {}) {
  return std::get<DenseRows<double>>(read_design(file, options).entries).values;
}

hid_t chunked(hsize_t rows, hsize_t cols) {
  const hid_t made = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[2] = {rows, cols};
  H5Pset_chunk(made, 2, chunk);
  return made;
}

/// What `reader`, a shell script in the place of the program that reads HDF5, makes of a sound file.
std::string with_reader(const std::string& script, ErrorKind kind = ErrorKind::data) {
  const TestFolder folder;
  {
    const Hdf5Writer out(folder / "d.h5");
    out.put("X", {1, 1}, H5T_IEEE_F64LE, {kOne});
  }
  const auto program = folder.put("reader", "#!/bin/sh\n" + script + "\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const EnvironmentVariable reader("CLAROS_HDF5_READER", program.string());
  DesignOptions options;
  options.patience = 0.5;
  return hdf5_refusal(folder / "d.h5", options, kind);
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }

}  // namespace

TEST_CASE("HDF5: sizes whose product no machine holds are refused, and so is what was never written") {
  const TestFolder folder;
  const hid_t made = chunked(1, 1);
  const auto file = [&](const char* name, hsize_t rows, hsize_t cols) {
    const Hdf5Writer out(folder / name);
    out.put("X", {rows, cols}, H5T_IEEE_F64LE, {}, made);
    out.put("y", {rows}, H5T_IEEE_F64LE, {}, H5P_DEFAULT);
    return folder / name;
  };
  // 2^33 x 2^31 numbers are 2^64, of 8 bytes 2^67: both products wrap around.
  check_mentions(hdf5_refusal(file("wrap.h5", hsize_t{1} << 33U, hsize_t{1} << 31U)),
                 {"wrap.h5", "8589934592 x 2147483648", "no memory"});
  check_mentions(hdf5_refusal(file("bytes.h5", hsize_t{1} << 31U, hsize_t{1} << 30U)),
                 {"bytes.h5", "no memory"});
  check_mentions(hdf5_refusal(file("empty.h5", 1000000, 1000000)),
                 {"empty.h5", "0 bytes of compressed", "7.3 TiB", "CLAROS_EXPANSION"});
  const EnvironmentVariable trusted("CLAROS_EXPANSION", "1e30");
  check_mentions(hdf5_refusal(folder / "empty.h5"),
                 {"empty.h5", "1000000 x 1000000", "7.3 TiB", "CLAROS_MEMORY"});
  H5Pclose(made);
}

TEST_CASE("HDF5: numbers in other files are read only where that is allowed") {
  const TestFolder folder;
  {
    const Hdf5Writer out(folder / "other.h5");
    out.put("X", {2, 1}, H5T_IEEE_F64LE, {1, 2});
  }
  const double outside[2] = {3, 4};
  folder.put("secret", std::string(reinterpret_cast<const char*>(outside), sizeof outside));
  const hid_t external = H5Pcreate(H5P_DATASET_CREATE), virtually = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(external, (folder / "secret").c_str(), 0, sizeof outside);
  const hsize_t sizes[2] = {2, 1};
  const hid_t space = H5Screate_simple(2, sizes, nullptr);
  H5Pset_virtual(virtually, space, (folder / "other.h5").c_str(), "/X", space);
  {
    const Hdf5Writer out(folder / "d.h5");
    out.put("X", {2, 1}, H5T_IEEE_F64LE, {}, external);
    out.put("virtual", {2, 1}, H5T_IEEE_F64LE, {}, virtually);
    out.put("y", {2}, H5T_IEEE_F64LE, {5, 6});
    H5Lcreate_external((folder / "other.h5").c_str(), "/X", out.file, "link", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external((folder / "other.h5").c_str(), "/", out.file, "there", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/there/X", out.file, "round", H5P_DEFAULT, H5P_DEFAULT);
  }
  const std::pair<const char*, const char*> sets[] = {{"X", "external storage"},
                                                      {"virtual", "virtual"},
                                                      {"link", "link into another file"},
                                                      {"there/X", "link into another file"},
                                                      {"round", "link into another file"}};
  for (const auto& [name, why] : sets) {
    CAPTURE(name);
    DesignOptions options;
    options.dataset = name;
    for (const char* own : {"own", "plugins"}) {
      options.hdf5 = own;
      check_mentions(hdf5_refusal(folder / "d.h5", options), {"d.h5", name, why, "objective.hdf5 = files"});
    }
    options.hdf5 = "files";
    CHECK(values_of(folder / "d.h5", options) ==
          (std::string(name) == "X" ? std::vector<double>{3, 4} : std::vector<double>{1, 2}));
  }
  DesignOptions options;
  options.dataset = "there/none/X";
  check_mentions(hdf5_refusal(folder / "d.h5", options), {"link into another file"});
  H5Sclose(space), H5Pclose(external), H5Pclose(virtually);
}

TEST_CASE("HDF5: a filter is loaded only where that is allowed") {
  const TestFolder folder;
  const hid_t made = chunked(2, 1);
  {
    const EnvironmentVariable path("HDF5_PLUGIN_PATH", CLAROS_TEST_FILTERS);
    H5PLreplace(CLAROS_TEST_FILTERS, 0);
    H5Pset_filter(made, 32001, H5Z_FLAG_MANDATORY, 0, nullptr);
    const Hdf5Writer out(folder / "d.h5");
    out.put("X", {2, 1}, H5T_IEEE_F64LE, {1, 2}, made);
    out.put("y", {2}, H5T_IEEE_F64LE, {1, 2});
  }
  H5Pclose(made);
  const EnvironmentVariable path("HDF5_PLUGIN_PATH", CLAROS_TEST_FILTERS),
      mark("CLAROS_TEST_MARK", (folder / "mark").string());
  for (const char* own : {"own", "files"}) {
    check_mentions(hdf5_refusal(folder / "d.h5", allowing(own)),
                   {"d.h5", "filter 32001", "objective.hdf5 = plugins", "code"});
    CHECK_FALSE(std::filesystem::exists(folder / "mark"));
  }
  CHECK(values_of(folder / "d.h5", allowing("plugins")) == std::vector<double>{1, 2});
  CHECK(std::filesystem::exists(folder / "mark"));
  CHECK(values_of(folder / "d.h5", allowing("all")) == std::vector<double>{1, 2});
}

TEST_CASE("HDF5: the end of the program that reads is a complaint about the file, with its last words") {
  check_mentions(with_reader("echo 'free(): invalid pointer' >&2; kill -SEGV $$"),
                 {"d.h5", "crashed (Segmentation fault)", "free(): invalid pointer"});
  check_mentions(with_reader("kill -ABRT $$"), {"d.h5", "crashed (Aborted)"});
  check_mentions(with_reader("exit 0"), {"d.h5", "ended with 0 before it was through"});
  check_mentions(with_reader("exec sleep 100"), {"d.h5", "hangs", "0.5 seconds", "objective.patience"});
  check_mentions(with_reader("exec cat /dev/zero"), {"d.h5", "does not speak as expected"});
  check_mentions(with_reader("printf '\\005C5H\\002\\000\\000\\000\\000\\000'"),
                 {"d.h5", "does not speak as expected"});  // a refusal without a word
  // More complaints than a pipe holds, and then a crash.
  check_mentions(with_reader("i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789 "
                             ">&2; i=$((i+1)); done; echo last >&2; exit 7"),
                 {"ended with 7", "last"});
  CHECK_FALSE(has_children());
}

TEST_CASE("HDF5: a program that is not there, or cannot be started, is named") {
  const TestFolder folder;
  {
    const Hdf5Writer out(folder / "d.h5");
    out.put("X", {1, 1}, H5T_IEEE_F64LE, {kOne});
  }
  const EnvironmentVariable reader("CLAROS_HDF5_READER", (folder / "none").string());
  check_mentions(hdf5_refusal(folder / "d.h5", {}, ErrorKind::plugin), {"none", "cannot be started", "d.h5"});
}

TEST_CASE("HDF5: blocks, chunks and threads") {
  const TestFolder folder;
  constexpr std::size_t kRows = 3001, kCols = 211;  // more than a block, and no multiple of the chunks
  std::vector<double> values(kRows * kCols), response(kRows);
  std::iota(values.begin(), values.end(), -7.0);
  std::iota(response.begin(), response.end(), 0.25);
  const hid_t made[] = {H5P_DEFAULT, chunked(7, 10), chunked(2999, 211), chunked(3001, 1)};
  for (std::size_t k = 0; k < 4; ++k) {
    if (k > 0) H5Pset_deflate(made[k], 1);
    const Hdf5Writer out(folder / std::to_string(k));
    out.put("X", {kRows, kCols}, H5T_IEEE_F64BE, values, made[k]);
    out.put("y", {kRows, 1}, H5T_IEEE_F64LE, response);
    if (k > 0) H5Pclose(made[k]);
  }
  bool same[8] = {};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      const Design design = read_design(folder / std::to_string(t % 4));
      same[t] = std::get<DenseRows<double>>(design.entries).values == values && design.response == response;
    });
  for (std::thread& thread : threads) thread.join();
  for (const bool one : same) CHECK(one);
  CHECK_FALSE(has_children());
}
