// SPDX-License-Identifier: BSD-3-Clause
/// @file plugin_folders.hpp  Folders of fixture plugins for the tests of the catalog.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>
#include <claros/compose/plan.hpp>

#include "test_files.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace claros::test {

namespace fs = std::filesystem;

inline const fs::path kFixtures = CLAROS_BAD_PLUGIN_DIR;

inline std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder of its own, removed with everything in it. The loader knows a library by its path: none is used
/// twice.
struct Folder {
  fs::path path;
  Folder() {
    static std::atomic<int> count = 0;
    path =
        fs::temp_directory_path() / ("claros-" + std::to_string(::getpid()) + '-' + std::to_string(count++));
    fs::create_directories(path);
    fs::permissions(path, fs::perms::owner_all);
  }
  ~Folder() { fs::remove_all(path); }
  fs::path put(const std::string& fixture, const std::string& name = {}) const {
    const fs::path file = path / (name.empty() ? fixture + ".so" : name);
    fs::copy_file(kFixtures / (fixture + ".so"), file);
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
    return path / name;
  }
};

inline Catalog scanned(const std::vector<fs::path>& folders) {
  Catalog catalog;
  SearchPath path;
  for (const fs::path& folder : folders) path.push_back({folder, "test", true});
  catalog.scan(path);
  return catalog;
}

}  // namespace claros::test
