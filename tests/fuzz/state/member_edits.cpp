// SPDX-License-Identifier: BSD-3-Clause
#include "member_edits.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <vector>

namespace claros::fuzz {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max(),
                       kSmallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kIntegers[] = {0,
                                      1,
                                      -1,
                                      2,
                                      3,
                                      4,
                                      5,
                                      7,
                                      8,
                                      9,
                                      10,
                                      12,
                                      16,
                                      29,
                                      30,
                                      31,
                                      63,
                                      64,
                                      1000,
                                      1 << 16,
                                      1 << 20,
                                      (1LL << 31) - 1,
                                      1LL << 31,
                                      1LL << 32,
                                      -(1LL << 31),
                                      (1LL << 53) - 1,
                                      1LL << 53,
                                      1LL << 62,
                                      kLargest,
                                      kLargest - 1,
                                      kSmallest,
                                      kSmallest + 1};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNumbers[] = {0.0,    -0.0,      1.0,        -1.0,
                               0.5,    2.0,       1e-3,       -1e-3,
                               1e6,    1e16,      1e150,      -1e150,
                               1e300,  1e308,     -1e308,     1e-300,
                               5e-324, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()};

bool is_element(const Json& json) {
  return json.is_object() && json.contains("shape") && json.contains("parts");
}

Json shape_of(std::int64_t rows, std::int64_t cols) {
  return {{"rows", rows}, {"cols", cols}, {"blocks", Json::array()}};
}

Json element_of(Json shape, Json parts = Json::array()) {
  return {{"shape", std::move(shape)},
          {"parts", std::move(parts)},
          {"blocks", Json::array()},
          {"images", Json::array()}};
}

Json bits(double value) {
  std::vector<std::uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return Json::binary(std::move(bytes));
}

}  // namespace

MemberEdits::MemberEdits(Json& names, std::string& arrays, Engine& engine)
    : names_(names), arrays_(arrays), engine_(engine) {}

/// Where an array stands: [from, size].
bool MemberEdits::is_place(const Json& json) const {
  return json.is_array() && json.size() == 2 && json[0].is_number_unsigned() &&
         json[1].is_number_unsigned() && json[0] <= arrays_.size() &&
         json[1].get<std::uint64_t>() <= arrays_.size() - json[0].get<std::uint64_t>();
}

void MemberEdits::one() {
  Json& root = names_["root"];
  std::vector<Json*> members;
  const auto collect = [&](auto&& self, Json& json, int inside) -> void {
    if (inside > 0) members.push_back(&json);
    if (is_place(json) || !json.is_structured()) return;
    for (auto& [name, child] : json.items()) self(self, child, inside + 1);
  };
  if (engine_() % 4 == 0) {
    collect(collect, root, 0);
  } else if (engine_() % 6 == 0) {
    collect(collect, names_["shared"], 0);
  } else {  // groups that are no element: components
    for (auto& [name, child] : root.items())
      if (child.is_object() && !is_element(child)) collect(collect, child, 0);
  }
  if (!members.empty()) change(*members[below(members.size())]);
}

void MemberEdits::change(Json& member) {
  if (is_element(member)) {
    member = another_element(member);
  } else if (member.is_number_integer()) {
    const auto now = member.get<std::int64_t>();
    member = engine_() % 3 ? kIntegers[below(std::size(kIntegers))]
                           : static_cast<std::int64_t>(static_cast<std::uint64_t>(now) + engine_() % 7 - 3);
  } else if (member.is_boolean()) {
    member = !member.get<bool>();
  } else if (member.is_binary()) {
    const auto& held = member.get_binary();
    std::string numbers(held.begin(), held.end());
    change_numbers(numbers);
    member = Json::binary(std::vector<std::uint8_t>(numbers.begin(), numbers.end()));
  } else if (is_place(member)) {
    std::string numbers = arrays_.substr(member[0], member[1]);
    change_numbers(numbers);
    member = array_of(std::move(numbers));
  } else if (member.is_string()) {
    member = engine_() % 2 ? "" : "entries";
  } else if (member.is_array() && !member.empty()) {
    engine_() % 2 ? member.erase(below(member.size())) : member.push_back(Json(member[below(member.size())]));
  } else if (member.is_object() && !member.empty()) {  // a group within: one that it holds
    auto child = member.begin();
    std::advance(child, below(member.size()));
    change(*child);
  }
}

Json MemberEdits::array_of(std::string numbers) {
  Json place = Json::array({arrays_.size(), numbers.size()});
  arrays_ += numbers;
  return place;
}

/// Another number, or another count of them.
void MemberEdits::change_numbers(std::string& numbers) {
  const std::size_t count = numbers.size() / 8;
  const auto put = [&](std::size_t at, const auto& value) {
    std::memcpy(numbers.data() + 8 * at, &value, 8);
  };
  switch (engine_() % 8) {
    case 0:
      numbers.resize(8 * below(count + 1));
      return;
    case 1:
      numbers.resize(8 * (count + 1 + below(40)), '\0');
      return;
    case 2:
      numbers.clear();
      return;
    case 3:
      if (!numbers.empty()) numbers.pop_back();
      return;
    case 4:
      if (count > 0) put(below(count), kIntegers[below(std::size(kIntegers))]);
      return;
    case 5:
      for (std::size_t k = 0, value = below(std::size(kNumbers)); k < count; ++k) put(k, kNumbers[value]);
      return;
    default:
      if (count > 0) put(below(count), kNumbers[below(std::size(kNumbers))]);
  }
}

/// One of another shape or another form.
Json MemberEdits::another_element(const Json& element) {
  static constexpr std::int64_t kSides[] = {0, 1, 2, 3, 5, 7, 9, 12, 63, 1000, 1LL << 31, kLargest};
  const Json own = element["shape"];
  Json shape =
      engine_() % 3 ? own : shape_of(kSides[below(std::size(kSides))], kSides[below(std::size(kSides))]);
  switch (engine_() % 6) {
    case 0:
      return element_of(shape_of(0, 0));
    case 1:
      return element_of(shape);
    case 2: {  // dense
      const auto size = shape["rows"].get<std::uint64_t>() * shape["cols"].get<std::uint64_t>();
      if (size > 10000) return element_of(shape);
      std::string numbers(8 * size, '\0');
      for (std::size_t k = 0; k < size; ++k)
        std::memcpy(numbers.data() + 8 * k,
                    engine_() % 9 ? &kNumbers[2] : &kNumbers[below(std::size(kNumbers))], 8);
      names_["shared"].push_back(array_of(std::move(numbers)));
      return element_of(
          shape,
          Json::array({{{"form", "dense"}, {"weight", bits(1.0)}, {"values", names_["shared"].size() - 1}}}));
    }
    case 3: {  // two blocks
      Json blocks = shape_of(0, 0);
      blocks["blocks"] = Json::array({own, shape});
      Json product = element_of(blocks);
      product["blocks"] = Json::array({element, element_of(shape)});
      return product;
    }
    default: {  // another that the state holds
      std::vector<const Json*> all;
      const auto collect = [&](auto&& self, const Json& json) -> void {
        if (is_element(json)) all.push_back(&json);
        if (json.is_structured())
          for (const Json& child : json) self(self, child);
      };
      collect(collect, names_);
      Json other = *all[below(all.size())];
      return other;
    }
  }
}

}  // namespace claros::fuzz
