// SPDX-License-Identifier: BSD-3-Clause
/// @file proximal_sum.hpp  The proximal step of a sum of functions from those of its terms, with a bound on
/// its error.
#pragma once

#include <claros/proximal_oracle.hpp>

#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace claros {

/// \f$ p = prox_{s(h_1 + ... + h_k)}(v) = \arg\min_x s \sum_i h_i(x) + \|x - v\|^2 / 2 \f$ for convex h_i
/// with known proximal steps: penalties, and sets by their indicators.
///
/// The dual problem, over u_1 .. u_{k-1} with h_k left to its own proximal step, is smooth up to terms that
/// have one. From y = 0, with m = k - 1:
///   b    = prox_{s h_k}(v - y_1 - ... - y_m),
///   x_i  = prox_{m s h_i}(b + m y_i),   u_i = y_i + (b - x_i)/m,
///   y_i <- u_i + theta (u_i - u_i before).
/// For k = 2 and theta = 0 this is Dykstra's algorithm (Bauschke, Combettes 2008). theta is FISTA's momentum
/// on the dual (Chambolle, Tan, Vaiter 2017), restarted when it turns against the step.
///
/// Every step proves a bound on the error of b. Since u_i is in s dh_i(x_i), the conjugates of the dual value
/// are known without a conjugate oracle. With y and u summed over i,
///   F(b) - D(u) = ||y - u||^2/2 + sum_{i<k} [s h_i(b) - s h_i(x_i) - <u_i, b - x_i>].
/// No term of this is negative, and F is 1-strongly convex, so ||b - p||^2 / 2 is at most F(b) - D(u). If an
/// x_i is itself known to e_i only, e_i ||b - x_i|| + e_i^2/2 is added, and so is the rounding of the values.
/// Numbers of 16 digits prove about 1e-8 of the size of b in this way; b is better than that as a rule.
///
/// h_i(b) has to be finite. b lies in the domain of h_k; if h_i accepts it by the rounding that the term
/// allows, so does the bound. If h_i does not, and b and x_i differ by little, there are two other results.
/// One is c = x_i, if all terms are finite there. The other, for a v far away, is the point that the
/// splitting comes to from b. For any c
///   F(c) - D(u) = ||c - b - (y - u)||^2/2 + sum_{i<k} [s h_i(c) - s h_i(x_i) - <u_i, c - x_i>]
///                 + s h_k(c) - s h_k(b) - <v - y - b, c - b>.
class CLAROS_API ProximalSum {
 public:
  struct Proof {
    /// ||b - p|| at most; infinite if none is known.
    double error = std::numeric_limits<double>::infinity();
    /// max_i ||b - x_i||, and ||y - u||: 0 at p alone.
    double change = std::numeric_limits<double>::infinity();
    Index steps = 0;
  };
  /// The dual points at the start of a step and at its end: s y_i for all terms but the last (`step` = s). If
  /// empty, the step starts at 0.
  struct Duals {
    double step = 0.0;
    std::vector<Element> y;
  };
  /// Returns true if b need not become better.
  using Enough = std::function<bool(const Element& b, const Proof& proof)>;

  /// The terms outlive this; the answer lies in the domain of the last. Convex, two at least (one is its own
  /// step).
  explicit ProximalSum(std::vector<ProximalOracle*> terms, Index most_steps = 10'000)
      : terms_(std::move(terms)), most_(most_steps) {}

  /// b <- p, until `enough`, or nothing moves by more than rounding, or `most_steps` are made. Without
  /// `duals` it starts at y = 0, and the result depends on no earlier call. With them it starts at their
  /// points, scaled to `step`, and leaves its own there when it returns. The proof holds for any start. Polls
  /// Interruption (interruption.hpp).
  Proof apply(const Element& v, double step, Element& b, const Enough& enough, Duals* duals = nullptr) const;

 private:
  std::vector<ProximalOracle*> terms_;
  Index most_;
};

/// h + (mu/2)||.||^2, mu = convexifying(h): convex, with a step of every length. h itself where it is convex.
class CLAROS_API Convexified final : public ProximalOracle {
 public:
  explicit Convexified(ProximalOracle& h) : h_(h), mu_(convexifying(h)) {}
  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override;
  double value(const Element& x) override;

 private:
  ProximalOracle& h_;
  double mu_;
};

/// The proximal step of h_1 + ... + h_k as an ability has it: as near to p as `accuracy` asks, or as
/// arithmetic allows, with the proved error in the certificate. mu_i-weakly convex terms pass as convex ones:
/// with mu = sum mu_i, prox_{s h}(v) = prox_{t h~}(v / (1 - s mu)), t = s / (1 - s mu), h~ = sum (h_i +
/// (mu_i/2)||.||^2). Throws Error(numerical) at `where` if it finds no point at which all terms are finite.
/// Sets that touch make the splitting slow. If points of the terms' domains are at most `apart` ||x|| from
/// each other, x is one of them and no error is known.
CLAROS_API Certificate apply_sum(std::span<ProximalOracle* const> terms, const Element& v, double step,
                                 Element& x, const Accuracy& accuracy, const std::string& where,
                                 double apart = 0.0);

}  // namespace claros
