// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <shared/penalties/interval_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  double lower = -sdk::kInfinity, upper = sdk::kInfinity;
  std::string lowers, uppers;
};

class Box final : public sdk::IntervalPenalty {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("lower", &Options::lower, or_infinity(any()), "least value of an entry; -inf: none"),
        row("upper", &Options::upper, or_infinity(any()), "largest value of an entry; inf: none"),
        sdk::entry_bounds_row("lowers", &Options::lowers, "a least value"),
        sdk::entry_bounds_row("uppers", &Options::uppers, "a largest value")};
    return table;
  }

  Box(const Options& o, const Context& context)
      : IntervalPenalty({{o.lower, o.upper}, o.lowers, o.uppers, context}) {}
};

}  // namespace

CLAROS_PLUGIN(
    Box, Kind::penalty, "box", "", "1.0.0", "Indicator of a box, lower <= x_j <= upper, or l_j <= x_j <= u_j",
    "h(x) = 0 when lower <= x_j <= upper for all j, else infinity. Either bound may be infinite; bounds for "
    "each entry are finite. Separable.",
    "",
    "Use it to bound every entry, from one side or both. With an infinite bound a gap is known only where "
    "the partial derivatives have the right sign exactly: use stop.residual. Beside another penalty, or for "
    "Frank-Wolfe methods, take the set box, whose bounds are finite.",
    "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 objective.use=linear-model "
    "penalty.use=box penalty.lower=-1 penalty.upper=1 stop.relative_gap=1e-6")
