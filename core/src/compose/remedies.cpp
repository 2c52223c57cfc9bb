// SPDX-License-Identifier: BSD-3-Clause
#include "compose/remedies.hpp"

#include <claros/contain.hpp>

#include <algorithm>

namespace claros {

namespace {

/// Whether it works with every penalty that it takes; others ask more of it than can be told here.
bool asks_more_of_penalties(const Algorithm& algorithm) {
  const auto needs = algorithm.needs();
  return std::any_of(needs.begin(), needs.end(), [](const Need& need) { return need.role.starts_with("penalty"); });
}

bool takes(const Algorithm& algorithm, std::string_view role) {
  if (role == "any penalty") return algorithm.takes().any_penalty && !asks_more_of_penalties(algorithm);
  if (role == "penalty and set") return algorithm.takes().suits(true, true, false);
  return algorithm.takes().suits(role == "penalty", role == "set", role == "smoother");
}

}  // namespace

std::string fitting_parts(const MissingPart& missing, const Catalog& catalog, const Context& context) {
  const auto kind = parse_kind(missing.role);
  if (!kind || missing.ability.empty()) return {};
  std::vector<std::string> fitting;
  for (const std::string& name : catalog.names(*kind)) try {
      const PluginEntry& entry = catalog.at(*kind, name);
      if (!entry.of_house()) continue;  // code that nobody asked for runs for no hint
      const auto made = catalog.create_example(entry, context);
      const bool fits = contain(entry.label(), [&] {
        return *kind == Kind::algorithm   ? takes(static_cast<Algorithm&>(*made), missing.ability)
               : *kind == Kind::estimator ? has_property(static_cast<GradientEstimator&>(*made), missing.ability)
                                          : made->ability(missing.ability) != nullptr;
      });
      if (fits) fitting.push_back(name);
    } catch (const Error&) {
      continue;  // cannot be made without more
    }
  return joined(fitting);
}

}  // namespace claros
