// SPDX-License-Identifier: BSD-3-Clause
/// @file epoch_estimator.hpp  Base classes of estimators that count epochs and draw a batch a step, and of
/// those that keep the gradient at a snapshot.
#pragma once

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/gradient_estimator.hpp>
#include <claros/sdk/estimators/epoch_numbers.hpp>
#include <claros/sdk/estimators/gradient_theory.hpp>
#include <claros/sdk/losses/fold_fused.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

/// An estimator that draws a fresh batch S a step and counts epochs of p steps. A derived class writes its
/// box: `begin` for the line under "t mod p = 0", `at` for the others; `draw` is "sample |S| component
/// functions". Numbers of an EpochPlan go before the options'.
class EpochEstimator : public GradientEstimator, public State, public GradientTheory {
 public:
  void start(Objective& f, Sampler& sampler) override {
    f_ = &f;
    sampler_ = &sampler;
    g_ = Element(f.shape());
    t_ = epochs_ = left_ = 0;
    own_ = own_numbers();
    importance_ = importance();
    plan_ = {};
  }
  bool epoch_due() const override { return left_ == 0; }

  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    plan_ = plan;
    batch_ = plan.batch                            ? plan.batch
             : options_.batch == Chosen::automatic ? automatic_batch(plan.undamped)
                                                   : own_.batch;
    left_ = plan.length ? plan.length : steps_of_epoch(own_.length ? own_.length : automatic_length());
    ++epochs_;
    begin(x);
  }

  const Element& estimate(const Element& x, Index batch) override {
    if (left_ == 0) throw Error(ErrorKind::usage, "", "an epoch is due", "call begin_epoch before estimate");
    this_step_ = batch;
    const Element& g = at(x);
    --left_;
    ++t_;
    return g;
  }
  Index epochs() const override { return epochs_; }
  Index batch_size() const override { return batch_ ? batch_ : own_.batch; }

  void state(StateVisitor& v) override {
    v("g", g_);
    v("plan", plan_);
    v("batch", batch_);
    v("left", left_);
    v("t", t_);
    v("epochs", epochs_);
    v.require(plan_.snapshot >= 0 && plan_.batch >= 0 && plan_.length >= 0, "plan", "negative");
    v.require(t_ >= 0, "t", "negative");
    v.require(epochs_ >= 0, "epochs", "negative");
    v.require(left_ >= 0 && (epochs_ > 0 || left_ == 0), "left", "steps of an epoch that never began");
    v.require(batch_ >= (left_ > 0 ? 1 : 0) && is_drawable(batch_), "batch",
              "no number of components to draw");
    v.require(is_drawable(size_of_step()), "t", "steps after which a batch would have no end");
  }
  void* ability(std::string_view id) noexcept override {
    return has_theory_numbers() ? offer<State, GradientTheory>(this, id) : offer<State>(this, id);
  }
  Steps theory_steps() const final {
    const Constants constants = f_->constants();
    const Theory theory(options_, constants, f_->terms());
    return {theory.epsilon(), theory.L()};
  }

 protected:
  explicit EpochEstimator(EpochOptions options) : options_(std::move(options)) {
    if (options_.sampling != Sampling::uniform && !options_.replacement)
      throw no_importance(
          "needs i.i.d. draws: without replacement the weights 1/(n q_i) do not keep the mean unbiased");
  }

  /// Whether all numbers that the error depends on are those of `theory_numbers`.
  virtual bool has_theory_numbers() const noexcept {
    return options_.batch == Chosen::theory && options_.epoch == Chosen::theory;
  }
  /// Whether the variance stays although the points come to rest.
  virtual bool is_noisy() const { return false; }
  /// n/|S| where a linear oracle takes the estimate.
  virtual Index undamped_share() const { return 10; }
  virtual void begin(const Element&) {}
  /// At least 1, of an epoch whose length p is the estimator's own: what a plan says is kept.
  virtual Index steps_of_epoch(Index p) { return p; }
  virtual const Element& at(const Element& x) = 0;
  /// The numbers behind the word `theory`, at least 1 each. An estimator whose rows offer the word (TheoryOf)
  /// overrides it; a constant that it asks `theory` for and that is unknown is an error of the user.
  virtual EpochPlan theory_numbers(const Theory&) const { return {}; }

  Objective& f() const noexcept { return *f_; }
  Batch draw() {
    const Index size = size_of_step();
    return grows_by_itself() && size == f_->terms() ? Batch::all() : draw(size);
  }
  Batch draw(Index size) { return importance_ ? sampler_->draw(size, *importance_) : draw_uniformly(size); }
  Batch draw_uniformly(Index size) { return sampler_->draw(size, options_.replacement); }
  /// Whether estimates may follow before another epoch begins: what that makes has to be there.
  bool within_epoch() const noexcept { return left_ > 0; }
  /// Whether a batch may be so large, as what is loaded may not be.
  bool is_drawable(Index size) const {
    constexpr Index kMost =
        Index{1} << 24;  // more than there are components nobody draws, but by its own options
    const Index n = f_->terms();
    return size <= std::max({kMost, own_.batch, options_.snapshot, n == kUnbounded ? 0 : n});
  }
  /// Whether all are indices of components, as what is loaded may not be.
  bool are_components(std::span<const Index> indices) const {
    const Index n = f_->terms();
    return std::ranges::all_of(indices, [n](Index i) { return i >= 0 && (n == kUnbounded || i < n); });
  }
  const EpochOptions& options() const noexcept { return options_; }
  const EpochPlan& plan() const noexcept { return plan_; }
  /// Steps since the start, or since restart_time.
  Index t() const noexcept { return t_; }
  void restart_time() noexcept { t_ = 0; }
  /// Refuses a sample that cannot be drawn.
  void require_drawable(Index size, const std::string& key) const {
    const Index n = f_->terms();
    if (n == kUnbounded || options_.replacement || size <= n) return;
    throw Error(ErrorKind::usage, key, std::to_string(size) + " distinct components of " + std::to_string(n),
                "lower it, or sample with replacement");
  }

  /// For an estimate that goes on from the last one, after every step. Kept apart the rows would add up,
  /// until whoever reads it reads all of them again.
  void settle() { settle(g_); }
  static void settle(Element& g) { fold_fused(g); }

  Element g_;  ///< what `at` returns

 private:
  /// The number that the user gave for `key`, or else that of the theory.
  static Index given_or(const NumberOr<Chosen, Index>& option, Index theory, const std::string& key) {
    const Index value = option.number_or(theory);
    if (value >= 1) return value;
    if (option.is_number())
      throw Error(ErrorKind::usage, key, "expected a number >= 1, got " + std::to_string(value),
                  "give a positive number");
    throw Error(ErrorKind::usage, key, "'theory' has no number for this estimator",
                "give a number, or use auto");
  }

  /// A length of 0 stands for n/|S|, which depends on the plan's batch.
  EpochPlan own_numbers() const {
    const Index n = f_->terms();
    const bool theory = options_.batch == Chosen::theory || options_.epoch == Chosen::theory;
    const Constants constants = theory ? f_->constants() : Constants{};  // perhaps expensive
    const EpochPlan asked = theory ? theory_numbers({options_, constants, n}) : EpochPlan{};
    EpochPlan own;
    own.batch = options_.batch == Chosen::automatic ? automatic_batch(false)
                                                    : given_or(options_.batch, asked.batch, "batch");
    if (options_.batch == Chosen::theory && !options_.replacement && n != kUnbounded)
      own.batch = std::min(own.batch, n);
    if (!(options_.epoch == Chosen::automatic)) own.length = given_or(options_.epoch, asked.length, "epoch");
    require_drawable(own.batch, "batch");
    return own;
  }

  /// Measured on MovieLens-100K (docs/benchmarks.md): with n/50 the vertices follow the noise of the
  /// estimate.
  Index automatic_batch(bool undamped) const {
    const Index n = f_->terms(), share = undamped && !is_noisy() ? undamped_share() : 50;
    return n == kUnbounded ? kAutomatic : (n + share - 1) / share;
  }
  bool grows_by_itself() const {
    return options_.growth == Chosen::automatic && options_.batch == Chosen::automatic && plan_.undamped &&
           is_noisy() && !plan_.batch;
  }
  double growth() const { return options_.growth.number_or(grows_by_itself() ? 1.0 : 0.0); }

  static Error no_importance(const std::string& why) {
    return Error(ErrorKind::usage, "sampling", "importance " + why, "use sampling = uniform");
  }

  std::optional<Importance> importance() const {
    if (options_.sampling == Sampling::uniform) return {};
    if (f_->terms() == kUnbounded)
      throw no_importance("chooses among components, of which an expectation has no list");
    auto* known = query<TermConstants>(*f_);
    if (!known)
      throw no_importance(
          "draws in proportion to the smoothness of the components, which the objective does not state");
    return Importance(known->term_smoothness());
  }

  Index automatic_length() const {
    const Index n = f_->terms(), snapshot = plan_.snapshot ? plan_.snapshot : options_.snapshot;
    if (n == kUnbounded && snapshot == 0) return kAutomatic;
    const Index total = n == kUnbounded ? snapshot : n;
    const Index share = plan_.undamped && options_.batch == Chosen::automatic && !plan_.batch ? 2 : 1;
    return std::max<Index>(1, (total + share * batch_ - 1) / (share * batch_));
  }

  Index size_of_step() const {
    if (this_step_) return this_step_;
    const double power = growth();
    if (plan_.batch || power == 0.0) return batch_;
    const double cap = f_->terms() == kUnbounded ? 0x1p53 : static_cast<double>(f_->terms());
    const double grown = static_cast<double>(batch_) * std::pow(static_cast<double>(t_ + 1), power);
    return std::max(batch_, static_cast<Index>(std::min(grown, cap)));
  }

  static constexpr Index kAutomatic = 100;

  EpochOptions options_;
  Objective* f_ = nullptr;
  Sampler* sampler_ = nullptr;
  std::optional<Importance> importance_;
  EpochPlan own_, plan_;
  Index batch_ = 0, this_step_ = 0, left_ = 0, t_ = 0, epochs_ = 0;
};

