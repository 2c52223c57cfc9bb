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

namespace claros {

/// Keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

/// Indented by two, with a line break at the end. JSON knows neither NaN nor infinity: both are null. Bytes
/// that are no UTF-8 (a file name may hold any, and a failure may quote a file) become U+FFFD.
inline std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
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
