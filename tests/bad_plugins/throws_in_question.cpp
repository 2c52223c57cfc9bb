// SPDX-License-Identifier: BSD-3-Clause
// An algorithm that throws an int from the question that its option names.
#include <claros/algorithm.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>

namespace {

using namespace claros;

class ThrowsInQuestion final : public Algorithm, public State {
 public:
  struct Options {
    std::string in = "report";
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{row("in", &Options::in, any(), "the call that throws")};
    return table;
  }
  ThrowsInQuestion(const Options& options, const Context&) : options_(options) {}
  std::vector<Need> needs() const override { return thrown("needs"), std::vector<Need>(); }
  Takes takes() const override { return thrown("takes"), Takes{.set = true}; }
  void start(const Problem&, Element x0) override { x_ = std::move(x0); }
  void step() override { ++t_; }
  const Element& iterate() const override { return t_ > 2 ? thrown("iterate") : void(), x_; }
  StepReport report() const override { return t_ > 2 ? thrown("report") : void(), StepReport(); }
  void state(StateVisitor& v) override { v("x", x_), v("t", t_); }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  void thrown(const std::string& call) const {
    if (options_.in == call) throw 7;
  }
  Options options_;
  Element x_;
  Index t_ = 0;
};

}  // namespace

CLAROS_PLUGIN(ThrowsInQuestion, Kind::algorithm, "throws-in-question", "", "1.0.0", "Throws from a question.",
              "A fixture of the tests.", "")
