// SPDX-License-Identifier: BSD-3-Clause
/// @file rows_elsewhere.hpp  The map of a linear model whose rows no rank has in whole.
#pragma once

#include <claros/error.hpp>
#include <claros/map/linear_map.hpp>

#include <span>

namespace linear_model {

/// Has sizes alone: every product throws Error(usage).
class RowsElsewhere final : public claros::LinearMap {
 public:
  /// `size` outputs; the variable has `shape`, and `free` numbers more where that is not 0.
  RowsElsewhere(claros::Index size, claros::Shape shape, claros::Index free)
      : size_(size), domain_(free > 0 ? claros::Shape::vector(shape.size() + free) : shape) {}
  [[noreturn]] static void refuse() {
    throw claros::Error(
        claros::ErrorKind::usage, "data",
        "names parts, of which each of several ranks reads its own: only a sum over ranks can "
        "use them",
        "set objective.use = sharded with objective.inner.use = linear-model, or start one rank");
  }

  claros::Shape domain() const override { return domain_; }
  claros::Index size() const override { return size_; }
  void apply(double, const claros::Element&, double, std::span<double>) const override { refuse(); }
  void dot(std::span<const claros::Index>, const claros::Element&, std::span<double>) const override {
    refuse();
  }
  void fold(double, const claros::AdjointForm&, claros::Element&) const override { refuse(); }
  bool cheap(const claros::Element&) const override { return false; }

 private:
  claros::Index size_;
  claros::Shape domain_;
};

}  // namespace linear_model
