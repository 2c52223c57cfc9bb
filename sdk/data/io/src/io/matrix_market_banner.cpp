// SPDX-License-Identifier: BSD-3-Clause
#include "io/matrix_market_banner.hpp"

#include <claros/io/fields.hpp>
#include <claros/io/triplets.hpp>

#include <algorithm>

namespace claros {
namespace {

constexpr std::string_view kMark = "%%MatrixMarket";

/// Banners are not case-sensitive, by the format's definition.
std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

bool is_matrix_market(std::string_view line) { return lower(line.substr(0, kMark.size())) == lower(kMark); }

std::string fault_of(const Banner& banner) {
  const auto& [field, symmetry] = banner.format;
  if (!is_one_of(banner.layout, {"array", "coordinate"}))
    return "the layout is " + shown(banner.layout) + "; expected array or coordinate";
  if (!is_one_of(field, {"real", "double", "integer", "pattern"}))
    return "the field is " + shown(field) + "; expected real, integer or pattern";
  if (!is_one_of(symmetry, {"general", "symmetric", "skew-symmetric"}))
    return "the symmetry is " + shown(symmetry) + "; expected general, symmetric or skew-symmetric";
  if (banner.is_pattern() && (banner.layout == "array" || banner.is_skew()))
    return "a pattern is neither an array nor skew-symmetric; expected real or integer values";
  return {};
}

Banner read_banner(TextInput& input, const std::string& layout) {
  std::string_view line;
  if (!input.next(line) || !is_matrix_market(line))
    input.fail("the first line is " + shown(line) + "; expected one that begins with %%MatrixMarket matrix",
               "is this a Matrix Market file?");
  const std::string text = lower(line);
  FieldSplitter splitter(input, "space");  // holds the words that stand in quotes
  const std::vector<std::string_view> words = splitter.split(text);
  if (words.size() != 5 || words[0].size() != kMark.size() || words[1] != "matrix")
    input.fail("the banner is " + shown(line) +
               "; expected %%MatrixMarket matrix, then array or coordinate, real, integer or "
               "pattern, and the symmetry");
  const Banner banner{std::string(words[2]), {std::string(words[3]), std::string(words[4])}};
  const std::string fault = fault_of(banner);
  if (!fault.empty()) input.fail(fault);
  if (banner.layout != layout)
    input.fail("the layout is " + banner.layout + "; expected " + layout, "convert the file to that layout");
  return banner;
}

}  // namespace claros
