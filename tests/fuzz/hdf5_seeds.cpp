// SPDX-License-Identifier: BSD-3-Clause
#include "seeds.hpp"

#include <hdf5.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

namespace claros::fuzz {
namespace {

/// The bytes of an HDF5 file that `fill` writes.
std::string file_of(const std::function<void(hid_t file)>& fill, bool latest) {
  const auto path =
      std::filesystem::temp_directory_path() / ("claros-fuzz-seed-" + std::to_string(::getpid()) + ".h5");
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  fill(file);
  H5Fclose(file);
  H5Pclose(access);
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(path);
  return bytes;
}

void put(hid_t file, const char* name, const std::vector<hsize_t>& sizes, hid_t made) {
  std::vector<double> values;
  hsize_t count = 1;
  for (const hsize_t size : sizes) count *= size;
  for (hsize_t k = 0; k < count; ++k) values.push_back(static_cast<double>(k) / 4);
  const hid_t space = H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
  const hid_t set = H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, made, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(set);
  H5Sclose(space);
}

void put_integers(hid_t file, const char* name, const std::vector<int>& values) {
  const hsize_t size = values.size();
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t set = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(set);
  H5Sclose(space);
}

}  // namespace

Seeds hdf5_seeds() {
  const hid_t packed = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[2] = {2, 3};
  H5Pset_chunk(packed, 2, chunk);
  H5Pset_shuffle(packed);
  H5Pset_deflate(packed, 6);
  H5Pset_fletcher32(packed);
  const auto plain = [](hid_t file) {
    put(file, "X", {4, 3}, H5P_DEFAULT), put(file, "y", {4}, H5P_DEFAULT);
  };
  const auto chunked = [&](hid_t file) {
    put(file, "X", {4, 3}, packed), put(file, "y", {4, 1}, H5P_DEFAULT);
  };
  const auto linked = [](hid_t file) {
    put(file, "y", {4}, H5P_DEFAULT);
    H5Lcreate_external("other.h5", "/X", file, "X", H5P_DEFAULT, H5P_DEFAULT);
  };
  const auto compressed = [](hid_t file) {
    H5Gclose(H5Gcreate2(file, "X", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    put(file, "X/data", {3}, H5P_DEFAULT), put(file, "y", {2}, H5P_DEFAULT);
    put_integers(file, "X/indices", {1, 0, 2}), put_integers(file, "X/indptr", {0, 1, 3}),
        put_integers(file, "X/shape", {2, 4});
  };
  const Seeds seeds{file_of(compressed, false), file_of(compressed, true), file_of(plain, false),
                    file_of(plain, true),       file_of(chunked, false),   file_of(chunked, true),
                    file_of(linked, false)};
  H5Pclose(packed);
  return seeds;
}

}  // namespace claros::fuzz
