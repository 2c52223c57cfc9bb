// SPDX-License-Identifier: BSD-3-Clause
#include "chunk.hpp"

#include <claros/element/parallel.hpp>
#include <claros/sdk/losses/kept_hessian.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace linear_model {

using namespace claros;

namespace {

template <class Real>
DenseRows<Real> range_of(const DenseRows<Real>& rows, const std::shared_ptr<const Design>& design,
                         Index first, Index count) {
  const auto cols = static_cast<std::size_t>(design->cols);
  return {{},
          rows.view().subspan(static_cast<std::size_t>(first) * cols, static_cast<std::size_t>(count) * cols),
          design};
}

template <class Real>
SparseRows<Real> range_of(const SparseRows<Real>& held, const std::shared_ptr<const Design>& design,
                          Index first, Index count) {
  struct Kept {
    std::vector<Index> start;
    std::shared_ptr<const Design> design;
  };
  const auto rows = held.view();
  const auto of = rows.start.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count) + 1);
  auto kept = std::make_shared<Kept>(Kept{{of.begin(), of.end()}, design});
  for (Index& start : kept->start) start -= of.front();
  const auto from = static_cast<std::size_t>(of.front()),
             size = static_cast<std::size_t>(of.back() - of.front());
  SparseRows<Real> range;
  range.outside = {kept->start, rows.column.subspan(from, size), rows.value.subspan(from, size)};
  range.keeper = std::move(kept);
  return range;
}

}  // namespace

