// SPDX-License-Identifier: BSD-3-Clause
// R(x) = sum_j (sqrt(x_j^2 + mu^2) - mu) of any shape. Bugs: SHAPE adds to a gradient of another shape,
// FLATTER claims half of the smoothness.
#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/plugin.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace {

using namespace claros;

struct Options {
  double mu = 1.0;
};

class Rounded final : public Objective {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("mu", &Options::mu, above(0), "width of the corner", "mu")};
    return table;
  }
  Rounded(const Options& options, const Context&) : mu_(options.mu) {}

  Shape shape() const override { return {}; }
  Index terms() const override { return 1; }
  double value(const Element& x) override {
    double sum = 0.0;
    for (const double t : x.to_dense()) sum += std::hypot(t, mu_) - mu_;
    return sum;
  }
  void add_gradient(const Element& x, const Batch&, double a, Element& g) override {
#ifndef BUG_SHAPE
    if (x.shape() != g.shape())
      throw Error(ErrorKind::usage, "smoother", "a point and a gradient of other shapes", "give both in one");
#endif
    const std::vector<double> at = x.to_dense();
    const std::span<double> to = g.dense_values();
    for (std::size_t j = 0; j < std::min(at.size(), to.size()); ++j)
      to[j] += a * at[j] / std::hypot(at[j], mu_);
  }
  Constants constants() const override {
#ifdef BUG_FLATTER
    const double L = 0.5 / mu_;
#else
    const double L = 1.0 / mu_;
#endif
    return {.convex = true, .smoothness = L, .term_smoothness = L, .lower_bound = 0.0};
  }

 private:
  double mu_;
};

}  // namespace

CLAROS_PLUGIN(Rounded, Kind::smoother, "rounded", "", "1.0.0", "a smooth sum of magnitudes",
              "sum_j sqrt(x_j^2 + mu^2) - mu", "none")
