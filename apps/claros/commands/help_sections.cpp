// SPDX-License-Identifier: BSD-3-Clause
#include <string_view>

#include "commands/commands.hpp"

namespace claros::cli {

extern const std::string_view kHelpSections;  // help.txt, by the build

std::string help_section(const std::string& name) {
  const std::string head = "\n=== " + name + '\n';
  const auto at = kHelpSections.find(head);
  if (at == kHelpSections.npos) return {};
  const auto begin = at + head.size(), next = kHelpSections.find("\n=== ", begin);
  const auto end =
      next == kHelpSections.npos ? kHelpSections.size() : next + 1;  // with the end of its last line
  std::string text(kHelpSections.substr(begin, end - begin));
  const std::string line = "@specification\n";
  if (const auto place = text.find(line); place != text.npos)
    text.replace(place, line.size(), help_section("specification"));
  return text;
}

}  // namespace claros::cli
