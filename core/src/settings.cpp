// SPDX-License-Identifier: BSD-3-Clause
#include <claros/settings.hpp>

#include <algorithm>

namespace claros {

namespace {

std::string comma_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Complaint unknown_key(const Setting& setting, const std::vector<std::string>& known,
                      const std::string& owner) {
  std::string remedy = did_you_mean(setting.key, known);
  if (remedy.empty()) remedy = known.empty() ? "it takes none" : "it knows " + comma_list(known);
  return {setting.label(), owner + " has no parameter '" + setting.key + "'", remedy};
}

/// `complaint` of a value, placed where the value was written.
Complaint placed(const Setting& setting, Complaint complaint) {
  complaint.where = setting.label();
  if (setting.value.find_first_of("#;") != std::string::npos)
    complaint.remedy += "; a comment stands on a line of its own";
  return complaint;
}

}  // namespace

std::string Setting::label() const {
  const std::string name = section.empty() ? key : section + '.' + key;
  return where.empty() ? name : where + ": " + name;
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
