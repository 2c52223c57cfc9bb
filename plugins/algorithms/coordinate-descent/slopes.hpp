// SPDX-License-Identifier: BSD-3-Clause
/// @file slopes.hpp  The partial derivatives of f(x) = phi(A x) while coordinates move, at the price of a
/// column each.
#pragma once

#include <claros/abilities.hpp>
#include <claros/map/columns.hpp>
#include <claros/map/output_columns.hpp>

#include <cmath>
#include <span>
#include <utility>
#include <vector>

/// The columns that coordinates belong to: one each, or of K outputs a row, in which they share those of A.
struct CoordinateColumns {
  const claros::Columns* columns = nullptr;        ///< of A, n rows
  const claros::OutputColumns* outputs = nullptr;  ///< of A (x) I_K; null if every coordinate has a column

  claros::Index column(claros::Index c) const { return outputs ? outputs->column(c) : c; }
  claros::Index output(claros::Index c) const { return outputs ? outputs->output(c) : 0; }
  claros::Index output_count() const { return outputs ? outputs->outputs() : 1; }
  claros::Index image_size() const { return columns->rows() * output_count(); }
  /// The part of an array by output that belongs to the output of a coordinate.
  template <class T>
  std::span<T> piece(std::span<T> all, claros::Index c) const {
    return outputs ? outputs->piece(all, outputs->output(c)) : all;
  }
  /// Arrays of images, z_{iK+k}, as columns meet them (by output), and back.
  std::vector<double> by_output(std::vector<double> z) const {
    return outputs ? outputs->by_output(z) : std::move(z);
  }
  std::vector<double> by_row(std::vector<double> z) const {
    return outputs ? outputs->by_row(z) : std::move(z);
  }
};

/// sum_i r_i^2, r_i the number of entries of row i: twice the multiplications of a Gram matrix.
inline double squares_of_rows(const claros::Columns& columns) {
  std::vector<double> entries(claros::at(columns.rows()), 0.0);
  for (claros::Index j = 0; j < columns.count(); ++j)
    for (const std::int32_t i : columns.rows_of(j)) entries[claros::at(i)] += 1.0;
  double sum = 0.0;
  for (const double count : entries) sum += count * count;
  return sum;
}

/// Slopes of a quadratic phi and few columns. G is A' diag(phi'') A, the same for every output. A move
/// changes g = grad f(x) = G x + b by a column of G. Arrays of A's p columns have p numbers an output, one
/// output after the other.
struct GramSlopes {
  std::vector<double> gram, b, g;  ///< column-major, p x p; p K; p K
  CoordinateColumns of = {};

  std::size_t place(std::size_t c) const {
    const auto coordinate = static_cast<claros::Index>(c);
    return of.outputs ? claros::at(of.output(coordinate) * of.columns->count() + of.column(coordinate)) : c;
  }
  /// f(x) up to a constant.
  double value(std::span<const double> x, const std::vector<double>& gradient) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += 0.5 * x[j] * (gradient[place(j)] + b[place(j)]);
    return sum;
  }
  /// A bound on x'|G|x, whose terms cancel in the value: |G_jk|^2 <= G_jj G_kk.
  double largest_terms(std::span<const double> x) const {
    const auto p = g.size() / claros::at(of.output_count());
    double sum = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += std::abs(x[j]) * std::sqrt(gram[claros::at(of.column(static_cast<claros::Index>(j))) * (p + 1)]);
    return sum * sum;
  }
  /// sign b + G x
  std::vector<double> product(std::span<const double> x, double sign) const {
    std::vector<double> sum(b);
    for (double& value : sum) value *= sign;
    for (std::size_t j = 0; j < x.size(); ++j)
      if (x[j] != 0.0) add(static_cast<claros::Index>(j), x[j], sum);
    return sum;
  }

  double partial(claros::Index j) const { return g[place(claros::at(j))]; }
  void move(claros::Index j, double by) { add(j, by, g); }

 private:
  void add(claros::Index j, double by, std::vector<double>& to) const {
    const auto p = g.size() / claros::at(of.output_count());
    const double* column = gram.data() + claros::at(of.column(j)) * p;
    double* output = to.data() + claros::at(of.output(j)) * p;
    for (std::size_t k = 0; k < p; ++k) output[k] += by * column[k];
  }
};

/// Slopes of a quadratic phi: c = grad phi(A x), which is affine in x.
struct QuadraticSlopes {
  CoordinateColumns of;
  std::vector<double> weights, c;  ///< phi'', c; by output, n numbers each
  bool uniform = false;            ///< whether all weights are the same
  double partial(claros::Index j) const {
    return of.columns->dot(of.column(j), of.piece(std::span<const double>(c), j));
  }
  void restart(claros::LossOfImage& phi, std::vector<double> z) {
    c.resize(z.size());
    phi.image_gradient({}, z, c);
    c = of.by_output(std::move(c));
  }
  void move(claros::Index j, double by) {
    const auto to = of.piece(std::span<double>(c), j);
    if (uniform)
      of.columns->add(of.column(j), by * weights.front(), to);
    else
      of.columns->add_weighted(of.column(j), by, of.piece(std::span<const double>(weights), j), to);
  }
};

/// Slopes of any phi: z = A x; every move of a coordinate makes the derivatives that its column meets.
struct GeneralSlopes {
  claros::LossOfImage* phi = nullptr;
  const claros::Columns* columns = nullptr;
  std::vector<double> z;
  double partial(claros::Index j) {
    if (!columns->are_sparse()) {
      c_.resize(z.size());
      phi->image_gradient({}, z, c_);
      return columns->dot(j, c_);
    }
    const auto rows = columns->rows_of(j);
    if (rows.empty()) return 0.0;
    rows_.assign(rows.begin(), rows.end());
    met_.resize(rows.size());
    c_.resize(rows.size());
    for (std::size_t e = 0; e < rows.size(); ++e) met_[e] = z[claros::at(rows[e])];
    phi->image_gradient(rows_, met_, c_);
    const auto values = columns->values(j);
    double sum = 0.0;
    for (std::size_t e = 0; e < values.size(); ++e) sum += values[e] * c_[e];
    return sum;
  }
  void restart(claros::LossOfImage&, std::vector<double> image) { z = std::move(image); }
  void move(claros::Index j, double by) { columns->add(j, by, z); }

 private:
  std::vector<claros::Index> rows_;
  std::vector<double> met_, c_;
};
