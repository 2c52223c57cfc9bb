// SPDX-License-Identifier: BSD-3-Clause
/// @file offset_loss.hpp  A loss of rows with offsets.
#pragma once

#include <claros/loss.hpp>

#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace linear_model {

/// psi(z + o_i, y_i), with the numbers i of the rows, from 0, as targets. So sums of losses over rows need
/// not know of offsets. psi has one output a row. The conjugate of u is psi*(u, y_i) - u o_i.
class OffsetLoss final : public claros::Loss {
 public:
  using Numbers = std::span<const double>;

  OffsetLoss(std::shared_ptr<const claros::Loss> psi, std::vector<double> targets,
             std::vector<double> offsets)
      : psi_(std::move(psi)), targets_(std::move(targets)), offsets_(std::move(offsets)) {}

  /// The targets of this loss: 0, 1, ...
  std::vector<double> numbers() const {
    std::vector<double> all(targets_.size());
    std::iota(all.begin(), all.end(), 0.0);
    return all;
  }

  double sum(Numbers z, Numbers rows) const override {
    const Shifted at(*this, z, rows);
    return psi_->sum(at.z, at.y);
  }
  double weighted_sum(Numbers z, Numbers rows, Numbers w) const override {
    const Shifted at(*this, z, rows);
    return psi_->weighted_sum(at.z, at.y, w);
  }
  void derivative(Numbers z, Numbers rows, std::span<double> out) const override {
    const Shifted at(*this, z, rows);
    psi_->derivative(at.z, at.y, out);
  }
  void second_derivative(Numbers z, Numbers rows, std::span<double> out) const override {
    const Shifted at(*this, z, rows);
    psi_->second_derivative(at.z, at.y, out);
  }
  claros::LossConstants constants() const override {
    claros::LossConstants constants = psi_->constants();
    constants.of_difference = false;
    return constants;
  }
  claros::ResponseKind response() const override { return psi_->response(); }
  void mean(Numbers z, std::span<double> out) const override { psi_->mean(z, out); }
  bool has_conjugate() const override { return psi_->has_conjugate(); }
  double conjugate(Numbers u, Numbers rows, Numbers w) const override {
    const Shifted at(*this, u, rows);
    double products = 0.0;
    for (std::size_t k = 0; k < u.size(); ++k)
      products += (w.empty() ? 1.0 : w[k]) * u[k] * offsets_[row(rows[k])];
    return psi_->conjugate(u, at.y, w) - products;
  }

 private:
  static std::size_t row(double number) { return static_cast<std::size_t>(number); }

  /// z + o and y of some rows.
  struct Shifted {
    Shifted(const OffsetLoss& loss, Numbers of, Numbers rows) : z(of.size()), y(of.size()) {
      for (std::size_t k = 0; k < of.size(); ++k) {
        z[k] = of[k] + loss.offsets_[row(rows[k])];
        y[k] = loss.targets_[row(rows[k])];
      }
    }
    std::vector<double> z, y;
  };

  std::shared_ptr<const claros::Loss> psi_;
  std::vector<double> targets_, offsets_;
};

}  // namespace linear_model
