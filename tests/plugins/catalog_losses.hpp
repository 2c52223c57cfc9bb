// SPDX-License-Identifier: BSD-3-Clause
/// @file catalog_losses.hpp  Losses of this build as functions of two numbers, for sdk::LossOf and for plain
/// sums.
#pragma once

#include <claros/compose/plan.hpp>
#include <claros/loss.hpp>

#include "compose_for_test.hpp"

#include <memory>

namespace claros::test::losses {

class CatalogLoss {
 public:
  explicit CatalogLoss(const std::string& name, const std::vector<Setting>& settings = {})
      : loss_(std::static_pointer_cast<Loss>(
            create_component(build_catalog(), Kind::loss, name, settings, {}))) {}
  double value(double z, double y) const { return loss_->sum({&z, 1}, {&y, 1}); }
  double derivative(double z, double y) const {
    double out = 0.0;
    loss_->derivative({&z, 1}, {&y, 1}, {&out, 1});
    return out;
  }
  double second_derivative(double z, double y) const {
    double out = 0.0;
    loss_->second_derivative({&z, 1}, {&y, 1}, {&out, 1});
    return out;
  }
  LossConstants constants() const { return loss_->constants(); }
  const Loss& loss() const { return *loss_; }

 private:
  std::shared_ptr<const Loss> loss_;
};

struct ConvexLoss : CatalogLoss {
  using CatalogLoss::CatalogLoss;
  double conjugate(double u, double y) const { return loss().conjugate({&u, 1}, {&y, 1}, {}); }
};

struct SquaredLoss : ConvexLoss {
  SquaredLoss() : ConvexLoss("squared") {}
};
struct LogisticLoss : ConvexLoss {
  LogisticLoss() : ConvexLoss("logistic") {}
};
struct HuberLoss : ConvexLoss {
  HuberLoss(double delta = 1.0) : ConvexLoss("huber", {{"delta", print_real(delta), {}, {}}}) {}
};
struct RobustLoss : CatalogLoss {
  RobustLoss(double sigma = 1.0) : CatalogLoss("robust", {{"sigma", print_real(sigma), {}, {}}}) {}
};

}  // namespace claros::test::losses
