// SPDX-License-Identifier: BSD-3-Clause
#include "held_out_entries.hpp"

#include <claros/error.hpp>
#include <claros/io/pairs.hpp>
#include <claros/io/text_input.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

namespace matrix_completion {

void HeldOutEntries::read(const Options& options, const Training& training, const Context& context,
                          const MapOf& map_of) {
  const std::filesystem::path file = context.resolve(options.test);
  const RatingsOptions& how = options.ratings;
  TextInput input(file);
  const Pairs pairs = read_pairs(input, training,
                                 {.delimiter = how.delimiter,
                                  .header = how.header,
                                  .columns = how.columns,
                                  .decimal = how.decimal,
                                  .skips_unknown = true});
  if (pairs.skipped > 0)
    context.note(file.string() + ": " + std::to_string(pairs.skipped) + " of " +
                 std::to_string(pairs.skipped + std::ssize(pairs.row)) +
                 " entries have a row or a column that is not in the training data, and do not count");
  const bool implicit = training.folding.confidence.has_value();
  if (pairs.known.empty() && !implicit)
    throw Error(ErrorKind::data, file.string(), "has no third column",
                "give row, column, value on every line");
  const std::vector<double> known =
      pairs.known.empty() ? std::vector<double>(pairs.row.size(), 1.0) : preferences(training, pairs.known);
  std::map<std::pair<Index, Index>, Index> positions;  // sorted, each once, as a pattern wants them
  for (std::size_t k = 0; k < pairs.row.size(); ++k)
    if (pairs.row[k] >= 0 && pairs.col[k] >= 0) positions.emplace(std::pair(pairs.row[k], pairs.col[k]), 0);
  std::vector<std::int32_t> row, col;
  for (auto& [position, output] : positions) {
    output = static_cast<Index>(row.size());
    row.push_back(static_cast<std::int32_t>(position.first));
    col.push_back(static_cast<std::int32_t>(position.second));
  }
  for (std::size_t k = 0; k < pairs.row.size(); ++k) {
    const auto at = positions.find({pairs.row[k], pairs.col[k]});
    entries_.push_back({at == positions.end() ? -1 : at->second,
                        known[k] - training.baseline.at(pairs.row[k], pairs.col[k])});
  }
  if (row.empty()) return;
  map_ = map_of(
      std::make_shared<Pattern>(training.rows.count, training.cols.count, std::move(row), std::move(col)));
}

double HeldOutEntries::rmse(const Element& x) const {
  if (entries_.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> z(map_ ? static_cast<std::size_t>(map_->size()) : 0);
  if (map_) map_->apply(1.0, x, 0.0, z);
  double sum = 0.0;
  for (const Entry& entry : entries_)
    sum += std::pow((entry.output < 0 ? 0.0 : z[static_cast<std::size_t>(entry.output)]) - entry.value, 2);
  return std::sqrt(sum / static_cast<double>(entries_.size()));
}

}  // namespace matrix_completion
