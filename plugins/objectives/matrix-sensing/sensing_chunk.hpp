// SPDX-License-Identifier: BSD-3-Clause
/// @file sensing_chunk.hpp  The terms of consecutive measurements.
#pragma once

#include <claros/map/measurements.hpp>
#include <claros/sdk/losses/loss_model.hpp>
#include <claros/sdk/term_chunks.hpp>

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace matrix_sensing {

/// psi(<A_i, X>, y_i) of consecutive i (sdk/term_chunks.hpp).
class SensingChunk final : public claros::sdk::TermChunk {
 public:
  /// A model without weights.
  SensingChunk(claros::sdk::LossModel model, claros::Measurements::Kind kind)
      : model_(std::move(model)), kind_(kind) {}

  double value(const claros::Element& x) override;
  double add_gradient(const claros::Element& x, double a, std::span<double> g) override;
  void add_gradient(const claros::Element& x, std::span<const claros::Index> terms, double a,
                    std::span<double> g) override;
  std::unique_ptr<claros::Hessian> hessian(const claros::Element& at, bool all,
                                           std::span<const claros::Index> terms) override;
  double conjugate(const claros::Element& x, double a) override;
  void add_square(const claros::Element& v, double a, std::span<double> g) override;
  claros::sdk::ChunkFacts facts() override;
  claros::sdk::RoundingSums rounding(const claros::Element& x, double unit) override;

 private:
  static constexpr claros::Index kGrain = 1 << 12;
  claros::Index terms() const { return static_cast<claros::Index>(model_.targets.size()); }
  std::vector<double> image(const claros::Element& x) const;
  std::vector<double> derivative(std::span<const double> z) const;
  double sum_at(std::span<const double> z) const;
  std::vector<double> targets_of(std::span<const claros::Index> terms) const;

  claros::sdk::LossModel model_;
  claros::Measurements::Kind kind_;
};

}  // namespace matrix_sensing
