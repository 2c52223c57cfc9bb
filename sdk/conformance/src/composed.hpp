// SPDX-License-Identifier: BSD-3-Clause
/// @file composed.hpp  Components of the subject's kind, made ready to be worked with.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/state/state.hpp>

#include "problems.hpp"

namespace claros::doctor {

/// An objective of the subject, on the kit's data (problems.hpp) unless the settings name `data`. A smoother of all shapes is
/// taken at one, which `responses` chooses.
std::shared_ptr<Objective> make_objective(const Bench& bench, const Settings& settings, int responses = 0,
                                          Index rows = 24, int threads = 1);

/// The maps and patterns that elements of a run on f may refer to.
References references_of(Objective& f);

/// The subject's settings with small batches and epochs, where it has such parameters.
Settings estimator_settings(const Bench& bench);
std::shared_ptr<GradientEstimator> make_estimator(const Bench& bench, const Settings& settings);

/// An estimator of the subject that was started on a problem, and points to ask it at.
class Driven {
 public:
  /// `form`: 0 rows of a dense design, 1 entries of a matrix. Throws Skipped when it needs more than the
  /// problem has.
  Driven(const Bench& bench, const Settings& settings, int form, std::uint64_t sampling);

  GradientEstimator& estimator() const { return *estimator_; }
  Objective& f() const { return *f_; }
  Sampler& sampler() { return sampler_; }
  /// The estimate at x, after begin_epoch(x) when one is due.
  const Element& next(const Element& x);
  EpochPlan plan;  ///< of every epoch
  /// A point, or one at distance `step` from `x`; the same for the same `number`.
  Element point(std::uint64_t number) const;
  Element near(const Element& x, double step, std::uint64_t number) const;
  Numbers gradient(const Element& x) const;
  void state(StateVisitor& v);

 private:
  std::unique_ptr<FiniteSum> f_;
  Sampler sampler_;
  std::shared_ptr<GradientEstimator> estimator_;
};

/// What stands beside f in a problem for algorithms. Of `vertices` f is a sum over entries of a matrix, and the set one whose
/// vertices are of rank 1.
enum class Side { none, penalty, set, vertices };
std::string side_text(Side side);

/// The subject's algorithm on a diagonal quadratic (but see Side::vertices), with the kit's box, penalty and estimator.
class Composed {
 public:
  Composed(const Bench& bench, const Settings& settings, Side side, bool sampled = false,
           std::uint64_t sampling = 1);

  /// Why the algorithm does not take this problem; empty when it does.
  std::string refusal();
  void start(const Element& x0);
  void start() { start(Element(f().shape())); }
  Algorithm& algorithm() const { return *algorithm_; }
  Objective& f() const { return *problem_.objective; }
  KitBox& box() { return box_; }
  Sampler& sampler() { return sampler_; }
  Problem& problem() { return problem_; }
  Side side() const { return side_; }
  Shape shape() const { return diagonal_.shape(); }
  /// f + h.
  double value(const Element& x);
  Numbers solution() const;
  void state(StateVisitor& v);

 private:
  Side side_;
  Diagonal diagonal_;
  std::unique_ptr<FiniteSum> entries_;
  KitBox box_;
  KitCross cross_;
  KitL1 penalty_;
  KitFull full_;
  KitBatch batch_;
  Sampler sampler_;
  Problem problem_;
  std::shared_ptr<Algorithm> algorithm_;
};

/// The diagonal problems that the subject takes. Throws Skipped with the reasons when it takes none.
std::vector<Side> sides(const Bench& bench, const Settings& settings, bool sampled = false);

}  // namespace claros::doctor
