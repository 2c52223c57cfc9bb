// SPDX-License-Identifier: BSD-3-Clause
/// @file linear_prediction.hpp  The solution of a linear model as predictions of rows: values, counts,
/// probabilities or scores, as its loss says (loss.hpp).
#pragma once

#include <claros/io/design_io.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/loss.hpp>
#include <claros/results/prediction.hpp>

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace claros {

/// How good predictions are, where targets are known; NaN if a number does not apply.
struct PredictionQuality {
  double loss = std::numeric_limits<double>::quiet_NaN();      ///< mean psi(z, y)
  double accuracy = std::numeric_limits<double>::quiet_NaN();  ///< share of rows whose class is the known one
  double log_loss = std::numeric_limits<double>::quiet_NaN();  ///< mean -log of the probability of the known
                                                               ///< class, at least 2^-52
  double deviance = std::numeric_limits<double>::quiet_NaN();  ///< of counts: mean 2 (psi(z, y) - inf psi(.,
                                                               ///< y)), with a conjugate
  double rmse = std::numeric_limits<double>::quiet_NaN(), mae = rmse;  ///< of values and counts
};

struct RowPredictions {
  ResponseKind kind = ResponseKind::value;
  std::vector<std::string> classes;         ///< of probabilities and scores
  std::vector<std::string> responses = {};  ///< of several values a row: their names
  Index width = 1;  ///< numbers a row: for probabilities one a class, for scores that of z
  std::vector<double> numbers;
  std::vector<Index> chosen;       ///< the class of every row; empty for values and counts
  std::vector<double> known;       ///< the targets, as the loss has them; empty if they are not known
  std::vector<Index> known_class;  ///< their classes; empty for values and counts
  PredictionQuality quality;
};

/// The predictions for z, outputs() numbers a row, as `loss` reads them, and their quality if targets are
/// known (else `known` is empty). The `classes` are those of the training, or those of signs -1 and 1 if
/// there are none.
CLAROS_API RowPredictions predictions_of(std::span<const double> z, std::vector<double> known,
                                         const Loss& loss, std::vector<std::string> classes = {});

/// Brings rows to the columns of the training: by name where both have names, else by their number. Throws
/// Error(data) with `where` for a column that the training did not have, or that is missing (sparse rows may
/// lack the last ones).
CLAROS_API void fit_columns(Design& design, const LinearTraining& training, const std::string& where);

/// z = A x + o of the rows of `design`, brought to the columns of the training (`fit_columns`), which `use`
/// is called with. Throws Error(data), also where the training had offsets o and these rows have none.
CLAROS_API std::vector<double> products_of_rows(const Solution& solution, const LinearTraining& training,
                                                Design design, const std::string& where,
                                                const std::function<void(const Design& fitted)>& use);

/// The predictions of `solution` for the rows of `design`, whose columns fit. `loss` is that of the training,
/// with its classes set. With several responses a row, no targets are known. Otherwise the responses of the
/// design, if there are any, are known targets, and `place` names their rows in errors. Throws Error(data).
CLAROS_API RowPredictions predict_rows(const Solution& solution, const LinearTraining& training,
                                       const Loss& loss, Design design, const std::string& where,
                                       const std::function<std::string(Index row)>& place);

}  // namespace claros
