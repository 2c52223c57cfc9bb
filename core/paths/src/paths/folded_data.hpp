// SPDX-License-Identifier: BSD-3-Clause
/// @file folded_data.hpp  What is parted into folds: the rows of a linear model, or the observed entries of a
/// matrix.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/loss.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/paths/folds.hpp>

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claros {

/// A part that is held back: predictions are A x and offsets.
struct HeldBackPart {
  std::shared_ptr<const LinearMap> map;
  std::vector<double> targets, weights, offsets;  ///< weights and offsets empty for 1 and 0
  std::vector<std::string> classes;
  std::shared_ptr<const Responses> responses = nullptr;  ///< several a row: targets are their rows; or null
};

/// Rows (or entries), counted from 0.
class FoldedData {
 public:
  /// Throws Error(usage) where the objective is neither a linear model nor ratings.
  static std::shared_ptr<const FoldedData> of(const Composition& whole);
  virtual ~FoldedData() = default;

  virtual std::string unit() const = 0;  ///< "rows"
  virtual Loss& loss() const = 0;
  virtual std::span<const double> targets() const = 0;  ///< as the loss has them
  virtual const std::vector<double>& weights() const = 0;
  virtual const std::vector<Index>& groups() const = 0;
  virtual FoldMetric usual_metric() const = 0;  ///< of numbers, printed beside the loss
  /// The same specification on those rows alone.
  virtual Composition training(const Catalog& catalog, const std::vector<Index>& rows) const = 0;
  /// Those rows, to be predicted by solutions of `trained`.
  virtual HeldBackPart held_back(const Composition& trained, const std::vector<Index>& rows) const = 0;

  Index count() const { return static_cast<Index>(targets().size()); }
};

inline std::size_t at(Index k) { return static_cast<std::size_t>(k); }

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
Spec spec_of_part(const Composition& whole, std::initializer_list<const char*> keys_of_data);
/// Null where the objective is not a loss of rows alone.
std::shared_ptr<const FoldedData> folded_rows(const Composition& whole);
/// Null where it has no observed entries of a matrix.
std::shared_ptr<const FoldedData> folded_ratings(const Composition& whole);

}  // namespace claros
