// SPDX-License-Identifier: BSD-3-Clause
/// @file plot_path.hpp  Pictures of a path: its coefficients, and the loss of its lambdas on held-out rows.
#pragma once

#include "plot/plot_script.hpp"

#include <claros/paths/path_record.hpp>

#include <string>
#include <utility>
#include <vector>

namespace claros::cli {

using Profile = std::vector<double>;  ///< a coefficient over the lambdas

/// The effects of the coefficients that are not 0 somewhere, without intercepts: times the deviation of their
/// column, if columns were standardised. The first to enter is first; if several enter together, the largest.
std::vector<std::pair<Index, Profile>> profiles_of(const KeptPath& path);
/// "coefficient", or what profiles_of has.
std::string effect_words(const KeptPath& path);
/// The name of the column, with the number of the output if there are several; "column 3" without names.
std::string coefficient_name(const KeptPath& path, Index j);

/// A script of gnuplot that draws `kept`: every coefficient over lambda, those that grow largest in colour
/// and with their names. With `y` = "error" it draws the mean loss of a cross-validation with a standard
/// error to both sides. Lines mark the chosen values. Throws Error(usage) for another y, Error(data) if the
/// folder does not hold it. For a path over a second parameter, the losses are those of all its values. The
/// coefficients are those of the value that was chosen, or else of the first.
std::string path_script(const KeptPath& kept, const std::string& y, const std::string& title, Picture picture,
                        std::size_t width);

}  // namespace claros::cli
