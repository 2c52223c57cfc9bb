// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/pairs.hpp>
#include <claros/io/ratings.hpp>
#include <claros/parameters.hpp>

namespace claros {

void see_counts(Ratings& ratings, double confidence, const std::string& where) {
  const auto name = [](const std::vector<std::string>& ids, std::int32_t k) {
    return ids.empty() ? std::to_string(k + 1) : ids[static_cast<std::size_t>(k)];
  };
  if (ratings.weight.empty()) ratings.weight.assign(ratings.value.size(), 1.0);
  std::size_t kept = 0;
  for (std::size_t e = 0; e < ratings.value.size(); ++e) {
    if (!(ratings.value[e] >= 0.0))
      throw Error(ErrorKind::data, where,
                  "takes counts, and the value in row " + name(ratings.row_ids, ratings.row[e]) +
                      ", column " + name(ratings.col_ids, ratings.col[e]) + " is " +
                      print_real(ratings.value[e]),
                  "give counts >= 0, or set implicit = no and give weights");
    if (ratings.value[e] == 0.0) continue;
    ratings.weight[kept] = ratings.weight[e] * (1.0 + confidence * ratings.value[e]);
    ratings.row[kept] = ratings.row[e];
    ratings.col[kept] = ratings.col[e];
    ratings.value[kept++] = 1.0;
  }
  ratings.row.resize(kept), ratings.col.resize(kept);
  ratings.value.resize(kept), ratings.weight.resize(kept);
}

std::vector<double> preferences(const Training& training, std::vector<double> values) {
  if (training.folding.confidence)
    for (double& value : values) value = value > 0.0 ? 1.0 : 0.0;
  return values;
}

}  // namespace claros
