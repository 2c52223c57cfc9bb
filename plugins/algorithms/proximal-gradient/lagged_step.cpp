// SPDX-License-Identifier: BSD-3-Clause
#include "lagged_step.hpp"

#include <claros/error.hpp>
#include <claros/sdk/dense_access.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace claros;

namespace {

// A coordinate that is touched costs as much as so many of a step on all of them (docs/benchmarks.md).
constexpr double kTouch = 32.0;
// Rows whose nonzeros are counted.
constexpr Index kLooks = 256;
// Coordinates whose numbers are on their way.
constexpr std::size_t kAhead = 16;

/// The nonzeros of a row in the mean; negative where rows are not sparse.
double mean_nonzeros(const LinearMap& map) {
  SparseRow row;
  if (map.size() == 0 || !map.sparse_row(0, row)) return -1.0;
  const Index looks = std::min(kLooks, map.size());
  double sum = 0.0;
  for (Index k = 0; k < looks; ++k) {
    (void)map.sparse_row(k * (map.size() / looks), row);
    sum += static_cast<double>(row.columns.size());
  }
  return sum / static_cast<double>(looks);
}

}  // namespace

/// g = w D + sum_k c_k a_k, D the drift.
struct LaggedStep::Change {
  const AdjointForm* rows = nullptr;
  double weight = 0.0;
};

void LaggedStep::start(const Problem& problem, const std::string& use, double s, double mu, bool summed) {
  x_.set_lag(nullptr);
  estimator_ = problem.estimator;
  lag_ = problem.lag;
  always_ = use == "always", summing_ = summed;
  active_ = grouped_ = asked_ = false;
  now_ = made_ = 0;
  cells_.clear(), sums_.clear(), changes_.clear();
  const Shape shape = problem.objective->shape();
  possible_ = use != "never" && s > 0.0 && !shape.is_product() && can(problem);
  if (!possible_) return;
  auto* tail = query<FreeTail>(*problem.objective);
  const Shape head = tail ? tail->constrained_shape() : shape;
  size_ = static_cast<std::size_t>(shape.size()), head_ = problem.penalty ? static_cast<std::size_t>(head.size()) : 0;
  t_ = mu > 0.0 && std::isfinite(mu) ? s / (1.0 + s * mu) : s;
  steps_ = lag_ ? lag_->lagged_steps(head, t_) : LaggedSteps{};
  grouped_ = lag_ && !steps_.coordinate;
}

bool LaggedStep::can(const Problem& problem) {
  if (problem.projection || (problem.penalty && !problem.lag)) return false;
  auto* rows = query<ComponentCoefficients>(*problem.objective);
  if (!rows || rows->has_common_gradient()) return false;
  mean_nonzeros_ = mean_nonzeros(*rows->map());
  return mean_nonzeros_ >= 0.0;
}

bool LaggedStep::pays(Index rows) const {
  return always_ || kTouch * mean_nonzeros_ * static_cast<double>(rows) <= static_cast<double>(size_);
}

void LaggedStep::find_drift() {
  if (!asked_) drifts_ = estimator_->drift();
  asked_ = true;
  const Part* part = drifts_ && !drifts_->is_zero() ? sdk::lone_dense(*drifts_) : nullptr;
  drift_ = part ? std::get<DenseForm>(part->form).values.view().data() : nullptr;
  drift_weight_ = part ? part->weight : 0.0;
}

/// Whether g is the drift and rows that can be read one by one.
bool LaggedStep::read(const Element& g, Change& change) {
  asked_ = asked_ && active_;
  find_drift();
  bool drifts = false;
  for (const Part& part : g.parts()) {
    if (const auto* dense = std::get_if<DenseForm>(&part.form)) {
      if (drifts || !drift_ || dense->values.view().data() != drift_ || part.weight != drift_weight_) return false;
      drifts = true;
    } else {
      SparseRow row;
      const auto* rows = std::get_if<AdjointForm>(&part.form);
      if (!rows || change.rows || !rows->full.empty() || rows->rows.empty() || !rows->map->sparse_row(rows->rows.front(), row)) return false;
      change = {rows, part.weight};
    }
  }
  if (!drifts && drifts_ && !drifts_->is_zero()) return false;
  return pays(change.rows ? static_cast<Index>(change.rows->rows.size()) : estimator_->batch_size());
}

