// SPDX-License-Identifier: BSD-3-Clause
/// @file epoch_numbers.hpp  Batches and epochs of an estimator: as the user gives them, and by their theory.
#pragma once

#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace claros::sdk {

/// In the place of a number: the estimator's own choice, that of its theory, or 1, 2, 4, ...
enum class Chosen { automatic, theory, doubling };
enum class Sampling { uniform, importance };
/// Which numbers the word `theory` can replace: those that EpochEstimator::theory_numbers gives.
enum class TheoryOf { nothing, batch, batch_and_epoch };

/// The numbers of an estimator as the user gives them. Zero constants are the objective's own, or unknown.
struct EpochOptions {
  NumberOr<Chosen> batch = Chosen::automatic;  ///< below 1: a share of the components
  NumberOr<Chosen, Index> epoch = Chosen::automatic;
  NumberOr<Chosen> growth = Chosen::automatic;
  bool replacement = true;
  Sampling sampling = Sampling::uniform;
  Index snapshot = 0;
  double accuracy = 0.0;
  double diameter = 0.0;
  double smoothness = 0.0;
  double hessian_smoothness = 0.0;
};

/// `least`: 1, or 0 where none is a choice.
inline Range counts_or_shares(Index least) {
  Range range = integers(claros::at_least(static_cast<double>(least)));
  range.words += ", or a share of n in (0, 1)";
  const auto counts = std::move(range.accepts);
  range.accepts = [counts](double v) { return (v > 0.0 && v < 1.0) || (counts(v) && v <= 0x1p53); };
  return range;
}

/// A batch of so many components, or of that share of n, as their number.
inline Index counted(double batch, Index n, const std::string& key) {
  if (batch == 0.0 || batch >= 1.0) return static_cast<Index>(batch);
  if (n == kUnbounded)
    throw Error(ErrorKind::usage, key, "is a share of the components, which an expectation does not count",
                "give a number of draws, as in " + key + " = 100");
  return std::max<Index>(1, static_cast<Index>(batch * static_cast<double>(n) * (1.0 + 1e-12)));
}

/// Batch and epoch. An estimator that overrides `theory_numbers` says for which of them it has numbers.
inline std::vector<ParameterRow<EpochOptions>> uniform_batch_rows(TheoryOf theory = TheoryOf::nothing) {
  using O = EpochOptions;
  const EnumWords<Chosen> own{{Chosen::automatic, "auto"}},
      with_theory{{Chosen::automatic, "auto"}, {Chosen::theory, "theory"}};
  const auto &batch_words = theory == TheoryOf::nothing ? own : with_theory,
             &epoch_words = theory == TheoryOf::batch_and_epoch ? with_theory : own;
  return {
      row("batch", &O::batch, number_or(counts_or_shares(1), batch_words),
          "components in one estimate, 1/20 being n/20 of them; auto is n/50, for a linear oracle n/10 (n/4 "
          "of a table, n/50 "
          "where growth is 1), of an expectation 100",
          "|S|"),
      row("epoch", &O::epoch, number_or(integers(at_least(1)), epoch_words),
          "steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an "
          "expectation the snapshot's draws/|S|, or 100 without snapshots",
          "p"),
      row("growth", &O::growth, number_or(between(0, 2), own),
          "the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from "
          "the run's start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the "
          "estimator does not end by itself (sg, momentum): once it has grown to n it is all components"),
      row("replacement", &O::replacement, "whether a batch may hold a component twice (i.i.d. indices)")};
}

/// Options of estimators whose batch may be weighted.
inline std::vector<ParameterRow<EpochOptions>> batch_rows(TheoryOf theory = TheoryOf::nothing) {
  auto rows = uniform_batch_rows(theory);
  rows.push_back(row("sampling", &EpochOptions::sampling,
                     one_of<Sampling>({{Sampling::uniform, "uniform"}, {Sampling::importance, "importance"}}),
                     "how a batch is drawn: all components alike, or each with probability q_i proportional "
                     "to its smoothness, its gradient weighted by 1/(n q_i)",
                     "q"));
  return rows;
}

