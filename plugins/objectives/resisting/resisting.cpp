// SPDX-License-Identifier: BSD-3-Clause
#include "chain.hpp"
#include "columns.hpp"

#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_objective.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/state/state.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace claros;

struct Options {
  Index columns = 16, dimension = 0;
  double smoothness = 0.0, ell = 14348907.0, radius = 0.0;
};

/// \f$ \bar f(x) = (L \mu^2 / \ell) f(x/\mu) \f$, f(x) = ||x||^2/10 + H_T(V'x), V'V = I, made for the ball of
/// radius R = 230 sqrt(T) mu. (Shen et al. 2019, section 5 and appendix 7.1, after Carmon et al. 2017; H_T:
/// chain.hpp.)
///
/// V is that of the resisting oracle (Nemirovskii, Yudin 1983). It settles v_k when the gradient at some
/// point first depends on it, with |y_{k-1}| > 1/2. It is orthogonal to all points of the run until then,
/// that point included. All results are true of the final function. (The paper asks for v_k orthogonal to x_0
/// .. x_k, but x_k depends on v_k itself.)
///
/// A gradient settles at most one column, and a linear minimisation moves a point into the span of at most
/// one more. So before T of them |y_T| < 1, hence
///     V_C(x) >= 0.08 (L mu^2 / l) 230 sqrt(T) = eps D,  eps = 0.04 L mu / l,  D = 2 R  (appendix 7.1; as
///     f(0) - min f <= 12 T L mu^2 / l =: Delta, T is Omega(L Delta / eps^2)).
/// A call from outside a run, or to measure one, sees the current function (columns.hpp), and settles
/// nothing. n = 1. Units: x as R, f as L R^2.
class Resisting final : public sdk::ArrayObjective, public Adversary, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("columns", &Options::columns, between(1, 1 << 14),
            "how many there are: linear minimisations that no method can do without", "T"),
        row("dimension", &Options::dimension, between(0, 1 << 20),
            "of the variable, at least T; 0: 2 T + 1, which is enough for T points of any kind", "d"),
        row("smoothness", &Options::smoothness, at_least(0),
            "the scale of f: a Lipschitz constant of its gradient, not the smallest; 0: l", "L"),
        row("ell", &Options::ell, above(0),
            "Lipschitz constant of grad H_T that the scale goes by: the "
            "paper's 3^15; 152.2 makes L a tight bound",
            "l"),
        row("radius", &Options::radius, at_least(0),
            "of the ball that it is made for, which makes mu = R / (230 sqrt(T)); 0: mu = 1", "R")};
    return table;
  }

  Resisting(const Options& o, const Context& context)
      : ArrayObjective(Shape::vector(dimension_of(o))),
        height_((o.smoothness > 0.0 ? o.smoothness : o.ell) / o.ell),
        mu_(o.radius > 0.0 ? o.radius / (230.0 * std::sqrt(static_cast<double>(o.columns))) : 1.0),
        columns_(dimension_of(o), o.columns, RandomStream(context.seed, Purpose::draws)),
        y_(static_cast<std::size_t>(o.columns)),
        slopes_(y_.size()) {}

  Constants constants() const override {
    constexpr double kQuadratic = 0.2;
    const double L = height_ * (kQuadratic + chain::kSmoothness);
    return {.smoothness = L,
            .term_smoothness = L,
            .lower_smoothness = height_ * (chain::kSmoothness - kQuadratic),
            .lower_bound = height_ * mu_ * mu_ * chain::lowest(static_cast<double>(columns_.count()))};
  }

  void forget() override { columns_.forget(); }
  void asked(const Element& x, bool gradient) override {
    if (x.shape() != shape()) return;  // refused by the call itself
    const std::span<const double> at = asked_(x);
    columns_.join(at);
    while (gradient && columns_.settled() < columns_.count() && std::abs(last(at)) > chain::kOpens)
      columns_.settle_next();
  }
  void state(StateVisitor& v) override { v("columns", columns_); }
  void* ability(std::string_view id) noexcept override {
    if (void* mine = offer<Adversary, State>(this, id)) return mine;
    return ArrayObjective::ability(id);
  }

 private:
  static Index dimension_of(const Options& o) {
    if (o.dimension == 0) return 2 * o.columns + 1;
    if (o.dimension >= o.columns) return o.dimension;
    throw Error(ErrorKind::usage, "dimension",
                std::to_string(o.dimension) + " dimensions have no " + std::to_string(o.columns) +
                    " orthonormal columns",
                "give at least columns, better 2 T + 1");
  }

  /// y_m of the last settled column; before the first 1, which opens its link.
  double last(std::span<const double> x) {
    const Index m = columns_.settled();
    return m == 0 ? 1.0 : sdk::dot(columns_.column(m - 1), x) / mu_;
  }

  /// y_ <- V'x / mu. Returns the number of columns that matter. These go up to the first that is not settled,
  /// and further unless all other coordinates are so small that they open no link.
  std::size_t look(std::span<const double> x) {
    constexpr double kSmall = 0.9 * chain::kOpens * chain::kOpens;
    const Index T = columns_.count(), m = columns_.settled();
    const bool hidden = columns_.outside(x) < kSmall * mu_ * mu_;
    const Index count = hidden ? std::min(T, m + 1) : T;
    for (Index k = 0; k < count; ++k) y_[static_cast<std::size_t>(k)] = sdk::dot(columns_.column(k), x) / mu_;
    return static_cast<std::size_t>(count);
  }

  double value_at(std::span<const double> x) override {
    const std::size_t count = look(x);
    return height_ * (0.1 * sdk::dot(x, x) + mu_ * mu_ * chain::value({y_.data(), count}));
  }
  void add_gradient_at(std::span<const double> x, const Batch&, double a, std::span<double> g) override {
    const std::size_t count = look(x);
    chain::gradient({y_.data(), count}, {slopes_.data(), count});
    for (std::size_t i = 0; i < g.size(); ++i) g[i] += a * height_ * 0.2 * x[i];
    for (std::size_t k = 0; k < count; ++k) {
      const std::span<const double> v = columns_.column(static_cast<Index>(k));
      const double factor = a * height_ * mu_ * slopes_[k];
      for (std::size_t i = 0; i < g.size() && factor != 0.0; ++i) g[i] += factor * v[i];
    }
  }

  double height_, mu_;  ///< L / l
  ResistingColumns columns_;
  sdk::DenseReader asked_;
  std::vector<double> y_, slopes_;
};

}  // namespace

CLAROS_PLUGIN(Resisting, Kind::objective, "resisting", "", "1.0.0",
              "Resisting oracle: worst-case smooth function for T linear minimisations",
              "f(x) = ||x||^2/10 + H_T(V'x), scaled: smooth, not convex, on a ball of radius R = 230 sqrt(T) "
              "mu. The columns of V are chosen while the run asks, orthogonal to all that it has asked "
              "about (a resisting oracle), and all answers are true of the function of the end. Before T "
              "linear minimisations every point has a gap of 0.04 (L mu / l) D and more. Saved and resumed "
              "with the run; measuring settles nothing.",
              "Shen, Fang, Zhao, Huang, Qian: AISTATS 2019, section 5 and appendix 7.1; Carmon, Duchi, "
              "Hinder, Sidford: Lower bounds for finding stationary points I, 2017; Nemirovskii, Yudin 1983",
              "Use it to test a method against a lower bound, over l2-ball with the radius "
              "R. Before T linear minimisations every gap is large, so give a budget, not "
              "a target. It models no data. For tests with a target that a run meets take "
              "noisy-matrix, or linear-model on generated data.",
              "objective.use=resisting set.use=l2-ball "
              "set.radius=920 algorithm.use=frank-wolfe stop.iterations=16")