bool LaggedStep::step(const Element& g) {
  Change change;
  if (!possible_ || !read(g, change)) {
    leave();
    return false;
  }
  if (!active_) enter();
  x_.drop_images();
  if (change.rows) {
    const std::span<double> x = x_.lagged_values();
    touched_.clear();
    SparseRow row;
    for (std::size_t k = 0; k < change.rows->rows.size(); ++k) {
      (void)change.rows->map->sparse_row(change.rows->rows[k], row);
      add_row(row, change.weight * change.rows->coefficients[k], x);
    }
    apply_changes(x);
  }
  ++now_, ++made_;
  if (lag_) lag_->made(1);
  return true;
}

void LaggedStep::enter() {
  const std::span<double> x = x_.dense_values();
  cells_.resize(2 * size_);
  changes_.resize(size_, 0.0);
  for (std::size_t j = 0; j < size_; ++j) value(j) = x[j], last(j) = 0.0;
  if (summing_ && sums_.empty()) sums_.assign(size_, 0.0), made_ = 0;
  now_ = 0, flushed_ = 0;
  active_ = true;
  x_.set_lag(this);
}

/// Every coordinate up to date, and the lag from here on.
void LaggedStep::settle() {
  if (!active_) return;
  find_drift();
  const std::span<double> x = x_.lagged_values();
  for (std::size_t j = 0; j < size_; ++j) bring(j, x);
  for (std::size_t j = 0; j < size_; ++j) last(j) = 0.0;
  now_ = flushed_ = 0;
}

void LaggedStep::before_epoch() {
  if (estimator_->renews_drift()) settle();
}

void LaggedStep::leave() {
  if (!active_) return;
  settle();
  active_ = false;
  x_.set_lag(nullptr);
  cells_.clear();
}

Element LaggedStep::take_sum() {
  made_ = 0;
  return Element::dense(x_.shape(), std::exchange(sums_, {}));
}

double LaggedStep::advance(std::size_t j, double x, Index count, double d, double* sum) const {
  if (j < head_) return steps_.coordinate(steps_.self, x, count, d, sum);
  const double n = static_cast<double>(count), move = -t_ * d;  // no penalty
  if (sum) *sum += n * x + move * (0.5 * n * (n + 1.0));
  return x + n * move;
}

void LaggedStep::bring(std::size_t j, std::span<double> x) {
  if (is_grouped(j)) return bring_group(static_cast<std::size_t>(steps_.group_of[j]), x);
  const auto now = static_cast<double>(now_);
  if (!(last(j) < now)) return;
  x[j] = value(j) = advance(j, value(j), static_cast<Index>(now - last(j)), drift(j), sums_.empty() ? nullptr : &sums_[j]);
  last(j) = now;
}

void LaggedStep::bring_group(std::size_t g, std::span<double> x) {
  const auto now = static_cast<double>(now_);
  const std::size_t from = steps_.first[g], to = steps_.first[g + 1];
  if (from == to || last(member(from)) == now) return;
  advance_group(g, static_cast<Index>(now - last(member(from))), !sums_.empty(), false);
  for (std::size_t k = from; k < to; ++k) {
    const std::size_t j = member(k);
    x[j] = value(j) = group_x_[k - from], last(j) = now;
  }
}

/// group_x_ <- group g after `count` steps, which are added up where that is asked for.
void LaggedStep::advance_group(std::size_t g, Index count, bool summed, bool changed) {
  const std::size_t from = steps_.first[g], size = steps_.first[g + 1] - from;
  group_x_.resize(size), group_d_.resize(size), group_sum_.assign(summed ? size : 0, 0.0);
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t j = member(from + k);
    group_x_[k] = value(j), group_d_[k] = drift(j) + (changed ? changes_[j] : 0.0);
  }
  steps_.group(steps_.self, static_cast<Index>(g), count, group_d_, group_x_, group_sum_);
  for (std::size_t k = 0; summed && k < size; ++k) sums_[member(from + k)] += group_sum_[k];
}

void LaggedStep::add_row(const SparseRow& row, double c, std::span<double> x) {
  if (row.values) add_entries(row, row.values, c, x);
  else add_entries(row, row.singles, c, x);
  if (row.tail >= 0) add_change(static_cast<std::size_t>(row.tail), c, x);
}

template <class Real>
void LaggedStep::add_entries(const SparseRow& row, const Real* values, double c, std::span<double> x) {
  for (std::size_t e = 0; e < row.columns.size(); ++e)
    add_change(static_cast<std::size_t>(row.columns[e] + row.offset), c * static_cast<double>(values[e]), x);
}

/// A coordinate of this step bears the number of the next, so that it is noted once.
void LaggedStep::add_change(std::size_t j, double a, std::span<double> x) {
  const auto next = static_cast<double>(now_ + 1);
  if (last(j) < next) {
    if (is_grouped(j)) {
      note_group(static_cast<std::size_t>(steps_.group_of[j]), x);
    } else {
      bring(j, x);
      last(j) = next;
      touched_.push_back(j);
    }
  }
  changes_[j] += a;
}

