// SPDX-License-Identifier: BSD-3-Clause
#include "measurement_rows.hpp"

#include "sparse_map.hpp"

#include <claros/map/design.hpp>
#include <claros/world.hpp>

#include <variant>

namespace matrix_sensing {

using namespace claros;

namespace {

using Kind = Measurements::Kind;
using DesignPtr = std::shared_ptr<const Design>;

template <class Real>
DenseRows<Real> range_of(const DenseRows<Real>& rows, const DesignPtr& design, Index first, Index count) {
  const auto some = rows.view().subspan(at(first * design->cols), at(count * design->cols));
  if (design->source) return {{}, some, design};
  DenseRows<Real> copy;
  copy.values.assign(some.begin(), some.end());
  return copy;
}

template <class Real>
SparseRows<Real> range_of(const SparseRows<Real>& held, const DesignPtr&, Index first, Index count) {
  const auto rows = held.view();
  const Index begin = rows.start[at(first)], size = rows.start[at(first + count)] - begin;
  SparseRows<Real> copy;
  for (Index i = first; i <= first + count; ++i) copy.start.push_back(rows.start[at(i)] - begin);
  const auto column = rows.column.subspan(at(begin), at(size));
  const auto value = rows.value.subspan(at(begin), at(size));
  copy.column.assign(column.begin(), column.end());
  copy.value.assign(value.begin(), value.end());
  return copy;
}

DesignPtr range_of(const DesignPtr& design, Index first, Index count) {
  if (!design) return nullptr;
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

template <class T>
Index number_of(std::span<const T> values) {
  return text_number({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

template <class Real>
Index number_of_rows(const DenseRows<Real>& rows) {
  return number_of(std::span<const Real>(rows.view()));
}
template <class Real>
Index number_of_rows(const SparseRows<Real>& held) {
  const auto rows = held.view();
  const Index numbers[] = {number_of(std::span<const Index>(rows.start)),
                           number_of(std::span<const std::int32_t>(rows.column)),
                           number_of(std::span<const Real>(rows.value))};
  return number_of(std::span<const Index>(numbers));
}

Index number_of(const DesignPtr& design) {
  if (!design) return 0;
  return std::visit([](const auto& rows) { return number_of_rows(rows); }, design->entries);
}

const SparseMap& sparse(const LinearMap& map) { return static_cast<const SparseMap&>(map); }

}  // namespace

Measurements MeasurementRows::range(Index first, Index count) const {
  Measurements some{all.kind, all.rows, all.cols, nullptr, range_of(all.right, first, count), all.pattern};
  some.left =
      parts ? std::make_shared<const Design>(parts->rows(first, count)) : range_of(all.left, first, count);
  return some;
}

MapPtr MeasurementRows::map_of(const Measurements& m) const {
  if (m.kind == Kind::dense) return std::make_shared<DesignMap>(m.left, Shape::matrix(m.rows, m.cols));
  if (m.kind == Kind::sparse) return std::make_shared<SparseMap>(m.pattern, m.left);
  return std::make_shared<RankOneMap>(m.left, m.right, adjoints);
}

Index MeasurementRows::fingerprint(std::span<const double> targets) const {
  std::vector<Index> numbers{all.rows,
                             all.cols,
                             all.left->rows,
                             number_of(targets),
                             number_of(all.right),
                             parts ? 0 : number_of(all.left)};
  if (all.pattern) numbers.push_back(number_of(all.pattern->row()));
  if (all.pattern) numbers.push_back(number_of(all.pattern->col()));
  return number_of(std::span<const Index>(numbers));
}

std::vector<double> squared_norms(const LinearMap& map, Kind kind) {
  if (kind == Kind::sparse) return sparse(map).values()->squared_norms();
  if (kind == Kind::dense) return static_cast<const DesignMap&>(map).squared_norms();
  return static_cast<const RankOneMap&>(map).squared_norms();
}

MapPtr square_root(const MapPtr& map, Kind kind) {
  return kind == Kind::sparse ? MapPtr(sparse(*map).values()) : map;
}

}  // namespace matrix_sensing
