// SPDX-License-Identifier: BSD-3-Clause
/// @file proximal_oracle.hpp  Proximal steps and projections.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>

namespace claros {

/// What to do when an answer of the rank that was asked for is not exact.
enum class Short {
  raise,  ///< compute more, until it is
  leave,  ///< answer with what there is, and say so in the certificate
  stop    ///< Error(numerical)
};

/// How exact a proximal step has to be.
struct Accuracy {
  double tolerance = 1e-10;   ///< distance from the exact answer, relative to the size of the answer
  Index rank = 0;             ///< spectral work to begin with, and to end with unless it is raised; 0: the oracle's choice
  bool certify = false;       ///< whether work may go into the certificate; it changes no answer
  Short when_short = Short::leave;
  /// The points come from a sequence that converges: an oracle may begin where its last answer ended and stop after one sweep, which leaves a
  /// few hundredths of what changed to the next calls. Then `tolerance` is not held.
  bool sequence = false;
};

/// What a proximal oracle says of its answer.
struct Certificate {
  bool exact = true;         ///< verified, not hoped for: within Accuracy::tolerance
  double error = 0.0;        ///< bound on the distance to the exact answer; 0 where none is known, too
  Index rank = 0;            ///< of the answer, for spectral oracles
  Index asked = 0;           ///< the rank that was tried first, for spectral oracles
  Index products = 0;        ///< operator-vector products used
  Index singular_pairs = 0;  ///< rank-one SVDs used
};

/// Ability of penalties and of sets: \f$ prox_{s h}(v) = \arg\min_x h(x) + \|x - v\|^2 / (2 s) \f$, s the step. For a
/// set, h is its indicator and the step does not matter.
class CLAROS_API ProximalOracle {
 public:
  static constexpr std::string_view kAbility = "claros.proximal-oracle/2";
  virtual ~ProximalOracle();
  virtual Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) = 0;
  /// h(x); of a set, 0 or infinity.
  virtual double value(const Element& x) = 0;
  /// The least mu >= 0 for which h + (mu/2)||.||^2 is convex. Infinite where there is none (l0, the rank): then there is a step of
  /// every length, and where it has several answers `apply` gives one of them, always the same.
  virtual double weak_convexity() const { return 0.0; }
};

/// mu of the convexified form of h: h.weak_convexity(), and 0, which leaves h as it is, where that is infinite.
CLAROS_API double convexifying(const ProximalOracle& h);

/// The proximal step of the convexified form of h, mu = convexifying(h):
///     argmin_x step (h(x) + (mu/2)||x||^2) + ||x - v||^2 / 2 = prox_{a step h}(a v),  a = 1 / (1 + step mu).
/// Defined for every step, since a step mu < 1. (Qu, Li, Xu 2017, Algorithm 2.) x may be v.
CLAROS_API Certificate apply_convexified(ProximalOracle& h, const Element& v, double step, Element& x,
                                         const Accuracy& accuracy);

}  // namespace claros
