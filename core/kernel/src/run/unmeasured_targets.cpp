// SPDX-License-Identifier: BSD-3-Clause
#include "run/unmeasured_targets.hpp"

#include "run/measurer.hpp"

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/expectation.hpp>

#include <cmath>
#include <utility>

namespace claros {

void refuse_unfit(const Problem& problem, const Algorithm& algorithm, const StopOptions& stop,
                  const ComponentNames& names) {
  std::vector<Complaint> complaints;
  if (problem.objective) complaints = unmeasured_targets(problem, stop);
  for (MissingPart& missing : missing_parts(problem, algorithm, names))
    complaints.push_back(std::move(missing.complaint));
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

std::vector<Complaint> unmeasured_targets(const Problem& p, const StopOptions& stop) {
  std::vector<Complaint> all;
  Objective* const measured = measured_function(*p.objective);
  const bool of_set = has_gap_on_set(p);
  const bool both = p.penalty && p.set, provable = !both || std::isfinite(p.penalty->weak_convexity());
  const bool dual = p.conjugate && !p.smoother && !both && measured && query<Certified>(*measured);
  const bool steps = (!p.set || p.projection) && provable;
  const std::string budget = "give a budget, such as stop.passes = 20",
                    unknown =
                        " of this expectation is not known: it has neither a closed form nor draws held out";
  const auto refuse = [&](const char* key, const std::string& why, const std::string& remedy) {
    all.push_back({std::string("stop.") + key, why, remedy});
  };
  const auto gap_key = [&](const char* key, double target) {
    if (!(target > 0.0) || (measured && (of_set || dual))) return;
    refuse(key,
           !measured ? "the gap" + unknown
           : both ? "a gap of a penalty on a set needs the conjugate of the penalty, a linear oracle of the "
                    "set, and an algorithm with subgradients (three-operator)"
                  : "no gap is known: there is neither a set with a linear oracle nor a bound by duality",
           measured && steps ? "give stop.residual = 1e-6, which ends at a stationary point and bounds "
                               "nothing (less for data far "
                               "from 0: it is relative to the gradient at 0), or a budget"
                             : budget);
  };
  gap_key("gap", stop.gap), gap_key("relative_gap", stop.relative_gap);
  if (!(stop.residual > 0.0)) return all;
  if (!measured)
    refuse("residual", "the residual" + unknown, budget);
  else if (!provable)
    refuse("residual",
           "no proximal step of this penalty on a set is known: no multiple of ||x||^2 makes it convex",
           budget);
  else if (!steps)
    refuse("residual", "a residual needs a projection, which the set does not have",
           both ? budget : "give stop.relative_gap = 1e-2");
  return all;
}

}  // namespace claros
