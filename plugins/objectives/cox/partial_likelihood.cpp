// SPDX-License-Identifier: BSD-3-Clause
#include "partial_likelihood.hpp"

#include <claros/abilities.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace cox {

using claros::sum_rounding;

PartialLikelihood::Term PartialLikelihood::term(const RiskSums& sums, std::size_t k, std::size_t l) const {
  const Ties& ties = sets_.ties[k];
  const std::size_t terms = terms_of(ties);
  if (terms == 1) return {ties.mass, 1.0, sums.rest[k] + sums.tied[k]};
  const auto m = static_cast<double>(terms);
  const double factor = 1.0 - static_cast<double>(l) / m;
  return {ties.mass / m, factor, sums.rest[k] + factor * sums.tied[k]};
}

std::shared_ptr<const PartialLikelihood::Point> PartialLikelihood::point(Numbers z) const {
  {
    const std::lock_guard lock(mutex_);
    if (last_ && std::ranges::equal(last_->z, z)) return last_;
  }
  auto made = std::make_shared<const Point>(sets_, z);
  const std::lock_guard lock(mutex_);
  last_ = made;
  return made;
}

const std::vector<double>& PartialLikelihood::gradient(const Point& at) const {
  std::call_once(at.has_gradient, [&] {
    at.gradient.assign(at.z.size(), 0.0);
    make_gradient(at.sums, at.gradient);
  });
  return at.gradient;
}

double PartialLikelihood::value(Numbers z) const {
  const auto at = point(z);
  const RiskSums& s = at->sums;
  double sum = 0.0;
  for (std::size_t k = 0; k < sets_.ties.size(); ++k) {
    const Ties& ties = sets_.ties[k];
    sum += add_terms(s, k, [](const Term& t) { return t.mass * std::log(t.sum); });
    for (std::size_t i = ties.events; i < ties.last; ++i) sum += sets_.weight[i] * (s.top[k] - s.t[i]);
  }
  return (sum - saturated_) / scale();
}

void PartialLikelihood::gradient(Numbers z, std::span<double> out) const {
  std::ranges::copy(gradient(*point(z)), out.begin());
}

void PartialLikelihood::make_gradient(const RiskSums& s, std::span<double> out) const {
  const std::vector<double> sums = over_risk(
      s, [](const Term& t) { return t.mass / t.sum; }, 1);
  for (std::size_t i = 0; i < sums.size(); ++i) out[sets_.row[i]] = s.part[i] * sums[i] / scale();
  for (const Ties& ties : sets_.ties)
    for (std::size_t i = ties.events; i < ties.last; ++i)
      out[sets_.row[i]] = (s.part[i] * sums[i] - sets_.weight[i]) / scale();
}

void PartialLikelihood::curvature(Numbers z, std::span<double> out) const {
  const auto at = point(z);
  const RiskSums& s = at->sums;
  const std::vector<double> first = over_risk(
                                s, [](const Term&t) { return t.mass / t.sum; }, 1),
                            second = over_risk(
                                s, [](const Term&t) { return t.mass / (t.sum * t.sum); }, 2);
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < first.size(); ++i)
    out[sets_.row[i]] = std::max(0.0, s.part[i] * (first[i] - s.part[i] * second[i])) / scale();
}

claros::sdk::ImageFunction::Product PartialLikelihood::hessian(Numbers z) const {
  return [this, at = point(z)](Numbers d, std::span<double> out) { product(at->sums, d, out); };
}

/// Row i of phi''(z) d is part_i times the sum over its terms of (mass / sum) (d_i - mean of d at risk).
void PartialLikelihood::product(const RiskSums& s, Numbers d, std::span<double> out) const {
  std::vector<double> x(s.part);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= d[sets_.row[i]];
  const std::size_t groups = sets_.ties.size();
  std::vector<double> rest(groups), tied(groups, 0.0), whole(groups), means(groups);
  s.at_risk(x, false, [&](std::size_t k, const Pile& sum) { rest[k] = sum.mass; });
  for (std::size_t k = 0; k < groups; ++k)
    for (std::size_t i = sets_.ties[k].events; i < sets_.ties[k].last; ++i) tied[k] += x[i] * s.at_own(i);
  const auto mean = [&](std::size_t k, const Term& t) { return (rest[k] + t.factor * tied[k]) / t.sum; };
  for (std::size_t k = 0; k < groups; ++k) {
    whole[k] = add_terms(s, k, [](const Term& t) { return t.mass / t.sum; });
    means[k] = add_terms(s, k, [&](const Term& t) { return t.mass / t.sum * mean(k, t); });
  }
  whole = s.over_times(whole);
  means = s.over_times(means);
  each_event(
      [&](std::size_t k) {
        const auto share = [](const Term& t) { return t.factor * t.mass / t.sum; };
        return std::pair(add_terms(s, k, share),
                         add_terms(s, k, [&](const Term& t) { return share(t) * mean(k, t); }));
      },
      [&](std::size_t i, const std::pair<double, double>& own) {
        whole[i] += own.first * s.at_own(i);
        means[i] += own.second * s.at_own(i);
      });
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    out[sets_.row[i]] = s.part[i] * (whole[i] * d[sets_.row[i]] - means[i]) / scale();
}

