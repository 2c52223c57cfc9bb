// SPDX-License-Identifier: BSD-3-Clause
// What a run keeps for rows and columns that come later.
#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/parameters.hpp>
#include <claros/results/fold_in.hpp>

#include "io/fields.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

namespace claros {

namespace {

constexpr const char* kFile = "folding.csv";

using Member = double FoldingRule::*;
constexpr std::pair<const char*, Member> kMembers[] = {{"total_weight", &FoldingRule::total_weight},
                                                       {"unobserved", &FoldingRule::unobserved},
                                                       {"row_bias", &FoldingRule::row_bias},
                                                       {"col_bias", &FoldingRule::col_bias},
                                                       {"ridge", &FoldingRule::ridge}};

}  // namespace

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
    ratings.row[kept] = ratings.row[e], ratings.col[kept] = ratings.col[e], ratings.value[kept++] = 1.0;
  }
  ratings.row.resize(kept), ratings.col.resize(kept);
  ratings.value.resize(kept), ratings.weight.resize(kept);
}

std::vector<double> preferences(const Training& training, std::vector<double> values) {
  if (training.folding.confidence)
    for (double& value : values) value = value > 0.0 ? 1.0 : 0.0;
  return values;
}

double nuclear_multiplier(Objective& objective, const Element& x) {
  const double norm = x.nuclear_norm();
  if (!(norm > 0.0)) return 0.0;
  Element gradient(x.shape());
  objective.add_gradient(x, Batch::all(), 1.0, gradient);
  return std::max(0.0, -inner(gradient, x) / norm);
}

void write_folding(const std::filesystem::path& folder, const FoldingRule& rule) {
  std::string text = "name,value\n";
  for (const auto& [name, member] : kMembers)
    text += std::string(name) + ',' + print_real(rule.*member) + '\n';
  if (rule.confidence) text += "confidence," + print_real(*rule.confidence) + '\n';
  write_atomically(folder / kFile, text);
}

FoldingRule read_folding(const std::filesystem::path& folder) {
  FoldingRule rule;
  std::error_code code;
  if (!std::filesystem::exists(folder / kFile, code)) return rule;
  TextInput input(folder / kFile);
  FieldReader reader(input, "comma", "yes", 2);
  while (reader.next()) {
    const std::string_view name = reader.fields()[0];
    const double value = reader.number(1, "the number");
    if (!(value >= 0.0))
      reader.fail("expected a number of at least 0, found " + print_real(value), "run again");
    const auto known = std::ranges::find(kMembers, name, [](const auto& row) { return row.first; });
    if (known != std::end(kMembers))
      rule.*known->second = value;
    else if (name == "confidence")
      rule.confidence = value;
    else
      reader.fail("the name is " + shown(name) + ", which is none of this version", "run again");
  }
  return rule;
}

}  // namespace claros
