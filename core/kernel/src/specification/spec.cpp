// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/spec.hpp>

#include "specification/spec_text.hpp"

#include <algorithm>
#include <utility>

namespace claros {

namespace {

void refuse(const std::vector<Complaint>& complaints) {
  if (!complaints.empty()) throw Error(ErrorKind::usage, complaints);
}

/// setting.place() == place, without making that text: composing asks thousands of times.
bool is_at(const Setting& setting, std::string_view place) {
  const std::string_view section = setting.section, key = setting.key;
  if (place.size() == section.size()) return key == kUse && place == section;
  if (section.empty()) return key != kUse && place == key;
  return place.size() == section.size() + 1 + key.size() && place[section.size()] == '.' &&
         place.ends_with(key) && place.starts_with(section) && key != kUse;
}

}  // namespace

const std::vector<std::string>& Spec::known_sections() {
  static const std::vector<std::string> sections{"objective", "data",      "set",       "penalty",
                                                 "smoother",  "estimator", "algorithm", "start",
                                                 "stop",      "trace",     "output",    "run"};
  return sections;
}

Spec::Spec(std::filesystem::path base) : base_(std::move(base)) {}

Spec Spec::read(const std::filesystem::path& file) {
  std::vector<Complaint> complaints;
  Spec spec = read(file, complaints);
  refuse(complaints);
  return spec;
}

Spec Spec::read(const std::filesystem::path& file, std::vector<Complaint>& complaints) {
  const std::string text = read_spec_file(file);
  Spec spec(std::filesystem::absolute(file).parent_path());
  spec.settings_ = read_settings(text, file.string(), complaints);
  return spec;
}

Spec Spec::parse(const std::string& text, const std::string& name, std::filesystem::path base) {
  Spec spec(std::move(base));
  std::vector<Complaint> complaints;
  spec.settings_ = read_settings(text, name, complaints);
  refuse(complaints);
  return spec;
}

void Spec::set(const std::string& name, const std::string& value, const std::string& where) {
  const std::string place = where.empty() ? name : where + ": " + name;
  const auto dot = name.rfind('.');
  if (dot == std::string::npos)
    throw Error(ErrorKind::usage, place, "names no section", "write section.key, such as stop.epochs");
  Setting setting{name.substr(dot + 1), trimmed(value), where, name.substr(0, dot)};
  if (auto complaint = unknown_section(setting.section, place)) refuse({*complaint});
  if (!is_section(setting.section))
    throw Error(ErrorKind::usage, place, "'" + setting.section + "' is not the name of a section",
                "write a name such as objective, or algorithm.inner");
  if (!is_key(setting.key))
    throw Error(ErrorKind::usage, place, "'" + setting.key + "' is not a key",
                "write lower-case letters, digits, - and _");
  if (has_control(setting.value))
    throw Error(ErrorKind::usage, place, "the value holds a line break or another control character",
                "write it on one line");
  put(std::move(setting));
}

void Spec::put(Setting setting) {
  const std::string place = setting.place();
  const auto at = std::ranges::find_if(settings_, [&](const Setting& s) { return is_at(s, place); });
  if (at == settings_.end())
    settings_.push_back(std::move(setting));
  else
    *at = std::move(setting);
}

Spec Spec::of_component(const std::string& path, const std::vector<Setting>& settings) {
  Spec spec;
  for (Setting setting : settings) {
    const auto dot = setting.key.rfind('.');
    setting.section = dot == std::string::npos ? path : path + '.' + setting.key.substr(0, dot);
    if (dot != std::string::npos) setting.key = setting.key.substr(dot + 1);
    spec.put(std::move(setting));
  }
  return spec;
}

void Spec::assign(const std::vector<std::string>& assignments, const std::string& where) {
  std::vector<Complaint> complaints;
  assign(assignments, where, complaints);
  refuse(complaints);
}

void Spec::assign(const std::vector<std::string>& assignments, const std::string& where,
                  std::vector<Complaint>& complaints) {
  for (const std::string& assignment : assignments) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos) {
      complaints.push_back({where, "'" + assignment + "' has no '='", "write section.key=value"});
      continue;
    }
    try {
      set(trimmed(assignment.substr(0, equals)), assignment.substr(equals + 1), where);
    } catch (const Error& error) {
      complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
    }
  }
}

void Spec::erase(const std::string& section) {
  std::erase_if(settings_, [&](const Setting& s) {
    return s.section == section || is_at(s, section) || s.section.starts_with(section + '.');
  });
}

std::vector<std::string> Spec::sections() const {
  std::vector<std::string> result;
  const auto add = [&](const std::string& section) {
    if (std::find(result.begin(), result.end(), section) == result.end()) result.push_back(section);
  };
  for (const std::string& known : known_sections()) {
    if (has(known)) add(known);
    for (const Setting& setting : settings_)
      if (setting.section.starts_with(known + '.')) add(setting.section);
  }
  for (const Setting& setting : settings_) add(setting.section);
  return result;
}

bool Spec::has(const std::string& section) const {
  return std::any_of(settings_.begin(), settings_.end(),
                     [&](const Setting& s) { return s.section == section; });
}

std::vector<Setting> Spec::settings(const std::string& section) const {
  std::vector<Setting> result;
  for (const Setting& setting : settings_)
    if (setting.section == section) result.push_back(setting);
  return result;
}

bool has_line(const Setting& setting) {
  const auto colon = setting.where.rfind(':');
  return colon != setting.where.npos &&
         setting.where.find_first_not_of("0123456789", colon + 1) == setting.where.npos;
}

Error Spec::with_lines(const Error& error) const {
  std::vector<Complaint> complaints = error.complaints();
  for (Complaint& complaint : complaints) {
    const auto dot = complaint.where.rfind('.');
    if (dot == complaint.where.npos) continue;
    const auto setting = get(complaint.where.substr(0, dot), complaint.where.substr(dot + 1));
    if (setting && has_line(*setting)) complaint.where = setting->label();
  }
  return {error.kind(), std::move(complaints)};
}

std::optional<Setting> Spec::get(const std::string& section, const std::string& key) const {
  const std::string place = Setting{key, {}, {}, section}.place();
  for (const Setting& setting : settings_)
    if (is_at(setting, place)) return setting;
  return {};
}

std::filesystem::path Spec::base() const {
  const auto moved = get("run", "base");
  return moved ? base_ / moved->value : base_;
}

std::string Spec::text() const {
  std::string text;
  for (const std::string& section : sections()) {
    text += (text.empty() ? "[" : "\n[") + section + "]\n";
    for (const Setting& setting : settings(section)) text += setting.key + " = " + setting.value + '\n';
  }
  return text;
}

}  // namespace claros
