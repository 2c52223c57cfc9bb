// SPDX-License-Identifier: BSD-3-Clause
/// @file table_estimator.hpp  Base class of estimators that remember a gradient of every component.
#pragma once

#include <claros/abilities.hpp>
#include <claros/sdk/epoch_estimator.hpp>

#include <span>
#include <vector>

namespace claros::sdk {

/// A table of y_i, the gradient of component i at its last draw (without the common part s). It is kept as K
/// coefficients on the rows of i. The average of the table is an array if the map fuses, and else A' of the
/// table itself. The first epoch fills the table by a full pass; later ones are only counted.
///
/// A component that is drawn twice in a batch enters the table once. Every write changes the average by the
/// same difference as the table, and the second write of the same gradient changes nothing.
class TableEstimator : public EpochEstimator {
 public:
  std::vector<Need> needs() const override {
    return {need::objective<TermCoefficients>("the last gradient of every term is stored")};
  }

  void start(Objective& f, Sampler& sampler) override {
    rows_of_ = query<TermCoefficients>(f);
    if (!rows_of_)
      throw Error(ErrorKind::usage, "",
                  "stores a gradient of every term, and those of this objective are not combinations "
                  "of fixed rows: the table would take n times the memory of the variable",
                  "use svrg, which stores one gradient");
    if (f.terms() == kUnbounded)
      throw Error(ErrorKind::usage, "",
                  "stores a gradient of every term, and an expectation has infinitely many",
                  "use sg, or svrg with snapshot");
    EpochEstimator::start(f, sampler);
    table_ = Buffer();
    average_ = Element(f.shape());
    forget();
    fresh_ = false;
  }

  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    EpochEstimator::begin_epoch(x, plan);
    fresh_ = table_.empty();
    if (fresh_) fill(x);
  }

  const Element* full_gradient() const override {
    return fresh_ && !rows_of_->has_common_gradient() ? &average_ : nullptr;
  }
  const Element* drift() const override {
    return rows_of_ && !rows_of_->has_common_gradient() ? &average_ : nullptr;
  }

  bool renews_drift() const override { return false; }

  void state(StateVisitor& v) override {
    EpochEstimator::state(v);
    v("table", table_);
    v("average", average_);
    v("pending components", drawn_);
    v("pending coefficients", seen_);
    v("fresh", fresh_);
    v.require(table_.empty() || table_.size() == map()->size(), "table", "not one number a row of the map");
    v.require(!table_.empty() || (drawn_.empty() && !within_epoch()), "table", "an epoch without it");
    v.require(are_terms(f(), drawn_), "pending components", "no such component");
    v.require(seen_.size() == drawn_.size() * static_cast<std::size_t>(rows_of_->outputs()),
              "pending coefficients", "not those of the components");
    if (v.loading()) find_rows();
  }

 protected:
  /// Gradients of the table are n/|S| steps old in the mean, and no epoch renews them.
  explicit TableEstimator(EpochOptions options) : EpochEstimator(std::move(options), {.undamped_share = 4}) {}

  const MapPtr& map() const noexcept { return rows_of_->map(); }
  /// (1/n) sum_i y_i.
  const Element& average() const noexcept { return average_; }
  std::span<const double> table() const noexcept { return table_.view(); }
  /// The coefficients at x of the components of a fresh batch, K each, and their rows.
  std::span<const double> seen() const noexcept { return seen_; }
  std::span<const Index> rows() const noexcept { return rows_; }

  /// Evaluates the batch of the next step at x.
  Batch look(const Element& x, Index batch) {
    fresh_ = false;
    const Batch S = draw(batch);
    const Index K = rows_of_->outputs();
    drawn_.assign(S.list().begin(), S.list().end());
    seen_.resize(drawn_.size() * static_cast<std::size_t>(K));
    rows_of_->coefficients(x, S, seen_);
    find_rows();
    return S;
  }

  /// Writes the batch that was evaluated last into the table, unless it is written. The estimates returned so
  /// far end here.
  void write() {
    if (drawn_.empty()) return;
    g_.set_zero();  // no copy shares the arrays that change
    if (!map()->fuses()) average_.set_zero();
    const std::span<double> table = table_.edit();
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      double& kept = table[static_cast<std::size_t>(rows_[k])];
      const double change = seen_[k] - kept;
      kept = seen_[k];
      seen_[k] = change;
    }
    if (map()->fuses()) {
      average_.add_adjoint(1.0 / static_cast<double>(f().terms()), map(), rows_, seen_);
      average_.fold();
    } else {
      refer_average();
    }
    forget();
  }

  void add_common(const Element& x) { rows_of_->add_common_gradient(x, 1.0, g_); }

 private:
  void fill(const Element& x) {
    std::vector<double> table(static_cast<std::size_t>(map()->size()));
    rows_of_->coefficients(x, Batch::all(), table);
    table_ = Buffer(std::move(table));
    if (!map()->fuses()) return refer_average();
    std::vector<double> sum(static_cast<std::size_t>(f().shape().size()), 0.0);
    map()->add_adjoint(table_.view(), sum);
    for (double& value : sum) value /= static_cast<double>(f().terms());
    average_ = Element::dense(f().shape(), std::move(sum));
  }

  /// A map that does not fuse keeps adjoints unfolded, and the average's is the table.
  void refer_average() {
    average_ = Element::adjoint(map(), table_);
    average_.scale(1.0 / static_cast<double>(f().terms()));
  }
  void find_rows() {
    const Index K = rows_of_->outputs();
    rows_.clear();
    for (const Index i : drawn_)
      for (Index l = 0; l < K; ++l) rows_.push_back(i * K + l);
  }
  void forget() {
    drawn_.clear();
    seen_.clear();
    rows_.clear();
  }

  TermCoefficients* rows_of_ = nullptr;
  Buffer table_;
  Element average_;
  std::vector<Index> drawn_, rows_;
  std::vector<double> seen_;
  bool fresh_ = false;  ///< the table was filled, and no estimate made since
};

}  // namespace claros::sdk
