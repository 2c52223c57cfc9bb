// SPDX-License-Identifier: BSD-3-Clause
#include "compose/sections.hpp"

namespace claros {

std::shared_ptr<void> Sections::options(const ParameterList& parameters, const std::string& section, const std::string& owner) {
  const Assignments assignments = assign_settings(parameters, without_leftovers(parameters, section, owner), owner);
  findings_.add(assignments.complaints);
  for (const ParameterInfo& row : parameters.rows())
    result_.effective.set(section + "." + row.name, parameters.print(assignments.options.get(), row.name));
  return assignments.options;
}

/// The settings of a section. Where the command line names another component than the file, what the file says of the
/// first and the second does not know is left out, with a warning.
std::vector<Setting> Sections::without_leftovers(const ParameterList& parameters, const std::string& section, const std::string& owner) const {
  const auto stands_in_file = [](const Setting& s) {
    const auto colon = s.where.rfind(':');
    return colon != s.where.npos && s.where.find_first_not_of("0123456789", colon + 1) == s.where.npos;
  };
  std::vector<Setting> settings = own_settings(parameters, spec_.settings(section));
  const auto use = spec_.get(section, std::string(kUse));
  if (!use || use->where.empty() || stands_in_file(*use)) return settings;
  std::erase_if(settings, [&](const Setting& s) {
    const bool leftover = s.key != kUse && !parameters.find(s.key) && stands_in_file(s);
    if (leftover) result_.context.warn(s.label() + " is left out: " + section + " became " + owner + " (" + use->where + "), which has no such parameter");
    return leftover;
  });
  return settings;
}

}  // namespace claros
