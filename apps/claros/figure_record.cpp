// SPDX-License-Identifier: BSD-3-Clause
#include "figure_record.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace claros::cli {

using Json = nlohmann::ordered_json;

void FigureRecord::add(const Comparison& grid, const std::filesystem::path& folder, const std::map<std::string, std::string>& parts) {
  for (const ComparisonRun& run : grid.runs) {
    if (run.folder.empty()) continue;
    std::ifstream stream(folder / run.folder / "result.json", std::ios::binary);
    const Json result = Json::parse(stream, nullptr, false);
    if (!result.is_object() || !result.contains("versions")) continue;
    for (const auto& [label, version] : result.at("versions").items())
      if (const auto found = parts.find(label); found != parts.end()) parts_[label] = found->second;
  }
}

std::string FigureRecord::text(const std::string& figure, const std::string& command) const {
  return Json{{"figure", figure}, {"command", command}, {"parts", parts_}}.dump(2) + "\n";
}

}  // namespace claros::cli
