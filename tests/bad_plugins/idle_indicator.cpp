// SPDX-License-Identifier: BSD-3-Clause
// The indicator of the entries up to 1/2, whose proximal step does nothing.
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/state/state.hpp>

#include <limits>

namespace {

using namespace claros;

class IdleIndicator final : public Component, public ProximalOracle, public State {
 public:
  struct Options {};
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{};
    return table;
  }
  IdleIndicator(const Options&, const Context&) {}
  Certificate apply(const Element& v, double, Element& x, const Accuracy&) override {
    x = v;
    x.fold();
    return {};
  }
  double value(const Element& x) override {
    for (const double entry : x.to_dense())
      if (entry > 0.5) return std::numeric_limits<double>::infinity();
    return 0.0;
  }
  void state(StateVisitor&) override {}
  void* ability(std::string_view id) noexcept override { return offer<ProximalOracle, State>(this, id); }
};

}  // namespace

CLAROS_PLUGIN(IdleIndicator, Kind::penalty, "idle-indicator", "", "1.0.0", "Its proximal step does nothing.",
              "A fixture of the tests.", "")
