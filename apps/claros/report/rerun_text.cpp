// SPDX-License-Identifier: BSD-3-Clause
#include "report/rerun_text.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include "cli/terminal.hpp"

namespace claros::cli {

namespace fs = std::filesystem;

std::string whole_file(const fs::path& file) {
  std::error_code code;
  if (!fs::is_regular_file(file, code)) return {};
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string spec_word(const fs::path& folder) {
  return shell_word(fs::absolute(folder / "spec.ini").string());
}

void add_specification(Report& report, const fs::path& folder, const std::string& command) {
  const std::string spec = whole_file(folder / "spec.ini");
  if (spec.empty()) return;
  report.texts.push_back({"Specification", spec});
  report.texts.push_back({"To run it again", command});
}

}  // namespace claros::cli
