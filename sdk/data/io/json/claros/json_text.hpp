// SPDX-License-Identifier: BSD-3-Clause
/// @file json_text.hpp  JSON as Claros writes and reads it, decided once for the library and its programs.
/// Not installed: no public header speaks of JSON.
#pragma once

#include <claros/error.hpp>
#include <claros/regular_file.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace claros {

/// Keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

/// How many bytes at the start of `text` are a character of UTF-8; 0 if none is.
inline std::size_t utf8_length(std::string_view text) {
  const auto byte = [&text](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80          ? 1
                             : (first >> 5U) == 6  ? 2
                             : (first >> 4U) == 14 ? 3
                             : (first >> 3U) == 30 ? 4
                                                   : 0;
  if (length < 2 || length > text.size()) return length == 1 ? 1 : 0;
  unsigned code = first & (0x7FU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (byte(k) & 0x3FU);
  }
  const unsigned least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  return code < least || code > 0x10FFFF || (code >> 11U) == 27 ? 0 : length;
}

/// Bytes that are no UTF-8 as \xNN, so that texts that differ still do.
inline std::string as_utf8(std::string_view text) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string made;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (length == 0) made += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 15U]};
    made += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return made;
}

/// The same with all its texts and keys as UTF-8.
inline Json in_utf8(const Json& json) {
  if (json.is_string()) return as_utf8(json.get_ref<const std::string&>());
  if (!json.is_structured()) return json;
  Json made = json.is_array() ? Json::array() : Json::object();
  for (auto at = json.begin(); at != json.end(); ++at) {
    if (json.is_array()) made.push_back(in_utf8(*at));
    if (json.is_object()) made[as_utf8(at.key())] = in_utf8(*at);
  }
  return made;
}

/// Indented by two, with a line break at the end. JSON knows neither NaN nor infinity: both are null. Bytes
/// that are no UTF-8 (ids and file names may hold any, and a failure may quote a file) are written as \xNN.
inline std::string json_text(const Json& json) {
  try {
    return json.dump(2) + '\n';
  } catch (const Json::type_error&) {
    return in_utf8(json).dump(2) + '\n';
  }
}

/// The result of `read` for the JSON in `file`. Throws Error(data) with `remedy` if the file cannot be read,
/// is not JSON, or lacks a value that `read` asks for.
template <class Read>
auto from_json_file(const std::filesystem::path& file, const std::string& remedy, const Read& read) {
  std::error_code code;
  if (!std::filesystem::exists(file, code))
    throw Error(ErrorKind::data, file.string(), "cannot be read", remedy);
  std::ifstream stream = open_regular_file(file);
  try {
    return read(Json::parse(stream));
  } catch (const Json::exception& error) {
    const std::string text = error.what();  // "[json.exception.parse_error.101] parse error at line 1, ..."
    const auto tag = text.find("] ");
    throw Error(ErrorKind::data, file.string(), tag == text.npos ? text : text.substr(tag + 2), remedy);
  }
}

/// The JSON in `file`; null if there is none. For files that may be anybody's.
inline Json json_or_null(const std::filesystem::path& file) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(file, code)) return nullptr;
  std::ifstream stream(file, std::ios::binary);
  Json json = Json::parse(stream, nullptr, false);
  return json.is_discarded() ? Json(nullptr) : json;
}

}  // namespace claros
