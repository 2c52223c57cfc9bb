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

/// Where the data came from: as a whole, and a row of it ("file:line").
struct Origin {
  std::string where;
  std::function<std::string(claros::Index row)> place;
};

/// Where the loss wants -1 and 1, maps to these what `positive` says (LabelRule), else two class names, and
/// the labels 0 and 1 or 1 and 2; and for a loss of classes all distinct responses to 0, 1, ...; notes say
/// so. Throws Error(data) with the place of a response that does not fit, and where there is one class only;
/// Error(usage) for a `positive` that does not apply.
Targets make_targets(const claros::Design& design, const std::shared_ptr<claros::Loss>& loss,
                     const std::string& positive, const Origin& origin, const claros::Context& context);

/// The same, of z + o: a loss of z - y has targets y - o, another one is an OffsetLoss. Throws Error(data) at
/// `where` for a loss of classes, to which an offset of a row says nothing.
Targets with_offsets(Targets targets, const std::vector<double>& offsets, const std::string& where);

}  // namespace linear_model
