// SPDX-License-Identifier: BSD-3-Clause
// Designs in HDF5 files.
#include "io/design_formats.hpp"

#include <claros/error.hpp>

#include <hdf5.h>

#include <mutex>

namespace claros::design_formats {
namespace {

/// An identifier of the library, closed when it goes.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const noexcept { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Keeps the library from printing what goes wrong; nothing is changed for the rest of the process.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

herr_t keep_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

class Hdf5File {
 public:
  explicit Hdf5File(const Path& path)
      : path_(path.string()), file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
    if (file_ < 0) fail("cannot be opened as HDF5", "is the file truncated, or open for writing elsewhere?");
  }

  bool has(const std::string& name) const { return H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0; }

  std::vector<hsize_t> sizes(const std::string& name) const {
    const Handle set = open(name), space(H5Dget_space(set), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space);
    std::vector<hsize_t> sizes(rank > 0 ? static_cast<std::size_t>(rank) : 0);
    if (rank > 0) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    return sizes;
  }

  void read(const std::string& name, std::span<double> out) const {
    read(name, H5T_NATIVE_DOUBLE, out.data());
  }
  void read(const std::string& name, std::span<float> out) const { read(name, H5T_NATIVE_FLOAT, out.data()); }

  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw Error(ErrorKind::data, path_, what, remedy);
  }

 private:
  Handle open(const std::string& name) const {
    if (!has(name)) fail_missing(name);
    const hid_t id = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    if (id < 0) fail("'" + name + "' is not a dataset", "name a dataset, not a group");
    return {id, H5Dclose};
  }
  void read(const std::string& name, hid_t type, void* out) const {
    const Handle set = open(name), stored(H5Dget_type(set), H5Tclose);
    const H5T_class_t kind = H5Tget_class(stored);
    if (kind != H5T_FLOAT && kind != H5T_INTEGER)
      fail("dataset '" + name + "' does not hold numbers", "expected floating-point or integer values");
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0)
      fail("dataset '" + name + "' cannot be read",
           "is the file truncated, or its compression unknown here?");
  }
  [[noreturn]] void fail_missing(const std::string& name) const {
    std::vector<std::string> names;
    hsize_t at = 0;
    H5Literate(file_, H5_INDEX_NAME, H5_ITER_INC, &at, keep_name, &names);
    std::string list;
    for (const std::string& other : names) list += (list.empty() ? "" : ", ") + other;
    const std::string hint = did_you_mean(name, names);
    fail("there is no dataset '" + name + "'",
         (hint.empty() ? "" : hint + " ") + "the file holds " + (list.empty() ? "nothing" : list));
  }

  std::string path_;
  Handle file_;
};

std::string text(const std::vector<hsize_t>& sizes) {
  std::string result;
  for (const hsize_t size : sizes) result += (result.empty() ? "" : " x ") + std::to_string(size);
  return result.empty() ? "a single number" : result;
}

void read_response(const Hdf5File& file, const std::string& name, Design& design) {
  const auto sizes = file.sizes(name);
  const bool one_a_row = !sizes.empty() && sizes[0] == static_cast<hsize_t>(design.rows) &&
                         (sizes.size() == 1 || (sizes.size() == 2 && sizes[1] == 1));
  if (!one_a_row)
    file.fail("dataset '" + name + "' is " + text(sizes),
              "expected one response for each of " + std::to_string(design.rows) + " rows");
  design.response.resize(static_cast<std::size_t>(design.rows));
  file.read(name, std::span<double>(design.response));
}

}  // namespace

Design read_hdf5(const Path& path, const DesignOptions& options, const Context& context) {
  // The library of Debian may not be entered twice.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const Quiet quiet;
  const Hdf5File file(path);
  const auto sizes = file.sizes(options.dataset);
  if (sizes.size() != 2 || sizes[0] == 0 || sizes[1] == 0)
    file.fail("dataset '" + options.dataset + "' is " + text(sizes), "expected rows x columns");
  Design design;
  design.rows = static_cast<Index>(sizes[0]);
  design.cols = static_cast<Index>(sizes[1]);
  context.note(memory_text(design.rows, design.cols, is_single(options)));
  const auto fill = [&](auto& values) {
    values.resize(static_cast<std::size_t>(sizes[0] * sizes[1]));
    file.read(options.dataset, std::span(values));
  };
  if (is_single(options))
    fill(design.entries.emplace<DenseRows<float>>().values);
  else
    fill(design.entries.emplace<DenseRows<double>>().values);
  const std::string response = options.response == "auto" ? "y" : options.response;
  if (file.has(response) || !response_is_file(options, context)) read_response(file, response, design);
  return design;
}

}  // namespace claros::design_formats
