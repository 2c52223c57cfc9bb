// SPDX-License-Identifier: BSD-3-Clause
/// @file json_text.hpp  JSON as it is printed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace claros::cli {

using Json = nlohmann::ordered_json;

/// Indented, with a line break at the end. Bytes that are no UTF-8 (file names may hold any) become U+FFFD.
inline std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace claros::cli
