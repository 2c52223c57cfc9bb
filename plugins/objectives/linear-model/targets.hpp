// SPDX-License-Identifier: BSD-3-Clause
/// @file targets.hpp  Responses as the loss wants them.
#pragma once

#include <claros/context.hpp>
#include <claros/map/design.hpp>
#include <claros/sdk/losses.hpp>

#include <memory>
#include <string>
#include <vector>

namespace linear_model {

struct Targets {
  std::vector<double> values;
  std::shared_ptr<const claros::sdk::Loss> loss;
  std::vector<std::string> classes;  ///< of the multinomial loss, in the order of the variable's columns
};

/// Maps class names and the labels 0 and 1 to -1 and 1 where the loss wants these, and for the multinomial
/// loss all distinct responses to 0, 1, ...; notes say so. Throws Error(data) with `where` for a response
/// that does not fit.
Targets make_targets(const claros::Design& design, const claros::sdk::LossOptions& options,
                     const std::string& where, const claros::Context& context);

}  // namespace linear_model
