// SPDX-License-Identifier: BSD-3-Clause
#include "point_lines.hpp"

#include <memory>
#include <utility>

namespace sharded {

using namespace claros;

PointLines::PointLines(const Element& x, bool tall) : tall_(tall), shape_(x.shape()) {
  Element whole(x);
  whole.drop_images();
  whole.fold();
  Element rest(shape_);
  for (const Part& part : whole.parts())
    if (const auto* low = std::get_if<LowRankForm>(&part.form))
      low_rank_.push_back({part.weight, *low});
    else
      rest.append(part);
  if (!rest.is_zero()) rest_ = rest.to_dense();
}

Element PointLines::lines(Index first, Index count) const {
  const Index m = shape_.rows, n = shape_.cols, shorter = tall_ ? n : m;
  Element range(Shape::matrix(count, shorter));
  for (const LowRank& low : low_rank_)
    range.add(1.0, low_rank_lines(low.weight, low.form, tall_, first, count));
  if (rest_.empty()) return range;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count * shorter));
  for (Index j = 0; j < shorter; ++j)
    for (Index i = first; i < first + count; ++i)
      values.push_back(rest_[static_cast<std::size_t>(tall_ ? i + j * m : j + i * m)]);
  range.add(1.0, Element::dense(range.shape(), std::move(values)));
  return range;
}

Element low_rank_lines(double w, const LowRankForm& form, bool tall, Index first, Index count) {
  auto store = std::make_shared<FactorStore>(count, tall ? form.store->cols() : form.store->rows());
  std::vector<double> weights;
  for (std::size_t k = 0; k < form.weights.size(); ++k) {
    if (form.weights[k] == 0.0) continue;
    FactorStore::Pair pair = form.store->pairs()[k];
    if (!tall) std::swap(pair.left, pair.right);
    pair.left.offset += first;
    store->append(std::move(pair));
    weights.push_back(w * form.weights[k]);
  }
  return Element::low_rank(std::move(store), std::move(weights));
}

}  // namespace sharded
