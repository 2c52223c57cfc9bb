// SPDX-License-Identifier: BSD-3-Clause
#include "map/output_map.hpp"

#include "map/column_passes.hpp"

#include <claros/element/element.hpp>

#include <algorithm>
#include <unordered_map>

namespace claros {

namespace {

/// to[c * rows + r] <- from[r * cols + c], some columns at a time: a line of cache is then used whole.
std::vector<double> transposed(std::span<const double> from, Index rows, Index cols) {
  constexpr Index kTogether = 16;
  std::vector<double> to(from.size());
  for (Index first = 0; first < cols; first += kTogether)
    for (Index r = 0; r < rows; ++r)
      for (Index c = first; c < std::min(cols, first + kTogether); ++c)
        to[at(c * rows + r)] = from[at(r * cols + c)];
  return to;
}

}  // namespace

std::vector<double> OutputColumns::by_output(std::span<const double> z) const {
  return transposed(z, columns_->rows(), outputs_);
}

std::vector<double> OutputColumns::by_row(std::span<const double> z) const {
  return transposed(z, outputs_, columns_->rows());
}

DistinctColumns distinct_columns(std::span<const Index> coordinates,
                                 const std::function<Index(Index)>& column_of) {
  DistinctColumns distinct;
  std::unordered_map<Index, Index> place;
  for (const Index c : coordinates) {
    const Index j = column_of(c);
    const auto [known, is_new] = place.try_emplace(j, static_cast<Index>(distinct.columns.size()));
    if (is_new) distinct.columns.push_back(j);
    distinct.places.push_back(known->second);
  }
  return distinct;
}

std::shared_ptr<const OutputColumns> OutputColumns::chosen(std::span<const Index> coordinates) const {
  DistinctColumns distinct = distinct_columns(coordinates, [&](Index c) { return column(c); });
  std::vector<Index> outputs;
  for (const Index c : coordinates) outputs.push_back(output(c));
  return std::make_shared<const OutputColumns>(
      std::make_shared<const Columns>(columns_->chosen(distinct.columns)), outputs_,
      std::move(distinct.places), std::move(outputs));
}

void OutputMap::apply(double alpha, const Element& x, double beta, std::span<double> z) const {
  const std::vector<double> values = x.to_dense();
  std::vector<double> made(z.size(), 0.0);
  for (Index c = 0; c < columns_->count(); ++c)
    if (values[at(c)] != 0.0) columns_->add(c, alpha * values[at(c)], made);
  made = columns_->by_row(made);
  for (std::size_t k = 0; k < z.size(); ++k) z[k] = (beta == 0.0 ? 0.0 : beta * z[k]) + made[k];
}

void OutputMap::dot(std::span<const Index> rows, const Element& x, std::span<double> out) const {
  std::vector<double> z(at(size()));
  apply(1.0, x, 0.0, z);
  for (std::size_t k = 0; k < rows.size(); ++k) out[k] = z[at(rows[k])];
}

void OutputMap::fold(double a, const AdjointForm& c, Element& g) const {
  std::vector<double> full(at(size()), 0.0), made(at(columns_->count()), 0.0);
  const auto given = c.full.view();
  if (!c.full.empty()) std::copy(given.begin(), given.end(), full.begin());
  for (std::size_t k = 0; k < c.rows.size(); ++k) full[at(c.rows[k])] += c.coefficients[k];
  add_adjoint(full, made);
  g.add(a, Element::dense(domain(), std::move(made)));
}

void OutputMap::round_trip(const Element& x, const Middle& middle, std::span<double> z,
                           std::span<double> g) const {
  apply(1.0, x, 0.0, z);
  add_adjoint(middle_of(middle, z, columns_->outputs()), g);
}

void OutputMap::add_adjoint(std::span<const double> c, std::span<double> g) const {
  const std::vector<double> pieces = columns_->by_output(c);
  for (Index k = 0; k < columns_->count(); ++k) g[at(k)] += columns_->dot(k, pieces);
}

}  // namespace claros
