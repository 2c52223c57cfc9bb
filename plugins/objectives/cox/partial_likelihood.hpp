// SPDX-License-Identifier: BSD-3-Clause
/// @file partial_likelihood.hpp  The negative logarithm of Cox' partial likelihood.
#pragma once

#include "risk_sums.hpp"

#include <shared/losses/image_function.hpp>

#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace cox {

/// The treatment of events at one time. All have the whole risk set (Breslow 1974), or the k-th of m has it
/// without k/m of the events (Efron 1977).
enum class TieRule { breslow, efron };

/// n phi(z) = sum_D sum_{l<m} (w_D/m) log((sum_{j in R} w_j e^{t_j} - (l/m) sum_{j in D} w_j e^{t_j}) / c_Dl)
///            - sum_events w_i t_i,   t = z + o,   c_Dl = w_D (1 - l/m),
/// over the times of events. D are the events at a time, w_D the sum of their weights, R the rows at risk. By
/// Efron's rule m = |D|, and 1 by Breslow's. The c_Dl make inf phi = 0: 2 n phi is the deviance.
///
/// A time is a sum of functions log sum_j c_j e^{z_j}, whose conjugates are sums of q_j log(q_j / c_j) over
/// probabilities q. The conjugate of their sum is at most the sum of theirs for any q that add up to the
/// slope. The q used here belong to z (a of them) and to the events (1 - a).
///
/// The first call at a point makes sums over risk sets (RiskSums). They are kept until the next point: a step
/// asks for value, gradient, curvature and errors at one. It costs O(n), or O(n log n) if rows enter late.
/// By Efron's rule it costs O(sum_D |D|) more, and the conjugate O(sum_D |D|^2) more. Exponentials are
/// relative to the largest t at risk.
class PartialLikelihood final : public claros::sdk::ImageFunction {
 public:
  PartialLikelihood(RiskSets sets, TieRule rule)
      : sets_(std::move(sets)), rule_(rule), saturated_(saturated()) {}

  double value(Numbers z) const override;
  void gradient(Numbers z, std::span<double> out) const override;
  void curvature(Numbers z, std::span<double> out) const override;
  Product hessian(Numbers z) const override;
  double conjugate(Numbers z, double a) const override;
  double lower_bound() const override { return 0.0; }
  void diagonal_bound(std::span<double> out) const override;
  double largest_curvature() const override { return sets_.mass / scale(); }
  bool ignores_shifts() const override { return true; }
  double value_error(Numbers z) const override;
  void gradient_errors(Numbers z, std::span<double> out) const override;

 private:
  /// One logarithm, with its share of the mass of the time, the factor of the events in it, and the sum.
  struct Term {
    double mass, factor, sum;
  };

  /// A point, its sums and, once it was asked for, its gradient.
  struct Point {
    Point(const RiskSets& sets, Numbers at) : z(at.begin(), at.end()), sums(sets, z) {}
    std::vector<double> z;
    RiskSums sums;
    mutable std::once_flag has_gradient;
    mutable std::vector<double> gradient;
  };

  /// The last point, or a new one. Any thread may ask.
  std::shared_ptr<const Point> point(Numbers z) const;
  const std::vector<double>& gradient(const Point& at) const;
  void make_gradient(const RiskSums& sums, std::span<double> out) const;

  double scale() const { return static_cast<double>(sets_.rows); }
  std::size_t terms_of(const Ties& ties) const { return rule_ == TieRule::efron ? ties.count() : 1; }
  Term term(const RiskSums& sums, std::size_t k, std::size_t l) const;
  /// The sum of `of` over all terms of ties number k.
  template <class Of>
  double add_terms(const RiskSums& sums, std::size_t k, Of of) const {
    double sum = 0.0;
    if (sets_.ties[k].count() > 0)
      for (std::size_t l = 0; l < terms_of(sets_.ties[k]); ++l) sum += of(term(sums, k, l));
    return sum;
  }
  /// For each row the sum of c_k e^{power (base - top_k)} over the ties at which it is at risk. The number
  /// c_k is the sum of `of` over the terms of ties k. For an event of these, terms count by their factor to
  /// the power.
  template <class Of>
  std::vector<double> over_risk(const RiskSums& s, Of of, int power) const {
    std::vector<double> whole(sets_.ties.size()), own(whole.size());
    for (std::size_t k = 0; k < whole.size(); ++k)
      whole[k] = add_terms(s, k, [&](const Term& t) {
        const double made = of(t);
        own[k] += power == 1 ? made * t.factor : made * t.factor * t.factor;
        return made;
      });
    std::vector<double> sums = s.over_times(whole, power);
    each_event([&](std::size_t k) { return own[k]; },
               [&](std::size_t i, double c) { sums[i] += c * s.at_own(i, power); });
    return sums;
  }
  /// For each ties with events, `make` of their number, and `give` with each event and what was made.
  template <class Make, class Give>
  void each_event(Make make, Give give) const {
    for (std::size_t k = 0; k < sets_.ties.size(); ++k) {
      if (sets_.ties[k].count() == 0) continue;
      const auto made = make(k);
      for (std::size_t i = sets_.ties[k].events; i < sets_.ties[k].last; ++i) give(i, made);
    }
  }
  void product(const RiskSums& sums, Numbers d, std::span<double> out) const;
  /// The entropy of the terms of ties k; `moment` is the sum of part (t - top) over the rest.
  double entropy(const RiskSums& sums, std::size_t k, double moment, double a) const;

  double saturated() const;

  RiskSets sets_;
  TieRule rule_;
  double saturated_;  ///< the sum of (w_D/m) log c_Dl
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Point> last_;
};

}  // namespace cox
