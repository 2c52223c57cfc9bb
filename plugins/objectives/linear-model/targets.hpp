// SPDX-License-Identifier: BSD-3-Clause
/// @file targets.hpp  Responses as the loss wants them.
#pragma once

#include <claros/context.hpp>
#include <claros/loss.hpp>
#include <claros/map/design.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace linear_model {

struct Targets {
  std::vector<double> values;
  std::shared_ptr<const claros::Loss> loss;
  std::vector<std::string>
      classes;  ///< of a loss of classes, in the order of the variable's columns; of two, -1 and 1
  std::vector<double> sizes = {};  ///< LossModel::target_sizes
};

/// The origin of the data, as a whole and of a row ("file:line").
struct Origin {
  std::string where;
  std::function<std::string(claros::Index row)> place;
  std::vector<claros::Index> kept = {};  ///< the rows of the data that have a weight; empty: all
  claros::Index row(claros::Index i) const { return kept.empty() ? i : kept[claros::at(i)]; }
};

/// Throws Error(data) if some class has no row among those kept (empty: all), which have a weight.
void expect_weight_of_classes(const claros::Design& design, const std::vector<claros::Index>& kept,
                              const std::string& where);

/// The targets for the loss. If it needs -1 and 1, `positive` (LabelRule) decides which response is 1.
/// Without it, two class names, the labels 0 and 1, or 1 and 2 are mapped. A loss of classes maps all
/// distinct responses to 0, 1, .... Notes say so. Throws Error(data) with the place of a response that does
/// not fit, and if there is only one class; Error(usage) for a `positive` that does not apply.
Targets make_targets(const claros::Design& design, const std::shared_ptr<claros::Loss>& loss,
                     const std::string& positive, const Origin& origin, const claros::Context& context);

/// Throws Error(data) if the intercept that fits best is minus infinity, as it is for counts that are all 0:
/// the loss then falls for ever.
void expect_intercept(const Targets& targets, const std::vector<double>& weights, const std::string& where);

/// The targets for z + o: a loss of z - y has targets y - o, another one is an OffsetLoss. Throws Error(data)
/// at `where` for a loss of classes, for which an offset of a row has no meaning.
Targets with_offsets(Targets targets, const std::vector<double>& offsets, const std::string& where);

}  // namespace linear_model
