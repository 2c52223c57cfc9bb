// SPDX-License-Identifier: BSD-3-Clause
#include "proof/gap_checks.hpp"

#include <claros/expectation.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

// Passes of a value and a gap: in general, for a loss of images, and if the step has made the gradient.
constexpr double kPasses = 2.0, kFusedPasses = 1.0, kKnownPasses = 0.05;
// Multiplications of a dense decomposition, which runs from caches, in the time of a component gradient.
constexpr double kComponents = 1.0 / 256.0;
// The work that measuring may take: a tenth of the steps' work, and so many passes for the first steps.
constexpr double kAllowance = 3.0, kShare = 0.1;
// Passes of a measurement that the spacing of gap checks keeps within that share. More expensive measurements
// also have so many component gradients free, a few milliseconds: small runs are measured from their first
// steps on.
constexpr double kOrdinary = 4.0, kFree = 1e5;
// Expensive measurements and failed confirmations that a run may have besides: a short one is measured too.
// Gap checks where hints are given: after so many passes, and whenever the work has grown by that share.
constexpr double kFirst = 4.0, kPatience = 32.0, kRarely = 0.25;

}  // namespace

void GapChecks::start(const Shape& shape) {
  coordinates_ = static_cast<double>(std::max<Index>(1, shape.size()));
  auto* blocks = problem_.set ? query<BlockOracle>(*problem_.set) : nullptr;
  auto* tail = query<FreeTail>(*problem_.objective);
  if (!blocks) return;
  blocks_ = static_cast<double>(blocks->block_shapes(tail ? tail->constrained_shape() : shape).size());
}

bool GapChecks::measures() const { return measured_function(*problem_.objective) != nullptr; }

double GapChecks::terms() const {
  const Index n = problem_.objective->terms(),
              measured = n == kUnbounded ? held_out_draws(*problem_.objective) : n;
  return measured > 0 ? static_cast<double>(measured) : 1.0;
}

/// Component gradients and Hessian products count 1. An oracle call counts one pass, and so do a call for
/// every block and a step of every coordinate. Multiplications of decompositions count kComponents.
double GapChecks::work() const {
  const Counts& counts = numbers_.counts;
  if (!measures()) return static_cast<double>(numbers_.iterations);
  const double oracles = static_cast<double>(counts.lo),
               moved = static_cast<double>(counts.coordinate_steps) / coordinates_,
               blocks = static_cast<double>(counts.partial_lo) / blocks_;
  return static_cast<double>(counts.sfo + counts.hvp) + terms() * (oracles + moved + blocks) +
         kComponents * spectral_work_;
}

void GapChecks::add_measurement(bool known, double multiplications) {
  const double passes = known                                     ? kKnownPasses
                        : query<LossOfImage>(*problem_.objective) ? kFusedPasses
                                                                  : kPasses;
  last_check_work_ = passes * terms() + kComponents * multiplications;
  measuring_work_ += last_check_work_;
}

void GapChecks::add_hint(double multiplications) {
  measuring_work_ += kKnownPasses * terms() + kComponents * multiplications;
}

double GapChecks::multiplications_left(bool last) const {
  const double allowance = std::max(kAllowance * terms(), kFree), share = last ? kShare : 0.5 * kShare;
  return std::max(0.0, share * work() + allowance - measuring_work_) / kComponents;
}

/// Ordinary measurements are few enough as they are spaced: sqrt(2 c W) is at most W/10 + 5 c.
bool GapChecks::affordable() const {
  const double cost = last_check_work_, pass = terms();
  return cost <= kOrdinary * pass ||
         measuring_work_ + cost <= kShare * work() + std::max({kAllowance * pass, kFree, kFirst * cost});
}

bool GapChecks::row_affordable() const {
  if (trace_.every) return true;
  if (last_check_work_ > kOrdinary * terms()) return affordable();
  return measuring_work_ <= kShare * work() + kAllowance * terms();
}

bool GapChecks::row_due(Index steps) const {
  const auto epoch_over = [&] { return !problem_.estimator->exact() && problem_.estimator->epoch_due(); };
  return trace_.on && (steps >= next_row_ || (!trace_.every && epoch_over())) && row_affordable();
}

void GapChecks::made_row() {
  const Index t = numbers_.iterations;
  next_row_ = t + (trace_.every ? trace_.every : std::max<Index>(1, t / 10));
}

bool GapChecks::hint_due() {
  if (numbers_.iterations < next_hint_) return false;
  next_hint_ = numbers_.iterations + std::max<Index>(1, numbers_.iterations / 20);
  return true;
}

/// Those that fail take half of the share of measuring. `sure`: the step knows a gap far below the target.
bool GapChecks::confirmation_due(bool sure) const {
  const auto failed = static_cast<double>(numbers_.confirmations_failed);
  return numbers_.iterations >= next_confirmation_ && (sure || failed == 0.0 || affordable()) &&
         (failed - kFirst) * last_check_work_ <= 0.5 * kShare * work();
}

/// A failed confirmation costs a few steps: the next waits for half a percent of the steps so far.
void GapChecks::confirmation_failed() {
  ++numbers_.confirmations_failed;
  next_confirmation_ = numbers_.iterations + std::max<Index>(1, numbers_.iterations / 200);
}

bool GapChecks::check_due(bool hints) const {
  const double patience = hints ? kPatience * terms() : 0.0;
  return numbers_.iterations >= next_check_ && work() >= std::max(next_check_work_, patience) && affordable();
}

/// The next check comes after so much work that the cost c of checks and the work past the target are about
/// the same: sqrt(2 c W). If the points of the gradients give hints, it comes when W has grown by a quarter.
void GapChecks::checked(bool hints) {
  const double done = work(), cost = std::max(terms(), last_check_work_);
  next_check_ = numbers_.iterations + 1;
  next_check_work_ = done + (hints ? kRarely * done : std::max(terms(), std::sqrt(2.0 * cost * done)));
}

bool GapChecks::value_due() {
  if (numbers_.iterations < next_value_ || !measures()) return false;
  next_value_ = 2 * numbers_.iterations;
  return true;
}

void GapChecks::state(StateVisitor& v) {
  v("next row", next_row_);
  v("next check", next_check_);
  v("next check work", next_check_work_);
  v("last check work", last_check_work_);
  v("next confirmation", next_confirmation_);
  v("next hint", next_hint_);
  v("next value", next_value_);
  v("measuring work", measuring_work_);
  v("spectral work", spectral_work_);
}

}  // namespace claros
