// SPDX-License-Identifier: BSD-3-Clause
/// @file chunk.hpp  Consecutive rows of a linear model, for sums over ranks.
#pragma once

#include <claros/map/design_map.hpp>
#include <claros/sdk/losses/loss_model.hpp>
#include <claros/sdk/term_chunks.hpp>

#include <memory>
#include <vector>

namespace linear_model {

/// The rows [first, first + count) of a design, whose memory it shares; of rows that lie by columns, of their
/// copy by rows.
std::shared_ptr<const claros::Design> row_range(const std::shared_ptr<const claros::Design>& design,
                                                claros::Index first, claros::Index count);

/// w_i psi(<a_i, x>, y_i) of consecutive rows (sdk/term_chunks.hpp).
class Chunk final : public claros::sdk::TermChunk {
 public:
  /// A model without a covariance, whose weights are those of the whole.
  Chunk(claros::sdk::LossModel model, std::shared_ptr<const claros::DesignMap> map)
      : model_(std::move(model)), map_(std::move(map)) {}

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
  std::span<double> image(const claros::Element& x);
  double sum_at(std::span<const double> z) const;
  std::vector<claros::Index> outputs_of(std::span<const claros::Index> terms) const;
  std::vector<double> targets_of(std::span<const claros::Index> terms) const;
  double weight(claros::Index i) const {
    return model_.weights.empty() ? 1.0 : model_.weights[static_cast<std::size_t>(i)];
  }

  claros::sdk::LossModel model_;
  std::shared_ptr<const claros::DesignMap> map_;
  std::vector<double> z_;
};

}  // namespace linear_model
