// SPDX-License-Identifier: BSD-3-Clause
#include "partial_likelihood.hpp"

#include <claros/abilities.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace cox {

using claros::sum_rounding;

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// e^{from - to} where a sum relative to `from` is not empty.
double rebased(double from, double to) {
  return from == to ? 1.0 : from == kMinusInfinity ? 0.0 : std::exp(from - to);
}

}  // namespace

PartialLikelihood::Sums PartialLikelihood::sums_at(Numbers z) const {
  const std::size_t n = sets_.row.size(), groups = sets_.ties.size();
  Sums s{std::vector<double>(n), std::vector<double>(n), std::vector<double>(groups),
         std::vector<double>(groups), std::vector<double>(groups)};
  double top = kMinusInfinity, sum = 0.0;
  for (std::size_t k = 0; k < groups; ++k) {
    const Ties& ties = sets_.ties[k];
    if (ties.opens) top = kMinusInfinity, sum = 0.0;
    double now = top;
    for (std::size_t i = ties.first; i < ties.last; ++i)
      now = std::max(now, s.t[i] = z[sets_.row[i]] + sets_.offset[i]);
    sum *= rebased(top, now);
    top = now;
    for (std::size_t i = ties.first; i < ties.last; ++i) {
      s.part[i] = sets_.weight[i] * std::exp(s.t[i] - top);
      (i < ties.events ? sum : s.tied[k]) += s.part[i];
    }
    s.top[k] = top;
    s.rest[k] = sum;
    sum += s.tied[k];
  }
  return s;
}

PartialLikelihood::Term PartialLikelihood::term(const Sums& sums, std::size_t k, std::size_t l) const {
  const auto m = static_cast<double>(terms_of(sets_.ties[k]));
  const double factor = 1.0 - static_cast<double>(l) / m;
  return {sets_.ties[k].mass / m, factor, sums.rest[k] + factor * sums.tied[k]};
}

double PartialLikelihood::step_back(const Sums& sums, std::size_t k) const {
  const bool earliest = k + 1 == sets_.ties.size() || sets_.ties[k + 1].opens;
  return earliest ? 0.0 : rebased(sums.top[k], sums.top[k + 1]);
}

double PartialLikelihood::value(Numbers z) const {
  const Sums s = sums_at(z);
  double sum = 0.0;
  for (std::size_t k = 0; k < sets_.ties.size(); ++k) {
    const Ties& ties = sets_.ties[k];
    sum += add_terms(s, k, [](const Term& t) { return t.mass * std::log(t.sum); });
    for (std::size_t i = ties.events; i < ties.last; ++i) sum += sets_.weight[i] * (s.top[k] - s.t[i]);
  }
  return (sum - saturated_) / scale();
}

void PartialLikelihood::gradient(Numbers z, std::span<double> out) const {
  const Sums s = sums_at(z);
  std::fill(out.begin(), out.end(), 0.0);
  double earlier = 0.0;  // sum of mass / sum over the terms of all earlier times
  for (std::size_t k = sets_.ties.size(); k-- > 0;) {
    const Ties& ties = sets_.ties[k];
    earlier *= step_back(s, k);
    const double whole = earlier + add_terms(s, k, [](const Term&t) { return t.mass / t.sum; }),
                 own = earlier + add_terms(s, k, [](const Term&t) { return t.mass * t.factor / t.sum; });
    for (std::size_t i = ties.first; i < ties.last; ++i)
      out[sets_.row[i]] =
          i < ties.events ? s.part[i] * whole / scale() : (s.part[i] * own - sets_.weight[i]) / scale();
    earlier = whole;
  }
}

void PartialLikelihood::curvature(Numbers z, std::span<double> out) const {
  const Sums s = sums_at(z);
  std::fill(out.begin(), out.end(), 0.0);
  double first = 0.0, second = 0.0;
  for (std::size_t k = sets_.ties.size(); k-- > 0;) {
    const Ties& ties = sets_.ties[k];
    const double by = step_back(s, k);
    first *= by;
    second *= by * by;
    const auto power = [](double factor, double sum) { return factor * factor / (sum * sum); };
    const double whole = first + add_terms(s, k, [](const Term&t) { return t.mass / t.sum; }),
                 own = first + add_terms(s, k, [](const Term&t) { return t.mass * t.factor / t.sum; }),
                 whole2 = second + add_terms(s, k, [&](const Term&t) { return t.mass * power(1.0, t.sum); }),
                 own2 =
                     second + add_terms(s, k, [&](const Term&t) { return t.mass * power(t.factor, t.sum); });
    for (std::size_t i = ties.first; i < ties.last; ++i) {
      const bool censored = i < ties.events;
      const double diagonal = s.part[i] * ((censored ? whole : own) - s.part[i] * (censored ? whole2 : own2));
      out[sets_.row[i]] = std::max(0.0, diagonal) / scale();
    }
    first = whole;
    second = whole2;
  }
}

