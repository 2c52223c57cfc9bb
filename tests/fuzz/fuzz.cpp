// SPDX-License-Identifier: BSD-3-Clause
// claros_fuzz: one reader, named by CLAROS_FUZZ_READER, on what libFuzzer makes. `claros_fuzz --list` prints
// the readers, `claros_fuzz --seeds FOLDER` writes a folder of sound files for each.
#include "readers.hpp"

#include <claros/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

using namespace claros::fuzz;

namespace {

const Reader* chosen = nullptr;

/// A file that bears the bytes of the moment; it has a name, since HDF5 resolves links to what it opens.
class InputFile {
 public:
  InputFile() {
    path_ =
        (std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path().string()) +
        "/claros-fuzz-XXXXXX";
    file_ = ::mkstemp(path_.data());
    if (file_ < 0) std::abort();
  }
  ~InputFile() { ::unlink(path_.c_str()); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  const std::string& holding(const std::string& bytes) {
    if (::pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()) ||
        ::ftruncate(file_, static_cast<off_t>(bytes.size())) != 0)
      std::abort();
    return path_;
  }

 private:
  int file_ = -1;
  std::string path_;
};

/// How many inputs were read and refused; printed at the end.
struct Counts {
  long read = 0, refused = 0;
  ~Counts() {
    if (chosen)
      std::cerr << "claros_fuzz: " << chosen->name << ": " << read << " read, " << refused << " refused\n";
  }
} counts;

void write_seeds(const std::filesystem::path& folder) {
  for (const Reader& reader : readers()) {
    std::filesystem::create_directories(folder / reader.name);
    int number = 0;
    for (const std::string& seed : reader.seeds())
      std::ofstream(folder / reader.name / std::to_string(++number), std::ios::binary) << seed;
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  const std::string first = *count > 1 ? (*words)[1] : "";
  if (first == "--list") {
    for (const Reader& reader : readers()) std::puts(reader.name.c_str());
    std::exit(0);
  }
  if (first == "--seeds" && *count > 2) {
    write_seeds((*words)[2]);
    std::exit(0);
  }
  const char* name = std::getenv("CLAROS_FUZZ_READER");
  const auto found = std::find_if(readers().begin(), readers().end(),
                                  [&](const Reader& r) { return name && r.name == name; });
  if (found == readers().end()) {
    std::cerr << "CLAROS_FUZZ_READER names no reader; --list prints them\n";
    std::exit(2);
  }
  chosen = &*found;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile file;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (chosen->wrap) bytes = chosen->wrap(bytes);
  try {
    chosen->read(file.holding(bytes));
    ++counts.read;
  } catch (const claros::Error& error) {
    ++counts.refused;
    // A refusal says where, and something of what.
    if (error.complaints().empty() || error.complaints().front().where.empty() ||
        error.complaints().front().what.empty())
      std::abort();
    if (error.kind() == claros::ErrorKind::plugin) {
      std::cerr << error.what() << '\n';
      std::abort();
    }
  }
  return 0;
}
