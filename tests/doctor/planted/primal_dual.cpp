// SPDX-License-Identifier: BSD-3-Clause
// A sound primal-dual method; each macro plants one bug.
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>

namespace {

using namespace claros;

/// x' = P_C(x - tau (g + y)), y' = v - sigma prox_{h/sigma}(v/sigma) with v = y + sigma (2 x' - x), tau =
/// 1/(L/2 + sigma). (Condat 2013, Algorithm 3.1, with the identity for the linear map.)
class PrimalDual final : public sdk::PointAlgorithm {
 public:
  struct Options {
    double sigma = 1.0;
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("sigma", &Options::sigma, above(0), "length of the dual step", "sigma")};
    return table;
  }
  PrimalDual(const Options& options, const Context&) : sigma_(options.sigma) {}
  std::vector<Need> needs() const override {
    return {need::set_if_any<ProximalOracle>("every step projects onto it"),
            need::exact_estimator("the dual variable adds up the errors of a stochastic gradient")};
  }
  Takes takes() const override { return {.penalty = true, .set = true, .both = true}; }
  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("y", y_);
  }

 private:
  void begin() override {
    if (problem().penalty && problem().penalty->weak_convexity() > 0.0)
      throw Error(ErrorKind::usage, "penalty", "is not convex, and the dual step needs it to be",
                  "give a convex penalty");
    tau_ = 1.0 / (0.5 * smoothness("sigma") + sigma_);
    y_ = Element(x().shape());
  }
  void move(const Element& g) override {
    Element next(x());
    next.add(-tau_, g);
    next.add(-tau_, y_);
    if (problem().projection) {
      Element inside;
      (void)problem().projection->apply(Element::dense(next.shape(), next.to_dense()), 1.0, inside, {});
      next = inside;
    }
    if (problem().penalty) dual_step(next);
    x() = Element::dense(next.shape(), next.to_dense());
    report_step(tau_);
  }
  void dual_step(const Element& next) {
    Element v(y_), p;
#ifdef BUG_EXTRAPOLATION
    v.add(sigma_, next);
#else
    v.add(2.0 * sigma_, next);
    v.add(-sigma_, x());
#endif
    Element scaled = Element::dense(v.shape(), v.to_dense());
    scaled.scale(1.0 / sigma_);
#ifdef BUG_LENGTH
    (void)problem().penalty->apply(scaled, 1.0, p, {});
#else
    (void)problem().penalty->apply(scaled, 1.0 / sigma_, p, {});
#endif
    v.add(-sigma_, p);
    y_ = Element::dense(v.shape(), v.to_dense());
  }

  double sigma_, tau_ = 0.0;
  Element y_;
};

}  // namespace

CLAROS_PLUGIN(PrimalDual, .kind = Kind::algorithm, .name = "planted-primal-dual", .version = "1.0.0",
              .summary = "Primal-dual proximal steps",
              .description = "Condat's method with the identity for the linear map.",
              .citation = "Condat: A primal-dual splitting method, J. Optim. Theory Appl. 2013")
