// SPDX-License-Identifier: BSD-3-Clause
/// @file responses_loss.hpp  A loss of several responses a row.
#pragma once

#include <claros/loss.hpp>
#include <claros/map/design.hpp>

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace claros {

/// sum_k psi(z_k, y_ik) for K = responses->count numbers z. A target is the number i, from 0, of a row of the
/// responses, and psi has one output. The conjugate is sum_k psi*(u_k, y_ik).
class ResponsesLoss final : public Loss {
 public:
  using Numbers = std::span<const double>;

  ResponsesLoss(std::shared_ptr<const Loss> psi, std::shared_ptr<const Responses> responses)
      : psi_(std::move(psi)), y_(std::move(responses)) {}

  Index outputs() const override { return y_->count; }
  double sum(Numbers z, Numbers rows) const override { return psi_->sum(z, Of(*this, rows).y); }
  double weighted_sum(Numbers z, Numbers rows, Numbers w) const override {
    return psi_->weighted_sum(z, Of(*this, rows).y, repeated(w));
  }
  void derivative(Numbers z, Numbers rows, std::span<double> out) const override {
    psi_->derivative(z, Of(*this, rows).y, out);
  }
  void second_derivative(Numbers z, Numbers rows, std::span<double> out) const override {
    psi_->second_derivative(z, Of(*this, rows).y, out);
  }
  LossConstants constants() const override {
    LossConstants constants = psi_->constants();
    constants.of_difference = false;
    if (constants.lower_bound) *constants.lower_bound *= static_cast<double>(outputs());
    return constants;
  }
  ResponseKind response() const override { return psi_->response(); }
  void mean(Numbers z, std::span<double> out) const override { psi_->mean(z, out); }
  bool has_conjugate() const override { return psi_->has_conjugate(); }
  double conjugate(Numbers u, Numbers rows, Numbers w) const override {
    return psi_->conjugate(u, Of(*this, rows).y, repeated(w));
  }

 private:
  /// The responses of some rows, in place where the rows follow each other.
  struct Of {
    Of(const ResponsesLoss& loss, Numbers rows) {
      const auto K = static_cast<std::size_t>(loss.outputs());
      const Numbers all(loss.y_->values);
      const auto at = [&](std::size_t i) { return static_cast<std::size_t>(rows[i]) * K; };
      bool follow = true;
      for (std::size_t i = 1; follow && i < rows.size(); ++i) follow = rows[i] == rows[i - 1] + 1.0;
      if (rows.empty()) return;
      if (follow) {
        y = all.subspan(at(0), rows.size() * K);
        return;
      }
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Numbers row = all.subspan(at(i), K);
        gathered.insert(gathered.end(), row.begin(), row.end());
      }
      y = gathered;
    }
    Of(const Of&) = delete;
    Of& operator=(const Of&) = delete;
    std::vector<double> gathered;
    Numbers y;
  };
  std::vector<double> repeated(Numbers w) const {
    std::vector<double> all;
    for (const double weight : w) all.insert(all.end(), static_cast<std::size_t>(outputs()), weight);
    return all;
  }

  std::shared_ptr<const Loss> psi_;
  std::shared_ptr<const Responses> y_;
};

}  // namespace claros
