// SPDX-License-Identifier: BSD-3-Clause
/// @file auto_algorithm.hpp  The choice of an algorithm for a problem whose specification names none.
#pragma once

#include <claros/algorithm.hpp>

#include <string>
#include <utility>
#include <vector>

namespace claros {

struct AlgorithmChoice {
  std::string name;                                            ///< "working-set"
  std::vector<std::pair<std::string, std::string>> more = {};  ///< {"algorithm.inner.use", "prox-newton"}
  std::string reason;  ///< "the penalty leaves most coordinates at 0, ..."
};

/// From the abilities of the components of the problem; its algorithm is not read.
AlgorithmChoice choose_algorithm(const Problem& problem, Component* penalty);

}  // namespace claros