/// Every epoch begins with the gradient at the snapshot: grad f, or the mean over a sample of components (the
/// only way for an expectation), drawn uniformly. The indices of that sample are kept for whatever else is
/// taken at the snapshot.
class SnapshotEstimator : public EpochEstimator {
 public:
  void start(Objective& f, Sampler& sampler) override {
    EpochEstimator::start(f, sampler);
    gradient_ = Element(f.shape());
    require_drawable(options().snapshot, "snapshot");
    all_ = false;
  }

  void require_snapshot_size() const override {
    if (has_full_snapshots() && f().terms() == kUnbounded)
      throw Error(ErrorKind::usage, "snapshot", "an expectation has no full gradient to take at a snapshot",
                  "give the number of draws, snapshot = 1000");
  }

  void begin_epoch(const Element& x, const EpochPlan& numbers) override {
    const Index size = numbers.snapshot ? numbers.snapshot : options().snapshot;
    if (size == 0) require_snapshot_size();
    restart_time();
    g_.set_zero();  // so that nobody shares the array of the last snapshot's gradient
    gradient_.set_zero();
    all_ = size == 0;
    snapshot_batch_ = all_ ? Batch::all() : kept(draw_uniformly(size));
    f().add_gradient(x, snapshot_batch_, 1.0, gradient_);
    settle(gradient_);  // every step of the epoch would read its rows again
    EpochEstimator::begin_epoch(x, numbers);
  }
  /// The error of a sampled snapshot stays for an epoch.
  bool has_full_snapshots() const noexcept { return options().snapshot == 0; }
  const Element* full_gradient() const override { return all_ ? &gradient_ : nullptr; }

