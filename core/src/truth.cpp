// SPDX-License-Identifier: BSD-3-Clause
#include "truth.hpp"

#include "triplets.hpp"

#include <claros/csv.hpp>
#include <claros/error.hpp>
#include <claros/matrix_market.hpp>
#include <claros/text_input.hpp>

namespace claros {

namespace {

DenseTable read_matrix(const std::filesystem::path& file) {
  TextInput input(file);
  std::string_view first;
  const bool matrix_market = input.next(first) && is_matrix_market(first);
  return matrix_market ? read_matrix_market_array(file) : read_table(file).table;
}

}  // namespace

Element read_truth(const std::filesystem::path& file, const Shape& shape) {
  DenseTable table = read_matrix(file);
  const Shape found = Shape::matrix(table.rows, table.cols);
  if (found != shape)
    throw Error(ErrorKind::data, file.string(), "is " + found.text() + "; the variable is " + shape.text(),
                "give trace.truth = a file of that shape");
  return Element::dense(shape, std::move(table.values));
}

}  // namespace claros
