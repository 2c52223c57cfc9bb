// SPDX-License-Identifier: BSD-3-Clause
#include <shared/spectral/symmetric_part.hpp>

#include <claros/error.hpp>

#include <string>

namespace claros {

SymmetricPart::SymmetricPart(const LinearOperator& a, double factor) : a_(a), factor_(factor) {
  if (a.rows() != a.cols())
    throw Error(ErrorKind::usage, "symmetric part",
                "an operator of " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                    ", where symmetric matrices are square",
                "take a set of matrices of any shape, such as nuclear-ball");
}

void SymmetricPart::apply(std::span<const double> x, std::span<double> y) const {
  a_.apply(x, y);
  transposed_.resize(y.size());
  a_.apply_adjoint(x, transposed_);
  average(y);
}

void SymmetricPart::apply_block(std::span<const double> x, Index count, std::span<double> y) const {
  a_.apply_block(x, count, y);
  transposed_.resize(y.size());
  a_.apply_adjoint_block(x, count, transposed_);
  average(y);
}

void SymmetricPart::entries(std::span<double> out) const {
  a_.entries(out);
  const auto n = at(a_.rows());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i <= j; ++i)
      out[j * n + i] = out[i * n + j] = factor_ * 0.5 * (out[j * n + i] + out[i * n + j]);
}

void SymmetricPart::average(std::span<double> y) const {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = factor_ * 0.5 * (y[i] + transposed_[i]);
}

}  // namespace claros