void LaggedStep::note_group(std::size_t g, std::span<double> x) {
  bring_group(g, x);
  for (std::size_t k = steps_.first[g]; k < steps_.first[g + 1]; ++k) last(member(k)) = static_cast<double>(now_ + 1);
  touched_.push_back(size_ + g);
}

void LaggedStep::apply_changes(std::span<double> x) {
  for (const std::size_t j : touched_) {
    if (j < size_) {
      x[j] = value(j) = advance(j, value(j), 1, drift(j) + changes_[j], sums_.empty() ? nullptr : &sums_[j]);
      changes_[j] = 0.0;
      continue;
    }
    const std::size_t g = j - size_, from = steps_.first[g];
    advance_group(g, 1, !sums_.empty(), true);
    for (std::size_t k = from; k < steps_.first[g + 1]; ++k) {
      const std::size_t i = member(k);
      x[i] = value(i) = group_x_[k - from], changes_[i] = 0.0;
    }
  }
}

/// What a step reads of a coordinate lies far apart where there are many: a row's misses are waited for together.
void LaggedStep::fetch(std::size_t j, const double* x) const {
  __builtin_prefetch(cells_.data() + 2 * j, 1);
  __builtin_prefetch(x + j, 1);
  __builtin_prefetch(changes_.data() + j, 1);
  if (drift_) __builtin_prefetch(drift_ + j);
}

void LaggedStep::touch(std::span<const std::int32_t> coordinates, Index offset) {
  find_drift();
  const std::span<double> x = x_.lagged_values();
  if (grouped_ || !sums_.empty()) {
    for (const std::int32_t j : coordinates) bring(static_cast<std::size_t>(j + offset), x);
    return;
  }
  // The same, as the loop that most of the time goes into.
  const auto now = static_cast<double>(now_);
  double* cells = cells_.data();
  for (std::size_t e = 0; e < coordinates.size(); ++e) {
    if (e + kAhead < coordinates.size()) fetch(static_cast<std::size_t>(coordinates[e + kAhead] + offset), x.data());
    const auto j = static_cast<std::size_t>(coordinates[e] + offset);
    double* cell = cells + 2 * j;
    if (!(cell[1] < now)) continue;
    const double d = drift_ ? drift_weight_ * drift_[j] : 0.0;
    x[j] = cell[0] = advance(j, cell[0], static_cast<Index>(now - cell[1]), d, nullptr);
    cell[1] = now;
  }
}

void LaggedStep::flush() {
  if (flushed_ == now_) return;
  find_drift();
  const std::span<double> x = x_.lagged_values();
  const auto now = static_cast<double>(now_);
  for (std::size_t j = grouped_ ? head_ : 0; j < size_; ++j)
    x[j] = last(j) < now ? advance(j, value(j), static_cast<Index>(now - last(j)), drift(j), nullptr) : value(j);
  if (grouped_) flush_groups(x);
  flushed_ = now_;
}

void LaggedStep::flush_groups(std::span<double> x) {
  for (std::size_t g = 0; g + 1 < steps_.first.size(); ++g) {
    const std::size_t from = steps_.first[g], to = steps_.first[g + 1];
    const Index behind = from < to ? now_ - static_cast<Index>(last(member(from))) : 0;
    if (behind > 0) advance_group(g, behind, false, false);
    for (std::size_t k = from; k < to; ++k) x[member(k)] = behind > 0 ? group_x_[k - from] : value(member(k));
  }
}

void LaggedStep::state(StateVisitor& v) {
  v("active", active_);
  v("steps", now_);
  v("summed steps", made_);
  v("cells", cells_);
  v("sums", sums_);
  v.require(!active_ || possible_, "active", "steps that this composition cannot make");
  v.require(now_ >= 0 && made_ >= 0, "steps", "negative");
  v.require(cells_.size() == (active_ ? 2 * size_ : 0), "cells", "not two numbers a coordinate");
  v.require(sums_.empty() || (summing_ && sums_.size() == size_), "sums", "not one number a coordinate");
  if (!v.loading() || !active_) return;
  for (std::size_t j = 0; j < size_; ++j)
    v.require(last(j) >= 0.0 && last(j) <= static_cast<double>(now_) && std::trunc(last(j)) == last(j), "cells", "no such step");
  const Part* part = sdk::lone_dense(x_);
  v.require(part && part->weight == 1.0, "x", "not the one array that a lag stands on");
  changes_.assign(size_, 0.0);
  flushed_ = -1;
  asked_ = false;
  x_.set_lag(this);
}
