// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/penalties/interval_penalty.hpp>

namespace {

using namespace claros;

class Box final : public sdk::IntervalPenalty {
 public:
  using Options = sdk::Interval;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("lower", &Options::lower, or_infinity(any()), "least value of an entry; -inf: none"),
        row("upper", &Options::upper, or_infinity(any()), "largest value of an entry; inf: none")};
    return table;
  }

  Box(const Options& options, const Context&) : IntervalPenalty(options) {}
};

}  // namespace

CLAROS_PLUGIN(
    Box, Kind::penalty, "box", "", "1.0.0", "Indicator of a box, lower <= x_j <= upper",
    "h(x) = 0 when lower <= x_j <= upper for all j, else infinity. Either bound may be infinite. Separable.",
    "")
