// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = r^2/2 where |r| <= delta, delta |r| - delta^2/2 beyond, r = z - y: z is predicted, y was seen.
/// What can be set is a member, and a row of the table.
struct MyLoss {
  double delta = 1.0;
  static const ParameterList& parameters() {
    static const ParameterTable<MyLoss> table{
        row("delta", &MyLoss::delta, above(0), "the residual where the loss becomes linear", "delta")};
    return table;
  }

  // MATHEMATICS 1 of 3: psi, and its first and second derivative in z.
  double value(double z, double y) const {
    const double r = std::abs(z - y);
    return r <= delta ? 0.5 * r * r : delta * (r - 0.5 * delta);
  }
  double derivative(double z, double y) const { return std::clamp(z - y, -delta, delta); }
  double second_derivative(double z, double y) const { return std::abs(z - y) <= delta ? 1.0 : 0.0; }
  // MATHEMATICS 2 of 3: psi*(u, y) = sup over z of u z - psi(z, y), infinite where there is none. With it
  // runs report duality gaps; leave it out where psi is not convex, and end runs by stop.residual.
  double conjugate(double u, double y) const {
    return std::abs(u) <= delta ? u * (y + 0.5 * u) : std::numeric_limits<double>::infinity();
  }
  // MATHEMATICS 3 of 3: what is known for every z and y. Every number may be left out; steps of length auto
  // need the smoothness. A psi that is not convex has .convex = false, and .lower_smoothness = l, the least l
  // for which psi + (l/2) z^2 is convex.
  LossConstants constants() const {
    return {.convex = true,
            .smoothness = 1.0,
            .lower_smoothness = 0.0,
            .third = {},
            .lower_bound = 0.0,
            .of_difference = true};
  }
  // A loss that is not for every target says for which: `static constexpr const char* kTargets = "above 0";`
  // and `static bool accepts(double y) { return y > 0.0; }` (spec.ini then has data.response = positive). psi
  // is finite for every z; a likelihood that is not, such as Poisson's with identity link, is an objective
  // with a domain (claros/domain.hpp). A loss that takes -1 and 1, and not 0, is given two classes of any
  // name as these. Where z is not itself a prediction of y, `static constexpr ResponseKind kResponse =
  // ResponseKind::probability;` (or count, value, score) and `double mean(double z) const` say what it stands
  // for: claros predict shows that.
};

}  // namespace

CLAROS_PLUGIN(sdk::LossOf<MyLoss>, .kind = Kind::loss, .name = "@name@", .version = "0.1.0",
              .summary = "Squared up to a residual of delta, linear beyond",
              .description =
                  "psi(z, y) = r^2/2 for |r| <= delta, delta |r| - delta^2/2 beyond. What claros describe "
                  "shows: the loss, and what for.",
              .citation = "Author, Title, Year: where the formulas come from",
              .guidance = "When to use it, and when not")
