// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/comparison.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

namespace claros {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json read(const fs::path& folder) {
  std::ifstream stream(folder / "comparison.json", std::ios::binary);
  return Json::parse(stream, nullptr, false);
}

/// The folders of the cells, as the comparison that stands there names them: plain names alone are ours.
std::set<std::string> cells_of(const fs::path& folder) {
  std::set<std::string> cells;
  const Json json = read(folder);
  if (!json.is_object() || !json.contains("cells") || !json["cells"].is_array()) return cells;
  for (const Json& cell : json["cells"]) {
    if (!cell.is_object() || !cell.contains("folder") || !cell["folder"].is_string()) continue;
    const std::string name = cell["folder"].get<std::string>();
    if (!name.empty() && name.front() != '.' && name.find('/') == name.npos) cells.insert(name);
  }
  return cells;
}

std::vector<std::string> names_of(const fs::path& folder) {
  const std::set<std::string> cells = cells_of(folder);
  std::vector<std::string> names{"spec.ini", "findings.md", "figure.svg"};
  names.insert(names.end(), cells.begin(), cells.end());
  names.insert(names.end(), {"comparison.csv", "comparison.json"});
  return names;
}

bool whole(const fs::path& folder) {
  const Json json = read(folder);
  return json.is_object() && json.contains("complete") && json["complete"] == true;
}

}  // namespace

ComparisonFolder::ComparisonFolder(const fs::path& folder) : owned_(folder, {names_of, whole}) { owned_.set_aside(); }

}  // namespace claros
