// SPDX-License-Identifier: BSD-3-Clause
#include "element/elementary_loops.hpp"

#include <claros/element/elementary.hpp>

namespace claros {

void exp_each(std::span<const double> x, std::span<double> out) noexcept {
  kernels::elementary_loops().exp(x.data(), static_cast<std::int64_t>(x.size()), out.data());
}
void log1p_each(std::span<const double> x, std::span<double> out) noexcept {
  kernels::elementary_loops().log1p(x.data(), static_cast<std::int64_t>(x.size()), out.data());
}

}  // namespace claros
