// SPDX-License-Identifier: BSD-3-Clause
#include <claros/loss.hpp>

namespace claros {

void Loss::multiply_second(std::span<const double> second, std::span<double> out) const {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] *= second[k];
}
bool Loss::of_classes() const { return false; }
void Loss::set_classes(Index) {}
Index Loss::outputs() const { return 1; }
std::string Loss::targets() const { return {}; }
bool Loss::accepts(double) const { return true; }
bool Loss::has_conjugate() const { return false; }
double Loss::conjugate(std::span<const double>, std::span<const double>, std::span<const double>) const {
  return std::numeric_limits<double>::infinity();
}

}  // namespace claros
