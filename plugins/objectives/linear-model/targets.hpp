// SPDX-License-Identifier: BSD-3-Clause
/// @file targets.hpp  Responses as the loss wants them.
#pragma once

#include <claros/context.hpp>
#include <claros/map/design.hpp>
#include <claros/loss.hpp>

#include <memory>
#include <string>
#include <vector>

namespace linear_model {

struct Targets {
  std::vector<double> values;
  std::shared_ptr<const claros::Loss> loss;
  std::vector<std::string> classes;  ///< of a loss of classes, in the order of the variable's columns
};

/// Maps class names and the labels 0 and 1 to -1 and 1 where the loss wants these, and for a loss of classes
/// all distinct responses to 0, 1, ...; notes say so. Throws Error(data) with `where` for a response
/// that does not fit.
Targets make_targets(const claros::Design& design, const std::shared_ptr<claros::Loss>& loss,
                     const std::string& where, const claros::Context& context);

}  // namespace linear_model
