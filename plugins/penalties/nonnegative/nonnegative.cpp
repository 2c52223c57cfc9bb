// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <shared/penalties/interval_penalty.hpp>

namespace {

using namespace claros;

struct Options {};

class Nonnegative final : public sdk::IntervalPenalty {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{};
    return table;
  }

  Nonnegative(const Options&, const Context&) : IntervalPenalty(sdk::EntryBounds({0.0, sdk::kInfinity})) {}
};

}  // namespace

CLAROS_PLUGIN(Nonnegative, Kind::penalty, "nonnegative", "", "1.0.0",
              "Indicator of the nonnegative orthant, x >= 0",
              "h(x) = 0 when x_j >= 0 for all j, else infinity. Separable.", "",
              "Use it for a solution with x >= 0 and no upper bound. A gap is known only where no partial "
              "derivative is negative, not even by rounding: with linear models use stop.residual. For a "
              "verified gap take box, with an upper bound above all entries. For groups that are "
              "nonnegative take group with nonnegative = yes.",
              "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
              "objective.use=linear-model penalty.use=nonnegative stop.residual=1e-6")
