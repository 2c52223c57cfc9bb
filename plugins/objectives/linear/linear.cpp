// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/objective.hpp>
#include <claros/plugin.hpp>
#include <shared/losses/matrix_data.hpp>

namespace {

using namespace claros;

struct Options {
  std::string data;
  double factor = 1.0;
  DesignOptions table;
};

/// f(X) = t <C, X>: L = mu = 0, f*(U) = 0 at U = t C and infinite elsewhere, so that min f + h = -h*(-t C).
class Linear final : public Objective, public Curvature, public Certified {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(),
             "file of C: .npy, .npz, a table, Matrix Market, PGM or PNG, or numbers written out; empty: the "
             "rows of a data section. One row is a vector",
             "C"),
         row("factor", &Options::factor, any(), "t; -1 maximises <C, X>", "t")},
        {include(&Options::table, matrix_rows())}};
    return table;
  }

  Linear(const Options& o, const Context& context) {
    DenseTable costs = sdk::matrix_of(o.data, o.table, context, "linear", "the costs C");
    sdk::require_all(costs, "data", "give every entry a cost; a large one to what must not be chosen");
    if (!std::isfinite(o.factor))
      throw Error(ErrorKind::usage, "factor", "expected a finite number, found " + print_real(o.factor),
                  "give 1 to minimise, -1 to maximise");
    costs_ = Element::dense(sdk::shape_of(costs), std::move(costs.values));
    costs_.scale(o.factor);
    (void)costs_.dense_values();
  }

  Shape shape() const override { return costs_.shape(); }
  Index terms() const override { return 1; }
  double value(const Element& x) override { return inner(costs_, x); }
  void add_gradient(const Element&, const Batch&, double a, Element& g) override { g.add(a, costs_); }
  void add_gradient_difference(const Element&, const Element&, const Batch&, double, Element&) override {}
  void add_hessian_product(const Element&, const Element&, const Batch&, double, Element&) override {}
  Constants constants() const override {
    Constants c;
    c.convex = true;
    c.smoothness = c.term_smoothness = c.strong_convexity = 0.0;
    c.lower_smoothness = c.hessian_smoothness = c.term_hessian_smoothness = 0.0;
    return c;
  }
  double lower_bound(const Element&, Conjugate& h) override {
    Element s(costs_);
    s.scale(-1.0);
    return -h.conjugate(s);
  }
  void* ability(std::string_view id) noexcept override { return offer<Curvature, Certified>(this, id); }

 private:
  Element costs_;  ///< t C
};

}  // namespace

CLAROS_PLUGIN(
    Linear, Kind::objective, "linear", "linear-program", "1.0.0", "Linear function, t <C, X>",
    "f(X) = t <C, X>, which a set bounds: birkhoff makes it an assignment, flow a cheapest flow or a "
    "shortest path, polytope a linear program, spectrahedron a smallest eigenvalue. frank-wolfe ends in one "
    "step, at a vertex of the set, where algorithm.oracle_tolerance is small (spectral sets; auto sets it). "
    "L = mu = 0, so methods that step by 1/L search the length of their "
    "steps. With a penalty h alone the minimum is -h*(-t C), and there is none where h* is infinite.",
    "Boyd, Vandenberghe: Convex Optimization, Cambridge University Press, 2004, section 4.3",
    "Use it for assignments, cheapest paths and linear programs, with birkhoff, flow or polytope "
    "as the set: frank-wolfe ends in one step. It needs a bounded set or a penalty that grows "
    "fast enough; otherwise there is no minimum. For costs with a quadratic part take quadratic.",
    "objective.use=linear objective.data='4 1 3; 2 0 5; 3 2 2' set.use=birkhoff stop.relative_gap=1e-6")
