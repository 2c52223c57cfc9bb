// SPDX-License-Identifier: BSD-3-Clause
#include "report/group_norms.hpp"

#include <claros/abilities.hpp>
#include <claros/compose/spec.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/results/prediction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/predict_rows.hpp"

namespace claros::cli {

namespace {

ReportBars bars_of_groups(const Blocks& blocks, const Solution& x) {
  constexpr std::size_t kShown = 40;
  ReportBars bars{"The solution: norms of its groups", "", {}, {}};
  std::size_t used = 0;
  for (Index b = 0; b < blocks.count(); ++b) {
    double squares = 0.0;
    for (Index k = 0; k < blocks.size(b); ++k)
      squares += x.at(blocks.coordinate(b, k), 0) * x.at(blocks.coordinate(b, k), 0);
    used += squares > 0.0;
    bars.bars.push_back({fmt::format("group {} ({} entries)", b + 1, blocks.size(b)), std::sqrt(squares)});
  }
  bars.note = fmt::format("{} of {} groups are not 0", used, blocks.count());
  std::stable_sort(bars.bars.begin(), bars.bars.end(),
                   [](const auto& a, const auto& b) { return a.value > b.value; });
  bars.bars.resize(std::min(bars.bars.size(), kShown));
  return bars;
}

}  // namespace

void add_group_norms(Report& report, const Arguments& arguments, const std::filesystem::path& folder) {
  std::error_code code;
  if (!std::filesystem::exists(folder / "solution" / "x.mtx", code)) return;
  if (!Spec::read(folder / "spec.ini").get("penalty", "groups")) return;
  const auto penalty = component_of_run(arguments, folder, Kind::penalty, "penalty");
  auto* parts = penalty ? query<Separable>(*penalty) : nullptr;
  const Solution x = Solution::read(folder);
  if (!parts || x.cols() != 1) return;
  const Index size = has_linear_training(folder / "solution")
                         ? read_linear_training(folder / "solution").features
                         : x.rows();
  report.bars.push_back(bars_of_groups(parts->blocks(Shape::vector(size)), x));
}

}  // namespace claros::cli
