// SPDX-License-Identifier: BSD-3-Clause
/// @file composed.hpp  Components of the subject's kind, made ready to be worked with.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/state/state.hpp>

#include <optional>

#include "problems.hpp"

namespace claros::doctor {

/// An objective of the subject, on the kit's data (problems.hpp) unless the settings name `data`. A smoother
/// of all shapes is taken at one, which `responses` chooses.
std::shared_ptr<Objective> make_objective(const Bench& bench, const Settings& settings, int responses = 0,
                                          Index rows = 24, int threads = 1);

/// An objective like that of `make_objective`, with the first of the kit's responses that it accepts.
std::shared_ptr<Objective> make_any_objective(const Bench& bench, const Settings& settings, Index rows = 24,
                                              int threads = 1);

/// The maps and patterns that elements of a run on f may refer to.
References references_of(Objective& f);

/// The subject's settings with small batches and epochs, if it has such parameters.
Settings estimator_settings(const Bench& bench);
std::shared_ptr<GradientEstimator> make_estimator(const Bench& bench, const Settings& settings);

/// The problems of estimators: rows of a dense design, entries of a matrix, 40 components that are all the
/// same, an expectation.
inline constexpr int kRows = 0, kEntries = 1, kEqual = 2, kDraws = 3;
std::string form_text(int form);

/// An estimator of the subject that was started on a problem, and points to ask it at.
class Driven {
 public:
  /// `form`: kRows, kEntries, kEqual, kDraws. Throws Skipped when it needs more than the problem has.
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
  std::unique_ptr<Objective> f_;
  Sampler sampler_;
  std::vector<std::shared_ptr<Component>> whole_;  ///< the estimator, then its parts
  std::shared_ptr<GradientEstimator> estimator_;
};

/// The states of the components that a component holds, beside its own as in a run.
void state_of_held(const std::vector<std::shared_ptr<Component>>& whole, StateVisitor& v);

/// A problem for algorithms: f and what goes beside it, the kit's own or a set or penalty of the catalogue.
/// With `vertices`, f is a sum over entries of a matrix, and the set has vertices of rank 1. Else f is a
/// quadratic of 8 entries, diagonal or flat.
struct Side {
  enum class Form { none, penalty, set, both, vertices };
  Form form = Form::none;
  Shape shape = Shape::vector(8);
  const PluginEntry* part = nullptr;  ///< in the place of the kit's

  bool weak = false;     ///< the kit's penalty is not convex, and f + h is
  bool unknown = false;  ///< f says nothing of its constants, and has no abilities
  bool flat = false;     ///< f is not strongly convex (Flat)
  bool sparse = false;   ///< the rows of f are sparse ones
  bool equal = false;    ///< f is a squared distance
  bool corner = false;   ///< f is a sum of corners, (1/n) sum_j |x_j - b_j| n d_j / 2

  bool has_set() const noexcept { return form == Form::set || form == Form::both || form == Form::vertices; }
  /// "f over a box", "f over set/simplex".
  std::string text() const;
};

/// The subject's algorithm on a problem, with the kit's estimator.
class Composed {
 public:
  Composed(const Bench& bench, const Settings& settings, const Side& side, bool sampled = false,
           std::uint64_t sampling = 1);

  /// Why the algorithm does not take this problem; empty when it does.
  std::string refusal();
  void start(const Element& x0);
  /// Starts at the set's own starting point, or 0, or, if the set has neither, at a point of it.
  void start() { start(start_point()); }
  Element start_point();
  /// A point made of random numbers, of the set or any; inside the set if the start is.
  Element somewhere(const Numbers& normals);
  Algorithm& algorithm() const { return *algorithm_; }
  Objective& f() const { return *problem_.objective; }
  Sampler& sampler() { return sampler_; }
  Problem& problem() { return problem_; }
  const Side& side() const { return side_; }
  const Shape& shape() const { return side_.shape; }
  /// f + h.
  double value(const Element& x);
  /// The quantities that Claros would measure at the iterate: the value and, for a set with vertices, the
  /// gap.
  Measurement measured();
  /// How far x lies outside the set, by its membership or else by its projection; 0 without a set, NaN if
  /// it is not known.
  double violation(const Element& x);
  /// A minimiser, and how far the minimum may be below its value; nothing if f + h is not convex.
  struct Solution {
    Numbers x;
    double gap = 0.0;
  };
  std::optional<Solution> solution();
  void state(StateVisitor& v);

 private:
  void take(std::shared_ptr<Component> part);
  Solution by_proximal_steps();
  Solution by_vertices();

  Side side_;
  Diagonal diagonal_;
  Flat flat_;
  std::unique_ptr<FiniteSum> entries_;
  std::shared_ptr<Component> corners_;
  std::shared_ptr<Component> part_, penalty_;  ///< `penalty_` beside a set
  KitFull full_;
  KitBatch batch_;
  Sampler sampler_;
  Problem problem_;
  std::vector<std::shared_ptr<Component>> whole_;  ///< the algorithm, then its parts
  std::shared_ptr<Algorithm> algorithm_;
};

/// The problems that the subject takes: f alone, f with the kit's penalty, f over the kit's box, and those
/// that Subject::with names. If it takes sets or penalties but none of these, Claros' own that it takes.
/// Throws Skipped with the reasons if it takes none, or none of those that were named.
std::vector<Side> sides(const Bench& bench, const Settings& settings, bool sampled = false);
/// Those of the kit's own with a flat f, and with one of sparse rows.
std::vector<Side> flat_and_sparse(const std::vector<Side>& sides);

}  // namespace claros::doctor
