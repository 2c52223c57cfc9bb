// SPDX-License-Identifier: BSD-3-Clause
/// @file spectral_sets.hpp  The sets of bounded singular values and eigenvalues, and their answers by
/// decompositions of all entries.
#pragma once

#include <claros/abilities.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/spectral/block_svd.hpp>

#include "../core/random_elements.hpp"
#include "projected_gradient.hpp"

#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace claros::test {

inline const Words kSpectralSets{"nuclear-ball", "spectrahedron", "psd-trace"};

/// A set of this build beside its definition.
struct SpectralSet {
  std::string name;
  double radius;
  std::shared_ptr<Component> set;

  SpectralSet(std::string name_, double radius_) : name(std::move(name_)), radius(radius_) {
    set = create_component(build_catalog(), Kind::set, name, {{"radius", print_real(radius), {}, {}}},
                           Context{});
  }
  bool symmetric() const { return name != "nuclear-ball"; }
  LinearOracle& oracle() const { return *query<LinearOracle>(*set); }
  ProximalOracle& projection() const { return *query<ProximalOracle>(*set); }
  double violation(const Element& x) const { return query<Membership>(*set)->violation(x); }

  /// Singular values, or the eigenvalues of (X + X')/2, largest first.
  TruncatedSvd decomposed(const Element& x) const {
    const Shape& shape = x.shape();
    std::vector<double> entries = x.to_dense();
    if (!symmetric()) return dense_svd(shape.rows, shape.cols, entries);
    const auto n = static_cast<std::size_t>(shape.rows);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < j; ++i)
        entries[j * n + i] = entries[i * n + j] = 0.5 * (entries[j * n + i] + entries[i * n + j]);
    return dense_eigen(DenseOperator(shape.rows, shape.cols, entries));
  }

  /// min <G, U> over the set.
  double least(const Element& g) const {
    Element minus(g);
    minus.scale(-1.0);
    const double largest = decomposed(minus).s.front();
    return name == "psd-trace" ? -radius * std::max(largest, 0.0) : -radius * largest;
  }

  std::vector<double> projected(const Element& v) const {
    const Shape& shape = v.shape();
    TruncatedSvd d = decomposed(v);
    double positive = 0.0;
    for (const double s : d.s) positive += std::max(s, 0.0);
    if (name == "spectrahedron" || positive > radius) project_to_simplex(d.s, radius);
    std::vector<double> x(static_cast<std::size_t>(shape.size()), 0.0);
    const auto m = static_cast<std::size_t>(shape.rows), n = static_cast<std::size_t>(shape.cols);
    for (std::size_t k = 0; k < d.s.size(); ++k)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < m; ++i)
          x[j * m + i] += std::max(d.s[k], 0.0) * d.u[k * m + i] * d.v[k * n + j];
    return x;
  }
};

}  // namespace claros::test
