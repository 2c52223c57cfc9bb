// SPDX-License-Identifier: BSD-3-Clause
/// @file lagged_step.hpp  Stochastic proximal steps that touch the coordinates of the sampled rows alone.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/state/state.hpp>

#include <string>
#include <vector>

/// x <- prox_{s h}(x - s g) where g is the estimator's drift and a few sparse rows: on all other coordinates it is a step
/// along the drift, of which any number are made at once (SeparableLag) when somebody asks for the coordinate. For a weakly
/// convex h the step is that of sdk::ProximalStep, which is a step of h of length t = s / (1 + s mu).
///
/// A coordinate is a value and the step after which it had it. Touching it moves both; looking at the whole point computes
/// all values and moves nothing, so that a run has the same bits however often it is looked at.
class LaggedStep final : public claros::Lag {
 public:
  /// Of the point x, which it is bound to while steps are made.
  explicit LaggedStep(claros::Element& x) : x_(x) {}
  LaggedStep(const LaggedStep&) = delete;
  LaggedStep& operator=(const LaggedStep&) = delete;

  /// `use`: auto (where it pays), always (where it can be done) or never. s: the length of all steps, 0 where it varies; mu:
  /// of the penalty; `summed`: the points of an epoch are to be added up.
  void start(const claros::Problem& problem, const std::string& use, double s, double mu, bool summed);
  /// One step, or false: then x is as it stands, without a lag, and the step is to be made in full.
  bool step(const claros::Element& g);
  /// To be called before an epoch begins.
  void before_epoch();
  /// Ends the lag; x is brought up to date.
  void leave();
  /// The number of points that were added up since this was asked last, and their sum. The lag has to have ended.
  claros::Index summed() const noexcept { return sums_.empty() ? 0 : made_; }
  claros::Element take_sum();

  void touch(std::span<const std::int32_t> coordinates, claros::Index offset) override;
  void flush() override;
  void state(claros::StateVisitor& v);

 private:
  struct Change;  ///< g as drift and rows
  bool can(const claros::Problem& problem);
  bool read(const claros::Element& g, Change& change);
  bool pays(claros::Index rows) const;
  void enter();
  void find_drift();
  void settle();

  void add_row(const claros::SparseRow& row, double c, std::span<double> x);
  template <class Real>
  void add_entries(const claros::SparseRow& row, const Real* values, double c, std::span<double> x);
  void add_change(std::size_t j, double a, std::span<double> x);
  void note_group(std::size_t g, std::span<double> x);
  void apply_changes(std::span<double> x);
  void bring(std::size_t j, std::span<double> x);
  void bring_group(std::size_t g, std::span<double> x);
  double advance(std::size_t j, double x, claros::Index count, double d, double* sum) const;
  void advance_group(std::size_t g, claros::Index count, bool summed, bool changed);
  void fetch(std::size_t j, const double* x) const;
  void flush_groups(std::span<double> x);

  // A coordinate's value, and after how many steps it had it: side by side, since they are read together.
  double& value(std::size_t j) { return cells_[2 * j]; }
  double& last(std::size_t j) { return cells_[2 * j + 1]; }
  bool is_grouped(std::size_t j) const noexcept { return grouped_ && j < head_; }
  std::size_t member(std::size_t k) const { return steps_.members.empty() ? k : static_cast<std::size_t>(steps_.members[k]); }
  double drift(std::size_t j) const { return drift_ ? drift_weight_ * drift_[j] : 0.0; }

  claros::Element& x_;
  claros::GradientEstimator* estimator_ = nullptr;
  claros::SeparableLag* lag_ = nullptr;  ///< of the penalty; null: there is none
  claros::LaggedSteps steps_;
  double t_ = 0.0, mean_nonzeros_ = 0.0;
  std::size_t size_ = 0, head_ = 0;  ///< coordinates; those that the penalty sees
  bool possible_ = false, always_ = false, grouped_ = false, summing_ = false;

  bool active_ = false;
  claros::Index now_ = 0, made_ = 0;  ///< steps since the lag began, and since sums did
  std::vector<double> cells_, sums_;

  const claros::Element* drifts_ = nullptr;  ///< the estimator's drift, asked for when a lag begins
  bool asked_ = false;
  const double* drift_ = nullptr;  ///< its array, which may be another after an estimate
  double drift_weight_ = 0.0;
  claros::Index flushed_ = -1;
  std::vector<double> changes_;       ///< of the rows of a step; 0 between steps
  std::vector<std::size_t> touched_;  ///< the coordinates, or groups, of a step
  std::vector<double> group_x_, group_d_, group_sum_;
};
