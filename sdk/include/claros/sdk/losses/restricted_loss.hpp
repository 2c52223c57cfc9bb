// SPDX-License-Identifier: BSD-3-Clause
/// @file restricted_loss.hpp  A loss of a linear image, of some coordinates of the variable. Included by
/// loss_on_map.hpp.
#pragma once

#include <claros/map/columns.hpp>
#include <claros/map/output_columns.hpp>
#include <claros/sdk/loss_on_map.hpp>
#include <claros/sdk/losses/largest_eigenvalue.hpp>

#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace claros::sdk {

/// A loss of the image of some coordinates of another's variable. It has no covariance, and each component
/// has one output or several that are apart (LossModel::entrywise).
class RestrictedLoss final : public LossOnMap, public FreeTail, public TermConstants {
 public:
  RestrictedLoss(LossModel model, std::shared_ptr<LastValues> values) {
    set_model(std::move(model));
    share_values(std::move(values));
  }
  Shape constrained_shape() const override { return model().constrained; }

  /// Those of the loss that steps are made of, on the first call.
  Constants constants() const override {
    if (constants_) return *constants_;
    const LossConstants psi = loss().constants();
    constants_.emplace();
    constants_->convex = psi.convex;
    if (psi.smoothness) {
      const auto each = term_smoothness();
      const double trace = std::accumulate(each.begin(), each.end(), 0.0) / std::max(*psi.smoothness, kTiny);
      constants_->smoothness =
          *psi.smoothness * largest_eigenvalue(map(), output_weights(), trace) / static_cast<double>(terms());
      constants_->term_smoothness = *std::max_element(each.begin(), each.end());
    }
    return *constants_;
  }
  std::span<const double> term_smoothness() const override {
    if (!each_.empty()) return each_;
    each_ = squared_norms();
    const double L = loss().constants().smoothness.value_or(0.0);
    for (std::size_t i = 0; i < each_.size(); ++i)
      each_[i] *= model().weights.empty() ? L : L * model().weights[i];
    return each_;
  }

  void* ability(std::string_view id) noexcept override {
    if (id == FreeTail::kAbility && model().free_tail == 0) return nullptr;
    if (id == TermConstants::kAbility && !loss().constants().smoothness) return nullptr;
    if (void* mine = offer<FreeTail, TermConstants>(this, id)) return mine;
    return LossOnMap::ability(id);
  }

 protected:
  std::vector<double> squared_norms() const override {
    if (const auto of_outputs = map()->output_columns()) return largest_squares(*of_outputs);
    std::vector<double> squares(static_cast<std::size_t>(terms()), 0.0);
    const auto columns = map()->columns();
    for (Index j = 0; j < columns->count(); ++j) {
      const auto values = columns->values(j);
      const auto rows = columns->rows_of(j);
      for (std::size_t e = 0; e < values.size(); ++e)
        squares[rows.empty() ? e : static_cast<std::size_t>(rows[e])] += values[e] * values[e];
    }
    return squares;
  }

 private:
  static constexpr double kTiny = 1e-300;

  /// The largest square of each component over its outputs.
  std::vector<double> largest_squares(const OutputColumns& all) const {
    const auto n = static_cast<std::size_t>(terms());
    std::vector<double> squares(n * static_cast<std::size_t>(all.outputs()), 0.0), largest(n, 0.0);
    for (Index c = 0; c < all.count(); ++c) {
      const auto values = all.columns().values(all.column(c));
      const auto rows = all.columns().rows_of(all.column(c));
      const auto of_output = all.piece(std::span<double>(squares), all.output(c));
      for (std::size_t e = 0; e < values.size(); ++e)
        of_output[all.columns().are_sparse() ? static_cast<std::size_t>(rows[e]) : e] +=
            values[e] * values[e];
    }
    for (std::size_t k = 0; k < squares.size(); ++k) largest[k % n] = std::max(largest[k % n], squares[k]);
    return largest;
  }
  /// Weights of the components, one an output.
  std::vector<double> output_weights() const {
    std::vector<double> all;
    for (const double w : model().weights) all.insert(all.end(), static_cast<std::size_t>(outputs()), w);
    return all;
  }

  mutable std::optional<Constants> constants_;
  mutable std::vector<double> each_;
};

inline std::unique_ptr<Component> LossOnMap::restrict_to(std::span<const Index> coordinates) {
  LossModel some = model_;
  some.map = map()->restricted(coordinates);
  const auto size = static_cast<Index>(coordinates.size());
  if (some.free_tail > 0) some.constrained = Shape::vector(size - some.free_tail);
  return std::make_unique<RestrictedLoss>(std::move(some), values_);
}

}  // namespace claros::sdk
