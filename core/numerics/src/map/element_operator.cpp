// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/sparse_kernels.hpp>
#include "element/forms.hpp"
#include "map/spectral_work.hpp"

#include <claros/error.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/map/spread_operator.hpp>

#include <algorithm>

namespace claros {

namespace {

// The multiplications of a dense decomposition that take as long as one entry of a sparse product. Such a
// product reads the entry and its factor from anywhere in memory (measured: 500,000 entries of 10,000 x
// 2,000).
constexpr double kGather = 64.0;

/// The cost of a product with the form, in multiplications of dense decompositions; unknown for an operator.
double numbers(const Form& form, const Shape& shape) {
  if (const auto* f = std::get_if<SparseForm>(&form))
    return kGather * static_cast<double>(f->pattern->entries());
  if (const auto* f = std::get_if<LowRankForm>(&form))
    return static_cast<double>(static_cast<Index>(f->weights.size()) * (shape.rows + shape.cols));
  return static_cast<double>(shape.size());
}

}  // namespace

ElementOperator::ElementOperator(const Element& x) : x_(x) {
  if (x.shape().is_product())
    throw Error(ErrorKind::usage, "element operator", "a product of spaces is not a matrix",
                "take its blocks one by one");
  x_.drop_images();
  x_.fold();
  for (const Part& part : x_.parts()) numbers_ += numbers(part.form, x_.shape());
}

void ElementOperator::count(Index products) const {
  products_ += products;
  detail::spectral_work() += static_cast<double>(products) * numbers_;
}

LinearOperator::Spread ElementOperator::spread() const {
  if (x_.parts().size() != 1) return {};
  const Part& part = x_.parts().front();
  return {spread_operator(part.form), part.weight};
}

void ElementOperator::apply(std::span<const double> x, std::span<double> y) const {
  count(1);
  std::fill(y.begin(), y.end(), 0.0);
  for (const Part& part : x_.parts()) forms::add_product(part.weight, part.form, x_.shape(), x, y);
}

void ElementOperator::apply_adjoint(std::span<const double> y, std::span<double> x) const {
  count(1);
  std::fill(x.begin(), x.end(), 0.0);
  for (const Part& part : x_.parts()) forms::add_adjoint_product(part.weight, part.form, x_.shape(), y, x);
}

void ElementOperator::apply_block(std::span<const double> x, Index count, std::span<double> y) const {
  this->count(count);
  std::fill(y.begin(), y.end(), 0.0);
  for (const Part& part : x_.parts())
    forms::add_block_product(part.weight, part.form, x_.shape(), x, count, y);
}

void ElementOperator::apply_adjoint_block(std::span<const double> y, Index count, std::span<double> x) const {
  this->count(count);
  std::fill(x.begin(), x.end(), 0.0);
  for (const Part& part : x_.parts())
    forms::add_adjoint_block_product(part.weight, part.form, x_.shape(), y, count, x);
}

bool ElementOperator::fuses_round_trip() const {
  return x_.parts().size() == 1 && std::holds_alternative<SparseForm>(x_.parts().front().form);
}

void ElementOperator::round_trip(std::span<const double> x, double beta, std::span<double> image,
                                 std::span<double> back) const {
  if (!fuses_round_trip()) return LinearOperator::round_trip(x, beta, image, back);
  count(2);
  const Part& part = x_.parts().front();
  const auto& form = std::get<SparseForm>(part.form);
  std::fill(back.begin(), back.end(), 0.0);
  sparse::round_trip(part.weight, *form.pattern, form.values.view(), x, beta, image, back);
}

void ElementOperator::entries(std::span<double> out) const {
  const std::vector<double> values = x_.to_dense();
  std::copy(values.begin(), values.end(), out.begin());
}

OperatorSource::~OperatorSource() = default;
SpreadOperator::~SpreadOperator() = default;

const SpreadOperator* spread_operator(const Form& form) {
  const auto* held = std::get_if<OperatorForm>(&form);
  return held && held->op ? held->op->spread().op : nullptr;
}

}  // namespace claros
