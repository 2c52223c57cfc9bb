// SPDX-License-Identifier: BSD-3-Clause
/// @file linear_predictor.hpp  The data that predictions of a linear model need beside its variable: what its
/// columns and classes are.
#pragma once

#include <claros/api.hpp>
#include <claros/element/shape.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

struct TableEncoding;  // of the data library: claros/io/table_encoding.hpp

struct CLAROS_API LinearTraining {
  Index features = 0;                ///< columns of the design
  Shape shape;                       ///< the shape of the variable without its intercepts
  Index outputs = 1;                 ///< numbers z a row
  bool intercept = false;            ///< the variable has `outputs` numbers more
  std::vector<std::string> columns;  ///< their names, or empty
  std::string response;              ///< the name of the response's column; empty if it has none
  std::vector<std::string>
      classes;  ///< of two: those of the targets -1 and 1; of K: in their order; empty: targets are numbers
  std::string positive;                           ///< a LabelRule that told the two classes; may be empty
  std::shared_ptr<const TableEncoding> encoding;  ///< the encoding of the columns of a table; may be null
  bool offset = false;  ///< true if rows had offsets, z = A x + o: those to predict need theirs
  std::vector<std::string> responses = {};  ///< the names of the outputs, where a row has several responses
};

/// Ability of objectives whose variable makes K numbers of every row of a design (DesignMap).
class CLAROS_API LinearPredictor {
 public:
  static constexpr std::string_view kAbility = "claros.linear-predictor/1";
  static constexpr std::string_view kWords = "predictions by row";
  virtual ~LinearPredictor();
  /// Lives as long as the objective, and never changes.
  virtual const LinearTraining& linear_training() const = 0;
  /// One a row, or empty: the weights of a mean (weights_of_mean), and the offsets o of z = A x + o.
  virtual std::span<const double> row_weights() const = 0;
  virtual std::span<const double> row_offsets() const = 0;
};

}  // namespace claros
