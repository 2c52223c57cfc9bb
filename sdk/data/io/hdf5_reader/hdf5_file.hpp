// SPDX-License-Identifier: BSD-3-Clause
/// @file hdf5_file.hpp  An HDF5 file that is not trusted.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace claros::hdf5_reader {

/// The fault of the file, and its remedy.
struct Refusal {
  std::string what, remedy;
  std::vector<std::string> names = {};  ///< what the file holds in place of what was asked for
};

/// An identifier of the library, closed when it goes.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const noexcept { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// The things that a file may bring in from elsewhere.
struct Allowed {
  bool plugins = false;  ///< filters that are loaded from HDF5_PLUGIN_PATH
  bool files = false;    ///< external storage, external links, virtual datasets
};

/// The types in which numbers are handed over.
enum class Number { float4, float8, int4, int8 };
constexpr std::size_t width_of(Number number) {
  return number == Number::float4 || number == Number::int4 ? 4 : 8;
}

/// A dataset of numbers, read by blocks of its first dimension. Refusal for all that cannot be read.
class Dataset {
 public:
  Dataset(Handle set, std::string name, Allowed allowed);
  const std::vector<hsize_t>& sizes() const noexcept { return sizes_; }
  /// "3 x 4"
  std::string sizes_text() const;
  /// Bytes that it takes in the file.
  std::uint64_t stored() const { return H5Dget_storage_size(set_); }
  /// True if the file holds integers.
  bool is_integer() const noexcept { return integer_; }
  /// Hands the numbers over in order; what does not fit an integer comes as the nearest that does. A block is
  /// as large as a row of chunks where that is larger than kBlock, so that no chunk is decompressed twice.
  void each_block(Number number, const std::function<void(std::span<const char>)>& take) const;

 private:
  void expect_own() const;
  void expect_filters() const;
  std::uint64_t rows_a_block(std::uint64_t row_bytes) const;

  Handle set_;
  std::string name_;
  Allowed allowed_;
  bool integer_ = false;
  std::vector<hsize_t> sizes_;
};

class File {
 public:
  File(const std::string& path, Allowed allowed);
  bool has(const std::string& name) const;
  Dataset open(const std::string& name) const;
  /// The integers of an attribute of an object that is there; empty if there is none such.
  std::vector<std::int64_t> integers(const std::string& object, const std::string& attribute) const;
  /// The text of one; empty if there is none such.
  std::string text(const std::string& object, const std::string& attribute) const;

 private:
  Handle attribute_of(const std::string& object, const std::string& attribute) const;
  [[noreturn]] void fail_missing(const std::string& name) const;
  Allowed allowed_;
  Handle file_, access_;
};

}  // namespace claros::hdf5_reader
