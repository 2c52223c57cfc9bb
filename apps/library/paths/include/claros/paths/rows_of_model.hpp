// SPDX-License-Identifier: BSD-3-Clause
/// @file rows_of_model.hpp  The rows that the objective of a composition is a loss of, and the loss itself.
#pragma once

#include <claros/api.hpp>
#include <claros/compose/composition.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/loss.hpp>
#include <claros/map/design.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace claros {

struct CLAROS_API RowsOfModel {
  std::shared_ptr<const Design>
      design;  ///< as the objective multiplies by it: standardized where the options say so
  LinearTraining training;
  std::shared_ptr<Loss> loss;
  std::string loss_name;        ///< the name of its plugin
  std::vector<double> targets;  ///< one a row, as the loss has them
  std::vector<double> weights;  ///< one a row; empty for 1
  std::vector<double> offsets;  ///< one a row, added to its products; empty for 0

  Index rows() const { return design->rows; }
  /// A lower bound of (1/n) sum_i w_i psi(., y_i): the value of a model that has every row right. 0 if
  /// unknown.
  double least_loss() const;
  /// (1/n) sum_i w_i psi(c + o_i, y_i), c the best intercept, or 0 if the model has none. NaN for an
  /// intercept of several outputs, and where Newton's method does not end.
  double null_loss() const;
};

/// The loss of the objective; null if it holds none.
CLAROS_API std::shared_ptr<Loss> loss_of_model(const Composition& composition);
/// Nothing if the objective is not a loss of rows alone: ratings, a smoother within, or errors in
/// variables.
CLAROS_API std::optional<RowsOfModel> rows_of_model(const Composition& composition);

}  // namespace claros
