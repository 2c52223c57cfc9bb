// SPDX-License-Identifier: BSD-3-Clause
/// @file epoch_estimator.hpp  What gradient estimators share: batches, epochs, and the numbers of their
/// theory.
#pragma once

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/gradient_estimator.hpp>
#include <claros/parameters.hpp>
#include <claros/sdk/fold_fused.hpp>
#include <claros/sdk/gradient_theory.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

/// The numbers of an estimator as the user gives them. Zero constants are the objective's own, or unknown.
struct EpochOptions {
  std::string batch = "auto";
  std::string epoch = "auto";
  std::string growth = "auto";
  bool replacement = true;
  std::string sampling = "uniform";
  Index snapshot = 0;
  double accuracy = 0.0;
  double diameter = 0.0;
  double smoothness = 0.0;
  double hessian_smoothness = 0.0;
};

/// Batch and epoch; `batch_words` and `epoch_words` are what may stand instead of a number.
inline std::vector<ParameterRow<EpochOptions>> uniform_batch_rows(
    const std::vector<std::string>& batch_words, const std::vector<std::string>& epoch_words) {
  using O = EpochOptions;
  return {row("batch", &O::batch, number_or(integers(at_least(1)), batch_words),
              "components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is "
              "1), of an expectation 100",
              "|S|"),
          row("epoch", &O::epoch, number_or(integers(at_least(1)), epoch_words),
              "steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an "
              "expectation the snapshot's draws/|S|, or 100 without snapshots",
              "p"),
          row("growth", &O::growth, number_or(between(0, 2), {"auto"}),
              "the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from "
              "the run's start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the "
              "estimator does not end by itself (sg, momentum): once it has grown to n it is all components"),
          row("replacement", &O::replacement, "whether a batch may hold a component twice (i.i.d. indices)")};
}

/// The same for estimators whose batch may be weighted.
inline std::vector<ParameterRow<EpochOptions>> batch_rows(const std::vector<std::string>& batch_words,
                                                          const std::vector<std::string>& epoch_words) {
  auto rows = uniform_batch_rows(batch_words, epoch_words);
  rows.push_back(row("sampling", &EpochOptions::sampling, one_of({"uniform", "importance"}),
                     "how a batch is drawn: all components alike, or each with probability q_i proportional "
                     "to its smoothness, its gradient weighted by 1/(n q_i)",
                     "q"));
  return rows;
}

inline ParameterRow<EpochOptions> snapshot_row() {
  return row("snapshot", &EpochOptions::snapshot, at_least(0),
             "components in the snapshot's gradient; 0 takes all", "k_s");
}
inline ParameterRow<EpochOptions> accuracy_row() {
  return row("accuracy", &EpochOptions::accuracy, at_least(0),
             "for theory: target accuracy, of the batches and of the steps of length epsilon/L; 0: not given", "epsilon");
}
inline ParameterRow<EpochOptions> diameter_row() {
  return row("diameter", &EpochOptions::diameter, at_least(0),
             "for theory: diameter of the set; 0: not given", "D");
}
inline ParameterRow<EpochOptions> smoothness_row() {
  return row("smoothness", &EpochOptions::smoothness, at_least(0),
             "for theory: Lipschitz constant of the component gradients; 0: the objective's own", "L");
}
inline ParameterRow<EpochOptions> hessian_smoothness_row() {
  return row("hessian_smoothness", &EpochOptions::hessian_smoothness, at_least(0),
             "for theory: Lipschitz constant of the component Hessians; 0: the objective's own", "L_2");
}

/// The constants that a theory speaks of. Each throws Error(usage) that names it when it is unknown.
class Theory {
 public:
  Theory(const EpochOptions& options, const Constants& constants, Index components)
      : options_(options), constants_(constants), components_(components) {}

  double n() const {
    if (components_ > 0) return static_cast<double>(components_);
    throw unknown("the number n of components",
                  "of an expectation there is none: give estimator.batch and estimator.epoch as numbers");
  }
  double epsilon() const {
    return given(options_.accuracy, {}, "the target accuracy epsilon", "estimator.accuracy");
  }
  double D() const { return given(options_.diameter, {}, "the diameter D of the set", "estimator.diameter"); }
  double L() const {
    return given(options_.smoothness, constants_.component_smoothness, "the smoothness L of the components",
                 "estimator.smoothness");
  }
  double L2() const {
    return given(options_.hessian_smoothness, constants_.component_hessian_smoothness,
                 "the Hessian smoothness L_2 of the components", "estimator.hessian_smoothness");
  }

