// SPDX-License-Identifier: BSD-3-Clause
// DesignMap by lists of its outputs: batches, and rows whose coordinates lazy points update.
#include "element/array_sums.hpp"
#include "map/design_access.hpp"

#include <claros/element/parallel.hpp>

#include <algorithm>
#include <array>

namespace claros {

using namespace design_access;

namespace {

/// Rows of a list that a thread takes at a time: some hundred kilobytes of them.
Index list_grain(const Design& design) {
  constexpr Index kBytes = Index{1} << 18;
  const Index row = std::max<Index>(1, design.stored() / design.rows) * (design.is_single() ? 4 : 8);
  return chunk_count(chunk_count(kBytes, row), kernels::kBlock) * kernels::kBlock;
}

/// Outputs in a list, by groups of those that belong to one piece of the variable: body(rows, piece,
/// position).
template <class Body>
void for_groups(std::span<const Index> outputs, Index pieces, Body body) {
  std::array<Index, kernels::kBlock> rows;
  const std::size_t most = pieces == 1 ? rows.size() : 1;
  for (std::size_t k = 0; k < outputs.size(); k += most) {
    const std::size_t count = std::min(most, outputs.size() - k);
    for (std::size_t l = 0; l < count; ++l) rows[l] = outputs[k + l] / pieces;
    body(std::span<const Index>(rows.data(), count), outputs[k] % pieces, k);
  }
}

}  // namespace

void DesignMap::dot(std::span<const Index> outputs, const Element& x, std::span<double> out) const {
  if (outputs.empty()) return;
  const bool up_to_date = update(outputs, x);
  const DensePoint point(x, up_to_date);
  const Layout at = layout(*this);
  with_rows(*design_, [&](const auto& rows) {
    for_chunks(static_cast<Index>(outputs.size()), list_grain(*design_), [&](Index, Index first, Index last) {
      const auto from = static_cast<std::size_t>(first);
      for_groups(outputs.subspan(from, static_cast<std::size_t>(last - first)), outputs_,
                 [&](std::span<const Index> some, Index piece, std::size_t k) {
                   const double b = intercept_ ? at.intercepts(point.data())[piece] : 0.0;
                   double* const z = out.data() + from + k;
                   kernels::dot(rows, some, point.data() + piece * at.cols, z);
                   for (std::size_t l = 0; l < some.size(); ++l) z[l] = point.weight() * (z[l] + b);
                 });
    });
  });
}

bool DesignMap::update(std::span<const Index> outputs, const Element& x) const {
  if (!design_->is_sparse() || !DensePoint::in_place(x)) return false;
  if (!x.is_lazy()) return true;
  SparseRow row;
  for (const Index k : outputs) {
    (void)sparse_row(k, row);
    x.update(row.columns, row.offset);
    const std::int32_t first = 0;
    if (intercept_) x.update({&first, 1}, row.tail);
  }
  return true;
}

bool DesignMap::sparse_row(Index k, SparseRow& row) const {
  const Index piece = k % outputs_;
  const auto i = static_cast<std::size_t>(k / outputs_);
  const auto read = [&](const auto& held) {
    const auto rows = held.view();
    const auto from = static_cast<std::size_t>(rows.start[i]),
               to = static_cast<std::size_t>(rows.start[i + 1]);
    row.columns = {rows.column.data() + from, to - from};
    row.offset = piece * design_->cols;
    row.tail = intercept_ ? design_->cols * outputs_ + piece : -1;
    return rows.value.data() + from;
  };
  row.values = nullptr;
  row.singles = nullptr;
  if (const auto* rows = std::get_if<SparseRows<double>>(&design_->entries)) row.values = read(*rows);
  if (const auto* rows = std::get_if<SparseRows<float>>(&design_->entries)) row.singles = read(*rows);
  return row.values || row.singles;
}

namespace {

/// add(array) straight into the array of g if it has no other form: a batch then costs its rows and
/// nothing else.
template <class Add>
void add_dense(const Shape& shape, Element& g, Add add) {
  const bool in_place = std::all_of(g.parts().begin(), g.parts().end(), [](const Part& part) {
    return std::holds_alternative<DenseForm>(part.form);
  });
  if (in_place) return add(g.dense_values());
  Element apart(shape);
  add(apart.dense_values());
  g.add(1.0, apart);
}

/// g += sum_k c[k] a_{rows[k]}, in the order of k for every column: threads share the columns of dense rows.
template <class Real>
void add_list(const kernels::DenseView<Real>& a, std::span<const Index> rows, const double* c, double* g) {
  constexpr Index kBytes = Index{1} << 18, kLeast = 1 << 10;
  const Index grain =
      std::max(kLeast, kBytes / static_cast<Index>(rows.size() * sizeof(Real)) / kLeast * kLeast);
  for_chunks(a.cols, grain, [&](Index, Index first, Index last) {
    for (std::size_t k = 0; k < rows.size(); k += kernels::kBlock)
      kernels::add(kernels::columns(a, first, last),
                   rows.subspan(k, std::min<std::size_t>(kernels::kBlock, rows.size() - k)), c + k,
                   g + first);
  });
}
template <class Real>
void add_list(const kernels::SparseView<Real>& a, std::span<const Index> rows, const double* c, double* g) {
  kernels::add(a, rows, c, g);
}

}  // namespace

void DesignMap::fold(double a, const AdjointForm& c, Element& g) const {
  add_dense(domain_, g, [&](std::span<double> values) {
    if (!c.full.empty()) {
      std::vector<double> scaled(c.full.view().begin(), c.full.view().end());
      for (double& value : scaled) value *= a;
      add_adjoint(scaled, values);
    }
    if (!c.rows.empty()) add_rows(a, c, values);
  });
}

void DesignMap::add_rows(double a, const AdjointForm& c, std::span<double> g) const {
  const Layout at = layout(*this);
  std::vector<double> weights(c.coefficients);
  for (double& weight : weights) weight *= a;
  with_rows(*design_, [&](const auto& rows) {
    if (outputs_ == 1) return add_list(rows, c.rows, weights.data(), g.data());
    for_groups(c.rows, outputs_, [&](std::span<const Index> some, Index piece, std::size_t k) {
      kernels::add(rows, some, weights.data() + k, g.data() + piece * at.cols);
    });
  });
  if (intercept_)
    for (std::size_t k = 0; k < weights.size(); ++k)
      at.intercepts(g.data())[c.rows[k] % outputs_] += weights[k];
}

bool DesignMap::fuses_list(Index count) const {
  constexpr Index kCache = Index{1} << 24;  // as much as stays in a cache for a second reading
  return outputs_ == 1 && !design_->is_sparse() &&
         count * design_->cols * (design_->is_single() ? 4 : 8) > kCache;
}

void DesignMap::list_trip(std::span<const Index> rows, const Element& x, const Middle& middle,
                          Element& g) const {
  constexpr Index kGrain = 24;  // rows, to whose array of sums they should be many
  const DensePoint point(x);
  const Layout at = layout(*this);
  const auto block = static_cast<std::size_t>(kernels::block_rows(at.cols, design_->is_single() ? 4 : 8));
  const auto trip = [&](const auto& a, std::span<const Index> list, Index first, double* sum) {
    std::array<double, kernels::kBlock> z, c;
    for (std::size_t k = 0; k < list.size(); k += block) {
      const auto some = list.subspan(k, std::min(block, list.size() - k));
      kernels::dot(a, some, point.data(), z.data());
      const double b = intercept_ ? *at.intercepts(point.data()) : 0.0;
      for (std::size_t l = 0; l < some.size(); ++l) z[l] = point.weight() * (z[l] + b);
      middle(first + static_cast<Index>(k), std::span(z).first(some.size()), std::span(c).first(some.size()));
      kernels::add(a, some, c.data(), sum,
                   k + 2 * block <= list.size() ? list.subspan(k + block, block) : std::span<const Index>());
      for (std::size_t l = 0; intercept_ && l < some.size(); ++l) *at.intercepts(sum) += c[l];
    }
  };
  add_dense(domain_, g, [&](std::span<double> values) {
    with_rows(*design_, [&](const auto& a) {
      sum_arrays(static_cast<Index>(rows.size()), kGrain, values, [&](Index from, Index to, double* partial) {
        trip(a, rows.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)), from,
             partial);
      });
    });
  });
}

}  // namespace claros