claros::sdk::ImageFunction::Product PartialLikelihood::hessian(Numbers z) const {
  const auto sums = std::make_shared<const Sums>(sums_at(z));
  return [this, sums](Numbers d, std::span<double> out) { product(*sums, d, out); };
}

/// Row i of phi''(z) d is part_i times the sum over earlier terms of (mass / sum) (d_i - mean of d at risk).
void PartialLikelihood::product(const Sums& s, Numbers d, std::span<double> out) const {
  const std::size_t groups = sets_.ties.size();
  std::vector<double> rest(groups), tied(groups, 0.0);  // sums of part times d
  double sum = 0.0;
  for (std::size_t k = 0; k < groups; ++k) {
    const Ties& ties = sets_.ties[k];
    sum = ties.opens ? 0.0 : sum * rebased(s.top[k - 1], s.top[k]);
    for (std::size_t i = ties.first; i < ties.last; ++i)
      (i < ties.events ? sum : tied[k]) += s.part[i] * d[sets_.row[i]];
    rest[k] = sum;
    sum += tied[k];
  }
  std::fill(out.begin(), out.end(), 0.0);
  double first = 0.0, means = 0.0;
  for (std::size_t k = groups; k-- > 0;) {
    const Ties& ties = sets_.ties[k];
    const double by = step_back(s, k);
    first *= by;
    means *= by;
    const auto mean = [&](const Term& t) { return (rest[k] + t.factor * tied[k]) / t.sum; };
    const double whole = first + add_terms(s, k, [](const Term&t) { return t.mass / t.sum; }),
                 own = first + add_terms(s, k, [](const Term&t) { return t.mass * t.factor / t.sum; }),
                 whole_means =
                     means + add_terms(s, k, [&](const Term&t) { return t.mass * mean(t) / t.sum; }),
                 own_means = means + add_terms(s, k, [&](const Term&t) {
                               return t.mass * t.factor * mean(t) / t.sum;
                             });
    for (std::size_t i = ties.first; i < ties.last; ++i) {
      const double of = d[sets_.row[i]];
      out[sets_.row[i]] =
          s.part[i] * (i < ties.events ? whole * of - whole_means : own * of - own_means) / scale();
    }
    first = whole;
    means = whole_means;
  }
}

double PartialLikelihood::entropy(const Sums& s, std::size_t k, double moment, double a) const {
  const Ties& ties = sets_.ties[k];
  return add_terms(s, k, [&](const Term& t) {
    const double of_rest = a > 0.0 ? a * (moment + s.rest[k] * (std::log(a) - std::log(t.sum))) / t.sum : 0.0;
    double of_events = 0.0;
    for (std::size_t i = ties.events; i < ties.last; ++i) {
      const double share = a * t.factor * s.part[i] / (sets_.weight[i] * t.sum) + (1.0 - a) / ties.mass;
      if (share > 0.0) of_events += sets_.weight[i] * share * std::log(share / t.factor);
    }
    return t.mass * (of_rest + of_events);
  });
}

double PartialLikelihood::conjugate(Numbers z, double a) const {
  const Sums s = sums_at(z);
  double sum = 0.0, moment = 0.0, mass = 0.0;  // mass: sum of part at risk before ties k
  for (std::size_t k = 0; k < sets_.ties.size(); ++k) {
    const Ties& ties = sets_.ties[k];
    if (ties.opens) moment = mass = 0.0;
    if (!ties.opens) {
      const double by = rebased(s.top[k - 1], s.top[k]);
      moment = by > 0.0 ? by * (moment + (s.top[k - 1] - s.top[k]) * mass) : 0.0;
    }
    const auto add = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i)
        if (s.part[i] > 0.0) moment += s.part[i] * (s.t[i] - s.top[k]);
    };
    add(ties.first, ties.events);
    if (ties.count() > 0) sum += entropy(s, k, moment, a);
    add(ties.events, ties.last);
    mass = s.rest[k] + s.tied[k];
  }
  std::vector<double> g(sets_.rows);
  gradient(z, g);
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
  double mass = 0.0;
  for (std::size_t k = sets_.ties.size(); k-- > 0;) {
    const Ties& ties = sets_.ties[k];
    mass += ties.mass;
    for (std::size_t i = ties.first; i < ties.last; ++i) out[sets_.row[i]] = 0.5 * mass / scale();
    if (ties.opens) mass = 0.0;
  }
}

/// Sums one after the other err by 8 times the sum_rounding of many side by side.
double PartialLikelihood::value_error(Numbers z) const {
  constexpr double kSequential = 8.0, kUnit = 0.5 * std::numeric_limits<double>::epsilon();
  const Sums s = sums_at(z);
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
