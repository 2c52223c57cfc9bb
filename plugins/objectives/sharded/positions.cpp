// SPDX-License-Identifier: BSD-3-Clause
#include "positions.hpp"

#include <claros/element/element.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace sharded {

using namespace claros;

namespace {

/// out_k += w sum_l weight_l u_l(i_k) v_l(j_k)
void add_low_rank(double w, const LowRankForm& form, Index m, std::span<const Index> rows,
                  std::span<double> out) {
  for (std::size_t l = 0; l < form.weights.size(); ++l) {
    if (form.weights[l] == 0.0) continue;
    const auto u = form.store->left(static_cast<Index>(l)), v = form.store->right(static_cast<Index>(l));
    const double weight = w * form.weights[l];
    for (std::size_t k = 0; k < rows.size(); ++k) out[k] += weight * u[at(rows[k] % m)] * v[at(rows[k] / m)];
  }
}

}  // namespace

void Positions::apply(double alpha, const Element& x, double beta, std::span<double> z) const {
  const std::vector<double> values = x.to_dense();
  for (std::size_t k = 0; k < z.size(); ++k) z[k] = (beta == 0.0 ? 0.0 : beta * z[k]) + alpha * values[k];
}

void Positions::dot(std::span<const Index> rows, const Element& x, std::span<double> out) const {
  Element whole(x);
  whole.drop_images();
  whole.fold();
  std::fill(out.begin(), out.end(), 0.0);
  Element rest(shape_);
  for (const Part& part : whole.parts()) {
    if (const auto* low = std::get_if<LowRankForm>(&part.form)) {
      add_low_rank(part.weight, *low, shape_.rows, rows, out);
    } else if (const auto* dense = std::get_if<DenseForm>(&part.form)) {
      for (std::size_t k = 0; k < rows.size(); ++k) out[k] += part.weight * dense->values.view()[at(rows[k])];
    } else {
      rest.append(part);
    }
  }
  if (rest.is_zero()) return;
  const std::vector<double> values = rest.to_dense();
  for (std::size_t k = 0; k < rows.size(); ++k) out[k] += values[at(rows[k])];
}

void Positions::fold(double a, const AdjointForm& c, Element& g) const {
  if (!c.full.empty()) {
    Element all = Element::dense(shape_, {c.full.view().begin(), c.full.view().end()});
    const std::span<double> values = all.dense_values();
    for (std::size_t k = 0; k < c.rows.size(); ++k) values[at(c.rows[k])] += c.coefficients[k];
    return g.add(a, all);
  }
  const Index m = shape_.rows;
  std::vector<std::size_t> order(c.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto by_rows = [&](std::size_t k) { return std::pair(c.rows[k] % m, c.rows[k] / m); };
  std::ranges::stable_sort(order, {}, by_rows);  // a position that comes twice is summed in its order
  std::vector<std::int32_t> row, col;
  std::vector<double> values;
  for (const std::size_t k : order) {
    const auto [i, j] = by_rows(k);
    if (row.empty() || row.back() != i || col.back() != j) {
      row.push_back(static_cast<std::int32_t>(i)), col.push_back(static_cast<std::int32_t>(j));
      values.push_back(0.0);
    }
    values.back() += c.coefficients[k];
  }
  g.add(a, Element::sparse(std::make_shared<Pattern>(m, shape_.cols, std::move(row), std::move(col)),
                           Buffer(std::move(values))));
}

}  // namespace sharded
