// SPDX-License-Identifier: BSD-3-Clause
/// @file elf_image.hpp  Checked access to a library's bytes, by offset and by the address that they will
/// have.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace claros {

/// A shared library of this machine, read and not loaded. Everything throws Error(plugin) that says what is
/// wrong with the file.
class ElfImage {
 public:
  using Header = ElfW(Ehdr);
  using Segment = ElfW(Phdr);
  using Section = ElfW(Shdr);
  using Symbol = ElfW(Sym);
  using Dynamic = ElfW(Dyn);
  using Address = ElfW(Addr);

  /// No table of a plugin's file is larger: the names of 300,000 symbols of C++ take some 30 MiB.
  static constexpr std::uint64_t kLargestTable = std::uint64_t{256} << 20U;

  /// Checks word size, byte order, machine and type, and that no segment lies beyond the file's end.
  explicit ElfImage(const std::filesystem::path& path);

  [[noreturn]] void reject(const std::string& what, const std::string& remedy) const;
  [[noreturn]] void damaged(const std::string& what) const;
  [[noreturn]] void truncated(const std::string& what) const;
  bool holds(std::uint64_t offset, std::uint64_t length) const;
  /// True if the file has content for these addresses; the loader fills others with zeros.
  bool backed(Address address, std::uint64_t length) const;

  /// `count` consecutive records; `what` names them when the file ends before they do.
  template <class Record>
  std::vector<Record> read(std::uint64_t offset, std::uint64_t count, const char* what) {
    if (count > kLargestTable / sizeof(Record))
      reject("its " + std::string(what) + " is said to take more than " +
                 std::to_string(kLargestTable >> 20U) + " MiB",
             "is the file damaged? A library of so many symbols cannot be a plugin");
    if (count > size_ / sizeof(Record) || !holds(offset, count * sizeof(Record))) truncated(what);
    std::vector<Record> records(count);
    fill(offset, reinterpret_cast<char*>(records.data()), count * sizeof(Record));
    return records;
  }
  /// Reads the records at an address.
  template <class Record>
  std::vector<Record> read_at(Address address, std::uint64_t count, const char* what) {
    if (count > size_ / sizeof(Record)) truncated(what);
    return read<Record>(offset_of(address, count * sizeof(Record), what), count, what);
  }
  /// The text at an address, up to its terminator.
  std::string text_at(Address address, const char* what);

  std::vector<Section> sections();
  /// The value of the first entry of the dynamic table with that tag; 0 if there is none.
  Address dynamic(std::int64_t tag) const;
  /// The strings that entries of a tag name: DT_NEEDED, DT_RUNPATH.
  std::vector<std::string> dynamic_texts(std::int64_t tag);

 private:
  void check_identity();
  void check_header();
  void read_segments();
  void fill(std::uint64_t offset, char* to, std::uint64_t length);
  void read_bytes(std::uint64_t offset, char* to, std::uint64_t length);
  const Segment* segment_of(Address address, std::uint64_t length) const;
  std::uint64_t offset_of(Address address, std::uint64_t length, const char* what) const;

  std::string path_;
  std::ifstream in_;
  std::uint64_t size_ = 0, window_begin_ = 0;
  std::vector<char> window_;  ///< the whole of a small file, or what short reads share
  Header header_{};
  std::vector<Segment> segments_;
  std::vector<Dynamic> dynamic_;
};

}  // namespace claros