  void state(StateVisitor& v) override {
    EpochEstimator::state(v);
    v("snapshot gradient", gradient_);
    v("snapshot over all", all_);
    Index first = snapshot_batch_[0],
          draws = snapshot_batch_.size(0);  // of the indices that loading replaces
    v("snapshot indices", indices_);
    v("snapshot first draw", first);
    v("snapshot draws", draws);
    v.require(are_components(indices_), "snapshot indices", "no such component");
    const bool listed = all_ || !indices_.empty();
    v.require(listed || first >= 0, "snapshot first draw", "negative");
    v.require(listed || (draws >= (within_epoch() ? 1 : 0) && are_draws(first, draws)), "snapshot draws",
              "not those of components");
    if (v.loading())
      snapshot_batch_ = all_               ? Batch::all()
                        : indices_.empty() ? Batch::range(first, draws)
                                           : Batch::of(indices_);
  }

 protected:
  using EpochEstimator::EpochEstimator;
  bool has_theory_numbers() const noexcept override {
    return EpochEstimator::has_theory_numbers() && has_full_snapshots();
  }
  /// grad f at the snapshot, or its sample mean.
  const Element& gradient() const noexcept { return gradient_; }
  const Batch& snapshot_batch() const noexcept { return snapshot_batch_; }

 private:
  bool are_draws(Index first, Index draws) const {
    const Index n = f().terms();
    return n == kUnbounded ? is_drawable(draws) : first <= n && draws <= n - first;
  }
  Batch kept(const Batch& batch) {
    if (batch.list().empty()) return batch;
    indices_.assign(batch.list().begin(), batch.list().end());
    return Batch::of(indices_);
  }

  Element gradient_;
  std::vector<Index> indices_;
  Batch snapshot_batch_;
  bool all_ = false;
};

}  // namespace claros::sdk
