// SPDX-License-Identifier: BSD-3-Clause
#include "lazy_step.hpp"

#include <claros/error.hpp>
#include <claros/sdk/dense_access.hpp>

#include <cmath>
#include <utility>

using namespace claros;

namespace {

// Coordinates whose numbers are on their way.
constexpr std::size_t kAhead = 16;

}  // namespace

void LazyStep::start(const Problem& problem, sdk::LazyUse use, double s, double mu, bool summed) {
  x_.set_lazy(nullptr);
  estimator_ = problem.estimator;
  lazy_ = problem.lazy;
  varies_ = s == 0.0;
  summing_ = summed;
  active_ = grouped_ = asked_ = false;
  now_ = 0.0;
  made_ = 0;
  steps_ = {};
  any_step_ = {};
  cells_.clear(), sums_.clear(), changes_.clear();
  choice_.start(problem, use);
  possible_ = choice_.possible();
  if (!possible_) return;
  const Shape shape = problem.objective->shape();
  auto* tail = query<FreeTail>(*problem.objective);
  const Shape head = tail ? tail->constrained_shape() : shape;
  size_ = static_cast<std::size_t>(shape.size()),
  head_ = problem.penalty ? static_cast<std::size_t>(head.size()) : 0;
  if (varies_) return void(possible_ = mu == 0.0 && lets_lengths_vary(problem, head));
  t_ = mu > 0.0 && std::isfinite(mu) ? s / (1.0 + s * mu) : s;
  steps_ = lazy_ ? lazy_->lazy_steps(head, t_) : LazySteps{};
  grouped_ = lazy_ && !steps_.coordinate;
}

bool LazyStep::lets_lengths_vary(const Problem& problem, const Shape& head) {
  if (summing_) return false;
  if (!problem.penalty) return true;
  if (!problem.separable || !problem.separable->blocks(head).are_single()) return false;
  any_step_ = problem.separable->block_step();
  return any_step_.adds_up;
}

void LazyStep::find_drift() {
  if (!asked_) drifts_ = estimator_->drift();
  asked_ = true;
  const Part* part = drifts_ && !drifts_->is_zero() ? sdk::lone_dense(*drifts_) : nullptr;
  drift_ = part ? std::get<DenseForm>(part->form).values.view().data() : nullptr;
  drift_weight_ = part ? part->weight : 0.0;
}

/// True if g is the drift, if there may be one, and rows.
bool LazyStep::read(const Element& g, sdk::RowGradient& change) {
  asked_ = asked_ && active_;
  find_drift();
  if (!change.read(g)) return false;
  const bool drifts = drifts_ && !drifts_->is_zero();
  if (const Part* dense = change.dense()) {
    if (!drift_ || std::get<DenseForm>(dense->form).values.view().data() != drift_ ||
        dense->weight != drift_weight_)
      return false;
  } else if (drifts) {
    return false;
  }
  if (drifts && varies_) return false;
  return choice_.pays(change.rows() ? change.rows() : estimator_->batch_size());
}

bool LazyStep::step(const Element& g, double s) {
  sdk::RowGradient change;
  if (varies_) t_ = s;
  if (!possible_ || !read(g, change) || !ticks()) {
    leave();
    return false;
  }
  if (!active_) enter();
  x_.drop_images();
  if (change.rows()) {
    const std::span<double> x = x_.lazy_values();
    changed_.clear();
    change.for_each([&](std::size_t j, double a) { add_change(j, a, x); });
    apply_changes(x);
  }
  now_ = next(), ++made_;
  if (lazy_) lazy_->made(1);
  return true;
}

void LazyStep::enter() {
  const std::span<double> x = x_.dense_values();
  cells_.resize(2 * size_);
  changes_.resize(size_, 0.0);
  for (std::size_t j = 0; j < size_; ++j) value(j) = x[j], last(j) = 0.0;
  if (summing_ && sums_.empty()) sums_.assign(size_, 0.0), made_ = 0;
  now_ = synchronised_ = 0.0;
  active_ = true;
  x_.set_lazy(this);
}

