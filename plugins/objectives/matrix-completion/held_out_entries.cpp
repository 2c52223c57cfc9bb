// SPDX-License-Identifier: BSD-3-Clause
#include "held_out_entries.hpp"

#include <claros/error.hpp>
#include <claros/io/pairs.hpp>
#include <claros/io/text_input.hpp>
#include <claros/loss.hpp>
#include <claros/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
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
  Ratings entries{training.rows.count, training.cols.count, {}, {}, known, {}, {}};
  const auto position = [](Index k) { return static_cast<std::int32_t>(k); };
  std::ranges::transform(pairs.row, std::back_inserter(entries.row), position);
  std::ranges::transform(pairs.col, std::back_inserter(entries.col), position);
  hold(entries, training, map_of);
  const auto lacks = std::ranges::count_if(entries_, [](const Entry& entry) { return entry.output < 0; });
  if (lacks > 0)
    context.note(
        file.string() + ": " + std::to_string(lacks) + " of " + std::to_string(entries_.size()) +
        " entries have a row or a column that is not in the training data: their predictions are the "
        "center and the biases that are known");
}

Ratings HeldOutEntries::taken(Ratings& ratings, double share, const Context& context) {
  constexpr std::uint32_t kStream = 103;  // no data component draws from it
  const Index count = std::ssize(ratings.value);
  Index left = std::min(count - 1, std::max<Index>(1, std::llround(share * static_cast<double>(count))));
  context.note(std::to_string(left) + " of " + std::to_string(count) +
               " ratings are held out at random and not fitted (objective.held_out)");
  RandomStream stream = context.stream(Purpose::data, kStream);
  Ratings kept{ratings.rows, ratings.cols, {}, {}, {}, ratings.row_ids, ratings.col_ids}, out = kept;
  for (Index k = 0; k < count; ++k) {
    const bool is_out = stream.index(count - k) < left;
    left -= is_out ? 1 : 0;
    Ratings& to = is_out ? out : kept;
    const auto e = static_cast<std::size_t>(k);
    to.row.push_back(ratings.row[e]);
    to.col.push_back(ratings.col[e]);
    to.value.push_back(ratings.value[e]);
    if (!ratings.weight.empty()) to.weight.push_back(ratings.weight[e]);
  }
  ratings = std::move(kept);
  return out;
}

void HeldOutEntries::hold(const Ratings& held, const Training& training, const MapOf& map_of) {
  std::map<std::pair<Index, Index>, Index> positions;  // sorted, each once, as a pattern wants them
  for (std::size_t k = 0; k < held.row.size(); ++k)
    if (held.row[k] >= 0 && held.col[k] >= 0) positions.emplace(std::pair(held.row[k], held.col[k]), 0);
  std::vector<std::int32_t> row, col;
  for (auto& [position, output] : positions) {
    output = static_cast<Index>(row.size());
    row.push_back(static_cast<std::int32_t>(position.first));
    col.push_back(static_cast<std::int32_t>(position.second));
  }
  for (std::size_t k = 0; k < held.row.size(); ++k) {
    const auto at = positions.find({held.row[k], held.col[k]});
    entries_.push_back({at == positions.end() ? -1 : at->second,
                        held.value[k] - training.baseline.at(held.row[k], held.col[k])});
  }
  if (row.empty()) return;
  map_ = map_of(
      std::make_shared<Pattern>(training.rows.count, training.cols.count, std::move(row), std::move(col)));
}

double HeldOutEntries::rmse(const Element& x, const Loss& loss) const {
  if (entries_.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> z(map_ ? at(map_->size()) : 0);
  if (map_) map_->apply(1.0, x, 0.0, z);
  z.push_back(0.0);  // of the entries that X does not have
  std::vector<double> mean(z.size());
  loss.mean(z, mean);
  for (double& value : mean) {
    if (loss.response() == ResponseKind::probability) value = 2.0 * value - 1.0;
    if (loss.response() == ResponseKind::score) value = value > 0.0 ? 1.0 : -1.0;
  }
  double sum = 0.0;
  for (const Entry& entry : entries_)
    sum += std::pow((entry.output < 0 ? mean.back() : mean[at(entry.output)]) - entry.value, 2);
  return std::sqrt(sum / static_cast<double>(entries_.size()));
}

}  // namespace matrix_completion
