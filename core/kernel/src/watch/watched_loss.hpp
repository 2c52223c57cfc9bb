// SPDX-License-Identifier: BSD-3-Clause
/// @file watched_loss.hpp  The watcher of a loss.
#pragma once

#include <claros/loss.hpp>
#include <claros/watch/watched.hpp>

#include <atomic>
#include <memory>

namespace claros {

/// Names the loss when it throws, or when it makes of finite numbers one that is none (infinity is a value).
/// Its work is the objective's, which asks it from several threads at once: nothing is counted, and the
/// ledger is not touched.
class WatchedLoss final : public Loss {
 public:
  WatchedLoss(std::shared_ptr<Loss> inner, const Watch& watch)
      : inner_(std::move(inner)), name_(watch.name), abilities_(inner_, watch) {}

  double sum(std::span<const double> z, std::span<const double> y) const override;
  double weighted_sum(std::span<const double> z, std::span<const double> y,
                      std::span<const double> w) const override;
  void derivative(std::span<const double> z, std::span<const double> y, std::span<double> out) const override;
  void second_derivative(std::span<const double> z, std::span<const double> y,
                         std::span<double> out) const override;
  void multiply_second(std::span<const double> second, std::span<double> out) const override;
  LossConstants constants() const override;
  bool of_classes() const override;
  void set_classes(Index count) override;
  Index outputs() const override;
  std::string targets() const override;
  bool accepts(double y) const override;
  ResponseKind response() const override;
  void mean(std::span<const double> z, std::span<double> out) const override;
  bool has_conjugate() const override;
  double conjugate(std::span<const double> u, std::span<const double> y,
                   std::span<const double> w) const override;
  void* ability(std::string_view id) noexcept override { return abilities_.find(id); }

 private:
  std::shared_ptr<Loss> inner_;
  std::string name_;
  mutable std::atomic<Index> outputs_ = 0;  ///< once it was asked for: every block of rows asks
  WatchedAbilities abilities_;
};

}  // namespace claros
