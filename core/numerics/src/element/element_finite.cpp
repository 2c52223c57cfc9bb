// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/element.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

bool finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

bool finite(const DenseForm& f) { return finite(f.values.view()); }
bool finite(const SparseForm& f) { return finite(f.values.view()); }
bool finite(const AdjointForm& f) {
  return finite(f.full.view()) && finite(std::span<const double>(f.coefficients));
}
bool finite(const OperatorForm&) { return true; }
bool finite(const LowRankForm& f) {
  for (std::size_t k = 0; k < f.weights.size(); ++k) {
    if (f.weights[k] == 0.0) continue;
    const auto column = static_cast<Index>(k);
    if (!std::isfinite(f.weights[k]) || !finite(f.store->left(column)) || !finite(f.store->right(column)))
      return false;
  }
  return true;
}

}  // namespace

bool all_finite(const Element& x) {
  x.synchronise();
  for (Index k = 0; k < x.block_count(); ++k)
    if (!all_finite(x.block(k))) return false;
  return std::all_of(x.parts().begin(), x.parts().end(), [](const Part& part) {
    return std::isfinite(part.weight) && std::visit([](const auto& form) { return finite(form); }, part.form);
  });
}

}  // namespace claros
