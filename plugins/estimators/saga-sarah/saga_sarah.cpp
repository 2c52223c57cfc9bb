// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <shared/estimators/table_estimator.hpp>

namespace {

using namespace claros;

enum class Averaging { theory };

struct SagaSarahOptions {
  sdk::EpochOptions numbers;
  NumberOr<Averaging> averaging = Averaging::theory;
};

/// g_t = (1/|S|) sum_S [grad f_i(x_t) - grad f_i(x_{t-1})] + (1 - lambda) g_{t-1} + lambda h_t.
/// The estimate of SAGA at x_{t-1} is h_t = (1/|S|) sum_S [grad f_i(x_{t-1}) - y_i] + (1/n) sum_j y_j.
/// Then y_i <- grad f_i(x_t) for i in S. lambda = |S|/(2n).
///
/// (Beznosikov, Dobre, Gidel 2024, Algorithm 2. The estimator is that of Li, Hanzely, Richtarik 2021.)
/// y_i begins as grad f_i(x_0), by a full pass. A part that all terms share is exact, and outside d_.
class SagaSarah final : public sdk::TableEstimator {
 public:
  using Options = SagaSarahOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("averaging", &Options::averaging,
             number_or<Averaging>(above_to(0, 1), {{Averaging::theory, "theory"}}),
             "weight of the correction by the table; theory is |S|/(2n)", "lambda")},
        {include(&Options::numbers, sdk::batch_rows())}};
    return table;
  }

  SagaSarah(const Options& options, const Context&)
      : TableEstimator(options.numbers), lambda_(options.averaging.number_or(0.0)) {}

  void start(Objective& f, Sampler& sampler) override {
    TableEstimator::start(f, sampler);
    rows_of_ = query<TermCoefficients>(f);
    previous_ = d_ = Element(f.shape());
  }
  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    const bool first = epochs() == 0;
    TableEstimator::begin_epoch(x, plan);
    if (!first) return;
    previous_ = x;
    d_ = average();
  }

  const Element& estimate(const Element& x, Index batch) override {
    const Batch S = look(x, batch);
    const Index size = S.size(0), K = static_cast<Index>(seen().size()) / size;
    const double b = static_cast<double>(size), n = static_cast<double>(f().terms()),
                 lambda = lambda_ > 0.0 ? lambda_ : std::min(1.0, b / (2.0 * n));
    changes_.resize(seen().size());
    rows_of_->coefficients(previous_, S, changes_);
    for (std::size_t k = 0; k < changes_.size(); ++k) {
      const double before = changes_[k], y = table()[static_cast<std::size_t>(rows()[k])];
      changes_[k] = S.weight(static_cast<Index>(k) / K) * (seen()[k] - before + lambda * (before - y));
    }
    d_.scale(1.0 - lambda);
    d_.add(lambda, average());
    d_.add_adjoint(1.0 / b, map(), rows(), changes_);
    sdk::fold_fused(d_);
    write();
    previous_ = x;
    g_ = d_;
    add_common(x);
    return g_;
  }

  /// g_{t-1} is not the average of the table.
  const Element* drift() const override { return nullptr; }

  void state(StateVisitor& v) override {
    TableEstimator::state(v);
    v("previous", previous_);
    v("path", d_);
  }

 private:
  double lambda_;  ///< 0: the theory's
  TermCoefficients* rows_of_ = nullptr;
  Element previous_, d_;  ///< x_{t-1}; g_{t-1} without the common part
  std::vector<double> changes_;
};

}  // namespace

CLAROS_PLUGIN(
    SagaSarah, Kind::estimator, "saga-sarah", "zerosarah", "1.0.0",
    "SAGA-SARAH (Beznosikov, Dobre, Gidel 2024): path differences, corrected by a table of gradients",
    "g_t = (1/|S|) sum over S of [grad f_i(x_t) - grad f_i(x_{t-1})] + (1 - lambda) g_{t-1} + lambda "
    "((1/|S|) sum over S of [grad f_i(x_{t-1}) - y_i] + (1/n) sum_j y_j), then y_i <- grad f_i(x_t). "
    "Needs an objective whose component gradients are a few numbers on fixed rows, of which it keeps a "
    "table: linear models, matrix completion. The first epoch begins with a full pass, no other does.",
    "Beznosikov, Dobre, Gidel: Sarah Frank-Wolfe: methods for constrained optimization with best rates "
    "and practical features, ICML 2024, Algorithm 2; Li, Hanzely, Richtarik: ZeroSARAH, 2021",
    "Use it under frank-wolfe for linear models, matrix completion and matrix sensing with finitely many "
    "terms, also where the loss is not convex: it takes one full pass, at the start, and a step computes "
    "two gradients for every term of its batch. It is biased: dual-averaging and three-operator refuse "
    "it; take saga there. Objectives for which no table can be kept, such as cox, need spider or page.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 "
    "objective.use=linear-model objective.loss=robust set.use=l1-ball set.radius=2 "
    "estimator.use=saga-sarah algorithm.use=frank-wolfe stop.gap=1e-2")
