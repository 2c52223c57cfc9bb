// SPDX-License-Identifier: BSD-3-Clause
/// @file slopes.hpp  The partial derivatives of f(x) = phi(A x) while coordinates move, at the price of a
/// column each.
#pragma once

#include <claros/abilities.hpp>
#include <claros/map/columns.hpp>

#include <span>
#include <utility>
#include <vector>

/// Of a quadratic phi and few columns: G = A' diag(phi'') A and g = grad f(x) = G x + b, so that a move costs
/// a column of G.
struct GramSlopes {
  std::vector<double> gram, b, g;  ///< column-major, p x p; p; p
  /// f(x), but for a constant.
  double value(std::span<const double> x, const std::vector<double>& gradient) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += 0.5 * x[j] * (gradient[j] + b[j]);
    return sum;
  }
  /// sign b + G x
  std::vector<double> product(std::span<const double> x, double sign) const {
    std::vector<double> sum(b);
    for (double& value : sum) value *= sign;
    for (std::size_t j = 0; j < x.size(); ++j)
      for (std::size_t k = 0; x[j] != 0.0 && k < sum.size(); ++k) sum[k] += x[j] * gram[j * sum.size() + k];
    return sum;
  }

  double partial(claros::Index j) const { return g[static_cast<std::size_t>(j)]; }
  void move(claros::Index j, double by) {
    const double* column = gram.data() + static_cast<std::size_t>(j) * g.size();
    for (std::size_t k = 0; k < g.size(); ++k) g[k] += by * column[k];
  }
};

/// Of a quadratic phi: c = grad phi(A x), which is affine in x.
struct QuadraticSlopes {
  const claros::Columns* columns = nullptr;
  std::vector<double> weights, c;  ///< phi'', c; n numbers each
  bool uniform = false;            ///< whether all weights are the same
  double partial(claros::Index j) const { return columns->dot(j, c); }
  void restart(claros::LossOfImage& phi, std::vector<double> z) { phi.image_gradient({}, z, c); }
  void move(claros::Index j, double by) {
    uniform ? columns->add(j, by * weights.front(), c) : columns->add_weighted(j, by, weights, c);
  }
};

/// Of any phi: z = A x; the derivatives that a column meets are made for each of its moves.
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
    for (std::size_t e = 0; e < rows.size(); ++e) met_[e] = z[static_cast<std::size_t>(rows[e])];
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
