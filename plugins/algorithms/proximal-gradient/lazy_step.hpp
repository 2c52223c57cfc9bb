// SPDX-License-Identifier: BSD-3-Clause
/// @file lazy_step.hpp  Stochastic proximal steps that update the coordinates of the sampled rows alone.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/lazy_choice.hpp>
#include <shared/estimators/row_gradient.hpp>

#include <limits>
#include <string>
#include <vector>

/// x <- prox_{s h}(x - s g) for a g that is the estimator's drift and a few sparse rows. On all other
/// coordinates it is a step along the drift. Any number of these are made at once (LazyProximal) when the
/// coordinate is read. For a weakly convex h the step is that of sdk::ProximalStep, a step of h of length t =
/// s / (1 + s mu). If s varies there must be no drift, and the steps of h must add up (BlockStep): the steps
/// that a coordinate is behind are one step, of their summed length.
///
/// Time is the number of steps, or their summed length if it varies. A coordinate is a value and the time
/// when it had it. An update moves both. `synchronise` computes all values and moves nothing, so that a run
/// has the same bits however often its point is read.
class LazyStep final : public claros::LazyUpdates {
 public:
  /// Belongs to the point x, which it is bound to while steps are made.
  explicit LazyStep(claros::Element& x) : x_(x) {}
  LazyStep(const LazyStep&) = delete;
  LazyStep& operator=(const LazyStep&) = delete;

  /// `use`: as in LazyChoice. `s`: the length of all steps, 0 if it varies. `mu`: that of the penalty.
  /// `summed`: the points of an epoch are to be added up, which takes steps of one length.
  void start(const claros::Problem& problem, claros::sdk::LazyUse use, double s, double mu, bool summed);
  /// One step of length s, or false: then x is current and not lazy, and the step is to be made in full.
  bool step(const claros::Element& g, double s);
  /// To be called before an epoch begins.
  void before_epoch();
  /// Ends the lazy updates; x is brought up to date.
  void leave();
  /// The number of points that were added up since this was asked last, and their sum. To be called after
  /// `leave`.
  claros::Index summed() const noexcept { return sums_.empty() ? 0 : made_; }
  claros::Element take_sum();

  void update(std::span<const std::int32_t> coordinates, claros::Index offset) override;
  void synchronise() override;
  void state(claros::StateVisitor& v);

 private:
  bool lets_lengths_vary(const claros::Problem& problem, const claros::Shape& head);
  bool read(const claros::Element& g, claros::sdk::RowGradient& change);
  void enter();
  void find_drift();
  void settle();

  void add_change(std::size_t j, double a, std::span<double> x);
  void note_group(std::size_t g, std::span<double> x);
  void apply_changes(std::span<double> x);
  void bring(std::size_t j, std::span<double> x);
  void bring_group(std::size_t g, std::span<double> x);
  double advance(std::size_t j, double x, double time, double d, double* sum) const;
  double step_of(std::size_t j, double* sum) const;
  void advance_group(std::size_t g, claros::Index count, bool summed, bool changed);
  void fetch(std::size_t j, const double* x) const;
  void synchronise_groups(std::span<double> x);

  // A coordinate's value, and when it had it: side by side, since they are read together.
  double& value(std::size_t j) { return cells_[2 * j]; }
  double value(std::size_t j) const { return cells_[2 * j]; }
  double& last(std::size_t j) { return cells_[2 * j + 1]; }
  double next() const noexcept { return now_ + (varies_ ? t_ : 1.0); }
  /// True if this step changes the time; else time begins anew.
  bool ticks() const noexcept { return next() > now_ && next() < std::numeric_limits<double>::infinity(); }
  bool is_grouped(std::size_t j) const noexcept { return grouped_ && j < head_; }
  std::size_t member(std::size_t k) const {
    return steps_.members.empty() ? k : static_cast<std::size_t>(steps_.members[k]);
  }
  double drift(std::size_t j) const { return drift_ ? drift_weight_ * drift_[j] : 0.0; }

  claros::Element& x_;
  claros::GradientEstimator* estimator_ = nullptr;
  claros::LazyProximal* lazy_ = nullptr;  ///< of the penalty, or null
  claros::LazySteps steps_;
  claros::sdk::LazyChoice choice_;
  claros::BlockStep any_step_;       ///< of the penalty, if lengths vary
  double t_ = 0.0;                   ///< length of all steps, or of this one
  std::size_t size_ = 0, head_ = 0;  ///< coordinates; those that the penalty sees
  bool possible_ = false, varies_ = false, grouped_ = false, summing_ = false;

  bool active_ = false;
  double now_ = 0.0;        ///< time since the lazy updates began
  claros::Index made_ = 0;  ///< steps since sums began
  std::vector<double> cells_, sums_;

  const claros::Element* drifts_ = nullptr;  ///< the estimator's drift, asked for when lazy updates begin
  bool asked_ = false;
  const double* drift_ = nullptr;  ///< its array, which may be another after an estimate
  double drift_weight_ = 0.0;
  double synchronised_ = -1.0;        ///< when all was made current last
  std::vector<double> changes_;       ///< of the rows of a step; 0 between steps
  std::vector<std::size_t> changed_;  ///< the coordinates, or groups, of a step
  std::vector<double> group_x_, group_d_, group_sum_;
};
