// SPDX-License-Identifier: BSD-3-Clause
/// @file content_hash.hpp  A hash of 128 bits by which contents are compared: XXH3 (https://xxhash.com),
/// which reads faster than memory does. Against accidents, not against an attacker who looks for two contents
/// of one hash.
#pragma once

#include <claros/api.hpp>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

struct XXH3_state_s;

namespace claros {

class CLAROS_API ContentHash {
 public:
  ContentHash();

  void add(std::string_view bytes);
  template <class T>
  requires std::is_arithmetic_v<T>
  void add(std::span<const T> values) {
    add_size(values.size());
    add(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(std::span<const T>(values));
  }
  void add(const std::vector<std::string>& texts);
  /// "1234 bytes, xxh3 0123...": how much was added, and the hash in 32 hexadecimal digits.
  std::string text() const;

 private:
  void add_size(std::size_t size);

  std::shared_ptr<XXH3_state_s> state_;
  std::size_t bytes_ = 0;
};

/// text() of everything in the open file `descriptor`, which `name` names in errors. Throws Error(data).
CLAROS_API std::string hash_of_open_file(int descriptor, const std::filesystem::path& name);
/// ... of a regular file. Throws Error(data) when it is none or cannot be read.
CLAROS_API std::string hash_of_file(const std::filesystem::path& file);

}  // namespace claros
