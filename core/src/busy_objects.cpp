// SPDX-License-Identifier: BSD-3-Clause
#include "busy_objects.hpp"

#include <claros/catalog.hpp>
#include <claros/error.hpp>

#include <array>
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
  const std::array<std::pair<Kind, const Component*>, 5> objects{{{Kind::objective, parts.objective.get()},
                                                                  {Kind::penalty, parts.penalty.get()},
                                                                  {Kind::set, parts.set.get()},
                                                                  {Kind::estimator, parts.estimator.get()},
                                                                  {Kind::algorithm, parts.algorithm.get()}}};
  std::vector<Complaint> complaints;
  const std::lock_guard lock(registry().mutex);
  for (const auto& [kind, object] : objects)
    if (registry().busy.contains(object))
      complaints.push_back({kind_name(kind), "the object of this program is in another run at this moment",
                            "give every run an object of its own"});
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
  for (const auto& [kind, object] : objects)
    if (object && registry().busy.insert(object).second) held_.push_back(object);
}

BusyObjects::~BusyObjects() {
  const std::lock_guard lock(registry().mutex);
  for (const Component* object : held_) registry().busy.erase(object);
}

}  // namespace claros
