// SPDX-License-Identifier: BSD-3-Clause
/// @file chunk.hpp  Consecutive rows of a linear model, for sums over ranks.
#pragma once

#include <claros/map/design_map.hpp>
#include <shared/map_chunk.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace linear_model {

/// The rows [first, first + count) of a design, whose memory it shares; of rows that lie by columns, of their
/// copy by rows.
std::shared_ptr<const claros::Design> row_range(const std::shared_ptr<const claros::Design>& design,
                                                claros::Index first, claros::Index count);

/// w_i psi(<a_i, x>, y_i) of consecutive rows.
class Chunk final : public claros::sdk::MapChunk {
 public:
  /// `map` is the map of the model.
  Chunk(claros::sdk::LossModel model, std::shared_ptr<const claros::DesignMap> map)
      : MapChunk(std::move(model)), map_(std::move(map)) {}

  using MapChunk::add_gradient;
  double add_gradient(const claros::Element& x, double a, std::span<double> g) override;
  void add_square(const claros::Element& v, double a, std::span<double> g) override;

 private:
  std::vector<double> squared_norms() const override { return map_->squared_norms(); }

  std::shared_ptr<const claros::DesignMap> map_;
};

}  // namespace linear_model
