// SPDX-License-Identifier: BSD-3-Clause
#include <claros/settings.hpp>

#include <algorithm>

namespace claros {

namespace {

Complaint unknown_key(const Setting& setting, const std::vector<std::string>& known,
                      const std::string& owner) {
  std::string remedy = did_you_mean(setting.key, known);
  if (remedy.empty()) remedy = known.empty() ? "it takes none" : "it knows " + joined(known);
  return {setting.label(), owner + " has no parameter '" + setting.key + "'", remedy};
}

/// `complaint` of a value, placed where the value was written.
Complaint placed(const Setting& setting, Complaint complaint) {
  complaint.where = setting.label();
  if (setting.value.find_first_of("#;") != std::string::npos)
    complaint.remedy += "; a comment stands on a line of its own";
  return complaint;
}

/// "penalty.lambda", as far as the settings tell their section.
std::string key_label(const std::vector<Setting>& settings, const std::string& key) {
  return Setting{key, {}, {}, settings.empty() ? std::string() : settings.front().section}.label();
}

/// True if a setting names the key, or a key close to it.
bool names(const std::vector<Setting>& settings, const std::string& key, const ParameterList& parameters) {
  return std::any_of(settings.begin(), settings.end(), [&](const Setting& setting) {
    const bool unknown = setting.key != kUse && !parameters.find(setting.key);
    return setting.key == key || (unknown && !did_you_mean(setting.key, {key}).empty());
  });
}

}  // namespace

namespace {

/// True if `where` is "step" or, for a list, "terms.2".
bool is_own_key(const ParameterList& options, const std::string& where) {
  if (options.find(where)) return true;
  const auto dot = where.find('.');
  const bool numbered = dot != where.npos && dot + 1 < where.size() &&
                        where.find_first_not_of("0123456789", dot + 1) == where.npos;
  const std::string name = numbered ? where.substr(0, dot) : where;
  return std::ranges::any_of(options.roles(), [&](const Role& role) { return role.name == name; });
}

}  // namespace

Error ComponentPath::with_path(const Error& error) const {
  std::vector<Complaint> complaints = error.complaints();
  for (Complaint& complaint : complaints) {
    if (complaint.where.empty())
      complaint.where = path;
    else if (options && is_own_key(*options, complaint.where))
      complaint.where = path + '.' + complaint.where;
  }
  return {error.kind(), std::move(complaints)};
}

bool is_key(const std::string& word) {
  constexpr const char* letters = "abcdefghijklmnopqrstuvwxyz";
  constexpr const char* all = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  return word.find_first_of(letters) == 0 && word.find_first_not_of(all) == std::string::npos;
}

std::string Setting::label() const {
  const std::string name = section.empty() ? key : section + '.' + key;
  return where.empty() ? name : where + ": " + name;
}

std::string Setting::place() const {
  if (key == kUse) return section;
  return section.empty() ? key : section + '.' + key;
}

std::vector<Setting> own_settings(const ParameterList& parameters, const std::vector<Setting>& settings) {
  std::vector<Setting> own = settings;
  for (const Role& role : parameters.roles())
    std::erase_if(own, [&](const Setting& s) {
      return (s.key == role.name && !role.many) || s.key.starts_with(role.name + '.');
    });
  return own;
}

std::vector<Setting> settings_of_part(const std::string& role, const std::vector<Setting>& settings) {
  std::vector<Setting> result;
  for (Setting setting : settings) {
    if (setting.key == role)
      setting.key = kUse;
    else if (setting.key.starts_with(role + '.'))
      setting.key = setting.key.substr(role.size() + 1);
    else
      continue;
    if (!setting.section.empty()) setting.section += '.' + role;
    result.push_back(std::move(setting));
  }
  return result;
}

std::shared_ptr<void> Assignments::checked() const {
  if (!complaints.empty()) throw Error(ErrorKind::usage, complaints);
  return options;
}

Assignments assign_settings(const ParameterList& parameters, const std::vector<Setting>& settings,
                            const std::string& owner) {
  Assignments result{parameters.make(), unknown_keys(settings, parameters.names(), owner)};
  for (const Setting& setting : settings) {
    if (setting.key == kUse || !parameters.find(setting.key)) continue;
    try {
      parameters.assign(result.options.get(), setting.key, setting.value);
    } catch (const Error& error) {
      for (const Complaint& complaint : error.complaints())
        result.complaints.push_back(placed(setting, complaint));
    }
  }
  for (const ParameterInfo& info : parameters.rows())
    if (info.range.required && !names(settings, info.name, parameters))
      result.complaints.push_back(missing_value(info, key_label(settings, info.name), owner));
  return result;
}

std::vector<Complaint> unknown_keys(const std::vector<Setting>& settings,
                                    const std::vector<std::string>& known, const std::string& owner) {
  std::vector<Complaint> complaints;
  for (const Setting& setting : settings)
    if (setting.key != kUse && std::find(known.begin(), known.end(), setting.key) == known.end())
      complaints.push_back(unknown_key(setting, known, owner));
  return complaints;
}

}  // namespace claros
