// SPDX-License-Identifier: BSD-3-Clause
/// @file id_lookup.hpp  From an id of the training data to its position.
#pragma once

#include <claros/io/training.hpp>

#include <claros/io/fields.hpp>

#include <string>
#include <string_view>
#include <unordered_map>

namespace claros {

class IdLookup {
 public:
  /// `ids` outlives the object.
  explicit IdLookup(const Ids& ids) : ids_(ids) {
    for (std::size_t k = 0; k < ids.names.size(); ++k) {
      known_.emplace(ids.names[k], static_cast<Index>(k));
      numbers_ = numbers_ && integer_of(ids.names[k]);
    }
  }

  /// The position, or -1.
  Index find(std::string_view id) const {
    if (ids_.names.empty()) {
      const auto number = integer_of(id);
      return number && *number >= ids_.first && *number - ids_.first < ids_.count ? *number - ids_.first : -1;
    }
    const auto at = known_.find(std::string(id));
    return at == known_.end() ? find_number(id) : at->second;
  }
  /// True if all ids are integers.
  bool numbers() const noexcept { return numbers_; }

 private:
  /// If all ids are integers they were read as numbers, and "007" and "+7" are the same one.
  Index find_number(std::string_view id) const {
    const auto number = numbers_ ? integer_of(id) : std::nullopt;
    const auto at = number ? known_.find(std::to_string(*number)) : known_.end();
    return at == known_.end() ? -1 : at->second;
  }

  const Ids& ids_;
  bool numbers_ = true;
  std::unordered_map<std::string, Index> known_;
};

}  // namespace claros
