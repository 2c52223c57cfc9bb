// SPDX-License-Identifier: BSD-3-Clause
/// @file sensing_chunk.hpp  The terms of consecutive measurements.
#pragma once

#include "measurement_rows.hpp"

#include <shared/map_chunk.hpp>

#include <utility>
#include <vector>

namespace matrix_sensing {

/// psi(<A_i, X>, y_i) of consecutive i.
class SensingChunk final : public claros::sdk::MapChunk {
 public:
  /// A model without weights.
  SensingChunk(claros::sdk::LossModel model, claros::Measurements::Kind kind)
      : MapChunk(std::move(model)), kind_(kind) {}

  void add_square(const claros::Element& v, double a, std::span<double> g) override {
    const claros::MapPtr root = square_root(model().map, kind_);
    std::vector<double> z(static_cast<std::size_t>(root->size()));
    root->apply(a, claros::Element::dense(root->domain(), v.to_dense()), 0.0, z);
    add_adjoint(root, std::move(z), g);
  }

 private:
  std::vector<double> squared_norms() const override {
    return matrix_sensing::squared_norms(*model().map, kind_);
  }

  claros::Measurements::Kind kind_;
};

}  // namespace matrix_sensing
