// SPDX-License-Identifier: BSD-3-Clause
#include <claros/grids/comparison.hpp>

#include <claros/json_text.hpp>

#include <set>

namespace claros {

namespace {

namespace fs = std::filesystem;

Json read(const fs::path& folder) { return json_or_null(folder / "comparison.json"); }

/// The folders of the cells, as the comparison in the folder names them: only plain names are its own.
std::set<std::string> cells_of(const fs::path& folder) {
  std::set<std::string> cells;
  const Json json = read(folder);
  if (!json.is_object() || !json.contains("cells") || !json.at("cells").is_array()) return cells;
  for (const Json& cell : json.at("cells")) {
    if (!cell.is_object() || !cell.contains("folder") || !cell.at("folder").is_string()) continue;
    const std::string name = cell.at("folder").get<std::string>();
    if (!name.empty() && name.front() != '.' && name.find('/') == name.npos) cells.insert(name);
  }
  return cells;
}

std::vector<std::string> names_of(const fs::path& folder) {
  const std::set<std::string> cells = cells_of(folder);
  std::vector<std::string> names{"spec.ini", "made.json", "findings.md", "figure.svg"};
  names.insert(names.end(), cells.begin(), cells.end());
  names.insert(names.end(), {"comparison.csv", "comparison.json"});
  return names;
}

bool whole(const fs::path& folder) {
  const Json json = read(folder);
  return json.is_object() && json.contains("complete") && json.at("complete") == true;
}

}  // namespace

ComparisonFolder::ComparisonFolder(const fs::path& folder, bool goes_on) : owned_(folder, {names_of, whole}) {
  if (!goes_on) owned_.set_aside();
}

}  // namespace claros
