// SPDX-License-Identifier: BSD-3-Clause
/// @file entries_elsewhere.hpp  The map of a matrix completion whose entries no rank has in whole.
#pragma once

#include <claros/error.hpp>
#include <claros/map/linear_map.hpp>

#include <span>

namespace matrix_completion {

/// Has sizes alone: every product throws Error(usage).
class EntriesElsewhere final : public claros::LinearMap {
 public:
  EntriesElsewhere(claros::Shape shape, claros::Index size) : domain_(shape), size_(size) {}
  [[noreturn]] static void refuse() {
    throw claros::Error(
        claros::ErrorKind::usage, "data",
        "names parts, of which each of several ranks reads its own: only a sum over ranks can use them",
        "set objective.use = sharded with objective.inner.use = matrix-completion, or start one rank");
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
  claros::Shape domain_;
  claros::Index size_;
};

}  // namespace matrix_completion
