// SPDX-License-Identifier: BSD-3-Clause
#include "sensing_chunk.hpp"

#include "measurement_rows.hpp"

#include <claros/element/parallel.hpp>
#include <claros/sdk/losses/kept_hessian.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace matrix_sensing {

using namespace claros;

namespace {

/// g += a x
void add(double a, const Element& x, std::span<double> g) {
  const std::vector<double> values = x.to_dense();
  for (std::size_t j = 0; j < g.size(); ++j) g[j] += a * values[j];
}

/// g += a A'c
void add_adjoint(const MapPtr& map, double a, std::vector<double> c, std::span<double> g) {
  for (double& value : c) value *= a;
  if (map->fuses()) return map->add_adjoint(c, g);
  Element sum = Element::adjoint(map, Buffer(std::move(c)));
  sum.fold();
  add(1.0, sum, g);
}

/// Whose products are one array, whatever the map makes of them.
class ArrayHessian final : public Hessian {
 public:
  explicit ArrayHessian(std::unique_ptr<Hessian> inner) : inner_(std::move(inner)) {}
  void add_product(const Element& d, double a, Element& g) override {
    Element product(d.shape());
    inner_->add_product(d, a, product);
    product.fold();
    g.add(1.0, Element::dense(d.shape(), product.to_dense()));
  }

 private:
  std::unique_ptr<Hessian> inner_;
};

}  // namespace

std::vector<double> SensingChunk::image(const Element& x) const {
  std::vector<double> z(static_cast<std::size_t>(model_.map->size()));
  model_.map->apply(1.0, x, 0.0, z);
  return z;
}

std::vector<double> SensingChunk::derivative(std::span<const double> z) const {
  std::vector<double> c(z.size());
  model_.loss->derivative(z, model_.targets, c);
  return c;
}

double SensingChunk::sum_at(std::span<const double> z) const {
  return sum_chunks(terms(), kGrain, [&](Index first, Index last) { return model_.sum(first, last, z); });
}

double SensingChunk::value(const Element& x) { return sum_at(image(x)); }

double SensingChunk::add_gradient(const Element& x, double a, std::span<double> g) {
  const std::vector<double> z = image(x);
  add_adjoint(model_.map, a, derivative(z), g);
  return sum_at(z);
}

std::vector<double> SensingChunk::targets_of(std::span<const Index> terms) const {
  std::vector<double> y;
  for (const Index i : terms) y.push_back(model_.targets[static_cast<std::size_t>(i)]);
  return y;
}

void SensingChunk::add_gradient(const Element& x, std::span<const Index> terms, double a,
                                std::span<double> g) {
  std::vector<double> z(terms.size()), c(terms.size());
  model_.map->dot(terms, x, z);
  model_.loss->derivative(z, targets_of(terms), c);
  Element sum(model_.map->domain());
  sum.add_adjoint(a, model_.map, {terms.begin(), terms.end()}, c);
  sum.fold();
  add(1.0, sum, g);
}

std::unique_ptr<Hessian> SensingChunk::hessian(const Element& at, bool all, std::span<const Index> terms) {
  std::vector<double> z = all ? image(at) : std::vector<double>(terms.size()), second(z.size());
  if (!all) model_.map->dot(terms, at, z);
  model_.loss->second_derivative(z, all ? model_.targets : targets_of(terms), second);
  return std::make_unique<ArrayHessian>(std::make_unique<sdk::KeptHessian>(
      model_, all ? std::vector<Index>() : std::vector<Index>(terms.begin(), terms.end()), std::move(second),
      std::vector<double>()));
}

double SensingChunk::conjugate(const Element& x, double a) {
  std::vector<double> u = derivative(image(x));
  for (double& value : u) value *= a;
  return sum_chunks(terms(), kGrain, [&](Index first, Index last) {
    return model_.loss->conjugate(model_.part(u, first, last), model_.part(model_.targets, first, last), {});
  });
}

void SensingChunk::add_square(const Element& v, double a, std::span<double> g) {
  const MapPtr root = square_root(model_.map, kind_);
  std::vector<double> z(static_cast<std::size_t>(root->size()));
  root->apply(1.0, Element::dense(root->domain(), v.to_dense()), 0.0, z);
  add_adjoint(root, a, std::move(z), g);
}

sdk::ChunkFacts SensingChunk::facts() {
  sdk::ChunkFacts facts;
  for (const double square : squared_norms(*model_.map, kind_)) {
    facts.trace += square;
    facts.component = std::max(facts.component, square);
  }
  facts.row = std::sqrt(facts.component);
  const auto least = model_.loss->constants().lower_bound;
  facts.least = least ? *least * static_cast<double>(terms()) : std::numeric_limits<double>::quiet_NaN();
  return facts;
}

/// A bounded curvature L bends by at most L delta_i^2 / 2, another convex psi by psi(z + delta) + psi(z -
/// delta) - 2 psi(z), delta_i = unit ||A_i||, like a linear model.
sdk::RoundingSums SensingChunk::rounding(const Element& x, double unit) {
  const std::vector<double> z = image(x), c = derivative(z), squares = squared_norms(*model_.map, kind_);
  const auto L = model_.loss->constants().smoothness;
  sdk::RoundingSums sums;
  std::vector<double> above(z), below(z);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double norm = std::sqrt(squares[i]);
    sums.products += std::abs(c[i]) * norm;
    sums.targets += std::abs(c[i]) * model_.target_size(i);
    if (L) sums.bend += 0.5 * *L * unit * unit * squares[i];
    above[i] += unit * norm;
    below[i] -= unit * norm;
  }
  if (L) return sums;
  const double twice = sum_at(above) + sum_at(below);
  sums.bend = std::isfinite(twice) ? std::max(0.0, twice - 2.0 * sum_at(z)) : twice;
  return sums;
}

}  // namespace matrix_sensing
