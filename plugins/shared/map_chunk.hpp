// SPDX-License-Identifier: BSD-3-Clause
/// @file map_chunk.hpp  Consecutive terms of a loss of a linear image, for sums over ranks.
#pragma once

#include <claros/element/element.hpp>
#include <claros/sdk/losses/kept_hessian.hpp>
#include <claros/sdk/losses/loss_model.hpp>
#include <shared/term_chunks.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace claros::sdk {

/// w_i psi(A_i x, y_i) of consecutive i. A class for a kind of maps adds `squared_norms` and `add_square`.
class MapChunk : public TermChunk {
 public:
  double value(const Element& x) override { return model_.sum(image(x)); }

  double add_gradient(const Element& x, double a, std::span<double> g) override {
    const auto z = image(x);
    std::vector<double> c(z.size());
    model_.slopes(a, z, c);
    add_adjoint(model_.map, std::move(c), g);
    return model_.sum(z);
  }

  void add_gradient(const Element& x, std::span<const Index> terms, double a, std::span<double> g) override {
    const std::vector<Index> outputs = outputs_of(terms);
    std::vector<double> z(outputs.size()), c(outputs.size());
    model_.map->dot(outputs, x, z);
    model_.loss->derivative(z, targets_of(terms), c);
    const auto K = static_cast<std::size_t>(model_.outputs());
    for (std::size_t k = 0; k < c.size(); ++k) c[k] *= model_.weight(static_cast<std::size_t>(terms[k / K]));
    Element sum(model_.map->domain());
    sum.add_adjoint(a, model_.map, outputs, c);
    add(std::move(sum), g);
  }

  std::unique_ptr<Hessian> hessian(const Element& at, bool all, std::span<const Index> terms) override {
    if (all)
      return std::make_unique<KeptHessian>(model_, std::vector<Index>(), model_.curvatures(image(at)),
                                           model_.weights);
    std::vector<Index> outputs = outputs_of(terms);
    std::vector<double> z(outputs.size()), second(outputs.size()), weights;
    model_.map->dot(outputs, at, z);
    model_.loss->second_derivative(z, targets_of(terms), second);
    if (!model_.weights.empty())
      for (const Index i : terms) weights.push_back(model_.weight(static_cast<std::size_t>(i)));
    return std::make_unique<KeptHessian>(model_, std::move(outputs), std::move(second), std::move(weights));
  }

  double conjugate(const Element& x, double a) override {
    const auto z = image(x);
    std::vector<double> u(z.size());
    model_.loss->derivative(z, model_.targets, u);
    for (double& value : u) value *= a;
    return model_.conjugate(u);
  }

  ChunkFacts facts() override {
    ChunkFacts facts;
    const std::vector<double> squares = squared_norms();
    const auto least = model_.loss->constants().lower_bound;
    for (std::size_t i = 0; i < squares.size(); ++i) {
      facts.trace += model_.weight(i) * squares[i];
      facts.component = std::max(facts.component, model_.weight(i) * squares[i]);
      facts.row = std::max(facts.row, std::sqrt(squares[i]));
      if (least) facts.least += model_.weight(i) * *least;
    }
    if (least) return facts;
    const std::vector<double> zero(static_cast<std::size_t>(model_.map->size()), 0.0);
    facts.least = model_.loss->has_conjugate()
                      ? -model_.loss->conjugate(zero, model_.targets, model_.weights)  // inf psi = -psi*(0)
                      : std::numeric_limits<double>::quiet_NaN();
    return facts;
  }

  RoundingSums rounding(const Element& x, double unit) override {
    const auto z = image(x);
    std::vector<double> c(z.size());
    model_.slopes(1.0, z, c);
    return model_.rounding(z, c, squared_norms(), unit);
  }

 protected:
  /// A model without a covariance; its weights are those of the whole.
  explicit MapChunk(LossModel model) : model_(std::move(model)) {}

  /// ||a_i||^2
  virtual std::vector<double> squared_norms() const = 0;
  const LossModel& model() const noexcept { return model_; }
  /// Room for all outputs, until the next call.
  std::span<double> outputs() {
    z_.resize(static_cast<std::size_t>(model_.map->size()));
    return z_;
  }
  /// A x, in that room.
  std::span<double> image(const Element& x) {
    model_.map->apply(1.0, x, 0.0, outputs());
    return z_;
  }
  /// g <- g + A'c
  static void add_adjoint(const MapPtr& map, std::vector<double> c, std::span<double> g) {
    if (map->fuses()) return map->add_adjoint(c, g);
    add(Element::adjoint(map, Buffer(std::move(c))), g);
  }

 private:
  static void add(Element sum, std::span<double> g) {
    sum.fold();
    const std::vector<double> values = sum.to_dense();
    for (std::size_t j = 0; j < g.size(); ++j) g[j] += values[j];
  }
  std::vector<Index> outputs_of(std::span<const Index> terms) const {
    std::vector<Index> outputs;
    for (const Index i : terms)
      for (Index k = 0; k < model_.outputs(); ++k) outputs.push_back(i * model_.outputs() + k);
    return outputs;
  }
  std::vector<double> targets_of(std::span<const Index> terms) const {
    std::vector<double> y;
    for (const Index i : terms) y.push_back(model_.targets[static_cast<std::size_t>(i)]);
    return y;
  }

  LossModel model_;
  std::vector<double> z_;
};

}  // namespace claros::sdk