inline ParameterRow<EpochOptions> snapshot_row() {
  return row("snapshot", &EpochOptions::snapshot, at_least(0),
             "components in the snapshot's gradient; 0 takes all", "k_s");
}
inline ParameterRow<EpochOptions> accuracy_row() {
  return row("accuracy", &EpochOptions::accuracy, at_least(0),
             "for theory: target accuracy, of the batches and of the steps of length epsilon/L; 0: not given",
             "epsilon");
}
inline ParameterRow<EpochOptions> diameter_row() {
  return row("diameter", &EpochOptions::diameter, at_least(0),
             "for theory: diameter of the set; 0: not given", "D");
}
inline ParameterRow<EpochOptions> smoothness_row() {
  return row("smoothness", &EpochOptions::smoothness, at_least(0),
             "for theory: Lipschitz constant of the component gradients; 0: the objective's own", "L");
}
inline ParameterRow<EpochOptions> hessian_smoothness_row() {
  return row("hessian_smoothness", &EpochOptions::hessian_smoothness, at_least(0),
             "for theory: Lipschitz constant of the component Hessians; 0: the objective's own", "L_2");
}

inline std::vector<ParameterRow<EpochOptions>> snapshot_rows() {
  auto rows = batch_rows();
  rows.push_back(snapshot_row());
  return rows;
}
/// Options of an estimator with snapshots that overrides `theory_numbers`.
inline std::vector<ParameterRow<EpochOptions>> theory_snapshot_rows() {
  auto rows = batch_rows(TheoryOf::batch_and_epoch);
  rows[1] =
      row("epoch", &EpochOptions::epoch,
          number_or(integers(at_least(1)), EnumWords<Chosen>{{Chosen::automatic, "auto"},
                                                             {Chosen::theory, "theory"},
                                                             {Chosen::doubling, "doubling"}}),
          "steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an "
          "expectation the snapshot's draws/|S|; doubling: 1, 2, 4, ..., and where batch is auto, |S| is as "
          "many, n the full gradient",
          "p");
  rows.insert(rows.end(), {snapshot_row(), accuracy_row(), smoothness_row()});
  return rows;
}

inline std::vector<ParameterRow<EpochOptions>> curvature_rows() {
  auto rows = theory_snapshot_rows();
  rows.push_back(hessian_smoothness_row());
  return rows;
}

/// The constants that a theory speaks of. Each throws Error(usage) that names it when it is unknown.
class Theory {
 public:
  Theory(const EpochOptions& options, const Constants& constants, Index components)
      : options_(options), constants_(constants), components_(components) {}

  double n() const {
    if (components_ > 0) return static_cast<double>(components_);
    throw unknown("the number n of components",
                  "of an expectation there is none: give batch and epoch as numbers");
  }
  double epsilon() const { return given(options_.accuracy, {}, "the target accuracy epsilon", "accuracy"); }
  double D() const { return given(options_.diameter, {}, "the diameter D of the set", "diameter"); }
  double L() const {
    return given(options_.smoothness, constants_.term_smoothness, "the smoothness L of the components",
                 "smoothness");
  }
  double L2() const {
    return given(options_.hessian_smoothness, constants_.term_hessian_smoothness,
                 "the Hessian smoothness L_2 of the components", "hessian_smoothness");
  }

  /// L_2/L^2: times epsilon a pure number, the same in any unit of x. 0 if Hessians are constant.
  double curvature_ratio() const { return L2() > 0.0 ? L2() / (L() * L()) : 0.0; }

  /// Integers on the safe side of a bound, not thrown off by the last bit of a power.
  static Index at_least(double value) { return integer(std::ceil(value * (1.0 - 1e-12))); }
  static Index at_most(double value) { return integer(std::floor(value * (1.0 + 1e-12))); }

 private:
  static Index integer(double value) { return static_cast<Index>(std::clamp(value, 1.0, 0x1p53)); }
  static Error unknown(const std::string& what, const std::string& remedy) {
    return Error(ErrorKind::usage, "", "theory needs " + what + ", which is not known", remedy);
  }
  static double given(double own, std::optional<double> known, const std::string& what,
                      const std::string& key) {
    if (own > 0.0) return own;
    if (known) return *known;
    throw unknown(what, "give " + key + " = NUMBER, or batch and epoch as numbers");
  }

  const EpochOptions& options_;
  const Constants& constants_;
  Index components_;
};

}  // namespace claros::sdk
