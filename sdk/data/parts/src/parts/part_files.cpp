// SPDX-License-Identifier: BSD-3-Clause
#include <claros/parts/design_parts.hpp>

#include <claros/error.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace claros {

namespace fs = std::filesystem;

namespace {

fs::path under_base(const std::string& name, const Context& context) {
  const fs::path asked(name);
  return asked.is_absolute() || context.base.empty() ? asked : context.base / asked;
}

/// The number that the one * of a pattern stands for in a name, if it is one of at most 18 digits.
std::optional<std::uint64_t> number_in(const std::string& name, const std::string& pattern) {
  if (name.size() < pattern.size() || name.size() > pattern.size() + 17) return std::nullopt;
  const char *from = name.data() + pattern.find('*'), *to = from + (name.size() + 1 - pattern.size());
  std::uint64_t number = 0;
  if (!std::all_of(from, to, [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  std::from_chars(from, to, number);
  return number;
}

using Numbered = std::vector<std::pair<std::uint64_t, std::string>>;

/// The names by their numbers; nothing if one has none.
std::optional<Numbered> numbered(const std::vector<std::string>& names, const std::string& pattern) {
  if (std::ranges::count(pattern, '*') != 1 || pattern.find_first_of("?[\\") != pattern.npos)
    return std::nullopt;
  Numbered all;
  for (const std::string& name : names) {
    const auto number = number_in(name, pattern);
    if (!number) return std::nullopt;
    all.emplace_back(*number, name);
  }
  std::sort(all.begin(), all.end());
  return all;
}

void expect_consecutive(const Numbered& all, const std::string& pattern) {
  for (std::size_t k = 1; k < all.size(); ++k) {
    const auto [before, earlier] = all[k - 1];
    const auto [number, name] = all[k];
    if (number == before)
      throw Error(
          ErrorKind::data, pattern,
          "the parts " + earlier + " and " + name + " have the same number, so their order is unknown",
          "rename one of them");
    if (number != before + 1)
      throw Error(
          ErrorKind::data, pattern,
          "part " + std::to_string(before + 1) + " is missing: " + earlier + " is followed by " + name,
          "bring back the file, or rename the parts so that their numbers have no gap");
  }
}

std::vector<std::string> matching(const fs::path& folder, const std::string& name_pattern) {
  std::vector<std::string> names;
  std::string pattern;
  for (const char c : name_pattern)
    pattern += c == '[' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0) names.push_back(name);
  }
  if (code && code != std::errc::no_such_file_or_directory && code != std::errc::not_a_directory)
    throw Error(ErrorKind::data, folder.string(), "cannot be read: " + code.message(),
                "check its permissions");
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

bool is_part_pattern(const std::string& name, const Context& context) {
  std::error_code code;
  return name.find_first_of("*?") != name.npos && !fs::exists(under_base(name, context), code);
}

std::vector<fs::path> part_files(const std::string& pattern, const Context& context) {
  const fs::path asked(pattern), where = under_base(pattern, context);
  const std::string name = where.filename().string();
  std::vector<std::string> names =
      matching(where.has_parent_path() ? where.parent_path() : fs::path("."), name);
  if (names.empty())
    throw Error(ErrorKind::data, where.string(), "no file matches this pattern",
                "check the folder, and the name with * and ?");
  if (const auto all = numbered(names, name)) {
    expect_consecutive(*all, where.string());
    names.clear();
    for (const auto& numbered_name : *all) names.push_back(numbered_name.second);
  }
  std::vector<fs::path> files;
  for (const std::string& found : names)
    files.push_back(context.resolve((asked.parent_path() / found).string()));
  return files;
}

}  // namespace claros
