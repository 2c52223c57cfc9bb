// SPDX-License-Identifier: BSD-3-Clause
#include <claros/loss.hpp>

#include <algorithm>

namespace claros {

void Loss::multiply_second(std::span<const double> second, std::span<double> out) const {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] *= second[k];
}
bool Loss::of_classes() const { return false; }
void Loss::set_classes(Index) {}
Index Loss::outputs() const { return 1; }
std::string Loss::targets() const { return {}; }
bool Loss::accepts(double) const { return true; }
ResponseKind Loss::response() const {
  return of_classes() || wants_signs(*this) ? ResponseKind::score : ResponseKind::value;
}
void Loss::mean(std::span<const double> z, std::span<double> out) const {
  std::copy(z.begin(), z.end(), out.begin());
}
bool wants_signs(const Loss& loss) {
  return !loss.of_classes() && loss.accepts(-1.0) && loss.accepts(1.0) && !loss.accepts(0.0);
}
bool Loss::has_conjugate() const { return false; }
double Loss::conjugate(std::span<const double>, std::span<const double>, std::span<const double>) const {
  return std::numeric_limits<double>::infinity();
}

}  // namespace claros
