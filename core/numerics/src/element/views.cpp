// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/views.hpp>

#include <variant>

namespace claros {

std::optional<std::span<const double>> dense_view(const Element& x) {
  x.synchronise();
  if (x.block_count() > 0 || x.parts().size() != 1 || x.parts().front().weight != 1.0) return std::nullopt;
  const auto* form = std::get_if<DenseForm>(&x.parts().front().form);
  return form ? std::optional(form->values.view()) : std::nullopt;
}

std::optional<FactorView> factor_view(Element& x) {
  const Shape& shape = x.shape();
  if (shape.is_product()) return std::nullopt;
  if (x.is_zero()) return FactorView{shape.rows, shape.cols, {}, {}, {}};
  if (x.parts().size() != 1 || !std::holds_alternative<LowRankForm>(x.parts().front().form))
    return std::nullopt;
  x.recompress(0.0);
  const auto& form = std::get<LowRankForm>(x.parts().front().form);
  const auto rank = static_cast<Index>(form.weights.size());
  return FactorView{shape.rows, shape.cols, form.store->lefts(rank), form.weights, form.store->rights(rank)};
}

}  // namespace claros
