// SPDX-License-Identifier: BSD-3-Clause
// The data that a run keeps for rows and columns that come later.
#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/parameters.hpp>
#include <claros/results/fold_in.hpp>

#include <claros/io/fields.hpp>

#include <algorithm>
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
