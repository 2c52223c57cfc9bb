// SPDX-License-Identifier: BSD-3-Clause
#include "specification/spec_text.hpp"

#include <claros/compose/spec.hpp>
#include <claros/kind.hpp>
#include <claros/regular_file.hpp>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace claros {

namespace {

constexpr std::size_t kLargestSpec = std::size_t{1} << 20;

struct Line {
  std::string text;
  int number;
};

/// Trimmed lines without the comments and the empty ones.
std::vector<Line> visible_lines(const std::string& text) {
  const std::string mark = "\xEF\xBB\xBF";
  std::istringstream in(text.starts_with(mark) ? text.substr(mark.size()) : text);
  std::vector<Line> lines;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line = trimmed(line);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    lines.push_back({line, number});
  }
  return lines;
}

std::string header_name(const Line& line) { return trimmed(line.text.substr(1, line.text.size() - 2)); }

std::optional<Complaint> header_fault(const Line& line, const std::string& where) {
  const std::string shown = "'" + line.text + "'";
  if (line.text.back() != ']') return Complaint{where, shown + " has no closing ]", "write [section]"};
  if (is_section(header_name(line))) return unknown_section(header_name(line), where);
  return Complaint{where, shown + " is not the name of a section", "write a name such as [objective]"};
}

std::optional<Complaint> setting_fault(const Line& line, const std::string& where) {
  const auto equals = line.text.find('=');
  if (equals == std::string::npos)
    return Complaint{where, "'" + line.text + "' has no '='", "write key = value"};
  const std::string key = trimmed(line.text.substr(0, equals));
  if (!is_key(key))
    return Complaint{where, "'" + key + "' is not a key", "write lower-case letters, digits, - and _"};
  return {};
}

/// Takes the lines of a specification one after the other.
class Reader {
 public:
  Reader(const std::string& name, std::vector<Complaint>& complaints)
      : name_(name), complaints_(complaints) {}

  /// False if nothing more can be understood: a binary file would be complained about in every line.
  bool take(const Line& line) {
    const std::string where = name_ + ':' + std::to_string(line.number);
    if (has_control(line.text)) {
      complaints_.push_back({where, "holds a control character", "name a specification in plain text"});
      return false;
    }
    line.text[0] == '[' ? take_header(line, where) : take_setting(line, where);
    return true;
  }

  std::vector<Setting> settings;

 private:
  void take_header(const Line& line, const std::string& where) {
    auto fault = header_fault(line, where);
    section_ = fault ? "" : header_name(line);
    in_section_ = true;
    if (fault) complaints_.push_back(*std::move(fault));
  }

  /// Lines below an unreadable header are checked for their form and dropped.
  void take_setting(const Line& line, const std::string& where) {
    if (auto fault = setting_fault(line, where)) return complaints_.push_back(*std::move(fault));
    const auto equals = line.text.find('=');
    const std::string key = trimmed(line.text.substr(0, equals));
    if (!in_section_)
      return complaints_.push_back(
          {where, "the key '" + key + "' is outside a section", "write [section] above it"});
    if (!section_.empty()) settings.push_back({key, trimmed(line.text.substr(equals + 1)), where, section_});
  }

  const std::string& name_;
  std::vector<Complaint>& complaints_;
  std::string section_;  ///< empty below an unreadable header
  bool in_section_ = false;
};

void find_duplicates(const std::vector<Setting>& settings, std::vector<Complaint>& complaints) {
  for (auto later = settings.begin(); later != settings.end(); ++later) {
    const auto same = [&](const Setting& s) { return s.place() == later->place(); };
    const auto first = std::find_if(settings.begin(), later, same);
    if (first != later)
      complaints.push_back(
          {later->label(), "is set a second time, first at " + first->where, "remove one of them"});
  }
}

}  // namespace

std::optional<Complaint> unknown_section(const std::string& section, const std::string& where) {
  const auto& known = Spec::known_sections();
  const std::string first = section.substr(0, section.find('.'));
  if (std::find(known.begin(), known.end(), first) != known.end()) {
    if (first == section || parse_kind(first)) return {};
    return Complaint{
        where,
        "there is no section '" + section + "': [" + first + "] is a built-in section and has no subsections",
        "write [" + first + "]"};
  }
  std::string remedy = did_you_mean(section, known);
  if (remedy.empty()) {
    remedy = "the sections are";
    for (const std::string& name : known) remedy += ' ' + name;
  }
  return Complaint{where, "there is no section '" + section + "'", remedy};
}

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_section(const std::string& words) {
  if (words.empty() || words.back() == '.') return false;
  std::istringstream in(words);
  bool outermost = true;
  for (std::string word; std::getline(in, word, '.'); outermost = false) {
    const bool number =
        !word.empty() && word.front() != '0' && word.find_first_not_of("0123456789") == word.npos;
    if (!is_key(word) && (outermost || !number)) return false;
  }
  return true;
}

bool has_control(const std::string& text) {
  const auto control = [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7F; };
  return std::any_of(text.begin(), text.end(), control);
}

namespace {

/// True for files that this process holds open (/dev/stdin, and <(...) of a shell): to read them may wait, as
/// the user means it to.
bool is_open_already(const std::filesystem::path& file) {
  const std::string name = file.string();
  return name == "/dev/stdin" || name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
}

}  // namespace

std::string read_spec_file(const std::filesystem::path& file) {
  const auto reject = [&](const std::string& what, const std::string& remedy) {
    throw Error(ErrorKind::usage, file.string(), what, remedy);
  };
  std::error_code code;
  if (std::filesystem::is_directory(file, code)) reject("is a folder", "name the specification inside it");
  if (!std::filesystem::exists(file, code))
    reject("cannot be read: " + (code ? code.message() : std::generic_category().message(ENOENT)),
           "check the path");
  if (!is_open_already(file)) expect_regular_file(file, ErrorKind::usage);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) reject("cannot be read: " + std::generic_category().message(errno), "check the path");
  std::string text;
  char some[4096];
  do text.append(some, static_cast<std::size_t>(in.read(some, sizeof some).gcount()));
  while (in && text.size() <= kLargestSpec);
  if (in.bad()) reject("cannot be read to its end", "check the disk");
  if (text.size() > kLargestSpec) reject("is larger than 1 MiB", "name a specification, not a data file");
  return text;
}

std::vector<Setting> read_settings(const std::string& text, const std::string& name,
                                   std::vector<Complaint>& complaints) {
  Reader reader(name, complaints);
  for (const Line& line : visible_lines(text))
    if (!reader.take(line)) return {};
  std::vector<Setting> settings = std::move(reader.settings);
  find_duplicates(settings, complaints);
  if (settings.empty() && complaints.empty())
    complaints.push_back({name, "holds no setting", "write [objective], use = ... and so on"});
  return settings;
}

}  // namespace claros
