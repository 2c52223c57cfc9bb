// SPDX-License-Identifier: BSD-3-Clause
#include "cli/installed_files.hpp"

namespace claros::cli {

namespace fs = std::filesystem;

fs::path papers_folder() {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  return (program.parent_path() / CLAROS_PAPERS_FROM_PROGRAM).lexically_normal();
}

fs::path templates_folder() { return papers_folder().parent_path() / "templates"; }

}  // namespace claros::cli
