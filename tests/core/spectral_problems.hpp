// SPDX-License-Identifier: BSD-3-Clause
/// @file spectral_problems.hpp  Matrices of known spectrum, and the identities that a decomposition must
/// satisfy.
#pragma once

#include <doctest/doctest.h>

#include <claros/spectral/spectral.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace spectral_problems {

using claros::Index;

/// A column-major array with its shape.
struct Array {
  Index rows = 0, cols = 0;
  std::vector<double> values;

  Array(Index m, Index n) : rows(m), cols(n), values(static_cast<std::size_t>(m * n)) {}
  double& operator()(Index i, Index j) { return values[static_cast<std::size_t>(j * rows + i)]; }
  double operator()(Index i, Index j) const { return values[static_cast<std::size_t>(j * rows + i)]; }
  claros::DenseOperator view() const { return {rows, cols, values}; }
};

inline Array gaussian(Index m, Index n, claros::RandomStream& stream) {
  Array a(m, n);
  stream.fill_normal(a.values);
  return a;
}

/// U diag(s) V' by its sum; U and V column-major with s.size() columns.
inline Array compose(Index m, Index n, const std::vector<double>& u, const std::vector<double>& s,
                     const std::vector<double>& v) {
  Array a(m, n);
  for (std::size_t l = 0; l < s.size(); ++l) {
    const double *left = u.data() + l * static_cast<std::size_t>(m),
                 *right = v.data() + l * static_cast<std::size_t>(n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i) a(i, j) += left[i] * s[l] * right[j];
  }
  return a;
}

/// An m x n matrix with the given singular values (min(m, n) of them, descending) and random singular
/// vectors.
inline Array with_spectrum(Index m, Index n, const std::vector<double>& s, claros::RandomStream& stream) {
  const claros::TruncatedSvd bases = claros::dense_svd(m, n, gaussian(m, n, stream).values);
  return compose(m, n, bases.u, s, bases.v);
}

/// One family of spectra: singular values of a problem whose shorter side is r.
struct Family {
  std::string name;
  std::function<std::vector<double>(Index r, claros::RandomStream&)> spectrum;
};

inline std::vector<double> fill(Index r, const std::function<double(double)>& value) {
  std::vector<double> s(static_cast<std::size_t>(r));
  for (std::size_t i = 0; i < s.size(); ++i) s[i] = value(static_cast<double>(i));
  std::sort(s.rbegin(), s.rend());
  return s;
}

inline const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"spread",
       [](Index r, claros::RandomStream& g) { return fill(r, [&](double) { return 5.0 * g.uniform(); }); }},
      {"geometric",
       [](Index r, claros::RandomStream&) { return fill(r, [](double i) { return std::pow(0.7, i); }); }},
      {"rank-deficient",
       [](Index r, claros::RandomStream&) {
         return fill(r, [&](double i) { return 2 * i < double(r) ? 3 - i / 9 : 0; });
       }},
      {"clustered",
       [](Index r, claros::RandomStream&) {
         return fill(r, [](double i) { return i < 3 ? 1 - 1e-4 * i : 0.5 / i; });
       }},
      {"repeated",
       [](Index r, claros::RandomStream&) { return fill(r, [](double i) { return i < 4 ? 2.0 : 1.0; }); }},
      {"all equal", [](Index r, claros::RandomStream&) { return fill(r, [](double) { return 7.0; }); }},
      {"rank one",
       [](Index r, claros::RandomStream&) { return fill(r, [](double i) { return i < 1 ? 0.3 : 0.0; }); }},
      {"tiny norm",
       [](Index r, claros::RandomStream&) { return fill(r, [](double i) { return 1e-170 / (1 + i); }); }},
      {"huge norm",
       [](Index r, claros::RandomStream&) { return fill(r, [](double i) { return 1e170 / (1 + i); }); }},
  };
  return all;
}

struct Sides {
  Index m, n;
};

inline std::vector<Sides> shapes() {
  return {{1, 1}, {7, 1}, {1, 7}, {2, 2}, {5, 4}, {4, 5}, {12, 12}, {40, 9}, {9, 40}, {30, 25}};
}

inline double norm(const std::vector<double>& x) {
  double largest = 0.0, sum = 0.0;
  for (double value : x) largest = std::max(largest, std::abs(value));
  for (double value : x) sum += largest > 0.0 ? (value / largest) * (value / largest) : 0.0;
  return largest * std::sqrt(sum);
}

/// || A v - sigma u || or, adjoint, || A'u - sigma v ||.
inline double defect(const claros::LinearOperator& a, const std::vector<double>& from, double sigma,
                     const std::vector<double>& to, bool adjoint) {
  std::vector<double> image(to.size());
  adjoint ? a.apply_adjoint(from, image) : a.apply(from, image);
  for (std::size_t i = 0; i < to.size(); ++i) image[i] -= sigma * to[i];
  return norm(image);
}

/// max |X'X - I| over the columns.
inline double orthogonality(Index rows, Index cols, const std::vector<double>& x) {
  double worst = 0.0;
  for (Index i = 0; i < cols; ++i)
    for (Index j = 0; j <= i; ++j) {
      double dot = i == j ? -1.0 : 0.0;
      for (Index l = 0; l < rows; ++l)
        dot += x[static_cast<std::size_t>(i * rows + l)] * x[static_cast<std::size_t>(j * rows + l)];
      worst = std::max(worst, std::abs(dot));
    }
  return worst;
}

inline std::vector<double> column(const std::vector<double>& x, Index rows, Index j) {
  const auto begin = x.begin() + static_cast<std::ptrdiff_t>(j * rows);
  return {begin, begin + static_cast<std::ptrdiff_t>(rows)};
}

/// What makes (U, s, V) leading singular triplets of `a`: orthonormal columns, descending values, both
/// equations within `accuracy` * s[0].
inline void check_triplets(const claros::LinearOperator& a, const claros::TruncatedSvd& svd,
                           double accuracy) {
  const Index m = a.rows(), n = a.cols();
  CHECK(orthogonality(m, svd.count, svd.u) < 1e-8);
  CHECK(orthogonality(n, svd.count, svd.v) < 1e-12);
  CHECK(std::is_sorted(svd.s.rbegin(), svd.s.rend()));
  for (Index j = 0; j < svd.count; ++j) {
    const std::vector<double> u = column(svd.u, m, j), v = column(svd.v, n, j);
    const double sigma = svd.s[static_cast<std::size_t>(j)];
    CHECK(sigma >= 0.0);
    CHECK(defect(a, v, sigma, u, false) <= accuracy * svd.s[0]);
    CHECK(defect(a, u, sigma, v, true) <= accuracy * svd.s[0]);
  }
}

}  // namespace spectral_problems
