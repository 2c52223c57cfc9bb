// SPDX-License-Identifier: BSD-3-Clause
/// @file least_squares.hpp  f(x) = (1/2n) ||A x - y||^2 for a map A of the test's own.
#pragma once

#include <claros/sdk/loss_on_map.hpp>
#include <losses/squared/squared_loss.hpp>

namespace claros::testing {

class LeastSquares final : public sdk::LossOnMap {
 public:
  LeastSquares(MapPtr map, std::vector<double> y) {
    set_model(std::move(map), std::move(y), std::make_shared<sdk::LossOf<losses::SquaredLoss>>());
  }
};

}  // namespace claros::testing
