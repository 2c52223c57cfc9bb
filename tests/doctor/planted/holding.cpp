// SPDX-License-Identifier: BSD-3-Clause
// A sound algorithm that holds another, whose state a run saves beside it; each macro plants one bug.
#include <claros/algorithm.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>

namespace {

using namespace claros;

/// Two steps of the inner algorithm a step; the answer is the mean of its points.
class Holding final : public Algorithm, public State {
 public:
  struct Options {};
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{},
                                               {},
                                               {{.name = "inner",
                                                 .kind = Kind::algorithm,
                                                 .meaning = "whose steps are made",
                                                 .fallback = "proximal-gradient",
#ifdef BUG_RESTARTED  // its state is not saved, and goes on
                                                 .restarted = true
#endif
                                               }}};
    return table;
  }
  Holding(const Options&, const Context& context) : inner_(context.part<Algorithm>("inner")) {}
  std::vector<Need> needs() const override { return inner_->needs(); }
  Takes takes() const override { return inner_->takes(); }

  void start(const Problem& problem, Element x0) override {
    inner_->start(problem, x0);
    mean_ = std::move(x0);
    points_ = 0;
  }
  void step() override {
    for (int k = 0; k < 2; ++k) inner_->step();
    ++points_;
#ifdef BUG_WEIGHT
    mean_.blend(1.0 / (1.0 + static_cast<double>(points_ * points_)), inner_->iterate());
#else
    mean_.blend(2.0 / (1.0 + static_cast<double>(points_)), inner_->iterate());
#endif
  }
  const Element& iterate() const override { return inner_->iterate(); }
  const Element& answer() override { return mean_; }
  StepReport report() const override {
    StepReport report;
    report.weight = inner_->report().weight;
    return report;
  }
  void measured(const Measurement& m) override { inner_->measured(m); }
  void state(StateVisitor& v) override {
    v("mean", mean_);
#ifndef BUG_STATE
    v("points", points_);
#endif
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  std::shared_ptr<Algorithm> inner_;
  Element mean_;
  Index points_ = 0;
};

}  // namespace

CLAROS_PLUGIN(Holding, .kind = Kind::algorithm, .name = "planted-holding", .version = "1.0.0",
              .summary = "Steps of another algorithm",
              .description = "Two steps of the inner algorithm a step.", .citation = "")
