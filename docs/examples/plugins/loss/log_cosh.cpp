// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = s^2 log cosh(r / s), r = z - y: r^2/2 near 0, s |r| far away, smooth everywhere. With t = u/s,
/// psi*(u, y) = u y + (s^2/2)((1 + t) log(1 + t) + (1 - t) log(1 - t)) on |t| <= 1.
struct LogCosh {
  double scale = 1.0;
  static const ParameterList& parameters() {
    static const ParameterTable<LogCosh> table{
        row("scale", &LogCosh::scale, above(0), "residuals far above it cost as many, not as their squares",
            "s")};
    return table;
  }

  double value(double z, double y) const {
    const double r = std::abs(z - y) / scale;
    const double half = std::sinh(0.5 * std::min(r, 20.0));
    return scale * scale * (r > 20.0 ? r - std::log(2.0) : std::log1p(2.0 * half * half));
  }
  double derivative(double z, double y) const { return scale * std::tanh((z - y) / scale); }
  double second_derivative(double z, double y) const {
    const double t = std::tanh((z - y) / scale);
    return (1.0 - t) * (1.0 + t);
  }
  double conjugate(double u, double y) const {
    const double t = u / scale;
    if (!(std::abs(t) <= 1.0)) return std::numeric_limits<double>::infinity();
    const auto term = [](double x) { return x > -1.0 ? (1.0 + x) * std::log1p(x) : 0.0; };
    return u * y + 0.5 * scale * scale * (term(t) + term(-t));
  }
  LossConstants constants() const {
    return {.convex = true,
            .smoothness = 1.0,
            .lower_smoothness = 0.0,
            .third = 4.0 / (3.0 * std::sqrt(3.0) * scale),
            .lower_bound = 0.0,
            .of_difference = true};
  }
};

}  // namespace

CLAROS_PLUGIN(
    sdk::LossOf<LogCosh>, Kind::loss, "log-cosh", "", "1.0.0", "log cosh loss, psi = s^2 log cosh(r / s)",
    "psi(z, y) = s^2 log cosh((z - y)/s): squared near 0, linear far away, with all derivatives.",
    "Green: Bayesian reconstructions from emission tomography data using a modified EM algorithm, IEEE "
    "Transactions on Medical Imaging 9 (1990)")
