// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/penalties/spectral_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  double lambda = kUnset;
};

/// h(X) = lambda rank(X); prox: singular values of at most sqrt(2 step lambda) become 0. Values below 1e-10
/// of the largest do not count for the rank. (Singular value projection: Jain, Meka, Dhillon 2010, with the
/// rank priced and not given.)
class Rank final : public sdk::SpectralPenalty {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "price of a singular value that is not 0",
                        "a step of 1/L keeps a singular value s where s^2 > 2 lambda/L: L/2 times the square "
                        "of the smallest that matters")};
    return table;
  }

  Rank(const Options& options, const Context& context) : SpectralPenalty(context), lambda_(options.lambda) {}

  double value(const Element& x) override {
    const std::vector<double> s = x.singular_values();
    const auto counts = [&](double value) { return !(value <= sdk::kRounding * s.front()); };
    return lambda_ * static_cast<double>(std::count_if(s.begin(), s.end(), counts));
  }
  double weak_convexity() const override { return sdk::kInfinity; }

 private:
  double shrink(std::vector<double>& values, double step) override {
    const double least = std::sqrt(2.0 * step * lambda_);
    for (double& value : values)
      if (value <= least) value = 0.0;
    return least;
  }

  double lambda_;
};

}  // namespace

CLAROS_PLUGIN(
    Rank, Kind::penalty, "rank", "", "1.0.0", "Rank, lambda rank(X)",
    "h(X) = lambda rank(X). Proximal step: singular values of at most sqrt(2 step lambda) become 0, by a "
    "full decomposition or, when the algorithm limits the "
    "rank, by a truncated one; the result is kept as factors. No multiple of the squared norm makes it "
    "convex, so there is no gap; algorithms that take such a "
    "penalty end at a fixed point of their step, of which there are many: the start decides.",
    "Jain, Meka, Dhillon: Guaranteed rank minimization via singular value projection, NeurIPS 2010; Attouch, "
    "Bolte, Svaiter: Convergence of descent methods for "
    "semi-algebraic and tame problems, Math. Program. 137, 2013",
    "Use it to give every singular value that is not 0 a price, without shrinkage. Only proximal-gradient "
    "takes it, without a set. It has many fixed points: the start decides, no gap is known, and with a "
    "large lambda a run stays at its start, 0. For a convex problem with a gap take nuclear.",
    "data.use=synthetic-matrix-regression data.rows=20 data.rank=2 objective.use=linear-model "
    "penalty.use=rank penalty.lambda=10 stop.residual=1e-6")
