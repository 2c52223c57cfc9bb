// SPDX-License-Identifier: BSD-3-Clause
/// @file element_archive.hpp  Elements as JSON values whose arrays are binary, with shared arrays, stores and images kept
/// in a table beside them.
#pragma once

#include "image.hpp"

#include <claros/state.hpp>

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace claros {

using Json = nlohmann::json;

/// Doubles or indices as bytes, bit for bit, in this machine's order (archives do not travel between machines).
template <class T>
Json to_binary(std::span<const T> values);
template <class T>
std::vector<T> from_binary(const Json& json);

/// Turns elements into JSON and back. One object a direction and archive: it remembers what was shared.
class ElementArchive {
 public:
  explicit ElementArchive(const References& references) : references_(references) {}

  Json save(const Element& x);
  Element load(const Json& json);

  /// The table of shared things, to be written after the last save or given before the first load.
  Json table() const { return table_; }
  void set_table(Json table) { table_ = std::move(table), loaded_.resize(table_.size()); }

 private:
  Json save_form(const Form& form);
  Form load_form(const Json& json);
  std::size_t save_buffer(const Buffer& buffer);
  Buffer load_buffer(const Json& json);
  std::size_t save_store(const std::shared_ptr<FactorStore>& store);
  std::shared_ptr<FactorStore> load_store(const Json& json);
  std::size_t save_image(const std::shared_ptr<Image>& image);
  std::shared_ptr<Image> load_image(const Json& json);
  /// The place of a thing in the table, and whether it is new there.
  std::pair<std::size_t, bool> place(const void* identity);

  const References& references_;
  Json table_ = Json::array();
  std::map<const void*, std::size_t> places_;
  struct Loaded {
    Buffer buffer;
    std::shared_ptr<FactorStore> store;
    std::shared_ptr<Image> image;
    bool done = false;
  };
  std::vector<Loaded> loaded_;
};

template <class T>
Json to_binary(std::span<const T> values) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  return Json::binary(std::vector<std::uint8_t>(bytes, bytes + values.size_bytes()));
}

template <class T>
std::vector<T> from_binary(const Json& json) {
  const auto& bytes = json.get_binary();
  std::vector<T> values(bytes.size() / sizeof(T));
  std::copy_n(bytes.data(), values.size() * sizeof(T), reinterpret_cast<std::uint8_t*>(values.data()));
  return values;
}

}  // namespace claros
