// SPDX-License-Identifier: BSD-3-Clause
#include "chunk.hpp"

#include <utility>

namespace linear_model {

using namespace claros;

namespace {

template <class Real>
DenseRows<Real> range_of(const DenseRows<Real>& rows, const std::shared_ptr<const Design>& design,
                         Index first, Index count) {
  const auto cols = static_cast<std::size_t>(design->cols);
  return {{},
          rows.view().subspan(static_cast<std::size_t>(first) * cols, static_cast<std::size_t>(count) * cols),
          design};
}

template <class Real>
SparseRows<Real> range_of(const SparseRows<Real>& held, const std::shared_ptr<const Design>& design,
                          Index first, Index count) {
  struct Kept {
    std::vector<Index> start;
    std::shared_ptr<const Design> design;
  };
  const auto rows = held.view();
  const auto of = rows.start.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count) + 1);
  auto kept = std::make_shared<Kept>(Kept{{of.begin(), of.end()}, design});
  for (Index& start : kept->start) start -= of.front();
  const auto from = static_cast<std::size_t>(of.front()),
             size = static_cast<std::size_t>(of.back() - of.front());
  SparseRows<Real> range;
  range.outside = {kept->start, rows.column.subspan(from, size), rows.value.subspan(from, size)};
  range.keeper = std::move(kept);
  return range;
}

}  // namespace

std::shared_ptr<const Design> row_range(const std::shared_ptr<const Design>& design, Index first,
                                        Index count) {
  auto range = std::make_shared<Design>();
  range->rows = count;
  range->cols = design->cols;
  range->entries = std::visit(
      [&](const auto& rows) -> decltype(range->entries) { return range_of(rows, design, first, count); },
      design->entries);
  range->source = design->source;
  range->checked = true;
  return range;
}

double Chunk::add_gradient(const Element& x, double a, std::span<double> g) {
  const auto z = outputs();
  map_->round_trip(x, model().slopes(a), z, g);
  return model().sum(z);
}

/// One class is as good as another: the rows are the same.
void Chunk::add_square(const Element& v, double a, std::span<double> g) {
  const DesignMap one(map_->design(), Shape::vector(map_->design()->cols), 1, map_->has_intercept());
  std::vector<double> z(static_cast<std::size_t>(one.size()));
  one.round_trip(
      v,
      [&](Index first, std::span<const double> image, std::span<double> c) {
        for (std::size_t k = 0; k < c.size(); ++k)
          c[k] = a * model().weight(static_cast<std::size_t>(first) + k) * image[k];
      },
      z, g);
}

}  // namespace linear_model
