// SPDX-License-Identifier: BSD-3-Clause
#include "sparse_map.hpp"

#include <claros/element/element.hpp>

namespace matrix_sensing {

using namespace claros;

SparseMap::SparseMap(std::shared_ptr<const Pattern> pattern, std::shared_ptr<const Design> values)
    : sampled_(std::move(pattern)),
      values_(std::make_shared<DesignMap>(values, Shape::vector(values->cols))) {}

void SparseMap::apply(double alpha, const Element& x, double beta, std::span<double> z) const {
  std::vector<double> entries(static_cast<std::size_t>(sampled_.size()));
  sampled_.apply(1.0, x, 0.0, entries);
  values_->apply(alpha, Element::dense(values_->domain(), std::move(entries)), beta, z);
}

void SparseMap::dot(std::span<const Index> rows, const Element& x, std::span<double> out) const {
  std::vector<Index> positions;
  SparseRow row;
  for (const Index i : rows) {
    (void)values_->sparse_row(i, row);
    positions.insert(positions.end(), row.columns.begin(), row.columns.end());
  }
  std::vector<double> entries(positions.size());
  sampled_.dot(positions, x, entries);
  std::size_t at = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    (void)values_->sparse_row(rows[k], row);
    double sum = 0.0;
    for (std::size_t e = 0; e < row.columns.size(); ++e)
      sum += (row.values ? row.values[e] : static_cast<double>(row.singles[e])) * entries[at++];
    out[k] = sum;
  }
}

void SparseMap::fold(double a, const AdjointForm& c, Element& g) const {
  Element values(values_->domain());
  values_->fold(1.0, c, values);
  g.add(a, Element::sparse(pattern(), Buffer(values.to_dense())));
}

}  // namespace matrix_sensing
