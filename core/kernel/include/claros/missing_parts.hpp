// SPDX-License-Identifier: BSD-3-Clause
/// @file missing_parts.hpp  A test whether an algorithm can run on a problem, and the parts that are missing
/// if not.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/error.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// How errors call the parts.
struct ComponentNames {
  std::string objective = "objective", set = "set", penalty = "penalty", estimator = "estimator",
              algorithm = "algorithm";
};

/// Something that a composition lacks.
struct MissingPart {
  std::string role;     ///< whose: "set"
  std::string ability;  ///< the id that it must offer, of an algorithm the role that it must take; empty when
                        ///< the role itself is missing
  Complaint complaint;
};
/// The parts that `problem` lacks and `algorithm` needs to run. Empty if it can run.
CLAROS_API std::vector<MissingPart> missing_parts(const Problem& problem, const Algorithm& algorithm,
                                                  const ComponentNames& names);
/// Throws Error(usage) with all of them.
CLAROS_API void refuse_missing(const Problem& problem, const Algorithm& algorithm,
                               const ComponentNames& names);

/// True if the estimator has the property that a Need asks for: Need::kExact, Need::kUnbiased, else the id of
/// an ability.
CLAROS_API bool has_property(GradientEstimator& estimator, std::string_view property);

}  // namespace claros
