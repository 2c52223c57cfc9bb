// SPDX-License-Identifier: BSD-3-Clause
/// @file sample_matrix.hpp  The sample covariance matrix from rows or from a file of its own.
#pragma once

#include <claros/context.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/parameters.hpp>

#include <string>

namespace log_det {

/// What the rows of the data are.
enum class Rows { automatic, matrix, samples };

struct Options {
  std::string data;
  Rows form = Rows::automatic;
  bool center = true;
};

/// S, p x p, symmetric bit for bit, without a negative number on its diagonal. Throws Error(usage) for
/// options that do not go together, Error(data) for what is not such a matrix.
claros::DenseTable read(const Options& options, const claros::Context& context);

}  // namespace log_det
