// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <shared/estimators/table_estimator.hpp>

namespace {

using namespace claros;

/// g_t = (1/|S|) sum_S [grad f_i(x_t) - y_i] + (1/n) sum_i y_i,  then y_i <- grad f_i(x_t) for i in S.
/// (Defazio, Bach, Lacoste-Julien 2014, equation 7.)
/// The table is written when the next estimate is asked for: the estimate shares the average's array, and
/// writing before would copy it.
class Saga final : public sdk::TableEstimator {
 public:
  using Options = sdk::EpochOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{}, {sdk::batch_rows()}};
    return table;
  }

  Saga(const Options& options, const Context&) : TableEstimator(options) {}
  bool unbiased() const override { return true; }

  const Element& estimate(const Element& x, Index batch) override {
    write();
    const Batch S = look(x, batch);
    const Index size = S.size(0), K = static_cast<Index>(seen().size()) / size;
    changes_.resize(seen().size());
    for (std::size_t k = 0; k < changes_.size(); ++k)
      changes_[k] =
          S.weight(static_cast<Index>(k) / K) * (seen()[k] - table()[static_cast<std::size_t>(rows()[k])]);
    g_ = average();
    g_.add_adjoint(1.0 / static_cast<double>(size), map(), rows(), changes_);
    add_common(x);
    return g_;
  }

 private:
  std::vector<double> changes_;
};

}  // namespace

CLAROS_PLUGIN(
    Saga, Kind::estimator, "saga", "", "1.0.0", "SAGA (Defazio, Bach, Lacoste-Julien 2014)",
    "g = (1/|S|) sum over S of [grad f_i(x) - y_i] + (1/n) sum_i y_i, then y_i <- grad f_i(x). Needs an "
    "objective whose component gradients are a few numbers on fixed rows, of which it keeps a table: "
    "linear models, matrix completion. The first epoch begins with a full pass, no other does.",
    "Defazio, Bach, Lacoste-Julien: SAGA, NIPS 2014, equation 7",
    "Use it for linear models, matrix completion and matrix sensing with finitely many terms: it takes one "
    "full pass, at the start. It keeps a number or a few for every term. Other objectives, such as cox or "
    "sharded, need svrg. Under frank-wolfe svrg takes fewer passes in the measured case.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 "
    "data.response=logistic objective.use=linear-model objective.loss=logistic penalty.use=l1 "
    "penalty.lambda=0.1*max estimator.use=saga stop.relative_gap=1e-4")
