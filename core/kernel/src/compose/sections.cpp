// SPDX-License-Identifier: BSD-3-Clause
#include "compose/sections.hpp"

namespace claros {

void Sections::choose(Node& part, const std::string& name, const std::optional<Setting>& use) {
  const std::size_t before = findings_.size();
  try {
    part.entry = &catalog_.at(part.kind, name, use ? use->label() : part.path);
    result_.effective.set(part.path + "." + std::string(kUse), part.entry->name);
    part.options = options(part.entry->parameters(), part.path, part.entry->label());
    point_to_parts(*part.entry, part.path, before);
    warn_of(*part.entry, name);
  } catch (const Error& error) {
    findings_.add(error);
    part.entry = nullptr;  // no such plugin, or one that cannot be loaded
  }
  if (findings_.size() > before) findings_.leave_out(part.path);
}

std::shared_ptr<void> Sections::options(const ParameterList& parameters, const std::string& section,
                                        const std::string& owner) {
  const Assignments assignments =
      assign_settings(parameters, without_leftovers(parameters, section, owner), owner);
  findings_.add(assignments.complaints);
  for (const ParameterInfo& row : parameters.rows())
    result_.effective.set(section + "." + row.name, parameters.print(assignments.options.get(), row.name));
  return assignments.options;
}

/// The settings of a section. Where the command line names another component than the file, what the file
/// says of the first and the second does not know is left out, with a warning.
std::vector<Setting> Sections::without_leftovers(const ParameterList& parameters, const std::string& section,
                                                 const std::string& owner) const {
  const auto stands_in_file = [](const Setting& s) {
    const auto colon = s.where.rfind(':');
    return colon != s.where.npos && s.where.find_first_not_of("0123456789", colon + 1) == s.where.npos;
  };
  std::vector<Setting> settings = own_settings(parameters, spec_.settings(section));
  const auto use = spec_.get(section, std::string(kUse));
  if (!use || use->where.empty() || stands_in_file(*use)) return settings;
  std::erase_if(settings, [&](const Setting& s) {
    const bool leftover = s.key != kUse && !parameters.find(s.key) && stands_in_file(s);
    if (leftover)
      result_.context.warn(s.label() + " is left out: " + section + " became " + owner + " (" + use->where +
                           "), which has no such parameter");
    return leftover;
  });
  return settings;
}

/// A key that the component does not know may be one of a part that it holds.
void Sections::point_to_parts(const PluginEntry& entry, const std::string& path, std::size_t first) {
  for (const Role& role : entry.parameters().roles()) {
    const PluginEntry* held = entry_at(catalog_, spec_, path + '.' + role.name);
    if (!held) continue;
    for (const Setting& setting : spec_.settings(path))
      for (Complaint& complaint : findings_.since(first))
        if (complaint.where == setting.label() && !entry.parameters().find(setting.key) &&
            held->parameters().find(setting.key))
          complaint.remedy = held->label() + " has it: write " + path + '.' + role.name + '.' + setting.key +
                             " = " + setting.value;
  }
}

/// What a name brings with it that the user may not have meant.
void Sections::warn_of(const PluginEntry& entry, const std::string& name) const {
  if (const std::string text = catalog_.instead_of_house(entry.kind, name); !text.empty())
    result_.context.warn(text);
  if (const std::string changed = entry.changed(); !changed.empty())
    result_.context.warn(entry.path.string() + " changed " + changed +
                         " when it was loaded; that was put back");
}

}  // namespace claros
