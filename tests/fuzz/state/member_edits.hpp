// SPDX-License-Identifier: BSD-3-Clause
/// @file member_edits.hpp  Other numbers, sizes and shapes in the place of members of a state.
#pragma once

#include <nlohmann/json.hpp>

#include <random>
#include <string>

namespace claros::fuzz {

/// Changes one member of a state: `names` is what names its arrays, `arrays` are their bytes.
class MemberEdits {
 public:
  using Engine = std::mt19937_64;
  using Json = nlohmann::json;
  MemberEdits(Json& names, std::string& arrays, Engine& engine);

  /// One member, more often of a component than of the run.
  void one();

 private:
  bool is_place(const Json& json) const;
  std::size_t below(std::size_t end) { return end ? engine_() % end : 0; }
  void change(Json& member);
  void change_numbers(std::string& numbers);
  Json array_of(std::string numbers);
  Json another_element(const Json& element);

  Json& names_;
  std::string& arrays_;
  Engine& engine_;
};

}  // namespace claros::fuzz
