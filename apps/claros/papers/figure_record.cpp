// SPDX-License-Identifier: BSD-3-Clause
#include "papers/figure_record.hpp"

#include <claros/json_text.hpp>

namespace claros::cli {

void FigureRecord::add(const Comparison& grid, const std::filesystem::path& folder,
                       const std::map<std::string, std::string>& parts) {
  for (const ComparisonRun& run : grid.runs) {
    if (run.folder.empty()) continue;
    const Json result = json_or_null(folder / run.folder / "result.json");
    if (!result.is_object() || !result.contains("versions")) continue;
    for (const auto& [label, version] : result.at("versions").items())
      if (const auto found = parts.find(label); found != parts.end()) parts_[label] = found->second;
  }
}

std::string FigureRecord::text(const std::string& figure, const std::string& command) const {
  return json_text({{"figure", figure}, {"command", command}, {"parts", parts_}});
}

}  // namespace claros::cli
