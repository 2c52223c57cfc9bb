// SPDX-License-Identifier: BSD-3-Clause
#include "services/services.hpp"

#include <claros/compose/plan.hpp>
#include <claros/contain.hpp>
#include <claros/corners.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace claros {

namespace {

/// False if the algorithm works with every penalty that it takes; others require more than is known here.
bool asks_more_of_penalties(const Algorithm& algorithm) {
  const auto needs = algorithm.needs();
  return std::any_of(needs.begin(), needs.end(), [](const Need& need) { return need.role == Kind::penalty; });
}

bool takes(const Algorithm& algorithm, std::string_view role) {
  const auto is_of_corners = [](const Need& need) { return need.ability == Cornered::kAbility; };
  if (std::ranges::any_of(algorithm.needs(), is_of_corners)) return false;  // a smooth loss does not suit it
  if (role == "any penalty") return algorithm.takes().any_penalty && !asks_more_of_penalties(algorithm);
  if (role == "penalty and set") return algorithm.takes().suits(true, true, false);
  return algorithm.takes().suits(role == "penalty", role == "set", role == "smoother");
}

/// True if an example of it offers the missing ability; false if it cannot be made without more settings.
bool fits(const MissingPart& missing, const Catalog& catalog, const PluginEntry& entry,
          const Context& context) try {
  const auto made = create_example(catalog, entry, context);
  return contain(entry.label(), [&] {
    return entry.kind == Kind::algorithm ? takes(static_cast<Algorithm&>(*made), missing.ability)
           : entry.kind == Kind::estimator
               ? has_property(static_cast<GradientEstimator&>(*made), missing.ability)
               : made->ability(missing.ability) != nullptr;
  });
} catch (const Error&) {
  return false;
}

/// Remembers the result for each library: a grid may be refused many times for one reason.
bool remembered_fits(const MissingPart& missing, const Catalog& catalog, const PluginEntry& entry,
                     const Context& context) {
  // Those of the program have no name of their own.
  if (entry.path.empty()) return fits(missing, catalog, entry, context);
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, bool> known;
  const std::pair key(entry.path.string(), missing.ability);
  {
    const std::lock_guard lock(mutex);
    if (const auto at = known.find(key); at != known.end()) return at->second;
  }
  const bool found = fits(missing, catalog, entry, context);
  const std::lock_guard lock(mutex);
  return known.emplace(key, found).first->second;
}

}  // namespace

std::string fitting_parts(const MissingPart& missing, const Catalog& catalog, const Context& context) {
  const auto kind = parse_kind(missing.role);
  if (!kind || missing.ability.empty()) return {};
  std::vector<std::string> fitting;
  Context silent(context);
  silent.messages = {};
  for (const std::string& name : catalog.names(*kind)) {
    const PluginEntry& entry = catalog.at(*kind, name);
    if (!entry.is_built_in()) continue;  // no code of other plugins runs for a hint
    if (remembered_fits(missing, catalog, entry, silent)) fitting.push_back(name);
  }
  return joined(fitting);
}

}  // namespace claros
