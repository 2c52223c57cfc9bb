// SPDX-License-Identifier: BSD-3-Clause
// A sound algorithm that holds another, and a set. It makes one or two steps of the inner one, as a coin of
// its own falls, and asks the set now and then: so its state, its draws and its calls show in every trace.
#include <claros/algorithm.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>

namespace {

using namespace claros;

class Nest final : public Algorithm, public State {
 public:
  struct Options {
    Index every = 2;
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("every", &Options::every, at_least(1), "steps between two questions to the gauge")},
        {},
        {{"inner", Kind::algorithm, "makes the steps", "frank-wolfe"},
         {"gauge", Kind::set, "is asked now and then", {}, false}}};
    return table;
  }
  Nest(const Options& options, const Context& context)
      : options_(options),
        inner_(context.part<Algorithm>("inner")),
        gauge_(context.part<Component>("gauge")),
        coin_(context.stream(Purpose::oracle, 7)) {}

  std::vector<Need> needs() const override { return inner_->needs(); }
  Takes takes() const override { return inner_->takes(); }
  void start(const Problem& problem, Element x0) override {
    t_ = 0;
    inner_->start(problem, std::move(x0));
  }
  void step() override {
    inner_->step();
    if (coin_.uniform() < 0.5) inner_->step();
    Element vertex;
    if (++t_ % options_.every == 0 && gauge_)
      query<LinearOracle>(*gauge_)->minimize(inner_->iterate(), {}, vertex);
  }
  const Element& iterate() const override { return inner_->iterate(); }
  const Element& answer() override { return inner_->answer(); }
  StepReport report() const override { return inner_->report(); }
  void measured(const Measurement& m) override { inner_->measured(m); }

  void state(StateVisitor& v) override {
    v("t", t_);
    v("coin", coin_);
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  Options options_;
  std::shared_ptr<Algorithm> inner_;
  std::shared_ptr<Component> gauge_;
  RandomStream coin_;
  Index t_ = 0;
};

}  // namespace

CLAROS_PLUGIN(Nest, Kind::algorithm, "nest", "", "1.0.0", "Holds another algorithm.",
              "A fixture of the tests.", "The book of nests, page 1.")
