// SPDX-License-Identifier: BSD-3-Clause
/// @file loss_on_map.hpp  Base class of objectives that are a loss of a linear image.
#pragma once

#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/parallel.hpp>
#include <claros/state.hpp>
#include <claros/sdk/loss.hpp>

#include <memory>
#include <vector>

namespace claros::sdk {

/// f(x) = (1/n) sum_i psi(<a_i, x>, y_i). Gradients and Hessian products are A'c with one number a component, never
/// expanded here:
///   grad f_i(x) = psi'(<a_i, x>, y_i) a_i,   hess f_i(x) d = psi''(<a_i, x>, y_i) <a_i, d> a_i.
class LossOnMap : public Objective, public Curvature, public Referable {
 public:
  Shape shape() const override { return map_->domain(); }
  Index components() const override { return map_->size(); }

  double value(const Element& x) override {
    const auto z = x.image(map_);
    const std::span<const double> y = targets_;
    const double total = sum_chunks(components(), kGrain, [&](Index first, Index last) {
      return loss_->sum(part(z, first, last), part(y, first, last));
    });
    return total / static_cast<double>(components());
  }

  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    if (batch.is_all()) {
      const auto z = x.image(map_);
      g.add_adjoint(1.0, map_, coefficients(a, [&](Index first, Index last, std::span<double> out) {
                      loss_->derivative(part(z, first, last), part(targets_view(), first, last), out);
                    }));
      return;
    }
    gather(batch);
    derivative_at(x, c_);
    g.add_adjoint(a / static_cast<double>(c_.size()), map_, rows_, c_);
  }

  void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a, Element& g) override {
    if (batch.is_all()) return Objective::add_gradient_difference(x, y, batch, a, g);
    gather(batch);
    derivative_at(x, c_);
    derivative_at(y, other_);
    for (std::size_t k = 0; k < c_.size(); ++k) c_[k] -= other_[k];
    g.add_adjoint(a / static_cast<double>(c_.size()), map_, rows_, c_);
  }

  void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a, Element& g) override {
    if (batch.is_all()) {
      const auto z = at.image(map_);
      const auto u = d.image(map_);
      g.add_adjoint(1.0, map_, coefficients(a, [&](Index first, Index last, std::span<double> out) {
                      loss_->second_derivative(part(z, first, last), part(targets_view(), first, last), out);
                      for (std::size_t k = 0; k < out.size(); ++k) out[k] *= u[static_cast<std::size_t>(first) + k];
                    }));
      return;
    }
    gather(batch);
    at.image_at(map_, rows_, z_);
    loss_->second_derivative(z_, y_, c_);
    d.image_at(map_, rows_, z_);
    for (std::size_t k = 0; k < c_.size(); ++k) c_[k] *= z_[k];
    g.add_adjoint(a / static_cast<double>(c_.size()), map_, rows_, c_);
  }

  std::unique_ptr<Hessian> hessian(const Element& at, const Batch& batch) override {
    std::vector<double> psi(static_cast<std::size_t>(batch.size(components())));
    if (batch.is_all()) {
      loss_->second_derivative(at.image(map_), targets_, psi);
      return std::make_unique<KeptHessian>(map_, std::vector<Index>(), std::move(psi));
    }
    gather(batch);
    at.image_at(map_, rows_, z_);
    loss_->second_derivative(z_, y_, psi);
    return std::make_unique<KeptHessian>(map_, rows_, std::move(psi));
  }

  void* ability(std::string_view id) noexcept override { return offer<Curvature, Referable>(this, id); }
  void refer(References& references) const override { references.add("map", map_); }

 protected:
  LossOnMap() = default;
  /// One target an output of the map. Throws Error(data) when there is none, or not as many.
  void set_model(MapPtr map, std::vector<double> targets, std::shared_ptr<const Loss> loss) {
    if (targets.empty()) throw Error(ErrorKind::data, "objective", "there is no observation", "give at least one");
    if (static_cast<Index>(targets.size()) != map->size())
      throw Error(ErrorKind::data, "objective", std::to_string(targets.size()) + " targets for " + std::to_string(map->size()) + " observations");
    map_ = std::move(map);
    targets_ = std::move(targets);
    loss_ = std::move(loss);
  }
  const MapPtr& map() const noexcept { return map_; }
  const Loss& loss() const noexcept { return *loss_; }

 private:
  static constexpr Index kGrain = 1 << 12;

  /// H = (1/|B|) sum_B psi''_i a_i a_i', of which the |B| numbers psi''_i are kept. No rows: B is everything.
  class KeptHessian final : public Hessian {
   public:
    KeptHessian(MapPtr map, std::vector<Index> rows, std::vector<double> psi) : map_(std::move(map)), rows_(std::move(rows)), psi_(std::move(psi)) {}
    void add_product(const Element& d, double a, Element& g) override {
      const double scale = a / static_cast<double>(psi_.size());
      if (rows_.empty()) return add_full(d.image(map_), scale, g);
      std::vector<double> c(psi_.size());
      d.image_at(map_, rows_, c);
      for (std::size_t k = 0; k < c.size(); ++k) c[k] *= scale * psi_[k];
      g.add_adjoint(1.0, map_, rows_, c);
    }

   private:
    void add_full(std::span<const double> u, double scale, Element& g) {
      const auto n = static_cast<Index>(psi_.size());
      if (full_.empty() || full_.shared()) full_ = Buffer::zeros(n);
      const std::span<double> c = full_.edit();
      for_chunks(n, kGrain, [&](Index, Index first, Index last) {
        for (auto k = static_cast<std::size_t>(first); k < static_cast<std::size_t>(last); ++k) c[k] = scale * psi_[k] * u[k];
      });
      g.add_adjoint(1.0, map_, full_);
    }

    MapPtr map_;
    std::vector<Index> rows_;
    std::vector<double> psi_;
    Buffer full_;
  };

  template <class T>
  static std::span<T> part(std::span<T> all, Index first, Index last) {
    return all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  }
  std::span<const double> targets_view() const { return targets_; }

  /// (a / n) * what `fill` writes, chunk by chunk, in the array of an earlier call when nobody holds that any more.
  template <class Fill>
  Buffer coefficients(double a, Fill fill) {
    if (full_.size() != components() || full_.shared()) full_ = Buffer::zeros(components());
    const std::span<double> c = full_.edit();
    const double scale = a / static_cast<double>(c.size());
    for_chunks(components(), kGrain, [&](Index, Index first, Index last) {
      const auto out = part(c, first, last);
      fill(first, last, out);
      for (double& value : out) value *= scale;
    });
    return full_;
  }

  void gather(const Batch& batch) {
    const auto size = static_cast<std::size_t>(batch.size(components()));
    rows_.resize(size);
    y_.resize(size);
    z_.resize(size);
    c_.resize(size);
    other_.resize(size);
    for (std::size_t k = 0; k < size; ++k) {
      rows_[k] = batch[static_cast<Index>(k)];
      y_[k] = targets_[static_cast<std::size_t>(rows_[k])];
    }
  }
  void derivative_at(const Element& x, std::vector<double>& out) {
    x.image_at(map_, rows_, z_);
    loss_->derivative(z_, y_, out);
  }

  MapPtr map_;
  std::vector<double> targets_;
  std::shared_ptr<const Loss> loss_;
  Buffer full_;
  std::vector<Index> rows_;
  std::vector<double> y_, z_, c_, other_;
};

}  // namespace claros::sdk
