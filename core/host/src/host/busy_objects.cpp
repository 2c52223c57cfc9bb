// SPDX-License-Identifier: BSD-3-Clause
#include "host/busy_objects.hpp"

#include <claros/error.hpp>

#include <mutex>
#include <set>
#include <utility>

namespace claros {

namespace {

struct Registry {
  std::mutex mutex;
  std::set<const Component*> busy;
};

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

BusyObjects::BusyObjects(const HostParts& parts) {
  std::vector<Complaint> complaints;
  const std::lock_guard lock(registry().mutex);
  for (const auto& [path, part] : parts.parts)
    if (registry().busy.contains(part.component.get()))
      complaints.push_back({path, "the object of this program is in another run at this moment",
                            "give every run an object of its own"});
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
  for (const auto& [path, part] : parts.parts)
    if (part.component && registry().busy.insert(part.component.get()).second)
      held_.push_back(part.component.get());
}

BusyObjects::~BusyObjects() {
  const std::lock_guard lock(registry().mutex);
  for (const Component* object : held_) registry().busy.erase(object);
}

}  // namespace claros