std::shared_ptr<const Design> row_range(const std::shared_ptr<const Design>& design, Index first,
                                        Index count) {
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

std::span<double> Chunk::image(const Element& x) {
  z_.resize(static_cast<std::size_t>(map_->size()));
  map_->apply(1.0, x, 0.0, z_);
  return z_;
}

double Chunk::sum_at(std::span<const double> z) const {
  return sum_chunks(terms(), kGrain, [&](Index first, Index last) { return model_.sum(first, last, z); });
}

double Chunk::value(const Element& x) { return sum_at(image(x)); }

double Chunk::add_gradient(const Element& x, double a, std::span<double> g) {
  const Index K = model_.outputs();
  z_.resize(static_cast<std::size_t>(map_->size()));
  map_->round_trip(
      x,
      [&](Index from, std::span<const double> z, std::span<double> c) {
        const Index first = from / K, last = first + static_cast<Index>(z.size()) / K;
        model_.loss->derivative(z, model_.part(model_.targets, first, last), c);
        model_.scale(a, first, c);
      },
      z_, g);
  return sum_at(z_);
}

std::vector<Index> Chunk::outputs_of(std::span<const Index> terms) const {
  std::vector<Index> outputs;
  for (const Index i : terms)
    for (Index k = 0; k < model_.outputs(); ++k) outputs.push_back(i * model_.outputs() + k);
  return outputs;
}

std::vector<double> Chunk::targets_of(std::span<const Index> terms) const {
  std::vector<double> y;
  for (const Index i : terms) y.push_back(model_.targets[static_cast<std::size_t>(i)]);
  return y;
}

void Chunk::add_gradient(const Element& x, std::span<const Index> terms, double a, std::span<double> g) {
  const std::vector<Index> outputs = outputs_of(terms);
  std::vector<double> z(outputs.size()), c(outputs.size());
  map_->dot(outputs, x, z);
  model_.loss->derivative(z, targets_of(terms), c);
  const auto K = static_cast<std::size_t>(model_.outputs());
  for (std::size_t k = 0; k < c.size(); ++k) c[k] *= weight(terms[k / K]);
  Element sum(map_->domain());
  sum.add_adjoint(a, map_, outputs, c);
  sum.fold();
  const std::span<const double> made = sum.dense_values();
  for (std::size_t j = 0; j < g.size(); ++j) g[j] += made[j];
}

std::unique_ptr<Hessian> Chunk::hessian(const Element& at, bool all, std::span<const Index> terms) {
  if (all) {
    const auto z = image(at);
    std::vector<double> second(z.size());
    model_.loss->second_derivative(z, model_.targets, second);
    return std::make_unique<sdk::KeptHessian>(model_, std::vector<Index>(), std::move(second),
                                              model_.weights);
  }
  std::vector<Index> outputs = outputs_of(terms);
  std::vector<double> z(outputs.size()), second(outputs.size()), weights;
  map_->dot(outputs, at, z);
  model_.loss->second_derivative(z, targets_of(terms), second);
  if (!model_.weights.empty())
    for (const Index i : terms) weights.push_back(weight(i));
  return std::make_unique<sdk::KeptHessian>(model_, std::move(outputs), std::move(second),
                                            std::move(weights));
}

double Chunk::conjugate(const Element& x, double a) {
  const auto z = image(x);
  std::vector<double> u(z.size());
  model_.loss->derivative(z, model_.targets, u);
  for (double& value : u) value *= a;
  return sum_chunks(terms(), kGrain, [&](Index first, Index last) {
    const auto w =
        model_.weights.empty() ? std::span<const double>() : model_.part(model_.weights, first, last);
    return model_.loss->conjugate(model_.outputs_of(std::span<const double>(u), first, last),
                                  model_.part(model_.targets, first, last), w);
  });
}

/// One class is as good as another: the rows are the same.
void Chunk::add_square(const Element& v, double a, std::span<double> g) {
  const DesignMap one(map_->design(), Shape::vector(map_->design()->cols), 1, map_->has_intercept());
  std::vector<double> z(static_cast<std::size_t>(one.size()));
  one.round_trip(
      v,
      [&](Index first, std::span<const double> image, std::span<double> c) {
        for (std::size_t k = 0; k < c.size(); ++k)
          c[k] = a * weight(first + static_cast<Index>(k)) * image[k];
      },
      z, g);
}

sdk::ChunkFacts Chunk::facts() {
  sdk::ChunkFacts facts;
  const std::vector<double> squares = map_->squared_norms();
  const LossConstants psi = model_.loss->constants();
  for (Index i = 0; i < terms(); ++i) {
    const double square = squares[static_cast<std::size_t>(i)];
    facts.trace += weight(i) * square;
    facts.component = std::max(facts.component, weight(i) * square);
    facts.row = std::max(facts.row, std::sqrt(square));
    if (psi.lower_bound) facts.least += weight(i) * *psi.lower_bound;
  }
  if (psi.lower_bound) return facts;
  const std::vector<double> zero(static_cast<std::size_t>(map_->size()), 0.0);
  facts.least = model_.loss->has_conjugate()
                    ? -model_.loss->conjugate(zero, model_.targets, model_.weights)  // inf psi = -psi*(0)
                    : std::numeric_limits<double>::quiet_NaN();
  return facts;
}

/// A bounded curvature L bends by at most L delta_i^2 / 2, another convex psi by psi(z + delta) + psi(z -
/// delta) - 2 psi(z), delta_i = unit ||a_i||.
sdk::RoundingSums Chunk::rounding(const Element& x, double unit) {
  const auto z = image(x);
  const std::vector<double> squares = map_->squared_norms();
  const auto K = static_cast<std::size_t>(model_.outputs());
  std::vector<double> c(z.size());
  model_.loss->derivative(z, model_.targets, c);
  model_.scale(1.0, 0, c);
  sdk::RoundingSums sums;
  for (std::size_t k = 0; k < c.size(); ++k) {
    sums.products += std::abs(c[k]) * std::sqrt(squares[k / K]);
    sums.targets += std::abs(c[k]) * model_.target_size(k / K);
  }
  if (const auto L = model_.loss->constants().smoothness) {
    for (std::size_t i = 0; i < squares.size(); ++i)
      sums.bend += 0.5 * *L * unit * unit * weight(static_cast<Index>(i)) * squares[i];
    return sums;
  }
  std::vector<double> above(z.begin(), z.end()), below(above);
  for (std::size_t k = 0; k < z.size(); ++k) {
    const double delta = unit * std::sqrt(squares[k / K]);
    above[k] += delta;
    below[k] -= delta;
  }
  const double twice = sum_at(above) + sum_at(below);
  sums.bend = std::isfinite(twice) ? std::max(0.0, twice - 2.0 * sum_at(z)) : twice;
  return sums;
}

}  // namespace linear_model
