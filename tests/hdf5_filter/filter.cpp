// SPDX-License-Identifier: BSD-3-Clause
// A filter plugin of HDF5 that changes nothing, and writes a file where CLAROS_TEST_MARK says when it is
// loaded.
#include <H5PLextern.h>

#include <cstdlib>
#include <fstream>

namespace {

struct Mark {
  Mark() {
    if (const char* path = std::getenv("CLAROS_TEST_MARK")) std::ofstream(path) << "loaded\n";
  }
} mark;

std::size_t unchanged(unsigned, std::size_t, const unsigned*, std::size_t size, std::size_t*, void**) {
  return size;
}

const H5Z_class2_t kFilter{H5Z_CLASS_T_VERS, 32001, 1, 1, "claros test", nullptr, nullptr, unchanged};

}  // namespace

extern "C" H5PL_type_t H5PLget_plugin_type() { return H5PL_TYPE_FILTER; }
extern "C" const void* H5PLget_plugin_info() { return &kFilter; }
