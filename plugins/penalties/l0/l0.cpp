// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/entrywise_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  double lambda = kUnset;
};

struct Count {
  double lambda;

  double value(double x) const { return x == 0.0 ? 0.0 : std::isnan(x) ? x : lambda; }
  auto prox(double step) const {
    return [least = std::sqrt(2.0 * step * lambda)](double v) { return std::abs(v) <= least ? 0.0 : v; };
  }
  double weak_convexity() const { return sdk::kInfinity; }
};

/// h(x) = lambda ||x||_0, lambda for every entry that is not 0. prox: entries of at most sqrt(2 step lambda)
/// become 0. An entry of just that size has two solutions, 0 and itself. (Blumensath, Davies 2008, iterative
/// hard thresholding.)
class L0 final : public sdk::EntrywisePenalty<Count> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "price of an entry that is not 0",
                        "a step of 1/L keeps an entry x_j where x_j^2 > 2 lambda/L: L/2 times the square of "
                        "the smallest entry that matters")};
    return table;
  }

  L0(const Options& options, const Context&) : EntrywisePenalty({options.lambda}) {}
};

}  // namespace

CLAROS_PLUGIN(L0, Kind::penalty, "l0", "", "1.0.0", "l0, lambda times the number of nonzero entries",
              "h(x) = lambda ||x||_0. Proximal step: hard thresholding at sqrt(2 step lambda). No multiple "
              "of the squared norm makes it convex, so there is "
              "no gap; algorithms that take such a penalty end at a fixed point of their step, of which "
              "there are many: the start decides. Separable.",
              "Blumensath, Davies: Iterative thresholding for sparse approximations, J. Fourier Anal. Appl. "
              "14, 2008; Attouch, Bolte, Svaiter: Convergence of "
              "descent methods for semi-algebraic and tame problems, Math. Program. 137, 2013",
              "Use it to give every entry that is not 0 a price, without shrinkage. It has many fixed "
              "points: the start decides, and no gap is known. Only proximal-gradient, coordinate-descent "
              "and working-set take it, without a set. For a convex problem with a gap take l1, and between "
              "the two mcp or scad.",
              "data.use=synthetic-regression data.rows=200 data.cols=40 data.nonzero=4 "
              "objective.use=linear-model penalty.use=l0 penalty.lambda=0.02 stop.residual=1e-6")
