// SPDX-License-Identifier: BSD-3-Clause
/// @file busy_objects.hpp  Objects of a program serve one run at a time.
#pragma once

#include <claros/compose/composition.hpp>

#include <vector>

namespace claros {

/// Holds the objects of a program for one run.
class BusyObjects {
 public:
  /// Throws Error(usage) that names every object which another run of this process holds.
  explicit BusyObjects(const HostParts& parts);
  ~BusyObjects();
  BusyObjects(const BusyObjects&) = delete;
  BusyObjects& operator=(const BusyObjects&) = delete;

 private:
  std::vector<const Component*> held_;
};

}  // namespace claros
