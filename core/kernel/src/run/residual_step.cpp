// SPDX-License-Identifier: BSD-3-Clause
#include "run/residual_step.hpp"

#include <claros/abilities.hpp>
#include <claros/map/design_map.hpp>
#include <claros/random.hpp>
#include <claros/spectral/spectral.hpp>

#include <cmath>
#include <vector>

namespace claros {

namespace {

constexpr double kTolerance = 0.2;
constexpr Index kMatvecs = 25;

}  // namespace

std::optional<double> image_smoothness(Objective& f, const Element& slope_at_zero) {
  auto* loss = query<LossOfImage>(f);
  if (!loss || !loss->map()->fuses()) return std::nullopt;
  std::vector<double> bound(static_cast<std::size_t>(loss->map()->size()));
  if (!loss->curvature_bound(bound)) return std::nullopt;
  LanczosSolver solver;
  const double length = norm(slope_at_zero);
  if (length > 0.0 && std::isfinite(length)) {
    solver.warm_start() = slope_at_zero.to_dense();
    for (double& value : solver.warm_start()) value /= length;
  }
  RandomStream stream(0, Purpose::confirmation);
  const LeadingPair pair = solver.solve(DesignOperator(loss->map(), bound),
                                        {.tolerance = kTolerance, .max_matvecs = kMatvecs}, stream);
  return pair.upper_estimate() * pair.upper_estimate();
}

}  // namespace claros
