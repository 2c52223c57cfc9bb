// SPDX-License-Identifier: BSD-3-Clause
#include "services/services.hpp"

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/spectral/spectral.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace claros {

Element mean_filled(const Composition& c) {
  const Index rank = c.start.rank;
  auto* data = query<Start>(*c.objective);
  if (!data)
    throw Error(ErrorKind::usage, "start.from",
                "'mean-fill' needs an objective whose data are entries of a matrix",
                "take zero, auto or a file, or objective.use = matrix-completion");
  const Element filled = data->start_point(c.objective->shape());
  const Index side = std::min(filled.shape().rows, filled.shape().cols);
  if (rank < 1 || rank > side)
    throw Error(ErrorKind::usage, "start.rank",
                std::to_string(rank) + ", for 'mean-fill' of " + std::to_string(filled.shape().rows) + " x " +
                    std::to_string(filled.shape().cols),
                "from 1 to " + std::to_string(side));
  RandomStream stream = c.context.stream(Purpose::start);
  TruncatedSvd svd =
      truncated_svd(ElementOperator(filled), rank,
                    5 * rank < side ? SpectralEngine::arpack : SpectralEngine::dense, {}, stream);
  Element point =
      Element::low_rank(std::make_shared<FactorStore>(filled.shape().rows, filled.shape().cols,
                                                      Buffer(std::move(svd.u)), Buffer(std::move(svd.v))),
                        std::move(svd.s));
  if (!c.projection) return point;
  Element inside;
  (void)c.projection->apply(point, 1.0, inside, {});
  return inside;
}

}  // namespace claros
