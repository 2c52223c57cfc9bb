// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_sum.hpp>
#include <claros/sdk/stateless.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace claros;

struct Options {};

/// C = C_1 n ... n C_k. The projection is the proximal step of the sum of their indicators
/// (proximal_sum.hpp), begun cold in every call: it lies in C_k, and in the others by the rounding that they
/// allow.
class Intersection final : public Component,
                           public ProximalOracle,
                           public Membership,
                           public Start,
                           public sdk::Stateless {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {},
        {},
        {{"sets",
          Kind::set,
          "the sets whose common points are meant, each with a projection; a projection ends in the last",
          {},
          true,
          true}}};
    return table;
  }

  Intersection(const Options&, const Context& context) : parts_(context.parts<Component>("sets")) {
    for (const auto& part : parts_) {
      auto* projection = query<ProximalOracle>(*part);
      if (!projection)
        throw Error(ErrorKind::usage, "sets",
                    "one has no projection, of which that of the intersection is made",
                    "take sets that have one");
      indicators_.push_back(projection);
    }
  }

  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override {
    if (indicators_.size() == 1) return indicators_.front()->apply(v, step, x, accuracy);
    return apply_sum(indicators_, v, 1.0, x, accuracy, "set/intersection", kApart);
  }
  double value(const Element& x) override {
    double sum = 0.0;
    for (ProximalOracle* indicator : indicators_) sum += indicator->value(x);
    return sum;
  }
  /// The largest of the sets'; NaN where one is.
  double violation(const Element& x) override {
    double worst = 0.0;
    for (const auto& part : parts_) {
      const double excess = query<Membership>(*part)->violation(x);
      if (!(excess <= worst)) worst = excess;
      if (std::isnan(worst)) return worst;
    }
    return worst;
  }
  double slack() const override {
    double most = 0.0;
    for (const auto& part : parts_) most = std::max(most, query<Membership>(*part)->slack());
    return most;
  }
  /// The common point nearest to where the first set starts.
  Element start_point(const Shape& shape) override {
    auto* first = query<Start>(*parts_.front());
    Element x;
    (void)apply(first ? first->start_point(shape) : Element(shape), 1.0, x, {});
    return x;
  }

  void* ability(std::string_view id) noexcept override {
    void* own = offer<ProximalOracle, Membership, Start, State>(this, id);
    if (id != Membership::kAbility) return own;
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const auto& part) { return query<Membership>(*part) != nullptr; })
               ? own
               : nullptr;
  }

 private:
  static constexpr double kApart = 1e-6;  ///< of sets that touch: what an answer may lie outside

  std::vector<std::shared_ptr<Component>> parts_;
  std::vector<ProximalOracle*> indicators_;
};

}  // namespace

CLAROS_PLUGIN(Intersection, Kind::set, "intersection", "", "1.0.0", "Intersection of sets, C_1 n ... n C_k",
              "C = C_1 n ... n C_k, each with a projection. That onto C is found by Dykstra's algorithm, its "
              "dual steps with momentum, from the start anew in every call, and its certificate bounds the "
              "distance to the nearest point. A linear "
              "function has no minimum over C that those of the sets would tell. Sets without a common point "
              "are refused when the projection finds none.",
              "Boyle, Dykstra: A method for finding projections onto the intersection of convex sets in "
              "Hilbert spaces, Lecture Notes in Statistics 37, 1986; Chambolle, Tan, Vaiter: Accelerated "
              "alternating descent methods for "
              "Dykstra-like problems, Journal of Mathematical Imaging and Vision 59, 2017")
