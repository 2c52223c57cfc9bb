// SPDX-License-Identifier: BSD-3-Clause
/// @file plot_path.hpp  Pictures of a path: its coefficients, and the loss of its lambdas on held-out rows.
#pragma once

#include "plot/plot_script.hpp"

#include <claros/paths/path_record.hpp>

#include <string>

namespace claros::cli {

/// What is drawn of `kept` as a script of gnuplot: every coefficient over lambda, those that grow largest in
/// colour and with their names; or with `y` = "error" the mean loss of a cross-validation with a standard
/// error to both sides. Lines at what was chosen. Throws Error(usage) for another y, Error(data) where the
/// folder does not hold it. Of a path over a second parameter, the coefficients are those of the value that
/// was chosen, or the first, and the losses those of all values.
std::string path_script(const KeptPath& kept, const std::string& y, const std::string& title, Picture picture,
                        std::size_t width);

}  // namespace claros::cli
