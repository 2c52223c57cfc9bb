// SPDX-License-Identifier: BSD-3-Clause
#include "grid.hpp"

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/penalties/total_variation.hpp>
#include <shared/sets/norm_conjugate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace {

using namespace claros;

enum class Variation { anisotropic, isotropic };

enum class Along { columns, rows, both };

struct Options {
  double lambda = kUnset;
  Along along = Along::columns;
  Variation kind = Variation::anisotropic;
};

/// A direction whose dual norm is bounded.
struct Bounded {
  std::vector<double> s;
  double norm = 0.0;

  /// a >= 0 with t = a s to rounding.
  std::optional<double> factor_of(std::span<const double> t) const {
    constexpr double kUnits = 4.0 * std::numeric_limits<double>::epsilon();
    if (t.size() != s.size()) return std::nullopt;
    const auto largest = std::ranges::max_element(s, {}, [](double value) { return std::abs(value); });
    if (largest == s.end() || *largest == 0.0) return std::nullopt;
    const double a = t[static_cast<std::size_t>(largest - s.begin())] / *largest;
    for (std::size_t k = 0; k < s.size(); ++k)
      if (!(std::abs(t[k] - a * s[k]) <= kUnits * std::abs(t[k]))) return std::nullopt;
    return a >= 0.0 ? std::optional(a) : std::nullopt;
  }
};

/// h(x) = lambda sum_k |x_k - x_{k-1}|, over each column of the variable (a vector is one) or each row, with
/// an exact prox. Or over both, with a prox up to a gap; `kind` says how the two differences of an entry are
/// added.
class Tv final : public sdk::ArrayPenalty, public Conjugate {
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

  double conjugate(const Element& s) override {
    return sdk::norm_conjugate(dual(s), lambda_, sdk::kInfinity);
  }
  double into_domain(const Element& s) override {
    return sdk::norm_into_domain(dual(s), lambda_, sdk::kInfinity);
  }
  bool certifies_alone() const override { return lambda_ > 0.0; }
  void state(StateVisitor& v) override { v("grid", grid_); }
  void* ability(std::string_view id) noexcept override {
    return offer<ProximalOracle, Conjugate, State>(this, id);
  }

 private:
  /// The dual norm of s, or a bound on it for an image. For a multiple of the last s whose bound was computed
  /// it is that multiple of the bound.
  double dual(const Element& s) {
    const std::span<const double> values = read(s);
    if (!sdk::all_finite(values)) return std::numeric_limits<double>::quiet_NaN();
    if (!both_) return lines_.dual_norm(values);
    if (std::ranges::all_of(values, [](double value) { return value == 0.0; })) return 0.0;
    if (const auto factor = bounded_.factor_of(values)) return *factor * bounded_.norm;
    bounded_ = {{values.begin(), values.end()}, grid_.dual_norm(values, lambda_)};
    return bounded_.norm;
  }
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
  Bounded bounded_;
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
    "the dual. Both are certified by the duality gap. Convex problems have a duality gap: the dual norm is "
    "the largest sum along a line; along both it is bounded by the largest flow of one dual point, which the "
    "proximal step of the direction gives and which is completed to rounding.",
    "Johnson: A dynamic programming algorithm for the fused lasso and L0-segmentation, Journal of "
    "Computational and Graphical Statistics 22, 2013; Barbero, Sra: Modular proximal optimization for "
    "multidimensional total-variation regularization, JMLR 19, 2018; Chambolle, Pock: A remark on "
    "accelerated block coordinate descent for computing the proximity operators of a sum of convex "
    "functions, SMAI-JCM 1, 2015; Beck, Teboulle: Fast gradient-based algorithms for constrained total "
    "variation image denoising and deblurring problems, IEEE Trans. Image Processing 18, 2009 (isotropic)",
    "Use it for signals and images that are constant in pieces. Proximal steps along columns or "
    "rows are exact; along both they are iterated, and the isotropic kind takes longer. Give "
    "lambda as a number: 0.1*max is refused. Where entries are also 0 take fused; for a graph, or "
    "for pieces that are not constant, composed.",
    "objective.use=distance objective.data='0.1 -0.1 0.2 2.1 1.9 2.2 0.1 0' "
    "penalty.use=tv penalty.lambda=0.4 stop.relative_gap=1e-6")
