// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "complete/candidates.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

fs::path home() {
  const char* folder = std::getenv("HOME");
  return folder ? folder : "";
}

bool wanted(const fs::path& file, Files sort) {
  switch (sort) {
    case Files::any:
      return true;
    case Files::folders:
      return false;
    case Files::specifications:
      return file.extension() == ".ini";
    case Files::libraries:
      return file.extension() == ".so";
  }
  return false;
}

}  // namespace

Candidates file_candidates(const std::string& begun, const fs::path& base, Files sort) {
  const auto slash = begun.rfind('/');
  const std::string lead = slash == begun.npos ? "" : begun.substr(0, slash + 1);
  const std::string leaf = begun.substr(lead.size());
  const fs::path folder = lead.starts_with("~/") ? home() / lead.substr(2) : base / lead;
  Candidates result;
  std::error_code code, unknown;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, code), end; !code && at != end;
       at.increment(code)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(leaf) || (name.front() == '.' && leaf.empty())) continue;
    if (at->is_directory(unknown))
      result.push_back({lead + name + '/', ""});
    else if (wanted(at->path(), sort))
      result.push_back({lead + name, ""});
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.word < b.word; });
  return result;
}

}  // namespace claros::cli
