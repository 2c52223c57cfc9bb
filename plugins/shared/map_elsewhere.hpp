// SPDX-License-Identifier: BSD-3-Clause
/// @file map_elsewhere.hpp  The map of an objective whose rows or entries no rank has in whole.
#pragma once

#include <claros/error.hpp>
#include <claros/map/linear_map.hpp>

#include <span>
#include <string>
#include <utility>

namespace claros::sdk {

/// Has sizes alone: every product throws Error(usage).
class MapElsewhere final : public LinearMap {
 public:
  /// `objective`: the name of the plugin, for the message.
  MapElsewhere(Shape domain, Index size, std::string objective)
      : domain_(domain), size_(size), objective_(std::move(objective)) {}
  [[noreturn]] static void refuse(const std::string& objective) {
    throw Error(
        ErrorKind::usage, "data",
        "names parts, of which each of several ranks reads its own: only a sum over ranks can use them",
        "set objective.use = sharded with objective.inner.use = " + objective + ", or start one rank");
  }

  Shape domain() const override { return domain_; }
  Index size() const override { return size_; }
  void apply(double, const Element&, double, std::span<double>) const override { refuse(objective_); }
  void dot(std::span<const Index>, const Element&, std::span<double>) const override { refuse(objective_); }
  void fold(double, const AdjointForm&, Element&) const override { refuse(objective_); }
  bool cheap(const Element&) const override { return false; }

 private:
  Shape domain_;
  Index size_;
  std::string objective_;
};

}  // namespace claros::sdk