/// Brings every coordinate up to date; lazy updates go on from here.
void LazyStep::settle() {
  if (!active_) return;
  find_drift();
  const std::span<double> x = x_.lazy_values();
  for (std::size_t j = 0; j < size_; ++j) bring(j, x);
  for (std::size_t j = 0; j < size_; ++j) last(j) = 0.0;
  now_ = synchronised_ = 0.0;
}

void LazyStep::before_epoch() {
  if (estimator_->renews_drift()) settle();
}

void LazyStep::leave() {
  if (!active_) return;
  settle();
  active_ = false;
  x_.set_lazy(nullptr);
  cells_.clear();
}

Element LazyStep::take_sum() {
  made_ = 0;
  return Element::dense(x_.shape(), std::exchange(sums_, {}));
}

/// x after the steps of so much time along d; if lengths vary there is no d.
double LazyStep::advance(std::size_t j, double x, double time, double d, double* sum) const {
  if (varies_) {
    if (j < head_) any_step_(static_cast<Index>(j), &x, time, &x);
    return x;
  }
  if (j < head_) return steps_.coordinate(steps_.self, x, static_cast<Index>(time), d, sum);
  const double move = -t_ * d;  // no penalty
  if (sum) *sum += time * x + move * (0.5 * time * (time + 1.0));
  return x + time * move;
}

/// The value after this step, for a coordinate that is up to date before it.
double LazyStep::step_of(std::size_t j, double* sum) const {
  const double d = drift(j) + changes_[j];
  return varies_ ? advance(j, value(j) - t_ * d, t_, 0.0, nullptr) : advance(j, value(j), 1.0, d, sum);
}

void LazyStep::bring(std::size_t j, std::span<double> x) {
  if (is_grouped(j)) return bring_group(static_cast<std::size_t>(steps_.group_of[j]), x);
  if (!(last(j) < now_)) return;
  x[j] = value(j) = advance(j, value(j), now_ - last(j), drift(j), sums_.empty() ? nullptr : &sums_[j]);
  last(j) = now_;
}

void LazyStep::bring_group(std::size_t g, std::span<double> x) {
  const std::size_t from = steps_.first[g], to = steps_.first[g + 1];
  if (from == to || last(member(from)) == now_) return;
  advance_group(g, static_cast<Index>(now_ - last(member(from))), !sums_.empty(), false);
  for (std::size_t k = from; k < to; ++k) {
    const std::size_t j = member(k);
    x[j] = value(j) = group_x_[k - from];
    last(j) = now_;
  }
}

/// group_x_ <- group g after `count` steps, which are added up where that is asked for.
void LazyStep::advance_group(std::size_t g, Index count, bool summed, bool changed) {
  const std::size_t from = steps_.first[g], size = steps_.first[g + 1] - from;
  group_x_.resize(size), group_d_.resize(size), group_sum_.assign(summed ? size : 0, 0.0);
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t j = member(from + k);
    group_x_[k] = value(j);
    group_d_[k] = drift(j) + (changed ? changes_[j] : 0.0);
  }
  steps_.group(steps_.self, static_cast<Index>(g), count, group_d_, group_x_, group_sum_);
  for (std::size_t k = 0; summed && k < size; ++k) sums_[member(from + k)] += group_sum_[k];
}

/// A coordinate of this step bears the time of the next, so that it is noted once.
void LazyStep::add_change(std::size_t j, double a, std::span<double> x) {
  if (last(j) < next()) {
    if (is_grouped(j)) {
      note_group(static_cast<std::size_t>(steps_.group_of[j]), x);
    } else {
      bring(j, x);
      last(j) = next();
      changed_.push_back(j);
    }
  }
  changes_[j] += a;
}

void LazyStep::note_group(std::size_t g, std::span<double> x) {
  bring_group(g, x);
  for (std::size_t k = steps_.first[g]; k < steps_.first[g + 1]; ++k) last(member(k)) = next();
  changed_.push_back(size_ + g);
}

