// SPDX-License-Identifier: BSD-3-Clause
#include "compose/remedies.hpp"

#include <claros/contain.hpp>

namespace claros {

namespace {

bool takes(const Algorithm& algorithm, std::string_view role) {
  if (role == "any penalty") return algorithm.takes().any_penalty;
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
