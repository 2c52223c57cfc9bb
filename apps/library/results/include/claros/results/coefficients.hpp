// SPDX-License-Identifier: BSD-3-Clause
/// @file coefficients.hpp  The solution of a linear model by the names of its columns, and the size of a
/// solution.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/element/element.hpp>

#include <optional>
#include <string>
#include <vector>

namespace claros {

struct CLAROS_API NamedCoefficient {
  std::string name;    ///< the name of the column; "column 3" (from 1) if it has none; "intercept"
  std::string output;  ///< the class that it belongs to; empty if the model has one number a row
  double value = 0.0;  ///< in the units of the data
};

struct CLAROS_API Coefficients {
  std::vector<NamedCoefficient> largest_first;  ///< those that are not 0, by their size in the solution
  std::vector<NamedCoefficient> intercepts;
  Index all = 0;              ///< coefficients without the intercepts
  bool standardized = false;  ///< true if the order is that of standardized columns
};

/// The coefficients of `x`, a solution as the algorithm has it (before Rescaled). Nothing unless the
/// objective is a linear model whose variable has, for each column, one number or one a class.
CLAROS_API std::optional<Coefficients> coefficients_of(const Composition& composition, const Element& x);

/// The deviations of standardised columns, one a coefficient: its effect is its product with that. Empty if
/// no column was scaled, and for more than 100,000 coefficients.
CLAROS_API std::vector<double> column_deviations(const Composition& composition);

/// name,coefficient as CSV (name,class,coefficient if there are several classes), the intercepts first.
CLAROS_API std::string coefficients_csv(const Coefficients& coefficients);

/// The names of the rows and the columns of a solution; empty if it has none.
struct CLAROS_API EntryNames {
  std::vector<std::string> rows, cols;
};

/// The arcs of a flow, or the names in the table that objective.data of `spec` names, if they fit a solution
/// of that shape.
CLAROS_API EntryNames entry_names(const Spec& spec, Index rows, Index cols);
/// They are the same, or the variables of a linear program, or the columns of data in memory.
CLAROS_API EntryNames entry_names(const Composition& composition, const Shape& shape);

/// A solution entry by entry, in its own order.
struct CLAROS_API NamedEntries {
  std::vector<NamedCoefficient> entries;  ///< `output` is the name of the column
  std::string second;                     ///< "column" of a matrix, "class" of a model, else empty
  bool named = false;                     ///< true if the names are not numbers
};

/// All entries of a vector or a linear model; those of a matrix and of blocks that are not 0. Nothing for
/// ratings, which predictions are of, for more than a million numbers, or 100,000 in factors.
CLAROS_API std::optional<NamedEntries> entries_of(const Composition& composition, const Element& x);

/// name,value as CSV; row,column,value for a matrix.
CLAROS_API std::string solution_csv(const NamedEntries& entries);

/// How many numbers a solution needs. Magnitudes below 4 eps of the largest are rounding, not support; free
/// coordinates (FreeTail) do not count.
struct CLAROS_API SolutionSize {
  Index count = -1;      ///< -1: unknown
  bool is_rank = false;  ///< the numerical rank, for factors and for a dense matrix without zeros
};
CLAROS_API SolutionSize solution_size(const Composition& composition, const Element& x);

}  // namespace claros
