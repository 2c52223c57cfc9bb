// SPDX-License-Identifier: BSD-3-Clause
// A sound Frank-Wolfe method; each macro plants one bug.
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>

namespace {

using namespace claros;

/// x <- (1 - w) x + w v with v = argmin over C of <g, v> and w = 2/(t + 2). The answer is the mean of the
/// points, of weights k = 1, 2, ...
class VertexSteps final : public sdk::PointAlgorithm {
 public:
  struct Options {};
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{};
    return table;
  }
  VertexSteps(const Options&, const Context&) {}
  std::vector<Need> needs() const override {
    return {need::set<LinearOracle>("every step minimises a linear function over the set")};
  }
  Takes takes() const override {
    return {.set = true, .reason = "every step minimises a linear function over the set"};
  }
  const Element& answer() override { return mean_; }
  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("points", points_);
    v("mean", mean_);
  }

 private:
  void begin() override {
#ifndef BUG_COUNTER
    points_ = 0;
#endif
    mean_ = x();
  }
  void move(const Element& g) override {
    Element vertex;
    (void)problem().linear_oracle->minimize(g, {1e-6, false}, vertex);
    const double gap = inner(g, x()) - inner(g, vertex);
#ifdef BUG_CONSTANT
    const double w = 0.5;
#elif defined(BUG_SMALL)
    const double w = 0.02;
#else
    const double w = 2.0 / (2.0 + static_cast<double>(t()));
#endif
    x().blend(w, vertex);
    report_step(w, gap);
    ++points_;
    mean_.blend(2.0 / (1.0 + static_cast<double>(points_)), x());
  }

  Index points_ = 0;
  Element mean_;
};

}  // namespace

CLAROS_PLUGIN(VertexSteps, .kind = Kind::algorithm, .name = "planted-vertex-steps", .version = "1.0.0",
              .summary = "Frank-Wolfe, answered by a mean",
              .description = "x <- (1 - w) x + w v, w = 2/(t + 2).", .citation = "")
