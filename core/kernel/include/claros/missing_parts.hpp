// SPDX-License-Identifier: BSD-3-Clause
/// @file missing_parts.hpp  Whether an algorithm can run on a problem, and what is missing if not.
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
/// What keeps `algorithm` from running on `problem`. Empty when it can.
CLAROS_API std::vector<MissingPart> missing_parts(const Problem& problem, const Algorithm& algorithm,
                                                  const ComponentNames& names);
/// Throws Error(usage) with all of them.
CLAROS_API void refuse_missing(const Problem& problem, const Algorithm& algorithm,
                               const ComponentNames& names);

/// Whether the estimator is what a Need asks for: Need::kExact, Need::kUnbiased, else the id of an ability.
CLAROS_API bool has_property(GradientEstimator& estimator, std::string_view property);

}  // namespace claros
