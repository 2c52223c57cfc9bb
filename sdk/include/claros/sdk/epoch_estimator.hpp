// SPDX-License-Identifier: BSD-3-Clause
/// @file epoch_estimator.hpp  Base class of estimators that count epochs and draw a batch in each step.
#pragma once

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/gradient_estimator.hpp>
#include <claros/sdk/estimators/epoch_numbers.hpp>
#include <claros/sdk/estimators/gradient_theory.hpp>
#include <claros/sdk/estimators/snapshot.hpp>
#include <claros/sdk/losses/fold_fused.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace claros::sdk {

/// The traits that decide what an estimator chooses by itself.
struct EstimatorTraits {
  bool noisy = false;                     ///< true if the variance stays although the points come to rest
  Index undamped_share = 10;              ///< n/|S| where a linear oracle takes the estimate
  Snapshots snapshots = Snapshots::none;  ///< the state that every epoch begins with
};

/// An estimator that draws a fresh batch S in each step and counts epochs of p steps. A derived class writes
/// its box. The line under "t mod p = 0" is `begin_epoch`, after EpochEstimator::begin_epoch. The others are
/// `estimate`, with `draw(batch)` for "sample |S| component functions". Numbers of an EpochPlan take
/// precedence over the options'.
class EpochEstimator : public GradientEstimator, public State, public GradientTheory {
 public:
  void start(Objective& f, Sampler& sampler) override {
    f_ = &f;
    sampler_ = &sampler;
    g_ = Element(f.shape());
    t_ = epochs_ = left_ = 0;
    own_ = own_numbers();
    require_drawable(options_.snapshot, "snapshot");
    importance_ = importance();
    plan_ = {};
    snapshot_.start(f, options_.snapshot);
  }
  bool epoch_due() const override { return left_ == 0; }

  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    constexpr Index kLongest = 40;
    plan_ = plan;
    const Index doubled = Index{1} << std::min(epochs_, kLongest);
    batch_ = plan.batch                               ? plan.batch
             : !(options_.batch == Chosen::automatic) ? own_.batch
             : doubles()                              ? at_most_all(doubled)
                                                      : automatic_batch(plan.undamped);
    left_ = plan.length ? plan.length : doubles() ? doubled : own_.length ? own_.length : automatic_length();
    ++epochs_;
    if (has_snapshots()) take_snapshot(x);
  }
  const Element* full_gradient() const override { return snapshot_.full_gradient(); }
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
    v.require(is_drawable(size_of_step(t_)), "t", "steps after which a batch would have no end");
    snapshot_.state(v, within_epoch());
  }
  void* ability(std::string_view id) noexcept override {
    return has_theory_numbers() ? offer<State, GradientTheory>(this, id) : offer<State>(this, id);
  }
  void require_snapshot_size() const final {
    if (has_snapshots() && has_full_snapshots() && f_->terms() == kUnbounded)
      throw Error(ErrorKind::usage, "snapshot", "an expectation has no full gradient to take at a snapshot",
                  "give the number of draws, snapshot = 1000");
  }
  Steps theory_steps() const final {
    const Constants constants = f_->constants();
    const Theory theory(options_, constants, f_->terms());
    return {theory.epsilon(), theory.L()};
  }

 protected:
  explicit EpochEstimator(EpochOptions options, EstimatorTraits traits = {})
      : options_(std::move(options)), traits_(traits), snapshot_(traits.snapshots) {
    if (options_.sampling != Sampling::uniform && !options_.replacement)
      throw no_importance(
          "needs i.i.d. draws: without replacement the weights 1/(n q_i) do not keep the mean unbiased");
  }

  /// True if all numbers that the error depends on are those of `theory_numbers`.
  virtual bool has_theory_numbers() const noexcept {
    return options_.batch == Chosen::theory && options_.epoch == Chosen::theory && has_full_snapshots();
  }
  /// The numbers behind the word `theory`, at least 1 each. An estimator whose rows offer the word (TheoryOf)
  /// overrides it. If it asks `theory` for a constant that is unknown, that is an error of the user.
  virtual EpochPlan theory_numbers(const Theory&) const { return {}; }

  Objective& f() const noexcept { return *f_; }
  /// One step of the epoch, without a batch. Throws Error(usage) if an epoch is due.
  void advance() {
    if (left_ == 0) throw Error(ErrorKind::usage, "", "an epoch is due", "call begin_epoch before estimate");
    --left_;
    ++t_;
  }
  /// One step of the epoch: its batch, of `batch` terms unless that is 0.
  Batch draw(Index batch) {
    const Index size = batch ? batch : size_of_step(t_);
    advance();
    if ((grows_by_itself() || doubles()) && size == f_->terms()) return Batch::all();
    return importance_ ? sampler_->draw(size, *importance_) : draw_uniformly(size);
  }
  Batch draw_uniformly(Index size) { return sampler_->draw(size, options_.replacement); }
  const Snapshot& snapshot() const noexcept { return snapshot_; }
  /// The error of a sampled snapshot stays for an epoch.
  bool has_full_snapshots() const noexcept { return options_.snapshot == 0; }
  /// The steps of this epoch that are left.
  Index left() const noexcept { return left_; }
  void set_left(Index steps) noexcept { left_ = steps; }
  /// True if estimates may follow before another epoch begins: then the state that an epoch makes must be
  /// there.
  bool within_epoch() const noexcept { return left_ > 0; }
  /// True if a batch may have that size; a loaded one may be too large.
  bool is_drawable(Index size) const {
    constexpr Index kMost = Index{1} << 24;  // larger batches than n come from the options alone
    const Index n = f_->terms();
    return size <= std::max({kMost, own_.batch, options_.snapshot, n == kUnbounded ? 0 : n});
  }
  const EpochOptions& options() const noexcept { return options_; }
  const EpochPlan& plan() const noexcept { return plan_; }
  /// Steps since the start, or since the last snapshot.
  Index t() const noexcept { return t_; }
  /// Refuses a sample that cannot be drawn.
  void require_drawable(Index size, const std::string& key) const {
    const Index n = f_->terms();
    if (n == kUnbounded || options_.replacement || size <= n) return;
    throw Error(ErrorKind::usage, key, std::to_string(size) + " distinct components of " + std::to_string(n),
                "lower it, or sample with replacement");
  }

  /// Called by an estimate that continues the last one, after every step. Rows that are kept apart would add
  /// up, and every reader would read all of them.
  void settle() { fold_fused(g_); }

  Element g_;  ///< what `estimate` returns

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
    const NumberOr<Chosen, Index> batch =
        options_.batch.is_number() ? NumberOr<Chosen, Index>(counted(options_.batch.number(), n, "batch"))
                                   : *options_.batch.word();
    own.batch = batch == Chosen::automatic ? automatic_batch(false) : given_or(batch, asked.batch, "batch");
    if (options_.batch == Chosen::theory && !options_.replacement && n != kUnbounded)
      own.batch = std::min(own.batch, n);
    if (!(options_.epoch == Chosen::automatic || doubles()))
      own.length = given_or(options_.epoch, asked.length, "epoch");
    require_drawable(own.batch, "batch");
    return own;
  }

  /// Measured on MovieLens-100K (docs/benchmarks.md): with n/50 the vertices follow the noise of the
  /// estimate.
  Index automatic_batch(bool undamped) const {
    const Index n = f_->terms(), share = undamped && !traits_.noisy ? traits_.undamped_share : 50;
    return n == kUnbounded ? kAutomatic : (n + share - 1) / share;
  }
  bool grows_by_itself() const {
    return options_.growth == Chosen::automatic && options_.batch == Chosen::automatic && plan_.undamped &&
           traits_.noisy && !plan_.batch;
  }
  bool doubles() const { return options_.epoch == Chosen::doubling; }
  Index at_most_all(Index size) const {
    return f_->terms() == kUnbounded ? size : std::min(size, f_->terms());
  }
  bool has_snapshots() const noexcept { return traits_.snapshots != Snapshots::none; }
  double growth() const { return options_.growth.number_or(grows_by_itself() ? 1.0 : 0.0); }

  /// Takes the gradient of all terms, or of a uniform sample (the only way for an expectation). The estimates
  /// returned so far end here, and steps are counted from here on.
  void take_snapshot(const Element& x) {
    const Index size = plan_.snapshot ? plan_.snapshot : options_.snapshot;
    if (size == 0) require_snapshot_size();
    t_ = 0;
    g_.set_zero();
    snapshot_.take(x, size == 0 ? Batch::all() : draw_uniformly(size));
  }

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

  Index size_of_step(Index t) const {
    const double power = growth();
    if (plan_.batch || power == 0.0) return batch_;
    const double cap = f_->terms() == kUnbounded ? 0x1p53 : static_cast<double>(f_->terms());
    const double grown = static_cast<double>(batch_) * std::pow(static_cast<double>(t + 1), power);
    return std::max(batch_, static_cast<Index>(std::min(grown, cap)));
  }

  static constexpr Index kAutomatic = 100;

  EpochOptions options_;
  EstimatorTraits traits_;
  Snapshot snapshot_;
  Objective* f_ = nullptr;
  Sampler* sampler_ = nullptr;
  std::optional<Importance> importance_;
  EpochPlan own_, plan_;
  Index batch_ = 0, left_ = 0, t_ = 0, epochs_ = 0;
};

}  // namespace claros::sdk
