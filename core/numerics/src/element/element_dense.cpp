// SPDX-License-Identifier: BSD-3-Clause
// Operations that methods with momentum make in every step, in one pass over dense arrays.
#include <claros/element/element.hpp>

#include "element/array_sums.hpp"
#include "element/image.hpp"
#include "element/inner_of_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace claros {

namespace {

/// The one dense part of an element that is nothing else; null otherwise.
const Part* lone_dense(const Element& x) {
  const auto& parts = x.parts();
  const bool lone = parts.size() == 1 && x.block_count() == 0;
  return lone && std::holds_alternative<DenseForm>(parts.front().form) ? &parts.front() : nullptr;
}

const double* values_of(const Part* part) { return std::get<DenseForm>(part->form).values.view().data(); }

/// sum_j f(j) in eight running sums: the order is fixed.
template <class F>
double sum_indices(std::size_t n, F f) {
  std::array<double, 8> sums{};
  std::size_t j = 0;
  for (; j + sums.size() <= n; j += sums.size())
    for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += f(j + lane);
  double total = 0.0;
  for (; j < n; ++j) total += f(j);
  for (const double sum : sums) total += sum;
  return total;
}

/// Entry by entry where a form is dense anyway: products of it with another form would cancel.
Element difference(const Element& x, const Element& y) {
  Element d(x);
  d.add(-1.0, y);
  const auto is_dense = [](const Part& part) { return std::holds_alternative<DenseForm>(part.form); };
  if (d.parts().size() > 1 && std::any_of(d.parts().begin(), d.parts().end(), is_dense))
    (void)d.dense_values();
  return d;
}

/// The low-rank part by orthogonal factors of what is left of it, or entry by entry if that costs less. The
/// rounding of a product with it is then relative to its own size, not to the points that it is between.
void orthogonalise(Element& d) {
  constexpr Index kColumnsWorth = 4;  // entries that cost as much as one number of a factor
  for (Index k = 0; k < d.block_count(); ++k) orthogonalise(d.edit_block(k));
  const Index columns = d.columns();
  if (columns == 0) return;
  if (d.shape().size() <= kColumnsWorth * columns * (d.shape().rows + d.shape().cols))
    (void)d.dense_values();
  else
    (void)d.recompress(0.0);
}

/// <d, e> of differences. If it cancels in the products of factors, the differences are orthogonalised first.
double inner_of_differences(Element d, Element e) {
  constexpr double kCancelled = 1e-9;
  double size = 0.0;
  const double product = inner_of_parts(d, e, size);
  if (!(std::abs(product) < kCancelled * size)) return product;
  orthogonalise(d);
  orthogonalise(e);
  return inner(d, e);
}

}  // namespace

void Element::assign_sum(double a, const Element& y, double b, const Element& z) {
  y.require_shape(z);
  const Part *first = lone_dense(y), *second = lone_dense(z);
  const auto follows = [&](const ImageRef& ref) {
    return z.has_image(ref.image->map) || ref.image->map->cheap(z);
  };
  if (!first || !second || std::any_of(y.images_.begin(), y.images_.end(), follows)) {
    Element sum(y);
    sum.scale(a);
    sum.add(b, z);
    sum.lazy_ = lazy_;
    *this = std::move(sum);
    return;
  }
  const double wa = a * first->weight, wb = b * second->weight;
  const auto from = std::get<DenseForm>(first->form).values.view(),
             more = std::get<DenseForm>(second->form).values.view();
  images_.clear();
  auto* own =
      shape_ == y.shape_ && lone_dense(*this) ? &std::get<DenseForm>(parts_.front().form).values : nullptr;
  if (!own || own->shared()) {
    Part sum{1.0, DenseForm{array_sum(wa, from, wb, more)}};
    const Shape shape = y.shape_;
    shape_ = shape;
    blocks_.clear();
    parts_.clear();
    parts_.push_back(std::move(sum));
    return;
  }
  parts_.front().weight = 1.0;
  const double *u = from.data(), *v = more.data();
  double* to = own->edit().data();
#pragma GCC ivdep
  for (std::size_t k = 0; k < from.size(); ++k) to[k] = wa * u[k] + wb * v[k];
}

double inner_difference(const Element& g, const Element& x, const Element& y) {
  const Part *pg = lone_dense(g), *px = lone_dense(x), *py = lone_dense(y);
  if (!pg || !px || !py || g.shape() != x.shape() || x.shape() != y.shape())
    return inner(g, difference(x, y));
  const double *c = values_of(pg), *u = values_of(px), *v = values_of(py);
  return pg->weight * sum_indices(static_cast<std::size_t>(g.shape().size()),
                                  [=, a = px->weight, b = py->weight](std::size_t j) {
                                    return c[j] * (a * u[j] - b * v[j]);
                                  });
}

double inner_differences(const Element& u, const Element& v, const Element& x, const Element& y) {
  const std::array<const Element*, 4> points{&u, &v, &x, &y};
  std::array<const double*, 4> at{};
  std::array<double, 4> w{};
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Part* part = lone_dense(*points[k]);
    if (!part || points[k]->shape() != u.shape())
      return inner_of_differences(difference(u, v), difference(x, y));
    at[k] = values_of(part);
    w[k] = part->weight;
  }
  return sum_indices(static_cast<std::size_t>(u.shape().size()), [=](std::size_t j) {
    return (w[0] * at[0][j] - w[1] * at[1][j]) * (w[2] * at[2][j] - w[3] * at[3][j]);
  });
}

}  // namespace claros
