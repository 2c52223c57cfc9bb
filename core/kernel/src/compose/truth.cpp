// SPDX-License-Identifier: BSD-3-Clause
#include "compose/truth.hpp"

#include <claros/error.hpp>
#include <claros/io/design_io.hpp>

namespace claros {

Element read_truth(const std::filesystem::path& file, const Shape& shape, const Context& context) {
  DenseTable table = read_numbers(file, context);
  const Shape found = Shape::matrix(table.rows, table.cols);
  if (found != shape)
    throw Error(ErrorKind::data, file.string(), "is " + found.text() + "; the variable is " + shape.text(),
                "give trace.truth = a file of that shape");
  return Element::dense(shape, std::move(table.values));
}

}  // namespace claros
