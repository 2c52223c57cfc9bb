// SPDX-License-Identifier: BSD-3-Clause
// What a run measures on its way, and when.
#include "map/spectral_work.hpp"
#include "run/feasibility.hpp"
#include "run/run.hpp"

#include <claros/domain.hpp>
#include <claros/expectation.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

// A value and a gap read the data about so often; of a loss of images once, and where the step has made the
// gradient next to nothing.
constexpr double kPasses = 2.0, kFusedPasses = 1.0, kKnownPasses = 0.05;
// Multiplications of a dense decomposition in the time of a component gradient: it runs from caches, a
// gradient from memory.
constexpr double kComponents = 1.0 / 256.0;
// What measuring may take: a tenth of the steps' work, and so many passes besides, so that the first steps
// are seen.
constexpr double kAllowance = 3.0, kShare = 0.1;
// Of a value whose error was not measured: what its sum may lose.
constexpr double kValueRounding = 1e-12;
// Passes of a measurement that the spacing of looks keeps within that share, but for the first few. Of more
// expensive ones so many component gradients besides, a few milliseconds: small runs are seen from their
// first steps on.
constexpr double kOrdinary = 4.0, kFree = 1e5;
// Expensive measurements that a run may have besides: one that ends after a few steps is not kept from seeing
// it.
constexpr double kFirst = 4.0;
// Looks where hints are given: after so many passes, and whenever the work has grown by that share.
constexpr double kPatience = 32.0, kRarely = 0.25;

}  // namespace

/// Of what is measured.
double Run::components() const {
  const Index n = problem_.objective->components(),
              measured = n == kUnbounded ? held_out_draws(*problem_.objective) : n;
  return measured > 0 ? static_cast<double>(measured) : 1.0;
}

/// Counted, so that the same steps are measured on every machine: component gradients and Hessian products;
/// an oracle's answer is as good as a pass, one for every block is too, a move of every coordinate is one,
/// and what decompositions multiply has a price.
double Run::work() const {
  const Counts& counts = result_.counts;
  if (!measurer_.measures()) return static_cast<double>(result_.iterations);
  const double oracles = static_cast<double>(counts.lo),
               moved = static_cast<double>(counts.coordinate_steps) / coordinates_,
               blocks = static_cast<double>(counts.partial_lo) / blocks_;
  return static_cast<double>(counts.sfo + counts.hvp) + components() * (oracles + moved + blocks) +
         kComponents * loop_.spectral_work;
}

/// Of rows.
bool Run::may_measure() const {
  if (settings_.trace.every) return true;
  if (loop_.last_look_work > kOrdinary * components()) return affordable();
  return loop_.measuring_work <= kShare * work() + kAllowance * components();
}

/// Whether another measurement such as the last leaves measuring within its share. Ordinary ones are few
/// enough as they are spaced: sqrt(2 c W) is at most W/10 + 5 c.
bool Run::affordable() const {
  const double cost = loop_.last_look_work, pass = components();
  return cost <= kOrdinary * pass ||
         loop_.measuring_work + cost <= kShare * work() + std::max({kAllowance * pass, kFree, kFirst * cost});
}

/// For the nested steps of a measurement.
double Run::multiplications_left(double share) const {
  const double allowance = std::max(kAllowance * components(), kFree);
  return std::max(0.0, share * work() + allowance - loop_.measuring_work) / kComponents;
}

/// Before so much work hints alone are waited for.
double Run::patience(bool hinted) const { return hinted ? kPatience * components() : 0.0; }

/// The next look for a target: after so much work that what looks cost and what is done past the target are
/// about the same. Where the points of the gradients give hints, when it has grown by a quarter.
void Run::space_looks(bool hinted) {
  const double done = work(), cost = std::max(components(), loop_.last_look_work);
  loop_.next_look = result_.iterations + 1;
  loop_.next_look_work =
      done + (hinted ? kRarely * done : std::max(components(), std::sqrt(2.0 * cost * done)));
}

