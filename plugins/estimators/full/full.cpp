// SPDX-License-Identifier: BSD-3-Clause
#include <claros/gradient_estimator.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/estimators/gradient_theory.hpp>
#include <claros/state/state.hpp>

namespace {

using namespace claros;

struct Options {
  double accuracy = 0.0, smoothness = 0.0;
};

/// g_t = grad f(x_t).
class FullGradient final : public GradientEstimator, public State, public sdk::GradientTheory {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("accuracy", &Options::accuracy, at_least(0),
            "for a theory of the algorithm: target accuracy, with steps of length epsilon/L; 0: not given",
            "epsilon"),
        row("smoothness", &Options::smoothness, at_least(0),
            "for a theory of the algorithm: Lipschitz constant of the gradient; 0: the objective's own",
            "L")};
    return table;
  }

  FullGradient(const Options& options, const Context&) : options_(options) {}

  void start(Objective& f, Sampler&) override {
    if (f.terms() == kUnbounded)
      throw Error(ErrorKind::usage, "", "full needs a finite sum: an expectation has no full gradient",
                  "use sg, or another gradient estimator that samples");
    f_ = &f;
    g_ = Element(f.shape());
    passes_ = 0;
  }
  bool epoch_due() const override { return false; }
  void begin_epoch(const Element&, const EpochPlan&) override {}
  const Element& estimate(const Element& x, Index) override {
    g_.set_zero();
    f_->add_gradient(x, Batch::all(), 1.0, g_);
    ++passes_;
    return g_;
  }
  bool unbiased() const override { return true; }
  bool exact() const override { return true; }
  Index epochs() const override { return passes_; }
  Steps theory_steps() const override {
    const std::optional<double> known =
        options_.smoothness > 0.0 ? options_.smoothness : f_->constants().smoothness;
    if (!(options_.accuracy > 0.0)) throw unknown("the target accuracy epsilon", "accuracy");
    if (!known) throw unknown("the smoothness L of f", "smoothness");
    return {options_.accuracy, *known};
  }
  void state(StateVisitor& v) override {
    v("passes", passes_);
    v.require(passes_ >= 0, "passes", "negative");
  }
  void* ability(std::string_view id) noexcept override { return offer<State, sdk::GradientTheory>(this, id); }

 private:
  static Error unknown(const std::string& what, const std::string& key) {
    return Error(ErrorKind::usage, "", "theory needs " + what + ", which is not known",
                 "give estimator." + key + " = NUMBER");
  }

  Options options_;
  Objective* f_ = nullptr;
  Element g_;
  Index passes_ = 0;
};

}  // namespace

CLAROS_PLUGIN(FullGradient, Kind::estimator, "full", "", "1.0.0", "Full gradient, g = grad f(x)",
              "g_t = grad f(x_t), one pass over the data a step. Every step is an epoch.", "",
              "Use it first: nothing has to be chosen, and momentum and line searches work. Many algorithms "
              "take nothing else. Every step reads all data: where a pass takes long and a low accuracy is "
              "enough, take svrg or saga. An expectation has no full gradient: take sg, storm or momentum.",
              "data.use=synthetic-regression data.rows=500 data.cols=50 "
              "data.nonzero=5 objective.use=linear-model set.use=simplex "
              "set.radius=1 estimator.use=full stop.relative_gap=1e-6")
