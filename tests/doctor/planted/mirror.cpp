// SPDX-License-Identifier: BSD-3-Clause
// A sound algorithm that works on the simplex and on nothing else; UPHILL has the sign of its step turned,
// ASKS wants an ability of the set that no set has.
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>

#include <cmath>

namespace {

using namespace claros;

/// x_j <- x_j exp(-s g_j) / sum_k x_k exp(-s g_k), in the units of sum_j x_j at the start: entropic mirror
/// descent.
class Mirror final : public sdk::PointAlgorithm {
 public:
  struct Options {
    double step = 0.5;
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("step", &Options::step, above_to(0, 1), "step length", "s")};
    return table;
  }
  Mirror(const Options& options, const Context&) : step_(options.step) {}
  Takes takes() const override { return {.set = true, .reason = "the entropy is a distance of the simplex"}; }
  std::vector<Need> needs() const override {
#ifdef BUG_ASKS
    return {{ Kind::set, "missing.entropy/1", "an entropy", "the distance is that of the set" }};
#else
    return {need::set<LinearOracle>("what is not a simplex is refused by what its vertices are")};
#endif
  }

 private:
  /// The simplex is told by its vertices: one entry, the same in each.
  void begin() override {
    Numbers c(static_cast<std::size_t>(x().shape().size()), 0.0);
    for (const double sign : {1.0, -1.0})
      for (std::size_t j = 0; j < c.size(); ++j) {
        c.assign(c.size(), 0.0);
        c[j] = sign;
        Element v;
        (void)problem().linear_oracle->minimize(Element::dense(x().shape(), c), {1e-6, false}, v);
        int nonzero = 0;
        for (const double value : v.to_dense()) nonzero += value != 0.0, refuse(value >= 0.0);
        refuse(nonzero == 1);
      }
    for (const double value : x().to_dense()) refuse(value > 0.0);
  }
  static void refuse(bool fine) {
    if (!fine)
      throw Error(ErrorKind::usage, "algorithm", "works on the simplex, from within",
                  "compose with set.use = simplex");
  }
  void move(const Element& g) override {
    Numbers at = x().to_dense(), slope = g.to_dense();
    double before = 0.0, after = 0.0;
    for (std::size_t j = 0; j < at.size(); ++j) {
      before += at[j];
#ifdef BUG_UPHILL
      after += at[j] *= std::exp(step_ * slope[j]);
#else
      after += at[j] *= std::exp(-step_ * slope[j]);
#endif
    }
    for (double& value : at) value *= before / after;
    x() = Element::dense(x().shape(), std::move(at));
    report_step(step_);
  }
  using Numbers = std::vector<double>;
  double step_;
};

}  // namespace

CLAROS_PLUGIN(Mirror, Kind::algorithm, "planted-mirror", "", "1.0.0", "Entropic mirror descent",
              "Multiplicative steps on the simplex.", "")