Measurement Run::measured(const Element& x) {
  alive();
  const double spectral = detail::spectral_work(), before = result_.measuring_seconds;
  const double left = multiplications_left(finishing_ ? kShare : 0.5 * kShare);
  const Measurement m = measuring([&] { return measurer_.measure(x, left); });
  last_measuring_ = result_.measuring_seconds - before;
  const bool known = informed() && algorithm_.report().gradient_at == &x;
  const double passes = known                                     ? kKnownPasses
                        : query<LossOfImage>(*problem_.objective) ? kFusedPasses
                                                                  : kPasses;
  loop_.last_look_work = passes * components() + kComponents * (detail::spectral_work() - spectral);
  loop_.measuring_work += loop_.last_look_work;
  result_.residual_scale = measurer_.residual_scale();
  if (&x == &algorithm_.iterate()) seen_ = m, seen_iteration_ = result_.iterations;
  loop_.last_value = m.value;
  alive();
  if (!note_value(m.value, x)) return m;
  note_bound(m);
  judge_bound(m, x);
  warn_below_rounding(m);
  if (m.value < loop_.best_point_value && may_diverge_) {
    loop_.best_point_value = m.value;
    loop_.best_point = x;
    loop_.best_point.drop_images();
  }
  const Index epochs = problem_.estimator->epochs();
  const auto held = holding();
  good_ = Known{x, m};
  good_->point.drop_images();  // shared ones would be updated in another order: measuring must change no bits
  note_numbers(epochs);
  return m;
}

/// Whether the value of x is one; that of an expectation that is not measured nobody knows.
bool Run::note_value(double value, const Element& x) {
  loop_.measured_iteration = result_.iterations;
  if (value < loop_.best_value) {
    loop_.best_value = value, loop_.best_iteration = result_.iterations;
    loop_.best_rounding = std::max(measurer_.rounding(), kValueRounding * std::abs(value));
  }
  if (std::isnan(loop_.first_value) && std::isfinite(value)) loop_.first_value = value;
  if (loop_.value_scale == 0.0 && std::isfinite(value)) loop_.value_scale = std::abs(value);
  if (std::isfinite(value) || !measurer_.measures()) return std::isfinite(value);
  if (const auto error = outside_domain(problem_, names_, x)) {
    fail(*error, error->kind() == ErrorKind::plugin ? Status::failed : Status::diverged);
    return false;
  }
  if (value == std::numeric_limits<double>::infinity() && query<Domain>(*problem_.objective)) {
    fail(Error(ErrorKind::numerical, names_.algorithm,
               "the run left the domain of " + names_.objective + ", which is infinite there",
               "take a shorter step, or a method that searches along its steps (proximal-gradient with the "
               "full gradient, frank-wolfe)"),
         Status::diverged);
    return false;
  }
  // A start so far out that f overflows is no divergence yet, traced or not: the gradient may lead back.
  if (value == std::numeric_limits<double>::infinity() && result_.iterations == 0) return false;
  fail(Error(ErrorKind::numerical, names_.objective, "the value is " + std::to_string(value),
             "try a smaller step, look for such values in the data, or check the plugin at a finite point"),
       Status::diverged);
  return false;
}

/// What later values are compared with: they may start at a minimum of value 0, so that of the point 0 counts
/// too. Whether there is a trace, whose first row has the value as well, changes nothing here.
void Run::note_start(const Element& x0) {
  if (!measurer_.measures()) return;
  measuring([&] {
    const double here = measurer_.value(x0), zero = x0.is_zero() ? here : measurer_.value_at_zero();
    if (std::isfinite(here)) {
      loop_.first_value = loop_.best_value = here;
      loop_.best_rounding = kValueRounding * std::abs(here);
    }
    for (const double value : {here, zero})
      if (std::isfinite(value)) loop_.value_scale = std::max(loop_.value_scale, std::abs(value));
    measurer_.start(x0);
  });
}

/// Once a step: measuring again would draw another random start, and a target that was met might no longer
/// be.
Measurement Run::measured_answer() {
  if (loop_.answer_iteration != result_.iterations) loop_.answer_measurement = measured(algorithm_.answer());
  loop_.answer_iteration = result_.iterations;
  return loop_.answer_measurement;
}

/// Whether a look at the point whose full gradient the last step has made reads no data.
bool Run::informed() const {
  return problem_.separable && query<LossOfImage>(*problem_.objective) && algorithm_.report().gradient_at;
}

