// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  double up = 0.1;
  double down = 0.2;
};

/// h(x) = sum_j (a max(x_j, 0) + b max(-x_j, 0)): an l1 norm that likes one sign better. Its conjugate is 0
/// on -b <= s_j <= a and infinite elsewhere; with it, runs report duality gaps.
class Pinball final : public sdk::ArrayPenalty, public Conjugate {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("up", &Options::up, above(0), "weight of positive entries", "a"),
        row("down", &Options::down, above(0), "weight of negative entries", "b")};
    return table;
  }
  Pinball(const Options& options, const Context&) : up_(options.up), down_(options.down) {}

  double conjugate(const Element& s) override {
    return excess(read(s)) <= 1.0 + sdk::kRounding ? 0.0 : sdk::kInfinity;
  }
  double into_domain(const Element& s) override { return 1.0 / std::max(excess(read(s)), 1.0); }
  void* ability(std::string_view id) noexcept override {
    void* own = offer<Conjugate>(this, id);
    return own ? own : ArrayPenalty::ability(id);
  }

 private:
  double penalty(std::span<const double> x) override {
    return sdk::sum_entries(
        x, [a = up_, b = down_](double value) { return value > 0.0 ? a * value : -b * value; });
  }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    sdk::map_entries(v, x, [a = step * up_, b = step * down_](double value) {
      return value - std::min(std::max(value, -b), a);
    });
  }
  /// How many times the domain of the conjugate s needs.
  double excess(std::span<const double> s) const {
    return sdk::largest(s, 0.0,
                        [a = up_, b = down_](double value) { return value > 0.0 ? value / a : -value / b; });
  }

  double up_, down_;
};

}  // namespace

CLAROS_PLUGIN(
    Pinball, Kind::penalty, "pinball", "", "1.0.0", "An l1 norm with a weight for either sign",
    "h(x) = sum_j (a max(x_j, 0) + b max(-x_j, 0)). Convex; proximal step and conjugate in closed form.",
    "Koenker, Bassett: Regression quantiles, Econometrica 46, 1978")
