// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/glossary.hpp"

#include <cctype>
#include <regex>
#include <sstream>

namespace claros::cli {

namespace {

std::string plain(std::string_view word) {
  std::string text;
  for (const char c : word)
    text += c == '-' || c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (text.size() > 3 && text.ends_with('s')) text.pop_back();
  return text;
}

std::vector<GlossaryEntry> read_glossary() {
  std::vector<GlossaryEntry> entries;
  std::istringstream lines{std::string(kGlossary)};
  std::string before;
  for (std::string line; std::getline(lines, line); before = line) {
    const bool row = line.starts_with("| ");
    if (line.starts_with("# ")) entries.emplace_back();
    if (line.starts_with("## ")) entries.push_back({line.substr(3), {}});
    if (line.starts_with('#') || line.starts_with("|--") || (row && before.empty())) continue;
    std::string& text = entries.back().text;
    if (row) line = "- " + std::regex_replace(line.substr(2, line.size() - 4), std::regex(" \\| "), ": ");
    if (!text.empty() && std::regex_search(line, std::regex("^(- |\\d\\. |    )")) && !text.ends_with("\n\n"))
      text += '\n';
    if (!text.empty() || !line.empty()) text += line + (line.empty() ? "\n\n" : " ");
  }
  std::erase_if(entries, [](const GlossaryEntry& e) { return e.word.empty(); });
  for (GlossaryEntry& e : entries) {
    e.text.erase(e.text.find_last_not_of(" \n") + 1);
    e.text = std::regex_replace(e.text, std::regex("\\[([^\\]]*)\\]\\([^)]*\\)"), "$1");
  }
  return entries;
}

bool defines(const std::string& text, const std::string& word) {
  for (const char mark : {'*', '`'})
    for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
      const auto end = text.find(mark, at + 1);
      if (end == text.npos) break;
      if (plain(text.substr(at + 1, end - at - 1)) == word) return true;
      at = end;
    }
  return false;
}

}  // namespace

const std::vector<GlossaryEntry>& glossary() {
  static const std::vector<GlossaryEntry> entries = read_glossary();
  return entries;
}

std::vector<const GlossaryEntry*> glossary_entries(const std::string& word) {
  const std::string wanted = plain(word);
  const auto that = [](const auto& fits) {
    std::vector<const GlossaryEntry*> found;
    for (const GlossaryEntry& e : glossary())
      if (fits(e)) found.push_back(&e);
    return found;
  };
  auto found = that([&](const GlossaryEntry& e) { return plain(e.word) == wanted; });
  if (found.empty())
    found = that([&](const GlossaryEntry& e) {
      return (' ' + plain(e.word) + ' ').find(' ' + wanted + ' ') != std::string::npos;
    });
  return found.empty() ? that([&](const GlossaryEntry& e) { return defines(e.text, wanted); }) : found;
}

}  // namespace claros::cli