  /// L_2/L^2: times epsilon a pure number, the same in any unit of x. 0 where Hessians are constant.
  double curvature_ratio() const { return L2() > 0.0 ? L2() / (L() * L()) : 0.0; }

  /// Integers on the safe side of a bound, not thrown off by the last bit of a power.
  static Index at_least(double value) { return integer(std::ceil(value * (1.0 - 1e-12))); }
  static Index at_most(double value) { return integer(std::floor(value * (1.0 + 1e-12))); }

 private:
  static Index integer(double value) { return static_cast<Index>(std::clamp(value, 1.0, 0x1p53)); }
  static Error unknown(const std::string& what, const std::string& remedy) {
    return Error(ErrorKind::usage, "estimator", "theory needs " + what + ", which is not known", remedy);
  }
  static double given(double own, std::optional<double> known, const std::string& what,
                      const std::string& key) {
    if (own > 0.0) return own;
    if (known) return *known;
    throw unknown(what, "give " + key + " = NUMBER, or estimator.batch and estimator.epoch as numbers");
  }

  const EpochOptions& options_;
  const Constants& constants_;
  Index components_;
};

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
    batch_ = plan.batch ? plan.batch : options_.batch == "auto" ? automatic_batch(plan.undamped) : own_.batch;
    left_ = plan.length ? plan.length : steps_of_epoch(own_.length ? own_.length : automatic_length());
    ++epochs_;
    begin(x);
  }

  const Element& estimate(const Element& x, Index batch) override {
    if (left_ == 0)
      throw Error(ErrorKind::usage, "estimator", "an epoch is due", "call begin_epoch before estimate");
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
    v.require(batch_ >= (left_ > 0 ? 1 : 0) && is_drawable(batch_), "batch", "no number of components to draw");
    v.require(is_drawable(size_of_step()), "t", "steps after which a batch would have no end");
  }
  void* ability(std::string_view id) noexcept override {
    return has_theory_numbers() ? offer<State, GradientTheory>(this, id) : offer<State>(this, id);
  }
  Steps theory_steps() const final {
    const Constants constants = f_->constants();
    const Theory theory(options_, constants, f_->components());
    return {theory.epsilon(), theory.L()};
  }

 protected:
  explicit EpochEstimator(EpochOptions options) : options_(std::move(options)) {
    if (options_.sampling != "uniform" && !options_.replacement)
      throw no_importance(
          "needs i.i.d. draws: without replacement the weights 1/(n q_i) do not keep the mean unbiased");
  }

  /// Whether all numbers that the error depends on are those of `theory_numbers`.
  virtual bool has_theory_numbers() const noexcept { return options_.batch == "theory" && options_.epoch == "theory"; }
  /// Whether the variance stays although the points come to rest.
  virtual bool is_noisy() const { return false; }
  /// n/|S| where a linear oracle takes the estimate.
  virtual Index undamped_share() const { return 10; }
  virtual void begin(const Element&) {}
  /// At least 1, of an epoch whose length p is the estimator's own: what a plan says is kept.
  virtual Index steps_of_epoch(Index p) { return p; }
  virtual const Element& at(const Element& x) = 0;
  /// The numbers that stand for the word `theory`; whatever asks `theory` for a constant needs it.
  virtual EpochPlan theory_numbers(const Theory&) const { return {}; }

  Objective& f() const noexcept { return *f_; }
  Batch draw() {
    const Index size = size_of_step();
    return grows_by_itself() && size == f_->components() ? Batch::all() : draw(size);
  }
  Batch draw(Index size) { return importance_ ? sampler_->draw(size, *importance_) : draw_uniformly(size); }
  Batch draw_uniformly(Index size) { return sampler_->draw(size, options_.replacement); }
  /// Whether estimates may follow before another epoch begins: what that makes has to be there.
  bool within_epoch() const noexcept { return left_ > 0; }
  /// Whether a batch may be so large, as what is loaded may not be.
  bool is_drawable(Index size) const {
    constexpr Index kMost = Index{1} << 24;  // more than there are components nobody draws, but by its own options
    const Index n = f_->components();
    return size <= std::max({kMost, own_.batch, options_.snapshot, n == kUnbounded ? 0 : n});
  }
  /// Whether all are indices of components, as what is loaded may not be.
  bool are_components(std::span<const Index> indices) const {
    const Index n = f_->components();
    return std::ranges::all_of(indices, [n](Index i) { return i >= 0 && (n == kUnbounded || i < n); });
  }
  const EpochOptions& options() const noexcept { return options_; }
  const EpochPlan& plan() const noexcept { return plan_; }
  /// Steps since the start, or since restart_time.
  Index t() const noexcept { return t_; }
  void restart_time() noexcept { t_ = 0; }
  /// Refuses a sample that cannot be drawn.
  void require_drawable(Index size, const std::string& key) const {
    const Index n = f_->components();
    if (n == kUnbounded || options_.replacement || size <= n) return;
    throw Error(ErrorKind::usage, key, std::to_string(size) + " distinct components of " + std::to_string(n),
                "lower it, or sample with replacement");
  }

  /// For an estimate that goes on from the last one, after every step. Kept apart the rows would add up, until whoever
  /// reads it reads all of them again.
  void settle() { settle(g_); }
  static void settle(Element& g) { fold_fused(g); }

  Element g_;  ///< what `at` returns

 private:
  Index own_number(const std::string& text, const std::string& key) const {
    const Index value = parse_integer(text);
    if (value >= 1) return value;
    throw Error(ErrorKind::usage, key, text + " is not at least 1", "give a positive number");
  }

  /// A length of 0 stands for n/|S|, which depends on the plan's batch.
  EpochPlan own_numbers() const {
    const Index n = f_->components();
    const bool theory = options_.batch == "theory" || options_.epoch == "theory";
    const Constants constants = theory ? f_->constants() : Constants{};  // dear to know, perhaps
    const EpochPlan asked = theory ? theory_numbers({options_, constants, n}) : EpochPlan{};
    EpochPlan own;
    if (options_.batch == "auto")
      own.batch = automatic_batch(false);
    else
      own.batch = options_.batch == "theory" ? asked.batch : own_number(options_.batch, "estimator.batch");
    if (options_.batch == "theory" && !options_.replacement && n != kUnbounded)
      own.batch = std::min(own.batch, n);
    if (options_.epoch != "auto")
      own.length = options_.epoch == "theory" ? asked.length : own_number(options_.epoch, "estimator.epoch");
    require_drawable(own.batch, "estimator.batch");
    return own;
  }

  /// Measured on MovieLens-100K (docs/benchmarks.md): with n/50 the vertices follow the noise of the estimate.
  Index automatic_batch(bool undamped) const {
    const Index n = f_->components(), share = undamped && !is_noisy() ? undamped_share() : 50;
    return n == kUnbounded ? kAutomatic : (n + share - 1) / share;
  }
  bool grows_by_itself() const {
    return options_.growth == "auto" && options_.batch == "auto" && plan_.undamped && is_noisy() && !plan_.batch;
  }
  double growth() const {
    if (options_.growth != "auto") return parse_real(options_.growth);
    return grows_by_itself() ? 1.0 : 0.0;
  }

  static Error no_importance(const std::string& why) {
    return Error(ErrorKind::usage, "estimator.sampling", "importance " + why, "use estimator.sampling = uniform");
  }

  std::optional<Importance> importance() const {
    if (options_.sampling == "uniform") return {};
    if (f_->components() == kUnbounded)
      throw no_importance("chooses among components, of which an expectation has no list");
    auto* known = query<ComponentConstants>(*f_);
    if (!known)
      throw no_importance(
          "draws in proportion to the smoothness of the components, which the objective does not know");
    return Importance(known->component_smoothness());
  }

  Index automatic_length() const {
    const Index n = f_->components(), snapshot = plan_.snapshot ? plan_.snapshot : options_.snapshot;
    if (n == kUnbounded && snapshot == 0) return kAutomatic;
    const Index total = n == kUnbounded ? snapshot : n;
    const Index share = plan_.undamped && options_.batch == "auto" && !plan_.batch ? 2 : 1;
    return std::max<Index>(1, (total + share * batch_ - 1) / (share * batch_));
  }

  Index size_of_step() const {
    if (this_step_) return this_step_;
    const double power = growth();
    if (plan_.batch || power == 0.0) return batch_;
    const double cap = f_->components() == kUnbounded ? 0x1p53 : static_cast<double>(f_->components());
    const double grown = static_cast<double>(batch_) *
                         std::pow(static_cast<double>(t_ + 1), power);
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

}  // namespace claros::sdk
