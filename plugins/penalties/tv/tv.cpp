// SPDX-License-Identifier: BSD-3-Clause
#include "grid.hpp"

#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/penalties/total_variation.hpp>

namespace {

using namespace claros;

enum class Variation { anisotropic, isotropic };

enum class Along { columns, rows, both };

struct Options {
  double lambda = kUnset;
  Along along = Along::columns;
  Variation kind = Variation::anisotropic;
};

/// h(x) = lambda sum_k |x_k - x_{k-1}|, over each column of the variable (a vector is one) or each row, prox
/// exact; or over both, where `kind` says how the two differences of an entry are added, prox to a gap.
class Tv final : public sdk::ArrayPenalty {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "factor of the sum of magnitudes of differences",
                        "constant lines are the solution from some lambda on, 0 is not: try powers of 2 from "
                        "the noise of an entry downwards, and compare on data held back"),
        row("along", &Options::along,
            one_of<Along>({{Along::columns, "columns"}, {Along::rows, "rows"}, {Along::both, "both"}}),
            "the lines of a matrix whose neighbours are compared; both: those of an image"),
        row("kind", &Options::kind,
            one_of<Variation>({{Variation::anisotropic, "anisotropic"}, {Variation::isotropic, "isotropic"}}),
            "of along = both: the magnitudes of the two differences of an entry, or the length of their "
            "vector")};
    return table;
  }

  Tv(const Options& o, const Context&)
      : lambda_(o.lambda),
        both_(o.along == Along::both),
        lines_(o.along == Along::rows),
        grid_(o.kind == Variation::isotropic) {
    if (o.kind == Variation::isotropic && !both_)
      throw Error(ErrorKind::usage, "kind",
                  std::string("along = ") + (o.along == Along::rows ? "rows" : "columns") +
                      " has one difference an entry, whose length is its magnitude",
                  "give along = both, or leave kind out");
  }

 private:
  void fit(const Shape& shape) override {
    lines_.fit(shape);
    if (both_) grid_.fit(shape);
  }
  double penalty(std::span<const double> x) override {
    return lambda_ > 0.0 ? lambda_ * (both_ ? grid_.variation(x) : lines_.variation(x)) : 0.0;
  }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    lines_.prox(v, step * lambda_, x);
  }
  Certificate prox(std::span<const double> v, double step, std::span<double> x,
                   const Accuracy& accuracy) override {
    if (both_) return grid_.prox(v, step * lambda_, x, accuracy);
    prox(v, step, x);
    return {};
  }

  double lambda_;
  bool both_;
  sdk::Lines lines_;
  tv::Grid grid_;
};

}  // namespace

CLAROS_PLUGIN(
    Tv, Kind::penalty, "tv", "total-variation", "1.1.0",
    "Total variation, lambda sum |x_i - x_j| over neighbours",
    "h(x) = lambda sum_k |x_k - x_{k-1}|, along each column of the variable (a vector is one column) or "
    "along each row: solutions are constant in pieces. The proximal step is exact, by Johnson's dynamic "
    "programming, in linear time. Along both, the total variation of an image: anisotropic, the sum over "
    "rows and columns, whose proximal step alternates those of the lines, accelerated, on the dual; or "
    "isotropic, the sum over entries of the length of the two differences, by fast gradient projection on "
    "the dual. Both are certified by the duality gap.",
    "Johnson: A dynamic programming algorithm for the fused lasso and L0-segmentation, Journal of "
    "Computational and Graphical Statistics 22, 2013; Barbero, Sra: Modular proximal optimization for "
    "multidimensional total-variation regularization, JMLR 19, "
    "2018; Chambolle, Pock: A remark on accelerated block coordinate descent for computing the proximity "
    "operators of a sum of convex functions, SMAI-JCM 1, 2015; Beck, Teboulle: Fast gradient-based "
    "algorithms for "
    "constrained total variation image denoising and deblurring problems, IEEE Trans. Image Processing 18, "
    "2009 (isotropic)")
