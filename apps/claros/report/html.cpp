// SPDX-License-Identifier: BSD-3-Clause
#include "report/html.hpp"

#include <charconv>

namespace claros::cli {

namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

/// U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069, in UTF-8.
bool turns_direction(std::string_view at) {
  if (at.size() < 3 || at[0] != '\xE2') return false;
  const auto second = static_cast<unsigned char>(at[1]), third = static_cast<unsigned char>(at[2]);
  if (second == 0x80) return third == 0x8E || third == 0x8F || (third >= 0xAA && third <= 0xAE);
  return second == 0x81 && third >= 0xA6 && third <= 0xA9;
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string visible_text(std::string_view text) {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F) {
      result += kReplacement;
    } else if (turns_direction(text.substr(k))) {
      result += kReplacement;
      k += 2;
    } else {
      result += c;
    }
  }
  return result;
}

std::string html_text(std::string_view text) {
  std::string result;
  for (const char c : visible_text(text)) {
    const std::string_view named = entity(c);
    if (named.empty())
      result += c;
    else
      result += named;
  }
  return result;
}

std::string html_json(std::string json) {
  for (std::size_t at = 0; (at = json.find('<', at)) != json.npos;) json.replace(at, 1, "\\u003c");
  return json;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    unsigned group = 0;
    for (std::size_t b = 0; b < 3; ++b)
      group = group << 8 | (k + b < bytes.size() ? static_cast<unsigned char>(bytes[k + b]) : 0u);
    for (std::size_t d = 0; d < 4; ++d)
      result += k + d > bytes.size() ? '=' : kDigits[group >> (18 - 6 * d) & 63u];
  }
  return result;
}

std::string policy_hash(std::string_view sha256) {
  std::string bytes;
  for (std::size_t k = 0; k + 1 < sha256.size(); k += 2) {
    unsigned char byte = 0;
    std::from_chars(sha256.data() + k, sha256.data() + k + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return "'sha256-" + base64(bytes) + "'";
}

}  // namespace claros::cli
