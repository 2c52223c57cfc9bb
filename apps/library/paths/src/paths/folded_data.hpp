// SPDX-License-Identifier: BSD-3-Clause
/// @file folded_data.hpp  The data that are divided into folds: the rows of a model, or the observed entries
/// of a matrix.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/row_parts.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claros {

/// Some rows: those that a fold of a division holds back, or all others, or any.
struct FoldPart {
  std::vector<Index> rows;
  std::span<const Index> fold_of = {};  ///< one a row, of the division; empty if the rows are of none
  Index division = 0, fold = 0;
  bool held_back = false;
};

/// Rows (or entries), counted from 0.
class FoldedData {
 public:
  /// Throws Error(usage) if the objective has no rows that could be held back.
  static std::shared_ptr<const FoldedData> of(const Composition& whole);
  virtual ~FoldedData() = default;

  virtual std::string unit() const = 0;  ///< "rows"
  virtual Index count() const = 0;
  /// The class of every row, as a number; empty if responses are numbers.
  virtual std::span<const double> classes() const = 0;
  virtual std::span<const double> weights() const = 0;
  virtual const std::vector<Index>& groups() const = 0;
  /// Throws Error(usage) if nothing can be chosen by that.
  virtual void require(FoldMetric by) const = 0;
  /// Throws Error(data) if these rows alone make no model.
  virtual void require(const std::vector<Index>&) const {}
  /// The measure beside the loss: `by` itself, or the usual one if `by` is the loss.
  virtual FoldMetric beside(FoldMetric by) const = 0;
  /// Composes the same specification on the rows of that part alone.
  virtual Composition training(const Catalog& catalog, const FoldPart& part) const = 0;
  /// Judges predictions of its rows by solutions of `trained`, which outlives it.
  virtual std::unique_ptr<FoldJudge> judge(const Composition& trained, const FoldPart& part,
                                           FoldMetric beside) const = 0;
};

template <class T>
std::vector<T> chosen(std::span<const T> all, const std::vector<Index>& rows) {
  std::vector<T> some;
  if (!all.empty())
    for (const Index i : rows) some.push_back(all[at(i)]);
  return some;
}
template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<Index>& rows) {
  return chosen(std::span<const T>(all), rows);
}

/// The specification without its data, which a part of them replaces; starts and truths are of the whole.
Spec spec_of_part(const Composition& whole, const std::vector<std::string>& keys_of_data);
/// Null if the objective is not a loss of rows alone.
std::shared_ptr<const FoldedData> folded_rows(const Composition& whole);
/// Null if it has no observed entries of a matrix.
std::shared_ptr<const FoldedData> folded_ratings(const Composition& whole);
/// Null if it does not offer RowParts.
std::shared_ptr<const FoldedData> folded_parts(const Composition& whole);

}  // namespace claros
