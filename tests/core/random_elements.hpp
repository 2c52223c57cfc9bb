// SPDX-License-Identifier: BSD-3-Clause
/// @file random_elements.hpp  Random patterns and elements of every form, for the tests.
#pragma once

#include <claros/element/element.hpp>
#include <claros/map/sampling_map.hpp>

#include <memory>
#include <random>
#include <vector>

namespace claros::testing {

using Engine = std::mt19937_64;

inline std::vector<double> normals(Engine& engine, Index n) {
  std::normal_distribution<double> normal;
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& value : values) value = normal(engine);
  return values;
}

inline std::shared_ptr<const Pattern> random_pattern(Engine& engine, Index m, Index n, double density) {
  std::bernoulli_distribution keep(density);
  std::vector<std::int32_t> row, col;
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j)
      if (keep(engine) || (i == 0 && j == 0))
        row.push_back(static_cast<std::int32_t>(i)), col.push_back(static_cast<std::int32_t>(j));
  return std::make_shared<Pattern>(m, n, row, col);
}

/// A matrix known by its products, with values of its own.
class DenseMatrixOperator final : public LinearOperator {
 public:
  DenseMatrixOperator(Index m, Index n, std::vector<double> column_major)
      : m_(m), n_(n), a_(std::move(column_major)) {}
  Index rows() const override { return m_; }
  Index cols() const override { return n_; }
  void apply(std::span<const double> x, std::span<double> y) const override {
    for (Index i = 0; i < m_; ++i) {
      y[static_cast<std::size_t>(i)] = 0.0;
      for (Index j = 0; j < n_; ++j)
        y[static_cast<std::size_t>(i)] += at(i, j) * x[static_cast<std::size_t>(j)];
    }
  }
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override {
    for (Index j = 0; j < n_; ++j) {
      x[static_cast<std::size_t>(j)] = 0.0;
      for (Index i = 0; i < m_; ++i)
        x[static_cast<std::size_t>(j)] += at(i, j) * y[static_cast<std::size_t>(i)];
    }
  }

 private:
  double at(Index i, Index j) const { return a_[static_cast<std::size_t>(j * m_ + i)]; }
  Index m_, n_;
  std::vector<double> a_;
};

/// One element of each form, 0 to 5: dense, sparse, low-rank, adjoint with full coefficients, adjoint with
/// few, operator.
inline Element random_element(Engine& engine, int form, const MapPtr& map) {
  const auto& sampling = static_cast<const SamplingMap&>(*map);
  const Index m = map->domain().rows, n = map->domain().cols, entries = map->size();
  if (form == 0) return Element::dense(map->domain(), normals(engine, m * n));
  if (form == 1) return Element::sparse(sampling.pattern(), Buffer(normals(engine, entries)));
  if (form == 2) {
    Element x = Element::rank_one(0.7, normals(engine, m), normals(engine, n));
    x.add(-1.3, Element::rank_one(1.0, normals(engine, m), normals(engine, n)));
    return x;
  }
  if (form == 3) return Element::adjoint(map, Buffer(normals(engine, entries)));
  if (form == 4) {
    const std::vector<Index> rows{0, entries / 2, 0};
    Element x(map->domain());
    x.add_adjoint(1.5, map, rows, normals(engine, 3));
    return x;
  }
  return Element::from_operator(std::make_shared<DenseMatrixOperator>(m, n, normals(engine, m * n)));
}

inline constexpr int kForms = 6;

}  // namespace claros::testing
