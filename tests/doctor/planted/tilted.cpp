// SPDX-License-Identifier: BSD-3-Clause
// psi(z, y) = log cosh(r) - t r, r = z - y. Bugs: SLOPE forgets the tilt in the derivative, FLATTER claims
// half of the smoothness, DUAL forgets it in the conjugate, BOUNDED claims a lower bound of 0, CENTRED claims
// that it is smallest at 0, COUNTS that exp(z) is a count that it fits.
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

namespace {

using namespace claros;

struct Tilted {
  double tilt = 0.25;
  static const ParameterList& parameters() {
    static const ParameterTable<Tilted> table{row("tilt", &Tilted::tilt, between(0.125, 0.5), "t")};
    return table;
  }

  static double log_cosh(double r) {
    return std::abs(r) + std::log1p(std::exp(-2.0 * std::abs(r))) - std::log(2.0);
  }
  double value(double z, double y) const { return log_cosh(z - y) - tilt * (z - y); }
#ifdef BUG_SLOPE
  double derivative(double z, double y) const { return std::tanh(z - y); }
#else
  double derivative(double z, double y) const { return std::tanh(z - y) - tilt; }
#endif
  double second_derivative(double z, double y) const { return 1.0 / (std::cosh(z - y) * std::cosh(z - y)); }
  double conjugate(double u, double y) const {
#ifdef BUG_DUAL
    const double v = u;
#else
    const double v = u + tilt;
#endif
    return std::abs(v) <= 1.0 ? u * y + 0.5 * (sdk::entropy_term(1.0 + v) + sdk::entropy_term(1.0 - v))
                              : std::numeric_limits<double>::infinity();
  }
#ifdef BUG_COUNTS
  static constexpr ResponseKind kResponse = ResponseKind::count;
  double mean(double z) const { return std::exp(z); }
#endif
  LossConstants constants() const {
    LossConstants c{.convex = true, .smoothness = 1.0, .lower_smoothness = 0.0, .third = 0.7699};
#ifdef BUG_FLATTER
    c.smoothness = 0.5;
#endif
#ifdef BUG_BOUNDED
    c.lower_bound = 0.0;
#endif
#ifdef BUG_CENTRED
    c.of_difference = true;
#endif
    return c;
  }
};

}  // namespace

CLAROS_PLUGIN(sdk::LossOf<Tilted>, Kind::loss, "tilted", "", "1.0.0", "log cosh with a tilt",
              "log cosh(r) - t r, r = z - y", "none")
