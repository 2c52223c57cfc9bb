// SPDX-License-Identifier: BSD-3-Clause
// A sound set that holds a list of others: the convex hull of their union. A linear function has its minimum
// at the best of theirs.
#include <claros/linear_oracle.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>

#include <algorithm>

namespace {

using namespace claros;

class Hull final : public Component, public LinearOracle, public State {
 public:
  struct Options {};
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {}, {}, {{"blocks", Kind::set, "the sets of the union", {}, true, true}}};
    return table;
  }
  Hull(const Options&, const Context& context) : blocks_(context.parts<Component>("blocks")) {}

  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override {
    OracleInfo best;
    Element candidate;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      const OracleInfo info = query<LinearOracle>(*blocks_[k])->minimize(direction, request, candidate);
      if (k > 0 && info.value >= best.value) continue;
      const double bound = k == 0 ? info.lower_bound : std::min(best.lower_bound, info.lower_bound);
      best = info;
      best.lower_bound = bound;
      vertex = candidate;
    }
    return best;
  }
  double diameter(const Shape& shape) override {
    double sum = 0.0;
    for (const auto& block : blocks_) sum += query<LinearOracle>(*block)->diameter(shape);
    return sum;
  }
  void state(StateVisitor&) override {}
  void* ability(std::string_view id) noexcept override { return offer<LinearOracle, State>(this, id); }

 private:
  std::vector<std::shared_ptr<Component>> blocks_;
};

}  // namespace

CLAROS_PLUGIN(Hull, Kind::set, "hull", "", "1.0.0", "The convex hull of a union of sets.",
              "A fixture of the tests.", "")
