// SPDX-License-Identifier: BSD-3-Clause
/// @file sensing_sum.hpp  A loss of given measurements of a matrix.
#pragma once

#include "measurement_rows.hpp"
#include "reading.hpp"

#include <claros/abilities.hpp>
#include <claros/sdk/loss_on_map.hpp>
#include <shared/losses/map_constants.hpp>
#include <shared/term_chunks.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace matrix_sensing {

/// f(X) = (1/n) sum_i psi(<A_i, X>, y_i). Component i is psi'' ||A_i||^2 smooth. The sum f is sup psi''
/// lambda smooth, lambda the largest eigenvalue of (1/n) sum_i vec(A_i) vec(A_i)', computed on the first
/// request (sdk::largest_eigenvalue). If rows are in parts there are only chunks, as in a linear model.
class SensingSum final : public claros::sdk::LossOnMap,
                         public claros::TermConstants,
                         public claros::sdk::TermChunks {
 public:
  SensingSum(MeasurementRows rows, std::vector<double> targets, std::shared_ptr<const claros::Loss> psi,
             const Options& options, int threads);

  claros::Constants constants() const override;
  std::span<const double> term_smoothness() const override;
  void refer(claros::References& references) const override;
  std::unique_ptr<claros::sdk::TermChunk> chunk(claros::Index first, claros::Index count) override;
  void release() override;
  claros::Constants constants_of(const claros::sdk::ChunkFacts& all, double eigenvalue) const override;
  claros::Index square_size() const override;
  bool needs_eigenvalue() const override;
  bool has_dual() const override;
  claros::Index fingerprint() const override { return rows_.fingerprint(model().targets); }
  void* ability(std::string_view id) noexcept override;

 private:
  bool is_of_pairs() const noexcept;
  std::vector<double> squared_norms() const override;
  claros::Constants computed() const;
  double largest_eigenvalue(const std::vector<double>& norms) const;
  claros::Constants from_norms(const claros::sdk::MapNorms& norms) const;
  void expect_rows() const;

  MeasurementRows rows_;
  Options options_;
  int threads_;
  claros::Measurements::Kind kind_;
  mutable std::optional<claros::Constants> constants_;
  mutable std::vector<double> components_;
};

}  // namespace matrix_sensing
