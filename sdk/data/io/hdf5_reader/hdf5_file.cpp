// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5_file.hpp"

#include "hdf5_stream.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace claros::hdf5_reader {
namespace {

/// Set where a link to another file was met and not followed.
bool external_link_met = false;

herr_t refuse_link(const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) {
  external_link_met = true;
  return -1;
}

herr_t keep_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  auto& list = *static_cast<std::vector<std::string>*>(names);
  if (list.size() < 20) list.emplace_back(name);
  return 0;
}

/// How datasets are looked up: without following links to other files, unless allowed.
Handle access_of(Allowed allowed) {
  Handle list(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  if (!allowed.files) H5Pset_elink_cb(list, refuse_link, nullptr);
  return list;
}

const char* kAllowFiles = "if the file is trusted, objective.hdf5 = files reads the others too";

[[noreturn]] void fail_link(const std::string& name) {
  throw Refusal{"'" + name + "' is a link into another file", kAllowFiles};
}

hid_t memory_type(Number number) {
  switch (number) {
    case Number::float4:
      return H5T_NATIVE_FLOAT;
    case Number::int4:
      return H5T_NATIVE_INT32;
    case Number::int8:
      return H5T_NATIVE_INT64;
    default:
      return H5T_NATIVE_DOUBLE;
  }
}

std::string text(const std::vector<hsize_t>& sizes) {
  std::string result;
  for (const hsize_t size : sizes) result += (result.empty() ? "" : " x ") + std::to_string(size);
  return result.empty() ? "a single number" : result;
}

/// Room for blocks of that size and for the needs of the library; a damaged file may ask for more.
void limit_memory(std::uint64_t block) {
#ifndef CLAROS_SANITIZED  // the address sanitizer reserves terabytes
  constexpr std::uint64_t kLibrary = std::uint64_t{1} << 30U;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, kLibrary + 4 * std::min(block, std::uint64_t{1} << 50U));
  setrlimit(RLIMIT_AS, &limit);
#else
  (void)block;
#endif
}

}  // namespace

File::File(const std::string& path, Allowed allowed)
    : allowed_(allowed),
      file_((limit_memory(0), H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)), H5Fclose),
      access_(access_of(allowed)) {
  if (file_ < 0)
    throw Refusal{"cannot be opened as HDF5", "is the file truncated, or open for writing elsewhere?"};
}

bool File::has(const std::string& name) const {
  external_link_met = false;
  // For "a/b" each step must be asked for: the library takes a missing group for an error.
  bool found = !name.empty();
  for (std::size_t slash = name.find('/', 1); found && slash != name.npos; slash = name.find('/', slash + 1))
    found = H5Lexists(file_, name.substr(0, slash).c_str(), access_) > 0;
  found = found && H5Lexists(file_, name.c_str(), access_) > 0;
  if (external_link_met) fail_link(name);
  return found;
}

Dataset File::open(const std::string& name) const {
  if (!has(name)) fail_missing(name);
  external_link_met = false;
  Handle set(H5Dopen2(file_, name.c_str(), access_), H5Dclose);
  if (external_link_met) fail_link(name);
  if (set < 0)
    throw Refusal{"'" + name + "' is not a dataset",
                  "name a dataset, or a group of compressed rows (data, indices, indptr)"};
  return {std::move(set), name, allowed_};
}

Handle File::attribute_of(const std::string& object, const std::string& attribute) const {
  const bool there = H5Aexists_by_name(file_, object.c_str(), attribute.c_str(), access_) > 0;
  return {there ? H5Aopen_by_name(file_, object.c_str(), attribute.c_str(), H5P_DEFAULT, access_) : hid_t{-1},
          H5Aclose};
}

std::vector<std::int64_t> File::integers(const std::string& object, const std::string& attribute) const {
  constexpr hssize_t kMost = 16;
  const Handle found = attribute_of(object, attribute);
  if (found < 0) return {};
  const Handle type(H5Aget_type(found), H5Tclose), space(H5Aget_space(found), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (H5Tget_class(type) != H5T_INTEGER || count < 1 || count > kMost) return {};
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  return H5Aread(found, H5T_NATIVE_INT64, numbers.data()) < 0 ? std::vector<std::int64_t>() : numbers;
}

std::string File::text(const std::string& object, const std::string& attribute) const {
  constexpr std::size_t kMost = 64;
  const Handle found = attribute_of(object, attribute);
  if (found < 0) return {};
  const Handle type(H5Aget_type(found), H5Tclose), space(H5Aget_space(found), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) return {};
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    if (H5Aread(found, type, &text) < 0 || !text) return {};
    const std::string copy(text, ::strnlen(text, kMost));
    H5free_memory(text);
    return copy;
  }
  std::string text(H5Tget_size(type), '\0');
  if (text.size() > kMost || H5Aread(found, type, text.data()) < 0) return {};
  return text.substr(0, text.find('\0'));
}

void File::fail_missing(const std::string& name) const {
  std::vector<std::string> names;
  hsize_t at = 0;
  H5Literate(file_, H5_INDEX_NAME, H5_ITER_INC, &at, keep_name, &names);
  throw Refusal{"there is no dataset '" + name + "'", "the file holds no other", names};
}

