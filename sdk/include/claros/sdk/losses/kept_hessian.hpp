// SPDX-License-Identifier: BSD-3-Clause
/// @file kept_hessian.hpp  The Hessian of a loss of a linear image at a fixed point.
#pragma once

#include <claros/element/parallel.hpp>
#include <claros/objective.hpp>
#include <claros/sdk/losses/loss_model.hpp>

#include <memory>
#include <vector>

namespace claros::sdk {

/// H = (1/|B|) sum_B w_i A_i' psi''_i A_i - S, of which psi''_i, K numbers a component, is kept. No rows: B
/// is everything. S is multiplied by the mean of the batch's weights, which are in w.
class KeptHessian final : public Hessian {
 public:
  /// `weights` has one number a component of B, or none.
  KeptHessian(const LossModel& model, std::vector<Index> rows, std::vector<double> second,
              std::vector<double> weights, double common = 1.0)
      : map_(model.map),
        loss_(model.loss),
        covariance_(model.covariance),
        rows_(std::move(rows)),
        second_(std::move(second)),
        weights_(std::move(weights)),
        common_(common),
        outputs_(static_cast<std::size_t>(model.outputs())) {}

  void add_product(const Element& d, double a, Element& g) override {
    if (covariance_) covariance_->add(-a * common_, d, g);
    const double scale = a * static_cast<double>(outputs_) / static_cast<double>(second_.size());
    if (rows_.empty()) return add_full(d, scale, g);
    std::vector<double> c(second_.size());
    d.image_at(map_, rows_, c);
    multiply(0, scale, c);
    g.add_adjoint(1.0, map_, rows_, c);
  }

 private:
  static constexpr Index kGrain = 1 << 12;

  /// c <- scale w psi'' c, for the outputs from `first` on.
  void multiply(Index first, double scale, std::span<double> c) const {
    const auto from = static_cast<std::size_t>(first);
    loss_->multiply_second(std::span<const double>(second_).subspan(from, c.size()), c);
    for (std::size_t k = 0; k < c.size(); ++k)
      c[k] *= weights_.empty() ? scale : scale * weights_[(from + k) / outputs_];
  }

  void add_full(const Element& d, double scale, Element& g) {
    const auto n = static_cast<Index>(second_.size());
    const auto middle = [&](Index first, std::span<const double> u, std::span<double> c) {
      std::copy(u.begin(), u.end(), c.begin());
      multiply(first, scale, c);
    };
    if (map_->fuses()) {
      std::vector<double> z(second_.size()), values(static_cast<std::size_t>(d.shape().size()), 0.0);
      map_->round_trip(d, middle, z, values);
      d.keep_image(map_, Buffer(std::move(z)));
      return g.add(1.0, Element::dense(d.shape(), std::move(values)));
    }
    const auto u = d.image(map_);
    if (full_.empty() || full_.shared()) full_ = Buffer::zeros(n);
    const std::span<double> c = full_.edit();
    const auto K = static_cast<Index>(outputs_);
    for_chunks(n / K, kGrain, [&](Index, Index first, Index last) {
      const auto from = static_cast<std::size_t>(first * K),
                 size = static_cast<std::size_t>((last - first) * K);
      middle(first * K, u.subspan(from, size), c.subspan(from, size));
    });
    g.add_adjoint(1.0, map_, full_);
  }

  MapPtr map_;
  std::shared_ptr<const Loss> loss_;
  std::shared_ptr<const QuadraticForm> covariance_;
  std::vector<Index> rows_;
  std::vector<double> second_, weights_;
  double common_;
  std::size_t outputs_;
  Buffer full_;
};

}  // namespace claros::sdk
