// SPDX-License-Identifier: BSD-3-Clause
/// @file reading.hpp  Q and c from files.
#pragma once

#include "form.hpp"

#include <claros/context.hpp>
#include <claros/io/design_io.hpp>
#include <claros/parameters.hpp>

#include <memory>
#include <string>
#include <vector>

namespace quadratic {

/// The kind of the data's rows.
enum class Rows { automatic, matrix, factors, samples, prices };
const claros::EnumWords<Rows>& rows_words();

struct Options {
  std::string data;
  Rows form = Rows::automatic;
  std::string diagonal, linear;
  double linear_factor = 1.0;
  claros::DesignOptions table;
};

struct Data {
  std::unique_ptr<Form> q;
  std::vector<double> c;  ///< the factor included
};

/// Throws Error(usage) for options that do not go together or are missing, Error(data) for data that do not
/// fit.
Data read(const Options& options, const claros::Context& context);

}  // namespace quadratic
