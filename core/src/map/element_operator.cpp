// SPDX-License-Identifier: BSD-3-Clause
#include "element/forms.hpp"
#include "element/sparse_kernels.hpp"

#include <claros/map/element_operator.hpp>
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

bool ElementOperator::fuses_round_trip() const {
  return x_.parts().size() == 1 && std::holds_alternative<SparseForm>(x_.parts().front().form);
}

void ElementOperator::round_trip(std::span<const double> x, double beta, std::span<double> image, std::span<double> back) const {
  if (!fuses_round_trip()) return LinearOperator::round_trip(x, beta, image, back);
  products_ += 2;
  const Part& part = x_.parts().front();
  const auto& form = std::get<SparseForm>(part.form);
  std::fill(back.begin(), back.end(), 0.0);
  sparse::round_trip(part.weight, *form.pattern, form.values.view(), x, beta, image, back);
}

void ElementOperator::entries(std::span<double> out) const {
  const std::vector<double> values = x_.to_dense();
  std::copy(values.begin(), values.end(), out.begin());
}

}  // namespace claros
