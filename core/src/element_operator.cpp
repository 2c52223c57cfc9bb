// SPDX-License-Identifier: BSD-3-Clause
#include "forms.hpp"

#include <claros/element_operator.hpp>
#include <claros/error.hpp>

#include <algorithm>

namespace claros {

ElementOperator::ElementOperator(const Element& x) : x_(x) {
  if (x.shape().is_product())
    throw Error(ErrorKind::usage, "element operator", "a product of spaces is not a matrix", "take its blocks one by one");
  x_.drop_images();
  x_.fold();
}

void ElementOperator::apply(std::span<const double> x, std::span<double> y) const {
  ++products_;
  std::fill(y.begin(), y.end(), 0.0);
  for (const Part& part : x_.parts()) forms::add_product(part.weight, part.form, x_.shape(), x, y);
}

void ElementOperator::apply_adjoint(std::span<const double> y, std::span<double> x) const {
  ++products_;
  std::fill(x.begin(), x.end(), 0.0);
  for (const Part& part : x_.parts()) forms::add_adjoint_product(part.weight, part.form, x_.shape(), y, x);
}

}  // namespace claros
