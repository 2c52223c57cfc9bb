// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <claros/api.hpp>
#include <span>
namespace claros {
class CLAROS_API LinearOperator {
 public:
  virtual ~LinearOperator();
  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  virtual void apply(std::span<const double> x, std::span<double> y) const = 0;
  virtual void apply_adjoint(std::span<const double> y, std::span<double> x) const = 0;
};
}
