// SPDX-License-Identifier: BSD-3-Clause
// A sound objective; each macro plants one bug.
#include <claros/objective.hpp>
#include <claros/plugin.hpp>

namespace {

using namespace claros;

/// f(x) = (1/n) sum_i ||x - i 1||^2/2 in R^4, i = 1..n.
class Distances final : public Objective {
 public:
  struct Options {
    Index terms = 5;
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("terms", &Options::terms, between(1, 1000), "number of terms", "n")};
    return table;
  }
  Distances(const Options& options, const Context&) : n_(options.terms) {}

  Shape shape() const override { return Shape::vector(4); }
  Index terms() const override { return n_; }
  double value(const Element& x) override {
    double sum = 0.0;
    for (Index i = 0; i < n_; ++i)
      sum += 0.5 * inner(difference(x, i), difference(x, i)) / static_cast<double>(n_);
    return sum;
  }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    const Index size = batch.size(n_);
#ifdef BUG_TWICE
    a *= 2.0;
#endif
    for (Index k = 0; k < size; ++k) g.add(a / static_cast<double>(size), difference(x, batch[k]));
  }
  Constants constants() const override {
    Constants c;
    c.convex = true;
#ifndef BUG_TWICE
    c.smoothness = c.term_smoothness = c.strong_convexity = 1.0;
#endif
    return c;
  }

 private:
  Element difference(const Element& x, Index i) const {
    Element d(x);
    d.add(-1.0, Element::dense(shape(), std::vector<double>(4, static_cast<double>(i + 1))));
    return d;
  }
  Index n_;
};

}  // namespace

CLAROS_PLUGIN(Distances, Kind::objective, "planted-distances", "", "1.0.0", "Distances to points",
              "Half the mean of squared distances to points on the diagonal.", "")
