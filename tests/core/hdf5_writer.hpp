// SPDX-License-Identifier: BSD-3-Clause
/// @file hdf5_writer.hpp  HDF5 files for tests.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <vector>

struct Hdf5Writer {
  hid_t file;
  explicit Hdf5Writer(const std::filesystem::path& path)
      : file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~Hdf5Writer() { H5Fclose(file); }
  /// A dataset of `values`, or one that was never written if there are none.
  void put(const char* name, std::vector<hsize_t> sizes, hid_t stored, const std::vector<double>& values,
           hid_t made = H5P_DEFAULT) const {
    const hid_t space = H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
    const hid_t set = H5Dcreate2(file, name, stored, space, H5P_DEFAULT, made, H5P_DEFAULT);
    if (!values.empty()) H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(set);
    H5Sclose(space);
  }
};
