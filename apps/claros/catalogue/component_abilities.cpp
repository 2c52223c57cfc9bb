// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/component_abilities.hpp"

#include <claros/compose/plan.hpp>
#include <claros/io/memory_data.hpp>
#include <claros/watch/watcher.hpp>

#include <array>
#include <memory>
#include <span>
#include <string_view>

namespace claros::cli {

namespace {

/// "linear oracle", of "a linear oracle (...)".
std::string in_short(std::string_view words) {
  for (const std::string_view article : {"a ", "an "})
    if (words.starts_with(article)) words.remove_prefix(article.size());
  return std::string(words.substr(0, words.find(" (")));
}

std::vector<std::shared_ptr<const Dataset>> small_data() {
  constexpr std::array numbers{1.0, 0.0, 0.0, 1.0};
  constexpr std::array<std::int32_t, 2> diagonal{0, 1};
  const auto values = std::span(numbers).first<2>();
  return {nullptr, data_from_rows(numbers, 2, 2, values),
          data_from_triplets(diagonal, diagonal, values, 2, 2)};
}

std::shared_ptr<Component> sample(const Catalog& catalog, const PluginEntry& entry) {
  for (const auto& data : small_data()) {
    Context context;
    context.data = data;
    try {
      return create_example(catalog, entry, context);
    } catch (const Error&) {
      // It needs other data, or a setting without a default or example.
    }
  }
  return nullptr;
}

std::vector<Need> needs_of(const PluginEntry& entry, Component& component) {
  std::vector<Need> needs;
  if (entry.kind == Kind::algorithm) needs = static_cast<Algorithm&>(component).needs();
  if (entry.kind == Kind::estimator) needs = static_cast<GradientEstimator&>(component).needs();
  for (Need& need : needs) need.words = in_short(need.words);
  return needs;
}

}  // namespace

std::optional<Abilities> abilities_of(const Catalog& catalog, const PluginEntry& entry) {
  const auto component = sample(catalog, entry);
  if (!component) return {};
  Abilities result{{}, needs_of(entry, *component)};
  (void)component->ability({});  // tells of those that core does not know
  for (const KnownAbility& ability : known_abilities())
    if (component->ability(ability.id)) result.offered.push_back(in_short(ability.words));
  return result;
}

}  // namespace claros::cli
