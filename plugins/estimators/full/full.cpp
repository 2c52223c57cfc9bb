// SPDX-License-Identifier: BSD-3-Clause
#include <claros/gradient_estimator.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>

namespace {

using namespace claros;

struct Options {};

/// g_t = grad f(x_t).
class FullGradient final : public GradientEstimator, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{};
    return table;
  }

  FullGradient(const Options&, const Context&) {}

  void start(Objective& f, Sampler&) override {
    if (f.components() == kUnbounded)
      throw Error(ErrorKind::usage, "estimator", "full needs a finite sum: an expectation has no full gradient", "use sg, or another estimator that samples");
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
  void state(StateVisitor& v) override { v("passes", passes_); }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  Objective* f_ = nullptr;
  Element g_;
  Index passes_ = 0;
};

}  // namespace

CLAROS_PLUGIN(FullGradient, Kind::estimator, "full", "", "1.0.0", "The gradient itself",
              "g_t = grad f(x_t), one pass over the data a step. Every step is an epoch.", "")