Dataset::Dataset(Handle set, std::string name, Allowed allowed)
    : set_(std::move(set)), name_(std::move(name)), allowed_(allowed) {
  expect_own();
  const Handle stored(H5Dget_type(set_), H5Tclose);
  const H5T_class_t kind = H5Tget_class(stored);
  if (kind != H5T_FLOAT && kind != H5T_INTEGER)
    throw Refusal{"dataset '" + name_ + "' does not hold numbers",
                  "expected floating-point or integer values"};
  integer_ = kind == H5T_INTEGER;
  const Handle space(H5Dget_space(set_), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space);
  sizes_.resize(rank > 0 ? static_cast<std::size_t>(rank) : 0);
  if (rank > 0 && H5Sget_simple_extent_dims(space, sizes_.data(), nullptr) != rank)
    throw Refusal{"the size of dataset '" + name_ + "' cannot be read", "is the file damaged?"};
  std::uint64_t bytes = 16;  // an element of the file is no wider
  for (const hsize_t size : sizes_)
    if (__builtin_mul_overflow(bytes, size, &bytes) || bytes > std::numeric_limits<std::int64_t>::max())
      throw Refusal{"dataset '" + name_ + "' is " + sizes_text() + ": no memory holds so many numbers",
                    "is the file damaged?"};
}

/// Checks that all data to be read are in this file; called before anything is read.
void Dataset::expect_own() const {
  const Handle made(H5Dget_create_plist(set_), H5Pclose);
  if (made < 0) throw Refusal{"dataset '" + name_ + "' cannot be read", "is the file damaged?"};
  const H5D_layout_t layout = H5Pget_layout(made);
  if (layout < 0)
    throw Refusal{"the layout of dataset '" + name_ + "' cannot be read", "is the file damaged?"};
  if (!allowed_.files && layout == H5D_VIRTUAL)
    throw Refusal{"dataset '" + name_ + "' is virtual: made of others, in this file or in other ones",
                  kAllowFiles};
  const int external = H5Pget_external_count(made);
  if (external < 0) throw Refusal{"dataset '" + name_ + "' cannot be read", "is the file damaged?"};
  if (!allowed_.files && external > 0)
    throw Refusal{"the numbers of dataset '" + name_ + "' stand in other files (external storage)",
                  kAllowFiles};
}

std::string Dataset::sizes_text() const { return text(sizes_); }

/// Filters without which the numbers cannot be had, and that are not there.
void Dataset::expect_filters() const {
  const Handle made(H5Dget_create_plist(set_), H5Pclose);
  for (int i = 0; i < H5Pget_nfilters(made); ++i) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    char name[80] = {};
    const H5Z_filter_t filter = H5Pget_filter2(made, static_cast<unsigned>(i), &flags, &values, nullptr,
                                               sizeof name - 1, name, &config);
    if (filter < 0)
      throw Refusal{"the filters of dataset '" + name_ + "' cannot be read", "is the file damaged?"};
    if (H5Zfilter_avail(filter) > 0) continue;
    const std::string which = std::to_string(filter) + (name[0] ? " (" + std::string(name) + ")" : "");
    throw Refusal{"dataset '" + name_ + "' was compressed by filter " + which +
                      ", which the HDF5 library does not have",
                  allowed_.plugins
                      ? "put its plugin into a folder of HDF5_PLUGIN_PATH, or write the file with gzip"
                      : "write the file with gzip; objective.hdf5 = plugins loads filters, which run as "
                        "code of this user, from HDF5_PLUGIN_PATH"};
  }
}

std::uint64_t Dataset::rows_a_block(std::uint64_t row_bytes) const {
  const Handle made(H5Dget_create_plist(set_), H5Pclose);
  std::vector<hsize_t> chunk(sizes_.size(), 1);
  const bool chunked =
      H5Pget_layout(made) == H5D_CHUNKED &&
      H5Pget_chunk(made, static_cast<int>(chunk.size()), chunk.data()) == static_cast<int>(chunk.size());
  const std::uint64_t step = chunked ? std::max<std::uint64_t>(chunk[0], 1) : 1;
  const std::uint64_t fitting =
      std::max<std::uint64_t>(hdf5_stream::kBlock / std::max<std::uint64_t>(row_bytes, 1), 1);
  return std::min<std::uint64_t>(std::max(step, fitting / step * step), sizes_[0]);
}

void Dataset::each_block(Number number, const std::function<void(std::span<const char>)>& take) const {
  expect_filters();
  const std::size_t width = width_of(number);
  std::uint64_t row_bytes = width;
  for (std::size_t d = 1; d < sizes_.size(); ++d) row_bytes *= sizes_[d];
  const std::uint64_t rows = rows_a_block(row_bytes);
  limit_memory(rows * row_bytes);
  std::vector<char> block(rows * row_bytes);
  const Handle space(H5Dget_space(set_), H5Sclose);
  std::vector<hsize_t> from(sizes_.size(), 0), count = sizes_;
  for (; from[0] < sizes_[0]; from[0] += rows) {
    count[0] = std::min<hsize_t>(rows, sizes_[0] - from[0]);
    const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, from.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dread(set_, memory_type(number), memory, space, H5P_DEFAULT, block.data()) < 0)
      throw Refusal{"dataset '" + name_ + "' cannot be read",
                    "is the file truncated, or its compression unknown here?"};
    take(std::span(block).first(count[0] * row_bytes));
  }
}

}  // namespace claros::hdf5_reader
