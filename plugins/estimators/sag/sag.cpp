// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <shared/estimators/table_estimator.hpp>

namespace {

using namespace claros;

/// y_i <- grad f_i(x_t) for i in S,  g_t = (1/n) sum_i y_i.
/// (Schmidt, Le Roux, Bach 2017, Algorithm 1, with a table that a full pass at the start fills.)
/// The estimate is biased: it holds old gradients of the components that were not drawn.
class Sag final : public sdk::TableEstimator {
 public:
  using Options = sdk::EpochOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{}, {sdk::uniform_batch_rows()}};
    return table;
  }

  Sag(const Options& options, const Context&) : TableEstimator(options) {}

  const Element& estimate(const Element& x, Index batch) override {
    (void)look(x, batch);
    write();
    g_ = average();
    add_common(x);
    return g_;
  }
};

}  // namespace

CLAROS_PLUGIN(
    Sag, Kind::estimator, "sag", "", "1.0.0", "SAG (Schmidt, Le Roux, Bach 2017)",
    "g = (1/n) sum_i y_i after y_i <- grad f_i(x) for the drawn components. Needs an objective whose "
    "component gradients are a few numbers on fixed rows, of which it keeps a table: linear models, "
    "matrix completion. Biased, the bias vanishing with the distance between iterates. The first "
    "epoch begins with a full pass.",
    "Schmidt, Le Roux, Bach: Minimizing finite sums with the stochastic average gradient, "
    "Math. Program. 2017, Algorithm 1",
    "Use it for the same finite sums as saga, where a cheaper step matters: its estimate adds no rows of "
    "the batch. It is biased, so dual-averaging and three-operator refuse it; take saga there. It has no "
    "importance sampling. Objectives for which no table can be kept, such as cox, need svrg.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 objective.use=linear-model "
    "penalty.use=l1 penalty.lambda=0.1*max estimator.use=sag stop.relative_gap=1e-4")