/// At the point before the last step, where the gradient is known: whether a target is met there, or nearly.
bool Run::hinted() {
  const Element& at = *algorithm_.report().gradient_at;
  if (result_.iterations < loop_.next_hint) return false;
  loop_.next_hint = result_.iterations + std::max<Index>(1, result_.iterations / 20);
  const double spectral = detail::spectral_work(), left = multiplications_left(0.5 * kShare);
  const Measurement m = measuring([&] { return measurer_.measure(at, left); });
  loop_.measuring_work += kKnownPasses * components() + kComponents * (detail::spectral_work() - spectral);
  note_bound(m);
  return is_target(target_met(m));
}

/// Measures the iterate and tells the algorithm, which may then choose another answer.
Measurement Run::look_at_iterate() {
  const bool same = answers_iterate();
  const Measurement m = same ? measured_answer() : measured(algorithm_.iterate());
  algorithm_.measured(m);
  if (const std::string divergence = algorithm_.report().divergence; !divergence.empty())
    fail(Error(ErrorKind::numerical, names_.algorithm, divergence, "take a shorter step"), Status::diverged);
  judge(m);
  loop_.looked_iteration = result_.iterations;
  if (!same) loop_.answer_iteration = -1;
  loop_.last_gap = m.gap;
  loop_.last_residual = m.residual;
  return m;
}

/// Whether there is a row after `t` steps, the last of which has made its estimate.
bool Run::row_due(Index t) const {
  return settings_.trace.on && (t >= loop_.next_row || (!settings_.trace.every && epoch_over())) &&
         may_measure();
}

/// Within a step; the run's clock does not count it.
void Run::note_estimate(const Element& x, const Element& g) {
  const Index t = result_.iterations + 1;
  if (!row_due(t) && t != most_steps()) return;
  double seconds = 0.0;
  loop_.estimator_error = timed(seconds, [&] { return measurer_.estimator_error(x, g); });
  result_.seconds -= seconds;
  result_.measuring_seconds += seconds;
}

void Run::add_row() {
  const Index t = result_.iterations;
  loop_.next_row = t + (settings_.trace.every ? settings_.trace.every : std::max<Index>(1, t / 10));
  const Measurement m = look_at_iterate();
  keep(chosen_row(m));
  if (ended_) return;
  if (settings_.on_row && !host([&] { return settings_.on_row(result_.trace.back()); }))
    return end(Status::stopped_by_host);
  if (!answers_iterate()) return;
  if (const Status status = target_met(m); is_target(status)) end_at_target(status, m);
}

void Run::keep(TraceRow row) {
  const auto held = holding();
  result_.trace.push_back(std::move(row));
}

/// Of the point that the trace is to follow; `m` was measured at the iterate.
TraceRow Run::chosen_row(const Measurement& m) {
  const bool of_answer = settings_.trace.point == "answer" && !answers_iterate();
  return of_answer ? row(measured_answer(), algorithm_.answer()) : row(m, algorithm_.iterate());
}

TraceRow Run::row(const Measurement& m, const Element& x) const {
  TraceRow r;
  r.iteration = result_.iterations;
  r.epoch = problem_.estimator->epochs();
  r.passes = passes();
  r.seconds = result_.seconds;
  r.value = m.value;
  r.gap = m.gap;
  r.residual = m.residual;
  r.unsmoothed = m.unsmoothed;
  r.estimator_error = loop_.estimator_error;
  r.rmse_truth = m.rmse_truth;
  r.test_rmse = m.test_rmse;
  r.step = algorithm_.report().weight;
  // The rank itself would cost a decomposition a row; the result has it.
  const Index columns = std::min({x.columns(), x.shape().rows, x.shape().cols});
  r.rank_or_support = columns > 0 ? columns : rank_or_support(x);
  const Certification& c = result_.certification;
  r.rank_asked = c.asked, r.rank_needed = c.needed;
  if ((settings_.trace.certificate || c.exact > 0) && result_.counts.po > 0)
    r.certified = static_cast<double>(c.exact) / static_cast<double>(result_.counts.po);
  if (settings_.trace.certificate && result_.counts.po > 0) r.certificate_error = c.error;
  r.counts = result_.counts;
  return r;
}

}  // namespace claros
