// SPDX-License-Identifier: BSD-3-Clause
#include "proof/arithmetic_error.hpp"

#include <claros/abilities.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <variant>

namespace claros {

namespace {

constexpr double kRelative = std::numeric_limits<double>::epsilon();
// Multiples for the products of two forms, and for the decomposition of a difference of factors.
constexpr double kProducts = 16.0, kDecomposition = 8.0;

bool has_dense_form(const Element& x) {
  return std::ranges::any_of(x.parts(), [](const Part& part) {
    return std::holds_alternative<DenseForm>(part.form) || std::holds_alternative<OperatorForm>(part.form);
  });
}

double root_of_squares(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

double part_norm_at_most(const Part& part, const Shape& shape) {
  const double weight = std::abs(part.weight);
  if (const auto* dense = std::get_if<DenseForm>(&part.form))
    return weight * root_of_squares(dense->values.view());
  if (const auto* sparse = std::get_if<SparseForm>(&part.form))
    return weight * root_of_squares(sparse->values.view());
  if (const auto* low = std::get_if<LowRankForm>(&part.form)) {
    double sum = 0.0;
    for (std::size_t k = 0; k < low->weights.size(); ++k)
      if (low->weights[k] != 0.0)
        sum += std::abs(low->weights[k]) * root_of_squares(low->store->left(static_cast<Index>(k))) *
               root_of_squares(low->store->right(static_cast<Index>(k)));
    return weight * sum;
  }
  Element alone(shape);
  alone.append(part);
  return norm(alone);
}

}  // namespace

double underflow(Index terms, double value) {
  constexpr double kFar = 1e-290, kLeast = std::numeric_limits<double>::denorm_min(), kProductsOfTerm = 8.0;
  return value != 0.0 && std::abs(value) < kFar ? kProductsOfTerm * static_cast<double>(terms) * kLeast : 0.0;
}

double norm_at_most(const Element& x) {
  double sum = 0.0;
  for (Index k = 0; k < x.block_count(); ++k) sum += norm_at_most(x.block(k));
  for (const Part& part : x.parts()) sum += part_norm_at_most(part, x.shape());
  return sum;
}

double tangent_rounding(Objective& f, Objective* R, const Element& x, double size, double value,
                        const Element& g) {
  auto* own = query<Rounding>(f);
  const double of_sums =
      own && !R ? 0.0 : sum_rounding(x.shape().size()) * (std::abs(value) + 2.0 * size * norm(g));
  const double lost = of_sums + underflow(x.shape().size(), value);
  return own ? own->rounding(x, size) + lost : lost;
}

double dual_rounding(Objective& f, const Element& x, double value, double bound) {
  auto* own = query<Rounding>(f);
  const double of_sums = sum_rounding(x.shape().size()) * (std::abs(value) + std::abs(bound)) +
                         underflow(x.shape().size(), value);
  return own ? own->rounding(x, norm_at_most(x)) + of_sums : of_sums;
}

Distance distance(const Element& x, const Element& y) {
  Distance all;
  if (x.block_count() > 0) {
    for (Index k = 0; k < x.block_count(); ++k) {
      const Distance of_block = distance(x.block(k), y.block(k));
      all.length = std::hypot(all.length, of_block.length);
      all.error = std::hypot(all.error, of_block.error);
    }
    return all;
  }
  Element d(x);
  d.drop_images();
  d.add(-1.0, y);
  d.fold();
  if (has_dense_form(d)) (void)d.dense_values();
  all.error = kRelative * (norm_at_most(x) + norm_at_most(y));
  if (only_low_rank(d)) {
    for (const double value : d.singular_values()) all.length = std::hypot(all.length, value);
    all.error *= kDecomposition;
  } else {
    all.length = norm(d);
    if (d.parts().size() > 1) all.error = std::sqrt(kProducts * kRelative) * norm_at_most(d);
  }
  return all;
}

}  // namespace claros