double PartialLikelihood::entropy(const RiskSums& s, std::size_t k, double moment, double a) const {
  const Ties& ties = sets_.ties[k];
  return add_terms(s, k, [&](const Term& t) {
    const double of_rest = a > 0.0 ? a * (moment + s.rest[k] * (std::log(a) - std::log(t.sum))) / t.sum : 0.0;
    double of_events = 0.0;
    for (std::size_t i = ties.events; i < ties.last; ++i) {
      const double share =
          a * t.factor * s.part[i] * s.at_own(i) / (sets_.weight[i] * t.sum) + (1.0 - a) / ties.mass;
      if (share > 0.0) of_events += sets_.weight[i] * share * std::log(share / t.factor);
    }
    return t.mass * (of_rest + of_events);
  });
}

double PartialLikelihood::conjugate(Numbers z, double a) const {
  const auto at = point(z);
  const RiskSums& s = at->sums;
  double sum = 0.0;
  s.at_risk(s.part, true, [&](std::size_t k, const Pile& risk) {
    if (sets_.ties[k].count() > 0) sum += entropy(s, k, risk.moment, a);
  });
  const std::vector<double>& g = gradient(*at);
  double offsets = 0.0;
  for (std::size_t i = 0; i < sets_.row.size(); ++i) offsets += a * g[sets_.row[i]] * sets_.offset[i];
  return (sum + saturated_) / scale() - offsets;
}

/// At a = 0 q is the events alone: inf phi = -phi*(0).
double PartialLikelihood::saturated() const {
  double sum = 0.0;
  for (const Ties& ties : sets_.ties) {
    const auto m = static_cast<double>(terms_of(ties));
    for (std::size_t l = 0; ties.count() > 0 && l < terms_of(ties); ++l)
      sum += ties.mass / m * (std::log(ties.mass) + std::log(1.0 - static_cast<double>(l) / m));
  }
  return sum;
}

/// diag(q) - q q' <= I/2 on the rows at risk. (Boehning 1992.)
void PartialLikelihood::diagonal_bound(std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  const RiskSums s(sets_, std::vector<double>(sets_.rows, 0.0));
  std::vector<double> masses(sets_.ties.size());
  for (std::size_t k = 0; k < masses.size(); ++k) masses[k] = sets_.ties[k].mass;
  const std::vector<double> sums = s.over_times(masses, 0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const bool event = i >= sets_.ties[sets_.own[i]].events;
    out[sets_.row[i]] = 0.5 * (sums[i] + (event ? masses[sets_.own[i]] : 0.0)) / scale();
  }
}

/// Sums one after the other err by 8 times the sum_rounding of many side by side.
double PartialLikelihood::value_error(Numbers z) const {
  constexpr double kSequential = 8.0, kUnit = 0.5 * std::numeric_limits<double>::epsilon();
  const auto at = point(z);
  const RiskSums& s = at->sums;
  double logs = 0.0, largest = 0.0;
  for (std::size_t k = 0; k < sets_.ties.size(); ++k) {
    const Ties& ties = sets_.ties[k];
    logs += add_terms(s, k, [](const Term& t) { return t.mass * (1.0 + std::abs(std::log(t.sum))); });
    for (std::size_t i = ties.events; i < ties.last; ++i) logs += sets_.weight[i] * (s.top[k] - s.t[i]);
  }
  for (const double t : s.t) largest = std::max(largest, std::abs(t));
  return (kSequential * sum_rounding(static_cast<Index>(sets_.rows)) * logs +
          4.0 * kUnit * largest * sets_.mass) /
         scale();
}

void PartialLikelihood::gradient_errors(Numbers z, std::span<double> out) const {
  constexpr double kSequential = 8.0, kUnit = 0.5 * std::numeric_limits<double>::epsilon();
  gradient(z, out);
  double largest = 0.0;
  for (const double value : z) largest = std::max(largest, std::abs(value));
  for (const double offset : sets_.offset) largest = std::max(largest, std::abs(offset));
  const double unit = kSequential * sum_rounding(static_cast<Index>(sets_.rows)) + 4.0 * kUnit * largest;
  std::vector<double> events(sets_.rows, 0.0);
  for (const Ties& ties : sets_.ties)
    for (std::size_t i = ties.events; i < ties.last; ++i) events[sets_.row[i]] = sets_.weight[i] / scale();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = unit * (std::abs(out[i]) + 2.0 * events[i]);
}

}  // namespace cox
