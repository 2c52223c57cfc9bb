// SPDX-License-Identifier: BSD-3-Clause
#include "compose/places.hpp"

#include <algorithm>
#include <utility>

namespace claros {

namespace {

/// "robust.ini:12", and not "command line".
bool stands_in_file(const Setting& setting) {
  const auto colon = setting.where.rfind(':');
  return colon != setting.where.npos &&
         setting.where.find_first_not_of("0123456789", colon + 1) == setting.where.npos;
}

bool is_alone(const std::string& section, const Composition& composition) {
  const auto kind = parse_kind(section);
  const auto all = composition.all_parts();
  return kind &&
         std::count_if(all.begin(), all.end(), [&](const Node* part) { return part->kind == *kind; }) == 1;
}

}  // namespace

Error placed(const Error& error, const Spec& written, const Composition& composition) {
  std::vector<Complaint> complaints = error.complaints();
  for (Complaint& complaint : complaints) {
    const auto dot = complaint.where.rfind('.');
    if (dot == complaint.where.npos) continue;
    const std::string section = complaint.where.substr(0, dot);
    const auto setting = written.get(section, complaint.where.substr(dot + 1));
    if (setting && stands_in_file(*setting) && is_alone(section, composition))
      complaint.where = setting->label();
  }
  return {error.kind(), std::move(complaints)};
}

}  // namespace claros