void LazyStep::apply_changes(std::span<double> x) {
  for (const std::size_t j : changed_) {
    if (j < size_) {
      x[j] = value(j) = step_of(j, sums_.empty() ? nullptr : &sums_[j]);
      changes_[j] = 0.0;
      continue;
    }
    const std::size_t g = j - size_, from = steps_.first[g];
    advance_group(g, 1, !sums_.empty(), true);
    for (std::size_t k = from; k < steps_.first[g + 1]; ++k) {
      const std::size_t i = member(k);
      x[i] = value(i) = group_x_[k - from];
      changes_[i] = 0.0;
    }
  }
}

/// The cells that a step reads of coordinates lie far apart if there are many. So the cache misses of a row
/// are waited for together.
void LazyStep::fetch(std::size_t j, const double* x) const {
  __builtin_prefetch(cells_.data() + 2 * j, 1);
  __builtin_prefetch(x + j, 1);
  __builtin_prefetch(changes_.data() + j, 1);
  if (drift_) __builtin_prefetch(drift_ + j);
}

void LazyStep::update(std::span<const std::int32_t> coordinates, Index offset) {
  find_drift();
  const std::span<double> x = x_.lazy_values();
  if (grouped_ || !sums_.empty()) {
    for (const std::int32_t j : coordinates) bring(static_cast<std::size_t>(j + offset), x);
    return;
  }
  // This loop does what `bring` does; it takes most of the time.
  const double now = now_;
  double* cells = cells_.data();
  for (std::size_t e = 0; e < coordinates.size(); ++e) {
    if (e + kAhead < coordinates.size())
      fetch(static_cast<std::size_t>(coordinates[e + kAhead] + offset), x.data());
    const auto j = static_cast<std::size_t>(coordinates[e] + offset);
    double* cell = cells + 2 * j;
    if (!(cell[1] < now)) continue;
    const double d = drift_ ? drift_weight_ * drift_[j] : 0.0;
    x[j] = cell[0] = advance(j, cell[0], now - cell[1], d, nullptr);
    cell[1] = now;
  }
}

void LazyStep::synchronise() {
  if (synchronised_ == now_) return;
  find_drift();
  const std::span<double> x = x_.lazy_values();
  for (std::size_t j = grouped_ ? head_ : 0; j < size_; ++j)
    x[j] = last(j) < now_ ? advance(j, value(j), now_ - last(j), drift(j), nullptr) : value(j);
  if (grouped_) synchronise_groups(x);
  synchronised_ = now_;
}

void LazyStep::synchronise_groups(std::span<double> x) {
  for (std::size_t g = 0; g + 1 < steps_.first.size(); ++g) {
    const std::size_t from = steps_.first[g], to = steps_.first[g + 1];
    const auto behind = from < to ? static_cast<Index>(now_ - last(member(from))) : 0;
    if (behind > 0) advance_group(g, behind, false, false);
    for (std::size_t k = from; k < to; ++k) x[member(k)] = behind > 0 ? group_x_[k - from] : value(member(k));
  }
}

void LazyStep::state(StateVisitor& v) {
  v("active", active_);
  v("time", now_);
  v("summed steps", made_);
  v("cells", cells_);
  v("sums", sums_);
  v.require(!active_ || possible_, "active", "steps that this composition cannot make");
  v.require(now_ >= 0.0 && made_ >= 0, "time", "negative");
  v.require(cells_.size() == (active_ ? 2 * size_ : 0), "cells", "not two numbers a coordinate");
  v.require(sums_.empty() || (summing_ && sums_.size() == size_), "sums", "not one number a coordinate");
  if (!v.loading() || !active_) return;
  for (std::size_t j = 0; j < size_; ++j)
    v.require(last(j) >= 0.0 && last(j) <= now_ && (varies_ || std::trunc(last(j)) == last(j)), "cells",
              "no such step");
  const Part* part = sdk::lone_dense(x_);
  v.require(part && part->weight == 1.0, "x", "not the one array that lazy updates need");
  changes_.assign(size_, 0.0);
  synchronised_ = -1.0;
  asked_ = false;
  x_.set_lazy(this);
}
